/*
 * daemon/node/program.c - changing the machine's registers, and changing them
 * back.
 */
#include "daemon/node/program.h"

#include "daemon/log.h"
#include "daemon/node/soc.h"
#include "lib/printable.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *
plan_write_text(const struct plan_write *w, char *buf, size_t size)
{
	char addr[64];

	reg_addr_text(&w->addr, addr, sizeof(addr));
	if (w->type == NULL)
		snprintf(buf, size, "package %d %s (%s)", w->pkg, w->role,
		    addr);
	else if (w->type->scope == SCOPE_LPROC)
		snprintf(buf, size, "%s of lproc %u %s (%s)", w->type->name,
		    w->unit_inst, w->role, addr);
	else
		snprintf(buf, size, "%s %u of package %u %s (%s)",
		    w->type->name, w->unit_inst, w->unit_pkg, w->role, addr);
	return buf;
}

/* Why a register cannot be read, and what to do about that. */
static const char *
save_problem(const struct plan_write *w, int rc)
{
	if (rc == -ENXIO && w->addr.space == REG_MSR)
		return "that lproc is offline by now: start again";
	if (rc == -EIO && w->type != NULL && w->type->scope == SCOPE_LPROC)
		return "no such register here (hidden by a hypervisor?): leave "
		    "out the events that need it; `tallyd --dry-run -v` lists "
		    "what is written";
	return strerror(-rc);
}

static struct plan_fate *
fate_of(struct plan *plan, const struct plan_write *w)
{
	return &plan->fate[w - plan->write];
}

static int
save_one(struct plan *plan, struct plan_write *w, struct access *acc,
    struct diag *why)
{
	uint64_t raw;
	int rc = access_read(acc, &w->addr, &raw);
	char text[128];

	fate_of(plan, w)->written = false;
	if (rc < 0 && rc != -ENXIO && w->type == NULL) {
		w->new = w->old = ABSENT;       /* obstacle_frozen says so */
		return 0;
	}
	if (rc < 0 || (raw == ABSENT && w->addr.bytes == 8))
		return diag_set(why, rc < 0 ? rc : -EIO, "cannot save %s: %s",
		    plan_write_text(w, text, sizeof(text)), rc < 0 ?
		    save_problem(w, rc) : "reads all ones");
	if ((rc = access_writable(acc, &w->addr)) == -EROFS)
		return diag_set(why, rc, "cannot write %s: " READ_ONLY,
		    plan_write_text(w, text, sizeof(text)));
	w->old = raw;
	w->new = (w->old & ~w->clear) | w->set;
	if (w->when != 0 && !(w->old & w->when))
		w->new = w->old;
	return 0;
}

/* Is a register of one lproc also that of another lproc? */
static bool
shares(const struct plan *plan, const struct plan_write *w, unsigned lproc)
{
	if (w->type != NULL && w->type->scope == SCOPE_CCX)
		return plan->lproc.reader[lproc] == (int)w->lproc;
	return w->pkg >= 0 && plan->lproc.pkg[lproc] == w->pkg;
}

/* Does a job on a register through another lproc of its package or core complex, as the
 * lproc that the plan names is offline; -ENXIO: no other one answers either. */
static int
elsewhere(struct plan *plan, struct plan_write *w, struct access *acc,
    struct diag *why, int (*one)(struct plan *, struct plan_write *,
    struct access *, struct diag *))
{
	unsigned planned = w->addr.unit;
	int rc = -ENXIO;

	if (w->addr.space != REG_MSR)
		return rc;
	for (unsigned l = 0; rc == -ENXIO && l < plan->lproc.n; l++)
		if (l != planned && shares(plan, w, l)) {
			w->addr.unit = l;
			rc = one(plan, w, acc, why);
		}
	if (rc == -ENXIO)
		w->addr.unit = planned;
	return rc;
}

/* Is an lproc offline, whose own register it is? */
static bool
is_gone(const struct plan_write *w, int rc)
{
	return rc == -ENXIO && w->addr.space == REG_MSR && w->pkg < 0;
}

static int
save_anew(struct plan *plan, struct plan_write *w, struct access *acc,
    struct diag *why)
{
	int rc;

	/* what was not put back holds our value */
	if (!fate_of(plan, w)->written) {
		if ((rc = save_one(plan, w, acc, why)) == -ENXIO)
			rc = elsewhere(plan, w, acc, why, save_one);
		if (!is_gone(w, rc))
			return rc;
	}
	w->new = (w->old & ~w->clear) | w->set;
	return 0;
}

static int
save_all(struct plan *plan, struct access *acc, const struct team_job *job,
    struct diag *why)
{
	struct team_result r;

	team_do(plan->team, plan, acc, job, &r);
	return r.failed > 0 ? diag_set(why, r.rc, "%s", r.why.text) : 0;
}

int
program_save(struct plan *plan, struct access *acc, struct diag *why)
{
	static const struct team_job job = { .one = save_one };

	return save_all(plan, acc, &job, why);
}

int
program_save_anew(struct plan *plan, struct access *acc, struct diag *why)
{
	static const struct team_job job = { .one = save_anew };

	return save_all(plan, acc, &job, why);
}

