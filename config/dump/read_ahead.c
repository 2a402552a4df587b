/*
 * config/dump/read_ahead.c - threads that parse samples of a dump ahead of the
 * reader.
 *
 * The file after the first samples is cut into ranges.  A thread takes the next
 * range and parses the samples that begin in it, with a reader of its own that
 * shares the names of the main reader.  It keeps a sample only if it is free of
 * problems: each line is of a known column, each column comes once, and the
 * next line begins another sample.  The main reader takes a kept sample when it
 * comes to the sample's first byte, and parses everything else itself.  So
 * samples and problems do not depend on the number of threads.
 *
 * Columns do not change while threads run: names_add refuses a new one with -EAGAIN,
 * and read.c stops the threads and takes the line again.
 */
#include "config/dump/read_int.h"

#include "lib/process.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LEAST (1u << 20)        /* bytes left to read; with less, no threads */
#define RANGE (2u << 20)        /* bytes of a range, at most, unless RANGE_SAMPLES
				 * samples are longer */
#define RANGE_SAMPLES 4
#define MOST_THREADS 16         /* more would wait for the main reader */
#define MOST_VALUES (1u << 21)  /* values in a range: 16 MB */
#define FIRST_SAMPLES 4         /* parsed by the reader alone */
#define MOST_STARTS 8           /* threads are started no more often than this */
#define MOST_MISSED 256         /* samples in a row that no thread kept */

/* A parsed sample and its place in the file. */
struct parsed {
	uint64_t at, end;       /* its first byte, and that of the next one */
	uint64_t sample, next;
	uint64_t lines;
	unsigned nset;
};

enum state { FREE, TAKEN_BY_THREAD, DONE };

struct stretch {
	enum state state;
	unsigned n, shown;      /* samples; the reader has passed `shown` */
	struct parsed *parsed;  /* [ahead.room] */
	uint64_t *value;        /* [ahead.room][ahead.ncol] */
};

struct parser {
	struct parse_ahead *ahead;
	struct reader *reader;
	pthread_t thread;
};

struct parse_ahead {
	uint64_t from;          /* file offset of the first range */
	uint64_t length, nrange;        /* bytes of a range; how many ranges */
	unsigned ncol, room;    /* room: samples in a range, at most */
	unsigned nslot, nthread, missed;
	struct stretch *slot;     /* range i is in slot i % nslot */
	struct parser worker[MOST_THREADS];

	pthread_mutex_t lock;   /* for what follows, and the slots' state */
	pthread_cond_t work, done;
	uint64_t next;          /* first range that no thread has taken */
	uint64_t shown;         /* the range where the main reader is */
	bool stop;
};

/* ---- in a thread ---------------------------------------------------------- */

static void
reader_free(struct reader *w)
{
	if (w == NULL)
		return;
	free(w->buf);
	free(w->guess.expect);
	free(w->guess.order);
	free(w->guess.where);
	free(w->guess.text);
	free(w);
}

/* Make a reader for a thread; it shares only the names of r. */
static struct reader *
reader_for(const struct reader *r)
{
	struct reader *w = malloc(sizeof(*w));

	if (w == NULL)
		return NULL;
	*w = *r;
	w->threads.ahead = NULL;
	w->bad.problem = NULL;
	w->guess.text = NULL;
	w->guess.text_room = 0;
	w->buf = read_buffer();
	w->guess.expect = malloc(r->columns.room * sizeof(*w->guess.expect));
	w->guess.order = malloc(r->columns.room * sizeof(*w->guess.order));
	w->guess.where = malloc(r->columns.room * sizeof(*w->guess.where));
	if (w->buf == NULL || w->guess.expect == NULL ||
	    w->guess.order == NULL || w->guess.where == NULL)
		goto fail;
	/* count problems, but make no messages */
	for (unsigned k = 0; k < PROBLEM_KINDS; k++)
		w->bad.n[k] = KEPT_PROBLEMS;
	/* predict the same lines as the main reader */
	w->guess.norder = r->guess.nexpect;
	for (unsigned i = 0; i < r->guess.nexpect; i++)
		w->guess.order[i] = r->guess.expect[i].col;
	if (lines_learn(w) < 0)
		goto fail;
	for (unsigned i = 0; i < r->guess.nexpect; i++)
		w->guess.expect[i].vlen = r->guess.expect[i].vlen;
	w->guess.norder = 0;
	return w;
fail:
	reader_free(w);
	return NULL;
}

