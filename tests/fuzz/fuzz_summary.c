/*
 * tests/fuzz/fuzz_summary.c - any bytes as a summary: words with the line in them, or
 * one that is written and read again as the same, adds up, and is shown.  With
 * libFuzzer; seeds in seeds/summary.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/many/many_tables.h"
#include "postproc/many/summary.h"
#include "postproc/out/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
read_text(struct summary *s, const void *text, size_t n, struct diag *why)
{
	FILE *f = fmemopen((void *)(uintptr_t)text, n, "r");
	int rc;

	if (f == NULL)
		abort();
	rc = summary_read(s, f, "fuzz", why);
	fclose(f);
	return rc;
}

static char *
written(const struct summary *s, size_t *n)
{
	char *text;
	FILE *f = open_memstream(&text, n);

	if (f == NULL)
		abort();
	summary_write(s, f);
	fclose(f);
	return text;
}

static void
show(const struct summary *s)
{
	static const struct outname null = { "/dev/null", true };
	const struct patterns any = { .n = 0 };
	struct many_nodes m;
	struct diag why;
	struct out *out;

	if (many_init(&m, s, &any) < 0 || out_open(&out, &null,
	    format_default(), "merge", &why) < 0)
		abort();
	many_put_nodes(out, &m);
	many_put_metrics(out, &m);
	many_put_quantiles(out, &m);
	out_close(out, true, &why);
	many_fini(&m);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct summary s = { .ntext = 0 }, again = { .ntext = 0 };
	const struct summed_node *is;
	struct diag why = { "" };
	size_t n, m;
	char *first, *second;

	if (size == 0)
		return 0;
	if (read_text(&s, data, size, &why) < 0) {
		if (why.text[0] == '\0')
			abort();
		summary_fini(&s);
		return 0;
	}
	first = written(&s, &n);
	if (read_text(&again, first, n, &why) < 0) {
		fprintf(stderr, "%s\n", why.text);
		abort();
	}
	second = written(&again, &m);
	if (n != m || memcmp(first, second, n) != 0)
		abort();
	if (s.nnode > 0 && summary_add(&s, &again, &is) != -17)
		abort();
	show(&s);
	free(first);
	free(second);
	summary_fini(&s);
	summary_fini(&again);
	return 0;
}
