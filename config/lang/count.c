/*
 * config/lang/count.c - the `count` statement: an event name and its encoding.
 */
#include "config/lang/statements.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "config/encode.h"
#include "config/eventlist.h"
#include "config/lang/events.h"
#include "config/suggest.h"
#include "regs/perf.h"

#define MAX_ITEMS 24

/* item = NUMBER | field "=" NUMBER */
struct item {
	struct word whole;
	struct word field;              /* n 0: a raw control value */
	struct word number;
};

/* A statement of an event of a box, `cha NAME event=0x34,umask=1`, while it is parsed. */
struct count {
	struct config *cfg;
	struct place at;
	struct diag *why;
	struct want *want;
	struct item item[MAX_ITEMS];
	unsigned nitem;
	bool listed;                    /* starts from a listed event */
	bool raw;                       /* starts from a raw value */
	bool rings;                     /* usr= or os= was given */
};

static int
count_bad(const struct count *c, const char *what, struct word w)
{
	return diag_place(c->why, c->at, what, WORD_ARG(w));
}

/* items = item { "," item }.  Append them to the statement's items. */
static int
split_items(struct count *c, struct word list)
{
	bool more;

	do {
		struct item *it = &c->item[c->nitem];

		if (c->nitem == MAX_ITEMS)
			return count_bad(c, "\"%.*s\" is one field too many",
			    list);
		more = word_cut(&list, ',', &it->whole);
		it->number = it->whole;
		if (!word_cut(&it->number, '=', &it->field)) {
			it->number = it->whole;
			it->field.n = 0;
			if (it->whole.n > 0 && (c->nitem > 0 ||
			    !isdigit((unsigned char)it->whole.s[0])))
				return count_bad(c,
				    "\"%.*s\" is no FIELD=NUMBER; an "
				    "event more has a line of its own",
				    it->whole);
		} else if (it->field.n == 0) {
			return count_bad(c, "\"%.*s\" is no FIELD=NUMBER",
			    it->whole);
		}
		if (it->whole.n == 0)
			return count_bad(c,
			    "a comma with nothing beside it%.*s", it->whole);
		for (unsigned i = 0; i < c->nitem; i++)
			if (c->item[i].field.n == it->field.n &&
			    memcmp(c->item[i].field.s, it->field.s,
			    it->field.n) == 0)
				return count_bad(c, "\"%.*s\" is given twice",
				    it->field);
		c->nitem++;
	} while (more);
	return 0;
}

static void
set_filter(struct count *c, unsigned f, uint64_t value)
{
	c->want->filter[f] = value;
	c->want->filters |= 1u << f;
	c->want->weak &= ~(1u << f);
}

/* Set config1, in which perf gives the values of the box's filters, or of the register
 * that the event needs. */
static int
set_config1(struct count *c, uint64_t value)
{
	const struct box_type *type = c->want->type;
	struct word zero = { "filter0", 7 }, one = { "filter1", 7 };
	int low = filter_named(type, zero), high = filter_named(type, one);

	for (unsigned f = 0; f < MAX_FILTERS; f++)
		if (type->filter[f].event != 0 &&
		    box_filter_for(&type->filter[f], c->want->ctl)) {
			set_filter(c, f, value);
			return 0;
		}
	if (low < 0 || (high < 0 && value > UINT32_MAX))
		return diag_place(c->why, c->at, "config1 0x%" PRIx64 " has no "
		    "register to go to: %s has %s for this event", value,
		    type->name, low < 0 ? "none" : "filter0, of 32 bits,");
	if ((uint32_t)value != 0 || high < 0)
		set_filter(c, (unsigned)low, (uint32_t)value);
	if (value >> 32 != 0)
		set_filter(c, (unsigned)high, value >> 32);
	return 0;
}

/* Refuse an event= that contradicts the raw control value before it.  Other
 * fields may change that value. */
static int
against_raw(const struct count *c, struct word name, uint64_t value)
{
	const struct field *f = field_named(c->want->type->field, "event");
	uint64_t has;

	if (f == NULL || !word_is(name, "event") ||
	    (has = field_get(f, c->want->ctl)) == value)
		return 0;
	return diag_place(c->why, c->at, "control value 0x%" PRIx64 " has "
	    "event=0x%" PRIx64 ", and event=0x%" PRIx64 " is given, too; write "
	    "one of them", c->want->ctl, has, value);
}