static uint64_t
position(const struct reader *r)
{
	return r->offset - (uint64_t)(r->end - r->at);
}

/* The end of the line at w->at; NULL if it is missing or the line is too
 * long. */
static char *
line_end(struct reader *w)
{
	struct diag why;
	char *p;

	while ((p = memchr(w->at, '\n', (size_t)(w->end - w->at))) == NULL)
		if (w->end - w->at == READ_BUFFER || read_refill(w, &why) <= 0)
			return NULL;
	return p;
}

/* Go to the next line of the column that is expected first: a sample probably
 * begins there.  False if there is none before `to`.  If the guess is wrong,
 * the main reader never asks for a sample at this byte. */
static bool
find_sample(struct reader *w, uint64_t to)
{
	const struct expected *first = &w->guess.expect[0];
	const char *name = w->guess.text + first->text;
	char *newline;

	while (position(w) < to && (newline = line_end(w)) != NULL) {
		w->at = newline + 1;
		if ((newline = line_end(w)) == NULL || position(w) >= to)
			return false;
		if ((size_t)(newline - w->at) > first->len &&
		    memcmp(w->at, name, first->len) == 0 &&
		    lines_begin(w, newline))
			return true;
	}
	return false;
}

/* Parse the sample at w->at.  True: it has no problems. */
static bool
parse_sample(struct reader *w, struct parsed *p, uint64_t *value)
{
	uint64_t line = w->line;
	char *newline;
	int rc;

	*p = (struct parsed){ .at = position(w), .sample = w->now.next };
	w->now.value[w->now.cur] = value;
	w->bad.lost = 0;
	if (sample_begin(w) < 0)
		return false;
	for (;;) {
		if (w->guess.as_expected)
			lines_expected(w);
		if ((newline = line_end(w)) == NULL ||
		    (rc = lines_known(w, newline)) < 0 || w->bad.lost > 0)
			return false;
		if (rc == NEXT_SAMPLE)
			break;
		w->at = newline + 1;
		w->line++;
	}
	sample_end(w);
	p->end = position(w);
	p->next = w->now.next;
	p->lines = w->line - line;
	p->nset = w->now.nset;
	return true;
}

static bool
stopped(struct parse_ahead *a)
{
	bool stop;

	pthread_mutex_lock(&a->lock);
	stop = a->stop;
	pthread_mutex_unlock(&a->lock);
	return stop;
}

/* Parse all samples that begin in a range. */
static void
read_ahead_parse_range(struct parse_ahead *a, struct reader *w, uint64_t number)
{
	struct stretch *s = &a->slot[number % a->nslot];
	uint64_t from = a->from + number * a->length, to = from + a->length;
	bool found;

	s->n = s->shown = 0;
	/* from the newline before it */
	w->offset = from - 1;
	w->eof = false;
	w->at = w->end = w->buf + READ_SLACK;
	found = find_sample(w, to);
	while (found && s->n < a->room && !stopped(a)) {
		struct parsed *p = &s->parsed[s->n];

		if (parse_sample(w, p, s->value + (size_t)s->n * a->ncol)) {
			s->n++;
			found = p->end < to;
		} else {
			found = find_sample(w, to);
		}
	}
}

