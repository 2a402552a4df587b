/*
 * daemon/read/files.c - reads files of the node by threads.
 */
#include "daemon/read/files.h"

#include "lib/process.h"
#include "regs/host.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* One worker reads; another takes over if a read of the first hangs. */
#define WORKERS 4
#define STACK_SIZE (256u << 10)
/* A file whose reading takes longer than QUICK_NS is slow until QUICK_AGAIN readings in a
 * row were quick. */
#define QUICK_NS 1000000
#define QUICK_AGAIN 16
#define FIRST_WAIT_NS 20000
#define TEXT_SIZE 64            /* of a file: more than any number has */

/* The slot of a file's value.  A thread makes it busy, writes, and makes it ready; the
 * sampler takes a value that is ready. */
struct file_slot {
	struct held_file held;
	atomic_bool busy, ready;
	atomic_uint slow;               /* quick readings until it counts as quick */
	uint64_t value, tsc;
	enum file_says says;            /* what the last reading found */
	/* since files_forget, 1 << enum file_says: of readings that were taken; of those
	 * that files_problem returned */
	uint16_t found, reported;
};

struct file_worker {
	struct file_readers *f;
	pthread_t id;
	atomic_uint word;               /* changed to wake it */
	atomic_uint_fast64_t asked, quick, done;        /* requests so far; those whose quick files
							 * are read; those that are done */
	atomic_uint_fast64_t n;         /* the sample of the last request */
};

struct file_readers {
	struct access *acc;
	const struct plan_file *file;   /* [n] */
	struct file_slot *slot;
	char *paths;
	unsigned n;
	uint64_t patience_ns;
	bool threads;                   /* false: files are read when they are taken */
	uint64_t sample;                /* the last one asked for */
	unsigned started;
	atomic_uint current;
	atomic_bool quit;
	struct file_worker worker[WORKERS];
};

/* ---- a file -------------------------------------------------------------- */

static enum file_says
files_read_number(struct file_readers *f, unsigned i, uint64_t *value)
{
	const struct plan_file *p = &f->file[i];
	char text[TEXT_SIZE];
	enum file_says says;
	ssize_t n = held_read(&f->slot[i].held, f->acc, p->at, text, p->binary ?
	    8 : sizeof(text));

	if (n < 0)
		return FILE_GONE;
	says = p->binary ? file_bytes((const uint8_t *)text, (size_t)n, value) :
	    file_number(text, (size_t)n, p->digits, value);
	return says == FILE_NUMBER && p->gauge && file_all_ones(*value,
	    p->digits) ? FILE_ALL_ONES : says;
}

static bool
is_due(const struct file_readers *f, unsigned i, uint64_t n)
{
	return n % f->file[i].every == 0;
}

/* Reads a file into its slot, unless a value there has not been taken yet. */
static void
files_read_one(struct file_readers *f, unsigned i)
{
	struct file_slot *s = &f->slot[i];
	uint64_t from, value = ABSENT, tsc;
	enum file_says says;

	if (atomic_exchange(&s->busy, true))
		return;
	from = access_mono(f->acc);
	says = files_read_number(f, i, &value);
	tsc = access_tsc(f->acc);
	if (access_mono(f->acc) - from > QUICK_NS)
		atomic_store(&s->slow, QUICK_AGAIN);
	else if (atomic_load(&s->slow) > 0)
		atomic_fetch_sub(&s->slow, 1);
	if (!atomic_load(&s->ready)) {
		s->value = says == FILE_NUMBER ? value : ABSENT;
		s->says = says;
		s->tsc = tsc;
		atomic_store(&s->ready, true);
	}
	atomic_store(&s->busy, false);
}

