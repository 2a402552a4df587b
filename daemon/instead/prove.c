/*
 * daemon/instead/prove.c - the order of --prove: look whether the node is idle, go
 * through the sets of events, judge, say.
 */
#include "daemon/instead/prove.h"

#include "config/texts.h"
#include "daemon/log.h"
#include "regs/host.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- judging ------------------------------------------------------------ */

/*
 * What was counted against what was done.
 *
 * Each trial has a long run and a short one.  The difference of their counts, less what
 * is counted in as much time asleep, has to be the difference of the work done.
 */

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

	/* a trial that has nothing to count is kept only if it is wrong; of
	 * several that are about as wrong, the first is kept */
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

		/* an energy counter may not be updated in a shorter run */
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

/* prove_judge - judges each item. */
static void
prove_judge(struct prove *p)
{
	for (unsigned i = 0; i < p->nitem; i++)
		prove_judge_judge(p, &p->item[i]);
	for (unsigned i = 0; i < p->nitem; i++)
		judge_peers(p, &p->item[i]);
}

/* ---- the order ---------------------------------------------------------- */

/* Refuses a node with load: the work of others would be counted, and disturbed. */
static int
prove_idle(const struct node *node, struct diag *why)
{
	char text[128], *end;
	double load, most = 1 + 0.02 * node->topo.nlproc;

	if (access_slurp(node->acc, "/proc/loadavg", text, sizeof(text)) <= 0)
		return 0;
	load = strtod(text, &end);
	if (end == text || load <= most)
		return 0;
	return diag_set(why, -EBUSY, "this node has work: its load is %.2f, "
	    "and --prove wants it idle (at most %.2f); --force takes it as it "
	    "is", load, most);
}

/* Reads how often each package has throttled so far. */
static void
throttled(const struct node *node, int64_t *times)
{
	char path[128];

	for (unsigned i = 0; i < node->topo.npkg; i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/"
		    "thermal_throttle/package_throttle_count",
		    node->topo.pkg[i].first_lproc);
		times[i] = 0;
		access_number(node->acc, path, &times[i]);
	}
}

/* The text of events: "@prove-skx" for each CPU whose default is "@default-skx"; without
 * a text of one generation that of the family: "@prove-zen" for "zen4". */
static void
config_name(const struct model *m, char *buf, size_t size)
{
	static const char prefix[] = "@default-";

	if (strncmp(m->default_config, prefix, sizeof(prefix) - 1) == 0)
		snprintf(buf, size, "@prove-%s", m->default_config +
		    sizeof(prefix) - 1);
	else
		snprintf(buf, size, "@prove-any");
	for (size_t n = strlen(buf); text_named(buf, TEXT_CONFIG) == NULL &&
	    isdigit((unsigned char)buf[n - 1]);)
		buf[--n] = '\0';
	if (m == &model_any || text_named(buf, TEXT_CONFIG) == NULL)
		snprintf(buf, size, "@prove-any");
}

static int
prove_begin(struct prove *p, const struct node *node, struct diag *why)
{
	int rc = 0;

	snprintf(p->host, sizeof(p->host), "%s", node->topo.host);
	snprintf(p->cpu, sizeof(p->cpu), "%s", node->topo.cpu.name);
	p->npkg = node->topo.npkg;
	for (unsigned l = 0; l < node->topo.nlproc; l++)
		p->nlproc += node->topo.lproc[l].online;
	if (!p->o->node.force && (rc = prove_idle(node, why)) < 0)
		return rc;
	if (node->acc->ops->stimulate == NULL &&
	    (rc = work_open(&p->work, &node->topo, why)) < 0)
		return rc;
	trials_list(&p->trials, node, p->work);
	return 0;
}

