/*
 * regs/noting.c - a method of access that notes which MSRs are read through it.
 */
#include "regs/noting.h"

#include "lib/array.h"

#include <stdlib.h>
#include <string.h>

/* The index of an MSR in the sorted list, or where it is to be inserted. */
static unsigned
noting_place(const struct noting *t, uint32_t msr)
{
	unsigned lo = 0, hi = t->n, mid;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (t->msr[mid] < msr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void
noting_note(struct noting *t, uint32_t msr)
{
	unsigned at = noting_place(t, msr);
	uint32_t *more;

	if (at < t->n && t->msr[at] == msr)
		return;
	if (!array_room(&t->msr, t->n, &t->room, sizeof(*t->msr))) {
		t->lost = true;
		return;
	}
	more = t->msr;
	memmove(more + at + 1, more + at, (t->n - at) * sizeof(*more));
	more[at] = msr;
	t->n++;
}

/* Reads by the real method, and notes the MSR.  acc->ops is the first member of
 * struct noting, so its address is the struct's. */
static int
noted_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	struct noting *t = (struct noting *)(uintptr_t)acc->ops;
	int rc = t->own->read(acc, addr, raw);

	if (rc == 0 && addr->space == REG_MSR)
		noting_note(t, (uint32_t)addr->offset);
	return rc;
}

struct noting *
noting_start(struct access *acc)
{
	struct noting *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return NULL;
	t->ops = *acc->ops;
	t->ops.read = noted_read;
	t->own = acc->ops;
	acc->ops = &t->ops;
	return t;
}

void
noting_stop(struct noting *t, struct access *acc)
{
	if (t == NULL)
		return;
	acc->ops = t->own;
	free(t->msr);
	free(t);
}
