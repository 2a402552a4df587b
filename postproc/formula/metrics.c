/*
 * postproc/formula/metrics.c - lists of metrics, their scopes and ranges, and other names
 * of events.
 */
#include "postproc/formula/metrics.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/suggest.h"
#include "lib/array.h"
#include "postproc/data/select.h"

#define ROUNDING 1e-9           /* so little beyond a range is within it */
/* A share of the time is computed from two clocks that are read one after the other,
 * within 100 us; of a second that is 0.01 %. */
#define CLOCKS_APART 0.01       /* % */

static const char *const scope_names[] = { "lproc", "core", "ccx", "box", "die",
	"numa", "package", "node" };
/* The number of each scope in files.  CCXs were added last. */
static const uint8_t scope_numbers[SCOPES] = { 0, 1, 7, 2, 3, 4, 5, 6 };

bool
metric_adds(const struct metric *m)
{
	for (uint32_t i = 0; i < m->expr.nref; i++)
		if (m->expr.ref[i].how == REF_TOTAL)
			return m->unit[0] == '\0' || m->unit[1] == '\0';
	return false;
}

bool
metric_excludes(const struct metric *m, double most, double value)
{
	/* rounding can make a share 100.00000000000001 % */
	return m->ranged && (value < m->lo - ROUNDING ||
	    value > most + ROUNDING);
}

double
metric_settled(const struct metric *m, double value)
{
	if (!m->ranged || m->each || m->most != NULL ||
	    strcmp(m->unit, "%") != 0)
		return value;
	if (m->hi >= 100 && m->hi <= 101 && value > 100 &&
	    value < 100 + CLOCKS_APART)
		return 100;
	return m->lo >= -1 && m->lo <= 0 && value < 0 &&
	    value > -CLOCKS_APART ? 0 : value;
}

const char *
scope_name(enum scope s)
{
	return s < SCOPES ? scope_names[s] : "?";
}

unsigned
scope_number(enum scope s)
{
	return scope_numbers[s];
}

enum scope
scope_numbered(unsigned number)
{
	unsigned s = 0;

	while (s < SCOPES && scope_numbers[s] != number)
		s++;
	return (enum scope)s;
}

enum scope
scope_find(const char *name)
{
	unsigned s = 0;

	while (s < SCOPES && strcmp(name, scope_names[s]) != 0)
		s++;
	return (enum scope)s;
}

int
scope_take(struct lex *l, enum scope *out, struct diag *why)
{
	char word[16] = "";

	if (l->kind == LEX_NAME && l->len < sizeof word)
		memcpy(word, l->text, l->len);
	if ((*out = scope_find(word)) == SCOPES)
		return lex_fail(l, why, "a scope expected (lproc core ccx box "
		    "die numa package node)");
	lex_next(l);
	return 0;
}

bool
scope_widens(enum scope from, enum scope to)
{
	if (to == SCOPE_OF_BOX || from == SCOPE_OF_BOX)
		return from == SCOPE_OF_BOX && to >= SCOPE_OF_BOX;
	/* a die or a NUMA node may be a whole package, or more */
	return to >= from || (from == SCOPE_OF_PACKAGE && to >= SCOPE_OF_DIE);
}

int
metrics_init(struct metrics *m)
{
	*m = (struct metrics){ .arena = arena_new() };
	return m->arena == NULL ? -ENOMEM : 0;
}

void
metrics_fini(struct metrics *m)
{
	free(m->metric);
	free(m->listed);
	lookup_fini(&m->named);
	lookup_fini(&m->synonym);
	free(m->synonyms);
	arena_free(m->arena);
	*m = (struct metrics){ 0 };
}

const struct metric *
metrics_find(const struct metrics *m, const char *name)
{
	uint32_t at = lookup_first(&m->named, lookup_text(0, name));

	for (; at != LOOKUP_END; at = lookup_next(&m->named, at)) {
		const struct metric *x =
		    &m->metric[lookup_value(&m->named, at)];

		if (strcmp(x->name, name) == 0)
			return x;
	}
	return NULL;
}

const char *
metrics_withheld(const struct metrics *m, const char *name)
{
	for (const struct withheld *w = m->withheld; w != NULL; w = w->next) {
		size_t from = strspn(w->name, "*");
		int n = (int)strlen(w->name + from);
		char bare[128];

		while (n > 0 && w->name[from + (size_t)n - 1] == '*')
			n--;
		snprintf(bare, sizeof bare, "%.*s", n, w->name + from);
		if (fnmatch(w->name, name, FNM_CASEFOLD) == 0 ||
		    fnmatch(name, bare, FNM_CASEFOLD) == 0)
			return w->why;
	}
	return NULL;
}

