/*
 * config/perf_events.c - events by the names that perf and collectd give them.
 */
#include "config/perf_events.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config/count.h"
#include "config/encode.h"
#include "config/eventlist.h"
#include "config/near.h"
#include "config/terms.h"

#define MAX_EVENT 400

struct parse {
	struct config *cfg;
	struct place at;
	struct diag *why;
	const struct want *like;
	unsigned together;              /* the number of the word's group */
};

/* The next word; one in quotes may have blanks in it. */
static int
quoted(struct scan *scan, struct word *w, struct diag *why)
{
	const char *end;

	while (scan->p < scan->stop && (*scan->p == ' ' || *scan->p == '\t'))
		scan->p++;
	if (scan->p == scan->stop)
		return 0;
	if (*scan->p != '"')
		return scan_word(scan, w);
	w->s = ++scan->p;
	end = memchr(scan->p, '"', (size_t)(scan->stop - scan->p));
	if (end == NULL)
		return diag_at(why, scan->at.file, scan->at.line, "the closing "
		    "\" is missing");
	w->n = (size_t)(end - w->s);
	scan->p = end + 1;
	return 1;
}

/* Is what begins here a term of the event before it: umask=0x3? */
static bool
is_term(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && strchr("=,:/", s[i]) == NULL)
		i++;
	return i < n && s[i] == '=';
}

/* Cut off what is before the first comma that is not between slashes and has
 * no term after it. */
