/*
 * config/sim/machine_box.c - PMON blocks, and what they count.
 *
 * The keys of a box, with what they are when left out:
 *   space=msr|pci|mmio     msr
 *   scope=pkg|ccx|core|lproc         pkg
 *   instances=N            1; of each package, for scope=pkg
 *   present=MASK           all
 *   stride=N | base=LIST   added to every address of instance i
 *   pkgbase=LIST           added for package p (mmio)
 *   bus=ROLE devfn=LIST id=LIST      pci: function i, and its first dword
 *   counters=N bits=N      0, 48
 *   ctl=ADDR[+STEP] ctr=ADDR[+STEP]  STEP: 1; in pci and mmio 4 and 8
 *   ctlbits=32|64          64 for msr, else 32
 *   alias=ADDR             full-width way to the counters (IA32_A_PMC0)
 *   write=N                64; a write to a counter takes its low N bits and
 *                          extends their sign
 *   init=N                 what counters start at
 *   saturate=0|1           0; counters do not wrap: they stop at 2^bits
 *   gated=0|1              0; writes to counters are lost while no control of
 *                          the box is on
 *   enable=MASK            0x400000; bits of ctl that switch the counter on
 *   ignore=MASK            0x120000; bits that play no part in what it counts
 *   reset=MASK             0x20000; bits that reset the counter
 *   valid=MASK             0xffffffff; bits of ctl that may be set
 *   boxctl=ADDR boxvalid=MASK        none, 0x30103
 *   freeze=MASK frzen=MASK           0x100, 0: freezes if all of frzen is set
 *   rstctl=MASK rstctr=MASK          1, 2
 *   stepwise=0|1           0; boxctl refuses to be given several bits at once
 *   merge=MASK             none; in the control of an odd counter it makes the
 *                          even one before it count in full what has alone=
 *   status=ADDR            none; holds what is written
 *   filter=NAME,ADDR,VALID[,INIT]    up to four
 *   fixedctl=ADDR fixedctr=ADDR fixedbits=N      one fixed counter with a
 *   fixedenable=MASK fixedreset=MASK             control: 48, 0x400000, 0x80000
 *   nibbles=ADDR nfixed=N fixed=ADDR global=ADDR inuse=ADDR globalmore=MASK
 *                          the fixed counters of a core, IA32_FIXED_CTR_CTRL,
 *                          IA32_PERF_GLOBAL_CTRL and _INUSE
 */
#include "config/sim/machine_int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int
machine_global(struct machine *p)
{
	struct sim_desc *d = p->d;
	unsigned frozen = d->global_frozen;
	const struct machine_key keys[] = {
		{ "freeze=", 0, UINT64_MAX, .large = &d->global_freeze },
		{ "unfreeze=", 0, UINT64_MAX, .large = &d->global_unfreeze },
		{ "frozen=", 0, 1, .small = &frozen }, { .name = NULL },
	};
	int rc = machine_number(p, "MSR number", machine_word(p), 0, UINT32_MAX,
	    &d->global);

	if (rc == 0)
		rc = machine_keys(p, keys);
	d->global_frozen = frozen != 0;
	return rc;
}

struct sim_box *
machine_box_named(struct sim_desc *d, const char *name)
{
	for (unsigned i = 0; i < d->nbox; i++)
		if (strcmp(d->box[i].name, name) == 0)
			return &d->box[i];
	return NULL;
}

static struct sim_box *
box_new(struct sim_desc *d)
{
	struct sim_box b = { .space = REG_MSR, .scope = SIM_PKG,
	    .instances = 1, .bits = 48, .fixedbits = 48, .write = 64,
	    .boxctl = SIM_NOWHERE, .ctl = SIM_NOWHERE, .ctr = SIM_NOWHERE,
	    .alias = SIM_NOWHERE, .status = SIM_NOWHERE,
	    .fixedctl = SIM_NOWHERE, .fixedctr = SIM_NOWHERE,
	    .nibbles = SIM_NOWHERE, .fixed = SIM_NOWHERE,
	    .global = SIM_NOWHERE, .inuse = SIM_NOWHERE,
	    .enable = 0x400000, .fixedenable = 0x400000, .ignore = 0x120000,
	    .reset = 0x20000, .fixedreset = 0x80000, .valid = UINT32_MAX,
	    .boxvalid = 0x30103, .freeze = 0x100, .rstctl = 1, .rstctr = 2 };

	for (unsigned p = 0; p < SIM_PKGS; p++)
		b.present[p] = UINT64_MAX;
	return sim_desc_add(&d->box, &d->nbox, &b, sizeof(b)) < 0 ? NULL :
	    &d->box[d->nbox - 1];
}

