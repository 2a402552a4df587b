/*
 * tests/lib/tracer.h - a program and all that it forks, with one of its system
 * calls gone wrong (ptrace: also what libc calls inside, and what is called
 * without it).
 */
#ifndef TESTS_TRACER_H
#define TESTS_TRACER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum fault {
	FAULT_NONE,
	FAULT_ONCE,             /* fails, as that call may, and does nothing */
	FAULT_ON,               /* and so does every later call of its number */
	FAULT_EINTR,            /* is interrupted before it has done anything */
	FAULT_SHORT,            /* does half of what it was asked for */
	FAULT_KILL,             /* its process is killed instead */
	FAULT_KILL_ALL,         /* all of them are */
	FAULT_KINDS
};
extern const char *const fault_name[FAULT_KINDS];

/* A call that has come back. */
struct trace_call {
	pid_t pid;
	long nr;
	uint64_t arg[6];
	int64_t rc;
};

/*
 * One run.  Calls are counted from the first thing that tallyd's main does on,
 * and of each kind of fault only those that can fail in that way.
 */
struct trace {
	enum fault fault;
	uint64_t at;            /* the Nth of them; the first is 1 */
	void (*exec)(void *ctx);        /* becomes the program */
	void (*done)(void *ctx, struct trace *, const struct trace_call *);
	void *ctx;

	/* what came of it */
	pid_t root;             /* the program's first process */
	int status;             /* its exit status, or minus the signal */
	bool hung;              /* was killed after a minute without an end */
	bool hit;               /* there was such a call */
	bool of_root;           /* it was the first process's */
	long nr;                /* its number */
	char what[200];         /* "openat of tallyd-writer, /dev/x: EMFILE" */
	uint64_t fits[FAULT_KINDS];     /* how many there were; FAULT_NONE: all */
};

/* trace_works - may this process trace, on this kind of machine? */
bool trace_works(void);

/* trace_run - until the last of its processes has ended. */
void trace_run(struct trace *);

/* trace_peek - eight bytes of a process that trace_run stopped; in `done`. */
uint64_t trace_peek(pid_t, uint64_t at);

#endif
