/*
 * daemon/plan/file_match.c - the files that a path with * in it names.  The path is
 * followed part by part, in all folders that match so far.
 */
#include "daemon/plan/file_match.h"

#include "lib/array.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A folder whose entries are matched against one part of the path. */
struct matching {
	struct access *acc;
	struct file_matches *to;
	const char *dir, *label;        /* so far */
	const char *part;               /* pattern, not terminated */
	size_t part_len;
	int rc;
};

static int
file_match_add(struct file_matches *m, const char *dir, const char *name,
    size_t len, const char *label)
{
	struct file_match *p;
	size_t size = strlen(dir) + 1 + len + 1;

	if (m->n == MAX_MATCHES)
		return -E2BIG;
	if (!array_room(&m->match, m->n, &m->room, sizeof(*m->match)))
		return -ENOMEM;
	p = &m->match[m->n];
	p->path = malloc(size);
	p->label = strdup(label);
	if (p->path == NULL || p->label == NULL) {
		free(p->path);
		free(p->label);
		return -ENOMEM;
	}
	snprintf(p->path, size, "%s/%.*s", dir, (int)len, name);
	m->n++;
	return 0;
}

/* Does a name match?  Appends what its stars stand for to label.  Each star stands for
 * as few characters as possible, but the last one, which takes the rest. */
static bool
file_match_matches(const char *part, size_t len, const char *name, char *label,
    size_t size)
{
	const char *end = part + len;
	size_t n = strlen(label);

	while (part < end) {
		const char *rest;
		size_t word, skip = 0;

		if (*part != '*') {
			if (*part++ != *name++)
				return false;
			continue;
		}
		rest = ++part;
		while (rest < end && *rest != '*')
			rest++;
		word = (size_t)(rest - part);
		if (rest == end)        /* the last star: up to what follows it */
			skip = strlen(name) < word ? 0 : strlen(name) - word;
		while (name[skip] != '\0' && strncmp(name + skip, part,
		    word) != 0)
			skip++;
		if (strncmp(name + skip, part, word) != 0 ||
		    n + skip + 2 > size)
			return false;
		n += (size_t)snprintf(label + n, size - n, "%s%.*s", n > 0 ?
		    "/" : "", (int)skip, name);
		name += skip;
	}
	return *name == '\0';
}

static void
file_match_look_at(void *ctx, const char *name)
{
	struct matching *s = ctx;
	char label[256];

	snprintf(label, sizeof(label), "%s", s->label);
	if (s->rc < 0 || name[0] == '.' ||
	    !file_match_matches(s->part, s->part_len, name, label,
	    sizeof(label)))
		return;
	s->rc = file_match_add(s->to, s->dir, name, strlen(name), label);
}

/* Follows one part of the path in each folder found so far; a part without a star is
 * appended unseen. */
static int
go_down(struct file_matches *m, struct access *acc, const char *part,
    size_t len)
{
	struct file_matches next = { NULL, 0, 0 };
	bool pattern = memchr(part, '*', len) != NULL;
	int rc = 0;

	for (unsigned i = 0; i < m->n && rc == 0; i++) {
		struct matching s = { acc, &next, m->match[i].path,
		    m->match[i].label, part, len, 0 };

		if (pattern) {
			access_list(acc, s.dir[0] == '\0' ? "/" : s.dir,
			    file_match_look_at, &s);
			rc = s.rc;
		} else
			rc = file_match_add(&next, s.dir, part, len, s.label);
	}
	file_match_fini(m);
	*m = next;
	return rc;
}

/* "hwmon10" after "hwmon2" */
static int
by_label(const void *x, const void *y)
{
	const struct file_match *a = x, *b = y;
	int d = strverscmp(a->label, b->label);

	return d != 0 ? d : strcmp(a->path, b->path);
}

int
file_match(struct file_matches *m, struct access *acc, const char *path)
{
	size_t len;
	int rc;

	*m = (struct file_matches){ NULL, 0, 0 };
	if (strchr(path, '*') == NULL)
		return file_match_add(m, "", path + 1, strlen(path + 1), "");
	if ((rc = file_match_add(m, "", "", 0, "")) < 0)
		return rc;
	m->match[0].path[0] = '\0';
	for (const char *p = path + 1; rc == 0 && *p != '\0';
	    p += len + (p[len] == '/')) {
		len = strcspn(p, "/");
		if (len > 0)
			rc = go_down(m, acc, p, len);
	}
	if (m->n > 0)
		qsort(m->match, m->n, sizeof(m->match[0]), by_label);
	return rc;
}

void
file_match_fini(struct file_matches *m)
{
	for (unsigned i = 0; i < m->n; i++) {
		free(m->match[i].path);
		free(m->match[i].label);
	}
	free(m->match);
	*m = (struct file_matches){ NULL, 0, 0 };
}
