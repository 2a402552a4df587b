/*
 * daemon/plan/plan_apart.c - values that are in no block: numbers in files of the
 * node, and registers that are read every so many samples.  Each has a cell of its own,
 * and each statement a stamp.
 */
#include "daemon/plan/plan_int.h"

#include "config/file_number.h"
#include "config/lang/readable.h"
#include "lib/array.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The files that a path with * in it names.  The path is followed part by part, in all
 * folders that match so far.
 */

/* A folder whose entries are matched against one part of the path. */
struct matching {
	struct access *acc;
	struct file_matches *to;
	const char *dir, *label;        /* so far */
	const char *part;               /* pattern, not terminated */
	size_t part_len;
	int rc;
};

static int
file_match_add(struct file_matches *m, const char *dir, const char *name,
    size_t len, const char *label)
{
	struct file_match *p;
	size_t size = strlen(dir) + 1 + len + 1;

	if (m->n == MAX_MATCHES)
		return -E2BIG;
	if (!array_room(&m->match, m->n, &m->room, sizeof(*m->match)))
		return -ENOMEM;
	p = &m->match[m->n];
	p->path = malloc(size);
	p->label = strdup(label);
	if (p->path == NULL || p->label == NULL) {
		free(p->path);
		free(p->label);
		return -ENOMEM;
	}
	snprintf(p->path, size, "%s/%.*s", dir, (int)len, name);
	m->n++;
	return 0;
}

/* Does a name match?  Appends what its stars stand for to label.  Each star stands for
 * as few characters as possible, but the last one, which takes the rest. */
static bool
file_match_matches(const char *part, size_t len, const char *name, char *label,
    size_t size)
{
	const char *end = part + len;
	size_t n = strlen(label);

	while (part < end) {
		const char *rest;
		size_t word, skip = 0;

		if (*part != '*') {
			if (*part++ != *name++)
				return false;
			continue;
		}
		rest = ++part;
		while (rest < end && *rest != '*')
			rest++;
		word = (size_t)(rest - part);
		if (rest == end)        /* the last star: up to what follows it */
			skip = strlen(name) < word ? 0 : strlen(name) - word;
		while (name[skip] != '\0' && strncmp(name + skip, part,
		    word) != 0)
			skip++;
		if (strncmp(name + skip, part, word) != 0 ||
		    n + skip + 2 > size)
			return false;
		n += (size_t)snprintf(label + n, size - n, "%s%.*s", n > 0 ?
		    "/" : "", (int)skip, name);
		name += skip;
	}
	return *name == '\0';
}

static void
file_match_look_at(void *ctx, const char *name)
{
	struct matching *s = ctx;
	char label[256];

	snprintf(label, sizeof(label), "%s", s->label);
	if (s->rc < 0 || name[0] == '.' ||
	    !file_match_matches(s->part, s->part_len, name, label,
	    sizeof(label)))
		return;
	s->rc = file_match_add(s->to, s->dir, name, strlen(name), label);
}

/* Follows one part of the path in each folder found so far; a part without a star is
 * appended unseen. */
static int
go_down(struct file_matches *m, struct access *acc, const char *part,
    size_t len)
{
	struct file_matches next = { NULL, 0, 0 };
	bool pattern = memchr(part, '*', len) != NULL;
	int rc = 0;

	for (unsigned i = 0; i < m->n && rc == 0; i++) {
		struct matching s = { acc, &next, m->match[i].path,
		    m->match[i].label, part, len, 0 };

		if (pattern) {
			access_list(acc, s.dir[0] == '\0' ? "/" : s.dir,
			    file_match_look_at, &s);
			rc = s.rc;
		} else
			rc = file_match_add(&next, s.dir, part, len, s.label);
	}
	file_match_fini(m);
	*m = next;
	return rc;
}

/* "hwmon10" after "hwmon2" */
static int
by_label(const void *x, const void *y)
{
	const struct file_match *a = x, *b = y;
	int d = strverscmp(a->label, b->label);

	return d != 0 ? d : strcmp(a->path, b->path);
}

