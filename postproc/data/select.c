/*
 * postproc/data/select.c - which samples of a dump, and which metrics, are asked for.
 */
#include "postproc/data/select.h"

#include "config/dump/head.h"
#include "postproc/data/marks.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a mark by its name ------------------------------------------------- */

/* The characters of a mark's words, but for ':', which ends a name in a range. */
#define NAME "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" \
    "_.,+@%/=-"

/* The name of a mark in a range, taken apart. */
struct wanted {
	char key[MARK_WORDS + 1];       /* "": the word may have any key, or none */
	char value[MARK_WORDS + 1];
	bool job;
	unsigned long nth;      /* of the marks of that name, from 1 */
};

/* The samples of what a mark began. */
struct marked {
	uint64_t first, last;
	bool open;              /* nothing ends it: up to the last sample */
};

/* Returns the length of the name that text begins with; 0: it begins with none. */
static size_t
select_name(const char *text)
{
	size_t n = strncmp(text, "job:", 4) == 0 ? 4 : 0, digits;

	n += strspn(text + n, NAME);
	if (n > 0 && text[n] == '#' &&
	    (digits = strspn(text + n + 1, "0123456789")) > 0)
		n += 1 + digits;
	return n <= MARK_WORDS ? n : 0;
}

static void
select_mark_take_name(struct wanted *w, const char *name, size_t n)
{
	char text[MARK_WORDS + 1], *hash, *equals;

	*w = (struct wanted){ .nth = 1 };
	memcpy(text, name, n);
	text[n] = '\0';
	if ((hash = strchr(text, '#')) != NULL) {
		*hash = '\0';
		w->nth = strtoul(hash + 1, NULL, 10);
	}
	w->job = strncmp(text, "job:", 4) == 0 || strncmp(text, "job=", 4) == 0;
	if ((equals = strchr(text, '=')) == NULL && w->job)
		equals = text + 3;
	if (equals != NULL) {
		*equals = '\0';
		strcpy(w->key, text);
	}
	strcpy(w->value, equals != NULL ? equals + 1 : text);
}

/* Finds the wanted word among a mark's words.  Returns the length of its key, 0 where
 * the word has none, and -1 where the mark has no such word. */
static int
select_mark_match(const char *words, const struct wanted *w, const char **word)
{
	for (const char *p = words; p != NULL; p = strchr(p, ' ')) {
		const char *value;
		size_t key, n;

		p += *p == ' ';
		n = strcspn(p, " ");
		key = strcspn(p, "= ");
		value = key < n ? p + key + 1 : p;
		if (w->key[0] != '\0' && (key == n || strlen(w->key) != key ||
		    memcmp(w->key, p, key) != 0))
			continue;
		if (strlen(w->value) != (size_t)(p + n - value) ||
		    memcmp(w->value, value, strlen(w->value)) != 0)
			continue;
		*word = p;
		return key < n ? (int)key : 0;
	}
	return -1;
}

/* Does a mark (words) end what an earlier one began?  word: the wanted word of that one, whose
 * key is n bytes long.  A job lasts up to its end.  Anything else lasts up to the next mark
 * with the same key, or, if it has no key, up to the next mark with a word without a key. */
static bool
ends(const char *words, const struct wanted *w, const char *word, int n)
{
	char key[MARK_WORDS + 1];
	const char *ignored;

	if (w->job)
		return select_mark_match(words, w, &ignored) >= 0 &&
		    mark_has(words, "end");
	if (mark_has(words, "job"))
		return false;
	memcpy(key, word, (size_t)n);
	key[n] = '\0';
	if (n > 0)
		return mark_has(words, key);
	for (const char *p = words; p != NULL; p = strchr(p, ' ')) {
		p += *p == ' ';
		if (p[strcspn(p, "= ")] != '=')
			return true;
	}
	return false;
}

