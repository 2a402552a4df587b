/*
 * daemon/run/session_pause.h - what a session has to do with its pause.
 */
#ifndef DAEMON_RUN_SESSION_PAUSE_H
#define DAEMON_RUN_SESSION_PAUSE_H

#include "daemon/run/session.h"

/* session_pause_of - what it is done with, by now. */
struct pause_of session_pause_of(struct session *);

/* session_held - sampler.held of a session, which is ctx: the registers are
 * others'. */
bool session_held(void *ctx);

#endif
