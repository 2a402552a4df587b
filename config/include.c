/*
 * config/include.c - texts that include others.
 */
#include "config/include.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const char *
include_path(struct arena *arena, const char *from, const char *name)
{
	const char *slash = strrchr(from, '/');
	size_t folder = slash != NULL ? (size_t)(slash + 1 - from) : 0;
	char *path;

	if (name[0] == '/' || name[0] == '@' || folder == 0)
		return name;
	if ((path = arena_alloc(arena, folder + strlen(name) + 1)) == NULL)
		return NULL;
	memcpy(path, from, folder);
	strcpy(path + folder, name);
	return path;
}

/* Are these one text, by its name or as a file? */
static bool
include_same(const char *a, const char *b)
{
	struct stat of_a, of_b;

	return strcmp(a, b) == 0 || (a[0] != '@' && b[0] != '@' &&
	    stat(a, &of_a) == 0 && stat(b, &of_b) == 0 &&
	    of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino);
}

int
include_may(const struct include *in, struct diag *why)
{
	unsigned depth = 0;

	for (const struct include *i = in->by; i != NULL; i = i->by) {
		if (include_same(i->file, in->file))
			return diag_set(why, -EINVAL, "%.400s includes itself",
			    in->file);
		if (++depth > MAX_INCLUDES)
			return diag_set(why, -EINVAL, "%.400s: more than %d "
			    "texts include one another", in->file,
			    MAX_INCLUDES);
	}
	return 0;
}

void
include_failed(struct include *in, struct diag *why)
{
	size_t n = strlen(why->text);

	for (const struct include *i = in; !in->told && i->by != NULL &&
	    n < sizeof(why->text); i = i->by)
		n += (size_t)snprintf(why->text + n, sizeof(why->text) - n,
		    "%s%s:%u%s", i == in ? " (included at " : ", ", i->by->file,
		    i->line, i->by->by == NULL ? ")" : "");
	if (in->by != NULL)
		in->by->told = true;
}

int
include_scan(struct scan *scan, struct word *name, struct diag *why)
{
	int rc = scan_quoted(scan, name, why);

	if (rc < 0)
		return rc;
	if (rc == 0 || name->n == 0)
		return diag_place(why, scan->at, "include what?  For instance: "
		    "include \"@hpc\", or include \"FILE\" in this file's "
		    "folder");
	return scan_end(scan, why);
}

int
include_first(const struct included **list, struct arena *arena,
    const char *file, unsigned set)
{
	struct included *x;

	for (const struct included *i = *list; i != NULL; i = i->next)
		if (i->set == set && strcmp(i->file, file) == 0)
			return 0;
	if ((x = arena_alloc(arena, sizeof(*x))) == NULL ||
	    (x->file = arena_strndup(arena, file, strlen(file))) == NULL)
		return -ENOMEM;
	x->set = set;
	x->next = *list;
	*list = x;
	return 1;
}
