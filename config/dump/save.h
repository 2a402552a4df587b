/*
 * config/dump/save.h - where a dump goes, and how it gets there.
 */
#ifndef CONFIG_DUMP_SAVE_H
#define CONFIG_DUMP_SAVE_H

#include "config/dump/store.h"

#include <sys/stat.h>

/*
 * A name in a folder that was opened when the place was chosen, so that it is
 * that folder whatever becomes of its path.  A device, a pipe or a link that
 * was there then is written to and stays; what somebody puts there later is
 * replaced, and no link of his followed.
 */
struct save_place {
	int dir;                /* -1: none */
	char name[256];
	char path[4096];        /* for words; and of what is in /proc */
	bool in_place;          /* a device, a pipe, a link: */
	dev_t dev;
	ino_t ino;
	int uid, gid;           /* whose the file becomes; -1: the writer's */
	mode_t mode;            /* 0640, and what the umask leaves of it */
};

/* save_open - the place that path names.  0, or -errno with words. */
int save_open(struct save_place *, const char *path, struct diag *why);
void save_close(struct save_place *);           /* of a closed one: nothing */

/*
 * save_trusted - may root write there?
 *
 * Not in a folder where somebody else could swap what is being written (one
 * that is his, or that others may write, but for /tmp and the like), nor
 * through somebody else's link.  0, or -EACCES with words.
 */
int save_trusted(const struct save_place *, struct diag *why);

/* save_try - could a dump be put there, as things are?  0 or -errno. */
int save_try(const struct save_place *);

/* save_dump - dump_write to a temporary name beside it, fsync, rename.  0 or
 * -errno, words in why. */
int save_dump(const struct store *, const struct save_place *,
    struct diag *why);

#endif
