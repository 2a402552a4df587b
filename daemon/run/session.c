/*
 * daemon/run/session.c - the order of things in a run, its one ending, and what
 * segments and the loop call.
 */
#include "daemon/run/session.h"

#include "config/dump/dump.h"
#include "daemon/log.h"
#include "daemon/node/announce.h"
#include "daemon/node/replay.h"
#include "daemon/node/rights.h"
#include "daemon/read/pinned.h"
#include "lib/printable.h"
#include "lib/process.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what segments and the loop call ------------------------------------ */

/* session_child - called in a child that writes a dump: closes what the child must not
 * hold, and waits for an older child. */
static void
session_child(void *ctx)
{
	const struct timespec step = { 0, 10000000 };
	struct session *s = ctx;

	/* on any lproc, not only on the one that was visited last */
	sched_setaffinity(0, sizeof(s->lprocs), s->lprocs);
	/* the journal's lock and the writer are the daemon's: were it killed,
	 * this would hold up what puts the registers back */
	journal_leave(&s->journal);
	writer_leave(&s->writer);
	pidfile_leave(&s->pidfile);
	control_leave(&s->control);
	handover_leave(&s->handover);
	/* or the older child would put its older dump in the place of ours */
	while (s->dumper > 0 &&
	    syscall(SYS_tgkill, s->dumper, s->dumper, 0) == 0)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &step, NULL);
}

/* session_writer - called in the process that writes registers: closes what it does not
 * need. */
static void
session_writer(void *ctx)
{
	struct session *s = ctx;
	/* the handover's, whose end tells that this one has ended, and the pid
	 * file's lock stay */
	const int others[] = { s->output.had, s->handover.heir ?
	    s->handover.control : -1, s->notify.fd != s->handover.fd ?
	    s->notify.fd : -1 };

	log_let_go(s->o->service.background);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (others[i] >= 0)
			close(others[i]);
	output_fini(&s->output);
	if (s->segments.place.place.dir >= 0)
		save_close(&s->segments.place.place);
}

/* Runs in the process that starts the programs of --pipe, which inherit its log, the rights
 * that it keeps, and its filter of system calls. */
static void
pipe_child(void *ctx)
{
	struct session *s = ctx;
	int rc;

	session_child(ctx);
	if (s->o->service.background)
		log_to_syslog();
	else
		log_let_go(false);
	/* on a simulated machine every process keeps the rights that it was started with */
	if (!s->node.acc->ops->simulated && rights_thread() < 0)
		_exit(1);
	if ((rc = filter_install(FILTER_PROGRAM)) < 0 && rc != -ENOSYS)
		_exit(1);
}

/* session_remove - removes a store's file, by the process that has the right to. */
static int
session_remove(void *ctx, struct store *store)
{
	struct session *s = ctx;
	int rc = store_unlink(store);

	if (store != s->first)
		return rc;
	/* a later store may get the same address */
	s->first = NULL;
	return rc < 0 ? writer_remove(&s->writer, store) : 0;
}

static bool
segment_due(void *ctx, uint64_t rows)
{
	struct session *s = ctx;

	/* after this row the registers are the heir's */
	if (s->handover.wanted && rows > 0)
		return true;
	return segments_due(&s->segments, s->store, rows);
}

static struct store *
segment_next(void *ctx)
{
	struct session *s = ctx;
	struct store *next;

	if (s->handover.wanted) {
		handover_give(s);
		return NULL;
	}
	next = segments_change(&s->segments, s->store);
	if (next == NULL)
		return NULL;
	s->store = next;
	mark_notes_again(&s->marks, next);
	s->pause.n = 0;
	return next;
}

/* session_samples - how many samples the run has.  Without an option it has no end, but a
 * run in virtual time, or one that cannot have segments, does. */
static uint64_t
session_samples(const struct session *s)
{
	if (s->o->samples > 0)
		return s->o->samples;
	return s->o->dump.segment.kind == AMOUNT_NONE &&
	    (s->o->node.virtual_time || s->output.place.in_place) ?
	    SEGMENT_ROWS : UINT64_MAX;
}

/* session_program - called in --pipe's process: drops capabilities, but keeps nearly all
 * system calls.  0, or -errno with words. */
static int
session_program(struct session *s, struct diag *why)
{
	if (s->o->dump.pipe == NULL)
		return 0;
	s->segments.pipe.leave = pipe_child;
	s->segments.pipe.ctx = s;
	return segment_pipe_start(&s->segments.pipe, s->o->dump.pipe,
	    &s->output.place, &s->o->dump.keep, why);
}

