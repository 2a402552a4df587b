/*
 * tests/lib/looped.c - a rig with a store, into which the sampler's loop puts rows.
 */
#include "tests/lib/looped.h"
#include "tests/lib/stand_in.h"

#include "config/dump/store.h"
#include "daemon/read/pinned.h"

struct looped
looped_begin(struct rig *rig, enum read_mode mode, uint64_t interval_ns,
    uint64_t rows)
{
	struct looped l = { .dir = tree_new(), .rig = rig };
	struct plan *p = &rig->node.plan;
	struct store_shape shape = { .column = p->column,
	    .ncolumn = p->ncolumn, .ncell = p->ncell, .capacity = rows,
	    .preamble = "", .cell_tsc = CELL_TSC, .cell_real_sec = CELL_SEC,
	    .cell_real_usec = CELL_USEC };
	char path[512];
	struct diag why;

	if (store_create(&l.store, in_dir(l.dir, "store", path), &shape,
	    &why) < 0)
		fail_msg("%s", why.text);
	l.loop = (struct sampler){ .plan = p, .acc = rig->node.acc,
	    .sweep = &rig->sweep, .store = l.store,
	    .interval_ns = interval_ns, .samples = rows };
	rig_program(rig);
	rig->sweep.mode = mode;
	if (sweep_threads(&rig->sweep, p, rig->node.acc, &why) < 0)
		fail_msg("%s", why.text);
	return l;
}

void
looped_end(struct looped *l)
{
	struct rig *before = rig_open("@skx-8160-2s", NULL);

	if (l->rig->sweep.pinned != NULL)
		pinned_stop(l->rig->sweep.pinned);
	rig_restore(l->rig);
	rig_same(l->rig, before);
	store_close(l->store);
	rig_close(l->rig);
	rig_close(before);
	tree_free(l->dir);
}

uint64_t
looped_value(const struct looped *l, uint64_t row, const char *column)
{
	return rig_stored(l->rig, l->store, row, column);
}
