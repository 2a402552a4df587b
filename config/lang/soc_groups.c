/*
 * config/lang/soc_groups.c - groups of SoC events.
 */
#include "config/lang/site.h"

#include <errno.h>
#include <string.h>

#include "config/suggest.h"
#include "config/texts.h"
#include "regs/sideband.h"

#define MAX_GROUPS 64

struct groups {
	struct soc_groups *groups;
	struct arena *arena;
	struct scan scan;
	struct diag *why;
};

const struct soc_group *
soc_group_find(const struct soc_groups *groups, struct word w)
{
	for (unsigned i = 0; groups != NULL && i < groups->n; i++) {
		const struct soc_group *g = &groups->group[i];

		if (word_is(w, g->name))
			return g;
		for (unsigned k = 0; k < g->nalias; k++)
			if (word_is(w, g->alias[k]))
				return g;
	}
	return NULL;
}

static int
soc_groups_wrong(const struct groups *p, const char *what, struct word w)
{
	return diag_place(p->why, p->scan.at, what, WORD_ARG(w));
}

/* Append the words of the line to list, which has room for `room`. */
static int
parse_names(struct groups *p, const char **list, unsigned *n, unsigned room,
    bool groups)
{
	struct word w;

	while (scan_word(&p->scan, &w)) {
		if (*n == room)
			return soc_groups_wrong(p,
			    "\"%.*s\" is one name too many", w);
		if (groups && soc_group_find(p->groups, w) != NULL)
			return soc_groups_wrong(p,
			    "there is a group \"%.*s\" already", w);
		if (memchr(w.s, '"', w.n) != NULL ||
		    memchr(w.s, '\\', w.n) != NULL || w.n > 64)
			return soc_groups_wrong(p, "\"%.*s\" is no name", w);
		for (unsigned i = 0; i < *n; i++)
			if (word_is(w, list[i]))
				return soc_groups_wrong(p,
				    "\"%.*s\" stands here twice", w);
		if ((list[*n] = arena_strndup(p->arena, w.s, w.n)) == NULL)
			return -ENOMEM;
		(*n)++;
	}
	return *n > 0 ? 0 : diag_place(p->why, p->scan.at,
	    "the name is missing");
}

static int
soc_groups_parse_group(struct groups *p)
{
	const char *name;
	unsigned n = 0;
	int rc = parse_names(p, &name, &n, 1, true);

	if (rc < 0)
		return rc;
	if (p->groups->n == MAX_GROUPS)
		return diag_place(p->why, p->scan.at,
		    "more groups than there is room for");
	p->groups->group[p->groups->n++] = (struct soc_group){ .name = name,
	    .clock = -1, .line = p->scan.at.line };
	return 0;
}

/* note = the rest of the line */
static int
parse_note(struct groups *p, struct soc_group *g)
{
	struct word w;

	if (!scan_rest(&p->scan, &w) || g->nnote == SOC_NOTES)
		return diag_place(p->why, p->scan.at,
		    "no note, or one too many");
	g->note[g->nnote] = arena_strndup(p->arena, w.s, w.n);
	return g->note[g->nnote++] != NULL ? 0 : -ENOMEM;
}

static int
parse_clock(struct groups *p, struct soc_group *g)
{
	struct word w = { "", 0 };
	uint64_t n;
	int rc;

	scan_word(&p->scan, &w);
	if ((rc = scan_number(w, "counter of the clock", SOC_COUNTERS - 1, &n,
	    p->scan.at, p->why)) < 0)
		return rc;
	if (n >= g->nevent)
		return soc_groups_wrong(p,
		    "the group has no counter %.*s; its counters "
		    "come before its clock", w);
	g->clock = (int)n;
	return scan_end(&p->scan, p->why);
}