int
file_match(struct file_matches *m, struct access *acc, const char *path)
{
	size_t len;
	int rc;

	*m = (struct file_matches){ NULL, 0, 0 };
	if (strchr(path, '*') == NULL)
		return file_match_add(m, "", path + 1, strlen(path + 1), "");
	if ((rc = file_match_add(m, "", "", 0, "")) < 0)
		return rc;
	m->match[0].path[0] = '\0';
	for (const char *p = path + 1; rc == 0 && *p != '\0';
	    p += len + (p[len] == '/')) {
		len = strcspn(p, "/");
		if (len > 0)
			rc = go_down(m, acc, p, len);
	}
	if (m->n > 0)
		qsort(m->match, m->n, sizeof(m->match[0]), by_label);
	return rc;
}

void
file_match_fini(struct file_matches *m)
{
	for (unsigned i = 0; i < m->n; i++) {
		free(m->match[i].path);
		free(m->match[i].label);
	}
	free(m->match);
	*m = (struct file_matches){ NULL, 0, 0 };
}

/* The columns of a statement. */
struct file_run {
	struct plan *plan;
	const struct want *want;
	const struct family *family;
	unsigned first;                 /* into plan->file */
	bool point;                     /* some number has a decimal point */
	int rc;                         /* of the last file that could not be opened */
};

static int
plan_apart_add_column(struct file_run *r, const struct plan_file *f,
    unsigned at)
{
	const struct file_read *read = r->want->of_file;
	struct column c = { .id = f->id, .bits = read->gauge ? 0 : 64,
	    .cls = r->family->cls };

	return plan_add_from(r->plan, &c, (struct read_from){ FROM_FILE, at,
	    false });
}

/* Adds one file; a file that cannot be opened is passed over. */
static int
add_file(struct file_run *r, const struct file_match *m)
{
	struct plan *plan = r->plan;
	struct plan_build *b = plan->build;
	const struct file_read *read = r->want->of_file;
	struct plan_file *f;
	const char *path;
	char text[64];
	ssize_t n;

	if (!array_room(&plan->apart.file, plan->apart.nfile, &b->file_room,
	    sizeof(*plan->apart.file)))
		return plan_no_memory(plan);
	f = &plan->apart.file[plan->apart.nfile];
	*f = (struct plan_file){ .binary = read->binary, .gauge = read->gauge, .at = read->at,
	    .every = read->every, .statement = plan->apart.nstatement,
	    .id = { .family = r->family } };
	if ((path = plan_text(plan, m->path)) == NULL || (m->label[0] != '\0' &&
	    (f->id.event = plan_text(plan, m->label)) == NULL))
		return plan_no_memory(plan);
	if ((r->rc = held_open(&f->held, b->acc, path)) < 0)
		return 0;
	n = held_read(&f->held, b->acc, f->at, text, sizeof(text));
	r->point |= !f->binary && n > 0 && file_has_point(text, (size_t)n);
	return plan_apart_add_column(r, f, plan->apart.nfile++);
}

static void
tell_apart(struct plan *plan, const char *family, unsigned every)
{
	struct head *h = &plan->head;

	head_declare(h, HEAD_FAMILY_STAMP, ALONE);
	head_put_text(h, HEAD_FAMILY_STAMP, OF(family), "read_tsc");
	if (every < 2)
		return;
	head_declare(h, HEAD_FAMILY_EVERY, ALONE);
	head_put_count(h, HEAD_FAMILY_EVERY, OF(family), every);
}

/* Puts into the head what a statement says of its family. */
static int
tell_file(struct file_run *r)
{
	struct plan *plan = r->plan;
	const struct file_read *read = r->want->of_file;
	const char *family = r->want->name;
	unsigned digits = r->point ? FILE_DIGITS : 0;
	double scale = read->scale / pow(10, digits);
	struct head *h = &plan->head;

	for (unsigned i = r->first; i < plan->apart.nfile; i++)
		plan->apart.file[i].digits = digits;
	head_declare(h, HEAD_RAW_READ, ALONE);
	head_put_text(h, HEAD_RAW_READ, OF(family), read->statement);
	tell_apart(plan, family, read->every);
	if (scale == 1)
		return plan_head_error(plan);
	head_declare(h, HEAD_FAMILY_SCALE, ALONE);
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
	struct file_run r = { .plan = plan, .want = w,
	    .first = plan->apart.nfile };
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
	if (plan->apart.nfile == r.first)
		return none_there(&r);
	plan->apart.nstatement++;
	return tell_file(&r);
}

