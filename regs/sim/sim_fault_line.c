/*
 * regs/sim/sim_fault_line.c - parses a line that describes a fault of the simulated
 * machine.
 *
 *	fault  = [ "from" T ] [ "to" T ] what          T: s since machine start
 *	what   = "lproc" N "offline"
 *	       | "lproc" N "stall" SECONDS      its next read waits so long
 *	       | "lproc" N "perf" ( COUNTERS | "moves" )    another user of perf
 *	       | [ "lproc" N | "pkg" P ] "msr" A error      A cannot be accessed
 *	       | ( "lproc" N | "pkg" P ) "msr" A "=" V      another agent sets it
 *	       | "msr" "writes" error                       none is allowed
 *	       | "pci" BB:DD.F "absent"                     reads all ones
 *	       | "pci" BB:DD.F "stall" SECONDS              as of an lproc
 *	       | "pci" BB:DD.F OFFSET ( "=" V | "tear" )
 *	       | "box" NAME PKG INST "absent"
 *	       | "box" NAME PKG INST REG ( "=" V | "tear" )
 *	       | "box" NAME PKG INST [ KEY[/MASK] ] "counts" A[/B]   of the truth
 *	       | "box" NAME PKG INST "shows" PKG INST       counters of that one
 *	       | "box" NAME PKG INST REG "shows" REG
 *	       | ( "lproc" N | "pkg" P ) "msr" A "counts" A[/B]
 *	       | "clock" ( "+" | "-" ) SECONDS              realtime is set
 *	error  = "EIO" | "EPERM" | "ENXIO"
 *	REG    = "ctl"n | "ctr"n | "boxctl" | "fixedctl" | "fixed"n | filter name
 *
 * Without "from" the fault begins now; without "to" it has no end.  "tear" sets a
 * 64-bit counter of PCI space just below a carry, so that its low half wraps right
 * after the first half is read; this adds less than 2^32 counts, once.  "stall"
 * stands for an lproc whose interrupts are off: a read of it waits, and everything
 * that is read afterwards is late by as much.
 */
