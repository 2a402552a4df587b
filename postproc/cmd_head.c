/*
 * postproc/cmd_head.c - tally head: what a dump says of itself.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "config/dump/read.h"
#include "config/suggest.h"
#include "postproc/commands.h"
#include "postproc/data/intervals.h"
#include "postproc/pages/head_fold.h"
#include "lib/printable.h"

#define SHOWN 12                /* lines of a key, at most, without --all */

static const char usage[] =
"usage: tally head [-a] [-k PATTERN] [-f FORMAT] [-o FILE] FILE...\n"
"What a dump says of itself: the run, the system that it is from, the hardware,\n"
"what is counted.  Units with the same value share a line.\n"
"  -k, --key PATTERN    only keys of that name (* and ?), several with commas,\n"
"                       or given again\n"
"  -a, --all            every value by itself; CSV and JSON have them anyway\n"
"  -f, --format FORMAT  one of" OUT_FORMAT_NAMES "; default: text\n"
OUTPUT_HELP;

static const struct table_column columns[] = {
	{ "file", NULL, 0, true }, { "key", NULL, 0, true },
	{ "value", NULL, 0, true }, { "unit", NULL, 0, true },
};

/* The parts of a head, in the order of enum head_key; each goes up to the next. */
static const struct { enum head_key first; const char *title; } parts[] = {
	{ HEAD_TALLYD_FORMAT, "The run" },
	{ HEAD_KERNEL, "The system" },
	{ HEAD_DRAM_MAX_BANDWIDTH, "The hardware" },
	{ HEAD_NR_CPUS, "Topology" },
	{ HEAD_UNIT_PRESENT, "Boxes and I/O" },
	{ HEAD_FAMILY_BITS, "What is counted" },
	{ HEAD_SOC_MUX_SOURCE, "SoC counters" },
	{ HEAD_SAMPLES, "What came of it" },
	{ HEAD_WATCH, "Control registers that somebody else changed" },
	{ HEAD_KEYS, "Others" },
};

struct head_asked {
	struct patterns keys;
	bool all;
	struct reader *reader;
};

/* Is a constant to be printed: has it a value, and does its name without indices match
 * a pattern of --key, if there are any? */
static bool
cmd_head_is_asked(const struct head_asked *a, const struct constant *c)
{
	char name[HEAD_NAME_SIZE];

	if (c->none)
		return false;
	if (a->keys.n == 0)
		return true;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(c->name, "["),
	    c->name);
	return patterns_match(&a->keys, name);
}

static const char *
unit_of(const struct constant *c)
{
	return c->key < HEAD_KEYS ? head_row(c->key)->unit : "";
}

static int
cmd_head_put_rows(struct out *out, void *what)
{
	const struct head_asked *a = what;

	for (unsigned i = 0; i < read_constants(a->reader); i++) {
		const struct constant *c = read_constant(a->reader, i);

		if (!cmd_head_is_asked(a, c))
			continue;
		cell_text(out, read_shown(a->reader));
		cell_text(out, c->name);
		cell_text(out, c->text);
		cell_text(out, unit_of(c));
	}
	return 0;
}

static void
cmd_head_put_line(FILE *f, const char *name, const struct constant *c)
{
	fprintf(f, "  %-36s %s%s%s\n", name, c->text,
	    unit_of(c)[0] != '\0' ? " " : "", unit_of(c));
}

/* Prints the constants of a key in the order of the file; without --all, those with the
 * same value as one line. */
static void
cmd_head_put_key(const struct head_asked *a, FILE *f, enum head_key key,
    struct fold *fold)
{
	char name[HEAD_NAME_SIZE];
	uint64_t more;

	fold->n = 0;
	fold->more = 0;
	for (unsigned i = 0; i < read_constants(a->reader); i++) {
		const struct constant *c = read_constant(a->reader, i);

		if (c->key != key || !cmd_head_is_asked(a, c))
			continue;
		if (a->all)
			cmd_head_put_line(f, c->name, c);
		else
			fold_add(fold, c);
	}
	more = fold->more;
	for (unsigned i = 0; i < fold->n; i++)
		if (i < SHOWN)
			cmd_head_put_line(f, fold_name(&fold->line[i], name,
			    sizeof(name)), fold->line[i].first);
		else
			more += fold->line[i].n;
	if (more > 0)
		fprintf(f, "  %-36s %" PRIu64 " more value%s (--all has them)\n",
		    "", more, plural(more));
}

