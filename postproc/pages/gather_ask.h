/*
 * postproc/pages/gather_ask.h - what is asked of a dump, by whichever command.
 */
#ifndef POSTPROC_PAGES_GATHER_ASK_H
#define POSTPROC_PAGES_GATHER_ASK_H

#include "postproc/data/select.h"

struct gather_ask {
	struct select select;
	const char *metrics;    /* a file; NULL: what is built in for its CPU */
	const char *topology;   /* block, interleaved or a file; NULL: as the
	                         * dump says */
};

#endif
