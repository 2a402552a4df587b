/*
 * daemon/node/writer.c - the sampler's side: asks the process that may write.
 */
#include "daemon/node/writer.h"

#include "daemon/node/program.h"
#include "lib/process.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int
ask_sized(struct writer *w, const void *q, size_t size, struct answer *a)
{
	bool heard;

	pthread_mutex_lock(&w->asking);
	heard = writer_tell(w->fd, q, size) == 0 &&
	    writer_hear(w->fd, a, sizeof(*a)) == sizeof(*a);
	pthread_mutex_unlock(&w->asking);
	return heard ? 0 : -EPIPE;
}

static int
writer_ask(struct writer *w, const struct request *q, struct answer *a)
{
	return ask_sized(w, q, sizeof(*q), a);
}

static int
proxy_write(struct access_proxy *p, const struct reg_addr *addr, uint64_t raw)
{
	struct request q = { .what = ASK_WRITE, .addr = *addr, .raw = raw };
	struct answer a;
	int rc = writer_ask((struct writer *)p, &q, &a);

	return rc < 0 ? rc : a.rc;
}

/* Asks a line: its answer; -EPIPE where it is, or now was found to be, broken.  It is
 * not asked again then, as an answer that is late would be taken for that of the
 * next question. */
static int32_t
ask_line(struct writer_line *line, const void *q, size_t size)
{
	int32_t rc;

	pthread_mutex_lock(&line->asking);
	line->broken = line->broken || writer_tell(line->fd, q, size) < 0 ||
	    writer_hear(line->fd, &rc, sizeof(rc)) != sizeof(rc);
	if (line->broken)
		rc = -EPIPE;
	pthread_mutex_unlock(&line->asking);
	return rc;
}

static unsigned
proxy_write_many(struct access_proxy *p, const struct reg_value *value,
    unsigned n)
{
	struct request_many q;
	struct writer *w = (struct writer *)p;
	struct writer_line *line = writer_lines_here(w, value, n);
	struct answer a;

	q.what = ASK_WRITE_MANY;
	q.n = n;
	memcpy(q.value, value, n * sizeof(value[0]));
	a.rc = line != NULL ? ask_line(line, &q, MANY_SIZE(n)) : -EPIPE;
	/* the main thread, which writes the same values again at worst */
	if (a.rc == -EPIPE && ask_sized(w, &q, MANY_SIZE(n), &a) < 0)
		a.rc = -EPIPE;
	return a.rc < 0 || (unsigned)a.rc > n ? n : (unsigned)a.rc;
}

static int
proxy_read(struct access_proxy *p, const struct reg_addr *addr, uint64_t *raw)
{
	struct request q = { .what = ASK_READ, .addr = *addr };
	struct answer a;
	int rc = writer_ask((struct writer *)p, &q, &a);

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

	*w = (struct writer){ .fd = -1, .journal = journal, .leave = w->leave,
	    .ctx = w->ctx, .visits = w->visits && !keep };
	pthread_mutex_init(&w->asking, NULL);
	if (acc->ops->seal == NULL)
		return 0;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) < 0)
		return diag_set(why, -errno, "the process that writes "
		    "registers: %s", strerror(errno));
	writer_lines_open(w, k.plan, fd[1]);
	if ((w->pid = fork()) == 0) {
		close(fd[0]);
		if (w->leave != NULL)
			w->leave(w->ctx);
		k.fd = fd[1];
		keeper_main(&k, w);
	}
	rc = w->pid < 0 ? -errno : 0;
	close(fd[1]);
	writer_lines_began(w);
	w->fd = fd[0];
	if (rc < 0 || writer_hear(w->fd, &rc, sizeof(rc)) != sizeof(rc) || rc < 0 ||
	    (!keep && (rc = acc->ops->seal(acc)) < 0)) {
		writer_stop(w, acc);
		return diag_set(why, rc < 0 ? rc : -EPIPE, "the process that "
		    "writes registers: %s", start_problem(rc < 0 ? rc :
		    -EPIPE));
	}
	w->proxy = (struct access_proxy){ proxy_read, proxy_write,
	    proxy_write_many };
	if (!keep)
		acc->proxy = &w->proxy;
	journal_leave(journal);
	return 0;
}

/* Leaves out the lprocs of which rc registers could not be written; 0, or rc < 0. */
static int
writer_programmed(int rc, struct plan *plan, struct access *acc)
{
	if (rc >= 0)
		program_leave_out(plan, acc, rc > 0);
	return rc < 0 ? rc : 0;
}

/* Has the writer write all control registers, for ASK_PROGRAM or ASK_RESUME; the watch has
 * to find those values there. */
static int
ask_to_program(struct writer *w, const struct request *q, struct plan *plan,
    struct access *acc, struct diag *why)
{
	struct answer a;
	int rc;

	for (unsigned i = 0; i < plan->nwrite; i++)
		plan->fate[i].seen = plan->write[i].new;
	if ((rc = writer_ask(w, q, &a)) < 0)
		return diag_set(why, rc, "the process that writes registers "
		    "has died");
	if (plan->soc != NULL)
		plan->soc->running = a.rc >= 0;
	return a.rc < 0 ? diag_set(why, a.rc, "%s", a.why.text) :
	    writer_programmed(a.rc, plan, acc);
}

int
writer_program(struct writer *w, struct plan *plan, struct access *acc,
    struct diag *why)
{
	const struct request q = { .what = ASK_PROGRAM };

	if (w->fd < 0)
		return writer_programmed(program_write(plan, acc, why), plan, acc);
	return ask_to_program(w, &q, plan, acc, why);
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
	if (writer_ask(w, &q, &a) < 0) {
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
writer_pause(struct writer *w, struct node *node, bool give, struct diag *why)
{
	struct request q = { .what = ASK_PAUSE, .raw = give };
	struct plan *plan = &node->plan;
	struct answer a;

	if (w->fd < 0)
		return lend_begin(node, w->journal, give, why);
	if (writer_ask(w, &q, &a) < 0) {
		diag_set(why, -EPIPE, "the process that writes registers has "
		    "died");
		return plan->nwrite > 0 ? plan->nwrite : 1;
	}
	diag_set(why, 0, "%s", a.why.text);
	if (a.rc == 0 && plan->soc != NULL)
		plan->soc->running = false;
	return (unsigned)a.rc;
}

int
writer_resume(struct writer *w, struct node *node, bool force,
    struct diag *why)
{
	const struct request q = { .what = ASK_RESUME, .raw = force };
	struct plan *plan = &node->plan;
	int rc;

	if (w->fd < 0)
		return writer_programmed(lend_end(node, w->journal, force, why), plan,
		    node->acc);
	if ((rc = program_save_anew(plan, node->acc, why)) < 0)
		return rc;
	return ask_to_program(w, &q, plan, node->acc, why);
}

int
writer_remove(struct writer *w, struct store *store)
{
	struct request q = { .what = ASK_REMOVE };
	struct answer a;

	/* if the writer has died, we may have the right to remove it */
	if (w->fd < 0 || writer_ask(w, &q, &a) < 0)
		return store_unlink(store);
	return a.rc;
}

void
writer_leave(struct writer *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
	writer_lines_leave(w);
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
	writer_lines_free(w);
}
