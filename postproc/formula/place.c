/*
 * postproc/formula/place.c - what a name of a formula stands for, unless it is a metric:
 * columns, constants of the dump's head, numbers that are built in.
 */
#include "postproc/formula/bind_int.h"

#include "config/dump/read.h"
#include "config/texts.h"
#include "lib/array.h"
#include "postproc/data/dump_node.h"
#include "postproc/data/intervals.h"
#include "regs/model.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- in a configuration ------------------------------------------------- */

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Takes the next word of a line, at *at; false: none is left, or a comment follows. */
static bool
next_word(const char **at, const char *end, char *buf, size_t size)
{
	const char *p = *at, *from;
	size_t n;

	while (p < end && is_space(*p))
		p++;
	for (from = p; p < end && !is_space(*p); p++)
		continue;
	*at = p;
	n = (size_t)(p - from) < size ? (size_t)(p - from) : size - 1;
	memcpy(buf, from, n);
	buf[n] = '\0';
	return p > from && *from != '#';
}

/* Is a word the name of the event, or a synonym? */
static bool
names_event(const struct metrics *m, const char *event, const char *word)
{
	const struct synonyms *other = synonyms_find(m, event);
	const char *box;

	if (fnmatch(event_plain(event, &box), event_plain(word, &box),
	    FNM_CASEFOLD) == 0)
		return true;
	for (unsigned i = 0; other != NULL && i < other->n; i++)
		if (strcasecmp(event_plain(other->name[i], &box),
		    event_plain(word, &box)) == 0)
			return true;
	return false;
}

/* Does "core fixed" or "imc fixed" count the event?  The model names fixed counters. */
static bool
names_fixed(const struct metrics *m, const struct model *model,
    const char *event, const char *what)
{
	if (model == NULL)
		return false;
	if (model->fixed != NULL && strcmp(what, "core") == 0)
		for (unsigned i = 0; model->fixed->name[i] != NULL; i++)
			if (names_event(m, event, model->fixed->name[i]))
				return true;
	for (const struct box_type *b = model->box; b->name != NULL; b++)
		if (strcasecmp(b->name, what) == 0 && b->fixed.name != NULL)
			return names_event(m, event, b->fixed.name) ||
			    (b->fixed.family != NULL &&
			    strcmp(b->fixed.family, event) == 0);
	return false;
}

/* Does a line count what r refers to?  Lines are "read mperf aperf", "core NAME
 * event=0xc0", "imc fixed" or "software on". */
static bool
line_counts(const char *at, const char *end, const struct would *w,
    const struct expr_ref *r)
{
	const char *event = r->event != NULL ? r->event : r->name;
	char what[80], word[160];

	if (!next_word(&at, end, what, sizeof what) ||
	    (strcmp(what, "optional") == 0 &&
	    !next_word(&at, end, what, sizeof what)))
		return false;
	what[strcspn(what, "[")] = '\0';
	if (strcmp(what, "read") == 0) {
		while (r->event == NULL && next_word(&at, end, word, sizeof word))
			if (strcmp(word, r->name) == 0)
				return true;
		return false;
	}
	if (r->event != NULL && strcmp(what, r->name) != 0)
		return false;
	if (!next_word(&at, end, word, sizeof word))
		return false;
	if (strcmp(word, "fixed") == 0)
		return names_fixed(w->metrics, w->model, event, what);
	return names_event(w->metrics, event, word) ||
	    (r->event != NULL && strcmp(word, "on") == 0);
}

/* The end of a line of a text. */
static const char *
place_line_end(const struct text *t, const char *line)
{
	const char *end = memchr(line, '\n', (size_t)(t->end - line));

	return end != NULL ? end : t->end;
}

/* The built-in text that a line includes; NULL: it includes none. */
static const struct text *
line_includes(const char *at, const char *end, const struct would *w)
{
	char word[80], buf[80];

	if (!next_word(&at, end, word, sizeof word) ||
	    strcmp(word, "include") != 0 ||
	    !next_word(&at, end, word, sizeof word) || word[0] != '"')
		return NULL;
	word[1 + strcspn(word + 1, "\"")] = '\0';
	return text_named(text_of_model(word + 1, w->model, buf, sizeof buf),
	    TEXT_CONFIG);
}

