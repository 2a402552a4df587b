/*
 * tests/postproc/test_jitter.c - tally jitter and tally merge --jitter: nodes of eight busy
 * lprocs, some of them with something that disturbs.
 */
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

#define LPROCS 8
#define SAMPLES 11              /* ten intervals of a second */

struct node_of {
	const char *host;
	unsigned smis;          /* a second */
	unsigned switches;      /* a second, of each lproc */
	unsigned hot;           /* samples that have the thermal bit */
	unsigned slow;          /* lprocs whose clock is 20 % slower, from 0 */
	unsigned idle;          /* lprocs that are halted, from the last */
	bool late;              /* the fifth interval took 3 s */
	unsigned missed;
};

static const char *
dump_of(const struct node_of *d)
{
	char *text;
	size_t size;
	const char *path;
	FILE *f = open_memstream(&text, &size);
	unsigned t = 1000;

	assert_non_null(f);
	fprintf(f, "host = \"%s\"\nmodel = \"skx\"\nTSC_ratio = 20\n"
	    "interval = 1\nnr_cpus = 8\nmissed_deadlines = %u\n", d->host,
	    d->missed);
	for (unsigned l = 0; l < LPROCS; l++)
		fprintf(f, "lproc_package[%u] = 0\nlproc_core[%u] = %u\n"
		    "lproc_thread[%u] = 0\n", l, l, l, l);
	for (unsigned i = 0; i < SAMPLES; i++, t++) {
		if (d->late && i == 5)
			t += 2;
		fprintf(f, "tsc[%u] = %llu\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\nsmi_count[0][%u] = %u\n"
		    "pkg_therm_status[0][%u] = %u\n", i, t * 2000000000ull, i,
		    t, i, i, t * d->smis, i, i > 0 && i <= d->hot);
		for (unsigned l = 0; l < LPROCS; l++) {
			bool idle = l >= LPROCS - d->idle;
			unsigned slow = l < d->slow ? 24 : 30;

			fprintf(f, "mperf[%u][%u] = %llu\naperf[%u][%u] = %llu\n"
			    "software_counts[%u][\"context-switches\"][%u] = "
			    "%u\n", l, i, t * (idle ? 1000ull : 1990000000ull),
			    l, i, t * (idle ? 1000ull : slow * 99500000ull), l,
			    i, t * d->switches);
		}
	}
	fclose(f);
	path = test_put(d->host, text);
	free(text);
	return path;
}

static char *
jitter_of(const char *options, const struct node_of *d)
{
	char words[300];

	snprintf(words, sizeof words, "jitter %s %s", options, dump_of(d));
	return said(EXIT_OK, cmd_jitter, words, NULL);
}

static void
each_cause_is_named_with_how_much_of_it_there_was(void **state)
{
	char *csv = jitter_of("-f csv", &(struct node_of){ "n1", .smis = 2,
	    .switches = 50, .hot = 3, .late = true, .missed = 2 });

	(void)state;
	/* 12 s: ten intervals, of which one took 3 */
	if (strstr(csv, "\nn1,smi,node,7200.000,/h,") == NULL ||
	    strstr(csv, "\nn1,context_switches,node,400.000,/s,") == NULL ||
	    strstr(csv, "\nn1,therm_throttling,node,30.000,%,") == NULL ||
	    strstr(csv, "\nn1,late,node,10.000,%,") == NULL ||
	    strstr(csv, "1 of 10; the longest was 3.000 s, to sample 5") ==
	    NULL || strstr(csv, "\nn1,missed,node,600.000,/h,") == NULL)
		fail_msg("%s", csv);
	/* counted by nobody: no value, and why */
	holds(csv, "\nn1,interrupts,node,,/s,\"Interrupts, of all lprocs\","
	    "\"missing core[\"\"HW_INTERRUPTS.RECEIVED\"\"]");
}

static void
an_lproc_whose_clock_is_slower_than_that_of_its_peers_is_named(void **state)
{
	char *csv = jitter_of("-f csv", &(struct node_of){ "n1", .slow = 1 });

	(void)state;
	if (strstr(csv, "\nn1,slow_clock,node,12.500,%,") == NULL ||
	    strstr(csv, "\nn1,slow_clock,lproc 0,20.000,%,") == NULL ||
	    strstr(csv, "below the median of 8 busy lprocs of its package: "
	    "2.4, not 3") == NULL)
		fail_msg("%s", csv);
	lacks(csv, "slow_clock,lproc 1,");
}

static void
lprocs_that_are_idle_are_nobodys_peers(void **state)
{
	char *csv = jitter_of("-f csv", &(struct node_of){ "n1", .slow = 1,
	    .idle = 5 });

	(void)state;
	holds(csv, "no 4 busy lprocs of a package that could be compared");
}

static void
people_get_what_was_seen_and_the_names_of_the_rest(void **state)
{
	char *text = jitter_of("", &(struct node_of){ "n1", .smis = 2 });

	(void)state;
	if (strstr(text, "\nCounted, and 0: therm_throttling, ") == NULL ||
	    strstr(text, "\nNot known: ") == NULL ||
	    strstr(text, "System management interrupts") == NULL)
		fail_msg("%s", text);
	lacks(text, "n1    therm_throttling");
}

static void
merge_ranks_nodes_by_what_they_stand_out_by(void **state)
{
	static const struct node_of node[] = {
		{ "n1", .switches = 50 }, { "n2", .switches = 51 },
		{ "n3", .switches = 50, .smis = 1 },
		{ "n4", .switches = 90 }, { "n5", .switches = 49 },
	};
	char words[500] = "merge --jitter -f csv", *csv;

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		strcat(words, " ");
		strcat(words, dump_of(&node[i]));
	}
	csv = said(EXIT_OK, cmd_merge, words, NULL);
	/* SMIs that no other node has are as far as can be; 50 is the median
	 * of switches, 1 what nodes are usually off, 2.5 the least that counts */
	if (strstr(csv, "\n1,n3,1000.00,smi,3600.000,/h,0.000,") == NULL ||
	    strstr(csv, "\n2,n4,") == NULL ||
	    strstr(csv, ",context_switches,720.000,/s,400.000,") == NULL ||
	    strstr(csv, "\n5,n5,") == NULL)
		fail_msg("%s", csv);
	free(csv);
}

static void
a_dump_without_an_interval_is_refused(void **state)
{
	(void)state;
	free(complained(EXIT_UNUSABLE, cmd_jitter, "jitter",
	    "tsc[0] = 1\n"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    each_cause_is_named_with_how_much_of_it_there_was),
		cmocka_unit_test(
		    an_lproc_whose_clock_is_slower_than_that_of_its_peers_is_named),
		cmocka_unit_test(lprocs_that_are_idle_are_nobodys_peers),
		cmocka_unit_test(
		    people_get_what_was_seen_and_the_names_of_the_rest),
		cmocka_unit_test(merge_ranks_nodes_by_what_they_stand_out_by),
		cmocka_unit_test(a_dump_without_an_interval_is_refused),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
