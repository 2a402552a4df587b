/*
 * daemon/instead/recorder.c - a method of access in front of the node's own, which keeps
 * what is read.
 */
#include "daemon/instead/recorder.h"

#include "lib/array.h"
#include "regs/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The recorder of an access: ops is its first member. */
static struct recorder *
recorder_of(struct access *acc)
{
	return (struct recorder *)(uintptr_t)acc->ops;
}

static uint64_t
recorder_hash_of(const struct reg_addr *a)
{
	uint64_t key[2] = { (uint64_t)a->space << 40 |
	    (uint64_t)a->bytes << 32 | a->unit, a->offset };

	return lookup_hash(0, key, sizeof(key));
}

/* The entry of an address, which is added if it is new; NULL: out of memory. */
static struct recorded *
entry_of(struct recorder *r, const struct reg_addr *addr, bool *new)
{
	uint64_t hash = recorder_hash_of(addr);

	*new = false;
	LOOKUP_EACH(i, &r->regs, hash) {
		struct recorded *e = &r->reg[i];

		if (reg_addr_same(&e->addr, addr) &&
		    e->addr.bytes == addr->bytes)
			return e;
	}
	*new = true;
	if (!array_room(&r->reg, r->nreg, &r->reg_room, sizeof(*r->reg)) ||
	    lookup_add(&r->regs, hash, r->nreg) < 0) {
		r->lost = true;
		return NULL;
	}
	r->reg[r->nreg] = (struct recorded){ .addr = *addr };
	return &r->reg[r->nreg++];
}

static int
recorded_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	struct recorder *r = recorder_of(acc);
	int rc = r->own->read(acc, addr, raw);
	struct recorded *e;
	bool new;

	if (addr->space == REG_PERF ||
	    (e = entry_of(r, addr, &new)) == NULL || !new)
		return rc;
	e->error = rc < 0 ? rc : 0;
	e->raw = rc < 0 ? ABSENT : *raw;
	return rc;
}

struct recorded *
recorder_read(struct recorder *r, struct access *acc,
    const struct reg_addr *addr)
{
	uint64_t raw;
	int rc = access_read(acc, addr, &raw);
	bool new;
	struct recorded *e = entry_of(r, addr, &new);

	if (e != NULL && new) {
		e->error = rc < 0 ? rc : 0;
		e->raw = raw;
	}
	return e;
}

static struct recorded_file *
find_file(const struct recorder *r, const char *path, uint64_t hash)
{
	LOOKUP_EACH(i, &r->files, hash) {
		struct recorded_file *f = &r->file[i];

		if (strcmp(f->path, path) == 0)
			return f;
	}
	return NULL;
}

const struct recorded_file *
recorder_file(const struct recorder *r, const char *path)
{
	return find_file(r, path, lookup_text(0, path));
}

static int
by_path(const void *a, const void *b)
{
	return strcmp((*(struct recorded_file *const *)a)->path,
	    (*(struct recorded_file *const *)b)->path);
}

struct recorded_file **
recorder_sorted(const struct recorder *r)
{
	struct recorded_file **f = calloc(r->nfile + 1,
	    sizeof(struct recorded_file *));

	for (unsigned i = 0; f != NULL && i < r->nfile; i++)
		f[i] = &r->file[i];
	if (f != NULL)
		qsort(f, r->nfile, sizeof(struct recorded_file *), by_path);
	return f;
}

/* Keeps what a path holds, unless more of it is known already. */
static void
keep_file(struct recorder *r, const char *path, const void *data, ssize_t n,
    bool link)
{
	uint64_t hash = lookup_text(0, path);
	struct recorded_file *f = find_file(r, path, hash);
	char *text;

	if (f != NULL && (n < 0 || f->size >= (size_t)n))
		return;
	if (f == NULL) {
		if (!array_room(&r->file, r->nfile, &r->file_room,
		    sizeof(*r->file)) || (text = strdup(path)) == NULL) {
			r->lost = true;
			return;
		}
		f = &r->file[r->nfile];
		*f = (struct recorded_file){ .path = text };
		if (lookup_add(&r->files, hash, r->nfile++) < 0)
			r->lost = true;
	}
	f->error = n < 0 ? (int)n : 0;
	f->link = link;
	if (n < 0)
		return;
	if ((text = malloc((size_t)n + 1)) == NULL) {
		r->lost = true;
		return;
	}
	memcpy(text, data, (size_t)n);
	text[n] = '\0';
	free(f->text);
	f->text = text;
	f->size = (size_t)n;
}

static const struct host_ops *
host_under(const struct recorder *r)
{
	return r->own->host != NULL ? r->own->host : &host_here;
}

