/*
 * tests/postproc/many/test_diff_seeds.c - the simulated node's STREAM phase against its idle one,
 * 100 times with other noise: diff names each metric that the machine file changes,
 * and others no more often than it says.
 */
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

#include "config/texts.h"

#define SEEDS 100

/* What is counted: as tallyd is told, and as the machine file has it. */
static const struct seeded_event {
	const char *box, *event, *config, *machine;
} seeded[] = {
	{ "imc", "CAS_COUNT.READS", "event=0x04,umask=0x03", "0x0304" },
	{ "imc", "CAS_COUNT.WRITES", "event=0x04,umask=0x0c", "0x0c04" },
	{ "imc", "PRE_COUNT.MISS", "event=0x02,umask=0x01", "0x0102" },
	{ "upi", "CLOCKTICKS", "event=0x01", "0x0001" },
	{ "upi", "TxL_FLITS.ALL_DATA", "event=0x02,umask=0x0f", "0x0f02" },
	{ "upi", "TxL_FLITS.ALL_NULL", "event=0x02,umask=0x27", "0x2702" },
	{ "iio", "CLOCKTICKS", "event=0x01", "0x0001" },
	{ "iio", "DATA_REQ_OF_CPU.MEM_WRITE", "event=0x83,umask=0x01,"
	    "ch_mask=0x0f,fc_mask=0x07", "0x70f000000183" },
	{ "pcu", "CLOCKTICKS", "event=0x00", "0x0" },
	{ "pcu", "PKG_RESIDENCY_C0_CYCLES", "event=0x2a", "0x2a" },
};
#define COUNTED (sizeof seeded / sizeof *seeded)

/* Does the machine file change it between the phases?  By a tenth at least,
 * then: noise must not decide what is expected. */
static bool
is_changed(const struct seeded_event *c)
{
	const struct text *t = text_named("@skx-8160-2s", TEXT_MACHINE);
	char *text, start[80];
	bool changed = false;
	unsigned lines = 0;

	assert_non_null(t);
	assert_non_null(text = strndup(t->data, (size_t)(t->end - t->data)));
	snprintf(start, sizeof start, "event %s %s idle=", c->box, c->machine);
	for (char *l = strtok(text, "\n"); l != NULL; l = strtok(NULL, "\n")) {
		double idle, stream;

		if (strncmp(l, start, strlen(start)) != 0)
			continue;
		assert_int_equal(sscanf(l + strlen(start), "%lf stream=%lf",
		    &idle, &stream), 2);
		lines++;
		changed |= idle != stream;
		if (idle != stream)
			assert_true(stream > 1.1 * idle || stream < 0.9 * idle);
	}
	free(text);
	if (lines == 0)
		fail_msg("the machine has no line that begins: %s", start);
	return changed;
}

/* The configuration, and metrics m0, m1 ...: a rate each. */
static void
put_texts(char *config, char *metrics)
{
	char conf[2000] = "", list[3000] = "";

	for (size_t i = 0; i < COUNTED; i++) {
		const struct seeded_event *c = &seeded[i];

		sprintf(conf + strlen(conf), "%s %s %s\n", c->box, c->event,
		    c->config);
		sprintf(list + strlen(list), "metric m%zu box \"/s\" \"rate\" = "
		    "%s[\"%s\"] / time\n", i, c->box, c->event);
	}
	strcpy(config, test_put("seed.conf", conf));
	strcpy(metrics, test_put("seed.metrics", list));
}

/* A run of 18 s idle and 18 s STREAM: its dump. */
static void
run(unsigned seed, const char *config, char *dump)
{
	char tallyd[512], machine[128], words[2000];

	snprintf(words, sizeof words, "like @skx-8160-2s.machine\n"
	    "cores 2 ids=0-1\nnoise 10 seed=%u\n", seed);
	strcpy(machine, test_put("seed.machine", words));
	sprintf(dump, "%s/seed.lua", test_dir);
	snprintf(words, sizeof words, "'%s' -q --sim '%s' --virtual-time -n 37 "
	    "--overwrite -c '%s' -o '%s' --store '%s/seed.store'",
	    built("tallyd", tallyd), machine, config, dump, test_dir);
	assert_int_equal(system(words), 0);
}

struct tally {
	unsigned found, missed;         /* of what the machine file changes */
	unsigned chance, same;          /* of what it does not */
	unsigned below;                 /* 5 %: p of a box that does not change */
	unsigned boxes;
};

/* A row: metric,scope,where,a,b,unit,change,p,verdict. */
static void
take_row(const char *row, const bool *changed, struct tally *t)
{
	char scope[20], where[20], verdict[20];
	unsigned m;
	double p;

	if (sscanf(row, "m%u,%19[^,],%19[^,],", &m, scope, where) < 2)
		return;
	assert_true(m < COUNTED);
	for (unsigned comma = 0; comma < 7; row++)
		comma += *row == ',';
	assert_int_equal(sscanf(row, "%lf,%19[a-z]", &p, verdict), 2);
	if (changed[m])
		(*(strcmp(verdict, "same") == 0 ? &t->missed : &t->found))++;
	else
		(*(strcmp(verdict, "same") == 0 ? &t->same : &t->chance))++;
	if (changed[m] || strcmp(scope, "box") != 0)
		return;
	t->boxes++;
	t->below += p < 0.05;
}

static void
diff_finds_what_the_machine_file_changes_and_nothing_else(void **state)
{
	char config[128], metrics[128], dump[200], words[700];
	struct tally t = { 0 };
	bool changed[COUNTED];

	(void)state;
	put_texts(config, metrics);
	for (size_t i = 0; i < COUNTED; i++)
		changed[i] = is_changed(&seeded[i]);
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		char *text;

		run(seed, config, dump);
		snprintf(words, sizeof words, "diff -f csv --all -a 0:17 -b "
		    "19:36 -S box,package,node -M %s %s", metrics, dump);
		text = said(EXIT_OK, cmd_diff, words, NULL);
		for (char *row = strtok(text, "\r\n"); row != NULL;
		    row = strtok(NULL, "\r\n"))
			take_row(row, changed, &t);
		free(text);
	}
	print_message("%u by chance of %u, p below 5 %% of %u of %u boxes\n",
	    t.chance, t.found + t.chance, t.below, t.boxes);
	/* 3 events of 12 channels, 1 each of 6 links, 10 stacks and 2 packages'
	 * PCUs; 2 packages and the node of each of the 6 */
	assert_int_equal(t.missed, 0);
	assert_int_equal(t.found, SEEDS * (36 + 6 + 10 + 2 + 6 * 3));
	assert_true(t.chance + t.same > 0);
	/* 1 % of those that are named, as diff says */
	assert_true(t.chance * 100 <= t.found + t.chance);
	/* a p below 5 % is as rare as that where nothing changes: of 2400 no
	 * more than 120 and three times the root of 2400 x 0.05 x 0.95 */
	assert_int_equal(t.boxes, SEEDS * 24);
	assert_true(t.below <= 152);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    diff_finds_what_the_machine_file_changes_and_nothing_else),
	};

	return cmocka_run_group_tests_name("diff_seeds", tests, test_dir_new,
	    test_dir_free);
}
