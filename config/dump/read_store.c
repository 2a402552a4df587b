/*
 * config/dump/read_store.c - read a store like the dump that it will become:
 * the same columns, with values as printed; the clocks of the last sample, of a store or
 * of a dump.
 */
#include "config/dump/read_int.h"

#include "config/dump/dump.h"
#include "lib/printable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int
read_store_read_head(struct reader *r, struct diag *why)
{
	char *head = dump_head(r->store, r->rows.end);
	int rc = head == NULL ? diag_set(why, -ENOMEM, "out of memory") :
	    read_head_text(r, head, why);

	free(head);
	return rc;
}

int
store_begin(struct reader *r, struct diag *why)
{
	const struct store_shape *s;
	char name[MAX_NAME];
	const uint64_t *mark;
	int rc;

	if ((rc = store_open(&r->store, r->path, why)) < 0)
		return rc;
	s = store_shape(r->store);
	r->rows.end = store_rows(r->store);
	r->rows.notes = strlen(store_notes(r->store));
	r->rows.marks = store_marks(r->store, &mark);
	if ((r->rows.raw = malloc(s->ncell * sizeof(r->rows.raw[0]))) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	if ((rc = read_head_text(r, s->preamble, why)) < 0 ||
	    (rc = read_store_read_head(r, why)) < 0)
		return rc;
	for (unsigned i = 0; i < s->ncolumn; i++) {
		const struct column *c = &s->column[i];
		size_t len = column_text(&c->id, "", name, sizeof(name));
		int id = len < sizeof(name) ? names_column(r, name, len) :
		    -EINVAL;

		if (id >= 0 && (unsigned)id != i)
			id = -EINVAL;
		if (id < 0)
			return diag_set(why, id, "%s: column %u, %.200s: %s",
			    r->path, i, name, strerror(-id));
		r->columns.column[i].cls = c->cls;
		if (c->bits != 0) {
			r->columns.column[i].bits = c->bits;
			r->columns.column[i].mul = c->mul ? c->mul : 1;
		}
	}
	r->line = 0;
	if (store_left_out(r->store) > 0)
		read_note(r, PROBLEM_GARBAGE, 0, "%.120s: %u line%s of "
		    "its head left out, none of tallyd's", r->shown,
		    store_left_out(r->store),
		    plural(store_left_out(r->store)));
	if (store_cut(r->store) > 0)
		read_note(r, PROBLEM_TRUNCATED, 0, "%.120s: the file was cut: "
		    "it lacks %llu of its %llu samples", r->shown,
		    (unsigned long long)store_cut(r->store),
		    (unsigned long long)(store_cut(r->store) +
		    store_rows(r->store)));
	return 0;
}

int
read_more(struct reader *r, bool *head, struct diag *why)
{
	const uint64_t *mark;
	size_t notes;
	unsigned marks;
	int rc;

	if (r->store == NULL)
		return diag_set(why, -EINVAL, "%s: no store of a tallyd that "
		    "samples", r->path);
	r->rows.end = store_rows(r->store);
	notes = strlen(store_notes(r->store));
	marks = store_marks(r->store, &mark);
	*head = notes != r->rows.notes || marks != r->rows.marks;
	if (*head && (rc = read_store_read_head(r, why)) < 0)
		return rc;
	r->rows.notes = notes;
	r->rows.marks = marks;
	r->line = 0;
	return r->rows.at < r->rows.end;
}

static uint64_t
printed(const struct column *c, const uint64_t *row)
{
	uint64_t raw = column_raw(c, row);

	if (raw == ABSENT || c->print == PRINT_HEX || c->print == PRINT_SCALED)
		return raw;
	if (c->print == PRINT_TEMP || c->print == PRINT_CORE_TEMP)
		return (uint64_t)(int64_t)(c->base - (int)(raw >> 16 & 0x7f));
	return c->mul > 1 ? raw * c->mul : raw;
}

int
store_next(struct reader *r, struct read_row *row, struct diag *why)
{
	const struct store_shape *s = store_shape(r->store);
	uint64_t *value = r->now.value[r->now.cur];
	int rc;

	if (r->rows.at >= r->rows.end)
		return 0;
	if ((rc = store_read(r->store, r->rows.at, 0, s->ncell,
	    r->rows.raw)) < 0)
		return diag_set(why, rc, "%s: %s", r->path, store_error(rc));
	*row = (struct read_row){ .sample = r->rows.at, .value = value,
	    .ncol = r->columns.n };
	for (unsigned i = 0; i < s->ncolumn; i++) {
		value[i] = printed(&s->column[i], r->rows.raw);
		row->nabsent += value[i] == ABSENT;
	}
	if (r->now.returned) {
		row->before = r->now.value[r->now.cur ^ 1];
		row->before_sample = r->now.last;
	}
	r->now.returned = true;
	r->now.last = r->rows.at++;
	r->now.cur ^= 1;
	return 1;
}

/* ---- the clocks of the last sample --------------------------------------- */

/* The search takes so many bytes at the end of the file, and then more until it succeeds. */
#define STEP 65536u
#define FAR (16u << 20)         /* bytes that are searched at most; a sample of a
				 * large node has less than 1 MB */

/* Find a line `NAME SAMPLE] = VALUE` in text[0..n), where name ends with "[".  False:
 * there is none. */
static bool
find_value(const char *text, size_t n, const char *name, uint64_t sample,
    uint64_t *value)
{
	const char *p = text, *end = text + n;
	size_t len = strlen(name);
	char scratch[256];

	while ((p = memmem(p, (size_t)(end - p), name, len)) != NULL) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		struct assign a;

		if (stop == NULL)
			return false;
		if ((p == text || p[-1] == '\n') && stop - p < 200) {
			assign_parse(&a, p, stop, scratch);
			if (a.kind == LINE_VALUE && a.value == VALUE_INT &&
			    a.last_is_int && a.last == sample) {
				*value = a.u;
				return true;
			}
		}
		p = stop;
	}
	return false;
}

