/*
 * tests/lib/formula.c - formulas of Intel's lists of metrics, worked out on their own.
 */
#include "tests/lib/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/files.h"

/* ---- the list ---- */

static void
split(char *text, char sep, char **out, unsigned most, unsigned *n)
{
	for (*n = 0; *n < most && text != NULL; (*n)++) {
		out[*n] = text;
		if ((text = strchr(text, sep)) != NULL)
			*text++ = '\0';
	}
}

unsigned
formulas_load(struct formula *f, unsigned most)
{
	FILE *in = fopen("tests/data/perfmon/SPR/metrics/"
	    "sapphirerapids_metrics.tsv", "r");
	char *line = NULL;
	size_t room = 0;
	unsigned n = 0, k;

	if (in == NULL)
		fail_msg("no list: run from the top directory");
	assert_true(getline(&line, &room, in) > 0);
	for (; n < most && getline(&line, &room, in) > 0; n++) {
		line[strcspn(line, "\n")] = '\0';
		memset(&f[n], 0, sizeof(f[n]));
		split(strdup(line), '\t', f[n].cell, 7, &k);
		if (k < 6 || f[n].cell[5][0] == '\0')
			continue;
		split(f[n].cell[5], ';', f[n].letter, FORMULA_EVENTS,
		    &f[n].nevent);
		assert_true(f[n].nevent < FORMULA_EVENTS);
		for (unsigned i = 0; i < f[n].nevent; i++) {
			f[n].event[i] = strchr(f[n].letter[i], '=');
			assert_non_null(f[n].event[i]);
			*f[n].event[i]++ = '\0';
		}
	}
	free(line);
	fclose(in);
	return n;
}

/* ---- formulas ---- */

struct reader {
	const char *p;
	const struct formula *f;
	const struct measured *m;
};

static double choice(struct reader *);

static void
blanks(struct reader *r)
{
	while (*r->p == ' ')
		r->p++;
}

static bool
took(struct reader *r, const char *what)
{
	size_t n = strlen(what);

	blanks(r);
	if (strncmp(r->p, what, n) != 0 ||
	    (isalpha((unsigned char)*what) && (isalnum((unsigned char)r->p[n]) ||
	    r->p[n] == '_')))
		return false;
	r->p += n;
	return true;
}

/* What the list calls constants. */
static double
constant(struct reader *r, const char *name)
{
	const struct { const char *name; double value; } known[] = {
		{ "SYSTEM_TSC_FREQ", r->m->tsc_hz },
		{ "SOCKET_COUNT", r->m->packages },
		{ "CHAS_PER_SOCKET", r->m->boxes },
		{ "DURATIONTIMEINSECONDS", r->m->seconds },
		{ "DURATIONTIMEINMILLISECONDS", 1e3 * r->m->seconds },
		{ "THREADS_PER_CORE", 2 }, { "HYPERTHREADING_ON", 1 },
		{ "system.sockets[0].cpus.count * system.socket_count",
		  r->m->lprocs },
	};
	char key[80];
	const char *at;
	size_t n;

	snprintf(key, sizeof(key), "%s=", name);
	at = r->f->cell[6] != NULL ? strstr(r->f->cell[6], key) : NULL;
	if (at != NULL && (at == r->f->cell[6] || at[-1] == ';'))
		name = at + strlen(key);
	n = strcspn(name, ";");
	if (isdigit((unsigned char)*name))
		return strtod(name, NULL);
	/* formulas of the top-down sheet divide it by the time: what it counted */
	if (n == 15 && strncmp(name, "SYSTEM_TSC_FREQ", n) == 0 &&
	    r->f->cell[3][0] != '\0')
		return r->m->tsc_hz * r->m->seconds;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i].name) == n &&
		    strncmp(known[i].name, name, n) == 0)
			return known[i].value;
	return NAN;
}

static double
named(struct reader *r)
{
	char name[64];
	size_t n = strspn(r->p, "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");

	assert_true(n > 0 && n < sizeof(name));
	snprintf(name, sizeof(name), "%.*s", (int)n, r->p);
	r->p += n;
	for (unsigned i = 0; i < r->f->nevent; i++)
		if (strcmp(r->f->letter[i], name) == 0)
			return r->m->count(r->m, r->f->event[i]);
	return constant(r, name);
}

static double
primary(struct reader *r)
{
	bool least = took(r, "min"), most = !least && took(r, "max");
	char *end;
	double v;

	if (least || most || took(r, "(")) {
		if (least || most)
			assert_true(took(r, "("));
		for (v = choice(r); took(r, ",");) {
			double w = choice(r);

			v = least ? fmin(v, w) : fmax(v, w);
		}
		assert_true(took(r, ")"));
		return v;
	}
	blanks(r);
	if (took(r, "-"))
		return -primary(r);
	if (!isdigit((unsigned char)*r->p))
		return named(r);
	v = strtod(r->p, &end);
	r->p = end;
	return v;
}

static double
product(struct reader *r)
{
	double v = primary(r);

	for (;;)
		if (took(r, "*"))
			v *= primary(r);
		else if (took(r, "/"))
			v /= primary(r);
		else
			return v;
}

static double
sum(struct reader *r)
{
	double v = product(r);

	for (;;)
		if (took(r, "+"))
			v += product(r);
		else if (took(r, "-"))
			v -= product(r);
		else
			return v;
}

static double
compared(struct reader *r)
{
	double v = sum(r);

	if (took(r, "<"))
		return v < sum(r);
	return took(r, ">") ? v > sum(r) : v;
}

/* choice = compared [ "if" compared "else" choice ] */
static double
choice(struct reader *r)
{
	double v = compared(r), c, w;

	if (!took(r, "if"))
		return v;
	c = compared(r);
	assert_true(took(r, "else"));
	w = choice(r);
	return c != 0 ? v : w;
}

double
formula_value(const struct formula *f, const struct measured *m)
{
	struct reader r = { f->cell[4], f, m };
	double v = choice(&r);

	blanks(&r);
	assert_int_equal(*r.p, '\0');
	return isfinite(v) ? v : NAN;
}
