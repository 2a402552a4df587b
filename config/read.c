/*
 * config/read.c - a dump, sample by sample.
 *
 * One sample repeats the lines of the one before with other numbers, and the
 * numbers, being counters, rarely change their length.  So each line is
 * expected to be, byte for byte, the prefix that stood there last time, this
 * sample's number, "] = ", and as many digits as last time.  expected_lines
 * compares and converts eight bytes at a time with one branch a line; whatever
 * it does not like goes to take_line, which takes any line apart.
 */
#include "config/read_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ZEROS 0x3030303030303030ull
#define SIXES 0x0606060606060606ull
#define HIGHS 0xf0f0f0f0f0f0f0f0ull

/* What became of a line. */
enum taken {
	TAKEN,
	NEXT_SAMPLE,            /* not taken: it begins another sample */
};

void
read_note(struct reader *r, enum problem_kind kind, uint64_t line,
    const char *fmt, ...)
{
	struct read_problem *p;
	va_list ap;
	int n = 0;

	if (r->nproblem[kind]++ >= KEPT_PROBLEMS)
		return;
	p = realloc(r->problem, (r->nkept + 1) * sizeof(*p));
	if (p == NULL)
		return;
	r->problem = p;
	p += r->nkept++;
	p->kind = (uint8_t)kind;
	p->line = line;
	if (line != 0)
		n = snprintf(p->text, sizeof(p->text), "%.120s:%llu: ", r->path,
		    (unsigned long long)line);
	va_start(ap, fmt);
	vsnprintf(p->text + n, sizeof(p->text) - (size_t)n, fmt, ap);
	va_end(ap);
}

static inline uint64_t
load(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

/* Eight digits, the first in the lowest byte, '0' already taken off. */
static inline uint64_t
eight_digits(uint64_t w)
{
	w = w * 2561 >> 8;
	w = (w & 0x00ff00ff00ff00ffull) * 6553601 >> 16;
	return (w & 0x0000ffff0000ffffull) * 42949672960001ull >> 32;
}

/* The words above are little-endian; elsewhere every line is taken apart. */
#define CAN_EXPECT (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* By the number of digits of a value: the bytes of the 8 before its end, and
 * of the 8 before those, that belong to it. */
#define TOP(n) (~0ull << (64 - 8 * (n)))
static const uint64_t keep[MAX_VLEN + 1][2] = {
	{ 0, 0 },
	{ TOP(1), 0 }, { TOP(2), 0 }, { TOP(3), 0 }, { TOP(4), 0 },
	{ TOP(5), 0 }, { TOP(6), 0 }, { TOP(7), 0 }, { TOP(8), 0 },
	{ TOP(8), TOP(1) }, { TOP(8), TOP(2) }, { TOP(8), TOP(3) },
	{ TOP(8), TOP(4) }, { TOP(8), TOP(5) }, { TOP(8), TOP(6) },
	{ TOP(8), TOP(7) }, { TOP(8), TOP(8) },
};

/* ---- the buffer ------------------------------------------------------- */

/* Move what is left to the front and read on.  1, 0 at the end, -errno. */
static int
refill(struct reader *r, struct diag *why)
{
	char *start = r->buf + READ_SLACK;
	size_t left = (size_t)(r->end - r->at);
	ssize_t n;

	if (r->eof)
		return 0;
	if (r->at != start) {
		memmove(start, r->at, left);
		r->at = start;
		r->end = start + left;
	}
	do
		n = read(r->fd, r->end, READ_BUFFER - left);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return diag_set(why, -errno, "%s: %s", r->path,
		    strerror(errno));
	r->eof = n == 0;
	r->end += n;
	return n > 0;
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
		if ((rc = refill(r, why)) <= 0)
			break;
	}
	if (rc == 0 && r->at < r->end) {
		read_note(r, PROBLEM_TRUNCATED, r->line, "the file ends within "
		    "this line; it is left out");
		r->at = r->end;
	}
	return rc;
}

/* ---- prediction ------------------------------------------------------- */

/* Expect the columns of order[] again, in that order. */
static int
learn(struct reader *r)
{
	size_t need = 0, at = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < r->norder; i++)
		need += r->key_len[r->order[i]] / 8 + 2;
	if (need > r->words_room) {
		uint64_t *w = reallocarray(r->words, need, 2 * sizeof(*w));

		if (w == NULL)
			return -ENOMEM;
		r->words = w;
		r->words_room = need * 2;
	}
	memset(r->where, 0, r->ncol * sizeof(r->where[0]));
	for (unsigned i = 0; i < r->norder; i++) {
		unsigned col = r->order[i];
		struct expected *e = &r->expect[n];
		size_t len = r->key_len[col] + 1;
		char *text = (char *)(r->words + at);

		if (r->where[col] != 0)
			continue;       /* a value given twice is no rule */
		*e = (struct expected){ .col = col, .text = (uint32_t)at };
		r->where[col] = ++n;
		if (len > UINT16_MAX)
			continue;
		memcpy(text, r->column[col].name, len - 1);
		text[len - 1] = '[';
		if (len >= 8)
			e->last = load(text + len - 8);
		e->nfull = (uint16_t)((len - 1) / 8);
		e->len = (uint16_t)len;
		at += len / 8 + 1;
	}
	r->nexpect = n;
	return 0;
}