void
would_add(struct would *w, const struct text *t)
{
	unsigned known = 0;

	while (known < w->ntext && w->text[known] != t)
		known++;
	if (t == NULL || known < w->ntext || w->ntext == WOULD_TEXTS)
		return;
	w->text[w->ntext++] = t;
	for (const char *line = t->data, *end; line < t->end; line = end + 1) {
		end = place_line_end(t, line);
		would_add(w, line_includes(line, end, w));
	}
}

/* Does a configuration name what a formula refers to? */
static bool
would_count(const struct would *w, const struct expr_ref *r)
{
	if (w->dram_measured && r->event == NULL && strcmp(r->name,
	    head_row(HEAD_DRAM_MAX_BANDWIDTH)->name) == 0)
		return true;
	for (unsigned i = 0; i < w->ntext; i++) {
		const struct text *t = w->text[i];

		for (const char *line = t->data, *end; line < t->end;
		    line = end + 1) {
			end = place_line_end(t, line);
			if (line_counts(line, end, w, r))
				return true;
		}
	}
	return false;
}

/* ---- in a dump ---------------------------------------------------------- */

int
place_emit(struct bind *s, struct expr_op op)
{
	struct binding *b = s->b;

	if (!array_room(&b->op, b->nop, &b->op_room, sizeof *b->op))
		return -ENOMEM;
	b->op[b->nop++] = op;
	return 0;
}

/* The same, and operations before and behind it are not folded together. */
int
place_fence(struct bind *s, struct expr_op op)
{
	int rc = place_emit(s, op);

	s->floor = s->b->nop;
	return rc;
}

int
place_number(struct bind *s, double v)
{
	return place_emit(s, (struct expr_op){ .code = EXPR_NUM, .num = v });
}

static uint32_t
place_hash_of(const char *p, uint32_t h)
{
	for (; p != NULL && *p != '\0'; p++)
		h = h * 33 + (unsigned char)*p;
	return h;
}

static bool
place_same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool
same_input(const struct input *x, const struct input *y)
{
	return x->hash == y->hash && x->kind == y->kind && x->how == y->how &&
	    x->bit == y->bit && x->one_unit == y->one_unit &&
	    place_same_text(x->name, y->name) &&
	    place_same_text(x->event, y->event) &&
	    place_same_text(x->only, y->only);
}

/* Finds an input among `all`; false: it is not there. */
static bool
find_input(const struct lookup *l, const struct input *all,
    const struct input *in, uint32_t *out)
{
	for (uint32_t at = lookup_first(l, in->hash); at != LOOKUP_END;
	    at = lookup_next(l, at)) {
		*out = lookup_value(l, at);
		if (same_input(&all[*out], in))
			return true;
	}
	return false;
}

void
binding_forget(struct binding *b)
{
	lookup_fini(&b->missing);
	b->nmissed = 0;
}

/* Was an input looked for in vain?  Many formulas name inputs that a dump lacks, and
 * looking for them in all columns takes long. */
static bool
was_missed(struct binding *b, const struct input *in)
{
	uint32_t at;

	if (b->missed_of != b->metrics ||
	    b->missed_by != b->metrics->nsynonyms)
		binding_forget(b);
	b->missed_of = b->metrics;
	b->missed_by = b->metrics->nsynonyms;
	return find_input(&b->missing, b->missed, in, &at);
}

/* Copies a text, as formulas may be freed before the binding. */
static bool
keep_text(struct binding *b, const char **text)
{
	return *text == NULL || (*text = arena_strndup(b->arena, *text,
	    strlen(*text))) != NULL;
}

/* Remembers an input that was looked for in vain.  Without memory it is forgotten, and
 * will be looked for again. */
static void
keep_missed(struct binding *b, struct input in)
{
	if (!array_room(&b->missed, b->nmissed, &b->missed_room,
	    sizeof *b->missed))
		return;
	if (!keep_text(b, &in.name) || !keep_text(b, &in.event) ||
	    !keep_text(b, &in.only) ||
	    lookup_add(&b->missing, in.hash, b->nmissed) < 0)
		return;
	b->missed[b->nmissed++] = in;
}

/* Fills in the columns of an input; 0: the dump has none. */
static int
place_find_columns(struct binding *b, struct input *in)
{
	int rc;

	if (was_missed(b, in))
		return 0;
	if ((rc = input_columns(b, in)) == 0)
		keep_missed(b, *in);
	return rc;
}

/* Finds an input that is bound already, or adds it.  Returns 1; 0: the dump has none;
 * -ENOMEM. */
