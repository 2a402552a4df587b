/*
 * postproc/many/summary.c - what many dumps come to, in memory and written as text.
 */
#include "postproc/many/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/version.h"
#include "lib/array.h"
#include "lib/printable.h"

void
summary_fini(struct summary *s)
{
	for (unsigned i = 0; i < s->ntext; i++)
		free(s->text[i]);
	for (unsigned i = 0; i < s->nnode; i++)
		free(s->node[i].value);
	for (unsigned i = 0; i < s->ndist; i++)
		sketch_fini(&s->dist[i].of);
	free(s->text);
	free(s->metric);
	free(s->node);
	free(s->dist);
	lookup_fini(&s->texts);
	lookup_fini(&s->metrics);
	lookup_fini(&s->nodes);
	lookup_fini(&s->dists);
	*s = (struct summary){ .ntext = 0 };
}

uint32_t
summary_text(struct summary *s, const char *text)
{
	uint64_t hash = lookup_text(0, text);

	LOOKUP_EACH(i, &s->texts, hash)
		if (strcmp(s->text[i], text) == 0)
			return i;
	if (!array_room(&s->text, s->ntext, &s->text_room, sizeof *s->text))
		return UINT32_MAX;
	if ((s->text[s->ntext] = strdup(text)) == NULL)
		return UINT32_MAX;
	if (lookup_add(&s->texts, hash, s->ntext) == 0)
		return s->ntext++;
	free(s->text[s->ntext]);
	return UINT32_MAX;
}

uint32_t
summary_metric(struct summary *s, struct summary_metric m)
{
	uint64_t hash = lookup_hash(0, &m, sizeof m);

	LOOKUP_EACH(i, &s->metrics, hash) {
		const struct summary_metric *p = &s->metric[i];

		if (p->name == m.name && p->unit == m.unit)
			return i;
	}
	if (!array_room(&s->metric, s->nmetric, &s->metric_room,
	    sizeof *s->metric))
		return UINT32_MAX;
	s->metric[s->nmetric] = m;
	return lookup_add(&s->metrics, hash, s->nmetric) < 0 ? UINT32_MAX :
	    s->nmetric++;
}

uint32_t
summary_dist(struct summary *s, const struct distribution *key)
{
	uint32_t words[] = { key->metric, key->cpu, key->job, key->scope };
	uint64_t hash = lookup_hash(0, words, sizeof words);

	LOOKUP_EACH(i, &s->dists, hash) {
		const struct distribution *p = &s->dist[i];

		if (p->metric == key->metric && p->cpu == key->cpu &&
		    p->job == key->job && p->scope == key->scope)
			return i;
	}
	if (!array_room(&s->dist, s->ndist, &s->dist_room, sizeof *s->dist))
		return UINT32_MAX;
	s->dist[s->ndist] = (struct distribution){ .metric = key->metric,
	    .cpu = key->cpu, .job = key->job, .scope = key->scope };
	return lookup_add(&s->dists, hash, s->ndist) < 0 ? UINT32_MAX :
	    s->ndist++;
}

const struct summed_node *
summary_known(const struct summary *s, uint64_t identity)
{
	uint32_t at = lookup_first(&s->nodes, identity);

	return at == LOOKUP_END ? NULL : &s->node[lookup_value(&s->nodes, at)];
}

struct summed_node *
summary_node(struct summary *s, uint64_t identity)
{
	if (!array_room(&s->node, s->nnode, &s->node_room, sizeof *s->node))
		return NULL;
	if (lookup_add(&s->nodes, identity, s->nnode) < 0)
		return NULL;
	s->node[s->nnode] = (struct summed_node){ .identity = identity };
	return &s->node[s->nnode++];
}

struct node_value *
node_value_add(struct summed_node *n)
{
	if (!array_room(&n->value, n->nvalue, &n->room, sizeof *n->value))
		return NULL;
	n->value[n->nvalue] = (struct node_value){ .why = NO_TEXT };
	return &n->value[n->nvalue++];
}

/* ---- one summary into another ---- */

/* The indices that texts and metrics of `more` have in s. */
struct renumbered {
	uint32_t *text, *metric;
};

static int
renumber(struct renumbered *r, struct summary *s, const struct summary *more)
{
	r->text = calloc(more->ntext + 1, sizeof *r->text);
	r->metric = calloc(more->nmetric + 1, sizeof *r->metric);
	if (r->text == NULL || r->metric == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < more->ntext; i++)
		if ((r->text[i] = summary_text(s, more->text[i])) ==
		    UINT32_MAX)
			return -ENOMEM;
	for (unsigned i = 0; i < more->nmetric; i++) {
		struct summary_metric m = { r->text[more->metric[i].name],
		    r->text[more->metric[i].unit] };

		if ((r->metric[i] = summary_metric(s, m)) == UINT32_MAX)
			return -ENOMEM;
	}
	return 0;
}

