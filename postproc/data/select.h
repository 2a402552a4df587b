/*
 * postproc/data/select.h - what a command is asked for: which samples of a dump (-s),
 * which metrics (-m), and with how many threads to read it.
 */
#ifndef POSTPROC_DATA_SELECT_H
#define POSTPROC_DATA_SELECT_H

#include "config/dump/read.h"

/* ---- samples ------------------------------------------------------------ */

enum end_kind {
	END_OPEN,               /* the first or the last sample there is */
	END_SAMPLE,             /* the sample with number n */
	END_SECONDS,            /* so many seconds after the dump's first sample; as
				 * the end of a range, after the range's first */
	END_MARK,               /* the sample that begins phase n */
	END_NAME,               /* the first sample behind a mark of that name */
	END_LAST,               /* only as a range's beginning: the last n samples */
	END_LAST_SECONDS,       /* only as a range's beginning: the last seconds */
	END_UP_TO,              /* what END_LAST becomes when the dump is read: the
				 * last sample whose number is at most n */
};

struct select_end {
	uint8_t kind;           /* enum end_kind */
	uint64_t n;             /* sample or phase */
	double seconds;
	const char *name;       /* len bytes in the text that was parsed */
	size_t len;
};

struct runs;

/* Columns of a dump by name; only the first `shown` of them are looked at: see read_show. */
struct shown_columns {
	const char *const *name;
	unsigned n, shown;
};

struct select {
	struct select_end first, last;
	const struct runs *runs;        /* files that continue one another;
					 * NULL: each file is a run of its own */
	const struct shown_columns *columns;    /* not copied; NULL: all */
	bool whole;             /* the range is a name alone: it goes up to the end
				 * of what that mark began */
	unsigned jobs;          /* threads that read; 0 is the same as 1 */
};

/*
 * select_parse - the argument of -s.
 *
 *   range = [ end | "-" samples | "-" seconds "s" ] [ ":" [ end ] ]
 *   end   = sample | "@" phase | "@" name | "+" seconds
 *   name  = ( "job:" ID | KEY "=" VALUE | word ) [ "#" n ]
 *
 * @PHASE or @NAME without ':' is all of that phase, or of what the mark began.  A
 * name that is a single word is the value of any key, or a key without a value:
 * @solve finds the mark "phase=solve step=3" and the mark "solve".  #n takes the
 * nth mark of that name, counted from 1.
 *
 * text  has to outlive the select; NULL or "" selects all samples
 *
 * Returns 0, or -EINVAL with the reason in why.
 */
int select_parse(struct select *, const char *text, struct diag *why);

/* select_marks - replaces phases and names by the samples that the marks in a dump's head say.
 * Returns 0, or with the reason in why -EINVAL (the dump has no such mark) or -ENOMEM. */
int select_marks(struct select *, const struct reader *, struct diag *why);

/* select_all - is the range the whole file? */
bool select_all(const struct select *);

/* ---- names of metrics --------------------------------------------------- */

#define MAX_PATTERNS 64

struct patterns {
	const char *pattern[MAX_PATTERNS];
	unsigned n;             /* 0: every name matches */
};

/* patterns_add - adds the patterns of one -m: names, or globs with * and ?, with
 * commas between them.  Writes a '\0' behind each pattern of the list, which has to outlive
 * the patterns.  Returns 0, or -EINVAL with the reason in why: the list is empty, or there
 * are more than MAX_PATTERNS. */
int patterns_add(struct patterns *, char *list, struct diag *why);
/* pattern_match - does a name match a glob?
 * patterns_match - does it match any of the patterns? */
bool pattern_match(const char *pattern, const char *name);
bool patterns_match(const struct patterns *, const char *name);

#endif
