/*
 * postproc/data/select.c - which samples of a dump.
 *
 *   range = [ end | "-" samples | "-" seconds "s" ] [ ":" [ end ] ]
 *   end   = sample | "@" phase | "@" name | "+" seconds
 */
#include "postproc/data/select.h"

#include "postproc/data/select_mark.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* "-10", "-60s" */
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
		sel->last.seconds = -1;         /* or to the end */
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
	if (e->seconds < 0) {                   /* the last phase */
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

/* A job or a phase whose name stands alone. */
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
