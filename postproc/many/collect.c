/*
 * postproc/many/collect.c - makes one summary of many files: several processes each
 * summarize a part of the dumps, and their summaries are added.
 */

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "postproc/many/summary.h"

/* What became of a file. */
enum { FILE_LEFT_OUT = 1, FILE_REPLACED };

/* What the processes share. */
struct shared {
	atomic_uint done, left_out;
	unsigned processes;     /* each has a part of the files, in order */
	unsigned first_dump;    /* index of the first file that is a dump */
	struct diag none;       /* why no metric of that one matches; or "" */
	unsigned slots;         /* a power of two, at least twice as many as files */
	size_t bytes;
	atomic_uint *owner;     /* [files] the process that took it, from 1;
				 * 0: none yet */
	atomic_uint *state;     /* [files] FILE_LEFT_OUT: it is in no summary;
				 * FILE_REPLACED: an earlier file has its samples, but
				 * its process has added it already; 0: else */
	struct diag *words;     /* [files] why it is left out; "": it is not */
	atomic_uint *claimed;   /* [slots] 1 + the first file of that identity */
	_Atomic uint64_t identity[];    /* [slots] a hash table; 0: empty */
};

static struct shared *
collect_share(unsigned n)
{
	unsigned slots = 64;
	size_t bytes;
	struct shared *sh;

	while (slots / 2 < n)
		slots *= 2;
	/* mapped pages that are never written, as most of words, take no memory */
	bytes = sizeof *sh + slots * (sizeof sh->identity[0] +
	    sizeof *sh->claimed) + n * (sizeof *sh->owner + sizeof *sh->state +
	    sizeof *sh->words);
	sh = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED |
	    MAP_ANONYMOUS, -1, 0);
	if (sh == MAP_FAILED)
		return NULL;
	sh->slots = slots;
	sh->bytes = bytes;
	sh->claimed = (atomic_uint *)(void *)&sh->identity[slots];
	sh->owner = sh->claimed + slots;
	sh->state = sh->owner + n;
	sh->words = (struct diag *)(void *)(sh->state + n);
	return sh;
}

/* Notes that a file is left out, and why, unless that has been noted. */
static void
leave_out(struct shared *sh, unsigned file, unsigned state, const char *why)
{
	unsigned was = 0;

	if (!atomic_compare_exchange_strong(&sh->state[file], &was, state))
		return;
	diag_set(&sh->words[file], 0, "%s", why);
	atomic_fetch_add(&sh->left_out, 1);
}

/* Says which files are left out in the order in which they were named, whichever process
 * noted it first. */
static void
say_left_out(const struct collect_ask *ask, const struct shared *sh)
{
	for (unsigned i = 0; i < ask->npath; i++)
		if (sh->words[i].text[0] != '\0')
			ask->said(sh->words[i].text);
}

/* Which file claims its samples, and for which process. */
struct claimer {
	const struct collect_ask *ask;
	struct shared *sh;
	unsigned file;
};

/* Finds the slot of an identity in the hash table; takes one if it has none. */
static unsigned
claim_slot(struct shared *sh, uint64_t identity)
{
	unsigned at = (unsigned)identity & (sh->slots - 1);

	identity += identity == 0;
	for (;; at = (at + 1) & (sh->slots - 1)) {
		uint64_t was = 0;

		if (atomic_compare_exchange_strong(&sh->identity[at], &was,
		    identity) || was == identity)
			return at;
	}
}

/* Claims an identity for a file; false: a file that was named earlier has it.  One that
 * was named later is replaced, although another process may have read it before. */
static bool
collect_claim(void *ctx, uint64_t identity, const char *host)
{
	const struct claimer *c = ctx;
	atomic_uint *claimed = &c->sh->claimed[claim_slot(c->sh, identity)];
	unsigned had = atomic_load(claimed);
	struct diag why;

	do
		if (had != 0 && had <= c->file + 1)
			return had == c->file + 1;
	while (!atomic_compare_exchange_strong(claimed, &had, c->file + 1));
	if (had == 0)
		return true;
	diag_set(&why, 0, "%s: left out: the same samples of %s are in another "
	    "file", c->ask->path[had - 1], host);
	leave_out(c->sh, had - 1, FILE_REPLACED, why.text);
	return true;
}

/* Adds the summary in a file.  Returns 0; 1: it is left out, for the reason in why;
 * -errno: s cannot be used any more. */
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

/* Adds the files of a process (numbered from 1; 0: all that no process has) to s, in their
 * order, so that metrics stand in the order of the files, however many processes read them.
 * With ask->take.quiet, when files are read for the second time, those are passed over that
 * are left out by now.  Returns 0, or -ENOMEM: s cannot be used any more. */
static int
take_files(struct summary *s, const struct collect_ask *ask, struct shared *sh,
    unsigned process)
{
	bool again = ask->take.quiet;
	uint64_t n = ask->npath;
	uint64_t first = process == 0 ? 0 : n * (process - 1) / sh->processes;
	uint64_t end = process == 0 ? n : n * process / sh->processes;

	for (unsigned i = (unsigned)first; i < end; i++) {
		struct claimer claimer = { ask, sh, i };
		struct diag why = { "" };
		int rc;

		if (sh->owner[i] != (again ? process : 0) || sh->state[i] != 0)
			continue;
		atomic_store(&sh->owner[i], process);
		/* summaries are read by the parent process */
		if (summary_is(ask->path[i]))
			continue;
		rc = summary_take(s, ask->path[i], &ask->take,
		    &(struct take_claim){ collect_claim, &claimer },
		    i == sh->first_dump ? &sh->none : NULL, &why);
		if (rc == -ENOMEM)
			return rc;
		if (rc < 0)
			leave_out(sh, i, FILE_LEFT_OUT, why.text);
		if (!again)
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
		if ((rc = add_summary(s, ask->path[i], &why)) > 0)
			leave_out(sh, i, FILE_LEFT_OUT, why.text[0] ? why.text :
			    "out of memory");
		atomic_fetch_add(&sh->done, 1);
	}
	return rc < 0 ? rc : 0;
}

