/*
 * daemon/run/session_segments.h - what a session has to do with its segments.
 */
#ifndef DAEMON_RUN_SESSION_SEGMENTS_H
#define DAEMON_RUN_SESSION_SEGMENTS_H

#include "daemon/run/sampler.h"
#include "daemon/run/session.h"

/* session_segments - what they are made with, and what the loop asks. */
void session_segments(struct session *, struct sampler *);

/* session_samples - how many the run is to have.  Where nobody says, it has no
 * end; but what does not wait, or cannot be in segments, has one. */
uint64_t session_samples(const struct session *);

/* session_program - --pipe's process: without capabilities, but with nearly all
 * system calls.  0, or -errno with words. */
int session_program(struct session *, struct diag *why);

/* session_child - of a session, in a child that writes a dump: what it must not
 * hold, and whom it must not overtake. */
void session_child(void *session);

/* session_writer - of a session, in the process that writes registers: what it
 * has no use for. */
void session_writer(void *session);

/* session_remove - of a session: a store's file, by who has the right to. */
int session_remove(void *session, struct store *);

#endif
