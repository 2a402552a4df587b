/*
 * postproc/data/watchdog.c - deltas that are not good and values that are absent, as
 * findings: one for all columns of a family and event with the same fault, for as many
 * intervals as it lasts.
 */
#include "postproc/data/findings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A fault (enum delta_kind) of one kind of columns, which has not ended yet. */
struct open_case {
	uint64_t which;         /* a hash of the columns that it began with */
	unsigned first_n;       /* how many these were */
	unsigned finding;       /* 1 + its finding; 0: none */
	unsigned n;             /* how many columns have the fault in this interval */
	uint64_t now;           /* a hash of these */
	unsigned *had, nhad;    /* all columns that were part of it so far */
	uint64_t last;          /* its latest sample */
};

static uint64_t
mix(uint64_t h)
{
	h = (h + 1) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 29;
}

static int
watchdog_fit(struct watchdog *w, unsigned kinds)
{
	struct open_case *p;
	unsigned n = kinds * DELTA_KINDS;

	if (n <= w->nopen)
		return 0;
	if ((p = reallocarray(w->open, n, sizeof(*p))) == NULL)
		return -ENOMEM;
	memset(p + w->nopen, 0, (n - w->nopen) * sizeof(*p));
	w->open = p;
	w->nopen = n;
	return 0;
}

/* Adds to the text what the tamper watch found of the first column of a case. */
static void
explain_tampering(const struct watchdog *w, const struct interval *iv,
    unsigned column, char *buf, size_t size)
{
	const struct column_id *id = &read_column(w->reader, column)->id;
	uint64_t from = slow_from(iv->slow, column, iv->before_sample);

	for (unsigned i = 0; i < w->tampers->n; i++) {
		const struct tamper *t = &w->tampers->tamper[i];

		if (!tamper_of(t, id) ||
		    !tamper_in(t, from, iv->sample))
			continue;
		snprintf(buf, size, ": %s was changed after sample %" PRIu64
		    ", found at %" PRIu64 "%s", t->where, t->good, t->seen,
		    t->reasserted ? " and put right" : "");
		return;
	}
}

/* The columns of a case. */
struct columns {
	const unsigned *column;
	unsigned n;
};

/* Explains a kind of fault that does not show in the delta's own two values. */
static void
explain_doubt(const struct watchdog *w, const struct interval *iv,
    unsigned column, enum delta_kind kind, char *buf, size_t size)
{
	const struct column *c = read_column(w->reader, column);
	const char *words = "";
	uint64_t since;
	bool beyond;

	switch (kind) {
	case DELTA_TAMPERED:
		explain_tampering(w, iv, column, buf, size);
		return;
	case DELTA_AMBIGUOUS:
		snprintf(buf, size, ": in %.3g s this counter of %u bits can "
		    "wrap", slow_seconds(iv->slow, column, iv->longest),
		    c->bits);
		return;
	case DELTA_FOREIGN:
		since = doubts_since(w->doubts, column, &beyond);
		snprintf(buf, size, ": %s at sample %" PRIu64 ": what it "
		    "counts since is not known", beyond ? "more than there "
		    "was" : "restarted from outside", since);
		return;
	case DELTA_CLOCK:
		words = ": out of order among the stamps of its sample, or not as "
		    "long as the interval";
		break;
	case DELTA_ODD:
		words = ": one value is off those before and behind it";
		break;
	case DELTA_BEYOND:
		words = c->cls == CLASS_CYCLES ? ": more cycles of a kind than "
		    "of all" : ": more instructions of a kind than of all, or "
		    "than the core has cycles for";
		break;
	case DELTA_STOPPED:
		words = c->id.family->of == OF_LPROC ?
		    ": stood still while the core ran" :
		    class_uses_energy(c->cls) ?
		    ": stood still, and what is on uses energy" :
		    ": the whole box stood still";
		break;
	default:
		break;
	}
	snprintf(buf, size, "%s", words);
}

/* Has a sample no value of a column, though it should? */
static bool
missing(const struct interval *iv, const uint64_t *value, unsigned c)
{
	return value[c] == ABSENT && slow_due(iv->slow, c);
}

/* Explains the deltas of a case, in words. */
static void
watchdog_explain(const struct watchdog *w, const struct interval *iv,
    struct columns of, enum delta_kind kind, char *buf, size_t size)
{
	const struct column *c = read_column(w->reader, of.column[0]);
	double seconds = slow_seconds(iv->slow, of.column[0], iv->longest);
	uint64_t most = limit(w->limits, c->cls, seconds);
	uint64_t half = c->bits > 0 ? (uint64_t)c->mul << (c->bits - 1) : 0;
	uint64_t least = UINT64_MAX, largest = 0;
	unsigned forward = 0;
	size_t at = 0;

