/*
 * tests/test_spr_formulas.c - Intel's formulas for Sapphire Rapids against an
 * evaluation of their own: each whose events can be sampled is worked out here from
 * the lines of a dump of the simulated node, and is what tally says.  Nothing of
 * tally's is used for that: neither its reader, nor its deltas, nor its formulas.
 */
#include "tests/test.h"

#include "config/lists/eventlist.h"
#include "config/texts.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_EVENTS 80
#define SAMPLES 3

/* A row of the list: name, unit, levels, base, formula, events, constants. */
struct formula {
	char *cell[7];
	char *event[32];        /* its name, after letter[i] */
	char *letter[32];
	unsigned nevent;
	bool done;
};

/* What one run counts. */
struct batch {
	const struct listed_event *event[MAX_EVENTS];
	char *name[MAX_EVENTS];
	uint64_t count[MAX_EVENTS];     /* in SAMPLES - 1 seconds, of the node */
	unsigned n;
};

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

static unsigned
load(struct formula *f, unsigned most)
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
		split(f[n].cell[5], ';', f[n].letter, 32, &f[n].nevent);
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

/* ---- which events fit on the counters together ---- */

static bool
fits(const unsigned *mask, unsigned n, unsigned used)
{
	if (n == 0)
		return true;
	for (unsigned c = 0; c < 8; c++)
		if ((mask[n - 1] & ~used) >> c & 1 &&
		    fits(mask, n - 1, used | 1u << c))
			return true;
	return false;
}

static bool
has(const struct batch *b, const struct listed_event *e)
{
	for (unsigned i = 0; i < b->n; i++)
		if (b->event[i] == e)
			return true;
	return false;
}

/* With e as well? */
static bool
fits_too(const struct batch *b, const struct listed_event *e)
{
	unsigned mask[MAX_EVENTS + 1], n = 0;

	if (e->fixed >= 0)
		return true;
	for (unsigned i = 0; i < b->n; i++) {
		if (b->event[i]->type != e->type || b->event[i]->fixed >= 0)
			continue;
		/* registers beside the counters: one event each */
		if ((b->event[i]->filters != 0 && e->filters != 0) ||
		    b->event[i]->alone || e->alone)
			return false;
		mask[n++] = b->event[i]->counters;
	}
	mask[n++] = e->counters;
	return fits(mask, n, 0);
}

static bool
add_formula(struct batch *b, const struct formula *f,
    const struct eventlist *list)
{
	unsigned was = b->n;

	for (unsigned i = 0; i < f->nevent; i++) {
		const struct listed_event *e = eventlist_find(list,
		    f->event[i]);

		if (e == NULL || e->type == NULL ||
		    strcasecmp(e->name, f->event[i]) != 0 ||
		    (!has(b, e) && (b->n == MAX_EVENTS || !fits_too(b, e)))) {
			b->n = was;
			return false;
		}
		if (has(b, e))
			continue;
		b->event[b->n] = e;
		b->name[b->n++] = f->event[i];
	}
	return f->nevent > 0;
}

/* ---- a run ---- */

/* So that no two count alike, and all less than the cores' clocks. */
static unsigned
rate_of(const char *name)
{
	unsigned h = 5381;

	while (*name != '\0')
		h = h * 33 ^ (unsigned char)*name++;
	return 500 + h % 4000;
}

static void
run(const struct batch *b, const char *dir)
{
	const struct text *t = text_named("@spr-9480-2s", TEXT_MACHINE);
	char lists[3][512], tallyd[512], path[128], *command = NULL;
	FILE *f;

	snprintf(path, sizeof(path), "%s/machine", dir);
	f = fopen(path, "w");
	fwrite(t->data, 1, (size_t)(t->end - t->data), f);
	fprintf(f, "cores 2 ids=0-1\n");
	for (unsigned i = 0; i < b->n; i++) {
		const struct listed_event *e = b->event[i];

		if (e->fixed >= 0)
			continue;
		fprintf(f, "event ");
		for (const char *p = e->type->name; *p != '\0'; p++)
			fputc(tolower((unsigned char)*p), f);
		fprintf(f, " 0x%" PRIx64, e->ctl & ~e->type->enable);
		for (unsigned k = 0; e->type->scope == SCOPE_LPROC && k <
		    MAX_FILTERS; k++)
			if (e->filters >> k & 1)
				fprintf(f, " %s=0x%" PRIx64, k < 2 ?
				    k == 0 ? "offcore0" : "offcore1" : k == 2 ?
				    "frontend" : "ldlat", e->filter[k]);
		fprintf(f, " all=%u step=3 pkgstep=5\n", rate_of(b->name[i]));
	}
	fclose(f);
	snprintf(path, sizeof(path), "%s/conf", dir);
	f = fopen(path, "w");
	for (unsigned i = 0; i < b->n; i++)
		fprintf(f, "event %s\n", b->name[i]);
	fclose(f);
	assert_true(asprintf(&command, "%s -q --sim %s/machine --virtual-time "
	    "--event-list %s --event-list %s --event-list %s -c %s/conf -n %u "
	    "-o %s/dump --overwrite 2>%s/said", built("tallyd", tallyd), dir,
	    perfmon("SPR/events/sapphirerapids_core.json", lists[0]),
	    perfmon("SPR/events/sapphirerapids_uncore.json", lists[1]),
	    perfmon("SPR/events/sapphirerapids_uncore_experimental.json",
	    lists[2]), dir, SAMPLES, dir, dir) > 0);
	if (system(command) != 0) {
		snprintf(path, sizeof(path), "%s/said", dir);
		fail_msg("%s\n%s", command, file_text(path, NULL));
	}
	free(command);
}

