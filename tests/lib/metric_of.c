/*
 * tests/lib/metric_of.c - a metric of a dump's node, and tables of metrics.
 */
#include "tests/lib/metric_of.h"
#include "tests/lib/tally_command.h"

#include "postproc/metrics/gather.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
metric_there(const char *model, const char *metric)
{
	struct metrics metrics;
	struct diag why;
	bool there;

	assert_int_equal(metrics_init(&metrics), 0);
	if (metrics_load_for(&metrics, NULL, model, &why) < 0)
		fail_msg("%s", why.text);
	there = metrics_find(&metrics, metric) != NULL;
	metrics_fini(&metrics);
	return there;
}

double
metric_of_node(const char *path, const char *model, const char *metric,
    int line)
{
	struct metrics metrics;
	struct gather g;
	struct diag why = { "" };
	const struct metric *m;
	struct window w;
	struct figure f;
	unsigned bound;

	assert_int_equal(metrics_init(&metrics), 0);
	if (metrics_load_for(&metrics, NULL, model, &why) < 0 ||
	    gather_open(&g, path, &metrics, NULL, NULL, &why) < 0 ||
	    (m = metrics_find(&metrics, metric)) == NULL ||
	    binding_add(&g.binding, m, &bound, &why) < 0)
		fail_msg("line %d: %s", line, why.text);
	assert_int_equal(gather_all(&g, &why), 0);
	assert_true(binding_window(&g.binding, bound, SCOPE_OF_NODE, 0, &w));
	f = binding_eval(&g.binding, bound, &w, gather_sums(&g));
	if (g.binding.bound[bound].nmissing > 0)
		f.value = INFINITY;
	gather_close(&g);
	metrics_fini(&metrics);
	return f.value;
}

void
metrics_table_has(int line, const char *list, const char *scopes,
    const char *dump, const char *const *piece)
{
	char words[600], *text;

	snprintf(words, sizeof words, "metrics -f csv -S %s -M %s", scopes,
	    test_put("list.metrics", list));
	text = said(EXIT_OK, cmd_metrics, words, dump);
	for (; *piece != NULL; piece++)
		if (strstr(text, *piece) == NULL)
			fail_msg("line %d: no %s in\n%s", line, *piece, text);
	free(text);
}
