/*
 * tests/fuzz/fuzz_replay.c - any bytes as a dump that is replayed: the machine made of
 * it, what it counted as a configuration, a plan, its samples.  With libFuzzer;
 * seeds in seeds/replay.
 *
 * Some dozens a second: each run parses the text of a machine of 96 lprocs,
 * which a dump only changes, and plans all that it has.
 */
#include "daemon/log.h"
#include "daemon/node/node.h"
#include "daemon/node/replay.h"
#include "daemon/read/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
sample(struct node *node, uint64_t n)
{
	struct sweep sweep;
	struct diag why;
	uint64_t *row = calloc(node->plan.ncell + 1, sizeof(*row));
	sigset_t none;

	sigemptyset(&none);
	if (row == NULL)
		abort();
	if (sweep_init(&sweep, &node->plan, node->acc, READ_REMOTE, -1,
	    &why) == 0) {
		for (uint64_t i = 0; i < n && i < 3; i++) {
			sweep_row(&sweep, &node->plan, node->acc, row);
			access_sleep(node->acc, (i + 1) * 1000000000, &none);
		}
		sweep_fini(&sweep);
	}
	free(row);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct options o = { .node.virtual_time = true };
	struct node node;
	struct diag why;
	char path[40];
	int fd = memfd_create("dump", 0);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	log_level(-1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	o.node.replay = path;
	if (node_open(&node, &o, &why) == 0 && node.topo.model != NULL &&
	    node_configure(&node, &o, node.topo.model, &why) == 0 &&
	    node_plan(&node, &why) == 0)
		sample(&node, replay_samples(node.replay));
	node_close(&node);
	close(fd);
	return 0;
}
