/*
 * daemon/plan/plan_blocks.c - the lists of a plan while it is made (columns, reads, writes,
 * lines for people); then the order of sampling: reads sorted by the lproc that they
 * disturb, a cell of the row for every column, and the daemon's own columns (clocks,
 * stamps, costs).
 */
#include "daemon/plan/plan_int.h"

#include "lib/array.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists, each of which grows here ------------------------------------------ */

int
plan_no_memory(const struct plan *plan)
{
	return diag_set(plan->build->why, -ENOMEM, "out of memory");
}

int
plan_add_write(struct plan *plan, const struct plan_write *w)
{
	if (!array_room(&plan->write, plan->nwrite, &plan->build->write_room,
	    sizeof(*plan->write)))
		return plan_no_memory(plan);
	plan->write[plan->nwrite++] = *w;
	return 0;
}

static void
keep_line(char ***list, unsigned *n, unsigned *room, const char *fmt,
    va_list ap)
{
	char line[256];

	vsnprintf(line, sizeof(line), fmt, ap);
	if (!array_room(list, *n, room, sizeof(**list)))
		return;
	if (((*list)[*n] = strdup(line)) != NULL)
		++*n;
}

void
plan_note(struct plan *plan, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	keep_line(&plan->absent.line, &plan->absent.n, &plan->build->note_room,
	    fmt, ap);
	va_end(ap);
}

void
plan_remark(struct plan *plan, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	keep_line(&plan->remarks.line, &plan->remarks.n,
	    &plan->build->remark_room, fmt, ap);
	va_end(ap);
}

int
plan_add_read(struct plan *plan, const struct reg_addr *addr, unsigned lproc,
    int pkg)
{
	struct plan_build *b = plan->build;
	uint64_t key[3] = { addr->space, addr->unit, addr->offset };
	uint64_t hash = lookup_hash(0, key, sizeof(key));

	LOOKUP_EACH(i, &b->reads, hash)
		if (reg_addr_same(&b->read[i].addr, addr) &&
		    b->read[i].addr.bytes == addr->bytes)
			return (int)i;
	if (!array_room(&b->read, b->nread, &b->read_room, sizeof(*b->read)))
		return -1;
	if (lookup_add(&b->reads, hash, b->nread) < 0)
		return -1;
	b->read[b->nread] = (struct want_read){ *addr, lproc, pkg, false };
	return (int)b->nread++;
}

const char *
plan_text(struct plan *plan, const char *s)
{
	return arena_strndup(plan->text, s, strlen(s));
}

const char *
plan_event(struct plan *plan, const char *name)
{
	return strlen(name) <= 128 ? name :
	    arena_strndup(plan->text, name, 128);
}

const struct family *
plan_family(struct plan *plan, const char *name, int bits, const char *unit)
{
	struct family *f = families_get(&plan->families, name, strlen(name));

	if (f != NULL && !f->said)
		family_say(f, unit, bits, 0);
	return f;
}

int
plan_add_from(struct plan *plan, const struct column *like,
    struct read_from source)
{
	struct plan_build *b = plan->build;

	if (!array_room(&plan->column, plan->ncolumn, &b->column_room,
	    sizeof(*plan->column)))
		return plan_no_memory(plan);
	if (!array_room(&b->source, plan->ncolumn, &b->source_room,
	    sizeof(*b->source)))
		return plan_no_memory(plan);
	if (like->id.family == NULL)
		return plan_no_memory(plan);
	plan->column[plan->ncolumn] = *like;
	b->source[plan->ncolumn++] = source;
	return 0;
}

int
plan_add_column(struct plan *plan, const struct column *like,
    const struct reg_addr *addr, unsigned lproc, int pkg)
{
	int read = plan_add_read(plan, addr, lproc, pkg);

	if (read < 0)
		return plan_no_memory(plan);
	return plan_add_from(plan, like, (struct read_from){ FROM_BLOCK,
	    (unsigned)read, pkg >= 0 && addr->space != REG_MSR });
}

int
plan_head_error(struct plan *plan)
{
	return plan->head.error == 0 ? 0 : plan_no_memory(plan);
}

int
plan_add_opened(struct plan *plan, const struct column_id *id, unsigned cpu,
    unsigned group, const struct perf_attr *attr)
{
	struct plan_build *b = plan->build;
	struct plan_opened *o;

	if (!array_room(&plan->opened, plan->nopened, &b->opened_room,
	    sizeof(*plan->opened)))
		return plan_no_memory(plan);
	o = &plan->opened[plan->nopened];
	*o = (struct plan_opened){ *id, cpu, group, *attr };
	plan->nopened++;
	return 0;
}

