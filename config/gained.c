/*
 * config/gained.c - detect that this program runs setuid, setgid or with file
 * capabilities.
 */
#include "config/gained.h"

#include <sys/auxv.h>
#include <unistd.h>

bool
gained_rights(void)
{
	/* SELinux sets AT_SECURE for root's services, too, but root has nothing
	 * to gain */
	return getauxval(AT_SECURE) != 0 && getuid() != 0;
}
