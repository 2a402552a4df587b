/*
 * tests/lib/clean_dump.c - doctored copies beside the clean dump.
 */
#include "tests/lib/clean_dump.h"

#include <stdlib.h>
#include <string.h>

#include "tests/lib/doctorings.h"
#include "tests/lib/files.h"
#include "tests/lib/tally_command.h"

/* A clean dump: what it says of itself. */
struct clean {
	const struct clean_look *look;
	struct doctored dump;
	char *findings, *deltas;
	struct figures page[PAGES];
};

static char *
findings(const char *path, const char *range)
{
	char words[400];

	snprintf(words, sizeof words, "check -f csv -s %s %s", range, path);
	return said(-1, cmd_check, words, NULL);
}

static char *
deltas(const char *path, const char *range)
{
	char words[400];

	snprintf(words, sizeof words, "deltas -f csv -s %s %s", range, path);
	return said(EXIT_OK, cmd_deltas, words, NULL);
}

static void
clean_open(struct clean *c, const char *path, const struct clean_look *look)
{
	struct figures metrics;

	*c = (struct clean){ .look = look };
	doctored_load(&c->dump, path);
	if (look->findings)
		c->findings = findings(path, look->range);
	if (look->deltas != NULL)
		c->deltas = deltas(path, look->deltas);
	figures_read(&metrics, PAGE_METRICS, path, look->range);
	figures_spread(&metrics, path, look->range);
	for (int p = 0; p < PAGES; p++)
		if (look->pages >> p & 1)
			figures_read(&c->page[p], p, path, look->range);
	figures_spread_as(&c->page[PAGE_METRICS], &metrics);
	figures_spread_as(&c->page[PAGE_REPORT], &metrics);
	figures_spread_as(&c->page[PAGE_DIFF], &metrics);
	figures_free(&metrics);
}

static void
clean_close(struct clean *c)
{
	for (int p = 0; p < PAGES; p++)
		figures_free(&c->page[p]);
	free(c->findings);
	free(c->deltas);
	doctored_free(&c->dump);
}

static unsigned
without_a_finding(const struct clean *c, const struct doctored_copy *copy)
{
	char *text;
	bool same;

	if (!c->look->findings || !copy->told)
		return 0;
	text = findings(copy->path, c->look->range);
	same = strcmp(text, c->findings) == 0;
	free(text);
	if (same)
		print_message("line %d, %s: no finding\n", copy->line,
		    c->look->range);
	return same;
}

static unsigned
other_deltas(const struct clean *c, const struct doctored_copy *copy)
{
	char what[64], *text;
	unsigned n;

	if (c->look->deltas == NULL || copy->lost > 0)
		return 0;
	snprintf(what, sizeof what, "line %d", copy->line);
	text = deltas(copy->path, c->look->deltas);
	n = deltas_differ(c->deltas, text, what);
	free(text);
	return n;
}

/* Is a doctored dump seen through? */
static bool
seen_through(void *of, const struct doctored_copy *copy)
{
	const struct clean *c = of;
	unsigned n = without_a_finding(c, copy) + other_deltas(c, copy);
	char what[64];

	for (int p = 0; p < PAGES; p++) {
		struct figures fs;

		if ((c->look->pages >> p & 1) == 0)
			continue;
		snprintf(what, sizeof what, "line %d, %s, page %d", copy->line,
		    c->look->range, p);
		figures_read(&fs, p, copy->path, c->look->range);
		n += figures_differ(&c->page[p], &fs, p, copy->lost, what);
		figures_free(&fs);
	}
	return n == 0;
}

unsigned
clean_dump_missed(const char *path, bool x86, const struct clean_look *look)
{
	struct clean c;
	unsigned n, missed;

	clean_open(&c, path, look);
	missed = doctorings_each(&c.dump, x86, seen_through, &c, &n);
	assert_true(n >= (look->least > 0 ? look->least : x86 ? 60 : 20));
	clean_close(&c);
	return missed;
}

unsigned
clean_node_missed(const char *machine, const struct clean_look *look)
{
	char path[512];

	return clean_dump_missed(simulated_dump(machine, "", path), true, look);
}

unsigned
clean_grace_missed(const struct clean_look *look)
{
	char more[400], path[512];

	snprintf(more, sizeof more, "-c %s", test_put("grace.conf",
	    "core[0-3] CPU_CYCLES\ncore[0-3] INST_RETIRED\nscf cycles\n"
	    "scf cmem_rd_data\nscf cmem_wr_total_bytes\n"));
	return clean_dump_missed(simulated_dump("like @grace-2s\n", more, path), false,
	    look);
}
