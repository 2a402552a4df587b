/*
 * postproc/pages/checks.c - is a dump sound: each interval (check_interval.c), the file
 * and the run as a whole, and what the head says.
 */
#include "postproc/pages/checks.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/metrics/figure_notes.h"
#include "lib/printable.h"

/* The median of the lengths of intervals, right to 2 %. */
static double
lengths_median(const struct check_lengths *l)
{
	uint64_t below = 0;
	int i = 0;

	while ((below += l->bucket[i]) * 2 < l->n)
		i++;
	return exp2((i + 0.5) / CHECK_PER_OCTAVE - 32);
}

static void
check_lengths(struct check *c)
{
	double planned = head_number(c->reader, HEAD_INTERVAL, ALONE,
	    lengths_median(&c->lengths));

	for (int i = 0; i < CHECK_LONGEST; i++) {
		double times = (double)c->lengths.longest[i].multiple;
		double s = c->lengths.longest[i].seconds;

		if (s > 1.5 * planned)
			finding_at(&c->findings, "late",
			    c->lengths.longest[i].sample,
			    c->lengths.longest[i].sample, "%.3f s after the "
			    "one before; planned are %.3g s%s", s * times,
			    planned * times,
			    i == CHECK_LONGEST - 1 ? "; there may be more" : "");
	}
}

/* Is a box absent because such a CPU does not have it?  These are the daemon's words;
 * absence for any other reason must not be overlooked. */
static bool
by_design(const char *reason)
{
	static const char *const of[] = { "fused off", "not on this part",
	    "not in the discovery table" };

	for (unsigned i = 0; i < sizeof(of) / sizeof(of[0]); i++)
		if (strncmp(reason, of[i], strlen(of[i])) == 0)
			return true;
	return false;
}

/* Is "no PCI function 7f:15.0" all that is said of a box? */
static bool
lacks_function(const char *reason)
{
	static const char words[] = "no PCI function ";

	return strncmp(reason, words, strlen(words)) == 0 &&
	    strchr(reason + strlen(words), ' ') == NULL;
}

/* Boxes of one type that are absent for the same reason, as the head has them. */
struct absent {
	const struct constant *first;
	uint64_t last;          /* the number of the last one */
	unsigned n;
};

/* Does box k belong to the boxes of a, so that one note serves them all?  It does if it has the
 * next number in the same package and is absent for the same reason, or if the PCI functions
 * of it and of them are not there. */
static bool
is_of_run(const struct absent *a, const struct constant *k)
{
	const struct constant *first = a->first;

	if (a->n == 0 || strcmp(k->at.name[0], first->at.name[0]) != 0)
		return false;
	if (lacks_function(k->text) && lacks_function(first->text))
		return true;
	return k->at.n[1] == a->last + 1 && k->at.n[0] == first->at.n[0] &&
	    strcmp(k->text, first->text) == 0;
}

/* Notes absent boxes: "CHA 24-27 of package 0 absent: fused off", "IMC 2 of package 0 and 7
 * more absent: no PCI function 7f:15.0, and so on". */
static void
note_run(struct check *c, const struct absent *a)
{
	const struct head_at *at = &a->first->at;
	bool functions = a->n > 1 && lacks_function(a->first->text);
	struct finding *f;
	char to[24] = "", more[24] = "";

	if (functions)
		snprintf(more, sizeof(more), " and %u more", a->n - 1);
	else if (a->n > 1)
		snprintf(to, sizeof(to), "-%" PRIu64, a->last);
	f = finding_add(&c->findings, "unit", "%s %" PRIu64 "%s of package %"
	    PRIu64 "%s absent: %s%s", at->name[0], at->n[1], to, at->n[0],
	    more, a->first->text, functions ? ", and so on" : "");
	if (f != NULL) {
		f->note = true;
		f->usual = by_design(a->first->text);
	}
}

static void
note_units(struct check *c)
{
	struct absent run = { .n = 0 };

	for (unsigned i = 0; i < read_constants(c->reader); i++) {
		const struct constant *k = read_constant(c->reader, i);

		if (k->key != HEAD_UNIT_ABSENT)
			continue;
		if (!is_of_run(&run, k)) {
			if (run.n > 0)
				note_run(c, &run);
			run = (struct absent){ .first = k };
		}
		run.last = k->at.n[1];
		run.n++;
	}
	if (run.n > 0)
		note_run(c, &run);
}

