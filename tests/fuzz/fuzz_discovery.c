/*
 * tests/fuzz/fuzz_discovery.c - any bytes as a discovery table: what is listed lies
 * where registers can be, each once, and nothing on top of another.  With
 * libFuzzer; seeds in seeds/discovery.
 */
#include "topology/discovery.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
hold(bool so)
{
	if (!so)
		__builtin_trap();
}

static void
hold_unit(const struct discovered *u)
{
	uint64_t last = u->box_ctl + u->ctr + (u->counters - 1u) * u->ctr_step;

	hold(u->counters >= 1 && u->counters <= 16);
	hold(u->bits >= 1 && u->bits <= 64);
	hold(u->ctl != 0 && u->ctr != 0);
	switch (u->space) {
	case REG_MSR:
		hold(u->box_ctl >= 0x2000 && last <= 0x3fff);
		break;
	case REG_PCI:
		hold(u->box_ctl % 4 == 0 && last + 7 <= 0xfff);
		break;
	case REG_MMIO:
		hold(u->box_ctl % 4 == 0 && u->box_ctl >= 0x100000);
		break;
	default:
		hold(false);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct discovery_table t;
	struct diag why;
	/* a copy of that size, so that a byte too far is seen */
	uint8_t *bytes = malloc(size + (size == 0));
	int rc;

	if (bytes == NULL)
		return 0;
	if (size > 0)
		memcpy(bytes, data, size);
	rc = discovery_parse(&t, bytes, size, &why);
	for (unsigned i = 0; rc == 0 && i < t.n; i++) {
		hold_unit(&t.unit[i]);
		hold(t.unit[i].entry < t.max_units);
		for (unsigned k = 0; k < i; k++) {
			const struct discovered *u = &t.unit[i], *v =
			    &t.unit[k];

			hold(u->type != v->type || u->id != v->id);
			hold(u->space != v->space || u->unit != v->unit ||
			    u->box_ctl != v->box_ctl);
		}
	}
	for (unsigned i = 0; rc == 0 && i < t.nleft; i++)
		hold(t.left[i].first <= t.left[i].last &&
		    t.left[i].last < t.max_units &&
		    memchr(t.left[i].why, '\0', sizeof(t.left[i].why)) != NULL);
	discovery_free(&t);
	free(bytes);
	return 0;
}
