/*
 * tests/regs/models/test_registers.c - the registers of each model, one by one: the same
 * as in tests/data/MODEL-registers.tsv, which was written from the reference
 * and not from the code, and none on top of another.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "regs/walk.h"

#define MAX_ROWS 4096

struct row {
	char text[96];                  /* box, inst, role, space, address */
	char box[24], role[48], space[12];
	char where[40];                 /* "bus2:0a.2", "MEM0_BAR"; "" for MSR */
	uint64_t reg;
	unsigned bytes;
};

struct rows {
	unsigned n;
	struct row row[MAX_ROWS];
};

/* ---- rows of a model, rows of a file ---- */

static void
row_init(struct row *r, const char *box, unsigned inst, const char *role,
    const char *space, const char *address)
{
	const char *reg = strstr(address, "0x");

	snprintf(r->text, sizeof(r->text), "%s\t%u\t%s\t%s\t%s", box, inst,
	    role, space, address);
	snprintf(r->box, sizeof(r->box), "%s", box);
	snprintf(r->role, sizeof(r->role), "%s", role);
	snprintf(r->space, sizeof(r->space), "%s", space);
	assert_non_null(reg);
	snprintf(r->where, sizeof(r->where), "%.*s", (int)(reg - address),
	    address);
	r->reg = strtoull(reg, NULL, 16);
}

/* How much of its function or BAR a register takes; an MSR is one number. */
static unsigned
row_bytes(const struct model *m, const struct row *r)
{
	const struct box_type *type = model_box(m, r->box);

	if (strcmp(r->space, "msr") == 0)
		return 1;
	if (strcmp(r->space, "sideband") == 0)
		return 4;
	if (strcmp(r->role, "boxctl") == 0 || strcmp(r->role, "fixedctl") == 0)
		return 4;
	for (unsigned f = 0; type != NULL && f < MAX_FILTERS; f++)
		if (type->filter[f].name != NULL &&
		    strcmp(type->filter[f].name, r->role) == 0)
			return 4;
	if (strncmp(r->role, "ctl", 3) == 0)
		return type != NULL && type->ctl_step >= 8 ? 8 : 4;
	return 8;
}

static void
take(void *ctx, const char *box, unsigned inst, const char *role,
    const char *space, const char *address)
{
	struct rows *rows = ctx;

	assert_true(rows->n < MAX_ROWS);
	row_init(&rows->row[rows->n++], box, inst, role, space, address);
}

static struct rows *
rows_of_model(const struct model *m)
{
	struct rows *rows = calloc(1, sizeof(*rows));

	assert_non_null(rows);
	model_walk(m, take, rows);
	for (unsigned i = 0; i < rows->n; i++)
		rows->row[i].bytes = row_bytes(m, &rows->row[i]);
	return rows;
}

static struct rows *
rows_of_file(const char *path)
{
	struct rows *rows = calloc(1, sizeof(*rows));
	FILE *fp = fopen(path, "r");
	char line[256], box[24], role[48], space[12], address[40];
	unsigned inst;

	assert_non_null(rows);
	if (fp == NULL)
		fail_msg("%s: cannot be read; run from the top directory", path);
	while (fgets(line, sizeof(line), fp) != NULL) {
		if (line[0] == '#')
			continue;
		if (sscanf(line, "%23[^\t]\t%u\t%47[^\t]\t%11[^\t]\t%39[^\n]",
		    box, &inst, role, space, address) != 5)
			fail_msg("%s: not a row: %s", path, line);
		take(rows, box, inst, role, space, address);
	}
	fclose(fp);
	return rows;
}

static int
row_cmp(const void *a, const void *b)
{
	return strcmp(((const struct row *)a)->text,
	    ((const struct row *)b)->text);
}

/* Rows of no box are held against the table of 4.1, below. */
static bool
boxless(const struct row *r)
{
	return strcmp(r->box, "MSR") == 0;
}

static unsigned
print_difference(const char *name, struct rows *model, struct rows *file)
{
	unsigned i = 0, j = 0, wrong = 0;

	qsort(model->row, model->n, sizeof(*model->row), row_cmp);
	qsort(file->row, file->n, sizeof(*file->row), row_cmp);
	while (i < model->n || j < file->n) {
		int cmp = i == model->n ? 1 : j == file->n ? -1 :
		    row_cmp(&model->row[i], &file->row[j]);

		if (cmp < 0 && !boxless(&model->row[i])) {
			print_error("%s: model alone has %s\n", name,
			    model->row[i].text);
			wrong++;
		} else if (cmp > 0) {
			print_error("%s: reference alone has %s\n", name,
			    file->row[j].text);
			wrong++;
		}
		i += cmp <= 0;
		j += cmp >= 0;
	}
	return wrong;
}

/* Returns how many rows there are, all of them alike. */
static unsigned
compare_with_reference(const struct model *m, const char *path)
{
	struct rows *model = rows_of_model(m), *file = rows_of_file(path);
	unsigned n = file->n, wrong = print_difference(m->name, model, file);

	free(model);
	free(file);
	assert_int_equal(wrong, 0);
	return n;
}

/* Of every model that has such a file; these have one. */
static void
a_models_registers_are_those_of_the_reference(void **state)
{
	static const struct { const char *model; unsigned least; } has[] = {
		{ "hsx", 440 }, { "bdx", 500 }, { "skx", 700 }, { "icx", 700 },
		{ "spr", 2100 }, { "gnr", 2400 }, { "zen1", 15 }, { "zen2", 15 },
		{ "zen3", 15 }, { "zen4", 176 }, { "zen5", 176 },
	};
	unsigned found = 0;
	char path[64];

	(void)state;
	for (const struct model *const *m = models; *m != NULL; m++) {
		unsigned known = found, least = 0, n;

		snprintf(path, sizeof(path), "tests/data/%s-registers.tsv",
		    (*m)->name);
		if (access(path, F_OK) != 0)
			continue;
		for (unsigned i = 0; i < sizeof(has) / sizeof(has[0]); i++)
			if (strcmp(has[i].model, (*m)->name) == 0) {
				least = has[i].least;
				found++;
			}
		if (found == known)
			fail_msg("%s has no row in has[]", path);
		if ((n = compare_with_reference(*m, path)) <= least)
			fail_msg("%s has %u registers", path, n);
	}
	assert_int_equal(found, sizeof(has) / sizeof(has[0]));
}

static void
check_overlap(const struct model *m, const struct rows *rows)
{
	for (unsigned i = 0; i < rows->n; i++)
		for (unsigned j = 0; j < i; j++) {
			const struct row *a = &rows->row[i], *b = &rows->row[j];

			if (strcmp(a->where, b->where) != 0 ||
			    strcmp(a->space, b->space) != 0)
				continue;
			/* two columns may show one read-only register */
			if (boxless(a) && boxless(b))
				continue;
			if (a->reg < b->reg + b->bytes &&
			    b->reg < a->reg + a->bytes)
				fail_msg("%s: %s and %s", m->name, a->text,
				    b->text);
		}
}

static void
no_two_registers_overlap(void **state)
{
	(void)state;
	for (const struct model *const *m = models; *m != NULL; m++) {
		struct rows *rows = rows_of_model(*m);

		check_overlap(*m, rows);
		free(rows);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_models_registers_are_those_of_the_reference),
		cmocka_unit_test(no_two_registers_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
