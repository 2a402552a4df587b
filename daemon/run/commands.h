/*
 * daemon/run/commands.h - what a daemon that samples can be asked for, a line
 * each (daemon/run/control.h):
 *
 *   mark WORDS
 *   pause [SECONDS]
 *   resume
 *   reload          the answer comes from the supervisor
 *   ask             its lines say who this is and what it does
 */
#ifndef DAEMON_RUN_COMMANDS_H
#define DAEMON_RUN_COMMANDS_H

#include "regs/diag.h"

/* commands_answer - control.answer of a session, which is ctx. */
int commands_answer(void *ctx, const char *line, char *lines,
    struct diag *why);

#endif
