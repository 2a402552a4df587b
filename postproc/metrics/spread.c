/*
 * postproc/metrics/spread.c - the median of many nodes, and who is far from it.
 */
#include "postproc/metrics/spread.h"

#include "lib/order.h"

#include <math.h>
#include <stdlib.h>

#define MOST 1000.0             /* of a score */

void
spread_of(struct spread *s, double *value, unsigned n, double *scratch)
{
	*s = (struct spread){ n, NAN, NAN, NAN, NAN };
	if (n == 0)
		return;
	order_doubles(value, n);
	s->least = value[0];
	s->median = order_median(value, n);
	s->most = value[n - 1];
	for (unsigned i = 0; i < n; i++)
		scratch[i] = fabs(value[i] - s->median);
	order_doubles(scratch, n);
	s->far = fmax(SPREAD_FAR * 1.4826 * order_median(scratch, n),
	    0.05 * fabs(s->median));
}

double
spread_score(const struct spread *s, double value)
{
	double d = fabs(value - s->median);

	if (s->n < SPREAD_LEAST || isnan(d))
		return NAN;
	return d > 0 ? fmin(MOST, d / s->far * SPREAD_FAR) : 0;
}
