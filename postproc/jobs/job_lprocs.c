/*
 * postproc/jobs/job_lprocs.c - which lprocs of a node are a job's.
 */
#include "postproc/jobs/job_lprocs.h"

#include <stdlib.h>

/* Returns how many of lo to hi the job has not had so far. */
static unsigned
choose(const struct topology *topo, unsigned long lo, unsigned long hi,
    bool *lproc, bool *unknown)
{
	unsigned n = 0;

	for (; lo <= hi && lo < topo->max_lproc; lo++)
		if (topo->rank_of[lo] == NO_RANK)
			*unknown = true;
		else if (!lproc[lo]) {
			lproc[lo] = true;
			n++;
		}
	*unknown |= lo <= hi;
	return n;
}

unsigned
job_lprocs(const struct topology *topo, const char *list, bool *lproc,
    bool *unknown)
{
	const char *p = list;
	unsigned n = 0;

	*unknown = false;
	for (unsigned r = 0; *list == '\0' && r < topo->nlproc; r++)
		n += choose(topo, topo->lproc_at[r], topo->lproc_at[r], lproc,
		    unknown);
	while (*p >= '0' && *p <= '9') {
		char *end;
		unsigned long lo = strtoul(p, &end, 10), hi = lo;

		if (*end == '-' && end[1] >= '0' && end[1] <= '9')
			hi = strtoul(end + 1, &end, 10);
		n += choose(topo, lo, hi, lproc, unknown);
		p = *end == ',' ? end + 1 : end;
	}
	*unknown |= *p != '\0';
	return n;
}
