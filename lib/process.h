/*
 * lib/process.h - this process: the start of its threads, its memory, its rights.
 */
#ifndef LIB_PROCESS_H
#define LIB_PROCESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * thread_start - run a function in a new thread.
 *
 * stack   bytes of its stack; 0: libc's default
 *
 * The thread blocks every signal except SIGSYS, so that the thread that started it
 * gets them.  SIGSYS is not blocked, as the kernel kills a process to which it cannot
 * deliver that signal for a system call that the filter (seccomp) refused.
 * Returns 0 or -errno.
 */
int thread_start(pthread_t *, size_t stack, void *(*run)(void *), void *arg);

/* thread_bind - this thread runs on one CPU from now on; 0 or -errno.  thread_anywhere -
 * another one (its kernel's number) runs on any. */
int thread_bind(unsigned cpu);
void thread_anywhere(int tid);

/* nap - sleep so many ms, less after a signal. */
void nap(unsigned ms);

/* start_problem - why a thread or a process could not be started (-errno), and what to
 * do about it. */
const char *start_problem(int rc);

/* memory_unused - bytes of the node's memory that are free. */
uint64_t memory_unused(void);

/* memory_large_apart - from now on `least` bytes or more that are allocated at once are
 * pages of their own, given back as they are freed: glibc, which begins so with 128 KB,
 * otherwise takes them from the heap once such a piece has been freed. */
void memory_large_apart(int least);

/*
 * stack_release - give the pages below this call back to the kernel, of the 128 KB of
 * this thread's stack that begin there: what calls that have returned had on them.
 *
 * For the main thread, and for threads with 256 KB of stack in their main function.
 */
void stack_release(void);

/*
 * memory_release - give memory that was only needed at the start back to the kernel:
 * the free part of the heap, the pages of code, constants and texts of the program
 * and its libraries, locked or not (locked ones since Linux 5.18), and of this thread's
 * stack (stack_release).  Those that are still used are mapped again at the next access.
 *
 * For the main thread of a process that has begun, and will run for long.
 */
void memory_release(void);

/* gained_rights - did exec give this program more rights than its caller has
 * (setuid or setgid bit, file capabilities)?  Then an unprivileged user would
 * choose the options and files of a privileged program. */
bool gained_rights(void);
/* What such a program says before it exits. */
#define GAINED_WORDS "not setuid: use the service or sudo"

#endif
