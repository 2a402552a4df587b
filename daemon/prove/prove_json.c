/*
 * daemon/prove/prove_json.c - every figure of what was proved, as JSON.
 */
#include "daemon/prove/prove_int.h"

#include <math.h>

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
