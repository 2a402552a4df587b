/*
 * daemon/node/restore.c - what a daemon that died left changed, put back from
 * its journal.
 */
#include "daemon/node/journal_int.h"

#include "daemon/node/obstacle.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
in_space(const struct reg_addr *a, const struct reg_addr *b)
{
	return a->space == b->space && a->unit == b->unit &&
	    a->offset == b->offset;
}

/* Is addr a control register of this unit, and as wide as it is? */
static bool
unit_owns(const struct unit *u, const struct reg_addr *addr,
    const struct topo *topo)
{
	const struct box_type *t = u->type;
	struct { uint32_t reg; unsigned bytes; }
	    regs[MAX_COUNTERS + MAX_FILTERS + 2];
	unsigned n = 0;

	for (unsigned c = 0; c < t->counters; c++, n++) {
		regs[n].reg = t->ctl + c * t->ctl_step;
		regs[n].bytes = t->ctl_step >= 8 ? 8 : 4;
	}
	for (unsigned f = 0; f < MAX_FILTERS && t->filter[f].name; f++, n++) {
		regs[n].reg = t->filter[f].reg;
		regs[n].bytes = 4;
	}
	if (t->fixed_ctl != 0) {
		regs[n].reg = t->fixed_ctl;
		regs[n++].bytes = 4;
	}
	if (t->box_ctl != 0) {
		regs[n].reg = t->box_ctl;
		regs[n++].bytes = 4;
	}
	for (unsigned i = 0; i < n; i++) {
		struct reg_addr own = unit_addr(u, regs[i].reg,
		    addr->space == REG_MSR ? 8 : regs[i].bytes);

		/* an MSR of a package may have been written through another
		 * of its lprocs */
		if (own.space == REG_MSR && addr->space == REG_MSR &&
		    addr->unit < topo->nlproc &&
		    topo->lproc[addr->unit].pkg == u->pkg)
			own.unit = addr->unit;
		if (in_space(&own, addr) && own.bytes == addr->bytes)
			return true;
	}
	return false;
}

/* Only what the tables name may be written, whatever a file says.  absent: the
 * box that it would be, were that there; or NULL. */
static bool
table_names(const struct reg_addr *addr, const struct topo *topo,
    const struct inventory *inv, const struct unit **absent)
{
	const struct model *m = topo->model;

	*absent = NULL;
	for (unsigned i = 0; i < inv->n; i++) {
		if (!unit_owns(&inv->unit[i], addr, topo))
			continue;
		if (inv->unit[i].present)
			return true;
		*absent = &inv->unit[i];
	}
	if (m == NULL || addr->space != REG_MSR || addr->bytes != 8 ||
	    addr->unit >= topo->nlproc)
		return false;
	for (unsigned c = 0; m->core != NULL && c < m->core->counters; c++)
		if (addr->offset == m->core->ctl + c * m->core->ctl_step)
			return true;
	for (unsigned f = 0; m->core != NULL && f < MAX_FILTERS; f++)
		if (m->core->filter[f].name != NULL &&
		    addr->offset == m->core->filter[f].reg)
			return true;
	return addr->offset == MSR_FIXED_CTR_CTRL ||
	    addr->offset == MSR_PERF_GLOBAL_CTRL ||
	    (m->global_ctl != 0 && addr->offset == m->global_ctl);
}

/* A package's register may be asked for through any of its lprocs; one of an
 * lproc that is offline is out of reach. */
static int
find_lproc(struct reg_addr *addr, int pkg_id, const struct topo *topo,
    struct diag *why)
{
	unsigned l = addr->unit;

	if (addr->space != REG_MSR || l >= topo->nlproc ||
	    topo->lproc[l].online)
		return 0;
	for (unsigned p = 0; p < topo->npkg && pkg_id >= 0; p++)
		if (topo->pkg[p].id == pkg_id) {
			addr->unit = topo->pkg[p].first_lproc;
			return 0;
		}
	return diag_set(why, -ENXIO, "lproc %u is offline: `echo 1 > "
	    "/sys/devices/system/cpu/cpu%u/online`, then --restore again", l,
	    l);
}

/* One line of the journal: 1 restored, 0 nothing to do, or -errno.  Of one that
 * has no end: only what holds the value that we write. */
static int
restore_line(const char *line, bool whole, const struct node *node,
    struct diag *why)
{
	struct access *acc = node->acc;
	struct reg_addr addr = { .space = REG_NONE };
	const struct unit *u;
	uint64_t old, new, mask, now;
	unsigned bytes;
	char space[16];
	int rc, pkg_id = -1;

