/*
 * config/dump/read_run.c - read the segments of a run as if they were one dump.
 *
 * The reader of the first file also represents the whole run.  Each further
 * file has a reader of its own (run->now), and its columns are mapped to those
 * of the run by name.
 */
#include "config/dump/read_int.h"

#include "config/dump/head.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct read_run {
	struct run_file {
		const char *path;
		uint64_t base;          /* number in the run of its sample 0 */
		uint64_t samples;       /* how many, by its head */
		bool anew;              /* the daemon was restarted before it */
		bool reboot;            /* the node was rebooted before it */
		bool reload;            /* the configuration was reloaded */
	} *file;                        /* file[0] is the reader's own */
	unsigned n, at;
	struct reader *now;             /* NULL: the first file is being read */
	unsigned *map;                  /* column of `now` to that of the run */
	unsigned nmap, map_room;
	bool begun;                     /* a sample of this file was returned */
	uint64_t *value[2];             /* [value_room]; used in turn */
	unsigned value_room, cur, ncol; /* ncol: columns in value[cur] */
	uint64_t last;                  /* number of the last sample returned */
	bool returned;
	struct seam *seam;
	unsigned nseam;
};

/* ---- heads --------------------------------------------------------------- */

/* How many values an array of the head has: indices 0, 1, ... */
static uint64_t
count_of(const struct reader *r, enum head_key key)
{
	uint64_t n = 0;

	while (head_constant(r, key, AT(n)) != NULL)
		n++;
	return n;
}

static uint64_t
whole(const struct reader *r, enum head_key key)
{
	double v = head_number(r, key, ALONE, 0);

	return v > 0 && v < 1e18 ? (uint64_t)v : 0;
}

/* Is mark i a repetition of a mark in the files before?  A new segment repeats
 * the begin marks of jobs that are still running. */
static bool
is_again(const struct reader *r, const struct reader *more, uint64_t i,
    uint64_t n)
{
	const char *text = head_text(more, HEAD_MARK_TEXT, AT(i), "");
	double at = head_number(more, HEAD_MARK_TIME, AT(i), 0);

	if (head_number(more, HEAD_MARK_SAMPLE, AT(i), 1) != 0)
		return false;
	for (uint64_t k = 0; k < n; k++)
		if (head_number(r, HEAD_MARK_TIME, AT(k), -1) == at &&
		    strcmp(head_text(r, HEAD_MARK_TEXT, AT(k), ""), text) == 0)
			return true;
	return false;
}

static void
add_marks(struct head *h, const struct reader *r, const struct reader *more,
    uint64_t base)
{
	uint64_t n = count_of(r, HEAD_PHASE_MARK), had;
	uint64_t add = count_of(more, HEAD_PHASE_MARK);

	for (uint64_t i = 0; i < add; i++)
		head_put_count(h, HEAD_PHASE_MARK, AT(n + i), base +
		    (uint64_t)head_number(more, HEAD_PHASE_MARK, AT(i), 0));
	had = n = count_of(r, HEAD_MARK_TEXT);
	add = count_of(more, HEAD_MARK_TEXT);
	for (uint64_t i = 0; i < add; i++) {
		const struct constant *at = head_constant(more, HEAD_MARK_TIME,
		    AT(i));

		if (is_again(r, more, i, had))
			continue;
		head_put_count(h, HEAD_MARK_SAMPLE, AT(n), base + (uint64_t)
		    head_number(more, HEAD_MARK_SAMPLE, AT(i), 0));
		if (at != NULL)
			head_put_digits(h, HEAD_MARK_TIME, AT(n), at->text);
		head_put_text(h, HEAD_MARK_TEXT, AT(n), head_text(more,
		    HEAD_MARK_TEXT, AT(i), ""));
		n++;
	}
}

/* Add the notes about control registers that another program changed, and about
 * longer intervals. */
