/*
 * daemon/run/session_segments.c - the functions that segments and the loop
 * call in a session.
 */
#include "daemon/run/session.h"

#include "daemon/log.h"
#include "daemon/node/rights.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void
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
	/* or that would put its older dump in the place of ours */
	while (s->dumper > 0 &&
	    syscall(SYS_tgkill, s->dumper, s->dumper, 0) == 0)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &step, NULL);
}

void
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

/* Runs in --pipe's process: sets what its programs inherit. */
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
	/* of a simulated machine all keep the rights of who started it */
	if (!s->node.acc->ops->simulated && rights_thread() < 0)
		_exit(1);
	if ((rc = filter_install(FILTER_PROGRAM)) < 0 && rc != -ENOSYS)
		_exit(1);
}

int
session_remove(void *ctx, struct store *store)
{
	struct session *s = ctx;
	int rc = store_unlink(store);

	if (store != s->first)
		return rc;
	/* a later one may get its address */
	s->first = NULL;
	return rc < 0 ? writer_remove(&s->writer, store) : 0;
}

static bool
segment_due(void *ctx, uint64_t rows)
{
	struct session *s = ctx;

	/* the registers are an heir's, after this one */
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

uint64_t
session_samples(const struct session *s)
{
	if (s->o->samples > 0)
		return s->o->samples;
	return s->o->dump.segment.kind == AMOUNT_NONE &&
	    (s->o->node.virtual_time || s->output.place.in_place) ?
	    SEGMENT_ROWS : UINT64_MAX;
}

int
session_program(struct session *s, struct diag *why)
{
	if (s->o->dump.pipe == NULL)
		return 0;
	s->segments.pipe.leave = pipe_child;
	s->segments.pipe.ctx = s;
	return segment_pipe_start(&s->segments.pipe, s->o->dump.pipe,
	    &s->output.place, &s->o->dump.keep, why);
}

void
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
