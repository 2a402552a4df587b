/*
 * tests/fuzz/fuzz_view.c - any bytes as a view, with and without a model: statements
 * that a page can show, or words with the place in them.  With libFuzzer; seeds in
 * seeds/view.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "postproc/metrics/node_view.h"
#include "regs/model.h"
#include "tests/lib/input_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_items(const struct view_line *x)
{
	for (unsigned i = 0; i < x->nitem; i++) {
		const struct view_item *item = &x->item[i];

		/* a metric's name, or words that names are like */
		if (item->title == NULL || item->unit == NULL ||
		    (item->metric != NULL ? item->metric[0] :
		    item->title[0]) == '\0' ||
		    item->decimals < 0 || item->decimals > 9)
			__builtin_trap();
	}
}

/* A page prints what is here: no field is missing or out of its range, and each
 * statement is found by its kind, once. */
static void
check(const struct node_view *v)
{
	unsigned found = 0;

	for (unsigned i = 0; i < v->n; i++) {
		const struct view_line *x = &v->line[i];

		if (x->kind >= VIEW_KINDS || x->label == NULL ||
		    x->place == NULL || x->note == NULL ||
		    x->decimals < 0 || x->decimals > 9 || x->module > 100)
			__builtin_trap();
		check_items(x);
	}
	for (enum view_kind kind = 0; kind < VIEW_KINDS; kind++)
		for (const struct view_line *x = NULL;
		    (x = view_next(v, kind, x)) != NULL; found++)
			if (x->kind != kind)
				__builtin_trap();
	if (found != v->n)
		__builtin_trap();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct model grace = { .name = "grace" };
	const char *path = input_file(data, size);

	for (int known = 0; known < 2; known++) {
		struct node_view v;
		struct diag why = { "" };
		int rc = node_view_load(&v, path, known ? &grace : NULL, &why);

		if (rc == 0)
			check(&v);
		else if (rc != -ENOMEM && why.text[0] == '\0')
			__builtin_trap();
		node_view_fini(&v);
	}
	return 0;
}
