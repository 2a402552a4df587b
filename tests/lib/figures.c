/*
 * tests/lib/figures.c - figures read and compared.
 */
#include "tests/lib/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"
#include "tests/lib/files.h"
#include "tests/lib/tally_command.h"

/* How each page's rows are laid out: which cells make the key (-1: no more), and
 * which says how many deltas were left out (0: none does). */
static const struct layout {
	int (*cmd)(int, char **);
	const char *words;
	int key[4], value, left_out, note;
} layouts[PAGES] = {
	[PAGE_METRICS] = { cmd_metrics, "metrics -f csv -S box,package,node",
	    { 1, 2, 3, -1 }, 4, 6, 7 },
	[PAGE_REPORT] = { cmd_report, "report -f csv", { 1, 2, 3, 4 }, 5, 7, 8 },
	[PAGE_TOTALS] = { cmd_totals, "totals -f csv",
	    { 3, -1, -1, -1 }, 4, 7, 8 },
	[PAGE_SERIES] = { cmd_metrics, "metrics -e -f csv",
	    { 4, 5, 6, 1 }, 7, 9, 10 },
	[PAGE_IO] = { cmd_report, "report --io -f csv", { 1, 2, 3, 4 }, 5, 0, 7 },
	[PAGE_DIFF] = { cmd_diff, "diff --all -f csv", { 0, 1, 2, -1 }, 3, 0, 9 },
	[PAGE_HISTOGRAM] = { cmd_histogram, "histogram -f csv",
	    { 1, 2, 3, 4 }, 7, 0, 12 },
	[PAGE_PLOT] = { .cmd = cmd_plot, .words = "plot --width 60 --ascii" },
	[PAGE_PLATFORM] = { .cmd = cmd_platform, .words = "platform" },
	[PAGE_OVERVIEW] = { .cmd = cmd_page, .words = "page --buckets 2" },
};
static const struct layout each_interval = { cmd_metrics,
	"metrics -e -f csv -S box,package,node", { 4, 5, 6, -1 }, 7, 9, 10 };

/* Of a histogram: a metric, where its last bin ends. */
static const char *const histogrammed[] = {
	"-m frequency -S package --max 3.7 -n 37",
	"-m dram_read -S package --max 43 -n 31",
	"-m scf_freq --max 5.3 -n 31",
};
static const char plotted[] = "-m frequency,dram_*,ipc,utilisation,scf_freq,"
	"package_power,mean_frequency -S package,node";

/* The cells of a line, in its own text; returns how many. */
static int
cells(char *line, char *cell[16])
{
	int n = 0;
	char *out, *p = line;

	while (n < 16) {
		bool quoted = *p == '"';

		p += quoted;
		for (cell[n++] = out = p; *p != '\0' && (quoted || *p != ',');
		    p++) {
			if (quoted && *p == '"' && *++p != '"')
				quoted = false;
			if (!quoted && *p == ',')
				break;
			if (*p == '\0')
				break;
			*out++ = *p;
		}
		if (*p != ',') {
			*out = '\0';
			return n;
		}
		p++;
		*out = '\0';
	}
	return n;
}

static int
by_key(const void *a, const void *b)
{
	const struct known_figure *x = a, *y = b;

	return strcmp(x->key, y->key);
}

static bool
take(const struct layout *l, char *line, struct known_figure *f)
{
	char *cell[16], key[600] = "";
	int n = cells(line, cell);

	if (n <= l->note)
		return false;
	for (int i = 0; i < 4 && l->key[i] >= 0; i++)
		snprintf(key + strlen(key), sizeof key - strlen(key), "%s%s",
		    i > 0 ? "|" : "", cell[l->key[i]]);
	*f = (struct known_figure){ .key = strdup(key),
	    .note = cell[l->note],
	    .value = cell[l->value][0] == '\0' ? NAN :
	    strtod(cell[l->value], NULL),
	    .left_out = l->left_out > 0 && atoi(cell[l->left_out]) > 0 };
	f->least = f->most = f->value;
	return true;
}