static void *
read_ahead_work(void *arg)
{
	const struct parser *w = arg;
	struct parse_ahead *a = w->ahead;
	uint64_t number;

	pthread_mutex_lock(&a->lock);
	for (;;) {
		while (!a->stop && a->next < a->nrange &&
		    a->next >= a->shown + a->nslot)
			pthread_cond_wait(&a->work, &a->lock);
		if (a->stop || a->next >= a->nrange)
			break;
		number = a->next++;
		a->slot[number % a->nslot].state = TAKEN_BY_THREAD;
		pthread_mutex_unlock(&a->lock);
		read_ahead_parse_range(a, w->reader, number);
		pthread_mutex_lock(&a->lock);
		a->slot[number % a->nslot].state = DONE;
		pthread_cond_signal(&a->done);
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

/* ---- of the reader -------------------------------------------------------- */

void
ahead_stop(struct reader *r)
{
	struct parse_ahead *a = r->threads.ahead;

	if (a == NULL)
		return;
	pthread_mutex_lock(&a->lock);
	a->stop = true;
	pthread_cond_broadcast(&a->work);
	pthread_mutex_unlock(&a->lock);
	for (unsigned i = 0; i < a->nthread; i++) {
		pthread_join(a->worker[i].thread, NULL);
		reader_free(a->worker[i].reader);
	}
	for (unsigned i = 0; a->slot != NULL && i < a->nslot; i++) {
		free(a->slot[i].parsed);
		free(a->slot[i].value);
	}
	pthread_cond_destroy(&a->work);
	pthread_cond_destroy(&a->done);
	pthread_mutex_destroy(&a->lock);
	free(a->slot);
	free(a);
	r->threads.ahead = NULL;
}

/* Divide the rest of the file into ranges and allocate memory for their
 * samples. bytes: size of a sample.  False: too few samples, too large ones, or
 * out of memory. */
static bool
read_ahead_cut(struct parse_ahead *a, uint64_t left, uint64_t bytes)
{
	a->length = left / (2 * a->nslot);
	if (a->length > RANGE)
		a->length = RANGE;
	if (a->length < bytes * RANGE_SAMPLES)
		a->length = bytes * RANGE_SAMPLES;
	a->nrange = (left + a->length - 1) / a->length;
	if (left < LEAST || a->nrange < 2)
		return false;
	/* twice as many, as some samples may be shorter */
	a->room = (unsigned)(2 * a->length / bytes) + 1;
	if (a->room > MOST_VALUES / (a->ncol + 1))
		a->room = MOST_VALUES / (a->ncol + 1);
	a->slot = calloc(a->nslot, sizeof(*a->slot));
	for (unsigned i = 0; a->slot != NULL && i < a->nslot; i++) {
		struct stretch *s = &a->slot[i];

		s->parsed = calloc(a->room + 1, sizeof(*s->parsed));
		s->value = reallocarray(NULL, (size_t)a->room * a->ncol + 1,
		    sizeof(*s->value));
		if (s->parsed == NULL || s->value == NULL)
			return false;
	}
	return a->slot != NULL && a->room > 0;
}

static bool
add_thread(struct parse_ahead *a, const struct reader *r)
{
	struct parser *w = &a->worker[a->nthread];

	*w = (struct parser){ .ahead = a, .reader = reader_for(r) };
	if (w->reader == NULL ||
	    thread_start(&w->thread, 0, read_ahead_work, w) < 0) {
		reader_free(w->reader);
		return false;
	}
	a->nthread++;
	return true;
}

/* Start the threads.  If that fails, the reader goes on without them. */
static void
read_ahead_start(struct reader *r)
{
	struct parse_ahead *a = calloc(1, sizeof(*a));
	struct stat sb;
	uint64_t bytes = (position(r) - r->threads.first_at) /
	    r->threads.nreturned + 1;
	uint64_t at = position(r);

	r->threads.starts++;
	r->threads.nreturned = 0;
	if (a == NULL || r->guess.nexpect == 0 || fstat(r->fd, &sb) < 0 ||
	    (uint64_t)sb.st_size < at) {
		free(a);
		return;
	}
	*a = (struct parse_ahead){ .from = at, .ncol = r->columns.n,
	    .nslot = 2 * r->threads.jobs };
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->work, NULL);
	pthread_cond_init(&a->done, NULL);
	r->threads.ahead = a;
	if (!read_ahead_cut(a, (uint64_t)sb.st_size - at, bytes)) {
		ahead_stop(r);
		r->threads.jobs = 1;            /* no threads from now on */
		return;
	}
	while (a->nthread < r->threads.jobs && add_thread(a, r))
		continue;
	if (a->nthread == 0)
		ahead_stop(r);
}

/* The range in which the byte at file offset `at` is, once it is parsed; this may wait
 * for a thread.  NULL: no range has it. */
static struct stretch *
range_of(struct parse_ahead *a, uint64_t at)
{
	uint64_t number = (at - a->from) / a->length;
	struct stretch *s = &a->slot[number % a->nslot];

	if (at < a->from || number >= a->nrange)
		return NULL;
	pthread_mutex_lock(&a->lock);
	/* ranges before this one are not needed any more */
	while (a->shown < number) {
		struct stretch *old = &a->slot[a->shown % a->nslot];

		while (a->next <= a->shown || old->state == TAKEN_BY_THREAD)
			pthread_cond_wait(&a->done, &a->lock);
		old->state = FREE;
		a->shown++;
		pthread_cond_broadcast(&a->work);
	}
	while (a->next <= number || s->state == TAKEN_BY_THREAD)
		pthread_cond_wait(&a->done, &a->lock);
	pthread_mutex_unlock(&a->lock);
	return s;
}

/* Continue reading at another file offset. */
static void
go_to(struct reader *r, uint64_t at)
{
	uint64_t skip = at - position(r);

	if (skip <= (uint64_t)(r->end - r->at)) {
		r->at += skip;
		return;
	}
	r->at = r->end = r->buf + READ_SLACK;
	r->offset = at;
	r->eof = false;
}

static bool
read_ahead_take(struct reader *r, const struct stretch *s,
    const struct parsed *p)
{
	if (p->sample != r->now.next)
		return false;           /* the file has changed meanwhile */
	memcpy(r->now.value[r->now.cur], s->value + (size_t)(p - s->parsed) *
	    r->threads.ahead->ncol, columns_shown(r) * sizeof(uint64_t));
	r->now.n = p->sample;
	r->now.line = r->line;
	r->bad.lost_before = r->bad.lost;
	r->now.nset = p->nset;
	r->now.next = p->next;
	r->line += p->lines;
	r->guess.norder = r->guess.pos = 0;
	r->guess.as_expected = true;    /* no need to learn its order */
	go_to(r, p->end);
	return true;
}

bool
ahead_sample(struct reader *r)
{
	uint64_t at = position(r);
	struct parse_ahead *a;
	struct stretch *s;

	if (r->threads.jobs < 2 || !r->whole)
		return false;
	if (r->threads.ahead == NULL && r->threads.starts < MOST_STARTS &&
	    r->threads.nreturned >= (uint64_t)FIRST_SAMPLES <<
	    r->threads.starts)
		read_ahead_start(r);
	if (r->threads.nreturned++ == 0)
		r->threads.first_at = at;
	if ((a = r->threads.ahead) == NULL || (s = range_of(a, at)) == NULL)
		return false;
	while (s->shown < s->n && s->parsed[s->shown].at < at)
		s->shown++;
	if (s->shown < s->n && s->parsed[s->shown].at == at &&
	    read_ahead_take(r, s, &s->parsed[s->shown])) {
		a->missed = 0;
		return true;
	}
	if (++a->missed > MOST_MISSED) {
		ahead_stop(r);
		r->threads.jobs = 1;
	}
	return false;
}

void
read_jobs(struct reader *r, unsigned threads)
{
	r->threads.jobs = threads < MOST_THREADS ? threads : MOST_THREADS;
}
