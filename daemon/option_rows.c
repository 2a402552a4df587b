/*
 * daemon/option_rows.c - the options of tallyd: what each does with its value.
 */
#include "daemon/options.h"

#include "regs/access.h"
#include "topology/topo.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const read_modes[READ_MODES] = {
	"auto", "batch", "pinned", "visit", "remote"
};

const char *
read_mode_name(enum read_mode mode)
{
	return read_modes[mode];
}

/* The member of a row. */
static void *
member(const struct option_row *row, struct options *o)
{
	return (char *)o + row->at;
}

/* An option without a value: sets its member. */
static int
option_rows_set(const struct option_row *row, struct options *o,
    const char *value, struct diag *why)
{
	(void)value;
	(void)why;
	*(bool *)member(row, o) = true;
	return 0;
}

/* Counts how often an option that has no value is given: -v, -vv. */
static int
option_rows_more(const struct option_row *row, struct options *o,
    const char *value, struct diag *why)
{
	(void)value;
	(void)why;
	++*(int *)member(row, o);
	return 0;
}

static int
option_rows_text(const struct option_row *row, struct options *o,
    const char *value, struct diag *why)
{
	if (value[0] == '\0')
		return diag_set(why, -EINVAL, "--%s '': its value is empty",
		    row->name);
	*(const char **)member(row, o) = value;
	return 0;
}

static int
option_rows_whole(const struct option_row *row, const char *value, long *v,
    struct diag *why)
{
	char *end;

	errno = 0;
	*v = strtol(value, &end, 10);
	return end != value && *end == '\0' && errno == 0 && *v >= row->min &&
	    *v <= row->max ? 0 : diag_set(why, -EINVAL, "--%s %s: give a "
	    "number, %.0f to %.0f", row->name, value, row->min, row->max);
}

static int
option_rows_number(const struct option_row *row, struct options *o,
    const char *value, struct diag *why)
{
	long v;
	int rc = option_rows_whole(row, value, &v, why);

	*(int *)member(row, o) = (int)v;        /* the member may be unsigned */
	return rc;
}

/* A number that need not be whole; a minimum of 0 is no value itself. */
static int
option_rows_real(const struct option_row *row, struct options *o,
    const char *value, struct diag *why)
{
	double *v = member(row, o);
	char *end, buf[AMOUNT_SECONDS];

	*v = strtod(value, &end);
	if (end != value && *end == '\0' && *v > 0 && *v >= row->min &&
	    *v <= row->max)
		return 0;
	return diag_set(why, -EINVAL, "--%s %s: give %s%s", row->name, value,
	    row->say, row->say[0] == 's' ? amount_seconds(value, buf) : "");
}

/* One word of those that row.say lists, "auto, raw or perf": its number, from 0. */
static int
option_rows_choice(const struct option_row *row, struct options *o,
    const char *value, struct diag *why)
{
	int *which = member(row, o);
	size_t n;

	*which = 0;
	for (const char *p = row->say; *p != '\0'; p += n + strspn(p + n, ", ")) {
		n = strcspn(p, ", ");
		if (n == 2 && strncmp(p, "or", n) == 0)
			continue;
		if (strlen(value) == n && strncmp(p, value, n) == 0)
			return 0;
		++*which;
	}
	return diag_set(why, -EINVAL, "--%s %s: choose %s", row->name, value,
	    row->say);
}

static int
file(const struct option_row *row, struct options *o, const char *value,
    struct diag *why)
{
	struct files *list = member(row, o);

	if (value[0] == '\0')
		return diag_set(why, -EINVAL, "--%s '': a file without a name; "
		    "give its name%s", row->name, list == &o->count.config ?
		    ", or @NAME of a built-in text" : "");
	if (value[0] == '@' && strstr(value, ",@") != NULL)
		return diag_set(why, -EINVAL, "--%s %s: one text a -c: -c %.*s "
		    "-c %s", row->name, value, (int)strcspn(value, ","), value,
		    strstr(value, ",@") + 1);
	if (list->n == MAX_FILES)
		return diag_set(why, -EINVAL, "--%s: at most %d files",
		    row->name, MAX_FILES);
	list->name[list->n++] = value;
	return 0;
}

