/*
 * postproc/data/turns.c - events that take turns on the counters.
 *
 * The head names tallyd's sets, set_name[k], and the set of each event,
 * event_set["iio_counts"]["X"] = "part0": its times are set_enabled["part0"]
 * and set_running["part0"].  event_group["core_counts"]["X"] = "top" says that
 * those of core_counts[5]["X"] are core_enabled[5]["top"], core_running[5]["top"].
 */
#include "postproc/data/turns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/dump/column.h"
#include "lib/array.h"

static const struct turn_times none = { -1, -1, -1 };

static int32_t
find_of_set(const struct reader *r, const char *family, const char *set)
{
	const struct family f = { .name = family };

	return read_find_id(r, &(struct column_id){ .family = &f, .event = set });
}

static struct turn_times
times_of_set(const struct reader *r, const char *set)
{
	return (struct turn_times){ find_of_set(r, "set_enabled", set),
	    find_of_set(r, "set_running", set), -1 };
}

/* The column of another part (enabled, running, scaled) that belongs to a count. */
static int32_t
find_beside(const struct reader *r, const struct column_id *count,
    enum family_part part, const char *event)
{
	const struct family *of = count->family;
	struct column_id id = *count;
	char name[200];
	struct family f = { .name = family_name(of->name, of->stem, of->sum,
	    part, name, sizeof(name)) };

	id.family = &f;
	id.event = event;
	return read_find_id(r, &id);
}

static struct turn_times
times_of_group(const struct reader *r, const struct column_id *id,
    const char *group)
{
	struct turn_times t;

	if (id->family->part != PART_COUNTS || id->odd != NULL)
		return none;
	t.enabled = find_beside(r, id, PART_ENABLED, group);
	t.running = find_beside(r, id, PART_RUNNING, group);
	/* the scaled count is of use only as a counter, which it is for a sum */
	t.scaled = find_beside(r, id, PART_SCALED, id->event);
	if (t.scaled >= 0 && !class_is_counter(read_column(r,
	    (unsigned)t.scaled)->cls))
		t.scaled = -1;
	return t;
}

/* Returns 1 + the number in t->name of the set (family: "") or group, which is added if it
 * is new; 0: out of memory. */
static uint32_t
whose(struct turns *t, const char *family, const char *name)
{
	/* neighbouring columns mostly are of one group: look at the latest first */
	for (unsigned i = t->nname; i-- > 0;)
		if (strcmp(t->name[i].name, name) == 0 &&
		    strcmp(t->name[i].family, family) == 0)
			return i + 1;
	if (!array_room(&t->name, t->nname, &t->name_room, sizeof *t->name))
		return 0;
	t->name[t->nname] = (struct turn_name){ .family = family,
	    .name = name };
	return ++t->nname;
}

static int
load_column(struct turns *t, const struct reader *r, unsigned column)
{
	const struct column_id *c = &read_column(r, column)->id;
	const char *word;

	t->kind[column] = TURN_NONE;
	t->times[column] = none;
	t->whose[column] = 0;
	if (c->event == NULL)
		return 0;
	if (t->nset > 0 && (word = head_text(r, HEAD_EVENT_SET,
	    OF(c->family->name, c->event), NULL)) != NULL)
		for (unsigned i = 0; i < t->nset; i++)
			if (strcmp(t->set[i].name, word) == 0) {
				t->kind[column] = TURN_SET;
				t->times[column] = t->set[i].times;
				t->whose[column] = whose(t, "", word);
				if (t->whose[column] == 0)
					return -ENOMEM;
				t->name[t->whose[column] - 1].set = i;
				return 0;
			}
	word = head_text(r, HEAD_EVENT_GROUP, OF(c->family->name, c->event), NULL);
	if (word == NULL)
		return 0;
	t->times[column] = times_of_group(r, c, word);
	if (t->times[column].enabled < 0 || t->times[column].running < 0)
		return 0;
	t->kind[column] = TURN_GROUP;
	t->whose[column] = whose(t, c->family->name, word);
	return t->whose[column] > 0 ? 0 : -ENOMEM;
}

static int
load_sets(struct turns *t, const struct reader *r)
{
	unsigned n = 0;

	while (n < UINT16_MAX && head_text(r, HEAD_SET_NAME, AT(n), NULL))
		n++;
	if (n > 0 && t->set == NULL &&
	    (t->set = calloc(n, sizeof t->set[0])) == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		t->set[i].name = head_text(r, HEAD_SET_NAME, AT(i), "");
		t->set[i].times = times_of_set(r, t->set[i].name);
	}
	t->nset = n;
	t->any = n > 0;
	t->between = n > 0 && head_constant(r, HEAD_TURNS, ALONE) != NULL;
	t->looked = true;
	for (unsigned i = 0; !t->any && i < read_constants(r); i++)
		t->any = read_constant(r, i)->key == HEAD_EVENT_GROUP;
	return 0;
}