int
metrics_none(const struct metrics *m, const char *name, const char *path,
    struct diag *why)
{
	char meant[NEAR_MEANT];
	struct near near;

	near_init(&near, name);
	for (unsigned i = 0; i < m->n; i++) {
		const struct metric *one = metrics_at(m, i);

		if (!one->hidden && pattern_match(name, one->name))
			return 0;
		if (!one->hidden && strpbrk(name, "*?[") == NULL)
			near_try(&near, one->name);
	}
	return diag_set(why, -ENOENT, "%s: no metric \"%s\"%s (tally metrics "
	    "--list FILE has them)", path, name, near_meant(&near, meant,
	    sizeof(meant)));
}

const struct metric *
metrics_at(const struct metrics *m, unsigned i)
{
	return &m->metric[m->listed[i]];
}

int
metrics_put(struct metrics *m, const struct metric *x)
{
	const struct metric *twin = metrics_find(m, x->name);
	uint32_t *listed;

	if (twin != NULL) {
		struct metric *p = &m->metric[twin - m->metric];

		*p = *x;
		p->own = m->own;
		return 0;
	}
	if (!array_room(&m->metric, m->n, &m->room, sizeof *m->metric))
		return -ENOMEM;
	if (!array_room(&m->listed, m->n, &m->listed_room, sizeof *m->listed))
		return -ENOMEM;
	listed = m->listed;
	if (lookup_add(&m->named, lookup_text(0, x->name), m->n) < 0)
		return -ENOMEM;
	memmove(listed + m->at + 1, listed + m->at,
	    (m->n - m->at) * sizeof *listed);
	listed[m->at++] = m->n;
	m->metric[m->n] = *x;
	m->metric[m->n].own = m->own;
	m->metric[m->n++].placed = m->after;
	return 0;
}

/* ---- other names of events ------------------------------------------------ */

/* Names of uncore events in Intel's lists begin with their box. */
static const struct { const char *prefix, *family; } unc[] = {
	{ "UNC_M_", "imc" }, { "UNC_CHA_", "cha" }, { "UNC_UPI_", "upi" },
	{ "UNC_IIO_", "iio" }, { "UNC_I_", "irp" }, { "UNC_M2M_", "m2m" },
	{ "UNC_M3UPI_", "m3upi" }, { "UNC_M2P_", "m2pcie" },
	{ "UNC_P_", "pcu" }, { "UNC_U_", "ubox" }, { "UNC_C_", "cbo" },
	{ "UNC_H_", "ha" }, { "UNC_Q_", "qpi" }, { "UNC_S_", "sbo" },
	{ "UNC_R2_", "r2pcie" }, { "UNC_R3_", "r3qpi" },
};

const char *
event_plain(const char *event, const char **family)
{
	if (strncmp(event, "UNC_", 4) == 0)
		for (size_t i = 0; i < sizeof unc / sizeof *unc; i++)
			if (strncmp(event, unc[i].prefix,
			    strlen(unc[i].prefix)) == 0) {
				*family = unc[i].family;
				return event + strlen(unc[i].prefix);
			}
	return event;
}

/* By how many of its names is it found?  With bits by the first alone. */
static unsigned
names_of(const struct synonyms *s)
{
	return s->bits != 0 ? 1 : s->n;
}

int
synonyms_add(struct metrics *m, const struct synonyms *s)
{
	const char *box = NULL;

	if (!array_room(&m->synonyms, m->nsynonyms, &m->synonyms_room,
	    sizeof *m->synonyms))
		return -ENOMEM;
	m->synonyms[m->nsynonyms] = *s;
	for (unsigned i = 0; i < names_of(s); i++)
		if (lookup_add(&m->synonym, lookup_text(0,
		    event_plain(s->name[i], &box)), m->nsynonyms) < 0)
			return -ENOMEM;
	m->nsynonyms++;
	return 0;
}

const struct synonyms *
synonyms_find(const struct metrics *m, const char *event)
{
	const char *box = NULL;
	uint32_t at;

	event = event_plain(event, &box);
	at = lookup_first(&m->synonym, lookup_text(0, event));
	for (; at != LOOKUP_END; at = lookup_next(&m->synonym, at)) {
		const struct synonyms *s =
		    &m->synonyms[lookup_value(&m->synonym, at)];

		for (unsigned i = 0; i < names_of(s); i++)
			if (strcmp(event_plain(s->name[i], &box), event) == 0)
				return s;
	}
	return NULL;
}
