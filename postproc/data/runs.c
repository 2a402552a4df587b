/*
 * postproc/data/runs.c - which files are segments of one run, and in which order.
 */
#include "postproc/data/runs.h"

#include "lib/lookup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the head of a file says. */
struct segment_head {
	const char *path;
	unsigned place;         /* its number among the files; of a segment,
				 * that of its node's first segment */
	bool is_segment;
	char host[256], of[128];
	double started;         /* s since 1970 */
	uint64_t n, samples;
	char model[32], access[32], interval[32];
	uint64_t texts;         /* a hash of the configuration's texts */
};

static uint64_t
runs_hash_of(uint64_t h, const struct reader *r, enum head_key key,
    struct head_at at)
{
	return lookup_text(h, head_text(r, key, at, ""));
}

/* A hash of the texts of a configuration, which say what is counted.  Where one file continues
 * another, they have the same hash, model, access and interval. */
static uint64_t
hash_texts(const struct reader *r)
{
	uint64_t h = 0;

	for (unsigned i = 0; head_constant(r, HEAD_TEXT_NAME, AT(i)); i++) {
		h = runs_hash_of(h, r, HEAD_TEXT_NAME, AT(i));
		h = runs_hash_of(h, r, HEAD_TEXT_SHA256, AT(i));
	}
	return h;
}

static void
take_head(struct segment_head *s, const char *path, unsigned place)
{
	struct reader *r;
	struct diag why;

	*s = (struct segment_head){ .path = path, .place = place };
	/* words about a file that cannot be read come later, where it is read in full */
	if (strcmp(path, "-") == 0 || read_open(&r, path, &why) < 0)
		return;
	s->is_segment = head_constant(r, HEAD_SEGMENT, ALONE) != NULL &&
	    head_constant(r, HEAD_SEGMENT_OF, ALONE) != NULL;
	snprintf(s->host, sizeof(s->host), "%s", head_text(r, HEAD_HOST, ALONE,
	    ""));
	snprintf(s->of, sizeof(s->of), "%s", head_text(r, HEAD_SEGMENT_OF,
	    ALONE, ""));
	s->started = head_number(r, HEAD_REFERENCE_WALLTIME, ALONE, 0);
	s->n = (uint64_t)head_number(r, HEAD_SEGMENT, ALONE, 0);
	s->samples = (uint64_t)head_number(r, HEAD_SAMPLES, ALONE, 0);
	snprintf(s->model, sizeof(s->model), "%s", head_text(r, HEAD_MODEL,
	    ALONE, ""));
	snprintf(s->access, sizeof(s->access), "%s", head_text(r, HEAD_ACCESS,
	    ALONE, ""));
	snprintf(s->interval, sizeof(s->interval), "%g s", head_number(r,
	    HEAD_INTERVAL, ALONE, 0));
	s->texts = hash_texts(r);
	read_close(r);
}

/* Nodes in the order of their first files; the segments of a node in time. */
static int
runs_compare(const void *a, const void *b)
{
	const struct segment_head *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	if (x->started != y->started)
		return x->started < y->started ? -1 : 1;
	if (strcmp(x->of, y->of) != 0)
		return strcmp(x->of, y->of);
	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	/* two files of one segment: the longer one first */
	return x->samples > y->samples ? -1 : x->samples < y->samples;
}

static bool
same_segment(const struct segment_head *a, const struct segment_head *b)
{
	return a->is_segment && b->is_segment && a->n == b->n &&
	    strcmp(a->of, b->of) == 0 && strcmp(a->host, b->host) == 0;
}

static bool
runs_goes_on(const struct segment_head *a, const struct segment_head *b)
{
	return a->is_segment && b->is_segment && a->place == b->place &&
	    strcmp(a->model, b->model) == 0 &&
	    strcmp(a->access, b->access) == 0 &&
	    strcmp(a->interval, b->interval) == 0 && a->texts == b->texts;
}

/* Why b does not continue a: "interval 0.5 s instead of 1 s, another configuration". */
static const char *
what_differs(const struct segment_head *a, const struct segment_head *b,
    char *buf, size_t size)
{
	const struct { const char *name, *was, *is; } of[] = {
		{ "model", a->model, b->model },
		{ "access", a->access, b->access },
		{ "interval", a->interval, b->interval },
	};
	size_t n = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++)
		if (strcmp(of[i].was, of[i].is) != 0)
			n += (size_t)snprintf(buf + n, size - n,
			    "%s%s %s instead of %s", n > 0 ? ", " : "",
			    of[i].name, of[i].is, of[i].was);
	if (a->texts != b->texts)
		snprintf(buf + n, size - n, "%sanother configuration",
		    n > 0 ? ", " : "");
	return buf;
}

