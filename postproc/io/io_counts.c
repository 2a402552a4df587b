/*
 * postproc/io/io_counts.c - the raw counts of the I/O report: each event of each stack.
 */
#include "postproc/io/io_view.h"

#include <math.h>
#include <string.h>

#define ACROSS 6                /* stacks that are printed side by side */

/* Did the stack count any event other than clock ticks? */
static bool
io_counts_counted(const struct io_view *v, int pkg, int stack)
{
	const struct seriesset *set = &v->page.gather.series;
	const char *event;

	for (uint32_t i = 0; i < set->n; i++)
		if (io_unit_event(&set->series[i], &event) != NULL &&
		    set->series[i].cls != CLASS_TICKS && io_unit_count(
		    &v->page, &set->series[i], pkg, stack).value > 0)
			return true;
	return false;
}

static void
put_heads(const struct io_view *v, FILE *f, unsigned pkg,
    const unsigned *stack, unsigned n)
{
	char name[40], text[64];

	fprintf(f, "  %-42s", "");
	for (unsigned i = 0; i < n; i++) {
		snprintf(text, sizeof text, "%u/%s", pkg, io_stack_name(&v->page.gather,
		    pkg, stack[i], name, sizeof name));
		fprintf(f, " %13s", text);
	}
	putc('\n', f);
}

/* Prints the counts of an event; false: all are 0. */
static bool
put_event(const struct io_view *v, FILE *f, const struct series *s, int pkg,
    const unsigned *stack)
{
	double x[ACROSS];
	const char *event, *box = io_unit_event(s, &event);
	bool any = false;
	unsigned n = 0;

	for (; n < ACROSS && stack[n] < IO_STACKS; n++) {
		x[n] = io_unit_count(&v->page, s, pkg, (int)stack[n]).value;
		any |= x[n] != 0;
	}
	if (!any)
		return false;
	fprintf(f, "  %-6s %-35s", box, event);
	for (unsigned i = 0; i < n; i++)
		if (isnan(x[i]))
			fprintf(f, " %13s", "-");
		else
			fprintf(f, " %13.0f", x[i]);
	putc('\n', f);
	return true;
}

/* Prints the counts of up to ACROSS stacks. */
static void
io_counts_put_block(struct io_view *v, FILE *f, unsigned pkg,
    const unsigned *stack, unsigned n)
{
	static const char *const boxes[] = { "iio", "irp", "m2pcie" };
	const struct seriesset *set = &v->page.gather.series;
	unsigned nothing = 0;

	put_heads(v, f, pkg, stack, n);
	for (size_t b = 0; b < 3; b++)
		for (uint32_t i = 0; i < set->n; i++) {
			const char *event, *box = io_unit_event(&set->series[i],
			    &event);

			if (box != NULL && strcmp(box, boxes[b]) == 0)
				nothing += !put_event(v, f, &set->series[i],
				    (int)pkg, stack);
		}
	if (nothing > 0)
		fprintf(f, "  %u event%s more: 0 on all of them\n", nothing,
		    nothing == 1 ? "" : "s");
}

void
io_counts_text(struct io_view *v, FILE *f)
{
	unsigned npkg = v->page.gather.topo.npkg, stacks = io_stacks(&v->page.gather);
	bool any = false;

	for (unsigned k = 0; k < npkg; k++) {
		unsigned stack[ACROSS + 1], n = 0;

		for (unsigned s = 0; s <= stacks; s++) {
			if (s < stacks && io_counts_counted(v, (int)k, (int)s))
				stack[n++] = s;
			if (n == 0 || (s < stacks && n < ACROSS))
				continue;
			stack[n] = IO_STACKS;
			if (!any)
				fprintf(f, "\nEvent counts by stack%s\n",
				    gather_sets(&v->page.gather) > 1 ||
				    gather_turns(&v->page.gather) ?
				    ", scaled to all of the time" : "");
			any = true;
			io_counts_put_block(v, f, k, stack, n);
			n = 0;
		}
	}
}