int
plan_add_control(struct plan *plan, const struct column_id *id, uint64_t ctl,
    unsigned set)
{
	struct plan_control *c;

	if (!array_room(&plan->control, plan->ncontrol,
	    &plan->build->control_room, sizeof(*plan->control)))
		return plan_no_memory(plan);
	c = &plan->control[plan->ncontrol];
	*c = (struct plan_control){ *id, ctl, set };
	plan->ncontrol++;
	return 0;
}

/* ---- blocks ------------------------------------------------------------------ */

bool
block_holds(const struct block *b, enum reg_space space)
{
	return b->part == BLOCK_ALL || (b->part == BLOCK_BUS) ==
	    (space != REG_MSR);
}

bool
block_soc(const struct block *b)
{
	return b->pkg == 0 && b->part != BLOCK_MSR;
}

/* Lists of numbered things (reads, writes), one list for each place: an lproc, the MSRs
 * of a package, its other registers. */
struct chains {
	uint32_t *first, *next;
	unsigned nlproc;
};
#define CHAIN_END UINT32_MAX

static void
chains_fini(struct chains *c)
{
	free(c->first);
	free(c->next);
	c->first = c->next = NULL;
}

static int
chains_init(struct chains *c, const struct topo *topo, unsigned n)
{
	size_t places = (size_t)topo->nlproc + 2 * topo->npkg;

	c->nlproc = topo->nlproc;
	c->first = malloc((places + 1) * sizeof(c->first[0]));
	c->next = malloc(((size_t)n + 1) * sizeof(c->next[0]));
	if (c->first == NULL || c->next == NULL) {
		chains_fini(c);
		return -ENOMEM;
	}
	memset(c->first, 0xff, places * sizeof(c->first[0]));
	return 0;
}

/* The place of a register. */
struct spot {
	unsigned lproc;
	int pkg;                /* -1: it is the lproc's */
	bool bus;               /* a package's that is no MSR */
};

static uint32_t *
chain(const struct chains *c, struct spot at)
{
	return &c->first[at.pkg < 0 ? at.lproc : c->nlproc +
	    2 * (unsigned)at.pkg + at.bus];
}

/* Puts thing i at the front of its list; the caller adds the last one first. */
static void
chain_add(struct chains *c, struct spot at, uint32_t i)
{
	uint32_t *first = chain(c, at);

	c->next[i] = *first;
	*first = i;
}

/* Reads, shared counters and slow events by place, and the cell of each read. */
struct sorting {
	struct chains read, shared, slow;
	unsigned *cell_of;
};

/* Adds the reads of a place to its block: those on a bus, or the others. */
static void
add_reads(struct plan *plan, struct block *blk, struct spot at, bool bus,
    struct sorting *s)
{
	for (uint32_t i = *chain(&s->read, at); i != CHAIN_END;
	    i = s->read.next[i]) {
		const struct reg_addr *addr = &plan->build->read[i].addr;

		if (access_on_bus(addr) != bus)
			continue;
		s->cell_of[i] = blk->cell + 1 + blk->n++;
		plan->read[plan->nread++] = *addr;
		blk->bus += bus;
	}
}

/* Makes a block of the reads of a place; false: there is nothing to read.  A place with
 * slow events alone has a block, too, in which their controls are watched. */
static bool
plan_blocks_add_block(struct plan *plan, struct spot at, struct sorting *s)
{
	struct block *blk = &plan->block[plan->nblock];
	uint32_t i;

	*blk = (struct block){ .lproc = at.lproc, .pkg = at.pkg,
	    .first = plan->nread, .cell = plan->ncell, .visit = true,
	    .quickest = UINT64_MAX };
	add_reads(plan, blk, at, true, s);
	add_reads(plan, blk, at, false, s);
	for (i = *chain(&s->shared, at); i != CHAIN_END; i = s->shared.next[i])
		blk->nshared++;
	if (blk->n == 0 && blk->nshared == 0 &&
	    *chain(&s->slow, at) == CHAIN_END)
		return false;
	plan->nblock++;
	plan->ncell += 1 + blk->n;
	return true;
}

static void
add_package(struct plan *plan, unsigned lproc, int pkg, struct sorting *s)
{
	bool msr = plan_blocks_add_block(plan,
	    (struct spot){ lproc, pkg, false }, s);
	bool bus = plan_blocks_add_block(plan,
	    (struct spot){ lproc, pkg, true }, s);

	if (!msr || !bus)
		return;
	plan->block[plan->nblock - 2].part = BLOCK_MSR;
	plan->block[plan->nblock - 1].part = BLOCK_BUS;
}

