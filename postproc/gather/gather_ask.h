/*
 * postproc/gather/gather_ask.h - what is asked of a dump, by whichever command.
 */
#ifndef POSTPROC_GATHER_GATHER_ASK_H
#define POSTPROC_GATHER_GATHER_ASK_H

#include "postproc/data/select.h"

#define MAX_LISTS 32

struct gather_ask {
	struct select select;
	const char *metrics[MAX_LISTS]; /* files, each adding to those before, and */
	unsigned nmetrics;              /* the first to what is built in for its CPU */
	bool only_lists;        /* unless these stand for that */
	bool io;                /* what is built in has those of I/O analysis */
	const struct patterns *events;  /* what may be metrics' names or events';
	                                 * NULL: nothing */
	const char *view;       /* what a page shows: a file; NULL: its own */
	const char *topology;   /* block, interleaved or a file; NULL: as the
	                         * dump says */
};

#endif
