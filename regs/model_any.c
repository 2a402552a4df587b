/*
 * regs/model_any.c - a CPU that no table describes: what the kernel counts on
 * any node.
 */
#include "regs/model_list.h"

#include <stddef.h>

static const struct box_type no_boxes[] = { { .name = NULL } };

static const struct freerun no_freerun[] = {
	{ .family = NULL }
};

static const struct scalar no_scalar[] = { { NULL, 0, 0, 0, 0, 0, NULL } };

const struct model model_any = {
	.name = "any", .title = "a CPU without tables",
	.default_config = "software.conf",
	.box = no_boxes, .freerun = no_freerun, .scalar = no_scalar,
};
