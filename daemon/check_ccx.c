/*
 * daemon/check_ccx.c - AMD's core complexes and their lprocs, for --check:
 *
 *   ccx      package 0, CCD 0: 0 = 0-3,128-131, 1 = 4-7,132-135
 */
#include "daemon/check_ccx.h"

#include <stdio.h>

static bool
is_in(const struct topo *topo, unsigned l, unsigned pkg, unsigned ccx)
{
	return l < topo->nlproc && topo->lproc[l].online &&
	    topo->lproc[l].pkg == (int)pkg && topo->lproc[l].ccx == (int)ccx;
}

static void
print_lprocs(const struct topo *topo, unsigned pkg, unsigned ccx)
{
	const char *comma = "";

	for (unsigned l = 0; l < topo->nlproc; l++) {
		unsigned last = l;

		if (!is_in(topo, l, pkg, ccx))
			continue;
		while (is_in(topo, last + 1, pkg, ccx))
			last++;
		printf(last > l ? "%s%u-%u" : "%s%u", comma, l, last);
		comma = ",";
		l = last;
	}
}

/* A line for each die, and one where nobody knows them. */
static void
print_package(const struct topo *topo, unsigned pkg)
{
	bool any = false;
	int ccd = -1;

	for (unsigned c = 0; c < topo->nccx; c++) {
		int l = topo_ccx(topo, pkg, c);

		if (l < 0)
			continue;
		if (any && topo->lproc[l].ccd == ccd)
			printf(", %u = ", c);
		else {
			ccd = topo->lproc[l].ccd;
			printf("%sccx      package %u", any ? "\n" : "", pkg);
			if (ccd >= 0)
				printf(", CCD %d", ccd);
			printf(": %u = ", c);
		}
		print_lprocs(topo, pkg, c);
		any = true;
	}
	if (any)
		putchar('\n');
}

void
check_complexes(const struct topo *topo)
{
	for (unsigned p = 0; p < topo->npkg; p++)
		print_package(topo, p);
}
