/*
 * tests/lib/service.c - the daemon on a stand-in node as a service.
 */
#include "tests/lib/service.h"

#include "tests/lib/rig.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

void
service_configure(const struct scene *s, const char *text)
{
	tree_text(s->dir, "/etc/tallyd/tallyd.conf", text);
}

struct scene
service_begin(const char *text, pid_t *pid)
{
	struct scene s = scene_begin();

	service_configure(&s, text);
	*pid = tallyd_start(s.dir, SERVICE, ARGS("-q"));
	tallyd_rows(s.dir, 3);
	return s;
}

int
service_reload(const struct scene *s)
{
	return tallyd_run(s->dir, NULL, ARGS("--reload"));
}

uint64_t
service_rows(const struct scene *s, const char *store)
{
	struct store *st;
	char path[512];
	uint64_t n;

	if (store_open(&st, in_dir(s->dir, store, path), NULL) < 0)
		return 0;
	n = store_rows(st);
	store_close(st);
	return n;
}

static bool
has(const struct scene *s, const char *name, const char *words)
{
	char path[512], *text = file_text(in_dir(s->dir, name, path), NULL);
	bool found = strstr(text, words) != NULL;

	free(text);
	return found;
}

bool
service_says(const struct scene *s, const char *words)
{
	return has(s, "log", words);
}

bool
service_wrote(const struct scene *s, const char *dump, const char *words)
{
	return has(s, dump, words);
}

void
service_ended(struct scene *s, pid_t pid)
{
	int status;

	kill(pid, SIGTERM);
	status = tallyd_wait(pid);
	if (status != 0)
		tallyd_failed(s->dir, "a service that was stopped", status);
	stand_in_same(s->dir, s->before, "at the end");
	assert_false(scene_has(s, "run/tallyd.journal"));
	assert_int_equal(scene_files(s, "store"), 0);
	/* with the filter of system calls in force */
	assert_false(service_says(s, "refused: "));
}
