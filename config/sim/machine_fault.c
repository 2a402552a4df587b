/*
 * config/sim/machine_fault.c - parses a line that describes a fault of a simulated machine.
 *
 *	fault  = [ "from" T ] [ "to" T ] what          T: s since machine start
 *	what   = "lproc" N "offline"
 *	       | "lproc" N "stall" SECONDS      its next read waits so long
 *	       | "lproc" N "perf" ( COUNTERS | "moves" )    another user of perf
 *	       | [ "lproc" N | "pkg" P ] "msr" A error      A cannot be accessed
 *	       | ( "lproc" N | "pkg" P ) "msr" A "=" V      another agent sets it
 *	       | "msr" "writes" error                       of any MSR, not of PCI or MMIO
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
#include "config/sim/machine_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct fault_reader {
	char *rest;
	struct sim_fault f;
	struct diag *why;
};

static int
machine_fault_wrong(struct fault_reader *l, const char *got, const char *right)
{
	return diag_set(l->why, -EINVAL, "fault: %s%s%s instead of %s",
	    got != NULL ? "\"" : "", got != NULL ? got : "the line ends",
	    got != NULL ? "\"" : "", right);
}

/* Parses the next word as a number up to max. */
static int
fault_number(struct fault_reader *l, uint64_t *value, uint64_t max,
    const char *what)
{
	const char *w = line_word(&l->rest);

	return w != NULL && line_number(w, value) && *value <= max ? 0 :
	    machine_fault_wrong(l, w, what);
}

static int
fault_unsigned(struct fault_reader *l, unsigned *value, const char *what)
{
	uint64_t v = 0;
	int rc = fault_number(l, &v, INT32_MAX, what);

	*value = (unsigned)v;
	return rc;
}

static int
is_error(const char *word)
{
	return word_says(word, "EIO") ? -EIO : word_says(word, "EPERM") ? -EPERM :
	    word_says(word, "ENXIO") ? -ENXIO : 0;
}

static int
fault_is(struct fault_reader *l, enum fault_kind kind)
{
	l->f.kind = kind;
	return 0;
}

static int
read_stall(struct fault_reader *l, enum fault_kind kind)
{
	const char *w = line_word(&l->rest);

	l->f.kind = kind;
	return w != NULL && line_seconds(w, &l->f.value) ? 0 :
	    machine_fault_wrong(l, w, "SECONDS");
}

/* Parses A[/B], the fraction of the truth that is counted. */
static int
read_counts(struct fault_reader *l)
{
	char *w = line_word(&l->rest), *slash = w != NULL ? strchr(w, '/') : NULL;

	if (slash != NULL)
		*slash++ = '\0';
	l->f.kind = FAULT_COUNTS;
	l->f.den = 1;
	return w != NULL && line_number(w, &l->f.num) && (slash == NULL ||
	    (line_number(slash, &l->f.den) && l->f.den != 0)) ? 0 :
	    machine_fault_wrong(l, w, "how much of the truth: 2 or 1/2");
}

/* Parses what happens to a register: "=" V | "tear" | "counts" A[/B] | "shows" REG. */
static int
change(struct fault_reader *l, const char *word)
{
	if (word_says(word, "=")) {
		l->f.kind = FAULT_SET;
		return fault_number(l, &l->f.value, UINT64_MAX - 1, "a value");
	}
	if (word_says(word, "counts"))
		return read_counts(l);
	if (word_says(word, "shows") && l->f.box != NULL) {
		l->f.kind = FAULT_SHOWS;
		l->f.other = line_word(&l->rest);
		return l->f.other != NULL ? 0 : machine_fault_wrong(l, NULL,
		    "another register of that box");
	}
	return word_says(word, "tear") ? fault_is(l, FAULT_TEAR) :
	    machine_fault_wrong(l, word,
	    "\"= VALUE\", \"tear\" or \"absent\"");
}

