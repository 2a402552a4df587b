/*
 * postproc/many/summary_read.c - reads a summary as text.  The text may be wrong, or
 * written to do harm.
 */
#include "postproc/many/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/dump/dump.h"
#include "config/folder.h"
#include "lib/printable.h"

#define FORMAT 1
/* The limit of counts: more than anybody has, and low enough that sums of them do not
 * overflow. */
#define MOST_VALUES (UINT64_C(1) << 53)
#define FIRST_LINE "tally_summary = "

/* A file that is being read. */
struct summary_reading {
	struct summary *s;
	const char *name;
	unsigned line;
	struct diag *why;
};

/* An assignment, of KEY[at] or KEY[at][in]. */
struct entry_line {
	uint64_t at, in;
	char *text;             /* its value without quotes */
};

static int
summary_read_bad(const struct summary_reading *r, const char *what)
{
	return diag_at(r->why, r->name, r->line, "%s: not what tally summarize "
	    "writes; make it anew of the dumps", what);
}

/* ---- numbers and strings of a line of a summary ---- */

static bool
take_u64(char **p, uint64_t below, uint64_t *v)
{
	char *end;

	*p += **p == ' ';
	if (**p < '0' || **p > '9')
		return false;
	errno = 0;
	*v = strtoull(*p, &end, 10);
	*p = end;
	return errno == 0 && *v < below && (*end == ' ' || *end == '\0' ||
	    *end == ':');
}

static bool
take_u32(char **p, uint64_t below, uint32_t *v)
{
	uint64_t wide;

	if (!take_u64(p, below, &wide))
		return false;
	*v = (uint32_t)wide;
	return true;
}

/* "-" is NaN; infinity is refused. */
static bool
take_real(char **p, double *v)
{
	char *end;

	*p += **p == ' ';
	if (**p == '-' && ((*p)[1] == ' ' || (*p)[1] == '\0')) {
		*v = NAN;
		++*p;
		return true;
	}
	*v = strtod(*p, &end);
	if (end == *p || !isfinite(*v) || (*end != ' ' && *end != '\0'))
		return false;
	*p = end;
	return true;
}

/* ---- what a line may be ---- */

static int
read_text(struct summary_reading *r, const struct entry_line *l)
{
	struct summary *s = r->s;

	if (l->at != s->ntext)
		return summary_read_bad(r, "text out of order");
	if (summary_text(s, l->text) == UINT32_MAX)
		return -ENOMEM;
	return s->ntext == l->at + 1 ? 0 :
	    summary_read_bad(r, "text that is there twice");
}

static int
read_metric(struct summary_reading *r, const struct entry_line *l)
{
	struct summary *s = r->s;
	struct summary_metric m;
	char *p = l->text;

	if (l->at != s->nmetric || !take_u32(&p, s->ntext, &m.name) ||
	    !take_u32(&p, s->ntext, &m.unit) || *p != '\0')
		return summary_read_bad(r, "metric");
	if (summary_metric(s, m) == UINT32_MAX)
		return -ENOMEM;
	return s->nmetric == l->at + 1 ? 0 :
	    summary_read_bad(r, "metric that is there twice");
}

/* Reads a text of a node: host, file or job. */
static int
summary_read_word(struct summary_reading *r, const struct entry_line *l,
    uint32_t *to)
{
	*to = summary_text(r->s, l->text);
	return *to == UINT32_MAX ? -ENOMEM : 0;
}

static int
read_digest(struct summary_reading *r, const struct entry_line *l, uint64_t *to)
{
	char *end;

	*to = strtoull(l->text, &end, 16);
	return strlen(l->text) == 16 &&
	    *end == '\0' ? 0 : summary_read_bad(r, "digest");
}

static int
read_real(struct summary_reading *r, const struct entry_line *l, double *to)
{
	char *p = l->text;

	return take_real(&p, to) &&
	    *p == '\0' ? 0 : summary_read_bad(r, "number");
}

static int
summary_read_count(struct summary_reading *r, const struct entry_line *l,
    uint64_t *to)
{
	char *p = l->text;

	return take_u64(&p, UINT64_MAX, to) && *p == '\0' ? 0 :
	    summary_read_bad(r, "count");
}

