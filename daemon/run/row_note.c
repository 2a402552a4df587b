/*
 * daemon/run/row_note.c - what is noted in the head while a run goes on: columns
 * that are absent from a row, control registers that somebody else has changed, an
 * interval that became longer; and, at the end, what the run took of the node.
 */
#include "daemon/run/sampler.h"

#include "config/dump/head.h"
#include "daemon/log.h"
#include "daemon/node/program.h"
#include "daemon/node/soc.h"
#include "daemon/read/pinned.h"
#include "daemon/read/saturate.h"
#include "lib/printable.h"
#include "regs/host.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* At most so many lines in the log; the dump has all of them. */
#define MOST_WARNED 16

/* Is this another store than before, whose head has no notes yet? */
static bool
begins(struct row_notes *notes, const struct store *store)
{
	if (store == notes->store)
		return false;
	notes->store = store;
	notes->n = 0;
	return true;
}

static void
row_note_put(struct row_notes *notes, struct store *store, enum head_key key,
    const char *line, const char *means)
{
	char text[1024];
	struct head h = head_buffer(text, sizeof(text));

	if (notes->n == 0)
		head_put_table(&h, key, ALONE, 0);
	head_put_text(&h, key, AT(notes->n++), line);
	store_note(store, text);
	if (notes->warned++ < MOST_WARNED)
		log_warnx("%s: %s", line, means);
}

void
row_note_files(struct row_notes *notes, struct file_readers *f,
    struct store *store, uint64_t n)
{
	const struct column_id *id;
	char name[MAX_NAME], line[400];
	enum file_says says;
	unsigned at = 0;

	/* problems that last are noted in the head of each store */
	if (f != NULL && begins(notes, store))
		files_forget(f);
	while ((id = files_problem(f, &at, &says)) != NULL) {
		column_text(id, "", name, sizeof(name));
		snprintf(line, sizeof(line), "%.200s: sample %" PRIu64
		    ": the file %s", name, n, file_says_word(says));
		row_note_put(notes, store, HEAD_READ_FAILED, line,
		    "absent as long as it does");
	}
}

/* The columns that a control counts in. */
static void
counter_name(const struct plan_write *w, char *buf, size_t size)
{
	struct family family = { .name = w->type->family };
	struct column_id id = plan_write_id(w);
	char event[129];

	id.family = &family;
	if (w->name != NULL) {
		snprintf(event, sizeof(event), "%s", w->name);
		id.event = event;
	}
	column_text(&id, "", buf, size);
}

void
row_note_stopped(struct row_notes *notes, struct plan *plan,
    struct store *store, uint64_t n)
{
	const struct plan_write *w;
	char name[256], line[400];

	begins(notes, store);
	while ((w = saturate_stopped(plan)) != NULL) {
		counter_name(w, name, sizeof(name));
		snprintf(line, sizeof(line), "%s: sample %" PRIu64, name, n);
		row_note_put(notes, store, HEAD_COUNTER_STOPPED, line,
		    "the counter had stopped at its end: absent there");
	}
}

/* How many turns a set has in a sample, of all lprocs and packages. */
static unsigned
turns_of_a_set(const struct plan *plan)
{
	unsigned n = 0;

	for (unsigned i = 0; i < plan->nblock; i++)
		n += plan->block[i].in_set != 0;
	return n * (plan->sets.turns / (plan->sets.n - 1));
}

static void
note_turns(struct row_notes *notes, struct store *store, const char *set,
    uint64_t n, const char *lost)
{
	char line[400];

	if (notes->n >= ROW_NOTED_TURNS)
		return;
	snprintf(line, sizeof(line), "%.200s: sample %" PRIu64 ": %s", set, n,
	    lost);
	row_note_put(notes, store, HEAD_TURN_LOST, line, "in no count");
}

void
row_note_turns(struct row_notes *notes, struct plan *plan, struct store *store,
    uint64_t n)
{
	char text[100];

	begins(notes, store);
	for (unsigned set = 1; set < plan->sets.n; set++) {
		struct lost_turns *lost = &plan->sets.lost[set];
		unsigned taken = atomic_exchange(&lost->taken, 0);
		unsigned late = atomic_exchange(&lost->late, 0);

		snprintf(text, sizeof(text), "%u turn%s, as a counter was "
		    "somebody else's", taken, plural(taken));
		if (taken > 0)
			note_turns(notes, store, plan->sets.name[set], n, text);
		/* a busy node has a few; the set's running time leaves them out */
		snprintf(text, sizeof(text), "%u turn%s of %u, read late", late,
		    plural(late), turns_of_a_set(plan));
		if (n > 0 && late > turns_of_a_set(plan) / 2)
			note_turns(notes, store, plan->sets.name[set], n, text);
	}
}

/* ---- a control register that somebody else has changed */

/* Notes a changed control register: since when, its value, and the columns that it makes
 * doubtful, whose names begin with `column`. */
static void
tamper_note_put_note(struct sampler *s, const struct plan_write *w,
    const struct changed *c, const struct column_id *id, uint64_t row)
{
	char text[2048], where[128], column[256];
	struct head h = head_buffer(text, sizeof(text));
	unsigned k = s->ntamper++;

	column_text(id, "", column, sizeof(column));
	for (enum head_key key = HEAD_TAMPER_FIRST; k == 0 &&
	    key <= HEAD_TAMPER_FOUND; key++)
		head_put_table(&h, key, ALONE, 0);
	head_put_count(&h, HEAD_TAMPER_FIRST, AT(k), s->last_check);
	head_put_count(&h, HEAD_TAMPER_SEEN, AT(k), row);
	head_put_text(&h, HEAD_TAMPER_COLUMN, AT(k), column);
	head_put_text(&h, HEAD_TAMPER_REGISTER, AT(k),
	    plan_write_text(w, where, sizeof(where)));
	head_put_hex(&h, HEAD_TAMPER_OURS, AT(k), c->ours);
	head_put_hex(&h, HEAD_TAMPER_FOUND, AT(k), c->found);
	store_note(s->store, text);
}

