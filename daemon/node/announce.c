/*
 * daemon/node/announce.c - what programming the counters will do to this kernel,
 * said before it is done.
 *
 * Every MSR that a program writes through the msr driver taints the kernel
 * (CPU_OUT_OF_SPEC), and is logged unless allow_writes is "on"; reading does
 * neither (reference linux-access.md; Linux arch/x86/kernel/msr.c, filter_write
 * and msr_write; Documentation/admin-guide/tainted-kernels.rst).
 */
#include "daemon/node/announce.h"

#include "config/dump/head.h"
#include "lib/printable.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CPU_OUT_OF_SPEC 4       /* bit 2 */

/* Counts the registers whose values differ from one set to the next. */
static void
count_turn(const struct plan *plan, unsigned set, struct control_writes *n)
{
	unsigned next = set + 1 < plan->sets.n ? set + 1 : 1, all = 0, msr = 0;

	for (unsigned i = 0; i < plan->sets.nrot; i++) {
		const struct rotating *r = &plan->sets.rot[i];
		const uint64_t *value = &plan->sets.value[r->value];

		if (value[set] == value[next])
			continue;
		all++;
		msr += plan->write[r->write].addr.space == REG_MSR;
	}
	if (all > n->turn)
		n->turn = all;
	if (msr > n->turn_msr)
		n->turn_msr = msr;
}

struct control_writes
announce_count(const struct plan *plan)
{
	struct control_writes n = { 0, 0, 0, 0 };

	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];

		if (w->new == w->old)
			continue;
		n.start++;
		n.start_msr += w->addr.space == REG_MSR;
	}
	for (unsigned set = 1; plan->sets.n > 2 && set < plan->sets.n; set++)
		count_turn(plan, set, &n);
	return n;
}

bool
announce_tainted(struct access *acc, int64_t *tainted)
{
	return access_number(acc, "/proc/sys/kernel/tainted", tainted) == 0;
}

/* What the kernel does about MSRs that are written: a line in its log, a taint. */
static void
say_taint(struct access *acc, char *buf, size_t size)
{
	char allow[32];
	int64_t now;
	bool known = announce_tainted(acc, &now);
	int n;

	if (access_slurp(acc, "/sys/module/msr/parameters/allow_writes", allow,
	    sizeof(allow)) <= 0)
		strcpy(allow, "unknown");
	n = snprintf(buf, size, "; the kernel logs %s (allow_writes is %s) and "
	    "%s taint flag CPU_OUT_OF_SPEC", strcmp(allow, "on") == 0 ?
	    "nothing of it" : "a line of it", allow, known &&
	    (now & CPU_OUT_OF_SPEC) != 0 ? "has its" : "sets its");
	if (known && n > 0 && (size_t)n < size)
		snprintf(buf + n, size - (size_t)n, " (/proc/sys/kernel/tainted "
		    "is %" PRId64 ")", now);
}

const char *
announce_text(const struct node *node, char *buf, size_t size)
{
	struct control_writes c = announce_count(&node->plan);
	char turn[96] = "", taint[256] = "";

	if (node->plan.nwrite == 0) {
		snprintf(buf, size, "%s%s", node->plan.soc != NULL ?
		    "no register but those behind the SoC's message bus" :
		    "no register", node->plan.nopened > 0 ?
		    ": the kernel programs its counters itself" : "");
		return buf;
	}
	if (node->plan.sets.n > 2)
		snprintf(turn, sizeof(turn), ", up to %u (%u MSR%s) each turn "
		    "of sets", c.turn, c.turn_msr, plural(c.turn_msr));
	if (c.start_msr > 0 || c.turn_msr > 0)
		say_taint(node->acc, taint, sizeof(taint));
	snprintf(buf, size, "%u control register%s (%u MSR%s) at start%s%s; what "
	    "was changed is put back at the end%s", c.start, plural(c.start),
	    c.start_msr, plural(c.start_msr), turn, node->plan.soc != NULL ?
	    ", and those behind the SoC's message bus" : "", taint);
	return buf;
}

void
announce_after(struct store *store, struct access *acc)
{
	char text[80];
	struct head h = head_buffer(text, sizeof(text));
	int64_t tainted;

	if (!announce_tainted(acc, &tainted))
		return;
	head_put_int(&h, HEAD_KERNEL_TAINTED_AFTER, ALONE, tainted);
	store_note(store, text);
}
