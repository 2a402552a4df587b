/*
 * daemon/check_ccx.c - AMD's core complexes, for --check:
 *
 *   ccx      package 0: CCD 0: 0 = 0-3,128-131, 1 = 4-7,132-135; CCD 1: 2 = ...
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

static void
print_package(const struct topo *topo, unsigned pkg)
{
	const char *between = "";
	int ccd = -1;

	for (unsigned c = 0; c < topo->nccx; c++) {
		int l = topo_ccx(topo, pkg, c);

		if (l < 0)
			continue;
		if (between[0] == '\0')
			printf("ccx      package %u:", pkg);
		else
			fputs(topo->lproc[l].ccd == ccd ? "," : ";", stdout);
		if (topo->lproc[l].ccd != ccd)
			printf(" CCD %d:", topo->lproc[l].ccd);
		ccd = topo->lproc[l].ccd;
		printf(" %u = ", c);
		print_lprocs(topo, pkg, c);
		between = ",";
	}
	if (between[0] != '\0')
		putchar('\n');
}

void
check_complexes(const struct topo *topo)
{
	for (unsigned p = 0; p < topo->npkg; p++)
		print_package(topo, p);
}
