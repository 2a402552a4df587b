/*
 * postproc/data/doubt_units.c - which counters belong to the same lproc or box, so that
 * they can be judged by one another.
 */
#include "postproc/data/doubt.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/array.h"
#include "regs/model.h"

bool
doubts_programmable(const struct column_id *id)
{
	const struct family *f = id->family;

	return f->type != NULL && f->part == PART_COUNTS &&
	    f->sum == SUM_NONE && !f->fixed && id->event != NULL;
}

/* What the head says of kinds of columns, which is asked once of each. */
enum turns_said { UNASKED, NO_TURNS, TURNS };

static bool
doubt_units_takes_turns(const struct reader *r, const struct column *c,
    uint8_t *said)
{
	struct head_at at = OF(c->id.family->name, c->id.event);

	if (*said == UNASKED)
		*said = c->id.event != NULL && (head_text(r, HEAD_EVENT_SET, at,
		    NULL) != NULL || head_text(r, HEAD_EVENT_GROUP, at,
		    NULL) != NULL) ? TURNS : NO_TURNS;
	return *said == TURNS;
}

static bool
doubt_units_of_lproc(const struct column_id *id)
{
	return id->family->of == OF_LPROC;
}

/* Can a column show that its unit was stopped?  A slow one cannot, as its delta is over
 * another time than those of the rest. */
static bool
is_counting(const struct reader *r, const struct column *c, bool any_slow,
    uint8_t *said)
{
	const struct column_id *id = &c->id;

	if (any_slow && slow_is(r, id))
		return false;
	if (!class_is_counter(c->cls) || id->nindex == 0 ||
	    id->family->sum != SUM_NONE || doubt_units_takes_turns(r, c, said))
		return false;
	if (doubt_units_of_lproc(id))
		return id->nindex == 1 && (class_is_clock(c->cls) ||
		    id->family->fixed || doubts_programmable(id));
	return id->family->type != NULL &&
	    (id->family->part == PART_COUNTS || c->cls == CLASS_UCLK);
}

/* Does a counter never stand still: is it a box's DCLK or UCLK, which counts while there is
 * power, or a fixed counter, which counts while its lproc runs? */
static bool
doubts_clock(const struct column *c)
{
	return c->id.family->fixed || (!doubt_units_of_lproc(&c->id) &&
	    (c->cls == CLASS_UCLK || c->cls == CLASS_MEMCLK));
}

#define COMPLEX(pkg, ccx) ((long)(pkg) << 16 | (long)(ccx))

/* Columns of one unit that follow one another; columns between them may be of no unit. */
struct unit_columns {
	const void *type;
	uint32_t package, box;
	unsigned from, to;      /* columns from <= c < to that are in a unit */
};

static int
by_unit(const void *a, const void *b)
{
	const struct unit_columns *x = a, *y = b;

	return x->type != y->type ? (x->type < y->type ? -1 : 1) :
	    x->package != y->package ? (x->package < y->package ? -1 : 1) :
	    x->box != y->box ? (x->box < y->box ? -1 : 1) :
	    x->from < y->from ? -1 : x->from > y->from;
}

static bool
same_unit(const struct unit_columns *a, const struct unit_columns *b)
{
	return a->type == b->type && a->package == b->package &&
	    a->box == b->box;
}

static struct unit_columns
unit_of_column(const struct column *c, unsigned column)
{
	return (struct unit_columns){ .from = column, .to = column + 1,
	    .type = doubt_units_of_lproc(&c->id) ? NULL : c->id.family->type,
	    .package = c->id.index[0],
	    .box = c->id.nindex > 1 ? c->id.index[1] : 0 };
}

/* The core complex that an lproc or an L3 belongs to; -1: none, or a number that no node
 * has. */
static long
complex_of(const struct reader *r, const struct unit_columns *s)
{
	const struct box_type *type = s->type;
	double ccx, pkg;

	if (type != NULL)
		return type->scope == SCOPE_CCX ? COMPLEX(s->package, s->box) :
		    -1;
	ccx = head_number(r, HEAD_LPROC_CCX, AT(s->package), -1);
	pkg = head_number(r, HEAD_LPROC_PACKAGE, AT(s->package), -1);
	return ccx >= 0 && ccx <= UINT16_MAX && pkg >= 0 && pkg <= UINT16_MAX ?
	    COMPLEX((long)pkg, (long)ccx) : -1;
}

/* Adds the clocks of a unit, or its other columns, to doubts.counting.  p[n]: where its columns
 * are. */
