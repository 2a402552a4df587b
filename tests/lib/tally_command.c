/*
 * tests/lib/tally_command.c - a command of tally, and what it says.
 */
#include "tests/lib/tally_command.h"

#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Calls it with the standard error in a file. */
static int
aside(int (*cmd)(int, char **), int argc, char **argv, const char *path)
{
	int was = dup(STDERR_FILENO), status;
	int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(was >= 0 && to >= 0);
	fflush(stderr);
	dup2(to, STDERR_FILENO);
	close(to);
	status = cmd(argc, argv);
	fflush(stderr);
	dup2(was, STDERR_FILENO);
	close(was);
	return status;
}

static void
call(int want, int (*cmd)(int, char **), const char *words, const char *path,
    const char *out, const char *err)
{
	static char line[512];
	char *argv[40];
	int argc = 0, status;

	snprintf(line, sizeof line, "%s", words);
	for (char *w = strtok(line, " "); w != NULL; w = strtok(NULL, " "))
		argv[argc++] = w;
	argv[argc++] = (char[]){ "-o" };
	argv[argc++] = (char *)(uintptr_t)out;
	if (path != NULL)
		argv[argc++] = (char *)(uintptr_t)path;
	argv[argc] = NULL;
	optind = 0;
	remove(out);
	status = aside(cmd, argc, argv, err);
	if (want >= 0 && status != want)
		fail_msg("%s returns %d, not %d, and says: %s", words, status,
		    want, file_text(err, NULL));
}

char *
said(int want, int (*cmd)(int, char **), const char *words, const char *dump)
{
	return said_of(want, cmd, words, dump != NULL ?
	    test_put("dump", dump) : NULL);
}

char *
said_of(int want, int (*cmd)(int, char **), const char *words, const char *path)
{
	char out[128], err[128];

	snprintf(out, sizeof out, "%s/out", test_dir);
	snprintf(err, sizeof err, "%s/err", test_dir);
	call(want, cmd, words, path, out, err);
	/* nothing is put where nothing can be said */
	return access(out, F_OK) < 0 ? strdup("") : file_text(out, NULL);
}

char *
complained(int want, int (*cmd)(int, char **), const char *words,
    const char *dump)
{
	char err[128];

	free(said(want, cmd, words, dump));
	snprintf(err, sizeof err, "%s/err", test_dir);
	return file_text(err, NULL);
}

void
holds(char *text, const char *what)
{
	text_has(text, what);
	free(text);
}

void
lacks(char *text, const char *what)
{
	text_lacks(text, what);
	free(text);
}
