/*
 * config/dump/read_file.c - the file that a reader reads: its bytes, its lines,
 * and the problems that are found in it.
 */
#include "config/dump/read_int.h"

#include "lib/printable.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- problems --------------------------------------------------------- */

void
read_note(struct reader *r, enum problem_kind kind, uint64_t line,
    const char *fmt, ...)
{
	struct read_problem *p;
	va_list ap;
	int n = 0;

	r->bad.lost += line != 0;
	if (r->bad.n[kind]++ >= KEPT_PROBLEMS)
		return;
	p = realloc(r->bad.problem, (r->bad.nkept + 1) * sizeof(*p));
	if (p == NULL)
		return;
	r->bad.problem = p;
	p += r->bad.nkept++;
	p->kind = (uint8_t)kind;
	p->line = line;
	if (line != 0)
		n = snprintf(p->text, sizeof(p->text), "%.120s:%llu: ", r->shown,
		    (unsigned long long)line);
	va_start(ap, fmt);
	vsnprintf(p->text + n, sizeof(p->text) - (size_t)n, fmt, ap);
	va_end(ap);
	printable(p->text);
}

uint64_t
read_problems(const struct reader *r, enum problem_kind kind)
{
	uint64_t n = 0;

	if (kind < PROBLEM_KINDS)
		return r->bad.n[kind];
	for (unsigned i = 0; i < PROBLEM_KINDS; i++)
		n += r->bad.n[i];
	return n;
}

const struct read_problem *
read_problem(const struct reader *r, unsigned i)
{
	return i < r->bad.nkept ? &r->bad.problem[i] : NULL;
}

uint64_t
read_lost(const struct reader *r)
{
	return r->bad.lost;
}

/* ---- bytes and lines ---------------------------------------------------- */

/* At the end of a decompressed file: was it complete?  0 or -errno. */
static int
packed_end(struct reader *r, struct diag *why)
{
	int rc = packed_close(&r->packed);

	if (rc == -ENOENT)
		return diag_set(why, rc, "%s: %s has made it, and is not "
		    "installed here", r->path, r->packed.program);
	if (rc < 0 && r->line == 1 && r->at == r->end)
		return diag_set(why, -EINVAL, "%s: %s cannot read it: it is "
		    "damaged, or cut short", r->path, r->packed.program);
	if (rc < 0)
		read_note(r, PROBLEM_TRUNCATED, r->line, "%s says that the "
		    "file is damaged, or cut short, from here on",
		    r->packed.program);
	return 0;
}

char *
read_buffer(void)
{
	return calloc(1, READ_SLACK + READ_ALIGN + READ_BUFFER + READ_SLACK);
}

int
read_refill(struct reader *r, struct diag *why)
{
	char *start = r->buf + READ_SLACK;
	size_t left = (size_t)(r->end - r->at), room = READ_BUFFER - left;
	ssize_t n;

	if (r->eof)
		return 0;
	start += -(uintptr_t)(start + left) % READ_ALIGN;
	if (r->at != start) {
		memmove(start, r->at, left);
		r->at = start;
		r->end = start + left;
	}
	if (room > READ_STEP)
		room = READ_STEP - r->offset % READ_ALIGN;
	do
		n = r->whole ? pread(r->fd, r->end, room, (off_t)r->offset) :
		    read(r->fd, r->end, room);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return diag_set(why, -errno, "%s: %s", r->path,
		    strerror(errno));
	r->eof = n == 0;
	r->end += n;
	r->offset += (uint64_t)n;
	return n > 0 ? 1 : packed_end(r, why);
}

int
read_whole_line(struct reader *r, char **newline, struct diag *why)
{
	int rc;

	for (;;) {
		*newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
		if (*newline != NULL)
			return 1;
		if ((size_t)(r->end - r->at) == READ_BUFFER) {
			read_note(r, PROBLEM_GARBAGE, r->line,
			    "a line longer than %u bytes", READ_BUFFER);
			r->at = r->end;
		}
		if ((rc = read_refill(r, why)) <= 0)
			break;
	}
	if (rc == 0 && r->at < r->end) {
		read_note(r, PROBLEM_TRUNCATED, r->line, "the file ends within "
		    "this line; it is left out");
		r->at = r->end;
	}
	return rc;
}

/* ---- compressed files ---------------------------------------------------- */

/*
 * Files compressed with gzip, bzip2, xz or zstd.
 * Sources of the magic numbers: RFC 1952, 2.3.1; bzip2(1) and its spewG.c; xz's
 * doc/xz-file-format.txt, 2.1.1.1; RFC 8878, 3.1.1.
 */
#define NOT_THERE 127           /* "command not found", as in shells */

static const struct {
	const char *program, *begin;
	size_t n;
} formats[] = {
	{ "gzip", "\x1f\x8b", 2 },
	{ "bzip2", "BZh", 3 },
	{ "xz", "\xfd" "7zXZ\0", 6 },
	{ "zstd", "\x28\xb5\x2f\xfd", 4 },
};

static const char *
program_of(int fd)
{
	char begin[6];
	ssize_t n = pread(fd, begin, sizeof(begin), 0);

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (n >= (ssize_t)formats[i].n &&
		    memcmp(begin, formats[i].begin, formats[i].n) == 0)
			return formats[i].program;
	return NULL;
}

/* In the child: exec the program.  Does not return. */
static void
become(const char *program, int in, int out)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	signal(SIGPIPE, SIG_DFL);
	if (dup2(in, 0) == 0 && dup2(out, 1) == 1 && null >= 0 &&
	    dup2(null, 2) == 2)
		execlp(program, program, "-dc", (char *)NULL);
	_exit(errno == ENOENT ? NOT_THERE : 1);
}

int
packed_open(struct packed *p, int fd)
{
	int to[2];

	*p = (struct packed){ .program = program_of(fd) };
	if (p->program == NULL)
		return fd;
	if (pipe2(to, O_CLOEXEC) < 0) {
		close(fd);
		p->program = NULL;
		return -errno;
	}
	if ((p->pid = fork()) == 0)
		become(p->program, fd, to[1]);
	close(fd);
	close(to[1]);
	if (p->pid > 0)
		return to[0];
	close(to[0]);
	p->program = NULL;
	return -EAGAIN;
}

int
packed_close(struct packed *p)
{
	int status = 0;

	if (p->pid <= 0)
		return 0;
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	p->pid = 0;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 :
	    WIFEXITED(status) && WEXITSTATUS(status) == NOT_THERE ? -ENOENT :
	    -EIO;
}
