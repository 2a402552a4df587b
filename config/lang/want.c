/*
 * config/lang/want.c - the list of wants: rejects duplicates and events that
 * cannot be counted together.
 */
#include "config/lang/want.h"

#include "config/eventlist.h"
#include "config/lang/readable.h"
#include "lib/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int
config_init(struct config *cfg, const struct model *model)
{
	memset(cfg, 0, sizeof(*cfg));
	cfg->model = model;
	cfg->arena = arena_new();
	if (cfg->arena == NULL || !array_room(&cfg->set, 0, &cfg->set_room,
	    sizeof(*cfg->set))) {
		config_fini(cfg);
		return -ENOMEM;
	}
	cfg->set[0] = "";
	cfg->nset = 1;
	return 0;
}

void
config_fini(struct config *cfg)
{
	if (cfg == NULL)
		return;
	free(cfg->want);
	lookup_fini(&cfg->seen);
	free(cfg->set);
	eventlist_free(cfg->list);
	eventlist_free(cfg->builtin);
	arena_free(cfg->arena);
	memset(cfg, 0, sizeof(*cfg));
}

/* Do two wants select a common box: type, package and instances overlap? */
static bool
want_meet(const struct want *a, const struct want *b)
{
	return a->type == b->type &&
	    (a->pkg == ALL_PKG || b->pkg == ALL_PKG || a->pkg == b->pkg) &&
	    a->first <= b->last && b->first <= a->last;
}

/* Are two wants the same `read` or the same fixed counter?  It is read only once. */
static bool
is_same_reading(const struct want *a, const struct want *b)
{
	if (a->kind != b->kind || (a->name == NULL) != (b->name == NULL) ||
	    (a->name != NULL && strcmp(a->name, b->name) != 0))
		return false;
	return a->kind == WANT_READ || (a->kind == WANT_FIXED &&
	    a->type == b->type && a->pkg == b->pkg && a->first == b->first &&
	    a->last == b->last);
}

/* Do two wants of the same event set select a common box? */
static bool
want_overlap(const struct want *a, const struct want *b)
{
	return a->set == b->set && want_meet(a, b);
}

static bool
want_same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Would two events be one column? */
static bool
want_same_column(const struct want *a, const struct want *b)
{
	if (a->kind != b->kind || !want_meet(a, b) ||
	    !want_same_text(a->name, b->name))
		return false;
	if (a->kind == WANT_PERF && !want_same_text(a->perf->pmu, b->perf->pmu))
		return false;
	return want_same_text(a->sum != NULL ? a->sum->label : NULL,
	    b->sum != NULL ? b->sum->label : NULL);
}

/* Do two events, of which one has to be alone on its box, count there at the same time?
 * Events of a set count at the same time, and those outside every set (set 0) at all
 * times; where the kernel counts, those of a perf group. */
static bool
crowded(const struct config *cfg, const struct want *a, const struct want *b)
{
	return a->kind == WANT_EVENT && b->kind == WANT_EVENT &&
	    (a->alone || b->alone) && want_meet(a, b) && (cfg->perf ?
	    a->together != 0 && a->together == b->together :
	    a->set == b->set || a->set == 0 || b->set == 0);
}

/* Drops an event's default filter values where a `filter` statement sets that filter. */
static void
drop_default_filters(struct want *event, const struct want *filter)
{
	unsigned weak = event->weak & filter->filters;

	if (!want_overlap(event, filter))
		return;
	event->filters &= ~weak;
	event->weak &= ~weak;
}

/*
 * Key kinds of config.seen, which finds earlier wants without a look at all of them.
 *
 * SEEN_SET       event sets, by name (a number of config.set, not a want)
 * SEEN_FILTER    all `filter` statements
 * SEEN_WEAK      all events with default filter values
 * SEEN_ALONE     all events that have to be alone on their box
 * SEEN_ONE       events of one box, by name, set and number of the box
 * SEEN_SEVERAL   events of several boxes, by name and set
 * SEEN_ANY       events of SEEN_ONE and SEEN_SEVERAL, by name and set
 * SEEN_ONCE      reads by name, fixed counters by name and boxes
 */
enum { SEEN_SET, SEEN_FILTER, SEEN_WEAK, SEEN_ALONE, SEEN_ONE, SEEN_SEVERAL,
	SEEN_ANY, SEEN_ONCE };

