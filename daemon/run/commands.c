/*
 * daemon/run/commands.c - what a daemon that samples can be asked for.
 */
#include "daemon/run/commands.h"

#include "daemon/run/session.h"

#include <errno.h>
#include <string.h>

static int
mark(struct session *s, const char *words, char *lines, struct diag *why)
{
	struct stamp now;

	(void)lines;
	access_now(s->node.acc, &now);
	return mark_notes_set(&s->marks, s->store, words, now.real_ns, why);
}

static const struct command {
	const char *name;
	int (*run)(struct session *, const char *rest, char *lines,
	    struct diag *why);
} commands[] = {
	{ "mark", mark },
};
#define NCOMMANDS (sizeof(commands) / sizeof(commands[0]))

int
commands_answer(void *ctx, const char *line, char *lines, struct diag *why)
{
	size_t n = strcspn(line, " ");

	for (size_t i = 0; i < NCOMMANDS; i++)
		if (strlen(commands[i].name) == n &&
		    strncmp(commands[i].name, line, n) == 0)
			return commands[i].run(ctx, line + n + (line[n] == ' '),
			    lines, why);
	return diag_set(why, -EINVAL, "\"%.*s\" is nothing that this tallyd "
	    "can be asked for", (int)n, line);
}