static int
input_for(struct binding *b, const struct input *want, uint32_t *out)
{
	struct input in = *want;
	int rc;

	in.hash = place_hash_of(in.only,
	    place_hash_of(in.event, place_hash_of(in.name,
	    in.how * 64u + in.bit)));
	if (find_input(&b->inputs, b->input, &in, out))
		return 1;
	if (in.kind == INPUT_COLUMNS && (rc = place_find_columns(b, &in)) <= 0)
		return rc;
	if (!array_room(&b->input, b->ninput, &b->input_room, sizeof *b->input))
		return -ENOMEM;
	if (lookup_add(&b->inputs, in.hash, b->ninput) < 0)
		return -ENOMEM;
	b->input[b->ninput] = in;
	*out = b->ninput++;
	return 1;
}

/* Multiplies an input that was read from files by the scale that their statement has. */
static int
in_units(struct bind *s, const struct input *in)
{
	const struct binding *b = s->b;
	const struct family *f = in->kind != INPUT_COLUMNS ||
	    input_ncolumn(b, in) == 0 ? NULL : read_column(b->reader,
	    in->column[0])->id.family;
	double scale = f == NULL || !f->raw || in->how == REF_BIT ? 1 :
	    head_number(b->reader, HEAD_FAMILY_SCALE, OF(f->name), 1);
	int rc;

	if (scale == 1)
		return 0;
	rc = place_number(s, scale);
	return rc < 0 ? rc : place_fence(s, (struct expr_op){
	    .code = EXPR_MUL });
}

static int
emit_input(struct bind *s, const struct input *want)
{
	uint32_t at;
	int rc = input_for(s->b, want, &at);

	if (rc <= 0)
		return rc;
	rc = place_emit(s, (struct expr_op){ .code = EXPR_REF, .arg = at });
	if (rc == 0)
		rc = in_units(s, &s->b->input[at]);
	return rc < 0 ? rc : 1;
}

/* Is an input missing only because no box has the name that is asked for? */
static bool
others_have(const struct bind *s, const struct expr_ref *r)
{
	struct input in = { .kind = INPUT_COLUMNS, .how = r->how, .bit = r->bit,
	    .name = r->name, .event = r->event };
	uint32_t at;

	return s->only != NULL && input_for(s->b, &in, &at) > 0;
}

/* Why a core event of the dump's CPU does not count what its name says, as the
 * model's table has it; NULL: nothing is known against it.  tallyd does not offer
 * such a one, but counts it where it is asked for by number. */
static const char *
event_misleads(const struct model *m, const char *event)
{
	const struct event_name *e = m != NULL && m->core != NULL ?
	    m->core->event : NULL;
	size_t n = strcspn(event, "@");

	for (; e != NULL && e->name != NULL; e++)
		if (e->misleads != NULL && strncasecmp(e->name, event, n) == 0 &&
		    e->name[n] == '\0')
			return e->misleads;
	return NULL;
}

/* Notes an input that the dump lacks, with the reason if one is known, and puts NaN in
 * its place. */
static int
miss(struct bind *s, const struct expr_ref *r)
{
	const char *bad = r->event != NULL ? event_misleads(s->b->model,
	    r->event) : NULL;
	const char *only = others_have(s, r) ? s->only : NULL;
	size_t len = strlen(r->name) + (r->event ? strlen(r->event) : 0) + 5 +
	    (bad != NULL ? strlen(bad) + 16 : 0) +
	    (only != NULL ? strlen(only) + 33 : 0);
	char *text = arena_alloc(s->b->arena, len), *end;

	if (s->would != NULL && would_count(s->would, r))
		return place_number(s, NAN);
	if (text == NULL)
		return -ENOMEM;
	/* hundreds of times, so without snprintf */
	end = stpcpy(text, r->name);
	if (r->event != NULL)
		end = stpcpy(stpcpy(stpcpy(end, "[\""), r->event), "\"]");
	if (r->event != NULL && bad != NULL)
		end = stpcpy(stpcpy(end, ", not offered: "), bad);
	if (only != NULL)
		stpcpy(stpcpy(stpcpy(end, " of boxes called "), only),
		    ": there are none");
	if (!array_room(&s->missing, s->nmissing, &s->missing_room,
	    sizeof *s->missing))
		return -ENOMEM;
	s->missing[s->nmissing++] = text;
	return place_number(s, NAN);
}

/* A number of the head is there, but not used: says why it is missing. */
static int
miss_because(struct bind *s, const struct expr_ref *r, const char *why)
{
	struct expr_ref of = *r;
	char text[200];

	snprintf(text, sizeof text, "%.80s: %.100s", r->name, why);
	of.name = text;
	return miss(s, &of);
}

