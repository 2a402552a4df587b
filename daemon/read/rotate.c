/*
 * daemon/read/rotate.c - event sets that take turns on the counters.
 *
 * A turn happens block by block, in the visit that reads the block: read what
 * the set has counted, write the next set's controls, read where the counters
 * stand.  So every counter loses only the moment between its own two reads,
 * and every set's running time is a difference of two samples' clocks.
 */
#include "daemon/read/rotate.h"

#include "daemon/node/soc.h"
#include "daemon/read/saturate.h"

#include <string.h>

/* A count whose time differs from the time between two rows by more than this part is
 * left out, as it cannot be scaled by that. */
#define LATE_PART 32

/* A turn whose counters took longer than this part of it to read is left out, too,
 * however long such readings take of late: no count is off by more. */
#define BRIEF_PART 4

/* Adds what a counter has counted since its turn began or it was last read. */
static bool
read_shared(struct plan *plan, struct shared_counter *s, unsigned cell,
    struct access *acc)
{
	uint64_t mask = ~0ull >> (64 - s->bits), raw = s->ahead;

	s->ahead = ABSENT;
	s->added = 0;
	if (raw == ABSENT && (access_read_counter(acc, &s->addr, &raw) < 0 ||
	    raw == ABSENT))
		return false;
	if (s->sat != 0 && (raw = saturate_value(plan, s->sat - 1, acc,
	    raw)) == ABSENT) {
		raw = saturate_zero(plan, s->sat - 1);
		s->start = ABSENT;
		s->lost = true;
	}
	if (s->start != ABSENT)
		s->added = (raw - s->start) & mask;
	plan->sets.total[cell] = (plan->sets.total[cell] + s->added) & mask;
	s->lost |= s->begun && s->start == ABSENT;
	s->begun = true;
	s->start = raw;
	return true;
}

unsigned
rotate_read(struct plan *plan, const struct block *b, unsigned active,
    struct access *acc, bool again)
{
	unsigned failed = 0;

	for (unsigned i = b->shared; i < b->shared + b->nshared; i++) {
		struct shared_counter *s = &plan->sets.shared[i];
		unsigned cell = plan->sets.cell[s->cell + active];

		if (!again)
			s->lost = b->stale && cell != 0;
		if (cell == 0) {
			s->ahead = ABSENT;
			continue;
		}
		if (read_shared(plan, s, cell, acc))
			continue;
		failed++;
		/* a first failure keeps the start: another lproc may read the counter */
		if (again) {
			s->lost = true;
			s->start = ABSENT;
		}
	}
	return failed;
}

unsigned
rotate_after(const struct plan *plan, unsigned set)
{
	return set + 1 < plan->sets.n ? set + 1 : 1;
}

unsigned
rotate_next(const struct plan *plan)
{
	return rotate_after(plan, plan->sets.active);
}

/* Controls that are written in one call, as each call may be a request to another process. */
struct controls {
	struct plan *plan;
	unsigned next;                  /* the set */
	bool all;                       /* also those that hold their value already */
	struct reg_value value[ACCESS_MANY];
	unsigned n, failed;
};

static void
flush_controls(struct controls *c, struct access *acc)
{
	c->failed += access_write_many(acc, c->value, c->n);
	c->n = 0;
}

static void
add_control(struct controls *c, const struct rotating *r, struct access *acc)
{
	struct plan_write *w = &c->plan->write[r->write];
	uint64_t raw = c->plan->sets.value[r->value + c->next];

	if (raw == w->new && !c->all)
		return;
	w->new = c->plan->fate[r->write].seen = raw;
	c->value[c->n++] = (struct reg_value){ w->addr, raw };
	if (c->n == ACCESS_MANY)
		flush_controls(c, acc);
}

/* Writes the control values of the next set.  Returns how many could not be written.  The
 * second counter of a pair stands before the first in the list: it is switched on before
 * that, and off after it. */
static unsigned
write_controls(struct plan *plan, const struct block *b, unsigned next,
    struct access *acc)
{
	struct controls c = { .plan = plan, .next = next, 
	    .all = b->stale || b->taken };
	const struct rotating *r = plan->sets.rot + b->rot, *end = r + b->nrot;

	while (r < end) {
		bool goes = r->helper != 0 && r + 1 < end &&
		    plan->write[r->write].new == r->helper &&
		    plan->sets.value[r->value + next] != r->helper;

		add_control(&c, r + goes, acc);
		if (goes)
			add_control(&c, r, acc);
		r += 1 + goes;
	}
	flush_controls(&c, acc);
	return c.failed;
}

