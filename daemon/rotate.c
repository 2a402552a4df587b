/*
 * daemon/rotate.c - event sets that take turns on the counters.
 *
 * A turn happens block by block, in the visit that reads the block: read what
 * the set has counted, write the next set's controls, read where the counters
 * stand.  So every counter loses only the moment between its own two reads,
 * and every set's running time is a difference of two samples' clocks.
 */
#include "daemon/rotate.h"

#include "daemon/plan/plan_int.h"
#include "daemon/soc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int
plan_add_control(struct plan *plan, const char *column, uint64_t ctl,
    unsigned set)
{
	struct plan_control *c = plan_grow(plan->control, plan->ncontrol,
	    &plan->build->control_room, sizeof(*c));

	if (c == NULL)
		return diag_set(plan->build->why, -ENOMEM, "out of memory");
	plan->control = c;
	c += plan->ncontrol;
	*c = (struct plan_control){ strdup(column), ctl, set };
	if (c->column == NULL)
		return diag_set(plan->build->why, -ENOMEM, "out of memory");
	plan->ncontrol++;
	return 0;
}

/* nset more elements of an array of u64 or unsigned, zeroed. */
static void *
add_sets(void *array, unsigned *n, unsigned *room, unsigned nset, size_t size)
{
	while (*n + nset > *room) {
		void *bigger = realloc(array, (*room * 2 + 256) * size);

		if (bigger == NULL)
			return NULL;
		array = bigger;
		*room = *room * 2 + 256;
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
	struct rotating *r = plan_grow(plan->rot, plan->nrot, &b->rot_room,
	    sizeof(*r));
	uint64_t *all;
	struct plan_write copy = *w;

	if (r == NULL)
		return diag_set(b->why, -ENOMEM, "out of memory");
	plan->rot = r;
	r += plan->nrot;
	*r = (struct rotating){ plan->nwrite, b->nvalue };
	if ((all = add_sets(plan->rot_value, &b->nvalue, &b->value_room,
	    plan->nset, sizeof(*all))) == NULL)
		return diag_set(b->why, -ENOMEM, "out of memory");
	plan->rot_value = all;
	memcpy(all + r->value, value, plan->nset * sizeof(*all));
	plan->nrot++;
	copy.rotates = true;
	return plan_add_write(plan, &copy);
}

int
plan_add_rotated(struct plan *plan, const char *name, const struct target *t,
    const struct reg_addr *addr, unsigned set)
{
	struct plan_build *b = plan->build;
	int pkg = t->type->scope == SCOPE_LPROC ? -1 : t->pkg, rc;
	struct column like = { .bits = t->bits };
	struct shared_counter *s = plan->shared;
	struct reg_addr none = { .space = REG_NONE,
	    .offset = plan->ncolumn };
	unsigned *cells, i = 0;

	while (i < plan->nshared && (s[i].addr.space != addr->space ||
	    s[i].addr.unit != addr->unit || s[i].addr.offset != addr->offset))
		i++;
	if (i == plan->nshared) {
		if ((s = plan_grow(s, i, &b->shared_room, sizeof(*s))) == NULL)
			return diag_set(b->why, -ENOMEM, "out of memory");
		plan->shared = s;
		s[i] = (struct shared_counter){ .addr = *addr,
		    .lproc = t->lproc, .pkg = pkg, .bits = t->bits,
		    .cell = b->ncell, .start = ABSENT };
		if ((cells = add_sets(plan->rot_cell, &b->ncell, &b->cell_room,
		    plan->nset, sizeof(*cells))) == NULL)
			return diag_set(b->why, -ENOMEM, "out of memory");
		plan->rot_cell = cells;
		plan->nshared++;
	}
	for (unsigned c = 0; c < plan->ncolumn; c++)
		if (strcmp(plan->column[c].name, name) == 0)
			return diag_set(b->why, -EINVAL, "%s is in two event "
			    "sets: give one of them another name, or move it "
			    "before the first `set`", name);
	/* a read that is never made carries the column until cells are dealt */
	if ((rc = plan_add_column(plan, name, &none, t->lproc, pkg, &like,
	    "count")) < 0)
		return rc;
	b->read[b->nread - 1].dropped = true;
	plan->column[plan->ncolumn - 1].cell = ROTATED + s[i].cell + set;
	return 0;
}

/* The lists of a block stand side by side, as those of reads do. */
static void
sort_block(struct plan *plan, struct block *blk, struct rotating *rot,
    unsigned *nrot, struct shared_counter *shared, unsigned *nshared)
{
	blk->rot = *nrot;
	for (unsigned i = 0; i < plan->nrot; i++) {
		const struct plan_write *w = &plan->write[plan->rot[i].write];

		if (w->pkg < 0 ? blk->pkg < 0 && w->inst == blk->lproc :
		    w->pkg == blk->pkg)
			rot[(*nrot)++] = plan->rot[i];
	}
	blk->nrot = *nrot - blk->rot;
	blk->shared = *nshared;
	for (unsigned i = 0; i < plan->nshared; i++)
		if (plan->shared[i].pkg == blk->pkg && (blk->pkg >= 0 ||
		    plan->shared[i].lproc == blk->lproc))
			shared[(*nshared)++] = plan->shared[i];
	blk->nshared = *nshared - blk->shared;
}

int
plan_sort_sets(struct plan *plan)
{
	struct rotating *rot;
	struct shared_counter *shared;
	unsigned nrot = 0, nshared = 0;

	if (plan->nset < 2)
		return 0;
	plan->cell_sets = plan->ncell;
	plan->ncell += 2 * (plan->nset - 1);
	for (unsigned i = 0; i < plan->ncolumn; i++) {
		struct column *c = &plan->column[i];

		if (c->cell < ROTATED)
			continue;
		plan->rot_cell[c->cell - ROTATED] = plan->ncell;
		c->cell = plan->ncell++;
	}
	rot = calloc(plan->nrot + 1, sizeof(*rot));
	shared = calloc(plan->nshared + 1, sizeof(*shared));
	plan->total = calloc(plan->ncell, sizeof(plan->total[0]));
	if (rot == NULL || shared == NULL || plan->total == NULL) {
		free(rot);
		free(shared);
		return diag_set(plan->build->why, -ENOMEM, "out of memory");
	}
	for (unsigned i = 0; i < plan->nblock; i++)
		sort_block(plan, &plan->block[i], rot, &nrot, shared, &nshared);
	free(plan->rot);
	free(plan->shared);
	plan->rot = rot;
	plan->shared = shared;
	return 0;
}

/* One counter: add what it counted since its turn or the last sample began. */
static bool
read_shared(struct plan *plan, struct shared_counter *s, unsigned cell,
    struct access *acc)
{
	uint64_t mask = ~0ull >> (64 - s->bits), raw;

	if (access_read(acc, &s->addr, &raw) < 0 || raw == ABSENT)
		return false;
	if (s->start != ABSENT)
		plan->total[cell] = (plan->total[cell] + raw - s->start) & mask;
	s->lost |= s->begun && s->start == ABSENT;
	s->begun = true;
	s->start = raw;
	return true;
}

unsigned
rotate_read(struct plan *plan, const struct block *b, struct access *acc,
    bool again)
{
	unsigned failed = 0;

	for (unsigned i = b->shared; i < b->shared + b->nshared; i++) {
		struct shared_counter *s = &plan->shared[i];
		unsigned cell = plan->rot_cell[s->cell + plan->active];

		if (!again)
			s->lost = b->stale && cell != 0;
		if (cell == 0)
			continue;
		if (read_shared(plan, s, cell, acc))
			continue;
		failed++;
		/* where it stood is of use to one who asks another lproc */
		if (again) {
			s->lost = true;
			s->start = ABSENT;
		}
	}
	return failed;
}

unsigned
rotate_next(const struct plan *plan)
{
	return plan->active + 1 < plan->nset ? plan->active + 1 : 1;
}

void
rotate_turn(struct plan *plan, struct block *b, unsigned next,
    struct access *acc)
{
	bool failed = false;

	for (unsigned i = b->rot; i < b->rot + b->nrot; i++) {
		struct plan_write *w = &plan->write[plan->rot[i].write];
		uint64_t value = plan->rot_value[plan->rot[i].value + next];

		if (value == w->new && !b->stale)
			continue;
		w->new = w->seen = value;
		failed |= access_write(acc, &w->addr, value) < 0;
	}
	if (b->pkg == 0)
		failed |= soc_next(plan, next, acc) != 0;
	b->stale = failed;
	for (unsigned i = b->shared; i < b->shared + b->nshared; i++) {
		struct shared_counter *s = &plan->shared[i];

		/* one that may still count another set's event counts for none */
		if (plan->rot_cell[s->cell + next] != 0 && (failed ||
		    access_read(acc, &s->addr, &s->start) < 0))
			s->start = ABSENT;
	}
}

void
rotate_row(struct plan *plan, unsigned active, uint64_t elapsed, uint64_t *row)
{
	unsigned first = plan->cell_sets;
	uint64_t *total = plan->total;

	for (unsigned k = 0; k + 1 < plan->nset; k++)
		total[first + 2 * k] += elapsed;
	total[first + 2 * (active - 1) + 1] += elapsed;
	memcpy(row + first, total + first, (plan->ncell - first) *
	    sizeof(row[0]));
	for (unsigned i = 0; i < plan->nshared; i++)
		if (plan->shared[i].lost)
			row[plan->rot_cell[plan->shared[i].cell + active]] =
			    ABSENT;
}
