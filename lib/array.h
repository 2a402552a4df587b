/*
 * lib/array.h - arrays: room for more elements, order, median.
 */
#ifndef LIB_ARRAY_H
#define LIB_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * array_grow - room for one more element.
 *
 * n       elements in use
 * room    elements that there is room for; doubled when there is none left
 * size    of an element
 *
 * Returns the array, moved perhaps; or NULL when memory ran out, and then the
 * old one and its room still stand.
 */
void *array_grow(void *array, unsigned n, unsigned *room, size_t size);

/*
 * array_more - room for `room` elements instead of `had`; the new ones are 0.
 *
 * array   in, out: the address of a pointer to the elements
 * size    of an element
 *
 * Returns false when memory ran out, and then the old array still stands.
 */
bool array_more(void *array, size_t had, size_t room, size_t size);

/* order_doubles - sort numbers, the least first; none of them is a NaN. */
void order_doubles(double *, size_t n);

/* order_median - the median of n sorted numbers: the middle one, or the mean of the
 * two in the middle.  n is at least 1. */
double order_median(const double *, size_t n);

#endif
