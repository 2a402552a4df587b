/*
 * daemon/node/replay.c - a recorded dump as the machine: every register that a
 * column of the plan reads is fed from the dump's column of the same name.
 */
#include "daemon/node/replay.h"

#include "config/lang/events.h"
#include "config/lang/readable.h"
#include "config/sim/machine.h"
#include "config/texts.h"
#include "regs/access.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the machine -------------------------------------------------------- */

/*
 * The machine that a dump is replayed on: a simulated one of its model, changed by
 * lines of machine text to its shape.
 */

/* A constant that is a number up to `most`; else 0. */
static unsigned
some(const struct replay *rp, enum head_key key, unsigned most)
{
	double n = head_number(rp->reader, key, ALONE, 0);

	return n >= 1 && n <= most ? (unsigned)n : 0;
}

/* How many packages: as the head says, else as the columns of packages and boxes show. */
static unsigned
count_packages(const struct replay *rp)
{
	unsigned n = some(rp, HEAD_PACKAGES, MAX_LPROCS);
	bool said = n > 0;

	for (unsigned c = 0; !said && c < rp->ncolumn; c++) {
		const struct column_id *id = &read_column(rp->reader, c)->id;
		const struct family *f = id->family;

		if ((f->type != NULL || f->scalar != NULL) &&
		    f->of == OF_PKG && id->nindex > 0 && id->index[0] >= n)
			n = id->index[0] + 1;
	}
	return n > 0 ? n : 1;
}

static void
say_topology(const struct replay *rp, FILE *f, unsigned packages)
{
	unsigned lprocs = some(rp, HEAD_NR_CPUS, MAX_LPROCS);

	fprintf(f, "packages %u\n", packages);
	if (head_constant(rp->reader, HEAD_LPROC_PACKAGE, AT(0)) == NULL) {
		/* dumps of the original have no topology: two threads a core, package by package */
		if (lprocs >= 2 * packages)
			fprintf(f, "cores %u\nthreads 2\nnumbering block\n",
			    lprocs / packages / 2);
		return;
	}
	fprintf(f, "numbering explicit\n");
	for (unsigned l = 0; l < lprocs && l < MAX_LPROCS; l++) {
		static const struct { enum head_key key; const char *word; }
		part[] = {
			{ HEAD_LPROC_PACKAGE, "pkg" },
			{ HEAD_LPROC_CORE, "core" },
			{ HEAD_LPROC_THREAD, "thread" },
			{ HEAD_LPROC_DIE, "die" }, { HEAD_LPROC_NODE, "node" },
		};

		for (unsigned i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
			double v = head_number(rp->reader, part[i].key, AT(l),
			    -1);

			if (i == 0 && v < 0)
				break;          /* offline when recorded */
			if (i == 0)
				fprintf(f, "lproc %u", l);
			fprintf(f, " %s=%.0f", part[i].word, v < 0 ? 0 : v);
			if (i == sizeof(part) / sizeof(part[0]) - 1)
				putc('\n', f);
		}
	}
}

/* Sets the register that a constant of the dump was read from. */
static void
say_constants(const struct replay *rp, FILE *f)
{
	double ratio = head_number(rp->reader, HEAD_TSC_RATIO, ALONE, 0);
	double tj = head_number(rp->reader, HEAD_PROCHOT, ALONE, 0);
	double watts = head_number(rp->reader, HEAD_RAPL_POWER_UNIT, ALONE, 0);
	double joules = head_number(rp->reader, HEAD_RAPL_PKG_ENERGY_UNIT,
	    ALONE, 0);
	double secs = head_number(rp->reader, HEAD_RAPL_TIME_UNIT, ALONE, 0);
	double tdp = head_number(rp->reader, HEAD_PACKAGE_TDP, ALONE, 0);

	if (ratio > 0 && ratio < 256)
		fprintf(f, "msr 0xce pkg = 0x%x\n", (unsigned)ratio << 8);
	if (tj > 0 && tj < 256)
		fprintf(f, "msr 0x1a2 pkg = 0x%x\n", (unsigned)tj << 16);
	if (watts > 0 && watts <= 1 && joules > 0 && joules <= 1 && secs > 0 &&
	    secs <= 1)
		fprintf(f, "msr 0x606 pkg = 0x%x\n",
		    ((unsigned)lround(-log2(watts)) & 0xf) |
		    ((unsigned)lround(-log2(joules)) & 0x1f) << 8 |
		    ((unsigned)lround(-log2(secs)) & 0xf) << 16);
	if (watts > 0 && tdp > 0 && tdp / watts < 32768)
		fprintf(f, "msr 0x614 pkg = 0x%x\n",
		    (unsigned)lround(tdp / watts));
}

/* Adds the MSRs that the user named, whatever the machine has. */
static void
say_raw(const struct replay *rp, FILE *f)
{
	unsigned msr;

	for (unsigned i = 0; i < read_constants(rp->reader); i++) {
		const struct constant *k = read_constant(rp->reader, i);

		if (k->key == HEAD_RAW_READ &&
		    sscanf(k->text, "msr=%x", &msr) == 1)
			fprintf(f, "msr 0x%x lproc = 1\n", msr);
	}
}

