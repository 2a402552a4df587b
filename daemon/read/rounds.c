/*
 * daemon/read/rounds.c - event sets that go round several times between two samples.
 */
#include "daemon/read/rounds.h"

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
