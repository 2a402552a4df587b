/*
 * daemon/node/journal.c - what the machine's registers were, on disk before the
 * first of them is changed.
 */
#include "daemon/node/journal_int.h"

#include "daemon/node/program.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool
journal_place(const struct options *o, const struct access *acc, char *path,
    size_t size)
{
	size_t n = strlen(o->root);

	if (o->journal == NULL && acc->ops->simulated)
		return false;
	while (n > 0 && o->root[n - 1] == '/')
		n--;
	if (o->journal != NULL)
		snprintf(path, size, "%s", o->journal);
	else
		snprintf(path, size, "%.*s/run/tallyd.journal", (int)n,
		    o->root);
	return true;
}

/* All that it holds from now on: on disk, or -errno. */
static int
replace(const struct journal *j, const char *text, size_t size,
    struct diag *why)
{
	errno = ENOSPC;         /* for a write that ends early */
	return ftruncate(j->fd, 0) == 0 &&
	    pwrite(j->fd, text, size, 0) == (ssize_t)size &&
	    fsync(j->fd) == 0 ? 0 : diag_set(why, -errno, "journal %s: %s",
	    j->path, strerror(errno));
}

int
journal_open(struct journal *j, const char *path, struct access *acc,
    struct diag *why)
{
	char head[64];
	FILE *f;
	int rc, n = snprintf(head, sizeof(head), JOURNAL_HEAD "pid %d\n",
	    getpid());

	snprintf(j->path, sizeof(j->path), "%s", path);
	j->written = false;
	if ((rc = journal_lock(path, O_CREAT, &f, why)) < 0)
		return rc;
	if ((rc = journal_acceptable(f, path, acc, why)) < 0) {
		fclose(f);
		return rc;
	}
	j->fd = fcntl(fileno(f), F_DUPFD_CLOEXEC, 0);
	if (j->fd < 0)
		rc = diag_set(why, -errno, "journal %s: %s", path,
		    strerror(errno));
	fclose(f);              /* the lock lives as long as any duplicate */
	if (rc == 0 && (rc = replace(j, head, (size_t)n, why)) < 0)
		journal_done(j);
	return rc;
}

int
journal_look(const char *path, struct access *acc, struct diag *why)
{
	int rc, fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
	    O_CLOEXEC);
	struct stat sb;
	FILE *f;

	if (fd < 0)
		return errno == ENOENT ? 0 : journal_no_place(path, errno, why);
	if (fstat(fd, &sb) < 0 || !S_ISREG(sb.st_mode)) {
		close(fd);
		return journal_no_file(path, why);
	}
	if ((f = fdopen(fd, "r")) == NULL) {
		close(fd);
		return diag_set(why, -ENOMEM, "out of memory");
	}
	rc = flock(fd, LOCK_SH | LOCK_NB) < 0 ? journal_held(f, why) :
	    journal_acceptable(f, path, acc, why);
	fclose(f);
	return rc;
}

int
journal_write(struct journal *j, const struct node *node, struct diag *why)
{
	const struct plan *plan = &node->plan;
	char text[128], boot[64], *buf = NULL;
	size_t size = 0;
	unsigned n = 0;
	FILE *f;
	int rc = 0;

	if (j->fd < 0)
		return 0;
	if ((f = open_memstream(&buf, &size)) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	journal_boot(node->acc, boot);
	fprintf(f, JOURNAL_HEAD "pid %d\n", getpid());
	if (boot[0] != '\0')
		fprintf(f, "boot %s\n", boot);
	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];

		if (w->new == w->old && !w->rotates)
			continue;
		fprintf(f, "%s %u 0x%" PRIx64 " %u 0x%" PRIx64 " 0x%" PRIx64
		    " 0x%" PRIx64 " %d %s\n", journal_space_name(w->addr.space),
		    w->addr.unit, w->addr.offset, w->addr.bytes, w->old,
		    w->new, program_owned(w), w->pkg < 0 ? -1 :
		    node->topo.pkg[w->pkg].id, plan_write_text(w, text,
		    sizeof(text)));
		n++;
	}
	fprintf(f, "end %u\n", n);
	if (fclose(f) != 0)
		rc = -ENOMEM;
	rc = rc < 0 ? diag_set(why, rc, "out of memory") :
	    replace(j, buf, size, why);
	free(buf);
	j->written = rc == 0;
	return rc;
}

void
journal_leave(struct journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	j->fd = -1;
}

void
journal_done(struct journal *j)
{
	if (j->fd < 0)
		return;
	if (journal_is_at(j->fd, j->path))
		unlink(j->path);        /* rights for it may be gone */
	if (ftruncate(j->fd, 0) == 0)
		fsync(j->fd);
	close(j->fd);
	j->fd = -1;
}
