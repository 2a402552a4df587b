/*
 * postproc/many/collect.c - many files into one summary, by processes that each
 * make one of theirs: what summaries are for.
 */
#include "postproc/many/collect.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "postproc/many/summary_file.h"

/* What the processes share. */
struct shared {
	atomic_uint done, left_out;
	unsigned processes;     /* each has a stretch of the files, in order */
	unsigned first_dump;    /* whose words are kept: */
	struct diag none;
	unsigned slots;         /* a power of two, twice the files at least */
	size_t bytes;
	atomic_uint *owner;     /* [files] the process that took it, from 1;
				 * 0: none yet */
	_Atomic uint64_t identity[];    /* hashed; 0: empty */
};

static struct shared *
collect_share(unsigned n)
{
	unsigned slots = 64;
	size_t bytes;
	struct shared *sh;

	while (slots / 2 < n)
		slots *= 2;
	bytes = sizeof *sh + slots * sizeof sh->identity[0] + n *
	    sizeof *sh->owner;
	sh = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED |
	    MAP_ANONYMOUS, -1, 0);
	if (sh == MAP_FAILED)
		return NULL;
	sh->slots = slots;
	sh->bytes = bytes;
	sh->owner = (atomic_uint *)(void *)&sh->identity[slots];
	return sh;
}

/* Claims an identity; false: another file has it already. */
static bool
collect_first_of(void *ctx, uint64_t identity)
{
	struct shared *sh = ctx;
	unsigned at = (unsigned)identity;

	identity += identity == 0;
	for (;; at++) {
		uint64_t was = 0;

		if (atomic_compare_exchange_strong(
		    &sh->identity[at & (sh->slots - 1)], &was, identity))
			return true;
		if (was == identity)
			return false;
	}
}

/* 0, 1 it is left out, for why; -errno: the summary is spoilt. */
static int
add_summary(struct summary *s, const char *path, struct diag *why)
{
	struct summary one = { .ntext = 0 };
	const struct summed_node *is = NULL;
	FILE *f = fopen(path, "re");
	int rc = f == NULL ? diag_set(why, -errno, "%s: %s", path,
	    strerror(errno)) : summary_read(&one, f, path, why);

	if (f != NULL)
		fclose(f);
	if (rc < 0)
		rc = 1;
	else if ((rc = summary_add(s, &one, &is)) == -EEXIST) {
		diag_set(why, rc, "%s: left out: it has samples of %s that "
		    "are in another file", path, s->text[is->host]);
		rc = 1;
	}
	summary_fini(&one);
	return rc;
}

/* The files of a process (from 1; 0: all that no process has), in their order, so
 * that metrics stand in the order of the files, however many processes read them.
 * -ENOMEM: the summary is spoilt. */
static int
take_files(struct summary *s, const struct collect_ask *ask, struct shared *sh,
    unsigned process)
{
	uint64_t n = ask->npath;
	uint64_t first = process == 0 ? 0 : n * (process - 1) / sh->processes;
	uint64_t end = process == 0 ? n : n * process / sh->processes;

	for (unsigned i = (unsigned)first; i < end; i++) {
		struct diag why = { "" };
		int rc;

		if (sh->owner[i] != 0)
			continue;
		atomic_store(&sh->owner[i], process);
		/* summaries are read by the parent process */
		if (summary_is(ask->path[i]))
			continue;
		rc = summary_take(s, ask->path[i], &ask->take,
		    &(struct take_first){ collect_first_of, sh },
		    i == sh->first_dump ? &sh->none : NULL, &why);
		if (rc == -ENOMEM)
			return rc;
		if (rc < 0) {
			ask->said(why.text);
			atomic_fetch_add(&sh->left_out, 1);
		}
		atomic_fetch_add(&sh->done, 1);
		if (process == 0 && ask->progress != NULL)
			ask->progress(sh->done, ask->npath);
	}
	return 0;
}

static int
take_summaries(struct summary *s, const struct collect_ask *ask,
    struct shared *sh)
{
	int rc = 0;

	for (unsigned i = 0; rc >= 0 && i < ask->npath; i++) {
		struct diag why = { "" };

		if (!summary_is(ask->path[i]))
			continue;
		if ((rc = add_summary(s, ask->path[i], &why)) > 0) {
			ask->said(why.text[0] ? why.text : "out of memory");
			atomic_fetch_add(&sh->left_out, 1);
		}
		atomic_fetch_add(&sh->done, 1);
	}
	return rc < 0 ? rc : 0;
}

/* ---- more than one process ---- */

struct process {
	pid_t pid;
	int fd;                 /* its summary, when it has ended well */
};

