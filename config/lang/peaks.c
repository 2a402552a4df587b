/*
 * config/lang/peaks.c - peak rates of the node, as measured by its site.
 */
#include "config/lang/peaks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 120

static const struct {
	const char *name, *unit;
	enum peak_of of;
	double one;
} units[] = {
	{ "dram", "MB/s", PEAK_DRAM, 1e6 }, { "dram", "GB/s", PEAK_DRAM, 1e9 },
	{ "dram", "TB/s", PEAK_DRAM, 1e12 },
	{ "flops", "GFLOP/s", PEAK_FLOPS, 1e9 },
	{ "flops", "TFLOP/s", PEAK_FLOPS, 1e12 },
};
#define NUNITS (sizeof(units) / sizeof(units[0]))

static int
peaks_bad(const struct scan *scan, struct diag *why, const char *what)
{
	return diag_at(why, scan->at.file, scan->at.line, "%s; for instance: "
	    "peak dram = 204.8 GB/s (measured with STREAM), or peak flops = "
	    "2.9 TFLOP/s (HPL)", what);
}

/* A decimal number above 0. */
static bool
peaks_number(struct word w, double *v)
{
	char text[24] = "", *end;

	if (w.n == 0 || w.n >= sizeof(text))
		return false;
	memcpy(text, w.s, w.n);
	if (strspn(text, "0123456789.") != w.n)
		return false;
	*v = strtod(text, &end);
	return *end == '\0' && *v > 0 && *v < 1e12;
}

/* "(" words ")", up to the end of the line. */
static bool
in_brackets(struct scan *scan, struct word *words)
{
	struct word rest = word_trim((struct word){ scan->p, (size_t)(scan->stop
	    - scan->p) });

	scan->p = scan->stop;
	if (rest.n < 3 || rest.s[0] != '(' || rest.s[rest.n - 1] != ')')
		return false;
	*words = word_trim((struct word){ rest.s + 1, rest.n - 2 });
	for (size_t i = 0; i < words->n; i++)
		if (words->n > MAX_WORDS || words->s[i] < ' ' ||
		    words->s[i] > '~')
			return false;
	return words->n > 0;
}

int
peaks_parse(struct config *cfg, struct scan *scan, struct diag *why)
{
	struct word name = { "", 0 }, is = { "", 0 }, n = { "", 0 };
	struct word unit = { "", 0 }, words;
	size_t i = 0;
	double v;

	scan_word(scan, &name);
	scan_word(scan, &is);
	scan_word(scan, &n);
	scan_word(scan, &unit);
	while (i < NUNITS && !(word_is(name, units[i].name) &&
	    word_is(unit, units[i].unit)))
		i++;
	if (!word_is(is, "=") || !peaks_number(n, &v))
		return peaks_bad(scan, why,
		    "a peak is a number above 0 and its "
		    "unit");
	if (i == NUNITS)
		return peaks_bad(scan, why,
		    "peaks are of dram, in MB/s, GB/s or "
		    "TB/s, or of flops, in GFLOP/s or TFLOP/s");
	if (!in_brackets(scan, &words))
		return peaks_bad(scan, why, "in brackets behind it, on what it "
		    "rests, 120 characters at most");
	cfg->peak[units[i].of].value = v * units[i].one;
	cfg->peak[units[i].of].words = arena_strndup(cfg->arena, words.s,
	    words.n);
	return cfg->peak[units[i].of].words != NULL ? 0 : -ENOMEM;
}
