/*
 * tests/lib/metric_of.h - a metric of a dump's node, as tally's lists of its CPU have it;
 * and tables of metrics.
 */
#ifndef TESTS_METRIC_OF_H
#define TESTS_METRIC_OF_H

#include <stdbool.h>

/* metric_there - have the lists of that model such a metric? */
bool metric_there(const char *model, const char *metric);
/* metric_of_node - its value over a dump; INFINITY: its inputs are missing.  Fails the
 * test, and names the line, where there is no such metric. */
double metric_of_node(const char *path, const char *model, const char *metric,
    int line);

/* metrics_table_has - fails the test unless the CSV table of a list of metrics (its text)
 * in these scopes, "numa,node", has all of these pieces; the last one is NULL. */
void metrics_table_has(int line, const char *list, const char *scopes,
    const char *dump, const char *const *piece);

#endif
