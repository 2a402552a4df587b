/*
 * postproc/rotation.c - event sets that took turns.
 *
 * The head of a dump names the sets, set_name[k], and the set of each event,
 * event_set["iio_counts"]["..."]; set_enabled["part0"] and set_running are
 * columns, in one unit.
 */
#include "postproc/rotation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
column(const struct reader *r, const char *family, const char *set)
{
	char name[200];

	snprintf(name, sizeof name, "%s[\"%s\"]", family, set);
	return read_find(r, name);
}

static uint16_t
set_of(const struct rotation *rot, const struct reader *r,
    const struct read_column *c)
{
	char name[400];
	const char *set;

	if (c->event == NULL)
		return 0;
	snprintf(name, sizeof name, "event_set[\"%s\"][\"%s\"]", c->family,
	    c->event);
	if ((set = read_text(r, name, NULL)) == NULL)
		return 0;
	for (unsigned i = 0; i < rot->n; i++)
		if (strcmp(rot->set[i].name, set) == 0)
			return (uint16_t)(i + 1);
	return 0;
}

int
rotation_load(struct rotation *rot, const struct reader *r)
{
	char name[40];
	const char *set;
	unsigned n = 0;

	for (;; n++) {
		snprintf(name, sizeof name, "set_name[%u]", n);
		if (n == UINT16_MAX - 1 || read_text(r, name, NULL) == NULL)
			break;
	}
	if (n == 0)
		return 0;
	rot->ncol = read_columns(r);
	rot->set = calloc(n, sizeof rot->set[0]);
	rot->of = calloc(rot->ncol + 1, sizeof rot->of[0]);
	rot->share = calloc(rot->ncol + 1, sizeof rot->share[0]);
	rot->left_out = calloc(rot->ncol + 1, sizeof rot->left_out[0]);
	if (rot->set == NULL || rot->of == NULL || rot->share == NULL ||
	    rot->left_out == NULL)
		return -ENOMEM;
	for (; rot->n < n; rot->n++) {
		snprintf(name, sizeof name, "set_name[%u]", rot->n);
		set = read_text(r, name, "");
		rot->set[rot->n] = (struct rotation_set){ .name = set,
		    .enabled = column(r, "set_enabled", set),
		    .running = column(r, "set_running", set) };
	}
	for (unsigned c = 0; c < rot->ncol; c++)
		rot->of[c] = set_of(rot, r, read_column(r, c));
	return 0;
}

void
rotation_fini(struct rotation *rot)
{
	free(rot->set);
	free(rot->of);
	free(rot->share);
	free(rot->left_out);
	*rot = (struct rotation){ 0 };
}

double
rotation_ran(const struct rotation *rot, unsigned n, const struct sums *s)
{
	const struct rotation_set *set = &rot->set[n];

	if (set->enabled < 0 || set->running < 0 ||
	    (unsigned)set->enabled >= s->ncol ||
	    (unsigned)set->running >= s->ncol ||
	    !(s->value[set->enabled] > 0) || !(s->value[set->running] > 0))
		return 0;
	return s->value[set->running] / s->value[set->enabled];
}

struct sums
rotation_scale(struct rotation *rot, const struct sums *s)
{
	struct sums out = *s;

	if (rot->n == 0)
		return out;
	for (unsigned c = 0; c < rot->ncol && c < s->ncol; c++) {
		rot->share[c] = s->share != NULL ? s->share[c] : 1;
		rot->left_out[c] = s->left_out != NULL ? s->left_out[c] : 0;
		if (rot->of[c] == 0)
			continue;
		rot->share[c] *= rotation_ran(rot, rot->of[c] - 1u, s);
		if (!(rot->share[c] > 0))
			rot->left_out[c] = (uint32_t)s->intervals;
	}
	out.share = rot->share;
	out.left_out = rot->left_out;
	return out;
}

int
rotation_of(const struct rotation *rot, const struct binding *b, unsigned bound)
{
	const struct bound *x = &b->bound[bound];

	for (uint32_t i = x->op; rot->n > 0 && i < x->op + x->nop; i++) {
		const struct input *in = &b->input[b->op[i].arg];

		if (b->op[i].code != EXPR_REF || in->kind != INPUT_COLUMNS)
			continue;
		for (uint32_t c = 0; c < input_ncolumn(b, in); c++)
			if (in->column[c] < rot->ncol &&
			    rot->of[in->column[c]] > 0)
				return rot->of[in->column[c]] - 1;
	}
	return -1;
}