/*
 * expected_lines - take lines as long as they are what was expected.
 *
 * Stops at the first that is not, and before the end of the buffer.  The
 * number of a line is compared in two overlapping words, tail[0] and the last
 * eight bytes, so that no length of it needs a branch.
 */
static void
expected_lines(struct reader *r)
{
	const char *p = r->at, *end = r->end;
	uint64_t *value = r->value[r->cur];
	unsigned tail_len = r->tail_len, pos = r->pos, first = pos;
	uint64_t head_mask, last_mask, head, last;

	if (tail_len > 16)
		return;
	head_mask = tail_len >= 8 ? ~0ull : ~0ull >> (64 - 8 * tail_len);
	last_mask = tail_len >= 8 ? ~0ull : ~0ull << (64 - 8 * tail_len);
	head = load(r->tail) & head_mask;
	last = load(r->tail + tail_len - 8) & last_mask;
	for (; pos < r->nexpect; pos++) {
		const struct expected *e = &r->expect[pos];
		const uint64_t *text = r->words + e->text, *k = keep[e->vlen];
		const char *q = p + e->len, *z = q + tail_len + e->vlen;
		uint64_t wrong, lo, hi;

		if (e->vlen == 0 || z >= end)
			break;
		wrong = load(q - 8) ^ e->last;
		for (unsigned w = 0; w < e->nfull; w++)
			wrong |= load(p + 8 * w) ^ text[w];
		wrong |= (load(q) & head_mask) ^ head;
		wrong |= (load(q + tail_len - 8) & last_mask) ^ last;
		lo = (load(z - 8) ^ ZEROS) & k[0];
		hi = (load(z - 16) ^ ZEROS) & k[1];
		wrong |= (((lo + SIXES) | lo) & HIGHS) |
		    (((hi + SIXES) | hi) & HIGHS);
		wrong |= (uint64_t)(*z ^ '\n');
		if (wrong != 0)
			break;
		value[e->col] = eight_digits(hi) * 100000000 +
		    eight_digits(lo);
		p = z + 1;
	}
	r->at = (char *)p;
	r->line += pos - first;
	r->nset += pos - first;
	r->pos = pos;
}

/* ---- one line --------------------------------------------------------- */

static void
set_value(struct reader *r, unsigned col, uint64_t v)
{
	uint64_t *value = r->value[r->cur];

	if (value[col] != ABSENT) {
		read_note(r, PROBLEM_DUPLICATE, r->line, "%s[%llu] again: %llu "
		    "after %llu; the later one holds", r->column[col].name,
		    (unsigned long long)r->sample, (unsigned long long)v,
		    (unsigned long long)value[col]);
		r->nset--;
	}
	value[col] = v;
	r->nset += v != ABSENT;
}

/* The sample no longer is as expected: note the order that it has. */
static void
deviate(struct reader *r)
{
	if (!r->as_expected)
		return;
	r->as_expected = false;
	for (unsigned i = 0; i < r->pos; i++)
		r->order[i] = r->expect[i].col;
	r->norder = r->pos;
}

static void
note_order(struct reader *r, unsigned col)
{
	if (!r->as_expected && r->norder < r->room)
		r->order[r->norder++] = col;
}

/* Digits that make a number below 10^19, and no more: false for others. */
static bool
plain_digits(const char *p, const char *end, uint64_t *v)
{
	if (p == end || end - p > 19)
		return false;
	for (*v = 0; p < end; p++) {
		unsigned d = (unsigned char)*p - '0';

		if (d > 9)
			return false;
		*v = *v * 10 + d;
	}
	return true;
}

static bool
plain_hex(const char *p, const char *end, uint64_t *v)
{
	if (end - p < 3 || end - p > 18 || p[0] != '0' || p[1] != 'x')
		return false;
	for (p += 2, *v = 0; p < end; p++) {
		unsigned c = (unsigned char)*p, d = c - '0';

		if (d > 9 && (d = (c | 32) - 'a' + 10) - 10 > 5)
			return false;
		*v = *v << 4 | d;
	}
	return true;
}

