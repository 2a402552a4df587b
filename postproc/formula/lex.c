/*
 * postproc/formula/lex.c - the words of a metrics file or of one formula.
 */
#include "postproc/formula/lex.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/printable.h"

void
lex_init(struct lex *l, const char *file, const char *text, size_t size,
    bool statements)
{
	*l = (struct lex){ .file = file, .at = text, .end = text + size,
	    .bol = text, .line = 1, .statements = statements };
	lex_next(l);
}

static void
skip_blank(struct lex *l)
{
	for (; l->at < l->end; l->at++) {
		if (*l->at == '\n') {
			l->line++;
			l->bol = l->at + 1;
		} else if (*l->at == '#') {
			const char *nl = memchr(l->at, '\n',
			    (size_t)(l->end - l->at));

			l->at = (nl ? nl : l->end) - 1;
		} else if (*l->at != ' ' && *l->at != '\t' && *l->at != '\r')
			return;
	}
}

static bool
lex_is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static bool
is_name(char c)
{
	static const bool in_names[256] = { ['0' ... '9'] = true,
		['A' ... 'Z'] = true, ['_'] = true, ['a' ... 'z'] = true };

	return in_names[(unsigned char)c];
}

static bool
is_mark(char c)
{
	switch (c) {
	case '+': case '-': case '*': case '/': case '(': case ')': case '[':
	case ']': case ',': case '=': case '<': case '>': case '!':
		return true;
	default:
		return false;
	}
}

/* A number: a run of letters, digits and points that strtod takes whole.  Plain digits
 * are read here; a run of 64 bytes or more is no number. */
static void
lex_number(struct lex *l)
{
	const char *p = l->at;
	unsigned long whole = 0;
	char copy[64], *rest;
	bool hex = p + 1 < l->end && p[0] == '0' && (p[1] | 32) == 'x';

	while (p < l->end && p - l->at < 15 && lex_is_digit(*p))
		whole = whole * 10 + (unsigned long)(*p++ - '0');
	if (p == l->end || (*p != '.' && !is_name(*p))) {
		l->number = (double)whole;
		l->len = (size_t)(p - l->at);
		return;
	}
	for (; p < l->end && (is_name(*p) || *p == '.' ||
	    ((*p == '-' || *p == '+') && !hex && (p[-1] | 32) == 'e')); p++)
		;
	l->len = (size_t)(p - l->at);
	if (l->len >= sizeof copy) {
		l->kind = LEX_BAD;
		return;
	}
	memcpy(copy, l->at, l->len);
	copy[l->len] = '\0';
	l->number = strtod(copy, &rest);
	if (*rest != '\0' || !(l->number <= 1e300))
		l->kind = LEX_BAD;
}

void
lex_next(struct lex *l)
{
	/* errors at the end of a statement point behind its last word */
	l->word_line = l->line;
	l->word_col = (unsigned)(l->at - l->bol) + 1;
	skip_blank(l);
	l->text = l->at;
	l->len = 0;
	l->mark[0] = l->mark[1] = '\0';
	if (l->at >= l->end)
		l->kind = LEX_END;
	else if (l->statements && l->at == l->bol)
		l->kind = LEX_STOP;
	else
		lex_statement(l);
}

void
lex_statement(struct lex *l)
{
	const char *p = l->at;
	char c;

	if (p >= l->end)
		return;
	l->word_line = l->line;
	l->word_col = (unsigned)(p - l->bol) + 1;
	c = *p;
	if (lex_is_digit(c) ||
	    (c == '.' && p + 1 < l->end && lex_is_digit(p[1]))) {
		l->kind = LEX_NUMBER;
		lex_number(l);
	} else if (is_name(c)) {
		l->kind = LEX_NAME;
		while (p < l->end && is_name(*p))
			p++;
		l->len = (size_t)(p - l->at);
	} else if (c == '"') {
		for (p++; p < l->end && *p != '"' && *p != '\n' &&
		    *p != '\0'; p++)
			;
		l->kind = p < l->end && *p == '"' ? LEX_STRING : LEX_BAD;
		l->len = (size_t)(p - l->at) + (l->kind == LEX_STRING);
	} else if (is_mark(c)) {
		l->kind = LEX_MARK;
		l->mark[0] = c;
		l->len = 1;
		/* Intel writes "> =", too */
		for (p++; c != '=' && p < l->end && *p == ' '; p++)
			;
		if (p < l->end && *p == '=' && (c == '=' || c == '<' ||
		    c == '>' || c == '!')) {
			l->mark[1] = '=';
			l->len = (size_t)(p - l->at) + 1;
		}
	} else {
		l->kind = LEX_BAD;
		l->len = 1;
	}
	l->at += l->len;
	if (l->kind == LEX_STRING) {
		l->text++;
		l->len -= 2;
	}
}

