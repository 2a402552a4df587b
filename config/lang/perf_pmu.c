/*
 * config/lang/perf_pmu.c - add events in the notation of perf and collectd; parse those
 * that are written as a PMU and its terms: pmu/event=0x35,umask=1/.
 */
#include "config/lang/statements.h"

#include "config/encode.h"
#include "config/lang/terms.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The box type that a PMU's name is for; or NULL.  inst: out, the number at the end of
 * the name, or -1. */
static const struct box_type *
type_of_pmu(const struct model *m, const char *pmu, int *inst)
{
	char base[64], name[64];
	size_t n = strlen(pmu);

	*inst = -1;
	snprintf(base, sizeof(base), "%s", pmu);
	if (m->core != NULL && pmu_is_core(pmu))
		return m->core;
	while (n > 0 && n < sizeof(base) && isdigit((unsigned char)base[n - 1]))
		n--;
	if (n > 1 && n < strlen(base) && base[n - 1] == '_') {
		*inst = atoi(base + n);
		base[n - 1] = '\0';
	}
	for (const struct box_type *t = m->box; t->name != NULL; t++) {
		box_pmu(t, name, sizeof(name));
		if (strcmp(base, name) == 0 || (strncmp(name, "uncore_", 7) ==
		    0 && strcmp(base, name + 7) == 0))
			return t;
	}
	return NULL;
}

/* Is it a term that perf puts unchanged into config1 of a core event? */
static bool
is_config1(struct word key)
{
	return word_is(key, "config1") || word_is(key, "offcore_rsp") ||
	    word_is(key, "ldlat");
}

/* Write the fields of an event in the box type's list to buf.  False: it has no event of
 * that name, or one that counts something else than its name says. */
static bool
put_named(const struct box_type *type, struct word name, char *buf,
    size_t size)
{
	const struct event_name *e;
	char text[64];

	snprintf(text, sizeof(text), "%.*s", WORD_ARG(name));
	if ((e = event_named(type, text)) == NULL || e->misleads != NULL)
		return false;
	event_terms(type, e, buf, size);
	return true;
}

/* Write a term to buf in the notation of count_parse.  A term without a value (NULL) is
 * 1; event=NAME and a NAME alone become the fields that the type's list has for it.
 * event: out, this term selects the event.  False: it is neither a field nor an event
 * of the type. */
static bool
perf_pmu_put_term(const struct box_type *type, struct word key,
    const struct word *value, bool *event, char *buf, size_t size)
{
	char field[32];

	if (key.n == 0)
		return false;
	snprintf(field, sizeof(field), "%.*s", WORD_ARG(key));
	*event = word_is(key, "event");
	if (*event && value != NULL && value->n > 0 && type->event != NULL &&
	    !isdigit((unsigned char)value->s[0]))
		return put_named(type, *value, buf, size);
	if (key.n < sizeof(field) && (field_named(type->field, field) != NULL ||
	    filter_named(type, key) >= 0)) {
		snprintf(buf, size, "%s=%.*s", field, value != NULL ?
		    (int)value->n : 1, value != NULL ? value->s : "1");
		return true;
	}
	/* for types that only the kernel counts, sysfs has the names */
	*event = true;
	return value == NULL && type->space != REG_PERF &&
	    put_named(type, key, buf, size);
}

/* If all terms are fields of the model's table, and one of them selects the event, write
 * them to buf in the notation of count_parse, without name=, and return true.
 * config1: set if a term is the value of a filter or of another register. */
static bool
plain_terms(const struct box_type *type, struct word terms, char *buf,
    size_t size, bool *config1)
{
	bool event = false;
	size_t n = 0;

	buf[0] = '\0';
	while (terms.n > 0) {
		struct word one, key;
		bool pair, is_event = false;
		char text[MAX_EVENT];

		word_cut(&terms, ',', &one);
		pair = word_cut(&one, '=', &key);
		if (pair && word_is(key, "name"))
			continue;
		if (type->filter[0].name != NULL && is_config1(key)) {
			snprintf(text, sizeof(text), "config1=%.*s", pair ?
			    (int)one.n : 1, pair ? one.s : "1");
			*config1 = true;
		} else if (!perf_pmu_put_term(type, key, pair ? &one : NULL,
		    &is_event, text, sizeof(text)))
			return false;
		event |= is_event;
		n += (size_t)snprintf(buf + n, size - n, "%s%s",
		    n > 0 ? "," : "", text);
		if (n >= size)
			return false;
	}
	return event;
}