static uint64_t
key_of(const struct want *w, unsigned what)
{
	uint32_t part[5] = { what, w->kind, 0, 0, 0 };

	if (what == SEEN_ONCE && w->kind == WANT_FIXED) {
		part[2] = w->first;
		part[3] = w->last;
	} else if (what != SEEN_ONCE) {
		part[4] = w->set;
		part[2] = what == SEEN_ONE ? w->first : 0;
	}
	return lookup_text(lookup_hash(0, part, sizeof(part)), w->name);
}

static bool
is_counted(const struct want *w)
{
	return w->kind == WANT_EVENT || w->kind == WANT_PERF;
}

/* Finds the first want that would be the same column as w, among those with the key
 * (what) of w.  Returns its index, if that is below `best`; else `best`. */
static uint32_t
earlier_twin(const struct config *cfg, const struct want *w, unsigned what,
    uint32_t best)
{
	uint32_t i, at = lookup_first(&cfg->seen, key_of(w, what));

	for (; at != LOOKUP_END; at = lookup_next(&cfg->seen, at))
		if ((i = lookup_value(&cfg->seen, at)) < best &&
		    cfg->want[i].set == w->set &&
		    want_same_column(&cfg->want[i], w))
			return i;
	return best;
}

/* Finds the first want that would be the same column as w, in w's set; NULL: none. */
static const struct want *
find_twin(const struct config *cfg, const struct want *w)
{
	uint32_t i = LOOKUP_END;

	if (!is_counted(w))
		return NULL;
	if (w->first != w->last)
		i = earlier_twin(cfg, w, SEEN_ANY, i);
	else {
		i = earlier_twin(cfg, w, SEEN_ONE, i);
		i = earlier_twin(cfg, w, SEEN_SEVERAL, i);
	}
	return i == LOOKUP_END ? NULL : &cfg->want[i];
}

const struct want *
config_other_set(const struct config *cfg, uint32_t i)
{
	const struct want *found = NULL, *twin;
	struct want like = cfg->want[i];

	for (like.set = 0; like.set < cfg->nset; like.set++)
		if (like.set != cfg->want[i].set &&
		    (twin = find_twin(cfg, &like)) != NULL &&
		    twin < &cfg->want[i] && (found == NULL || twin < found))
			found = twin;
	return found;
}

/* An earlier want that reads the same as w; or NULL. */
static struct want *
find_asked(const struct config *cfg, const struct want *w)
{
	uint32_t at;

	if (w->kind != WANT_READ && w->kind != WANT_FIXED)
		return NULL;
	at = lookup_first(&cfg->seen, key_of(w, SEEN_ONCE));
	for (; at != LOOKUP_END; at = lookup_next(&cfg->seen, at)) {
		struct want *was = &cfg->want[lookup_value(&cfg->seen, at)];

		if (is_same_reading(was, w))
			return was;
	}
	return NULL;
}

/* Let `filter` statements override the default filters of events; either may
 * come first. */
static void
settle_filters(struct config *cfg, struct want *add)
{
	static const struct want any = { .name = "" };
	bool event = add->kind == WANT_EVENT && add->weak != 0;
	uint32_t at;

	if (!event && add->kind != WANT_FILTER)
		return;
	at = lookup_first(&cfg->seen, key_of(&any, event ? SEEN_FILTER :
	    SEEN_WEAK));
	for (; at != LOOKUP_END; at = lookup_next(&cfg->seen, at)) {
		struct want *w = &cfg->want[lookup_value(&cfg->seen, at)];

		if (event)
			drop_default_filters(add, w);
		else
			drop_default_filters(w, add);
	}
}

int
config_set(struct config *cfg, struct word name)
{
	const struct want like = { .name = arena_strndup(cfg->arena, name.s,
	    name.n) };
	uint64_t key = key_of(&like, SEEN_SET);
	uint32_t at;

	if (like.name == NULL)
		return -ENOMEM;
	for (at = lookup_first(&cfg->seen, key); at != LOOKUP_END;
	    at = lookup_next(&cfg->seen, at))
		if (word_is(name, cfg->set[lookup_value(&cfg->seen, at)]))
			return (int)lookup_value(&cfg->seen, at);
	if (!array_room(&cfg->set, cfg->nset, &cfg->set_room,
	    sizeof(*cfg->set)))
		return -ENOMEM;
	cfg->set[cfg->nset] = like.name;
	return lookup_add(&cfg->seen, key, cfg->nset) < 0 ? -ENOMEM :
	    (int)cfg->nset++;
}