static int
turns_grow(struct turns *t, unsigned n)
{
	unsigned room = n + n / 4 + 64, had = t->room;

	if (n <= had)
		return 0;
	if (!array_more(&t->kind, had, room, sizeof *t->kind) ||
	    !array_more(&t->whose, had, room, sizeof *t->whose) ||
	    !array_more(&t->times, had, room, sizeof *t->times) ||
	    !array_more(&t->lost, had, room, sizeof *t->lost))
		return -ENOMEM;
	t->room = room;
	return 0;
}

int
turns_load(struct turns *t, const struct reader *r, unsigned n,
    const uint64_t *sum)
{
	unsigned had = t->ncol;
	int rc = 0;

	if (n == had || (t->looked && !t->any))
		return 0;
	if ((rc = load_sets(t, r)) < 0 || !t->any ||
	    (rc = turns_grow(t, n)) < 0)
		return rc;
	t->ncol = n;
	for (unsigned c = 0; c < n; c++) {
		int32_t run;

		if ((rc = load_column(t, r, c)) < 0)
			return rc;
		run = t->times[c].running;
		if (c >= had)
			t->lost[c] = run >= 0 && (unsigned)run < had ?
			    sum[run] : 0;
	}
	return 0;
}

void
turns_fini(struct turns *t)
{
	free(t->set);
	free(t->name);
	free(t->kind);
	free(t->whose);
	free(t->times);
	free(t->lost);
	*t = (struct turns){ .any = false };
}

void
turns_afresh(struct turns *t)
{
	for (unsigned c = 0; c < t->ncol; c++)
		t->lost[c] = 0;
}

/* Returns 1 + the only set that ran in an interval; 0: none did, or several did, as where
 * samples are missing. */
static unsigned
whose_turn(const struct turns *t, const struct interval *iv)
{
	unsigned of = 0;

	for (unsigned i = 0; i < t->nset; i++) {
		int32_t run = t->set[i].times.running;

		if (run < 0 || (unsigned)run >= iv->ncol ||
		    iv->kind[run] > DELTA_WRAPPED || iv->delta[run] == 0)
			continue;
		if (of != 0)
			return 0;
		of = i + 1;
	}
	return of;
}

void
turns_seen(struct turns *t, const struct interval *iv)
{
	unsigned of;

	if (t->nset < 2)
		return;
	of = whose_turn(t, iv);
	t->lasts = of == 0 ? 0 : of == t->of ? t->lasts + 1 : 1;
	t->of = of;
	if (t->lasts > t->longest)
		t->longest = t->lasts;
}

unsigned
turns_round(const struct turns *t)
{
	return t->nset < 2 || t->between ? 1 : t->longest < 2 ? t->nset :
	    t->nset * t->longest;
}

bool
turns_left_out(struct turns *t, unsigned c, const struct interval *iv)
{
	const struct turn_times *x;
	bool good, ran;

	if (c >= t->ncol || t->kind[c] == TURN_NONE)
		return false;
	x = &t->times[c];
	good = iv->kind[c] <= DELTA_WRAPPED;
	if (x->enabled < 0 || x->running < 0 ||
	    (unsigned)x->enabled >= iv->ncol ||
	    (unsigned)x->running >= iv->ncol)
		return false;
	ran = iv->kind[x->running] <= DELTA_WRAPPED;
	if (good && ran && iv->kind[x->enabled] <= DELTA_WRAPPED &&
	    (x->scaled < 0 || (unsigned)x->scaled >= iv->ncol ||
	    iv->kind[x->scaled] <= DELTA_WRAPPED))
		return false;
	if (ran)
		t->lost[c] += iv->delta[x->running];
	return good;
}

static double
share_of_turns(struct turn_times x, const uint64_t *sum, unsigned ncol,
    uint64_t lost)
{
	double ran;

	if (x.enabled < 0 || x.running < 0 || (unsigned)x.enabled >= ncol ||
	    (unsigned)x.running >= ncol || sum[x.enabled] == 0 ||
	    sum[x.running] <= lost)
		return 0;
	ran = (double)(sum[x.running] - lost) / (double)sum[x.enabled];
	return ran < 1 ? ran : 1;
}