	for (unsigned i = 0; i < of.n; i++) {
		uint64_t now = iv->value[of.column[i]];
		uint64_t before = iv->before[of.column[i]];

		least = now < least ? now : least;
		forward += now >= before;
		if (now > before && now - before > largest)
			largest = now - before;
	}
	explain_doubt(w, iv, of.column[0], kind, buf, size);
	if (kind == DELTA_IMPOSSIBLE) {
		snprintf(buf, size, largest > most ? ": up by %" PRIu64 " in "
		    "%.3g s, and %" PRIu64 " is the most there can be" :
		    ": wider than its counter", largest, seconds, most);
		if (least >= half && least - half <= most)
			at = strlen(buf);
	}
	if (kind == DELTA_RESET || at > 0) {
		if (least >= half && least - half <= most)
			at += (size_t)snprintf(buf + at, size - at,
			    ": restarted at 2^%d, as Linux perf does",
			    c->bits - 1);
		else
			at += (size_t)snprintf(buf + at, size - at,
			    least <= most ? ": restarted at 0" : ": went back");
		if (kind == DELTA_RESET && forward > 0 && at < size)
			snprintf(buf + at, size - at, " (%u of them without "
			    "going back)", forward);
	}
}

/* Returns the columns of a case: those that have the fault in this interval, and those that
 * had it before.  Their column is NULL where memory ran out. */
static struct columns
members(const struct watchdog *w, struct open_case *o,
    const struct interval *iv, const uint64_t *value)
{
	unsigned at = (unsigned)(o - w->open), n = 0;
	unsigned kind = at / DELTA_KINDS, what = at % DELTA_KINDS;
	unsigned *column = malloc((o->n + o->nhad) * sizeof(*column));
	unsigned had = 0;

	for (unsigned i = 0; column != NULL && i < iv->ncol; i++) {
		bool in = read_column(w->reader, i)->kind == kind &&
		    (what == DELTA_ABSENT ? missing(iv, value, i) :
		    iv->kind[i] == what);

		if (had < o->nhad && o->had[had] == i) {
			had++;
			in = true;
		}
		if (in && n < o->n + o->nhad)
			column[n++] = i;
	}
	free(o->had);
	o->had = column;
	o->nhad = column != NULL ? n : 0;
	return (struct columns){ column, n };
}

/* The text of a case's finding: its columns, and why.  The caller frees it; NULL: out of
 * memory. */
static char *
sentence(const struct watchdog *w, const struct interval *iv, struct columns of,
    enum delta_kind what)
{
	const struct column_id *c = &read_column(w->reader, of.column[0])->id;
	char units[400], why[200] = "", *text;

	if (what != DELTA_ABSENT)
		watchdog_explain(w, iv, of, what, why, sizeof(why));
	if (unit_words(w->reader, of.column, of.n, units,
	    sizeof(units)) == NULL)
		return NULL;
	return asprintf(&text, c->event != NULL ? "%s \"%s\"%s%s" : "%s%s%s%s",
	    c->family->name, c->event != NULL ? c->event : "", units,
	    why) < 0 ? NULL : text;
}

/* Begins a case at `sample`, with its finding. */
static int
watchdog_begin(struct watchdog *w, const struct interval *iv,
    struct open_case *o, uint64_t sample, const uint64_t *value)
{
	enum delta_kind what = (o - w->open) % DELTA_KINDS;
	struct columns of;
	struct finding *f;
	char *text;

	o->nhad = 0;
	of = members(w, o, iv, value);
	if (of.column == NULL || (text = sentence(w, iv, of, what)) == NULL)
		return -ENOMEM;
	f = finding_at(w->findings, delta_word(what), sample, sample, "%s",
	    text);
	free(text);
	o->which = o->now;
	o->first_n = o->n;
	o->finding = f != NULL ? w->findings->n : 0;
	return 0;
}

/* Lets a case go on in this interval; its text is made anew where other columns have the
 * fault by now. */
static int
watchdog_go_on(struct watchdog *w, const struct interval *iv,
    struct open_case *o, uint64_t sample, const uint64_t *value)
{
	struct finding *f = &w->findings->finding[o->finding - 1];
	struct columns of;
	char *text;

	f->last = sample;
	if (o->which == o->now)
		return 0;
	of = members(w, o, iv, value);
	if (of.column == NULL || (text = sentence(w, iv, of,
	    (o - w->open) % DELTA_KINDS)) == NULL)
		return -ENOMEM;
	free(f->text);
	f->text = text;
	o->which = o->now;
	return 0;
}

/* Does a case go on behind sample `before`?  It does if the same columns have the fault.  Of
 * DELTA_STOPPED, which may be of other units in each interval, about as many are enough. */
static bool
watchdog_goes_on(const struct watchdog *w, const struct open_case *o,
    uint64_t before)
{
	bool stopped = (o - w->open) % DELTA_KINDS == DELTA_STOPPED;

	return o->finding > 0 && o->last == before && (o->which == o->now ||
	    (stopped && o->n <= o->first_n * 3 / 2 &&
	    o->n >= o->first_n / 2));
}

/* Where so many families and events are absent from the same sample, as when an lproc
 * goes offline or a sample is cut short, they are one finding. */
#define MANY 6

