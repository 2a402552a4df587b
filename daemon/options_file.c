/*
 * daemon/options_file.c - options that stand in configuration files.
 */
#include "daemon/options_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool
options_of_no_node(const struct options *o)
{
	return o->instead.help || o->instead.version ||
	    o->instead.model != NULL || (o->instead.list != NULL &&
	    (strcmp(o->instead.list, "models") == 0 || strcmp(o->instead.list,
	    "texts") == 0 || strcmp(o->instead.list, "options") == 0));
}

/* Takes /etc/tallyd/tallyd.conf, if it is there and nothing else is named. */
static int
own_config(struct options *o)
{
	const char *root = strcmp(o->node.root, "/") == 0 ? "" : o->node.root;
	size_t size = strlen(root) + sizeof(ETC_CONFIG);
	struct stat sb;
	char *path;

	if (o->count.config.n > 0 || o->count.inputs != NULL ||
	    o->node.machine != NULL || o->node.replay != NULL ||
	    options_of_no_node(o))
		return 0;
	if ((path = arena_alloc(o->arena, size)) == NULL)
		return -ENOMEM;
	snprintf(path, size, "%s%s", root, ETC_CONFIG);
	if (stat(path, &sb) < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	o->count.config.name[o->count.config.n++] = path;
	o->count.own_config = true;
	return 0;
}

int
options_file_read(struct options *o, struct diag *why)
{
	struct stat sb;
	int rc = 0;

	if ((o->arena = arena_new()) == NULL || own_config(o) < 0)
		return diag_set(why, -ENOMEM, "out of memory");
	for (unsigned i = 0; rc == 0 && i < o->count.config.n; i++)
		if (o->count.config.name[i][0] != '@' &&
		    stat(o->count.config.name[i], &sb) == 0 &&
		    S_ISREG(sb.st_mode))
			rc = option_lines_read(&o->lines, o->arena,
			    o->count.config.name[i], why);
	return rc;
}

int
options_file_may(const struct option_line *line, struct diag *why)
{
	/* options in place of a run, and those that are settled before the file is read */
	static const char *const not[] = { "config", "inputs", "root", "check",
	    "dry-run", "list", "print", "model", "restore", "background",
	    "help", "version", "mark", "pause", "pid",
	    "resume", "ask", "reload", NULL };

	for (const char *const *n = not; *n != NULL; n++)
		if (strcmp(line->name, *n) == 0)
			return diag_at(why, line->file, line->line, "--%s "
			    "stands on the command line alone", *n);
	return 0;
}
