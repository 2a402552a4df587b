/*
 * config/suggest.c - "did you mean": the candidates that the fewest edits
 * (insert, delete, replace, swap of neighbours) lead to.  A candidate also
 * matches by its first words alone, or, as a last choice, as a name that
 * contains the wanted one.
 */
#include "config/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LONGEST (NEAR_NAME - 1)
#define SHORTEST 3              /* letters: shorter parts match too much */

#define APART 4                 /* show only distances below best + APART */

/* Does a word of the name end before index j? */
static bool
word_ends(const char *name, unsigned j)
{
	return name[j] == '\0' || strchr("-_.:", name[j]) != NULL;
}

/* near_distance - twice the number of edits from a to b; or, if smaller, twice
 * the edits from a to the first words of b, plus 1.  Returns `limit` as soon as
 * the distance reaches it. */
static unsigned
near_distance(const char *a, const char *b, unsigned limit)
{
	unsigned char row[3][LONGEST + 1];
	unsigned char *two = row[0], *one = row[1], *now = row[2], *old;
	unsigned na = (unsigned)strlen(a), nb = (unsigned)strlen(b), least;

	if (na > LONGEST || nb > LONGEST || (na > nb && 2 * (na - nb) >= limit))
		return limit;
	for (unsigned j = 0; j <= nb; j++)
		one[j] = (unsigned char)j;
	for (unsigned i = 1; i <= na; i++) {
		unsigned best = now[0] = (unsigned char)i;
		int ca = toupper((unsigned char)a[i - 1]);

		for (unsigned j = 1; j <= nb; j++) {
			int cb = toupper((unsigned char)b[j - 1]);
			unsigned d = one[j - 1] + (ca != cb);

			if (d > one[j] + 1u)
				d = one[j] + 1u;
			if (d > now[j - 1] + 1u)
				d = now[j - 1] + 1u;
			if (i > 1 && j > 1 && d > two[j - 2] + 1u &&
			    ca == toupper((unsigned char)b[j - 2]) &&
			    cb == toupper((unsigned char)a[i - 2]))
				d = two[j - 2] + 1u;
			now[j] = (unsigned char)d;
			if (d < best)
				best = d;
		}
		if (2 * best >= limit)
			return limit;
		old = two;
		two = one;
		one = now;
		now = old;
	}
	least = 2u * one[nb];
	for (unsigned j = SHORTEST; j < nb; j++)
		if (word_ends(b, j) && (na > 4 || one[j] == 0) && 2u * one[j] + 1 < least)
			least = 2u * one[j] + 1;
	return least;
}

void
near_init(struct near *near, const char *wanted)
{
	size_t n = strlen(wanted);

	near->wanted = wanted;
	near->name = NULL;
	near->n = 0;
	/* If more than a third of the letters differ, it is another name.
	 * Short names are all near each other: allow one edit. */
	near->limit = 2 * (n < 5 ? 2 : (unsigned)n / 3 + 1);
}

void
near_try(struct near *near, const char *candidate)
{
	unsigned limit = near->n < NEAR_NAMES ? near->limit :
	    near->distance[NEAR_NAMES - 1];
	unsigned d = near_distance(near->wanted, candidate, limit), at, last;

	/* last choice: the candidate contains the wanted name */
	if (d >= limit && limit == near->limit &&
	    strlen(near->wanted) >= SHORTEST && strlen(candidate) < NEAR_NAME &&
	    strcasestr(candidate, near->wanted) != NULL)
		d = limit - 1;
	if (d >= limit)
		return;
	for (unsigned i = 0; i < near->n; i++)
		if (strcmp(near->kept[i], candidate) == 0)
			return;
	for (at = 0; at < near->n && near->distance[at] <= d; at++)
		continue;
	near->n += near->n < NEAR_NAMES;
	last = near->n - 1;
	memmove(near->kept[at + 1], near->kept[at], (last - at) * NEAR_NAME);
	memmove(&near->distance[at + 1], &near->distance[at], (last - at) *
	    sizeof(near->distance[0]));
	strcpy(near->kept[at], candidate);
	near->distance[at] = d;
	near->name = near->kept[0];
}

const char *
near_words(const struct near *near, char *buf, size_t size)
{
	size_t used = 0;
	unsigned n = 0;

	buf[0] = '\0';
	while (n < near->n && near->distance[n] < near->distance[0] + APART)
		n++;
	for (unsigned i = 0; i < n && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s",
		    i == 0 ? "" : i + 1 < n ? ", " : " or ", near->kept[i]);
	return buf;
}

const char *
near_meant(const struct near *near, char *buf, size_t size)
{
	char words[NEAR_WORDS];

	snprintf(buf, size, near->n > 0 ? "; did you mean %s?" : "%s",
	    near_words(near, words, sizeof(words)));
	return buf;
}

/* ---- lists of valid names ----------------------------------------------- */

void
choices_add(char *buf, size_t size, const char *name)
{
	size_t n = strlen(buf);

	if (n < size)
		snprintf(buf + n, size - n, "%s%s", n > 0 ? " " : "", name);
}

const char *
choices_boxes(const struct model *model, char *buf, size_t size)
{
	buf[0] = '\0';
	if (model->core != NULL)
		choices_add(buf, size, model->core->name);
	for (const struct box_type *b = model->box; b->name != NULL; b++)
		choices_add(buf, size, b->name);
	for (char *c = buf; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	return buf[0] != '\0' ? buf : "none";
}

const char *
choices_filters(const struct box_type *type, char *buf, size_t size)
{
	buf[0] = '\0';
	for (unsigned f = 0; f < MAX_FILTERS; f++)
		if (type->filter[f].name != NULL)
			choices_add(buf, size, type->filter[f].name);
	return buf[0] != '\0' ? buf : "none";
}

const char *
choices_fields(const struct box_type *type, char *buf, size_t size)
{
	buf[0] = '\0';
	for (const struct field *f = type->field; f->name != NULL; f++)
		if (field_named(type->field, f->name) == f)
			choices_add(buf, size, f->name);
	return buf;
}

const char *
choices_pieces(const struct field *f, char *buf, size_t size)
{
	char piece[16];

	buf[0] = '\0';
	for (; f != NULL; f = field_named(f + 1, f->name)) {
		snprintf(piece, sizeof(piece), "%u:%u", f->hi, f->lo);
		choices_add(buf, size, piece);
	}
	return buf;
}

const char *
choices_bits(uint64_t bits, char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = '\0';
	for (unsigned lo = 0, hi; lo < 64 && n < size; lo = hi + 1) {
		for (hi = lo; hi < 63 && bits >> hi & bits >> (hi + 1) & 1;)
			hi++;
		if ((bits >> lo & 1) == 0)
			continue;
		n += (size_t)snprintf(buf + n, size - n,
		    lo == hi ? "%s%u" : "%s%u-%u", n > 0 ? ", " : "", lo, hi);
	}
	return buf;
}
