/*
 * daemon/run/session_prepare.c - what must hold before a session writes the first
 * register.
 */
#include "daemon/run/session.h"

#include "config/dump/store.h"
#include "daemon/run/preamble.h"
#include "daemon/log.h"
#include "daemon/node/announce.h"
#include "daemon/node/obstacle.h"
#include "daemon/read/turn_budget.h"
#include "daemon/node/rights.h"
#include "daemon/run/output.h"
#include "daemon/run/sampler.h"
#include "daemon/run/segments.h"
#include "lib/printable.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int
session_journal(struct session *s, struct diag *why)
{
	char path[4096];

	if (s->journal.fd >= 0 ||
	    !journal_place(s->o, s->node.acc, path, sizeof(path)))
		return 0;
	return journal_open(&s->journal, path, s->node.acc, why);
}

static int
make_store(struct session *s, struct diag *why)
{
	const struct plan *plan = &s->node.plan;
	struct preamble_info info = { .interval = s->o->interval,
	    .watch = s->o->read.watch,
	    .replay = s->node.replay,
	    .access = s->node.config.hybrid ? "hybrid" :
	    s->node.config.perf ? "perf" : s->node.acc->ops->name,
	    .version = TALLYD_VERSION, .schedule = s->schedule, .sweep = &s->sweep,
	    .config = &s->node.config, .dram_max = s->dram_max,
	    .measure_tsc = s->node.replay == NULL };
	struct store_shape shape = { .column = plan->column,
	    .ncolumn = plan->ncolumn, .ncell = plan->ncell,
	    .model = s->node.topo.model->name, .ahead = s->handover.heir,
	    .cell_tsc = CELL_TSC,
	    .cell_real_sec = CELL_SEC, .cell_real_usec = CELL_USEC,
	    .cell_mono = CELL_MONO };
	char *preamble, path[4096];
	const char *named = s->o->service.store;
	int rc;

	/* until our first row is in, the store of the sampler before has the name */
	if (s->segments.n > 1)
		named = segments_store_name(&s->segments, s->segments.n - 1,
		    path);
	access_now(s->node.acc, &info.start);
	s->start_ns = info.start.real_ns;
	preamble = preamble_make(plan, &s->node.topo, &s->node.inv,
	    s->node.acc, &info);
	if (preamble == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	shape.preamble = preamble;
	do {
		shape.capacity = segments_capacity(&s->segments);
		rc = store_place(&s->store, named, &shape, why);
	} while ((rc == -ENOMEM || rc == -ENOSPC || rc == -EFBIG) &&
	    segments_less(&s->segments));
	s->first = s->store;
	if (rc == 0 && (rc = segments_begin(&s->segments, s->store)) < 0)
		diag_set(why, rc, "-o %s: %s", s->output.place.path,
		    strerror(-rc));
	free(preamble);
	if (rc == 0)
		mark_notes_again(&s->marks, s->store);
	if (rc == 0 && (rc = store_give(s->store, s->output.owner.gid,
	    s->o->service.share)) < 0)
		diag_set(why, rc, "store %s: %s", store_path(s->store),
		    strerror(-rc));
	return rc;
}

/* How often a family's counters could wrap between two readings. */
static double
wraps(const struct session *s, const struct family *f)
{
	return s->o->interval * plan_every(&s->node.plan, f) /
	    plan_wrap_seconds(f);
}

/* Warns of an interval in which a counter could wrap twice: its totals would be
 * ambiguous, which tally marks. */
static void
warn_interval(const struct session *s)
{
	const struct family *worst = NULL;
	const struct plan *plan = &s->node.plan;
	char slow[40] = "";
	unsigned n = 0;

	for (unsigned i = 0; i < plan->families.n; i++) {
		const struct family *f = plan->families.family[i];

		if (wraps(s, f) < 1)
			continue;
		n++;
		if (worst == NULL || wraps(s, f) > wraps(s, worst))
			worst = f;
	}
	if (n == 0)
		return;
	if (plan_every(plan, worst) > 1)
		snprintf(slow, sizeof(slow), ", read every %u samples,",
		    plan_every(plan, worst));
	log_warnx("an interval of %g s is too long for %u famil%s of "
	    "counters: %s%s could wrap every %.0f s, and its totals be "
	    "ambiguous", s->o->interval, n, n == 1 ? "y" : "ies",
	    worst->name, slow, plan_wrap_seconds(worst));
}

/* Saves the registers, and refuses if somebody else counts with them. */
static int
look_at_registers(struct session *s, struct diag *why)
{
	int rc = node_save(&s->node, why);

	if (rc < 0)
		return rc;
	if (!s->node.config.perf && obstacle_unseen(&s->node, why) > 0)
		log_warnx("%s", why->text);
	if (obstacle_frozen(&s->node, why) > 0)
		log_warnx("%s", why->text);
	if ((!s->node.config.perf || s->node.config.hybrid) &&
	    obstacle_unreadable(&s->node, why) > 0)
		log_warnx("%s", why->text);
	if ((rc = obstacle_in_use(&s->node, why)) < 0) {
		if (!s->o->node.force)
			return rc;
		log_warnx("--force: %s", why->text);
	}
	return 0;
}

/* Chooses how registers are read. */
static int
choose_reading(struct session *s, struct diag *why)
{
	bool planned = s->node.plan.sets.turns > 0;
	int rc;

	sched_getaffinity(0, sizeof(s->lprocs), s->lprocs);
	/* before a visit ties this thread, and what it starts, to an lproc */
	if (s->o->count.measure_dram && (rc = drambw_measure(&s->node.topo,
	    s->dram_max, MAX_PKG, why)) < 0)
		return rc;
	s->schedule = s->node.acc->ops->simulated ? "as it is" :
	    rights_schedule();
	rc = turn_choose(&s->sweep, &s->node, s->o, why);
	/* measured in the class of the loop; a large store takes longer than
	 * that class allows */
	if (!s->node.acc->ops->simulated)
		rights_ordinary();
	/* turn_choose has made the plan anew, and saved no registers */
	return rc == 0 && planned && s->node.plan.sets.turns == 0 &&
	    !s->handover.heir ? node_save(&s->node, why) : rc;
}

/* Does the above; an heir chooses before the other sampler has freed the registers. */
static int
prepare_registers(struct session *s, struct diag *why)
{
	bool heir = s->handover.heir;
	int rc;

	if (heir && ((rc = choose_reading(s, why)) < 0 ||
	    (rc = handover_take(s, why)) < 0))
		return rc;
	if (s->node.plan.nwrite > 0 && (rc = session_journal(s, why)) < 0)
		return rc;
	handover_journal(s);
	if ((rc = look_at_registers(s, why)) < 0)
		return rc;
	return heir ? 0 : choose_reading(s, why);
}

int
session_prepare(struct session *s, struct diag *why)
{
	struct plan *plan = &s->node.plan;
	char words[512];
	int rc;

	sampler_signals();
	/* signals to the whole process group are for the supervisor */
	if (s->handover.fd > 0)
		signal(SIGHUP, SIG_IGN);
	if ((rc = prepare_registers(s, why)) < 0)
		return rc;
	warn_interval(s);
	for (unsigned i = 0; s->node.without[0][0] != '\0' && i < 3; i++)
		log_warnx("%s", s->node.without[i]);
	if (s->node.config.perf && s->node.without[0][0] == '\0')
		log_info("access %s", s->node.how);
	if (plan->nwrite > 0)
		log_info("writes %s", announce_text(&s->node, words,
		    sizeof(words)));
	if (plan->sets.n > 2)
		log_debug("sets: %s", turn_words(&s->node, s->o, &s->sweep.turn,
		    words, sizeof(words)));
	log_debug("reading: %s; %s", s->sweep.why, s->schedule);
	if (s->sweep.mode == READ_PINNED && s->sweep.left_alone > 0)
		log_debug("without a thread, read by one that moves there: %u lproc%s %s",
		    s->sweep.left_alone, plural(s->sweep.left_alone),
		    s->o->read.cpus != NULL ? "not in --cpus" :
		    "that the kernel "
		    "leaves alone (nohz_full); --cpus has threads there, too");
	/* a simulated node leaves stores of real ones alone */
	if (s->handover.fd > 0 && !s->handover.heir && (s->o->service.store !=
	    NULL || !s->node.acc->ops->simulated))
		segment_left(&s->output, s->o);
	else
		store_left(&s->output.owner, s->o->service.store);
	/* while the time zone's file can be read */
	ending_text(s->ending, sizeof(s->ending), s->samples, s->o->interval,
	    s->o->node.virtual_time ? 0 : time(NULL));
	rc = segments_init(&s->segments, plan->ncell, s->samples, why);
	if (rc == 0 && s->handover.heir)
		segments_follow(&s->segments, s->handover.took);
	if (rc < 0 || (rc = make_store(s, why)) < 0 || (s->o->service.pidfile !=
	    NULL && s->handover.fd <= 0 && (rc = pidfile_take(&s->pidfile,
	    s->o->service.pidfile, why)) < 0))
		return rc;
	return journal_write(&s->journal, &s->node, why);
}

/* ---- when a run will have all its samples, in words */

/* "2 h 46 min": two units, the second one rounded down. */
static void
duration_text(char *buf, size_t size, uint64_t s)
{
	static const struct {
		uint64_t s;
		const char *name;
	} unit[] = { { 86400, "d" }, { 3600, "h" }, { 60, "min" }, { 1, "s" } };
	unsigned u = 0;
	int n;

	while (u < 3 && s < unit[u].s)
		u++;
	n = snprintf(buf, size, "%" PRIu64 " %s", s / unit[u].s, unit[u].name);
	if (u < 3 && s % unit[u].s / unit[u + 1].s > 0)
		snprintf(buf + n, size - (size_t)n, " %" PRIu64 " %s",
		    s % unit[u].s / unit[u + 1].s, unit[u + 1].name);
}

const char *
ending_text(char *buf, size_t size, uint64_t samples, double interval,
    time_t now)
{
	/* the first sample is taken at once */
	uint64_t s = (uint64_t)((double)(samples - 1) * interval);
	const char *plural = samples == 1 ? "" : "s";
	char in[64], at[64];
	struct tm end, today;
	time_t then;

	if (samples == UINT64_MAX) {
		snprintf(buf, size, "samples of %g s until it is told to stop",
		    interval);
		return buf;
	}
	if (now == 0) {
		snprintf(buf, size, "%" PRIu64 " sample%s of %g s: then it "
		    "stops by itself", samples, plural, interval);
		return buf;
	}
	then = now + (time_t)s;
	localtime_r(&now, &today);
	localtime_r(&then, &end);
	duration_text(in, sizeof(in), s);
	strftime(at, sizeof(at), end.tm_year != today.tm_year ||
	    end.tm_yday != today.tm_yday ? "on %Y-%m-%d at %H:%M" :
	    s < 3600 ? "at %H:%M:%S" : "at %H:%M", &end);
	snprintf(buf, size, "%" PRIu64 " sample%s of %g s: stops by itself in "
	    "%s, %s", samples, plural, interval, in, at);
	return buf;
}