#define AT(field) offsetof(struct sim_box, field)
static const struct box_key {
	const char *name;
	size_t field;
	uint64_t min, max;
	size_t step;            /* where the STEP of ADDR+STEP goes */
} box_keys[] = {
	{ "instances", AT(instances), 1, SIM_INSTANCES, 0 },
	{ "counters", AT(counters), 0, SIM_CTRS, 0 },
	{ "bits", AT(bits), 1, 64, 0 },
	{ "ctlbits", AT(ctlbits), 32, 64, 0 },
	{ "stride", AT(stride), 0, UINT32_MAX, 0 },
	{ "bus", AT(bus), 0, SIM_BUSES - 1, 0 },
	{ "init", AT(init), 0, UINT64_MAX, 0 },
	{ "boxctl", AT(boxctl), 0, UINT32_MAX, 0 },
	{ "ctl", AT(ctl), 0, UINT32_MAX, AT(ctlstep) },
	{ "ctr", AT(ctr), 0, UINT32_MAX, AT(ctrstep) },
	{ "alias", AT(alias), 0, UINT32_MAX, 0 },
	{ "status", AT(status), 0, UINT32_MAX, 0 },
	{ "boxvalid", AT(boxvalid), 0, UINT32_MAX, 0 },
	{ "freeze", AT(freeze), 0, UINT32_MAX, 0 },
	{ "frzen", AT(frzen), 0, UINT32_MAX, 0 },
	{ "rstctl", AT(rstctl), 0, UINT32_MAX, 0 },
	{ "rstctr", AT(rstctr), 0, UINT32_MAX, 0 },
	{ "stepwise", AT(stepwise), 0, 1, 0 },
	{ "valid", AT(valid), 0, UINT64_MAX, 0 },
	{ "enable", AT(enable), 0, UINT64_MAX, 0 },
	{ "ignore", AT(ignore), 0, UINT64_MAX, 0 },
	{ "reset", AT(reset), 0, UINT64_MAX, 0 },
	{ "merge", AT(merge), 0, UINT64_MAX, 0 },
	{ "write", AT(write), 1, 64, 0 },
	{ "saturate", AT(saturate), 0, 1, 0 },
	{ "gated", AT(gated), 0, 1, 0 },
	{ "fixedctl", AT(fixedctl), 0, UINT32_MAX, 0 },
	{ "fixedctr", AT(fixedctr), 0, UINT32_MAX, 0 },
	{ "fixedbits", AT(fixedbits), 1, 64, 0 },
	{ "fixedenable", AT(fixedenable), 0, UINT32_MAX, 0 },
	{ "fixedreset", AT(fixedreset), 0, UINT32_MAX, 0 },
	{ "nfixed", AT(nfixed), 0, SIM_FIXED, 0 },
	{ "nibbles", AT(nibbles), 0, UINT32_MAX, 0 },
	{ "fixed", AT(fixed), 0, UINT32_MAX, 0 },
	{ "global", AT(global), 0, UINT32_MAX, 0 },
	{ "globalmore", AT(globalmore), 0, UINT64_MAX, 0 },
	{ "inuse", AT(inuse), 0, UINT32_MAX, 0 },
};

static int
machine_box_choice(struct machine *p, const char *key, const char *value,
    const char *const *name, const uint8_t *is, uint64_t *into)
{
	for (; *name != NULL; name++, is++)
		if (strcmp(value, *name) == 0) {
			*into = *is;
			return 0;
		}
	return machine_wrong(p, "%s=%s is not known", key, value);
}

