/*
 * daemon/instead/prove_text.c - what was proved, in words: verdicts of one kind as one
 * finding (which counters, and what it looks like that they count); then all of it for
 * people, and for programs (JSON).
 */
#include "daemon/instead/prove.h"

#include "lib/printable.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static bool
is_bad(const struct proof *it)
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
			*n += is_bad(&p->item[i]) &&
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
		bool told = !is_bad(it);

		for (unsigned k = 0; k < i && !told; k++)
			told = is_bad(&p->item[k]) &&
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

/* ---- what there is to be said at the end, each once ---------------------- */

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

/* ---- for people ---------------------------------------------------------- */

/* A line for the items of one rule in one set: the worst of them. */
static void
print_kind(FILE *f, const struct prove *p, unsigned first)
{
	const struct proof *it = &p->item[first], *worst = it;
	unsigned n = 0, wrong = 0;
	char name[80];

	for (unsigned i = first; i < p->nitem; i++) {
		const struct proof *k = &p->item[i];

		if (k->rule != it->rule || k->set != it->set)
			continue;
		n++;
		wrong += is_bad(k);
		if ((is_bad(k) && !is_bad(worst)) || (is_bad(k) ==
		    is_bad(worst) && k->rule->kind == RULE_COUNTS &&
		    k->expected > 0 && fabs(k->ratio - 1) >
		    fabs(worst->ratio - 1)))
			worst = k;
	}
	snprintf(name, sizeof(name), "%s%s%s", it->family,
	    it->event[0] != '\0' ? " " : "", it->event);
	fprintf(f, "%-50s %5u", name, n);
	if (worst->verdict == VERDICT_UNREAD || worst->verdict == VERDICT_FLAT)
		fprintf(f, " %14s %14s %9s", "-", "-", "-");
	else if (it->rule->kind == RULE_COUNTS)
		fprintf(f, " %14.0f %14.0f %8.3f%%", worst->expected,
		    worst->counted, worst->expected > 0 ? 100 *
		    (worst->ratio - 1) : 0);
	else
		fprintf(f, " %14s %14.0f %9s", it->rule->kind == RULE_CLOCK ?
		    "a clock, Hz" : "more a second", worst->counted, "");
	if (wrong > 0)
		fprintf(f, "  %u WRONG\n", wrong);
	else
		fprintf(f, "  %s\n", worst->verdict == VERDICT_FLAT ?
		    "not tried" : it->rule->kind == RULE_COUNTS &&
		    worst->counted == worst->expected ? "exact" : "right");
}

static bool
prove_text_is_first(const struct prove *p, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (p->item[k].rule == p->item[i].rule &&
		    p->item[k].set == p->item[i].set)
			return false;
	return true;
}

static void
print_items(FILE *f, const struct prove *p)
{
	const char *set = NULL;

	fprintf(f, "%-50s %5s %14s %14s %9s  %s\n", "counter", "boxes",
	    "expected", "counted", "off by", "all of them");
	for (unsigned i = 0; i < p->nitem; i++) {
		if (!prove_text_is_first(p, i))
			continue;
		if (p->item[i].set != set && p->item[i].set[0] != '\0')
			fprintf(f, "with set %s\n", p->item[i].set);
		set = p->item[i].set;
		print_kind(f, p, i);
	}
}

static void
print_flat(FILE *f, const struct prove *p)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->rules.n; i++)
		if (p->rules.rule[i].kind == RULE_FLAT)
			fprintf(f, "%s%s%s%s", n++ == 0 ?
			    "\nmay stay flat, and is not judged: " : ", ",
			    p->rules.rule[i].family,
			    p->rules.rule[i].event[0] != '\0' ? " " : "",
			    p->rules.rule[i].event);
	fputc('\n', f);
}

