/*
 * lib/order.c - numbers in order.
 */
#include "lib/order.h"

#include <stdlib.h>

static int
order_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void
order_doubles(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), order_compare);
}

double
order_median(const double *v, size_t n)
{
	return (v[(n - 1) / 2] + v[n / 2]) / 2;
}
