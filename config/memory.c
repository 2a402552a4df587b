/*
 * config/memory.c - how much memory this process may take without the kernel
 * killing somebody for it.
 */
#include "config/memory.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The number after `key` at the beginning of a line ("" for a file of one
 * number); 0 when there is none. */
static uint64_t
number_in(const char *path, const char *key)
{
	FILE *f = fopen(path, "re");
	char line[256];
	uint64_t n = 0;
	size_t len = strlen(key);

	if (f == NULL)
		return 0;
	while (fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, key, len) == 0 &&
		    sscanf(line + len, " %" SCNu64, &n) == 1)
			break;
	fclose(f);
	return n;
}

/* Of one group; "max", and the root group's having no such file, are no limit. */
static uint64_t
room_of(const char *root, const char *group)
{
	char path[PATH_MAX];
	uint64_t max, used, cache;

	snprintf(path, sizeof(path), "%s/sys/fs/cgroup%s/memory.max", root,
	    group);
	if ((max = number_in(path, "")) == 0)
		return UINT64_MAX;
	snprintf(path, sizeof(path), "%s/sys/fs/cgroup%s/memory.current", root,
	    group);
	used = number_in(path, "");
	/* "file" has tmpfs in it, which is not given back */
	snprintf(path, sizeof(path), "%s/sys/fs/cgroup%s/memory.stat", root,
	    group);
	cache = number_in(path, "file ") - number_in(path, "shmem ");
	if (cache <= used)
		used -= cache;
	return used < max ? max - used : 0;
}

/* The path of "0::/path", the line of version 2; false when there is none. */
static bool
group_of_self(const char *root, char *group, size_t size)
{
	char path[PATH_MAX];
	FILE *f;
	bool found = false;

	snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
	if ((f = fopen(path, "re")) == NULL)
		return false;
	while (!found && fgets(group, (int)size, f) != NULL)
		found = strncmp(group, "0::/", 4) == 0;
	fclose(f);
	if (found) {
		group[strcspn(group, "\n")] = '\0';
		memmove(group, group + 3, strlen(group + 3) + 1);
	}
	return found;
}

uint64_t
memory_room(const char *root, char *whose, size_t size)
{
	char path[PATH_MAX], group[PATH_MAX / 2];
	uint64_t room, least;

	snprintf(path, sizeof(path), "%s/proc/meminfo", root);
	least = number_in(path, "MemAvailable:") * 1024;
	if (least == 0)
		least = UINT64_MAX;
	snprintf(whose, size, "the node");
	if (!group_of_self(root, group, sizeof(group)))
		return least;
	for (char *slash; (slash = strrchr(group, '/')) != NULL; *slash = '\0')
		if ((room = room_of(root, group)) < least) {
			least = room;
			snprintf(whose, size, "memory.max of %s", group);
		}
	return least;
}
