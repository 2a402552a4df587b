/*
 * config/scan.c - lines and words of the plain text formats.
 */
#include "config/scan.h"

#include "lib/printable.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

void
scan_init(struct scan *scan, const char *file, const char *text, size_t size)
{
	memset(scan, 0, sizeof(*scan));
	scan->at.file = file;
	scan->next = text;
	scan->end = text + size;
	scan->p = scan->stop = text;
	if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		scan->next += 3;        /* skip a byte order mark */
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

int
scan_line(struct scan *scan, struct diag *why)
{
	while (scan->next < scan->end) {
		size_t left = (size_t)(scan->end - scan->next);
		const char *nl = memchr(scan->next, '\n', left), *hash;

		scan->at.line++;
		scan->p = scan->next;
		scan->stop = nl != NULL ? nl : scan->end;
		scan->next = nl != NULL ? nl + 1 : scan->end;
		if (scan->stop > scan->p && scan->stop[-1] == '\r')
			scan->stop--;
		hash = memchr(scan->p, '#', (size_t)(scan->stop - scan->p));
		if (hash != NULL)
			scan->stop = hash;
		for (const char *c = scan->p; c < scan->stop; c++)
			if (((unsigned char)*c < 0x20 && *c != '\t') ||
			    *c == 0x7f)
				return diag_place(why, scan->at, "byte 0x%02x "
				    "is no text; is this the right file?",
				    (unsigned char)*c);
		while (scan->p < scan->stop && is_blank(*scan->p))
			scan->p++;
		if (scan->p < scan->stop)
			return 1;
	}
	scan->p = scan->stop = scan->end;
	return 0;
}

bool
scan_word(struct scan *scan, struct word *w)
{
	while (scan->p < scan->stop && is_blank(*scan->p))
		scan->p++;
	w->s = scan->p;
	while (scan->p < scan->stop && !is_blank(*scan->p))
		scan->p++;
	w->n = (size_t)(scan->p - w->s);
	return w->n > 0;
}

bool
scan_rest(struct scan *scan, struct word *w)
{
	*w = word_trim((struct word){ scan->p,
	    (size_t)(scan->stop - scan->p) });
	scan->p = scan->stop;
	return w->n > 0;
}

int
scan_end(struct scan *scan, struct diag *why)
{
	struct word w;

	if (!scan_word(scan, &w))
		return 0;
	return diag_place(why, scan->at, "\"%.*s\" is one word too many",
	    WORD_ARG(w));
}

bool
word_is(struct word w, const char *s)
{
	return w.n == strlen(s) && memcmp(w.s, s, w.n) == 0;
}

struct word
word_trim(struct word w)
{
	for (; w.n > 0 && is_blank(w.s[0]); w.s++)
		w.n--;
	while (w.n > 0 && is_blank(w.s[w.n - 1]))
		w.n--;
	return w;
}

bool
word_cut(struct word *w, char c, struct word *head)
{
	const char *at = w->n > 0 ? memchr(w->s, c, w->n) : NULL;

	head->s = w->s;
	head->n = at != NULL ? (size_t)(at - w->s) : w->n;
	w->s += head->n + (at != NULL);
	w->n -= head->n + (at != NULL);
	return at != NULL;
}

bool
word_is_label(struct word w, size_t most)
{
	for (size_t i = 0; i < w.n; i++)
		if (w.s[i] > '~' || w.s[i] <= ' ' ||
		    strchr("\"'\\[]", w.s[i]) != NULL)
			return false;
	return w.n <= most;
}

int
word_number(struct word w, uint64_t *value)
{
	unsigned base = 10;
	uint64_t v = 0;
	int rc = 0;

	if (w.n > 2 && w.s[0] == '0' && (w.s[1] == 'x' || w.s[1] == 'X')) {
		base = 16;
		w.s += 2;
		w.n -= 2;
	}
	if (w.n == 0)
		return -EINVAL;
	for (size_t i = 0; i < w.n; i++) {
		unsigned d = (unsigned)hex_digit(w.s[i]);

		if (d >= base)
			return -EINVAL;
		if (v > (UINT64_MAX - d) / base)
			rc = -ERANGE;
		else
			v = v * base + d;
	}
	*value = v;
	return rc;
}

int
scan_number(struct word w, const char *what, uint64_t max, uint64_t *value,
    struct place at, struct diag *why)
{
	int rc = word_number(w, value);

	if (rc == -EINVAL)
		return diag_place(why, at, "%s \"%.*s\" is no number: decimal, "
		    "or hexadecimal after 0x", what, WORD_ARG(w));
	if (rc == 0 && *value <= max)
		return 0;
	if (max > 0xffff)
		return diag_place(why, at, "%s %.*s is too large: 0x%" PRIx64
		    " at most", what, WORD_ARG(w), max);
	return diag_place(why, at, "%s %.*s is too large: %" PRIu64 " at most",
	    what, WORD_ARG(w), max);
}

int
scan_quoted(struct scan *scan, struct word *w, struct diag *why)
{
	const char *end;

	while (scan->p < scan->stop && (*scan->p == ' ' || *scan->p == '\t'))
		scan->p++;
	if (scan->p == scan->stop)
		return 0;
	if (*scan->p != '"')
		return scan_word(scan, w);
	w->s = ++scan->p;
	end = memchr(scan->p, '"', (size_t)(scan->stop - scan->p));
	if (end == NULL)
		return diag_place(why, scan->at, "the closing \" is missing");
	w->n = (size_t)(end - w->s);
	scan->p = end + 1;
	if (scan->p < scan->stop && *scan->p != ' ' && *scan->p != '\t')
		return diag_place(why, scan->at, "a blank is missing after "
		    "\"%.*s\"", WORD_ARG(*w));
	return 1;
}
