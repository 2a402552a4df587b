/*
 * postproc/pages/pair_foreign.c - does a pair need counters that this CPU lacks and
 * other CPUs have?  That such a pair was not compared is not said.
 */
#include <string.h>

#include "postproc/pages/pairs.h"

/* Registers and counters that always run: "rapl_pp0_energy", "iio_*_in_bytes". */
static bool
has_register(const struct model *m, const char *name)
{
	size_t n = strcspn(name, "*");

	if (scalar_named(m, name) != NULL)
		return true;
	for (const struct freerun *f = m->freerun; f != NULL &&
	    f->family != NULL; f++)
		if (name[n] == '*' ? strncmp(f->family, name, n) == 0 :
		    strcmp(f->family, name) == 0)
			return true;
	return false;
}

/* An input of a formula: `imc["CAS_COUNT.RD"]`, or a register. */
static bool
has_input(const struct model *m, const char *name)
{
	char box[40];
	size_t n = strcspn(name, "[");

	if (name[n] == '\0' || n >= sizeof box)
		return has_register(m, name);
	memcpy(box, name, n);
	box[n] = '\0';
	return strncmp(box, "core", 4) == 0 || model_box(m, box) != NULL;
}

/* Has the model of any CPU such an input?  Numbers of the head are of no model. */
static bool
some_has(const char *name)
{
	for (const struct model *const *other = models; *other != NULL; other++)
		if (has_input(*other, name))
			return true;
	return false;
}

bool
pair_foreign(const struct gather *g, const struct pair *p)
{
	const struct model *m = model_named(head_text(g->reader, HEAD_MODEL,
	    ALONE, ""));

	for (unsigned s = 0; m != NULL && s < SIDES; s++) {
		const struct bound *x = &g->binding.bound[p->p->side[s]];
		bool own = false, others = false;

		/* of first(A, B) either would do */
		for (unsigned k = 0; k < x->nmissing; k++) {
			own |= has_input(m, x->missing[k]);
			others |= some_has(x->missing[k]);
		}
		if (others && !own)
			return true;
	}
	return false;
}
