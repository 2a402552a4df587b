/*
 * config/dump/read.c - read a dump sample by sample: file, buffer, head and
 * samples.  Lines are parsed in read_lines.c.
 */
#include "config/dump/read_int.h"

#include "config/infile.h"
#include "lib/printable.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* ---- the buffer ------------------------------------------------------- */

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

/* Move what is left to the front and read on.  1, 0 at the end, -errno. */
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

/* A whole line at r->at: its '\n', or NULL at the end of the file. */
static int
whole_line(struct reader *r, char **newline, struct diag *why)
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

/* ---- samples ---------------------------------------------------------- */

int
sample_begin(struct reader *r)
{
	uint64_t *value = r->now.value[r->now.cur];

	int rc;

	/* If the order changes with every sample, learning it is useless. */
	if (r->guess.as_expected)
		r->guess.patience = 0;
	else if (r->guess.norder > 0 &&
	    ++r->guess.deviated >> r->guess.patience != 0) {
		r->guess.deviated = 0;
		r->guess.patience += r->guess.patience < 6;
		if ((rc = lines_learn(r)) < 0)
			return rc;
	}
	for (unsigned i = 0; i < r->columns.n; i++)
		value[i] = ABSENT;
	r->now.n = r->now.next;
	r->now.line = r->line;
	r->bad.lost_before = r->bad.lost;
	r->now.have_next = false;
	r->now.nset = 0;
	r->guess.pos = 0;
	r->guess.norder = 0;
	r->guess.as_expected = r->guess.nexpect > 0;
	memset(r->guess.tail, 0, sizeof(r->guess.tail));
	r->guess.tail_len = (unsigned)snprintf(TAIL(r),
	    sizeof(r->guess.tail) / 2, "%llu] = ", (unsigned long long)r->now.n);
	return 0;
}

/* All lines of one sample.  1, 0 at the end of the file, -errno. */
static int
read_sample(struct reader *r, struct diag *why)
{
	char *newline;
	int rc;

	if ((rc = sample_begin(r)) < 0)
		goto memory;
	for (;;) {
		if (r->guess.as_expected)
			lines_expected(r);
		if ((rc = whole_line(r, &newline, why)) < 0)
			return rc;
		if (rc == 0)
			return 0;
		if ((rc = lines_take(r, newline)) < 0)
			goto memory;
		if (rc == NEXT_SAMPLE)
			return 1;
		r->at = newline + 1;
		r->line++;
	}
memory:
	return diag_set(why, rc, rc == -E2BIG ? "%s:%llu: more names than a "
	    "dump can have" : "%s:%llu: out of memory", r->path,
	    (unsigned long long)r->line);
}

/* How many columns of a row of this sample are ABSENT. */
static unsigned
absent_shown(const struct reader *r)
{
	const uint64_t *value = r->now.value[r->now.cur];
	unsigned n = 0;

	if (r->columns.hidden == 0)
		return r->columns.n - r->now.nset;
	for (unsigned c = 0; c < columns_shown(r); c++)
		n += value[c] == ABSENT;
	return n;
}

int
file_next(struct reader *r, struct read_row *row, struct diag *why)
{
	uint64_t n;
	int rc;

	if (r->store != NULL)
		return store_next(r, row, why);
	for (;;) {
		if (!r->now.have_next)
			return 0;
		if (!ahead_sample(r) && (rc = read_sample(r, why)) < 0)
			return rc;
		if (!r->now.returned || r->now.n > r->now.last)
			break;
		n = r->line - r->now.line;
		read_note(r, PROBLEM_ORDER, r->now.line, "sample %llu after "
		    "sample %llu; it is left out, %llu line%s",
		    (unsigned long long)r->now.n,
		    (unsigned long long)r->now.last,
		    (unsigned long long)n, plural(n));
		r->bad.lost = r->bad.lost_before + n;
	}
	*row = (struct read_row){ .sample = r->now.n,
	    .value = r->now.value[r->now.cur], .ncol = columns_shown(r),
	    .nabsent = absent_shown(r), .line = r->now.line };
	if (r->now.returned) {
		row->before = r->now.value[r->now.cur ^ 1];
		row->before_sample = r->now.last;
	}
	r->now.returned = true;
	r->now.last = r->now.n;
	r->now.cur ^= 1;
	return 1;
}

/* ---- opening ---------------------------------------------------------- */