/* The instances of a type in package p that the dump has columns of. */
static uint64_t
recorded(const struct replay *rp, const struct box_type *b, unsigned p)
{
	uint64_t mask = 0;

	for (unsigned c = 0; c < rp->ncolumn; c++) {
		const struct column_id *id = &read_column(rp->reader, c)->id;

		if (id->family->type == b && id->family->freerun == NULL &&
		    id->nindex >= 2 && id->index[0] == p &&
		    id->index[1] < b->instances)
			mask |= 1ull << id->index[1];
	}
	return mask;
}

static void
say_capid(const struct capid *cap, FILE *f, uint64_t mask, unsigned p)
{
	for (int i = 0; i < 2 && (i == 0 || cap->offset[i] != 0); i++)
		fprintf(f, "pci bus%u:%02x.%x 0x%x = 0x%x pkg=%u\n", cap->bus,
		    cap->devfn >> 3, cap->devfn & 7, cap->offset[i],
		    (uint32_t)(mask >> 32 * i), p);
}

/* The least value of the field by which all these instances are there. */
static void
say_count(const struct box_count *c, FILE *f, uint64_t mask, unsigned p)
{
	unsigned n = 64 - (unsigned)__builtin_clzll(mask), value = n;

	if (c->many != NULL)
		for (value = 0; c->many[value] < n &&
		    value < (2u << (c->hi - c->lo)) - 1;)
			value++;
	if (c->space == REG_PCI)
		fprintf(f, "pci bus%u:%02x.%x 0x%x = 0x%x pkg=%u\n", c->bus,
		    c->devfn >> 3, c->devfn & 7, c->reg, value << c->lo, p);
	else
		fprintf(f, "msr 0x%x pkg = 0x%x pkg=%u\n", c->reg,
		    value << c->lo, p);
}

/* Sets the registers from which the number of boxes is read. */
static void
say_presence(const struct replay *rp, FILE *f, unsigned packages)
{
	for (const struct box_type *b = rp->model->box; b->name != NULL; b++)
		for (unsigned p = 0; p < packages && p < 2; p++) {
			uint64_t mask = b->presence == PRESENT_CAPID ||
			    b->presence == PRESENT_COUNT ?
			    recorded(rp, b, p) : 0;

			if (mask == 0)
				continue;
			fputs("box ", f);
			for (const char *c = b->name; *c != '\0'; c++)
				putc(tolower((unsigned char)*c), f);
			fprintf(f, " pkg=%u present=0x%" PRIx64 "\n", p, mask);
			if (b->presence == PRESENT_CAPID)
				say_capid(&rp->model->capid, f, mask, p);
			else
				say_count(b->count, f, mask, p);
		}
}

/* replay_shape - rp->model and rp->sim, with the dump's packages, lprocs and
 * boxes, its constants in the registers that they were read from, and its
 * clock.  0 or -errno with words in why. */
static int
replay_shape(struct replay *rp, struct diag *why)
{
	const char *name = head_text(rp->reader, HEAD_MODEL, ALONE, "skx");
	unsigned packages = count_packages(rp);
	const struct text *t;
	char *text = NULL;
	size_t size;
	FILE *f;
	int rc;

	if ((rp->model = model_named(name)) == NULL)
		return diag_set(why, -ENOTSUP, "%s: recorded on a model that "
		    "is not known: \"%s\"", read_path(rp->reader), name);
	if (rp->model->fixed == NULL)
		return diag_set(why, -ENOTSUP, "%s: on this model the kernel "
		    "counts, and there are no registers to replay (tally reads "
		    "the dump as it is)", read_path(rp->reader));
	for (t = texts; t->name != NULL; t++)
		if (strncmp(t->name, name, strlen(name)) == 0 &&
		    t->name[strlen(name)] == '-' &&
		    text_is(t, TEXT_MACHINE))
			break;
	if (t->name == NULL)
		return diag_set(why, -ENOTSUP, "no machine of model %s is "
		    "known, to replay on", name);
	if ((f = open_memstream(&text, &size)) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	fwrite(t->data, 1, (size_t)(t->end - t->data), f);
	fprintf(f, "\nhost %s\n", head_text(rp->reader, HEAD_HOST, ALONE, "replay"));
	say_topology(rp, f, packages);
	say_raw(rp, f);
	say_constants(rp, f);
	say_presence(rp, f, packages);
	rc = fclose(f) != 0 || text == NULL ? diag_set(why, -ENOMEM, "out of memory") :
	    machine_parse(&rp->sim, read_path(rp->reader), text, size, why);
	free(text);
	if (rc == 0)
		sim_tape_clock(rp->sim, rp->clock, rp->n);
	return rc;
}

/* ---- replaying ---------------------------------------------------------- */

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
