/*
 * config/lang/perf_events.c - parse events in the notation of perf and collectd.
 */
#include "config/lang/statements.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/encode.h"
#include "config/eventlist.h"
#include "config/lang/events.h"
#include "config/suggest.h"

/* Does a term of the preceding event (umask=0x3) begin here? */
static bool
is_term(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && strchr("=,:/", s[i]) == NULL)
		i++;
	return i < n && s[i] == '=';
}

/* Cut off what is before the first comma that is not between slashes or braces
 * and has no term after it. */
static bool
cut_event(struct word *list, struct word *one)
{
	bool inside = false;
	int depth = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (list->s[i] == '/')
			inside = !inside;
		depth += (list->s[i] == '{') - (list->s[i] == '}');
		if (list->s[i] != ',' || inside || depth > 0 ||
		    is_term(list->s + i + 1, list->n - i - 1))
			continue;
		*one = (struct word){ list->s, i };
		list->s += i + 1;
		list->n -= i + 1;
		return true;
	}
	*one = *list;
	list->n = 0;
	return false;
}

/* raw = "r" HEX: the core PMU's config */
static bool
is_raw(const char *name)
{
	size_t n = strlen(name);

	return n >= 2 && n <= 17 && name[0] == 'r' &&
	    strspn(name + 1, "0123456789abcdefABCDEF") == n - 1;
}

static int
add_raw(struct perf_parse *p, const char *name, struct word w)
{
	struct perf_want pw = { .known = true, .family = "core_counts",
	    .attr = { .type = PERF_RAW } };
	const struct box_type *core = p->cfg->model->core;
	char ctl[24];

	pw.attr.config[0] = strtoull(name + 1, NULL, 16);
	if (core == NULL || core->space != REG_MSR)
		return parse_kernel(p, &pw, w);
	/* perf counts user and kernel by default; a control value needs the
	 * USR and OS bits for it */
	snprintf(ctl, sizeof(ctl), "0x%llx", (unsigned long long)
	    (pw.attr.config[0] | encode_both_rings(core)));
	return parse_count(p, core, -1, w, (struct word){ ctl, strlen(ctl) },
	    &pw);
}

/* The box type whose list of events in the model has this name; or NULL. */
static const struct box_type *
type_with_event(const struct model *m, const char *name)
{
	if (m->core != NULL && event_named(m->core, name) != NULL)
		return m->core;
	for (const struct box_type *t = m->box; t->name != NULL; t++)
		if (event_named(t, name) != NULL)
			return t;
	return NULL;
}

static void
near_events(struct near *near, const struct box_type *type)
{
	for (const struct event_name *e = type->event;
	    e != NULL && e->name != NULL; e++)
		near_try(near, e->name);
}

static int
perf_events_unknown(struct perf_parse *p, const char *name)
{
	const struct model *m = p->cfg->model;
	const char *colon = strrchr(name, ':');
	char words[NEAR_WORDS];
	struct near near;

	if (colon != NULL && (strcmp(colon, ":u") == 0 ||
	    strcmp(colon, ":k") == 0))
		return diag_place(p->why, p->at, "\"%s\": perf's modifier %s "
		    "is written %.*s:%s here, for a core event of a list", name,
		    colon, (int)(colon - name), name, colon[1] == 'u' ? "usr=1"
		    : "os=1");

	near_init(&near, name);
	for (const struct perf_name *n = perf_names; n->name != NULL; n++) {
		near_try(&near, n->name);
		if (n->alias != NULL)
			near_try(&near, n->alias);
	}
	if (m->core != NULL)
		near_events(&near, m->core);
	for (const struct box_type *t = m->box; t->name != NULL; t++)
		near_events(&near, t);
	listed_near(p->cfg, NULL, &near);
	if (near.n > 0)
		return diag_place(p->why, p->at, "there is no event \"%s\"; "
		    "did you mean %s?", name, near_words(&near, words,
		    sizeof(words)));
	return diag_place(p->why, p->at, "there is no event \"%s\": right "
	    "would be one of the kernel's (instructions, LLC-loads, "
	    "cpu-clock), PMU/TERM=NUMBER,.../, rHEX, or a name that `tallyd "
	    "--list events` has", name);
}

