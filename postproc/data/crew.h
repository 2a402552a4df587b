/*
 * postproc/data/crew.h - threads that do one piece of work together.
 */
#ifndef POSTPROC_DATA_CREW_H
#define POSTPROC_DATA_CREW_H

struct crew;

/*
 * crew_new - so many threads, the caller among them.  The others start with the first
 * work that has several pieces, and sleep between two works; those that cannot be started
 * are done without.  NULL: there is no memory, or it would be the caller alone.
 * crew_free - end them; accepts NULL.
 */
struct crew *crew_new(unsigned threads);
void crew_free(struct crew *);

/* crew_do - call piece(ctx, 0) to piece(ctx, n - 1), some of them at the same time, each
 * in the thread that is free first.  It returns when all of them have.  crew NULL: the
 * caller does them in order. */
void crew_do(struct crew *, void (*piece)(void *ctx, unsigned i), void *ctx,
    unsigned n);

#endif
