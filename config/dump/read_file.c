/*
 * config/dump/read_file.c - the file that a reader reads: its bytes, its lines,
 * and the problems that are found in it.
 */
#include "config/dump/read_int.h"

#include "lib/printable.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
