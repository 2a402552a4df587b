/*
 * daemon/instead/prove_judge.c - what was counted against what was done.
 *
 * Each trial has a long run and a short one.  The difference of their counts, less what
 * is counted in as much time asleep, has to be the difference of the work done.
 */
#include "daemon/instead/prove.h"

#include <math.h>
#include <string.h>

/* Counts per second while nothing is done, by the two sleeps of trial 0.  One count more
 * in the long sleep is chance, not a rate. */
static double
at_rest(const struct proof *it)
{
	const struct proof_run *r = it->reading[0];
	double s = r[1].seconds - r[0].seconds;
	double more = r[1].delta - r[0].delta;

	return s > 0 && more > 1 ? more / s : 0;
}

static double
factor(const struct proof *it, const struct proof_run *r)
{
	return it->rule->factor * (it->rule->by_tsc ? r->tsc_hz / 1e9 : 1);
}

/* The result of one trial; false: it was not done, or does not concern this item. */
static bool
prove_judge_compare(const struct prove *p, const struct proof *it, unsigned t,
    double *expected, double *counted)
{
	const struct proof_run *r = it->reading[t];

	if ((p->trials.of[t].known >> it->rule->act & 1) == 0 ||
	    !(r[0].seconds > 0) || !(r[1].seconds > 0))
		return false;
	*expected = (r[1].done - r[0].done) * factor(it, &r[1]);
	*counted = r[1].delta - r[0].delta -
	    at_rest(it) * (r[1].seconds - r[0].seconds);
	return true;
}

static bool
unreadable(const struct prove *p, const struct proof *it)
{
	for (unsigned t = 0; t < p->trials.n; t++)
		for (unsigned k = 0; k < LENGTHS; k++)
			if (it->reading[t][k].seconds > 0 &&
			    isnan(it->reading[t][k].delta))
				return true;
	return false;
}

static void
say_counts(const struct prove *p, struct proof *it)
{
	const char *trial = p->trials.of[it->trial].name;

	if (it->expected == 0)
		snprintf(it->words, sizeof(it->words), "counts %.0f in "
		    "\"%s\", which has nothing for it to count", it->counted,
		    trial);
	else if (it->ratio < 0.01)
		snprintf(it->words, sizeof(it->words), "counts nothing of "
		    "\"%s\": %.0f expected", trial, it->expected);
	else
		snprintf(it->words, sizeof(it->words), "counts %.4g times what "
		    "\"%s\" did: %.0f expected, %.0f counted, %.3g %% allowed",
		    it->ratio, trial, it->expected, it->counted,
		    100 * it->rule->tolerance);
}

/* Keeps the trial in which the item is furthest off, relative to what was to be counted. */
static void
consider(struct proof *it, unsigned t, double e, double c, double most,
    double *worst)
{
	double off = fabs(c - e) / (e > 0 ? e : most);

	/* what has nothing to count is shown where it is wrong alone; of those
	 * that are as wrong the first is */
	if (off <= *worst || (e == 0 && off <= it->rule->tolerance) ||
	    (*worst > it->rule->tolerance && off <= *worst + 0.02))
		return;
	*worst = off;
	it->trial = t;
	it->expected = e;
	it->counted = c;
	it->ratio = e > 0 ? c / e : 0;
}

static void
judge_counts(const struct prove *p, struct proof *it)
{
	double most = 0, worst = -1, e, c;

	for (unsigned t = 0; t < p->trials.n; t++)
		if (prove_judge_compare(p, it, t, &e, &c))
			most = fmax(most, e);
	if (!(most > 0)) {
		it->verdict = VERDICT_FLAT;
		return;
	}
	for (unsigned t = 0; t < p->trials.n; t++)
		if (prove_judge_compare(p, it, t, &e, &c))
			consider(it, t, e, c, most, &worst);
	if (worst <= it->rule->tolerance)
		return;
	it->verdict = VERDICT_WRONG;
	say_counts(p, it);
}