#include "regs/sim/sim_int.h"
#include "regs/sim/sim_words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int
schedule(struct sim *s, const struct fault *f, struct diag *why)
{
	struct fault *bigger;
	unsigned i;

	sim_tick(s);
	if (f->t <= s->t) {
		fault_apply(s, f);
		return 0;
	}
	bigger = realloc(s->fault, (s->nfault + 1) * sizeof(*bigger));
	if (bigger == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	s->fault = bigger;
	for (i = s->nfault++; i > 0 && s->fault[i - 1].t > f->t; i--)
		s->fault[i] = s->fault[i - 1];
	s->fault[i] = *f;
	return 0;
}

struct fault_reader {
	struct sim *s;
	char *rest;
	struct fault f;
	struct diag *why;
};

static int
sim_fault_line_wrong(struct fault_reader *l, const char *got, const char *right)
{
	return diag_set(l->why, -EINVAL, "fault: %s%s%s instead of %s",
	    got != NULL ? "\"" : "", got != NULL ? got : "the line ends",
	    got != NULL ? "\"" : "", right);
}

static int
number_below(struct fault_reader *l, uint64_t *value, uint64_t limit,
    const char *what)
{
	const char *w = sim_word(&l->rest);

	if (w == NULL || !sim_number(w, value) || *value >= limit)
		return sim_fault_line_wrong(l, w, what);
	return 0;
}

static int
is_error(const char *word)
{
	return word == NULL ? 0 : strcmp(word, "EIO") == 0 ? -EIO
	    : strcmp(word, "EPERM") == 0 ? -EPERM
	    : strcmp(word, "ENXIO") == 0 ? -ENXIO : 0;
}

static int
read_stall(struct fault_reader *l, enum fault_kind kind)
{
	const char *w = sim_word(&l->rest);

	l->f.kind = kind;
	return w != NULL && sim_seconds(w, &l->f.value) ? 0 :
	    sim_fault_line_wrong(l, w, "SECONDS");
}

/* Parses A[/B], the fraction of the truth that is counted. */
static int
read_counts(struct fault_reader *l)
{
	char *w = sim_word(&l->rest), *slash = w != NULL ? strchr(w, '/') : NULL;

	if (slash != NULL)
		*slash++ = '\0';
	l->f.kind = F_COUNTS;
	l->f.den = 1;
	if (w == NULL || !sim_number(w, &l->f.num) || (slash != NULL &&
	    (!sim_number(slash, &l->f.den) || l->f.den == 0)))
		return sim_fault_line_wrong(l, w,
		    "how much of the truth: 2 or 1/2");
	/* one register's own */
	if (l->f.reg != NULL)
		l->f.unit = NULL;
	return 0;
}

static struct reg *unit_reg(const struct sim_unit *, const char *name);

static int
read_shows(struct fault_reader *l)
{
	const char *w = sim_word(&l->rest);

	l->f.kind = F_SHOWS;
	if (w == NULL || (l->f.other = unit_reg(l->f.unit, w)) == NULL)
		return sim_fault_line_wrong(l, w,
		    "another register of that box");
	return 0;
}

/* Parses "=" V | "tear" for l->f.reg. */
static int
change(struct fault_reader *l, const char *word)
{
	const struct reg *r = l->f.reg;

	if (word != NULL && strcmp(word, "=") == 0) {
		l->f.kind = F_SET;
		return number_below(l, &l->f.value, UINT64_MAX, "a value");
	}
	if (word != NULL && strcmp(word, "counts") == 0)
		return read_counts(l);
	if (word != NULL && strcmp(word, "shows") == 0 && l->f.unit != NULL)
		return read_shows(l);
	if (word == NULL || strcmp(word, "tear") != 0)
		return sim_fault_line_wrong(l, word,
		    "\"= VALUE\", \"tear\" or \"absent\"");
	if ((r->kind != R_CTR && r->kind != R_FIXED && r->kind != R_COUNT) ||
	    r->bits <= 32)
		return diag_set(l->why, -EINVAL, "fault: only a counter of more"
		    " than 32 bits can tear");
	l->f.kind = F_TEAR;
	return 0;
}

static int
read_msr_fault(struct fault_reader *l)
{
	struct reg_addr addr = { .space = REG_MSR };
	struct sim_page *page;
	const char *w = sim_word(&l->rest);
	bool high;

	if (w != NULL && strcmp(w, "writes") == 0) {
		l->f.kind = F_WRITES;
		w = sim_word(&l->rest);
		l->f.error = is_error(w);
		return l->f.error != 0 ? 0 :
		    sim_fault_line_wrong(l, w, "EPERM or EIO");
	}
	if (w == NULL || !sim_number(w, &l->f.msr) || l->f.msr > UINT32_MAX)
		return sim_fault_line_wrong(l, w,
		    "an MSR number or \"writes\"");
	w = sim_word(&l->rest);
	if ((l->f.error = is_error(w)) != 0) {
		l->f.kind = F_MSR;
		return 0;
	}
	if (w == NULL || (strcmp(w, "=") != 0 && strcmp(w, "counts") != 0))
		return sim_fault_line_wrong(l, w,
		    "EIO, EPERM, ENXIO, counts or \"= VALUE\"");
	addr.offset = l->f.msr;
	addr.unit = l->f.lproc >= 0 ? (uint32_t)l->f.lproc : 0;
	while (l->f.pkg >= 0 && addr.unit < l->s->nlproc &&
	    (!l->s->place[addr.unit].exists ||
	    l->s->place[addr.unit].pkg != (unsigned)l->f.pkg))
		addr.unit++;
	l->f.reg = reg_find(l->s, &addr, &high, &page);
	if (l->f.reg == NULL || l->f.reg->kind == R_NONE)
		return diag_set(l->why, -EINVAL, "fault: this machine has no "
		    "MSR 0x%x there", (unsigned)l->f.msr);
	return change(l, w);
}

static int
read_pci_fault(struct fault_reader *l)
{
	struct reg_addr addr = { .space = REG_PCI, .bytes = 4 };
	const char *w = sim_word(&l->rest);
	uint8_t bus, devfn;
	bool role, high;

	if (w == NULL || !sim_function(w, &bus, &role, &devfn) || role)
		return sim_fault_line_wrong(l, w, "a function, as in 3a:0a.2");
	addr.unit = PCI_UNIT(0, bus, devfn);
	if ((l->f.page = sim_page_at(l->s, REG_PCI, addr.unit, false)) == NULL)
		return diag_set(l->why, -EINVAL, "fault: this machine has no "
		    "PCI function %s", w);
	w = sim_word(&l->rest);
	if (w != NULL && strcmp(w, "absent") == 0) {
		l->f.kind = F_PCI_ABSENT;
		return 0;
	}
	if (w != NULL && strcmp(w, "stall") == 0)
		return read_stall(l, F_PCI_STALL);
	if (w == NULL || !sim_number(w, &addr.offset) || addr.offset > 0xffc)
		return sim_fault_line_wrong(l, w,
		    "\"absent\", \"stall\" or an offset");
	l->f.reg = reg_find(l->s, &addr, &high, &l->f.page);
	if (l->f.reg == NULL || high)
		return diag_set(l->why, -EINVAL, "fault: no register starts at "
		    "offset %s", w);
	return change(l, sim_word(&l->rest));
}

static struct reg *
unit_reg(const struct sim_unit *u, const char *name)
{
	const struct sim_box *b = u->box;
	char *end;
	unsigned long n;

	if (strcmp(name, "boxctl") == 0)
		return u->boxctl;
	if (strcmp(name, "fixedctl") == 0)
		return u->fixedctl;
	for (unsigned i = 0; i < b->nfilter; i++)
		if (strcmp(name, b->filter[i].name) == 0)
			return u->filter[i];
	n = strcspn(name, "0123456789");
	if (name[n] == '\0')
		return NULL;
	if (n == 3 && strncmp(name, "ctl", 3) == 0) {
		n = strtoul(name + 3, &end, 10);
		return *end == '\0' && n < b->counters ? u->ctl[n] : NULL;
	}
	if (n == 3 && strncmp(name, "ctr", 3) == 0) {
		n = strtoul(name + 3, &end, 10);
		return *end == '\0' && n < b->counters ? u->ctr[n] : NULL;
	}
	if (n == 5 && strncmp(name, "fixed", 5) == 0) {
		n = strtoul(name + 5, &end, 10);
		return *end == '\0' && n < SIM_FIXED ? u->fixed[n] : NULL;
	}
	return NULL;
}

/* Parses PKG INST of that box. */
static int
read_unit(struct fault_reader *l, const char *name, struct sim_unit **unit)
{
	struct sim *s = l->s;
	uint64_t pkg, inst;
	int rc;

	if ((rc = number_below(l, &pkg, SIM_PKGS, "a package")) < 0 ||
	    (rc = number_below(l, &inst, SIM_CORES, "an instance")) < 0)
		return rc;
	for (unsigned i = 0; i < s->nunits; i++)
		if (strcmp(s->units[i]->box->name, name) == 0 &&
		    s->units[i]->pkg == pkg && s->units[i]->inst == inst) {
			*unit = s->units[i];
			return 0;
		}
	return diag_set(l->why, -EINVAL, "fault: this machine has no "
	    "box %s %u %u", name, (unsigned)pkg, (unsigned)inst);
}

/* Parses KEY[/MASK] "counts" A[/B]: the counters whose control is KEY under MASK. */
static int
read_selected(struct fault_reader *l, char *w)
{
	const struct sim_box *b = l->f.unit->box;
	char *slash = strchr(w, '/');

	l->f.mask = UINT64_MAX;
	if (slash != NULL)
		*slash++ = '\0';
	if (!sim_number(w, &l->f.key) ||
	    (slash != NULL && !sim_number(slash, &l->f.mask)))
		return sim_fault_line_wrong(l, w, "a control value");
	l->f.mask &= ~(b->enable | b->ignore);
	l->f.key &= l->f.mask;
	w = sim_word(&l->rest);
	return w != NULL && strcmp(w, "counts") == 0 ? read_counts(l) :
	    sim_fault_line_wrong(l, w, "\"counts\"");
}

static int
read_box_fault(struct fault_reader *l)
{
	const char *name = sim_word(&l->rest);
	char *w;
	int rc;

	if (name == NULL)
		return sim_fault_line_wrong(l, name, "the name of a box");
	if ((rc = read_unit(l, name, &l->f.unit)) < 0)
		return rc;
	w = sim_word(&l->rest);
	if (w != NULL && strcmp(w, "counts") == 0)
		return read_counts(l);
	if (w != NULL && strcmp(w, "shows") == 0) {
		l->f.kind = F_SHOWS;
		return read_unit(l, name, &l->f.as);
	}
	if (w != NULL && *w >= '0' && *w <= '9')
		return read_selected(l, w);
	if (w != NULL && strcmp(w, "absent") == 0) {
		l->f.kind = F_BOX_ABSENT;
		return 0;
	}
	if (w == NULL || (l->f.reg = unit_reg(l->f.unit, w)) == NULL)
		return sim_fault_line_wrong(l, w,
		    "\"absent\", ctl0, ctr0, boxctl, fixedctl, "
		    "fixed0 or a filter of that box");
	return change(l, sim_word(&l->rest));
}

static int
read_clock_fault(struct fault_reader *l)
{
	const char *w = sim_word(&l->rest);
	uint64_t ns;

	if (w == NULL || (*w != '+' && *w != '-') || !sim_seconds(w + 1, &ns))
		return sim_fault_line_wrong(l, w, "+SECONDS or -SECONDS");
	l->f.kind = F_CLOCK;
	l->f.value = *w == '-' ? -ns : ns;
	return 0;
}

/* Parses COUNTERS | "moves": another user of perf takes counters of the lproc's core,
 * or makes the kernel move events to other counters. */
static int
read_perf_fault(struct fault_reader *l)
{
	const char *w = sim_word(&l->rest);

	l->f.kind = F_PERF;
	if (w != NULL && strcmp(w, "moves") == 0)
		return 0;
	if (w == NULL || !sim_number(w, &l->f.value) || l->f.value == 0 ||
	    l->f.value > SIM_CTRS)
		return sim_fault_line_wrong(l, w,
		    "a number of counters, or \"moves\"");
	return 0;
}

static int
read_what(struct fault_reader *l, const char *w)
{
	uint64_t n;
	int rc;

	if (w != NULL && strcmp(w, "lproc") == 0) {
		if ((rc = number_below(l, &n, l->s->nlproc,
		    "an lproc of this machine")) < 0)
			return rc;
		l->f.lproc = (int)n;
		w = sim_word(&l->rest);
		if (w != NULL && strcmp(w, "offline") == 0) {
			l->f.kind = F_OFFLINE;
			return 0;
		}
		if (w != NULL && strcmp(w, "stall") == 0)
			return read_stall(l, F_STALL);
		if (w != NULL && strcmp(w, "perf") == 0)
			return read_perf_fault(l);
		if (w == NULL || strcmp(w, "msr") != 0)
			return sim_fault_line_wrong(l, w,
			    "\"offline\", \"stall\", "
			    "\"perf\" or \"msr\"");
	} else if (w != NULL && strcmp(w, "pkg") == 0) {
		if ((rc = number_below(l, &n, l->s->d->packages,
		    "a package of this machine")) < 0)
			return rc;
		l->f.pkg = (int)n;
		w = sim_word(&l->rest);
		if (w == NULL || strcmp(w, "msr") != 0)
			return sim_fault_line_wrong(l, w, "\"msr\"");
	}
	if (w != NULL && strcmp(w, "msr") == 0)
		return read_msr_fault(l);
	if (w != NULL && strcmp(w, "pci") == 0)
		return read_pci_fault(l);
	if (w != NULL && strcmp(w, "box") == 0)
		return read_box_fault(l);
	if (w != NULL && strcmp(w, "clock") == 0)
		return read_clock_fault(l);
	return sim_fault_line_wrong(l, w, "lproc, pkg, msr, pci, box or clock");
}

int
sim_fault(struct sim *s, const char *text, struct diag *why)
{
	char *copy = strdup(text);
	struct fault_reader l = { .s = s, .rest = copy, .why = why,
		.f = { .on = true, .lproc = -1, .pkg = -1 } };
	uint64_t to = UINT64_MAX;
	const char *w;
	int rc = 0;

	if (copy == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	sim_tick(s);
	l.f.t = s->t;
	w = sim_word(&l.rest);
	if (w != NULL && strcmp(w, "from") == 0) {
		w = sim_word(&l.rest);
		if (w == NULL || !sim_seconds(w, &l.f.t))
			rc = sim_fault_line_wrong(&l, w,
			    "seconds since machine start");
		w = sim_word(&l.rest);
	}
	if (rc == 0 && w != NULL && strcmp(w, "to") == 0) {
		w = sim_word(&l.rest);
		if (w == NULL || !sim_seconds(w, &to) || to <= l.f.t)
			rc = sim_fault_line_wrong(&l, w,
			    "a later time, in seconds");
		w = sim_word(&l.rest);
	}
	if (rc == 0)
		rc = read_what(&l, w);
	if (rc == 0 && (w = sim_word(&l.rest)) != NULL)
		rc = sim_fault_line_wrong(&l, w, "the end of the line");
	if (rc == 0 && to != UINT64_MAX && l.f.kind >= F_SET &&
	    !(l.f.kind == F_PERF && l.f.value > 0))
		rc = diag_set(why, -EINVAL, "fault: this happens at one moment;"
		    " it takes no \"to\"");
	if (rc == 0 && (rc = schedule(s, &l.f, why)) == 0 &&
	    to != UINT64_MAX) {
		l.f.t = to;
		l.f.on = false;
		rc = schedule(s, &l.f, why);
	}
	free(copy);
	return rc;
}