static int
read_values(struct summary_reading *r, const struct entry_line *l, struct summed_node *n)
{
	struct summary *s = r->s;
	char *p = l->text;
	uint32_t marks;

	if (n->nvalue > 0)
		return summary_read_bad(r, "values that are there twice");
	while (*p != '\0') {
		struct node_value *v = node_value_add(n);

		if (v == NULL)
			return -ENOMEM;
		if (!take_u32(&p, s->nmetric, &v->metric) ||
		    !take_real(&p, &v->value) ||
		    !take_u32(&p, 1 << MARKS, &marks))
			return summary_read_bad(r, "values");
		v->marks = (uint8_t)marks;
		if (strncmp(p, " -", 2) == 0 && (p[2] == ' ' || p[2] == '\0'))
			p += 2;
		else if (!take_u32(&p, s->ntext, &v->why))
			return summary_read_bad(r, "values");
	}
	return 0;
}

static int
read_trait(struct summary_reading *r, const struct entry_line *l, struct summed_node *n,
    bool digest)
{
	if (l->in >= TRAITS)
		return summary_read_bad(r, "trait");
	if (digest)
		return read_digest(r, l, &n->traits.digest[l->in]);
	snprintf(n->traits.text[l->in], sizeof n->traits.text[l->in], "%s",
	    l->text);
	return 0;
}

/* node_host begins a node. */
static int
begin_node(struct summary_reading *r, const struct entry_line *l)
{
	struct summary *s = r->s;
	uint32_t none = summary_text(s, "");
	struct summed_node *n;

	if (l->at != s->nnode)
		return summary_read_bad(r, "node out of order");
	if (none == UINT32_MAX || (n = summary_node(s, 0)) == NULL)
		return -ENOMEM;
	n->path = n->job = none;
	n->traits.ntp_error = NAN;
	return summary_read_word(r, l, &n->host);
}

static int
summary_read_node(struct summary_reading *r, const struct entry_line *l,
    const char *key)
{
	struct summary *s = r->s;
	uint64_t flag;
	struct summed_node *n;
	int rc;

	if (strcmp(key, "host") == 0)
		return begin_node(r, l);
	if (s->nnode == 0 || l->at != s->nnode - 1)
		return summary_read_bad(r, "node out of order");
	n = &s->node[l->at];
	if (strcmp(key, "file") == 0)
		return summary_read_word(r, l, &n->path);
	if (strcmp(key, "job") == 0)
		return summary_read_word(r, l, &n->job);
	if (strcmp(key, "identity") == 0)
		return read_digest(r, l, &n->identity);
	if (strcmp(key, "first") == 0)
		return read_real(r, l, &n->first);
	if (strcmp(key, "seconds") == 0)
		return read_real(r, l, &n->seconds);
	if (strcmp(key, "tsc") == 0)
		return read_real(r, l, &n->tsc_hz);
	if (strcmp(key, "samples") == 0)
		return summary_read_count(r, l, &n->samples);
	if (strcmp(key, "left_out") == 0)
		return summary_read_count(r, l, &n->left_out);
	if (strcmp(key, "ntp") == 0)
		return read_real(r, l, &n->traits.ntp_error);
	if (strcmp(key, "unsynchronised") == 0) {
		rc = summary_read_count(r, l, &flag);
		n->traits.unsynchronised = rc == 0 && flag != 0;
		return rc;
	}
	if (strcmp(key, "trait") == 0)
		return read_trait(r, l, n, false);
	if (strcmp(key, "trait_digest") == 0)
		return read_trait(r, l, n, true);
	if (strcmp(key, "values") == 0)
		return read_values(r, l, n);
	return 0;               /* a key of a later version of tally */
}

static int
read_buckets(struct summary_reading *r, struct sketch *s, char *p)
{
	while (*p != '\0') {
		bool below;
		uint64_t at, n;
		int rc;

		p += *p == ' ';
		if ((below = *p == '-'))
			p++;
		if (!take_u64(&p, INT32_MAX, &at) || *p++ != ':' ||
		    !take_u64(&p, MOST_VALUES - s->count, &n) || n == 0 ||
		    *p == ':')
			return summary_read_bad(r, "buckets");
		rc = sketch_count(s, below ? -(int32_t)at : (int32_t)at, n);
		if (rc < 0)
			return rc == -ENOMEM ? rc :
			    summary_read_bad(r, "buckets");
	}
	return 0;
}

static int
read_dist(struct summary_reading *r, const struct entry_line *l)
{
	struct summary *s = r->s;
	struct distribution key = { .metric = 0 };
	double least, most;
	char *p = l->text;
	uint32_t scope, i;

	if (l->at != s->ndist || !take_u32(&p, s->nmetric, &key.metric) ||
	    !take_u32(&p, s->ntext, &key.cpu) ||
	    !take_u32(&p, s->ntext, &key.job) ||
	    !take_u32(&p, SCOPES, &scope) ||
	    !take_u64(&p, UINT64_MAX, &key.unknown) || !take_real(&p, &least) ||
	    !take_real(&p, &most) || !(least <= most))
		return summary_read_bad(r, "distribution");
	key.scope = (uint8_t)scope_numbered(scope);
	if ((i = summary_dist(s, &key)) == UINT32_MAX)
		return -ENOMEM;
	if (i != l->at)
		return summary_read_bad(r, "distribution that is there twice");
	s->dist[i].unknown = key.unknown;
	s->dist[i].of.least = least;
	s->dist[i].of.most = most;
	return read_buckets(r, &s->dist[i].of, p);
}

