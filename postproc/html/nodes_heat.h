/*
 * postproc/html/nodes_heat.h - nodes against time: a still picture of the metric
 * that somebody stands out in most, and all metrics as data of the page's script
 * (config/page/nodes.js says what is made of it).
 */
#ifndef POSTPROC_HTML_NODES_HEAT_H
#define POSTPROC_HTML_NODES_HEAT_H

#include "postproc/html/nodes.h"

/* nodes_heat_metric - the one that is shown first; x->nmetric: there is none. */
unsigned nodes_heat_metric(const struct nodes *);

/* nodes_heat_still - of a metric, nodes from top to bottom in their order. */
void nodes_heat_still(const struct nodes *, unsigned metric, FILE *);

/*
 * nodes_heat_json - members of an object, without its braces:
 *
 *	"begin", "end"  s since 1970, the axis of wall clocks
 *	"align"         "wall": by wall clocks; "start": each since its beginning
 *	"first"         the metric that is shown first
 *	"metrics"       name, unit, text, lo, hi
 *	"nodes"         name, href, begin (s since 1970; null: no wall clock),
 *	                from, to: of its buckets, s since then, base64 of
 *	                binary32; v: by metric, base64 of a byte a bucket: 0:
 *	                none, 1 to 255: lo to hi
 *
 * embedded  pages are in this file (href "#node-N"), else files beside it; none
 *           at all: an href of null
 * Returns 0, or -ENOMEM.
 */
enum node_pages { PAGES_NONE, PAGES_HERE, PAGES_BESIDE };
int nodes_heat_json(const struct nodes *, enum node_pages, FILE *);

#endif
