/*
 * daemon/rights/writer_lines.h - who visits an lproc asks a thread of the writer there.
 *
 * The writer's main thread answers one question at a time, from another CPU: that is
 * two wake-ups across CPUs, and an interrupt for each MSR that it writes.  So the
 * writer has a thread on each lproc that is visited for turns of event sets, with a
 * socket of its own: a line.  It answers ASK_WRITE_MANY alone, and looks at each
 * register and value as the main thread does.
 */
#ifndef DAEMON_RIGHTS_WRITER_LINES_H
#define DAEMON_RIGHTS_WRITER_LINES_H

#include "daemon/rights/writer_int.h"

/* ---- the sampler's side -------------------------------------------------- */

/* writer_lines_open - before the fork: the sockets of both sides; newest: the descriptor
 * that was opened last.  Where there is no room for so many there are no lines, and
 * the main thread is asked. */
void writer_lines_open(struct writer *, const struct plan *, int newest);

/* writer_lines_began - after it: the writer has its ends. */
void writer_lines_began(struct writer *);

/* writer_lines_here - the line of the lproc that the caller is on; NULL: there is none,
 * or one of these registers is the main thread's to write. */
struct writer_line *writer_lines_here(struct writer *, const struct reg_value *,
    unsigned n);

/* writer_lines_leave - close this side's end of all lines; writer_lines_free - and
 * forget them. */
void writer_lines_leave(struct writer *);
void writer_lines_free(struct writer *);

/* ---- the writer's side --------------------------------------------------- */

/* writer_lines_start - a thread for each line, without capabilities and in the class of
 * the sampler's threads; the sampler's ends are closed.  0 or -errno. */
int writer_lines_start(struct keeper *, struct writer *);

/* writer_lines_hold - no line writes until writer_lines_release: registers are
 * programmed, put back or given to another sampler. */
void writer_lines_hold(struct keeper *);
void writer_lines_release(struct keeper *);

#endif