static void
judge_clock(struct proof *it)
{
	const struct count_rule *r = it->rule;

	if (isinf(it->slowest)) {
		it->verdict = VERDICT_FLAT;     /* the trials are too short to tell */
		return;
	}
	it->expected = it->fastest > r->most ? r->most : r->least;
	it->counted = it->fastest > r->most ? it->fastest : it->slowest;
	it->ratio = it->counted / it->expected;
	if (it->fastest <= r->most && it->slowest >= r->least)
		return;
	it->verdict = VERDICT_WRONG;
	if (it->fastest == 0)
		snprintf(it->words, sizeof(it->words), "stands still: a clock "
		    "that counts nothing");
	else
		snprintf(it->words, sizeof(it->words), "a clock of %.4g MHz, "
		    "which is outside %.4g to %.4g MHz", it->counted / 1e6,
		    r->least / 1e6, r->most / 1e6);
}

/* The highest rate of an item in any trial. */
static double
prove_judge_highest(const struct prove *p, const struct proof *it,
    unsigned *trial)
{
	double most = 0;

	for (unsigned t = 1; t < p->trials.n; t++) {
		const struct proof_run *r = &it->reading[t][1];
		double rate = r->seconds > 0 ? r->delta / r->seconds : 0;

		/* what runs too short for an energy counter to be updated */
		if (r->seconds >= 0.005 && rate > most) {
			most = rate;
			*trial = t;
		}
	}
	return most;
}

static void
judge_rises(const struct prove *p, struct proof *it)
{
	const struct proof_run *r = &it->reading[0][1];
	double asleep = r->seconds > 0 ? r->delta / r->seconds : 0;

	it->counted = prove_judge_highest(p, it, &it->trial);
	it->expected = asleep;
	it->ratio = asleep > 0 ? it->counted / asleep : INFINITY;
	if (it->counted > 1.02 * asleep)
		return;
	it->verdict = VERDICT_WRONG;
	snprintf(it->words, sizeof(it->words), it->counted > 0 ? "does not rise "
	    "under load: %.0f counts a second asleep, %.0f at most" :
	    "stands still: %.0f counts a second asleep, %.0f under load",
	    asleep, it->counted);
}

/* A package that needs four times what another does for the same work. */
static void
judge_peers(const struct prove *p, struct proof *it)
{
	const struct proof *least = it;

	if (it->rule->kind != RULE_RISES || it->verdict != VERDICT_OK)
		return;
	for (unsigned i = 0; i < p->nitem; i++) {
		const struct proof *k = &p->item[i];

		if (k->rule == it->rule && k->set == it->set &&
		    k->verdict == VERDICT_OK && k->counted > 0 &&
		    k->counted < least->counted)
			least = k;
	}
	if (least == it || it->counted < 4 * least->counted)
		return;
	it->verdict = VERDICT_WRONG;
	it->ratio = it->counted / least->counted;
	snprintf(it->words, sizeof(it->words), "rises %.3g times as fast as "
	    "%s under the same load: the unit or the register of one of them "
	    "is wrong", it->ratio, least->column);
}

static void
prove_judge_judge(struct prove *p, struct proof *it)
{
	if (unreadable(p, it)) {
		it->verdict = VERDICT_UNREAD;
		snprintf(it->words, sizeof(it->words), "could not be read, "
		    "though it was accepted");
		return;
	}
	switch (it->rule->kind) {
	case RULE_COUNTS:
		judge_counts(p, it);
		break;
	case RULE_CLOCK:
		judge_clock(it);
		break;
	case RULE_RISES:
		judge_rises(p, it);
		break;
	case RULE_FLAT:
		it->verdict = VERDICT_FLAT;
	}
}

void
prove_judge(struct prove *p)
{
	for (unsigned i = 0; i < p->nitem; i++)
		prove_judge_judge(p, &p->item[i]);
	for (unsigned i = 0; i < p->nitem; i++)
		judge_peers(p, &p->item[i]);
}
