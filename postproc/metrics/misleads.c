/*
 * postproc/metrics/misleads.c - what the tables of a model say against an event.
 */
#include "postproc/metrics/misleads.h"

#include "regs/model.h"

#include <stdio.h>
#include <string.h>

const char *
event_misleads(const struct reader *r, const char *event)
{
	const struct model *m = r == NULL ? NULL :
	    model_named(head_text(r, HEAD_MODEL, ALONE, ""));
	const struct event_name *e = NULL;
	char name[64];

	snprintf(name, sizeof name, "%.*s", (int)strcspn(event, "@"), event);
	if (m != NULL && m->core != NULL)
		e = event_named(m->core, name);
	return e != NULL ? e->misleads : NULL;
}