/* Lines up to the first sample. */
static int
read_head(struct reader *r, struct diag *why)
{
	char *newline;
	int rc;

	while ((rc = whole_line(r, &newline, why)) > 0) {
		if ((rc = lines_take(r, newline)) < 0)
			return diag_set(why, rc, "%s:%llu: %s", r->path,
			    (unsigned long long)r->line, strerror(-rc));
		if (rc == NEXT_SAMPLE)
			break;
		r->at = newline + 1;
		r->line++;
		if (r->nconstant == 0 && r->bad.n[PROBLEM_GARBAGE] >= 20)
			break;
	}
	if (rc < 0)
		return rc;
	if (!r->now.have_next && r->nconstant == 0) {
		if (r->bad.nkept > 0)
			return diag_set(why, -EINVAL, "%.120s: no dump of "
			    "tallyd, which is lines NAME = VALUE (%s); a table "
			    "that tally wrote, a configuration and a machine are "
			    "none", r->path, r->bad.problem[0].text);
		return diag_set(why, -ENODATA, "%s: empty", r->path);
	}
	if (head_number(r, HEAD_TALLYD_FORMAT, ALONE, 1) != 1)
		return diag_set(why, -EPROTONOSUPPORT, "%s: format %s of "
		    "tallyd; this program reads format 1", r->path,
		    head_text(r, HEAD_TALLYD_FORMAT, ALONE, "?"));
	return 0;
}

int
read_head_text(struct reader *r, const char *text, struct diag *why)
{
	size_t len;
	int rc;

	for (r->line = 1; *text != '\0'; text += len, r->line++) {
		struct assign a;
		char *scratch;

		len = strcspn(text, "\n");
		if ((scratch = malloc(len + 1)) == NULL)
			return diag_set(why, -ENOMEM, "out of memory");
		assign_parse(&a, text, text + len, scratch);
		rc = a.kind == LINE_VALUE ? names_clean(r, &a) : 0;
		if (rc == 0 && a.kind == LINE_VALUE)
			rc = names_constant(r, &a);
		free(scratch);
		if (rc < 0)
			return diag_set(why, rc, "%s: %s", r->path,
			    strerror(-rc));
		len += text[len] == '\n';
	}
	return 0;
}

static int
open_dump(struct reader *r, struct diag *why)
{
	struct stat sb;
	int rc;

	if (strcmp(r->path, "-") != 0)
		rc = r->fd = infile_open(r->path, &sb);
	else if ((rc = infile_check(STDIN_FILENO, &sb)) == 0)
		r->fd = STDIN_FILENO;
	if (rc < 0)
		return diag_set(why, rc, "%s: %s", r->path, infile_error(rc));
	r->whole = S_ISREG(sb.st_mode) && r->fd != STDIN_FILENO;
	if (r->whole && (rc = r->fd = packed_open(&r->packed, r->fd)) < 0)
		return diag_set(why, rc, "%s: %s", r->path, strerror(-rc));
	r->whole = r->whole && r->packed.program == NULL;
	r->buf = read_buffer();
	r->scratch = malloc(READ_BUFFER);
	if (r->buf == NULL || r->scratch == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	r->at = r->end = r->buf + READ_SLACK;
	r->line = 1;
	return read_refill(r, why);
}

int
read_open(struct reader **out, const char *path, struct diag *why)
{
	struct reader *r = calloc(1, sizeof(*r));
	int rc = -ENOMEM;

	*out = NULL;
	if (r == NULL || (r->path = strdup(path)) == NULL ||
	    (r->shown = strdup(path)) == NULL ||
	    (r->arena = arena_new()) == NULL) {
		diag_set(why, rc, "out of memory");
		goto fail;
	}
	printable(r->shown);
	r->fd = -1;
	if ((rc = open_dump(r, why)) < 0)
		goto fail;
	if (r->whole && r->end - r->at >= 8 &&
	    memcmp(r->at, "TALLYST", 7) == 0)
		rc = store_begin(r, why);
	else
		rc = read_head(r, why);
	if (rc < 0)
		goto fail;
	*out = r;
	return 0;
fail:
	read_close(r);
	return rc;
}

void
read_close(struct reader *r)
{
	if (r == NULL)
		return;
	ahead_stop(r);
	if (r->fd > STDIN_FILENO)
		close(r->fd);
	packed_close(&r->packed);
	store_close(r->store);
	run_fini(r);
	free(r->rows.raw);
	names_fini(r);
	arena_free(r->arena);
	free(r->guess.text);
	free(r->bad.problem);
	free(r->buf);
	free(r->scratch);
	free(r->clean);
	free(r->path);
	free(r->shown);
	free(r);
}

uint64_t
read_size(const struct reader *r)
{
	struct stat sb;

	return r->whole && r->store == NULL && r->run == NULL &&
	    fstat(r->fd, &sb) == 0 ? (uint64_t)sb.st_size : 0;
}

const char *
read_path(const struct reader *r)
{
	return r->path;
}

const char *
read_shown(const struct reader *r)
{
	return r->shown;
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

uint64_t
read_lost(const struct reader *r)
{
	return r->bad.lost;
}

const struct read_problem *
read_problem(const struct reader *r, unsigned i)
{
	return i < r->bad.nkept ? &r->bad.problem[i] : NULL;
}
