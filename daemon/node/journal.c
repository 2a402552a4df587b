/*
 * daemon/node/journal.c - what the machine's registers were, on disk before the
 * first of them is changed.
 */
#include "daemon/node/journal.h"

#include "config/folder.h"
#include "daemon/node/program.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
journal_place(const struct options *o, const struct access *acc, char *path,
    size_t size)
{
	size_t n = strlen(o->node.root);

	if (o->service.journal == NULL && acc->ops->simulated)
		return false;
	while (n > 0 && o->node.root[n - 1] == '/')
		n--;
	if (o->service.journal != NULL)
		snprintf(path, size, "%s", o->service.journal);
	else
		snprintf(path, size, "%.*s/run/tallyd.journal", (int)n,
		    o->node.root);
	return true;
}

int
journal_open(struct journal *j, const char *path, struct access *acc,
    struct diag *why)
{
	int rc;

	j->written = false;
	if ((rc = journal_find(j, path, why)) < 0)
		return rc;
	if ((rc = journal_lock(j, true, why)) < 0) {
		close(j->dir);
		return rc;
	}
	if ((rc = journal_acceptable(j->fd, path, acc, why)) < 0)
		journal_leave(j);
	else if ((rc = journal_put_idle(j->fd, getpid())) < 0) {
		journal_no_place(path, -rc, why);
		journal_done(j);
	}
	return rc;
}

/* One register's line, number n. */
static void
put_register(FILE *f, unsigned n, const struct plan_write *w,
    const struct node *node)
{
	char text[128], record[JOURNAL_LINE - 32];

	snprintf(record, sizeof(record), "%s %u 0x%" PRIx64 " %u 0x%" PRIx64
	    " 0x%" PRIx64 " 0x%" PRIx64 " %d %s",
	    journal_space_name(w->addr.space), w->addr.unit, w->addr.offset,
	    w->addr.bytes, w->old, w->new, program_owned(w), w->pkg < 0 ? -1 :
	    node->topo.pkg[w->pkg].id, plan_write_text(w, text, sizeof(text)));
	journal_put_record(f, n, record);
}

/* Does the work of journal_write; left: of the registers alone that are written. */
static int
journal_put_all(struct journal *j, const struct node *node, bool left,
    struct diag *why)
{
	const struct plan *plan = &node->plan;
	struct journal_head h = { .registers = 0 };
	char head[JOURNAL_HEAD + 1], *body = NULL;
	size_t size = 0;
	FILE *f;
	int rc = 0;

	if (j->fd < 0)
		return 0;
	if ((f = open_memstream(&body, &size)) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	for (unsigned copy = 0; copy < JOURNAL_COPIES; copy++) {
		h.registers = 0;
		for (unsigned i = 0; i < plan->nwrite; i++)
			if ((plan->write[i].new != plan->write[i].old ||
			    plan->write[i].rotates) && (!left ||
			    plan->fate[i].written))
				put_register(f, h.registers++, &plan->write[i],
				    node);
	}
	if (fclose(f) != 0 || body == NULL)
		rc = diag_set(why, -ENOMEM, "out of memory");
	/* read now: the process that writes later may be one that cannot open files */
	if (j->pid == 0)
		j->pid = getpid();
	if (j->boot[0] == '\0')
		journal_boot(node->acc, j->boot);
	h.pid = j->pid;
	memcpy(h.boot, j->boot, sizeof(h.boot));
	h.bytes = size + 2 * JOURNAL_HEAD;
	journal_put_head(head, &h);
	/* the head is written last, in one write: it says that all records are there */
	if (rc == 0 && ((rc = journal_put(j->fd, body, size,
	    JOURNAL_HEAD)) < 0 || (rc = journal_put(j->fd, head, JOURNAL_HEAD,
	    size + JOURNAL_HEAD)) < 0 ||
	    (rc = journal_put(j->fd, head, JOURNAL_HEAD, 0)) < 0))
		journal_no_place(j->path, -rc, why);
	else if (rc == 0 && left && ftruncate(j->fd, (off_t)h.bytes) < 0)
		rc = journal_no_place(j->path, errno, why);
	free(body);
	j->written = j->written || rc == 0;
	return rc;
}

int
journal_write(struct journal *j, const struct node *node, struct diag *why)
{
	return journal_put_all(j, node, false, why);
}

int
journal_idle(struct journal *j)
{
	int rc = j->fd < 0 ? 0 : journal_put_idle(j->fd, j->pid);

	j->written = j->written && rc < 0;
	return rc;
}

void
journal_leave(struct journal *j)
{
	if (j->fd < 0)
		return;
	close(j->fd);
	close(j->dir);
	j->fd = -1;
}

void
journal_done(struct journal *j)
{
	const char *name = folder_name(j->path);

	if (j->fd < 0)
		return;
	/* this process may have given up the right to remove it */
	if (j->kept || (folder_has(j->dir, name, j->fd) &&
	    unlinkat(j->dir, name, 0) < 0))
		journal_put_idle(j->fd, 0);
	journal_leave(j);
}

void
journal_drop(struct journal *j)
{
	struct journal_text t;

	if (j->fd < 0)
		return;
	j->kept = journal_read(&t, j->fd) < 0 || t.state != JOURNAL_IDLE;
	journal_text_fini(&t);
	if (j->kept)
		journal_leave(j);
	else
		journal_done(j);
}

/* ---- the registers, given to others for a while */

unsigned
lend_begin(struct node *node, struct journal *journal, bool all,
    struct diag *why)
{
	unsigned failed, left = 0;
	int rc;

	if (why != NULL)
		why->text[0] = '\0';
	failed = all ? program_restore(&node->plan, node->acc, why) :
	    program_lend(&node->plan, node->acc, &left, why);
	if (failed > 0 || journal == NULL)
		return failed;
	if (left > 0)
		return journal_put_all(journal, node, true, why) < 0;
	if ((rc = journal_idle(journal)) == 0)
		return 0;
	diag_set(why, rc, "the journal cannot be emptied: %s", strerror(-rc));
	return 1;
}

int
lend_end(struct node *node, struct journal *journal, bool force,
    struct diag *why)
{
	struct plan *plan = &node->plan;
	struct diag left;
	char first[256];
	unsigned n;
	int rc = program_save_anew(plan, node->acc, why);

	if (rc < 0)
		return rc;
	n = program_in_use(plan, first, sizeof(first));
	if (n > 0 && !force)
		return diag_set(why, -EBUSY, "%u counter%s in use by somebody "
		    "else: %s", n, n == 1 ? " is" : "s are", first);
	if (journal != NULL && (rc = journal_write(journal, node, why)) < 0)
		return rc;
	if ((rc = program_write(plan, node->acc, why)) < 0)
		lend_begin(node, journal, false, &left);
	return rc;
}
