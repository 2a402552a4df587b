/*
 * lib/array.h - arrays that grow while something is set up.
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

#endif
