/*
 * lib/array.c - arrays that grow while something is set up.
 */
#include "lib/array.h"

#include <stdlib.h>
#include <string.h>

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

bool
array_more(void *array, size_t had, size_t room, size_t size)
{
	void **at = array, *p = reallocarray(*at, room, size);

	if (p == NULL)
		return false;
	memset((char *)p + had * size, 0, (room - had) * size);
	*at = p;
	return true;
}