bool
lex_mark(const struct lex *l, const char *mark)
{
	return l->kind == LEX_MARK && l->mark[0] == mark[0] &&
	    l->mark[1] == mark[1];
}

bool
lex_word(const struct lex *l, const char *name)
{
	/* the first byte alone tells most words apart */
	return l->kind == LEX_NAME && *name == *l->text &&
	    strncmp(name, l->text, l->len) == 0 && name[l->len] == '\0';
}

int
lex_text(struct lex *l, struct arena *arena, enum lex_kind kind,
    const char **out, const char *what, struct diag *why)
{
	char *text;

	if (l->kind != kind || l->len == 0)
		return lex_fail(l, why, "%s expected", what);
	if ((text = arena_strndup(arena, l->text, l->len)) == NULL)
		return -ENOMEM;
	*out = printable(text);
	lex_next(l);
	return 0;
}

int
lex_quoted(struct lex *l, struct arena *arena, const char **out,
    const char *what, struct diag *why)
{
	if (l->kind != LEX_STRING || l->len > 0)
		return lex_text(l, arena, LEX_STRING, out, what, why);
	*out = "";
	lex_next(l);
	return 0;
}

int
lex_ended(const struct lex *l, struct diag *why)
{
	return l->kind == LEX_END || l->kind == LEX_STOP ? 0 :
	    lex_fail(l, why, "the end of the statement expected");
}

int
lex_statements(const char *file, const char *text, size_t size,
    int (*take)(void *ctx, struct lex *, struct diag *why), void *ctx,
    struct diag *why)
{
	struct lex l;
	int rc = 0;

	lex_init(&l, file, text, size, true);
	while (rc == 0 && l.kind != LEX_END) {
		if (l.kind == LEX_STOP)
			lex_statement(&l);
		rc = take(ctx, &l, why);
	}
	return rc;
}

int
lex_signed(struct lex *l, double *out, struct diag *why)
{
	bool negative = lex_mark(l, "-");

	if (negative)
		lex_next(l);
	if (l->kind != LEX_NUMBER)
		return lex_fail(l, why, "a number expected");
	*out = negative ? -l->number : l->number;
	lex_next(l);
	return 0;
}

int
lex_since(const struct lex *l, struct arena *arena, const char *from,
    const char **out)
{
	const char *end = l->kind == LEX_END ? l->end :
	    l->text - (l->kind == LEX_STRING);      /* including its quote */
	char *to = arena_alloc(arena, (size_t)(end - from) + 1), *at = to;
	bool quoted = false;

	if (to == NULL)
		return -ENOMEM;
	for (; from < end; from++) {
		quoted ^= *from == '"';
		if (*from == '#' && !quoted)
			while (from + 1 < end && from[1] != '\n')
				from++;
		else if (*from > ' ' && *from < 0x7f)
			*at++ = *from;
		else if (at > to && at[-1] != ' ')
			*at++ = ' ';
	}
	while (at > to && at[-1] == ' ')
		*--at = '\0';
	*out = to;
	return 0;
}

int
lex_fail(const struct lex *l, struct diag *why, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (l->kind == LEX_END || l->kind == LEX_STOP)
		return diag_set(why, -EINVAL, "%s:%u:%u: %s, at the end of the "
		    "statement", l->file, l->word_line, l->word_col, text);
	if (l->kind == LEX_BAD && (l->text[0] < ' ' || l->text[0] > '~'))
		return diag_set(why, -EINVAL, "%s:%u:%u: %s, at byte 0x%02x",
		    l->file, l->word_line, l->word_col, text,
		    (unsigned char)l->text[0]);
	return diag_set(why, -EINVAL, "%s:%u:%u: %s, at '%.*s'", l->file,
	    l->word_line, l->word_col, text,
	    (int)(l->len > 40 ? 40 : l->len), l->text);
}
