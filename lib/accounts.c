/*
 * lib/accounts.c - users and groups, by name and by number.
 */
#include "lib/accounts.h"

#include "lib/array.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A shared libc has them; into a static program a weak reference takes nothing, and is
 * NULL there. */
#pragma weak getpwnam
#pragma weak getpwuid
#pragma weak getgrnam
#pragma weak getgrgid
#pragma weak initgroups

/* The line of /etc/passwd with that name, or where that is NULL with that number. */
static struct passwd *
passwd_line(const char *name, uid_t uid)
{
	FILE *f = fopen("/etc/passwd", "re");
	struct passwd *pw = NULL;

	while (f != NULL && (pw = fgetpwent(f)) != NULL &&
	    (name != NULL ? strcmp(pw->pw_name, name) != 0 :
	    pw->pw_uid != uid))
		continue;
	if (f != NULL)
		fclose(f);
	return pw;
}

/* The same of /etc/group. */
static struct group *
group_line(const char *name, gid_t gid)
{
	FILE *f = fopen("/etc/group", "re");
	struct group *g = NULL;

	while (f != NULL && (g = fgetgrent(f)) != NULL &&
	    (name != NULL ? strcmp(g->gr_name, name) != 0 : g->gr_gid != gid))
		continue;
	if (f != NULL)
		fclose(f);
	return g;
}

struct passwd *
account_user(const char *name)
{
	return getpwnam != NULL ? getpwnam(name) : passwd_line(name, 0);
}

struct passwd *
account_uid(uid_t uid)
{
	return getpwuid != NULL ? getpwuid(uid) : passwd_line(NULL, uid);
}

struct group *
account_group(const char *name)
{
	return getgrnam != NULL ? getgrnam(name) : group_line(name, 0);
}

struct group *
account_gid(gid_t gid)
{
	return getgrgid != NULL ? getgrgid(gid) : group_line(NULL, gid);
}

static bool
is_member(const struct group *g, const char *user)
{
	char **m = g->gr_mem;

	while (*m != NULL && strcmp(*m, user) != 0)
		m++;
	return *m != NULL;
}

/* Does the work of account_groups by /etc/group. */
static int
groups_of_lines(const char *user, gid_t gid)
{
	FILE *f = fopen("/etc/group", "re");
	gid_t *list = NULL;
	unsigned n = 0, room = 0;
	const struct group *g = NULL;
	int rc;

	if (array_room(&list, n, &room, sizeof(*list)))
		list[n++] = gid;
	while (f != NULL && n > 0 && (g = fgetgrent(f)) != NULL) {
		if (g->gr_gid == gid || !is_member(g, user))
			continue;
		if (!array_room(&list, n, &room, sizeof(*list)))
			break;
		list[n++] = g->gr_gid;
	}
	if (f != NULL)
		fclose(f);
	rc = n == 0 || g != NULL ? -ENOMEM : setgroups(n, list) < 0 ? -errno : 0;
	free(list);
	return rc;
}

int
account_groups(const char *user, gid_t gid)
{
	if (initgroups == NULL)
		return groups_of_lines(user, gid);
	return initgroups(user, gid) < 0 ? -errno : 0;
}

bool
account_files_alone(void)
{
	return getpwnam == NULL;
}
