/*
 * daemon/instead/prove_text.c - what was proved, for people.
 */
#include "daemon/instead/prove.h"

#include "lib/printable.h"

#include <math.h>
#include <string.h>

static bool
is_bad(const struct proof *it)
{
	return it->verdict == VERDICT_WRONG || it->verdict == VERDICT_UNREAD;
}

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

/* Every figure of what was proved, as JSON. */

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
