/*
 * daemon/run/overhead.c - sampling less often where it costs too much.
 */
#include "daemon/run/overhead.h"

#include "config/dump/head_put.h"
#include "daemon/log.h"
#include "daemon/node/soc.h"

void
overhead_limit(struct sampler *s, uint64_t n)
{
	uint64_t from[CELL_READS], to[CELL_READS], k;
	double percent, wall;
	char text[256];
	struct head h;

	if (store_read(s->store, n - OVERHEAD_SAMPLES, 0, CELL_READS, from) <
	    0 || store_read(s->store, n, 0, CELL_READS, to) < 0)
		return;
	wall = (double)(to[CELL_MONO] - from[CELL_MONO]);
	if (wall <= 0)
		return;
	percent = (double)(to[CELL_CPU] - from[CELL_CPU]) / wall * 100;
	if (percent <= s->max_overhead)
		return;
	k = (uint64_t)(percent / s->max_overhead) + 1;
	/* no further apart than counters can be told apart */
	if (soc_interval(s->plan, (double)(s->interval_ns * s->multiple * k) /
	    1e9, NULL) < 0)
		return;
	h = head_buffer(text, sizeof(text));
	if (s->multiple == 1)
		head_put_table(&h, HEAD_INTERVAL_MULTIPLE, ALONE, 0);
	s->multiple *= k;
	/* threads have been told when the next one is */
	head_put_count(&h, HEAD_INTERVAL_MULTIPLE, AT(store_rows(s->store) +
	    (s->sweep->pinned != NULL)), s->multiple);
	store_note(s->store, text);
	log_warnx("a sample costs %.3g %% of a CPU, more than --max-overhead "
	    "%g: sampling every %g s from now on", percent, s->max_overhead,
	    (double)(s->interval_ns * s->multiple) / 1e9);
}

