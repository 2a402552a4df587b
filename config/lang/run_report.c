/*
 * config/lang/run_report.c - the reports that a recipe can name.
 */
#include "config/lang/run_report.h"

#include "config/suggest.h"

static const struct run_report reports[] = {
	{ "node", "report", NULL },
	{ "io", "report", "--io" },
	{ "why", "why", NULL },
	{ "jitter", "jitter", NULL },
};
#define NREPORTS (sizeof(reports) / sizeof(reports[0]))

int
run_report_parse(struct config *cfg, struct scan *scan, struct diag *why)
{
	struct word w = { "", 0 };
	char have[64] = "";

	scan_word(scan, &w);
	for (size_t i = 0; i < NREPORTS; i++) {
		if (word_is(w, reports[i].name)) {
			cfg->report = &reports[i];
			return scan_end(scan, why);
		}
		choices_add(have, sizeof(have), reports[i].name);
	}
	return diag_at(why, scan->at.file, scan->at.line, "report \"%.*s\": "
	    "after a program tally reports one of: %s", WORD_ARG(w), have);
}