/* The last line in text[0..n) that starts with "tsc["; or NULL. */
static const char *
last_tsc(const char *text, size_t n)
{
	for (const char *p; n > 5; n = (size_t)(p - text)) {
		p = memrchr(text, '\n', n);
		if (p == NULL)
			return NULL;
		if (text + n - p > 5 && memcmp(p, "\ntsc[", 5) == 0)
			return p + 1;
	}
	return NULL;
}

/* Find the last sample in text whose three clocks are all there: TSC, and the seconds and
 * microseconds of the wall clock.  False: there is none. */
static bool
clocks_in(const char *text, size_t n, uint64_t *sample, uint64_t *tsc,
    double *wall_s)
{
	uint64_t sec, usec;

	while (n > 0) {
		const char *p = last_tsc(text, n), *stop;
		struct assign a;
		char scratch[256];

		if (p == NULL)
			return false;
		stop = memchr(p, '\n', (size_t)(text + n - p));
		if (stop != NULL && stop - p < 200) {
			assign_parse(&a, p, stop, scratch);
			if (a.kind == LINE_VALUE && a.value == VALUE_INT &&
			    a.last_is_int && find_value(stop + 1,
			    (size_t)(text + n - stop - 1), "walltime[0][",
			    a.last, &sec) && find_value(stop + 1,
			    (size_t)(text + n - stop - 1), "walltime[1][",
			    a.last, &usec)) {
				*sample = a.last;
				*tsc = a.u;
				*wall_s = (double)sec + (double)usec * 1e-6;
				return true;
			}
		}
		n = (size_t)(p - text);
	}
	return false;
}

static bool
store_clock(const struct reader *r, uint64_t *sample, uint64_t *tsc,
    double *wall_s)
{
	const struct store_shape *s = store_shape(r->store);
	uint64_t sec, usec;

	if (r->rows.end == 0)
		return false;
	*sample = r->rows.end - 1;
	if (store_read(r->store, *sample, s->cell_tsc, 1, tsc) < 0 ||
	    store_read(r->store, *sample, s->cell_real_sec, 1, &sec) < 0 ||
	    store_read(r->store, *sample, s->cell_real_usec, 1, &usec) < 0)
		return false;
	*wall_s = (double)sec + (double)usec * 1e-6;
	return *tsc != ABSENT;
}

/* Where in text[0..n), which begins with a line's end, another dump begins; n: nowhere. */
static size_t
other_dump(const struct reader *r, const char *text, size_t n)
{
	static const char *const key[] = { "\ntallyd_format", "\nhost" };
	size_t end = n;

	for (unsigned i = 0; i < 2; i++) {
		const char *p = text, *stop;
		struct assign a;

		while ((p = memmem(p, (size_t)(text + n - p), key[i],
		    strlen(key[i]))) != NULL && p < text + end &&
		    (stop = memchr(p + 1, '\n',
		    (size_t)(text + n - p - 1))) != NULL) {
			assign_parse(&a, p + 1, stop, r->scratch);
			if (a.kind == LINE_VALUE && lines_other_dump(r, &a)) {
				end = (size_t)(p + 1 - text);
				break;
			}
			p = stop;
		}
	}
	return end;
}

/* The offset at which this dump ends in its file: where another dump begins behind what the
 * reader has read, which it will leave out; or the file's size. */
static size_t
own_end(const struct reader *r, size_t size)
{
	size_t at = (size_t)r->offset - (size_t)(r->end - r->at), n, end;
	char *text = malloc(READ_BUFFER);
	const char *last;
	ssize_t got;

	if (r->left_out_at != 0)
		size = r->left_out_at;
	at -= at > 0;
	while (at < size && text != NULL && (got = pread(r->fd, text, READ_BUFFER,
	    (off_t)at)) > 0) {
		n = (size_t)got;
		if ((end = other_dump(r, text, n)) < n) {
			size = at + end;
			break;
		}
		/* the next one begins with the last line's end */
		last = memrchr(text, '\n', n);
		at += last != NULL && last > text ? (size_t)(last - text) : n;
	}
	free(text);
	return size;
}

bool
file_last_clock(const struct reader *r, bool own, uint64_t *sample,
    uint64_t *tsc, double *wall_s)
{
	struct stat sb;
	bool found = false;
	size_t size, n = STEP;

	if (r->store != NULL)
		return store_clock(r, sample, tsc, wall_s);
	if (!r->whole || fstat(r->fd, &sb) < 0 || sb.st_size <= 0)
		return false;
	size = (size_t)sb.st_size;
	if (own)
		size = own_end(r, size);
	do {
		char *text;
		ssize_t got;

		n = n * 2 < size ? n * 2 : size;
		if ((text = malloc(n)) == NULL)
			return false;
		got = pread(r->fd, text, n, (off_t)(size - n));
		found = got > 0 &&
		    clocks_in(text, (size_t)got, sample, tsc, wall_s);
		free(text);
	} while (!found && n < size && n < FAR);
	return found;
}
