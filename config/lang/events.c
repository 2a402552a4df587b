/*
 * config/lang/events.c - the configuration language: statements and boxes.
 */
#include "config/lang/events.h"

#include <errno.h>
#include <string.h>

#include "config/encode.h"
#include "config/lang/readable.h"
#include "config/lang/site.h"
#include "config/lang/statements.h"
#include "config/suggest.h"
#include "regs/access.h"

#define MAX_RANGES 32
#define MAX_PKG_NUMBER 1023

struct range {
	uint32_t first, last;
};

/* box = NAME [ "[" [ pkg "/" ] list "]" ], as read */
struct box_ref {
	const struct box_type *type;
	int pkg;
	struct range range[MAX_RANGES];
	unsigned nrange;
};

struct conf {
	struct config *cfg;
	struct scan scan;               /* its file is in the arena */
	struct diag *why;
	unsigned set;
	bool optional;
};

static struct want
events_new_want(const struct conf *p, enum want_kind kind)
{
	return (struct want) {
		.kind = kind, .pkg = ALL_PKG, .first = 0, .last = ALL_INST,
		.counter = -1, .optional = p->optional, .set = p->set,
		.file = p->scan.at.file, .line = p->scan.at.line,
	};
}

/* Add the want once for each range of boxes. */
static int
add_ranges(struct conf *p, struct want *want, const struct box_ref *ref)
{
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < ref->nrange; i++) {
		want->pkg = ref->pkg;
		want->first = ref->range[i].first;
		want->last = ref->range[i].last;
		rc = config_add(p->cfg, want, p->why);
	}
	return rc;
}

/* range = NUMBER [ "-" NUMBER ] | "*" */
static int
parse_range(struct conf *p, struct word w, const struct box_type *type,
    struct range *r)
{
	bool core = type->scope == SCOPE_LPROC;
	const char *what = core ? "lproc" : "box";
	struct place at = p->scan.at;
	struct word first;
	uint64_t lo, hi;
	bool two;
	int rc;

	*r = (struct range) { 0, ALL_INST };
	if (word_is(w, "*"))
		return 0;
	two = word_cut(&w, '-', &first);
	if ((rc = scan_number(first, what, MAX_LPROCS - 1, &lo, at, p->why)) < 0)
		return rc;
	hi = lo;
	if (two && (rc = scan_number(w, what, MAX_LPROCS - 1, &hi, at, p->why)) < 0)
		return rc;
	if (lo > hi)
		return diag_place(p->why, at, "%s range %u-%u runs backwards",
		    what, (unsigned)lo, (unsigned)hi);
	if (!core && hi >= type->instances && type->instances == 1)
		return diag_place(p->why, at, "there is no %s %u: a package "
		    "has one, number 0 (of package 1: [1/0])", type->name,
		    (unsigned)hi);
	if (!core && hi >= type->instances)
		return diag_place(p->why, at, "there is no %s %u: they are 0 "
		    "to %u in each package (of package 1: [1/%u])", type->name,
		    (unsigned)hi, type->instances - 1u, type->instances - 1u);
	*r = (struct range) { (uint32_t)lo, (uint32_t)hi };
	return 0;
}

/* list = range { "," range } */
static int
events_parse_list(struct conf *p, struct word list, struct box_ref *ref)
{
	struct word item;
	bool more;
	int rc;

	ref->nrange = 0;
	do {
		more = word_cut(&list, ',', &item);
		if (ref->nrange == MAX_RANGES)
			return diag_place(p->why, p->scan.at, "more than %d "
			    "ranges of boxes; use several lines", MAX_RANGES);
		if ((rc = parse_range(p, item, ref->type,
		    &ref->range[ref->nrange++])) < 0)
			return rc;
	} while (more);
	return 0;
}

/* Parses which boxes a statement is of: box = NAME [ "[" [ pkg "/" ] list "]" ].  0, or
 * -EINVAL with words. */
static int
parse_box(struct conf *p, struct word w, struct box_ref *ref)
{
	const char *file = p->scan.at.file;
	unsigned line = p->scan.at.line;
	struct word name, pkg, rest;
	uint64_t v;
	int rc;

	bool listed = word_cut(&w, '[', &name);

	*ref = (struct box_ref) { .type = box_named(p->cfg->model, name),
	    .pkg = ALL_PKG, .range = { { 0, ALL_INST } }, .nrange = 1 };
	if (ref->type == NULL)
		return no_box(p->cfg, &p->scan, name, p->why);
	if (!listed)
		return 0;
	if (w.n == 0 || w.s[w.n - 1] != ']')
		return diag_at(p->why, file, line, "the boxes in [ ] have no "
		    "] at their end: %s[0-3], without blanks", ref->type->name);
	w.n--;
	rest = w;
	if (word_cut(&rest, '/', &pkg)) {
		w = rest;
		if (!word_is(pkg, "*")) {
			if ((rc = scan_number(pkg, "package", MAX_PKG_NUMBER, &v,
			    p->scan.at, p->why)) < 0)
				return rc;
			ref->pkg = (int)v;
		}
	}
	return events_parse_list(p, w, ref);
}

