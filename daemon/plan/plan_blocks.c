/*
 * daemon/plan/plan_blocks.c - the order of sampling: reads by the lproc that they
 * disturb, a cell for every column, and the columns that the daemon adds of
 * its own.
 */
#include "daemon/plan/plan_int.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The reads of one lproc, or those of a package, as a block. */
static void
add_block(struct plan *plan, unsigned lproc, int pkg, unsigned *cell_of)
{
	struct plan_build *b = plan->build;
	struct block *blk = &plan->block[plan->nblock];

	*blk = (struct block){ .lproc = lproc, .pkg = pkg,
	    .first = plan->nread, .cell = plan->ncell, .visit = true };
	for (unsigned i = 0; i < b->nread; i++) {
		const struct want_read *r = &b->read[i];

		if (r->dropped || r->pkg != pkg ||
		    (pkg < 0 && r->lproc != lproc))
			continue;
		cell_of[i] = blk->cell + 1 + blk->n++;
		plan->read[plan->nread++] = r->addr;
	}
	for (unsigned i = 0; i < plan->nshared; i++)
		blk->nshared += plan->shared[i].pkg == pkg &&
		    (pkg >= 0 || plan->shared[i].lproc == lproc);
	if (blk->n > 0 || blk->nshared > 0) {
		plan->nblock++;
		plan->ncell += 1 + blk->n;
	}
}

/* Reads by lproc; every column gets its cell. */
static int
sort_reads(struct plan *plan)
{
	struct plan_build *b = plan->build;
	unsigned *cell_of = calloc(b->nread + 1, sizeof(cell_of[0]));

	plan->read = calloc(b->nread + 1, sizeof(plan->read[0]));
	plan->block = calloc(b->topo->nlproc + b->topo->npkg,
	    sizeof(plan->block[0]));
	if (cell_of == NULL || plan->read == NULL || plan->block == NULL) {
		free(cell_of);
		return plan_no_memory(plan);
	}
	plan->ncell = CELL_READS;
	for (unsigned l = 0; l < b->topo->nlproc; l++) {
		add_block(plan, l, -1, cell_of);
		for (unsigned p = 0; p < b->topo->npkg; p++)
			if (b->topo->pkg[p].first_lproc == l)
				add_block(plan, l, (int)p, cell_of);
	}
	for (unsigned i = 0; i < plan->ncolumn; i++)
		if (plan->column[i].cell < ROTATED)
			plan->column[i].cell = cell_of[plan->column[i].cell];
	free(cell_of);
	return plan_sort_sets(plan);
}

/* Controls to check, in the block that is read from the same lproc; a package
 * register is as good from any block of its package. */
static int
sort_watch(struct plan *plan)
{
	unsigned n = 0;

	plan->watch = calloc(plan->nwrite + 1, sizeof(plan->watch[0]));
	if (plan->watch == NULL)
		return plan_no_memory(plan);
	for (unsigned i = 0; i < plan->nblock; i++) {
		struct block *blk = &plan->block[i];

		blk->watch = n;
		for (unsigned k = 0; k < plan->nwrite; k++) {
			const struct plan_write *w = &plan->write[k];

			if (w->verify != 0 && (w->pkg < 0 ? blk->pkg < 0 &&
			    w->inst == blk->lproc : w->pkg == blk->pkg))
				plan->watch[n++] = k;
		}
		blk->nwatch = n - blk->watch;
	}
	return 0;
}

static int
add_own_column(struct plan *plan, struct column *c, const char *name,
    unsigned cell, uint8_t bits, const char *unit)
{
	*c = (struct column){ .name = strdup(name), .cell = cell,
	    .bits = bits };
	plan->ncolumn++;
	if (c->name == NULL || (unit != NULL &&
	    plan_add_family(plan, name, c, unit) < 0))
		return plan_no_memory(plan);
	return 0;
}

static int
note_packages(struct plan *plan)
{
	const struct topo *topo = plan->build->topo;

	plan->lproc_pkg = calloc(topo->nlproc, sizeof(plan->lproc_pkg[0]));
	if (plan->lproc_pkg == NULL)
		return plan_no_memory(plan);
	plan->nlproc = topo->nlproc;
	for (unsigned i = 0; i < topo->nlproc; i++)
		plan->lproc_pkg[i] = topo->lproc[i].pkg;
	return 0;
}

/* The daemon's own columns: the clocks, first in every sample; then the
 * registers; then the stamps of the blocks, and what the sample cost. */
