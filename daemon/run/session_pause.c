/*
 * daemon/run/session_pause.c - what a session has to do with its pause.
 */
#include "daemon/run/session_pause.h"

struct pause_of
session_pause_of(struct session *s)
{
	return (struct pause_of){ .pause = &s->pause, .node = &s->node,
	    .writer = &s->writer, .sweep = &s->sweep, .store = s->store,
	    .force = s->o->node.force };
}

bool
session_held(void *ctx)
{
	struct pause_of of = session_pause_of(ctx);

	return pause_on(&of);
}
