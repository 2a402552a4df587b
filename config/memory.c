/*
 * config/memory.c - how much memory this process may allocate before the kernel
 * invokes the OOM killer.
 */
#include "config/memory.h"

#include "lib/printable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Without a limit, version 1 shows LONG_MAX rounded down to a page. */
#define NO_LIMIT (UINT64_C(1) << 62)

/* Reads the number after `key` at the start of a line (key "": the file holds
 * just one number).  False if there is no number ("max", say).  Does not
 * allocate, as it also runs while sampling. */
static bool
number_in(const char *path, const char *key, uint64_t *n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t used = 0, len = strlen(key);
	char text[8192], *line, *end;
	ssize_t got;

	if (fd < 0)
		return false;
	while (used < sizeof(text) - 1 && (got = read(fd, text + used,
	    sizeof(text) - 1 - used)) > 0)
		used += (size_t)got;
	close(fd);
	text[used] = '\0';
	for (line = text; strncmp(line, key, len) != 0; line++)
		if ((line = strchr(line, '\n')) == NULL)
			return false;
	line += len + strspn(line + len, " \t");
	errno = 0;
	*n = strtoull(line, &end, 10);
	return *line >= '0' && *line <= '9' && errno == 0 &&
	    (*end == '\n' || *end == ' ' || *end == '\0');
}

/* ---- which groups are ours -------------------------------------------- */

/* The path of "0::/path" (version 2) or "4:cpu,memory:/path". */
static bool
path_of_self(const char *root, enum memory_version version, char *group,
    size_t size)
{
	char line[PATH_MAX + 256];
	FILE *f;
	bool found = false;

	snprintf(line, sizeof(line), "%s/proc/self/cgroup", root);
	if ((f = fopen(line, "re")) == NULL)
		return false;
	while (!found && fgets(line, sizeof(line), f) != NULL) {
		char *list = strchr(line, ':'), *path;

		line[strcspn(line, "\n")] = '\0';
		if (list == NULL || (path = strchr(++list, ':')) == NULL ||
		    path[1] != '/')
			continue;
		*path++ = '\0';
		found = (version == MEMORY_V2 ? strcmp(line, "0:") == 0 :
		    has_word(list, ',', "memory")) &&
		    snprintf(group, size, "%s", path) < (int)size;
	}
	fclose(f);
	return found;
}

/* Decode octal escapes of mountinfo in place: "\040" is a space. */
static void
memory_unescape(char *s)
{
	char *to = s;

	for (; *s != '\0'; s++)
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' &&
		    s[2] <= '7' && s[3] >= '0' && s[3] <= '7') {
			*to++ = (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 +
			    (s[3] - '0'));
			s += 3;
		} else
			*to++ = *s;
	*to = '\0';
}

/* Our group's path below a mount of the cgroup file system.  In a container,
 * the mount's root (`from`) may be a group itself.  NULL: our group is not
 * visible in this mount. */
static const char *
below_mount(const char *from, const char *path)
{
	size_t n = strlen(from);

	if (strcmp(from, "/") == 0)
		return path;
	if (strncmp(from, "/..", 3) == 0)  /* above our cgroup namespace */
		return "";
	return strncmp(from, path, n) == 0 &&
	    (path[n] == '/' || path[n] == '\0') ? path + n : NULL;
}

/* Parse one line of mountinfo, "36 35 0:31 FROM POINT rw ... - TYPE SOURCE
 * OPTIONS".  If our group is visible in that mount, store its folder in g and
 * return true. */
static bool
take_mount(struct memory_group *g, const char *root, char *line,
    const char *path)
{
	char *word[5], *type, *options, *save;
	const char *below;
	int n;

	if ((type = strstr(line, " - ")) == NULL)
		return false;
	*type = '\0';
	type = strtok_r(type + 3, " ", &save);
	if (type == NULL || strtok_r(NULL, " ", &save) == NULL ||
	    (options = strtok_r(NULL, " \n", &save)) == NULL ||
	    (g->version == MEMORY_V2 ? strcmp(type, "cgroup2") != 0 :
	    strcmp(type, "cgroup") != 0 || !has_word(options, ',', "memory")))
		return false;
	for (unsigned i = 0; i < 5; i++)
		if ((word[i] = strtok_r(i == 0 ? line : NULL, " ", &save)) ==
		    NULL)
			return false;
	memory_unescape(word[3]);
	memory_unescape(word[4]);
	if ((below = below_mount(word[3], path)) == NULL)
		return false;
	if (strcmp(below, "/") == 0)
		below = "";
	n = snprintf(g->dir, sizeof(g->dir), "%s%s%s", root, word[4], below);
	g->top = strlen(root) + strlen(word[4]);
	return n < (int)sizeof(g->dir);
}

