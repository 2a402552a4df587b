/*
 * postproc/pages/pairs.c - pairs of figures that two independent counters give: bound
 * to a dump, and whether they can be compared there.
 */
#include "postproc/pages/pairs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- binding ------------------------------------------------------------- */

#define DIGITS 3                /* of the number of a part */

/* Puts the number of a part for each '#' of a name, in the arena.  False: no memory. */
static bool
part_name(struct arena *arena, const char **name, unsigned part)
{
	const char *from = *name;
	char *to;

	if (from == NULL || strchr(from, '#') == NULL)
		return true;
	if ((to = arena_alloc(arena, DIGITS * strlen(from) + 1)) == NULL)
		return false;
	for (*name = to; *from != '\0'; from++)
		if (*from == '#')
			to += sprintf(to, "%u", part);
		else
			*to++ = *from;
	return true;
}

/* The formula with the number of a part in its names. */
static int
part_expr(struct arena *arena, struct expr *e, unsigned part)
{
	struct expr_op *op = arena_alloc(arena, e->nop * sizeof *op);
	struct expr_ref *ref = arena_alloc(arena, (e->nref + 1) * sizeof *ref);
	bool ok = op != NULL && ref != NULL;

	for (uint32_t i = 0; ok && i < e->nop; i++) {
		op[i] = e->op[i];
		ok = op[i].code != EXPR_BOXES ||
		    part_name(arena, &op[i].name, part);
	}
	for (uint32_t i = 0; ok && i < e->nref; i++) {
		ref[i] = e->ref[i];
		ok = part_name(arena, &ref[i].name, part) &&
		    part_name(arena, &ref[i].event, part);
	}
	e->op = op;
	e->ref = ref;
	return ok ? 0 : -ENOMEM;
}

static unsigned
row_parts(const struct pair_row *r)
{
	return r->parts > 0 ? r->parts : 1;
}

/* The formula of a side.  A joint one has 0 times the other side beside it, so that both
 * are of the units that have the inputs of both. */
static int
side_expr(const struct pairs *ps, const struct pair *p, enum pair_side s,
    struct expr *out)
{
	const struct pair_row *r = p->row;
	bool left = s == SIDE_LEFT || s == SIDE_JOINT_LEFT;
	int rc = 0;

	*out = s == SIDE_LESS ? r->less : left ? r->left : r->right;
	if ((s == SIDE_JOINT_LEFT || s == SIDE_JOINT_RIGHT) &&
	    (r->needs & PAIR_ACROSS) == 0)
		rc = expr_beside(out, ps->rows.arena, left ? &r->right :
		    &r->left);
	return rc == 0 && r->parts > 0 ? part_expr(ps->rows.arena, out,
	    p->part) : rc;
}

/* Binds a side as a hidden metric, in the arena of the rows; *lacks: the dump lacks
 * inputs of it. */
static int
bind_side(const struct pairs *ps, struct pair *p, enum pair_side s,
    struct gather *g, bool *lacks, struct diag *why)
{
	const struct pair_row *r = p->row;
	struct metric *x = arena_alloc(ps->rows.arena, sizeof *x);
	unsigned *side = &p->p->side[s];
	int rc;

	if (x == NULL)
		return -ENOMEM;
	*x = (struct metric){ .name = r->name, .unit = r->unit, .text = "",
	    .file = "pairs", .line = 1, .hidden = true,
	    .scope = r->narrow != SCOPES ? r->narrow : r->scope };
	if ((rc = side_expr(ps, p, s, &x->expr)) == 0)
		rc = binding_add(&g->binding, x, side, why);
	*lacks = rc == 0 && g->binding.bound[*side].nmissing > 0;
	return rc;
}

/* Binds the sides: of peers the left one alone.  Where nobody asks why a pair cannot be
 * compared, the first side that lacks something is the last one. */
static int
bind_sides(const struct pairs *ps, struct pair *p, struct gather *g,
    struct diag *why)
{
	static const enum pair_side order[SIDES] = { SIDE_JOINT_LEFT,
		SIDE_JOINT_RIGHT, SIDE_LESS, SIDE_LEFT, SIDE_RIGHT };
	bool peers = (p->row->needs & PAIR_PEERS) != 0, lacks = false;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < (peers ? 1 : SIDES); i++) {
		rc = bind_side(ps, p, peers ? SIDE_LEFT : order[i], g, &lacks,
		    why);
		if (ps->silent && lacks && i < 3) {
			p->p->lacks = true;
			break;
		}
	}
	return rc;
}

static int
bind_pair(const struct pairs *ps, struct pair *p, struct gather *g,
    struct diag *why)
{
	struct pair_bound *b = calloc(1, sizeof *b);
	int rc;

