/*
 * config/lang/perf_add.c - add wants for events in the notation of perf and collectd.
 */
#include "config/lang/perf_parse.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "config/lang/statements.h"
#include "config/encode.h"

/* Add a core event once for each group of lprocs, an event of a box once. */
static int
add_on_cores(struct perf_parse *p, struct want *want)
{
	const struct cores *cores = want->cores;
	bool by_lproc = want->type != NULL ? want->type->scope == SCOPE_LPROC :
	    want->perf->known || pmu_is_core(want->perf->pmu);
	int rc = 0;

	if (cores == NULL || !by_lproc)
		return config_add(p->cfg, want, p->why);
	want->cores = NULL;
	for (unsigned i = 0; i < cores->n && rc == 0; i++) {
		want->sum = cores->group[i].n > 1 ? &cores->group[i] : NULL;
		want->first = want->last = cores->group[i].lproc[0];
		rc = config_add(p->cfg, want, p->why);
	}
	return rc;
}

int
parse_kernel(struct perf_parse *p, const struct perf_want *pw, struct word name)
{
	struct want want = *p->like;
	struct perf_want *kept = arena_alloc(p->cfg->arena, sizeof(*kept));

	if (kept == NULL)
		return -ENOMEM;
	*kept = *pw;
	want.kind = WANT_PERF;
	want.type = NULL;
	want.perf = kept;
	want.together = p->together;
	want.name = arena_strndup(p->cfg->arena, name.s, name.n);
	return want.name != NULL ? add_on_cores(p, &want) : -ENOMEM;
}

int
parse_name(const struct perf_parse *p, struct word name)
{
	if (word_is_label(name, 120))
		return 0;
	return diag_at(p->why, p->at.file, p->at.line, "\"%.*s\" cannot be the "
	    "name of an event: up to 120 letters, digits and ._:-=,/ are fine "
	    "(name=TEXT gives another)", WORD_ARG(name));
}

int
parse_count(struct perf_parse *p, const struct box_type *type, int inst,
    struct word name, struct word encoding, const struct perf_want *pw)
{
	struct want want = *p->like;
	struct scan scan = { .at = p->at, .p = encoding.s,
	    .stop = encoding.s + encoding.n, .next = encoding.s + encoding.n,
	    .end = encoding.s + encoding.n };
	struct perf_want *kept;
	int rc;

	want.type = type;
	if ((rc = count_parse(p->cfg, &scan, name, &want, p->why)) < 0)
		return rc;
	want.together = p->together;
	/* a `single` type is numbered over all packages: which box it is
	 * depends on the node */
	if (inst >= 0 && !type->single)
		want.first = want.last = (uint32_t)inst;
	if (pw != NULL) {
		if ((kept = arena_alloc(p->cfg->arena, sizeof(*kept))) == NULL)
			return -ENOMEM;
		*kept = *pw;
		want.perf = kept;
	}
	return add_on_cores(p, &want);
}

/* Find the encoding of one of the kernel's event names for a core's registers; false:
 * only the kernel can count it. */
static bool
own_code(const struct box_type *core, const struct perf_name *n, char *buf,
    size_t size)
{
	const struct event_name *e;

	if (core == NULL || core->space != REG_MSR)
		return false;
	if (core->generic != NULL) {
		if ((e = event_generic(core, n->name)) == NULL)
			return false;
		snprintf(buf, size, "event=0x%x,umask=0x%x",
		    (unsigned)e->event, e->umask);
		return true;
	}
	snprintf(buf, size, "event=0x%x,umask=0x%x", n->intel & 0xffu,
	    (unsigned)n->intel >> 8);
	return n->intel != 0 && field_named(core->field, "umask") != NULL;
}

/* Add an event by one of the kernel's names.  If a core's registers can count it, it
 * becomes a core event, so that its column is the same for every method of access. */
int
parse_named(struct perf_parse *p, const struct perf_name *n, const char *tail)
{
	const struct box_type *core = p->cfg->model->core;
	struct perf_want pw = { .attr = { .type = n->type,
	    .config = { n->config } },
	    .known = true, .family = n->type == PERF_SOFTWARE ?
	    "software_counts" : "core_counts" };
	char code[48], text[MAX_EVENT + 40];
	struct word name = { text, (size_t)snprintf(text, sizeof(text),
	    "%s%s", n->name, tail) };

	if (!own_code(core, n, code, sizeof(code)))
		return parse_kernel(p, &pw, name);
	return parse_count(p, core, -1, name, (struct word){ code,
	    strlen(code) }, &pw);
}