/* fixed = box "fixed" */
static int
parse_fixed(struct conf *p, const struct box_ref *ref)
{
	const struct model *model = p->cfg->model;
	struct want want = events_new_want(p, WANT_FIXED);
	char have[128] = "";
	int rc;

	if ((rc = scan_end(&p->scan, p->why)) < 0)
		return rc;
	want.type = ref->type;
	if (ref->type->fixed.name != NULL ||
	    (ref->type == model->core && model->fixed != NULL))
		return add_ranges(p, &want, ref);
	if (model->fixed != NULL)
		choices_add(have, sizeof(have), "core");
	for (const struct box_type *b = model->box; b->name != NULL; b++)
		if (b->fixed.name != NULL)
			choices_add(have, sizeof(have), b->name);
	if (have[0] == '\0')
		return diag_place(p->why, p->scan.at, "%s has no fixed "
		    "counter, nor has another box of %s", ref->type->name,
		    model->title);
	return diag_place(p->why, p->scan.at, "%s has no fixed counter; %s "
	    "have", ref->type->name, have);
}

/* filter = box FILTER "=" NUMBER { FILTER "=" NUMBER } */
static int
parse_filters(struct conf *p, struct word w, const struct box_ref *ref)
{
	const char *file = p->scan.at.file;
	unsigned line = p->scan.at.line, seen = 0;
	struct word name;
	char have[128];
	int rc, f;

	do {
		struct want want = events_new_want(p, WANT_FILTER);
		bool pair = word_cut(&w, '=', &name);

		if (pair && memchr(name.s, ',', name.n) != NULL)
			return diag_at(p->why, file, line, "a blank stands "
			    "between an event and its fields: %s %.*s %.*s=%.*s",
			    ref->type->name, (int)strcspn(name.s, ","), name.s,
			    (int)(name.n - strcspn(name.s, ",") - 1),
			    name.s + strcspn(name.s, ",") + 1, WORD_ARG(w));
		if (!pair || (f = filter_named(ref->type, name)) < 0)
			return diag_at(p->why, file, line, "%s has no filter "
			    "\"%.*s\"; its filters: %s (to count an event, its "
			    "name comes first: %s NAME event=0x..)",
			    ref->type->name, WORD_ARG(name),
			    choices_filters(ref->type, have, sizeof(have)),
			    ref->type->name);
		if ((seen & 1u << f) != 0)
			return diag_at(p->why, file, line, "two values for %s; "
			    "the counters of a box share it, so it has one",
			    ref->type->filter[f].name);
		seen |= 1u << f;
		if ((rc = scan_number(w, ref->type->filter[f].name, UINT64_MAX,
		    &want.ctl, p->scan.at, p->why)) < 0 ||
		    (rc = encode_filter(ref->type, (unsigned)f, want.ctl, 0,
		    p->scan.at, p->why)) < 0)
			return rc;
		want.type = ref->type;
		want.name = ref->type->filter[f].name;
		want.filters = 1u << f;
		want.filter[f] = want.ctl;
		if ((rc = add_ranges(p, &want, ref)) < 0)
			return rc;
	} while (scan_word(&p->scan, &w));
	return 0;
}

/* "read" ( NAME... [ every ] | raw | file ); raw: config/lang/readable.c; file:
 * config/lang/file_read.c */
static int
parse_read(struct conf *p)
{
	struct want want = events_new_want(p, WANT_READ);
	struct word w;
	int rc, n = 0;

	for (; scan_word(&p->scan, &w); n++) {
		if (n == 0 && (raw_read_is(w) || file_read_is(w))) {
			rc = file_read_is(w) ? file_read_parse(p->cfg,
			    &p->scan, w, &want, p->why) :
			    raw_read_parse(p->cfg, &p->scan, w, &want, p->why);
			return rc < 0 ? rc : config_add(p->cfg, &want, p->why);
		}
		if (n == 0 && (rc = every_ahead(&p->scan, &want.every,
		    p->why)) < 0)
			return rc;
		if (n > 0 && word_is(w, "every"))
			return 0;               /* which has been read */
		if ((rc = readable_name(p->cfg, w, &want.name, p->scan.at,
		    p->why)) < 0 ||
		    (rc = config_add(p->cfg, &want, p->why)) < 0)
			return rc;
	}
	if (n == 0)
		return diag_place(p->why, p->scan.at, "read what?  For "
		    "instance: read aperf mperf");
	return 0;
}

/* "set" NAME: the statements below it belong to that set */
static int
parse_set(struct conf *p)
{
	struct word w;
	int rc;

	if (!scan_word(&p->scan, &w))
		return diag_place(p->why, p->scan.at, "a set needs a name: set "
		    "io");
	if (!word_is_label(w, 64))
		return diag_place(p->why, p->scan.at, "\"%.*s\" is no name for "
		    "a set: letters and digits, 64 at most", WORD_ARG(w));
	if ((rc = scan_end(&p->scan, p->why)) < 0 ||
	    (rc = config_set(p->cfg, w)) < 0)
		return rc;
	p->set = (unsigned)rc;
	return 0;
}

