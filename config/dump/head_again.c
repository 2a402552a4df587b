/*
 * config/dump/head_again.c - read head lines that another user may have written
 * and print them anew from the parsed values, so that nothing is copied
 * unchecked.
 */
#include "config/dump/head.h"

#include "config/dump/column.h"
#include "config/dump/dump.h"
#include "lib/printable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A parsed line. */
struct again {
	struct assign a;
	enum head_key key;
	struct head_at at;
	unsigned depth;
	char *name, *value;
	struct family family;           /* of at.column */
	struct column_id id;
};

static char *
head_again_cut(const char *s, size_t n)
{
	char *copy = malloc(n + 1);

	if (copy != NULL) {
		memcpy(copy, s, n);
		copy[n] = '\0';
	}
	return copy;
}

/* Unescape a label in place. */
static const char *
head_again_label(const char *in, size_t n)
{
	char *s = (char *)in;

	if (s != NULL)
		lua_unquote(s, n);
	return s;
}

/* Parse imc_counts_control[0][3]["X"], where `suffix` is "_control", into
 * at.column. */
static bool
head_again_take_column(struct again *x, const char *suffix)
{
	struct column_words w;
	size_t n = x->a.family_len - strlen(suffix);

	column_parse(&w, x->name, strlen(x->name));
	if (w.odd != NULL || n == 0)
		return false;
	x->id = (struct column_id){ .family = &x->family, .nindex = w.nindex,
	    .lprocs = head_again_label(w.lprocs, w.lprocs_len),
	    .event = head_again_label(w.event, w.event_len) };
	memcpy(x->id.index, w.index, sizeof(w.index));
	x->family.name = x->name;
	x->name[n] = '\0';
	x->at = OF_COLUMN(&x->id);
	x->depth = HEAD_WHOLE;
	return true;
}

/* Finds which key of the head the line assigns to, and its indices. */
static bool
head_again_take_name(struct again *x)
{
	const struct head_row *row;
	char *indices;
	int depth;

	x->key = head_find(x->a.name, x->a.family_len);
	if (x->key == HEAD_KEYS || memchr(x->a.name, '\0', x->a.name_len))
		return false;
	row = head_row(x->key);
	if (row->shape == HEAD_BY_COLUMN)
		return head_again_take_column(x, row->name + 1);
	indices = x->name + x->a.family_len;
	if ((depth = head_indices(x->key, indices, &x->at)) < 0)
		return false;
	x->depth = (unsigned)depth;
	return x->a.kind == LINE_VALUE ? x->depth == head_depth(x->key) :
	    x->depth < head_depth(x->key);
}

static bool
head_again_put_number(struct head *h, const struct again *x)
{
	if (x->a.value != VALUE_INT)
		return false;
	if (head_row(x->key)->type != HEAD_INT)
		head_put_hex(h, x->key, x->at, x->a.u);
	else if (x->a.text[0] == '-')
		head_put_int(h, x->key, x->at, (int64_t)x->a.u);
	else
		head_put_count(h, x->key, x->at, x->a.u);
	return true;
}

static bool
head_again_put_value(struct head *h, const struct again *x)
{
	switch ((enum head_type)head_row(x->key)->type) {
	case HEAD_INT:
	case HEAD_HEX:
	case HEAD_HEX8:
		return head_again_put_number(h, x);
	case HEAD_REAL:
		if (!head_is_number(x->value))
			return false;
		head_put_digits(h, x->key, x->at, x->value);
		return true;
	case HEAD_TEXT:
	case HEAD_COLUMN:
		if (x->a.value != VALUE_TEXT)
			return false;
		lua_unquote(x->value, x->a.text_len);
		head_put_text(h, x->key, x->at, x->value);
		return true;
	}
	return false;
}

/* Print the line anew; false if it is not a valid line of tallyd's head. */
static bool
head_again_put_again(struct head *h, struct again *x)
{
	char name[HEAD_NAME_SIZE];

	if (!head_again_take_name(x) ||
	    head_name(name, x->key, x->at, x->depth) == 0)
		return false;
	if (x->a.kind == LINE_VALUE)
		return head_again_put_value(h, x);
	head_put_table(h, x->key, x->at, x->depth);
	return true;
}

unsigned
head_put_again(struct head *h, const char *text)
{
	char *scratch = malloc(strlen(text) + 1);
	unsigned left_out = 0;
	size_t len;

	for (; *text != '\0' && h->error == 0; text += len) {
		struct again x = { .depth = 0 };

		len = strcspn(text, "\n");
		if (scratch == NULL)
			h->error = -ENOMEM;
		else
			assign_parse(&x.a, text, text + len, scratch);
		if (x.a.kind == LINE_TABLE || x.a.kind == LINE_VALUE) {
			x.name = head_again_cut(x.a.name, x.a.name_len);
			x.value = head_again_cut(x.a.text, x.a.text_len);
			if (x.name == NULL || x.value == NULL)
				h->error = -ENOMEM;
			else
				left_out += !head_again_put_again(h, &x);
			free(x.name);
			free(x.value);
		} else {
			left_out += x.a.kind != LINE_BLANK;
		}
		len += text[len] == '\n';
	}
	free(scratch);
	return left_out;
}
