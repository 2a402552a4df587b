/*
 * daemon/rights/writer_int.h - what the two sides of the socket say to each other.
 *
 * writer.c        the sampler's side, which asks
 * writer_keep.c   the process that may write, which answers
 * writer_allow.c  what it is asked, and whether it may do that
 * writer_lines.c  both sides of the sockets of single lprocs
 */
#ifndef DAEMON_RIGHTS_WRITER_INT_H
#define DAEMON_RIGHTS_WRITER_INT_H

#include "daemon/rights/writer.h"

#include <stddef.h>

enum what { ASK_PROGRAM, ASK_RESTORE, ASK_WRITE, ASK_READ, ASK_REMOVE,
	ASK_PAUSE, ASK_RESUME, ASK_WRITE_MANY };

struct request {
	uint32_t what;          /* enum what */
	struct reg_addr addr;   /* of ASK_WRITE and ASK_READ */
	uint64_t raw;           /* of ASK_RESUME: force; of ASK_PAUSE: given */
};

/* ASK_WRITE_MANY: n of these are sent. */
struct request_many {
	uint32_t what, n;
	struct reg_value value[ACCESS_MANY];
};
#define MANY_SIZE(n) (offsetof(struct request_many, value) + \
	(n) * sizeof(struct reg_value))

struct answer {
	int32_t rc;             /* 0 or -errno; ASK_RESTORE, ASK_PAUSE,
				 * ASK_WRITE_MANY: how many failed */
	uint64_t raw;
	struct diag why;
};

struct keeper {
	int fd;
	struct node *node;
	struct plan *plan;
	struct access *acc;
	struct journal *journal;
	struct store *store;
	struct may *may;        /* what it may write */
	bool changed;           /* registers are not as they were found */
	bool paused;            /* they are as found, and the journal is kept */
	bool given;             /* and belongs to another sampler now */
	struct keeper_lines *lines;     /* its threads that are asked, too */
};

/* keeper_main - runs the process that writes, until the other end is closed; does not
 * return. */
void keeper_main(struct keeper *, struct writer *);

/* keeper_list_registers - what may be written, from the plan: 0 or -ENOMEM. */
int keeper_list_registers(struct keeper *);

/* keeper_write_one - write a register, where the plan has it with that value: 0, or
 * -EPERM, or what else the access says. */
int keeper_write_one(struct keeper *, const struct reg_addr *, uint64_t raw);
/* keeper_is_many - is a message of that size an ASK_WRITE_MANY, whole? */
bool keeper_is_many(const struct request_many *, ssize_t size);
/* keeper_write_many - write those of its registers that the plan has with these
 * values; returns how many were not written. */
int32_t keeper_write_many(struct keeper *, const struct request_many *);

/* writer_tell - sends a whole message: 0 or -errno. */
int writer_tell(int fd, const void *message, size_t size);
/* writer_hear - receives a message; returns its length, 0: the other end is closed, or
 * -errno. */
ssize_t writer_hear(int fd, void *message, size_t size);

#endif