/* ---- lines ---- */

/* The index i of KEY[i] or KEY[i][k]. */
static uint64_t
outer_index(const struct assign *a)
{
	const char *p = a->name + a->family_len;

	return *p == '[' ? strtoull(p + 1, NULL, 10) : a->last;
}

static int
read_entry(struct summary_reading *r, const struct assign *a, char *text)
{
	struct entry_line l = { outer_index(a), a->last, text };
	char key[32];

	snprintf(key, sizeof key, "%.*s", (int)a->family_len, a->name);
	if (!a->indexed)
		return 0;       /* tally_version, or a table's declaration */
	if (!a->last_is_int)
		return summary_read_bad(r, "index");
	if (strcmp(key, "text") == 0)
		return read_text(r, &l);
	if (strcmp(key, "metric") == 0)
		return read_metric(r, &l);
	if (strcmp(key, "distribution") == 0)
		return read_dist(r, &l);
	return strncmp(key, "node_", 5) == 0 ?
	    summary_read_node(r, &l, key + 5) : 0;
}

static int
summary_read_line(struct summary_reading *r, char *line, size_t n,
    char *scratch)
{
	struct assign a;
	char *text;
	int rc;

	assign_parse(&a, line, line + n, scratch);
	if (a.kind == LINE_BLANK || a.kind == LINE_TABLE)
		return 0;
	if (a.kind != LINE_VALUE)
		return summary_read_bad(r, "line");
	if ((text = malloc(a.text_len + 1)) == NULL)
		return -ENOMEM;
	memcpy(text, a.text, a.text_len);
	text[a.value == VALUE_TEXT ? lua_unquote(text, a.text_len) :
	    a.text_len] = '\0';
	rc = read_entry(r, &a, text);
	free(text);
	return rc;
}

/* Indexes the nodes by identity, now that all identities are read. */
static int
index_nodes(struct summary_reading *r)
{
	struct summary *s = r->s;

	lookup_fini(&s->nodes);
	s->nodes = (struct lookup){ .n = 0 };
	for (unsigned i = 0; i < s->nnode; i++) {
		if (summary_known(s, s->node[i].identity) != NULL)
			return summary_read_bad(r, "node that is there twice");
		if (lookup_add(&s->nodes, s->node[i].identity, i) < 0)
			return -ENOMEM;
	}
	return 0;
}

int
summary_read(struct summary *s, FILE *f, const char *name, struct diag *why)
{
	struct summary_reading r = { s, name, 0, why };
	char *line = NULL, *scratch = NULL, *p;
	size_t room = 0, had = 0;
	ssize_t n;
	int rc = 0;

	while (rc == 0 && (n = getline(&line, &room, f)) >= 0) {
		r.line++;
		if (room > had && (p = realloc(scratch, room)) == NULL)
			rc = -ENOMEM;
		else if (room > had) {
			scratch = p;
			had = room;
		}
		if (rc == 0 && (n == 0 || line[n - 1] != '\n' ||
		    memchr(line, '\0', (size_t)n) != NULL))
			rc = summary_read_bad(&r, "line");
		else if (rc == 0 && r.line == 1 && strcmp(line, FIRST_LINE
		    "1\n") != 0)
			rc = diag_at(why, name, 1, "expected %s%d: what tally "
			    "summarize of this version writes", FIRST_LINE,
			    FORMAT);
		else if (rc == 0)
			rc = summary_read_line(&r, line, (size_t)n - 1,
			    scratch);
	}
	if (rc == 0 && ferror(f))
		rc = diag_set(why, -EIO, "%s: %s", name, strerror(errno));
	else if (rc == 0 && r.line == 0)
		rc = diag_set(why, -ENODATA, "%s: empty", name);
	free(line);
	free(scratch);
	return rc == 0 ? index_nodes(&r) : rc;
}

bool
summary_is(const char *path)
{
	char line[sizeof FIRST_LINE];
	int fd = infile_open(path, NULL);       /* which waits for nobody */
	FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;
	bool is = f != NULL && fgets(line, sizeof line, f) != NULL &&
	    strcmp(line, FIRST_LINE) == 0;

	if (f != NULL)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	return is;
}