/* Enter want i in cfg->seen.  0 or -ENOMEM. */
static int
note_seen(struct config *cfg, uint32_t i)
{
	static const struct want any = { .name = "" };
	const struct want *w = &cfg->want[i];
	int rc = 0;

	if (w->kind == WANT_READ || w->kind == WANT_FIXED)
		return lookup_add(&cfg->seen, key_of(w, SEEN_ONCE), i);
	if (w->kind == WANT_FILTER)
		return lookup_add(&cfg->seen, key_of(&any, SEEN_FILTER), i);
	if (!is_counted(w))
		return 0;
	if (w->weak != 0)
		rc = lookup_add(&cfg->seen, key_of(&any, SEEN_WEAK), i);
	if (rc == 0 && w->alone)
		rc = lookup_add(&cfg->seen, key_of(&any, SEEN_ALONE), i);
	if (rc == 0)
		rc = lookup_add(&cfg->seen, key_of(w, SEEN_ANY), i);
	return rc < 0 ? rc : lookup_add(&cfg->seen, key_of(w,
	    w->first == w->last ? SEEN_ONE : SEEN_SEVERAL), i);
}

/* The `read` statement, in full, of a register by address or of a file; NULL for other
 * wants. */
static const char *
statement(const struct want *w)
{
	return w->raw != NULL ? w->raw->statement : w->of_file != NULL ?
	    w->of_file->statement : NULL;
}

static unsigned
every_of(const struct want *w)
{
	return w->every > 1 ? w->every : 1;
}

/* An earlier want of the same name with another `every`; or NULL.  A name has
 * one rate for all boxes, as the dump's head gives one for each name. */
static const struct want *
other_rate(const struct config *cfg, const struct want *w)
{
	unsigned key = w->kind == WANT_READ ? SEEN_ONCE : SEEN_ANY;
	uint32_t at;

	if (w->kind != WANT_READ && w->kind != WANT_EVENT)
		return NULL;
	at = lookup_first(&cfg->seen, key_of(w, key));
	for (; at != LOOKUP_END; at = lookup_next(&cfg->seen, at)) {
		const struct want *was = &cfg->want[lookup_value(&cfg->seen,
		    at)];

		/* all earlier ones have the same rate: look at one */
		if (was->kind == w->kind && was->type == w->type &&
		    strcmp(was->name, w->name) == 0)
			return every_of(was) != every_of(w) ? was : NULL;
	}
	return NULL;
}

static bool
is_builtin(const char *named)
{
	return named != NULL && named[0] == '@';
}

int
config_add(struct config *cfg, const struct want *want, struct diag *why)
{
	struct want add = *want, *asked = find_asked(cfg, want);
	const struct want *twin;

	if (asked != NULL && statement(asked) != NULL &&
	    strcmp(statement(asked), statement(want)) != 0)
		return diag_at(why, want->file, want->line, "%s is another "
		    "%s already (%s:%u): %s; give one of them another "
		    "name (as NAME)", want->name, asked->raw != NULL ?
		    "register" : "file", asked->file, asked->line,
		    statement(asked));
	if ((twin = other_rate(cfg, want)) != NULL)
		return diag_at(why, want->file, want->line, "%s every %u: it is "
		    "read every %u already (%s:%u), and a name has one rate",
		    want->name, every_of(want), every_of(twin), twin->file,
		    twin->line);
	if (asked != NULL) {
		asked->optional = asked->optional && want->optional;
		return 0;
	}
	settle_filters(cfg, &add);
	twin = find_twin(cfg, want);
	if (twin != NULL && is_builtin(twin->named) && is_builtin(cfg->named) &&
	    strcmp(twin->named, cfg->named) != 0)
		return diag_at(why, want->file, want->line, "%s is counted by "
		    "%s, too: leave one of the two texts out, or change one "
		    "(`tally print %s >FILE`)", want->name, twin->named,
		    cfg->named);
	if (twin != NULL)
		return diag_at(why, want->file, want->line, "%s of %s is "
		    "counted already (%s:%u); give one of them another name%s",
		    want->name, want->type != NULL ? want->type->name :
		    want->perf->pmu != NULL ? want->perf->pmu : "the kernel",
		    twin->file, twin->line, want->kind == WANT_EVENT ? "" :
		    want->perf->pmu != NULL ? " (name=TEXT)" :
		    ", such as @2 behind it");
	if (cfg->nwant == MAX_WANTS)
		return diag_at(why, want->file, want->line, "more than %u "
		    "statements and lprocs to count them on; no node has "
		    "counters for them", MAX_WANTS);
	if (!array_room(&cfg->want, cfg->nwant, &cfg->want_room,
	    sizeof(*cfg->want)))
		return -ENOMEM;
	add.named = cfg->named;
	cfg->want[cfg->nwant++] = add;
	return note_seen(cfg, cfg->nwant - 1);
}

