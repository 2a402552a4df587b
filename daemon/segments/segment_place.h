/*
 * daemon/segments/segment_place.h - the files of segments: run.lua's are run.000001.lua,
 * run.000002.lua, ...
 */
#ifndef DAEMON_SEGMENTS_SEGMENT_PLACE_H
#define DAEMON_SEGMENTS_SEGMENT_PLACE_H

#include "config/dump/save.h"

/* segment_name - of number n, for the dump that was asked for. */
void segment_name(const struct save_place *, uint64_t n, char name[256]);

/* segment_number - n of a segment's name, or of what a program made of it
 * (run.000001.lua.zst); 0: it is none. */
uint64_t segment_number(const struct save_place *, const char *name);

/* segment_free_number - the first that is above all that are there. */
uint64_t segment_free_number(const struct save_place *);

#endif
