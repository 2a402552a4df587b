/*
 * tests/fuzz/fuzz_tree.c - any bytes as the files of a node (tests/lib/byte_tree.h): its
 * CPU, lprocs, packages, buses and boxes as /proc, /sys and registers have
 * them, and its system as a dump's head has it.  What is found is in range, whatever they say.  With libFuzzer; seeds in
 * seeds/tree.
 */
#include "tests/lib/byte_tree.h"

#include "daemon/run/preamble.h"
#include "topology/inventory.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_topo(const struct topo *t)
{
	if (t->nlproc == 0 || t->lproc == NULL || t->npkg > MAX_PKG)
		__builtin_trap();
	for (unsigned i = 0; i < t->nlproc; i++)
		if (t->lproc[i].pkg >= (int)t->npkg ||
		    (t->lproc[i].online && !t->lproc[i].exists) ||
		    t->lproc[i].module >= (int)t->nlproc ||
		    t->lproc[i].l3 >= (int)t->nlproc ||
		    t->lproc[i].ccx >= (int)t->nccx)
			__builtin_trap();
	for (unsigned p = 0; p < t->npkg; p++) {
		if (t->pkg[p].first_lproc >= t->nlproc ||
		    t->pkg[p].nlproc > t->nlproc)
			__builtin_trap();
		for (int b = 0; b < MAX_BUS; b++)
			if (t->pkg[p].bus[b] > 255)
				__builtin_trap();
	}
	if (topo_first(t) >= t->nlproc)
		__builtin_trap();
}

static void
check_boxes(const struct inventory *inv, const struct topo *t)
{
	for (unsigned i = 0; i < inv->n; i++) {
		const struct unit *u = &inv->unit[i];

		if (u->pkg >= t->npkg || u->type == NULL ||
		    (u->present && u->reason[0] != '\0') ||
		    (!u->present && u->reason[0] == '\0'))
			__builtin_trap();
	}
}

/* What the head has of the system is lines of a head. */
static void
check_system(const struct topo *t, struct access *acc)
{
	struct head h = { .text = NULL }, again = { .text = NULL };
	struct plan plan = { .nwrite = 0 };

	provenance_put(&h, &plan, t, acc);
	if (h.error != 0 || (h.text != NULL && (head_put_again(&again,
	    h.text) != 0 || strcmp(h.text, again.text) != 0)))
		__builtin_trap();
	head_fini(&again);
	head_fini(&h);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct byte_tree tree;
	struct inventory inv = { .n = 0 };
	struct topo topo;
	struct diag why;

	byte_tree_init(&tree, data, size);
	if (topo_load(&topo, &tree.acc, &why) == 0) {
		check_topo(&topo);
		check_system(&topo, &tree.acc);
		if (inventory_load(&inv, &topo, &tree.acc, &why) == 0)
			check_boxes(&inv, &topo);
		if (inventory_perf(&inv, &topo, &tree.acc, &why) == 0)
			check_boxes(&inv, &topo);
		inventory_free(&inv);
	}
	topo_free(&topo);
	return 0;
}