/* session_segments - sets the functions that segments and the loop call. */
static void
session_segments(struct session *s, struct sampler *loop)
{
	s->segments.o = s->o;
	s->segments.output = &s->output;
	s->segments.acc = s->node.acc;
	s->segments.leave = session_child;
	s->segments.remove = session_remove;
	s->segments.ctx = s;
	loop->segment_due = segment_due;
	loop->segment_next = segment_next;
}

/* ---- a session ---------------------------------------------------------- */

int
session_restore(struct session *s)
{
	struct diag why;
	char path[4096];
	int n;

	if (!journal_place(s->o, s->node.acc, path, sizeof(path))) {
		log_warnx("a simulated machine leaves no journal");
		return 0;
	}
	n = journal_restore(path, &s->node, s->o->node.force, &why);
	if (n < 0) {
		log_warnx("%s", why.text);
		return n == -ENOENT ? 0 : 1;
	}
	log_info("%s", why.text);
	return 0;
}

/* Called when the first row is in: the parent of -b may return. */
static void
first_row(void *ctx)
{
	struct session *s = ctx;
	const char *note = access_note(s->node.acc, REG_PERF);

	store_sampled(s->store, true);
	if (s->handover.heir && s->o->service.store != NULL)
		store_replace(s->store, s->o->service.store);
	if (s->handover.fd > 0)
		handover_begun(s);
	else
		notify_ready(&s->notify);
	launch_begun(s);
	if (note != NULL)
		log_info("%s", note);
	if (s->ready < 0)
		return;
	if (write(s->ready, "", 1) < 0) {
		log_warnx("interrupted before the first sample was in");
		raise(SIGTERM);
	}
	close(s->ready);
	s->ready = -1;
	if (s->o->service.background)
		log_to_syslog();
}

/* SIGUSR1: a child writes the dump, so that no sample waits for the disk.  One child at a
 * time, or repeated signals would fill the disk. */
static bool
dump_now(void *ctx)
{
	struct session *s = ctx;
	struct diag why;

	if (s->dumper > 0 && waitpid(s->dumper, NULL, WNOHANG) == 0)
		return false;
	if ((s->dumper = fork()) != 0)
		return s->dumper > 0;
	session_child(s);
	if (segments_save(&s->segments, s->store, &why) < 0)
		log_warnx("%s", why.text);
	_exit(0);
}

/* Puts the registers back; returns how many are not as they were found. */
static unsigned
session_put_back(struct session *s)
{
	struct diag why;
	unsigned failed = writer_restore(&s->writer, &s->node.plan,
	    s->node.acc, &why);
	bool has = s->journal.path[0] != '\0';  /* a simulated node has none */

	if (failed > 0)
		log_warnx("%u register%s could not be restored; %s%s%s%s",
		    failed, plural(failed), why.text, has ? "; the journal " :
		    "", s->journal.path, has ? " is kept for --restore" : "");
	return failed;
}

static void
remove_store(struct session *s)
{
	int rc = session_remove(s, s->store);

	if (rc < 0)
		log_warnx("store %s: %s; nobody needs it any more",
		    store_path(s->store), strerror(-rc));
}

/* Says of a large dump which Lua cannot load it, and what can. */
static void
say_too_large(const struct save_place *p, const char *path)
{
	uint64_t n = p->mine->numbers;

	if (n > NUMBERS_LUAJIT)
		log_info("%s has about %" PRIu64 ",000 different numbers: %s, "
		    "Lua 5.2 to 5.4 and tally do; tally convert --lua-chunks "
		    "30000 makes one that all load", path, (n + 500) / 1000,
		    n > NUMBERS_LUA51 ? "neither LuaJIT (65,536) nor Lua 5.1 "
		    "(262,141) can load it" : "LuaJIT (65,536) cannot load it");
}

