/*
 * postproc/metrics/gather_open.c - a dump opened with its metrics and closed; the turns
 * that its events take, and intervals in groups of whole rounds of these.
 */
#include "postproc/metrics/gather_int.h"

#include "config/texts.h"
#include "postproc/data/dump_node.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- metrics of what a dump has ----------------------------------------- */

/*
 * Metrics that are made from what a dump has: one for each of its files, and for each
 * event that is asked for by name.
 */

/* Statements of a metrics file, in memory. */
struct statements {
	FILE *f;
	char *text;
	size_t size;
};

static int
statements_open(struct statements *s, struct diag *why)
{
	*s = (struct statements){ .f = NULL };
	s->f = open_memstream(&s->text, &s->size);
	return s->f != NULL ? 0 : diag_set(why, -ENOMEM, "out of memory");
}

/* Adds their metrics to the list; errors call them `name`. */
static int
statements_parse(struct statements *s, struct metrics *m, const char *name,
    struct diag *why)
{
	bool bad = ferror(s->f);
	int rc = 0;

	if (fclose(s->f) != 0 || bad || s->text == NULL)
		rc = diag_set(why, -ENOMEM, "out of memory");
	if (rc == 0 && s->size > 0)
		rc = metrics_parse(m, name, s->text, s->size, why);
	free(s->text);
	return rc;
}

/* ---- events ---------------------------------------------------------------- */

/* Does some metric that is not hidden match? */
static bool
is_metric(const struct metrics *m, const char *pattern)
{
	for (unsigned i = 0; i < m->n; i++)
		if (!m->metric[i].hidden &&
		    pattern_match(pattern, m->metric[i].name))
			return true;
	return false;
}

/* Is a series the count of an event, whose name can stand in a formula? */
static bool
is_count(const struct series *s)
{
	return s->counter && s->event != NULL &&
	    (s->family->part == PART_COUNTS || s->family->part == PART_SCALED) &&
	    strpbrk(s->event, "\"\\\n*") == NULL;
}

static bool
is_alone(const struct seriesset *set, const struct series *s)
{
	for (uint32_t i = 0; i < set->n; i++)
		if (&set->series[i] != s && is_count(&set->series[i]) &&
		    strcmp(set->series[i].event, s->event) == 0)
			return false;
	return true;
}

static void
put_event_metric(FILE *f, const char *name, const struct series *s)
{
	static const enum scope scope[] = { [LEVEL_LPROC] = SCOPE_OF_LPROC,
		[LEVEL_BOX] = SCOPE_OF_BOX, [LEVEL_PACKAGE] = SCOPE_OF_PACKAGE,
		[LEVEL_NODE] = SCOPE_OF_NODE };

	fprintf(f, "metric \"%s\" %s \"M/s\" \"Counts of this event\"\n"
	    "\t= %s[\"%s\"] / time / 1e6\n", name, scope_name(scope[s->level]),
	    s->family->name, s->event);
}

static void
put_asked(FILE *f, const struct metrics *m, const struct seriesset *set,
    const struct patterns *asked)
{
	char name[MAX_NAME];

	for (uint32_t i = 0; i < set->n; i++) {
		const struct series *s = &set->series[i];
		bool wanted = false;

		if (!is_count(s))
			continue;
		snprintf(name, sizeof(name), "%.*s/%s", s->family->stem,
		    s->family->name, s->event);
		for (unsigned k = 0; k < asked->n && !wanted; k++)
			wanted = (pattern_match(asked->pattern[k], s->event) ||
			    pattern_match(asked->pattern[k], name)) &&
			    !is_metric(m, asked->pattern[k]);
		if (wanted)
			put_event_metric(f,
			    is_alone(set, s) ? s->event : name, s);
	}
}

/*
 * event_metrics_add - for each name asked for that no metric has, add a metric of each
 * event that has it: IOMMU0.FIRST_LOOKUPS, in millions a second, for its boxes and
 * what is wider.  An event that several families have is called irp/CLOCKTICKS there;
 * either name finds it.  0, or -errno with words in why.
 */
static int
event_metrics_add(struct metrics *m, const struct seriesset *set,
    const struct patterns *asked, struct diag *why)
{
	struct statements s;
	int rc = statements_open(&s, why);

	if (rc < 0)
		return rc;
	put_asked(s.f, m, set, asked);
	return statements_parse(&s, m, "events of the dump", why);
}

/* ---- files ----------------------------------------------------------------- */

/* Is a constant of the head the statement of a file, as tallyd writes it?  It has no
 * character that would end a text in quotes. */
