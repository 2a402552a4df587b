/*
 * daemon/segments/segment_place.c - the files of segments.
 */
#include "daemon/segments/segment_place.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIGITS 6

/* Up to its last dot, which may be the end. */
static int
stem_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot != NULL && dot != name ? (int)(dot - name) :
	    (int)strlen(name);
}

void
segment_name(const struct save_place *p, uint64_t n, char name[256])
{
	int stem = stem_of(p->name);

	snprintf(name, 256, "%.*s.%0*" PRIu64 "%s", stem, p->name, DIGITS, n,
	    p->name + stem);
}

uint64_t
segment_number(const struct save_place *p, const char *name)
{
	size_t stem = (size_t)stem_of(p->name), rest = strlen(p->name + stem);
	unsigned long long n;
	char *end;

	if (strncmp(name, p->name, stem) != 0 || name[stem] != '.')
		return 0;
	name += stem + 1;
	if (strspn(name, "0123456789") < DIGITS ||
	    strspn(name, "0123456789") > 18)
		return 0;
	n = strtoull(name, &end, 10);
	if (strncmp(end, p->name + stem, rest) != 0)
		return 0;
	end += rest;
	return *end == '\0' || *end == '.' ? n : 0;
}

uint64_t
segment_free_number(const struct save_place *p)
{
	int fd = openat(p->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;
	uint64_t most = 0, n;

	if (dir == NULL && fd >= 0)
		close(fd);
	while (dir != NULL && (e = readdir(dir)) != NULL)
		if ((n = segment_number(p, e->d_name)) > most)
			most = n;
	if (dir != NULL)
		closedir(dir);
	return most + 1;
}
