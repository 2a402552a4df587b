/*
 * daemon/ask.h - asking a daemon that samples: --mark, --pause, --resume, --ask.
 */
#ifndef DAEMON_ASK_H
#define DAEMON_ASK_H

#include "daemon/options.h"

/* ask_run - ask, print what it says.  Returns the exit status, and has said
 * why. */
int ask_run(const struct options *);

#endif