/* Says that a and b count at the same time, and one of them has to be alone. */
static int
too_close(const struct config *cfg, const struct want *a,
    const struct want *b, struct diag *why)
{
	return diag_at(why, a->file, a->line, "%s cannot be counted beside %s "
	    "(%s:%u): its list has %s alone on the counters (TakenAlone); put "
	    "them in two %s", a->name, b->name, b->file, b->line,
	    a->alone ? a->name : b->name, cfg->perf ? "words" : "`set`s");
}

/* If the kernel counts: an earlier want in the perf group of want i (one word of an
 * `event` statement) with which it may not be counted at the same time; or NULL. */
static const struct want *
beside_in_word(const struct config *cfg, uint32_t i)
{
	const struct want *a = &cfg->want[i];
	uint32_t k = i;

	while (a->together != 0 && k > 0 &&
	    cfg->want[k - 1].together == a->together)
		k--;
	for (; k < i; k++)
		if (crowded(cfg, a, &cfg->want[k]))
			return &cfg->want[k];
	return NULL;
}

/* If registers are used: an earlier want with which want i may not be counted at the same
 * time, as one of the two has to be alone; or NULL.  alone: the place in cfg->seen of the
 * first SEEN_ALONE. */
static const struct want *
beside_in_set(const struct config *cfg, uint32_t i, uint32_t alone)
{
	const struct want *a = &cfg->want[i];

	for (uint32_t k = 0; a->alone && k < i; k++)
		if (crowded(cfg, a, &cfg->want[k]))
			return &cfg->want[k];
	for (; !a->alone && alone != LOOKUP_END &&
	    lookup_value(&cfg->seen, alone) < i;
	    alone = lookup_next(&cfg->seen, alone))
		if (crowded(cfg, a, &cfg->want[lookup_value(&cfg->seen,
		    alone)]))
			return &cfg->want[lookup_value(&cfg->seen, alone)];
	return NULL;
}

int
config_alone(const struct config *cfg, struct diag *why)
{
	static const struct want any = { .name = "" };
	uint32_t alone = lookup_first(&cfg->seen, key_of(&any, SEEN_ALONE));
	const struct want *b;

	for (uint32_t i = 0; alone != LOOKUP_END && i < cfg->nwant; i++) {
		b = cfg->perf ? beside_in_word(cfg, i) :
		    beside_in_set(cfg, i, alone);
		if (b != NULL)
			return too_close(cfg, &cfg->want[i], b, why);
	}
	return 0;
}

/* ---- statements that are valid, but probably wrong ------------------------ */

/* Does `by` set filter f of a box and set that w is counted in? */
static bool
gives(const struct want *by, const struct want *w, unsigned f)
{
	return (by->kind == WANT_EVENT || by->kind == WANT_FILTER) &&
	    by->type == w->type && (by->filters >> f & 1) != 0 &&
	    (by->set == w->set || by->set == 0 || w->set == 0) &&
	    (by->pkg == ALL_PKG || w->pkg == ALL_PKG || by->pkg == w->pkg) &&
	    by->first <= w->last && w->first <= by->last;
}

/* The value of filter f while w counts; false: no statement sets it. */
static bool
filter_of(const struct config *cfg, const struct want *w, unsigned f,
    uint64_t *value)
{
	*value = w->type->filter[f].idle;
	for (unsigned i = 0; i < cfg->nwant; i++)
		if (gives(&cfg->want[i], w, f)) {
			*value = cfg->want[i].filter[f];
			return true;
		}
	return false;
}

bool
config_doubt(const struct config *cfg, unsigned i, struct diag *why)
{
	const struct want *w = &cfg->want[i];
	const struct need *n = NULL;
	uint64_t value;

	if (w->kind != WANT_EVENT)
		return false;
	while ((n = box_need(w->type, w->ctl, n)) != NULL)
		if (n->bits == 0 || (filter_of(cfg, w, n->filter, &value),
		    (value & n->bits) == 0)) {
			diag_at(why, w->file, w->line, "%s %s", w->name,
			    n->why);
			return true;
		}
	/* a register that only this event uses: unset, it keeps the value that
	 * another program left in it */
	for (unsigned f = 0; f < MAX_FILTERS; f++) {
		const struct box_filter *of = &w->type->filter[f];

		if (of->name != NULL && of->event != 0 &&
		    box_filter_for(of, w->ctl) &&
		    !filter_of(cfg, w, f, &value)) {
			diag_at(why, w->file, w->line, "%s counts by what %s "
			    "happens to hold; give %s=0x..", w->name, of->name,
			    of->name);
			return true;
		}
	}
	return false;
}
