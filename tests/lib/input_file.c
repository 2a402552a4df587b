/*
 * tests/lib/input_file.c - one file, written again for each input.
 */
#include "tests/lib/input_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[200];

static void
remove_file(void)
{
	unlink(path);
}

const char *
input_file(const void *data, size_t size)
{
	static int fd = -1;
	const char *tmp = getenv("TMPDIR");

	if (fd < 0) {
		snprintf(path, sizeof path, "%s/fuzz-input.XXXXXX", tmp != NULL ?
		    tmp : "/tmp");
		if ((fd = mkstemp(path)) < 0 || atexit(remove_file) != 0)
			abort();
	}
	if (ftruncate(fd, 0) < 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	return path;
}
