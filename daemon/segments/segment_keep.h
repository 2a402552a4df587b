/*
 * daemon/segments/segment_keep.h - so many segments are kept, and the oldest removed.
 *
 * Which are ours stands in a file beside them, run.segments: a line each, with
 * what the file was when it was done.  Whatever has another inode, size or time
 * by now, or never stood there, is somebody else's and stays.
 */
#ifndef DAEMON_SEGMENTS_SEGMENT_KEEP_H
#define DAEMON_SEGMENTS_SEGMENT_KEEP_H

#include "config/amount.h"
#include "config/dump/save.h"

/*
 * segment_keep - a segment is done: note it, and remove the oldest of all that
 * are more than what is to be kept.  The newest always stays.
 *
 * place  what was asked for, whose segments these are
 * name   of the file; "": none is new
 * end_s  when it ends, seconds since 1970; a time that is to be kept goes back
 *        from the newest one's
 *
 * 0, or -errno with words: none is removed then.
 */
int segment_keep(const struct save_place *, const struct amount *keep,
    const char *name, uint64_t end_s, struct diag *why);

/* segment_make_room - remove the oldest, for a disk is full.  Its name; 0, or
 * -ENOENT: there is none of ours; or another -errno. */
int segment_make_room(const struct save_place *, char name[256]);

/* segment_name - of number n, for the dump that was asked for. */
void segment_name(const struct save_place *, uint64_t n, char name[256]);

/* segment_number - n of a segment's name, or of what a program made of it
 * (run.000001.lua.zst); 0: it is none. */
uint64_t segment_number(const struct save_place *, const char *name);

/* segment_free_number - the first that is above all that are there. */
uint64_t segment_free_number(const struct save_place *);

#endif
