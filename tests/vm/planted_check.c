/*
 * tests/vm/planted_check.c - did every counter of a dump count what was planted?
 *
 *   planted_check DUMP COLUMNS
 *
 * Events are called E_CC_UU, of that code and mask, or, in a set called S,
 * S_CC_UU; so a column's name says which rate tests/vm/live plants there.  A
 * difference is wrong when no two moments give it, each within its own row: a
 * block's stamp is in there, too.  That holds however slow and
 * however busy the machine is.  The last row is compared with the first as
 * well: over that time a rate that is off by little is seen, too.
 *
 * Prints what is wrong, the first few of it, and a line of counts; succeeds
 * where nothing is, and the dump has at least COLUMNS columns with a rate.  What
 * is absent is counted only; with COLUMNS 0 that may be all.
 */
#include "config/dump/read.h"
#include "tests/vm/live/planted.h"

#include <ctype.h>
#include <err.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOISE 20                /* how many wrong ones are told */

/* Families with events: the first of their boxes, or none. */
static const struct {
	const char *family;
	int box;
} boxes[] = {
	{ "core_counts", -1 }, { "cha_counts", PLANTED_CHA },
	{ "iio_counts", PLANTED_IIO }, { "irp_counts", PLANTED_IRP },
	{ "ubox_counts", PLANTED_UBOX }, { "ubox_uclk", PLANTED_UBOX },
	{ "pcu_counts", PLANTED_PCU }, { "imc_counts", PLANTED_IMC },
	{ "m2m_counts", PLANTED_M2M }, { "upi_counts", PLANTED_UPI },
	{ "m3upi_counts", PLANTED_M3UPI }, { "m2pcie_counts", PLANTED_M2PCIE },
};

/* Registers that are read as they are: regs/models/model_intel.c. */
static const struct {
	const char *family;
	enum planted_kind kind;
	unsigned msr;
} scalars[] = {
	{ "aperf", PLANTED_LPROC, 0xe8 }, { "mperf", PLANTED_LPROC, 0xe7 },
	{ "pperf", PLANTED_LPROC, 0x64e },
	{ "rapl_pkg_energy", PLANTED_PKG, 0x611 },
	{ "rapl_dram_energy", PLANTED_PKG, 0x619 },
	{ "rapl_pkg_throttled", PLANTED_PKG, 0x613 },
	{ "rapl_dram_throttled", PLANTED_PKG, 0x61b },
	{ "smi_count", PLANTED_PKG, 0x34 },
	{ "pkg_c2_residency", PLANTED_PKG, 0x60d },
	{ "pkg_c6_residency", PLANTED_PKG, 0x3f9 },
};

static const char *const fixed[] = {
	"Inst_Retired.Any", "CPU_CLK_Unhalted.Core", "CPU_CLK_Unhalted.Ref"
};

