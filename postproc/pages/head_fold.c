/*
 * postproc/pages/head_fold.c - constants of a dump's head that have the same value for
 * many units, as one line.
 */
#include "postproc/pages/head_fold.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns where the string in quotes at p ends. */
static const char *
behind_quotes(const char *p)
{
	char quote = *p++;

	while (*p != '\0' && *p != quote)
		p += p[0] == '\\' && p[1] != '\0' ? 2 : 1;
	return p + (*p != '\0');
}

/* Returns the first digit of the next index, from p on, that is a number; or the end
 * of the text. */
static const char *
next_number(const char *p)
{
	for (;;) {
		while (*p > '[')        /* all small letters, and "_" */
			p++;
		if (*p == '\0' || (p[0] == '[' && isdigit((unsigned char)p[1])))
			break;
		p = *p == '"' || *p == '\'' ? behind_quotes(p) : p + 1;
	}
	return *p != '\0' ? p + 1 : p;
}

/* Returns how many of a name's indices are numbers; -1: there are more of them, or
 * greater ones, than a line has room for. */
static int
take_numbers(const char *name, uint64_t number[FOLD_INDICES])
{
	int n = 0;

	for (const char *p = next_number(name); *p != '\0';
	    p = next_number(p)) {
		if (n == FOLD_INDICES)
			return -1;
		number[n] = strtoull(p, NULL, 10);
		if (number[n++] >= MAX_LPROCS)
			return -1;
	}
	return n;
}

/* Do two names differ in numbers alone? */
static bool
same_but_numbers(const char *a, const char *b)
{
	size_t same = 0;

	while (a[same] != '\0' && a[same] == b[same])
		same++;
	if (!isdigit((unsigned char)a[same]) && !isdigit((unsigned char)b[same]))
		return a[same] == b[same];
	while (*a != '\0') {
		const char *to_a = next_number(a), *to_b = next_number(b);

		if (to_a - a != to_b - b ||
		    memcmp(a, b, (size_t)(to_a - a)) != 0)
			return false;
		a = to_a + strspn(to_a, "0123456789");
		b = to_b + strspn(to_b, "0123456789");
	}
	return *b == '\0';
}

static bool
belongs(const struct fold_line *line, const struct constant *c, int n)
{
	return n >= 0 && line->nindex == (unsigned)n &&
	    line->first->kind == c->kind &&
	    strcmp(line->first->text, c->text) == 0 &&
	    same_but_numbers(line->first->name, c->name);
}

void
fold_add(struct fold *f, const struct constant *c)
{
	uint64_t number[FOLD_INDICES];
	int n = take_numbers(c->name, number);
	struct fold_line *line = f->line;

	while (line < f->line + f->n && !belongs(line, c, n))
		line++;
	if (line == f->line + FOLD_LINES) {
		f->more++;
		return;
	}
	if (line == f->line + f->n) {
		f->n++;
		*line = (struct fold_line){ .first = c,
		    .nindex = n > 0 ? (unsigned)n : 0 };
	}
	line->n++;
	for (int i = 0; i < n; i++)
		line->set[i][number[i] / 64] |= UINT64_C(1) << number[i] % 64;
}

/* The lowest number of the set that is not below i; MAX_LPROCS: there is none. */
static unsigned
next_in(const uint64_t *set, unsigned i)
{
	while (i < MAX_LPROCS && set[i / 64] >> i % 64 == 0)
		i = (i / 64 + 1) * 64;
	return i < MAX_LPROCS ?
	    i + (unsigned)__builtin_ctzll(set[i / 64] >> i % 64) : MAX_LPROCS;
}

/* Text that is put together; what does not fit is left out. */
struct words {
	char *text;
	size_t size, n;
};

__attribute__((format(printf, 2, 3)))
static void
head_fold_put(struct words *to, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (to->n >= to->size)
		return;
	va_start(ap, fmt);
	n = vsnprintf(to->text + to->n, to->size - to->n, fmt, ap);
	va_end(ap);
	to->n += n > 0 ? (size_t)n : 0;
}

/* Writes a set as "0-23,48-70:2", where :2 is every second one.  Returns how many
 * numbers it has. */
static uint64_t
list_numbers(const uint64_t *set, struct words *to)
{
	unsigned from = next_in(set, 0), next;
	const char *comma = "";
	uint64_t n = 0;

	for (; from < MAX_LPROCS; from = next) {
		unsigned step = next_in(set, from + 1) - from, last = from;
		unsigned run = 1;

		while ((next = next_in(set, last + 1)) == last + step &&
		    next < MAX_LPROCS) {
			last = next;
			run++;
		}
		/* two numbers with a gap between are shown one by one */
		if (step > 1 && run == 2) {
			next = last;
			last = from;
			run = 1;
		}
		head_fold_put(to, "%s%u", comma, from);
		if (run > 1)
			head_fold_put(to, "-%u", last);
		if (run > 1 && step > 1)
			head_fold_put(to, ":%u", step);
		comma = ",";
		n += run;
	}
	return n;
}

const char *
fold_name(const struct fold_line *line, char *buf, size_t size)
{
	struct words to = { buf, size, 0 };
	const char *p = line->first->name;
	uint64_t block = 1;

	buf[0] = '\0';
	for (unsigned i = 0; i < line->nindex; i++) {
		const char *number = next_number(p);

		head_fold_put(&to, "%.*s", (int)(number - p), p);
		block *= list_numbers(line->set[i], &to);
		p = number + strspn(number, "0123456789");
	}
	head_fold_put(&to, "%s", p);
	if (line->n != block)
		head_fold_put(&to, " (%u of these)", line->n);
	return buf;
}