static int
apply_item(struct count *c, const struct item *it)
{
	struct want *w = c->want;
	uint64_t rings = encode_both_rings(w->type), v;
	int rc, f;

	if ((rc = scan_number(it->number, it->field.n == 0 ? "control value" :
	    "value", UINT64_MAX, &v, c->at, c->why)) < 0)
		return rc;
	if (it->field.n == 0) {
		w->ctl = v;
		c->raw = true;
		return encode_check(w->type, v, c->at, c->why);
	}
	if (word_is(it->field, "counter")) {
		if (v >= w->type->counters)
			return diag_place(c->why, c->at, "counter %" PRIu64 " "
			    "is not there: %s has counters 0 to %u", v,
			    w->type->name, w->type->counters - 1);
		w->counter = (int)v;
		return 0;
	}
	if (word_is(it->field, "config1"))
		return set_config1(c, v);
	if ((f = filter_named(w->type, it->field)) >= 0) {
		set_filter(c, (unsigned)f, v);
		return 0;
	}
	if (c->raw && (rc = against_raw(c, it->field, v)) < 0)
		return rc;
	/* first usr= or os=: usr=1 means user only, usr=0 all but user */
	if (rings != 0 && !c->raw && !c->rings &&
	    (word_is(it->field, "usr") || word_is(it->field, "os"))) {
		w->ctl = v != 0 ? w->ctl & ~rings : w->ctl | rings;
		c->rings = true;
	}
	return encode_field(w->type, it->field, v, &w->ctl, c->at, c->why);
}

/* For a name in perf's notation, two names, or a box's own fixed counter: say
 * how to write it here and return -EINVAL.  0: it is none of these. */
static int
otherwise(const struct count *c, const char *name)
{
	const struct box_type *type = c->want->type;
	const char *colon = strrchr(name, ':'), *comma = strchr(name, ',');
	size_t hex = strspn(name + 1, "0123456789abcdefABCDEF");

	if (type->fixed.name != NULL && strcasecmp(type->fixed.name, name) == 0)
		return diag_place(c->why, c->at, "%s is the fixed counter of "
		    "%s: %s fixed", name, type->name, type->name);
	if (comma != NULL)
		return diag_place(c->why, c->at, "\"%s\" is more than one "
		    "name; each event has a line of its own: %s %.*s", name,
		    type->name, (int)(comma - name), name);
	if (colon != NULL && encode_both_rings(type) != 0 &&
	    (strcmp(colon, ":u") == 0 || strcmp(colon, ":k") == 0))
		return diag_place(c->why, c->at, "\"%s\": perf's modifier %s "
		    "is written %s %.*s %s here", name, colon, type->name,
		    (int)(colon - name), name, colon[1] == 'u' ? "usr=1" :
		    "os=1");
	if (type == c->cfg->model->core && name[0] == 'r' && hex >= 2 &&
	    name[1 + hex] == '\0')
		return diag_place(c->why, c->at, "%s has no event \"%s\": that "
		    "is perf's way, which stands behind event: event %s",
		    type->name, name, name);
	if (perf_named(name) != NULL)
		return diag_place(c->why, c->at, "%s has no event \"%s\": that "
		    "is perf's name, which stands behind event: event %s",
		    type->name, name, name);
	return 0;
}

/* Report an event that has no encoding and is in no list, with what to write. */
static int
unknown_event(const struct count *c, const char *name)
{
	const struct box_type *type = c->want->type;
	const struct listed_event *e = listed_find(c->cfg, NULL, name);
	const char *box = type->name;
	char words[NEAR_WORDS];
	struct near near;
	int rc;

	near_init(&near, name);
	if (type->fixed.name != NULL || (c->cfg->model->fixed != NULL &&
	    type == c->cfg->model->core))
		near_try(&near, "fixed");
	if (e == NULL)
		listed_near(c->cfg, type, &near);
	if (c->cfg->list == NULL && c->cfg->builtin == NULL && near.n == 0)
		return diag_place(c->why, c->at, "no encoding is known for "
		    "\"%s\": write event=0x..,umask=0x.. after it, or give "
		    "Intel's event list (--event-list FILE.json)", name);
	if (e != NULL && e->type == NULL)
		return diag_place(c->why, c->at, "%s cannot be counted in %s: "
		    "%s", e->name, box, e->why_not);
	if (e != NULL)
		return diag_place(c->why, c->at, "%s is an event of %s, not of "
		    "%s", e->name, e->type->name, box);
	if ((rc = otherwise(c, name)) < 0)
		return rc;
	if (near.n > 0)
		return diag_place(c->why, c->at, "%s has no event \"%s\"; did "
		    "you mean %s?", box, name, near_words(&near, words,
		    sizeof(words)));
	return diag_place(c->why, c->at, "%s has no event \"%s\"; write "
	    "event=0x..,umask=0x.. after it (tallyd --list events '*WORD*' "
	    "looks for names)", box, name);
}