/* A number was measured of other NUMA nodes alone. */
static int
miss_node(struct bind *s, const struct expr_ref *r, int node)
{
	char why[60];

	snprintf(why, sizeof why, "NUMA node %d was not measured", node);
	return miss_because(s, r, why);
}

/* Puts a number of the head in the formula, unless it cannot be right. */
static int
place_constant(struct bind *s, const struct expr_ref *r,
    const struct constant *c)
{
	if (c->key == HEAD_TSC_RATIO &&
	    !tsc_ratio_holds(s->b->reader, s->b->tsc_hz))
		return miss_because(s, r, "the clocks contradict it");
	if ((c->key == HEAD_RAPL_PKG_ENERGY_UNIT ||
	    c->key == HEAD_RAPL_DRAM_ENERGY_UNIT) &&
	    !(c->real > 0 && c->real < 1))
		return miss_because(s, r, "it is no unit of energy");
	return place_number(s, c->real);
}

static const struct { const char *name; uint8_t kind; } builtin[] = {
	{ "time", INPUT_TIME }, { "wall_time", INPUT_WALL_TIME },
	{ "tsc_hz", INPUT_TSC_HZ }, { "monotonic_hz", INPUT_MONOTONIC_HZ },
	{ "lprocs", INPUT_LPROCS }, { "cores", INPUT_CORES },
	{ "packages", INPUT_PACKAGES },
	{ "node_packages", INPUT_NODE_PACKAGES }, { "intervals", INPUT_INTERVALS },
};

/* Has the head a number of that name for each package: NAME[0], NAME[1] ...? */
static bool
place_by_package(const struct binding *b, const char *name)
{
	char text[160];

	for (unsigned p = 0; b->reader != NULL && p < b->topo->npkg; p++) {
		snprintf(text, sizeof text, "%s[%u]", name, p);
		if (!isnan(read_number(b->reader, text, NAN)))
			return true;
	}
	return false;
}

/* Notes why an event misleads, if it does, to stand beside the figure. */
static int
mind(struct bind *s, const char *event)
{
	const char *why = s->misleads != NULL ? NULL :
	    event_misleads(s->b->model, event);
	size_t size;
	char *text;

	if (why == NULL)
		return 0;
	size = strlen(event) + strlen(why) + 3;
	if ((text = arena_alloc(s->b->arena, size)) == NULL)
		return -ENOMEM;
	snprintf(text, size, "%s: %s", event, why);
	s->misleads = text;
	return 0;
}

int
place_ref(struct bind *s, const struct expr_ref *r, bool one_unit)
{
	struct input in = { .kind = INPUT_COLUMNS, .how = r->how,
	    .bit = r->bit, .one_unit = one_unit, .name = r->name,
	    .event = r->event, .only = s->only };
	const struct constant *c;
	int rc, node;

	if (r->event != NULL && (rc = mind(s, r->event)) < 0)
		return rc;
	if (r->event == NULL && r->how == REF_RATE) {
		for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++)
			if (strcmp(r->name, builtin[i].name) == 0) {
				in.kind = builtin[i].kind;
				rc = emit_input(s, &in);
				return rc < 0 ? rc : 0;
			}
		if (strcmp(r->name, "threads_per_core") == 0)
			return place_number(s, s->b->topo->threads);
	}
	if ((rc = emit_input(s, &in)) != 0)
		return rc < 0 ? rc : 0;
	if (r->event == NULL) {
		c = s->b->reader == NULL ? NULL :
		    read_constant_named(s->b->reader, r->name);
		if (strcmp(r->name, head_row(HEAD_DRAM_MAX_BANDWIDTH)->name)
		    == 0 && s->b->reader != NULL && (node =
		    dram_unmeasured(s->b->reader)) >= 0)
			return miss_node(s, r, node);
		if (c != NULL && c->kind != CONSTANT_TEXT)
			return place_constant(s, r, c);
		if (r->how == REF_RATE && place_by_package(s->b, r->name)) {
			in.kind = INPUT_HEAD;
			rc = emit_input(s, &in);
			return rc < 0 ? rc : 0;
		}
		in.event = r->name;
		in.name = NULL;
		if ((rc = emit_input(s, &in)) != 0)
			return rc < 0 ? rc : 0;
	}
	return miss(s, r);
}