	snprintf(p->name, sizeof p->name, "%s", p->row->name);
	if (p->row->parts > 0)
		snprintf(p->name, sizeof p->name, "%s%u", p->row->name,
		    p->part);
	if ((p->p = b) == NULL)
		return -ENOMEM;
	if ((rc = bind_sides(ps, p, g, why)) < 0)
		return rc;
	b->scope = p->row->scope;
	/* peers are compared over all of the run alone */
	if ((p->row->needs & PAIR_PEERS) != 0)
		return 0;
	/* with more than two packages the other end of a link is not known */
	if ((p->row->needs & PAIR_ACROSS) != 0 && g->topo.npkg > 2)
		b->scope = SCOPE_OF_NODE;
	b->nwindow = b->scope == SCOPE_OF_NODE ? 1 : g->topo.npkg;
	b->window = calloc(b->nwindow, sizeof *b->window);
	b->compiled = calloc(b->nwindow * SIDES, sizeof *b->compiled);
	return b->window == NULL || b->compiled == NULL ? -ENOMEM : 0;
}

int
pairs_bind(struct pairs *ps, struct gather *g, const struct metrics *m,
    struct diag *why)
{
	unsigned n = 0;
	int rc = pair_rows_load(&ps->rows, "@counters", why);

	ps->gather = g;
	g->binding.metrics = m;
	for (unsigned k = 0; k < ps->rows.n; k++)
		n += row_parts(&ps->rows.row[k]);
	if (rc == 0 && (ps->pair = calloc(n, sizeof *ps->pair)) == NULL)
		return -ENOMEM;
	for (unsigned k = 0; k < ps->rows.n; k++)
		for (unsigned i = 0; rc == 0 && i < row_parts(&ps->rows.row[k]);
		    i++) {
			struct pair *p = &ps->pair[ps->n++];

			p->row = &ps->rows.row[k];
			p->part = i;
			rc = bind_pair(ps, p, g, why);
		}
	return rc;
}

static void
pair_fini(struct pair *p)
{
	for (unsigned i = 0; p->p != NULL && p->p->window != NULL &&
	    i < p->p->nwindow; i++)
		free(p->p->window[i].kept);
	if (p->p != NULL) {
		free(p->p->window);
		free(p->p->compiled);
	}
	free(p->p);
}

void
pairs_fini(struct pairs *ps)
{
	for (unsigned i = 0; i < ps->n; i++)
		pair_fini(&ps->pair[i]);
	free(ps->pair);
	pair_rows_fini(&ps->rows);
	free(ps->doubtful);
	compiled_free(ps->compiled);
	*ps = (struct pairs){ .n = 0 };
}

/* ---- can a pair be compared, and if not, why? -------------------------------- */

/* Does a model have a register or a free-running counter of that name:
 * "rapl_pp0_energy", "iio_*_in_bytes"? */
static bool
has_register(const struct model *m, const char *name)
{
	size_t n = strcspn(name, "*");

	if (scalar_named(m, name) != NULL)
		return true;
	for (const struct freerun *f = m->freerun; f != NULL &&
	    f->family != NULL; f++)
		if (name[n] == '*' ? strncmp(f->family, name, n) == 0 :
		    strcmp(f->family, name) == 0)
			return true;
	return false;
}

/* Does a model have the box or the register that an input needs: imc["CAS_COUNT.RD"]? */
static bool
has_input(const struct model *m, const char *name)
{
	char box[40];
	size_t n = strcspn(name, "[");

	if (name[n] == '\0' || n >= sizeof box)
		return has_register(m, name);
	memcpy(box, name, n);
	box[n] = '\0';
	return strncmp(box, "core", 4) == 0 || model_box(m, box) != NULL;
}

/* Does some model have it?  None does where the input is a number of the head. */
static bool
some_has(const char *name)
{
	for (const struct model *const *other = models; *other != NULL; other++)
		if (has_input(*other, name))
			return true;
	return false;
}

/* Does a pair need counters that this CPU lacks and other CPUs have?  Then nobody is
 * told that it was not compared. */
static bool
pair_foreign(const struct gather *g, const struct pair *p)
{
	const struct model *m = model_named(head_text(g->reader, HEAD_MODEL,
	    ALONE, ""));

	for (unsigned s = 0; m != NULL && s < SIDES; s++) {
		const struct bound *x = &g->binding.bound[p->p->side[s]];
		bool own = false, others = false;

		/* one of them is enough: first(A, B) needs only one input */
		for (unsigned k = 0; k < x->nmissing; k++) {
			own |= has_input(m, x->missing[k]);
			others |= some_has(x->missing[k]);
		}
		if (others && !own)
			return true;
	}
	return false;
}

/* Looks for a box that the node has and that is not counted; writes "IMC 3 of package 1
 * is not counted".  False: there is none. */
