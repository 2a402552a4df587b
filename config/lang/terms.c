/*
 * config/lang/terms.c - encode the terms of an event in perf's notation.
 */
#include "config/lang/terms.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "config/suggest.h"
#include "regs/model.h"

#define MAX_NAME 64

struct encoding {
	const struct pmu *pmu;
	struct access *acc;
	struct place at;
	struct diag *why;
	struct perf_attr *attr;
	struct word all;                /* the terms that the user gave */
};

struct word
terms_name(struct word terms)
{
	struct word one, key;

	while (terms.n > 0) {
		word_cut(&terms, ',', &one);
		if (word_cut(&one, '=', &key) && word_is(key, "name"))
			return one;
	}
	return (struct word){ "", 0 };
}

/* Is a term of this name with a value among the user's? */
static bool
given(const struct encoding *e, struct word name)
{
	struct word terms = e->all, one, key;

	while (terms.n > 0) {
		word_cut(&terms, ',', &one);
		if (word_cut(&one, '=', &key) && key.n == name.n &&
		    memcmp(key.s, name.s, key.n) == 0)
			return true;
	}
	return false;
}

static bool
terms_copy(struct word w, char *buf)
{
	if (w.n == 0 || w.n >= MAX_NAME || memchr(w.s, '/', w.n) != NULL ||
	    w.s[0] == '.')
		return false;
	memcpy(buf, w.s, w.n);
	buf[w.n] = '\0';
	return true;
}

static void
try_near(void *ctx, const char *name)
{
	const char *dot = strrchr(name, '.');

	if (dot == NULL || (strcmp(dot, ".scale") != 0 &&
	    strcmp(dot, ".unit") != 0 && strcmp(dot, ".snapshot") != 0 &&
	    strcmp(dot, ".per-pkg") != 0))
		near_try(ctx, name);
}

/* The event of that name in the model's table; or NULL. */
static const struct event_name *
in_table(const struct encoding *e, struct word name)
{
	char key[MAX_NAME];

	return e->pmu->box != NULL && terms_copy(name, key) ?
	    event_named(e->pmu->box, key) : NULL;
}

static int
terms_unknown(const struct encoding *e, struct word name)
{
	char wanted[MAX_NAME], path[256], have[512] = "";
	struct near near;

	if (!terms_copy(name, wanted))
		return diag_place(e->why, e->at, "\"%.*s\" is no term of PMU "
		    "%s", WORD_ARG(name), e->pmu->name);
	near_init(&near, wanted);
	for (unsigned i = 0; i < e->pmu->nformat; i++) {
		try_near(&near, e->pmu->format[i].name);
		choices_add(have, sizeof(have), e->pmu->format[i].name);
	}
	snprintf(path, sizeof(path), PMU_DIR "/%s/events", e->pmu->name);
	access_list(e->acc, path, try_near, &near);
	for (const struct event_name *ev = e->pmu->box != NULL ?
	    e->pmu->box->event : NULL; ev != NULL && ev->name != NULL; ev++)
		try_near(&near, ev->name);
	if (near.name != NULL)
		return diag_place(e->why, e->at, "PMU %s has no term or event "
		    "\"%s\"; did you mean %s?", e->pmu->name, wanted,
		    near.name);
	return diag_place(e->why, e->at, "PMU %s has no term or event \"%s\"; "
	    "its terms are %s", e->pmu->name, wanted, have[0] != '\0' ? have :
	    "none");
}

/* The format of a term.  Bits 7:6 of a PCU's umask in Intel's lists are another term,
 * occ_sel, of the kernel's PMU: reference perf-event 6.2. */
static const struct pmu_format *
format_of(const struct pmu *pmu, const char *name, uint64_t *value)
{
	const struct pmu_format *f = pmu_format_named(pmu, name);

	if (f != NULL || strcmp(name, "umask") != 0 || (*value & 0x3f) != 0)
		return f;
	if ((f = pmu_format_named(pmu, "occ_sel")) != NULL)
		*value >>= 6;
	return f;
}

/* Parse the value of a term; for event=NAME it is in the model's table. */
static int
terms_value_of(const struct encoding *e, struct word name, struct word value,
    uint64_t *v)
{
	const struct event_name *ev;

	if (!word_is(name, "event") || e->pmu->box == NULL ||
	    e->pmu->box->event == NULL || value.n == 0 ||
	    isdigit((unsigned char)value.s[0]))
		return scan_number(value, "value", UINT64_MAX, v, e->at,
		    e->why);
	if ((ev = in_table(e, value)) == NULL)
		return terms_unknown(e, value);
	*v = ev->event;
	return 0;
}

