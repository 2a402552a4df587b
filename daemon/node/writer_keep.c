/*
 * daemon/node/writer_keep.c - the process that may write registers: it programs them,
 * answers, and puts them back.
 */
#include "daemon/node/writer.h"

#include "daemon/node/journal.h"
#include "daemon/node/program.h"
#include "daemon/node/rights.h"
#include "daemon/node/soc.h"
#include "lib/process.h"
#include "regs/host.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static void
answer_one(struct keeper *k, const struct request *ask, struct answer *a)
{
	a->why.text[0] = '\0';
	switch (ask->what) {
	case ASK_PROGRAM:
		k->changed = true;
		a->rc = program_write(k->plan, k->acc, &a->why);
		break;
	case ASK_RESTORE:
		a->rc = (int32_t)program_restore(k->plan, k->acc, &a->why);
		a->raw = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
		if (a->rc == 0) {
			journal_done(k->journal);
			k->changed = false;
		}
		break;
	case ASK_WRITE:
		a->rc = keeper_write_one(k, &ask->addr, ask->raw);
		break;
	case ASK_READ:
		a->rc = ask->addr.space == REG_SIDEBAND &&
		    soc_names(k->plan, &ask->addr) ?
		    access_read(k->acc, &ask->addr, &a->raw) : -EPERM;
		break;
	case ASK_PAUSE:
		a->rc = (int32_t)lend_begin(k->node, k->journal, ask->raw != 0,
		    &a->why);
		k->changed = k->journal->written;
		k->paused = a->rc == 0;
		k->given = k->paused && ask->raw != 0;
		break;
	case ASK_RESUME:
		a->rc = k->paused ? lend_end(k->node, k->journal,
		    ask->raw != 0, &a->why) : -EPERM;
		k->changed = k->journal->written;
		k->paused = a->rc < 0 && program_is_lent(k->plan);
		k->given = false;
		break;
	case ASK_REMOVE:
		a->rc = k->store != NULL ? store_unlink(k->store) : -ENOENT;
		break;
	default:
		a->rc = -EINVAL;
	}
}

/* While all registers are programmed or put back no single one is written. */
static void
answer_alone(struct keeper *k, const struct request *ask, struct answer *a)
{
	bool single = ask->what == ASK_WRITE || ask->what == ASK_READ;

	if (!single)
		writer_lines_hold(k);
	answer_one(k, ask, a);
	if (!single)
		writer_lines_release(k);
}

/* Answers until the sampler is gone, or an answer cannot be sent. */
static void
writer_keep_serve(struct keeper *k)
{
	struct answer a;
	union {
		struct request one;
		struct request_many many;
	} ask;
	ssize_t n;

	do {
		if ((n = writer_hear(k->fd, &ask, sizeof(ask))) <= 0)
			break;
		memset(&a, 0, sizeof(a));
		if (n == sizeof(ask.one) && ask.one.what != ASK_WRITE_MANY)
			answer_alone(k, &ask.one, &a);
		else if (keeper_is_many(&ask.many, n))
			a.rc = keeper_write_many(k, &ask.many);
		else
			a.rc = -EINVAL;
	} while (writer_tell(k->fd, &a, sizeof(a)) == 0);
	/* for good: what was asked, and not yet answered, is not written */
	writer_lines_hold(k);
	if (k->given)
		return;
	if (k->changed ? program_restore(k->plan, k->acc, &a.why) == 0 :
	    k->paused)
		journal_done(k->journal);
}

void
keeper_main(struct keeper *k, struct writer *w)
{
	sigset_t all;
	int rc;

	/* ^C, or a kill of the process group, ends the sampler, and with it this process */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_NAME, "tallyd-writer");
	rights_give_up();
	if ((rc = keeper_list_registers(k)) == 0)
		rc = team_start(&k->plan->team, k->plan, k->acc,
		    rights_thread);
	/* without threads it takes longer */
	if ((rc == 0 || rc == -EAGAIN) && (rc = writer_lines_start(k, w)) == 0) {
		memory_release();
		rc = rights_writer();
	}
	if (writer_tell(k->fd, &rc, sizeof(rc)) == 0 && rc == 0)
		writer_keep_serve(k);
	_exit(0);
}