/* Keeps the duration of the quickest reading.  A slower one raises it by 1/64 of the
 * difference, so that it follows within some hundred readings where all have become
 * slower. */
static void
keep_quickest(struct block *b, uint64_t took)
{
	if (took < b->quickest)
		b->quickest = took;
	else
		b->quickest += (took - b->quickest) / 64;
}

void
rotate_turn(struct plan *plan, struct block *b, unsigned next,
    struct access *acc)
{
	bool failed = write_controls(plan, b, next, acc) > 0;

	if (block_soc(b))
		failed |= soc_next(plan, next, acc) != 0;
	b->stale = failed;
	b->began = access_tsc(acc);
	for (unsigned i = b->shared; i < b->shared + b->nshared; i++) {
		struct shared_counter *s = &plan->sets.shared[i];

		/* a counter that may still count another set's event counts for no set */
		if (plan->sets.cell[s->cell + next] == 0)
			continue;
		if (failed || access_read_counter(acc, &s->addr, &s->start) < 0)
			s->start = ABSENT;
		else if (s->sat != 0 && (s->start = saturate_value(plan,
		    s->sat - 1, acc, s->start)) == ABSENT)
			s->start = saturate_zero(plan, s->sat - 1);
	}
	b->begun = access_tsc(acc);
	keep_quickest(b, b->begun - b->began);
}

void
rotate_cells(struct plan *plan, const struct block *b, unsigned active,
    uint64_t *row)
{
	for (unsigned i = b->shared; i < b->shared + b->nshared; i++) {
		struct shared_counter *s = &plan->sets.shared[i];

		for (unsigned set = 1; set < plan->sets.n; set++) {
			unsigned cell = plan->sets.cell[s->cell + set];

			if (cell != 0)
				row[cell] = (s->lost && set == active) ||
				    s->lost_sets >> set & 1 ? ABSENT :
				    plan->sets.total[cell];
		}
		s->lost_sets = 0;
	}
	if (b->in_set != 0)
		memcpy(row + b->in_set, plan->sets.total + b->in_set,
		    (plan->sets.n - 1) * sizeof(row[0]));
}

static bool
rotate_differs(uint64_t a, uint64_t b)
{
	return (a > b ? a - b : b - a) > b / LATE_PART;
}

/* Was the reading at begin or end of a turn held up for so long that the block's counters
 * have not counted equally long?  Each of the two is compared with the quickest reading,
 * as both may have been held up, at different counters. */
static bool
is_vague(const struct block *b, uint64_t from, uint64_t to)
{
	uint64_t took = b->begun - b->began, lasted = from - b->began;

	if (took < to - from)
		took = to - from;
	return took > lasted / BRIEF_PART || (took > b->quickest &&
	    took - b->quickest > lasted / LATE_PART);
}

/* Subtracts what was added last, as it is not known in which time that was counted. */
static void
rotate_leave_out(struct plan *plan, const struct block *b, unsigned active)
{
	for (unsigned i = b->shared; i < b->shared + b->nshared; i++) {
		struct shared_counter *s = &plan->sets.shared[i];
		unsigned cell = plan->sets.cell[s->cell + active];

		if (cell != 0)
			plan->sets.total[cell] =
			    (plan->sets.total[cell] - s->added) &
			    ~0ull >> (64 - s->bits);
	}
}

bool
rotate_taken(const struct plan *plan, const struct block *b, struct access *acc)
{
	if (!plan->sets.checked || b->stale || b->in_set == 0)
		return false;
	for (unsigned i = b->rot; i < b->rot + b->nrot; i++) {
		const struct plan_write *w =
		    &plan->write[plan->sets.rot[i].write];
		uint64_t now;

		if (access_read(acc, &w->addr, &now) == 0 &&
		    ((now ^ w->new) & w->verify) != 0)
			return true;
	}
	return false;
}

void
rotate_counted(struct plan *plan, struct block *b, unsigned active,
    uint64_t from, uint64_t to)
{
	/* a batch does not tell how long its reading took */
	if (to > from)
		keep_quickest(b, to - from);
	b->counted = (struct turn_span){ .least = from - b->begun,
	    .most = to - b->began };
	if (b->in_set != 0 && b->began != 0 && !b->stale) {
		if (b->taken || is_vague(b, from, to)) {
			rotate_leave_out(plan, b, active);
			atomic_fetch_add(b->taken ?
			    &plan->sets.lost[active].taken :
			    &plan->sets.lost[active].late, 1);
		} else
			plan->sets.total[b->in_set + active - 1] +=
			    from - b->began;
	}
	b->began = from;
	b->begun = to;
}

