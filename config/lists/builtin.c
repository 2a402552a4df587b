/*
 * config/lists/builtin.c - find the built-in event lists of a CPU.
 */
#include "config/lists/builtin.h"

#include <stdio.h>
#include <string.h>

#include "config/lists/mapfile.h"
#include "config/scan.h"
#include "config/texts.h"

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