/* Does the list of terms contain this key with a value? */
static bool
has_term(struct word terms, struct word key)
{
	struct word one, name;

	while (terms.n > 0) {
		word_cut(&terms, ',', &one);
		word_cut(&one, '=', &name);
		if (name.n == key.n && memcmp(name.s, key.s, key.n) == 0)
			return true;
	}
	return false;
}

/* A listed event whose box no table describes: the kernel's PMU may know it.
 * What the user gives after the name changes what the list says. */
static int
add_listed(struct perf_parse *p, const struct listed_event *ev, struct word name,
    struct word more)
{
	struct perf_want pw = { .known = false, .pmu = ev->pmu,
	    .why = ev->why_not };
	struct word terms = { ev->terms, strlen(ev->terms) }, one, key;
	char text[MAX_EVENT * 2];
	size_t n = 0;

	while (terms.n > 0) {
		word_cut(&terms, ',', &one);
		key = one;
		key.n = strcspn(one.s, "=");
		if (!has_term(more, key))
			n += (size_t)snprintf(text + n, sizeof(text) - n,
			    "%.*s,", WORD_ARG(one));
	}
	n += (size_t)snprintf(text + n, sizeof(text) - n, "%.*s",
	    WORD_ARG(more));
	if (n > 0 && text[n - 1] == ',')
		n--;
	pw.terms = arena_strndup(p->cfg->arena, text, n);
	return pw.terms != NULL ? parse_kernel(p, &pw, name) : -ENOMEM;
}

/* Accept a comma in place of the colon before the terms. */
static int
with_colon(struct perf_parse *p, struct word *w)
{
	const char *comma = memchr(w->s, ',', w->n);
	char *copy;

	if (comma == NULL || memchr(w->s, ':', (size_t)(comma - w->s)) != NULL)
		return 0;
	if ((copy = arena_strndup(p->cfg->arena, w->s, w->n)) == NULL)
		return -ENOMEM;
	copy[comma - w->s] = ':';
	w->s = copy;
	return 0;
}

/* one = NAME [ (":" | ",") field "=" NUMBER { "," ... } ] | pmu | raw */
static int
add_one(struct perf_parse *p, struct word w)
{
	const struct listed_event *ev;
	const struct perf_name *n;
	const struct box_type *type;
	struct word tail, bare, none = { "", 0 };
	char name[MAX_EVENT], apart[MAX_EVENT] = "", *at;
	int rc;

	if (w.n == 0 || w.n >= sizeof(name))
		return diag_place(p->why, p->at, w.n == 0 ? "a comma with no "
		    "event beside it" : "an event of more than %d characters",
		    MAX_EVENT - 1);
	/* perf computes it itself, and every sample has its time */
	if (word_is(w, "duration_time"))
		return 0;
	if (memchr(w.s, '/', w.n) != NULL)
		return parse_pmu(p, w);
	if ((rc = parse_name(p, w)) < 0 || (rc = with_colon(p, &w)) < 0)
		return rc;
	tail = w;
	if (!word_cut(&tail, ':', &bare) ||
	    memchr(tail.s, '=', tail.n) == NULL ||
	    listed_whole(p->cfg, NULL, w))
		bare = w;
	memcpy(name, bare.s, bare.n);
	name[bare.n] = '\0';
	/* "@" and a word after it distinguish two counts of the same event */
	if ((at = strchr(name, '@')) != NULL)
		strcpy(apart, at);
	name[strcspn(name, "@")] = '\0';
	if ((n = perf_named(name)) != NULL && bare.n < w.n)
		return diag_place(p->why, p->at, "%s is the kernel's own and "
		    "takes no terms (\"%.*s\"); an event of a PMU or of an "
		    "event list does", n->name, WORD_ARG(tail));
	if (n != NULL)
		return parse_named(p, n, apart);
	if ((type = type_with_event(p->cfg->model, name)) != NULL)
		return parse_count(p, type, -1, w, none, NULL);
	ev = listed_find(p->cfg, NULL, name);
	if (ev != NULL && ev->type != NULL)
		return parse_count(p, ev->type, -1, w, none, NULL);
	if (ev != NULL && ev->terms != NULL)
		return add_listed(p, ev, w, bare.n < w.n ? tail : none);
	if (ev != NULL)
		return diag_place(p->why, p->at, "%s cannot be counted: %s",
		    ev->name, ev->why_not);
	if (is_raw(name))
		return add_raw(p, name, w);
	return perf_events_unknown(p, name);
}

