/*
 * config/lists/intel_member.c - read the rows of Intel's lists as tables, and the
 * members of an event.  All values of members are strings; "na", "null", "" and an absent
 * member mean the same.
 */
#include "config/lists/intel.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- a list as a table --------------------------------------------------- */

struct intel_table *
intel_table_open(struct arena *arena, const struct text *text, struct word *rows)
{
	struct intel_table *t = arena_alloc(arena, sizeof(*t));
	struct word head, cell, name;
	char file[80];
	bool more = true;

	snprintf(file, sizeof(file), "@%.*s", text_base(text), text->name);
	*rows = (struct word){ text->data, (size_t)(text->end - text->data) };
	if (t == NULL ||
	    (t->file = arena_strndup(arena, file, strlen(file))) == NULL)
		return NULL;
	t->text = text;
	word_cut(rows, '\n', &head);
	while (more && t->n < TABLE_COLUMNS) {
		more = word_cut(&head, '\t', &cell);
		word_cut(&cell, '=', &name);
		t->member[t->n].name = arena_strndup(arena, name.s, name.n);
		t->member[t->n].usual = arena_strndup(arena, cell.s, cell.n);
		if (t->member[t->n].name == NULL ||
		    t->member[t->n].usual == NULL)
			return NULL;
		t->n++;
	}
	return t;
}

const struct json *
intel_table_row(const struct intel_table *t, struct word row, unsigned line,
    struct intel_row *to)
{
	size_t size = row.n < TABLE_ROW ? row.n : TABLE_ROW - 1;
	char *next = to->text, *cell;

	memcpy(to->text, row.s, size);
	to->text[size] = '\0';
	to->object = (struct json){ .kind = JSON_OBJECT, .line = line,
	    .child = to->member };
	for (unsigned i = 0; i < t->n; i++) {
		cell = next != NULL ? strsep(&next, "\t") : NULL;
		to->member[i] = (struct json){ .kind = JSON_STRING,
		    .line = line, .name = t->member[i].name, .text =
		    cell != NULL && *cell != '\0' ? cell :
		    t->member[i].usual, .next = i + 1 < t->n ?
		    &to->member[i + 1] : NULL };
	}
	return &to->object;
}

/* ---- the members of an event --------------------------------------------- */

/*
 * The values of filters for which the list names bits, but no value: the cache states of
 * LLC_LOOKUP.  While they are 0 nothing is counted, and the event means all states, so
 * every bit is set.  A CBO's field is 23:17; sources differ on which of its bits are F,
 * M, E, S and I (Intel's list: 22:18, LIKWID: 21:17).
 */
static const struct {
	const char *text;
	uint64_t value;
} states[] = {
	{ "CHAFilter0[26:17]", 0x07fe0000 },
	{ "CBoFilter0[23:17]", 0x00fe0000 },
	{ "CBoFilter0[22:18]", 0x00fe0000 },
};

const char *
member_text(const struct intel_json *l, const char *name)
{
	const char *s = json_text(l->json, name);

	return s == NULL || *s == '\0' || strcasecmp(s, "na") == 0 ||
	    strcasecmp(s, "null") == 0 ? NULL : s;
}

/* Says that a member is neither a number nor a short list of numbers. */
static int
too_odd(const struct intel_json *l, const char *name, const char *text)
{
	return diag_at(l->why, l->at.file, l->at.line, "%s: %s is \"%.80s\", "
	    "which is no number or list of %d at most", l->ev->name, name,
	    text, MAX_CODES);
}

int
member_numbers(const struct intel_json *l, const char *name,
    uint64_t v[MAX_CODES])
{
	const char *s = member_text(l, name);
	struct word list, one;
	bool more;
	int n = 0;

	v[0] = 0;
	if (s == NULL)
		return 0;
	list = (struct word) { s, strlen(s) };
	do {
		more = word_cut(&list, ',', &one);
		if (n == MAX_CODES || word_number(word_trim(one), &v[n++]) < 0)
			return too_odd(l, name, s);
	} while (more);
	return n;
}

/* The Filter "CHAFilter1[31:0]" is filter1; a name without a number is filter0. */
int
member_filter(const struct intel_json *l, uint64_t *value, bool *second)
{
	const char *text = member_text(l, "Filter");
	uint64_t v[MAX_CODES];
	int rc = member_numbers(l, "FILTER_VALUE", v);

	if (rc < 0)
		return rc;
	*value = v[0];
	for (unsigned i = 0; text != NULL && *value == 0 &&
	    i < sizeof(states) / sizeof(states[0]); i++)
		if (strcasecmp(text, states[i].text) == 0)
			*value = states[i].value;
	*second = text != NULL && strcasestr(text, "filter1") != NULL;
	return 0;
}

bool
member_is_fixed(const struct intel_json *l)
{
	const char *counter = member_text(l, "Counter");
	const char *kind = member_text(l, "CounterType");

	return (counter != NULL && strncasecmp(counter, "fixed", 5) == 0) ||
	    (kind != NULL && strcasecmp(kind, "FIXED") == 0);
}

/* Lists number fixed counters from 0 or from 1.  The unit mask tells: in all lists, an
 * event with event select 0 has the counter's number + 1 there. */
int
member_fixed(const struct intel_json *l, const char *counter)
{
	size_t at = strcspn(counter, "0123456789");
	uint64_t umask[MAX_CODES];

	if (member_numbers(l, "UMask", umask) < 0)
		return -EINVAL;
	if (umask[0] > 0 && umask[0] <= 16)
		return (int)umask[0] - 1;
	return counter[at] != '\0' ? counter[at] - '0' : 0;
}
