/*
 * daemon/run/segments.c - a run in segments.
 *
 * Whenever the daemon is killed, each row is in a store or in a dump: the next store gets
 * the last row before the old one is given to the child, and a store is removed once its
 * dump has its final name.
 */
#include "daemon/run/segments.h"

#include "config/dump/head.h"
#include "daemon/log.h"
#include "daemon/node/announce.h"
#include "lib/printable.h"
#include "regs/host.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SLACK (UINT64_C(8) << 20)       /* bytes that any segment may have more */
#define AGAIN_NS UINT64_C(10000000000)  /* a store that failed is tried so much later */

static bool
endless(const struct segments *g)
{
	return g->rows == UINT64_MAX;
}

uint64_t
segments_capacity(const struct segments *g)
{
	/* room for more rows than planned, as the dump before may take long to write */
	uint64_t more = g->rows / 4 > g->slack ? g->rows / 4 : g->slack;

	return endless(g) || g->rows + more > g->samples ? g->samples :
	    g->rows + more;
}

bool
segments_less(struct segments *g)
{
	if (g->o->dump.segment.kind != AMOUNT_NONE || endless(g) ||
	    g->rows < 200)
		return false;
	g->rows /= 2;
	return true;
}

/* Makes the key of this run: the boot, and this start of the daemon. */
static void
name_run(struct segments *g)
{
	ssize_t n = access_file(g->acc, "/proc/sys/kernel/random/boot_id", 0,
	    g->boot, sizeof(g->boot) - 1);

	g->boot[n > 0 ? n : 0] = '\0';
	g->boot[strcspn(g->boot, "\n")] = '\0';
	printable(g->boot);
	snprintf(g->of, sizeof(g->of), "%" PRIu64 "-%d",
	    clock_ns(CLOCK_REALTIME) / 1000, (int)getpid());
}

int
segments_init(struct segments *g, uint64_t ncell, uint64_t samples,
    struct diag *why)
{
	const struct save_place *p = &g->output->place;
	const struct amount *each = &g->o->dump.segment;

