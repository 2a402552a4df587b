/*
 * daemon/node/replay.c - a recorded dump as the machine: every register that a
 * column of the plan reads is fed from the dump's column of the same name.
 */
#include "daemon/node/replay.h"

#include "config/lang/events.h"
#include "config/lang/readable.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Appends a sample to every column; a column that is new was absent before. */
static int
add_sample(struct replay *rp, const struct read_row *row)
{
	if (rp->n == rp->room || row->ncol > rp->ncolumn) {
		unsigned room = rp->n == rp->room ? rp->room * 2 + 64 :
		    rp->room;
		uint64_t **all = realloc(rp->value,
		    (row->ncol + 1) * sizeof(*all));

		if (all == NULL)
			return -ENOMEM;
		rp->value = all;
		for (unsigned c = rp->ncolumn; c < row->ncol; c++)
			all[c] = NULL;
		for (unsigned c = 0; c < row->ncol; c++) {
			uint64_t *v = realloc(all[c], room * sizeof(*v));

			if (v == NULL)
				return -ENOMEM;
			for (unsigned i = c < rp->ncolumn ? rp->room : 0;
			    i < room; i++)
				v[i] = ABSENT;
			all[c] = v;
			if (c >= rp->ncolumn)
				rp->ncolumn = c + 1;
		}
		rp->room = room;
	}
	for (unsigned c = 0; c < row->ncol; c++)
		rp->value[c][rp->n] = row->value[c];
	rp->n++;
	return 0;
}

static int
read_samples(struct replay *rp, struct diag *why)
{
	struct read_row row;
	int rc;

	while ((rc = read_next(rp->reader, &row, why)) > 0)
		if ((rc = add_sample(rp, &row)) < 0)
			return diag_set(why, rc, "out of memory");
	if (rc == 0 && rp->n == 0)
		return diag_set(why, -ENODATA, "%s has no samples to replay",
		    read_path(rp->reader));
	return rc;
}

/* The number of a column that has values; -1: none.  A column may be in samples that
 * were left out alone. */
static int
with_values(const struct replay *rp, int column)
{
	return column >= 0 && (unsigned)column < rp->ncolumn ? column : -1;
}

static int
recorded_column(const struct replay *rp, const char *name)
{
	return with_values(rp, read_find(rp->reader, name));
}

/* Takes the clocks of the dump; without them each sample is an interval later. */
static int
make_clock(struct replay *rp)
{
	int tsc = recorded_column(rp, "tsc");
	int sec = recorded_column(rp, "walltime[0]");
	int usec = recorded_column(rp, "walltime[1]");
	double interval = head_number(rp->reader, HEAD_INTERVAL, ALONE, 1);

	if ((rp->clock = calloc(rp->n, sizeof(rp->clock[0]))) == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < rp->n; i++) {
		struct stamp *st = &rp->clock[i];

		st->real_ns = (uint64_t)((i + 1) * interval * 1e9);
		if (sec >= 0 && rp->value[sec][i] != ABSENT)
			st->real_ns = rp->value[sec][i] * 1000000000 +
			    (usec >= 0 && rp->value[usec][i] != ABSENT ?
			    rp->value[usec][i] * 1000 : 0);
		st->mono_ns = (uint64_t)((i + 1) * interval * 1e9);
		st->tsc = tsc >= 0 && rp->value[tsc][i] != ABSENT ?
		    rp->value[tsc][i] : st->mono_ns;
	}
	return 0;
}

