/*
 * postproc/data/crew.h - threads that do one piece of work together.
 */
#ifndef POSTPROC_DATA_CREW_H
#define POSTPROC_DATA_CREW_H

struct crew;

#define CREW_MOST 16    /* threads: as many as may parse a dump */

/*
 * crew_new - makes a crew of so many threads, the caller among them, but no more than
 * CREW_MOST.  The others are started by the first crew_do that has several pieces, and sleep
 * between two of them; those that cannot be started are done without.  Returns NULL where
 * memory ran out, or where the crew would be the caller alone.
 * crew_free - ends the threads; accepts NULL.
 */
struct crew *crew_new(unsigned threads);
void crew_free(struct crew *);

/* crew_do - call piece(ctx, 0, thread) to piece(ctx, n - 1, thread), some of them at the
 * same time, each in the thread that is free first: the caller is 0, the others are 1 to
 * CREW_MOST - 1.  It returns when all of them have.  crew NULL: the caller does them in
 * order. */
void crew_do(struct crew *, void (*piece)(void *ctx, unsigned i, unsigned thread),
    void *ctx, unsigned n);

#endif
