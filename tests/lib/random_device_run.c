/*
 * tests/lib/random_device_run.c - the daemon's way through a device that answers as it likes.
 */
#include "tests/lib/random_device.h"

#include "config/lang/events.h"
#include "daemon/log.h"
#include "daemon/node/node.h"
#include "daemon/node/obstacle.h"
#include "daemon/node/program.h"
#include "daemon/node/soc.h"
#include "daemon/read/rotate.h"
#include "daemon/read/sweep.h"
#include "daemon/run/preamble.h"

#include <stdlib.h>
#include <string.h>

/* What a model has anyway, or sets that take turns. */
static int
configure(struct node *node, const struct options *o, bool sets,
    struct diag *why)
{
	static const char text[] = "core fixed\nread aperf\n"
	    "set one\ncore A event=0x3c\npcu P event=0x11\n"
	    "set two\ncore B event=0xc0\npcu Q event=0x12\n";
	int rc;

	if (!sets)
		return node_configure(node, o, node->topo.model, why);
	if ((rc = config_init(&node->config, node->topo.model)) < 0)
		return rc;
	return config_parse(&node->config, "sets", text, strlen(text), why);
}

static int
start(struct node *node, struct sweep *sweep, const struct options *o,
    struct random_device *w)
{
	struct preamble_info info = { .interval = 1, .access = "random",
	    .version = "", .schedule = "", .sweep = sweep,
	    .config = &node->config, .measure_tsc = true };
	struct diag why;
	int rc;

	if ((rc = topo_load(&node->topo, node->acc, &why)) < 0 ||
	    (rc = inventory_load(&node->inv, &node->topo, node->acc,
	    &why)) < 0 || node->topo.model == NULL ||
	    (rc = configure(node, o, w->sets, &why)) < 0)
		return -1;
	if (soc_wanted(node))
		soc_test(node, o->node.force);
	if (node_plan(node, &why) < 0 ||
	    program_save(&node->plan, node->acc, &why) < 0)
		return -1;
	obstacle_unseen(node, &why);
	obstacle_unreadable(node, &why);
	if (obstacle_in_use(node, &why) < 0 && !o->node.force)
		return -1;
	if (sweep_init(sweep, &node->plan, node->acc, o->read.mode, -1,
	    &why) < 0)
		return -1;
	free(preamble_make(&node->plan, &node->topo, &node->inv, node->acc,
	    &info));
	w->programming = true;
	return program_write(&node->plan, node->acc, &why);
}

static void
sample(struct node *node, struct sweep *sweep, struct random_device *w)
{
	uint64_t *row = calloc(node->plan.ncell, sizeof(*row));

	if (row == NULL)
		abort();
	for (unsigned n = 0; n < 3; n++) {
		sweep->watching = n > 0;
		sweep->next = node->plan.sets.n > 2 && n > 0 ?
		    rotate_next(&node->plan) : 0;
		row_take(sweep, &node->plan, node->acc, 0, row);
		w->to->samples++;
	}
	free(row);
}

static const struct model *
some_model(struct random_device *w)
{
	const struct model *of[16];
	unsigned n = 0;

	for (const struct model *const *m = models; *m != NULL; m++)
		if ((*m)->id != NULL && n < 16)
			of[n++] = *m;
	return of[rdev_byte(w) % n];
}

static void
run(struct random_device *w)
{
	struct options o = { .node.root = "/", .interval = 1 };
	struct sweep sweep = { .mode = READ_REMOTE };
	struct node node = { .acc = &w->acc };
	struct diag why;
	uint8_t bits = rdev_byte(w);

	w->fickle = (bits & 3) == 3;
	w->trouble = bits & 4 ? 64u << rdev_byte(w) % 11 : 0;
	w->deaf = bits & 128 ? 1u << rdev_byte(w) % 16 : 0;
	w->rough = rdev_byte(w);
	w->late = w->rough & 1;
	w->rough = w->rough > 192 ? w->rough : w->rough / 16;
	o.node.force = bits & 8;
	o.read.mode = (enum read_mode[]){ READ_AUTO, READ_VISIT, READ_REMOTE,
	    READ_REMOTE }[bits >> 4 & 3];
	o.count.soc_preprogrammed = bits & 64 && w->model->soc != NULL;
	w->sets = bits & 64 && w->model->soc == NULL;
	if (start(&node, &sweep, &o, w) == 0)
		sample(&node, &sweep, w);
	w->to->told = program_restore(&node.plan, node.acc, &why);
	sweep_fini(&sweep);
	node_close(&node);
	if (!w->fickle && w->model->soc == NULL)
		rdev_look(w);
}

void
rdev_run(const uint8_t *data, size_t size, struct rdev_end *to)
{
	struct random_device w;

	log_level(-1);
	rdev_init(&w, data, size, to);
	w.model = some_model(&w);
	w.cpu = w.model->id->model;
	w.stepping = w.model->id->step_min;
	/* by the number of another vendor's: no table knows it of Intel's */
	if (w.model->vendor != NULL)
		w.model = &model_any_x86;
	to->model = w.model->name;
	run(&w);
	rdev_fini(&w);
}
