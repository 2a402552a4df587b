/*
 * daemon/rights/caller.h - running programs as the user who called us, never as root.
 */
#ifndef DAEMON_RIGHTS_CALLER_H
#define DAEMON_RIGHTS_CALLER_H

#include "lib/diag.h"

/* caller_become - becomes the user behind sudo (SUDO_UID, SUDO_GID), with his groups,
 * HOME, USER and LOGNAME; without sudo it changes nothing.  0, or -errno with
 * words. */
int caller_become(struct diag *why);

/* caller_finds - can he run this program, which is looked up in PATH if it has no slash?
 * 0, or the exit status that a shell would have, and it has said why: 127: it is not
 * there; 126: it cannot be run; 1: the user is unknown. */
int caller_finds(const char *name);

/* caller_exec - becomes him, and then this program, with signals as a program expects
 * them.  Returns only if that fails: an exit status, and it has said why. */
int caller_exec(char *const *argv);

/* caller_report - runs the tally that is installed beside tallyd, as him, with these
 * words, ended by NULL; words[0] becomes its name. */
void caller_report(char **words);

#endif
