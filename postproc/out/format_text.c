/*
 * postproc/out/format_text.c - text for people: pages, and tables with aligned
 * columns.
 *
 * A table has to wait for its end, to know how wide the columns are.
 */
#include "postproc/out/format.h"

#include "lib/printable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The cells of a table, each with its '\0'. */
struct kept {
	char *text;
	size_t used, room;
};

static void
text_open(struct out *o, const char *command)
{
	(void)command;
	if ((o->own = calloc(1, sizeof(struct kept))) == NULL)
		o->file.error = -ENOMEM;
}

static void
text_remark(struct out *o, const char *words)
{
	fputs(words, o->file.f);
}

static void
text_keep(struct out *o, const char *s, bool word)
{
	struct kept *k = o->own;
	size_t n;

	(void)word;
	if (s == NULL)
		s = "n/a";
	if (k == NULL)
		return;
	n = strlen(s) + 1;
	if (k->room - k->used < n) {
		size_t room = (k->room + n) * 2;
		char *p = realloc(k->text, room);

		if (p == NULL) {
			o->file.error = -ENOMEM;
			return;
		}
		k->text = p;
		k->room = room;
	}
	printable(memcpy(k->text + k->used, s, n));
	k->used += n;
}

/* How many columns UTF-8 text takes on a screen: one for each byte that is not a
 * continuation byte. */
static size_t
width_of(const char *s)
{
	size_t n = 0;

	for (; *s != '\0'; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static void
format_text_widen(size_t *width, const char *s)
{
	size_t n = width_of(s);

	*width = n > *width ? n : *width;
}

static void
text_cell(struct out *o, unsigned i, const char *s, size_t width)
{
	FILE *f = o->file.f;
	size_t pad = width - width_of(s);
	bool left = o->column[i].left;

	if (i > 0)
		fputs("  ", f);
	if (!left)
		fprintf(f, "%*s", (int)pad, "");
	fputs(s, f);
	if (left && i + 1 < o->ncolumn)
		fprintf(f, "%*s", (int)pad, "");
	if (i + 1 == o->ncolumn)
		putc('\n', f);
}

static void
text_table(struct out *o, const struct kept *k, size_t *width)
{
	const char *end = k->text + k->used, *p;
	bool units = false;
	unsigned i;

	for (i = 0; i < o->ncolumn; i++) {
		format_text_widen(&width[i], o->column[i].name);
		format_text_widen(&width[i], column_unit(&o->column[i]));
		units |= column_unit(&o->column[i])[0] != '\0';
	}
	for (i = 0, p = k->text; p < end; p += strlen(p) + 1) {
		format_text_widen(&width[i], p);
		i = (i + 1) % o->ncolumn;
	}
	for (i = 0; i < o->ncolumn; i++)
		text_cell(o, i, o->column[i].name, width[i]);
	for (i = 0; units && i < o->ncolumn; i++)
		text_cell(o, i, column_unit(&o->column[i]), width[i]);
	for (i = 0, p = k->text; p < end; p += strlen(p) + 1) {
		text_cell(o, i, p, width[i]);
		i = (i + 1) % o->ncolumn;
	}
}

static void
text_end(struct out *o)
{
	struct kept *k = o->own;
	size_t *width;

	if (k == NULL || k->used == 0)
		return;
	if ((width = calloc(o->ncolumn, sizeof(*width))) != NULL)
		text_table(o, k, width);
	else
		o->file.error = -ENOMEM;
	free(width);
	k->used = 0;
}

static void
text_close(struct out *o)
{
	struct kept *k = o->own;

	if (k != NULL)
		free(k->text);
	free(k);
}

const struct out_format format_text = {
	.name = "text", .pages = true,
	.open = text_open, .remark = text_remark, .cell = text_keep,
	.end = text_end, .close = text_close,
};
