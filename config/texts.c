/*
 * config/texts.c - the text files of config/, built into both programs.
 */
#include "config/texts.h"

#include "config/infile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Ten times the largest of Intel's lists; parsed, it takes a lot more. */
#define MAX_TEXT_SIZE (1u << 25)

/* The Makefile lists the files in texts.inc: TEXT(number, "name", "path"). */
#define TEXT(n, name, path) \
	__asm__(".section .rodata\n" \
	    "text_" #n ":\n.incbin \"" path "\"\n" \
	    "text_end_" #n ":\n.byte 0\n.previous"); \
	extern const char text_##n[], text_end_##n[];
#include "texts.inc"
#undef TEXT

#define TEXT(n, name, path) { name, text_##n, text_end_##n },
const struct text texts[] = {
#include "texts.inc"
	{ NULL, NULL, NULL }
};

const struct text *
text_find(const char *name)
{
	const char *slash = strrchr(name, '/');

	if (slash != NULL)
		name = slash + 1;
	for (const struct text *t = texts; t->name != NULL; t++)
		if (strcmp(t->name, name) == 0)
			return t;
	return NULL;
}

static int
read_all(int fd, char **data, size_t *size)
{
	size_t room = 65536, n = 0;
	char *buf = NULL, *bigger;
	ssize_t got;

	do {
		room *= 2;
		if (room > MAX_TEXT_SIZE) {
			free(buf);
			return -EFBIG;
		}
		if ((bigger = realloc(buf, room + 1)) == NULL) {
			free(buf);
			return -ENOMEM;
		}
		buf = bigger;
		while (n < room && (got = read(fd, buf + n, room - n)) != 0) {
			if (got < 0 && errno == EINTR)
				continue;
			if (got < 0) {
				got = -errno;
				free(buf);
				return (int)got;
			}
			n += (size_t)got;
		}
	} while (n == room);
	buf[n] = '\0';
	*data = buf;
	*size = n;
	return 0;
}

int
text_load(const char *path, char **data, size_t *size)
{
	const struct text *t;
	struct stat sb;
	int fd = infile_open(path, &sb), rc = fd;

	if (fd >= 0) {
		rc = sb.st_size > MAX_TEXT_SIZE ? -EFBIG :
		    read_all(fd, data, size);
		close(fd);
		return rc;
	}
	if (rc != -ENOENT || (t = text_find(path)) == NULL)
		return rc;
	*size = (size_t)(t->end - t->data);
	if ((*data = malloc(*size + 1)) == NULL)
		return -ENOMEM;
	memcpy(*data, t->data, *size);
	(*data)[*size] = '\0';
	return 0;
}
