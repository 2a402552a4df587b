/*
 * lib/array.c - arrays: room for more elements, order, median.
 */
#include "lib/array.h"

#include <stdlib.h>
#include <string.h>

bool
array_room(void *array, unsigned n, unsigned *room, size_t size)
{
	unsigned more = *room == 0 ? 64 : *room * 2;
	void **at = array, *p;

	if (n < *room)
		return true;
	if ((p = realloc(*at, more * size)) == NULL)
		return false;
	*at = p;
	*room = more;
	return true;
}

bool
array_more(void *array, size_t had, size_t room, size_t size)
{
	void **at = array, *p;

	/* calloc leaves memory that the kernel gave, which is 0, as it is */
	p = *at == NULL ? calloc(room, size) : reallocarray(*at, room, size);
	if (p == NULL)
		return false;
	if (*at != NULL)
		memset((char *)p + had * size, 0, (room - had) * size);
	*at = p;
	return true;
}

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