/* Finds the keys that have any constant to print. */
static void
find_keys(const struct head_asked *a, bool any[HEAD_KEYS + 1])
{
	for (unsigned i = 0; i < read_constants(a->reader); i++) {
		const struct constant *c = read_constant(a->reader, i);

		if (cmd_head_is_asked(a, c))
			any[c->key] = true;
	}
}

static int
cmd_head_put_page(struct out *out, void *what)
{
	const struct head_asked *a = what;
	struct fold *fold = malloc(sizeof(*fold));
	bool any[HEAD_KEYS + 1] = { false };
	unsigned part = 0, titled = 0;
	FILE *f = out_file(out);

	if (fold == NULL)
		return complain("out of memory");
	find_keys(a, any);
	fprintf(f, "%s\n", read_shown(a->reader));
	for (enum head_key key = 0; key <= HEAD_KEYS; key++) {
		while (part + 1 < sizeof(parts) / sizeof(parts[0]) &&
		    parts[part + 1].first <= key)
			part++;
		if (!any[key])
			continue;
		if (titled != part + 1)
			fprintf(f, "%s\n", parts[part].title);
		titled = part + 1;
		cmd_head_put_key(a, f, key, fold);
	}
	free(fold);
	return 0;
}

static const struct view view = {
	.table = { "head", columns, sizeof(columns) / sizeof(columns[0]),
	    false },
	.rows = cmd_head_put_rows, .page = cmd_head_put_page, .apart = true,
};

/* Complains of the patterns of --key that no constant matches; returns how many. */
static unsigned
complain_of_keys(const struct head_asked *a)
{
	char meant[NEAR_MEANT];
	struct near near;
	unsigned n = 0;

	for (unsigned i = 0; i < a->keys.n; i++) {
		const char *key = a->keys.pattern[i];
		const struct head_asked one = { .keys = { { key }, 1 },
			.reader = a->reader };
		bool any[HEAD_KEYS + 1] = { false };

		find_keys(&one, any);
		if (memchr(any, true, sizeof(any)) != NULL)
			continue;
		near_init(&near, key);
		for (unsigned k = 0; k < HEAD_KEYS; k++)
			near_try(&near, head_row(k)->name);
		complain("%s: its head has no key %s%s", read_shown(a->reader),
		    key, near_meant(&near, meant, sizeof(meant)));
		n++;
	}
	return n;
}

/* Says what is wrong with the file so far: with all of it, if its end is missing. */
static void
cmd_head_complain(struct reader *r)
{
	struct read_row row;
	struct diag why;

	while (read_is_cut(r) && read_next(r, &row, &why) > 0)
		;
	problems_complain(r);
}

static int
cmd_head_one_input(struct out *out, const char *path, void *what)
{
	struct head_asked *a = what;
	bool any[HEAD_KEYS + 1] = { false };
	struct diag why = { "" };
	bool usable = false;

	if (read_open(&a->reader, path, &why) < 0)
		return complain_why(&why);
	find_keys(a, any);
	if (memchr(any, true, sizeof(any)) != NULL)
		usable = view_put(out, &view, a) == 0;
	else if (a->keys.n == 0)
		complain("%s: its head has nothing in it",
		    read_shown(a->reader));
	if (complain_of_keys(a) > 0)
		usable = false;
	cmd_head_complain(a->reader);
	read_close(a->reader);
	return usable ? EXIT_OK : EXIT_UNUSABLE;
}

int
cmd_head(int argc, char **argv)
{
	static const struct command_option own[] = {
		{ "key", option_patterns, offsetof(struct head_asked, keys), true },
		{ "all", option_flag, offsetof(struct head_asked, all), false },
		{ 0 }
	};
	static const struct command_line line = {
		.name = "head", .usage = usage, .own = own,
		.one = cmd_head_one_input,
	};
	struct common common = { .status = EXIT_OK };
	struct head_asked a = { .all = false };

	return common_run(&line, &view, argc, argv, &common, &a);
}