static bool
box_uncounted(const struct gather *g, unsigned bound, char *buf, size_t size)
{
	const struct binding *b = &g->binding;
	const struct bound *x = &b->bound[bound];

	for (uint32_t i = x->op; i < x->op + x->nop; i++) {
		const struct input *in = &b->input[b->op[i].arg];
		const struct box_type *type;

		if (b->op[i].code != EXPR_REF || in->kind != INPUT_COLUMNS ||
		    in->level != LEVEL_BOX ||
		    (type = b->domain[in->domain].type) == NULL)
			continue;
		for (unsigned k = 0; k < g->topo.npkg * type->instances; k++) {
			unsigned pkg = k / type->instances;
			unsigned box = k % type->instances, slot = 0;
			struct head_at at = { .name = { type->name },
			    .n = { pkg, box } };

			while (slot < in->nslot && in->label[slot] != box)
				slot++;
			if (head_constant(g->reader, HEAD_UNIT_PRESENT,
			    at) == NULL || (slot < in->nslot &&
			    in->first[pkg * in->nslot + slot] <
			    in->first[pkg * in->nslot + slot + 1]))
				continue;
			snprintf(buf, size, "%s %u of package %u is not "
			    "counted", type->name, box, pkg);
			return true;
		}
	}
	return false;
}

/* Looks for a programmed counter of a side that does not count both user and kernel mode,
 * and writes which one it is. */
static bool
programmed_apart(const struct gather *g, unsigned bound, char *buf, size_t size)
{
	struct bound_at at = { .op = 0 };
	uint32_t column;

	while (binding_column(&g->binding, bound, &at, &column)) {
		const struct column *c = read_column(g->reader, column);
		const struct constant *control = head_constant(g->reader,
		    HEAD_CONTROL, OF_COLUMN(&c->id));

		if (c->id.family->fixed || control == NULL ||
		    (control->u & CONTROL_RINGS) == CONTROL_RINGS)
			continue;
		snprintf(buf, size, "%s does not count all that its thread "
		    "does", c->name);
		return true;
	}
	return false;
}

/* Looks for an lproc whose fixed counter does not count both user and kernel mode, of its
 * own thread alone, and writes which one it is. */
static bool
rings_apart(const struct gather *g, unsigned fixed, char *buf, size_t size)
{
	for (unsigned i = 0; i < g->topo.max_lproc; i++) {
		const struct constant *c = head_constant(g->reader,
		    HEAD_IA32_FIXED_CTR_CTRL, AT(i));

		if (c == NULL || (c->u >> 4 * fixed & 7) == 3)
			continue;
		snprintf(buf, size, "fixed counter %u of lproc %u does not "
		    "count all that its thread does", fixed, i);
		return true;
	}
	return false;
}

/* Finds out why nothing could be compared at all. */
void
pair_why_not(struct pair *p, struct gather *g)
{
	const struct binding *b = &g->binding;

	for (unsigned s = 0; s < SIDES; s++) {
		const struct bound *x = &b->bound[p->p->side[s]];

		if (x->nmissing == 0)
			continue;
		p->neither = b->bound[p->p->side[SIDE_LEFT]].nmissing > 0 &&
		    b->bound[p->p->side[SIDE_RIGHT]].nmissing > 0;
		p->foreign = pair_foreign(g, p);
		snprintf(p->why, sizeof p->why, "missing %s", x->missing[0]);
		return;
	}
	if (p->p->partial) {
		snprintf(p->why, sizeof p->why, "not of all boxes or lprocs");
		return;
	}
	for (unsigned s = SIDE_JOINT_LEFT; s < SIDES; s++) {
		struct figure f = pair_figure(g, p, (enum pair_side)s, 0,
		    gather_sums(g));

		if (figure_why(b, &f, p->why, sizeof p->why)[0] != '\0')
			return;
	}
	snprintf(p->why, sizeof p->why, p->p->estimated ? "its events took "
	    "turns on the counters: estimates" : "never counted in the same "
	    "interval");
}

bool
pair_can(struct pair *p, struct gather *g)
{
	unsigned needs = p->row->needs;

	if (!pair_bound_whole(g, p)) {
		if (!p->p->lacks && (needs & PAIR_PEERS) == 0)
			pair_why_not(p, g);
		return false;
	}
	if ((needs & PAIR_ACROSS) != 0 && g->topo.npkg < 2) {
		snprintf(p->why, sizeof p->why, "there is one package");
		return false;
	}
	if (p->p->apart) {
		snprintf(p->why, sizeof p->why, "not read in the same samples "
		    "(every)");
		return false;
	}
	return !((needs & PAIR_ALL_BOXES) != 0 &&
	    (box_uncounted(g, p->p->side[SIDE_LEFT], p->why, sizeof p->why) ||
	    box_uncounted(g, p->p->side[SIDE_RIGHT], p->why,
	    sizeof p->why))) && !((needs & PAIR_BOTH_RINGS) != 0 &&
	    (rings_apart(g, p->row->fixed, p->why, sizeof p->why) ||
	    programmed_apart(g, p->p->side[SIDE_RIGHT], p->why,
	    sizeof p->why)));
}
