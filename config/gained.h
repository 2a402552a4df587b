/*
 * config/gained.h - a program that has more rights than who started it.
 */
#ifndef CONFIG_GAINED_H
#define CONFIG_GAINED_H

#include <stdbool.h>

/* What such a program says, behind its name, before it ends. */
#define GAINED_WORDS "not setuid: use the service or sudo"

/* gained_rights - has the exec of this program given it rights (a setuid or
 * setgid bit, file capabilities)?  Every option would be for him who started it
 * to choose, and every file that it names one of root's. */
bool gained_rights(void);

#endif
