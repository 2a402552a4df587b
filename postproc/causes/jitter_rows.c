/*
 * postproc/causes/jitter_rows.c - what disturbed a node, as rows, and printed.
 */
#include "postproc/causes/jitter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct table_column columns[] = {
	{ "node", NULL, 0, true }, { "cause", NULL, 0, true },
	{ "where", NULL, 0, true }, { "value", NULL, 3, false },
	{ "unit", NULL, 0, true }, { "what", NULL, 0, true },
	{ "note", NULL, 0, true },
};

struct jitter_row *
jitter_add(struct jitter *j, const char *cause, const char *text,
    const char *unit)
{
	struct jitter_row *row;

	if (j->n == j->room) {
		unsigned room = j->room * 2 + 64;

		if ((row = reallocarray(j->row, room, sizeof *row)) == NULL)
			return NULL;
		j->row = row;
		j->room = room;
	}
	row = &j->row[j->n++];
	*row = (struct jitter_row){ .value = NAN };
	snprintf(row->cause, sizeof row->cause, "%s", cause);
	snprintf(row->text, sizeof row->text, "%s", text);
	snprintf(row->unit, sizeof row->unit, "%s", unit);
	return row;
}

void
jitter_fini(struct jitter *j)
{
	free(j->row);
	*j = (struct jitter){ .n = 0 };
}

static void
jitter_rows_put_row(struct out *out, const struct jitter *j,
    const struct jitter_row *row)
{
	cell_text(out, j->host);
	cell_text(out, row->cause);
	cell_text(out, row->where[0] != '\0' ? row->where : "node");
	cell_figure(out, row->value);
	cell_text(out, row->unit);
	cell_text(out, row->text);
	cell_text(out, row->note);
}

static int
jitter_rows_put_rows(struct out *out, void *what)
{
	const struct jitter *j = what;

	for (unsigned i = 0; i < j->n; i++)
		jitter_rows_put_row(out, j, &j->row[i]);
	return 0;
}

/*
 * Prints the node's causes that were not seen (known), or that were not
 * measured, as a list: "smi, late".
 */
static void
put_others(struct out *out, const struct jitter *j, bool known)
{
	const char *sep = known ? "Counted, and 0: " : "Not known: ";
	bool any = false;

	for (unsigned i = 0; i < j->n; i++) {
		const struct jitter_row *row = &j->row[i];

		if (row->where[0] != '\0' || isnan(row->value) == known ||
		    row->value > 0)
			continue;
		out_remark(out, "%s%s", sep, row->cause);
		if (!known && row->note[0] != '\0')
			out_remark(out, " (%s)", row->note);
		sep = ", ";
		any = true;
	}
	if (any)
		out_remark(out, "\n");
}

static int jitter_rows_put_page(struct out *, void *);

static const struct view view = {
	.table = { "jitter", columns, sizeof columns / sizeof *columns, false },
	.rows = jitter_rows_put_rows, .page = jitter_rows_put_page,
};

/* The page for people: the causes that were seen, then the others by name. */
static int
jitter_rows_put_page(struct out *out, void *what)
{
	const struct jitter *j = what;
	unsigned seen = 0;

	table_begin(out, &view.table);
	for (unsigned i = 0; i < j->n; i++)
		if (j->row[i].value > 0) {
			jitter_rows_put_row(out, j, &j->row[i]);
			seen++;
		}
	table_end(out);
	out_remark(out, seen > 0 ? "\n" : "Nothing that is counted disturbed "
	    "the node.\n");
	put_others(out, j, true);
	put_others(out, j, false);
	return 0;
}

const struct view *
jitter_view(void)
{
	return &view;
}