static char *
page(const struct layout *l, const char *path, const char *range,
    const char *more)
{
	char words[700];

	if (l->cmd == cmd_diff)
		snprintf(words, sizeof words, "%s -a %s -b %s %s", l->words,
		    range, range, path);
	else
		snprintf(words, sizeof words, "%s %s -s %s %s", l->words, more,
		    range, path);
	/* a dump may have no metric of these pages */
	return said(l->cmd == cmd_histogram || l == &layouts[PAGE_IO] ? -1 :
	    EXIT_OK, l->cmd, words, NULL);
}

/* A value may be a little more or less: of each bin and its neighbours, what all
 * of them have. */
static void
spread_over_bins(struct figures *fs)
{
	for (unsigned i = 0; i < fs->n; i++)
		fs->figure[i].most = fs->figure[i].value +
		    (i > 0 ? fs->figure[i - 1].value : 0) +
		    (i + 1 < fs->n ? fs->figure[i + 1].value : 0);
}

/* Those of all histograms. */
static char *
histograms(const struct layout *l, const char *path, const char *range)
{
	char *all = strdup("-");

	for (size_t i = 0; i < sizeof histogrammed / sizeof *histogrammed;
	    i++) {
		char *one = page(l, path, range, histogrammed[i]), *had = all;

		assert_true(asprintf(&all, "%s\n%s", had, one) >= 0);
		free(had);
		free(one);
	}
	return all;
}

void
figures_spread(struct figures *fs, const char *path, const char *range)
{
	char *text = page(&each_interval, path, range, ""), *at = text, *line;

	for (strsep(&at, "\n"); (line = strsep(&at, "\n")) != NULL; ) {
		struct known_figure f, *known;

		if (!take(&each_interval, line, &f))
			continue;
		known = bsearch(&f, fs->figure, fs->n, sizeof f, by_key);
		if (known != NULL && !isnan(f.value)) {
			known->least = fmin(known->least, f.value);
			known->most = fmax(known->most, f.value);
		}
		free(f.key);
	}
	free(text);
}

void
figures_spread_as(struct figures *fs, const struct figures *metrics)
{
	for (unsigned i = 0; i < fs->n; i++) {
		struct known_figure *f = &fs->figure[i];
		const struct known_figure *m = figures_find(metrics, f->key);
		const char *behind = strchr(f->key, '|');

		if (m == NULL && behind != NULL)
			m = figures_find(metrics, behind + 1);
		if (m != NULL) {
			f->least = m->least;
			f->most = m->most;
		}
	}
}

void
figures_read(struct figures *fs, enum figures_page which, const char *path,
    const char *range)
{
	const struct layout *l = &layouts[which];
	char *at = which == PAGE_HISTOGRAM ? histograms(l, path, range) :
	    page(l, path, range, which == PAGE_PLOT ? plotted : ""), *line;
	unsigned room = 1;

	*fs = (struct figures){ .text = at };
	for (const char *s = at; *s != '\0'; s++)
		room += *s == '\n' || *s == ' ' || *s == '<';
	fs->figure = calloc(room, sizeof *fs->figure);
	assert_non_null(fs->figure);
	if (l->note == 0)
		fs->n = figures_text(which, at, fs->figure, room);
	else
		for (strsep(&at, "\n"); (line = strsep(&at, "\n")) != NULL; )
			fs->n += take(l, line, &fs->figure[fs->n]);
	if (which == PAGE_HISTOGRAM)
		spread_over_bins(fs);
	qsort(fs->figure, fs->n, sizeof *fs->figure, by_key);
}

void
figures_free(struct figures *fs)
{
	for (unsigned i = 0; i < fs->n; i++)
		free(fs->figure[i].key);
	free(fs->figure);
	free(fs->text);
	*fs = (struct figures){ .n = 0 };
}

const struct known_figure *
figures_find(const struct figures *fs, const char *key)
{
	struct known_figure f = { .key = (char *)key };

	return fs->n == 0 ? NULL :
	    bsearch(&f, fs->figure, fs->n, sizeof f, by_key);
}

/* "of 4 of 96 lprocs": that part; 1: of all. */
static double
part_of(const char *note)
{
	unsigned have, of;

	for (const char *s = note; (s = strstr(s, "of ")) != NULL; s++)
		if (sscanf(s, "of %u of %u", &have, &of) == 2 && of > 0)
			return (double)have / of;
	return 1;
}

