/*
 * postproc/gather/total_lines.c - totals of columns, and their sums over units.
 */
#include "postproc/gather/total_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/data/series.h"
#include "postproc/metrics/metrics.h"

typedef int put_line(void *ctx, const struct total_line *);

/* "2 of 29 intervals: absent, ...; its group did not run"; "" where nothing is left
 * out. */
static void
why_left_out(const struct totals *t, unsigned c, char *buf, size_t size)
{
	uint32_t n = totals_left_out(t, c);
	const char *missed = n < t->intervals ? totals_missed(t, c) : NULL;
	size_t at;

	buf[0] = '\0';
	if (n + totals_doubtful(t, c) > 0)
		left_out_words(&t->left[c], t->intervals, buf, size);
	at = strlen(buf);
	if (missed != NULL)
		snprintf(buf + at, size - at, "%s%s", at > 0 ? "; " : "",
		    missed);
}

static void
total_lines_line_of(const struct summing *s, unsigned c, struct total_line *l)
{
	const struct totals *t = s->totals;
	uint32_t left = totals_left_out(t, c);

	*l = (struct total_line){ .id = read_column(s->reader, c)->id,
	    .scope = "", .total = t->sum[c], .left_out = left,
	    .some = left < t->intervals && totals_missed(t, c) == NULL,
	    .seconds = totals_seconds(t, c), .share = totals_share(t, c),
	    .doubtful = left == 0 && totals_doubtful(t, c) > 0 };
	if (l->share > 0 && l->share < 0.9999 && l->some)
		l->estimate = (double)l->total / l->share;
	why_left_out(t, c, l->why, sizeof(l->why));
	l->part = l->why[0] != '\0';
}

/* ---- sums -------------------------------------------------------------- */

/* The number, from 0, of the package, die, core, ... that a unit is in, whose indices
 * go into id; NO_RANK: it is in none. */
static uint32_t
total_lines_place_of(const struct topology *t, const struct series *s,
    uint32_t unit, enum scope scope, struct column_id *id)
{
	const struct regions *in = scope == SCOPE_OF_CCX ? &t->ccx :
	    scope == SCOPE_OF_DIE ? &t->die : &t->numa;
	uint32_t pkg = unit, rank = 0, at;

	id->nindex = 0;
	if (scope == SCOPE_OF_NODE)
		return 0;
	if (s->level == LEVEL_LPROC) {
		if (unit >= t->max_lproc ||
		    (rank = t->rank_of[unit]) == NO_RANK)
			return NO_RANK;
		for (pkg = 0; rank >= t->pkg_first[pkg + 1];)
			pkg++;
	}
	if (scope != SCOPE_OF_NUMA)
		id->index[id->nindex++] = pkg;
	if (scope == SCOPE_OF_PACKAGE)
		return pkg < t->npkg ? pkg : NO_RANK;
	at = scope == SCOPE_OF_CORE ? t->core_of[rank] : in->of[rank];
	if (at != NO_RANK)
		id->index[id->nindex++] = scope == SCOPE_OF_CORE ?
		    (uint32_t)t->core_id[at] : (uint32_t)in->region[at].id;
	return at;
}

/* Adds a column to a sum, as the nth. */
static void
total_lines_add_line(struct total_line *sum, const struct total_line *l,
    uint32_t n)
{
	char words[sizeof(sum->why)];

	sum->total += l->some ? l->total : 0;
	sum->estimate += !l->some ? 0 : l->estimate > 0 ? l->estimate :
	    (double)l->total;
	sum->seconds += (l->seconds - sum->seconds) / n;
	sum->doubtful = (sum->doubtful || !sum->part) && l->doubtful ? true :
	    sum->doubtful && !l->part;
	sum->some |= l->some;
	sum->part |= l->part;
	if (l->left_out > sum->left_out)
		sum->left_out = l->left_out;
	if (l->part && sum->why[0] == '\0') {
		column_text(&l->id, "", words, sizeof(words));
		snprintf(sum->why, sizeof(sum->why), "%.120s: %.170s", words,
		    l->why);
	}
}

struct adding {
	struct total_line line;
	uint32_t n, lack;       /* columns; those with line.part */
};