static int
samples(const struct option_row *row, struct options *o, const char *value,
    struct diag *why)
{
	long v;
	int rc = option_rows_whole(row, value, &v, why);

	o->samples = (uint64_t)v;
	return rc;
}

static int
option_rows_amount(const struct option_row *row, struct options *o,
    const char *value, struct diag *why)
{
	struct amount *a = member(row, o);

	if (amount_parse(a, value) == 0 && (int)a->kind >= row->min)
		return 0;
	return diag_set(why, -EINVAL, "--%s %s: give %sa time (s, min, h, d) "
	    "or a size (K, M, G)", row->name, value,
	    row->min == AMOUNT_COUNT ? "a number from 1 on, " : "");
}

static int
output(const struct option_row *row, struct options *o, const char *value,
    struct diag *why)
{
	if (strcmp(value, "-") == 0)
		return diag_set(why, -EINVAL, "-o -: the dump is written at "
		    "the end, to a file: give its name; `tally dump STORE` "
		    "writes to standard output");
	return option_rows_text(row, o, value, why);
}

static int
replay(const struct option_row *row, struct options *o, const char *value,
    struct diag *why)
{
	if (value[0] == '@')
		return diag_set(why, -EINVAL, "--replay %s: that takes a dump; "
		    "--sim %s is a built-in machine", value, value);
	return option_rows_text(row, o, value, why);
}

/* Whoever can write a dump can forge its figures: only its owner may. */
static int
dump_mode(const struct option_row *row, struct options *o, const char *value,
    struct diag *why)
{
	char *end;
	unsigned long mode = strtoul(value, &end, 8);

	(void)row;
	if (*value < '0' || *value > '7' || *end != '\0' ||
	    (mode & ~0644ul) != 0 || (mode & 0600) != 0600)
		return diag_set(why, -EINVAL, "--dump-mode %s: choose 0600, 0640 "
		    "(its group reads it) or 0644 (everybody does): nobody but "
		    "its owner writes a dump, and it is no program", value);
	o->dump.mode = (unsigned)mode;
	return 0;
}

static void
any_lproc(void *unused, unsigned lproc)
{
	(void)unused;
	(void)lproc;
}

static int
lprocs(const struct option_row *row, struct options *o, const char *value,
    struct diag *why)
{
	if (*value == '\0' || cpulist_parse(value, MAX_LPROCS, any_lproc, NULL) < 0)
		return diag_set(why, -EINVAL, "--%s %s: give lprocs as 0-3,8",
		    row->name, value);
	return option_rows_text(row, o, value, why);
}

#define AT(member) offsetof(struct options, member)