/* Reads the quick files, or the slow ones; false: another worker has taken over. */
static bool
files_read_all(struct file_worker *w, uint64_t n, bool slow)
{
	struct file_readers *f = w->f;

	for (unsigned i = 0; i < f->n; i++) {
		if (&f->worker[atomic_load(&f->current)] != w ||
		    atomic_load(&f->quit))
			return false;
		if (is_due(f, i, n) && (atomic_load(&f->slot[i].slow) > 0) ==
		    slow)
			files_read_one(f, i);
	}
	return true;
}

static void *
files_work(void *ctx)
{
	struct file_worker *w = ctx;
	struct file_readers *f = w->f;
	struct sched_param ordinary = { .sched_priority = 0 };
	unsigned thread = (unsigned)(w - f->worker);

	sched_setscheduler(0, SCHED_OTHER, &ordinary);
	while (!atomic_load(&f->quit)) {
		unsigned seen = atomic_load(&w->word);
		uint64_t asked = atomic_load(&w->asked);

		if (asked == atomic_load(&w->done)) {
			threads_here.wait(f->acc, thread, FOR_EVER, &w->word,
			    seen);
			continue;
		}
		if (files_read_all(w, atomic_load(&w->n), false)) {
			atomic_store(&w->quick, asked);
			files_read_all(w, atomic_load(&w->n), true);
		}
		atomic_store(&w->quick, asked);
		atomic_store(&w->done, asked);
	}
	return NULL;
}

/* ---- the sampler's side -------------------------------------------------- */

/* The current worker, or an idle one if the current one hangs; NULL: all hang. */
static struct file_worker *
idle_worker(struct file_readers *f)
{
	unsigned at = atomic_load(&f->current);

	for (unsigned i = 0; i < f->started; i++) {
		struct file_worker *w = &f->worker[(at + i) % f->started];

		if (atomic_load(&w->asked) != atomic_load(&w->done))
			continue;
		atomic_store(&f->current, (at + i) % f->started);
		return w;
	}
	return NULL;
}

void
files_ask(struct file_readers *f, uint64_t n)
{
	struct file_worker *w;

	if (f == NULL)
		return;
	f->sample = n;
	if (!f->threads || (w = idle_worker(f)) == NULL)
		return;
	atomic_store(&w->n, n);
	atomic_fetch_add(&w->asked, 1);
	atomic_fetch_add(&w->word, 1);
	threads_here.wake(f->acc, &w->word);
}

/* Waits for the quick files. */
static void
files_wait_for(struct file_readers *f)
{
	struct file_worker *w = &f->worker[atomic_load(&f->current)];
	uint64_t now = access_mono(f->acc), until = now + f->patience_ns;
	uint64_t step = FIRST_WAIT_NS;

	for (; atomic_load(&w->quick) != atomic_load(&w->asked) &&
	    (now = access_mono(f->acc)) < until; step *= 2)
		access_sleep(f->acc, now + step < until ? now + step : until,
		    NULL);
}

void
files_take(struct file_readers *f, uint64_t *row)
{
	if (f == NULL)
		return;
	if (f->threads)
		files_wait_for(f);
	for (unsigned i = 0; i < f->n; i++) {
		row[f->file[i].cell] = ABSENT;
		row[f->file[i].stamp] = ABSENT;
	}
	for (unsigned i = 0; i < f->n; i++) {
		const struct plan_file *p = &f->file[i];
		struct file_slot *s = &f->slot[i];

		if (!f->threads && is_due(f, i, f->sample))
			files_read_one(f, i);
		if (!atomic_load(&s->ready))
			continue;
		s->found |= (uint16_t)(1u << s->says);
		row[p->cell] = s->value;
		if (s->value != ABSENT && (row[p->stamp] == ABSENT ||
		    s->tsc > row[p->stamp]))
			row[p->stamp] = s->tsc;
		atomic_store(&s->ready, false);
	}
}