double
turns_share(const struct turns *t, unsigned c, const uint64_t *sum,
    unsigned ncol, uint64_t lost)
{
	int32_t scaled;

	if (c >= t->ncol || t->kind[c] == TURN_NONE)
		return 1;
	scaled = t->times[c].scaled;
	if (scaled < 0 || (unsigned)scaled >= ncol ||
	    (sum[c] == 0 && sum[scaled] == 0))
		return share_of_turns(t->times[c], sum, ncol, lost);
	return sum[c] < sum[scaled] ? (double)sum[c] / (double)sum[scaled] :
	    sum[scaled] > 0;
}

void
turns_shares(const struct turns *t, const uint64_t *sum, unsigned ncol,
    double *share, unsigned n)
{
	unsigned known = n < t->ncol ? n : t->ncol;
	double of_set[t->nset + 1];

	for (unsigned k = 0; k < t->nset; k++)
		of_set[k] = share_of_turns(t->set[k].times, sum, ncol, 0);
	for (unsigned c = 0; c < known; c++)
		share[c] = t->kind[c] == TURN_NONE ? 1 :
		    t->kind[c] == TURN_SET ? of_set[turns_set_of(t, c)] :
		    turns_share(t, c, sum, ncol, 0);
	for (unsigned c = known; c < n; c++)
		share[c] = 1;
}

unsigned
turns_known_by(const struct turns *t, unsigned c)
{
	const struct turn_times *x;

	if (!t->any || c >= t->ncol || t->kind[c] == TURN_NONE)
		return c;
	x = &t->times[c];
	return x->scaled >= 0 ? (unsigned)x->scaled : x->enabled >= 0 ?
	    (unsigned)x->enabled : c;
}

const char *
turns_idle(enum turn kind)
{
	return kind == TURN_SET ? "its event set did not run" :
	    "its group did not run";
}

const char *
turns_missed(const struct turns *t, unsigned c, const uint64_t *sum,
    unsigned ncol, uint64_t lost)
{
	const struct turn_times *x;

	if (c >= t->ncol || t->kind[c] == TURN_NONE)
		return NULL;
	x = &t->times[c];
	if (x->enabled < 0 || (unsigned)x->enabled >= ncol ||
	    x->running < 0 || (unsigned)x->running >= ncol ||
	    sum[x->enabled] == 0 || sum[x->running] > lost)
		return NULL;
	return turns_idle(t->kind[c]);
}

double
turns_part(const struct turn_times *x, const struct interval *iv)
{
	if (x->enabled < 0 || (unsigned)x->enabled >= iv->ncol ||
	    x->running < 0 || (unsigned)x->running >= iv->ncol ||
	    iv->kind[x->enabled] > DELTA_WRAPPED ||
	    iv->kind[x->running] > DELTA_WRAPPED || iv->delta[x->enabled] == 0)
		return 0;
	return (double)iv->delta[x->running] / (double)iv->delta[x->enabled];
}

unsigned
turns_set_of(const struct turns *t, unsigned c)
{
	return t->name[t->whose[c] - 1].set;
}

int32_t
turns_in_set(const struct turns *t, const struct reader *r, unsigned c,
    unsigned set)
{
	const struct column *of = read_column(r, c);
	const char *family = t->between ? column_set_family(&of->id, of->cls) : NULL;
	struct family f = { .name = family };
	struct column_id id = of->id;

	id.family = &f;
	id.event = t->set[set].name;
	return family != NULL ? read_find_id(r, &id) : -1;
}

double
turns_set_share(const struct turns *t, unsigned set, const uint64_t *sum,
    unsigned ncol)
{
	return share_of_turns(t->set[set].times, sum, ncol, 0);
}

/* ---- one interval ------------------------------------------------------- */

double
counted_share(const struct turns *t, const struct interval *step, unsigned c)
{
	return turns_share(t, c, step->delta, step->ncol, 0);
}

bool
counted(const struct turns *t, const struct interval *step, unsigned c)
{
	return (step->kind[c] < DELTA_NONE ||
	    delta_doubtful(step->kind[c])) &&
	    turns_missed(t, c, step->delta, step->ncol, 0) == NULL;
}

const char *
counted_word(const struct turns *t, const struct interval *step, unsigned c)
{
	return step->kind[c] >= DELTA_NONE || counted(t, step, c) ?
	    delta_word(step->kind[c]) :
	    turns_missed(t, c, step->delta, step->ncol, 0);
}
