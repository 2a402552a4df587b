/*
 * daemon/plan/plan_file.c - numbers in files of the node.  They have cells of their
 * own, in no block: who reads them is daemon/run/files.c.
 */
#include "daemon/plan/plan_int.h"

#include "config/file_number.h"
#include "config/lang/file_read.h"
#include "daemon/plan/file_match.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The columns of a statement. */
struct file_run {
	struct plan *plan;
	const struct want *want;
	const struct family *family;
	unsigned first;                 /* into plan->file */
	bool point;                     /* some number has one */
	int rc;                         /* of the last that could not be opened */
};

static int
add_column(struct file_run *r, const struct plan_file *f, unsigned at)
{
	const struct file_read *read = r->want->of_file;
	struct column c = { .id = f->id, .bits = read->gauge ? 0 : 64,
	    .cls = r->family->cls };

	return plan_add_of_file(r->plan, &c, at);
}

/* One file: passed over where it is not there. */
static int
add_file(struct file_run *r, const struct file_match *m)
{
	struct plan *plan = r->plan;
	struct plan_build *b = plan->build;
	const struct file_read *read = r->want->of_file;
	struct plan_file *f = plan_grow(plan->file, plan->nfile,
	    &b->file_room, sizeof(*f));
	const char *path;
	char text[64];
	ssize_t n;

	if (f == NULL)
		return plan_no_memory(plan);
	plan->file = f;
	f += plan->nfile;
	*f = (struct plan_file){ .binary = read->binary, .gauge = read->gauge, .at = read->at,
	    .every = read->every, .statement = plan->nread_apart,
	    .id = { .family = r->family } };
	if ((path = plan_text(plan, m->path)) == NULL || (m->label[0] != '\0' &&
	    (f->id.event = plan_text(plan, m->label)) == NULL))
		return plan_no_memory(plan);
	if ((r->rc = held_open(&f->held, b->acc, path)) < 0)
		return 0;
	n = held_read(&f->held, b->acc, f->at, text, sizeof(text));
	r->point |= !f->binary && n > 0 && file_has_point(text, (size_t)n);
	return add_column(r, f, plan->nfile++);
}

void
plan_tell_apart(struct plan *plan, const char *family, unsigned every)
{
	struct head *h = &plan->head;

	if (!head_has(h, HEAD_FAMILY_STAMP, ALONE, 0))
		head_put_table(h, HEAD_FAMILY_STAMP, ALONE, 0);
	head_put_text(h, HEAD_FAMILY_STAMP, OF(family), "read_tsc");
	if (every < 2)
		return;
	if (!head_has(h, HEAD_FAMILY_EVERY, ALONE, 0))
		head_put_table(h, HEAD_FAMILY_EVERY, ALONE, 0);
	head_put_count(h, HEAD_FAMILY_EVERY, OF(family), every);
}

/* What a statement says of its family, into the head. */
static int
tell(struct file_run *r)
{
	struct plan *plan = r->plan;
	const struct file_read *read = r->want->of_file;
	const char *family = r->want->name;
	unsigned digits = r->point ? FILE_DIGITS : 0;
	double scale = read->scale / pow(10, digits);
	struct head *h = &plan->head;

	for (unsigned i = r->first; i < plan->nfile; i++)
		plan->file[i].digits = digits;
	if (!head_has(h, HEAD_RAW_READ, ALONE, 0))
		head_put_table(h, HEAD_RAW_READ, ALONE, 0);
	head_put_text(h, HEAD_RAW_READ, OF(family), read->statement);
	plan_tell_apart(plan, family, read->every);
	if (scale == 1)
		return plan_head_error(plan);
	if (!head_has(h, HEAD_FAMILY_SCALE, ALONE, 0))
		head_put_table(h, HEAD_FAMILY_SCALE, ALONE, 0);
	head_put_real(h, HEAD_FAMILY_SCALE, OF(family), scale);
	return plan_head_error(plan);
}

static int
none_there(const struct file_run *r)
{
	const struct want *w = r->want;
	const char *why = strchr(w->of_file->path, '*') != NULL &&
	    (r->rc == 0 || r->rc == -ENOENT) ? "no such file is there" :
	    r->rc == -EINVAL ? "it is no plain file" : strerror(-r->rc);

	if (!w->optional)
		return diag_at(r->plan->build->why, w->file, w->line, "read "
		    "file=%s: %s (start the line with `optional` to go on "
		    "without)", w->of_file->path, why);
	plan_note(r->plan, "%s: %s: %s", w->name, w->of_file->path, why);
	return 0;
}

int
plan_file(struct plan *plan, const struct want *w)
{
	const struct file_read *read = w->of_file;
	struct file_run r = { .plan = plan, .want = w, .first = plan->nfile };
	struct file_matches m;
	int rc;

	r.family = plan_family(plan, w->name, read->gauge ? 0 : 64,
	    read->unit);
	if (r.family == NULL)
		return plan_no_memory(plan);
	rc = file_match(&m, plan->build->acc, read->path);
	if (rc == -E2BIG)
		rc = diag_at(plan->build->why, w->file, w->line, "read file=%s:"
		    " more than %d files are called so", read->path,
		    MAX_MATCHES);
	else if (rc < 0)
		rc = plan_no_memory(plan);
	for (unsigned i = 0; rc == 0 && i < m.n; i++)
		rc = add_file(&r, &m.match[i]);
	file_match_fini(&m);
	if (rc < 0)
		return rc;
	if (plan->nfile == r.first)
		return none_there(&r);
	plan->nread_apart++;
	return tell(&r);
}

void
plan_cells_apart(struct plan *plan)
{
	unsigned stamps = plan->ncell;

	plan->ncell += plan->nread_apart;
	for (unsigned i = 0; i < plan->nfile; i++) {
		plan->file[i].stamp = stamps + plan->file[i].statement;
		plan->file[i].cell = plan->ncell++;
	}
	for (unsigned i = 0; i < plan->nslow; i++) {
		plan->slow[i].stamp = stamps + plan->slow[i].statement;
		plan->slow[i].cell = plan->ncell++;
	}
}