static int
put_sums(const struct summing *s, const struct topology *t,
    const struct series *x, enum scope scope, put_line *put, void *ctx)
{
	uint32_t most = t->nlproc + t->npkg + 1, at;
	struct adding *a = calloc(most, sizeof(*a));
	char name[32], words[sizeof(a->line.why)];
	int rc = a == NULL ? -ENOMEM : 0;

	snprintf(name, sizeof(name), "_%s", scope_name(scope));
	for (uint32_t i = 0; a != NULL && i < x->n; i++) {
		struct column_id id = { .family = x->family,
		    .event = x->event };
		struct total_line l;

		if ((at = total_lines_place_of(t, x, x->unit[i].unit, scope,
		    &id)) == NO_RANK)
			continue;
		total_lines_line_of(s, x->unit[i].column, &l);
		if (a[at].n++ == 0)
			a[at].line = (struct total_line){ .id = id,
			    .scope = name };
		a[at].lack += l.part;
		total_lines_add_line(&a[at].line, &l, a[at].n);
	}
	for (at = 0; rc == 0 && at < most; at++) {
		struct total_line *l = &a[at].line;

		if (a[at].n == 0)
			continue;
		l->share = l->estimate > 0 ? (double)l->total / l->estimate : 1;
		if (l->part) {
			snprintf(words, sizeof(words), "%s", l->why);
			snprintf(l->why, sizeof(l->why), "%" PRIu32 " of %" PRIu32
			    "; %.260s", a[at].lack, a[at].n, words);
		}
		rc = put(ctx, l);
	}
	free(a);
	return rc;
}

/* The lines of one event, from the narrowest scope to the widest: its columns as they
 * are in the dump where their own scope is asked for, else sums of them. */
static int
total_lines_put_series(const struct summing *s, const struct topology *t,
    const struct series *x, put_line *put, void *ctx)
{
	static const enum scope own[] = { [LEVEL_LPROC] = SCOPE_OF_LPROC,
		[LEVEL_BOX] = SCOPE_OF_BOX, [LEVEL_PACKAGE] = SCOPE_OF_PACKAGE,
		[LEVEL_NODE] = SCOPE_OF_NODE };
	struct total_line l;
	int rc = 0;

	for (enum scope scope = 0; rc == 0 && scope < SCOPES; scope++) {
		if (!(s->scopes >> scope & 1))
			continue;
		for (uint32_t i = 0; scope == own[x->level] && rc == 0 &&
		    i < x->n; i++) {
			total_lines_line_of(s, x->unit[i].column, &l);
			rc = put(ctx, &l);
		}
		if (scope == SCOPE_OF_NODE ? x->level != LEVEL_NODE :
		    scope == SCOPE_OF_PACKAGE ? x->level < LEVEL_PACKAGE :
		    scope != SCOPE_OF_BOX && scope != own[x->level] &&
		    x->level == LEVEL_LPROC)
			rc = put_sums(s, t, x, scope, put, ctx);
	}
	return rc;
}

static int
total_lines_add_up(struct summing *s, put_line *put, void *ctx,
    struct diag *why)
{
	struct seriesset series = { .n = 0 };
	struct topology topo = { .nlproc = 0 };
	int rc = 0;

	for (unsigned c = 0; c < s->totals->ncol && rc == 0; c++)
		rc = series_add(&series, c, read_column(s->reader, c));
	if (rc == 0 && (rc = topology_of_dump(&topo, s->reader, series.nlproc,
	    series.npkg, s->topology, why)) == 0)
		s->assumed = topo.assumed;
	for (uint32_t i = 0; i < series.n && rc == 0; i++)
		if (series.series[i].counter)
			rc = total_lines_put_series(s, &topo,
			    &series.series[i], put, ctx);
	topology_fini(&topo);
	series_fini(&series);
	return rc;
}

int
total_lines(struct summing *s, put_line *put, void *ctx, struct diag *why)
{
	struct total_line l;
	int rc = 0;

	if (s->scopes != 0)
		return total_lines_add_up(s, put, ctx, why);
	for (unsigned c = 0; c < s->totals->ncol && rc == 0; c++) {
		if (!class_is_counter(read_column(s->reader, c)->cls))
			continue;
		total_lines_line_of(s, c, &l);
		rc = put(ctx, &l);
	}
	return rc;
}
