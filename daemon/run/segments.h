/*
 * daemon/run/segments.h - a run in segments: a finished dump for each, while
 * sampling goes on.
 *
 * The last row of a segment is the first of the next, whose store is made before.  A
 * child writes the dump of the old segment, whose store is then removed: never more than
 * two stores have rows.
 */
#ifndef DAEMON_RUN_SEGMENTS_H
#define DAEMON_RUN_SEGMENTS_H

#include "config/amount.h"
#include "config/dump/dump.h"
#include "config/dump/store.h"
#include "daemon/options.h"
#include "daemon/run/handover.h"
#include "daemon/run/output.h"
#include "regs/access.h"

#include <sys/types.h>

/*
 * The process that runs --pipe's program over each segment, and then removes the
 * oldest.
 *
 * It is forked when rights are given up and before the filter of system calls,
 * which hardly any program could run under; it holds none of our other
 * descriptors, and ends when nobody holds the other end of its socket.
 *
 * A program has PIPE_SECONDS, and one more for each MB of the dump; once nobody
 * holds the other end all that are left have PIPE_SECONDS together.  Then it and
 * what it has started get a TERM, and a KILL: the dump stays as it is.
 */

#define PIPE_SECONDS 10

struct segment_pipe {
	void (*leave)(void *ctx);       /* in the process, which has no other
					 * descriptors by then */
	void *ctx;
	int fd;                 /* socket to it; -1: there is none */
	pid_t pid;
};

/*
 * segment_pipe_start - forks the process; leave and ctx are set.
 *
 * command  words with blanks between, '...' and "..." around those that have
 *          some; %s is the name of the dump, %% is %.  No shell sees it.  It
 *          runs in the folder of the dump, and reads that as standard input.
 *
 * 0, or -errno with words: -EINVAL no command, ...
 */
int segment_pipe_start(struct segment_pipe *, const char *command,
    const struct save_place *, const struct amount *keep, struct diag *why);

/* segment_pipe_put - has the program run over a dump, which is removed if that succeeds.
 * wait: while too many dumps wait for it.  0, or -errno: nothing will be done; -EAGAIN: too
 * many wait. */
int segment_pipe_put(const struct segment_pipe *, const char *name,
    uint64_t end_s, bool wait);

/* segment_pipe_stop - no dump follows: the process ends when all is done.  wait: until it
 * has ended. */
void segment_pipe_stop(struct segment_pipe *, bool wait);

/* Rows of a segment without --segment. */
#define SEGMENT_ROWS 10000

/* The result of a dump, from the child that writes it. */
struct segment_done {
	bool done;
	int rc;
	struct diag why;
};

struct segments {
	/* set by the caller */
	const struct options *o;
	const struct output *output;    /* what was asked for */
	struct access *acc;             /* for the time */
	void (*leave)(void *ctx);       /* called in a child: drops what is the daemon's */
	int (*remove)(void *ctx, struct store *);
	void *ctx;
	/* private */
	struct store_shape shape;       /* of the stores to come: that of the one that is
					 * sampled into, whose memory it points to */
	uint64_t samples;       /* of the run */
	uint64_t rows;          /* of a segment; UINT64_MAX: no limit */
	uint64_t slack;         /* the least room for rows beyond that */
	bool named;             /* the first file has a number, too: --segment */
	bool behind;            /* the sampler before has dumps to write */
	bool reload;            /* the first one began with a reload */
	uint64_t n;             /* number of the present one, from 1 */
	uint64_t first_number;  /* of its file */
	uint64_t begin_ns;      /* wall clock of its first row; 0: none yet */
	uint64_t sample;        /* number of its row 0 in the run */
	char of[80], boot[40];
	struct output place;            /* where its dump will be */
	struct store *next;             /* NULL: not yet */
	struct store *old;              /* its dump is not there yet */
	struct output old_place;
	uint64_t old_end_s;
	pid_t dumper;                   /* 0: none */
	struct segment_done *done;      /* shared with it */
	uint64_t again_ns;              /* when a dump or next store is tried again */
	bool said;                      /* why it fails has been logged */
	struct segment_pipe pipe;       /* .fd -1: none */
};

/*
 * segments_init - how long a segment is, and where it goes; before the first
 * store is made, whose capacity it returns.
 *
 * ncell     u64 a row
 * samples   of the run; UINT64_MAX: it has no end
 *
 * 0, or -errno with words.
 */
int segments_init(struct segments *, uint64_t ncell, uint64_t samples,
    struct diag *why);
