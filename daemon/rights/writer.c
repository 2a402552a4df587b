/*
 * daemon/rights/writer.c - the process that may write registers.
 *
 * Nothing that comes over the socket is believed: a message has a size, a
 * register must be one of the plan's, a value one that the plan has for it, and
 * the bits of a register that are not ours must be as they are.
 */
#include "daemon/rights/writer.h"

#include "daemon/node/lend.h"
#include "daemon/node/program.h"
#include "daemon/node/soc.h"
#include "daemon/node/team.h"
#include "daemon/rights/rights.h"
#include "regs/clock.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum what { ASK_PROGRAM, ASK_RESTORE, ASK_WRITE, ASK_READ, ASK_REMOVE,
	ASK_PAUSE, ASK_RESUME, ASK_WRITE_MANY };

struct request {
	uint32_t what;          /* enum what */
	struct reg_addr addr;   /* of ASK_WRITE and ASK_READ */
	uint64_t raw;           /* of ASK_RESUME: force; of ASK_PAUSE: given */
};

/* ASK_WRITE_MANY: so much of it as n says. */
struct request_many {
	uint32_t what, n;
	struct reg_value value[ACCESS_MANY];
};
#define MANY_SIZE(n) (offsetof(struct request_many, value) + \
	(n) * sizeof(struct reg_value))

struct answer {
	int32_t rc;             /* 0 or -errno; ASK_RESTORE, ASK_PAUSE,
				 * ASK_WRITE_MANY: how many failed */
	uint64_t raw;
	struct diag why;
};

/* A register that may be written; package MSRs by package, since any of its
 * lprocs reaches them. */
struct may {
	uint8_t space;
	uint32_t unit;
	uint64_t offset;
	unsigned write;         /* into plan->write */
	unsigned value, nvalue; /* into plan->rot_value, for each event set */
};
#define BY_PACKAGE 0x80000000u

/* A message, whole: 0 or -errno. */
static int
tell(int fd, const void *message, size_t size)
{
	ssize_t n;

	do
		n = send(fd, message, size, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)size ? 0 : n < 0 ? -errno : -EPIPE;
}

/* How long the next one is, 0 where there will be none, or -errno. */
static ssize_t
hear(int fd, void *message, size_t size)
{
	ssize_t n;

	do
		n = recv(fd, message, size, MSG_TRUNC);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

struct keeper {
	int fd;
	struct node *node;
	struct plan *plan;
	struct access *acc;
	struct journal *journal;
	struct store *store;
	struct may *may;
	bool changed;           /* registers are not as they were found */
	bool paused;            /* they are, and the journal is kept */
	bool given;             /* and is another sampler's by now */
};

static int
by_address(const void *a, const void *b)
{
	const struct may *x = a, *y = b;

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return x->offset == y->offset ? 0 : x->offset < y->offset ? -1 : 1;
}

static int
list_registers(struct keeper *k)
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
	for (unsigned i = 0; i < plan->nrot; i++) {
		k->may[plan->rot[i].write].value = plan->rot[i].value;
		k->may[plan->rot[i].write].nvalue = plan->nset;
	}
	qsort(k->may, plan->nwrite, sizeof(k->may[0]), by_address);
	return 0;
}

static const struct may *
may_write(const struct keeper *k, const struct reg_addr *addr)
{
	const struct plan *plan = k->plan;
	struct may key = { .space = addr->space, .unit = addr->unit,
	    .offset = addr->offset }, *m;

	m = bsearch(&key, k->may, plan->nwrite, sizeof(key), by_address);
	if (m == NULL && addr->space == REG_MSR && addr->unit < plan->nlproc &&
	    plan->lproc_pkg[addr->unit] >= 0) {
		key.unit = BY_PACKAGE | (unsigned)plan->lproc_pkg[addr->unit];
		m = bsearch(&key, k->may, plan->nwrite, sizeof(key),
		    by_address);
	}
	return m != NULL && plan->write[m->write].addr.bytes == addr->bytes ?
	    m : NULL;
}

