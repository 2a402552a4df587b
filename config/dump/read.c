/*
 * config/dump/read.c - read one file, its head and then sample by sample.
 */
#include "config/dump/read_int.h"

#include "config/folder.h"
#include "lib/printable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- samples ---------------------------------------------------------- */

/* Leave the rest of the file out: it is another dump.  0 or -errno. */
static int
leave_out_rest(struct reader *r, struct diag *why)
{
	uint64_t from = r->line, n;
	char *newline;
	int rc;

	ahead_stop(r);
	r->left_out_at = r->offset - (uint64_t)(r->end - r->at);
	while ((rc = read_whole_line(r, &newline, why)) > 0) {
		r->at = newline + 1;
		r->line++;
	}
	n = r->line - from;
	read_note(r, PROBLEM_ORDER, from, "another dump begins here; it is left "
	    "out, %llu line%s: give each dump a file of its own",
	    (unsigned long long)n, plural(n));
	r->bad.lost += n - 1;
	return rc;
}

/* Read all lines of one sample.  1, 0 at the end of the file, or -errno. */
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
		if ((rc = read_whole_line(r, &newline, why)) < 0)
			return rc;
		if (rc == 0)
			return 0;
		if ((rc = lines_take(r, newline)) == -EAGAIN) {
			ahead_stop(r);
			rc = lines_take(r, newline);
		}
		if (rc < 0)
			goto memory;
		if (rc == NEXT_SAMPLE)
			return 1;
		if (rc == OTHER_DUMP)
			return leave_out_rest(r, why);
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
		if (!ahead_sample(r)) {
			if ((rc = read_sample(r, why)) < 0)
				return rc;
			sample_end(r);
		}
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

bool
read_keep(struct reader *r, uint64_t **value, unsigned *room)
{
	uint64_t **of = &r->now.value[r->now.cur ^ 1], *p = *value;

	if (r->run != NULL || (*room < r->columns.room && (p = reallocarray(p,
	    r->columns.room, sizeof(*p))) == NULL))
		return false;
	*value = *of;
	*of = p;
	*room = r->columns.room;
	return true;
}

/* ---- opening ---------------------------------------------------------- */

/* Read the lines before the first sample. */
static int
read_head(struct reader *r, struct diag *why)
{
	char *newline;
	int rc;

	while ((rc = read_whole_line(r, &newline, why)) > 0) {
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
	file_close(r);
	return rc;
}

void
file_close(struct reader *r)
{
	if (r == NULL)
		return;
	ahead_stop(r);
	if (r->fd > STDIN_FILENO)
		close(r->fd);
	packed_close(&r->packed);
	store_close(r->store);
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

bool
read_is_cut(const struct reader *r)
{
	uint64_t size = read_size(r);
	char last;

	return size > 0 && pread(r->fd, &last, 1, (off_t)size - 1) == 1 &&
	    last != '\n';
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
