/*
 * daemon/run/segment_dump.c - the dump of a segment that is over, written by a
 * child while the next one is sampled.
 */
#include "daemon/run/segment_dump.h"

#include "daemon/log.h"
#include "daemon/run/segment_keep.h"
#include "regs/host.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define AGAIN_NS UINT64_C(10000000000)  /* what failed is tried so much later */

uint64_t
segment_row_time(const struct store *st, uint64_t row)
{
	const struct store_shape *s = store_shape(st);
	uint64_t sec, usec;

	if (store_read(st, row, s->cell_real_sec, 1, &sec) < 0 ||
	    store_read(st, row, s->cell_real_usec, 1, &usec) < 0)
		return 0;
	return sec * 1000000000 + usec * 1000;
}

void
segment_leave_place(struct output *out)
{
	save_close(&out->place);
	out->place.dir = -1;
}

/* Removes the oldest segment on a full disk, if --keep is given. */
static int
write_dump(const struct segments *g, const struct output *out,
    const struct store *st, struct diag *why)
{
	char name[256];
	int rc;

	while ((rc = output_save(out, st, why)) == -ENOSPC || rc == -EDQUOT) {
		if (g->o->dump.keep.kind == AMOUNT_NONE ||
		    segment_make_room(&g->output->place, name) < 0)
			break;
		log_warnx("%s; the oldest segment, %s, is removed for it",
		    why->text, name);
	}
	return rc;
}

/* A dump has been written: hands it to --keep and --pipe. */
static void
hand_on(const struct segments *g, const struct output *out, uint64_t end_s)
{
	char name[256];
	struct diag why;

	save_name(&out->place, name);
	if (g->pipe.fd >= 0) {
		int rc = segment_pipe_put(&g->pipe, name, end_s,
		    g->o->node.virtual_time);

		if (rc == 0)
			return;
		log_warnx("--pipe: %s: %s stays as it is", rc == -EAGAIN ?
		    "its program is too far behind" : "its process has ended",
		    name);
	}
	if (g->o->dump.keep.kind != AMOUNT_NONE && segment_keep(
	    &g->output->place, &g->o->dump.keep, name, end_s, &why) < 0)
		log_warnx("%s", why.text);
}

void
segment_dump_start(struct segments *g)
{
	*g->done = (struct segment_done){ .done = false };
	if ((g->dumper = fork()) != 0) {
		if (g->dumper < 0)
			g->dumper = 0;
		g->again_ns = clock_ns(CLOCK_MONOTONIC) + AGAIN_NS;
		return;
	}
	g->leave(g->ctx);
	g->done->rc = write_dump(g, &g->old_place, g->old, &g->done->why);
	if (g->done->rc == 0) {
		/* or the daemon does, if it lives */
		store_unlink(g->old);
		/* of the first one, when it was to be the only one (SIGUSR1) */
		if (!g->named && g->n == 2)
			save_undo(&g->output->place);
		hand_on(g, &g->old_place, g->old_end_s);
	}
	g->done->done = true;
	_exit(0);
}

static void
forget_old(struct segments *g)
{
	int rc = g->remove(g->ctx, g->old);

	if (rc < 0)
		log_warnx("store %s: %s; nobody needs it any more",
		    store_path(g->old), strerror(-rc));
	store_close(g->old);
	g->old = NULL;
	g->said = false;
	g->again_ns = 0;
	segment_leave_place(&g->old_place);
}

void
segment_dump_look(struct segments *g, bool wait)
{
	char path[4096];
	uint64_t rows;

	if (g->dumper == 0 || (!g->done->done &&
	    waitpid(g->dumper, NULL, wait ? 0 : WNOHANG) == 0))
		return;
	g->dumper = 0;
	rows = store_rows(g->old);
	if (g->done->done && g->done->rc == 0) {
		log_info("%" PRIu64 " samples in %s", rows,
		    save_path(&g->old_place.place, path));
		forget_old(g);
		return;
	}
	if (!g->said)
		log_warnx("%s: %" PRIu64 " samples stay in %s until they can "
		    "be written, or the next segment is full, too",
		    g->done->done ? g->done->why.text : "a dump was not "
		    "finished", rows, store_path(g->old));
	g->said = true;
}

void
segment_dump_drop(struct segments *g)
{
	uint64_t rows = store_rows(g->old);

	if (g->dumper > 0) {
		/* a child that hangs would hold the daemon's end */
		syscall(SYS_tgkill, g->dumper, g->dumper, SIGKILL);
		waitpid(g->dumper, NULL, 0);
		g->dumper = 0;
		if (g->done->done) {
			segment_dump_look(g, false);
			if (g->old == NULL)
				return;
		}
	}
	log_warnx("%" PRIu64 " samples are lost, which could not be written "
	    "while as many others came: those of segment %" PRIu64 "%s%s",
	    rows - 1, g->n - 1, g->done->done ? ": " : "",
	    g->done->done ? g->done->why.text : "");
	forget_old(g);
}

void
segments_drop_next(struct segments *g)
{
	if (g->next == NULL)
		return;
	store_unlink(g->next);
	store_close(g->next);
	g->next = NULL;
}

static const struct output *
present(const struct segments *g)
{
	return g->place.place.dir >= 0 ? &g->place : g->output;
}

const struct save_place *
segments_place(const struct segments *g)
{
	return &present(g)->place;
}

bool
segments_range(const struct segments *g, uint64_t *first, uint64_t *last)
{
	*first = g->first_number;
	*last = g->first_number + g->n - 1;
	return g->place.place.dir >= 0;
}

int
segments_save(const struct segments *g, const struct store *st,
    struct diag *why)
{
	return write_dump(g, present(g), st, why);
}

void
segments_end(struct segments *g)
{
	segments_drop_next(g);
	segment_dump_look(g, true);
	if (g->old == NULL)
		return;
	segment_dump_start(g);
	segment_dump_look(g, true);
	if (g->old != NULL)
		log_warnx("the %" PRIu64 " samples of segment %" PRIu64
		    " are safe in %s: `tally dump %s > FILE` writes the dump",
		    store_rows(g->old), g->n - 1, store_path(g->old),
		    store_path(g->old));
}

void
segments_done(struct segments *g, const struct store *st, bool wait)
{
	uint64_t rows = store_rows(st);

	if (g->place.place.dir >= 0 && rows > 0)
		hand_on(g, &g->place, segment_row_time(st, rows - 1) / 1000000000);
	segment_pipe_stop(&g->pipe, wait);
}
