/*
 * daemon/instead/allowlist.c - --print @msr-safe-allowlist: the MSRs that this
 * configuration needs on this machine.
 */
#include "daemon/instead/instead.h"

#include "config/version.h"
#include "daemon/node/program.h"
#include "daemon/read/sweep.h"
#include "daemon/run/preamble.h"
#include "regs/access.h"
#include "regs/walk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct allowed_msr {
	uint32_t msr;
	uint64_t mask;          /* bits that may be changed */
	char name[32];          /* "CHA 3 ctl0"; "" none */
};

struct allowed {
	struct allowed_msr *entry;    /* ascending */
	unsigned n;
};

static int
by_msr(const void *a, const void *b)
{
	const struct allowed_msr *x = a, *y = b;

	return (x->msr > y->msr) - (x->msr < y->msr);
}

static struct allowed_msr *
allowlist_find(const struct allowed *list, uint64_t msr)
{
	struct allowed_msr key = { .msr = (uint32_t)msr };

	return bsearch(&key, list->entry, list->n, sizeof(key), by_msr);
}

/* Reads every register that a start, --check and a sample read. */
static int
allowlist_read_all(struct node *node, const struct options *o, struct diag *why)
{
	struct reg_addr in_use = { REG_MSR, 8, topo_first(&node->topo),
	    model_msrs(node->topo.model)->core_in_use };        /* --check */
	struct reg_addr tsc = { REG_MSR, 8, topo_first(&node->topo),
	    MSR_TSC };                  /* by --read batch */
	uint64_t *row = calloc(node->plan.ncell, sizeof(*row)), raw;
	struct sweep sweep = { .home = -1 };
	struct preamble_info info = { .interval = o->interval, .access = "",
	    .schedule = "", .sweep = &sweep, .version = TALLYD_VERSION,
	    .config = &node->config, .replay = node->replay };
	char *head = NULL;
	int rc;

	if (in_use.offset != 0)
		access_read(node->acc, &in_use, &raw);
	access_read(node->acc, &tsc, &raw);
	if (row == NULL)
		rc = diag_set(why, -ENOMEM, "out of memory");
	else if ((rc = node_save(node, why)) == 0 &&
	    (rc = sweep_init(&sweep, &node->plan, node->acc, READ_REMOTE, -1,
	    why)) == 0) {
		row_take(&sweep, &node->plan, node->acc, 0, row);
		for (unsigned i = 0; i < node->plan.sets.nshared; i++)
			access_read(node->acc, &node->plan.sets.shared[i].addr,
			    &raw);
		head = preamble_make(&node->plan, &node->topo, &node->inv,
		    node->acc, &info);
		if (head == NULL)
			rc = diag_set(why, -ENOMEM, "out of memory");
	}
	sweep_fini(&sweep);
	free(head);
	free(row);
	return rc;
}

/* The bits of a register that the model's tables know. */
static uint64_t
known_bits(const struct plan_write *w)
{
	if (w->type != NULL && strncmp(w->role, "ctl", 3) == 0)
		return box_ctl_valid(w->type);
	return w->verify != ~0ull ? w->verify : 0;
}

/* The bits of a register that the plan may change: those of any event set, and those
 * that are set now, which have to be put back. */
static void
allow_writes(struct allowed *list, const struct plan *plan)
{
	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];
		struct allowed_msr *e = w->addr.space == REG_MSR ?
		    allowlist_find(list, w->addr.offset) : NULL;
		uint64_t bits = known_bits(w) | w->old | w->new;

		for (unsigned k = 0; w->rotates && k < plan->sets.nrot; k++)
			for (unsigned set = 1; plan->sets.rot[k].write == i &&
			    set < plan->sets.n; set++)
				bits |= plan->sets.value[
				    plan->sets.rot[k].value + set];
		if (e != NULL)
			e->mask |= bits & program_owned(w);
	}
	/* any bit of a counter that is set to 0 before it stops at its end */
	for (unsigned i = 0; i < plan->stops.n; i++) {
		struct allowed_msr *e = allowlist_find(list,
		    plan->stops.counter[i].addr.offset);

		if (e != NULL)
			e->mask |=
			    (UINT64_C(2) << plan->stops.counter[i].bits) - 1;
	}
}

/* Names a register by the first box of the model's tables that has it. */
static void
name_one(void *ctx, const char *box, unsigned inst, const char *role,
    const char *space, const char *address)
{
	struct allowed *list = ctx;
	struct allowed_msr *e = strcmp(space, "msr") == 0 ?
	    allowlist_find(list, strtoull(address, NULL, 16)) : NULL;

	if (e == NULL || e->name[0] != '\0')
		return;
	if (strcmp(box, "MSR") == 0)
		snprintf(e->name, sizeof(e->name), "%s", role);
	else if (strcmp(box, "CORE") == 0)
		snprintf(e->name, sizeof(e->name), "%s %s", box, role);
	else
		snprintf(e->name, sizeof(e->name), "%s %u %s", box, inst, role);
}

static void
name_all(struct allowed *list, const struct model *m)
{
	static const struct {
		uint32_t msr;
		const char *name;
	} others[] = {
		{ MSR_TSC, "MSR_TSC" },
		{ MSR_PLATFORM_INFO, "MSR_PLATFORM_INFO" },
		{ MSR_TEMPERATURE_TARGET, "MSR_TEMPERATURE_TARGET" },
		{ MSR_RAPL_POWER_UNIT, "MSR_RAPL_POWER_UNIT" },
		{ MSR_PKG_POWER_INFO, "MSR_PKG_POWER_INFO" },
		{ MSR_PERF_GLOBAL_INUSE, "MSR_PERF_GLOBAL_INUSE" },
	};
	struct allowed_msr *e;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if ((e = allowlist_find(list, others[i].msr)) != NULL)
			snprintf(e->name, sizeof(e->name), "%s",
			    others[i].name);
	model_walk(m, name_one, list);
}

int
allowlist_print(FILE *out, struct node *node, const struct options *o,
    struct diag *why)
{
	struct noting *noted = node->noting;
	struct allowed list = { .n = 0 };
	int rc;

	if (node->config.perf && !node->config.hybrid)
		return diag_set(why, -ENOTSUP, "no MSR is needed here: %s",
		    node->how);
	if ((rc = allowlist_read_all(node, o, why)) < 0)
		return rc;
	list.entry = calloc(noted->n + 1, sizeof(*list.entry));
	if (list.entry == NULL || noted->lost) {
		free(list.entry);
		return diag_set(why, -ENOMEM, "out of memory");
	}
	for (; list.n < noted->n; list.n++)
		list.entry[list.n].msr = noted->msr[list.n];
	allow_writes(&list, &node->plan);
	name_all(&list, node->topo.model);
	fputs("# MSR # Write Mask # Comment\n", out);
	for (unsigned i = 0; i < list.n; i++)
		fprintf(out, "0x%08" PRIX32 " 0x%016" PRIX64 "%s%s\n",
		    list.entry[i].msr, list.entry[i].mask,
		    list.entry[i].name[0] != '\0' ? " # " : "",
		    list.entry[i].name);
	free(list.entry);
	return 0;
}
