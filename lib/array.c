/*
 * lib/array.c - arrays that grow while something is set up.
 */
#include "lib/array.h"

#include <stdlib.h>

void *
array_grow(void *array, unsigned n, unsigned *room, size_t size)
{
	unsigned more = *room == 0 ? 64 : *room * 2;

	if (n < *room)
		return array;
	if ((array = realloc(array, more * size)) != NULL)
		*room = more;
	return array;
}