/* Refuse an event that sysfs has by this name, but of which the model's table says that
 * it counts something else. */
static int
check_misleading(const struct perf_parse *p, const struct box_type *type,
    struct word terms)
{
	struct word one, key;
	bool more = type != NULL;

	while (more) {
		const struct event_name *e;
		char name[64];

		more = word_cut(&terms, ',', &one);
		if (!word_cut(&one, '=', &key))
			one = key;
		else if (!word_is(key, "event"))
			continue;
		snprintf(name, sizeof(name), "%.*s", WORD_ARG(one));
		if ((e = event_named(type, name)) != NULL &&
		    e->misleads != NULL)
			return diag_place(p->why, p->at, "%s is not offered: "
			    "%s", e->name, e->misleads);
	}
	return 0;
}

/* software/cpu-clock/: the kernel knows these by name, sysfs by number alone. */
static const struct perf_name *
named_by(struct word terms)
{
	const struct perf_name *n;
	char name[64];

	if (terms.n >= sizeof(name))
		return NULL;
	memcpy(name, terms.s, terms.n);
	name[terms.n] = '\0';
	n = perf_named(name);
	return n != NULL && n->type == PERF_SOFTWARE ? n : NULL;
}

/* pmu = NAME "/" terms "/" */
int
parse_pmu(struct perf_parse *p, struct word w)
{
	struct word terms = w, pmu, name;
	const struct perf_name *named;
	struct perf_want pw = { .known = false };
	const struct box_type *type;
	char encoding[MAX_EVENT];
	bool config1 = false;
	int inst, rc;

	word_cut(&terms, '/', &pmu);
	if (pmu.n == 0 || terms.n == 0 || terms.s[terms.n - 1] != '/')
		return diag_place(p->why, p->at, "\"%.*s\" is no event; perf's "
		    "way to write one is PMU/TERM=NUMBER,.../", WORD_ARG(w));
	terms.n--;
	if (memchr(terms.s, '/', terms.n) != NULL)
		return diag_place(p->why, p->at, "\"%.*s\" has a / too many",
		    WORD_ARG(w));
	if (word_is(pmu, "software") && (named = named_by(terms)) != NULL)
		return parse_named(p, named, "");
	name = terms_name(terms);
	if (name.n == 0)
		name = terms.n > 0 && memchr(terms.s, '=', terms.n) == NULL &&
		    memchr(terms.s, ',', terms.n) == NULL ? terms : w;
	if ((rc = parse_name(p, name)) < 0)
		return rc;
	pw.pmu = arena_strndup(p->cfg->arena, pmu.s, pmu.n);
	pw.terms = arena_strndup(p->cfg->arena, terms.s, terms.n);
	if (pw.pmu == NULL || pw.terms == NULL)
		return -ENOMEM;
	type = type_of_pmu(p->cfg->model, pw.pmu, &inst);
	if (type != NULL && plain_terms(type, terms, encoding,
	    sizeof(encoding), &config1)) {
		rc = parse_count(p, type, inst, name, (struct word){ encoding,
		    strlen(encoding) }, &pw);
		/* the kernel may accept what our table has no register for */
		if (rc != -EINVAL || !config1)
			return rc;
	}
	if ((rc = check_misleading(p, type, terms)) < 0)
		return rc;
	pw.type = type;
	return parse_kernel(p, &pw, name);
}

/* ---- adding -------------------------------------------------------------- */

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
	return diag_place(p->why, p->at, "\"%.*s\" cannot be the name of an "
	    "event: up to 120 letters, digits and ._:-=,/ are fine (name=TEXT "
	    "gives another)", WORD_ARG(name));
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
	if (core->kernel.generic != NULL) {
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
