/*
 * tests/lib/tally_command.h - a command of tally, called as from a shell, and what it says of
 * a dump.
 */
#ifndef TESTS_TALLY_COMMAND_H
#define TESTS_TALLY_COMMAND_H

#include "tests/lib/files.h"

#include "postproc/commands.h"

/*
 * said - what it puts out; complained - what it puts on standard error; said_of - what it
 * puts out of a file that is there.  The
 * words of the command line are split at blanks, dump is the text of the file
 * that it gets (NULL: none beside those of the words).  Either fails the test
 * unless the command returns `want` (-1: whatever).  The caller frees what is returned, or
 * gives it to holds or lacks, which do.
 */
char *said(int want, int (*cmd)(int, char **), const char *words,
    const char *dump);
char *said_of(int want, int (*cmd)(int, char **), const char *words,
    const char *path);
char *complained(int want, int (*cmd)(int, char **), const char *words,
    const char *dump);

/* holds, lacks - fail the test unless the text has that in it, or has not. */
void holds(char *text, const char *what);
void lacks(char *text, const char *what);

#endif
