/*
 * daemon/run/tamper_note.h - what the head says of a control register that
 * somebody else has changed.
 */
#ifndef DAEMON_RUN_TAMPER_NOTE_H
#define DAEMON_RUN_TAMPER_NOTE_H

#include "daemon/run/sampler.h"

/* tamper_note - after a row that was watched: a note of each change that was
 * found, with the columns that it makes doubtful, and since when. */
void tamper_note(struct sampler *, uint64_t row);

/* tamper_again - in a store that begins: of what is changed still. */
void tamper_again(struct sampler *);

#endif
