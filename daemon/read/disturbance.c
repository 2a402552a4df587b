/*
 * daemon/read/disturbance.c - what a run took of the node, in the head of its dump.
 */
#include "daemon/read/disturbance.h"

#include "config/dump/head_put.h"
#include "daemon/log.h"
#include "daemon/read/pinned.h"
#include "regs/clock.h"

#include <stdlib.h>
#include <sys/resource.h>

static void
put_threads(struct head *h, const struct pinned *p)
{
	uint64_t slept, preempted;
	unsigned lproc;

	head_put_table(h, HEAD_LPROC_SWITCHES, ALONE, 0);
	head_put_table(h, HEAD_LPROC_SWITCHES_FORCED, ALONE, 0);
	for (unsigned i = 0; i < pinned_threads(p); i++) {
		pinned_switches(p, i, &lproc, &slept, &preempted);
		head_put_count(h, HEAD_LPROC_SWITCHES, AT(lproc), slept);
		head_put_count(h, HEAD_LPROC_SWITCHES_FORCED, AT(lproc),
		    preempted);
	}
}

void
disturbance_note(struct store *store, const struct sweep *s,
    uint64_t writer_ns)
{
	struct head h = { .text = NULL };
	struct rusage used;
	char *text;

	head_put_real(&h, HEAD_CPU_SECONDS, ALONE,
	    (double)clock_ns(CLOCK_PROCESS_CPUTIME_ID) / 1e9);
	if (writer_ns > 0)
		head_put_real(&h, HEAD_CPU_SECONDS_WRITER, ALONE,
		    (double)writer_ns / 1e9);
	if (getrusage(RUSAGE_SELF, &used) == 0) {
		head_put_count(&h, HEAD_SWITCHES, ALONE,
		    (uint64_t)used.ru_nvcsw);
		head_put_count(&h, HEAD_SWITCHES_FORCED, ALONE,
		    (uint64_t)used.ru_nivcsw);
	}
	if (s->pinned != NULL)
		put_threads(&h, s->pinned);
	if ((text = head_take(&h)) == NULL)
		log_warnx("what the run took of the node is not in the dump: "
		    "out of memory");
	else
		store_note(store, text);
	free(text);
}