static bool
cut_event(struct word *list, struct word *one)
{
	bool inside = false;

	for (size_t i = 0; i < list->n; i++) {
		if (list->s[i] == '/')
			inside = !inside;
		if (list->s[i] != ',' || inside ||
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

/* Once for each group of lprocs; of a box, once. */
static int
add_on_cores(struct parse *p, struct want *want)
{
	const struct cores *cores = want->cores;
	bool by_lproc = want->type != NULL ? want->type->scope == SCOPE_LPROC :
	    want->perf->known;
	int rc = 0;

	if (cores == NULL || !by_lproc)
		return config_add(p->cfg, want, p->why);
	want->cores = NULL;
	for (unsigned i = 0; i < cores->n && rc == 0; i++) {
		want->sum = cores->group[i].n > 1 ? &cores->group[i] : NULL;
		want->first = want->last = cores->group[i].lproc[0];
		rc = config_add(p->cfg, want, p->why);
	}
	return rc;
}

/* An event of the kernel's own, or of a PMU. */
static int
add_kernel(struct parse *p, const struct perf_want *pw, struct word name)
{
	struct want want = *p->like;
	struct perf_want *kept = arena_alloc(p->cfg->arena, sizeof(*kept));

	if (kept == NULL)
		return -ENOMEM;
	*kept = *pw;
	want.kind = WANT_PERF;
	want.type = NULL;
	want.perf = kept;
	want.together = p->together;
	want.name = arena_strndup(p->cfg->arena, name.s, name.n);
	return want.name != NULL ? add_on_cores(p, &want) : -ENOMEM;
}

static int
check_name(const struct parse *p, struct word name)
{
	for (size_t i = 0; i < name.n; i++)
		if (name.n > 120 || name.s[i] <= ' ' || name.s[i] > '~' ||
		    strchr("\"'\\[]", name.s[i]) != NULL)
			return diag_at(p->why, p->at.file, p->at.line, "\"%.*s\""
			    " cannot be the name of an event: up to 120 "
			    "letters, digits and ._:-=,/ are fine (name=TEXT "
			    "gives another)", WORD_ARG(name));
	return 0;
}

/* An event of a box, by what count_parse makes of name and encoding. */
static int
add_count(struct parse *p, const struct box_type *type, int inst,
    struct word name, struct word encoding, const struct perf_want *pw)
{
	struct want want = *p->like;
	struct scan scan = { .at = p->at, .p = encoding.s,
	    .stop = encoding.s + encoding.n, .next = encoding.s + encoding.n,
	    .end = encoding.s + encoding.n };
	struct perf_want *kept;
	int rc;

	want.type = type;
	if ((rc = count_parse(p->cfg, &scan, name, &want, p->why)) < 0)
		return rc;
	want.together = p->together;
	if (inst >= 0 && !type->single)
		want.first = want.last = (uint32_t)inst;
	if (pw != NULL) {
		if ((kept = arena_alloc(p->cfg->arena, sizeof(*kept))) == NULL)
			return -ENOMEM;
		*kept = *pw;
		want.perf = kept;
	}
	return add_on_cores(p, &want);
}

/* One of the kernel's names.  Where the core's own registers can count it, it
 * is a core event, so that it is the same whatever the access. */
static int
add_named(struct parse *p, const struct perf_name *n)
{
	const struct box_type *core = p->cfg->model->core;
	struct perf_want pw = { .attr = { .type = n->type,
	    .config = { n->config } },
	    .known = true, .family = n->type == PERF_SOFTWARE ?
	    "software_counts" : "core_counts" };
	struct word name = { n->name, strlen(n->name) };
	char code[48];

	if (n->intel == 0 || core == NULL || core->space != REG_MSR ||
	    field_named(core->field, "umask") == NULL)
		return add_kernel(p, &pw, name);
	snprintf(code, sizeof(code), "event=0x%x,umask=0x%x", n->intel & 0xffu,
	    (unsigned)n->intel >> 8);
	return add_count(p, core, -1, name, (struct word){ code,
	    strlen(code) }, &pw);
}

/* The box type of a PMU's name, its number in *inst (-1: none); or NULL. */
static const struct box_type *
type_of_pmu(const struct model *m, const char *pmu, int *inst)
{
	char base[64], name[64];
	size_t n = strlen(pmu);

	*inst = -1;
	snprintf(base, sizeof(base), "%s", pmu);
	if (m->core != NULL && (strcmp(pmu, "cpu") == 0 ||
	    strcmp(pmu, "cpu_core") == 0 || strncmp(pmu, "armv8_", 6) == 0))
		return m->core;
	while (n > 0 && n < sizeof(base) && isdigit((unsigned char)base[n - 1]))
		n--;
	if (n > 1 && n < strlen(base) && base[n - 1] == '_') {
		*inst = atoi(base + n);
		base[n - 1] = '\0';
	}
	for (const struct box_type *t = m->box; t->name != NULL; t++) {
		box_pmu(t, name, sizeof(name));
		if (strcmp(base, name) == 0 || (strncmp(name, "uncore_", 7) ==
		    0 && strcmp(base, name + 7) == 0))
			return t;
	}
	return NULL;
}

/* Are all terms fields that the model's table has, the event among them?  Then
 * they are put as count_parse wants them: bare ones are 1, name= is left out. */
static bool
plain_terms(const struct box_type *type, struct word terms, char *buf,
    size_t size)
{
	bool event = false;
	size_t n = 0;

	buf[0] = '\0';
	while (terms.n > 0) {
		struct word one, key;
		bool pair;
		char field[32];

		word_cut(&terms, ',', &one);
		pair = word_cut(&one, '=', &key);
		if (pair && word_is(key, "name"))
			continue;
		if (key.n == 0 || key.n >= sizeof(field))
			return false;
		memcpy(field, key.s, key.n);
		field[key.n] = '\0';
		if (field_named(type->field, field) == NULL &&
		    filter_named(type, key) < 0)
			return false;
		event |= word_is(key, "event");
		n += (size_t)snprintf(buf + n, size - n, "%s%s=%.*s",
		    n > 0 ? "," : "", field, pair ? (int)one.n : 1,
		    pair ? one.s : "1");
		if (n >= size)
			return false;
	}
	return event;
}

/* An event that the model's table warns of, by sysfs's name for it. */
static int
check_misleading(const struct parse *p, const struct box_type *type,
    struct word terms)
{
	struct word one;
	bool more = type != NULL;

	while (more) {
		const struct event_name *e;
		char name[64];

		more = word_cut(&terms, ',', &one);
		snprintf(name, sizeof(name), "%.*s", WORD_ARG(one));
		if ((e = event_named(type, name)) != NULL &&
		    e->misleads != NULL)
			return diag_at(p->why, p->at.file, p->at.line, "%s is "
			    "not offered: %s", e->name, e->misleads);
	}
	return 0;
}

/* pmu = NAME "/" terms "/" */
static int
add_pmu(struct parse *p, struct word w)
{
	struct word terms = w, pmu, name;
	struct perf_want pw = { .known = false };
	const struct box_type *type;
	char encoding[MAX_EVENT];
	int inst, rc;

	word_cut(&terms, '/', &pmu);
	if (pmu.n == 0 || terms.n == 0 || terms.s[terms.n - 1] != '/')
		return diag_at(p->why, p->at.file, p->at.line, "\"%.*s\" is no "
		    "event; perf's way to write one is PMU/TERM=NUMBER,.../",
		    WORD_ARG(w));
	terms.n--;
	if (memchr(terms.s, '/', terms.n) != NULL)
		return diag_at(p->why, p->at.file, p->at.line, "\"%.*s\" has a "
		    "/ too many", WORD_ARG(w));
	name = terms_name(terms);
	if (name.n == 0)
		name = terms.n > 0 && memchr(terms.s, '=', terms.n) == NULL &&
		    memchr(terms.s, ',', terms.n) == NULL ? terms : w;
	if ((rc = check_name(p, name)) < 0)
		return rc;
	pw.pmu = arena_strndup(p->cfg->arena, pmu.s, pmu.n);
	pw.terms = arena_strndup(p->cfg->arena, terms.s, terms.n);
	if (pw.pmu == NULL || pw.terms == NULL)
		return -ENOMEM;
	type = type_of_pmu(p->cfg->model, pw.pmu, &inst);
	if (type != NULL && plain_terms(type, terms, encoding,
	    sizeof(encoding)))
		return add_count(p, type, inst, name, (struct word){ encoding,
		    strlen(encoding) }, &pw);
	if ((rc = check_misleading(p, type, terms)) < 0)
		return rc;
	pw.type = type;
	return add_kernel(p, &pw, name);
}

/* raw = "r" HEX: the core PMU's config */
static bool
is_raw(struct word w)
{
	if (w.n < 2 || w.n > 17 || w.s[0] != 'r')
		return false;
	for (size_t i = 1; i < w.n; i++)
		if (!isxdigit((unsigned char)w.s[i]))
			return false;
	return true;
}

static int
add_raw(struct parse *p, struct word w)
{
	struct perf_want pw = { .known = true, .family = "core_counts",
	    .attr = { .type = PERF_RAW } };
	const struct box_type *core = p->cfg->model->core;
	char hex[24], ctl[24];

	memcpy(hex, w.s + 1, w.n - 1);
	hex[w.n - 1] = '\0';
	pw.attr.config[0] = strtoull(hex, NULL, 16);
	if (core == NULL || core->space != REG_MSR)
		return add_kernel(p, &pw, w);
	/* perf counts both rings; a control value says so itself */
	snprintf(ctl, sizeof(ctl), "0x%llx", (unsigned long long)
	    (pw.attr.config[0] | encode_both_rings(core)));
	return add_count(p, core, -1, w, (struct word){ ctl, strlen(ctl) },
	    &pw);
}

/* The type whose own list of events has the name; or NULL. */
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
unknown(struct parse *p, const char *name)
{
	const struct model *m = p->cfg->model;
	const char *listed = eventlist_near(p->cfg->list, NULL, name);
	struct near near;

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
	if (listed != NULL)
		near_try(&near, listed);
	if (near.name != NULL)
		return diag_at(p->why, p->at.file, p->at.line, "there is no "
		    "event \"%s\"; did you mean %s?", name, near.name);
	return diag_at(p->why, p->at.file, p->at.line, "there is no event "
	    "\"%s\": right would be one of the kernel's (instructions, "
	    "LLC-loads, cpu-clock), PMU/TERM=NUMBER,.../, rHEX, or one of an "
	    "event list (--event-list FILE.json)", name);
}

/* Does a list of terms give this one a value? */
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
add_listed(struct parse *p, const struct listed_event *ev, struct word name,
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
	return pw.terms != NULL ? add_kernel(p, &pw, name) : -ENOMEM;
}

/* A comma before the terms says the same as a colon. */
static int
with_colon(struct parse *p, struct word *w)
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
add_one(struct parse *p, struct word w)
{
	const struct listed_event *ev;
	const struct perf_name *n;
	const struct box_type *type;
	struct word tail, bare, none = { "", 0 };
	char name[MAX_EVENT];
	int rc;

	if (w.n == 0 || w.n >= sizeof(name))
		return diag_at(p->why, p->at.file, p->at.line, w.n == 0 ?
		    "a comma with no event beside it" : "an event of more than "
		    "%d characters", MAX_EVENT - 1);
	if (memchr(w.s, '/', w.n) != NULL)
		return add_pmu(p, w);
	if ((rc = check_name(p, w)) < 0 || (rc = with_colon(p, &w)) < 0)
		return rc;
	tail = w;
	if (!word_cut(&tail, ':', &bare) || memchr(tail.s, '=', tail.n) == NULL)
		bare = w;
	memcpy(name, bare.s, bare.n);
	name[bare.n] = '\0';
	if ((n = perf_named(name)) != NULL && bare.n < w.n)
		return diag_at(p->why, p->at.file, p->at.line, "%s is the "
		    "kernel's own and takes no terms (\"%.*s\"); an event of "
		    "a PMU or of an event list does", n->name, WORD_ARG(tail));
	if (n != NULL)
		return add_named(p, n);
	/* "@" and what follows tells two of one event apart */
	name[strcspn(name, "@")] = '\0';
	if ((type = type_with_event(p->cfg->model, name)) != NULL)
		return add_count(p, type, -1, w, none, NULL);
	ev = eventlist_find(p->cfg->list, name);
	if (ev != NULL && ev->type != NULL)
		return add_count(p, ev->type, -1, w, none, NULL);
	if (ev != NULL && ev->terms != NULL)
		return add_listed(p, ev, w, bare.n < w.n ? tail : none);
	if (ev != NULL)
		return diag_at(p->why, p->at.file, p->at.line, "%s cannot be "
		    "counted: %s", ev->name, ev->why_not);
	if (is_raw(w))
		return add_raw(p, w);
	return unknown(p, name);
}

/* Every event of the list that this model can count, each in its own group. */
static int
add_all(struct parse *p)
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
		bool kernel = ev->terms != NULL && ev->fixed < 0 &&
		    p->cfg->model->core == NULL;

		if (ev->deprecated || ev->fixed >= 0 ||
		    (ev->type == NULL && !kernel))
			continue;
		p->together = ++p->cfg->ngroup;
		rc = ev->type != NULL ? add_count(p, ev->type, -1, name, none,
		    NULL) : add_listed(p, ev, name, none);
		if (rc < 0)
			return rc;
		n++;
	}
	return n > 0 ? 0 : diag_at(p->why, p->at.file, p->at.line, "event All: "
	    "there is no event list (event-list FILE.json before it)");
}

int
perf_events_parse(struct config *cfg, struct scan *scan,
    const struct want *like, struct diag *why)
{
	struct parse p = { .cfg = cfg, .at = scan->at, .why = why,
	    .like = like };
	struct word w, one;
	unsigned n = 0;
	int rc;

	for (; (rc = quoted(scan, &w, why)) > 0; n++) {
		bool more;

		if (word_is(w, "All") || word_is(w, "all")) {
			if ((rc = add_all(&p)) < 0)
				return rc;
			continue;
		}
		p.together = ++cfg->ngroup;
		do {
			more = cut_event(&w, &one);
			if ((rc = add_one(&p, one)) < 0)
				return rc;
		} while (more);
	}
	if (rc < 0 || n > 0)
		return rc;
	return diag_at(why, scan->at.file, scan->at.line, "event what?  For "
	    "instance: event instructions,cpu-cycles");
}

/* All names of a type, as far as this CPU has them. */
static int
add_names(struct parse *p, uint32_t type)
{
	struct want like = *p->like;
	int rc = 0;

	like.optional = true;
	p->like = &like;
	for (unsigned i = 0; i < PERF_NAMES_COLLECTD && rc == 0; i++)
		if (perf_names[i].type == type)
			rc = add_named(p, &perf_names[i]);
	return rc;
}

static int
parse_cores(struct config *cfg, struct scan *scan, struct diag *why)
{
	struct cores *cores = arena_alloc(cfg->arena, sizeof(*cores));
	struct word w;
	unsigned n = 0;
	int rc;

	if (cores == NULL)
		return -ENOMEM;
	for (; (rc = quoted(scan, &w, why)) > 0; n++)
		if ((rc = cores_add(cores, cfg->arena, w, scan->at, why)) < 0)
			return rc;
	if (rc == 0 && n == 0)
		return diag_at(why, scan->at.file, scan->at.line, "cores "
		    "which?  For instance: cores \"0-3\" \"[4-7]\"; \"\" is "
		    "all of them");
	cfg->cores = cores->n > 0 ? cores : NULL;
	return rc;
}

static int
parse_event_list(struct config *cfg, struct scan *scan, struct diag *why)
{
	struct diag words = { "" };
	char path[1024];
	struct word w;
	int rc;

	if ((rc = quoted(scan, &w, why)) <= 0 || w.n >= sizeof(path))
		return rc < 0 ? rc : diag_at(why, scan->at.file,
		    scan->at.line, "event-list which?  FILE.json");
	memcpy(path, w.s, w.n);
	path[w.n] = '\0';
	if ((rc = eventlist_load(&cfg->list, cfg->model, cfg->cpu, path,
	    &words)) < 0)
		return diag_at(why, scan->at.file, scan->at.line,
		    "event-list: %.900s", words.text);
	return scan_end(scan, why);
}

/* The number of the next and last word among words[n]. */
static int
choice(struct scan *scan, struct word what, const char *const *words,
    unsigned n, struct diag *why)
{
	char list[64] = "";
	struct word w;
	int rc;

	if (scan_word(scan, &w))
		for (unsigned i = 0; i < n; i++)
			if (word_is(w, words[i]))
				return (rc = scan_end(scan, why)) < 0 ? rc :
				    (int)i;
	for (unsigned i = 0; i < n; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list),
		    "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", words[i]);
	return diag_at(why, scan->at.file, scan->at.line, "%.*s is %s",
	    WORD_ARG(what), list);
}

int
perf_switch_parse(struct config *cfg, struct scan *scan, struct word what,
    const struct want *like, struct diag *why)
{
	static const struct { const char *word; uint32_t type; } kinds[] = {
		{ "software", PERF_SOFTWARE }, { "kernel-pmu", PERF_HARDWARE },
		{ "hardware-cache", PERF_HW_CACHE },
	};
	static const char *const words[] = { "on", "off", "type" };
	struct parse p = { .cfg = cfg, .at = scan->at, .why = why,
	    .like = like };
	int n;

	if (word_is(what, "cores"))
		return parse_cores(cfg, scan, why);
	if (word_is(what, "event-list"))
		return parse_event_list(cfg, scan, why);
	if (word_is(what, "dispatch")) {
		if ((n = choice(scan, what, words, 3, why)) < 0)
			return n;
		cfg->dispatch = n == 0 ? DISPATCH_ON : n == 1 ? DISPATCH_OFF :
		    DISPATCH_TYPE;
		return 0;
	}
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!word_is(what, kinds[i].word))
			continue;
		if ((n = choice(scan, what, words, 2, why)) < 0)
			return n;
		return n == 0 ? add_names(&p, kinds[i].type) : 0;
	}
	return -ENOENT;
}
