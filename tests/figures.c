/*
 * tests/figures.c - figures read and compared.
 */
#include "tests/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/cmd/commands.h"
#include "tests/files.h"
#include "tests/said.h"

/* How each page's rows are laid out: which cells make the key (-1: no more). */
static const struct layout {
	int (*cmd)(int, char **);
	const char *words;
	int key[4], value, left_out, note;
} layouts[PAGES] = {
	{ cmd_metrics, "metrics -f csv -S box,package,node",
	    { 1, 2, 3, -1 }, 4, 6, 7 },
	{ cmd_report, "report -f csv", { 1, 2, 3, 4 }, 5, 7, 8 },
	{ cmd_totals, "totals -f csv", { 3, -1, -1, -1 }, 4, 7, 8 },
	{ cmd_metrics, "metrics -e -f csv", { 4, 5, 6, 1 }, 7, 9, 10 },
};
static const struct layout each_interval = { cmd_metrics,
	"metrics -e -f csv -S box,package,node", { 4, 5, 6, -1 }, 7, 9, 10 };

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
	    .left_out = atoi(cell[l->left_out]) > 0 };
	f->least = f->most = f->value;
	return true;
}

static char *
page(const struct layout *l, const char *path, const char *range)
{
	char words[500];

	snprintf(words, sizeof words, "%s -s %s %s", l->words, range, path);
	return said(EXIT_OK, l->cmd, words, NULL);
}

static void
spread(struct figures *fs, const char *path, const char *range)
{
	char *at = fs->series = page(&each_interval, path, range), *line;

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
}

void
figures_read(struct figures *fs, enum figures_page which, const char *path,
    const char *range, bool each)
{
	char *at = page(&layouts[which], path, range), *line;
	unsigned room = 1;

	*fs = (struct figures){ .text = at };
	for (const char *s = at; *s != '\0'; s++)
		room += *s == '\n';
	fs->figure = calloc(room, sizeof *fs->figure);
	assert_non_null(fs->figure);
	for (strsep(&at, "\n"); (line = strsep(&at, "\n")) != NULL; )
		fs->n += take(&layouts[which], line, &fs->figure[fs->n]);
	qsort(fs->figure, fs->n, sizeof *fs->figure, by_key);
	if (each)
		spread(fs, path, range);
}

void
figures_free(struct figures *fs)
{
	for (unsigned i = 0; i < fs->n; i++)
		free(fs->figure[i].key);
	free(fs->figure);
	free(fs->text);
	free(fs->series);
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
same(double a, double b, double part)
{
	/* printed with four decimals */
	return fabs(a - b) <= 0.0002 + part * fmax(fabs(a), fabs(b));
}

static bool
believable(const struct known_figure *clean, const struct known_figure *f,
    enum figures_page page, double lost)
{
	bool marked = f->left_out || (f->note[0] != '\0' &&
	    strcmp(f->note, clean->note) != 0);
	double slack;

	if (isnan(f->value) || same(f->value, clean->value, 0.005) ||
	    fabs(f->value - clean->value) <= lost * (clean->most -
	    clean->least))
		return true;
	/* of one interval there is no other to compare with */
	if (page == PAGE_SERIES)
		return marked || lost > 0;
	if (!marked)
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
