/*
 * config/lang/statements.c - parses the short statements of the configuration language:
 * every, peak, report, constant and option.
 */
#include "config/lang/statements.h"

#include "config/include.h"
#include "config/suggest.h"
#include "config/texts.h"
#include "regs/sideband.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- every --------------------------------------------------------------- */

int
every_value(struct scan *scan, unsigned *every, struct diag *why)
{
	struct word w;
	uint64_t v;
	int rc;

	if (!scan_word(scan, &w))
		return diag_place(why, scan->at, "\"every\" has nothing behind "
		    "it");
	if ((rc = scan_number(w, "samples", MAX_EVERY, &v, scan->at, why)) < 0)
		return rc;
	if (v == 0)
		return diag_place(why, scan->at, "every %.*s: from one sample "
		    "to the next is every 1", WORD_ARG(w));
	*every = (unsigned)v;
	return 0;
}

int
every_end(struct scan *scan, unsigned *every, struct diag *why)
{
	int rc = every_value(scan, every, why);

	return rc < 0 ? rc : scan_end(scan, why);
}

int
every_ahead(const struct scan *scan, unsigned *every, struct diag *why)
{
	struct scan ahead = *scan;
	struct word w;

	*every = 1;
	while (scan_word(&ahead, &w))
		if (word_is(w, "every"))
			return every_end(&ahead, every, why);
	return 0;
}

/* ---- peak ---------------------------------------------------------------- */

#define MAX_WORDS 120

static const struct {
	const char *name, *unit;
	enum peak_of of;
	double one;             /* the unit in bytes/s or FLOP/s */
} units[] = {
	{ "dram", "MB/s", PEAK_DRAM, 1e6 }, { "dram", "GB/s", PEAK_DRAM, 1e9 },
	{ "dram", "TB/s", PEAK_DRAM, 1e12 },
	{ "flops", "GFLOP/s", PEAK_FLOPS, 1e9 },
	{ "flops", "TFLOP/s", PEAK_FLOPS, 1e12 },
};
#define NUNITS (sizeof(units) / sizeof(units[0]))

/* Says what is wrong with a peak, and how one is written.  Returns -EINVAL. */
static int
peaks_bad(const struct scan *scan, struct diag *why, const char *what)
{
	return diag_place(why, scan->at, "%s; for instance: peak dram = 204.8 "
	    "GB/s (measured with STREAM), or peak flops = 2.9 TFLOP/s (HPL)",
	    what);
}

/* Reads a decimal number, above 0 and below 10^12; false: it is none. */
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

/* Takes "(" words ")" up to the end of the line: the source of a peak. */
static bool
peaks_words(struct scan *scan, struct word *words)
{
	struct word rest;

	if (!scan_rest(scan, &rest) || rest.n < 3 || rest.s[0] != '(' ||
	    rest.s[rest.n - 1] != ')')
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
	if (!peaks_words(scan, &words))
		return peaks_bad(scan, why, "in brackets behind it, on what it "
		    "rests, 120 characters at most");
	cfg->peak[units[i].of].value = v * units[i].one;
	cfg->peak[units[i].of].words = arena_strndup(cfg->arena, words.s,
	    words.n);
	return cfg->peak[units[i].of].words != NULL ? 0 : -ENOMEM;
}

/* ---- report -------------------------------------------------------------- */

/* The word in the configuration, the command of tally and its option. */
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
	return diag_place(why, scan->at, "report \"%.*s\": after a program "
	    "tally reports one of: %s", WORD_ARG(w), have);
}

/* ---- constant ------------------------------------------------------------ */

int
constant_parse(struct config *cfg, struct scan *scan, struct diag *why)
{
	const char *const *names = cfg->model->soc->constant;
	struct place at = scan->at;
	struct word name = { "", 0 }, w = { "", 0 };
	uint64_t value;
	char have[128] = "";
	unsigned k = 0;
	int rc;

	scan_word(scan, &name);
	scan_word(scan, &w);
	for (; *names != NULL && !word_is(name, *names); names++)
		choices_add(have, sizeof(have), *names);
	if (*names == NULL)
		return diag_place(why, at, "\"%.*s\" is no constant; there are "
		    "%s", WORD_ARG(name), have);
	if ((rc = scan_number(w, *names, UINT32_MAX, &value, at, why)) < 0 ||
	    (rc = scan_end(scan, why)) < 0)
		return rc;
	while (k < cfg->nconstant &&
	    strcmp(cfg->constant[k].name, *names) != 0)
		k++;
	if (k == MAX_CONSTANTS)
		return diag_place(why, at, "too many constants");
	cfg->constant[k].name = *names;
	cfg->constant[k].value = value;
	if (k == cfg->nconstant)
		cfg->nconstant++;
	return 0;
}