/* Is it a value of the plan's in our bits, and nothing new in others'? */
static bool
value_planned(const struct keeper *k, const struct may *m, uint64_t now,
    uint64_t raw)
{
	const struct plan_write *w = &k->plan->write[m->write];
	uint64_t ours = program_owned(w);
	bool known = ((raw ^ w->new) & ours) == 0 ||
	    ((raw ^ w->old) & ours) == 0;

	for (unsigned i = 0; !known && i < m->nvalue; i++)
		known = raw == k->plan->rot_value[m->value + i];
	return known && (w->rotates || ((raw ^ now) & ~ours) == 0);
}

static int
write_one(struct keeper *k, const struct reg_addr *addr, uint64_t raw)
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
		return -EPERM;
	/* of one that sets take turns on, no bit is another's */
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
		failed += write_one(k, &ask->value[i].addr,
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
		a->rc = write_one(k, &ask->addr, ask->raw);
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

/* Until the sampler is gone, or would wait for an answer in vain. */
static void
serve(struct keeper *k)
{
	struct answer a;
	union {
		struct request one;
		struct request_many many;
	} ask;
	ssize_t n;

	do {
		if ((n = hear(k->fd, &ask, sizeof(ask))) <= 0)
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
	} while (tell(k->fd, &a, sizeof(a)) == 0);
	if (k->given)
		return;
	if (k->paused || (k->changed &&
	    program_restore(k->plan, k->acc, &a.why) == 0))
		journal_done(k->journal);
}

static void
writer_main(struct keeper *k)
{
	sigset_t all;
	int rc;

	/* a ^C or a kill of the group ends the sampler, and that ends this */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_NAME, "tallyd-writer");
	rights_give_up();
	if ((rc = list_registers(k)) == 0 &&
	    (rc = team_start(&k->plan->team, k->plan, k->acc,
	    rights_thread)) == 0)
		rc = rights_writer();
	if (tell(k->fd, &rc, sizeof(rc)) == 0 && rc == 0)
		serve(k);
	_exit(0);
}

/* ---- the sampler's side ------------------------------------------------ */

static int
ask_sized(struct writer *w, const void *q, size_t size, struct answer *a)
{
	bool heard;

	pthread_mutex_lock(&w->asking);
	heard = tell(w->fd, q, size) == 0 &&
	    hear(w->fd, a, sizeof(*a)) == sizeof(*a);
	pthread_mutex_unlock(&w->asking);
	return heard ? 0 : -EPIPE;
}

static int
ask(struct writer *w, const struct request *q, struct answer *a)
{
	return ask_sized(w, q, sizeof(*q), a);
}

static int
proxy_write(struct access_proxy *p, const struct reg_addr *addr, uint64_t raw)
{
	struct request q = { .what = ASK_WRITE, .addr = *addr, .raw = raw };
	struct answer a;
	int rc = ask((struct writer *)p, &q, &a);

	return rc < 0 ? rc : a.rc;
}

static unsigned
proxy_write_many(struct access_proxy *p, const struct reg_value *value,
    unsigned n)
{
	struct request_many q = { .what = ASK_WRITE_MANY, .n = n };
	struct answer a;

	memcpy(q.value, value, n * sizeof(value[0]));
	return ask_sized((struct writer *)p, &q, MANY_SIZE(n), &a) < 0 ||
	    a.rc < 0 || (unsigned)a.rc > n ? n : (unsigned)a.rc;
}

static int
proxy_read(struct access_proxy *p, const struct reg_addr *addr, uint64_t *raw)
{
	struct request q = { .what = ASK_READ, .addr = *addr };
	struct answer a;
	int rc = ask((struct writer *)p, &q, &a);

	if (rc == 0 && (rc = a.rc) == 0)
		*raw = a.raw;
	return rc;
}

int
writer_start(struct writer *w, struct node *node, struct journal *journal,
    struct store *store, bool keep, struct diag *why)
{
	struct access *acc = node->acc;
	struct keeper k = { .node = node, .plan = &node->plan, .acc = acc,
	    .journal = journal, .store = store };
	int fd[2], rc = 0;

