/*
 * daemon/plan/plan_sets.c - event sets that take turns on the counters: the registers and
 * counters that they share, and the cells of their columns; and the counters that stop at
 * their end, whose values are made of several, too.
 */
#include "daemon/plan/plan_int.h"

#include "config/dump/column.h"
#include "lib/array.h"

#include <stdlib.h>
#include <string.h>

/* Appends nset zeroed elements to an array of uint64_t or unsigned. */
static void *
add_sets(void *array, unsigned *n, unsigned *room, unsigned nset, size_t size)
{
	unsigned more = *room * 2 + 4 * MAX_SETS;

	if (*n + nset > *room) {
		if ((array = realloc(array, more * size)) == NULL)
			return NULL;
		*room = more;
	}
	memset((char *)array + *n * size, 0, nset * size);
	*n += nset;
	return array;
}

int
plan_add_rotating(struct plan *plan, const struct plan_write *w,
    const uint64_t *value)
{
	struct plan_build *b = plan->build;
	struct rotating *r;
	uint64_t *all;
	struct plan_write copy = *w;

	if (!array_room(&plan->sets.rot, plan->sets.nrot, &b->rot_room,
	    sizeof(*plan->sets.rot)))
		return plan_no_memory(plan);
	r = &plan->sets.rot[plan->sets.nrot];
	*r = (struct rotating){ plan->nwrite, b->nvalue, 0 };
	if ((all = add_sets(plan->sets.value, &b->nvalue, &b->value_room,
	    plan->sets.n, sizeof(*all))) == NULL)
		return plan_no_memory(plan);
	plan->sets.value = all;
	memcpy(all + r->value, value, plan->sets.n * sizeof(*all));
	plan->sets.nrot++;
	copy.rotates = true;
	return plan_add_write(plan, &copy);
}

/* The shared counter at addr, which is added if it is not there; NULL: out of memory. */
static struct shared_counter *
shared_at(struct plan *plan, const struct reg_addr *addr, unsigned lproc,
    int pkg, uint8_t bits)
{
	struct plan_build *b = plan->build;
	struct shared_counter *s = plan->sets.shared;
	unsigned *cells, i = 0;

	for (; i < plan->sets.nshared; i++)
		if (reg_addr_same(&s[i].addr, addr))
			return &s[i];
	if (!array_room(&plan->sets.shared, i, &b->shared_room, sizeof(*s)))
		return NULL;
	s = plan->sets.shared;
	s[i] = (struct shared_counter){ .addr = *addr, .lproc = lproc,
	    .pkg = pkg, .bits = bits, .cell = b->ncell, .start = ABSENT,
	    .ahead = ABSENT };
	if ((cells = add_sets(plan->sets.cell, &b->ncell, &b->cell_room,
	    plan->sets.n, sizeof(*cells))) == NULL)
		return NULL;
	plan->sets.cell = cells;
	plan->sets.nshared++;
	return &s[i];
}

int
plan_add_rotated(struct plan *plan, const struct column *like,
    const struct reg_addr *addr, unsigned lproc, int pkg, unsigned set)
{
	const struct shared_counter *s = shared_at(plan, addr, lproc, pkg,
	    like->bits);

	if (s == NULL)
		return plan_no_memory(plan);
	return plan_add_from(plan, like, (struct read_from){ FROM_SETS,
	    s->cell + set, s->pkg >= 0 && addr->space != REG_MSR });
}

/* Do sets take turns on counters of this lproc? */
static bool
lproc_shares(const struct plan *plan, unsigned n, unsigned lproc)
{
	for (unsigned i = 0; i < n; i++)
		if (plan->sets.shared[i].pkg < 0 &&
		    plan->sets.shared[i].lproc == lproc)
			return true;
	return false;
}

/* Has a counter that always counts read at the end of each turn, too, so that its count
 * is known by set: as a shared counter with the same event in every set. */
