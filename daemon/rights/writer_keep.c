/*
 * daemon/rights/writer_keep.c - the process that may write registers.
 *
 * It believes nothing that comes over the socket: it checks the size of a message, that
 * the register is one of the plan's, that the value is one that the plan has for it, and
 * that bits of others stay as they are.
 */
#include "daemon/rights/writer_int.h"

#include "daemon/node/journal.h"
#include "daemon/node/program.h"
#include "daemon/node/soc.h"
#include "daemon/node/team.h"
#include "daemon/rights/rights.h"
#include "regs/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* A register that may be written.  A package's MSRs are listed by package, since each of
 * its lprocs reaches them. */
struct may {
	uint8_t space;
	uint32_t unit;
	uint64_t offset;
	unsigned write;         /* into plan->write */
	unsigned value, nvalue; /* into plan.sets.value, for each event set */
};
#define BY_PACKAGE 0x80000000u

int
writer_tell(int fd, const void *message, size_t size)
{
	ssize_t n;

	do
		n = send(fd, message, size, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)size ? 0 : n < 0 ? -errno : -EPIPE;
}

ssize_t
writer_hear(int fd, void *message, size_t size)
{
	ssize_t n;

	do
		n = recv(fd, message, size, MSG_TRUNC);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static int
writer_keep_by_address(const void *a, const void *b)
{
	const struct may *x = a, *y = b;

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return x->offset == y->offset ? 0 : x->offset < y->offset ? -1 : 1;
}

static int
writer_keep_list_registers(struct keeper *k)
{
	const struct plan *plan = k->plan;

	if ((k->may = calloc(plan->nwrite + 1, sizeof(k->may[0]))) == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];

		k->may[i] = (struct may){ w->addr.space, w->addr.unit,
		    w->addr.offset, i, 0, 0 };
		if (w->pkg >= 0 && w->addr.space == REG_MSR)
			k->may[i].unit = BY_PACKAGE | (unsigned)w->pkg;
	}
	for (unsigned i = 0; i < plan->sets.nrot; i++) {
		k->may[plan->sets.rot[i].write].value = plan->sets.rot[i].value;
		k->may[plan->sets.rot[i].write].nvalue = plan->sets.n;
	}
	qsort(k->may, plan->nwrite, sizeof(k->may[0]), writer_keep_by_address);
	return 0;
}

static const struct may *
may_write(const struct keeper *k, const struct reg_addr *addr)
{
	const struct plan *plan = k->plan;
	struct may key = { .space = addr->space, .unit = addr->unit,
	    .offset = addr->offset }, *m;

	m = bsearch(&key, k->may, plan->nwrite, sizeof(key),
	    writer_keep_by_address);
	if (m == NULL && addr->space == REG_MSR && addr->unit < plan->lproc.n &&
	    plan->lproc.pkg[addr->unit] >= 0) {
		key.unit = BY_PACKAGE | (unsigned)plan->lproc.pkg[addr->unit];
		m = bsearch(&key, k->may, plan->nwrite, sizeof(key),
		    writer_keep_by_address);
	}
	if (m == NULL && addr->space == REG_MSR && addr->unit < plan->lproc.n &&
	    plan->lproc.reader[addr->unit] >= 0) {
		key.unit = (unsigned)plan->lproc.reader[addr->unit];
		m = bsearch(&key, k->may, plan->nwrite, sizeof(key),
		    writer_keep_by_address);
		if (m != NULL && (plan->write[m->write].type == NULL ||
		    plan->write[m->write].type->scope != SCOPE_CCX))
			m = NULL;
	}
	return m != NULL && plan->write[m->write].addr.bytes == addr->bytes ?
	    m : NULL;
}