/* Notes registers and files that the user gave, which no table of ours describes. */
static void
note_raw(struct check *c)
{
	for (unsigned i = 0; i < read_constants(c->reader); i++) {
		const struct constant *k = read_constant(c->reader, i);
		struct finding *f;

		if (k->key == HEAD_RAW_READ && (f = finding_add(&c->findings,
		    "raw", "%s is a %s of the user's own: %s",
		    k->at.name[0], strncmp(k->text, "file=", 5) == 0 ?
		    "file" : "register", k->text)) != NULL)
			f->note = true;
	}
}

/* Notes energy that the node has registers for, but does not count. */
static void
note_uncounted(struct check *c)
{
	const struct doubts *d = intervals_doubts(c->iv);
	char units[400];
	unsigned to;

	for (unsigned i = 0; i < d->nuncounted; i = to) {
		const struct family *f = read_column(c->reader,
		    d->uncounted[i])->id.family;
		struct finding *note;

		for (to = i + 1; to < d->nuncounted && read_column(c->reader,
		    d->uncounted[to])->id.family == f; to++)
			;
		if (unit_words(c->reader, d->uncounted + i, to - i, units,
		    sizeof(units)) == NULL)
			return;
		note = finding_add(&c->findings, "uncounted", "%s%s: not "
		    "counted here: it never moved", f->name, units);
		if (note != NULL)
			note->note = true;
	}
}

/* Notes packages none of whose boxes of a type counted anything. */
static void
check_idle(struct check *c)
{
	struct idle_boxes idle;
	struct finding *f;

	for (unsigned at = 0; doubts_idle(intervals_doubts(c->iv), c->reader,
	    &at, &idle); ) {
		f = finding_add(&c->findings, "stopped", "no counter of the %u "
		    "%ss of package %u moved in the whole run, though all %ss "
		    "of package %u counted: nothing of what they count happens "
		    "there (no device at work?), or they are not programmed",
		    idle.n, idle.type, idle.package, idle.type, idle.moved);
		if (f != NULL)
			f->note = true;
	}
}

/* How a finding about all constants of one key is worded: the first one is quoted, the
 * others are counted. */
struct noted {
	enum head_key key;
	const char *word, *says, *more;
};

static void
check_notes(struct check *c, const struct noted *what)
{
	const struct constant *first = NULL;
	unsigned n = 0;

	for (unsigned i = 0; i < read_constants(c->reader); i++) {
		const struct constant *k = read_constant(c->reader, i);

		if (k->key == what->key && k->text != NULL && n++ == 0)
			first = k;
	}
	if (n == 1)
		finding_add(&c->findings, what->word, "%s: %s", what->says,
		    first->text);
	else if (n > 1)
		finding_add(&c->findings, what->word, "%s: %s; %s %u more",
		    what->says, first->text, what->more, n - 1);
}

/* Reports counters that stopped at their end instead of wrapping, and turns of event sets
 * that are in no count. */
static void
check_stopped(struct check *c)
{
	static const struct noted noted[] = {
		{ HEAD_COUNTER_STOPPED, "stopped", "absent, as the counter had "
		    "stopped at its end", "and so had" },
		{ HEAD_TURN_LOST, "turn", "turns of a set that are in no count",
		    "and" },
	};

	for (size_t i = 0; i < sizeof(noted) / sizeof(noted[0]); i++)
		check_notes(c, &noted[i]);
}

/* Notes event sets that counted for less than half as much time as the average set.
 * Where each sample is a turn, there have to be at least four rounds to tell. */
static void
check_sets(struct check *c)
{
	unsigned n = c->gather != NULL ? gather_sets(c->gather) : 0;
	struct finding *f;
	double all = 0, share;

	if (n < 2 || (head_number(c->reader, HEAD_TURNS, ALONE, 0) == 0 &&
	    intervals_samples(c->iv) < 4 * (uint64_t)n))
		return;
	for (unsigned i = 0; i < n; i++) {
		gather_set(c->gather, i, &share);
		all += share;
	}
	for (unsigned i = 0; i < n; i++) {
		const char *name = gather_set(c->gather, i, &share);

		if (share >= 0.5 * all / n)
			continue;
		f = finding_add(&c->findings, "turn", "event set %s counted "
		    "%.2g %% of the time, less than half of its share, %.3g %%: "
		    "its figures rest on little; see who else uses the "
		    "counters (tallyd --check), or have fewer sets", name,
		    100 * share, 100 * all / n);
		if (f != NULL)
			f->note = true;
	}
}

