/*
 * topology/cpulist.c - lists of lprocs as in sysfs: 0-23,48-71.
 */
#include "topology/topo_int.h"

#include <errno.h>
#include <stdlib.h>

#define MAX_LIST 4096

int
cpulist_parse(const char *list, unsigned max,
    void (*each)(void *ctx, unsigned n), void *ctx)
{
	const char *p = list;

	while (*p != '\0') {
		char *end;
		unsigned long lo = strtoul(p, &end, 10), hi = lo;

		if (end == p || *p == '-' || *p == '+')
			return -EINVAL;
		if (*end == '-') {
			p = end + 1;
			hi = strtoul(p, &end, 10);
			if (end == p || hi < lo)
				return -EINVAL;
		}
		for (unsigned long n = lo; n <= hi && n < max; n++)
			each(ctx, (unsigned)n);
		if (*end != ',' && *end != '\0')
			return -EINVAL;
		p = *end == ',' ? end + 1 : end;
	}
	return 0;
}

int
cpulist_file(struct access *acc, const char *path, unsigned max,
    void (*each)(void *, unsigned), void *ctx)
{
	char buf[MAX_LIST];
	int rc = access_slurp(acc, path, buf, sizeof(buf));

	return rc < 0 ? rc : cpulist_parse(buf, max, each, ctx);
}
