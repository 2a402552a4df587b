/*
 * postproc/data/delta.c - what a counter did between two samples.
 */
#include "postproc/data/delta.h"

#include "regs/model.h"

#define MIN_PROCHOT 60          /* degrees Celsius: no package has a lower limit */
#define UNLIKE 5                /* degrees Celsius that the limits of packages may
				 * differ by: the head has that of one */

const char *
delta_word(enum delta_kind kind)
{
	static const char *const word[DELTA_KINDS] = { "good", "wrapped",
	    "none", "absent", "reset", "impossible", "ambiguous",
	    "tampered", "foreign", "stopped", "clock", "odd", "beyond",
	    "paused" };

	return word[kind];
}

bool
delta_doubtful(enum delta_kind kind)
{
	return kind == DELTA_FOREIGN || kind == DELTA_STOPPED ||
	    kind == DELTA_BEYOND;
}

bool
reading_possible(const struct limits *l, const struct column *c,
    uint64_t value)
{
	int64_t degrees = (int64_t)value;

	return value != ABSENT && (c->cls != CLASS_TEMP ||
	    (degrees >= -20 && (double)degrees <= l->degrees));
}

static double
most_degrees(const struct reader *r)
{
	double prochot = head_number(r, HEAD_PROCHOT, ALONE, 0);

	return prochot >= MIN_PROCHOT ? prochot + UNLIKE : 130;
}

void
limits_init(struct limits *l, const struct reader *r)
{
	const struct model *model = model_named(head_text(r, HEAD_MODEL,
	    ALONE, "skx"));
	double hz = model != NULL && model->max_ghz > 0 ?
	    model->max_ghz * 1e9 : 6e9;
	double cas = model != NULL && model->max_cas_hz > 0 ?
	    (double)model->max_cas_hz : 2e9;
	double io = model != NULL && model->max_io_bytes > 0 ?
	    model->max_io_bytes : 64e9;
	double watts = 2 * head_number(r, HEAD_PACKAGE_TDP, ALONE, 0);
	double pkg_unit = head_number(r, HEAD_RAPL_PKG_ENERGY_UNIT, ALONE, 0);
	double dram_unit = head_number(r, HEAD_RAPL_DRAM_ENERGY_UNIT, ALONE, 0);
	double time_unit = head_number(r, HEAD_RAPL_TIME_UNIT, ALONE, 0);
	double soc = head_number(r, HEAD_SOC_MAX_INTERVAL, ALONE, 2);

	if (!(watts > 0 && watts < 1e5))
		watts = 1000;
	if (!(pkg_unit > 0))
		pkg_unit = 1.0 / 16384;
	if (!(dram_unit > 0))
		dram_unit = 1.0 / 65536;
	if (!(time_unit > 0))
		time_unit = 1.0 / 1024;
	*l = (struct limits){ .degrees = most_degrees(r), .rate = {
		[CLASS_TSC] = hz,
		/* A programmable counter may hold any event, whatever its
		 * column is called since somebody else took it over.  Events
		 * add up to 10 a cycle (L1D_PEND_MISS.PENDING), those of
		 * longer queues more. */
		[CLASS_EVENT] = 16 * hz,
		[CLASS_OCCUPANCY] = 64 * hz,
		[CLASS_FLOPS] = 96 * hz,        /* Zen 5, single precision */
		[CLASS_INSTR] = 8 * hz,         /* retired a cycle, at most */
		[CLASS_INSTR_KIND] = 16 * hz,   /* programmable, as events */
		[CLASS_SLOTS] = 8 * hz,
		[CLASS_CYCLES] = hz,
		[CLASS_REF] = hz,
		[CLASS_UNCORE] = 16 * hz,
		[CLASS_UCLK] = hz,
		[CLASS_TICKS] = 16 * hz,        /* programmable */
		[CLASS_CAS] = cas,
		[CLASS_MEMCLK] = 4 * cas,       /* a burst of 8 is 4 clocks */
		[CLASS_MEMCMD] = 4 * cas,
		[CLASS_ENERGY_PKG] = watts / pkg_unit,
		[CLASS_ENERGY_PART] = watts / pkg_unit,
		[CLASS_ENERGY_DRAM] = 250 / dram_unit,  /* 12 DIMMs: 150 W */
		[CLASS_ENERGY_PLATFORM] = 1e5,  /* 100 kW: a chassis */
		[CLASS_SECONDS] = 2 / time_unit,
		[CLASS_BYTES_IO] = io,
		[CLASS_BYTES_NET] = 100e9,      /* 800 Gbit/s */
		[CLASS_RARE] = 1e5,
		/* Totals that the kernel keeps, such as sums of queue lengths
		 * over all cores, have no known limit. */
		[CLASS_KERNEL] = 1e15,
		/* the daemon samples so often that none wraps twice */
		[CLASS_SOC] = 4294967296.0 / (soc * 1.05 + 0.1),
		[CLASS_RAW] = 16 * hz,
	} };
}

/* The limit is a tenth above the TSC's frequency, so that an lproc that never halts stays
 * below it even in the shortest interval. */
void
limits_by_tsc(struct limits *l, double tsc_hz)
{
	if (tsc_hz > 0 && tsc_hz * 1.1 < l->rate[CLASS_REF])
		l->rate[CLASS_REF] = tsc_hz * 1.1;
}

uint64_t
limit(const struct limits *l, enum column_class cls, double seconds)
{
	double most = l->rate[cls] * (seconds * 1.05 + 0.1);

	return most < 1.8e19 ? (uint64_t)most : UINT64_MAX - 1;
}

uint64_t
column_span(const struct column *c)
{
	/* values of 2^64 and above cannot be printed: such a counter is taken to wrap
	 * at 2^64 */
	if (c->bits >= 64 || (c->mul > 1 &&
	    c->mul > UINT64_MAX >> c->bits))
		return 0;
	return (uint64_t)c->mul << c->bits;
}

enum delta_kind
delta_between(const struct column *c, uint64_t before, uint64_t now,
    uint64_t most, uint64_t *delta)
{
	uint64_t span = column_span(c), d = now - before;
	bool back = now < before;

	*delta = 0;
	if (!class_is_counter(c->cls))
		return DELTA_NONE;
	if (before == ABSENT || now == ABSENT)
		return DELTA_ABSENT;
	if (span != 0 && (before >= span || now >= span))
		return DELTA_IMPOSSIBLE;
	if (c->cls == CLASS_RAW && span != 0 && most >= span)
		most = span - 1;
	if (back)
		d += span;              /* nothing to add at 2^64 (span 0) */
	if (d > most)
		return back ? DELTA_RESET : DELTA_IMPOSSIBLE;
	if (span != 0 && most >= span && d <= most - span)
		return DELTA_AMBIGUOUS;
	*delta = d;
	return back ? DELTA_WRAPPED : DELTA_GOOD;
}