/* The only ending of a run, however it comes about; returns the exit status. */
static int
session_finish(struct session *s, const struct sampler *loop, int sig)
{
	uint64_t rows = store_rows(s->store);
	char path[4096];
	struct diag why;
	unsigned failed;
	int status, call;

	store_sampled(s->store, false);
	if (!s->handover.done)
		notify_stopping(&s->notify);
	launch_ended(s);
	if (s->sweep.pinned != NULL)
		pinned_stop(s->sweep.pinned);
	/* the registers were put back and given to the heir */
	status = (!s->handover.given && session_put_back(s) > 0) ||
	    loop->failed < 0;
	if (s->node.replay == NULL)
		announce_after(s->store, s->node.acc);
	/* waits up to a second for a thread that does not answer */
	files_stop(s->files);
	s->files = NULL;
	if (!s->node.acc->ops->simulated)
		disturbance_note(s->store, &s->sweep, s->writer.cpu_ns);
	if ((failed = filter_refused(&call)) > 0)
		log_warnx("refused: %u system call%s that sampling was not "
		    "thought to need, the last of them number %d", failed,
		    plural(failed), call);
	if (!s->node.acc->ops->simulated)
		rights_ordinary();
	/* or the child would put its older dump in the place of the last one */
	if (s->dumper > 0)
		waitpid(s->dumper, NULL, 0);
	handover_alone(s);
	segments_end(&s->segments);
	if (segments_save(&s->segments, s->store, &why) < 0) {
		log_warnx("%s", why.text);
		log_warnx("the %" PRIu64 " sample%s safe in %s: `tally "
		    "dump %s > FILE` writes the dump", rows, rows == 1 ? " is" :
		    "s are", store_path(s->store),
		    store_path(s->store));
		return 1;
	}
	log_info("%" PRIu64 " sample%s in %s (%s)", rows, plural(rows),
	    save_path(segments_place(&s->segments), path),
	    loop->failed < 0 ? "it could not go on" :
	    s->handover.done ? "the configuration was read again" :
	    sig == 0 ? "all that were asked for" : strsignal(sig));
	if (s->o->dump.segment.kind == AMOUNT_NONE)
		say_too_large(segments_place(&s->segments), path);
	segments_done(&s->segments, s->store, !s->handover.done);
	launch_dumped(s, path);
	remove_store(s);
	return status;
}

/* How long a sample waits at most for files that were quick so far. */
#define FILES_PATIENCE_NS 100000000

/* Starts the threads that read, if there are any; the main thread may run anywhere. */
static int
start_threads(struct session *s, struct diag *why)
{
	uint64_t patience = s->o->interval_ns / 4;
	int rc = sweep_threads(&s->sweep, &s->node.plan, s->node.acc, why);

	if (s->sweep.pinned != NULL && s->o->read.cpu < 0 &&
	    !s->node.acc->ops->simulated)
		sched_setaffinity(0, sizeof(s->lprocs), s->lprocs);
	return rc < 0 ? rc : files_start(&s->files, &s->node.plan, s->node.acc,
	    patience < FILES_PATIENCE_NS ? patience : FILES_PATIENCE_NS, why);
}

/* Forks --pipe's process, before there are threads. */
static int
others(struct session *s, struct diag *why)
{
	int rc = session_program(s, why);

	return rc < 0 ? rc : start_threads(s, why);
}

/* Gives up the rights and system calls that sampling does not need. */
static int
session_give_up(struct session *s, struct diag *why)
{
	bool perf = s->node.plan.nopened > 0;
	unsigned use = FILTER_SAMPLE | (perf ? FILTER_PERF : 0) |
	    (s->sweep.mode == READ_BATCH ? FILTER_BATCH : 0);
	int rc;

	rights_inherit(true);
	if ((rc = rights_drop(&s->output.owner, perf,
	    perf_wants_admin(s->node.acc), why)) < 0 ||
	    (rc = others(s, why)) < 0)
		return rc;
	rights_inherit(false);
	/* the change of user has cleared this, so ask for it again */
	if (s->dumped >= 0 || s->handover.fd > 0)
		prctl(PR_SET_PDEATHSIG, SIGTERM);
	if ((rc = filter_install(use)) == 0 || rc == -ENOSYS)
		return 0;
	return diag_set(why, rc, "the filter of system calls: %s",
	    strerror(-rc));
}

/* Fills the sampler with what it needs of the session. */
static void
log_start(const struct session *s)
{
	const struct plan *plan = &s->node.plan;
	char path[256];

	for (unsigned i = 0; i < plan->remarks.n; i++)
		log_info("%s", plan->remarks.line[i]);
	for (unsigned i = 0; i < plan->absent.n; i++)
		log_debug("not sampled: %s", plan->absent.line[i]);
	if (plan->absent.n > 0)
		log_info("%u of what was asked for cannot be sampled here; -v "
		    "says what, and why", plan->absent.n);
	log_info("%u column%s every %g s; stop with kill -CONT %d",
	    store_shape(s->store)->ncolumn,
	    plural(store_shape(s->store)->ncolumn), s->o->interval,
	    s->handover.fd > 0 ? s->handover.main : getpid());
	if (FILTER_NOTE[0] != '\0')
		log_warnx("tallyd" FILTER_NOTE);
	log_info("%s%s", s->ending, s->o->read.max_overhead > 0 ? ", or later "
	    "(--max-overhead)" : "");
	if (s->samples != UINT64_MAX && s->o->dump.segment.kind == AMOUNT_NONE)
		log_info("the store grows to %.1f MB by sample %" PRIu64
		    ", the last one", (double)store_full_size(s->store) / 1e6,
		    s->samples);
	else
		log_info("a dump every %" PRIu64 " samples or sooner (%s), as "
		    "%s and on; at most twice %.1f MB of memory",
		    s->segments.rows - 1, s->o->dump.segment.kind !=
		    AMOUNT_NONE ? "--segment" : "choose with --segment",
		    segments_first_name(&s->segments, path),
		    (double)store_full_size(s->store) / 1e6);
	if (s->o->service.background)
		log_info("in the background, further messages go to the "
		    "system's log: journalctl -t tallyd, or syslog's file");
}

