/*
 * postproc/live/terminal.h - the terminal as a full screen: its alternate screen, keys
 * one by one, signals from a descriptor; and all restored at the end.
 *
 * It uses plain ANSI sequences, which every terminal since the VT100 understands or
 * ignores.
 */
#ifndef POSTPROC_LIVE_TERMINAL_H
#define POSTPROC_LIVE_TERMINAL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "lib/diag.h"

struct terminal {
	int signals;            /* signalfd; -1: not open */
	bool keys;              /* standard input is a terminal */
	bool colour;
	struct termios was;     /* settings to restore */
	sigset_t mask;          /* signal mask to restore */
};

enum { KEY_NONE = 0, KEY_UP = 256, KEY_DOWN, KEY_RIGHT, KEY_LEFT, KEY_PAGE_UP,
	KEY_PAGE_DOWN, KEY_HOME, KEY_END, KEY_GONE };

/* terminal_open - takes the screen of standard output.  0, or -errno with words in why:
 * it is no terminal, or one without a screen.
 * terminal_close - restores everything. */
int terminal_open(struct terminal *, struct diag *why);
void terminal_close(struct terminal *);

/* terminal_stop - restores everything and stops the process (^Z); takes the screen again
 * when the process is continued.
 * terminal_again - sets keys and screen once more, as somebody may have changed them. */
void terminal_stop(struct terminal *);
void terminal_again(const struct terminal *);

/*
 * terminal_wait - wait for a signal or a key, at most so many ms.
 *
 * key   out: the next key that was pressed; KEY_NONE; KEY_GONE: the input has ended
 *
 * Returns the signal, or 0.
 */
int terminal_wait(const struct terminal *, int ms, int *key);

/* terminal_show - shows lines that end in '\n', from the top, and clears the rest of the
 * screen.  False: the terminal is gone. */
bool terminal_show(const char *lines, size_t size);

/* terminal_size - the size of standard output; false: it has none.
 * terminal_utf8 - is the locale's character set UTF-8? */
bool terminal_size(unsigned *width, unsigned *height);
bool terminal_utf8(void);

#endif