unsigned
program_in_use(const struct plan *plan, char *first, size_t size)
{
	char text[128];
	unsigned n = 0;

	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];

		if (!(w->old & w->in_use))
			continue;
		if (n++ == 0)
			snprintf(first, size, "%s holds 0x%" PRIx64,
			    plan_write_text(w, text, sizeof(text)), w->old);
	}
	return n;
}

static const char *
refusal(int rc)
{
	switch (rc) {
	case -EPERM:
		return "the kernel refuses the write: lockdown (Secure Boot) "
		    "or msr.allow_writes=off; see `tallyd --check`";
	case -EACCES:
		return "no right to write; run as root";
	case -EIO:
		return "the processor refuses this value or has no such "
		    "register";
	case -ENXIO:
		return "that lproc is offline by now: start again";
	case -EROFS:
		return READ_ONLY;
	default:
		return strerror(-rc);
	}
}

/* Is it certain that a write that failed has changed nothing? */
static bool
got_nowhere(const struct reg_addr *addr, int rc)
{
	return rc == -EPERM || rc == -EACCES || rc == -ENXIO || rc == -ENODEV ||
	    (rc == -EIO && addr->space == REG_MSR);
}

/* A register does not read back as written: why, back and rc as of access_read.  Not
 * inlined, as its text would need a second page of each thread's stack. */
static __attribute__((noinline, cold)) int
not_read_back(const struct plan_write *w, uint64_t back, int rc,
    struct diag *why)
{
	char text[128];

	if (rc < 0)
		return diag_set(why, rc, "cannot read back %s: %s",
		    plan_write_text(w, text, sizeof(text)), strerror(-rc));
	return diag_set(why, -EIO, "%s does not keep its value: wrote "
	    "0x%" PRIx64 ", reads 0x%" PRIx64 "; somebody else may be "
	    "writing it", plan_write_text(w, text, sizeof(text)), w->new, back);
}

/* The same of one that cannot be written. */
static __attribute__((noinline, cold)) int
not_written(const struct plan_write *w, int rc, struct diag *why)
{
	char text[128];

	return diag_set(why, rc, "cannot write 0x%" PRIx64 " to %s: %s",
	    w->new, plan_write_text(w, text, sizeof(text)), refusal(rc));
}

/* Writes a register, and reads it back. */
static int
write_here(struct plan *plan, struct plan_write *w, struct access *acc,
    struct diag *why)
{
	struct plan_fate *fate = fate_of(plan, w);
	bool before = fate->written;
	uint64_t back;
	int rc;

	fate->seen = w->new;
	if (w->new == w->old) {
		fate->written = w->rotates;        /* a later turn writes it */
		return 0;
	}
	fate->written = true;
	rc = access_write(acc, &w->addr, w->new);
	if (got_nowhere(&w->addr, rc))
		fate->written = before;
	if (rc < 0)
		return not_written(w, rc, why);
	if (w->verify == 0)
		return 0;
	if ((rc = access_read(acc, &w->addr, &back)) < 0 ||
	    ((back ^ w->new) & w->verify))
		return not_read_back(w, back, rc, why);
	return 0;
}

static int
write_one(struct plan *plan, struct plan_write *w, struct access *acc,
    struct diag *why)
{
	struct plan_fate *fate = fate_of(plan, w);
	int rc = write_here(plan, w, acc, why);

	if (rc == -ENXIO)
		rc = elsewhere(plan, w, acc, why, write_here);
	fate->gone = is_gone(w, rc);
	return fate->gone ? 0 : rc;
}

int
program_write(struct plan *plan, struct access *acc, struct diag *why)
{
	static const struct team_job job = { .one = write_one };
	struct team_result r;
	int rc, gone = 0;

	team_do(plan->team, plan, acc, &job, &r);
	if (r.failed > 0)
		return diag_set(why, r.rc, "%s", r.why.text);
	for (unsigned i = 0; i < plan->nwrite; i++)
		gone += plan->fate[i].gone;
	rc = soc_start(plan, acc, why);
	return rc < 0 ? rc : gone;
}

/* Does a register of an lproc's own not hold what was to be written? */
static bool
is_unwritten(const struct plan *plan, unsigned lproc, struct access *acc)
{
	uint64_t now;

	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];

		if (w->addr.space == REG_MSR && w->pkg < 0 &&
		    w->lproc == lproc &&
		    (access_read(acc, &w->addr, &now) < 0 ||
		    ((now ^ w->new) & w->verify) != 0))
			return true;
	}
	return false;
}

void
program_leave_out(struct plan *plan, struct access *acc, bool any)
{
	for (unsigned i = 0; i < plan->nblock; i++) {
		struct block *b = &plan->block[i];

		b->unwritten = any && b->pkg < 0 &&
		    is_unwritten(plan, b->lproc, acc);
		if (b->unwritten)
			log_warnx("lproc %u has gone offline: it is not "
			    "sampled", b->lproc);
	}
	for (unsigned i = 0; i < plan->apart.nslow; i++) {
		struct plan_slow *s = &plan->apart.slow[i];

		s->unwritten = any && s->event != NULL && s->pkg < 0 &&
		    is_unwritten(plan, s->lproc, acc);
	}
}