static int
add_in_set(struct plan *plan, unsigned column, const char *family)
{
	const struct column like = plan->column[column];
	const struct want_read *r =
	    &plan->build->read[plan->build->source[column].at];
	struct column c = { .id = { .nindex = 1, .index = { r->lproc },
	    .family = plan_family(plan, family, like.bits, NULL) },
	    .bits = like.bits };
	const struct shared_counter *s = shared_at(plan, &r->addr, r->lproc,
	    -1, like.bits);
	unsigned cell;
	int rc = 0;

	if (s == NULL || c.id.family == NULL)
		return plan_no_memory(plan);
	c.cls = c.id.family->cls;
	cell = s->cell;
	for (unsigned set = 1; set < plan->sets.n && rc == 0; set++) {
		c.id.event = plan->sets.name[set];
		rc = plan_add_from(plan, &c, (struct read_from){ FROM_SETS,
		    cell + set, false });
	}
	return rc;
}

int
plan_in_sets(struct plan *plan)
{
	unsigned n = plan->ncolumn, shared = plan->sets.nshared;
	int rc = 0;

	for (unsigned i = 0; plan->sets.turns > 0 && i < n && rc == 0; i++) {
		const struct read_from *from = &plan->build->source[i];
		const char *family = column_set_family(&plan->column[i].id,
		    plan->column[i].cls);

		if (family == NULL || from->list != FROM_BLOCK ||
		    !lproc_shares(plan, shared,
		    plan->column[i].id.index[0]))
			continue;
		rc = add_in_set(plan, i, family);
	}
	return rc;
}

/* Copies the rotating controls and shared counters of a block to the ends of the
 * sorted lists. */
static void
sort_block(struct plan *plan, struct block *blk, struct rotating *rot,
    unsigned *nrot, struct shared_counter *shared, unsigned *nshared)
{
	blk->rot = *nrot;
	for (unsigned i = 0; i < plan->sets.nrot; i++) {
		const struct plan_write *w =
		    &plan->write[plan->sets.rot[i].write];

		if (w->pkg < 0 ? blk->pkg < 0 && w->lproc == blk->lproc :
		    w->pkg == blk->pkg && block_holds(blk, w->addr.space))
			rot[(*nrot)++] = plan->sets.rot[i];
	}
	blk->nrot = *nrot - blk->rot;
	blk->shared = *nshared;
	for (unsigned i = 0; i < plan->sets.nshared; i++)
		if (plan->sets.shared[i].pkg == blk->pkg && (blk->pkg >= 0 ?
		    block_holds(blk, plan->sets.shared[i].addr.space) :
		    plan->sets.shared[i].lproc == blk->lproc))
			shared[(*nshared)++] = plan->sets.shared[i];
	blk->nshared = *nshared - blk->shared;
	if (plan->sets.turns == 0 || blk->nshared == 0)
		return;
	blk->in_set = plan->ncell;
	plan->ncell += plan->sets.n - 1;
}

int
plan_sort_sets(struct plan *plan)
{
	struct rotating *rot;
	struct shared_counter *shared;
	unsigned nrot = 0, nshared = 0;

	if (plan->sets.n < 2)
		return 0;
	plan->sets.times = plan->ncell;
	plan->ncell += 2 * (plan->sets.n - 1);
	for (unsigned i = 0; i < plan->ncolumn; i++) {
		const struct read_from *from = &plan->build->source[i];

		if (from->list != FROM_SETS)
			continue;
		plan->sets.cell[from->at] = plan->ncell;
		plan->column[i].cell = plan->ncell++;
	}
	rot = calloc(plan->sets.nrot + 1, sizeof(*rot));
	shared = calloc(plan->sets.nshared + 1, sizeof(*shared));
	if (rot == NULL || shared == NULL) {
		free(rot);
		free(shared);
		return plan_no_memory(plan);
	}
	for (unsigned i = 0; i < plan->nblock; i++)
		sort_block(plan, &plan->block[i], rot, &nrot, shared, &nshared);
	free(plan->sets.rot);
	free(plan->sets.shared);
	plan->sets.rot = rot;
	plan->sets.shared = shared;
	plan->sets.total = calloc(plan->ncell, sizeof(plan->sets.total[0]));
	return plan->sets.total != NULL ? 0 : plan_no_memory(plan);
}

