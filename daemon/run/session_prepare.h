/*
 * daemon/run/session_prepare.h - what must hold before a session writes the first
 * register.
 */
#ifndef DAEMON_RUN_SESSION_PREPARE_H
#define DAEMON_RUN_SESSION_PREPARE_H

#include "daemon/run/session.h"

/* session_prepare - nobody else counts, how to read is chosen, and the journal and
 * the store are there.  0, or -errno with words. */
int session_prepare(struct session *, struct diag *why);

#endif