static bool
same(double a, double b, double part, double digit)
{
	/* printed with four decimals, if not fewer */
	return fabs(a - b) <= fmax(0.0002, 1.01 * digit) +
	    part * fmax(fabs(a), fabs(b));
}

static bool
believable(const struct known_figure *clean, const struct known_figure *f,
    enum figures_page page, double lost)
{
	bool marked = f->left_out || (f->note[0] != '\0' &&
	    strcmp(f->note, clean->note) != 0);
	double slack;

	if (isnan(f->value) || same(f->value, clean->value, 0.005,
	    clean->digit) || fabs(f->value - clean->value) <= lost *
	    (clean->most - clean->least))
		return true;
	if (page == PAGE_HISTOGRAM)
		return f->value < 1.005 * clean->most || lost > 0;
	/* an axis may begin at 0 */
	if (page == PAGE_PLOT)
		return lost > 0 || f->value == 0 || (clean->most > 0 ?
		    f->value < clean->value : f->value > clean->value);
	/* of one interval there is no other to compare with */
	if (page >= PAGE_SERIES && page != PAGE_DIFF)
		return marked || lost > 0;
	if (!marked && page != PAGE_DIFF)
		return false;
	/* what somebody else's counter counted is told, and marked as that */
	if (page == PAGE_TOTALS)
		return f->value < clean->value ||
		    strstr(f->note, "foreign") != NULL ||
		    strstr(f->note, "beyond") != NULL;
	if (strstr(f->note, "not counted at one time") != NULL)
		return true;
	slack = 0.0002 + 0.05 * fmax(fabs(clean->least), fabs(clean->most));
	return f->value >= clean->least * part_of(f->note) - slack &&
	    f->value <= clean->most + slack;
}

unsigned
figures_differ(const struct figures *clean, const struct figures *fs,
    enum figures_page page, double lost, const char *what)
{
	unsigned n = 0;

	for (unsigned i = 0; i < fs->n; i++) {
		const struct known_figure *f = &fs->figure[i];
		const struct known_figure *c = figures_find(clean, f->key);

		/* one that the clean dump has not rests on nothing of it */
		if (c == NULL || isnan(c->value) || believable(c, f, page, lost))
			continue;
		if (n++ < 4)
			print_message("%s: %s is %.6g%s (%s), and was %.6g "
			    "(%.6g to %.6g)\n", what, f->key, f->value,
			    f->left_out ? "*" : "", f->note, c->value,
			    c->least, c->most);
	}
	return n;
}

/* "node,sample,at,interval,column,delta,unit,kind,share", of a line: its sample,
 * column, delta and kind. */
struct delta_line {
	char text[600];
	char *cell[16];
};

static const char *
next_delta(const char *at, struct delta_line *d)
{
	size_t n = strcspn(at, "\r\n");

	assert_true(n < sizeof d->text);
	memcpy(d->text, at, n);
	d->text[n] = '\0';
	if (cells(d->text, d->cell) < 9)
		d->cell[1] = NULL;
	at += n;
	return at + strspn(at, "\r\n");
}

static bool
same_place(const struct delta_line *a, const struct delta_line *b)
{
	return strcmp(a->cell[1], b->cell[1]) == 0 &&
	    strcmp(a->cell[4], b->cell[4]) == 0;
}

unsigned
deltas_differ(const char *clean, const char *text, const char *what)
{
	struct delta_line a, b;
	unsigned n = 0;

	/* those of the other are in the same order, some of them */
	while (*text != '\0') {
		double was, now;

		text = next_delta(text, &b);
		do
			clean = next_delta(clean, &a);
		while (*clean != '\0' && !same_place(&a, &b));
		if (!same_place(&a, &b))
			break;
		was = strtod(a.cell[5], NULL);
		now = strtod(b.cell[5], NULL);
		if (b.cell[5][0] == '\0' || a.cell[5][0] == '\0' ||
		    same(was, now, 0.005, 1) || (strcmp(b.cell[7], "good") &&
		    strcmp(b.cell[7], "wrapped")))
			continue;
		if (n++ < 4)
			print_message("%s: delta %s of %s is %s (%s), and was "
			    "%s\n", what, b.cell[1], b.cell[4], b.cell[5],
			    b.cell[7], a.cell[5]);
	}
	return n;
}