	if (sscanf(line, "%15s %u %" SCNx64 " %u %" SCNx64 " %" SCNx64
	    " %" SCNx64 " %d", space, &addr.unit, &addr.offset, &bytes, &old,
	    &new, &mask, &pkg_id) < 7)
		return diag_set(why, -EINVAL, "a damaged line of the journal: "
		    "%s", line);
	addr.space = journal_space(space);
	addr.bytes = bytes == 4 || bytes == 8 ? (uint8_t)bytes : 0;
	if ((rc = find_lproc(&addr, pkg_id, &node->topo, why)) < 0)
		return rc;
	if (!table_names(&addr, &node->topo, &node->inv, &u))
		return diag_set(why, -EPERM, "the journal names a register "
		    "that is none of this node's counters%s%s%s: %s",
		    u != NULL ? " (its box is absent: " : "",
		    u != NULL ? u->reason : "", u != NULL ? ")" : "", line);
	if ((rc = access_read(acc, &addr, &now)) < 0)
		return diag_set(why, rc, "%s: %s", line, strerror(-rc));
	if (((now ^ old) & mask) == 0 || (!whole && ((now ^ new) & mask) != 0))
		return 0;
	if ((rc = access_write(acc, &addr, (now & ~mask) | (old & mask))) < 0)
		return diag_set(why, rc, "%s: %s", line, strerror(-rc));
	/* mask 0: a command, not a value; nothing to verify */
	if (access_read(acc, &addr, &now) < 0 || ((now ^ old) & mask))
		return diag_set(why, -EIO, "does not keep its old value: %s",
		    line);
	return 1;
}

/* Can its registers be reached at all?  Better one reason than one a line. */
static int
reachable(FILE *f, const struct node *node, struct diag *why)
{
	char line[512];
	bool msr = false;

	rewind(f);
	while (!msr && fgets(line, sizeof(line), f) != NULL)
		msr = strncmp(line, "msr ", 4) == 0;
	return msr ? obstacle_msr(node, why) : 0;
}

/* What the lines of a journal came to. */
struct restored {
	long lines;
	int back, failed;
	struct diag first;      /* why, of the first that failed */
};

static void
restore_lines(FILE *f, bool whole, const struct node *node,
    struct restored *sum)
{
	struct diag each;
	char line[512];
	int rc;

	rewind(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		if (strchr(line, '\n') == NULL ||
		    strcmp(line, JOURNAL_HEAD) == 0 ||
		    strncmp(line, "pid ", 4) == 0 ||
		    strncmp(line, "boot ", 5) == 0 ||
		    strncmp(line, "end ", 4) == 0)
			continue;
		line[strcspn(line, "\n")] = '\0';
		sum->lines++;
		rc = restore_line(line, whole, node, &each);
		if (whole && rc < 0 && sum->failed++ == 0)
			sum->first = each;
		sum->back += rc > 0;
	}
}

int
journal_restore(const char *path, const struct node *node, bool force,
    struct diag *why)
{
	struct restored sum = { .lines = 0 };
	struct journal j = { .fd = -1 };
	FILE *f;
	long end;
	int rc;

	if ((rc = journal_lock(path, 0, &f, why)) < 0)
		return rc == -ENOENT ? diag_set(why, rc, "no journal at %s: "
		    "no tallyd left registers changed", path) : rc;
	if ((end = journal_end(f)) == -2)
		rc = journal_no_file(path, why);
	else if (end > 0 && !force && journal_foreign(f, node->acc))
		rc = diag_set(why, -ESTALE, "%s was written before the last "
		    "boot, or on another machine: nothing is put back; remove "
		    "it, or insist with --force", path);
	else if (reachable(f, node, why) < 0)
		rc = -EIO;
	if (rc < 0)
		goto out;
	restore_lines(f, end >= 0, node, &sum);
	rc = sum.back;
	if (sum.failed > 0)
		rc = diag_set(why, -EIO, "%d registers are not back: %s",
		    sum.failed, sum.first.text);
	/* synced to disk before the first register was changed, so that
	 * somebody else has cut it */
	else if (end < 0 ? sum.back > 0 : sum.lines != end)
		rc = diag_set(why, -EIO, "lines of %s are missing: %d "
		    "registers are put back, others may still be changed; "
		    "remove it when they are looked after", path, sum.back);
	if (rc < 0)
		goto out;
	snprintf(j.path, sizeof(j.path), "%s", path);
	j.fd = fcntl(fileno(f), F_DUPFD_CLOEXEC, 0);
out:
	fclose(f);
	journal_done(&j);       /* accepts none: what failed is kept */
	return rc;
}
