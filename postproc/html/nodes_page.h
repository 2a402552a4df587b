/*
 * postproc/html/nodes_page.h - a page about many nodes: who stands out, and each
 * of them a click away.
 */
#ifndef POSTPROC_HTML_NODES_PAGE_H
#define POSTPROC_HTML_NODES_PAGE_H

#include "postproc/html/nodes_heat.h"

/* Dumps that there is nothing of, as words: which, and why. */
struct nodes_lost {
	char **text;
	unsigned n, room;
};

/* nodes_page_put - after nodes_judge; pages in the file are node.page.  0, or
 * -ENOMEM. */
int nodes_page_put(const struct nodes *, enum node_pages,
    const struct nodes_lost *, FILE *);

#endif
