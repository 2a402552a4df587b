/*
 * daemon/instead/prove_name.c - verdicts of one kind as one finding: which counters,
 * and what it looks like that they count.
 */
#include "daemon/instead/prove.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool
prove_name_bad(const struct proof *it)
{
	return it->verdict == VERDICT_WRONG || it->verdict == VERDICT_UNREAD;
}

/* Do all trials that can tell say that it counts act a instead of its own? */
static bool
counts_as(const struct prove *p, const struct proof *it, enum act a)
{
	unsigned more = 0;
	double most = 0;

	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned t = 0; t < p->trials.n; t++) {
			const struct proof_run *r = it->reading[t];
			double e = r[1].other[a] - r[0].other[a];
			double c = r[1].delta - r[0].delta;

			if ((p->trials.of[t].known >> a & 1) == 0 ||
			    !(r[0].seconds > 0))
				continue;
			most = fmax(most, e);
			if (pass == 1 && fabs(c - e) > 0.02 *
			    (e > 0 ? e : most))
				return false;
			more += pass == 1 && e > 0;
		}
	return more >= 2;
}

/* Does it count what another package does? */
static bool
counts_of_other(const struct prove *p, const struct proof *it)
{
	unsigned same = 0;

	if (it->pkg < 0)
		return false;
	for (unsigned t = 0; t < p->trials.n; t++) {
		const struct proof_run *r = it->reading[t];
		const struct trial *trial = &p->trials.of[t];
		double c = r[1].delta - r[0].delta, e;
		const struct proof *there = NULL;

		if (trial->where != ON_MEMORY || (int)trial->pkg == it->pkg ||
		    trial->pkg != trial->from || !(r[0].seconds > 0))
			continue;
		for (unsigned i = 0; i < p->nitem && there == NULL; i++)
			if (p->item[i].rule == it->rule &&
			    p->item[i].pkg == (int)trial->pkg)
				there = &p->item[i];
		if (there == NULL)
			continue;
		e = there->reading[t][1].done - there->reading[t][0].done;
		if (e > 0 && fabs(c - e) < it->rule->tolerance * e)
			same++;
	}
	return same > 0;
}

/* Are two items wrong in the same way? */
static bool
prove_name_alike(const struct proof *a, const struct proof *b)
{
	return a->rule == b->rule && a->verdict == b->verdict &&
	    (a->expected == 0) == (b->expected == 0) &&
	    (a->ratio == b->ratio ||
	    fabs(a->ratio - b->ratio) <= 0.1 * fabs(a->ratio));
}

static void
prove_name_explain(const struct prove *p, const struct proof *it, char *buf,
    size_t size)
{
	buf[0] = '\0';
	if (it->rule->kind != RULE_COUNTS || it->verdict == VERDICT_UNREAD)
		return;
	for (enum act a = 0; a < ACT_BUSY; a++)
		if (it->lproc >= 0 && a != it->rule->act &&
		    counts_as(p, it, a)) {
			snprintf(buf, size, "; it counts %s: another counter "
			    "is read in its place", act_name(a));
			return;
		}
	if (counts_of_other(p, it))
		snprintf(buf, size, "; it counts what is done on another "
		    "package");
}

/* How many columns of that kind there are, and how many are wrong in that way; a column
 * that is counted in several rounds is one. */
static void
count_alike(const struct prove *p, const struct proof *it, unsigned *of,
    unsigned *n)
{
	*of = *n = 0;
	for (unsigned i = 0; i < p->nitem; i++)
		if (p->item[i].rule == it->rule && p->item[i].set == it->set) {
			++*of;
			*n += prove_name_bad(&p->item[i]) &&
			    prove_name_alike(&p->item[i], it);
		}
}

void
prove_name(struct prove *p)
{
	for (unsigned i = 0; i < p->nitem; i++) {
		const struct proof *it = &p->item[i];
		char more[160];
		unsigned of, n;
		bool told = !prove_name_bad(it);

		for (unsigned k = 0; k < i && !told; k++)
			told = prove_name_bad(&p->item[k]) &&
			    prove_name_alike(&p->item[k], it) &&
			    (p->item[k].set == it->set ||
			    strcmp(p->item[k].column, it->column) == 0);
		if (told)
			continue;
		count_alike(p, it, &of, &n);
		prove_name_explain(p, it, more, sizeof(more));
		if (n > 1)
			prove_finding(p, "%s, and %u more of the %u of its "
			    "kind, %s%s", it->column, n - 1, of, it->words,
			    more);
		else
			prove_finding(p, "%s %s%s", it->column, it->words,
			    more);
	}
}

/* ---- what there is to be said at the end, each once */

/* Keeps a text in a list, unless it is there already; false: the list is full. */
static bool
prove_say_keep(struct prove *p, char **list, unsigned *n, unsigned room,
    const char *fmt, va_list ap)
{
	char text[1024];

	vsnprintf(text, sizeof(text), fmt, ap);
	for (unsigned i = 0; i < *n; i++)
		if (strcmp(list[i], text) == 0)
			return true;
	if (*n == room || (list[*n] = arena_strndup(p->arena, text,
	    strlen(text))) == NULL)
		return false;
	++*n;
	return true;
}

void
prove_remark(struct prove *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	prove_say_keep(p, p->remark, &p->nremark, sizeof(p->remark) /
	    sizeof(p->remark[0]), fmt, ap);
	va_end(ap);
}

void
prove_finding(struct prove *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (!prove_say_keep(p, p->finding, &p->nfinding, sizeof(p->finding) /
	    sizeof(p->finding[0]), fmt, ap))
		p->nmore++;
	va_end(ap);
}