static int
read_msr_fault(struct fault_reader *l)
{
	const char *w = line_word(&l->rest);

	if (word_says(w, "writes")) {
		l->f.kind = FAULT_WRITES;
		w = line_word(&l->rest);
		l->f.error = is_error(w);
		return l->f.error != 0 ? 0 :
		    machine_fault_wrong(l, w, "EPERM or EIO");
	}
	l->f.space = REG_MSR;
	if (w == NULL || !line_number(w, &l->f.offset) ||
	    l->f.offset > UINT32_MAX)
		return machine_fault_wrong(l, w,
		    "an MSR number or \"writes\"");
	w = line_word(&l->rest);
	if ((l->f.error = is_error(w)) != 0)
		return fault_is(l, FAULT_MSR);
	return word_says(w, "=") || word_says(w, "counts") ? change(l, w) :
	    machine_fault_wrong(l, w,
	    "EIO, EPERM, ENXIO, counts or \"= VALUE\"");
}

static int
read_pci_fault(struct fault_reader *l)
{
	const char *w = line_word(&l->rest);
	uint8_t bus, devfn;
	bool role;

	if (w == NULL || !line_function(w, &bus, &role, &devfn) || role)
		return machine_fault_wrong(l, w, "a function, as in 3a:0a.2");
	l->f.space = REG_PCI;
	l->f.function = PCI_UNIT(0, bus, devfn);
	w = line_word(&l->rest);
	if (word_says(w, "absent"))
		return fault_is(l, FAULT_PCI_ABSENT);
	if (word_says(w, "stall"))
		return read_stall(l, FAULT_PCI_STALL);
	if (w == NULL || !line_number(w, &l->f.offset) || l->f.offset > 0xffc)
		return machine_fault_wrong(l, w,
		    "\"absent\", \"stall\" or an offset");
	return change(l, line_word(&l->rest));
}

/* Parses KEY[/MASK] "counts" A[/B]: the counters whose control is KEY under MASK. */
static int
read_selected(struct fault_reader *l, char *w)
{
	char *slash = strchr(w, '/');

	l->f.mask = UINT64_MAX;
	if (slash != NULL)
		*slash++ = '\0';
	if (!line_number(w, &l->f.key) ||
	    (slash != NULL && !line_number(slash, &l->f.mask)))
		return machine_fault_wrong(l, w, "a control value");
	w = line_word(&l->rest);
	return word_says(w, "counts") ? read_counts(l) :
	    machine_fault_wrong(l, w, "\"counts\"");
}

/* Parses PKG INST of a box. */
static int
fault_unit(struct fault_reader *l, unsigned *pkg, unsigned *inst)
{
	int rc = fault_unsigned(l, pkg, "a package");

	return rc < 0 ? rc : fault_unsigned(l, inst, "an instance");
}

static int
read_box_fault(struct fault_reader *l)
{
	char *w;
	int rc;

	if ((l->f.box = line_word(&l->rest)) == NULL)
		return machine_fault_wrong(l, NULL, "the name of a box");
	if ((rc = fault_unit(l, &l->f.box_pkg, &l->f.box_inst)) < 0)
		return rc;
	w = line_word(&l->rest);
	if (word_says(w, "counts"))
		return read_counts(l);
	if (word_says(w, "shows")) {
		l->f.kind = FAULT_SHOWS;
		return fault_unit(l, &l->f.other_pkg, &l->f.other_inst);
	}
	if (word_says(w, "absent"))
		return fault_is(l, FAULT_BOX_ABSENT);
	if (w != NULL && *w >= '0' && *w <= '9')
		return read_selected(l, w);
	if ((l->f.reg = w) == NULL)
		return machine_fault_wrong(l, NULL, "\"absent\" or a register");
	return change(l, line_word(&l->rest));
}