/* Reports segments of a run that do not continue where the one before ended. */
static void
check_seams(struct check *c)
{
	const struct seam *m;
	struct finding *f;

	for (unsigned i = 0; (m = read_seam(c->reader, i)) != NULL; i++) {
		if (m->kind == SEAM_MISSING)
			f = finding_at(&c->findings, "seam", m->sample,
			    m->sample, "%" PRIu64 " sample%s missing before "
			    "%s: a difference goes over %.6g s", m->missing,
			    m->missing == 1 ? " is" : "s are", m->path,
			    m->seconds);
		else
			f = finding_at(&c->findings, "seam", m->sample,
			    m->sample, "%s before %s, and nobody sampled for "
			    "%.6g s: no difference goes over that%s",
			    m->kind == SEAM_REBOOT ? "the node was booted" :
			    m->kind == SEAM_RELOAD ? "the configuration was "
			    "read again" :
			    "the daemon was started anew", m->path,
			    m->seconds, m->seconds < 0 ? "; the wall clock "
			    "went back" : "");
		/* missing samples are reported as a gap, so this is a note */
		if (f != NULL)
			f->note = m->kind == SEAM_MISSING || m->seconds >= 0;
	}
}


/* Reports what is wrong with the file, and with the run as a whole. */
static void
check_file(struct check *c, const struct select *select)
{
	static const char *const word[PROBLEM_KINDS] = { "garbage", "value",
	    "duplicate", "order", "truncated" };
	double samples = head_number(c->reader, HEAD_SAMPLES, ALONE, 0);
	double missed = head_number(c->reader, HEAD_MISSED_DEADLINES, ALONE, 0);
	double lost = head_number(c->reader, HEAD_NOTES_LOST, ALONE, 0);
	const struct read_problem *p;
	bool whole = select->first.kind == END_OPEN &&
	    select->last.kind == END_OPEN;
	unsigned shown = 0;
	uint64_t first, astray = intervals_astray(c->iv, &first);
	char unplaced[200];

	for (; (p = read_problem(c->reader, shown)) != NULL; shown++)
		finding_add(&c->findings, word[p->kind], "%s", p->text);
	if (read_problems(c->reader, PROBLEM_KINDS) > shown)
		finding_add(&c->findings, "garbage", "%" PRIu64 " more like "
		    "these", read_problems(c->reader, PROBLEM_KINDS) -
		    shown);
	if (intervals_clock_note(c->iv) != NULL &&
	    strcmp(read_path(c->reader), "-") != 0)
		finding_add(&c->findings, "clock", "%s",
		    intervals_clock_note(c->iv));
	if (astray > 0)
		finding_at(&c->findings, "order", first, first, "%" PRIu64
		    " sample%s left out that all clocks put before an earlier "
		    "one%s", astray, astray > 1 ? "s" : "", astray > 1 ?
		    ", this one first" : "");
	check_seams(c);
	if (topology_unplaced(c->reader, unplaced, sizeof(unplaced)) != NULL)
		finding_add(&c->findings, "topology", "%s", unplaced);
	if (missed > 0)
		finding_add(&c->findings, "missed", "the sampler missed %.0f "
		    "deadline%s", missed, plural((uint64_t)missed));
	if (lost > 0)
		finding_add(&c->findings, "notes", "%.0f note%s of tallyd "
		    "had no room: phase marks, or what others did to its "
		    "counters", lost, plural((uint64_t)lost));
	if (whole && intervals_samples(c->iv) > 0 &&
	    intervals_first(c->iv) > 0)
		finding_add(&c->findings, "gap", "the file begins with sample "
		    "%" PRIu64, intervals_first(c->iv));
	if (whole && (double)intervals_samples(c->iv) < samples)
		finding_add(&c->findings, "gap", "the head promises %.0f "
		    "samples; there are %" PRIu64, samples,
		    intervals_samples(c->iv));
	note_units(c);
	note_raw(c);
	note_uncounted(c);
	check_idle(c);
	check_stopped(c);
	check_sets(c);
	skew_note(&c->skew, intervals_tsc_hz(c->iv), &c->findings);
}

uint64_t
check_findings(const struct check *c)
{
	uint64_t n = c->findings.unkept;

	for (unsigned i = 0; i < c->findings.n; i++)
		n += !c->findings.finding[i].note;
	return n;
}