static int
sorting_init(struct sorting *s, const struct plan *plan)
{
	const struct plan_build *b = plan->build;

	*s = (struct sorting){ .cell_of = calloc(b->nread + 1,
	    sizeof(s->cell_of[0])) };
	if (s->cell_of == NULL ||
	    chains_init(&s->read, b->topo, b->nread) < 0 ||
	    chains_init(&s->shared, b->topo, plan->sets.nshared) < 0 ||
	    chains_init(&s->slow, b->topo, plan->apart.nslow) < 0)
		return -ENOMEM;
	for (unsigned i = b->nread; i-- > 0;)
		if (!b->read[i].dropped)
			chain_add(&s->read, (struct spot){ b->read[i].lproc,
			    b->read[i].pkg,
			    b->read[i].addr.space != REG_MSR }, i);
	for (unsigned i = plan->sets.nshared; i-- > 0;)
		chain_add(&s->shared, (struct spot){ plan->sets.shared[i].lproc,
		    plan->sets.shared[i].pkg,
		    plan->sets.shared[i].addr.space != REG_MSR }, i);
	for (unsigned i = plan->apart.nslow; i-- > 0;)
		if (plan->apart.slow[i].event != NULL &&
		    plan->apart.slow[i].addr.space != REG_NONE)
			chain_add(&s->slow, (struct spot){
			    plan->apart.slow[i].lproc, plan->apart.slow[i].pkg,
			    plan->apart.slow[i].addr.space != REG_MSR }, i);
	return 0;
}

static void
sorting_fini(struct sorting *s)
{
	chains_fini(&s->read);
	chains_fini(&s->shared);
	chains_fini(&s->slow);
	free(s->cell_of);
}

int
plan_blocks(struct plan *plan)
{
	struct plan_build *b = plan->build;
	struct sorting s;
	int rc = sorting_init(&s, plan);

	plan->read = calloc(b->nread + 1, sizeof(plan->read[0]));
	plan->block = calloc(b->topo->nlproc + 2 * b->topo->npkg + 1,
	    sizeof(plan->block[0]));
	if (rc < 0 || plan->read == NULL || plan->block == NULL) {
		sorting_fini(&s);
		return plan_no_memory(plan);
	}
	plan->ncell = CELL_READS;
	for (unsigned l = 0; l < b->topo->nlproc; l++) {
		plan_blocks_add_block(plan, (struct spot){ l, -1, false }, &s);
		for (unsigned p = 0; p < b->topo->npkg; p++)
			if (b->topo->pkg[p].first_lproc == l)
				add_package(plan, l, (int)p, &s);
	}
	for (unsigned i = 0; i < plan->ncolumn; i++)
		if (b->source[i].list == FROM_BLOCK)
			plan->column[i].cell = s.cell_of[b->source[i].at];
	sorting_fini(&s);
	return 0;
}

int
plan_watch(struct plan *plan)
{
	struct chains writes;
	unsigned n = 0;

	plan->watch = calloc(plan->nwrite + 1, sizeof(plan->watch[0]));
	plan->fate = calloc(plan->nwrite + 1, sizeof(plan->fate[0]));
	if (plan->watch == NULL || plan->fate == NULL ||
	    chains_init(&writes, plan->build->topo, plan->nwrite) < 0)
		return plan_no_memory(plan);
	for (unsigned k = plan->nwrite; k-- > 0;)
		if (plan->write[k].verify != 0)
			chain_add(&writes, (struct spot){ plan->write[k].lproc,
			    plan->write[k].pkg, plan->write[k].addr.space !=
			    REG_MSR }, k);
	for (unsigned i = 0; i < plan->nblock; i++) {
		struct block *blk = &plan->block[i];

		blk->watch = n;
		for (int bus = 0; bus < (blk->pkg < 0 ? 1 : 2); bus++)
			for (uint32_t k = *chain(&writes, (struct spot){
			    blk->lproc, blk->pkg, bus }); k != CHAIN_END;
			    k = writes.next[k])
				if (block_holds(blk,
				    plan->write[k].addr.space))
					plan->watch[n++] = k;
		blk->nwatch = n - blk->watch;
	}
	chains_fini(&writes);
	return 0;
}

/* One of the daemon's own columns: name[index], name["set"] or name alone. */
struct own {
	const char *family;
	unsigned cell;
	uint8_t bits, nindex;
	uint32_t index;
	const char *set;
};