/* ---- option -------------------------------------------------------------- */

/* option = "option" "--" NAME [ value | "=" value ].  "option" was scanned already; value
 * is empty if there is none. */
static int
option_lines_parse(struct scan *scan, struct word *name, struct word *value,
    struct diag *why)
{
	struct word left;
	int rc;

	*value = (struct word){ "", 0 };
	if (!scan_word(scan, name) || name->n < 3 ||
	    strncmp(name->s, "--", 2) != 0)
		return diag_place(why, scan->at, "option is one of tallyd's, "
		    "as on its command line: option --interval 0.5");
	name->s += 2;
	name->n -= 2;
	left = *name;
	if (word_cut(&left, '=', name)) {
		*value = left;
		return scan_end(scan, why);
	}
	if ((rc = scan_quoted(scan, value, why)) < 0)
		return rc;
	return scan_end(scan, why);
}

/* Append an option to the list. */
static int
option_lines_add(struct option_line **list, struct arena *arena,
    const char *file, struct scan *scan, struct diag *why)
{
	struct option_line *line;
	struct word name, value;
	int rc;

	if ((rc = option_lines_parse(scan, &name, &value, why)) < 0)
		return rc;
	if ((line = arena_alloc(arena, sizeof(*line))) == NULL ||
	    (line->name = arena_strndup(arena, name.s, name.n)) == NULL ||
	    (line->value = arena_strndup(arena, value.s, value.n)) == NULL ||
	    (line->file = arena_strndup(arena, file, strlen(file))) == NULL)
		return diag_set(why, -ENOMEM, "%s: out of memory", file);
	line->line = scan->at.line;
	while (*list != NULL)
		list = &(*list)->next;
	*list = line;
	return 0;
}

static int option_lines_in(struct option_line **, const struct included **,
    struct arena *, struct include *, struct diag *why);

/* Take the option lines of a file that another one includes.  Built-in texts have none; a pipe,
 * which can be read only once, is left to config_load. */
static int
option_lines_included(struct option_line **list, const struct included **read,
    struct arena *arena, struct include *by, struct scan *scan,
    struct diag *why)
{
	struct include in = { .by = by, .line = scan->at.line };
	const char *name;
	struct diag words;
	struct stat sb;
	struct word w;
	int rc;

	if ((rc = include_scan(scan, &w, why)) < 0)
		return rc;
	if ((name = arena_strndup(arena, w.s, w.n)) == NULL ||
	    (in.file = include_path(arena, by->file, name)) == NULL)
		return diag_set(why, -ENOMEM, "%s: out of memory", by->file);
	if (in.file[0] == '@' || stat(in.file, &sb) < 0 ||
	    !S_ISREG(sb.st_mode))
		return 0;
	if (include_may(&in, &words) < 0)
		return diag_place(why, scan->at, "%s", words.text);
	return option_lines_in(list, read, arena, &in, why);
}

/* Take the option lines of a file and of those that it includes, of each once. */
static int
option_lines_in(struct option_line **list, const struct included **read,
    struct arena *arena, struct include *in, struct diag *why)
{
	struct scan scan;
	struct word w;
	size_t size;
	char *text;
	int rc;

	if ((rc = include_first(read, arena, in->file, 0)) <= 0)
		return rc == 0 ? 0 : diag_set(why, rc, "%s: out of memory",
		    in->file);
	if ((rc = text_load(in->file, NULL, &text, &size, why)) < 0)
		return rc;
	scan_init(&scan, in->file, text, size);
	while ((rc = scan_line(&scan, why)) > 0) {
		scan_word(&scan, &w);
		if (word_is(w, "option"))
			rc = option_lines_add(list, arena, in->file, &scan, why);
		else if (word_is(w, "include"))
			rc = option_lines_included(list, read, arena, in,
			    &scan, why);
		if (rc < 0)
			break;
	}
	if (rc == -EINVAL)
		include_failed(in, why);
	free(text);
	return rc;
}

int
option_lines_read(struct option_line **list, struct arena *arena,
    const char *file, struct diag *why)
{
	struct include in = { .file = file };
	const struct included *read = NULL;

	return option_lines_in(list, &read, arena, &in, why);
}

int
option_line_held(const struct option_line *list, struct scan *scan,
    struct diag *why)
{
	struct word name, value;
	int rc;

	if ((rc = option_lines_parse(scan, &name, &value, why)) < 0)
		return rc;
	for (; list != NULL; list = list->next)
		if (word_is(name, list->name) && word_is(value, list->value))
			return 0;
	return diag_place(why, scan->at, "--%.*s: an option is taken when "
	    "tallyd starts, from a file that -c names, and this was not there",
	    WORD_ARG(name));
}
