/*
 * config/scan.h - lines and words of the plain text formats: one statement a
 * line, words separated by blanks, '#' starts a comment.
 */
#ifndef CONFIG_SCAN_H
#define CONFIG_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/diag.h"

/* A piece of the text; not terminated. */
struct word {
	const char *s;
	size_t n;
};

/* Arguments for "%.*s": a word, cut to a length that suits a message. */
#define WORD_SHOWN 80
#define WORD_ARG(w) (int)((w).n < WORD_SHOWN ? (w).n : WORD_SHOWN), (w).s

struct scan {
	struct place at;                /* file and number of the current line */
	const char *next, *end;         /* text not yet seen */
	const char *p, *stop;           /* the unread part of this line */
};

/* scan_init - `text` and `file` must outlive the scan. */
void scan_init(struct scan *, const char *file, const char *text, size_t size);

/* scan_line - go to the next line that has a word on it.  Returns 1; 0 at the end of
 * the text; -EINVAL with a message for a control character. */
int scan_line(struct scan *, struct diag *why);

/* scan_word - take the next word of the line; false if there is none. */
bool scan_word(struct scan *, struct word *);
/* scan_rest - take all words that the line still has, with the blanks between them. */
bool scan_rest(struct scan *, struct word *);
/* scan_end - 0 if the line has no more words, else -EINVAL with a message. */
int scan_end(struct scan *, struct diag *why);

bool word_is(struct word, const char *s);
/* scan_quoted - the same as scan_word, but a word in quotes may contain blanks.
 * Returns 1, 0 at the end of the line, or -EINVAL with a message. */
int scan_quoted(struct scan *, struct word *, struct diag *why);

/* word_trim - the word without leading and trailing blanks. */
struct word word_trim(struct word);
/* word_cut - split *w at the first c: head gets the part before it, *w the part after
 * it.  False if there is no c: then head is the whole word, and *w is empty. */
bool word_cut(struct word *w, char c, struct word *head);
/* word_is_label - can the word be written between the quotes of a dump's index?  It has at
 * most `most` characters, all of them printable ASCII except blanks, quotes, backslashes
 * and brackets. */
bool word_is_label(struct word, size_t most);
/* word_number - parse the whole word as a number, decimal or hexadecimal after 0x.
 * Returns 0, -EINVAL (no number), -ERANGE (above 2^64 - 1). */
int word_number(struct word, uint64_t *value);

/*
 * scan_number - word_number with an upper limit and an error message.
 *
 * what   names the value: "instance"
 * max    the largest valid value
 *
 * Returns 0 or -EINVAL.
 */
int scan_number(struct word, const char *what, uint64_t max, uint64_t *value,
    struct place, struct diag *why);

#endif