/* The expected line with a value of another length, or in hexadecimal. */
static bool
expected_name(struct reader *r, const char *newline)
{
	struct expected *e;
	const char *p = r->at;
	uint64_t v = 0;
	size_t n;

	if (r->pos >= r->nexpect)
		return false;
	e = &r->expect[r->pos];
	if (e->len == 0 ||
	    (size_t)(newline - p) <= (size_t)e->len + r->tail_len ||
	    memcmp(p, r->words + e->text, e->len) != 0 ||
	    memcmp(p + e->len, r->tail, r->tail_len) != 0)
		return false;
	p += e->len + r->tail_len;
	n = (size_t)(newline - p);
	if (!plain_digits(p, newline, &v)) {
		if (!plain_hex(p, newline, &v))
			return false;
		n = 0;
	}
	e->vlen = (uint8_t)(CAN_EXPECT && n <= MAX_VLEN && e->len >= 8 ? n : 0);
	note_order(r, e->col);
	set_value(r, e->col, v);
	r->pos++;
	return true;
}

/* A column that came where another was expected. */
static void
out_of_order(struct reader *r, unsigned col, uint64_t v)
{
	if (r->pos >= r->nexpect || r->expect[r->pos].col != col)
		deviate(r);
	note_order(r, col);
	set_value(r, col, v);
	if (r->where[col] != 0)
		r->pos = r->where[col];
}

/* Any line of this sample that is written as dumps are, of a column that is
 * known: it need not be taken apart, for its name is found as it stands. */
static bool
known_name(struct reader *r, const char *newline)
{
	const char *p = newline, *key_end;
	uint64_t v;
	int col;

	while (p > r->at && (unsigned char)(p[-1] - '0') <= 9)
		p--;
	if (p - r->at < (ptrdiff_t)r->tail_len + 2 ||
	    memcmp(p - r->tail_len, r->tail, r->tail_len) != 0)
		return false;
	key_end = p - r->tail_len - 1;
	if (*key_end != '[' || !plain_digits(p, newline, &v))
		return false;
	col = names_find(r, r->at, (size_t)(key_end - r->at));
	if (col < 0)
		return false;
	out_of_order(r, (unsigned)col, v);
	return true;
}

/* name[...][sample] = value, of this sample. */
static int
take_sample(struct reader *r, const struct assign *a)
{
	int col = names_column(r, a->name, a->key_len);
	uint64_t v = ABSENT;

	if (col < 0)
		return col;
	switch (a->value) {
	case VALUE_INT:
		v = a->u;
		break;
	case VALUE_NONE:
		break;
	default:
		read_note(r, PROBLEM_VALUE, r->line, "%s[%llu]: value %.*s is "
		    "%s; left out", r->column[col].name,
		    (unsigned long long)r->sample,
		    a->text_len < 40 ? (int)a->text_len : 40, a->text,
		    a->value == VALUE_HUGE ? "out of range" : "no integer");
	}
	out_of_order(r, (unsigned)col, v);
	return TAKEN;
}

/* Any line.  Returns enum taken, or -errno. */
static int
take_line(struct reader *r, const char *newline)
{
	struct assign a;

	assign_parse(&a, r->at, newline, r->scratch);
	if (a.kind == LINE_BAD) {
		read_note(r, PROBLEM_GARBAGE, r->line, "%s", a.bad);
		return TAKEN;
	}
	if (a.kind != LINE_VALUE)
		return TAKEN;
	if (!a.indexed || !a.last_is_int ||
	    (names_find(r, a.name, a.key_len) < 0 &&
	    !names_sampled(r, a.name, a.family_len))) {
		int rc = names_constant(r, &a);

		return rc < 0 ? rc : TAKEN;
	}
	if (!r->in_samples || a.last != r->sample) {
		r->in_samples = true;
		r->next_sample = a.last;
		r->have_next = true;
		return NEXT_SAMPLE;
	}
	return take_sample(r, &a);
}

/* ---- samples ---------------------------------------------------------- */

static int
sample_begin(struct reader *r)
{
	uint64_t *value = r->value[r->cur];

	int rc;

	/* Where every sample has another order, learning it is of no use. */
	if (r->as_expected)
		r->patience = 0;
	else if (r->norder > 0 && ++r->deviated >> r->patience != 0) {
		r->deviated = 0;
		r->patience += r->patience < 6;
		if ((rc = learn(r)) < 0)
			return rc;
	}
	for (unsigned i = 0; i < r->ncol; i++)
		value[i] = ABSENT;
	r->sample = r->next_sample;
	r->sample_line = r->line;
	r->have_next = false;
	r->nset = 0;
	r->pos = 0;
	r->norder = 0;
	r->as_expected = r->nexpect > 0;
	memset(r->tail, 0, sizeof(r->tail));
	r->tail_len = (unsigned)snprintf(r->tail, sizeof(r->tail), "%llu] = ",
	    (unsigned long long)r->sample);
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
		if (r->as_expected)
			expected_lines(r);
		if ((rc = whole_line(r, &newline, why)) < 0)
			return rc;
		if (rc == 0)
			return 0;
		if (!expected_name(r, newline) && !known_name(r, newline)) {
			if ((rc = take_line(r, newline)) < 0)
				goto memory;
			if (rc == NEXT_SAMPLE)
				return 1;
		}
		r->at = newline + 1;
		r->line++;
	}