	g->place.place.dir = g->old_place.place.dir = g->pipe.fd = -1;
	g->samples = samples;
	g->slack = SLACK / (ncell * 8) + 16;
	g->rows = samples == UINT64_MAX ? SEGMENT_ROWS : UINT64_MAX;
	g->named = each->kind != AMOUNT_NONE;
	if (each->kind == AMOUNT_TIME)
		g->rows = (each->n + g->o->interval_ns - 1) /
		    g->o->interval_ns + 1;
	else if (each->kind == AMOUNT_SIZE)
		g->rows = each->n / (ncell * 8);
	if (g->rows < 2)
		return diag_set(why, -EINVAL, "--segment: less than the two "
		    "samples that make an interval: %" PRIu64 " bytes each",
		    ncell * 8);
	if (g->named && p->in_place)
		return diag_set(why, -EINVAL, "-o %s: it is no file, and has "
		    "no segments", p->path);
	g->done = mmap(NULL, sizeof(*g->done), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (g->done == MAP_FAILED) {
		g->done = NULL;
		return diag_set(why, -ENOMEM, "out of memory");
	}
	g->first_number = segment_free_number(p);
	g->n = 1;
	name_run(g);
	return 0;
}

/* ---- names and keys --------------------------------------------------- */

static int
segments_find_place(const struct segments *g, struct output *out, uint64_t n)
{
	char name[256];

	segment_name(&g->output->place, g->first_number + n - 1, name);
	*out = *g->output;
	return save_beside(&out->place, &g->output->place, name);
}

static void
segments_put_keys(struct segments *g, struct store *st, uint64_t n,
    uint64_t sample)
{
	char text[512];
	struct head h = head_buffer(text, sizeof(text));

	head_put_count(&h, HEAD_SEGMENT, ALONE, n);
	head_put_text(&h, HEAD_SEGMENT_OF, ALONE, g->of);
	head_put_count(&h, HEAD_SEGMENT_SAMPLE, ALONE, sample);
	if (g->boot[0] != '\0')
		head_put_text(&h, HEAD_SEGMENT_BOOT, ALONE, g->boot);
	if (g->reload)
		head_put_int(&h, HEAD_SEGMENT_RELOAD, ALONE, 1);
	g->reload = false;
	store_note(st, text);
}

int
segments_begin(struct segments *g, struct store *first)
{
	int rc;

	g->shape = *store_shape(first);
	if (!g->named)
		return 0;
	if ((rc = segments_find_place(g, &g->place, g->n)) < 0)
		return rc;
	segments_put_keys(g, first, g->n, g->sample);
	return 0;
}

void
segments_follow(struct segments *g, const struct heritage *h)
{
	char path[4096];

	g->n = h->segments + 1;
	g->sample = h->samples;
	snprintf(g->of, sizeof(g->of), "%s", h->of);
	/* at another place its first file has the next free number there */
	g->first_number = strcmp(save_path(&g->output->place, path),
	    h->output) == 0 ? h->first_number : g->first_number - h->segments;
	g->behind = g->reload = true;
}

void
segments_spare(struct segments *g)
{
	segments_drop_next(g);
	g->again_ns = 0;
}

const char *
segments_first_name(const struct segments *g, char name[256])
{
	segment_name(&g->output->place, g->first_number, name);
	return name;
}

/* ---- the next one ------------------------------------------------------ */

const char *
segments_store_name(const struct segments *g, uint64_t n, char path[4096])
{
	if (g->o->service.store == NULL)
		return NULL;
	snprintf(path, 4096, "%.4000s.%" PRIu64, g->o->service.store, n);
	return path;
}

static int
place_next(struct segments *g, struct diag *why)
{
	char path[4096];
	const char *name = segments_store_name(g, g->n, path);
	int rc = store_place(&g->next, name, &g->shape, why);

	if (name == NULL)
		return rc;
	/* a file of somebody else has that name: use one with our pid */
	if (rc == -EEXIST) {
		snprintf(path, sizeof(path), "%.4000s.%" PRIu64 "-%d",
		    g->o->service.store, g->n, (int)getpid());
		rc = store_place(&g->next, path, &g->shape, why);
	}
	/* root at the start may be another user now */
	return rc == -EACCES ? store_place(&g->next, NULL, &g->shape, why) : rc;
}

/* Makes the store of the next segment, while this one still has room. */
static bool
segments_prepare(struct segments *g)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	struct diag why;
	int rc;

	if (g->next != NULL)
		return true;
	if (now < g->again_ns)
		return false;
	g->shape.capacity = segments_capacity(g);
	g->shape.ahead = true;
	rc = place_next(g, &why);
	if (rc == 0 && (rc = store_give(g->next, g->output->owner.gid,
	    g->o->service.share)) < 0)
		diag_set(&why, rc, "store %s: %s", store_path(g->next),
		    strerror(-rc));
	if (rc == 0)
		return true;
	segments_drop_next(g);
	g->again_ns = now + AGAIN_NS;
	if (!g->said)
		log_warnx("the next segment: %s; this one goes on meanwhile",
		    why.text);
	g->said = true;
	return false;
}

/* Does the next row end the segment, by its time or its number of rows? */
static bool
segments_is_over(struct segments *g, const struct store *st, uint64_t rows)
{
	const struct amount *each = &g->o->dump.segment;
	struct stamp now;

	if (rows + 1 >= g->rows)
		return true;
	if (each->kind != AMOUNT_TIME)
		return false;
	if (g->begin_ns == 0)
		g->begin_ns = segment_row_time(st, 0);
	access_now(g->acc, &now);
	return now.real_ns / each->n > g->begin_ns / each->n;
}