int
plan_add_saturating(struct plan *plan, const struct unit *u,
    unsigned counter)
{
	struct reg_addr addr = unit_addr(u, u->ctr + counter * u->ctr_step, 8);
	const struct saturating *s = plan->stops.counter;

	if (!u->type->saturates)
		return 0;
	for (unsigned i = 0; i < plan->stops.n; i++)
		if (reg_addr_same(&s[i].addr, &addr))
			return 0;       /* event sets share it */
	if (!array_room(&plan->stops.counter, plan->stops.n,
	    &plan->build->sat_room, sizeof(*s)))
		return plan_no_memory(plan);
	plan->stops.counter[plan->stops.n++] = (struct saturating){
	    .bits = u->type->bits, .enable = u->type->enable, .addr = addr,
	    .control = unit_addr(u, u->ctl + counter * u->ctl_step, 8) };
	return 0;
}

/* Finds the write of its control; false: this plan does not program it. */
static bool
find_write(const struct plan *plan, struct saturating *s)
{
	for (s->write = 0; s->write < plan->nwrite; s->write++)
		if (reg_addr_same(&plan->write[s->write].addr, &s->control))
			return true;
	return false;
}

/* Finds its cell in a block; false: it is not read in every sample. */
static bool
find_cell(const struct plan *plan, const struct block *b, struct saturating *s)
{
	for (unsigned i = 0; i < b->n; i++)
		if (reg_addr_same(&plan->read[b->first + i], &s->addr)) {
			s->cell = b->cell + 1 + i;
			return true;
		}
	return false;
}

/* Notes the counter in the shared counter or slow register that is read from it. */
static void
plan_sets_tell_others(struct plan *plan, unsigned at)
{
	for (unsigned i = 0; i < plan->sets.nshared; i++)
		if (reg_addr_same(&plan->sets.shared[i].addr,
		    &plan->stops.counter[at].addr))
			plan->sets.shared[i].sat = at + 1;
	for (unsigned i = 0; i < plan->apart.nslow; i++)
		if (reg_addr_same(&plan->apart.slow[i].addr,
		    &plan->stops.counter[at].addr))
			plan->apart.slow[i].sat = at + 1;
}

static int
by_cell(const void *a, const void *b)
{
	const struct saturating *x = a, *y = b;

	return (x->cell > y->cell) - (x->cell < y->cell);
}

void
plan_saturating(struct plan *plan)
{
	unsigned n = 0;

	for (unsigned i = 0; i < plan->stops.n; i++) {
		struct saturating s = plan->stops.counter[i];

		if (!find_write(plan, &s))
			continue;
		for (unsigned k = 0; k < plan->nblock; k++)
			if (find_cell(plan, &plan->block[k], &s))
				break;
		plan->stops.counter[n++] = s;
	}
	plan->stops.n = n;
	/* by block; those that are in no block first */
	if (n > 0)
		qsort(plan->stops.counter, n, sizeof(plan->stops.counter[0]),
		    by_cell);
	for (unsigned i = 0; i < n; i++)
		plan_sets_tell_others(plan, i);
	for (unsigned k = 0, i = 0; k < plan->nblock; k++) {
		struct block *b = &plan->block[k];

		while (i < n && plan->stops.counter[i].cell <= b->cell)
			i++;
		b->sat = i;
		while (i < n && plan->stops.counter[i].cell <= b->cell + b->n)
			i++;
		b->nsat = i - b->sat;
	}
}

bool
plan_may_reset(const struct plan *plan, const struct reg_addr *addr)
{
	for (unsigned i = 0; i < plan->stops.n; i++) {
		const struct saturating *s = &plan->stops.counter[i];

		if (s->addr.space == addr->space &&
		    s->addr.offset == addr->offset &&
		    addr->unit < plan->lproc.n && addr->bytes == 8 &&
		    plan->lproc.pkg[addr->unit] == plan->write[s->write].pkg)
			return true;
	}
	return false;
}
