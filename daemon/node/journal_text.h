/*
 * daemon/node/journal_text.h - what stands in a journal (journal.h), as text.
 */
#ifndef DAEMON_NODE_JOURNAL_TEXT_H
#define DAEMON_NODE_JOURNAL_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JOURNAL_HEAD 160        /* bytes, its newline among them */
#define JOURNAL_LINE 512
#define JOURNAL_COPIES 2        /* of each record: one byte may be wrong */

struct journal_head {
	long pid;
	char boot[64];          /* "-": the kernel says none */
	unsigned registers;     /* 0: none was changed yet, or all are back */
	uint64_t bytes;         /* of the whole file */
};

enum journal_state {
	JOURNAL_EMPTY,
	JOURNAL_IDLE,           /* whole, and of no register */
	JOURNAL_CHANGED,        /* its registers may be changed */
	JOURNAL_DAMAGED,        /* neither its head nor its end is whole */
	JOURNAL_OLDER,          /* of another version of the format */
	JOURNAL_OTHER,          /* none: a file of another kind */
};

/* A journal, read. */
struct journal_text {
	enum journal_state state;
	struct journal_head head;       /* IDLE and CHANGED */
	char *data;
	uint64_t size;
};

/* journal_put_head - JOURNAL_HEAD bytes and a NUL. */
void journal_put_head(char line[JOURNAL_HEAD + 1], const struct journal_head *);

/* journal_put_record - record n of a file, with its number and its checksum. */
void journal_put_record(FILE *, unsigned n, const char *record);

/* journal_read - all of it, by its descriptor.  0, or -errno. */
int journal_read(struct journal_text *, int fd);
void journal_text_fini(struct journal_text *);

/*
 * journal_record - the next record that is whole, behind its number.
 *
 * at     where to look, 0 at first; moved behind it
 * bad    counts the lines on the way that are not whole
 *
 * False: there is none any more.
 */
bool journal_record(const struct journal_text *, uint64_t *at, unsigned *n,
    char record[JOURNAL_LINE], unsigned *bad);

#endif
