/*
 * postproc/data/mark_list.h - marks that have words, as the head of a dump has them.
 *
 *   words = word { " " word }       word = KEY [ "=" VALUE ]
 *
 * A mark lies between the sample before `sample` and that one.
 */
#ifndef POSTPROC_DATA_MARK_LIST_H
#define POSTPROC_DATA_MARK_LIST_H

#include "config/dump/read.h"

struct mark {
	uint64_t sample;        /* the first at or after it */
	double time;            /* s since 1970; NaN: not said */
	const char *text;       /* its words; the reader's */
};

struct mark_list {
	struct mark *mark;      /* [n] as they were made */
	unsigned n, room;
	unsigned nbad;          /* those that are left out: no sample, or no
	                         * words of the kind above */
};

/* mark_list_load - all that the head has by now; 0 or -ENOMEM.  A zeroed one is
 * empty. */
int mark_list_load(struct mark_list *, const struct reader *);
void mark_list_fini(struct mark_list *);

/* mark_value - what KEY is worth in its words: "" where it stands alone; NULL:
 * it is not there, or does not fit. */
const char *mark_value(const char *text, const char *key, char *buf,
    size_t size);

#endif
