/*
 * postproc/live/expose.c - a running daemon as series: its state, and its metrics.
 */
#include "postproc/live/expose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <errno.h>
#include <signal.h>

#include "config/version.h"
#include "postproc/live/exporters.h"

/* ---- the exporter and its store ------------------------------------------ */

static void
expose_one(struct pass *p, const char *name, const char *unit, bool counter,
    const char *help, double v)
{
	struct exposed_group g = { .counter = counter, .scope = SCOPES };

	expose_name(&g, NULL, name, unit);
	snprintf(g.help, sizeof(g.help), "%s", help);
	expose_group(p, &g);
	expose_value(p, &g, &(struct exposed_labels){ .n = 0 }, v);
}

static void
info(struct pass *p)
{
	const struct reader *r = p->x->follow.gather.reader;
	struct exposed_group g = { .scope = SCOPES };
	struct exposed_labels l = { .n = 0 };

	expose_name(&g, NULL, "node_info", "");
	snprintf(g.help, sizeof(g.help), "What is sampled; always 1");
	expose_group(p, &g);
	expose_label(&l, "nodename", "%s", p->x->follow.gather.host);
	expose_label(&l, "model", "%s", head_text(r, HEAD_MODEL, ALONE, "?"));
	expose_label(&l, "cpu", "%s", head_text(r, HEAD_CPU, ALONE, "?"));
	expose_label(&l, "version", "%s", head_text(r, HEAD_TALLYD_VERSION, ALONE,
	    "?"));
	expose_label(&l, "exporter_version", "%s", TALLYD_VERSION);
	expose_value(p, &g, &l, 1);
}

static void
health(struct pass *p)
{
	const struct follow *f = &p->x->follow;
	bool sampled = f->open && f->start > 0;

	expose_one(p, "up", "", false,
	    "Is there a daemon that samples, and on time?",
	    f->state == FOLLOW_LIVE);
	if (!f->open)
		return;
	info(p);
	expose_one(p, "interval", "seconds", false,
	    "Time between samples, as asked for", f->every);
	if (!sampled)
		return;
	expose_one(p, "start_time", "seconds", false,
	    "The first sample, since 1970: totals began then",
	    exposed_start(p->x));
	expose_one(p, "sample_timestamp", "seconds", false,
	    "The last sample, since 1970", f->gather.wall_last);
	expose_one(p, "sample_age", "seconds", false,
	    "Time since the last sample", f->age);
	expose_one(p, "samples", "", true, "Samples that were taken",
	    (double)exposed_samples(p->x));
	expose_one(p, "counts_left_out", "", true,
	    "Counts of one interval that are in no total: counters that were "
	    "restarted, stopped or taken over, registers that were away",
	    (double)exposed_left_out(p->x));
	expose_one(p, "figures_left_out", "", false,
	    "Figures of the last interval that are left out, as no node can "
	    "have them", p->x->figures.wrong);
}

/* ---- metrics -------------------------------------------------------------- */

/* The label for a metric's box: "channel" and "link" for those that people know so. */
static const char *
box_key(const struct binding *b, const struct live_figure *x)
{
	int in = b->bound[x->bound].box_input;
	const struct box_type *t = in < 0 ? NULL :
	    b->domain[b->input[in].domain].type;

	return t == NULL ? "box" : strcmp(t->name, "IMC") == 0 ||
	    strcmp(t->name, "UMC") == 0 ? "channel" :
	    strcmp(t->name, "UPI") == 0 ? "link" : "box";
}

static void
place_labels(struct exposed_labels *l, const struct binding *b,
    const struct live_figure *x)
{
	const struct window *w = &x->window;
	const struct topology *t = b->topo;
	char name[64];
	const char *in_pkg;

	if (w->scope == SCOPE_OF_NODE)
		return;
	if (w->pkg_hi - w->pkg_lo == 1)
		expose_label(l, "package", "%u", w->pkg_lo);
	if (w->scope == SCOPE_OF_PACKAGE)
		return;
	window_name(b, w, name, sizeof(name));
	in_pkg = strchr(name, '/');
	expose_label(l, w->scope == SCOPE_OF_BOX ? box_key(b, x) : scope_name(w->scope),
	    "%s", in_pkg != NULL ? in_pkg + 1 : name);
	if (w->scope == SCOPE_OF_LPROC)
		expose_label(l, "core", "%d", t->core_id[t->core_of[w->lo]]);
}

/* The name of a metric without its scope, so that the series is tallyd_package_power, not
 * tallyd_package_package_power; with it, if there is also a metric "power". */
static const char *
short_name(const struct pass *p, const struct exposed_group *g)
{
	const char *name = g->metric->name, *scope = scope_name(g->scope);
	size_t n = strlen(scope);

	return strncmp(name, scope, n) == 0 && name[n] == '_' &&
	    metrics_find(&p->x->follow.metrics, name + n + 1) == NULL ?
	    name + n + 1 : name;
}

/* Makes the help of a metric's group: its text, for a total without "per second". */
static void
put_help(struct exposed_group *g, bool total, bool several)
{
	static const char *const rates[] = { " per second", " a second" };
	char *at;

	snprintf(g->help, sizeof(g->help), "%s%s", g->metric->text,
	    total ? "" : several ? ", over the last round of event sets" :
	    ", over the last interval");
	for (size_t i = 0; total && i < sizeof(rates) / sizeof(rates[0]); i++)
		while ((at = strstr(g->help, rates[i])) != NULL)
			memmove(at, at + strlen(rates[i]), strlen(at +
			    strlen(rates[i])) + 1);
}