	*w = (struct writer){ .fd = -1, .journal = journal };
	pthread_mutex_init(&w->asking, NULL);
	if (acc->ops->seal == NULL)
		return 0;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) < 0)
		return diag_set(why, -errno, "the process that writes "
		    "registers: %s", strerror(errno));
	if ((w->pid = fork()) == 0) {
		close(fd[0]);
		k.fd = fd[1];
		writer_main(&k);
	}
	rc = w->pid < 0 ? -errno : 0;
	close(fd[1]);
	w->fd = fd[0];
	if (rc < 0 || hear(w->fd, &rc, sizeof(rc)) != sizeof(rc) || rc < 0 ||
	    (!keep && (rc = acc->ops->seal(acc)) < 0)) {
		writer_stop(w, acc);
		return diag_set(why, rc < 0 ? rc : -EPIPE, "the process that "
		    "writes registers: %s", strerror(rc < 0 ? -rc : EPIPE));
	}
	w->proxy = (struct access_proxy){ proxy_read, proxy_write,
	    proxy_write_many };
	if (!keep)
		acc->proxy = &w->proxy;
	journal_leave(journal);
	return 0;
}

int
writer_program(struct writer *w, struct plan *plan, struct access *acc,
    struct diag *why)
{
	struct request q = { .what = ASK_PROGRAM };
	struct answer a;
	int rc;

	if (w->fd < 0)
		return program_write(plan, acc, why);
	for (unsigned i = 0; i < plan->nwrite; i++)
		plan->write[i].seen = plan->write[i].new;
	if ((rc = ask(w, &q, &a)) < 0)
		return diag_set(why, rc, "the process that writes registers "
		    "has died");
	if (plan->soc != NULL)
		plan->soc->running = a.rc == 0;
	return a.rc < 0 ? diag_set(why, a.rc, "%s", a.why.text) : 0;
}

unsigned
writer_restore(struct writer *w, struct plan *plan, struct access *acc,
    struct diag *why)
{
	struct request q = { .what = ASK_RESTORE };
	struct answer a;
	unsigned failed;

	if (w->fd < 0) {
		if ((failed = program_restore(plan, acc, why)) == 0 &&
		    w->journal != NULL)
			journal_done(w->journal);
		return failed;
	}
	if (ask(w, &q, &a) < 0) {
		diag_set(why, -EPIPE, "the process that writes registers has "
		    "died");
		return plan->nwrite > 0 ? plan->nwrite : 1;
	}
	w->cpu_ns = a.raw;
	if (a.rc != 0)
		diag_set(why, -EIO, "%s", a.why.text);
	return (unsigned)a.rc;
}

unsigned
writer_pause(struct writer *w, struct plan *plan, struct access *acc,
    bool give, struct diag *why)
{
	struct request q = { .what = ASK_PAUSE, .raw = give };
	struct answer a;

	if (w->fd < 0)
		return lend_begin(plan, acc, w->journal, why);
	if (ask(w, &q, &a) < 0) {
		diag_set(why, -EPIPE, "the process that writes registers has "
		    "died");
		return plan->nwrite > 0 ? plan->nwrite : 1;
	}
	if (a.rc != 0)
		diag_set(why, -EIO, "%s", a.why.text);
	else if (plan->soc != NULL)
		plan->soc->running = false;
	return (unsigned)a.rc;
}

int
writer_resume(struct writer *w, struct node *node, bool force,
    struct diag *why)
{
	struct request q = { .what = ASK_RESUME, .raw = force };
	struct plan *plan = &node->plan;
	struct answer a;
	int rc;

	if (w->fd < 0)
		return lend_end(node, w->journal, force, why);
	/* what the watch is to find there */
	if ((rc = program_save(plan, node->acc, why)) < 0)
		return rc;
	for (unsigned i = 0; i < plan->nwrite; i++)
		plan->write[i].seen = plan->write[i].new;
	if ((rc = ask(w, &q, &a)) < 0)
		return diag_set(why, rc, "the process that writes registers "
		    "has died");
	if (plan->soc != NULL)
		plan->soc->running = a.rc == 0;
	return a.rc < 0 ? diag_set(why, a.rc, "%s", a.why.text) : 0;
}

int
writer_remove(struct writer *w, struct store *store)
{
	struct request q = { .what = ASK_REMOVE };
	struct answer a;

	/* where it has died, we may have the right to */
	if (w->fd < 0 || ask(w, &q, &a) < 0)
		return store_unlink(store);
	return a.rc;
}

void
writer_leave(struct writer *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}

void
writer_stop(struct writer *w, struct access *acc)
{
	if (w->fd < 0)
		return;
	acc->proxy = NULL;
	writer_leave(w);
	while (w->pid > 0 && waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
}