static int
runs_add(struct runs *r, const struct segment_head *s, bool goes_on_from_last)
{
	struct run_paths *run;

	if (!goes_on_from_last)
		r->n++;
	run = &r->run[r->n - 1];
	if ((run->n & (run->n + 1)) == 0) {
		const char **p = reallocarray(run->path, 2 * run->n + 2,
		    sizeof(*p));

		if (p == NULL)
			return -ENOMEM;
		run->path = p;
	}
	if (run->n == 0)
		run->started = s->started;
	run->path[run->n++] = s->path;
	r->first[r->n - 1] = run->path[0];
	return 0;
}

static int
put_together(struct runs *r, const struct segment_head *s, unsigned n,
    void (*said)(const char *line))
{
	const struct segment_head *was = NULL;
	char line[1024], how[320];
	int rc;

	for (unsigned i = 0; i < n; i++) {
		if (was != NULL && same_segment(was, &s[i])) {
			snprintf(line, sizeof(line), "%.400s: the same segment "
			    "as %.400s, and no longer: left out", s[i].path,
			    was->path);
			said(line);
			continue;
		}
		/* no samples: the store of a segment that never began */
		if (s[i].is_segment && s[i].samples == 0 && n > 1) {
			snprintf(line, sizeof(line), "%.400s: a segment "
			    "without a sample: left out", s[i].path);
			said(line);
			continue;
		}
		if (was != NULL && !runs_goes_on(was, &s[i]) &&
		    was->place == s[i].place && s[i].is_segment) {
			snprintf(line, sizeof(line), "%.400s: something else is "
			    "counted from here on, or another way (%s): told "
			    "apart from those before", s[i].path,
			    what_differs(was, &s[i], how, sizeof(how)));
			said(line);
		}
		if ((rc = runs_add(r, &s[i], was != NULL && runs_goes_on(was,
		    &s[i]))) < 0)
			return rc;
		was = &s[i];
	}
	return 0;
}

int
runs_find(struct runs *r, const char *const *path, unsigned n,
    void (*said)(const char *line))
{
	struct segment_head *s = calloc(n + 1, sizeof(*s));
	int rc = -ENOMEM;

	*r = (struct runs){ .run = calloc(n + 1, sizeof(*r->run)),
	    .first = calloc(n + 1, sizeof(*r->first)) };
	if (s != NULL && r->run != NULL && r->first != NULL) {
		for (unsigned i = 0; i < n; i++) {
			take_head(&s[i], path[i], i);
			for (unsigned k = 0; s[i].is_segment && k < i; k++)
				if (s[k].is_segment && strcmp(s[k].host,
				    s[i].host) == 0) {
					s[i].place = s[k].place;
					break;
				}
		}
		qsort(s, n, sizeof(*s), runs_compare);
		rc = put_together(r, s, n, said);
	}
	free(s);
	return rc;
}

void
runs_fini(struct runs *r)
{
	for (unsigned i = 0; i < r->n; i++)
		free(r->run[i].path);
	free(r->run);
	free(r->first);
	*r = (struct runs){ .n = 0 };
}

void
runs_by_time(struct runs *r)
{
	/* insertion sort: they are few and mostly in order, and equal ones keep theirs */
	for (unsigned i = 1; i < r->n; i++) {
		struct run_paths run = r->run[i];
		unsigned k = i;

		for (; k > 0 && r->run[k - 1].started > run.started; k--)
			r->run[k] = r->run[k - 1];
		r->run[k] = run;
	}
	for (unsigned i = 0; i < r->n; i++)
		r->first[i] = r->run[i].path[0];
}

/* Returns how many files a run has behind its first, `path`; *more: these files. */
static unsigned
files_behind(const struct runs *r, const char *path, const char *const **more)
{
	for (unsigned i = 0; r != NULL && i < r->n; i++)
		if (strcmp(r->first[i], path) == 0 && r->run[i].n > 1) {
			*more = r->run[i].path + 1;
			return r->run[i].n - 1;
		}
	*more = NULL;
	return 0;
}

int
runs_follow(const struct runs *r, struct reader *reader, struct diag *why)
{
	const char *const *more;
	unsigned n = files_behind(r, read_path(reader), &more);

	return read_follow(reader, more, n, why);
}
