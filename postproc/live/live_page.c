/*
 * postproc/live/live_page.c - keeps the page of `tally live` up to date.
 */
#include "postproc/live/live_page.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define SHORTEST 0.1            /* s: of shorter intervals not all are evaluated */

/* Calls f for every cell of a view; LIVE_VIEWS: of all views. */
static void
each_cell(struct live_page *p, enum live_view view,
    void (*f)(struct live_page *, struct live_cell *))
{
	for (struct live_table *t = p->table; t != NULL; t = t->next)
		for (unsigned r = 0; (view == LIVE_VIEWS || t->view == view) &&
		    r < t->nrow; r++)
			for (unsigned c = 0; c < t->ncolumn; c++)
				if (t->row[r].cell[c] != NULL)
					f(p, t->row[r].cell[c]);
}

static int
opened(struct follow *f, struct diag *why)
{
	struct live_page *p = f->of;
	double every = head_number(f->gather.reader, HEAD_INTERVAL, ALONE, 1);

	arena_free(p->arena);
	recent_fini(&p->recent);
	p->table = NULL;
	p->end = &p->table;
	p->slot = 0;
	p->at = -INFINITY;
	p->minute_s = 0;
	p->left_out = 0;
	p->step = every > 1 ? every : 1;
	if ((p->arena = arena_new()) == NULL ||
	    recent_init(&p->recent, LIVE_MINUTE) < 0)
		return -ENOMEM;
	return live_tables(p, why);
}

static void
begin_slot(struct live_page *p, struct live_cell *c)
{
	c->past[p->slot % LIVE_PAST] = NAN;
	c->in_slot = 0;
}

/* Advances the past of all cells to a slot; slots in between have no value. */
static void
to_slot(struct live_page *p, uint64_t slot)
{
	if (slot > p->slot + LIVE_PAST)
		p->slot = slot - LIVE_PAST;
	while (p->slot < slot) {
		p->slot++;
		each_cell(p, LIVE_VIEWS, begin_slot);
	}
}

static void
live_page_take(struct live_page *p, struct live_cell *c)
{
	float *past = &c->past[p->slot % LIVE_PAST];
	struct figure f;

	if (c->several != p->of_round)
		return;
	f = binding_eval(&p->follow.gather.binding, c->bound, &c->window,
	    p->sums);
	/* keep the value of the last interval that had its set */
	if (c->turns && isnan(f.value))
		return;
	c->now = f;
	/* an incomplete value cannot be compared with the others */
	if (isnan(f.value) || f.wrong || f.left_out > 0)
		return;
	*past = c->in_slot == 0 ? (float)f.value :
	    *past + ((float)f.value - *past) / (float)(c->in_slot + 1);
	c->in_slot++;
}

static void
live_page_take_interval(struct follow *f)
{
	struct live_page *p = f->of;

	p->failed |= recent_take(&p->recent, &f->gather) < 0;
	if (!p->all && f->gather.now.at - p->at < 0.99 * SHORTEST)
		return;
	p->at = f->gather.now.at;
	p->interval_count++;
	to_slot(p, (uint64_t)(p->at / p->step + 0.5) + 1);
	p->sums = gather_interval(&f->gather);
	p->of_round = false;
	each_cell(p, LIVE_VIEWS, live_page_take);
	/* cells of several sets get theirs from the last round */
	p->of_round = true;
	if (gather_round(&f->gather) > 1 && (p->sums = recent_round(&p->recent,
	    &f->gather)) != NULL)
		each_cell(p, LIVE_VIEWS, live_page_take);
	if (p->interval != NULL)
		p->interval(p);
}

void
live_page_init(struct live_page *p, const char *store, unsigned wanted)
{
	*p = (struct live_page){ .views = wanted, .follow = { .asked = store,
	    .opened = opened, .interval = live_page_take_interval, .of = p } };
	p->follow.ask.select.first = (struct select_end){
	    .kind = END_LAST_SECONDS, .seconds = LIVE_PAST };
}

void
live_page_fini(struct live_page *p)
{
	follow_close(&p->follow);
	recent_fini(&p->recent);
	arena_free(p->arena);
}

bool
live_page_poll(struct live_page *p)
{
	uint64_t had = p->interval_count;
	enum follow_state was = p->follow.state;
	struct select_end *first = &p->follow.ask.select.first;

	follow_poll(&p->follow);
	/* only now the interval is known, and so how much of the past is shown */
	if (p->follow.open && first->kind == END_LAST_SECONDS &&
	    first->seconds != LIVE_PAST * p->step) {
		first->seconds = LIVE_PAST * p->step;
		follow_close(&p->follow);
		follow_poll(&p->follow);
	}
	return p->interval_count != had || p->follow.state != was;
}

static void
take_minute(struct live_page *p, struct live_cell *c)
{
	c->minute = binding_eval(&p->follow.gather.binding, c->bound,
	    &c->window, p->sums);
}

void
live_page_minute(struct live_page *p, enum live_view view)
{
	if (!p->follow.open || p->interval_count == 0)
		return;
	p->sums = recent_sums(&p->recent, &p->follow.gather);
	p->minute_s = p->sums->seconds;
	p->left_out = 0;
	for (unsigned c = 0; c < p->sums->ncol; c++)
		p->left_out += p->sums->left_out[c];
	each_cell(p, view, take_minute);
}