/* ---- the dump: lines FAMILY[..]["EVENT"][SAMPLE] = VALUE ---- */

/* Of all columns of an event together: what they counted is less than 2^48, so it
 * is right whichever of them wrapped. */
static void
add_up(struct batch *b, const char *dir)
{
	char path[128], event[256];
	uint64_t value;
	char *line = NULL;
	size_t room = 0;
	unsigned sample;
	FILE *f;

	snprintf(path, sizeof(path), "%s/dump", dir);
	f = fopen(path, "r");
	assert_non_null(f);
	memset(b->count, 0, sizeof(b->count));
	while (getline(&line, &room, f) > 0) {
		const char *at = strstr(line, "[\"");

		if (at == NULL || strstr(line, "_counts[") == NULL ||
		    sscanf(at, "[\"%255[^\"]\"][%u] = %" SCNu64, event,
		    &sample, &value) != 3)
			continue;
		for (unsigned i = 0; i < b->n; i++)
			if (strcmp(event, b->name[i]) == 0)
				b->count[i] += sample == SAMPLES - 1 ? value :
				    sample == 0 ? -value : 0;
	}
	for (unsigned i = 0; i < b->n; i++)
		b->count[i] &= 0xffffffffffff;
	free(line);
	fclose(f);
}

/* ---- formulas ---- */

struct reader {
	const char *p;
	const struct formula *f;
	const struct batch *b;
	bool unknown;           /* a name that is worth nothing here */
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

/* What the list calls constants, of this node: 2 packages, 2 x 2 lprocs. */
static double
constant(struct reader *r, const char *name)
{
	static const struct { const char *name; double value; } known[] = {
		{ "SYSTEM_TSC_FREQ", 1.9e9 }, { "SOCKET_COUNT", 2 },
		{ "CHAS_PER_SOCKET", 56 }, { "DURATIONTIMEINSECONDS",
		  SAMPLES - 1 }, { "DURATIONTIMEINMILLISECONDS",
		  1e3 * (SAMPLES - 1) }, { "THREADS_PER_CORE", 2 },
		{ "HYPERTHREADING_ON", 1 },
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
		return 1.9e9 * (SAMPLES - 1);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i].name) == n &&
		    strncmp(known[i].name, name, n) == 0)
			return known[i].value;
	r->unknown = true;
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
	for (unsigned i = 0; i < r->f->nevent; i++) {
		if (strcmp(r->f->letter[i], name) != 0)
			continue;
		for (unsigned k = 0; k < r->b->n; k++)
			if (strcasecmp(r->b->name[k], r->f->event[i]) == 0)
				return (double)r->b->count[k];
	}
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

/* ---- what tally says of the node ---- */

static double
told(const char *csv, const char *metric)
{
	char row[160];
	const char *at;

	snprintf(row, sizeof(row), "\nspr-9480,%s,node,,", metric);
	at = strstr(csv, row);
	return at != NULL ? strtod(at + strlen(row), NULL) : NAN;
}

static unsigned
compare(const struct batch *b, struct formula *const *of, unsigned n,
    const char *dir)
{
	char tally[512], list[512], path[128], *command = NULL, *csv;
	unsigned same = 0;

	assert_true(asprintf(&command, "%s metrics -M %s -S node -f csv "
	    "%s/dump -o %s/csv --overwrite", built("tally", tally),
	    perfmon("SPR/metrics/sapphirerapids_metrics.json", list), dir,
	    dir) > 0);
	assert_int_equal(system(command), 0);
	free(command);
	snprintf(path, sizeof(path), "%s/csv", dir);
	csv = file_text(path, NULL);
	for (unsigned i = 0; i < n; i++) {
		struct reader r = { of[i]->cell[4], of[i], b, false };
		double v = choice(&r), w = told(csv, of[i]->cell[0]);

		blanks(&r);
		assert_int_equal(*r.p, '\0');
		if (r.unknown || !isfinite(v))
			continue;
		/* four places are printed */
		if (!(fabs(v - w) <= 0.51e-4 + 1e-6 * fabs(v)))
			fail_msg("%s is %.9g by its formula %s, and %.9g by "
			    "tally", of[i]->cell[0], v, of[i]->cell[4], w);
		same += fabs(v) >= 0.01;
	}
	free(csv);
	return same;
}

static void
formulas_whose_events_are_sampled_have_their_own_value(void **state)
{
	static struct formula f[400];
	struct eventlist *list = lists_of("spr", (const char *[]){
	    "SPR/events/sapphirerapids_core.json",
	    "SPR/events/sapphirerapids_uncore.json",
	    "SPR/events/sapphirerapids_uncore_experimental.json", NULL });
	unsigned n = load(f, 400), same = 0, runs = 0, in;
	char *dir = tree_new();

	(void)state;
	assert_int_equal(n, 308);
	do {
		struct batch b = { .n = 0 };
		struct formula *of[400];

		in = 0;
		for (unsigned i = 0; i < n; i++)
			if (!f[i].done && add_formula(&b, &f[i], list)) {
				f[i].done = true;
				of[in++] = &f[i];
			}
		if (in == 0)
			break;
		run(&b, dir);
		add_up(&b, dir);
		same += compare(&b, of, in, dir);
		runs++;
	} while (runs < 100);
	print_message("%u formulas in %u runs\n", same, runs);
	/* of the others one event cannot be sampled (shares of PERF_METRICS,
	 * variants of an event), they need more counters than there are, or are
	 * too small to tell */
	assert_true(same >= 175);
	eventlist_free(list);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    formulas_whose_events_are_sampled_have_their_own_value),
	};

	return cmocka_run_group_tests_name("SPR formulas", tests, NULL, NULL);
}