uint64_t
program_owned(const struct plan_write *w)
{
	return w->clear | w->set;
}

/* Puts one register back; bits that are not ours stay as they are now. */
static int
program_put_back(const struct plan_write *w, struct access *acc)
{
	uint64_t own = program_owned(w), now;
	int rc;

	if ((rc = access_read(acc, &w->addr, &now)) < 0)
		return rc;
	if (w->addr.space == REG_PCI && w->addr.bytes == 4 &&
	    now == UINT32_MAX)
		return -ENODEV;
	/* it is as it was, or did not take what was written */
	if (w->verify != 0 && ((now ^ w->old) & own) == 0)
		return 0;
	if ((rc = access_write(acc, &w->addr, (now & ~own) |
	    (w->old & own))) < 0)
		return rc;
	if (w->verify == 0)
		return 0;
	if ((rc = access_read(acc, &w->addr, &now)) < 0)
		return rc;
	return (now ^ w->old) & w->verify ? -EIO : 0;
}

static int
put_back_one(struct plan *plan, struct plan_write *w, struct access *acc,
    struct diag *why)
{
	(void)plan;
	(void)why;
	return program_put_back(w, acc);
}

static int
restore_one(struct plan *plan, struct plan_write *w, struct access *acc,
    struct diag *why)
{
	struct plan_fate *fate = fate_of(plan, w);
	char text[128];
	int rc;

	if (!fate->written)
		return 0;
	if ((rc = program_put_back(w, acc)) == -ENXIO)
		rc = elsewhere(plan, w, acc, why, put_back_one);
	fate->written = rc != 0;
	if (rc == -ENXIO && w->addr.space == REG_MSR)
		return diag_set(why, rc, "lproc %u is offline, and %s not back "
		    "at 0x%" PRIx64 ": `echo 1 > /sys/devices/system/cpu/cpu%u/"
		    "online`, then `tallyd --restore`", w->addr.unit,
		    plan_write_text(w, text, sizeof(text)), w->old,
		    w->addr.unit);
	if (rc == -ENODEV && w->addr.space == REG_PCI)
		return diag_set(why, rc, "%s does not answer: its PCI function "
		    "was removed; `echo 1 > /sys/bus/pci/rescan`, then "
		    "`tallyd --restore`, puts back 0x%" PRIx64,
		    plan_write_text(w, text, sizeof(text)), w->old);
	return rc == 0 ? 0 : diag_set(why, rc, "%s is not back at 0x%" PRIx64
	    ": %s", plan_write_text(w, text, sizeof(text)), w->old,
	    strerror(-rc));
}

static int
lend_one(struct plan *plan, struct plan_write *w, struct access *acc,
    struct diag *why)
{
	struct plan_fate *fate = fate_of(plan, w);
	int rc = restore_one(plan, w, acc, why);

	fate->gone = is_gone(w, rc);
	return fate->gone ? 0 : rc;
}

static unsigned
restore_all(struct plan *plan, struct access *acc, const struct team_job *job,
    struct diag *why)
{
	int soc = soc_stop(plan, acc);
	struct team_result r;

	if (soc < 0)
		diag_set(why, soc, "the SoC counters are not at rest: %s",
		    strerror(-soc));
	team_do(plan->team, plan, acc, job, &r);
	if (r.failed > 0)
		*why = r.why;
	return r.failed + (soc < 0);
}

unsigned
program_restore(struct plan *plan, struct access *acc, struct diag *why)
{
	static const struct team_job job = { .one = restore_one,
	    .backward = true, .go_on = true };

	return restore_all(plan, acc, &job, why);
}

unsigned
program_lend(struct plan *plan, struct access *acc, unsigned *left,
    struct diag *why)
{
	static const struct team_job job = { .one = lend_one,
	    .backward = true, .go_on = true };
	unsigned failed = restore_all(plan, acc, &job, why), first = 0;
	bool others = false;

	*left = 0;
	for (unsigned i = 0; i < plan->nwrite; i++) {
		if (!plan->fate[i].gone || !plan->fate[i].written)
			continue;
		if ((*left)++ == 0)
			first = plan->write[i].lproc;
		others = others || plan->write[i].lproc != first;
	}
	if (failed == 0 && *left > 0)
		diag_set(why, 0, "lproc %u%s offline: %u register%s of %s "
		    "stay%s as tallyd has set %s, until a pause or the end "
		    "of the run finds %s online", first, others ?
		    " and others are" : " is", *left, plural(*left), others ?
		    "theirs" : "its own", *left == 1 ? "s" : "", *left == 1 ?
		    "it" : "them", others ? "them" : "it");
	return failed;
}

bool
program_is_lent(const struct plan *plan)
{
	unsigned i = 0;

	while (i < plan->nwrite && (!plan->fate[i].written ||
	    plan->fate[i].gone))
		i++;
	return i == plan->nwrite;
}
