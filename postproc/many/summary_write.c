/*
 * postproc/many/summary_write.c - a summary as a text.
 */
#include "postproc/many/summary_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/version.h"

/* A text that is no longer than those of a dump's head; longer ones are cut. */
static void
summary_write_put_text(FILE *f, const char *text)
{
	char quoted[HEAD_QUOTED_ONE];

	putc('"', f);
	while (*text != '\0') {
		unsigned n = head_quote_one(quoted, &text, '"');

		fwrite(quoted, 1, n, f);
	}
	putc('"', f);
}

static void
summary_write_put_named(FILE *f, const char *name, unsigned i, const char *text)
{
	fprintf(f, "%s[%u] = ", name, i);
	summary_write_put_text(f, text);
	putc('\n', f);
}

static void
put_real(FILE *f, const char *name, unsigned i, double v)
{
	if (!isnan(v))
		fprintf(f, "%s[%u] = %.17g\n", name, i, v);
}

static void
summary_write_put_values(FILE *f, const struct summed_node *n, unsigned i)
{
	const char *between = "";

	fprintf(f, "node_values[%u] = \"", i);
	for (unsigned k = 0; k < n->nvalue; k++, between = " ") {
		const struct node_value *v = &n->value[k];

		fprintf(f, "%s%" PRIu32, between, v->metric);
		fprintf(f, isnan(v->value) ? " -" : " %.17g", v->value);
		fprintf(f, " %u", v->marks);
		if (v->why == NO_TEXT)
			fputs(" -", f);
		else
			fprintf(f, " %" PRIu32, v->why);
	}
	fputs("\"\n", f);
}

static void
summary_write_put_node(const struct summary *s, unsigned i, FILE *f)
{
	const struct summed_node *n = &s->node[i];

	summary_write_put_named(f, "node_host", i, s->text[n->host]);
	summary_write_put_named(f, "node_file", i, s->text[n->path]);
	summary_write_put_named(f, "node_job", i, s->text[n->job]);
	fprintf(f, "node_identity[%u] = \"%016" PRIx64 "\"\n", i, n->identity);
	put_real(f, "node_first", i, n->first);
	put_real(f, "node_seconds", i, n->seconds);
	put_real(f, "node_tsc", i, n->tsc_hz);
	fprintf(f, "node_samples[%u] = %" PRIu64 "\n", i, n->samples);
	fprintf(f, "node_left_out[%u] = %" PRIu64 "\n", i, n->left_out);
	put_real(f, "node_ntp", i, n->traits.ntp_error);
	fprintf(f, "node_unsynchronised[%u] = %d\n", i,
	    n->traits.unsynchronised);
	for (enum trait k = 0; k < TRAITS; k++) {
		fprintf(f, "node_trait[%u][%u] = ", i, k);
		summary_write_put_text(f, n->traits.text[k]);
		fprintf(f, "\nnode_trait_digest[%u][%u] = \"%016" PRIx64
		    "\"\n", i, k, n->traits.digest[k]);
	}
	summary_write_put_values(f, n, i);
}

static void
put_dist(const struct summary *s, unsigned i, FILE *f)
{
	const struct distribution *d = &s->dist[i];

	fprintf(f, "distribution[%u] = \"%" PRIu32 " %" PRIu32 " %" PRIu32
	    " %u %" PRIu64 " %.17g %.17g", i, d->metric, d->cpu, d->job,
	    scope_number((enum scope)d->scope), d->unknown, d->of.least, d->of.most);
	for (unsigned k = 0; k < d->of.n; k++)
		fprintf(f, " %" PRId32 ":%" PRIu64, d->of.bucket[k].at,
		    d->of.bucket[k].n);
	fputs("\"\n", f);
}

void
summary_write(const struct summary *s, FILE *f)
{
	static const char *const table[] = { "text", "metric", "node_host",
	    "node_file", "node_job", "node_identity", "node_first",
	    "node_seconds", "node_tsc", "node_samples", "node_left_out",
	    "node_ntp", "node_unsynchronised", "node_trait",
	    "node_trait_digest", "node_values", "distribution" };

	fputs("tally_summary = 1\ntally_version = \"" TALLYD_VERSION "\"\n", f);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		fprintf(f, "%s = {}\n", table[i]);
	for (unsigned i = 0; i < s->nnode; i++)
		fprintf(f, "node_trait[%u] = {}\nnode_trait_digest[%u] = {}\n",
		    i, i);
	for (unsigned i = 0; i < s->ntext; i++)
		summary_write_put_named(f, "text", i, s->text[i]);
	for (unsigned i = 0; i < s->nmetric; i++)
		fprintf(f, "metric[%u] = \"%" PRIu32 " %" PRIu32 "\"\n", i,
		    s->metric[i].name, s->metric[i].unit);
	for (unsigned i = 0; i < s->nnode; i++)
		summary_write_put_node(s, i, f);
	for (unsigned i = 0; i < s->ndist; i++)
		put_dist(s, i, f);
}
