/*
 * daemon/run/pause.c - gives the counters to others for a while.
 */
#include "daemon/run/session.h"

#include "config/dump/head.h"
#include "daemon/log.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define NS UINT64_C(1000000000)
#define AGAIN_S 5               /* until a pause is ended, if somebody counts still */

/* Puts the registers back; 0, or -EIO with words, and all are programmed again. */
static int
pause_put_back(const struct pause_of *of, bool give, struct diag *why)
{
	struct pause *p = of->pause;
	struct plan *plan = &of->node->plan;
	struct stamp now;
	struct diag first;

	access_now(of->node->acc, &now);
	if (writer_pause(of->writer, of->node, give, &first) > 0) {
		/* program again the registers that were put back already */
		if (writer_program(of->writer, plan, of->node->acc, why) == 0)
			return diag_set(why, -EIO, "%s; sampling goes on",
			    first.text);
		log_warnx("%s: sampling ends here", why->text);
		raise(SIGTERM);
		return -EIO;
	}
	*p = (struct pause){ .on = true, .left = first.text[0] != '\0',
	    .from_ns = now.real_ns, .n = p->n };
	if (p->left)
		log_warnx("%s", first.text);
	return 0;
}

int
pause_give(const struct pause_of *of, struct diag *why)
{
	return pause_put_back(of, true, why);
}

int
pause_begin(const struct pause_of *of, double seconds, struct diag *why)
{
	struct pause *p = of->pause;
	struct plan *plan = &of->node->plan;
	int rc;

	if (p->on)
		return diag_set(why, -EALREADY, "it is paused already");
	if (of->sweep->pinned != NULL)
		return diag_set(why, -ENOTSUP, "with --read pinned there is no "
		    "pause");
	if (plan->nopened > 0)
		return diag_set(why, -ENOTSUP, "the kernel counts here, and "
		    "shares the counters with others: there is nothing to "
		    "give back");
	if ((rc = pause_put_back(of, false, why)) < 0)
		return rc;
	if (seconds > 0)
		p->end_ns = access_mono(of->node->acc) +
		    (uint64_t)(seconds * 1e9);
	log_info("paused: %sregisters are as they were found", p->left ?
	    "the other " : "the ");
	return 0;
}

static void
pause_put_time(struct head *h, enum head_key key, unsigned n, uint64_t ns)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64 ".%06u", (uint64_t)(ns / NS),
	    (unsigned)(ns % NS / 1000));
	head_put_digits(h, key, AT(n), text);
}

static void
note_gap(const struct pause_of *of, uint64_t until_ns)
{
	char text[512];
	struct head h = head_buffer(text, sizeof(text));
	struct pause *p = of->pause;

	/* pinned threads have taken two samples more, or are about to */
	unsigned more = of->sweep->pinned != NULL ? 2 : 0;

	for (enum head_key key = HEAD_PAUSE_SAMPLE; p->n == 0 &&
	    key <= HEAD_RESUME_TIME; key++)
		head_put_table(&h, key, ALONE, 0);
	for (unsigned i = 0; i <= more; i++, p->n++) {
		head_put_count(&h, HEAD_PAUSE_SAMPLE, AT(p->n),
		    store_rows(of->store) + i);
		pause_put_time(&h, HEAD_PAUSE_TIME, p->n, p->from_ns);
		pause_put_time(&h, HEAD_RESUME_TIME, p->n, until_ns);
	}
	store_note(of->store, text);
}

/* Starts the event sets anew with the first, as nothing was counted during the pause. */
static void
pause_begin_anew(const struct pause_of *of)
{
	struct plan *plan = &of->node->plan;

	plan->sets.active = plan->sets.n > 1;
	for (unsigned i = 0; i < plan->sets.nshared; i++) {
		plan->sets.shared[i].begun = false;
		plan->sets.shared[i].start = ABSENT;
		plan->sets.shared[i].ahead = ABSENT;
	}
	for (unsigned i = 0; i < plan->nblock; i++)
		plan->block[i].began = 0;
	of->sweep->last_tsc = 0;
}

int
pause_end(const struct pause_of *of, struct diag *why)
{
	struct pause *p = of->pause;
	struct stamp now;
	int rc;

	if (!p->on)
		return diag_set(why, -EALREADY, "it is not paused");
	if ((rc = writer_resume(of->writer, of->node, of->force, why)) < 0)
		return rc;
	pause_begin_anew(of);
	access_now(of->node->acc, &now);
	note_gap(of, now.real_ns);
	p->on = false;
	log_info("the registers are ours again: sampling goes on");
	return 0;
}

/* Is there a pause?  Ends one whose time is over, as soon as that is
 * possible. */
static bool
pause_on(const struct pause_of *of)
{
	struct pause *p = of->pause;
	uint64_t now;
	struct diag why;

	if (!p->on || p->end_ns == 0)
		return p->on;
	if ((now = access_mono(of->node->acc)) < p->end_ns)
		return true;
	if (pause_end(of, &why) == 0)
		return false;
	if (!p->told)
		log_warnx("the time of the pause is over, and it goes on: %s",
		    why.text);
	p->told = true;
	p->end_ns = now + AGAIN_S * NS;
	return true;
}

struct pause_of
session_pause_of(struct session *s)
{
	return (struct pause_of){ .pause = &s->pause, .node = &s->node,
	    .writer = &s->writer, .sweep = &s->sweep, .store = s->store,
	    .force = s->o->node.force };
}

bool
session_held(void *ctx)
{
	struct pause_of of = session_pause_of(ctx);

	return pause_on(&of);
}
