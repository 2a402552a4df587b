/*
 * postproc/live/live_screen.h - the page on a terminal, and what keys do to it.
 */
#ifndef POSTPROC_LIVE_LIVE_SCREEN_H
#define POSTPROC_LIVE_LIVE_SCREEN_H

#include "postproc/live/live_draw.h"
#include "postproc/live/terminal.h"

/* live_key - what a key does; false: end. */
bool live_key(const struct live_page *, struct live_look *, int key);

/* live_screen - until it is ended: 0, or the signal that did.  The terminal is
 * as it was by then. */
int live_screen(struct live_page *, struct terminal *, enum live_view);

/* live_pause - ms until it is worth while to look again. */
int live_pause(const struct live_page *);

#endif
