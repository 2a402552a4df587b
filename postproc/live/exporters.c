/*
 * postproc/live/exporters.c - what exporters that write again and again share.
 */
#include "postproc/live/exporters.h"

#include <errno.h>
#include <math.h>
#include <signal.h>

#define PAUSE 1.0               /* s between looks, at least, */
#define LONGEST 60.0            /* and at most */

double
export_pause(const struct exposed *x)
{
	double every = x->follow.open ? x->follow.every : PAUSE;

	return every > PAUSE ? fmin(every, LONGEST) : PAUSE;
}

/* false: SIGINT or SIGTERM. */
static bool
sleep_for(double seconds)
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

bool
export_wait(struct exposed *x, double seconds)
{
	double pause;

	if (follow_whole(&x->follow))
		return false;
	while (seconds > (pause = export_pause(x))) {
		if (!sleep_for(pause))
			return false;
		follow_poll(&x->follow);
		seconds -= pause;
	}
	return sleep_for(seconds);
}
