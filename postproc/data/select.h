/*
 * postproc/data/select.h - which samples of a dump: the argument of -s; and with
 * how many threads they are read.
 */
#ifndef POSTPROC_DATA_SELECT_H
#define POSTPROC_DATA_SELECT_H

#include "config/dump/read.h"

enum end_kind {
	END_OPEN,               /* the first or the last there is */
	END_SAMPLE,             /* a sample by its number */
	END_SECONDS,            /* after the first; of a last: after FIRST */
	END_MARK,               /* the sample that begins phase n */
	END_NAME,               /* the sample that a mark of that name begins */
	END_LAST,               /* of a first: the last n samples */
	END_LAST_SECONDS,       /* of a first: the last seconds */
};

struct select_end {
	uint8_t kind;           /* enum end_kind */
	uint64_t n;             /* sample or phase */
	double seconds;
	const char *name;       /* the text's, of len bytes */
	size_t len;
};

struct runs;

struct select {
	struct select_end first, last;
	const struct runs *runs;        /* files that go on from one another;
					 * NULL: each is one alone */
	bool whole;             /* of first's name all that it began */
	unsigned jobs;          /* threads; 0 as 1 */
};

/*
 * select_parse - FIRST:LAST, where each is a sample, @PHASE, @NAME of a mark
 * (postproc/data/select_mark.h) or +SECONDS, and may be left out; one alone is
 * FIRST, and @PHASE or @NAME alone all that it began.  FIRST may
 * also be -N, the last N samples, or -Ns, the last N seconds.
 *
 * NULL or "" selects everything; text has to stay.  Returns 0 or -EINVAL.
 */
int select_parse(struct select *, const char *text, struct diag *why);

/* select_marks - phases to samples, by the marks of a dump: -EINVAL when it
 * has no such phase. */
int select_marks(struct select *, const struct reader *, struct diag *why);

/* select_all - is the range the whole file? */
bool select_all(const struct select *);

#endif
