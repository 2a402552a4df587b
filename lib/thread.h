/*
 * lib/thread.h - the start of a thread of ours.
 */
#ifndef LIB_THREAD_H
#define LIB_THREAD_H

#include <pthread.h>
#include <stddef.h>

/*
 * thread_start - run a function in a thread of its own.
 *
 * stack   bytes of its stack; 0 takes libc's default
 *
 * The thread blocks every signal, as signals are for the thread that started it,
 * but SIGSYS: the kernel kills a process whose refused system call (seccomp)
 * cannot be delivered as that signal.  Returns 0 or -errno.
 */
int thread_start(pthread_t *, size_t stack, void *(*run)(void *), void *arg);

#endif
