/*
 * lib/thread.c - the start of a thread of ours.
 */
#include "lib/thread.h"

#include <signal.h>

int
thread_start(pthread_t *id, size_t stack, void *(*run)(void *), void *arg)
{
	sigset_t blocked, before;
	pthread_attr_t attr;
	int rc;

	sigfillset(&blocked);
	sigdelset(&blocked, SIGSYS);
	pthread_attr_init(&attr);
	if (stack > 0)
		pthread_attr_setstacksize(&attr, stack);
	pthread_sigmask(SIG_SETMASK, &blocked, &before);
	rc = pthread_create(id, &attr, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return -rc;
}
