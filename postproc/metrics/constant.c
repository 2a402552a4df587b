/*
 * postproc/metrics/constant.c - inputs that are the same whatever the stretch of
 * time: how many units there are, what the head says.
 */
#include <math.h>
#include <stdio.h>

#include "config/dump/read.h"
#include "postproc/metrics/bind.h"
#include "postproc/metrics/na.h"

/* What the header says of the packages in the window, where it is one thing. */
static double
head(const struct binding *b, const struct input *in, const struct window *w)
{
	const double none = na(NA_HEAD, (uint32_t)(in - b->input));
	double v = NAN;
	char name[160];

	for (uint32_t p = w->pkg_lo; p < w->pkg_hi; p++) {
		double x;

		snprintf(name, sizeof name, "%s[%u]", in->name, p);
		x = read_number(b->reader, name, NAN);
		if (!isnan(v) && !isnan(x) && x != v)
			return none;
		v = isnan(x) ? v : x;
	}
	return isnan(v) ? none : v;
}

static unsigned
count_lprocs(const struct topology *t, const struct window *of, bool cores,
    const uint8_t *common)
{
	struct window w = *of;
	uint32_t core = UINT32_MAX;
	unsigned n = 0;

	if (cores)
		w.thread = -1;
	for (uint32_t r = w.lo; r < w.hi; r++) {
		if ((common != NULL && !common[r]) || !window_has(t, &w, r) ||
		    (cores && t->core_of[r] == core))
			continue;
		core = t->core_of[r];
		n++;
	}
	return n;
}

static unsigned
constant_count_packages(const struct window *w, const uint8_t *common)
{
	unsigned n = 0;

	for (uint32_t p = w->pkg_lo; p < w->pkg_hi; p++)
		n += common == NULL || common[p];
	return n;
}

double
input_constant(const struct binding *b, const struct input *in,
    const struct window *w, const uint8_t *common)
{
	switch (in->kind) {
	case INPUT_MONOTONIC_HZ:
		return head_number(b->reader, HEAD_TSC_HZ, ALONE,
		    na(NA_MONOTONIC, 0));
	case INPUT_PACKAGES:
		return constant_count_packages(w, common);
	case INPUT_NODE_PACKAGES:
		return b->topo->npkg;
	case INPUT_LPROCS:
		return count_lprocs(b->topo, w, false, common);
	case INPUT_CORES:
		return count_lprocs(b->topo, w, true, common);
	case INPUT_HEAD:
		return head(b, in, w);
	default:
		return NAN;
	}
}
