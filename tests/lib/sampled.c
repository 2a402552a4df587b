/*
 * tests/lib/sampled.c - a store that a test fills as a daemon would.
 */
#include "tests/lib/sampled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "tests/lib/named.h"
#include "tests/lib/scene.h"

#define WRAP 0xffffffffffff     /* the last value before 48 bits are over */

static const char *const names[SAMPLED_CELLS] = { "tsc", "walltime[0]",
	"walltime[1]", "imc_counts[0][1][\"CAS_COUNT.READS\"]",
	"imc_counts[0][1][\"CAS_COUNT.WRITES\"]", "rapl_pkg_energy[0]",
	"pkg_temperature[0]" };

struct sampled
sampled_start(void)
{
	static const unsigned bits[SAMPLED_CELLS] = { [SAMPLED_READS] = 48,
	    [SAMPLED_WRITES] = 48, [SAMPLED_ENERGY] = 32 };
	static struct column column[SAMPLED_CELLS];
	struct store_shape shape = { .column = column,
	    .ncolumn = SAMPLED_CELLS, .ncell = SAMPLED_CELLS, .capacity = 100,
	    .model = "skx", .preamble =
	    "host = \"n\"\nmodel = \"skx\"\ninterval = 100.0\n"
	    "tsc_hz_nominal = 2000000000\nRAPL_PKG_ENERGY_UNIT = 0.5\n"
	    "lproc_package[0] = 0\nlproc_core[0] = 0\nlproc_thread[0] = 0\n",
	    .cell_tsc = SAMPLED_TSC, .cell_real_sec = SAMPLED_SEC,
	    .cell_real_usec = SAMPLED_USEC };
	struct sampled d = { .dir = tree_new(), .cell = {
	    [SAMPLED_TSC] = 1000, [SAMPLED_READS] = WRAP - 1500000,
	    [SAMPLED_ENERGY] = 0xffffffff - 50 } };
	struct timeval now;
	struct diag why;

	for (unsigned i = 0; i < SAMPLED_CELLS; i++)
		column[i] = (struct column){ .name = names[i], .cell = i,
		    .bits = bits[i] };
	columns_named(column, SAMPLED_CELLS);
	gettimeofday(&now, NULL);
	/* as old as ten samples will be; late after three times 100 s */
	d.cell[SAMPLED_SEC] = (uint64_t)now.tv_sec - 10;
	if (store_create(&d.store, in_dir(d.dir, "store", d.path), &shape,
	    &why) < 0)
		fail_msg("%s", why.text);
	return d;
}

void
sampled_more(struct sampled *d)
{
	uint64_t *row = store_row(d->store);

	assert_non_null(row);
	d->cell[SAMPLED_TSC] += 2000000000;
	d->cell[SAMPLED_SEC]++;
	d->cell[SAMPLED_READS] = (d->cell[SAMPLED_READS] + 1000000) & WRAP;
	d->cell[SAMPLED_WRITES] = (d->cell[SAMPLED_WRITES] + 250000) & WRAP;
	d->cell[SAMPLED_ENERGY] = (d->cell[SAMPLED_ENERGY] + 80) & 0xffffffff;
	d->cell[SAMPLED_HEAT] = 50;
	memcpy(row, d->cell, sizeof(d->cell));
	assert_int_equal(store_commit(d->store), 0);
}

void
sampled_next(struct sampled *d)
{
	char path[512];
	struct store *next;
	struct diag why;

	if (store_create(&next, in_dir(d->dir, "next", path),
	    store_shape(d->store), &why) < 0)
		fail_msg("%s", why.text);
	memcpy(store_row(next), d->cell, sizeof(d->cell));
	assert_int_equal(store_commit(next), 0);
	assert_int_equal(rename(path, d->path), 0);
	store_close(d->store);
	d->store = next;
}

void
sampled_stop(struct sampled *d)
{
	store_unlink(d->store);
	store_close(d->store);
	tree_free(d->dir);
}

double
sampled_value(const char *page, const char *series)
{
	size_t n = strlen(series);

	for (const char *p = page; p != NULL && *p != '\0';
	    p = strchr(p, '\n'), p += p != NULL)
		if (strncmp(p, series, n) == 0 && p[n] == ' ')
			return strtod(p + n, NULL);
	return NAN;
}

static char *
page_of(struct exposed *x)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	prometheus_put(x, PROMETHEUS_OPENMETRICS, f);
	fclose(f);
	return text;
}

/* A family of metrics is said what it is once, before all of its series. */
static void
one_head_each(const char *page)
{
	for (const char *p = page; (p = strstr(p, "# TYPE ")) != NULL; p++) {
		char *line = strndup(p, strcspn(p, "\n") + 1);

		if (strstr(p + 1, line) != NULL)
			fail_msg("twice: %s", line);
		free(line);
	}
}

void
sampled_says(struct exposed *x, const char *const *series, const double *value)
{
	char *page = page_of(x);

	one_head_each(page);
	for (; *series != NULL; series++, value++) {
		double v = sampled_value(page, *series);

		if (isnan(*value) ? !isnan(v) :
		    !(fabs(v - *value) <= fabs(*value) / 1000))
			fail_msg("%s is %.15g, not %.15g, of:\n%s", *series, v,
			    *value, page);
	}
	free(page);
}
