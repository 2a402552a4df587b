/*
 * config/dump/save.h - where a dump goes, and how it gets there.
 */
#ifndef CONFIG_DUMP_SAVE_H
#define CONFIG_DUMP_SAVE_H

#include "config/dump/store.h"

#include <sys/stat.h>

/* The file that a run wrote last; its processes share it. */
struct save_mine {
	unsigned number;        /* of the name: HOST.perfcounts.2.lua; 1: none */
	dev_t dev;
	ino_t ino;              /* 0: nothing was written yet */
	off_t size;
	struct timespec mtime;
	uint64_t numbers;       /* that it has, as dump_write says */
};

/*
 * A name in a folder that was opened when the place was chosen, so that it is
 * that folder whatever becomes of its path.  A device, a pipe or a link that
 * was there then is written to and stays; of what somebody puts there later
 * nothing is replaced, and no link followed: the dump gets the next number.
 */
struct save_place {
	int dir;                /* -1: none */
	char name[256];         /* without a number */
	char path[4096];
	bool in_place;          /* a device, a pipe, a link: */
	dev_t dev;
	ino_t ino;
	uid_t owner;            /* of that, when the place was chosen */
	bool overwrite;         /* what is there, whoever made it */
	int uid, gid;           /* whose the file becomes; -1: the writer's */
	mode_t mode;            /* 0640, and what the umask leaves of it */
	struct save_mine *mine;
};

#define SAVE_NUMBERS 9999

/* save_open - the place that path names.  0, or -errno with words. */
int save_open(struct save_place *, const char *path, struct diag *why);
void save_close(struct save_place *);           /* of a closed one: nothing */

/* save_beside - the place of another file in the same folder, which nobody has
 * written yet; 0 or -errno. */
int save_beside(struct save_place *, const struct save_place *,
    const char *name);

/*
 * save_trusted - may root write there?
 *
 * Not in a folder where somebody else could swap what is being written (one
 * that is his, or that others may write, but for /tmp and the like), nor
 * through somebody else's link.  0, or -EACCES with words.
 */
int save_trusted(const struct save_place *, struct diag *why);

/* save_name - what the file is called by now; save_path - the same, with its
 * folder as it was named. */
const char *save_name(const struct save_place *, char name[256]);
const char *save_path(const struct save_place *, char path[4096]);

/* save_taken - is there a file that somebody else made, and that a dump would
 * take the place of? */
bool save_taken(const struct save_place *);

/* save_undo - what this run wrote there last is removed, unless it is another's by
 * now. */
void save_undo(const struct save_place *);

/* save_try - could a dump be put there, as things are?  0 or -errno. */
int save_try(const struct save_place *);

/*
 * save_dump - dump_write to a temporary name beside it, fsync, and its name.
 *
 * What this run wrote before is replaced; a file of anybody else's is only to
 * overwrite: without that the dump gets the next number that is free, which
 * save_path tells.  0 or -errno, words in why.
 */
int save_dump(const struct store *, const struct save_place *,
    struct diag *why);

#endif
