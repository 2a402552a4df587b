/*
 * lib/order.h - numbers in order, the least first.
 */
#ifndef LIB_ORDER_H
#define LIB_ORDER_H

#include <stddef.h>

/* order_doubles - sorts; none of them is a NAN. */
void order_doubles(double *, size_t n);

/* order_median - of n values in order: the middle one, or the mean of the middle two.
 * n is 1 at least. */
double order_median(const double *, size_t n);

#endif
