/*
 * config/eventlist.c - Intel's published event lists, by name; and mapfile.csv, which
 * names those of each CPU.
 *
 * All events of a file are parsed at once, so that errors in it are reported;
 * those of a built-in table are parsed when they are looked up.
 */
#include "config/eventlist.h"

#include "config/intel.h"
#include "config/json.h"
#include "lib/array.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct listed_row {
	const struct listed_event *event;       /* NULL: not yet read */
	struct word name;
	struct intel_table *table;            /* that it is a row of; NULL: a file's */
	struct word text;
	unsigned line;
};

struct eventlist {
	struct arena *arena;            /* events, and all that they point to */
	const struct model *model;      /* of the tables */
	struct listed_row *row;
	unsigned n, room;
	const char *unsure;             /* a file that no mapfile names; NULL */
	struct used **used;             /* files; tables that were of use */
};

const struct used *
eventlist_used(const struct eventlist *list)
{
	return list != NULL ? *list->used : NULL;
}

const char *
eventlist_unsure(const struct eventlist *list)
{
	return list != NULL ? list->unsure : NULL;
}

void
eventlist_free(struct eventlist *list)
{
	if (list == NULL)
		return;
	arena_free(list->arena);
	free(list->row);
	free(list);
}

static struct eventlist *
eventlist_new(void)
{
	struct eventlist *list = calloc(1, sizeof(*list));

	if (list != NULL && ((list->arena = arena_new()) == NULL ||
	    (list->used = arena_alloc(list->arena, sizeof(*list->used))) ==
	    NULL)) {
		eventlist_free(list);
		return NULL;
	}
	return list;
}

/* Make room for one more event. */
static struct listed_row *
new_row(struct eventlist *list)
{
	if (!array_room(&list->row, list->n, &list->room, sizeof(*list->row)))
		return NULL;
	return memset(&list->row[list->n], 0, sizeof(*list->row));
}

static int
eventlist_add_event(struct eventlist *list, const struct model *model,
    const char *file, const struct json *json, struct diag *why)
{
	struct listed_event *ev = arena_alloc(list->arena, sizeof(*ev));
	struct listed_row *row = new_row(list);
	int rc;

	if (row == NULL || ev == NULL)
		return -ENOMEM;
	if (json->kind != JSON_OBJECT)
		return diag_at(why, file, json->line, "%s where an event (an "
		    "object) should be", json_kind_name(json->kind));
	if ((rc = intel_event_read(list->arena, model, file, json, ev, why)) < 0)
		return rc;
	row->event = ev;
	row->name = (struct word){ ev->name, strlen(ev->name) };
	list->n++;
	return 0;
}

/* list = "[" events "]" | "{" "Header": ..., "Events": "[" events "]" "}" */
static int
add_events(struct eventlist *list, const struct model *model, const char *file,
    const struct json *root, struct diag *why)
{
	const struct json *events = root;
	int rc;

	if (root->kind == JSON_OBJECT)
		events = json_get(root, "Events");
	if (events == NULL || events->kind != JSON_ARRAY ||
	    events->child == NULL)
		return diag_at(why, file, root->line, "no event list: it "
		    "should be an object with an array \"Events\", or an array "
		    "of events, as in Intel's perfmon repository");
	for (const struct json *j = events->child; j != NULL; j = j->next)
		if ((rc = eventlist_add_event(list, model, file, j, why)) < 0)
			return rc;
	return 0;
}

int
eventlist_parse(struct eventlist **list, const struct model *model,
    const char *file, const char *text, size_t size, struct diag *why)
{
	struct arena *arena = arena_new();
	const struct json *root;
	int rc = arena != NULL ? 0 : -ENOMEM;

	if (*list == NULL && (*list = eventlist_new()) == NULL)
		rc = -ENOMEM;
	if (rc == 0)
		rc = json_parse(arena, file, text, size, &root, why);
	if (rc == 0)
		rc = add_events(*list, model, file, root, why);
	arena_free(arena);
	return rc == -ENOMEM ? diag_set(why, rc, "%s: out of memory", file) :
	    rc;
}