const struct column_id *
files_problem(struct file_readers *f, unsigned *at, enum file_says *says)
{
	const unsigned good = 1u << FILE_NUMBER;

	for (; f != NULL && *at < f->n; ++*at) {
		struct file_slot *s = &f->slot[*at];
		unsigned news = s->found & ~(unsigned)s->reported & ~good;

		if (news == 0)
			continue;
		*says = (enum file_says)__builtin_ctz(news);
		s->reported |= (uint16_t)(1u << *says);
		return &f->file[*at].id;
	}
	return NULL;
}

void
files_forget(struct file_readers *f)
{
	for (unsigned i = 0; f != NULL && i < f->n; i++)
		f->slot[i].found = f->slot[i].reported = 0;
}

/* ---- start and end ------------------------------------------------------- */

/* Takes the descriptors, and copies the paths: a thread that never comes back may outlive
 * the plan. */
static int
take_over(struct file_readers *f, struct plan *plan)
{
	struct plan_file *file = calloc(plan->apart.nfile, sizeof(*file));
	size_t size = 0, at = 0;

	f->file = file;
	for (unsigned i = 0; i < plan->apart.nfile; i++)
		size += strlen(plan->apart.file[i].held.path) + 1;
	f->slot = calloc(plan->apart.nfile, sizeof(f->slot[0]));
	f->paths = malloc(size);
	if (file == NULL || f->slot == NULL || f->paths == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < plan->apart.nfile; i++) {
		size_t n = strlen(plan->apart.file[i].held.path) + 1;

		memcpy(f->paths + at, plan->apart.file[i].held.path, n);
		file[i] = plan->apart.file[i];
		f->slot[i].held = plan->apart.file[i].held;
		f->slot[i].held.path = f->paths + at;
		plan->apart.file[i].held.fd = -1;
		at += n;
	}
	f->n = plan->apart.nfile;
	return 0;
}

static int
start_workers(struct file_readers *f)
{
	int rc = 0;

	for (; rc == 0 && f->started < WORKERS; f->started += rc == 0) {
		struct file_worker *w = &f->worker[f->started];

		w->f = f;
		rc = thread_start(&w->id, STACK_SIZE, files_work, w);
	}
	return rc;
}

int
files_start(struct file_readers **files, struct plan *plan, struct access *acc,
    uint64_t patience_ns, struct diag *why)
{
	struct file_readers *f;
	int rc;

	*files = NULL;
	if (plan->apart.nfile == 0)
		return 0;
	if ((f = calloc(1, sizeof(*f))) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	f->acc = acc;
	f->patience_ns = patience_ns;
	f->threads = !acc->ops->simulated;
	if ((rc = take_over(f, plan)) == 0 &&
	    (!f->threads || (rc = start_workers(f)) == 0)) {
		*files = f;
		return 0;
	}
	files_stop(f);
	return diag_set(why, rc, "threads that read files: %s", start_problem(rc));
}

/* Ends the threads; false: one is in the kernel, and may never come back. */
static bool
files_join(struct file_readers *f)
{
	bool all = true;

	atomic_store(&f->quit, true);
	for (unsigned i = 0; i < f->started; i++) {
		atomic_fetch_add(&f->worker[i].word, 1);
		threads_here.wake(f->acc, &f->worker[i].word);
	}
	for (unsigned i = 0; i < f->started; i++) {
		struct timespec soon;

		clock_gettime(CLOCK_REALTIME, &soon);
		soon.tv_sec += atomic_load(&f->worker[i].asked) ==
		    atomic_load(&f->worker[i].done) ? 10 : 1;
		if (pthread_timedjoin_np(f->worker[i].id, NULL, &soon) != 0) {
			pthread_detach(f->worker[i].id);
			all = false;
		}
	}
	return all;
}

void
files_stop(struct file_readers *f)
{
	if (f == NULL || !files_join(f))
		return;                 /* keep what that thread may still touch */
	for (unsigned i = 0; i < f->n; i++)
		held_close(&f->slot[i].held);
	free((void *)(uintptr_t)f->file);
	free(f->slot);
	free(f->paths);
	free(f);
}
