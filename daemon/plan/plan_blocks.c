/*
 * daemon/plan/plan_blocks.c - the order of sampling: reads by the lproc that they
 * disturb, a cell for every column, and the columns that the daemon adds of
 * its own.
 */
#include "daemon/plan/plan_int.h"

#include <errno.h>
#include <math.h>
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
		if (!b->source[i].rotated)
			plan->column[i].cell = cell_of[b->source[i].at];
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

/* A column of the daemon's own: name[index], name["set"] or name alone. */
struct own {
	const char *family;
	unsigned cell;
	uint8_t bits, nindex;
	uint32_t index;
	const char *set, *unit;         /* unit NULL: the head says nothing */
};

/* There is room for it. */
static int
add_own(struct plan *plan, struct own own)
{
	const struct family *f = own.unit == NULL ? families_get(
	    &plan->families, own.family, strlen(own.family)) : plan_family(plan,
	    own.family, own.bits, 1, own.unit);

	if (f == NULL)
		return plan_no_memory(plan);
	plan->column[plan->ncolumn++] = (struct column){ .id = { .family = f,
	    .event = own.set, .nindex = own.nindex, .index = { own.index } },
	    .cell = own.cell, .bits = own.bits, .cls = f->cls };
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

/* The clocks, first in every sample. */
static int
add_clocks(struct plan *plan)
{
	int rc;

	if ((rc = add_own(plan, (struct own){ .family = "tsc",
	    .cell = CELL_TSC, .bits = 64 })) < 0 ||
	    (rc = add_own(plan, (struct own){ .family = "walltime",
	    .cell = CELL_SEC, .nindex = 1 })) < 0)
		return rc;
	return add_own(plan, (struct own){ .family = "walltime",
	    .cell = CELL_USEC, .nindex = 1, .index = 1 });
}

/* The stamps of the blocks, what the sample cost, and the times of the sets,
 * last. */
static int
add_costs(struct plan *plan)
{
	static const struct own costs[] = {
		{ "sample_cpu_ns", CELL_CPU, 64, 0, 0, NULL, "ns" },
		{ "sample_duration_ns", CELL_DURATION, 0, 0, 0, NULL, "ns" },
		{ "sample_late_ns", CELL_LATE, 0, 0, 0, NULL, "ns" },
	};
	unsigned at = plan->cell_sets;
	int rc = 0;

	for (unsigned i = 0; i < plan->nblock && rc == 0; i++) {
		const struct block *b = &plan->block[i];

		rc = add_own(plan, (struct own){ b->pkg < 0 ? "lproc_tsc" :
		    "pkg_tsc", b->cell, 64, 1, b->pkg < 0 ? b->lproc :
		    (unsigned)b->pkg, NULL, "tsc" });
	}
	for (unsigned i = 0; i < 3 && rc == 0; i++)
		rc = add_own(plan, costs[i]);
	for (unsigned i = 1; i < plan->nset && rc == 0; i++, at += 2)
		if ((rc = add_own(plan, (struct own){ "set_enabled", at, 64, 0,
		    0, plan->set[i], "tsc" })) == 0)
			rc = add_own(plan, (struct own){ "set_running", at + 1,
			    64, 0, 0, plan->set[i], "tsc" });
	if (rc == 0 && plan->nset > 1)
		rc = add_own(plan, (struct own){ "sample_rotate_ns",
		    CELL_ROTATE, 64, 0, 0, NULL, "ns" });
	return rc;
}

static int
add_own_columns(struct plan *plan)
{
	unsigned n = plan->ncolumn, sets = plan->nset > 1 ? plan->nset : 0;
	struct column *had = plan->column, *c = calloc(3 + n + plan->nblock +
	    3 + 2 * sets, sizeof(*c));
	int rc;

	if (c == NULL)
		return plan_no_memory(plan);
	plan->column = c;
	plan->ncolumn = 0;
	if ((rc = add_clocks(plan)) == 0) {
		if (n > 0)
			memcpy(c + plan->ncolumn, had, n * sizeof(*c));
		plan->ncolumn += n;
		rc = add_costs(plan);
	}
	free(had);
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
plan_wrap_seconds(const struct family *f)
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

	if (f->bits == 0 || f->bits >= 64 || f->raw)
		return HUGE_VAL;        /* never; or the user has to know */
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