/* "event" group..., and statements that switch many events on or off (collectd.c) */
static int
parse_perf(struct conf *p, struct word w)
{
	struct want like = events_new_want(p, WANT_PERF);

	like.cores = p->cfg->cores;
	like.dispatch = p->cfg->dispatch;
	if (word_is(w, "<Plugin"))
		return collectd_parse(p->cfg, &p->scan, &like, p->why);
	if (word_is(w, "event"))
		return perf_events_parse(p->cfg, &p->scan, &like, p->why);
	return perf_switch_parse(p->cfg, &p->scan, w, &like, p->why);
}

static int
events_parse_count(struct conf *p, struct word name, const struct box_ref *ref)
{
	struct want want = events_new_want(p, WANT_EVENT);
	int rc;

	want.type = ref->type;
	if ((rc = count_parse(p->cfg, &p->scan, name, &want, p->why)) < 0)
		return rc;
	return add_ranges(p, &want, ref);
}

/* Refuse an event of a box after a `cores` statement, which holds for `event` lines
 * only. */
static int
cores_hold(const struct conf *p, const struct box_ref *ref)
{
	bool core = ref->type->scope == SCOPE_LPROC;

	if (p->cfg->cores == NULL)
		return 0;
	return diag_place(p->why, p->scan.at, "the cores of line %u hold for "
	    "lines that begin with event; %s%s", p->cfg->cores-> at.line, core ?
	    "some lprocs are counted by core[0-3] NAME, and " : "", "cores "
	    "\"\" ends the list");
}

/* Refuse "imc 0 EVENT", which has to be imc[0] EVENT. */
static int
number_apart(const struct conf *p, struct word first, const struct box_ref *ref)
{
	struct scan rest = p->scan;
	struct word event;

	for (size_t i = 0; i < first.n; i++)
		if (first.s[i] < '0' || first.s[i] > '9')
			return 0;
	if (!scan_word(&rest, &event) || memchr(event.s, '=', event.n) != NULL ||
	    (event.s[0] >= '0' && event.s[0] <= '9'))
		return 0;
	return diag_place(p->why, p->scan.at, "the number of a box stands in "
	    "brackets: %s[%.*s] %.*s", ref->type->name, WORD_ARG(first),
	    WORD_ARG(event));
}

/* statement = [ "optional" ] ( count | filter | fixed | read | soc )
 *           | set | constant | option | report */
static int
parse_statement(struct conf *p)
{
	struct box_ref ref;
	struct word w, next, head;
	int rc;

	scan_word(&p->scan, &w);        /* scan_line has seen to it */
	if (word_is(w, "set"))
		return parse_set(p);
	if (word_is(w, "option"))
		return option_line_held(p->cfg->options, &p->scan, p->why);
	if (word_is(w, "report"))
		return run_report_parse(p->cfg, &p->scan, p->why);
	if (word_is(w, "peak"))
		return peaks_parse(p->cfg, &p->scan, p->why);
	if (word_is(w, "constant") && p->cfg->model->soc != NULL)
		return constant_parse(p->cfg, &p->scan, p->why);
	p->optional = word_is(w, "optional");
	if (p->optional && (!scan_word(&p->scan, &w) || word_is(w, "optional")))
		return diag_place(p->why, p->scan.at, "optional is a word "
		    "before a statement: optional upi NAME event=0x..");
	if (word_is(w, "read"))
		return parse_read(p);
	if (word_is(w, "soc") && p->cfg->model->soc != NULL) {
		const struct want like = events_new_want(p, WANT_SOC);

		return soc_parse(p->cfg, &p->scan, &like, p->why);
	}
	if ((rc = parse_perf(p, w)) != -ENOENT)
		return rc;
	if ((rc = parse_box(p, w, &ref)) < 0)
		return rc;
	if (!scan_word(&p->scan, &next))
		return diag_place(p->why, p->scan.at, "what of %s?  An event "
		    "(%s NAME event=0x..,umask=0x..), a filter (FILTER=0x..) "
		    "or fixed", ref.type->name, ref.type->name);
	if ((rc = cores_hold(p, &ref)) < 0 ||
	    (rc = number_apart(p, next, &ref)) < 0)
		return rc;
	if (word_is(next, "fixed"))
		return parse_fixed(p, &ref);
	w = next;
	word_cut(&w, '=', &head);
	if (head.n < next.n && memchr(head.s, ':', head.n) == NULL)
		return parse_filters(p, next, &ref);
	return events_parse_count(p, next, &ref);
}

int
config_statement(struct config *cfg, struct scan *scan, unsigned *set,
    struct diag *why)
{
	struct conf p = { .cfg = cfg, .scan = *scan, .set = *set, .why = why };
	int rc = parse_statement(&p);

	*scan = p.scan;
	*set = p.set;
	return rc;
}