static int
begin_absences(struct watchdog *w, const struct interval *iv, uint64_t before,
    uint64_t sample, const uint64_t *value)
{
	unsigned *column = malloc((iv->ncol + 1) * sizeof(*column));
	unsigned kinds = 0, n = 0, first = 0;
	char units[400] = "", these[400];
	struct finding *f;
	bool alike = true;

	if (column == NULL)
		return -ENOMEM;
	for (unsigned i = DELTA_ABSENT; i < w->nopen; i += DELTA_KINDS) {
		const struct open_case *o = &w->open[i];
		unsigned k = 0;

		if (o->n == 0 || watchdog_goes_on(w, o, before))
			continue;
		for (unsigned c = 0; c < iv->ncol && k < o->n; c++)
			if (missing(iv, value, c) && read_column(w->reader,
			    c)->kind == i / DELTA_KINDS)
				column[k++] = c;
		if (unit_words(w->reader, column, k, these,
		    sizeof(these)) == NULL) {
			free(column);
			return -ENOMEM;
		}
		if (kinds++ == 0) {
			first = column[0];
			strcpy(units, these);
		}
		alike = alike && strcmp(units, these) == 0;
		n += k;
	}
	free(column);
	if (kinds < MANY)
		return 0;
	f = alike ? finding_at(w->findings, "absent", sample, sample,
	    "%u families and events%s", kinds, units) :
	    finding_at(w->findings, "absent", sample, sample, "%u columns of "
	    "%u families and events, %s first", n, kinds,
	    read_column(w->reader, first)->name);
	for (unsigned i = DELTA_ABSENT; i < w->nopen; i += DELTA_KINDS) {
		struct open_case *o = &w->open[i];

		if (o->n == 0 || watchdog_goes_on(w, o, before))
			continue;
		o->which = o->now;
		o->finding = f != NULL ? w->findings->n : 0;
		o->last = sample;
		o->n = 0;
		o->now = 0;
	}
	return 0;
}

/* To be called when all faults of a sample are counted: lets cases go on, begin, or end. */
static int
watchdog_settle(struct watchdog *w, const struct interval *iv, uint64_t before,
    uint64_t sample, const uint64_t *value)
{
	unsigned new_absences = 0;

	for (unsigned i = DELTA_ABSENT; i < w->nopen; i += DELTA_KINDS)
		new_absences += w->open[i].n > 0 &&
		    !watchdog_goes_on(w, &w->open[i], before);
	if (new_absences >= MANY &&
	    begin_absences(w, iv, before, sample, value) < 0)
		return -ENOMEM;
	for (unsigned i = 0; i < w->nopen; i++) {
		struct open_case *o = &w->open[i];

		if (o->n == 0)
			continue;
		if ((watchdog_goes_on(w, o, before) ?
		    watchdog_go_on(w, iv, o, sample, value) :
		    watchdog_begin(w, iv, o, sample, value)) < 0)
			return -ENOMEM;
		o->last = sample;
		o->n = 0;
		o->now = 0;
	}
	return 0;
}

static void
watchdog_count(struct watchdog *w, unsigned column, enum delta_kind what)
{
	struct open_case *o = &w->open[read_column(w->reader, column)->kind *
	    DELTA_KINDS + what];

	o->n++;
	o->now += mix(column);
}

/* Is it a clock of the whole sample?  Check has findings of its own for these. */
static bool
said_otherwise(const struct watchdog *w, unsigned column, enum delta_kind kind)
{
	return kind == DELTA_CLOCK &&
	    read_column(w->reader, column)->id.nindex == 0;
}

int
watchdog_interval(struct watchdog *w, const struct interval *iv)
{
	unsigned kinds = 0;
	bool first = w->open == NULL;

	if (iv->left_out == 0 && iv->nabsent == 0 && !first)
		return 0;
	for (unsigned c = 0; c < iv->ncol; c++) {
		uint32_t k = read_column(w->reader, c)->kind;

		kinds = k >= kinds ? k + 1 : kinds;
	}
	if (watchdog_fit(w, kinds) < 0)
		return -ENOMEM;
	if (first) {
		for (unsigned c = 0; c < iv->ncol; c++)
			if (missing(iv, iv->before, c))
				watchdog_count(w, c, DELTA_ABSENT);
		if (watchdog_settle(w, iv, iv->before_sample, iv->before_sample,
		    iv->before) < 0)
			return -ENOMEM;
	}
	/* absent values belong to a sample: those of the one before were counted */
	for (unsigned c = 0; c < iv->ncol; c++)
		if (missing(iv, iv->value, c))
			watchdog_count(w, c, DELTA_ABSENT);
		else if (iv->left_out > 0 && iv->kind[c] > DELTA_ABSENT &&
		    !said_otherwise(w, c, iv->kind[c]))
			watchdog_count(w, c, iv->kind[c]);
	return watchdog_settle(w, iv, iv->before_sample, iv->sample, iv->value);
}

void
watchdog_fini(struct watchdog *w)
{
	for (unsigned i = 0; i < w->nopen; i++)
		free(w->open[i].had);
	free(w->open);
	w->open = NULL;
	w->nopen = 0;
}
