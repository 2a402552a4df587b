/*
 * tests/lib/doctor.c - a dump, changed.
 */
#include "tests/lib/doctor.h"

#include "tests/lib/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "name[sample] = value": taken apart, in its own text. */
static bool
take_sample(struct dump_line *l, char *text)
{
	char *eq = strstr(text, "] = "), *open = eq, *end;

	while (open != NULL && open > text && *open != '[')
		open--;
	if (open == NULL || open == text || open[1] < '0' || open[1] > '9')
		return false;
	l->hex = eq[4] == '0' && eq[5] == 'x';
	l->value = strtoull(eq + 4, &end, 0);
	if (eq[4] == '-')
		l->value = (uint64_t)strtoll(eq + 4, &end, 10);
	if (*end != '\0')
		return false;
	l->sample = atoi(open + 1);
	*open = '\0';
	return true;
}

static int
by_name(const void *a, const void *b)
{
	const struct dump_line *x = *(struct dump_line *const *)a;
	const struct dump_line *y = *(struct dump_line *const *)b;
	int names = strcmp(x->name, y->name);

	return names != 0 ? names : x->sample - y->sample;
}

/* Each value's before. */
static void
chain(struct doctored *d)
{
	struct dump_line **by = malloc((d->n + 1) * sizeof *by);
	unsigned n = 0;

	assert_non_null(by);
	for (unsigned i = 0; i < d->n; i++)
		if (d->line[i].sample >= 0)
			by[n++] = &d->line[i];
	qsort(by, n, sizeof *by, by_name);
	for (unsigned i = 1; i < n; i++)
		if (strcmp(by[i]->name, by[i - 1]->name) == 0)
			by[i]->before = by[i - 1];
	free(by);
}

void
doctored_load(struct doctored *d, const char *path)
{
	size_t size;
	bool samples = false;
	unsigned room = 1;

	d->text = file_text(path, &size);
	for (const char *s = d->text; *s != '\0'; s++)
		room += *s == '\n';
	d->line = calloc(room, sizeof *d->line);
	assert_non_null(d->line);
	d->n = 0;
	for (char *at = d->text, *text; (text = strsep(&at, "\n")) != NULL; ) {
		struct dump_line *l = &d->line[d->n];

		if (*text == '\0')
			continue;
		*l = (struct dump_line){ .name = text, .sample = -1 };
		samples |= strncmp(text, "tsc[0]", 6) == 0;
		if (samples && !take_sample(l, text))
			l->sample = -1;
		d->n++;
	}
	chain(d);
}

void
doctored_copy(struct doctored *d, const struct doctored *from)
{
	d->n = from->n;
	d->text = NULL;
	d->line = malloc((d->n + 1) * sizeof *d->line);
	assert_non_null(d->line);
	memcpy(d->line, from->line, d->n * sizeof *d->line);
	for (unsigned i = 0; i < d->n; i++)
		if (d->line[i].before != NULL)
			d->line[i].before = d->line +
			    (d->line[i].before - from->line);
}

void
doctored_free(struct doctored *d)
{
	free(d->line);
	free(d->text);
}

static void
put_number(FILE *f, uint64_t n, unsigned base)
{
	char digits[24], *p = digits + sizeof digits;

	*--p = '\0';
	do
		*--p = "0123456789abcdef"[n % base];
	while ((n /= base) > 0);
	fputs_unlocked(p, f);
}

const char *
doctored_write(const struct doctored *d, const char *name)
{
	static char path[256];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", test_dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	for (unsigned i = 0; i < d->n; i++) {
		const struct dump_line *l = &d->line[i];

		if (l->gone)
			continue;
		fputs_unlocked(l->name, f);
		if (l->sample >= 0) {
			putc_unlocked('[', f);
			put_number(f, (uint64_t)l->sample, 10);
			fputs_unlocked(l->hex ? "] = 0x" : "] = ", f);
			put_number(f, l->value, l->hex ? 16 : 10);
		}
		putc_unlocked('\n', f);
	}
	assert_int_equal(fclose(f), 0);
	return path;
}

bool
name_like(const char *name, const char *pattern)
{
	for (; *pattern != '*'; name++, pattern++) {
		if (*name != *pattern)
			return false;
		if (*name == '\0')
			return true;
	}
	do
		if (name_like(name, pattern + 1))
			return true;
	while (*name++ != '\0');
	return false;
}

static struct dump_line *
at_sample(struct dump_line *l, int sample)
{
	while (l != NULL && l->sample > sample)
		l = l->before;
	return l != NULL && l->sample == sample ? l : NULL;
}

/* From the last to the first: what is before is as it was. */
static unsigned
change(struct dump_line *l, const struct doing_to *to)
{
	struct dump_line *first = at_sample(l, to->from - 1), *other;
	uint64_t had = l->value;

	switch (to->what) {
	case DO_ADD:
		l->value += to->arg;
		break;
	case DO_SET:
		l->value = to->arg;
		break;
	case DO_CLEAR:
		l->gone = true;
		return 1;
	case DO_SWAP:
		if (l->sample != to->to ||
		    (other = at_sample(l, to->from)) == NULL)
			return 0;
		l->value = other->value;
		other->value = had;
		break;
	default:
		if (first == NULL)
			return 0;
		l->value = first->value + (to->what == DO_STAY ? 0 :
		    to->what == DO_GROW ? (had - first->value) * to->arg :
		    (had - first->value) / to->arg);
	}
	return l->value != had;
}

unsigned
doctor(struct doctored *d, const struct doing_to *to)
{
	unsigned n = 0;

	for (unsigned i = d->n; i-- > 0; ) {
		struct dump_line *l = &d->line[i];

		if (l->sample >= to->from && l->sample <= to->to &&
		    name_like(l->name, to->columns))
			n += change(l, to);
	}
	return n;
}

unsigned
doctor_head(struct doctored *d, const char *begins, const char *line)
{
	unsigned n = 0;

	for (unsigned i = 0; i < d->n; i++) {
		struct dump_line *l = &d->line[i];

		if (l->sample >= 0 ||
		    strncmp(l->name, begins, strlen(begins)) != 0)
			continue;
		l->name = (char *)line;
		n++;
	}
	return n;
}
