/*
 * lib/array.h - arrays: room for more elements, order, median.
 */
#ifndef LIB_ARRAY_H
#define LIB_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * array_room - make room for one more element.
 *
 * array   in, out: the address of a pointer to the elements
 * n       elements in use
 * room    elements that there is room for; doubled when there is none left
 * size    of an element
 *
 * Returns false if out of memory; the array and its room are unchanged.
 */
bool array_room(void *array, unsigned n, unsigned *room, size_t size);

/*
 * array_more - enlarge an array from `had` to `room` elements; the new ones are 0.
 *
 * array   in, out: the address of a pointer to the elements
 * size    of an element
 *
 * Returns false if out of memory; the old array is unchanged.
 */
bool array_more(void *array, size_t had, size_t room, size_t size);

/* order_doubles - sort numbers, the least first; none of them is a NaN. */
void order_doubles(double *, size_t n);

/* order_median - the median of n sorted numbers: the middle one, or the mean of the
 * two in the middle.  n is at least 1. */
double order_median(const double *, size_t n);

#endif