int
eventlist_load(struct eventlist **list, const struct model *model,
    const struct cpu_id *cpu, const char *file, struct diag *why)
{
	size_t size;
	char *text;
	int rc = text_load(file, NULL, &text, &size, why), unsure;

	if (rc < 0)
		return rc;
	if (text[strspn(text, " \t\r\n")] != '{' &&
	    text[strspn(text, " \t\r\n")] != '[') {
		free(text);
		return diag_set(why, -EINVAL, "%s: no event list of Intel's, "
		    "which is JSON and begins with { or [", file);
	}
	unsure = mapfile_check(model, cpu, file, why);
	rc = unsure < 0 ? unsure : eventlist_parse(list, model, file, text,
	    size, why);
	if (rc == 0)
		rc = used_add((*list)->used, (*list)->arena, file, text, size);
	free(text);
	if (rc == -ENOMEM)
		return diag_set(why, rc, "%s: out of memory", file);
	if (rc == 0 && unsure > 0 && (*list)->unsure == NULL &&
	    ((*list)->unsure = arena_strndup((*list)->arena, file,
	    strlen(file))) == NULL)
		return diag_set(why, -ENOMEM, "%s: out of memory", file);
	return rc;
}

/* Adds a built-in table; adding it twice has no effect.  Its events are parsed when they
 * are looked up.  0 or -ENOMEM. */
static int
eventlist_table(struct eventlist **list, const struct model *model,
    const struct text *text)
{
	struct word rows, line;
	struct intel_table *table;
	struct listed_row *row;

	if (*list == NULL && (*list = eventlist_new()) == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < (*list)->n; i++)
		if ((*list)->row[i].table != NULL &&
		    (*list)->row[i].table->text == text)
			return 0;
	(*list)->model = model;
	if ((table = intel_table_open((*list)->arena, text, &rows)) == NULL)
		return -ENOMEM;
	for (unsigned at = 2; rows.n > 0; at++) {
		word_cut(&rows, '\n', &line);
		if ((row = new_row(*list)) == NULL)
			return -ENOMEM;
		row->table = table;
		row->text = line;
		row->line = at;
		word_cut(&line, '\t', &row->name);
		(*list)->n++;
	}
	return 0;
}

/* The event of a row, which is parsed at the first call.  NULL: out of memory; there is
 * no other error, as the tests parse all built-in tables. */
static const struct listed_event *
eventlist_event_of(const struct eventlist *list, unsigned i)
{
	struct listed_row *row = &list->row[i];
	struct intel_row object;
	struct listed_event *ev;
	struct diag why;

	if (row->event == NULL &&
	    (ev = arena_alloc(list->arena, sizeof(*ev))) != NULL &&
	    intel_event_read(list->arena, list->model, row->table->file,
	    intel_table_row(row->table, row->text, row->line, &object), ev, &why) == 0)
		row->event = ev;
	return row->event;
}

/* The name without "UNC_M_" and the like. */
static struct word
eventlist_short_name(struct word name)
{
	const char *end;

	if (name.n < 4 || strncasecmp(name.s, "UNC_", 4) != 0 ||
	    (end = memchr(name.s + 4, '_', name.n - 4)) == NULL)
		return name;
	end++;
	return (struct word){ end, name.n - (size_t)(end - name.s) };
}

static bool
is_same(struct word name, struct word wanted)
{
	return name.n == wanted.n &&
	    strncasecmp(name.s, wanted.s, name.n) == 0;
}

/* How well event i matches: a full name is better than a short one, a current
 * name better than a deprecated one.  0: no match. */
static unsigned
eventlist_match(const struct eventlist *list, unsigned i,
    const struct box_type *type, bool any, struct word wanted)
{
	struct word name = list->row[i].name;
	bool whole = is_same(name, wanted);
	const struct listed_event *ev;

	if ((!whole && !is_same(eventlist_short_name(name), wanted)) ||
	    (ev = eventlist_event_of(list, i)) == NULL ||
	    (!any && ev->type != type))
		return 0;
	return (whole ? 2 : 0) + (ev->deprecated ? 1 : 2);
}

static const struct listed_event *
eventlist_find_by_name(const struct eventlist *list,
    const struct box_type *type, bool any, const char *name)
{
	struct word wanted = { name, strlen(name) };
	struct listed_row *found = NULL;
	unsigned best = 0;

	for (unsigned i = 0; list != NULL && i < list->n; i++) {
		unsigned rank = eventlist_match(list, i, type, any, wanted);

		if (rank > best) {
			best = rank;
			found = &list->row[i];
		}
	}
	if (found == NULL)
		return NULL;
	if (found->table != NULL && !found->table->used) {
		const struct intel_table *t = found->table;

		found->table->used = used_add(list->used, list->arena, t->file,
		    t->text->data, (size_t)(t->text->end - t->text->data)) == 0;
	}
	return found->event;
}

