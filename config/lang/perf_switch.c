/*
 * config/lang/perf_switch.c - statements that apply to the events after them (cores,
 * dispatch, event-list), or add many events (software, kernel-pmu, hardware-cache).
 */
#include "config/lang/statements.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "config/lists/eventlist.h"

/* Add all of the kernel's events of a type that this CPU has. */
static int
add_names(struct perf_parse *p, uint32_t type)
{
	struct want like = *p->like;
	int rc = 0;

	like.optional = true;
	p->like = &like;
	for (unsigned i = 0; i < PERF_NAMES_COLLECTD && rc == 0; i++)
		if (perf_names[i].type == type)
			rc = parse_named(p, &perf_names[i], "");
	return rc;
}

static int
parse_cores(struct config *cfg, struct scan *scan, struct diag *why)
{
	struct cores *cores = arena_alloc(cfg->arena, sizeof(*cores));
	struct word w;
	unsigned n = 0;
	int rc;

	if (cores == NULL)
		return -ENOMEM;
	for (; (rc = scan_quoted(scan, &w, why)) > 0; n++)
		if ((rc = cores_add(cores, cfg->arena, w, scan->at, why)) < 0)
			return rc;
	if (rc == 0 && n == 0)
		return diag_place(why, scan->at, "cores which?  For instance: "
		    "cores \"0-3\" \"[4-7]\"; \"\" is all of them");
	if (cores->n == 0) {
		cfg->cores = NULL;
		return rc;
	}
	cores->at = scan->at;
	cores->before = cfg->cores_said;
	cfg->cores = cfg->cores_said = cores;
	return rc;
}

static int
parse_event_list(struct config *cfg, struct scan *scan, struct diag *why)
{
	struct diag words = { "" };
	char path[1024];
	struct word w;
	int rc;

	if ((rc = scan_quoted(scan, &w, why)) <= 0 || w.n >= sizeof(path))
		return rc < 0 ? rc : diag_place(why, scan->at, "event-list "
		    "which?  FILE.json");
	memcpy(path, w.s, w.n);
	path[w.n] = '\0';
	if (eventlist_load(&cfg->list, cfg->model, cfg->cpu, path,
	    &words) < 0)
		return diag_place(why, scan->at, "event-list: %.900s",
		    words.text);
	return scan_end(scan, why);
}

/* Scan the last word of the line, and return its index in words[n]. */
static int
perf_switch_choice(struct scan *scan, struct word what,
    const char *const *words, unsigned n, struct diag *why)
{
	char list[64] = "";
	struct word w;
	int rc;

	if (scan_word(scan, &w))
		for (unsigned i = 0; i < n; i++)
			if (word_is(w, words[i]))
				return (rc = scan_end(scan, why)) < 0 ? rc :
				    (int)i;
	for (unsigned i = 0; i < n; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list),
		    "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", words[i]);
	return diag_place(why, scan->at, "%.*s is %s%s", WORD_ARG(what), list, n
	    == 2 ? "; one of its events is written event NAME" : "");
}

int
perf_switch_parse(struct config *cfg, struct scan *scan, struct word what,
    const struct want *like, struct diag *why)
{
	static const struct { const char *word; uint32_t type; } kinds[] = {
		{ "software", PERF_SOFTWARE }, { "kernel-pmu", PERF_HARDWARE },
		{ "hardware-cache", PERF_HW_CACHE },
	};
	static const char *const words[] = { "on", "off", "type" };
	struct perf_parse p = { .cfg = cfg, .at = scan->at, .why = why,
	    .like = like };
	int n;

	if (word_is(what, "cores"))
		return parse_cores(cfg, scan, why);
	if (word_is(what, "event-list"))
		return parse_event_list(cfg, scan, why);
	if (word_is(what, "dispatch")) {
		if ((n = perf_switch_choice(scan, what, words, 3, why)) < 0)
			return n;
		cfg->dispatch = n == 0 ? DISPATCH_ON : n == 1 ? DISPATCH_OFF :
		    DISPATCH_TYPE;
		return 0;
	}
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!word_is(what, kinds[i].word))
			continue;
		if ((n = perf_switch_choice(scan, what, words, 2, why)) < 0)
			return n;
		return n == 0 ? add_names(&p, kinds[i].type) : 0;
	}
	return -ENOENT;
}