int
replay_open(struct replay **out, const char *dump, struct diag *why)
{
	struct replay *rp = calloc(1, sizeof(*rp));
	int rc;

	if ((*out = rp) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	if ((rc = read_open(&rp->reader, dump, why)) < 0 ||
	    (rc = read_samples(rp, why)) < 0)
		return rc;
	if (make_clock(rp) < 0)
		return diag_set(why, -ENOMEM, "out of memory");
	return replay_shape(rp, why);
}

struct sim *
replay_machine(struct replay *rp)
{
	return rp->sim;
}

const char *
replay_digits(const struct replay *rp, enum head_key key)
{
	const struct constant *c = head_constant(rp->reader, key, ALONE);

	return c != NULL && c->kind != CONSTANT_TEXT ? c->text : NULL;
}

static void
put_again(struct head *h, const struct constant *c)
{
	switch (head_row(c->key)->type) {
	case HEAD_TEXT:
		if (c->kind == CONSTANT_TEXT)
			head_put_text(h, c->key, c->at, c->exact);
		break;
	case HEAD_REAL:
		if (c->kind != CONSTANT_TEXT)
			head_put_digits(h, c->key, c->at, c->text);
		break;
	case HEAD_HEX:
		if (c->kind == CONSTANT_INT)
			head_put_hex(h, c->key, c->at, c->u);
		break;
	case HEAD_INT:
		if (c->kind == CONSTANT_INT)
			head_put_int(h, c->key, c->at, (int64_t)c->u);
	}
}

void
replay_system(const struct replay *rp, struct head *h)
{
	for (unsigned i = 0; i < read_constants(rp->reader); i++) {
		const struct constant *c = read_constant(rp->reader, i);

		if (c->none || ((c->key < HEAD_KERNEL ||
		    c->key > HEAD_NTP_MAX_ERROR) &&
		    (c->key < HEAD_DISCOVERY_FUNCTION ||
		    c->key > HEAD_HBM_CACHE)))
			continue;
		if (head_depth(c->key) > 0 &&
		    !head_has(h, c->key, ALONE, 0))
			head_put_table(h, c->key, ALONE, 0);
		put_again(h, c);
	}
}

uint64_t
replay_samples(const struct replay *rp)
{
	return rp->n;
}

/* Writes the statement of a configuration that gives this column; "" for a clock, and
 * for what this model does not know. */
static void
statement_of(const struct replay *rp, const struct column_id *id, char *buf,
    size_t size)
{
	const struct family *f = id->family;
	const struct box_type *b = f->type;
	const struct constant *k;
	char text[MAX_NAME];

	buf[0] = '\0';
	k = head_constant(rp->reader, HEAD_RAW_READ, OF(f->name));
	/* the dump has the values of files, not the files that planning looks for */
	if (f->raw && f->of == OF_NODE)
		return;
	if (f->raw && k != NULL)
		snprintf(buf, size, "read %s\n", k->text);
	else if (f->scalar != NULL)
		snprintf(buf, size, "read %s\n", f->name);
	else if (f->freerun != NULL && freerun_named(f->freerun))
		snprintf(buf, size, "read %s\n", readable_kind(f->freerun, text,
		    sizeof(text)));
	else if (f->of == OF_PORT)
		snprintf(buf, size, "optional read ib\n");
	if (b == NULL || f->freerun != NULL || f->sum != SUM_NONE)
		return;
	if (f->fixed || (f->part == PART_COUNTS && id->event != NULL &&
	    b->fixed.name != NULL && b->fixed.family == NULL &&
	    strcmp(id->event, b->fixed.name) == 0)) {
		snprintf(buf, size, "%s fixed\n", b->name);
	} else if (f->part == PART_COUNTS && id->event != NULL) {
		k = head_constant(rp->reader, HEAD_CONTROL, OF_COLUMN(id));
		snprintf(buf, size, "%s %s 0x%" PRIx64 "\n", b->name,
		    id->event, k != NULL ? k->u : b->enable);
	}
}

/* Is the column's event in this set?  NULL: in none. */
static bool
of_set(const struct replay *rp, const struct column_id *id, const char *set)
{
	const char *own = id->event == NULL ? NULL : head_text(rp->reader,
	    HEAD_EVENT_SET, OF(id->family->name, id->event), NULL);

	return own == NULL || set == NULL ? own == set : strcmp(own, set) == 0;
}

/* Appends the statements of one set to the text; NULL: those of no set. */
static void
put_statements(const struct replay *rp, const char *set, FILE *f, char **text)
{
	size_t from;
	char line[512];

	if (set != NULL)
		fprintf(f, "set %s\n", set);
	fflush(f);
	from = strlen(*text);
	for (unsigned c = 0; c < rp->ncolumn; c++) {
		const struct column_id *id = &read_column(rp->reader, c)->id;

		if (!of_set(rp, id, set))
			continue;
		statement_of(rp, id, line, sizeof(line));
		if (line[0] == '\0' || strstr(*text + from, line) != NULL)
			continue;
		fputs(line, f);
		fflush(f);
	}
}

int
replay_config(struct replay *rp, struct config *config, struct diag *why)
{
	char *text = NULL;
	const char *set;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int rc;

	if (f == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	fflush(f);                      /* text is there */
	put_statements(rp, NULL, f, &text);
	for (unsigned i = 0; (set = head_text(rp->reader, HEAD_SET_NAME, AT(i),
	    NULL)) != NULL; i++)
		put_statements(rp, set, f, &text);
	rc = fclose(f) != 0 || text == NULL ? diag_set(why, -ENOMEM, "out of memory") :
	    config_parse(config, read_path(rp->reader), text, size, why);
	free(text);
	return rc;
}

/* The register's value for which column c is printed as it is in the dump. */
static uint64_t
raw_of(const struct column *c, uint64_t value)
{
	if (value == ABSENT)
		return ABSENT;
	if (c->print == PRINT_TEMP || c->print == PRINT_CORE_TEMP)
		return 1u << 31 | ((uint64_t)c->base - value) << 16;
	return c->mul > 1 ? value / c->mul : value;
}

static int
feed(struct replay *rp, const struct plan *plan, const struct column *c,
    int column)
{
	uint64_t *raw = calloc(rp->n, sizeof(*raw));
	uint64_t **all = realloc(rp->raw, (rp->nraw + 1) * sizeof(*all));
	const struct reg_addr *addr;

	if (all != NULL)
		rp->raw = all;
	if (raw == NULL || all == NULL) {
		free(raw);
		return -ENOMEM;
	}
	rp->raw[rp->nraw++] = raw;
	addr = plan_cell_addr(plan, c->cell);
	for (unsigned i = 0; i < rp->n; i++)
		raw[i] = raw_of(c, rp->value[column][i]);
	return sim_tape(rp->sim, addr, raw, rp->n);
}

/* The whole register of a temperature is another column. */
static bool
whole_elsewhere(const struct replay *rp, const struct column *c)
{
	return (c->print == PRINT_TEMP &&
	    recorded_column(rp, "pkg_therm_status[0]") >= 0) ||
	    (c->print == PRINT_CORE_TEMP &&
	    recorded_column(rp, "core_therm_status[0]") >= 0);
}

int
replay_bind(struct replay *rp, struct plan *plan, struct diag *why)
{
	char name[MAX_NAME];
	unsigned kept = 0;
	int rc = 0, column;

	for (unsigned i = 0; i < plan->ncolumn; i++) {
		struct column *c = &plan->column[i];

		column = with_values(rp, read_find_id(rp->reader, &c->id));
		if (column < 0)
			continue;
		/* after an error, too, so that plan_free frees what the plan lists */
		plan->column[kept++] = *c;
		if (rc < 0 || plan_cell_addr(plan, c->cell) == NULL ||
		    whole_elsewhere(rp, c))
			continue;
		if ((rc = feed(rp, plan, c, column)) < 0) {
			column_text(&c->id, "", name, sizeof(name));
			diag_set(why, rc, "%.400s: cannot be replayed: %s",
			    name, strerror(-rc));
		}
	}
	plan->ncolumn = kept;
	return rc;
}

void
replay_close(struct replay *rp)
{
	if (rp == NULL)
		return;
	for (unsigned c = 0; c < rp->ncolumn; c++)
		free(rp->value[c]);
	for (unsigned i = 0; i < rp->nraw; i++)
		free(rp->raw[i]);
	free(rp->value);
	free(rp->raw);
	free(rp->clock);
	read_close(rp->reader);
	free(rp);
}
