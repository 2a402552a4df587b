/*
 * postproc/causes/why_lacks.c - the rules of tally why that were not judged, and what
 * to have counted for them.
 */
#include "postproc/causes/why.h"

#include <string.h>

enum { WIDTH = 100 };

/*
 * Built-in configurations, as tallyd -c takes them; the first one that counts
 * all inputs of a rule is suggested.
 */
static const char *const counts[] = { "@hpc", "@default", "@io", "@umc",
	"@software" };

/* Was this configuration among those that the run was given? */
static bool
was_given(const struct reader *r, const char *name)
{
	for (unsigned i = 0;; i++) {
		const char *had = head_text(r, HEAD_TEXT_NAME, AT(i), NULL);

		if (had == NULL || strcmp(had, name) == 0)
			return had != NULL;
	}
}

int
why_count(struct why *w, const struct rule *rule, const char **count,
    struct diag *why)
{
	const struct reader *r = w->gather->reader;
	struct would of = { .metrics = &w->metrics, .model = model_named(
	    head_text(r, HEAD_MODEL, ALONE, "")) };
	int rc = 0;

	for (unsigned i = 0; rc == 0 && *count == NULL &&
	    i < sizeof counts / sizeof *counts; i++) {
		char buf[80];
		const char *name = text_of_model(counts[i], of.model, buf,
		    sizeof buf);
		bool would = false;

		of.text = text_named(name, TEXT_CONFIG);
		if (of.text != NULL && !was_given(r, name))
			rc = binding_would(&w->gather->binding, &rule->metric, &of,
			    &would, why);
		if (would)
			*count = counts[i];
	}
	return rc;
}

/* Prints the names of all rules that lack the same, after their heading. */
static void
why_lacks_put_names(FILE *f, const struct why *w, const struct why_lacks *like,
    int at)
{
	const char *comma = "";

	for (unsigned i = 0; i < w->nlacks; i++) {
		const struct why_lacks *l = &w->lacks[i];
		int len = (int)strlen(l->rule->name) + 2;

		if (l->count != like->count || (l->missing[0] == '\0') !=
		    (like->missing[0] == '\0'))
			continue;
		at += len;
		if (at > WIDTH)
			at = 4 + len;
		fprintf(f, "%s%s%s", comma, at == 4 + len ? "\n    " : " ",
		    l->rule->name);
		comma = ",";
	}
	fputc('\n', f);
}

/* Prints the heading of a kind at its first rule, then the names. */
static void
put_alike(FILE *f, const struct why *w, unsigned first)
{
	const struct why_lacks *l = &w->lacks[first];
	int at;

	for (unsigned i = 0; i < first; i++)
		if (w->lacks[i].count == l->count && (w->lacks[i].missing[0] ==
		    '\0') == (l->missing[0] == '\0'))
			return;
	if (l->missing[0] == '\0')
		at = fprintf(f, "  without another run (--against FILE):");
	else if (l->count == NULL)
		at = fprintf(f, "  this CPU has no counter of it, or tally knows "
		    "none:");
	else
		at = fprintf(f, "  sample with tallyd -c %s:", l->count);
	why_lacks_put_names(f, w, l, at);
}

void
why_lacks_put(FILE *f, const struct why *w)
{
	if (w->nlacks > 0)
		fputs("\nNot judged\n", f);
	for (unsigned i = 0; i < w->nlacks; i++)
		put_alike(f, w, i);
}