static int
put_term(const struct encoding *e, struct word name, struct word value,
    bool has_value)
{
	static const char *const words[] = { "config", "config1", "config2" };
	const struct pmu_format *f;
	char key[MAX_NAME], bits[80];
	uint64_t v = 1;
	int rc;

	if (has_value && (rc = terms_value_of(e, name, value, &v)) < 0)
		return rc;
	for (unsigned i = 0; i < 3; i++)
		if (word_is(name, words[i])) {
			e->attr->config[i] |= v;
			return 0;
		}
	if (!terms_copy(name, key) || (f = format_of(e->pmu, key, &v)) == NULL)
		return terms_unknown(e, name);
	if (pmu_put(f, v, e->attr) < 0)
		return diag_place(e->why, e->at, "%s 0x%" PRIx64 " is too "
		    "large for PMU %s, where it has bits %s of %s", key, v,
		    e->pmu->name, choices_bits(f->bits, bits, sizeof(bits)),
		    words[f->word]);
	return 0;
}

static int
put_terms(const struct encoding *e, struct word terms, bool named)
{
	struct word one, key;
	int rc;

	while (terms.n > 0) {
		bool pair;

		word_cut(&terms, ',', &one);
		pair = word_cut(&one, '=', &key);
		while (key.n > 0 && key.s[0] == ' ') {
			key.s++;
			key.n--;
		}
		if (key.n == 0)
			return diag_place(e->why, e->at, "a comma with nothing "
			    "beside it in \"%.*s\"", WORD_ARG(e->all));
		if (pair && word_is(key, "name"))
			continue;
		/* sysfs leaves a value to the user: "filter=?" */
		if (named && pair && word_is(one, "?")) {
			if (given(e, key))
				continue;
			return diag_place(e->why, e->at, "this event needs a "
			    "value for %.*s: %.*s=NUMBER", WORD_ARG(key),
			    WORD_ARG(key));
		}
		if ((rc = put_term(e, key, one, pair)) < 0)
			return rc;
	}
	return 0;
}

/* Look up a term without a value as an event, in sysfs, then in the model's table.  text:
 * out, its terms.  Returns 1, 0 if it is no event, or -errno. */
static int
named_event(const struct encoding *e, struct word name, char *text,
    size_t size, struct pmu_event *ev)
{
	const struct event_name *known = in_table(e, name);
	char key[MAX_NAME], path[256];
	size_t n;
	int rc;

	if (!terms_copy(name, key))
		return 0;
	n = (size_t)snprintf(path, sizeof(path), PMU_DIR "/%s/events/%s",
	    e->pmu->name, key);
	if ((rc = access_whole(e->acc, path, text, size)) == -E2BIG)
		return diag_place(e->why, e->at, "what the kernel says of %s "
		    "is longer than %zu characters (%s)", key, size - 1, path);
	if (rc <= 0 && known != NULL)
		event_terms(e->pmu->box, known, text, size);
	if (rc <= 0)
		return known != NULL;
	snprintf(path + n, sizeof(path) - n, ".scale");
	access_whole(e->acc, path, ev->scale, sizeof(ev->scale));
	snprintf(path + n, sizeof(path) - n, ".unit");
	access_whole(e->acc, path, ev->unit, sizeof(ev->unit));
	return 1;
}

int
terms_encode(const struct pmu *pmu, struct access *acc, struct word terms,
    struct place at, struct pmu_event *ev, struct diag *why)
{
	struct encoding e = { pmu, acc, at, why, &ev->attr, terms };
	struct word rest = terms, one, event = { "", 0 };
	char text[512], own[1024];
	size_t n = 0;
	int rc;

	memset(ev, 0, sizeof(*ev));
	ev->attr.type = pmu->type;
	/* the event first, then what changes it */
	while (rest.n > 0) {
		char key[MAX_NAME];

		word_cut(&rest, ',', &one);
		if (one.n == 0)
			return diag_place(why, at, "a comma with nothing "
			    "beside it in \"%.*s\"", WORD_ARG(terms));
		if (memchr(one.s, '=', one.n) == NULL && terms_copy(one, key) &&
		    pmu_format_named(pmu, key) == NULL && (rc =
		    named_event(&e, one, text, sizeof(text), ev)) != 0) {
			if (rc < 0)
				return rc;
			if (event.n > 0)
				return diag_place(why, at, "two events in one: "
				    "%.*s and %.*s", WORD_ARG(event),
				    WORD_ARG(one));
			event = one;
			if ((rc = put_terms(&e, (struct word){ text,
			    strlen(text) }, true)) < 0)
				return rc;
			continue;
		}
		if (n + one.n + 1 >= sizeof(own))
			return diag_place(why, at, "too many terms");
		if (n > 0)
			own[n++] = ',';
		memcpy(own + n, one.s, one.n);
		n += one.n;
	}
	return put_terms(&e, (struct word){ own, n }, false);
}
