/*
 * postproc/gather/why_not.c - why figures of a page are n/a.
 */
#include "postproc/gather/why_not.h"

#include <math.h>
#include <string.h>

void
why_not_take(struct why_not *w, const struct binding *b,
    const struct figure *f)
{
	char why[sizeof w->reason[0].why];
	unsigned i = 0, k = 0;

	if (!isnan(f->value) || figure_why(b, f, why, sizeof why)[0] == '\0')
		return;
	while (i < w->n && strcmp(w->reason[i].why, why) != 0)
		i++;
	if (i == WHY_NOT_REASONS) {
		w->more++;
		return;
	}
	if (i == w->n) {
		strcpy(w->reason[i].why, why);
		w->reason[w->n++].n = 0;
	}
	if (f->metric == NULL)
		return;
	while (k < w->reason[i].n && k < WHY_NOT_METRICS)
		if (w->reason[i].metric[k++] == f->metric)
			return;
	if (k < WHY_NOT_METRICS)
		w->reason[i].metric[k] = f->metric;
	w->reason[i].n++;
}

void
why_not_put(const struct why_not *w, FILE *f)
{
	for (unsigned i = 0; i < w->n; i++) {
		unsigned n = w->reason[i].n;

		fprintf(f, "%sn/a: %s%s", i == 0 ? "\n" : "", w->reason[i].why,
		    n > 0 ? ":" : "");
		for (unsigned k = 0; k < n && k < WHY_NOT_METRICS; k++)
			fprintf(f, "%s %s", k > 0 ? "," : "",
			    w->reason[i].metric[k]->name);
		fprintf(f, "%s\n", n > WHY_NOT_METRICS ? ", and others" : "");
	}
	if (w->more > 0)
		fprintf(f, "n/a: %u more (tally metrics says why)\n", w->more);
}