static int
select_mark_none(const struct reader *r, const struct mark_list *l,
    const char *name, size_t n, struct diag *why)
{
	if (l->n == 0)
		return diag_set(why, -EINVAL, "%s: no mark @%.*s: none with a "
		    "name was set (tallyd --mark)", read_path(r), (int)n, name);
	return diag_set(why, -EINVAL, "%s: no mark @%.*s; of %u the first is "
	    "\"%s\", the last \"%s\"", read_path(r), (int)n, name, l->n,
	    l->mark[0].text, l->mark[l->n - 1].text);
}

/* Finds the mark with a name (of n bytes), and where ends what it began. */
static int
select_marked(struct marked *m, const struct reader *r, const char *name,
    size_t n, struct diag *why)
{
	struct mark_list l = { .n = 0 };
	const char *word = NULL;
	struct wanted w;
	unsigned i, k;
	int key = 0, rc = 0;

	select_mark_take_name(&w, name, n);
	if (mark_list_load(&l, r) < 0) {
		mark_list_fini(&l);
		return diag_set(why, -ENOMEM, "out of memory");
	}
	for (i = 0; i < l.n; i++)
		if ((key = select_mark_match(l.mark[i].text, &w, &word)) >= 0 &&
		    (!w.job || !mark_has(l.mark[i].text, "end")) &&
		    --w.nth == 0)
			break;
	if (i == l.n)
		rc = select_mark_none(r, &l, name, n, why);
	for (k = i + 1; rc == 0 && k < l.n; k++)
		if (ends(l.mark[k].text, &w, word, key))
			break;
	if (rc == 0)
		*m = (struct marked){ l.mark[i].sample, k < l.n ?
		    l.mark[k].sample : 0, k >= l.n };
	mark_list_fini(&l);
	return rc;
}

/* ---- a range ------------------------------------------------------------ */

static bool
parse_end(struct select_end *e, const char **p)
{
	const char *s = *p;
	char *stop = NULL;

	if (*s == '+') {
		e->kind = END_SECONDS;
		if (s[1] < '.' || s[1] > '9')
			return false;
		e->seconds = strtod(s + 1, &stop);
		if (!isfinite(e->seconds))
			return false;
	} else if (*s == '@' && select_name(s + 1) > 0 &&
	    s[1 + strspn(s + 1, "0123456789")] != ':' &&
	    s[1 + strspn(s + 1, "0123456789")] != '\0') {
		e->kind = END_NAME;
		e->name = s + 1;
		e->len = select_name(s + 1);
		stop = (char *)(uintptr_t)(e->name + e->len);
	} else if (*s == '@' || (*s >= '0' && *s <= '9')) {
		e->kind = *s == '@' ? END_MARK : END_SAMPLE;
		s += *s == '@';
		if (*s < '0' || *s > '9')
			return false;
		errno = 0;
		e->n = strtoull(s, &stop, 10);
		if (errno != 0)
			return false;
	}
	if (stop != NULL)
		*p = stop;
	return true;
}

/* "-10": the last ten samples; "-60s": the last minute. */
static bool
parse_last(struct select_end *e, const char **p)
{
	const char *s = *p + 1;
	char *stop;

	if (*s < '.' || *s > '9')
		return false;
	e->kind = END_LAST_SECONDS;
	e->seconds = strtod(s, &stop);
	if (*stop == 's') {
		*p = stop + 1;
		return isfinite(e->seconds);
	}
	e->kind = END_LAST;
	errno = 0;
	e->n = strtoull(s, &stop, 10);
	*p = stop;
	return errno == 0 && *s >= '0' && e->n > 0;
}

int
select_parse(struct select *sel, const char *text, struct diag *why)
{
	const char *p = text != NULL ? text : "";
	bool lone;

	memset(sel, 0, sizeof(*sel));
	if (*p == '-' ? !parse_last(&sel->first, &p) :
	    !parse_end(&sel->first, &p))
		goto bad;
	lone = *p != ':';
	if (!lone) {
		p++;
		if (!parse_end(&sel->last, &p))
			goto bad;
	}
	if (*p != '\0')
		goto bad;
	if (lone && sel->first.kind == END_MARK) {
		sel->last = sel->first;
		sel->last.n++;
		/* to the end of the dump where there is no next phase */
		sel->last.seconds = -1;
	}
	sel->whole = lone && sel->first.kind == END_NAME;
	if (sel->first.kind == END_SAMPLE && sel->last.kind == END_SAMPLE &&
	    sel->last.n < sel->first.n)
		return diag_set(why, -EINVAL, "samples %s: the last is before "
		    "the first", text);
	return 0;
bad:
	return diag_set(why, -EINVAL, "samples \"%s\": expected FIRST:LAST, each "
	    "a sample number, @PHASE, @NAME of a mark or +SECONDS, or -N or -Ns for the last N "
	    "samples or seconds", text);
}