uint64_t segments_capacity(const struct segments *);
/* segments_less - halves the rows of a segment, as memory does not suffice; false: their
 * number was asked for. */
bool segments_less(struct segments *);

/* segments_begin - takes the first store, and its shape for all that follow. */
int segments_begin(struct segments *, struct store *);

/* segments_follow - after segments_init: continues the numbers of another sampler. */
void segments_follow(struct segments *, const struct heritage *);

/* segments_spare - removes the next segment's store to save memory; it is made again when
 * it is needed. */
void segments_spare(struct segments *);

/* segments_due - called before a row: is it the last of its segment?  rows: in the store
 * so far.  Also attends to dumps that are being written. */
bool segments_due(struct segments *, const struct store *, uint64_t rows);

/*
 * segments_store_name - the name that the store of segment n has before and after it is
 * sampled into: that of --store with the number n behind it; NULL without --store.  The
 * store that is sampled into has the name of --store itself.
 */
const char *segments_store_name(const struct segments *, uint64_t n,
    char path[4096]);

/*
 * segments_change - called after that row: the store to go on with, which has the row,
 * too, while the old one becomes a dump; NULL: go on with the old one.
 */
struct store *segments_change(struct segments *, struct store *);

/* segments_place - where the present one goes; segments_first_name - the first
 * of those with numbers, in name. */
const struct save_place *segments_place(const struct segments *);
const char *segments_first_name(const struct segments *, char name[256]);

/* segments_range - the numbers of the run's files; false: it is one dump. */
bool segments_range(const struct segments *, uint64_t *first, uint64_t *last);

/* segments_save - writes the dump of the present segment as far as it is; segments_done
 * sees to --keep and --pipe. */
int segments_save(const struct segments *, const struct store *,
    struct diag *why);

/*
 * segments_end - called after sampling: sees to the dump of the segment before.
 * segments_done - called once the last dump is written: hands it to --keep and --pipe.
 * wait: until --pipe's program has ended.
 */
void segments_end(struct segments *);
void segments_done(struct segments *, const struct store *, bool wait);
void segments_fini(struct segments *);

/*
 * segment_left - called before the first store is made: makes a dump, with the next free
 * number and subject to --keep, of each store that dead daemons of this service have left,
 * and removes the store.  One that cannot be dumped stays, and why is logged.
 */
void segment_left(const struct output *, const struct options *);

/*
 * The files of segments: their names, and which are kept.
 *
 * A file beside them, run.segments, lists those that tallyd has written, with inode,
 * size and time.  A file that differs from its line, or has none, is somebody else's and
 * stays.
 */

/*
 * segment_keep - adds a segment to the list, and removes the oldest beyond what is to be
 * kept.  The newest always stays.
 *
 * place  the dump that was asked for, whose segments these are
 * name   of the file; "": there is no new one
 * end_s  when it ends, seconds since 1970; a time that is to be kept goes back
 *        from the newest one's
 *
 * 0, or -errno with words: none is removed then.
 */
int segment_keep(const struct save_place *, const struct amount *keep,
    const char *name, uint64_t end_s, struct diag *why);

/* segment_make_room - removes the oldest, as the disk is full; name gets its name.  0, or
 * -ENOENT: there is none of ours; or another -errno. */
int segment_make_room(const struct save_place *, char name[256]);

/* segment_name - the name of segment n of the dump that was asked for. */
void segment_name(const struct save_place *, uint64_t n, char name[256]);

/* segment_number - n of a segment's name, or of what a program made of it
 * (run.000001.lua.zst); 0: it is none. */
uint64_t segment_number(const struct save_place *, const char *name);

/* segment_free_number - the first number above all that are there. */
uint64_t segment_free_number(const struct save_place *);

/*
 * The dump of a segment that is over, written by a child while the next one is sampled.
 */

/* segment_dump_start - starts to write the dump of segments.old. */
void segment_dump_start(struct segments *);

/* segment_dump_look - looks whether it is written, and removes its store then; a failure
 * is logged, and the store stays.  wait: until it is written. */
void segment_dump_look(struct segments *, bool wait);

/* segment_dump_drop - gives up on it, so that newer samples have room. */
void segment_dump_drop(struct segments *);

/* segments_drop_next - removes the store of the next segment. */
void segments_drop_next(struct segments *);

/* segment_row_time - the wall clock of a row, ns; 0: it cannot be read. */
uint64_t segment_row_time(const struct store *, uint64_t row);

void segment_leave_place(struct output *);

#endif
