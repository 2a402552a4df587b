/*
 * tests/postproc/formula/test_spr_formulas.c - Intel's formulas for Sapphire Rapids against an
 * evaluation of their own: each whose events can be sampled is worked out here from
 * the lines of dumps of the simulated node, and is what tally says.  Nothing of
 * tally's is used for that: neither its reader, nor its deltas, nor its formulas.
 *
 * A formula whose events do not fit on the counters together is of event sets: its
 * events are counted all of the time in several runs, and what tally says of one
 * run, in which they take turns, is that.
 */
#include "tests/lib/rig.h"

#include "config/eventlist.h"
#include "config/texts.h"
#include "tests/lib/formula.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_EVENTS 96
#define SETS_OF_A_RUN 32
#define MAX_FORMULAS 400
#define SAMPLES 3

/* An event as a formula has it: UOPS_RETIRED.MS:c1. */
struct term {
	const struct listed_event *e;
	char name[100];
	uint64_t ctl;
	uint64_t filter[MAX_FILTERS];
	bool changed;           /* it is not as listed */
	bool read;              /* a register that every run reads, or a clock */
};

/* What one run counts, in sets if there are several. */
struct batch {
	struct term term[MAX_EVENTS];
	unsigned set[MAX_EVENTS];
	unsigned n, sets;
};

/* What was counted in a second, of the node; by how many columns. */
struct counted {
	char name[100];
	double rate;
	unsigned columns;
};

struct lab {
	struct eventlist *list;
	char *dir;
	unsigned salt;          /* of the rates */
	struct counted counted[800];
	unsigned n;
	double share[8];        /* bytes of PERF_METRICS */
};

/* ---- events ---- */

/* The n bits at bit `low` of *ctl. */
static void
put_bits(uint64_t *ctl, unsigned low, unsigned n, uint64_t value)
{
	uint64_t mask = ((1ull << n) - 1) << low;

	*ctl = (*ctl & ~mask) | (value << low & mask);
}

/* :c12 :e1 :SUP :USER :ocr_msr_val=0x..: counter mask, edge, kernel, user. */
static bool
change(struct term *t, const char *how)
{
	t->changed = true;
	if (how[0] == 'c' && isdigit((unsigned char)how[1]))
		put_bits(&t->ctl, 24, 8, strtoull(how + 1, NULL, 10));
	else if (strcmp(how, "e1") == 0)
		put_bits(&t->ctl, 18, 1, 1);
	else if (strcmp(how, "SUP") == 0)
		put_bits(&t->ctl, 16, 2, 2);
	else if (strcmp(how, "USER") == 0)
		put_bits(&t->ctl, 16, 2, 1);
	else if (strncmp(how, "ocr_msr_val=", 12) == 0)
		t->filter[0] = strtoull(how + 12, NULL, 16);
	else
		return false;
	return true;
}

/* The event that is counted: without what only says how it is added up. */
static const char *
counted_as(const char *name, char *buf, size_t size)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < 2; i++) {
		const char *end = i == 0 ? ":one_unit" : ":perf_metrics";

		if (n > strlen(end) && strcmp(name + n - strlen(end), end) == 0)
			n -= strlen(end);
	}
	snprintf(buf, size, "%.*s", (int)n, name);
	return buf;
}