/* Keeps what is read of a file.  Not of a device, whose offsets are addresses. */
static ssize_t
recorded_file(struct access *acc, const char *path, uint64_t offset, void *buf,
    size_t size)
{
	struct recorder *r = recorder_of(acc);
	ssize_t n = host_under(r)->file(acc, path, offset, buf, size);

	if (offset == 0 && strncmp(path, "/dev/", 5) != 0)
		keep_file(r, path, buf, n, false);
	return n;
}

static int
recorded_link(struct access *acc, const char *path, char *buf, size_t size)
{
	struct recorder *r = recorder_of(acc);
	int n = host_under(r)->link(acc, path, buf, size);

	keep_file(r, path, buf, n, true);
	return n;
}

/* Keeps which file a unit is. */
static int
recorded_text(struct access *acc, const char *path)
{
	struct recorder *r = recorder_of(acc);
	int unit = r->own->text(acc, path);

	while (unit >= 0 && r->ntext <= (unsigned)unit) {
		if (!array_room(&r->text, r->ntext, &r->text_room,
		    sizeof(*r->text))) {
			r->lost = true;
			return unit;
		}
		r->text[r->ntext++] = NULL;
	}
	if (unit >= 0 && r->text[unit] == NULL &&
	    (r->text[unit] = strdup(path)) == NULL)
		r->lost = true;
	return unit;
}

static bool
has_event(const struct perf_group *g, uint64_t config)
{
	for (unsigned k = 0; k < g->n; k++)
		if (g->attr[k].config[0] == config)
			return true;
	return false;
}

/* Keeps the events that all of the largest groups have: one of them may have a counter of
 * its own. */
static void
keep_own(struct recorded_pmu *p, const struct perf_group *g)
{
	unsigned n = 0;

	if (g->n > p->most) {
		p->most = p->nown = g->n;
		for (unsigned k = 0; k < g->n; k++)
			p->own[k] = g->attr[k].config[0];
		return;
	}
	for (unsigned k = 0; k < p->nown; k++)
		if (has_event(g, p->own[k]))
			p->own[n++] = p->own[k];
	p->nown = n;
}

/* Notes of a PMU whether the kernel opened a group of events on it, and how many events
 * were in the group. */
static void
keep_group(struct recorder *r, const struct perf_group *g, int rc)
{
	struct recorded_pmu *p = r->pmu;

	while (p != NULL && p < r->pmu + r->npmu &&
	    p->type != g->attr[0].type)
		p++;
	if (p == NULL || p == r->pmu + r->npmu) {
		if (!array_room(&r->pmu, r->npmu, &r->pmu_room,
		    sizeof(*r->pmu))) {
			r->lost = true;
			return;
		}
		p = &r->pmu[r->npmu++];
		*p = (struct recorded_pmu){ .type = g->attr[0].type };
	}
	if (rc >= 0 && g->n >= p->most)
		keep_own(p, g);
	if (rc == -EINVAL && (p->refused == 0 || g->n < p->refused))
		p->refused = g->n;
}

static int
recorded_open(struct access *acc, const struct perf_group *group, unsigned n,
    unsigned *bad)
{
	struct recorder *r = recorder_of(acc);
	int rc = r->own->perf->open(acc, group, n, bad);

	if (n > 0 && group[0].n > 0)
		keep_group(r, &group[0], rc);
	return rc;
}

struct recorder *
recorder_start(struct access *acc)
{
	struct recorder *r = calloc(1, sizeof(*r));

	if (r == NULL)
		return NULL;
	r->own = acc->ops;
	r->ops = *acc->ops;
	r->ops.read = recorded_read;
	/* calls that read many registers would bypass recorded_read */
	r->ops.dwords = NULL;
	r->ops.batch = NULL;
	if (r->own->text != NULL)
		r->ops.text = recorded_text;
	if (r->own->perf != NULL) {
		r->perf = *r->own->perf;
		r->perf.open = recorded_open;
		r->ops.perf = &r->perf;
	}
	r->host = *host_under(r);
	r->host.file = recorded_file;
	if (r->host.link != NULL)
		r->host.link = recorded_link;
	r->ops.host = &r->host;
	acc->ops = &r->ops;
	return r;
}

void
recorder_stop(struct recorder *r, struct access *acc)
{
	if (r == NULL)
		return;
	acc->ops = r->own;
	for (unsigned i = 0; i < r->nreg; i++)
		free(r->reg[i].series);
	for (unsigned i = 0; i < r->nfile; i++) {
		free(r->file[i].path);
		free(r->file[i].text);
	}
	for (unsigned i = 0; i < r->ntext; i++)
		free(r->text[i]);
	lookup_fini(&r->regs);
	lookup_fini(&r->files);
	free(r->reg);
	free(r->file);
	free(r->text);
	free(r->pmu);
	free(r);
}