static int
read_clock_fault(struct fault_reader *l)
{
	const char *w = line_word(&l->rest);
	uint64_t ns;

	if (w == NULL || (*w != '+' && *w != '-') || !line_seconds(w + 1, &ns))
		return machine_fault_wrong(l, w, "+SECONDS or -SECONDS");
	l->f.value = *w == '-' ? -ns : ns;
	return fault_is(l, FAULT_CLOCK);
}

/* Parses COUNTERS | "moves": another user of perf takes counters of the lproc's core,
 * or makes the kernel move events to other counters. */
static int
read_perf_fault(struct fault_reader *l)
{
	const char *w = line_word(&l->rest);

	l->f.kind = FAULT_PERF;
	return word_says(w, "moves") || (w != NULL &&
	    line_number(w, &l->f.value) && l->f.value > 0 &&
	    l->f.value <= SIM_CTRS) ? 0 : machine_fault_wrong(l, w,
	    "a number of counters, or \"moves\"");
}

static int
read_what(struct fault_reader *l, const char *w)
{
	bool lproc = word_says(w, "lproc");
	unsigned n;
	int rc;

	if (lproc || word_says(w, "pkg")) {
		if ((rc = fault_unsigned(l, &n, lproc ?
		    "an lproc of this machine" :
		    "a package of this machine")) < 0)
			return rc;
		*(lproc ? &l->f.lproc : &l->f.pkg) = (int)n;
		w = line_word(&l->rest);
		if (lproc && word_says(w, "offline"))
			return fault_is(l, FAULT_OFFLINE);
		if (lproc && word_says(w, "stall"))
			return read_stall(l, FAULT_STALL);
		if (lproc && word_says(w, "perf"))
			return read_perf_fault(l);
		if (!word_says(w, "msr"))
			return machine_fault_wrong(l, w, lproc ? "\"offline\", "
			    "\"stall\", \"perf\" or \"msr\"" : "\"msr\"");
	}
	if (word_says(w, "msr"))
		return read_msr_fault(l);
	if (word_says(w, "pci"))
		return read_pci_fault(l);
	if (word_says(w, "box"))
		return read_box_fault(l);
	if (word_says(w, "clock"))
		return read_clock_fault(l);
	return machine_fault_wrong(l, w, "lproc, pkg, msr, pci, box or clock");
}

/* Parses [ "from" T ] [ "to" T ] what. */
static int
read_fault(struct fault_reader *l)
{
	const char *w = line_word(&l->rest);
	int rc;

	if (word_says(w, "from")) {
		w = line_word(&l->rest);
		if (w == NULL || !line_seconds(w, &l->f.from))
			return machine_fault_wrong(l, w,
			    "seconds since machine start");
		w = line_word(&l->rest);
	}
	if (word_says(w, "to")) {
		w = line_word(&l->rest);
		if (w == NULL || !line_seconds(w, &l->f.to) ||
		    l->f.to <= l->f.from)
			return machine_fault_wrong(l, w,
			    "a later time, in seconds");
		w = line_word(&l->rest);
	}
	if ((rc = read_what(l, w)) < 0)
		return rc;
	if ((w = line_word(&l->rest)) != NULL)
		return machine_fault_wrong(l, w, "the end of the line");
	if (l->f.to != UINT64_MAX && l->f.kind >= FAULT_SET &&
	    !(l->f.kind == FAULT_PERF && l->f.value > 0))
		return diag_set(l->why, -EINVAL, "fault: this happens at one "
		    "moment; it takes no \"to\"");
	return 0;
}

int
machine_fault(struct sim *sim, const char *line, struct diag *why)
{
	char *copy = strdup(line);
	struct fault_reader l = { .rest = copy, .why = why,
	    .f = { .to = UINT64_MAX, .lproc = -1, .pkg = -1 } };
	int rc;

	if (copy == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	if ((rc = read_fault(&l)) == 0)
		rc = sim_fault(sim, &l.f, why);
	free(copy);
	return rc;
}
