/*
 * daemon/node/restore.c - what a daemon that died left changed, put back from
 * its journal.
 */
#include "daemon/node/journal.h"

#include "daemon/node/obstacle.h"
#include "lib/printable.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Is addr a control register of this unit, and as wide as it is? */
static bool
unit_owns(const struct unit *u, const struct reg_addr *addr,
    const struct topo *topo)
{
	const struct box_type *t = u->type;
	struct { uint32_t reg; unsigned bytes; }
	    regs[MAX_COUNTERS + MAX_FILTERS + 2];
	unsigned n = 0;

	for (unsigned c = 0; c < u->counters; c++, n++) {
		regs[n].reg = u->ctl + c * u->ctl_step;
		regs[n].bytes = u->ctl_step >= 8 ? 8 : 4;
	}
	for (unsigned f = 0; f < MAX_FILTERS && t->filter[f].name; f++, n++) {
		regs[n].reg = t->filter[f].reg;
		regs[n].bytes = 4;
	}
	if (t->fixed.ctl != 0) {
		regs[n].reg = t->fixed.ctl;
		regs[n++].bytes = 4;
	}
	if (unit_box_ctl(u)) {
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
		if (reg_addr_same(&own, addr) && own.bytes == addr->bytes)
			return true;
	}
	return false;
}

/* May this register be written: do the model's tables name it as a control?  *absent: an
 * absent box that it would be of, or NULL. */
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
	    (model_msrs(m)->core_global != 0 &&
	    addr->offset == model_msrs(m)->core_global) ||
	    (m->global_ctl != 0 && addr->offset == m->global_ctl);
}

/* Finds an lproc through which a register can be written: any of its package for a
 * package's; an lproc's own cannot be reached while it is offline. */
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

/* One record of the journal: 1 restored, 0 nothing to do, or -errno. */
static int
restore_record(const char *record, const struct node *node, struct diag *why)
{
	struct access *acc = node->acc;
	struct reg_addr addr = { .space = REG_NONE };
	const struct unit *u;
	uint64_t old, mask, now;
	unsigned bytes;
	char space[16];
	int rc, pkg_id = -1;

	if (sscanf(record, "%15s %u %" SCNx64 " %u %" SCNx64 " %*x %" SCNx64
	    " %d", space, &addr.unit, &addr.offset, &bytes, &old, &mask,
	    &pkg_id) < 6)
		return diag_set(why, -EINVAL, "no record of a register: %s",
		    record);
	addr.space = journal_space(space);
	addr.bytes = bytes == 4 || bytes == 8 ? (uint8_t)bytes : 0;
	if ((rc = find_lproc(&addr, pkg_id, &node->topo, why)) < 0)
		return rc;
	if (!table_names(&addr, &node->topo, &node->inv, &u))
		return diag_set(why, -EPERM, "the journal names a register "
		    "that is none of this node's counters%s%s%s: %s",
		    u != NULL ? " (its box is absent: " : "",
		    u != NULL ? u->reason : "", u != NULL ? ")" : "", record);
	if ((rc = access_read(acc, &addr, &now)) < 0)
		return diag_set(why, rc, "%s: %s", record, strerror(-rc));
	if (((now ^ old) & mask) == 0)
		return 0;
	if ((rc = access_write(acc, &addr, (now & ~mask) | (old & mask))) < 0)
		return diag_set(why, rc, "%s: %s", record, strerror(-rc));
	/* mask 0: a command, not a value; nothing to verify */
	if (access_read(acc, &addr, &now) < 0 || ((now ^ old) & mask))
		return diag_set(why, -EIO, "does not keep its old value: %s",
		    record);
	return 1;
}

/* Can registers be written at all?  One reason, instead of the same for each record. */
static int
reachable(const struct journal_text *t, const struct node *node,
    struct diag *why)
{
	char record[JOURNAL_LINE];
	unsigned n, bad = 0;
	uint64_t at = 0;

	while (journal_record(t, &at, &n, record, &bad))
		if (strncmp(record, "msr ", 4) == 0)
			return obstacle_msr(node, why);
	return 0;
}

/* The results of the records of a journal. */
struct restored {
	unsigned known;         /* registers that a record names */
	unsigned bad;           /* lines that are damaged */
	unsigned back, failed;
	struct diag first;      /* why the first failed */
};

static int
restore_records(const struct journal_text *t, const struct node *node,
    struct restored *sum)
{
	char record[JOURNAL_LINE];
	struct diag each;
	unsigned n, most = (unsigned)(t->size / 16) + 1;
	uint64_t at = 0;
	bool *seen = calloc(most, sizeof(*seen));
	int rc;