/* The fixed counter of the core that counts the event of that name, or -1. */
static int
core_fixed_named(const struct model *model, const char *name)
{
	const struct core_fixed *fixed = model->fixed;

	for (int i = 0; fixed != NULL && i < 5 && fixed->name[i] != NULL; i++)
		if (strcasecmp(fixed->name[i], name) == 0 ||
		    (fixed->alias[i] != NULL &&
		    strcasecmp(fixed->alias[i], name) == 0))
			return i;
	return -1;
}

/* Has an earlier event of the set put another value in a register of e? */
static bool
count_taken(const struct config *cfg, const struct want *w,
    const struct listed_event *e)
{
	for (unsigned i = 0; i < cfg->nwant; i++) {
		const struct want *v = &cfg->want[i];

		if (v->kind != WANT_EVENT || v->type != w->type ||
		    v->set != w->set)
			continue;
		for (unsigned f = 0; f < MAX_FILTERS; f++)
			if ((v->filters & e->filters & 1u << f) != 0 &&
			    v->filter[f] != e->filter[f])
				return true;
	}
	return false;
}

/* Find the event in the model's own list. */
static int
find_named(struct count *c, const char *name)
{
	const struct box_type *type = c->want->type;
	const struct event_name *e = event_named(type, name);
	const char *second = event_second(type);
	struct word event = { "event", 5 };
	char words[NEAR_WORDS];
	struct near near;
	int rc;

	if (e != NULL && e->misleads != NULL && e->event == 0)
		return diag_place(c->why, c->at, "%s is not offered: %s",
		    e->name, e->misleads);
	if (e != NULL && e->misleads != NULL)
		return diag_place(c->why, c->at, "%s is not offered: %s "
		    "(event=0x%" PRIx64 " after the name counts it all the "
		    "same)", e->name, e->misleads, e->event);
	if (e != NULL) {
		rc = encode_field(type, event, e->event, &c->want->ctl,
		    c->at, c->why);
		return rc < 0 || e->umask == 0 ? rc : encode_field(type,
		    (struct word){ second, strlen(second) }, e->umask,
		    &c->want->ctl, c->at, c->why);
	}
	if ((rc = otherwise(c, name)) < 0)
		return rc;
	near_init(&near, name);
	for (e = type->event; e->name != NULL; e++)
		near_try(&near, e->name);
	if (near.n > 0)
		return diag_place(c->why, c->at, "%s has no event \"%s\"; did "
		    "you mean %s?", type->name, name, near_words(&near, words,
		    sizeof(words)));
	return diag_place(c->why, c->at, "%s of %s has no event \"%s\" (tallyd "
	    "--list events has those of this CPU); write event=0x.. after it",
	    type->name, c->cfg->model->title, name);
}

/* Without an encoding: find the event in the lists or as a fixed counter. */
static int
find_listed(struct count *c, const char *name)
{
	struct want *w = c->want;
	const struct listed_event *e;

	if (w->type->event != NULL)
		return find_named(c, name);

	/* a fixed counter's own name may be another event's in the list */
	e = listed_find(c->cfg, w->type, name);
	if (e == NULL && w->type == c->cfg->model->core &&
	    (w->counter = core_fixed_named(c->cfg->model, name)) >= 0) {
		w->kind = WANT_FIXED;
		return 0;
	}
	if (e == NULL)
		return unknown_event(c, name);
	if (e->fixed >= 0) {
		w->kind = WANT_FIXED;
		w->counter = e->fixed;
		return 0;
	}
	if (e->other != NULL && count_taken(c->cfg, w, e))
		e = e->other;
	c->listed = true;
	w->alone = e->alone;
	w->ctl = e->ctl;
	w->counters = e->counters;
	w->filters = e->filters;
	w->weak = e->weak & e->filters;
	memcpy(w->filter, e->filter, sizeof(w->filter));
	return 0;
}