/* Gives a metric in one scope: figures from..to-1. */
static void
expose_metric(struct pass *p, unsigned from, unsigned to, bool total)
{
	const struct binding *b = &p->x->follow.gather.binding;
	const struct live_figure *x = p->x->figures.figure;
	const struct base_unit *u = x[from].unit;
	struct exposed_group g = { .counter = total,
	    .scope = (enum scope)x[from].window.scope,
	    .metric = b->bound[x[from].bound].metric };
	bool any = false;

	expose_name(&g, scope_name(g.scope), short_name(p, &g),
	    !total || x[from].adds ? u->rate : u->total);
	put_help(&g, total, x[from].several);
	for (unsigned i = from; i < to; i++) {
		double v = total ? x[i].total : x[i].now;
		struct exposed_labels l = { .n = 0 };

		if (isnan(v))
			continue;
		if (!any)
			expose_group(p, &g);
		any = true;
		place_labels(&l, b, &x[i]);
		expose_value(p, &g, &l, v);
	}
}

static void
all_metrics(struct pass *p)
{
	const struct figures *fs = &p->x->figures;
	unsigned to;

	for (unsigned i = 0; i < fs->n; i = to) {
		const struct live_figure *x = &fs->figure[i];

		for (to = i; to < fs->n && fs->figure[to].bound == x->bound &&
		    fs->figure[to].window.scope == x->window.scope; to++)
			;
		if (!x->adds)
			expose_metric(p, i, to, false);
		if (figures_total(x))
			expose_metric(p, i, to, true);
	}
}

/* ---- stores that are over ---------------------------------------------------- */

static void
take_turns(void *to, const struct exposed_group *g,
    const struct exposed_labels *l, const struct exposed_turns *t)
{
	carried_set(to, g, l, t);
}

static void
expose_take_value(void *to, const struct exposed_group *g,
    const struct exposed_labels *l, double v)
{
	if (g->counter)
		carried_set(to, g, l, &(struct exposed_turns){ .scaled = v });
}

/* Keeps the store's totals, which the next store's totals start from. */
static void
store_over(struct follow *f)
{
	struct exposed *x = (struct exposed *)f;
	const struct exposer out = { .to = &x->carried,
	    .value = expose_take_value, .turns = take_turns };
	struct pass p = { .x = x, .out = &out };

	if (f->start <= 0)
		return;
	all_metrics(&p);
	if (!x->no_raw)
		expose_counters(&p);
	x->start = exposed_start(x);
	x->samples = exposed_samples(x);
	x->left_out = exposed_left_out(x);
	x->seam = f->gather.wall_last;
}

/* Is the first sample the same as the last one of the segment before? */
static bool
has_seam(const struct exposed *x)
{
	return x->samples > 0 && x->seam > 0 &&
	    x->follow.gather.wall_first == x->seam;
}

double
exposed_start(const struct exposed *x)
{
	return x->start > 0 ? x->start : x->follow.start;
}

uint64_t
exposed_samples(const struct exposed *x)
{
	return x->samples + intervals_samples(x->follow.gather.intervals) -
	    has_seam(x);
}

uint64_t
exposed_left_out(const struct exposed *x)
{
	return x->left_out + x->follow.gather.nleft_out;
}

/* ---- the whole ------------------------------------------------------------- */

void
exposed_init(struct exposed *x, const char *store, unsigned scopes)
{
	*x = (struct exposed){ .figures = { .scopes = scopes } };
	x->follow = (struct follow){ .asked = store, .of = &x->figures,
	    .opened = figures_open, .interval = figures_interval,
	    .over = store_over };
}

void
exposed_fini(struct exposed *x)
{
	follow_close(&x->follow);
	figures_fini(&x->figures);
	carried_fini(&x->carried);
}

void
expose(struct exposed *x, const struct exposer *out)
{
	struct pass p = { .x = x, .out = out };

	follow_poll(&x->follow);
	health(&p);
	if (x->follow.state == FOLLOW_LIVE) {
		all_metrics(&p);
		if (!x->no_raw)
			expose_counters(&p);
	}
	expose_one(&p, "series", "", false, "Series on this page, this one too",
	    p.n + 1);
}

/* ---- until the next time */

#define PAUSE 1.0               /* s between two looks at the store, at least */
#define LONGEST 60.0            /* s between them, at most */

double
export_pause(const struct exposed *x)
{
	double every = x->follow.open ? x->follow.every : PAUSE;

	return every > PAUSE ? fmin(every, LONGEST) : PAUSE;
}

/* Sleeps; false: SIGINT or SIGTERM came. */
static bool
sleep_for(double seconds)
{
	struct timespec t = { .tv_sec = (time_t)seconds,
	    .tv_nsec = (long)((seconds - floor(seconds)) * 1e9) };
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	return sigtimedwait(&ends, NULL, &t) < 0 && errno == EAGAIN;
}

bool
export_wait(struct exposed *x, double seconds)
{
	double pause;

	if (follow_whole(&x->follow))
		return false;
	while (seconds > (pause = export_pause(x))) {
		if (!sleep_for(pause))
			return false;
		follow_poll(&x->follow);
		seconds -= pause;
	}
	return sleep_for(seconds);
}
