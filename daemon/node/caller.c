/*
 * daemon/node/caller.c - running programs as who called us.
 */
#include "daemon/node/rights.h"

#include "daemon/log.h"
#include "lib/accounts.h"

#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Becomes the user behind sudo (SUDO_UID, SUDO_GID), with his groups,
 * HOME, USER and LOGNAME; without sudo it changes nothing.  0; 1 with words, where a
 * static program does not know him; or -errno with words. */
static int
caller_become(struct diag *why)
{
	struct owner o;
	const struct passwd *pw;
	int rc;

	/* --keep-root: the system user tallyd calls nobody */
	if ((rc = rights_owner(&o, NULL, true, why)) < 0 || o.uid < 0)
		return rc;
	pw = account_uid((uid_t)o.uid);
	rc = pw != NULL ? account_groups(pw->pw_name, (gid_t)o.gid) :
	    setgroups(0, NULL) < 0 ? -errno : 0;
	if (rc == 0 &&
	    (setresgid((gid_t)o.gid, (gid_t)o.gid, (gid_t)o.gid) < 0 ||
	    setresuid((uid_t)o.uid, (uid_t)o.uid, (uid_t)o.uid) < 0))
		rc = -errno;
	if (rc < 0)
		return diag_set(why, rc, "cannot become user %d: %s", o.uid,
		    strerror(-rc));
	if (pw == NULL)
		return !account_files_alone() ? 0 : diag_set(why, 1, "user %d "
		    "is not in /etc/passwd, all that a static tallyd reads: it "
		    "runs without his other groups", o.uid);
	setenv("HOME", pw->pw_dir, 1);
	setenv("USER", pw->pw_name, 1);
	setenv("LOGNAME", pw->pw_name, 1);
	return 0;
}

/* 0: this file is a program that we may run; else the errno that says why not. */
static int
runs(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	return access(path, X_OK) < 0 ? errno : 0;
}

/* The same for a name that is looked up in PATH as execvp(3) does: the first file that
 * can be run. */
static int
runs_in_path(const char *name)
{
	const char *folders = getenv("PATH"), *end;
	char path[4096];
	int reason = ENOENT, rc;

	if (folders == NULL)
		folders = "/bin:/usr/bin";
	for (;; folders = end + 1) {
		end = strchrnul(folders, ':');
		if (snprintf(path, sizeof(path), "%.*s%s%s",
		    (int)(end - folders), folders, end > folders ? "/" : "",
		    name) < (int)sizeof(path)) {
			if ((rc = runs(path)) == 0)
				return 0;
			if (rc == EACCES)
				reason = rc;
		}
		if (*end == '\0')
			return reason;
	}
}

/* Does the work of caller_finds, in a process that has become the caller. */
static int
caller_find(const char *name)
{
	bool named = strchr(name, '/') != NULL;
	int rc = name[0] == '\0' ? ENOENT : named ? runs(name) :
	    runs_in_path(name);

	if (rc == 0)
		return 0;
	if (rc == EISDIR)
		log_warnx("%s: that is a folder; write a program behind --",
		    name);
	else if (rc == EACCES)
		log_warnx("%s: it may not be executed; is it a program "
		    "(chmod +x)?", name);
	else if (rc != ENOENT && rc != ENOTDIR)
		log_warnx("%s: %s", name, strerror(rc));
	else if (!named && name[0] != '\0' && runs(name) == 0)
		log_warnx("%s: there is no such program in PATH; did you mean "
		    "./%s?", name, name);
	else
		log_warnx("%s: there is no such program%s", name, named ? "" :
		    " in PATH");
	return rc == ENOENT || rc == ENOTDIR ? 127 : 126;
}

int
caller_finds(const char *name)
{
	struct diag why;
	int status, rc;
	pid_t pid;

	fflush(NULL);
	if ((pid = fork()) == 0) {
		if ((rc = caller_become(&why)) != 0)
			log_warnx("%s: %s", name, why.text);
		_exit(rc < 0 ? 1 : caller_find(name));
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (pid > 0 && WIFEXITED(status))
		return WEXITSTATUS(status);
	log_warnx("%s: cannot be looked for", name);
	return 126;
}

int
caller_exec(char *const *argv)
{
	struct diag why;
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		if (sig != SIGHUP)              /* ignored under nohup */
			signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (caller_become(&why) < 0) {
		log_warnx("%s: %s", argv[0], why.text);
		return 126;
	}
	execvp(argv[0], argv);
	log_warn("%s", argv[0]);
	return errno == ENOENT ? 127 : 126;
}

void
caller_report(char **words)
{
	char tally[4096], *name;
	ssize_t n = readlink("/proc/self/exe", tally, sizeof(tally) - 16);
	pid_t pid;

	tally[n > 0 ? n : 0] = '\0';
	/* build/tally, or bin/tally beside sbin/tallyd */
	if ((name = strrchr(tally, '/')) != NULL)
		strcpy(name, "/tally");
	if (name != NULL && access(tally, X_OK) < 0) {
		*name = '\0';
		if ((name = strrchr(tally, '/')) != NULL)
			strcpy(name, "/bin/tally");
	}
	if (name == NULL || access(tally, X_OK) < 0)
		strcpy(tally, "tally");
	words[0] = tally;
	fflush(NULL);
	if ((pid = fork()) == 0)
		_exit(caller_exec(words));
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
}
