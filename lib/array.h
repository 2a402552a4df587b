/*
 * lib/array.h - arrays that grow while something is set up.
 */
#ifndef LIB_ARRAY_H
#define LIB_ARRAY_H

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

#endif