/* filter=NAME,ADDR,VALID[,INIT]; the same name again replaces it. */
static int
box_filter(struct machine *p, struct sim_box *b, char *value)
{
	struct sim_filter f = { .name = "" };
	const char *addr, *valid;
	unsigned i;
	int rc;

	if ((rc = machine_name(p, "filter's name", strsep(&value, ","), f.name,
	    sizeof(f.name))) < 0)
		return rc;
	addr = value != NULL ? strsep(&value, ",") : NULL;
	valid = value != NULL ? strsep(&value, ",") : NULL;
	if ((rc = machine_number(p, "filter's address", addr, 0, UINT32_MAX,
	    &f.offset)) < 0 ||
	    (rc = machine_number(p, "filter's valid bits", valid, 0, UINT64_MAX,
	    &f.valid)) < 0 ||
	    (value != NULL && (rc = machine_number(p, "filter's first value", value,
	    0, UINT64_MAX, &f.init)) < 0))
		return rc;
	for (i = 0; i < b->nfilter && strcmp(b->filter[i].name, f.name) != 0;
	    i++)
		;
	if (i == SIM_FILTERS)
		return machine_wrong(p, "more than %d filters", SIM_FILTERS);
	if (i == b->nfilter)
		b->nfilter++;
	b->filter[i] = f;
	return 0;
}

/* The PCI device and function of each instance: "0a.2,0a.6" after devfn=. */
static int
box_devfn(struct machine *p, struct sim_box *b, char *value)
{
	char text[32], *item;
	uint8_t bus, devfn;
	bool role;

	b->ndevfn = 0;
	while ((item = strsep(&value, ",")) != NULL) {
		snprintf(text, sizeof(text), "0:%s", item);
		if (strlen(item) > 8 ||
		    !line_function(text, &bus, &role, &devfn))
			return machine_wrong(p, "devfn \"%s\"; right would be DEV.FN "
			    "in hex, as in 0a.2", item);
		if (b->ndevfn == SIM_INSTANCES)
			return machine_wrong(p, "more than %d functions",
			    SIM_INSTANCES);
		b->devfn[b->ndevfn++] = devfn;
	}
	return 0;
}

static int
box_list(struct machine *p, const char *key, char *value, uint64_t *list,
    unsigned room, uint64_t *n)
{
	int rc = machine_list(p, key, value, UINT64_C(0xffffffffffff), list,
	    room);

	if (rc < 0)
		return rc;
	*n = (unsigned)rc;
	return 0;
}

static int
machine_box_key(struct machine *p, struct sim_box *b, const char *key,
    char *value, unsigned pkg)
{
	static const char *const space[] = { "msr", "pci", "mmio", NULL };
	static const uint8_t spaces[] = { REG_MSR, REG_PCI, REG_MMIO };
	static const char *const scope[] = { "pkg", "ccx", "core", "lproc",
		NULL };
	static const uint8_t scopes[] = { SIM_PKG, SIM_CCX, SIM_CORE,
		SIM_LPROC };
	char *step = NULL;
	uint64_t v = 0;
	int rc;

	if (word_says(key, "space"))
		return machine_box_choice(p, key, value, space, spaces,
		    &b->space);
	if (word_says(key, "scope"))
		return machine_box_choice(p, key, value, scope, scopes,
		    &b->scope);
	if (word_says(key, "filter"))
		return box_filter(p, b, value);
	if (word_says(key, "devfn"))
		return box_devfn(p, b, value);
	if (word_says(key, "id"))
		return box_list(p, key, value, b->id, SIM_INSTANCES, &b->nid);
	if (word_says(key, "base"))
		return box_list(p, key, value, b->base, SIM_INSTANCES,
		    &b->nbase);
	if (word_says(key, "pkgbase"))
		return box_list(p, key, value, b->pkgbase, SIM_PKGS,
		    &b->npkgbase);
	if (word_says(key, "present")) {
		rc = machine_number(p, key, value, 0, UINT64_MAX, &v);
		for (unsigned i = 0; rc == 0 && i < SIM_PKGS; i++)
			if (pkg == SIM_PKGS || pkg == i)
				b->present[i] = v;
		return rc;
	}
	for (unsigned i = 0; i < sizeof(box_keys) / sizeof(*box_keys); i++) {
		const struct box_key *k = &box_keys[i];

		if (strcmp(key, k->name) != 0)
			continue;
		if (k->step != 0 && (step = strchr(value, '+')) != NULL)
			*step++ = '\0';
		if ((rc = machine_number(p, key, value, k->min, k->max,
		    (uint64_t *)((char *)b + k->field))) < 0 || step == NULL)
			return rc;
		return machine_number(p, key, step, 1, 4096,
		    (uint64_t *)((char *)b + k->step));
	}
	return machine_wrong(p, "unknown word \"%s\"; a box has space scope instances "
	    "present stride base pkgbase bus devfn id counters bits ctl ctr "
	    "ctlbits alias write init saturate gated enable ignore reset valid boxctl "
	    "boxvalid freeze frzen rstctl rstctr stepwise status filter "
	    "fixedctl fixedctr fixedbits fixedenable fixedreset nibbles nfixed fixed "
	    "global globalmore inuse merge", key);
}