static int
soc_groups_parse_line(struct groups *p)
{
	struct soc_group *g = p->groups->n > 0 ?
	    &p->groups->group[p->groups->n - 1] : NULL;
	struct word w;

	scan_word(&p->scan, &w);        /* scan_line has seen to it */
	if (word_is(w, "group"))
		return soc_groups_parse_group(p);
	if (g == NULL)
		return soc_groups_wrong(p, "\"%.*s\" before the first group",
		    w);
	if (word_is(w, "alias"))
		return parse_names(p, g->alias, &g->nalias, SOC_ALIASES, true);
	if (word_is(w, "counters"))
		return parse_names(p, g->event, &g->nevent, SOC_COUNTERS,
		    false);
	if (word_is(w, "clock"))
		return parse_clock(p, g);
	if (word_is(w, "note"))
		return parse_note(p, g);
	return soc_groups_wrong(p,
	    "unknown word \"%.*s\"; right would be group, alias, "
	    "counters, clock or note", w);
}

int
soc_groups_parse(struct soc_groups *groups, struct arena *arena,
    const char *file, const char *text, size_t size, struct diag *why)
{
	struct groups p = { .groups = groups, .arena = arena, .why = why };
	int rc;

	groups->n = 0;
	groups->group = arena_alloc(arena, MAX_GROUPS * sizeof(groups->group[0]));
	if (groups->group == NULL)
		return -ENOMEM;
	scan_init(&p.scan, file, text, size);
	while ((rc = scan_line(&p.scan, why)) > 0)
		if ((rc = soc_groups_parse_line(&p)) < 0)
			return rc;
	for (unsigned i = 0; rc == 0 && i < groups->n; i++)
		if (groups->group[i].nevent == 0)
			return diag_at(why, file, groups->group[i].line,
			    "%s has no counters", groups->group[i].name);
	return rc;
}

/* ---- the `soc` statement -------------------------------------------------- */

int
config_groups(struct config *cfg, struct diag *why)
{
	const char *name = cfg->model->soc->groups;
	const struct text *t = text_named(name, TEXT_GROUPS);
	int rc;

	if (cfg->groups != NULL)
		return 0;
	if (t == NULL)
		return diag_set(why, -ENOENT, "%s is not built in", name);
	cfg->groups = arena_alloc(cfg->arena, sizeof(*cfg->groups));
	if (cfg->groups == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	rc = soc_groups_parse(cfg->groups, cfg->arena, name, t->data,
	    (size_t)(t->end - t->data), why);
	return rc == -ENOMEM ? diag_set(why, rc, "out of memory") : rc;
}

/* Another SoC group that needs the counters in the same set; or NULL.  The
 * statements before the first `set` belong to every set. */
static const struct want *
other_group(const struct config *cfg, unsigned set)
{
	for (unsigned i = 0; i < cfg->nwant; i++)
		if (cfg->want[i].kind == WANT_SOC && (cfg->want[i].set == set ||
		    cfg->want[i].set == 0 || set == 0))
			return &cfg->want[i];
	return NULL;
}

int
soc_parse(struct config *cfg, struct scan *scan, const struct want *like,
    struct diag *why)
{
	struct want want = *like;
	struct place at = scan->at;
	const struct want *other;
	char names[1024] = "";
	struct word w;
	int rc;

	if ((rc = config_groups(cfg, why)) < 0)
		return rc;
	if (!scan_word(scan, &w))
		w = (struct word){ "", 0 };
	want.group = soc_group_find(cfg->groups, w);
	if (want.group == NULL) {
		for (unsigned i = 0; i < cfg->groups->n; i++)
			choices_add(names, sizeof(names),
			    cfg->groups->group[i].name);
		return diag_place(why, at, "there is no group \"%.*s\" of SoC "
		    "events; there are %s", WORD_ARG(w), names);
	}
	if ((rc = scan_end(scan, why)) < 0)
		return rc;
	want.type = model_box(cfg->model, "SOC");
	want.name = want.group->name;
	if ((other = other_group(cfg, want.set)) != NULL)
		return diag_place(why, at, "%s and %s (%s:%u) at once: there "
		    "is one set of eight counters and one mux network.  Put "
		    "`set NAME` before each, and they take turns", want.name,
		    other->name, other->file, other->line);
	return config_add(cfg, &want, why);
}
