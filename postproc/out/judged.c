/*
 * postproc/out/judged.c - a dump's intervals, with what each column counted.
 */
#include "postproc/out/convert.h"

#include "postproc/out/table.h"

void
judged_init(struct judged *j, struct intervals *iv)
{
	*j = (struct judged){ .iv = iv, .reader = intervals_reader(iv) };
}

void
judged_fini(struct judged *j)
{
	turns_fini(&j->turns);
	jobs_then_fini(&j->jobs);
}

int
judged_next(struct judged *j, struct diag *why)
{
	int rc = intervals_next(j->iv, &j->step, why);

	if (rc <= 0)
		return rc;
	rc = turns_load(&j->turns, j->reader, j->step.ncol, j->step.delta);
	node_name(j->node, j->reader);
	return rc < 0 ? diag_set(why, rc, "out of memory") : 1;
}

const char *
judged_word(unsigned kind)
{
	switch (kind) {
	case JUDGED_READING:
		return "reading";
	case JUDGED_NOT_DUE:
		return "not due";
	case JUDGED_SET_IDLE:
		return turns_idle(TURN_SET);
	case JUDGED_GROUP_IDLE:
		return turns_idle(TURN_GROUP);
	default:
		return delta_word((enum delta_kind)kind);
	}
}

struct judged_value
judged_value(const struct judged *j, unsigned c)
{
	const struct interval *step = &j->step;
	struct judged_value v = { .value = step->delta[c],
	    .kind = step->kind[c], .share = 1 };
	enum column_class cls;

	/* the usual case: a sound value, and no multiplexed events */
	if (v.kind < DELTA_NONE && !j->turns.any)
		return v;
	cls = read_column(j->reader, c)->cls;
	if (v.kind == DELTA_NONE && class_is_counter(cls)) {
		v.none = true;
		v.kind = JUDGED_NOT_DUE;
		return v;
	}
	if (v.kind == DELTA_NONE) {
		v.value = step->value[c];
		v.none = v.value == ABSENT;
		v.below = cls == CLASS_TEMP;
		v.kind = v.none ? DELTA_ABSENT : JUDGED_READING;
		return v;
	}
	v.none = !counted(&j->turns, step, c) || delta_doubtful(v.kind);
	if (v.kind < DELTA_NONE && v.none)
		v.kind = j->turns.kind[c] == TURN_SET ? JUDGED_SET_IDLE :
		    JUDGED_GROUP_IDLE;
	v.share = counted_share(&j->turns, step, c);
	return v;
}

static uint8_t
mark_of(const struct judged_value *v)
{
	return v->kind | (v->none ? JUDGED_NONE : !v->below &&
	    v->value > INT64_MAX ? JUDGED_LARGE : 0);
}

void
judged_marks(const struct judged *j, const unsigned *column, unsigned n,
    uint64_t *value, uint8_t *mark, double *share)
{
	const uint64_t *delta = j->step.delta;
	const uint8_t *kind = j->step.kind;

	for (unsigned i = 0; i < n; i++) {
		unsigned c = column[i];

		value[i] = delta[c];
		mark[i] = kind[c];
		if (share != NULL || kind[c] >= DELTA_NONE ||
		    delta[c] > INT64_MAX) {
			struct judged_value v = judged_value(j, c);

			value[i] = v.value;
			mark[i] = mark_of(&v);
			if (share != NULL)
				share[i] = v.share;
		}
	}
}

void
judged_row(const struct judged *j, uint64_t *value, bool *none)
{
	const struct interval *step = &j->step;

	for (unsigned c = 0; c < step->ncol; c++) {
		if (step->kind[c] < DELTA_NONE && !j->turns.any) {
			value[c] = step->delta[c];
			none[c] = false;
		} else {
			struct judged_value v = judged_value(j, c);

			value[c] = v.value;
			none[c] = v.none;
		}
	}
}

bool
judged_time(const struct judged *j, int64_t *us)
{
	return interval_time(j->reader, &j->step, us);
}

const char *
judged_job(struct judged *j)
{
	return jobs_then(&j->jobs, j->reader, &j->step);
}

static void
judged_put_pair(void *file, const char *key, const char *value)
{
	parquet_key(file, key, value);
}

void
judged_head(const struct judged *j, struct parquet *p, const char *rows)
{
	parquet_key(p, "tally.rows", rows);
	head_pairs(j->reader, judged_put_pair, p);
}