/* plan_own_columns has made room for it. */
static int
plan_blocks_add_own(struct plan *plan, struct own own)
{
	const struct family *f = plan_family(plan, own.family, own.bits, NULL);

	if (f == NULL)
		return plan_no_memory(plan);
	plan->column[plan->ncolumn++] = (struct column){ .id = { .family = f,
	    .event = own.set, .nindex = own.nindex, .index = { own.index } },
	    .cell = own.cell, .bits = own.bits, .cls = f->cls };
	return 0;
}

int
plan_tell_stamps(struct plan *plan)
{
	const struct family *last = NULL;
	bool split = false;

	for (unsigned i = 0; i < plan->nblock; i++)
		split |= plan->block[i].part == BLOCK_BUS;
	if (split)
		head_declare(&plan->head, HEAD_FAMILY_STAMP, ALONE);
	for (unsigned i = 0; split && i < plan->ncolumn; i++) {
		const struct family *f = plan->column[i].id.family;

		if (!plan->build->source[i].bus || f == last)
			continue;
		last = f;
		if (!head_has(&plan->head, HEAD_FAMILY_STAMP, OF(f->name),
		    HEAD_WHOLE))
			head_put_text(&plan->head, HEAD_FAMILY_STAMP,
			    OF(f->name), "pkg_bus_tsc");
	}
	return plan_head_error(plan);
}

int
plan_packages(struct plan *plan)
{
	const struct topo *topo = plan->build->topo;

	plan->lproc.pkg = calloc(topo->nlproc, sizeof(plan->lproc.pkg[0]));
	plan->lproc.reader = calloc(topo->nlproc,
	    sizeof(plan->lproc.reader[0]));
	if (plan->lproc.pkg == NULL || plan->lproc.reader == NULL)
		return plan_no_memory(plan);
	plan->lproc.n = topo->nlproc;
	for (unsigned i = 0; i < topo->nlproc; i++) {
		const struct lproc *lp = &topo->lproc[i];

		plan->lproc.pkg[i] = lp->pkg;
		plan->lproc.reader[i] = lp->ccx < 0 ? -1 :
		    topo_ccx(topo, (unsigned)lp->pkg, (unsigned)lp->ccx);
	}
	return 0;
}

/* The clocks, first in every sample. */
static int
add_clocks(struct plan *plan)
{
	int rc;

	if ((rc = plan_blocks_add_own(plan, (struct own){ .family = "tsc",
	    .cell = CELL_TSC, .bits = 64 })) < 0 ||
	    (rc = plan_blocks_add_own(plan, (struct own){ .family = "walltime",
	    .cell = CELL_SEC, .nindex = 1 })) < 0)
		return rc;
	return plan_blocks_add_own(plan, (struct own){ .family = "walltime",
	    .cell = CELL_USEC, .nindex = 1, .index = 1 });
}

static int
add_stamp_apart(struct plan *plan, const char *name, unsigned cell)
{
	return plan_blocks_add_own(plan,
	    (struct own){ "read_tsc", cell, 64, 0, 0, name });
}

/* The stamps of values that are in no block, one for each statement. */
static int
add_stamps_apart(struct plan *plan)
{
	unsigned last = UINT_MAX;
	int rc = 0;

	for (unsigned i = 0; i < plan->apart.nfile && rc == 0; i++)
		if (plan->apart.file[i].statement != last) {
			last = plan->apart.file[i].statement;
			rc = add_stamp_apart(plan,
			    plan->apart.file[i].id.family->name,
			    plan->apart.file[i].stamp);
		}
	/* statements are numbered in the order of their first unit; those of a unit alternate */
	for (unsigned i = 0, next = 0; i < plan->apart.nslow && rc == 0; i++) {
		const struct plan_slow *s = &plan->apart.slow[i];

		if (s->statement < next)
			continue;
		next = s->statement + 1;
		rc = add_stamp_apart(plan, s->event != NULL ? s->event :
		    s->family->name, s->stamp);
	}
	return rc;
}

/* Columns of how long each set had the counters of each block. */
static int
plan_blocks_add_in_set(struct plan *plan)
{
	int rc = 0;

	for (unsigned i = 0; i < plan->nblock; i++) {
		const struct block *b = &plan->block[i];

		for (unsigned k = 1; b->in_set != 0 && k < plan->sets.n &&
		    rc == 0; k++)
			rc = plan_blocks_add_own(plan,
			    (struct own){ b->pkg < 0 ?
			    "lproc_set_tsc" : b->part == BLOCK_BUS ?
			    "pkg_bus_set_tsc" : "pkg_set_tsc", b->in_set + k - 1,
			    64, 1, b->pkg < 0 ? b->lproc : (unsigned)b->pkg,
			    plan->sets.name[k] });
	}
	return rc;
}

