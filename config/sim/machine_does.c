/*
 * config/sim/machine_does.c - how counters of a simulated machine count the work of a
 * stimulus (regs/stimulus.h).
 */
#include "config/sim/machine_int.h"

#include <errno.h>
#include <string.h>

/* ACT [ "*" N ] [ "/" N ], as one word */
static int
activity(struct machine *p, char *w, struct sim_does *d)
{
	size_t len = w != NULL ? strcspn(w, "*/") : 0;
	int act = w != NULL ? act_named(w, len) : -1;
	char *div, *mul;
	int rc = 0;

	if (act < 0)
		return machine_wrong(p, "\"%s\" is nothing that a stimulus does: "
		    "instructions, loads, dram_read ...", w != NULL ? w : "");
	d->act = (uint8_t)act;
	d->mul = d->div = 1;
	w += len;
	if ((div = strchr(w, '/')) != NULL)
		*div++ = '\0';
	mul = *w == '*' ? w + 1 : NULL;
	if (mul != NULL)
		rc = machine_number(p, "factor", mul, 1, 1000000, &d->mul);
	if (rc == 0 && div != NULL)
		rc = machine_number(p, "divisor", div, 1, 1000000000, &d->div);
	return rc;
}

/* BOX ( CONTROL[/MASK] | fixed[N] ): which counters of a box */
static int
selected(struct machine *p, const char *name, struct sim_does *d)
{
	const struct sim_box *b = name == NULL ? NULL :
	    machine_box_named(p->d, name);
	char *w = machine_word(p);
	int rc;

	if (b == NULL)
		return machine_wrong(p, "no box \"%s\" so far; right would be "
		    "msr, too, or mmio", name != NULL ? name : "");
	d->box = (unsigned)(b - p->d->box);
	if (w == NULL)
		return machine_wrong(p, "a control value, or fixed, is missing");
	if (strncmp(w, "fixed", 5) == 0)
		return (rc = machine_fixed(p, b, w, &d->fixed)) < 0 ? rc :
		    d->fixed < 0 ? (d->fixed = 0) : 0;
	rc = machine_masked(p, "control value", w, &d->key, &d->mask);
	d->mask &= ~(b->enable | b->ignore);
	d->key &= d->mask;
	return rc;
}

int
machine_does(struct machine *p)
{
	struct sim_does d = { .fixed = -1, .where = machine_anywhere };
	char *w = machine_word(p), *value;
	int rc;

	if (word_says(w, "msr"))
		d.space = REG_MSR;
	else if (word_says(w, "mmio"))
		d.space = REG_MMIO;
	rc = d.space == REG_NONE ? selected(p, w, &d) : machine_number(p,
	    "address", machine_word(p), 0, UINT64_C(0xfffffffffffff),
	    &d.offset);
	if (rc == 0)
		rc = activity(p, machine_word(p), &d);
	while (rc == 0 && (w = machine_word(p)) != NULL) {
		if (!machine_split(w, &value) ||
		    (rc = machine_where(p, &d.where, w, value)) == 1)
			return machine_wrong(p, "unknown \"%s\"; right would be "
			    "pkg=N, inst=N, thread=N or lproc=N", w);
	}
	return rc < 0 ? rc :
	    sim_desc_add(&p->d->does, &p->d->ndoes, &d, sizeof(d));
}