static void
add_doings(struct head *h, const struct reader *r, const struct reader *more,
    uint64_t base)
{
	uint64_t n = count_of(r, HEAD_TAMPER_FIRST);
	uint64_t add = count_of(more, HEAD_TAMPER_FIRST);

	for (uint64_t i = 0; i < add; i++) {
		head_put_count(h, HEAD_TAMPER_FIRST, AT(n + i), base +
		    (uint64_t)head_number(more, HEAD_TAMPER_FIRST, AT(i), 0));
		head_put_count(h, HEAD_TAMPER_SEEN, AT(n + i), base +
		    (uint64_t)head_number(more, HEAD_TAMPER_SEEN, AT(i), 0));
		for (enum head_key k = HEAD_TAMPER_COLUMN;
		    k <= HEAD_TAMPER_REGISTER; k++)
			head_put_text(h, k, AT(n + i), head_text(more, k,
			    AT(i), ""));
		for (enum head_key k = HEAD_TAMPER_OURS;
		    k <= HEAD_TAMPER_FOUND; k++) {
			const struct constant *c = head_constant(more, k,
			    AT(i));

			head_put_hex(h, k, AT(n + i), c != NULL ? c->u : 0);
		}
		head_put_int(h, HEAD_TAMPER_REASSERTED, AT(n + i), (int64_t)
		    head_number(more, HEAD_TAMPER_REASSERTED, AT(i), 0));
	}
	for (unsigned i = 0; i < read_constants(more); i++) {
		const struct constant *c = read_constant(more, i);

		if (c->key == HEAD_INTERVAL_MULTIPLE && strchr(c->name, '['))
			head_put_count(h, HEAD_INTERVAL_MULTIPLE,
			    AT(base + c->at.n[0]), c->u);
	}
}

