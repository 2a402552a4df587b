/*
 * config/gained.c - detects that exec gave this program more rights than its caller has.
 */
#include "config/gained.h"

#include <sys/auxv.h>
#include <unistd.h>

bool
gained_rights(void)
{
	/* SELinux sets AT_SECURE for root's services, too: root cannot gain
	 * rights, so it is exempt */
	return getauxval(AT_SECURE) != 0 && getuid() != 0;
}