static int
add_node(struct summary *s, const struct renumbered *r, const struct summed_node *n)
{
	struct summed_node *to = summary_node(s, n->identity);

	if (to == NULL)
		return -ENOMEM;
	*to = *n;
	to->host = r->text[n->host];
	to->path = r->text[n->path];
	to->job = r->text[n->job];
	to->value = NULL;
	to->nvalue = to->room = 0;
	for (unsigned i = 0; i < n->nvalue; i++) {
		struct node_value *v = node_value_add(to);

		if (v == NULL)
			return -ENOMEM;
		*v = n->value[i];
		v->metric = r->metric[v->metric];
		if (v->why != NO_TEXT)
			v->why = r->text[v->why];
	}
	return 0;
}

static int
add_dist(struct summary *s, const struct renumbered *r,
    const struct distribution *d)
{
	struct distribution key = { .metric = r->metric[d->metric],
	    .cpu = r->text[d->cpu], .job = r->text[d->job],
	    .scope = d->scope };
	uint32_t i = summary_dist(s, &key);

	if (i == UINT32_MAX)
		return -ENOMEM;
	s->dist[i].unknown += d->unknown;
	return sketch_merge(&s->dist[i].of, &d->of);
}

int
summary_add(struct summary *s, const struct summary *more,
    const struct summed_node **is)
{
	struct renumbered r = { NULL, NULL };
	int rc;

	for (unsigned i = 0; i < more->nnode; i++)
		if ((*is = summary_known(s, more->node[i].identity)) != NULL)
			return -EEXIST;
	rc = renumber(&r, s, more);
	for (unsigned i = 0; rc == 0 && i < more->nnode; i++)
		rc = add_node(s, &r, &more->node[i]);
	for (unsigned i = 0; rc == 0 && i < more->ndist; i++)
		rc = add_dist(s, &r, &more->dist[i]);
	free(r.text);
	free(r.metric);
	return rc;
}

/* ---- a summary as text ----------------------------------------------------- */

/* Writes a text in quotes, as the head of a dump has it. */
static void
summary_write_put_text(FILE *f, const char *text)
{
	char quoted[LUA_QUOTED_ONE];

	putc('"', f);
	while (*text != '\0') {
		unsigned n = lua_quote_one(quoted, &text, '"');

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

/* ---- the quantiles of many values ------------------------------------------ */

/* A bucket's number is made of the upper bits of a double: the exponent and the first six
 * bits of the mantissa. */
#define SHIFT 46
#define LAST ((int32_t)(UINT64_C(0x7ff0000000000000) >> SHIFT))

static int32_t
bucket_of(double v)
{
	double size = fabs(v);
	uint64_t bits;
	int32_t at;

	if (v == 0)
		return 0;
	memcpy(&bits, &size, sizeof bits);
	at = (int32_t)(bits >> SHIFT) + 1;
	return v < 0 ? -at : at;
}

static double
edge(int32_t at)
{
	uint64_t bits = (uint64_t)at << SHIFT;
	double v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

static double
sketch_middle(int32_t at)
{
	int32_t size = abs(at);
	double v;

	if (at == 0)
		return 0;
	/* the last bucket has no upper edge that is a double */
	v = edge(size - 1) + (size == LAST ? 0 :
	    (edge(size) - edge(size - 1)) / 2);
	return at < 0 ? -v : v;
}

int
sketch_count(struct sketch *s, int32_t at, uint64_t n)
{
	struct sketch_bucket *b;
	unsigned lo = 0, hi = s->n;

	if (at < -LAST || at > LAST || s->count + n < n)
		return -ERANGE;
	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;

		if (s->bucket[mid].at < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == s->n || s->bucket[lo].at != at) {
		if (!array_room(&s->bucket, s->n, &s->room, sizeof *s->bucket))
			return -ENOMEM;
		b = s->bucket;
		memmove(b + lo + 1, b + lo, (s->n - lo) * sizeof *b);
		b[lo] = (struct sketch_bucket){ at, 0 };
		s->n++;
	}
	s->bucket[lo].n += n;
	s->count += n;
	return 0;
}

static void
extend(struct sketch *s, bool first, double least, double most)
{
	s->least = first || least < s->least ? least : s->least;
	s->most = first || most > s->most ? most : s->most;
}

int
sketch_add(struct sketch *s, double v)
{
	int rc = sketch_count(s, bucket_of(v), 1);

	if (rc == 0)
		extend(s, s->count == 1, v, v);
	return rc;
}

int
sketch_merge(struct sketch *s, const struct sketch *more)
{
	bool first = s->count == 0;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < more->n; i++)
		rc = sketch_count(s, more->bucket[i].at, more->bucket[i].n);
	if (rc == 0 && more->count > 0)
		extend(s, first, more->least, more->most);
	return rc;
}

double
sketch_quantile(const struct sketch *s, double q)
{
	double rank = ceil(q * (double)s->count), v;
	uint64_t before = 0;

	for (unsigned i = 0; i < s->n; i++) {
		before += s->bucket[i].n;
		if ((double)before < rank && i + 1 < s->n)
			continue;
		v = sketch_middle(s->bucket[i].at);
		return v < s->least ? s->least : v > s->most ? s->most : v;
	}
	return (double)NAN;
}

void
sketch_clear(struct sketch *s)
{
	s->n = 0;
	s->count = 0;
}

void
sketch_fini(struct sketch *s)
{
	free(s->bucket);
	*s = (struct sketch){ .n = 0 };
}
