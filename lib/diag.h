/*
 * lib/diag.h - the words that a failing function gives its caller.
 */
#ifndef LIB_DIAG_H
#define LIB_DIAG_H

/*
 * One line for the user: where it is, what is wrong, what would be right.
 * The code below main never prints; it fills one of these and returns -errno.
 * What a file or a name has in it that is no text is '?' there (printable).
 */
struct diag {
	char text[1024];
};

/* diag_set - format into why (NULL is accepted); returns rc, so that
 * `return diag_set(why, -EINVAL, "...")` reads as one step. */
int diag_set(struct diag *why, int rc, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* A line of a text that a user wrote. */
struct place {
	const char *file;
	unsigned line;
};

/* diag_at - the same, after "file:line: ".  Returns -EINVAL.
 * diag_place - the same for a place. */
int diag_at(struct diag *why, const char *file, unsigned line, const char *fmt,
    ...) __attribute__((format(printf, 4, 5)));
int diag_place(struct diag *why, struct place, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