const struct option_row option_rows[] = {
	{ "interval", 'i', option_rows_real, AT(interval), 0.001, 3600,
	    "seconds, 0.001 to 3600" },
	{ "samples", 'n', samples, 0, 1, 1000000000, NULL },
	{ "config", 'c', file, AT(count.config), 0, 0, NULL },
	{ "inputs", 0, option_rows_text, AT(count.inputs), 0, 0, NULL },
	{ "event-list", 0, file, AT(count.event_list), 0, 0, NULL },
	{ "output", 'o', output, AT(dump.file), 0, 0, NULL },
	{ "segment", 0, option_rows_amount, AT(dump.segment),
	    AMOUNT_TIME, 0, NULL },
	{ "keep", 0, option_rows_amount, AT(dump.keep), AMOUNT_COUNT, 0, NULL },
	{ "pipe", 0, option_rows_text, AT(dump.pipe), 0, 0, NULL },
	{ "overwrite", 0, option_rows_set, AT(dump.overwrite), 0, 0, NULL },
	{ "dump-mode", 0, dump_mode, 0, 0, 0, NULL },
	{ "dump-group", 0, option_rows_text, AT(dump.group), 0, 0, NULL },
	{ "background", 'b', option_rows_set, AT(service.background),
	    0, 0, NULL },
	{ "pidfile", 0, option_rows_text, AT(service.pidfile), 0, 0, NULL },
	{ "store", 0, option_rows_text, AT(service.store), 0, 0, NULL },
	{ "site", 0, option_rows_text, AT(count.site), 0, 0, NULL },
	{ "soc-preprogrammed", 0, option_rows_set, AT(count.soc_preprogrammed),
	    0, 0, NULL },
	{ "measure-dram-bandwidth", 0, option_rows_set, AT(count.measure_dram),
	    0, 0, NULL },
	{ "share", 0, option_rows_set, AT(service.share), 0, 0, NULL },
	{ "access", 0, option_rows_choice, AT(node.access), 0, 0,
	    "auto, raw, perf or hybrid" },
	{ "no-taint", 0, option_rows_set, AT(node.no_taint), 0, 0, NULL },
	{ "read", 0, option_rows_choice, AT(read.mode), 0, 0,
	    "auto, batch, pinned, visit or remote" },
	{ "rotate", 0, option_rows_number, AT(read.rotate), 1, 1000000, NULL },
	{ "turn", 0, option_rows_real, AT(read.turn), 0.001, 3600,
	    "seconds, 0.001 to 3600" },
	{ "cpus", 0, lprocs, AT(read.cpus), 0, 0, NULL },
	{ "cpu", 0, option_rows_number, AT(read.cpu), 0, MAX_LPROCS - 1, NULL },
	{ "max-overhead", 0, option_rows_real, AT(read.max_overhead), 0, 100,
	    "percent of one CPU, above 0 to 100" },
	{ "watch", 0, option_rows_number, AT(read.watch), 0, 1000000, NULL },
	{ "user", 0, option_rows_text, AT(service.user), 0, 0, NULL },
	{ "keep-root", 0, option_rows_set, AT(service.keep_root), 0, 0, NULL },
	{ "keep-writing", 0, option_rows_set, AT(service.keep_writing),
	    0, 0, NULL },
	{ "journal", 0, option_rows_text, AT(service.journal), 0, 0, NULL },
	{ "socket", 0, option_rows_text, AT(service.socket), 0, 0, NULL },
	{ "mark", 0, option_rows_text, AT(tell.mark), 0, 0, NULL },
	{ "pid", 0, option_rows_number, AT(pid), 1, INT_MAX, NULL },
	{ "time", 't', option_rows_real, AT(time), 0, 1e9,
	    "seconds, above 0 to 1e9" },
	{ "pause", 0, option_rows_set, AT(tell.pause), 0, 0, NULL },
	{ "resume", 0, option_rows_set, AT(tell.resume), 0, 0, NULL },
	{ "ask", 0, option_rows_set, AT(tell.ask), 0, 0, NULL },
	{ "reload", 0, option_rows_set, AT(tell.reload), 0, 0, NULL },
	{ "restore", 0, option_rows_set, AT(instead.restore), 0, 0, NULL },
	{ "check", 0, option_rows_set, AT(instead.check), 0, 0, NULL },
	{ "prove", 0, option_rows_set, AT(instead.prove), 0, 0, NULL },
	{ "dry-run", 0, option_rows_set, AT(instead.dry_run), 0, 0, NULL },
	{ "record-node", 0, option_rows_text, AT(instead.record_node),
	    0, 0, NULL },
	{ "list", 0, option_rows_text, AT(instead.list), 0, 0, NULL },
	{ "print", 0, option_rows_text, AT(instead.print), 0, 0, NULL },
	{ "model", 0, option_rows_text, AT(instead.model), 0, 0, NULL },
	{ "force", 0, option_rows_set, AT(node.force), 0, 0, NULL },
	{ "replay", 0, replay, AT(node.replay), 0, 0, NULL },
	{ "virtual-time", 0, option_rows_set, AT(node.virtual_time),
	    0, 0, NULL },
	{ "root", 0, option_rows_text, AT(node.root), 0, 0, NULL },
	{ "verbose", 'v', option_rows_more, AT(verbose), 0, 0, NULL },
	{ "quiet", 'q', option_rows_set, AT(quiet), 0, 0, NULL },
	{ "help", 'h', option_rows_set, AT(instead.help), 0, 0, NULL },
	{ "version", 0, option_rows_set, AT(instead.version), 0, 0, NULL },
};

bool
option_bare(const struct option_row *row)
{
	return row->take == option_rows_set || row->take == option_rows_more;
}

bool
option_adds(const struct option_row *row)
{
	return row->take == file;
}
