/*
 * postproc/live/terminal.h - the terminal as a screen of our own: the other screen
 * of it, keys as they are pressed, signals as something to read; and all as it
 * was, afterwards.
 *
 * Plain ANSI sequences, which whatever has been called a terminal since the
 * VT100 understands or passes over.
 */
#ifndef POSTPROC_LIVE_TERMINAL_H
#define POSTPROC_LIVE_TERMINAL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "regs/diag.h"

struct terminal {
	int signals;            /* signalfd; -1: not open */
	bool keys;              /* standard input is a terminal */
	bool colour;
	struct termios was;
	sigset_t mask;          /* as it was */
};

enum { KEY_NONE = 0, KEY_UP = 256, KEY_DOWN, KEY_RIGHT, KEY_LEFT, KEY_PAGE_UP,
	KEY_PAGE_DOWN, KEY_HOME, KEY_END, KEY_GONE };

/* terminal_open - of standard output; 0, or -errno with words in why: it is no
 * terminal, or none with a screen.  terminal_close - as it was. */
int terminal_open(struct terminal *, struct diag *why);
void terminal_close(struct terminal *);

/* terminal_stop - as it was, and to be stopped (^Z); returns when it goes on.
 * terminal_again - take the screen once more: somebody may have changed it. */
void terminal_stop(struct terminal *);
void terminal_again(const struct terminal *);

/*
 * terminal_wait - for a signal, a key, or so long.
 *
 * key   out: the next of those that were pressed; KEY_GONE: there will be none
 *
 * Returns the signal, or 0.
 */
int terminal_wait(const struct terminal *, int ms, int *key);

/* terminal_show - lines that end in '\n', from the top; the rest is blank.
 * False: nobody sees them any more. */
bool terminal_show(const char *lines, size_t size);

/* terminal_size - of standard output; false: it has none.
 * terminal_utf8 - does the locale say so? */
bool terminal_size(unsigned *width, unsigned *height);
bool terminal_utf8(void);

#endif