void
plan_cells_apart(struct plan *plan)
{
	unsigned stamps = plan->ncell;

	plan->ncell += plan->apart.nstatement;
	for (unsigned i = 0; i < plan->apart.nfile; i++) {
		plan->apart.file[i].stamp =
		    stamps + plan->apart.file[i].statement;
		plan->apart.file[i].cell = plan->ncell++;
	}
	for (unsigned i = 0; i < plan->apart.nslow; i++) {
		plan->apart.slow[i].stamp =
		    stamps + plan->apart.slow[i].statement;
		plan->apart.slow[i].cell = plan->ncell++;
	}
	for (unsigned i = 0; i < plan->ncolumn; i++) {
		const struct read_from *from = &plan->build->source[i];

		if (from->list == FROM_FILE)
			plan->column[i].cell =
			    plan->apart.file[from->at].cell;
		else if (from->list == FROM_SLOW)
			plan->column[i].cell =
			    plan->apart.slow[from->at].cell;
	}
}

/* The name of its stamp: read_tsc["aperf"], read_tsc["CAS_COUNT.RD"]. */
static const char *
plan_apart_stamp_of(const struct plan_slow *s)
{
	return s->event != NULL ? s->event : s->family->name;
}

/* The last slow register with the same stamp; NULL: none. */
static const struct plan_slow *
plan_apart_beside(const struct plan *plan, const struct plan_slow *s)
{
	for (unsigned i = plan->apart.nslow; i-- > 0;)
		if (strcmp(plan_apart_stamp_of(&plan->apart.slow[i]),
		    plan_apart_stamp_of(s)) == 0)
			return &plan->apart.slow[i];
	return NULL;
}

static void
tell_event(struct plan *plan, struct head_at at, unsigned every)
{
	struct head *h = &plan->head;

	head_declare(h, HEAD_EVENT_EVERY, at);
	if (!head_has(h, HEAD_EVENT_EVERY, at, HEAD_WHOLE))
		head_put_count(h, HEAD_EVENT_EVERY, at, every);
}

/* Puts into the head how often it is read: with the first of its family or event. */
static void
tell_slow(struct plan *plan, const struct plan_slow *s)
{
	if (s->event == NULL) {
		tell_apart(plan, s->family->name, s->every);
		return;
	}
	tell_event(plan, OF(s->family->name, s->event), s->every);
	tell_event(plan, OF("read_tsc", s->event), s->every);
}

int
plan_add_slow(struct plan *plan, const struct column *like,
    const struct reg_addr *addr, unsigned every, unsigned lproc, int pkg)
{
	const struct plan_slow *other;
	struct plan_slow *s;

	if (!array_room(&plan->apart.slow, plan->apart.nslow,
	    &plan->build->slow_room, sizeof(*s)) || like->id.family == NULL)
		return plan_no_memory(plan);
	s = &plan->apart.slow[plan->apart.nslow];
	*s = (struct plan_slow){ .addr = *addr, .every = every,
	    .family = like->id.family, .event = like->id.event,
	    .lproc = lproc, .pkg = pkg };
	other = plan_apart_beside(plan, s);
	if (other != NULL && other->every != every)
		return diag_set(plan->build->why, -EINVAL, "%s is read every %u "
		    "samples and every %u: one of the two needs another name",
		    plan_apart_stamp_of(s), other->every, every);
	s->statement =
	    other != NULL ? other->statement : plan->apart.nstatement++;
	if (other == NULL || other->family != s->family)
		tell_slow(plan, s);
	return plan_add_from(plan, like, (struct read_from){ FROM_SLOW,
	    plan->apart.nslow++, false });
}

unsigned
plan_every(const struct plan *plan, const struct family *f)
{
	unsigned most = 1;

	for (unsigned i = 0; i < plan->apart.nslow; i++)
		if (plan->apart.slow[i].family == f &&
		    plan->apart.slow[i].every > most)
			most = plan->apart.slow[i].every;
	return most;
}
