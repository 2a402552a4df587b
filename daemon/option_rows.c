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
option_rows_number(const struct option_row *row, struct options *o,
    const char *value, struct diag *why)
{
	char *end;
	long v;

	errno = 0;
	v = strtol(value, &end, 10);
	if (end == value || *end != '\0' || errno != 0 || v < row->min ||
	    v > row->max)
		return diag_set(why, -EINVAL, "--%s %s: give a number, %d to "
		    "%d", row->name, value, row->min, row->max);
	*(int *)member(row, o) = (int)v;        /* the member may be unsigned */
	return 0;
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
interval(const struct option_row *row, struct options *o, const char *value,
    struct diag *why)
{
	char *end, buf[AMOUNT_SECONDS];

	(void)row;
	o->interval = strtod(value, &end);
	if (end == value || *end != '\0' || !(o->interval >= 0.001) ||
	    o->interval > 3600)
		return diag_set(why, -EINVAL, "--interval %s: give seconds, "
		    "0.001 to 3600%s", value, amount_seconds(value, buf));
	o->interval_ns = (uint64_t)llround(o->interval * 1e9);
	return 0;
}

static int
option_rows_turn(const struct option_row *row, struct options *o,
    const char *value, struct diag *why)
{
	char *end;
	double seconds = strtod(value, &end);

	(void)row;
	if (end == value || *end != '\0' || !(seconds >= 0.001) ||
	    seconds > 3600)
		return diag_set(why, -EINVAL, "--turn %s: give seconds, 0.001 to "
		    "3600", value);
	o->read.turn_ns = (uint64_t)llround(seconds * 1e9);
	return 0;
}

static int
time_to_sample(const struct option_row *row, struct options *o,
    const char *value, struct diag *why)
{
	char *end, buf[AMOUNT_SECONDS];

	(void)row;
	o->time = strtod(value, &end);
	if (end == value || *end != '\0' || !(o->time > 0) || o->time > 1e9)
		return diag_set(why, -EINVAL, "--time %s: give seconds, above "
		    "0 to 1e9%s", value, amount_seconds(value, buf));
	return 0;
}

static int
samples(const struct option_row *row, struct options *o, const char *value,
    struct diag *why)
{
	char *end;

	(void)row;
	errno = 0;
	o->samples = strtoull(value, &end, 10);
	if (end == value || *end != '\0' || *value == '-' || errno != 0 ||
	    o->samples == 0 || o->samples > 1000000000)
		return diag_set(why, -EINVAL, "--samples %s: give a number, 1 "
		    "to 1000000000", value);
	return 0;
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

static int
access_by(const struct option_row *row, struct options *o, const char *value,
    struct diag *why)
{
	static const char *const how[] = { "auto", "raw", "perf", "hybrid" };

	(void)row;
	for (unsigned i = 0; i < 4; i++)
		if (strcmp(value, how[i]) == 0) {
			o->node.access = (enum access_mode)i;
			return 0;
		}
	return diag_set(why, -EINVAL, "--access %s: choose auto, raw, perf or "
	    "hybrid", value);
}

static int
read_by(const struct option_row *row, struct options *o, const char *value,
    struct diag *why)
{
	(void)row;
	for (unsigned m = 0; m < READ_MODES; m++)
		if (strcmp(value, read_modes[m]) == 0) {
			o->read.mode = (enum read_mode)m;
			return 0;
		}
	return diag_set(why, -EINVAL, "--read %s: choose auto, batch, pinned, "
	    "visit or remote", value);
}

static int
overhead(const struct option_row *row, struct options *o, const char *value,
    struct diag *why)
{
	char *end;

	(void)row;
	o->read.max_overhead = strtod(value, &end);
	if (end == value || *end != '\0' || !(o->read.max_overhead > 0) ||
	    o->read.max_overhead > 100)
		return diag_set(why, -EINVAL, "--max-overhead %s: give percent "
		    "of one CPU, above 0 to 100", value);
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
	{ "interval", 'i', interval, 0, 0, 0 },
	{ "samples", 'n', samples, 0, 0, 0 },
	{ "config", 'c', file, AT(count.config), 0, 0 },
	{ "inputs", 0, option_rows_text, AT(count.inputs), 0, 0 },
	{ "event-list", 0, file, AT(count.event_list), 0, 0 },
	{ "output", 'o', output, AT(dump.file), 0, 0 },
	{ "segment", 0, option_rows_amount, AT(dump.segment), AMOUNT_TIME, 0 },
	{ "keep", 0, option_rows_amount, AT(dump.keep), AMOUNT_COUNT, 0 },
	{ "pipe", 0, option_rows_text, AT(dump.pipe), 0, 0 },
	{ "overwrite", 0, option_rows_set, AT(dump.overwrite), 0, 0 },
	{ "dump-mode", 0, dump_mode, 0, 0, 0 },
	{ "dump-group", 0, option_rows_text, AT(dump.group), 0, 0 },
	{ "background", 'b', option_rows_set, AT(service.background), 0, 0 },
	{ "pidfile", 0, option_rows_text, AT(service.pidfile), 0, 0 },
	{ "store", 0, option_rows_text, AT(service.store), 0, 0 },
	{ "site", 0, option_rows_text, AT(count.site), 0, 0 },
	{ "soc-preprogrammed", 0, option_rows_set, AT(count.soc_preprogrammed),
	    0, 0 },
	{ "measure-dram-bandwidth", 0, option_rows_set, AT(count.measure_dram),
	    0, 0 },
	{ "share", 0, option_rows_set, AT(service.share), 0, 0 },
	{ "access", 0, access_by, 0, 0, 0 },
	{ "no-taint", 0, option_rows_set, AT(node.no_taint), 0, 0 },
	{ "read", 0, read_by, 0, 0, 0 },
	{ "rotate", 0, option_rows_number, AT(read.rotate), 1, 1000000 },
	{ "turn", 0, option_rows_turn, 0, 0, 0 },
	{ "cpus", 0, lprocs, AT(read.cpus), 0, 0 },
	{ "cpu", 0, option_rows_number, AT(read.cpu), 0, MAX_LPROCS - 1 },
	{ "max-overhead", 0, overhead, 0, 0, 0 },
	{ "watch", 0, option_rows_number, AT(read.watch), 0, 1000000 },
	{ "user", 0, option_rows_text, AT(service.user), 0, 0 },
	{ "keep-root", 0, option_rows_set, AT(service.keep_root), 0, 0 },
	{ "keep-writing", 0, option_rows_set, AT(service.keep_writing), 0, 0 },
	{ "journal", 0, option_rows_text, AT(service.journal), 0, 0 },
	{ "socket", 0, option_rows_text, AT(service.socket), 0, 0 },
	{ "mark", 0, option_rows_text, AT(tell.mark), 0, 0 },
	{ "pid", 0, option_rows_number, AT(pid), 1, INT_MAX },
	{ "time", 't', time_to_sample, 0, 0, 0 },
	{ "pause", 0, option_rows_set, AT(tell.pause), 0, 0 },
	{ "resume", 0, option_rows_set, AT(tell.resume), 0, 0 },
	{ "ask", 0, option_rows_set, AT(tell.ask), 0, 0 },
	{ "reload", 0, option_rows_set, AT(tell.reload), 0, 0 },
	{ "restore", 0, option_rows_set, AT(instead.restore), 0, 0 },
	{ "check", 0, option_rows_set, AT(instead.check), 0, 0 },
	{ "prove", 0, option_rows_set, AT(instead.prove), 0, 0 },
	{ "dry-run", 0, option_rows_set, AT(instead.dry_run), 0, 0 },
	{ "record-node", 0, option_rows_text, AT(instead.record_node), 0, 0 },
	{ "list", 0, option_rows_text, AT(instead.list), 0, 0 },
	{ "print", 0, option_rows_text, AT(instead.print), 0, 0 },
	{ "model", 0, option_rows_text, AT(instead.model), 0, 0 },
	{ "force", 0, option_rows_set, AT(node.force), 0, 0 },
	{ "replay", 0, replay, AT(node.replay), 0, 0 },
	{ "virtual-time", 0, option_rows_set, AT(node.virtual_time), 0, 0 },
	{ "root", 0, option_rows_text, AT(node.root), 0, 0 },
	{ "verbose", 'v', option_rows_more, AT(verbose), 0, 0 },
	{ "quiet", 'q', option_rows_set, AT(quiet), 0, 0 },
	{ "help", 'h', option_rows_set, AT(instead.help), 0, 0 },
	{ "version", 0, option_rows_set, AT(instead.version), 0, 0 },
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