static void
add_unit_columns(struct doubts *d, const struct reader *r,
    const struct unit_columns *p, unsigned n, bool clocks)
{
	struct counting_unit *u = &d->unit[d->nunit];

	for (unsigned i = 0; i < n; i++)
		for (unsigned c = p[i].from; c < p[i].to; c++) {
			const struct column *col = read_column(r, c);

			if (d->in_unit[c] == 0 || doubts_clock(col) != clocks)
				continue;
			d->counting[u->first + u->n] = c;
			d->role[u->first + u->n++] = bounds_role(col);
			u->nclock += clocks;
		}
}

/* Makes the units, each of which has its clocks first. */
static void
make_units(struct doubts *d, const struct reader *r, struct unit_columns *p,
    unsigned n)
{
	unsigned first = 0, next;

	qsort(p, n, sizeof(*p), by_unit);
	for (unsigned i = 0; i < n; i = next) {
		for (next = i + 1; next < n && same_unit(&p[i], &p[next]);)
			next++;
		d->unit[d->nunit] = (struct counting_unit){ .first = first,
		    .lproc = p[i].type == NULL, .complex = complex_of(r, &p[i]) };
		add_unit_columns(d, r, &p[i], next - i, true);
		add_unit_columns(d, r, &p[i], next - i, false);
		first += d->unit[d->nunit++].n;
	}
}

static int
doubt_units_lay_out(struct doubts *d, const struct reader *r, unsigned ncol)
{
	struct unit_columns *p = malloc((ncol + 1) * sizeof(*p)), one;
	bool any_slow = slow_any(r);
	uint32_t kinds = 0;
	uint8_t *said;
	unsigned n = 0;

	for (unsigned c = 0; c < ncol; c++)
		kinds = read_column(r, c)->kind >= kinds ?
		    read_column(r, c)->kind + 1 : kinds;
	if (p == NULL || (said = calloc(kinds + 1, sizeof(*said))) == NULL) {
		free(p);
		return -ENOMEM;
	}
	d->stamped = d->all_moved = false;
	d->nenergy = d->nuncounted = d->nunit = 0;
	for (unsigned c = 0; c < ncol; c++) {
		const struct column *col = read_column(r, c);
		bool counting = is_counting(r, col, any_slow,
		    &said[col->kind]);

		d->stamped |= col->cls == CLASS_TSC &&
		    doubt_units_of_lproc(&col->id);
		d->in_unit[c] = !counting ? 0 : doubt_units_of_lproc(&col->id) ?
		    IN_LPROC : IN_BOX;
		one = unit_of_column(col, c);
		if (counting && n > 0 && same_unit(&p[n - 1], &one))
			p[n - 1].to = c + 1;
		else if (counting)
			p[n++] = one;
		if (class_is_energy(col->cls))
			d->energy[d->nenergy++] = c;
	}
	make_units(d, r, p, n);
	bounds_find(d);
	free(said);
	free(p);
	return 0;
}

static bool
doubts_make_room(struct doubts *d, unsigned room)
{
	unsigned had = d->room;

	if (!array_more(&d->column, had, room, sizeof *d->column) ||
	    !array_more(&d->in_unit, had, room, sizeof *d->in_unit) ||
	    !array_more(&d->counting, had, room, sizeof *d->counting) ||
	    !array_more(&d->role, had, room, sizeof *d->role) ||
	    !array_more(&d->energy, had, room, sizeof *d->energy) ||
	    !array_more(&d->uncounted, had, room, sizeof *d->uncounted) ||
	    !array_more(&d->unit, had, room, sizeof *d->unit) ||
	    !array_more(&d->part, had, room, sizeof *d->part) ||
	    !array_more(&d->retired, had, room, sizeof *d->retired) ||
	    !array_more(&d->bounded, 2 * had, 2 * room, sizeof *d->bounded))
		return false;
	d->room = room;
	return true;
}

int
doubts_grow(struct doubts *d, const struct reader *r, unsigned ncol)
{
	const struct model *model = model_named(head_text(r, HEAD_MODEL, ALONE,
	    ""));

	if (ncol > d->room && !doubts_make_room(d, ncol + ncol / 2))
		return -ENOMEM;
	d->ncol = ncol;
	d->watch = (uint64_t)head_number(r, HEAD_WATCH, ALONE, 0);
	d->dram_rests = model != NULL && model->dram_energy_rests;
	return doubt_units_lay_out(d, r, ncol);
}

void
doubts_fini(struct doubts *d)
{
	free(d->column);
	free(d->in_unit);
	free(d->counting);
	free(d->role);
	free(d->energy);
	free(d->uncounted);
	free(d->unit);
	free(d->part);
	free(d->retired);
	free(d->bounded);
	*d = (struct doubts){ .ncol = 0 };
}
