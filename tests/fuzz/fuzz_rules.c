/*
 * tests/fuzz/fuzz_rules.c - any bytes as rules of tally why: words with the place in
 * them, or rules that a small node is judged by.  With libFuzzer; seeds in
 * seeds/rules.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postproc/pages/why.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char dump[] =
"nr_cpus = 4\nTSC_ratio = 10\n"
#define SAMPLE(i, n, m) \
	"tsc[" #i "] = " #n "\nwalltime[0][" #i "] = " #i "\n" \
	"mperf[0][" #i "] = " #n "\nmperf[1][" #i "] = " #m "\n" \
	"mperf[3][" #i "] = " #m "\npkg_temperature[0][" #i "] = 40\n" \
	"pkg_temperature[1][" #i "] = 50\n" \
	"imc_counts[0][0][\"A\"][" #i "] = " #n "\n" \
	"imc_counts[0][2][\"A\"][" #i "] = " #m "\n" \
	"imc_counts[1][2][\"A\"][" #i "] = " #m "\n"
SAMPLE(0, 1000000000, 0)
SAMPLE(1, 2000000000, 100000)
SAMPLE(2, 3000000000, 900000000)
SAMPLE(3, 4000000000, 900000001);

static char path[] = "/tmp/fuzz_rules.XXXXXX";

static void
forget(void)
{
	unlink(path);
}

static void
write_once(void)
{
	static bool written;
	int fd;

	if (written)
		return;
	if ((fd = mkstemp(path)) < 0 || write(fd, dump, sizeof dump - 1) < 0)
		abort();
	close(fd);
	atexit(forget);
	written = true;
}

/* What is said of a rule has all its words; what holds has its time. */
static void
check(const struct why_units *u)
{
	const struct rule *r = u->rule;

	if (r->name[0] == '\0' || r->advice[0] == '\0' ||
	    strchr(r->formula, '\n') != NULL)
		__builtin_trap();
	for (unsigned i = 0; i < u->n; i++) {
		const struct why_unit *x = &u->unit[i];
		double share = why_unit_share(u, x);

		if (!(share >= 0 && share <= 1.000001) ||
		    (share > 0 && (x->first > x->last || x->last > 3)))
			__builtin_trap();
	}
}

/* Formulas, once more when columns have come. */
static struct compiled *
compile_again(struct compiled *old, struct why_units *u, const struct gather *g)
{
	struct compiled *c = compiled_new(&g->binding);

	compiled_free(old);
	if (c == NULL || why_units_compile(u, c) < 0 || compiled_finish(c) < 0)
		abort();
	return c;
}

static void
judge(const struct rule *r, struct gather *g)
{
	struct why_units u = { .n = 0 };
	struct compiled *c = NULL;
	unsigned bound, ncol = 0;
	struct diag why;
	int rc = 0;

	if (binding_add(&g->binding, &r->metric, &bound, &why) < 0 ||
	    why_units_init(&u, g, r, bound) < 0)
		rc = -EINVAL;
	while (rc == 0 && gather_next(g, &why) > 0) {
		struct why_stretch in = { g->now.before_sample + 1,
			g->now.sample, g->now.seconds };

		if (ncol != g->ncol)
			c = compile_again(c, &u, g);
		ncol = g->ncol;
		rc = compiled_take(c, gather_interval(g));
		if (rc == 0)
			rc = why_units_take(&u, g, c, gather_interval(g), 0,
			    &in);
	}
	if (rc == 0 && why_units_end(&u) == 0)
		check(&u);
	why_units_fini(&u);
	compiled_free(c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct metrics m;
	struct gather g;
	struct rules r;
	struct diag why = { "" };
	int rc;

	write_once();
	if (metrics_init(&m) < 0 || rules_init(&r) < 0)
		__builtin_trap();
	rc = rules_parse(&r, "fuzz", (const char *)data, size, &why);
	if (rc == -EINVAL && strncmp(why.text, "fuzz:", 5) != 0)
		__builtin_trap();
	for (unsigned i = 0; rc == 0 && i < r.n && i < 4; i++)
		if (gather_open(&g, path, &m, NULL, NULL, &why) == 0) {
			judge(&r.rule[i], &g);
			gather_close(&g);
		}
	rules_fini(&r);
	metrics_fini(&m);
	return 0;
}
