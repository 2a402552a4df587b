/*
 * tests/lib/figures_text.c - figures of pages that are no tables: numbers of lines, by
 * what stands before them.
 */
#include "tests/lib/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/files.h"

/* "12.30*": a number, how much its last digit is worth, and whether it is marked;
 * "n/a" is one. */
static bool
number(const char *text, struct known_figure *f)
{
	const char *point = strchr(text, '.');
	char *end;

	*f = (struct known_figure){ .note = "", .value = NAN };
	if (strncmp(text, "n/a", 3) == 0)
		return true;
	f->value = strtod(text, &end);
	if (end == text || strlen(text) > 14 || (*end != '\0' &&
	    strchr("*!~", *end) == NULL))
		return false;
	f->left_out = *end != '\0';
	f->digit = point == NULL ? 0 : pow(10, 1 - (double)(end - point));
	return true;
}

/* Adds one, by a name that is its own: the n-th of the same is "name#n". */
static void
add(struct known_figure *to, unsigned *n, struct known_figure f,
    const char *name)
{
	unsigned same = 0;
	size_t size = strlen(name);

	for (unsigned i = 0; i < *n; i++)
		same += strncmp(to[i].key, name, size) == 0 &&
		    to[i].key[size] == '#';
	assert_true(asprintf(&f.key, "%s#%u", name, same) >= 0);
	f.least = f.most = f.value;
	to[(*n)++] = f;
}

/* "| UPI 0    sent    0.061 GB/s      [###-------]  31.0 %* |": what is behind a
 * line's first letters; a line that goes on with something else is another one. */
static void
drawing_line(char *line, const char *part, struct known_figure *to, unsigned *n)
{
	char name[80], *at = line, *word;
	bool last = false;

	snprintf(name, sizeof name, "%s|%.18s", part, line);
	while ((word = strsep(&at, " |")) != NULL) {
		struct known_figure f;

		/* a gauge's mark is behind its unit */
		if (last && word[0] == '%' && word[1] != '\0')
			to[*n - 1].left_out = true;
		if (*word == '\0')
			continue;
		if ((last = number(word, &f)))
			add(to, n, f, name);
	}
}

static unsigned
drawing(char *text, struct known_figure *to)
{
	char part[40] = "", *line;
	unsigned n = 0;

	while ((line = strsep(&text, "\n")) != NULL)
		if (strncmp(line, "+--", 3) == 0)
			snprintf(part, sizeof part, "%.30s", line);
		else if (line[0] == '|')
			drawing_line(line + 1, part, to, &n);
	return n;
}

/* Between two marks of a text; the rest begins behind the second. */
static char *
between(char **text, const char *begin, const char *end)
{
	char *from = strstr(*text, begin), *to;

	if (from == NULL || (to = strstr(from += strlen(begin), end)) == NULL)
		return NULL;
	*to = '\0';
	*text = to + 1;
	return from;
}

static void
overview_row(char *row, const char *part, struct known_figure *to, unsigned *n)
{
	char *title = between(&row, "\">", "</th>"), *cell, name[120];
	unsigned first = *n;

	assert_non_null(title);
	snprintf(name, sizeof name, "%s|%.60s", part, strrchr(title, '>') ?
	    strrchr(title, '>') + 1 : title);
	while ((cell = between(&row, "<td", "</td>")) != NULL) {
		char *value = strchr(cell, '>') + 1;
		bool marked = strstr(cell, "class=\"wrong\"") != NULL ||
		    strstr(value, "<sup>") != NULL;
		struct known_figure f;

		value[strcspn(value, "<")] = '\0';
		if (strstr(cell, "class=\"note\"") != NULL) {
			for (unsigned i = first; i < *n; i++)
				to[i].note = value;
		} else if (strstr(cell, "class=\"unit\"") == NULL &&
		    number(value, &f)) {
			f.left_out = marked;
			add(to, n, f, name);
		}
	}
}

static unsigned
overview(char *text, struct known_figure *to)
{
	const char *part = "";
	char *table = between(&text, "<table id=\"figures\">", "</table>");
	char *line;
	unsigned n = 0;

	assert_non_null(table);
	while ((line = strsep(&table, "\n")) != NULL)
		if (strncmp(line, "<tr class=\"part\"", 17) == 0)
			part = between(&line, "colgroup\">", "<");
		else if (strncmp(line, "<tr><th", 7) == 0)
			overview_row(line, part, to, &n);
	return n;
}

/* "dram_read in GB/s, node", and below it the greatest and the least value. */
static unsigned
plot(char *text, struct known_figure *to)
{
	char title[120] = "", *line;
	unsigned n = 0, ends = 0;

	while ((line = strsep(&text, "\n")) != NULL) {
		char *axis = strstr(line, " |");
		struct known_figure f;

		if (axis == NULL) {
			snprintf(title, sizeof title, "%s", line);
			/* "(n/a in 2 of 14)" */
			title[strcspn(title, "(")] = '\0';
			ends = 0;
			continue;
		}
		*axis = '\0';
		line += strspn(line, " ");
		if (*line == '\0' || !number(line, &f))
			continue;
		add(to, &n, f, title);
		to[n - 1].most = ends++ == 0 ? 1 : 0;
	}
	return n;
}

unsigned
figures_text(enum figures_page page, char *text, struct known_figure *to,
    unsigned room)
{
	unsigned n = page == PAGE_PLATFORM ? drawing(text, to) :
	    page == PAGE_PLOT ? plot(text, to) : overview(text, to);

	assert_true(n <= room);
	return n;
}
