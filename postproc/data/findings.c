/*
 * postproc/data/findings.c - what tally check has to say of a dump.
 */
#include "postproc/data/findings.h"

#include "lib/printable.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct finding *
findings_add(struct findings *f, const char *what, const char *fmt, va_list ap)
{
	struct finding *p;

	if (f->n >= MAX_FINDINGS) {
		f->unkept++;
		return NULL;
	}
	if ((p = reallocarray(f->finding, f->n + 1, sizeof(*p))) == NULL) {
		f->lost = true;
		return NULL;
	}
	f->finding = p;
	p += f->n;
	*p = (struct finding){ .what = what };
	if (vasprintf(&p->text, fmt, ap) < 0) {
		f->lost = true;
		return NULL;
	}
	printable(p->text);
	f->n++;
	return p;
}

struct finding *
finding_add(struct findings *f, const char *what, const char *fmt, ...)
{
	struct finding *p;
	va_list ap;

	va_start(ap, fmt);
	p = findings_add(f, what, fmt, ap);
	va_end(ap);
	return p;
}

struct finding *
finding_at(struct findings *f, const char *what, uint64_t first, uint64_t last,
    const char *fmt, ...)
{
	struct finding *p;
	va_list ap;

	va_start(ap, fmt);
	p = findings_add(f, what, fmt, ap);
	va_end(ap);
	if (p != NULL) {
		p->sampled = true;
		p->first = first;
		p->last = last;
	}
	return p;
}

static int
findings_compare(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->note != y->note)
		return x->note ? 1 : -1;
	if (x->sampled != y->sampled)
		return x->sampled ? 1 : -1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return strcmp(x->text, y->text);
}

void
findings_sort(struct findings *f)
{
	if (f->n > 0)
		qsort(f->finding, f->n, sizeof(f->finding[0]),
		    findings_compare);
}

void
findings_fini(struct findings *f)
{
	for (unsigned i = 0; i < f->n; i++)
		free(f->finding[i].text);
	free(f->finding);
	memset(f, 0, sizeof(*f));
}

/* ---- words for units -------------------------------------------------- */

static const char *
unit_word(const struct column_id *id)
{
	enum family_of of = id->family->of;

	return of == OF_LPROC || of == OF_CORE ? "lproc" :
	    of == OF_PORT ? "port" : "package";
}

/* Prints the last indices of the first of n columns, " 0-3 7", as far as these agree in all
 * their other indices.  Returns how many columns that is. */
static unsigned
put_ranges(FILE *f, const struct reader *r, const unsigned *column, unsigned n)
{
	const struct column_id *a = &read_column(r, column[0])->id;
	unsigned i = 0, last = a->nindex - 1;

	while (i < n) {
		const struct column_id *b = &read_column(r, column[i])->id;
		uint32_t from = b->index[last], to = from;

		if (memcmp(a->index, b->index, last * sizeof(a->index[0])) != 0)
			break;
		while (++i < n) {
			const struct column_id *c =
			    &read_column(r, column[i])->id;

			if (memcmp(a->index, c->index,
			    last * sizeof(a->index[0])) != 0 ||
			    c->index[last] != to + 1)
				break;
			to++;
		}
		fprintf(f, from == to ? " %" PRIu32 : " %" PRIu32 "-%" PRIu32,
		    from, to);
	}
	return i;
}

const char *
unit_words(const struct reader *r, const unsigned *column, unsigned n,
    char *buf, size_t size)
{
	const struct column_id *c = &read_column(r, column[0])->id;
	FILE *f;

	buf[0] = '\0';
	if (n == 0 || c->nindex == 0)
		return buf;
	if ((f = fmemopen(buf, size, "w")) == NULL)
		return NULL;
	setvbuf(f, NULL, _IOFBF, size + 1);
	if (c->nindex == 1) {
		fprintf(f, ", %s%s", unit_word(c), n > 1 ? "s" : "");
		put_ranges(f, r, column, n);
	} else {
		for (unsigned i = 0; i < n; ) {
			fprintf(f, "%spackage %" PRIu32 " box",
			    i > 0 ? "; " : ", ",
			    read_column(r, column[i])->id.index[0]);
			i += put_ranges(f, r, column + i, n - i);
		}
	}
	fclose(f);
	buf[size - 1] = '\0';
	return buf;
}
