/*
 * postproc/html/glance.h - the timelines that are looked at first: busy, floating
 * point or instructions, memory, power, frequency, I/O, as the view has them.
 */
#ifndef POSTPROC_HTML_GLANCE_H
#define POSTPROC_HTML_GLANCE_H

#include "postproc/html/still.h"
#include "postproc/pages/report.h"
#include "postproc/html/timeline.h"

#define GLANCES 12              /* at most */

struct glance {
	struct still_chart still[GLANCES];    /* n is 0: of it nothing is counted */
	unsigned n;
};

/* glance_find - of each question the first choice that the dump has.
 * glance_put - as pictures.
 * glance_put_others - of other main metrics, where they are not always 0.
 * glance_json - "glance":[{"title","lines":[[line,
 * name], ...]}, ...], for the script. */
void glance_find(struct glance *, const struct timeline *);
void glance_put(const struct glance *, const struct timeline *,
    const struct phases *, FILE *);
void glance_put_others(const struct glance *, const struct timeline *,
    const struct phases *, FILE *);
void glance_json(const struct glance *, const struct timeline *, FILE *);

/* overview_put - a row a line of the report, a column a package, and the node's. */
void overview_put(struct page *, const struct timeline *, FILE *);

#endif
