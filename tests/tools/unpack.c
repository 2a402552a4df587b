/*
 * tests/tools/unpack.c - the tables of tests/data as the files that they are of.
 *
 *   unpack list TABLE         JSON as Intel publishes it
 *   unpack recording TABLE    a dump of the original tool, byte by byte
 *
 * Columns are separated by tabs.  What they hold: tests/data/README.md.
 */
#include <err.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 64

/* Cut a row at its tabs; returns the number of cells. */
static unsigned
cut(char *row, char *cell[COLUMNS])
{
	unsigned n = 0;

	row[strcspn(row, "\n")] = '\0';
	while (n < COLUMNS && (cell[n++] = strsep(&row, "\t")) != NULL)
		if (row == NULL)
			return n;
	errx(1, "more than %d columns", COLUMNS);
}

static void
put_string(const char *s)
{
	putchar('"');
	for (; *s != '\0'; s++) {
		if (*s == '"' || *s == '\\')
			putchar('\\');
		putchar(*s);
	}
	putchar('"');
}

/* "a=NAME;b=OTHER": what a formula calls them. */
static void
put_aliases(char *list)
{
	const char *comma = "";
	char *one, *name;

	putchar('[');
	while ((one = strsep(&list, ";")) != NULL && *one != '\0') {
		if ((name = strchr(one, '=')) == NULL)
			errx(1, "%s: no alias", one);
		*name++ = '\0';
		printf("%s{ \"Name\": ", comma);
		put_string(name);
		printf(", \"Alias\": ");
		put_string(one);
		printf(" }");
		comma = ", ";
	}
	putchar(']');
}

/* A column's head is "MEMBER" or "MEMBER=USUAL VALUE". */
static void
put_row(char *const head[], unsigned nhead, char *const cell[], unsigned n)
{
	for (unsigned i = 0; i < nhead; i++) {
		size_t length = strcspn(head[i], "=");
		const char *usual = head[i] + length +
		    (head[i][length] == '=');

		printf("%s\"%.*s\": ", i == 0 ? "" : ",\n  ", (int)length,
		    head[i]);
		if (strcmp(head[i], "Events") == 0 ||
		    strcmp(head[i], "Constants") == 0)
			put_aliases(i < n ? cell[i] : (char[1]){ "" });
		else
			put_string(i < n && *cell[i] != '\0' ? cell[i] :
			    usual);
	}
}

static void
unpack_list(FILE *f)
{
	char *line = NULL, *first = NULL, *head[COLUMNS], *cell[COLUMNS];
	const char *comma = "";
	size_t size = 0, first_size = 0;
	unsigned n, nhead;

	if (getline(&first, &first_size, f) < 0)
		errx(1, "an empty table");
	nhead = cut(first, head);
	printf("{ \"%s\": [\n", strcmp(head[0], "EventName") == 0 ? "Events" :
	    "Metrics");
	while (getline(&line, &size, f) > 0) {
		n = cut(line, cell);
		printf("%s{ ", comma);
		put_row(head, nhead, cell, n);
		printf(" }");
		comma = ",\n";
	}
	printf("\n] }\n");
	free(line);
	free(first);
}

/* A series: its name and a value a sample, the first as it is, the others as
 * what they are more than the one before; hexadecimal ones as they are. */
struct series {
	char *row;
	char *cell[COLUMNS];
	unsigned n;
	uint64_t value;
};

static void
put_sample(struct series *s, unsigned i)
{
	const char *cell = s->cell[1 + i];

	printf("%s[%u] = ", s->cell[0], i);
	if (strncmp(cell, "0x", 2) == 0) {
		printf("%s\n", cell);
		return;
	}
	s->value += (uint64_t)strtoll(cell, NULL, 10);
	printf("%" PRIu64 "\n", s->value);
}

static void
unpack_recording(FILE *f)
{
	struct series *series = NULL, *s;
	char *line = NULL;
	size_t size = 0;
	unsigned n = 0, samples = 0;

	while (getline(&line, &size, f) > 0) {
		if (strchr(line, '\t') == NULL) {
			fputs(line, stdout);
			continue;
		}
		series = reallocarray(series, n + 1, sizeof(*series));
		if (series == NULL)
			err(1, NULL);
		s = &series[n++];
		*s = (struct series){ .row = strdup(line) };
		if (s->row == NULL)
			err(1, NULL);
		s->n = cut(s->row, s->cell);
		samples = s->n - 1 > samples ? s->n - 1 : samples;
	}
	for (unsigned i = 0; i < samples; i++)
		for (s = series; s < series + n; s++)
			if (i + 1 < s->n)
				put_sample(s, i);
	while (n > 0)
		free(series[--n].row);
	free(series);
	free(line);
}

int
main(int argc, char **argv)
{
	bool list = argc == 3 && strcmp(argv[1], "list") == 0;
	FILE *f;

	if (!list && (argc != 3 || strcmp(argv[1], "recording") != 0))
		errx(64, "usage: unpack list|recording TABLE");
	if ((f = fopen(argv[2], "r")) == NULL)
		err(1, "%s", argv[2]);
	if (list)
		unpack_list(f);
	else
		unpack_recording(f);
	fclose(f);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(1, "standard output");
	return 0;
}
