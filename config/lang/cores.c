/*
 * config/lang/cores.c - which lprocs an event is counted on.
 */
#include "config/lang/want.h"

#include "regs/access.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
cores_bad(struct place at, struct diag *why, struct word w, const char *what)
{
	return diag_place(why, at, "cores \"%.*s\": %s (right would be "
	    "\"0-3\", added up, or \"[4-7]\", each by itself)", WORD_ARG(w),
	    what);
}

/* Parse one number; 0x and 0 select its base, as in C. */
static int
cores_number(const char **p, const char *end, unsigned *value)
{
	char text[24], *stop;
	size_t n = 0;
	unsigned long v;

	while (*p < end && (**p == ' ' || **p == '\t'))
		++*p;
	while (*p + n < end && n < sizeof(text) - 1 &&
	    isalnum((unsigned char)(*p)[n])) {
		text[n] = (*p)[n];
		n++;
	}
	text[n] = '\0';
	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	v = strtoul(text, &stop, 0);
	if (*stop != '\0' || errno != 0 || v >= MAX_LPROCS)
		return -EINVAL;
	*p += n;
	while (*p < end && (**p == ' ' || **p == '\t'))
		++*p;
	*value = (unsigned)v;
	return 0;
}

/* list = [ range ] { "," [ range ] }.  Mark the lprocs of the list. */
static int
cores_parse_list(struct word w, bool *mark)
{
	const char *p = w.s, *end = w.s + w.n;
	int found = 0;

	while (p < end) {
		unsigned lo, hi;

		if (*p == ',' || *p == ' ' || *p == '\t') {
			p++;
			continue;
		}
		if (cores_number(&p, end, &lo) < 0)
			return -EINVAL;
		hi = lo;
		if (p < end && *p == '-') {
			p++;
			if (cores_number(&p, end, &hi) < 0)
				return -EINVAL;
		}
		if (p < end && *p != ',')
			return -EINVAL;
		for (unsigned c = lo < hi ? lo : hi; c <= (lo < hi ? hi : lo);
		    c++)
			mark[c] = true;
		found++;
	}
	return found;
}

/* Make room for one more group: the array doubles when n is a power of two. */
static struct core_group *
new_group(struct cores *cores, struct arena *arena)
{
	struct core_group *more;

	if ((cores->n & (cores->n - 1)) == 0) {
		more = arena_alloc(arena, (cores->n > 0 ? cores->n * 2 : 1) *
		    sizeof(*more));
		if (more == NULL)
			return NULL;
		if (cores->n > 0)
			memcpy(more, cores->group, cores->n * sizeof(*more));
		cores->group = more;
	}
	return &cores->group[cores->n];
}

/* Add a group of the marked lprocs from first to last. */
static int
cores_add_group(struct cores *cores, struct arena *arena, struct word label,
    const bool *mark, unsigned first, unsigned last)
{
	struct core_group *g = new_group(cores, arena);
	unsigned n = 0;

	if (g == NULL)
		return -ENOMEM;
	for (unsigned c = first; c <= last; c++)
		n += mark[c];
	g->n = 0;
	g->label = arena_strndup(arena, label.s, label.n);
	g->lproc = arena_alloc(arena, n * sizeof(g->lproc[0]));
	if (g->label == NULL || g->lproc == NULL)
		return -ENOMEM;
	for (unsigned c = first; c <= last; c++)
		if (mark[c])
			g->lproc[g->n++] = c;
	cores->n++;
	return 0;
}

int
cores_add(struct cores *cores, struct arena *arena, struct word w,
    struct place at, struct diag *why)
{
	bool mark[MAX_LPROCS] = { false }, apart;
	struct word list;
	char label[16];
	int n, rc = 0;

	list = w = word_trim(w);
	if (w.n == 0)
		return 0;
	apart = w.s[0] == '[';
	if (apart && w.s[w.n - 1] != ']')
		return cores_bad(at, why, w, "the ] is missing");
	if (!apart && memchr(w.s, ']', w.n) != NULL)
		return cores_bad(at, why, w, "a ] without [");
	if (apart) {
		list.s++;
		list.n -= 2;
	}
	if (memchr(list.s, '[', list.n) != NULL ||
	    memchr(list.s, ']', list.n) != NULL)
		return cores_bad(at, why, w, "brackets stand around all of it");
	if ((n = cores_parse_list(list, mark)) < 0 &&
	    isalpha((unsigned char)w.s[0]))
		return diag_place(why, at, "cores \"%.*s\": cores lists lprocs "
		    "(cores \"0-3\") for lines below that begin with event; an "
		    "event that all count begins with core", WORD_ARG(w));
	if (n < 0)
		return cores_bad(at, why, w,
		    "it is no list of lprocs, 0 to 8191");
	if (n == 0)
		return cores_bad(at, why, w, "there is no number in it");
	for (unsigned i = 0; i < cores->n; i++)
		for (unsigned k = 0; k < cores->group[i].n; k++)
			if (mark[cores->group[i].lproc[k]])
				return diag_place(why, at, "cores \"%.*s\": "
				    "lproc %u is in \"%s\" already",
				    WORD_ARG(w), cores->group[i].lproc[k],
				    cores->group[i].label);
	if (!apart)
		return cores_add_group(cores, arena, w, mark, 0,
		    MAX_LPROCS - 1);
	for (unsigned c = 0; c < MAX_LPROCS && rc == 0; c++)
		if (mark[c])
			rc = cores_add_group(cores, arena, (struct word){ label,
			    (size_t)snprintf(label, sizeof(label), "%u", c) },
			    mark, c, c);
	return rc;
}

unsigned
cores_listed(const struct cores *cores)
{
	unsigned n = 0;

	for (unsigned i = 0; i < cores->n; i++)
		n += cores->group[i].n;
	return n;
}

unsigned
cores_missing(const struct cores *cores, unsigned nlproc, unsigned *first)
{
	unsigned n = 0;

	for (unsigned i = 0; i < cores->n; i++)
		for (unsigned k = 0; k < cores->group[i].n; k++)
			if (cores->group[i].lproc[k] >= nlproc && n++ == 0)
				*first = cores->group[i].lproc[k];
	return n;
}