/* Opens the node as a run does, and counts one set. */
static int
prove_one(struct prove *p, unsigned set, bool kernel, struct diag *why)
{
	struct options o = *p->o;
	struct node node;
	char config[64];
	int64_t before[MAX_PKG], after[MAX_PKG];
	int rc = node_open(&node, &o, why);

	/* a simulated machine does not do the work, but is told of it */
	if (rc == 0 && node.acc->ops->stimulate != NULL)
		access_hurry(node.acc, true);
	if (rc == 0 && p->trials.n == 0)
		rc = prove_begin(p, &node, why);
	if (rc < 0)
		goto out;
	/* a configuration is asked for: a CPU without tables is one, too */
	o.count.config = (struct files){ { "@prove" }, 1 };
	node.topo.model = kernel ? &model_any : p->how_to->model(&node, &o);
	if (node.topo.model == NULL) {
		rc = diag_set(why, -ENOTSUP, "this CPU is not known, and the "
		    "kernel counts nothing here");
		goto out;
	}
	snprintf(p->model, sizeof(p->model), "%s", node.topo.model->name);
	config_name(node.topo.model, config, sizeof(config));
	throttled(&node, before);
	rc = prove_round(p, &node, config, set, why);
	throttled(&node, after);
	for (unsigned i = 0; i < node.topo.npkg; i++)
		if (after[i] != before[i])
			prove_remark(p, "package %u throttled meanwhile (%lld "
			    "times): what depends on its clock may be off", i,
			    (long long)(after[i] - before[i]));
out:
	node_close(&node);
	return rc;
}

static int
all_sets(struct prove *p, bool kernel, struct diag *why)
{
	unsigned set = 0;
	int rc;

	do
		rc = prove_one(p, set++, kernel, why);
	while (rc > 0 && !p->stopped);
	return rc;
}

static int
write_json(const struct prove *p, struct diag *why)
{
	FILE *f;
	int fd = open(p->o->dump.file, O_WRONLY | O_CREAT | O_CLOEXEC |
	    O_NOFOLLOW | (p->o->dump.overwrite ? O_TRUNC : O_EXCL), 0644);

	if (fd < 0 || (f = fdopen(fd, "w")) == NULL) {
		diag_set(why, -errno, "%s: %s%s", p->o->dump.file,
		    strerror(errno), errno == EEXIST ? " (--overwrite)" : "");
		if (fd >= 0)
			close(fd);
		return -EIO;
	}
	prove_json(f, p);
	if (ferror(f) != 0 || fclose(f) != 0)
		return diag_set(why, -EIO, "%s: %s", p->o->dump.file,
		    strerror(errno));
	return 0;
}

/* Signals that would end the process end the work, so that registers are put back
 * first. */
static void
hold_signals(void)
{
	static const int held[] = { SIGINT, SIGTERM, SIGHUP, SIGCONT };
	sigset_t set;

	sigemptyset(&set);
	for (unsigned i = 0; i < sizeof(held) / sizeof(held[0]); i++)
		sigaddset(&set, held[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static int
prove_all(struct prove *p, struct diag *why)
{
	struct diag first;
	int rc;

	if ((rc = count_rules_load(&p->rules, p->arena, why)) < 0)
		return rc;
	rc = all_sets(p, false, &first);
	if (rc == -ENOMEM || (rc < 0 && (p->trials.n == 0 || p->nitem > 0))) {
		*why = first;
		return rc;
	}
	if (rc < 0) {
		/* a virtual machine without a PMU, rights that are missing:
		 * that is no counter that is wrong */
		prove_remark(p, "hardware counters cannot be proved here: %s",
		    first.text);
		if ((rc = all_sets(p, true, why)) < 0)
			return rc;
	}
	if (p->nlate > 0)
		prove_remark(p, "%u pieces of work were left out after %d s",
		    p->nlate, PROVE_SECONDS);
	prove_judge(p);
	prove_name(p);
	prove_text(stdout, p);
	return p->o->dump.file != NULL ? write_json(p, why) : 0;
}

int
prove_run(const struct options *o, const struct prove_how *how_to)
{
	struct prove *p = calloc(1, sizeof(*p));
	struct diag why = { "out of memory" };
	int rc = -ENOMEM, status;

	if ((o->count.config.n > 0 && !o->count.own_config) ||
	    o->count.inputs != NULL || o->node.replay != NULL) {
		log_warnx("--prove counts what it knows the work of: it takes "
		    "no -c, no --inputs, no --replay");
		free(p);
		return 1;
	}
	hold_signals();
	if (p != NULL && (p->arena = arena_new()) != NULL) {
		p->o = o;
		p->how_to = how_to;
		p->begin_ns = clock_ns(CLOCK_MONOTONIC);
		rc = prove_all(p, &why);
	}
	if (rc < 0)
		log_warnx("--prove: %s", why.text);
	status = rc < 0 || p->nfinding > 0 || p->stopped;
	for (unsigned i = 0; p != NULL && i < p->nitem; i++) {
		free(p->item[i].column);
		free(p->item[i].reading);
	}
	if (p != NULL) {
		free(p->item);
		work_close(p->work);
		arena_free(p->arena);
	}
	free(p);
	return status;
}