memory:
	return diag_set(why, rc, rc == -E2BIG ? "%s:%llu: more names than a "
	    "dump can have" : "%s:%llu: out of memory", r->path,
	    (unsigned long long)r->line);
}

int
read_next(struct reader *r, struct read_row *row, struct diag *why)
{
	int rc;

	if (r->store != NULL)
		return store_next(r, row, why);
	for (;;) {
		if (!r->have_next)
			return 0;
		if ((rc = read_sample(r, why)) < 0)
			return rc;
		if (!r->returned || r->sample > r->last_sample)
			break;
		read_note(r, PROBLEM_ORDER, r->sample_line, "sample %llu after "
		    "sample %llu; it is left out",
		    (unsigned long long)r->sample,
		    (unsigned long long)r->last_sample);
	}
	*row = (struct read_row){ .sample = r->sample,
	    .value = r->value[r->cur], .ncol = r->ncol,
	    .nabsent = r->ncol - r->nset, .line = r->sample_line };
	if (r->returned) {
		row->before = r->value[r->cur ^ 1];
		row->before_sample = r->last_sample;
	}
	r->returned = true;
	r->last_sample = r->sample;
	r->cur ^= 1;
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
		if ((rc = take_line(r, newline)) < 0)
			return diag_set(why, rc, "%s:%llu: %s", r->path,
			    (unsigned long long)r->line, strerror(-rc));
		if (rc == NEXT_SAMPLE)
			break;
		r->at = newline + 1;
		r->line++;
		if (r->nconstant == 0 && r->nproblem[PROBLEM_GARBAGE] >= 20)
			break;
	}
	if (rc < 0)
		return rc;
	if (!r->have_next && r->nconstant == 0) {
		if (r->nkept > 0)
			return diag_set(why, -EINVAL, "%.120s: no dump: %s",
			    r->path, r->problem[0].text);
		return diag_set(why, -ENODATA, "%s: empty", r->path);
	}
	if (read_number(r, "tallyd_format", 1) != 1)
		return diag_set(why, -EPROTONOSUPPORT, "%s: format %s of "
		    "tallyd; this program reads format 1", r->path,
		    read_text(r, "tallyd_format", "?"));
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
		rc = a.kind == LINE_VALUE ? names_constant(r, &a) : 0;
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

	r->fd = strcmp(r->path, "-") == 0 ? STDIN_FILENO :
	    open(r->path, O_RDONLY | O_CLOEXEC);
	if (r->fd < 0 || fstat(r->fd, &sb) < 0)
		return diag_set(why, -errno, "%s: %s", r->path,
		    strerror(errno));
	if (S_ISDIR(sb.st_mode))
		return diag_set(why, -EISDIR, "%s: a directory", r->path);
	r->whole = S_ISREG(sb.st_mode) && r->fd != STDIN_FILENO;
	r->buf = malloc(READ_SLACK + READ_BUFFER + READ_SLACK);
	r->scratch = malloc(READ_BUFFER);
	if (r->buf == NULL || r->scratch == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	memset(r->buf, 0, READ_SLACK);
	memset(r->buf + READ_SLACK + READ_BUFFER, 0, READ_SLACK);
	r->at = r->end = r->buf + READ_SLACK;
	r->line = 1;
	return refill(r, why);
}

int
read_open(struct reader **out, const char *path, struct diag *why)
{
	struct reader *r = calloc(1, sizeof(*r));
	int rc = -ENOMEM;

	*out = NULL;
	if (r == NULL || (r->path = strdup(path)) == NULL ||
	    (r->arena = arena_new()) == NULL) {
		diag_set(why, rc, "out of memory");
		goto fail;
	}
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
	if (r->fd > STDIN_FILENO)
		close(r->fd);
	store_close(r->store);
	names_fini(r);
	arena_free(r->arena);
	free(r->words);
	free(r->problem);
	free(r->buf);
	free(r->scratch);
	free(r->path);
	free(r);
}

const char *
read_path(const struct reader *r)
{
	return r->path;
}

bool
read_is_store(const struct reader *r)
{
	return r->store != NULL;
}

uint64_t
read_problems(const struct reader *r, enum problem_kind kind)
{
	uint64_t n = 0;

	if (kind < PROBLEM_KINDS)
		return r->nproblem[kind];
	for (unsigned i = 0; i < PROBLEM_KINDS; i++)
		n += r->nproblem[i];
	return n;
}

const struct read_problem *
read_problem(const struct reader *r, unsigned i)
{
	return i < r->nkept ? &r->problem[i] : NULL;
}
