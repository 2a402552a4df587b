/*
 * postproc/live/exporters.c - what exporters that write again and again share.
 */
#include "postproc/live/exporters.h"

#include <errno.h>
#include <math.h>
#include <signal.h>

bool
export_wait(double seconds)
{
	struct timespec t = { .tv_sec = (time_t)seconds,
	    .tv_nsec = (long)((seconds - floor(seconds)) * 1e9) };
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	return sigtimedwait(&ends, NULL, &t) < 0 && errno == EAGAIN;
}
