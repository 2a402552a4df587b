/*
 * lib/accounts.h - users and groups, by name and by number.
 *
 * They are libc's, which asks LDAP and the like too.  A static program reads /etc/passwd
 * and /etc/group alone: what glibc links into one loads the node's libnss, and crashes
 * where that is of another glibc.
 */
#ifndef LIB_ACCOUNTS_H
#define LIB_ACCOUNTS_H

#include <grp.h>
#include <pwd.h>
#include <stdbool.h>

/* As getpwnam, getpwuid, getgrnam, getgrgid: NULL if there is none; what is returned
 * stands until the next call. */
struct passwd *account_user(const char *name);
struct passwd *account_uid(uid_t uid);
struct group *account_group(const char *name);
struct group *account_gid(gid_t gid);

/* account_groups - as initgroups(3): this process is in all groups of that user, and in
 * gid.  0 or -errno. */
int account_groups(const char *user, gid_t gid);

/* account_files_alone - is this a static program, to which LDAP's users are unknown? */
bool account_files_alone(void);

#endif