static const char *const stacks[] = {
	"CBDMA", "PCIe0", "PCIe1", "PCIe2", "MCP0", "MCP1"
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* What is known of a column, and its value where it was there first and last. */
struct track {
	unsigned rate;          /* 0: none is planted */
	int stamp;              /* the column with its block's stamps */
	int running;            /* of an event in a set: when it had its turn */
	bool measured;          /* several a sample, by the clock of where it counts */
	uint64_t first, last, first_stamp, last_stamp;
	double first_from, first_to, last_from, last_to;        /* when */
	bool seen;
};

struct check {
	struct reader *dump;
	struct track *track;
	unsigned n;
	int tsc, duration;
	double ticks_per_ns;
	unsigned rows;
	unsigned long compared, wrong, absent;
};

/* iio_PCIe0_port1_in_bytes and its like. */
static bool
stack_register(const char *family, unsigned *msr)
{
	char stack[16], what[16];
	unsigned port, i;

	if (sscanf(family, "iio_%15[A-Za-z0-9]_port%u_%15s", stack, &port,
	    what) != 3 || port > 3)
		return false;
	for (i = 0; i < COUNT(stacks) && strcmp(stack, stacks[i]) != 0; i++)
		;
	*msr = 0xb00 + 0x10 * i + (strcmp(what, "in_bytes") == 0 ? port :
	    strcmp(what, "out_bytes") == 0 ? 4 + port :
	    strcmp(what, "in_busy") == 0 ? 8 + 2 * port : 9 + 2 * port);
	return i < COUNT(stacks);
}

/* The rate of an event by its name; 0: such a name has none. */
static unsigned
event_rate(const struct column_id *id, int box)
{
	unsigned code, mask, unit = id->index[0], fix = PLANTED_FIXED;

	if (box >= 0)
		unit = unit << 7 | ((unsigned)box +
		    (id->nindex > 1 ? id->index[1] : 0));
	if (id->event == NULL || strcmp(id->event, "DCLK") == 0)
		return planted_rate(PLANTED_BOX, unit, fix);
	if (sscanf(id->event, "%*[A-Za-z]_%2x_%2x", &code, &mask) != 2)
		return 0;
	return planted_rate(box < 0 ? PLANTED_CORE : PLANTED_BOX, unit,
	    code | mask << 8);
}

static unsigned
rate_of(const struct column_id *id)
{
	const char *family = id->family->name;
	unsigned msr;

	for (size_t i = 0; i < COUNT(boxes); i++)
		if (strcmp(family, boxes[i].family) == 0)
			return event_rate(id, boxes[i].box);
	for (size_t i = 0; i < COUNT(scalars); i++)
		if (strcmp(family, scalars[i].family) == 0)
			return planted_rate(scalars[i].kind, id->index[0],
			    scalars[i].msr);
	for (size_t i = 0; i < COUNT(fixed) && id->event != NULL; i++)
		if (strcmp(family, "core_fixed_counts") == 0 &&
		    strcmp(id->event, fixed[i]) == 0)
			return planted_rate(PLANTED_LPROC, id->index[0],
			    0x309 + (unsigned)i);
	return stack_register(family, &msr) ?
	    planted_rate(PLANTED_PKG, id->index[0], msr) : 0;
}

static bool
of_lproc(const char *family)
{
	return strncmp(family, "core_", 5) == 0 || (family[0] != '\0' &&
	    strcmp(family + 1, "perf") == 0) || strcmp(family, "pperf") == 0;
}

/* Is it in config space, which any lproc can read? */
static bool
on_bus(const char *family)
{
	static const char *const name[] = { "imc", "m2m", "upi", "m3upi",
	    "m2pcie" };

	for (unsigned i = 0; i < COUNT(name); i++)
		if (strncmp(family, name[i], strlen(name[i])) == 0 &&
		    family[strlen(name[i])] == '_')
			return true;
	return false;
}

/* The column that says how long an event's set had its turn: with several turns in a
 * sample that of where it counts, else that of all. */
static void
learn_turn(struct check *k, struct track *t, const struct column *c)
{
	int set = (int)strcspn(c->id.event, "_");
	const char *family = c->id.family->name;
	char name[64];

	snprintf(name, sizeof(name), "%s_set_tsc[%u][\"%.*s\"]",
	    of_lproc(family) ? "lproc" : on_bus(family) ? "pkg_bus" : "pkg",
	    c->id.index[0], set, c->id.event);
	t->measured = (t->running = read_find(k->dump, name)) >= 0;
	if (t->measured)
		return;
	snprintf(name, sizeof(name), "set_running[\"%.*s\"]", set,
	    c->id.event);
	if ((t->running = read_find(k->dump, name)) < 0)
		errx(1, "no %s", name);
}

static void
learn(struct check *k, unsigned id)
{
	const struct column *c = read_column(k->dump, id);
	struct track *t = &k->track[id];
	char name[64];

	*t = (struct track){ .stamp = -1, .running = -1 };
	if (c->bits == 0)
		return;
	if ((t->rate = rate_of(&c->id)) == 0)
		return;
	snprintf(name, sizeof(name), "%s[%u]", of_lproc(c->id.family->name) ?
	    "lproc_tsc" : on_bus(c->id.family->name) ? "pkg_bus_tsc" :
	    "pkg_tsc", c->id.index[0]);
	t->stamp = read_find(k->dump, name);
	/* where one block has both */
	snprintf(name, sizeof(name), "pkg_tsc[%u]", c->id.index[0]);
	if (t->stamp < 0 && (t->stamp = read_find(k->dump, name)) < 0)
		errx(1, "no %s", name);
	if (c->id.event != NULL && islower((unsigned char)c->id.event[0]))
		learn_turn(k, t, c);
}

static void
learn_all(struct check *k)
{
	unsigned n = read_columns(k->dump);

	if (n == k->n)
		return;
	k->track = realloc(k->track, n * sizeof(k->track[0]));
	if (k->track == NULL)
		err(1, NULL);
	while (k->n < n)
		learn(k, k->n++);
}

/* Can a counter of that rate have gone up by delta in from to to ticks?  It may
 * have wrapped as often as it likes. */
static bool
possible(const struct column *c, unsigned rate, uint64_t delta, double from,
    double to)
{
	double per_tick = rate / 0x1p30;
	double low = from > 0 ? from * per_tick - 2 : 0;
	double high = to * per_tick + 2, wrap = ldexp(1, c->bits), n;

	n = ceil((low - (double)delta) / wrap);
	return (double)delta + fmax(n, 0) * wrap <= high;
}

static uint64_t
difference(const struct column *c, uint64_t a, uint64_t b)
{
	uint64_t mask = ~0ull >> (64 - c->bits), mul = c->mul ? c->mul : 1;

	return (b / mul - a / mul) & mask;
}

static void
wrong(struct check *k, unsigned id, uint64_t sample, const char *what,
    double is, double low, double high)
{
	char name[MAX_NAME];

	if (k->wrong++ >= NOISE)
		return;
	column_text(&read_column(k->dump, id)->id, "", name, sizeof(name));
	printf("wrong: %s at sample %" PRIu64 ": %s %.0f, and %.0f to %.0f is "
	    "what can be\n", name, sample, what, is, low, high);
}

/* The last row's value, and this one's. */
static void
compare(struct check *k, unsigned id, const struct read_row *row,
    double from, double to)
{
	const struct column *c = read_column(k->dump, id);
	struct track *t = &k->track[id];
	uint64_t delta = difference(c, t->last, row->value[id]);
	double low = from - t->last_to, high = to - t->last_from;

	if (t->running >= 0 && (row->before == NULL ||
	    row->before[id] == ABSENT))
		low = 0;        /* nobody knows when it turned meanwhile */
	else if (t->running >= 0) {
		uint64_t turn = row->value[t->running] -
		    row->before[t->running];

		/* both ends of each turn are read a little early or late */
		low = turn * 0.75;
		high = turn * 1.25;
		if (!t->measured && turn != 0) {
			/* it is told by the clock of the row */
			low = (double)turn - (t->last_to - t->last_from);
			high = (double)turn + to - from;
		}
	}
	k->compared++;
	if (!possible(c, t->rate, delta, low, high))
		wrong(k, id, row->sample, "went up by", (double)delta,
		    low * t->rate / 0x1p30, high * t->rate / 0x1p30);
}

static void
look(struct check *k, const struct read_row *row)
{
	double start = (double)row->value[k->tsc];
	double end = start + (double)row->value[k->duration] *
	    k->ticks_per_ns * 1.02 + 50e3 * k->ticks_per_ns;

	for (unsigned id = 0; id < row->ncol; id++) {
		struct track *t = &k->track[id];
		uint64_t stamp;
		double from;

		if (t->rate == 0)
			continue;
		stamp = row->value[t->stamp];
		if (row->value[id] == ABSENT) {
			k->absent++;
			continue;
		}
		/* its lproc left between two turns: what it had counted by then */
		if (stamp == ABSENT && t->measured)
			stamp = (uint64_t)start;
		if (stamp == ABSENT) {
			wrong(k, id, row->sample, "without a stamp",
			    (double)row->value[id], 0, 0);
			continue;
		}
		/* the first register of a block is read before its stamp */
		from = start;
		if (stamp < start || (k->ticks_per_ns > 0 && stamp > end))
			wrong(k, id, row->sample, "stamped", (double)stamp,
			    start, end);
		if (t->seen)
			compare(k, id, row, from, end);
		else {
			t->first = row->value[id];
			t->first_from = from;
			t->first_to = end;
			t->first_stamp = stamp;
		}
		t->seen = true;
		t->last = row->value[id];
		t->last_from = from;
		t->last_to = end;
		t->last_stamp = stamp;
	}
}

/* All of the run at once; the rate that a reader would take is by the stamps. */
static double
look_back(struct check *k)
{
	double worst = 0;

	for (unsigned id = 0; id < k->n; id++) {
		const struct column *c = read_column(k->dump, id);
		struct track *t = &k->track[id];
		double low = t->last_from - t->first_to;
		double high = t->last_to - t->first_from, off, by_stamps;
		uint64_t delta = difference(c, t->first, t->last);

		if (t->rate == 0 || !t->seen || t->running >= 0 || low <= 0)
			continue;
		k->compared++;
		if (!possible(c, t->rate, delta, low, high))
			wrong(k, id, k->rows - 1, "went up in all by",
			    (double)delta, low * t->rate / 0x1p30,
			    high * t->rate / 0x1p30);
		by_stamps = (double)(t->last_stamp - t->first_stamp) *
		    t->rate / 0x1p30;
		off = by_stamps < ldexp(1, c->bits) ?
		    fabs((double)delta / by_stamps - 1) : 0;
		worst = fmax(worst, off);
	}
	return worst;
}

int
main(int argc, char **argv)
{
	struct check k = { .n = 0 };
	struct read_row row;
	struct diag why;
	unsigned planted = 0;
	double worst;
	int rc;

	if (argc != 3)
		errx(2, "usage: planted_check DUMP COLUMNS");
	if (read_open(&k.dump, argv[1], &why) < 0)
		errx(1, "%s", why.text);
	while ((rc = read_next(k.dump, &row, &why)) > 0) {
		learn_all(&k);
		if (k.rows++ == 0) {
			k.tsc = read_find(k.dump, "tsc");
			k.duration = read_find(k.dump, "sample_duration_ns");
			k.ticks_per_ns = read_number(k.dump, "tsc_hz", 0) / 1e9;
			if (k.tsc < 0 || k.duration < 0)
				errx(1, "no clocks in %s", argv[1]);
		}
		look(&k, &row);
	}
	if (rc < 0)
		errx(1, "%s", why.text);
	/* one sample has no differences, and no clock to tell its length by */
	if (k.rows > 1 && k.ticks_per_ns <= 0)
		errx(1, "no tsc_hz in %s", argv[1]);
	for (unsigned id = 0; id < k.n; id++)
		planted += k.track[id].rate != 0 && k.track[id].seen;
	worst = k.rows > 1 ? look_back(&k) : 0;
	printf("%u columns, %u samples, %lu differences: %lu wrong, %lu "
	    "absent; by the stamps the worst rate is off by %.3f %%\n", planted,
	    k.rows, k.compared, k.wrong, k.absent, worst * 100);
	read_close(k.dump);
	return k.wrong == 0 && (k.compared > 0 || k.rows == 1 ||
	    atoi(argv[2]) == 0) && planted >= (unsigned)atoi(argv[2]) ? 0 : 1;
}