const struct listed_event *
eventlist_find_in(const struct eventlist *list, const struct box_type *type,
    const char *name)
{
	return eventlist_find_by_name(list, type, false, name);
}

const struct listed_event *
eventlist_find(const struct eventlist *list, const char *name)
{
	return eventlist_find_by_name(list, NULL, true, name);
}

const struct listed_event *
eventlist_at(const struct eventlist *list, unsigned n)
{
	return list != NULL && n < list->n ? eventlist_event_of(list, n) : NULL;
}

void
eventlist_near(const struct eventlist *list, const struct box_type *type,
    struct near *near)
{
	for (unsigned i = 0; list != NULL && i < list->n; i++) {
		const struct listed_event *ev = eventlist_event_of(list, i);
		struct word name = { "", 0 };

		if (ev == NULL || (type != NULL && ev->type != type))
			continue;
		near_try(near, ev->name);
		name = eventlist_short_name((struct word){ ev->name,
		    strlen(ev->name) });
		if (name.s != ev->name)
			near_try(near, name.s);
	}
}

/* ---- built-in lists ------------------------------------------------------ */

/* The built-in table of a file in the map, "/SKX/events/skylakex_core.json"; or NULL. */
static const struct text *
table_of(struct word file)
{
	struct word name = file, head;
	char at[80];

	while (memchr(name.s, '/', name.n) != NULL)
		word_cut(&name, '/', &head);
	word_cut(&name, '.', &head);
	snprintf(at, sizeof(at), "@%.*s", WORD_ARG(head));
	return text_named(at, TEXT_TABLE);
}

/* The length of "/SKX/": the lists of one folder are of one CPU. */
static size_t
builtin_folder(struct word file)
{
	const char *end = file.n > 0 ? memchr(file.s + 1, '/', file.n - 1) :
	    NULL;

	return end != NULL ? (size_t)(end - file.s) + 1 : 0;
}

/* Load the lists that the map names for a CPU: all, or with `uncore` only those of the
 * uncore. */
static int
lists_of(const struct model *model, const struct cpu_id *cpu, bool uncore,
    struct eventlist **list)
{
	const struct text *map = text_named("@mapfile", TEXT_TABLES), *table;
	struct word all = { map->data, (size_t)(map->end - map->data) };
	struct word file, first = { "", 0 };
	int rc = 0;

	while (rc == 0 && mapfile_next(model, cpu, &all, &file)) {
		if ((table = table_of(file)) == NULL || (uncore &&
		    strstr(table->name, "_uncore") == NULL) || (first.n > 0 &&
		    (file.n < first.n ||
		    memcmp(file.s, first.s, first.n) != 0)))
			continue;
		first = (struct word){ file.s, builtin_folder(file) };
		rc = eventlist_table(list, model, table);
	}
	return rc;
}

int
builtin_lists(const struct model *model, const struct cpu_id *cpu,
    struct eventlist **list)
{
	struct cpu_id other = { .vendor = "GenuineIntel", .family = 6 };
	int rc;

	*list = NULL;
	rc = lists_of(model, cpu, false, list);
	if (rc < 0 || *list != NULL || model == NULL ||
	    model->uncore_list_of == 0)
		return rc;
	other.model = model->uncore_list_of;
	return lists_of(model, &other, true, list);
}

/* ---- mapfile.csv -------------------------------------------------------- */

static int
mapfile_hex_digit(char c)
{
	const char *digits = "0123456789ABCDEF", *at;

	if (c >= 'a' && c <= 'f')
		c = (char)(c - 'a' + 'A');
	at = c != '\0' ? strchr(digits, c) : NULL;
	return at != NULL ? (int)(at - digits) : -1;
}

/* steppings = "" | hexdigit | "[" { hexdigit } "]".  Returns them as bits; all bits if
 * there are none. */
static unsigned
steppings(struct word w)
{
	unsigned bits = 0;

	for (size_t i = 0; i < w.n; i++)
		if (mapfile_hex_digit(w.s[i]) >= 0)
			bits |= 1u << mapfile_hex_digit(w.s[i]);
	return w.n == 0 ? 0xffff : bits;
}

/* Is there a node, and is its CPU known? */
static bool
mapfile_known(const struct cpu_id *cpu)
{
	return cpu != NULL && cpu->vendor[0] != '\0';
}