bool
segments_due(struct segments *g, const struct store *st, uint64_t rows)
{
	uint64_t capacity = store_shape(st)->capacity;

	segment_dump_look(g, false);
	if (g->old != NULL && g->dumper == 0 && !g->behind &&
	    clock_ns(CLOCK_MONOTONIC) >= g->again_ns)
		segment_dump_start(g);
	if (rows == 0 || endless(g))
		return false;
	if (g->old == NULL && rows >= g->rows / 2)
		segments_prepare(g);
	if (!segments_is_over(g, st, rows))
		return false;
	/* virtual time stands still while we wait for the disk */
	if (g->o->node.virtual_time && g->old != NULL) {
		if (g->dumper == 0)
			segment_dump_start(g);
		segment_dump_look(g, true);
	}
	if (g->old != NULL && rows + 1 < capacity)
		return false;
	if (rows + 1 >= capacity)
		g->again_ns = 0;
	if (g->old != NULL)
		segment_dump_drop(g);
	return segments_prepare(g);
}

/* Copies a row into the next store; 0, or -errno, and the next store is removed. */
static int
put_seam(struct segments *g, const struct store *st, uint64_t last)
{
	uint64_t *row = store_row(g->next);
	struct diag why;
	int rc;

	segments_put_keys(g, g->next, g->n + 1, g->sample + last);
	if ((rc = store_read(st, last, 0, store_shape(st)->ncell, row)) == 0 &&
	    (rc = store_commit(g->next)) == 0)
		rc = store_grow(g->next, &why);
	if (rc == 0)
		return 0;
	log_warnx("store %s: %s; this segment goes on meanwhile",
	    store_path(g->next), store_error(rc));
	segments_drop_next(g);
	return rc;
}

/* Gives the next store the name by which readers find it. */
static void
segments_show(const struct segments *g, struct store *next, struct store *st)
{
	char was[4096];

	store_sampled(next, true);
	if (g->o->service.store != NULL) {
		snprintf(was, sizeof(was), "%s", store_path(next));
		if (store_replace(next, store_path(st)) == 0)
			store_moved(st, was);
	}
	store_sampled(st, false);
}

struct store *
segments_change(struct segments *g, struct store *st)
{
	uint64_t last = store_rows(st) - 1;
	struct store *next;

	/* a run of n samples is one dump, unless --segment is given */
	if (g->rows == UINT64_MAX)
		return NULL;
	if (g->old != NULL)
		segment_dump_drop(g);
	if (!segments_prepare(g))
		return NULL;
	if (g->place.place.dir < 0) {
		if (segments_find_place(g, &g->place, g->n) < 0)
			return NULL;
		segments_put_keys(g, st, 1, 0);
	}
	g->old_place = g->place;
	if (segments_find_place(g, &g->place, g->n + 1) < 0) {
		g->place = g->old_place;
		g->old_place.place.dir = -1;
		return NULL;
	}
	if (put_seam(g, st, last) < 0) {
		segment_leave_place(&g->place);
		g->place = g->old_place;
		g->old_place.place.dir = -1;
		return NULL;
	}
	if (g->o->node.replay == NULL)
		announce_after(st, g->acc);
	next = g->next;
	g->next = NULL;
	g->shape = *store_shape(next);
	segments_show(g, next, st);
	g->old = st;
	g->old_end_s = segment_row_time(st, last) / 1000000000;
	g->begin_ns = 0;
	g->sample += last;
	g->n++;
	g->said = false;
	if (!g->behind)
		segment_dump_start(g);
	return next;
}

void
segments_fini(struct segments *g)
{
	if (g->done == NULL)
		return;
	if (g->pipe.fd >= 0)
		segment_pipe_stop(&g->pipe, false);
	store_close(g->old);
	store_close(g->next);
	if (g->place.place.dir >= 0)
		segment_leave_place(&g->place);
	if (g->old_place.place.dir >= 0)
		segment_leave_place(&g->old_place);
	munmap(g->done, sizeof(*g->done));
}