static int
add_own_columns(struct plan *plan)
{
	static const struct own {
		char name[20];
		unsigned cell;
		uint8_t bits;
		const char *unit;
	} first[] = {
		{ "tsc", CELL_TSC, 64, NULL },
		{ "walltime[0]", CELL_SEC, 0, NULL },
		{ "walltime[1]", CELL_USEC, 0, NULL },
	}, last[] = {
		{ "sample_cpu_ns", CELL_CPU, 64, "ns" },
		{ "sample_duration_ns", CELL_DURATION, 0, "ns" },
		{ "sample_late_ns", CELL_LATE, 0, "ns" },
	};
	unsigned n = plan->ncolumn;
	unsigned sets = plan->nset > 1 ? 2 * plan->nset - 1 : 0;
	struct column *c = calloc(n + plan->nblock + 6 + sets, sizeof(*c));
	char name[160];
	int rc = 0;

	if (c == NULL)
		return plan_no_memory(plan);
	if (n > 0)
		memcpy(c + 3, plan->column, n * sizeof(*c));
	free(plan->column);
	plan->column = c;
	for (unsigned i = 0; i < 3 && rc == 0; i++)
		rc = add_own_column(plan, &c[i], first[i].name, first[i].cell,
		    first[i].bits, first[i].unit);
	for (unsigned i = 0; i < plan->nblock && rc == 0; i++) {
		const struct block *blk = &plan->block[i];

		if (blk->pkg < 0)
			snprintf(name, sizeof(name), "lproc_tsc[%u]",
			    blk->lproc);
		else
			snprintf(name, sizeof(name), "pkg_tsc[%d]", blk->pkg);
		rc = add_own_column(plan, &c[plan->ncolumn], name, blk->cell,
		    64, "tsc");
	}
	for (unsigned i = 0; i < 3 && rc == 0; i++)
		rc = add_own_column(plan, &c[plan->ncolumn], last[i].name,
		    last[i].cell, last[i].bits, last[i].unit);
	for (unsigned i = 0; i + 1 < plan->nset && rc == 0; i++) {
		snprintf(name, sizeof(name), "set_enabled[\"%.128s\"]",
		    plan->set[i + 1]);
		rc = add_own_column(plan, &c[plan->ncolumn], name,
		    plan->cell_sets + 2 * i, 64, "tsc");
		snprintf(name, sizeof(name), "set_running[\"%.128s\"]",
		    plan->set[i + 1]);
		if (rc == 0)
			rc = add_own_column(plan, &c[plan->ncolumn], name,
			    plan->cell_sets + 2 * i + 1, 64, "tsc");
	}
	if (rc == 0 && plan->nset > 1)
		rc = add_own_column(plan, &c[plan->ncolumn],
		    "sample_rotate_ns", CELL_ROTATE, 64, "ns");
	return rc;
}

int
plan_blocks(struct plan *plan)
{
	int rc;

	if ((rc = sort_reads(plan)) < 0 || (rc = sort_watch(plan)) < 0 ||
	    (rc = note_packages(plan)) < 0)
		return rc;
	return add_own_columns(plan);
}

double
plan_wrap_seconds(const struct plan_family *f)
{
	/* The worst rate of a unit, a second: 1 kW of package energy and 250 W
	 * of DRAM in their usual units, a PCIe 3.0 x16 port (later parts have 48 bits), an I/O clock, and
	 * for any other counter six instructions a cycle at 6 GHz. */
	static const struct { const char *unit; double hz; } worst[] = {
		{ "rapl_pkg", 1000 * 16384.0 }, { "rapl_dram", 250 * 65536.0 },
		{ "rapl_time", 1024 }, { "bytes", 16e9 }, { "clocks", 2e9 },
		{ "tsc", 6e9 }, { "ns", 1e9 }, { "SMIs", 1e5 },
		{ "SoC counts", 2147483648.0 }, { NULL, 36e9 },
	};
	unsigned i = 0;

	if (f->bits == 0 || f->bits >= 64)
		return HUGE_VAL;
	while (worst[i].unit != NULL && strcmp(worst[i].unit, f->unit) != 0)
		i++;
	return ldexp(f->mul, f->bits) / worst[i].hz;
}

const struct reg_addr *
plan_cell_addr(const struct plan *plan, unsigned cell)
{
	for (unsigned i = 0; i < plan->nblock; i++) {
		const struct block *b = &plan->block[i];

		if (cell > b->cell && cell <= b->cell + b->n)
			return &plan->read[b->first + cell - b->cell - 1];
	}
	return NULL;
}
