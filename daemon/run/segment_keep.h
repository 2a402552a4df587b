/*
 * daemon/run/segment_keep.h - the files of segments: their names, and which are kept.
 *
 * A file beside them, run.segments, lists those that tallyd has written, with inode,
 * size and time.  A file that differs from its line, or has none, is somebody else's and
 * stays.
 */
#ifndef DAEMON_RUN_SEGMENT_KEEP_H
#define DAEMON_RUN_SEGMENT_KEEP_H

#include "config/amount.h"
#include "config/dump/dump.h"

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

#endif
