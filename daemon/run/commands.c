/*
 * daemon/run/commands.c - what a daemon that samples can be asked for, a line each
 * (daemon/run/control.h):
 *
 *   mark WORDS
 *   pause [SECONDS]
 *   resume
 *   reload          the supervisor answers
 *   ask             answers who this is and what it does
 */
#include "daemon/run/session.h"

#include "lib/printable.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_MAX 604800        /* s: a week */

static int
commands_mark(struct session *s, const char *words, char *lines,
    struct diag *why)
{
	struct stamp now;

	(void)lines;
	access_now(s->node.acc, &now);
	return mark_notes_set(&s->marks, s->store, words, now.real_ns, why);
}

static int
lend(struct session *s, const char *rest, char *lines, struct diag *why)
{
	struct pause_of of = session_pause_of(s);
	double seconds = 0;
	char *end, buf[AMOUNT_SECONDS];

	(void)lines;
	if (*rest != '\0') {
		seconds = strtod(rest, &end);
		if (end == rest || *end != '\0' || !(seconds > 0) ||
		    seconds > PAUSE_MAX)
			return diag_set(why, -EINVAL, "pause %s: give seconds, "
			    "more than 0 and at most %d%s", rest, PAUSE_MAX,
			    amount_seconds(rest, buf));
	}
	return pause_begin(&of, seconds, why);
}

static int
resume(struct session *s, const char *rest, char *lines, struct diag *why)
{
	struct pause_of of = session_pause_of(s);

	(void)rest;
	(void)lines;
	return pause_end(&of, why);
}

/* "2026-11-22 16:20:00 UTC": the filter does not let us read a time zone's file. */
static const char *
time_text(uint64_t real_ns, char buf[40])
{
	time_t sec = (time_t)(real_ns / 1000000000);
	struct tm tm;

	if (gmtime_r(&sec, &tm) == NULL ||
	    strftime(buf, 40, "%Y-%m-%d %H:%M:%S UTC", &tm) == 0)
		strcpy(buf, "an unknown time");
	return buf;
}

/* The supervisor answers whoever asks, once the reload is done. */
static int
reload(struct session *s, const char *rest, char *lines, struct diag *why)
{
	int rc = handover_ask(s, s->control.from, why);

	(void)rest;
	(void)lines;
	return rc < 0 ? rc : -EINPROGRESS;
}

static int
commands_who(struct session *s, const char *rest, char *lines, struct diag *why)
{
	uint64_t rows = store_rows(s->store);
	char path[4096], at[40];
	size_t n;

	(void)rest;
	(void)why;
	n = (size_t)snprintf(lines, CONTROL_ANSWER / 2, "tallyd %s, pid %d, "
	    "samples since %s\n%u columns every %g s by %s, %u registers "
	    "programmed; %" PRIu64 " sample%s in this dump so far\n",
	    TALLYD_VERSION, s->handover.fd > 0 ? s->handover.main :
	    getpid(), time_text(s->start_ns, at),
	    store_shape(s->store)->ncolumn, s->o->interval, s->node.config.perf ?
	    "the kernel's counters" : s->node.acc->ops->name,
	    s->node.plan.nwrite, rows, plural(rows));
	if (s->pause.on)
		n += (size_t)snprintf(lines + n, 200, "paused since %s, %s: the "
		    "registers are as they were found%s\n",
		    time_text(s->pause.from_ns, at), s->pause.end_ns == 0 ?
		    "until --resume" : "for a time", s->pause.left ?
		    ", but those of lprocs that were offline" : "");
	snprintf(lines + n, CONTROL_ANSWER - n, "dump %.1500s\n",
	    save_path(&s->output.place, path));
	return 0;
}

static const struct command {
	const char *name;
	int (*run)(struct session *, const char *rest, char *lines,
	    struct diag *why);
} commands[] = {
	{ "mark", commands_mark }, { "pause", lend }, { "resume", resume },
	{ "ask", commands_who }, { "reload", reload },
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