/* Does the value have one of the plan's values in our bits, and others' bits unchanged? */
static bool
value_planned(const struct keeper *k, const struct may *m, uint64_t now,
    uint64_t raw)
{
	const struct plan_write *w = &k->plan->write[m->write];
	uint64_t ours = program_owned(w);
	bool known = ((raw ^ w->new) & ours) == 0 ||
	    ((raw ^ w->old) & ours) == 0;

	for (unsigned i = 0; !known && i < m->nvalue; i++)
		known = raw == k->plan->sets.value[m->value + i];
	return known && (w->rotates || ((raw ^ now) & ~ours) == 0);
}

static int
writer_keep_write_one(struct keeper *k, const struct reg_addr *addr,
    uint64_t raw)
{
	const struct may *m = may_write(k, addr);
	uint64_t now = 0;
	int rc;

	if (!k->changed)
		return -EPERM;
	if (addr->space == REG_SIDEBAND)
		return soc_names(k->plan, addr) ?
		    access_write(k->acc, addr, raw) : -EPERM;
	if (m == NULL)
		return raw == 0 && plan_may_reset(k->plan, addr) ?
		    access_write(k->acc, addr, raw) : -EPERM;
	/* in a register that sets take turns on, all bits are ours */
	if (!k->plan->write[m->write].rotates &&
	    (rc = access_read(k->acc, addr, &now)) < 0)
		return rc;
	return value_planned(k, m, now, raw) ?
	    access_write(k->acc, addr, raw) : -EPERM;
}

static int32_t
write_many(struct keeper *k, const struct request_many *ask)
{
	int32_t failed = 0;

	for (unsigned i = 0; i < ask->n; i++)
		failed += writer_keep_write_one(k, &ask->value[i].addr,
		    ask->value[i].raw) < 0;
	return failed;
}

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
		a->rc = writer_keep_write_one(k, &ask->addr, ask->raw);
		break;
	case ASK_READ:
		a->rc = ask->addr.space == REG_SIDEBAND &&
		    soc_names(k->plan, &ask->addr) ?
		    access_read(k->acc, &ask->addr, &a->raw) : -EPERM;
		break;
	case ASK_PAUSE:
		a->rc = (int32_t)lend_begin(k->plan, k->acc, k->journal,
		    &a->why);
		k->changed = a->rc != 0;
		k->paused = a->rc == 0;
		k->given = k->paused && ask->raw != 0;
		break;
	case ASK_RESUME:
		a->rc = k->paused ? lend_end(k->node, k->journal,
		    ask->raw != 0, &a->why) : -EPERM;
		k->changed = k->journal->written;
		k->paused = !k->changed;
		k->given = false;
		break;
	case ASK_REMOVE:
		a->rc = k->store != NULL ? store_unlink(k->store) : -ENOENT;
		break;
	default:
		a->rc = -EINVAL;
	}
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
			answer_one(k, &ask.one, &a);
		else if (n >= (ssize_t)MANY_SIZE(0) &&
		    ask.many.what == ASK_WRITE_MANY &&
		    ask.many.n <= ACCESS_MANY &&
		    n == (ssize_t)MANY_SIZE(ask.many.n))
			a.rc = write_many(k, &ask.many);
		else
			a.rc = -EINVAL;
	} while (writer_tell(k->fd, &a, sizeof(a)) == 0);
	if (k->given)
		return;
	if (k->paused || (k->changed &&
	    program_restore(k->plan, k->acc, &a.why) == 0))
		journal_done(k->journal);
}

void
keeper_main(struct keeper *k)
{
	sigset_t all;
	int rc;

	/* ^C, or a kill of the process group, ends the sampler, and with it this process */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_NAME, "tallyd-writer");
	rights_give_up();
	if ((rc = writer_keep_list_registers(k)) == 0 &&
	    (rc = team_start(&k->plan->team, k->plan, k->acc,
	    rights_thread)) == 0)
		rc = rights_writer();
	if (writer_tell(k->fd, &rc, sizeof(rc)) == 0 && rc == 0)
		writer_keep_serve(k);
	_exit(0);
}