static bool
is_of_file(const struct constant *k)
{
	const char *name = k->at.name[0];

	return k->key == HEAD_RAW_READ && k->kind == CONSTANT_TEXT &&
	    strncmp(k->text, "file=/", 6) == 0 &&
	    strncmp(name, "file_", 5) == 0 && strpbrk(k->text, "\"\\\n") ==
	    NULL && name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

static void
put_file_metric(FILE *f, const struct reader *r,
    const struct constant *k)
{
	const char *name = k->at.name[0], *end = strchr(k->text, ' ');
	size_t path = end != NULL ? (size_t)(end - k->text) : strlen(k->text);
	bool gauge = strstr(k->text, " gauge") != NULL;
	bool several = memchr(k->text, '*', path) != NULL;
	const char *unit = head_text(r, HEAD_FAMILY_UNIT, OF(name), "");

	if (strpbrk(unit, "\"\\\n") != NULL)
		unit = "";
	/* the metric needs another name: the family's own means its columns */
	if (!gauge && strcmp(unit, "J") == 0)
		fprintf(f, "metric %s_rate node \"W\"", name);
	else
		fprintf(f, "metric %s_%s node \"%s%s\"", name, gauge ? "value" :
		    "rate", unit, gauge ? "" : "/s");
	fprintf(f, " \"%.*s%s\"\n\t= %s%s%s\n", (int)path - 5, k->text + 5,
	    !several ? "" : gauge ? ", the mean" : ", together", name,
	    several ? "[\"*\"]" : "", gauge ? "" : " / time");
}

/*
 * file_metrics_add - add a metric of the node for each family of files that the dump
 * has: file_NAME_rate of a counter, the sum of all files that a star stands for;
 * file_NAME_value of a gauge, the mean of several.  0, or -errno with words in why.
 */
static int
file_metrics_add(struct metrics *m, const struct reader *r, struct diag *why)
{
	struct statements s;
	int rc = statements_open(&s, why);

	if (rc < 0)
		return rc;
	for (unsigned i = 0; i < read_constants(r); i++)
		if (is_of_file(read_constant(r, i)))
			put_file_metric(s.f, r, read_constant(r, i));
	return statements_parse(&s, m, "files of the node", why);
}

/* ---- opening ------------------------------------------------------------ */

int
gather_open(struct gather *g, const char *path, const struct metrics *metrics,
    const char *topology, const struct select *select, struct diag *why)
{
	int rc;

	*g = (struct gather){ .path = path };
	if ((g->p = calloc(1, sizeof *g->p)) == NULL)
		return -ENOMEM;
	if ((rc = intervals_open(&g->intervals, path, select, why)) < 0)
		return rc;
	g->reader = intervals_reader(g->intervals);
	/* in dumps of the original tool only the samples name columns */
	if ((rc = intervals_next(g->intervals, &g->now, why)) < 0)
		return rc;
	g->p->pending = rc == 1;
	if ((rc = gather_take_columns(g)) < 0 ||
	    (rc = topology_of_dump(&g->topo, g->reader, g->series.nlproc,
	    g->series.npkg, topology, why)) < 0)
		return rc;
	node_name(g->host, g->reader);
	if (g->p->pending && !(intervals_verdict(g->intervals)->odd & BY_WALL))
		g->wall_first = gather_wall(g, g->now.before, g->now.ncol);
	rc = binding_init(&g->binding, metrics, &g->series, &g->topo,
	    g->reader);
	g->binding.tsc_hz = intervals_tsc_hz(g->intervals);
	return rc;
}

int
gather_follow(struct gather *g, const struct gather *of,
    const struct metrics *metrics)
{
	int rc;

	*g = (struct gather){ .path = of->path, .intervals = of->intervals,
	    .reader = of->reader, .topo = of->topo, .now = of->now,
	    .wall_first = of->wall_first };
	memcpy(g->host, of->host, sizeof g->host);
	if ((g->p = calloc(1, sizeof *g->p)) == NULL)
		return -ENOMEM;
	g->p->of = of;
	if ((rc = gather_take_columns(g)) < 0)
		return rc;
	rc = binding_init(&g->binding, metrics, &g->series, &g->topo,
	    g->reader);
	g->binding.tsc_hz = of->binding.tsc_hz;
	return rc;
}

void
gather_close(struct gather *g)
{
	struct gather_private *p = g->p;

	binding_fini(&g->binding);
	series_fini(&g->series);
	if (p == NULL || p->of == NULL) {
		topology_fini(&g->topo);
		intervals_close(g->intervals);
	}
	if (p != NULL) {
		turns_fini(&p->turns);
		own_time_fini(&p->own);
		together_fini(&p->together);
		together_fini(&p->now_together);
		batches_fini(&p->batches);
		batch_sums_fini(&p->without);
		if (p->apart != NULL && p->apart->p != NULL)
			gather_close(p->apart);
		free(p->apart);
		free(p->total);
		free(p->unknown_s);
		free(p->left_out);
		free(p->doubt);
		free(p->reading);
		free(p->nreading);
		free(p->value);
		free(p->share);
		free(p->stretch);
		free(p->now_left_out);
		free(p->of_reading);
		free(p->set);
		free(p->seen);
		free(p->bit);
		free(p->columns);
		free(p);
	}
	*g = (struct gather){ 0 };
}

/* The list that is built in for the CPU, then the user's files; with --only-lists the
 * user's files alone. */
static int
load_metrics(struct metrics *m, const struct reader *r,
    const struct gather_ask *ask, struct diag *why)
{
	const char *model = head_text(r, HEAD_MODEL, ALONE, NULL);
	bool ours = !ask->only_lists;
	int rc = ours ? metrics_load_for(m, NULL, model, why) : 0;
	char name[80];

	snprintf(name, sizeof name, "@%s-io", model ? model : "skx");
	if (rc == 0 && ours && ask->io && text_named(name, TEXT_METRICS) != NULL)
		rc = metrics_load(m, name, why);
	m->own = true;
	for (unsigned i = 0; rc == 0 && i < ask->nmetrics; i++)
		rc = metrics_load_for(m, ask->metrics[i], model, why);
	return rc == 0 && ours ? file_metrics_add(m, r, why) : rc;
}

int
gather_metrics(const struct gather *g, struct metrics *m,
    const struct gather_ask *ask, struct diag *why)
{
	int rc = load_metrics(m, g->reader, ask, why);

	return rc < 0 || ask->events == NULL ? rc :
	    event_metrics_add(m, &g->series, ask->events, why);
}

int
gather_load(struct gather *g, struct metrics *m, const char *path,
    const struct gather_ask *ask, struct diag *why)
{
	int rc;

	if ((rc = metrics_init(m)) < 0 || (rc = gather_open(g, path, m,
	    ask->topology, &ask->select, why)) < 0)
		return rc;
	return gather_metrics(g, m, ask, why);
}

void
gather_unload(struct gather *g, struct metrics *m)
{
	if (g->p != NULL)
		gather_close(g);
	metrics_fini(m);
}

/* ---- event sets that take turns ------------------------------------------ */

unsigned
gather_rotates(const struct gather *g, unsigned bound)
{
	const struct turns *t = &g->p->turns;
	struct bound_at at = { .op = 0 };
	uint32_t whose = 0, c;

	while (t->any && binding_column(&g->binding, bound, &at, &c)) {
		if (t->kind[c] != TURN_SET)
			continue;
		if (whose != 0 && t->whose[c] != whose)
			return 2;
		whose = t->whose[c];
	}
	return whose != 0;
}

void
gather_every(const struct gather *g, unsigned bound, unsigned *least,
    unsigned *most)
{
	struct bound_at at = { .op = 0 };
	uint32_t c;

	while (binding_column(&g->binding, bound, &at, &c)) {
		unsigned every = slow_every(g->reader,
		    &read_column(g->reader, c)->id);

		*least = every < *least ? every : *least;
		*most = every > *most ? every : *most;
	}
}

unsigned
gather_round(const struct gather *g)
{
	return turns_round(&g->p->turns);
}

bool
gather_between(const struct gather *g)
{
	return g->p->turns.between;
}

bool
gather_estimates(const struct gather *g)
{
	return g->p->turns.any;
}

bool
gather_turns(const struct gather *g)
{
	const struct gather_private *p = g->p;

	for (unsigned c = 0; p->turns.any && c < g->ncol; c++)
		if (p->turns.kind[c] == TURN_GROUP &&
		    turns_share(&p->turns, c, p->total, g->ncol, 0) < 0.9999)
			return true;
	return false;
}

unsigned
gather_sets(const struct gather *g)
{
	return g->p->turns.nset;
}

const char *
gather_set(const struct gather *g, unsigned set, double *share)
{
	*share = turns_set_share(&g->p->turns, set, g->p->total, g->ncol);
	return g->p->turns.set[set].name;
}

/* ---- intervals in groups ------------------------------------------------- */

struct round
round_begin(double every, bool sets)
{
	return (struct round){ .sets = sets, .every = every, .next = every };
}

/* A group is a multiple of so many intervals. */
static unsigned
size(const struct round *r, const struct gather *g)
{
	return r->sets ? gather_round(g) : 1;
}

bool
round_ends(struct round *r, const struct gather *g)
{
	unsigned n = size(r, g);
	double half = n * g->now.seconds / 2;

	r->seconds += g->now.seconds;
	r->intervals++;
	if (r->intervals % n != 0 ||
	    (r->every > 0 && r->seconds + half < r->next))
		return false;
	if (r->every > 0)
		r->next = fmax(r->next + r->every,
		    (floor(r->seconds / r->every) + 1) * r->every);
	r->intervals = 0;
	return true;
}

bool
round_rest(const struct round *r, const struct gather *g)
{
	return r->intervals > 0 && r->intervals % size(r, g) == 0;
}
