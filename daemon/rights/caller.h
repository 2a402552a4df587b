/*
 * daemon/rights/caller.h - running programs as who called us, never as root in his
 * place.
 */
#ifndef DAEMON_RIGHTS_CALLER_H
#define DAEMON_RIGHTS_CALLER_H

#include "regs/diag.h"

/* caller_become - the user behind sudo (SUDO_UID, SUDO_GID), with his groups,
 * HOME, USER and LOGNAME; nobody else where there is none.  0, or -errno with
 * words. */
int caller_become(struct diag *why);

/* caller_finds - is this program there, in PATH where it has no slash, and may he
 * run it?  0, or the exit status that a shell has then, and it has said why: 127
 * where it is not there, 126 where it cannot be run; 1 where he is unknown. */
int caller_finds(const char *name);

/* caller_exec - become him and this program, with signals as a program expects
 * them.  Returns the exit status of one that could not be run, and has said
 * why. */
int caller_exec(char *const *argv);

/* caller_report - the tally beside us with these words, ended by NULL, as him;
 * words[0] becomes its name. */
void caller_report(char **words);

#endif
