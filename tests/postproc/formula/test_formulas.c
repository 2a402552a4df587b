/*
 * tests/postproc/formula/test_formulas.c - the names in the metrics that come with the programs.
 */
#include "tests/lib/files.h"

#include "config/dump/column.h"
#include "config/dump/head.h"
#include "postproc/formula/metrics.h"

#include <string.h>

/* A family of the model that a text is of: @skx-io. */
static bool
known_family(const char *file, const char *name)
{
	const char *star = strchr(name, '*');
	char model[16], whole[80];
	struct family f;

	snprintf(model, sizeof(model), "%.*s", (int)strcspn(file + 1, "-"),
	    file + 1);
	/* what a '*' of these stands for */
	if (star != NULL)
		snprintf(whole, sizeof(whole), "%.*sPCIe0_port1%s",
		    (int)(star - name), name, star + 1);
	family_describe(&f, model_named(model), star != NULL ? whole : name);
	if (!f.known)           /* of the kernel's, on any CPU */
		family_describe(&f, &model_any, name);
	return f.known;
}

static bool
known_name(const struct metrics *m, const struct metrics *any,
    const char *file, const char *name)
{
	/* what a formula has beside columns */
	static const char *const words[] = { "time", "intervals", "lprocs", "node_packages",
		"cores", "threads_per_core" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(name, words[i]) == 0)
			return true;
	/* and the text that says what a node lacks, which names nothing */
	return strchr(name, ' ') != NULL || metrics_find(m, name) != NULL ||
	    metrics_find(any, name) != NULL ||
	    known_family(file, name) ||
	    head_find(name, strlen(name)) != HEAD_KEYS;
}

static void
constants_of_metrics_are_keys_of_the_head(void **state)
{
	static const char *const files[] = { "@skx", "@skx-io",
		"@icx", "@hsx", "@slm", "@grace", "@spr",
		"@gnr" };
	struct metrics more;
	struct diag why;

	(void)state;
	assert_int_equal(metrics_init(&more), 0);
	if (metrics_load(&more, "@any", &why) < 0 ||
	    metrics_load(&more, "@skx", &why) < 0)
		fail_msg("%s", why.text);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct metrics m;

		assert_int_equal(metrics_init(&m), 0);
		if (metrics_load(&m, files[i], &why) < 0)
			fail_msg("%s", why.text);
		for (unsigned k = 0; k < m.n; k++)
			for (unsigned n = 0; n < m.metric[k].expr.nref; n++) {
				const struct expr_ref *ref =
				    &m.metric[k].expr.ref[n];

				/* @names, that all begin with, has names of
				 * Intel's lists */
				const char *file = strcmp(m.metric[k].file,
				    "@names") == 0 ? "@spr" : files[i];

				if (ref->event == NULL &&
				    !known_name(&m, &more, file, ref->name))
					fail_msg("%s:%u: %s", files[i],
					    ref->line, ref->name);
			}
		metrics_fini(&m);
	}
	metrics_fini(&more);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constants_of_metrics_are_keys_of_the_head),
	};

	return cmocka_run_group_tests_name("formulas", tests, NULL, NULL);
}
