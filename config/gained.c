/*
 * config/gained.c - a program that has more rights than who started it.
 */
#include "config/gained.h"

#include <sys/auxv.h>
#include <unistd.h>

bool
gained_rights(void)
{
	/* SELinux sets AT_SECURE for services of root's, too, who can gain
	 * nothing */
	return getauxval(AT_SECURE) != 0 && getuid() != 0;
}
