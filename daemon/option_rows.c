/*
 * daemon/option_rows.c - the options of tallyd: what each does with its value.
 */
#include "daemon/options.h"

#include "regs/access.h"
#include "topology/topo.h"

#include <errno.h>
#include <limits.h>
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

#define FLAG(name, letter, to) { name, letter, option_rows_set, AT(to), 0, 0, NULL }
#define TEXT(name, to) { name, 0, option_rows_text, AT(to), 0, 0, NULL }

const struct option_row option_rows[] = {
	{ "interval", 'i', option_rows_real, AT(interval), 0.001, 3600,
	    "seconds, 0.001 to 3600" },
	{ "samples", 'n', samples, 0, 1, 1000000000, NULL },
	{ "config", 'c', file, AT(count.config), 0, 0, NULL },
	TEXT("inputs", count.inputs),
	{ "event-list", 0, file, AT(count.event_list), 0, 0, NULL },
	{ "output", 'o', output, AT(dump.file), 0, 0, NULL },
	{ "segment", 0, option_rows_amount, AT(dump.segment), AMOUNT_TIME, 0,
	    NULL },
	{ "keep", 0, option_rows_amount, AT(dump.keep), AMOUNT_COUNT, 0, NULL },
	TEXT("pipe", dump.pipe),
	FLAG("overwrite", 0, dump.overwrite),
	{ "dump-mode", 0, dump_mode, 0, 0, 0, NULL },
	TEXT("dump-group", dump.group),
	FLAG("background", 'b', service.background),
	TEXT("pidfile", service.pidfile),
	TEXT("store", service.store),
	TEXT("site", count.site),
	FLAG("soc-preprogrammed", 0, count.soc_preprogrammed),
	FLAG("measure-dram-bandwidth", 0, count.measure_dram),
	FLAG("share", 0, service.share),
	{ "access", 0, option_rows_choice, AT(node.access), 0, 0,
	    "auto, raw, perf or hybrid" },
	FLAG("no-taint", 0, node.no_taint),
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
	TEXT("user", service.user),
	FLAG("keep-root", 0, service.keep_root),
	FLAG("keep-writing", 0, service.keep_writing),
	TEXT("journal", service.journal),
	TEXT("socket", service.socket),
	TEXT("mark", tell.mark),
	{ "pid", 0, option_rows_number, AT(pid), 1, INT_MAX, NULL },
	{ "time", 't', option_rows_real, AT(time), 0, 1e9,
	    "seconds, above 0 to 1e9" },
	FLAG("pause", 0, tell.pause),
	FLAG("resume", 0, tell.resume),
	FLAG("ask", 0, tell.ask),
	FLAG("reload", 0, tell.reload),
	FLAG("restore", 0, instead.restore),
	FLAG("check", 0, instead.check),
	FLAG("prove", 0, instead.prove),
	FLAG("dry-run", 0, instead.dry_run),
	TEXT("record-node", instead.record_node),
	TEXT("list", instead.list),
	TEXT("print", instead.print),
	TEXT("model", instead.model),
	FLAG("force", 0, node.force),
	{ "replay", 0, replay, AT(node.replay), 0, 0, NULL },
	FLAG("virtual-time", 0, node.virtual_time),
	TEXT("root", node.root),
	{ "verbose", 'v', option_rows_more, AT(verbose), 0, 0, NULL },
	FLAG("quiet", 'q', quiet),
	FLAG("help", 'h', instead.help),
	FLAG("version", 0, instead.version),
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
