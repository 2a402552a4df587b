/*
 * config/lang/collectd.c - parse the configuration of collectd's intel_pmu plugin by
 * turning its lines into statements of our language.
 */
#include "config/lang/statements.h"

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
