/*
 * config/gained.h - detect that this program runs setuid, setgid or with file
 * capabilities.
 */
#ifndef CONFIG_GAINED_H
#define CONFIG_GAINED_H

#include <stdbool.h>

/* The message of such a program before it exits. */
#define GAINED_WORDS "not setuid: use the service or sudo"

/* gained_rights - did exec give this program more rights than its caller has
 * (setuid or setgid bit, file capabilities)?  Then an unprivileged user would
 * choose the options and files of a privileged program. */
bool gained_rights(void);

#endif