/* Does not return. */
static void
be_process(const struct collect_ask *ask, struct shared *sh, unsigned which,
    int fd)
{
	struct summary s = { .ntext = 0 };
	FILE *f = fdopen(fd, "w");

	if (f == NULL)
		_exit(1);
	if (take_files(&s, ask, sh, which) < 0)
		_exit(1);
	summary_write(&s, f);
	_exit(ferror(f) || fflush(f) != 0);
}

/* Reports the files that a failed process was reading or had in its summary. */
static void
say_lost(const struct collect_ask *ask, struct shared *sh, unsigned which,
    const char *how)
{
	for (unsigned i = 0; i < ask->npath; i++) {
		char line[1200];

		if (sh->owner[i] != which ||
		    summary_is(ask->path[i]))
			continue;
		snprintf(line, sizeof line, "%.1000s: left out: the process "
		    "that read it %s", ask->path[i], how);
		ask->said(line);
		atomic_fetch_add(&sh->left_out, 1);
	}
}

static int
end_process(struct summary *s, const struct collect_ask *ask,
    struct shared *sh, struct process *p, unsigned which)
{
	struct summary one = { .ntext = 0 };
	struct diag why = { "" };
	const struct summed_node *is;
	char how[64] = "ran out of memory or space";
	int status, lost = -EIO, rc = 0;
	FILE *f = NULL;

	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		snprintf(how, sizeof how, "was ended by signal %d",
		    WTERMSIG(status));
	else if (status == 0 && lseek(p->fd, 0, SEEK_SET) == 0 &&
	    (f = fdopen(p->fd, "r")) != NULL) {
		lost = summary_read(&one, f, "a process", &why);
		if (lost == 0)
			rc = summary_add(s, &one, &is);
	}
	if (lost < 0)
		say_lost(ask, sh, which, how);
	if (f != NULL)
		fclose(f);
	else
		close(p->fd);
	summary_fini(&one);
	return rc;
}

/* While they work, how far they are; five times a second. */
static void
watch(const struct collect_ask *ask, struct shared *sh, pid_t last)
{
	const struct timespec fifth = { 0, 200000000 };
	siginfo_t info = { .si_pid = 0 };

	while (info.si_pid == 0 && waitid(P_PID, (id_t)last, &info,
	    WEXITED | WNOHANG | WNOWAIT) == 0) {
		ask->progress(sh->done, ask->npath);
		nanosleep(&fifth, NULL);
	}
}

static int
fork_all(struct summary *s, const struct collect_ask *ask, struct shared *sh,
    struct process *p, unsigned n)
{
	unsigned begun = 0;
	int rc = 0, spoilt;

	for (; begun < n; begun++) {
		p[begun].fd = memfd_create("summary", MFD_CLOEXEC);
		if (p[begun].fd < 0)
			break;
		if ((p[begun].pid = fork()) == 0)
			be_process(ask, sh, begun + 1, p[begun].fd);
		if (p[begun].pid < 0) {
			close(p[begun].fd);
			break;
		}
	}
	if (begun > 0 && ask->progress != NULL)
		watch(ask, sh, p[begun - 1].pid);
	for (unsigned i = 0; i < begun; i++)
		if ((spoilt = end_process(s, ask, sh, &p[i], i + 1)) < 0)
			rc = spoilt;
	return rc;
}

/* Two processes, and more, where there are files enough. */
static int
take_dumps(struct summary *s, const struct collect_ask *ask, struct shared *sh)
{
	unsigned n = ask->jobs < ask->npath ? ask->jobs : ask->npath;
	struct process *p = n > 1 ? calloc(n, sizeof *p) : NULL;
	int rc;

	sh->processes = n;
	rc = p != NULL ? fork_all(s, ask, sh, p, n) : 0;

	free(p);
	/* where none could be begun, we do it ourselves */
	return rc < 0 ? rc : take_files(s, ask, sh, 0);
}

int
collect(struct summary *s, const struct collect_ask *ask,
    struct collected *c, struct diag *why)
{
	struct shared *sh = collect_share(ask->npath);
	int rc;

	*c = (struct collected){ .left_out = 0 };
	if (sh == NULL)
		return diag_set(why, -errno, "no memory for %u files: %s",
		    ask->npath, strerror(errno));
	while (sh->first_dump < ask->npath &&
	    summary_is(ask->path[sh->first_dump]))
		sh->first_dump++;
	rc = take_dumps(s, ask, sh);
	if (rc == 0)
		rc = take_summaries(s, ask, sh);
	*c = (struct collected){ sh->left_out, sh->none };
	munmap(sh, sh->bytes);
	if (rc < 0)
		return rc;      /* no memory */
	return s->nnode > 0 ? 0 : diag_set(why, -ENODATA, "no file has "
	    "anything to be summed up");
}