/* Serves the control socket, and does what the supervisor says. */
static int
open_control(struct session *s, struct diag *why)
{
	int rc = 0;

	if (s->handover.heir)
		control_adopt(&s->control, s->handover.control, s->o,
		    s->node.acc);
	else
		rc = control_open(&s->control, s->o, s->node.acc,
		    s->output.owner.gid, why);
	if (rc == 0 && s->handover.fd > 0)
		control_also(&s->control, s->node.acc, s->handover.fd);
	return rc;
}

/* Programs, and prepares the first sample: the first part that writes registers. */
static int
program(struct session *s)
{
	bool simulated = s->node.acc->ops->simulated;
	struct diag why;

	if (!simulated) {
		rights_schedule();
		rights_lock();
	}
	s->control.answer = commands_answer;
	s->control.ctx = s;
	if (open_control(s, &why) == 0 &&
	    writer_program(&s->writer, &s->node.plan, s->node.acc, &why) == 0 &&
	    (simulated ? others(s, &why) : session_give_up(s, &why)) == 0)
		return 0;
	handover_refused(s, &why);
	session_put_back(s);
	if (!simulated)
		rights_ordinary();
	return -1;
}

static bool
hurry(void *ctx)
{
	return handover_serve(ctx);
}

int
session_run(struct session *s)
{
	struct sampler loop = { .plan = &s->node.plan, .acc = s->node.acc,
	    .sweep = &s->sweep, .interval_ns = s->o->interval_ns,
	    .watch_every = s->o->read.watch, .rotate_every = s->o->read.rotate,
	    .max_overhead = s->o->read.max_overhead, .first_row = first_row,
	    .dump_now = dump_now, .ctx = s, .notify = &s->notify,
	    .control = &s->control, .held = session_held, .hurry = hurry,
	    .foreground = !s->o->service.background };
	struct diag why;
	int status;

	if (s->handover.fd <= 0)
		notify_open(&s->notify);
	s->samples = session_samples(s);
	/* a replay ends with its dump */
	if (s->node.replay != NULL &&
	    replay_samples(s->node.replay) < s->samples)
		s->samples = replay_samples(s->node.replay);
	session_segments(s, &loop);
	if (session_prepare(s, &why) < 0)
		goto fail;
	/* before the fork, frees what only the start needed: boxes and columns */
	plan_told(&s->node.plan);
	inventory_free(&s->node.inv);
	inventory_free(&s->node.registers);
	memory_release();
	s->writer.leave = session_writer;
	s->writer.ctx = s;
	s->writer.visits = s->sweep.mode == READ_VISIT ||
	    s->sweep.mode == READ_PINNED;
	if (writer_start(&s->writer, &s->node, &s->journal, s->store,
	    s->o->service.keep_writing, &why) < 0) {
		journal_done(&s->journal);      /* no register was written yet */
		goto fail;
	}
	if (program(s) < 0)
		goto undo;
	log_start(s);
	memory_release();
	loop.store = s->store;
	loop.files = s->files;
	loop.samples = s->samples;
	status = session_finish(s, &loop, sampler_run(&loop));
	goto out;
fail:
	handover_refused(s, &why);
undo:
	if (s->store != NULL)
		remove_store(s);
	status = 1;
out:
	if (s->handover.given) {
		control_leave(&s->control);
		journal_leave(&s->journal);
	} else
		control_close(&s->control);
	pidfile_remove(&s->pidfile);
	return status;
}

void
session_fini(struct session *s)
{
	writer_stop(&s->writer, s->node.acc);
	/* a start that failed leaves no store */
	if (!s->journal.written)
		journal_done(&s->journal);
	free(s->handover.took);
	segments_fini(&s->segments);
	store_close(s->store);
	output_fini(&s->output);
	files_stop(s->files);
	sweep_fini(&s->sweep);
	node_close(&s->node);
}