/* Add every event of the list that this model can count, each in its own group. */
static int
add_all(struct perf_parse *p)
{
	struct want like = *p->like;
	const struct listed_event *ev;
	unsigned n = 0;
	int rc;

	like.optional = true;
	p->like = &like;
	for (unsigned i = 0; (ev = eventlist_at(p->cfg->list, i)) != NULL; i++) {
		struct word name = { ev->name, strlen(ev->name) };
		struct word none = { "", 0 };
		bool kernel = ev->terms != NULL && p->cfg->model->core == NULL;

		if (ev->deprecated || (ev->type == NULL && !kernel))
			continue;
		p->together = ++p->cfg->ngroup;
		rc = ev->type != NULL ? parse_count(p, ev->type, -1, name, none,
		    NULL) : add_listed(p, ev, name, none);
		if (rc < 0)
			return rc;
		n++;
	}
	return n > 0 ? 0 : diag_place(p->why, p->at, "event All: there is no "
	    "event list (event-list FILE.json before it)");
}

/* Add the events of a group, which are counted at the same time. */
static int
perf_events_add_group(struct perf_parse *p, struct word list)
{
	struct word one;
	bool more;
	int rc;

	p->together = ++p->cfg->ngroup;
	do {
		more = cut_event(&list, &one);
		if ((rc = add_one(p, one)) < 0)
			return rc;
	} while (more);
	return 0;
}

/* Parse the text between braces.  whole: the text with its braces. */
static int
between_braces(struct perf_parse *p, struct word whole, struct word *list)
{
	const char *end = memchr(whole.s, '}', whole.n);

	if (memchr(whole.s + 1, '{', whole.n - 1) != NULL)
		return diag_place(p->why, p->at, "\"%.*s\": a group inside a "
		    "group", WORD_ARG(whole));
	if (end == NULL)
		return diag_place(p->why, p->at, "the closing } of \"%.*s\" is "
		    "missing", WORD_ARG(whole));
	*list = (struct word){ whole.s + 1, (size_t)(end - whole.s) - 1 };
	if (end + 1 < whole.s + whole.n)
		return diag_place(p->why, p->at, "\"%.*s\" after a group: "
		    "perf's modifiers of one are not taken, its members have "
		    "their own terms", (int)(whole.s + whole.n - end - 1), end +
		    1);
	return 0;
}

/* group = events | item { "," item }; item = "{" events "}" | event
 * Without braces, all events of a word are one group, as in collectd; with braces,
 * those inside a pair of them are one, as in perf. */
static int
perf_events_add_word(struct perf_parse *p, struct word w)
{
	struct word one, list;
	bool more;
	int rc;

	if (memchr(w.s, '{', w.n) == NULL)
		return perf_events_add_group(p, w);
	do {
		more = cut_event(&w, &one);
		list = one;
		if ((one.n > 0 && one.s[0] == '{' &&
		    (rc = between_braces(p, one, &list)) < 0) ||
		    (rc = perf_events_add_group(p, list)) < 0)
			return rc;
	} while (more);
	return 0;
}

/* Remove quotes that a shell would have removed: '{a,b}','{c,d}'. */
static int
without_quotes(struct perf_parse *p, struct word *w)
{
	char *copy;
	size_t n = 0;

	if (memchr(w->s, '\'', w->n) == NULL)
		return 0;
	if ((copy = arena_alloc(p->cfg->arena, w->n + 1)) == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < w->n; i++)
		if (w->s[i] != '\'')
			copy[n++] = w->s[i];
	copy[n] = '\0';
	*w = (struct word){ copy, n };
	return 0;
}

int
perf_events_parse(struct config *cfg, struct scan *scan,
    const struct want *like, struct diag *why)
{
	struct perf_parse p = { .cfg = cfg, .at = scan->at, .why = why,
	    .like = like };
	struct word w;
	unsigned n = 0;
	int rc;

	for (; (rc = scan_quoted(scan, &w, why)) > 0; n++) {
		if (word_is(w, "All") || word_is(w, "all")) {
			if ((rc = add_all(&p)) < 0)
				return rc;
			continue;
		}
		if ((rc = without_quotes(&p, &w)) < 0 ||
		    (rc = perf_events_add_word(&p, w)) < 0)
			return rc;
	}
	if (rc < 0 || n > 0)
		return rc;
	return diag_place(why, scan->at, "event what?  For instance: event "
	    "instructions,cpu-cycles");
}
