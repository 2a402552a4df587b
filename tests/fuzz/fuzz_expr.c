/*
 * tests/fuzz/fuzz_expr.c - any bytes as a metrics file: parsed, bound to a small
 * node, evaluated at every scope.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postproc/metrics/gather.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char dump[] =
"nr_cpus = 4\nTSC_ratio = 10\n"
#define SAMPLE(i, n) \
	"tsc[" #i "] = " #n "\nwalltime[0][" #i "] = " #i "\n" \
	"mperf[0][" #i "] = " #n "\nmperf[1][" #i "] = " #n "\n" \
	"mperf[3][" #i "] = " #n "\npkg_temperature[0][" #i "] = 40\n" \
	"pkg_temperature[1][" #i "] = 50\n" \
	"imc_counts[0][0][\"A\"][" #i "] = " #n "\n" \
	"imc_counts[1][2][\"A\"][" #i "] = " #n "\n" \
	"iio_x_bytes[0][" #i "] = " #n "\n"
SAMPLE(0, 1000000000)
SAMPLE(1, 2000000000)
SAMPLE(2, 3000000000);

static char path[] = "/tmp/fuzz_expr.XXXXXX";

static void
forget(void)
{
	unlink(path);
}

static void
evaluate(struct gather *g, unsigned b, const struct sums *sums)
{
	for (enum scope s = 0; s < SCOPES; s++) {
		unsigned n = binding_windows(&g->binding, b, s);

		for (unsigned i = 0; i < n; i++) {
			struct window w;
			char name[64];

			if (!binding_window(&g->binding, b, s, i, &w))
				continue;
			window_name(&g->binding, &w, name, sizeof name);
			binding_eval(&g->binding, b, &w, sums);
		}
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool written;
	struct metrics m;
	struct gather g;
	struct diag why;
	unsigned b;

	if (!written) {
		int fd = mkstemp(path);

		if (fd < 0 || write(fd, dump, sizeof dump - 1) < 0)
			abort();
		close(fd);
		atexit(forget);
		written = true;
	}
	if (size > 4096)
		return 0;
	metrics_init(&m);
	if ((size > 0 && data[0] == '{' ? metrics_parse_intel :
	    metrics_parse)(&m, "fuzz", (const char *)data, size, &why) == 0 &&
	    gather_open(&g, path, &m, NULL, NULL, &why) == 0) {
		unsigned n = m.n < 8 ? m.n : 8, bound[8];

		for (b = 0; b < n; b++)
			if (binding_add(&g.binding, &m.metric[b], &bound[b],
			    &why) < 0)
				n = b;
		gather_all(&g, &why);
		for (b = 0; b < n; b++)
			evaluate(&g, bound[b], gather_sums(&g));
		gather_close(&g);
	}
	metrics_fini(&m);
	return 0;
}