/* The last columns: stamps of the blocks, what the sample cost, times of the sets. */
static int
add_costs(struct plan *plan)
{
	static const struct own costs[] = {
		{ "sample_cpu_ns", CELL_CPU, 64, 0, 0, NULL },
		{ "sample_duration_ns", CELL_DURATION, 0, 0, 0, NULL },
		{ "sample_late_ns", CELL_LATE, 0, 0, 0, NULL },
		{ "sample_block_tsc", CELL_BLOCK, 0, 0, 0, NULL },
	};
	const unsigned n = sizeof(costs) / sizeof(costs[0]);
	unsigned at = plan->sets.times;
	int rc = 0;

	for (unsigned i = 0; i < plan->nblock && rc == 0; i++) {
		const struct block *b = &plan->block[i];

		rc = plan_blocks_add_own(plan,
		    (struct own){ b->pkg < 0 ? "lproc_tsc" :
		    b->part == BLOCK_BUS ? "pkg_bus_tsc" : "pkg_tsc", b->cell,
		    64, 1, b->pkg < 0 ? b->lproc : (unsigned)b->pkg, NULL });
	}
	for (unsigned i = 0; i < n && rc == 0; i++)
		rc = plan_blocks_add_own(plan, costs[i]);
	if (rc == 0)
		rc = add_stamps_apart(plan);
	for (unsigned i = 1; i < plan->sets.n && rc == 0; i++, at += 2)
		if ((rc = plan_blocks_add_own(plan,
		    (struct own){ "set_enabled", at, 64, 0,
		    0, plan->sets.name[i] })) == 0)
			rc = plan_blocks_add_own(plan,
			    (struct own){ "set_running", at + 1,
			    64, 0, 0, plan->sets.name[i] });
	if (rc == 0)
		rc = plan_blocks_add_in_set(plan);
	if (rc == 0 && plan->sets.n > 1)
		rc = plan_blocks_add_own(plan, (struct own){ "sample_rotate_ns",
		    CELL_ROTATE, 64, 0, 0, NULL });
	return rc;
}

int
plan_own_columns(struct plan *plan)
{
	unsigned n = plan->ncolumn, sets = plan->sets.n > 1 ? plan->sets.n : 0;
	struct column *had = plan->column, *c = calloc(3 + n + plan->nblock +
	    4 + (2 + plan->nblock) * sets + plan->apart.nstatement, sizeof(*c));
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

double
plan_wrap_seconds(const struct family *f)
{
	/* The highest rate of a unit, per second: 1 kW of package energy and 250 W of
	 * DRAM in their usual units, 100 kW of a platform, a PCIe 3.0 x16 port (later
	 * parts have 48 bits), an I/O clock, and for any other counter six
	 * instructions a cycle at 6 GHz. */
	static const struct { const char *unit; double hz; } worst[] = {
		{ "rapl_pkg", 1000 * 16384.0 }, { "rapl_dram", 250 * 65536.0 },
		{ "rapl_time", 1024 }, { "bytes", 16e9 }, { "clocks", 2e9 },
		{ "tsc", 6e9 }, { "ns", 1e9 }, { "SMIs", 1e5 },
		{ "J", 1e5 },
		{ NULL, 36e9 },
	};
	double hz;
	unsigned i = 0;

	if (f->bits == 0 || f->bits >= 64 || f->raw)
		return HUGE_VAL;        /* never, or not known */
	while (worst[i].unit != NULL && strcmp(worst[i].unit, f->unit) != 0)
		i++;
	hz = f->cls == CLASS_SOC ? 2147483648.0 : worst[i].hz;
	return ldexp(f->mul, f->bits) / hz;
}

const struct reg_addr *
plan_cell_addr(const struct plan *plan, unsigned cell)
{
	unsigned low = 0, high = plan->nblock;
	const struct block *b;

	for (unsigned i = 0; i < plan->apart.nslow; i++)
		if (plan->apart.slow[i].cell == cell)
			return &plan->apart.slow[i].addr;
	/* the last block that begins before it */
	while (low < high) {
		unsigned mid = low + (high - low) / 2;

		if (plan->block[mid].cell < cell)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == 0)
		return NULL;
	b = &plan->block[low - 1];
	return cell <= b->cell + b->n ?
	    &plan->read[b->first + cell - b->cell - 1] : NULL;
}