static bool
term_of(const struct eventlist *list, const char *name, struct term *t)
{
	char plain[100], *rest;

	memset(t, 0, sizeof(*t));
	counted_as(name, t->name, sizeof(t->name));
	if (strncmp(name, "PERF_METRICS.", 13) == 0 ||
	    strncmp(name, "FREERUN_", 8) == 0 || strcmp(name, "TSC") == 0)
		return t->read = true;
	memcpy(plain, t->name, sizeof(plain));
	if ((rest = strchr(plain, ':')) != NULL)
		*rest++ = '\0';
	t->e = eventlist_find(list, plain);
	if (t->e == NULL || t->e->type == NULL ||
	    strcasecmp(t->e->name, plain) != 0)
		return false;
	t->ctl = t->e->ctl;
	memcpy(t->filter, t->e->filter, sizeof(t->filter));
	while (rest != NULL) {
		char *next = strchr(rest, ':');

		if (next != NULL)
			*next++ = '\0';
		if (!change(t, rest))
			return false;
		rest = next;
	}
	return true;
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
has(const struct batch *b, const struct term *t)
{
	for (unsigned i = 0; i < b->n; i++)
		if (strcasecmp(b->term[i].name, t->name) == 0)
			return true;
	return false;
}

static bool
is_fixed(const struct term *t)
{
	return t->e->fixed >= 0 && !t->changed;
}

/* With t as well, in that set? */
static bool
fits_too(const struct batch *b, const struct term *t, unsigned set)
{
	unsigned mask[MAX_EVENTS + 1], n = 0;

	if (is_fixed(t))
		return true;
	for (unsigned i = 0; i < b->n; i++) {
		const struct listed_event *e = b->term[i].e;

		if (e->type != t->e->type || is_fixed(&b->term[i]) ||
		    b->set[i] != set)
			continue;
		/* registers beside the counters: one event each */
		if ((e->filters != 0 && t->e->filters != 0) || e->alone ||
		    t->e->alone)
			return false;
		mask[n++] = e->counters;
	}
	mask[n++] = t->e->counters;
	return fits(mask, n, 0);
}

/* Into the first of the sets where it fits, a new one if there may be more. */
static bool
add_term(struct batch *b, const struct term *t, unsigned most)
{
	unsigned set = 0;

	if (t->read || has(b, t))
		return true;
	while (set < most && !fits_too(b, t, set))
		set++;
	if (set == most || b->n == MAX_EVENTS)
		return false;
	if (set >= b->sets)
		b->sets = set + 1;
	b->set[b->n] = set;
	b->term[b->n++] = *t;
	return true;
}

enum fit { FITS, FULL, CANNOT };

static enum fit
add_formula(struct batch *b, const struct formula *f,
    const struct eventlist *list, unsigned most)
{
	struct batch was = *b;
	struct term t;

	for (unsigned i = 0; i < f->nevent; i++) {
		bool can = term_of(list, f->event[i], &t);

		if (can && add_term(b, &t, most))
			continue;
		*b = was;
		return can ? FULL : CANNOT;
	}
	return FITS;
}

/* ---- a run ---- */

/* So that no two count alike, but for two names of one event; by odd salts half of
 * them seldom, by the later ones all more often. */
static unsigned
rate_of(const struct term *t, unsigned salt)
{
	uint64_t h = t->ctl + salt;

	for (unsigned k = 0; k < MAX_FILTERS; k++)
		h = h * 0x9e3779b97f4a7c15 ^ (t->e->filters >> k & 1 ?
		    t->filter[k] : 0);
	h *= 0x9e3779b97f4a7c15;
	return (salt < 4 ? 1 : 100) * (unsigned)(500 + (h >> 40) % 4000) >>
	    ((salt & h >> 32 & 1) != 0 ? 7 : 0);
}

static void
put_type(FILE *f, const struct term *t)
{
	for (const char *p = t->e->type->name; *p != '\0'; p++)
		fputc(tolower((unsigned char)*p), f);
}

/* The simulated node, two of its cores, idle all the time, so that what takes turns
 * counts at one rate; and no two shares of the slots alike, those bound by memory
 * less than those by the back end. */
static void
put_node(FILE *f)
{
	static const char *const change[][2] = {
		{ "phase idle 10\n", "phase idle 1000\n" },
		{ "0x66330a11664c1933", "0x612e0d12664b1935" },
	};
	const struct text *text = text_named("@spr-9480-2s", TEXT_MACHINE);
	const char *p = (const char *)text->data;
	const char *end = (const char *)text->end;

	for (unsigned i = 0; i < 2; i++) {
		const char *at = memmem(p, (size_t)(end - p), change[i][0],
		    strlen(change[i][0]));

		assert_non_null(at);
		fwrite(p, 1, (size_t)(at - p), f);
		fputs(change[i][1], f);
		p = at + strlen(change[i][0]);
	}
	fwrite(p, 1, (size_t)(end - p), f);
	fprintf(f, "cores 2 ids=0-1\n");
}

static void
put_machine(const struct batch *b, unsigned salt, const char *path)
{
	static const char *const filter[] = { "offcore0", "offcore1",
	    "frontend", "ldlat" };
	FILE *f = fopen(path, "w");

	put_node(f);
	for (unsigned i = 0; i < b->n; i++) {
		const struct term *t = &b->term[i];

		if (is_fixed(t))
			continue;
		fprintf(f, "event ");
		put_type(f, t);
		fprintf(f, " 0x%" PRIx64, t->ctl & ~t->e->type->enable);
		for (unsigned k = 0; t->e->type->scope == SCOPE_LPROC &&
		    k < 4; k++)
			if (t->e->filters >> k & 1)
				fprintf(f, " %s=0x%" PRIx64, filter[k],
				    t->filter[k]);
		fprintf(f, " all=%u step=3 pkgstep=5\n", rate_of(t, salt));
	}
	fclose(f);
}

/* Its name in a configuration, and of its column. */
static const char *
column_of(const struct term *t, char *buf, size_t size)
{
	const char *msr = strstr(t->name, ":ocr_msr_val=");

	if (msr == NULL)
		snprintf(buf, size, "%s", t->name);
	else
		snprintf(buf, size, "%.*s:offcore_rsp_0=%s",
		    (int)(msr - t->name), t->name, msr + 13);
	return buf;
}

/* A line of the configuration: the name alone where the list says the rest. */
static void
put_line(FILE *f, const struct term *t)
{
	char name[128];

	if (!t->changed && !is_fixed(t)) {
		fprintf(f, "event %s\n", t->name);
		return;
	}
	put_type(f, t);
	fprintf(f, " %s", column_of(t, name, sizeof(name)));
	if (t->changed && strchr(name, '=') == NULL)
		fprintf(f, " 0x%" PRIx64, t->ctl);
	if (t->changed && t->e->filters == 4)
		fprintf(f, ",frontend=0x%" PRIx64, t->filter[2]);
	fputc('\n', f);
}

static void
put_config(const struct batch *b, const char *path)
{
	FILE *f = fopen(path, "w");

	fprintf(f, "read core_perf_metrics rapl_pkg_energy rapl_dram_energy\n");
	for (unsigned i = 0; i < b->n; i++)
		if (b->sets < 2 || is_fixed(&b->term[i]))
			put_line(f, &b->term[i]);
	for (unsigned s = 0; b->sets > 1 && s < b->sets; s++) {
		fprintf(f, "set s%u\n", s);
		for (unsigned i = 0; i < b->n; i++)
			if (b->set[i] == s && !is_fixed(&b->term[i]))
				put_line(f, &b->term[i]);
	}
	fclose(f);
}

/* Of so many samples, one a second. */
static void
run(const struct lab *lab, const struct batch *b, unsigned samples)
{
	const char *dir = lab->dir;
	char lists[3][512], tallyd[512], path[128], *command = NULL;

	snprintf(path, sizeof(path), "%s/machine", dir);
	put_machine(b, lab->salt, path);
	snprintf(path, sizeof(path), "%s/conf", dir);
	put_config(b, path);
	assert_true(asprintf(&command, "%s -q --sim %s/machine --virtual-time "
	    "--rotate 1 --event-list %s --event-list %s --event-list %s -c %s/conf -n %u "
	    "-o %s/dump --overwrite 2>%s/said", built("tallyd", tallyd), dir,
	    perfmon("SPR/events/sapphirerapids_core.json", lists[0]),
	    perfmon("SPR/events/sapphirerapids_uncore.json", lists[1]),
	    perfmon("SPR/events/sapphirerapids_uncore_experimental.json",
	    lists[2]), dir, samples, dir, dir) > 0);
	if (system(command) != 0) {
		snprintf(path, sizeof(path), "%s/said", dir);
		fail_msg("%s\n%s", command, file_text(path, NULL));
	}
	free(command);
}

/* ---- the dump: lines FAMILY[..]["EVENT"][SAMPLE] = VALUE ---- */

/* NULL: it was not. */
static const struct counted *
counted_of(const struct lab *lab, const char *name)
{
	for (unsigned i = 0; i < lab->n; i++)
		if (strcasecmp(lab->counted[i].name, name) == 0)
			return &lab->counted[i];
	return NULL;
}

static bool
all_counted(const struct lab *lab, const struct batch *b)
{
	for (unsigned i = 0; i < b->n; i++)
		if (counted_of(lab, b->term[i].name) == NULL)
			return false;
	return true;
}

/* What was added up, modulo 2^bits: it is less than that. */
static void
put_count(struct lab *lab, const char *name, uint64_t sum, unsigned bits,
    unsigned columns)
{
	struct counted c = { .columns = columns,
	    .rate = (double)(sum & ((1ull << bits) - 1)) / (SAMPLES - 1) };
	const struct counted *had = counted_of(lab, name);
	size_t at = had != NULL ? (size_t)(had - lab->counted) : lab->n++;

	assert_true(at < sizeof(lab->counted) / sizeof(lab->counted[0]));
	snprintf(c.name, sizeof(c.name), "%s", name);
	lab->counted[at] = c;
}

/* The bytes of lproc n, the first is 1: their mean. */
static void
add_shares(struct lab *lab, uint64_t value, unsigned n)
{
	for (unsigned k = 0; k < 8; k++)
		lab->share[k] += ((double)(value >> 8 * k & 0xff) -
		    lab->share[k]) / n;
}

/* FAMILY[UNIT][SAMPLE] = VALUE: a register that every run reads. */
static void
add_register(struct lab *lab, const char *line, uint64_t *energy, unsigned *n)
{
	char family[64];
	unsigned unit, sample;
	int64_t value, sign;

	if (sscanf(line, "%63[a-z_][%u][%u] = %" SCNi64, family, &unit,
	    &sample, &value) != 4)
		return;
	sign = sample == SAMPLES - 1 ? 1 : sample == 0 ? -1 : 0;
	if (strcmp(family, "rapl_pkg_energy") == 0)
		energy[0] += (uint64_t)(sign * value);
	if (strcmp(family, "rapl_dram_energy") == 0)
		energy[1] += (uint64_t)(sign * value);
	if (sign > 0 && strcmp(family, "core_perf_metrics") == 0)
		add_shares(lab, (uint64_t)value, ++*n);
}

/* Of all columns of an event together: what they counted is less than 2^48, so it
 * is right whichever of them wrapped. */
static void
add_up(struct lab *lab, const struct batch *b)
{
	uint64_t sum[MAX_EVENTS] = { 0 }, energy[2] = { 0 }, value;
	unsigned columns[MAX_EVENTS] = { 0 }, sample, n = 0;
	char path[128], event[256], name[128], *line = NULL;
	size_t room = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/dump", lab->dir);
	f = fopen(path, "r");
	assert_non_null(f);
	while (getline(&line, &room, f) > 0) {
		const char *at = strstr(line, "[\"");

		add_register(lab, line, energy, &n);
		if (at == NULL || strstr(line, "_counts[") == NULL ||
		    sscanf(at, "[\"%255[^\"]\"][%u] = %" SCNu64, event,
		    &sample, &value) != 3)
			continue;
		for (unsigned i = 0; i < b->n; i++)
			if (strcmp(event, column_of(&b->term[i], name,
			    sizeof(name))) == 0) {
				sum[i] += sample == SAMPLES - 1 ? value :
				    sample == 0 ? -value : 0;
				columns[i] += sample == 0;
			}
	}
	free(line);
	fclose(f);
	for (unsigned i = 0; i < b->n; i++)
		put_count(lab, b->term[i].name, sum[i], 48, columns[i]);
	put_count(lab, "FREERUN_PKG_ENERGY_STATUS", energy[0], 32, 2);
	put_count(lab, "FREERUN_DRAM_ENERGY_STATUS", energy[1], 32, 2);
}

static double
count(const struct measured *m, const char *event)
{
	/* byte k of the register; Intel's SDM, PERF_METRICS */
	static const char *const field[8] = { "RETIRING", "BAD_SPECULATION",
	    "FRONTEND_BOUND", "BACKEND_BOUND", "HEAVY_OPERATIONS",
	    "BRANCH_MISPREDICTS", "FETCH_LATENCY", "MEMORY_BOUND" };
	char name[100];
	const struct lab *lab = m->ctx;
	const struct counted *c = counted_of(lab, counted_as(event, name,
	    sizeof(name)));
	double v;

	if (strcmp(event, "TSC") == 0)
		return m->tsc_hz * m->seconds * m->lprocs;
	for (unsigned k = 0; k < 8; k++)
		if (strncmp(event, "PERF_METRICS.", 13) == 0 &&
		    strcmp(event + 13, field[k]) == 0)
			return lab->share[k];
	if (c == NULL)
		return NAN;
	v = c->rate * m->seconds;
	return strstr(event, ":one_unit") ? v / c->columns : v;
}

/* ---- what tally says of the node ---- */

/* Its value, and whether a note says since when PERF_METRICS counts. */
static double
told(const char *csv, const char *metric, bool *shares)
{
	static const char note[] = "since PERF_METRICS was last reset";
	char row[160];
	const char *at;

	snprintf(row, sizeof(row), "\nspr-9480,%s,node,,", metric);
	at = strstr(csv, row);
	if (at == NULL)
		return NAN;
	at += strlen(row);
	*shares = memmem(at, strcspn(at, "\n"), note, strlen(note)) != NULL;
	return strtod(at, NULL);
}

static bool
of_shares(const struct formula *f)
{
	for (unsigned i = 0; i < f->nevent; i++)
		if (strncmp(f->event[i], "PERF_METRICS.", 13) == 0)
			return true;
	return false;
}

static void
compare(const struct lab *lab, struct formula *const *of, unsigned n,
    unsigned seconds)
{
	struct measured m = { .seconds = seconds, .tsc_hz = 1.9e9,
	    .packages = 2, .lprocs = 8, .boxes = 56, .count = count,
	    .ctx = lab };
	const char *dir = lab->dir;
	char tally[512], list[512], path[128], *command = NULL, *csv;

	assert_true(asprintf(&command, "%s metrics --only-lists -M %s -S node -f csv "
	    "%s/dump -o %s/csv --overwrite", built("tally", tally),
	    perfmon("SPR/metrics/sapphirerapids_metrics.json", list), dir,
	    dir) > 0);
	assert_int_equal(system(command), 0);
	free(command);
	snprintf(path, sizeof(path), "%s/csv", dir);
	csv = file_text(path, NULL);
	for (unsigned i = 0; i < n; i++) {
		double v = formula_value(of[i], &m);
		bool shares = false;
		double w = told(csv, of[i]->cell[0], &shares);

		if (isnan(v))
			fail_msg("%s has no value: %s", of[i]->cell[0],
			    of[i]->cell[4]);
		/* four places are printed, four digits of what is small */
		if (!(fabs(v - w) <= fmin(0.51e-4, 5.1e-4 * fabs(v)) +
		    1e-6 * fabs(v)))
			fail_msg("%s is %.9g by its formula %s, and %.9g by "
			    "tally", of[i]->cell[0], v, of[i]->cell[4], w);
		assert_int_equal(shares, of_shares(of[i]));
		of[i]->state = v != 0 ? FORMULA_SAME : FORMULA_ZERO;
	}
	free(csv);
}

/* All that fit on the counters at once; false: none is left. */
static bool
in_one_run(struct lab *lab, struct formula *f, unsigned n)
{
	struct batch b = { .n = 0 };
	struct formula *of[MAX_FORMULAS];
	unsigned in = 0;

	for (unsigned i = 0; i < n; i++)
		if (f[i].state == FORMULA_OPEN &&
		    add_formula(&b, &f[i], lab->list, 1) == FITS)
			of[in++] = &f[i];
	if (in == 0)
		return false;
	run(lab, &b, SAMPLES);
	add_up(lab, &b);
	compare(lab, of, in, SAMPLES - 1);
	return true;
}

/* One whose events take turns; false: one of them is nothing to be sampled. */
static bool
in_sets(struct lab *lab, struct formula *f)
{
	struct batch b = { .n = 0 };
	enum fit fit = add_formula(&b, f, lab->list, SETS_OF_A_RUN);

	if (fit == CANNOT)
		return false;
	assert_int_equal(fit, FITS);
	assert_true(b.sets > 1);
	for (unsigned s = 0; s < b.sets && !all_counted(lab, &b); s++) {
		struct batch one = { .sets = 1 };

		for (unsigned i = 0; i < b.n; i++)
			if (b.set[i] == s)
				one.term[one.n++] = b.term[i];
		run(lab, &one, SAMPLES);
		add_up(lab, &one);
	}
	/* two turns each */
	run(lab, &b, 2 * b.sets + 1);
	compare(lab, &f, 1, 2 * b.sets);
	f->turns = true;
	return true;
}

/* Those that have no value but 0 until now, by rates that nobody saw yet. */
static void
round_of(struct lab *lab, struct formula *f, unsigned n)
{
	lab->n = 0;
	for (unsigned i = 0; i < n; i++)
		if (f[i].state == FORMULA_ZERO)
			f[i].state = FORMULA_OPEN;
	while (in_one_run(lab, f, n))
		;
	/* slots by core, both threads at once: no register counts that so */
	for (unsigned i = 0; i < n; i++)
		if (f[i].state == FORMULA_OPEN && !in_sets(lab, &f[i]))
			assert_string_equal(f[i].cell[0],
			    "Info_Thread_Slots_Utilization");
}

static void
formulas_whose_events_are_sampled_have_their_own_value(void **state)
{
	static struct formula f[MAX_FORMULAS];
	static struct lab lab;
	unsigned n = formulas_load(f, MAX_FORMULAS), of[3] = { 0 }, turns = 0;

	(void)state;
	lab.list = lists_of("spr", (const char *[]){
	    "SPR/events/sapphirerapids_core.json",
	    "SPR/events/sapphirerapids_uncore.json",
	    "SPR/events/sapphirerapids_uncore_experimental.json", NULL });
	lab.dir = tree_new();
	assert_int_equal(n, 308);
	for (lab.salt = 0; lab.salt < 16; lab.salt++)
		round_of(&lab, f, n);
	for (unsigned i = 0; i < n; i++) {
		of[f[i].state]++;
		turns += f[i].turns;
		if (f[i].state == FORMULA_ZERO)
			print_message("%s is 0 by all rates\n", f[i].cell[0]);
	}
	print_message("%u formulas have the same value, %u of them of event "
	    "sets\n", of[FORMULA_SAME], turns);
	/* not the one of the slots of both threads at once */
	assert_int_equal(of[FORMULA_OPEN], 1);
	assert_int_equal(of[FORMULA_ZERO], 0);
	assert_int_equal(of[FORMULA_SAME], 307);
	assert_int_equal(turns, 29);
	eventlist_free(lab.list);
	tree_free(lab.dir);
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
