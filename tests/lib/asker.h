/*
 * tests/lib/asker.h - asking a daemon by its control socket, word for word.
 */
#ifndef TESTS_ASKER_H
#define TESTS_ASKER_H

#include <stddef.h>

/* asker_connect - to DIR/run/tallyd/tallyd.socket; waits until there is one. */
int asker_connect(const char *dir);

/* asker_says - what is answered up to the end, into said[size]; "" where nothing
 * comes. */
const char *asker_says(int fd, char *said, size_t size);

/* asker_bytes - connect, send n bytes, and all that comes of them. */
const char *asker_bytes(const char *dir, const char *bytes, size_t n,
    char *said, size_t size);
/* asker_tries - the same of one line, of a daemon that may be killed meanwhile. */
void asker_tries(const char *dir, const char *line);
/* asker_ok - a line that is answered with "ok" alone. */
void asker_ok(const char *dir, const char *line);

#endif
