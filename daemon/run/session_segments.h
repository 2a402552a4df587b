/*
 * daemon/run/session_segments.h - the functions that segments and the loop
 * call in a session.
 */
#ifndef DAEMON_RUN_SESSION_SEGMENTS_H
#define DAEMON_RUN_SESSION_SEGMENTS_H

#include "daemon/run/sampler.h"
#include "daemon/run/session.h"

/* session_segments - sets the functions that segments and the loop call. */
void session_segments(struct session *, struct sampler *);

/* session_samples - how many samples the run has.  Without an option it has no end, but a
 * run in virtual time, or one that cannot have segments, does. */
uint64_t session_samples(const struct session *);

/* session_program - called in --pipe's process: drops capabilities, but keeps nearly all
 * system calls.  0, or -errno with words. */
int session_program(struct session *, struct diag *why);

/* session_child - called in a child that writes a dump: closes what the child must not
 * hold, and waits for an older child. */
void session_child(void *session);

/* session_writer - called in the process that writes registers: closes what it does not
 * need. */
void session_writer(void *session);

/* session_remove - removes a store's file, by the process that has the right to. */
int session_remove(void *session, struct store *);

#endif