void
prove_text(FILE *f, const struct prove *p)
{
	fprintf(f, "%s: %s, %u package%s, %u lprocs\n", p->host, p->cpu,
	    p->npkg, plural(p->npkg), p->nlproc);
	fprintf(f, "%s\n", p->how);
	fprintf(f, "%u pieces of work%s", p->trials.n, p->work == NULL ?
	    ", told to a simulated machine" : "");
	if (p->trials.nleft_out > 0)
		fprintf(f, "; this node cannot do: %s", p->trials.left_out);
	if (p->disturbed > 0)
		fprintf(f, "; %u run%s disturbed and repeated", p->disturbed,
		    p->disturbed == 1 ? " was" : "s were");
	fprintf(f, "\n\n");
	print_items(f, p);
	print_flat(f, p);
	for (unsigned i = 0; i < p->nremark; i++)
		fprintf(f, "note: %s\n", p->remark[i]);
	for (unsigned i = 0; i < p->nfinding; i++)
		fprintf(f, "wrong: %s\n", p->finding[i]);
	if (p->nmore > 0)
		fprintf(f, "wrong: and %u more\n", p->nmore);
	if (p->stopped)
		fprintf(f, "stopped before all was proved\n");
	else if (p->nfinding == 0)
		fprintf(f, p->nitem > 0 ? "nothing is wrong\n" :
		    "nothing could be proved\n");
}

/* ---- every figure of it, as JSON ----------------------------------------- */

static void
string(FILE *f, const char *s)
{
	fputc('"', f);
	for (; *s != '\0'; s++)
		if (*s == '"' || *s == '\\')
			fprintf(f, "\\%c", *s);
		else if ((unsigned char)*s < 0x20)
			fprintf(f, "\\u%04x", (unsigned)*s);
		else
			fputc(*s, f);
	fputc('"', f);
}

/* JSON has no NaN: null. */
static void
prove_json_number(FILE *f, const char *name, double v)
{
	if (isfinite(v))
		fprintf(f, ", \"%s\": %.15g", name, v);
	else
		fprintf(f, ", \"%s\": null", name);
}

static void
prove_json_list(FILE *f, const char *name, char *const *text, unsigned n)
{
	fprintf(f, "  \"%s\": [", name);
	for (unsigned i = 0; i < n; i++) {
		fprintf(f, "%s\n    ", i > 0 ? "," : "");
		string(f, text[i]);
	}
	fprintf(f, "%s],\n", n > 0 ? "\n  " : "");
}

static void
item(FILE *f, const struct prove *p, const struct proof *it)
{
	static const char *const verdict[] = { "right", "wrong", "unreadable",
	    "not tried" };

	fprintf(f, "    { \"column\": ");
	string(f, it->column);
	fprintf(f, ", \"set\": ");
	string(f, it->set);
	fprintf(f, ", \"verdict\": \"%s\"", verdict[it->verdict]);
	if (it->rule->kind == RULE_COUNTS && it->verdict != VERDICT_FLAT) {
		fprintf(f, ", \"work\": ");
		string(f, p->trials.of[it->trial].name);
		prove_json_number(f, "tolerance", it->rule->tolerance);
	}
	prove_json_number(f, "expected", it->expected);
	prove_json_number(f, "counted", it->counted);
	fprintf(f, " }");
}

void
prove_json(FILE *f, const struct prove *p)
{
	fprintf(f, "{\n  \"host\": ");
	string(f, p->host);
	fprintf(f, ",\n  \"cpu\": ");
	string(f, p->cpu);
	fprintf(f, ",\n  \"model\": ");
	string(f, p->model);
	fprintf(f, ",\n  \"access\": ");
	string(f, p->how);
	fprintf(f, ",\n  \"version\": \"%s\",\n  \"simulated\": %s,\n"
	    "  \"packages\": %u,\n  \"disturbed\": %u,\n  \"stopped\": %s,\n",
	    TALLYD_VERSION, p->work == NULL ? "true" : "false", p->npkg,
	    p->disturbed, p->stopped ? "true" : "false");
	prove_json_list(f, "notes", p->remark, p->nremark);
	prove_json_list(f, "wrong", p->finding, p->nfinding);
	fprintf(f, "  \"counters\": [\n");
	for (unsigned i = 0; i < p->nitem; i++) {
		item(f, p, &p->item[i]);
		fprintf(f, "%s\n", i + 1 < p->nitem ? "," : "");
	}
	fprintf(f, "  ]\n}\n");
}