void
memory_find(struct memory *m, const char *root)
{
	char path[PATH_MAX / 2], line[PATH_MAX * 2];
	bool found;
	FILE *f;

	*m = (struct memory){ .root = root };
	for (unsigned i = 0; i < 2; i++) {
		struct memory_group *g = &m->group[i];

		g->version = i == 0 ? MEMORY_V1 : MEMORY_V2;
		found = false;
		snprintf(line, sizeof(line), "%s/proc/self/mountinfo", root);
		if (path_of_self(root, g->version, path, sizeof(path)) &&
		    (f = fopen(line, "re")) != NULL) {
			while (!found && fgets(line, sizeof(line), f) != NULL)
				found = take_mount(g, root, line, path);
			fclose(f);
		}
		if (!found)
			g->version = MEMORY_NONE;
	}
}

/* ---- free memory of a group -------------------------------------------- */

/* The least free memory seen so far, and what limits it. */
struct least {
	uint64_t room;
	char *whose;
	size_t size;
};

/* The path of a group's folder, or of a file in it: dir is the length of the
 * folder's path, top that of the mount point. */
struct folder {
	char path[PATH_MAX + 64];
	size_t dir, top;
};

static bool
memory_number_of(struct folder *f, const char *file, const char *key,
    uint64_t *n)
{
	snprintf(f->path + f->dir, sizeof(f->path) - f->dir, "/%s", file);
	return number_in(f->path, key, n);
}

static void
memory_limit(struct folder *f, const char *file, const char *key, uint64_t used,
    struct least *least)
{
	uint64_t max, room;

	if (!memory_number_of(f, file, key, &max) || max >= NO_LIMIT)
		return;
	room = used < max ? max - used : 0;
	if (room >= least->room)
		return;
	least->room = room;
	f->path[f->dir] = '\0';
	snprintf(least->whose, least->size, "%s of %s", *key != '\0' ? key :
	    file, f->dir > f->top ? f->path + f->top : "/");
}

/* Lower *least to the free memory of one group.  The root group has no such
 * files and so no limit. */
static void
room_of(struct folder *f, enum memory_version version, struct least *least)
{
	bool v2 = version == MEMORY_V2;
	uint64_t used = 0, n;

	memory_number_of(f, v2 ? "memory.current" : "memory.usage_in_bytes", "",
	    &used);
	/* page cache of files; tmpfs is not in these lists */
	if (memory_number_of(f, "memory.stat", v2 ? "inactive_file " :
	    "total_inactive_file ", &n))
		used -= n < used ? n : used;
	if (memory_number_of(f, "memory.stat", v2 ? "active_file " :
	    "total_active_file ", &n))
		used -= n < used ? n : used;
	if (v2) {
		memory_limit(f, "memory.max", "", used, least);
		memory_limit(f, "memory.high", "", used, least);
	} else {
		memory_limit(f, "memory.limit_in_bytes", "", used, least);
		/* includes groups above the mount, which we cannot see */
		memory_limit(f, "memory.stat", "hierarchical_memory_limit",
		    used, least);
	}
}

uint64_t
memory_room(const struct memory *m, char *whose, size_t size)
{
	struct least least = { UINT64_MAX, whose, size };
	struct folder f;
	uint64_t n;

	snprintf(f.path, sizeof(f.path), "%s/proc/meminfo", m->root);
	if (number_in(f.path, "MemAvailable:", &n) && n < NO_LIMIT / 1024)
		least.room = n * 1024;
	snprintf(whose, size, "the node");
	for (unsigned i = 0; i < 2; i++) {
		const struct memory_group *g = &m->group[i];

		if (g->version == MEMORY_NONE)
			continue;
		f.dir = strlen(g->dir);
		f.top = g->top;
		memcpy(f.path, g->dir, f.dir + 1);
		for (;;) {
			room_of(&f, g->version, &least);
			if (f.dir <= f.top)
				break;
			while (f.dir > f.top && f.path[--f.dir] != '/')
				;
		}
	}
	return least.room;
}