/* Is it the node's CPU?  If no node is known: is it a CPU of the model? */
static bool
has_cpu(const struct model *m, const struct cpu_id *cpu, unsigned family,
    unsigned model, unsigned steppings)
{
	if (mapfile_known(cpu))
		return cpu->family == family && cpu->model == model &&
		    cpu->stepping < 16 && steppings >> cpu->stepping & 1;
	for (unsigned s = 0; s < 16; s++)
		if (steppings >> s & 1 && model_is(m, family, model, s))
			return true;
	return false;
}

/* cpu = vendor "-" family "-" MODEL [ "-" steppings ]; the family is decimal,
 * the model hexadecimal */
static bool
is_of(const struct model *m, const struct cpu_id *cpu, struct word of)
{
	struct word vendor, family, model;
	unsigned number = 0;
	uint64_t fam;

	word_cut(&of, '-', &vendor);
	word_cut(&of, '-', &family);
	word_cut(&of, '-', &model);
	if (!word_is(vendor,
	    mapfile_known(cpu) ? cpu->vendor : "GenuineIntel") ||
	    word_number(family, &fam) < 0 || fam > 255 || model.n == 0 ||
	    model.n > 2)
		return false;
	for (size_t i = 0; i < model.n; i++) {
		if (mapfile_hex_digit(model.s[i]) < 0)
			return false;
		number = number * 16 + (unsigned)mapfile_hex_digit(model.s[i]);
	}
	return has_cpu(m, cpu, (unsigned)fam, number, steppings(of));
}

/* Take the next row: its CPU and its list. */
static bool
next_row(struct word *rest, struct word *of, struct word *file)
{
	struct word line, version;

	while (rest->n > 0) {
		word_cut(rest, '\n', &line);
		if (!word_cut(&line, ',', of) ||
		    !word_cut(&line, ',', &version))
			continue;
		word_cut(&line, ',', file);
		return true;
	}
	return false;
}

bool
mapfile_next(const struct model *m, const struct cpu_id *cpu,
    struct word *rest, struct word *list)
{
	struct word of;

	while (next_row(rest, &of, list))
		if (is_of(m, cpu, of))
			return true;
	return false;
}

/* mapfile_check with the text of the mapfile; list: "/SKX/events/skylakex_core.json". */
static int
mapfile_parse(const struct model *m, const struct cpu_id *cpu,
    const char *list, const char *text, size_t size, struct diag *why)
{
	struct word all = { text, size }, of, file;
	char others[400] = "", name[64];

	while (next_row(&all, &of, &file)) {
		if (!word_is(file, list))
			continue;
		if (is_of(m, cpu, of))
			return 0;
		snprintf(name, sizeof(name), "%.*s", WORD_ARG(of));
		choices_add(others, sizeof(others), name);
	}
	if (others[0] == '\0')
		return 1;
	if (mapfile_known(cpu))
		return diag_set(why, -EINVAL, "this list is of other "
		    "CPUs (%s, says mapfile.csv), not of this one (%s-%u-%X-%X"
		    ")", others, cpu->vendor, cpu->family, cpu->model,
		    cpu->stepping);
	return diag_set(why, -EINVAL, "this list is of other CPUs (%s, "
	    "says mapfile.csv), not of %s", others, m->title);
}

int
mapfile_check(const struct model *m, const struct cpu_id *cpu,
    const char *file, struct diag *why)
{
	char path[PATH_MAX], map[PATH_MAX + 16], *text;
	struct diag words;
	size_t size, top;
	int rc;

	if (realpath(file, path) == NULL)
		return 1;
	/* The top is three slashes from the end: .../SKX/events/x.json */
	top = strlen(path);
	for (int slashes = 0; top > 0 && slashes < 3;)
		slashes += path[--top] == '/';
	snprintf(map, sizeof(map), "%.*s/mapfile.csv", (int)top, path);
	if (text_load(map, NULL, &text, &size, NULL) < 0)
		return 1;
	rc = mapfile_parse(m, cpu, path + top, text, size, &words);
	free(text);
	return rc < 0 ? diag_set(why, rc, "%.*s: %s", 400, file, words.text) :
	    rc;
}

int
mapfile_check_named(const char *model, const char *file, struct diag *why)
{
	const struct model *m = model != NULL ? model_named(model) : NULL;

	return m != NULL ? mapfile_check(m, NULL, file, why) : 1;
}
