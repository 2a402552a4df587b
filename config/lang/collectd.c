/*
 * config/lang/collectd.c - statements that apply to the events after them (cores,
 * dispatch, event-list) or add many events (software, kernel-pmu, hardware-cache), and
 * the configuration of collectd's intel_pmu plugin, which is turned into these.
 */
#include "config/lang/statements.h"

#include "config/eventlist.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MAX_HELD 64             /* HardwareEvents before their Cores */

struct plugin_block {
	struct config *cfg;
	struct want like;
	struct diag *why;
	struct scan held[MAX_HELD];
	unsigned nheld;
};

static bool
collectd_is(struct word w, const char *s)
{
	return w.n == strlen(s) && strncasecmp(w.s, s, w.n) == 0;
}

static bool
is_end(struct word w)
{
	return w.n >= 8 && strncasecmp(w.s, "</Plugin", 8) == 0;
}

/* The options of two versions of the plugin: DispatchMultiPmu (EVENT:type=N for
 * each box) and the later AggregateUncorePMUs (off: a column for each box).
 * With registers, boxes have no such numbers, and tally adds them up. */
static enum dispatch
boxes_of(bool multi, bool yes)
{
	return multi ? yes ? DISPATCH_TYPE : DISPATCH_OFF : yes ? DISPATCH_OFF :
	    DISPATCH_ON;
}

/* Parse true, yes or on (1), or false, no or off (0); or -EINVAL. */
static int
truth(struct scan *scan, struct word what, struct diag *why)
{
	struct word w = { "", 0 };
	int rc = scan_quoted(scan, &w, why);
	bool yes = collectd_is(w, "true") || collectd_is(w, "yes") ||
	    collectd_is(w, "on");

	if (rc < 0 || (rc > 0 &&
	    (yes || collectd_is(w, "false") || collectd_is(w, "no") ||
	    collectd_is(w, "off"))))
		return rc < 0 ? rc : yes;
	return diag_place(why, scan->at, "%.*s is true or false",
	    WORD_ARG(what));
}

/* Read the options that apply to the whole block, wherever they are in it. */
static int
look_through(struct plugin_block *b, struct scan scan, bool report[3])
{
	static const char *const reports[] = { "ReportHardwareCacheEvents",
		"ReportKernelPMUEvents", "ReportSoftwareEvents" };
	struct word w;
	int rc, yes;

	while ((rc = scan_line(&scan, b->why)) > 0 && scan_word(&scan, &w) &&
	    !is_end(w)) {
		bool dispatch = collectd_is(w, "DispatchMultiPmu");

		if (collectd_is(w, "HardwareEvents") || collectd_is(w, "Cores"))
			continue;
		if (collectd_is(w, "EventList")) {
			if ((rc = perf_switch_parse(b->cfg, &scan, (struct word){
			    "event-list", 10 }, &b->like, b->why)) < 0)
				return rc;
			continue;
		}
		for (yes = 0; yes < 3 && !collectd_is(w, reports[yes]);)
			yes++;
		if (yes < 3) {
			if ((rc = truth(&scan, w, b->why)) < 0)
				return rc;
			report[yes] = rc;
		} else if (dispatch || collectd_is(w, "AggregateUncorePMUs")) {
			if ((rc = truth(&scan, w, b->why)) < 0)
				return rc;
			b->like.dispatch = b->cfg->dispatch =
			    boxes_of(dispatch, rc);
			b->like.dispatch_if = true;
		} else
			return diag_place(b->why, scan.at, "%.*s: of "
			    "collectd's intel_pmu there are here "
			    "HardwareEvents, Cores, EventList, "
			    "Report...Events, DispatchMultiPmu and "
			    "AggregateUncorePMUs; its Interval is --interval",
			    WORD_ARG(w));
	}
	return rc < 0 ? rc : rc > 0 ? 0 : diag_place(b->why, scan.at,
	    "</Plugin> is missing");
}

/* Record an event that cannot be counted; the others are counted. */
static int
collectd_leave_out(struct plugin_block *b)
{
	struct left_unread *u = arena_alloc(b->cfg->arena, sizeof(*u));
	const char *text = b->why->text;

	if (u == NULL || (u->why = arena_strndup(b->cfg->arena, text,
	    strlen(text))) == NULL)
		return -ENOMEM;
	u->next = b->cfg->unread;
	b->cfg->unread = u;
	return 0;
}

/* Add the events of a line, one group at a time. */
static int
put_groups(struct plugin_block *b, struct scan *line)
{
	struct scan one;
	struct word w;
	int rc;

	b->like.line = line->at.line;
	for (one = *line; (rc = scan_quoted(line, &w, b->why)) > 0;
	    one = *line) {
		one.stop = line->p;
		rc = perf_events_parse(b->cfg, &one, &b->like, b->why);
		if (rc == -EINVAL)
			rc = collectd_leave_out(b);
		if (rc < 0)
			return rc;
	}
	return rc;
}

/* Add the events since the last Cores line, for the cores of this one. */
static int
put_held(struct plugin_block *b)
{
	int rc = 0;

	b->like.cores = b->cfg->cores;
	for (unsigned i = 0; i < b->nheld && rc == 0; i++)
		rc = put_groups(b, &b->held[i]);
	b->nheld = 0;
	return rc;
}

