/*
 * postproc/html/units_json.c - what a dump's head calls its units.
 */
#include "postproc/html/units_json.h"

#include <inttypes.h>

#include "postproc/charts/markup.h"

static void
put_stacks(const struct reader *r, FILE *f)
{
	const char *between = "";

	for (unsigned i = 0; i < read_constants(r); i++) {
		const struct constant *c = read_constant(r, i);

		if (c->key != HEAD_IO_STACK_NAME || c->none)
			continue;
		fprintf(f, "%s[%" PRIu64 ",%" PRIu64 ",", between, c->at.n[0],
		    c->at.n[1]);
		markup_json(f, c->text);
		putc(']', f);
		between = ",";
	}
}

static void
put_devices(const struct reader *r, FILE *f)
{
	const char *between = "";

	for (unsigned i = 0; i < read_constants(r); i++) {
		const struct constant *c = read_constant(r, i);
		double pkg, stack, part;

		if (c->key != HEAD_IO_DEVICE_PART || c->none)
			continue;
		part = head_number(r, HEAD_IO_DEVICE_PART, c->at, -1);
		pkg = head_number(r, HEAD_IO_DEVICE_PACKAGE, c->at, -1);
		stack = head_number(r, HEAD_IO_DEVICE_STACK, c->at, -1);
		if (!(part >= 0) || !(pkg >= 0) || !(stack >= 0))
			continue;
		fprintf(f, "%s[%.0f,%.0f,%.0f,", between, pkg, stack, part);
		markup_json(f, head_text(r, HEAD_IO_DEVICE_NAME, c->at, ""));
		putc(',', f);
		markup_json(f, head_text(r, HEAD_IO_DEVICE_ADDRESS, c->at, ""));
		putc(']', f);
		between = ",";
	}
}

void
units_json(const struct reader *r, FILE *f)
{
	fputs("\"stacks\":[", f);
	put_stacks(r, f);
	fputs("],\n\"devices\":[", f);
	put_devices(r, f);
	putc(']', f);
}