static void
checks_begin(struct check *c, struct intervals *iv)
{
	c->iv = iv;
	c->reader = intervals_reader(iv);
	c->watchdog = (struct watchdog){ .findings = &c->findings,
	    .reader = c->reader, .limits = intervals_limits(iv),
	    .tampers = intervals_tampers(iv),
	    .doubts = intervals_doubts(iv) };
}

int
check_begin(struct check *c, struct gather *g, struct diag *why)
{
	const struct metrics *had = g->binding.metrics;
	int rc;

	checks_begin(c, g->intervals);
	c->gather = g;
	if ((rc = metrics_init(&c->metrics)) < 0 ||
	    (rc = metrics_load_for(&c->metrics, NULL, head_text(g->reader,
	    HEAD_MODEL, ALONE, NULL), why)) < 0 ||
	    (rc = pairs_bind(&c->pairs, g, &c->metrics, why)) < 0)
		return rc == -ENOMEM ? diag_set(why, rc, "out of memory") :
		    rc;
	g->binding.metrics = had;
	return 0;
}

int
check_next(struct check *c, const struct interval *iv, const struct sums *sums,
    struct diag *why)
{
	int rc = check_interval(c, iv);

	if (rc == 0 && c->gather != NULL) {
		c->pairs.skew_s = skew_seconds(&c->skew,
		    intervals_tsc_hz(c->iv));
		rc = pairs_take(&c->pairs, sums);
	}
	return rc < 0 ? diag_set(why, -ENOMEM, "out of memory") : 0;
}

int
check_end(struct check *c, const struct select *select, struct diag *why)
{
	int rc = 0;

	if (c->lengths.n == 0)
		return -ENODATA;
	check_lengths(c);
	check_file(c, select);
	if (c->gather != NULL) {
		c->pairs.skew_s = !c->skew.stamped ? -1 :
		    skew_seconds(&c->skew, intervals_tsc_hz(c->iv));
		if (pairs_judge(&c->pairs, c->gather) < 0)
			return diag_set(why, -ENOMEM, "out of memory");
		pairs_find(&c->pairs, &c->findings);
		rc = check_ranges(&c->findings, c->gather, &c->metrics);
	}
	if (rc < 0 || c->findings.lost)
		return diag_set(why, -ENOMEM, "out of memory");
	findings_sort(&c->findings);
	return 0;
}

/* Reads and checks intervals without metrics: of a pipe, and of a dump for which metrics
 * cannot be loaded. */
static int
read_alone(struct check *c, const char *path, const struct select *select,
    struct diag *why)
{
	struct interval step;
	int rc;

	if ((rc = intervals_open(&c->alone, path, select, why)) < 0)
		return rc;
	checks_begin(c, c->alone);
	while ((rc = intervals_next(c->alone, &step, why)) > 0)
		if ((rc = check_next(c, &step, NULL, why)) < 0)
			return rc;
	return rc < 0 ? rc : check_end(c, select, why);
}

static int
read_gathered(struct check *c, const struct select *select, struct diag *why)
{
	struct gather *g = &c->own;
	int rc;

	while ((rc = gather_next(g, why)) > 0)
		if ((rc = check_next(c, &g->now, gather_interval(g), why)) < 0)
			return rc;
	return rc < 0 ? rc : check_end(c, select, why);
}

int
check_read(struct check *c, const char *path, const struct select *select,
    struct diag *why)
{
	int rc = -EPIPE;

	*c = (struct check){ .ncol = 0 };
	if (strcmp(path, "-") != 0 && (rc = gather_open(&c->own, path,
	    &c->metrics, NULL, select, why)) == 0)
		rc = check_begin(c, &c->own, why);
	if (rc == 0 && (rc = read_gathered(c, select, why)) != -ENOMEM)
		return rc;
	if (rc == -ENOMEM)
		return diag_set(why, rc, "out of memory");
	check_fini(c);
	*c = (struct check){ .ncol = 0 };
	return read_alone(c, path, select, why);
}

void
check_fini(struct check *c)
{
	pairs_fini(&c->pairs);
	watchdog_fini(&c->watchdog);
	findings_fini(&c->findings);
	skew_fini(&c->skew);
	free(c->heat);
	if (c->own.p != NULL)
		gather_close(&c->own);
	metrics_fini(&c->metrics);
	intervals_close(c->alone);
}