/* ---- more than one process ---- */

struct process {
	pid_t pid;
	int fd;                 /* where it writes its summary */
	int said;               /* where it writes what it has to say, instead of
				 * standard error; -1: it has that itself */
	int status;             /* as waitpid has it */
};

/* What a process does.  Does not return. */
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

static bool
begin_process(const struct collect_ask *ask, struct shared *sh,
    struct process *p, unsigned which)
{
	if ((p->fd = memfd_create("summary", MFD_CLOEXEC)) < 0)
		return false;
	p->said = memfd_create("said", MFD_CLOEXEC);
	if ((p->pid = fork()) == 0) {
		if (p->said >= 0)
			dup2(p->said, STDERR_FILENO);
		be_process(ask, sh, which, p->fd);
	}
	if (p->pid < 0) {
		close(p->fd);
		close(p->said);
	}
	return p->pid > 0;
}

/* Copies what a process that has ended has said to standard error.  To be called for the
 * processes in their order, which is that of the files. */
static void
collect_say(struct process *p)
{
	char text[4096];
	ssize_t n;

	if (p->said < 0)
		return;
	lseek(p->said, 0, SEEK_SET);
	while ((n = read(p->said, text, sizeof text)) > 0)
		fwrite(text, 1, (size_t)n, stderr);
	close(p->said);
	p->said = -1;
}

static void
wait_process(struct process *p)
{
	while (waitpid(p->pid, &p->status, 0) < 0 && errno == EINTR)
		;
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
		leave_out(sh, i, FILE_LEFT_OUT, line);
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
	int lost = -EIO, rc = 0;
	FILE *f = NULL;

	if (WIFSIGNALED(p->status))
		snprintf(how, sizeof how, "was ended by signal %d",
		    WTERMSIG(p->status));
	else if (p->status == 0 && lseek(p->fd, 0, SEEK_SET) == 0 &&
	    (f = fdopen(p->fd, "r")) != NULL) {
		lost = summary_read(&one, f, "a process", &why);
		if (lost == 0)
			rc = summary_add(s, &one, &is);
	}
	if (lost < 0)
		say_lost(ask, sh, which, how);
	if (f != NULL)
		fclose(f);
	else if (p->fd >= 0)
		close(p->fd);
	summary_fini(&one);
	return rc;
}

/* Has a process added a file that another one has replaced since? */
static bool
has_replaced(const struct collect_ask *ask, const struct shared *sh,
    unsigned which)
{
	for (unsigned i = 0; i < ask->npath; i++)
		if (sh->owner[i] == which && sh->state[i] == FILE_REPLACED)
			return true;
	return false;
}

/* A summary cannot be taken apart: a process whose files were replaced reads the others
 * once more. */
static void
read_again(const struct collect_ask *ask, struct shared *sh, struct process *p,
    unsigned n)
{
	struct collect_ask quiet = *ask;
	bool again[n];

	quiet.take.quiet = true;
	for (unsigned i = 0; i < n; i++) {
		again[i] = p[i].status == 0 && has_replaced(ask, sh, i + 1);
		if (!again[i])
			continue;
		close(p[i].fd);
		if (!begin_process(&quiet, sh, &p[i], i + 1)) {
			p[i] = (struct process){ -1, -1, -1, 1 };
			again[i] = false;
		}
	}
	for (unsigned i = 0; i < n; i++)
		if (again[i]) {
			wait_process(&p[i]);
			collect_say(&p[i]);
		}
}

/* Reports the progress five times a second, until the last process has ended. */
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

	while (begun < n && begin_process(ask, sh, &p[begun], begun + 1))
		begun++;
	if (begun > 0 && ask->progress != NULL)
		watch(ask, sh, p[begun - 1].pid);
	for (unsigned i = 0; i < begun; i++)
		wait_process(&p[i]);
	for (unsigned i = 0; i < begun; i++)
		collect_say(&p[i]);
	if (begun > 0)
		read_again(ask, sh, p, begun);
	for (unsigned i = 0; i < begun; i++)
		if ((spoilt = end_process(s, ask, sh, &p[i], i + 1)) < 0)
			rc = spoilt;
	return rc;
}

/* Reads all dumps: in as many processes as jobs and files allow, if that is more than
 * one, and the files that no process could be made for in this one. */
static int
take_dumps(struct summary *s, const struct collect_ask *ask, struct shared *sh)
{
	unsigned n = ask->jobs < ask->npath ? ask->jobs : ask->npath;
	struct process *p = n > 1 ? calloc(n, sizeof *p) : NULL;
	int rc;

	sh->processes = n;
	rc = p != NULL ? fork_all(s, ask, sh, p, n) : 0;

	free(p);
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
	say_left_out(ask, sh);
	*c = (struct collected){ sh->left_out, sh->none };
	munmap(sh, sh->bytes);
	if (rc < 0)
		return rc;      /* -ENOMEM */
	return s->nnode > 0 ? 0 : diag_set(why, -ENODATA, "no file has "
	    "anything to be summed up");
}
