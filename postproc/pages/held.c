/*
 * postproc/pages/held.c - figures of a run that others contradict.
 */
#include "postproc/pages/pairs.h"

#include <errno.h>

#include "postproc/gather/ranges.h"

int
held_take(struct held *h, struct gather *g)
{
	const struct metrics *had = g->binding.metrics;
	struct diag why;
	int rc;

	if ((rc = metrics_init(&h->metrics)) < 0 ||
	    (rc = metrics_load_for(&h->metrics, NULL, head_text(g->reader,
	    HEAD_MODEL, ALONE, NULL), &why)) < 0 ||
	    (rc = pairs_bind(&h->pairs, g, &h->metrics, &why)) < 0 ||
	    (rc = pairs_whole(&h->pairs, g)) < 0)
		goto done;
	pairs_find(&h->pairs, &h->findings);
	rc = check_ranges(&h->findings, g, &h->metrics);
	findings_sort(&h->findings);
done:
	g->binding.metrics = had;
	return rc == -ENOMEM || h->findings.lost ? -ENOMEM : 0;
}

void
held_fini(struct held *h)
{
	pairs_fini(&h->pairs);
	findings_fini(&h->findings);
	metrics_fini(&h->metrics);
	*h = (struct held){ .pairs.n = 0 };
}

unsigned
held_findings(const struct held *h)
{
	unsigned n = 0;

	for (unsigned i = 0; i < h->findings.n; i++)
		n += !h->findings.finding[i].note;
	return n;
}