/* Checks that some counter of the box can count the finished control value. */
static int
count_check(struct count *c)
{
	struct want *w = c->want;
	unsigned can = box_event_mask(w->type, w->ctl);
	uint64_t rings = encode_both_rings(w->type);
	char list[64];
	int rc;

	if (!c->raw && !c->listed && !c->rings)
		w->ctl |= rings;
	if ((rc = encode_alone(w->type, w->ctl, c->at, c->why)) < 0)
		return rc;
	/* a raw value with the enable bit may leave USR and OS off on
	 * purpose: then it was copied from a register */
	if (c->raw && !c->rings && w->ctl != 0 && rings != 0 &&
	    (w->ctl & (rings | w->type->enable)) == 0)
		return diag_place(c->why, c->at, "control value 0x%" PRIx64 " "
		    "counts nothing, neither usr nor os: write event=0x%" PRIx64
		    ",umask=0x%" PRIx64 ", or 0x%" PRIx64, w->ctl, w->ctl &
		    0xff, w->ctl >> 8 & 0xff, w->ctl | rings);
	if (c->rings && (w->ctl & rings) == 0)
		return diag_place(c->why, c->at, "usr=0 and os=0 leave nothing "
		    "that could be counted");
	w->ctl = box_fill(w->type, w->ctl) | w->type->enable;
	for (unsigned f = 0; f < MAX_FILTERS; f++)
		if ((w->filters & 1u << f) != 0 &&
		    (rc = encode_filter(w->type, f, w->filter[f], w->ctl, c->at,
		    c->why)) < 0)
			return rc;
	/* If list and table have no counter in common, trust the list. */
	if (w->counters == 0)
		w->counters = can;
	else if ((w->counters & can) != 0)
		w->counters &= can;
	if (w->counter >= 0 && (w->counters & 1u << w->counter) == 0)
		return diag_place(c->why, c->at, "counter %d of %s cannot "
		    "count event 0x%02x, only %s can", w->counter,
		    w->type->name, (unsigned)(w->ctl & 0xff),
		    choices_bits(w->counters, list, sizeof(list)));
	return 0;
}

/* Check that the name can be written between the quotes of a dump's index. */
static int
check_name(const struct count *c, struct word name)
{
	if (name.n > 120)
		return count_bad(c, "event name \"%.*s...\" is longer than 120 "
		    "characters", name);
	return word_is_label(name, name.n) ? 0 : count_bad(c, "event name "
	    "\"%.*s\" has a character that cannot be in a name: letters, "
	    "digits and ._:- are fine", name);
}

/* Do the items define an event by themselves?  Else they modify a listed one.
 * */
static bool
encoded(const struct count *c)
{
	for (unsigned i = 0; i < c->nitem; i++)
		if (c->item[i].field.n == 0 ||
		    word_is(c->item[i].field, "event"))
			return true;
	return false;
}

/* Report a field that the box does not have, before an event without an
 * encoding is looked up in the lists. */
static int
misspelled(const struct count *c)
{
	uint64_t none = 0;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < c->nitem; i++) {
		struct word field = c->item[i].field;

		if (field.n > 0 && !word_is(field, "counter") &&
		    !word_is(field, "config1") &&
		    filter_named(c->want->type, field) < 0)
			rc = encode_field(c->want->type, field, 0, &none,
			    c->at, c->why);
	}
	return rc;
}

int
count_parse(struct config *cfg, struct scan *scan, struct word name,
    struct want *want, struct diag *why)
{
	struct count c = { .cfg = cfg, .at = scan->at, .why = why,
	    .want = want };
	struct word bare, tail = name, list;
	char *look_up;
	int rc;

	if ((rc = check_name(&c, name)) < 0)
		return rc;
	/* NAME:FIELD=NUMBER; a colon without = belongs to the name, and so it
	 * does in OFFCORE_RESPONSE:request=ALL_RFO:response=L3_HIT. */
	if (!word_cut(&tail, ':', &bare) || tail.n == 0 ||
	    memchr(tail.s, '=', tail.n) == NULL ||
	    listed_whole(cfg, want->type, name))
		bare = name;
	else if ((rc = split_items(&c, tail)) < 0)
		return rc;
	while (scan_word(scan, &list))
		if ((rc = word_is(list, "every") ? every_end(scan,
		    &want->every, why) : split_items(&c, list)) < 0)
			return rc;
	if (want->every > 1 && want->set != 0)
		return count_bad(&c,
		    "%.*s: an event of a set is read when its turn "
		    "ends, and cannot be read every so many samples", name);
	want->kind = WANT_EVENT;
	want->counter = -1;
	want->name = arena_strndup(cfg->arena, name.s, name.n);
	look_up = arena_strndup(cfg->arena, bare.s, bare.n);
	if (want->name == NULL || look_up == NULL)
		return -ENOMEM;
	/* "@" and a word after it distinguish two counts of the same event */
	look_up[strcspn(look_up, "@")] = '\0';
	if (!encoded(&c) && ((rc = misspelled(&c)) < 0 ||
	    (rc = find_listed(&c, look_up)) < 0))
		return rc;
	if (want->kind == WANT_FIXED && want->every > 1)
		return count_bad(&c,
		    "%.*s has a fixed counter, which is read in "
		    "each sample", name);
	if (want->kind == WANT_FIXED)
		return c.nitem == 0 ? 0 :
		    count_bad(&c, "%.*s has a fixed counter, "
		    "which takes no fields", name);
	for (unsigned i = 0; i < c.nitem; i++)
		if ((rc = apply_item(&c, &c.item[i])) < 0)
			return rc;
	return count_check(&c);
}
