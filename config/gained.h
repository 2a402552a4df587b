/*
 * config/gained.h - detects that exec gave this program more rights than its caller has.
 */
#ifndef CONFIG_GAINED_H
#define CONFIG_GAINED_H

#include <stdbool.h>

/* The message such a program prints before it exits. */
#define GAINED_WORDS "not setuid: use the service or sudo"

/* gained_rights - did exec raise this program's rights (setuid or setgid bit, file
 * capabilities)?  Then an unprivileged caller could name any file in an option
 * and have root write it. */
bool gained_rights(void);

#endif