	if (seen == NULL)
		return -ENOMEM;
	while (journal_record(t, &at, &n, record, &sum->bad)) {
		if (n >= most || seen[n])
			continue;
		seen[n] = true;
		sum->known++;
		rc = restore_record(record, node, &each);
		if (rc < 0 && sum->failed++ == 0)
			sum->first = each;
		sum->back += rc > 0;
	}
	free(seen);
	return 0;
}

/* Says how the journal is damaged; "": it is not. */
static const char *
damage(const struct journal_text *t, const struct restored *sum)
{
	if (t->state == JOURNAL_DAMAGED)
		return "its head is damaged";
	if (t->size != t->head.bytes)
		return t->size < t->head.bytes ? "it was cut" :
		    "something was added to it";
	return sum->bad > 0 ? "lines of it are damaged" :
	    sum->known < t->head.registers ? "records are missing" :
	    sum->known > t->head.registers ? "records were added" : "";
}

static int
restore_from(const struct journal_text *t, const char *path,
    const struct node *node, struct diag *why)
{
	struct restored sum = { .known = 0 };
	const char *wrong;
	char of[32] = "";

	if (reachable(t, node, why) < 0)
		return -EIO;
	if (restore_records(t, node, &sum) < 0)
		return diag_set(why, -ENOMEM, "out of memory");
	wrong = damage(t, &sum);
	if (sum.failed > 0)
		return diag_set(why, -EIO, "not back: %u register%s: %s",
		    sum.failed, plural(sum.failed), sum.first.text);
	if (t->state == JOURNAL_CHANGED)
		snprintf(of, sizeof(of), " of %u", t->head.registers);
	if (t->state == JOURNAL_DAMAGED || sum.known != t->head.registers)
		return diag_set(why, -EIO, "journal %s: %s, and names %u%s "
		    "register%s: of these put back and verified: %u; others "
		    "may still be changed; remove it when they are looked "
		    "after", path, wrong, sum.known, of, plural(of[0] != '\0' ?
		    t->head.registers : sum.known), sum.back);
	diag_set(why, 0, "%s%s%u register%s put back and verified%s",
	    wrong, wrong[0] != '\0' ? ", and still names all registers: " :
	    "", sum.back, plural(sum.back), sum.back < sum.known ? "; the others were as they "
	    "had been found" : "");
	return (int)sum.back;
}

/* Returns an error if no register may be put back by this journal: it is of another
 * version, damaged, or of another boot or machine.  force accepts the latter two. */
static int
restore_refuse(const struct journal_text *t, const char *path, bool force,
    struct access *acc, struct diag *why)
{
	if (t->state == JOURNAL_OTHER || t->state == JOURNAL_OLDER)
		return journal_unknown(t, path, why);
	if (t->state == JOURNAL_DAMAGED && !force)
		return diag_set(why, -EIO, "journal %s is damaged: neither its "
		    "head nor its end is whole; nothing is put back, and "
		    "registers may still be changed: --force puts back what "
		    "its records have", path);
	if (!force && journal_foreign(t, acc))
		return diag_set(why, -ESTALE, "%s was written before the last "
		    "boot, or on another machine: nothing is put back; remove "
		    "it, or insist with --force", path);
	return 0;
}

int
journal_restore(const char *path, const struct node *node, bool force,
    struct diag *why)
{
	struct journal j = { .fd = -1 };
	struct journal_text t = { .data = NULL };
	int rc;

	if ((rc = journal_find(&j, path, why)) == 0 &&
	    (rc = journal_lock(&j, false, why)) < 0)
		close(j.dir);
	if (rc < 0)
		return rc == -ENOENT ? diag_set(why, rc, "no journal at %s: "
		    "no tallyd left registers changed", path) : rc;
	if ((rc = journal_read(&t, j.fd)) < 0)
		diag_set(why, rc, "journal %s: %s", path, strerror(-rc));
	else if ((rc = restore_refuse(&t, path, force, node->acc, why)) == 0 &&
	    t.state != JOURNAL_EMPTY && t.state != JOURNAL_IDLE)
		rc = restore_from(&t, path, node, why);
	if (rc < 0)
		journal_leave(&j);      /* the file keeps what failed */
	else
		journal_done(&j);
	if (t.state == JOURNAL_EMPTY)
		rc = diag_set(why, -ENODATA, "journal %s was empty: its tallyd "
		    "died before it changed a register, or somebody emptied "
		    "it; nothing is put back", path);
	if (t.state == JOURNAL_IDLE)
		rc = diag_set(why, -ENOENT, "journal %s: its tallyd had "
		    "changed no register, or put all back", path);
	journal_text_fini(&t);
	return rc;
}