/* How many phases were marked. */
static unsigned
marks(const struct reader *r)
{
	unsigned n = 0;

	while (head_constant(r, HEAD_PHASE_MARK, AT(n)) != NULL)
		n++;
	return n;
}

static int
mark_to_sample(struct select_end *e, const struct reader *r, struct diag *why)
{
	const struct constant *c;

	if (e->kind != END_MARK)
		return 0;
	c = head_constant(r, HEAD_PHASE_MARK, AT(e->n));
	if (c != NULL && c->kind == CONSTANT_INT) {
		e->kind = END_SAMPLE;
		e->n = c->u;
		return 0;
	}
	if (e->seconds < 0) {           /* set by select_parse: the dump's end */
		e->kind = END_OPEN;
		return 0;
	}
	if (marks(r) == 0)
		return diag_set(why, -EINVAL, "%s: no phase @%llu: no phase "
		    "was marked (SIGUSR2)", read_path(r),
		    (unsigned long long)e->n);
	return diag_set(why, -EINVAL, "%s: no phase @%llu: they are @0 to @%u",
	    read_path(r), (unsigned long long)e->n, marks(r) - 1);
}

static int
name_to_sample(struct select_end *e, const struct reader *r, struct marked *m,
    struct diag *why)
{
	int rc;

	if (e->kind != END_NAME)
		return 0;
	if ((rc = select_marked(m, r, e->name, e->len, why)) < 0)
		return rc;
	e->kind = END_SAMPLE;
	e->n = m->first;
	return 0;
}

/* Both ends of a range that are names of marks. */
static int
names_to_samples(struct select *sel, const struct reader *r, struct diag *why)
{
	struct marked m = { .open = true };
	int rc = name_to_sample(&sel->first, r, &m, why);

	if (rc == 0 && sel->whole && !m.open)
		sel->last = (struct select_end){ .kind = END_SAMPLE,
		    .n = m.last };
	return rc < 0 ? rc : name_to_sample(&sel->last, r, &m, why);
}

int
select_marks(struct select *sel, const struct reader *r, struct diag *why)
{
	int rc = mark_to_sample(&sel->first, r, why);

	if (rc == 0)
		rc = mark_to_sample(&sel->last, r, why);
	return rc < 0 ? rc : names_to_samples(sel, r, why);
}

bool
select_all(const struct select *sel)
{
	return sel->first.kind == END_OPEN && sel->last.kind == END_OPEN;
}

/* ---- names of metrics --------------------------------------------------- */

int
patterns_add(struct patterns *p, char *list, struct diag *why)
{
	unsigned had = p->n;
	char *rest;

	for (char *s = strtok_r(list, ",", &rest); s != NULL;
	    s = strtok_r(NULL, ",", &rest)) {
		if (p->n == MAX_PATTERNS)
			return diag_set(why, -EINVAL, "--metric: at most %d "
			    "names", MAX_PATTERNS);
		p->pattern[p->n++] = s;
	}
	return p->n > had ? 0 : diag_set(why, -EINVAL, "--metric: expected a "
	    "name, or several with commas");
}

bool
pattern_match(const char *pattern, const char *name)
{
	return fnmatch(pattern, name, 0) == 0;
}

bool
patterns_match(const struct patterns *p, const char *name)
{
	bool hit = p->n == 0;

	for (unsigned i = 0; !hit && i < p->n; i++)
		hit = pattern_match(p->pattern[i], name);
	return hit;
}