void
rotate_between(struct plan *plan, struct block *b, unsigned active,
    unsigned next, struct access *acc)
{
	uint64_t from, to;

	if ((b->nshared == 0 && b->nrot == 0) || b->unwritten)
		return;
	if (block_soc(b))
		soc_latch(plan, active, acc);
	from = access_tsc(acc);
	if (rotate_read(plan, b, active, acc, false) > 0)
		rotate_read(plan, b, active, acc, true);
	to = access_tsc(acc);
	b->taken = rotate_taken(plan, b, acc);
	rotate_counted(plan, b, active, from, to);
	for (unsigned i = b->shared; i < b->shared + b->nshared; i++)
		if (plan->sets.shared[i].lost)
			plan->sets.shared[i].lost_sets |= UINT64_C(1) << active;
	rotate_turn(plan, b, next, acc);
}

void
rotate_doubt(const struct plan *plan, const struct block *b,
    const struct turn_span *counted, unsigned active, uint64_t elapsed,
    uint64_t *row)
{
	/* sets with turns within a sample have times of their own */
	if (plan->sets.n < 3 || plan->sets.turns > 0 || elapsed == 0 ||
	    (!rotate_differs(counted->least, elapsed) &&
	    !rotate_differs(counted->most, elapsed)))
		return;
	for (unsigned i = b->shared; i < b->shared + b->nshared; i++) {
		unsigned cell =
		    plan->sets.cell[plan->sets.shared[i].cell + active];

		if (cell != 0)
			row[cell] = ABSENT;
	}
}

/* Raises *ran to the longest time that a set had the counters of any block of the row. */
static void
longest(const struct plan *plan, unsigned k, const uint64_t *row, uint64_t *ran)
{
	for (unsigned i = 0; i < plan->nblock; i++) {
		unsigned cell = plan->block[i].in_set;

		if (cell != 0 && row[cell + k] != ABSENT && row[cell + k] > *ran)
			*ran = row[cell + k];
	}
}

void
rotate_times(struct plan *plan, unsigned active, uint64_t elapsed,
    uint64_t *row)
{
	unsigned first = plan->sets.times, n = 2 * (plan->sets.n - 1);
	uint64_t *total = plan->sets.total;

	for (unsigned k = 0; k + 1 < plan->sets.n; k++) {
		total[first + 2 * k] += elapsed;
		if (plan->sets.turns > 0)
			longest(plan, k, row, &total[first + 2 * k + 1]);
	}
	if (plan->sets.turns == 0)
		total[first + 2 * (active - 1) + 1] += elapsed;
	memcpy(row + first, total + first, n * sizeof(row[0]));
}

void
rotate_row(struct plan *plan, unsigned active, uint64_t elapsed, uint64_t *row)
{
	for (unsigned i = 0; i < plan->nblock; i++) {
		const struct block *b = &plan->block[i];

		rotate_cells(plan, b, active, row);
		rotate_doubt(plan, b, &b->counted, active, elapsed, row);
	}
	rotate_times(plan, active, elapsed, row);
}

/* Event sets that go round several times between two samples. */

/* Steele, Lea and Flood: SplitMix64. */
static uint64_t
rounds_draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

unsigned
rounds_set(const struct plan *plan, uint64_t sample, unsigned turn)
{
	unsigned sets = plan->sets.n - 1, round = turn / sets;
	unsigned char order[MAX_SETS];
	uint64_t state = plan->sets.seed ^ (sample / sets) << 20 ^ round;

	for (unsigned i = 0; i < sets; i++) {
		unsigned at = (unsigned)(rounds_draw(&state) % (i + 1));

		order[i] = order[at];
		order[at] = (unsigned char)(i + 1);
	}
	return order[(turn + sample) % sets];
}

static uint64_t
rounds_length(const struct plan *plan, uint64_t from, uint64_t due)
{
	return due > from ? (due - from) / plan->sets.turns : 0;
}

unsigned
rounds_turn(const struct plan *plan, uint64_t from, uint64_t due, uint64_t now)
{
	uint64_t lasts = rounds_length(plan, from, due);
	uint64_t turn = now > from && lasts > 0 ? (now - from) / lasts : 0;

	return turn < plan->sets.turns ? (unsigned)turn : plan->sets.turns - 1;
}

uint64_t
rounds_begins(const struct plan *plan, uint64_t from, uint64_t due,
    unsigned turn)
{
	return turn < plan->sets.turns ?
	    from + turn * rounds_length(plan, from, due) : due;
}

void
rounds_lost(struct plan *plan, uint64_t sample, unsigned first, unsigned turn)
{
	for (; first < turn; first++)
		atomic_fetch_add(&plan->sets.lost[rounds_set(plan, sample,
		    first)].late, 1);
}