/* Merge a further file's head into the head of the run. */
static int
add_head(struct reader *r, const struct reader *more,
    const struct run_file *f, struct diag *why)
{
	static const enum head_key sums[] = { HEAD_MISSED_DEADLINES,
	    HEAD_NOTES_LOST };
	struct head h = { .text = NULL };
	char *text;
	int rc;

	head_put_count(&h, HEAD_SAMPLES, ALONE, f->base + f->samples);
	for (unsigned i = 0; i < 2; i++)
		if (whole(more, sums[i]) > 0)
			head_put_count(&h, sums[i], ALONE,
			    whole(r, sums[i]) + whole(more, sums[i]));
	add_marks(&h, r, more, f->base);
	add_doings(&h, r, more, f->base);
	if ((text = head_take(&h)) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	rc = read_head_text(r, text, why);
	free(text);
	return rc;
}

static bool
read_run_same_text(const struct reader *a, const struct reader *b,
    enum head_key key)
{
	return strcmp(head_text(a, key, ALONE, ""), head_text(b, key, ALONE,
	    "")) == 0;
}

/* Find the place of file i in the run, by its head and that of the file
 * before. */
static void
read_run_place(struct read_run *run, unsigned i, const struct reader *was,
    const struct reader *r)
{
	struct run_file *f = &run->file[i], *b = &run->file[i - 1];
	uint64_t here = whole(r, HEAD_SEGMENT_SAMPLE);
	uint64_t there = whole(was, HEAD_SEGMENT_SAMPLE);

	f->samples = whole(r, HEAD_SAMPLES);
	f->anew = !read_run_same_text(was, r, HEAD_SEGMENT_OF) || here < there;
	f->reboot = f->anew && !read_run_same_text(was, r, HEAD_SEGMENT_BOOT);
	f->reload = !f->anew && head_constant(r, HEAD_SEGMENT_RELOAD,
	    ALONE) != NULL;
	f->base = f->anew ? b->base + b->samples : b->base + (here - there);
}

int
read_follow(struct reader *r, const char *const *path, unsigned n,
    struct diag *why)
{
	struct reader *was = NULL, *more;
	int rc = 0;

	if (n == 0)
		return 0;
	if ((r->run = calloc(1, sizeof(*r->run))) == NULL ||
	    (r->run->file = calloc(n + 1, sizeof(r->run->file[0]))) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	r->run->n = n + 1;
	r->run->file[0] = (struct run_file){ .path = r->path,
	    .samples = whole(r, HEAD_SAMPLES) };
	/* open the first file again, as r's own head gets merged */
	if ((rc = read_open(&was, r->path, why)) < 0)
		return rc;
	for (unsigned i = 1; rc == 0 && i <= n; i++) {
		r->run->file[i].path = path[i - 1];
		if ((rc = read_open(&more, path[i - 1], why)) < 0)
			break;
		read_run_place(r->run, i, was, more);
		rc = add_head(r, more, &r->run->file[i], why);
		file_close(was);
		was = more;
	}
	file_close(was);
	return rc;
}

/* ---- samples --------------------------------------------------------------- */

static int
read_run_fit(struct read_run *run, unsigned ncol)
{
	for (unsigned k = 0; k < 2 && ncol > run->value_room; k++) {
		uint64_t *p = reallocarray(run->value[k], ncol, sizeof(*p));

		if (p == NULL)
			return -ENOMEM;
		run->value[k] = p;
	}
	if (ncol > run->value_room)
		run->value_room = ncol;
	return 0;
}

/* Map columns of the present file that are new since the last call. */
static int
map_columns(struct reader *r)
{
	struct read_run *run = r->run;
	unsigned n = read_columns(run->now), *p;
	int id;

	if (n > run->map_room) {
		if ((p = reallocarray(run->map, n, sizeof(*p))) == NULL)
			return -ENOMEM;
		run->map = p;
		run->map_room = n;
	}
	for (; run->nmap < n; run->nmap++) {
		const char *name = read_column(run->now, run->nmap)->name;

		if ((id = names_column(r, name, strlen(name))) < 0)
			return id;
		run->map[run->nmap] = (unsigned)id;
	}
	return 0;
}

/* Turn a row of the present file into a row of the run. */
static int
read_run_put_row(struct reader *r, const struct read_row *from,
    struct read_row *row)
{
	struct read_run *run = r->run;
	unsigned had = run->ncol, next = run->cur ^ 1;
	uint64_t *value;

	if (run->now != NULL && map_columns(r) < 0)
		return -ENOMEM;
	if (read_run_fit(run, r->columns.n) < 0)
		return -ENOMEM;
	value = run->value[next];
	if (run->now == NULL)
		memcpy(value, from->value, from->ncol * sizeof(*value));
	else {
		for (unsigned i = 0; i < r->columns.n; i++)
			value[i] = ABSENT;
		for (unsigned i = 0; i < from->ncol; i++)
			value[run->map[i]] = from->value[i];
	}
	for (unsigned i = had; i < r->columns.n && run->returned; i++)
		run->value[run->cur][i] = ABSENT;
	*row = (struct read_row){ .sample = run->file[run->at].base +
	    from->sample, .value = value, .ncol = r->columns.n,
	    .nabsent = from->nabsent + (r->columns.n - from->ncol),
	    .line = from->line };
	if (run->returned) {
		row->before = run->value[run->cur];
		row->before_sample = run->last;
	}
	run->cur = next;
	run->ncol = r->columns.n;
	return 0;
}

static double
wall_of(struct reader *r, const uint64_t *value, unsigned ncol)
{
	int sec = read_find(r, "walltime[0]"), usec = read_find(r,
	    "walltime[1]");

	return sec < 0 || usec < 0 || (unsigned)sec >= ncol ||
	    (unsigned)usec >= ncol || value[sec] == ABSENT ||
	    value[usec] == ABSENT ? 0 : (double)value[sec] +
	    (double)value[usec] * 1e-6;
}

/* Record a seam if the file's first sample does not directly follow the sample
 * before. */
static int
note_seam(struct reader *r, struct read_row *row)
{
	struct read_run *run = r->run;
	const struct run_file *f = &run->file[run->at];
	struct seam *p;

	row->fresh = f->anew || f->reload;
	if (!row->fresh && row->sample == run->last + 1)
		return 0;
	if ((p = reallocarray(run->seam, run->nseam + 1, sizeof(*p))) == NULL)
		return -ENOMEM;
	run->seam = p;
	p[run->nseam++] = (struct seam){ .kind = f->reboot ? SEAM_REBOOT :
	    f->anew ? SEAM_RESTART : f->reload ? SEAM_RELOAD : SEAM_MISSING,
	    .sample = row->sample, .missing = row->fresh ? 0 : row->sample - run->last - 1,
	    .seconds = wall_of(r, row->value, row->ncol) -
	    wall_of(r, row->before, row->ncol), .path = f->path };
	return 0;
}

/* Go to the next file.  1, 0 if there is none, or -errno. */
static int
next_file(struct reader *r, struct diag *why)
{
	struct read_run *run = r->run;
	const struct read_problem *p;

	for (unsigned i = 0; run->now != NULL && (p = read_problem(run->now,
	    i)) != NULL; i++)
		read_note(r, (enum problem_kind)p->kind, 0, "%s", p->text);
	file_close(run->now);
	run->now = NULL;
	ahead_stop(r);          /* the first file is done, and others bring columns */
	if (run->at + 1 >= run->n) {
		run->at = run->n;
		return 0;
	}
	run->at++;
	run->nmap = 0;
	run->begun = false;
	if (read_open(&run->now, run->file[run->at].path, why) < 0)
		return -EINVAL;
	return 1;
}

int
read_next(struct reader *r, struct read_row *row, struct diag *why)
{
	struct read_run *run = r->run;
	struct read_row one;
	int rc;

	if (run == NULL)
		return file_next(r, row, why);
	while (run->at < run->n) {
		struct run_file *f = &run->file[run->at];

		rc = file_next(run->now != NULL ? run->now : r, &one, why);
		if (rc < 0 || (rc == 0 && (rc = next_file(r, why)) < 0))
			return rc;
		if (f != &run->file[run->at])
			continue;
		if (!run->begun && f->anew && f->base <= run->last)
			f->base = run->last + 1;
		/* skip samples that an earlier file had, too */
		if (run->returned && f->base + one.sample <= run->last)
			continue;
		if ((rc = read_run_put_row(r, &one, row)) < 0 || (!run->begun &&
		    run->returned && (rc = note_seam(r, row)) < 0))
			return diag_set(why, rc, "out of memory");
		run->begun = run->returned = true;
		run->last = row->sample;
		return 1;
	}
	return 0;
}

bool
read_last_clock(struct reader *r, bool own, uint64_t *sample,
    uint64_t *tsc, double *wall_s)
{
	const struct run_file *f;
	struct reader *last;
	struct diag why;
	bool found;

	if (r->run == NULL)
		return file_last_clock(r, own, sample, tsc, wall_s);
	f = &r->run->file[r->run->n - 1];
	if (read_open(&last, f->path, &why) < 0)
		return false;
	found = file_last_clock(last, own, sample, tsc, wall_s);
	file_close(last);
	*sample += f->base;
	/* a reboot resets the TSC: the difference to the run's first sample
	 * is meaningless */
	for (unsigned i = 1; i < r->run->n; i++)
		if (r->run->file[i].reboot)
			*tsc = 0;
	return found;
}

const struct seam *
read_seam(const struct reader *r, unsigned i)
{
	return r->run != NULL && i < r->run->nseam ? &r->run->seam[i] : NULL;
}

uint64_t
read_restart(const struct reader *r, uint64_t sample)
{
	for (unsigned i = 1; r->run != NULL && i < r->run->n; i++)
		if (r->run->file[i].anew && r->run->file[i].base > sample)
			return r->run->file[i].base;
	return UINT64_MAX;
}

static void
run_fini(struct reader *r)
{
	struct read_run *run = r->run;

	if (run == NULL)
		return;
	file_close(run->now);
	free(run->file);
	free(run->map);
	free(run->value[0]);
	free(run->value[1]);
	free(run->seam);
	free(run);
}

void
read_close(struct reader *r)
{
	if (r != NULL)
		run_fini(r);
	file_close(r);
}