static int
put_events(struct plugin_block *b, struct scan *scan)
{
	struct word w;
	int rc;

	while ((rc = scan_line(scan, b->why)) > 0 && scan_word(scan, &w) &&
	    !is_end(w)) {
		if (collectd_is(w, "HardwareEvents")) {
			if (b->nheld == MAX_HELD)
				return diag_place(b->why, scan->at, "more than "
				    "%d HardwareEvents for one Cores",
				    MAX_HELD);
			b->held[b->nheld++] = *scan;
		} else if (collectd_is(w, "Cores") &&
		    ((rc = perf_switch_parse(b->cfg,
		    scan, (struct word){ "cores", 5 }, &b->like, b->why)) < 0 ||
		    (rc = put_held(b)) < 0))
			return rc;
	}
	return rc;
}

int
collectd_parse(struct config *cfg, struct scan *scan, const struct want *like,
    struct diag *why)
{
	static const char *const word[] = { "hardware-cache on", "kernel-pmu on",
		"software on" };
	struct plugin_block b = { .cfg = cfg, .like = *like, .why = why };
	const struct cores *cores = cfg->cores;
	bool report[3] = { false };
	struct word name, w;
	int rc;

	if (!scan_word(scan, &name) || !(collectd_is(name, "intel_pmu>") ||
	    collectd_is(name, "\"intel_pmu\">")))
		return -ENOENT;
	b.like.optional = true;
	cfg->cores = NULL;
	if ((rc = look_through(&b, *scan, report)) < 0 ||
	    (rc = put_events(&b, scan)) < 0)
		return rc;
	/* events after the last Cores line use its list; without any, all lprocs */
	for (unsigned i = 0; i < 3; i++) {
		struct scan line;

		b.like.cores = cfg->cores;
		scan_init(&line, scan->at.file, word[i], strlen(word[i]));
		if (report[i] && (scan_line(&line, why) <= 0 ||
		    !scan_word(&line, &w) || perf_switch_parse(cfg, &line, w,
		    &b.like, why) < 0))
			return -EINVAL;
	}
	cfg->cores = NULL;
	rc = put_held(&b);
	cfg->cores = cores;
	cfg->dispatch = like->dispatch;
	return rc;
}

/* ---- statements for the events after them -------------------------------- */

/* Add all of the kernel's events of a type that this CPU has. */
static int
add_names(struct perf_parse *p, uint32_t type)
{
	struct want like = *p->like;
	int rc = 0;

	like.optional = true;
	p->like = &like;
	for (unsigned i = 0; i < PERF_NAMES_COLLECTD && rc == 0; i++)
		if (perf_names[i].type == type)
			rc = parse_named(p, &perf_names[i], "");
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
	for (; (rc = scan_quoted(scan, &w, why)) > 0; n++)
		if ((rc = cores_add(cores, cfg->arena, w, scan->at, why)) < 0)
			return rc;
	if (rc == 0 && n == 0)
		return diag_place(why, scan->at, "cores which?  For instance: "
		    "cores \"0-3\" \"[4-7]\"; \"\" is all of them");
	if (cores->n == 0) {
		cfg->cores = NULL;
		return rc;
	}
	cores->at = scan->at;
	cores->before = cfg->cores_said;
	cfg->cores = cfg->cores_said = cores;
	return rc;
}

static int
parse_event_list(struct config *cfg, struct scan *scan, struct diag *why)
{
	struct diag words = { "" };
	char path[1024];
	struct word w;
	int rc;

	if ((rc = scan_quoted(scan, &w, why)) <= 0 || w.n >= sizeof(path))
		return rc < 0 ? rc : diag_place(why, scan->at, "event-list "
		    "which?  FILE.json");
	memcpy(path, w.s, w.n);
	path[w.n] = '\0';
	if (eventlist_load(&cfg->list, cfg->model, cfg->cpu, path,
	    &words) < 0)
		return diag_place(why, scan->at, "event-list: %.900s",
		    words.text);
	return scan_end(scan, why);
}

/* Scan the last word of the line, and return its index in words[n]. */
static int
perf_switch_choice(struct scan *scan, struct word what,
    const char *const *words, unsigned n, struct diag *why)
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
	return diag_place(why, scan->at, "%.*s is %s%s", WORD_ARG(what), list, n
	    == 2 ? "; one of its events is written event NAME" : "");
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
	struct perf_parse p = { .cfg = cfg, .at = scan->at, .why = why,
	    .like = like };
	int n;

	if (word_is(what, "cores"))
		return parse_cores(cfg, scan, why);
	if (word_is(what, "event-list"))
		return parse_event_list(cfg, scan, why);
	if (word_is(what, "dispatch")) {
		if ((n = perf_switch_choice(scan, what, words, 3, why)) < 0)
			return n;
		cfg->dispatch = n == 0 ? DISPATCH_ON : n == 1 ? DISPATCH_OFF :
		    DISPATCH_TYPE;
		return 0;
	}
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!word_is(what, kinds[i].word))
			continue;
		if ((n = perf_switch_choice(scan, what, words, 2, why)) < 0)
			return n;
		return n == 0 ? add_names(&p, kinds[i].type) : 0;
	}
	return -ENOENT;
}