int
machine_box(struct machine *p)
{
	struct sim_desc *d = p->d;
	char name[sizeof(d->box->name)], *w, *value;
	unsigned pkg = SIM_PKGS;
	struct sim_box *b;
	int rc;

	if ((rc = machine_name(p, "box's name", machine_word(p), name,
	    sizeof(name))) < 0)
		return rc;
	if ((b = machine_box_named(d, name)) == NULL) {
		if ((b = box_new(d)) == NULL)
			return -ENOMEM;
		memcpy(b->name, name, sizeof(name));
		b->line = p->line;
	}
	b->none = false;
	while ((w = machine_word(p)) != NULL) {
		if (word_says(w, "none")) {
			b->none = true;
			continue;
		}
		if (!machine_split(w, &value))
			return machine_wrong(p, "\"%s\"; right would be KEY=VALUE", w);
		rc = word_says(w, "pkg")
		    ? machine_unsigned(p, w, value, 0, SIM_PKGS - 1, &pkg)
		    : machine_box_key(p, b, w, value, pkg);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* Check a box for missing keys, after all of its statements were read. */
int
machine_box_finish(struct machine *p, struct sim_box *b)
{
	p->line = b->line;
	if (b->none)
		return 0;
	if (b->counters > 0 && (b->ctl == SIM_NOWHERE || b->ctr == SIM_NOWHERE))
		return machine_wrong(p, "box %s has counters but no ctl= and ctr=",
		    b->name);
	if (b->space == REG_PCI && (b->ndevfn == 0 || b->scope != SIM_PKG))
		return machine_wrong(p, "box %s is in PCI space: it needs devfn=LIST "
		    "and scope=pkg", b->name);
	if (b->space == REG_MMIO && b->scope != SIM_PKG)
		return machine_wrong(p, "box %s is in MMIO space: it needs scope=pkg",
		    b->name);
	if ((b->fixedctl != SIM_NOWHERE) != (b->fixedctr != SIM_NOWHERE))
		return machine_wrong(p, "box %s needs both fixedctl= and fixedctr=, or "
		    "none", b->name);
	if (b->nibbles != SIM_NOWHERE &&
	    (b->fixed == SIM_NOWHERE || b->nfixed == 0 ||
	    b->fixedctl != SIM_NOWHERE))
		return machine_wrong(p, "box %s: nibbles= needs nfixed=N and "
		    "fixed=ADDR, and no fixedctl=", b->name);
	if (b->saturate != 0 && b->bits == 64)
		return machine_wrong(p, "box %s: counters that saturate have 63 "
		    "bits at most", b->name);
	if (b->ctlbits == 0)
		b->ctlbits = b->space == REG_MSR ? 64 : 32;
	if (b->ctlstep == 0)
		b->ctlstep = b->space == REG_MSR ? 1 : 4;
	if (b->ctrstep == 0)
		b->ctrstep = b->space == REG_MSR ? 1 : 8;
	return 0;
}

/* "fixed", "fixed1" */
int
machine_fixed(struct machine *p, const struct sim_box *b, const char *word,
    int *fixed)
{
	unsigned n = 0;
	int rc = 0;

	if (word[5] != '\0')
		rc = machine_unsigned(p, "fixed counter", word + 5, 0,
		    SIM_FIXED - 1, &n);
	if (rc == 0 && n >= (b->nibbles != SIM_NOWHERE ? b->nfixed
	    : b->fixedctl != SIM_NOWHERE ? 1 : 0))
		rc = machine_wrong(p, "box %s has no fixed counter %u", b->name, n);
	*fixed = (int)n;
	return rc;
}

/* VALUE[/MASK] */
int
machine_masked(struct machine *p, const char *what, char *word, uint64_t *value,
    uint64_t *mask)
{
	char *slash = strchr(word, '/');
	int rc;

	*mask = UINT64_MAX;
	if (slash != NULL)
		*slash++ = '\0';
	if ((rc = machine_number(p, what, word, 0, UINT64_MAX, value)) < 0 ||
	    (slash != NULL && (rc = machine_number(p, what, slash, 0, UINT64_MAX,
	    mask)) < 0))
		return rc;
	if ((*value & ~*mask) != 0)
		return machine_wrong(p, "%s 0x%" PRIx64 " has bits outside its mask "
		    "0x%" PRIx64, what, *value, *mask);
	return 0;
}

/* FILTER=VALUE[/MASK] or FILTER&MASK: 1 if the word is neither. */
static int
filter_option(struct machine *p, const struct sim_box *b, struct sim_event *e,
    char *word)
{
	size_t len = strcspn(word, "=&");
	struct sim_cond c = { .any = word[len] == '&' };
	uint64_t mask;
	int rc;

	while (c.filter < b->nfilter &&
	    (strlen(b->filter[c.filter].name) != len ||
	    strncmp(word, b->filter[c.filter].name, len) != 0))
		c.filter++;
	if (word[len] == '\0' || c.filter == b->nfilter)
		return 1;
	rc = machine_masked(p, "filter", word + len + 1, &c.value, &c.mask);
	if (rc < 0)
		return rc;
	if (e->ncond == SIM_CONDS)
		return machine_wrong(p, "more than %d filters", SIM_CONDS);
	if (c.any) {
		mask = c.value;
		c.value = 0;
		c.mask = mask;
	}
	e->cond[e->ncond++] = c;
	return 0;
}

int
machine_event(struct machine *p)
{
	struct sim_desc *d = p->d;
	struct sim_event e = { .line = p->line, .fixed = -1,
		.where = machine_anywhere };
	char *w = machine_word(p), *value;
	const struct sim_box *b;
	int rc;

	if (w == NULL || (b = machine_box_named(d, w)) == NULL)
		return machine_wrong(p, "no box \"%s\" so far", w != NULL ? w : "");
	e.box = (unsigned)(b - d->box);
	if ((w = machine_word(p)) == NULL)
		return machine_wrong(p, "a control value, or fixed, is missing");
	if (strncmp(w, "fixed", 5) == 0)
		rc = machine_fixed(p, b, w, &e.fixed);
	else {
		rc = machine_masked(p, "control value", w, &e.key, &e.mask);
		e.mask &= ~(b->enable | b->ignore);
		e.key &= e.mask;
	}
	while (rc == 0 && (w = machine_word(p)) != NULL) {
		if ((rc = filter_option(p, b, &e, w)) <= 0)
			continue;
		if (!machine_split(w, &value))
			return machine_unknown(p, w, "KEY=VALUE: a filter");
		if (word_says(w, "alone"))
			rc = machine_number(p, w, value, 1, 99, &e.rate.alone);
		else if ((rc = machine_rate(p, &e.rate, w, value, MAX_HZ)) == 1)
			rc = machine_where(p, &e.where, w, value);
		if (rc == 1)
			return machine_unknown(p, w, "a filter, alone");
	}
	return rc < 0 ? rc :
	    sim_desc_add(&d->event, &d->nevent, &e, sizeof(e));
}
