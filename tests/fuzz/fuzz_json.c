/*
 * tests/fuzz/fuzz_json.c - any bytes as JSON, and as an event list: an error with
 * its line or a tree, never a crash.  With libFuzzer; seeds in seeds/json.
 */
#include <string.h>

#include "config/eventlist.h"
#include "config/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must_say_where(const struct diag *why)
{
	if (strncmp(why->text, "fuzz:", 5) != 0)
		__builtin_trap();
}

static size_t
walk(const struct json *json)
{
	size_t n = json->text != NULL ? strlen(json->text) : 0;

	for (const struct json *j = json->child; j != NULL; j = j->next)
		n += walk(j) + (j->name != NULL ? strlen(j->name) : 0);
	return n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct arena *arena = arena_new();
	struct eventlist *list = NULL;
	const struct listed_event *e;
	const struct json *root;
	struct diag why = { "" };
	struct near near;

	if (json_parse(arena, "fuzz", text, size, &root, &why) < 0)
		must_say_where(&why);
	else if (walk(root) > size * 3)
		__builtin_trap();
	arena_free(arena);
	why.text[0] = '\0';
	if (eventlist_parse(&list, model_named("skx"), "fuzz", text, size,
	    &why) < 0)
		must_say_where(&why);
	for (unsigned i = 0; (e = eventlist_at(list, i)) != NULL; i++) {
		if (e->type != NULL && (e->ctl & ~box_ctl_valid(e->type)) != 0)
			__builtin_trap();
		if (eventlist_find(list, e->name) == NULL)
			__builtin_trap();
		near_init(&near, "UNC_M_CAS_COUNT.RD");
		eventlist_near(list, e->type, &near);
	}
	eventlist_free(list);
	return 0;
}