/* The columns that hang on a control register. */
static void
tamper_note_tampered(struct sampler *s, const struct changed *c, uint64_t row)
{
	const struct plan_write *w = &s->plan->write[c->write];
	const struct core_fixed *fixed = s->plan->families.model->fixed;
	bool core = w->pkg < 0, of_event = strncmp(w->role, "ctl", 3) == 0;
	bool of_fixed = strcmp(w->role, "fixedctl") == 0;
	struct family family = { .name = w->type->family };
	struct column_id id = plan_write_id(w);
	char event[129];

	id.family = &family;
	if (w->name != NULL && of_event) {
		snprintf(event, sizeof(event), "%s", w->name);
		id.event = event;
	}
	if (!core && of_fixed && w->type->fixed.family != NULL) {
		family.name = w->type->fixed.family;
		id.nindex = 1;
	}
	if (!core || !of_fixed)
		tamper_note_put_note(s, w, c, &id, row);
	if (core && !of_event && fixed != NULL) {
		family.name = fixed->family;
		tamper_note_put_note(s, w, c, &id, row);
	}
}

void
tamper_note(struct sampler *s, uint64_t row)
{
	for (unsigned i = 0; i < s->sweep->nchanged; i++)
		tamper_note_tampered(s, &s->sweep->changed[i], row);
	s->last_check = row;
}

void
tamper_again(struct sampler *s)
{
	const struct plan *plan = s->plan;

	s->ntamper = 0;
	s->last_check = 0;
	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];
		struct changed c = { i, plan->fate[i].seen, w->new };

		if (!w->rotates && ((c.found ^ w->new) & w->verify) != 0)
			tamper_note_tampered(s, &c, 0);
	}
}

/* ---- sampling less often where it costs too much */

void
overhead_limit(struct sampler *s, uint64_t n)
{
	uint64_t from[CELL_READS], to[CELL_READS], k;
	double percent, wall;
	char text[256];
	struct head h;

	if (store_read(s->store, n - OVERHEAD_SAMPLES, 0, CELL_READS, from) <
	    0 || store_read(s->store, n, 0, CELL_READS, to) < 0)
		return;
	wall = (double)(to[CELL_MONO] - from[CELL_MONO]);
	if (wall <= 0)
		return;
	percent = (double)(to[CELL_CPU] - from[CELL_CPU]) / wall * 100;
	if (percent <= s->max_overhead)
		return;
	k = (uint64_t)(percent / s->max_overhead) + 1;
	/* not so far apart that a counter could wrap twice */
	if (soc_interval(s->plan, (double)(s->interval_ns * s->multiple * k) /
	    1e9, NULL) < 0)
		return;
	h = head_buffer(text, sizeof(text));
	if (s->multiple == 1)
		head_put_table(&h, HEAD_INTERVAL_MULTIPLE, ALONE, 0);
	s->multiple *= k;
	/* pinned threads have been told the time of the next sample already */
	head_put_count(&h, HEAD_INTERVAL_MULTIPLE, AT(store_rows(s->store) +
	    (s->sweep->pinned != NULL)), s->multiple);
	store_note(s->store, text);
	log_warnx("a sample costs %.3g %% of a CPU, more than --max-overhead "
	    "%g: sampling every %g s from now on", percent, s->max_overhead,
	    (double)(s->interval_ns * s->multiple) / 1e9);
}

/* ---- what the run took of the node */

static void
put_threads(struct head *h, const struct pinned *p)
{
	uint64_t slept, preempted;
	unsigned lproc;

	head_put_table(h, HEAD_LPROC_SWITCHES, ALONE, 0);
	head_put_table(h, HEAD_LPROC_SWITCHES_FORCED, ALONE, 0);
	for (unsigned i = 0; i < pinned_threads(p); i++) {
		pinned_switches(p, i, &lproc, &slept, &preempted);
		head_put_count(h, HEAD_LPROC_SWITCHES, AT(lproc), slept);
		head_put_count(h, HEAD_LPROC_SWITCHES_FORCED, AT(lproc),
		    preempted);
	}
}

void
disturbance_note(struct store *store, const struct sweep *s,
    uint64_t writer_ns)
{
	struct head h = { .text = NULL };
	struct rusage used;
	char *text;

	head_put_real(&h, HEAD_CPU_SECONDS, ALONE,
	    (double)clock_ns(CLOCK_PROCESS_CPUTIME_ID) / 1e9);
	if (writer_ns > 0)
		head_put_real(&h, HEAD_CPU_SECONDS_WRITER, ALONE,
		    (double)writer_ns / 1e9);
	if (getrusage(RUSAGE_SELF, &used) == 0) {
		head_put_count(&h, HEAD_SWITCHES, ALONE,
		    (uint64_t)used.ru_nvcsw);
		head_put_count(&h, HEAD_SWITCHES_FORCED, ALONE,
		    (uint64_t)used.ru_nivcsw);
	}
	if (s->pinned != NULL)
		put_threads(&h, s->pinned);
	if ((text = head_take(&h)) == NULL)
		log_warnx("what the run took of the node is not in the dump: "
		    "out of memory");
	else
		store_note(store, text);
	free(text);
}
