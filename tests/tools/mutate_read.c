/*
 * tests/tools/mutate_read.c - the tokens of a C file, and what each is part of.
 */
#include "tests/tools/mutate.h"

#include <ctype.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *
more(void *old, size_t n, size_t size)
{
	void *p = reallocarray(old, n, size);

	if (p == NULL)
		err(2, NULL);
	return p;
}

static struct source
load(const char *name)
{
	struct source f = { .name = name };
	FILE *in = fopen(name, "r");
	size_t got;

	if (in == NULL)
		err(2, "%s", name);
	do {
		f.text = more(f.text, f.size + 65537, 1);
		f.size += got = fread(f.text + f.size, 1, 65536, in);
	} while (got > 0);
	f.text[f.size] = '\0';
	fclose(in);
	return f;
}

static const char *
after_quoted(const char *p)
{
	char quote = *p++;

	while (*p != '\0' && *p != quote)
		p += *p == '\\' && p[1] != '\0' ? 2 : 1;
	return *p != '\0' ? p + 1 : p;
}

static size_t
sign_length(const char *p)
{
	static const char *const signs[] = {
		"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=",
		"==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=",
		"|=", "^=", "##",
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (strncmp(p, signs[i], strlen(signs[i])) == 0)
			return strlen(signs[i]);
	return 1;
}

/* after_directive - behind a line that begins with #, and those it goes on in;
 * *number is where its only token stands when it defines a number. */
static const char *
after_directive(const char *p, const char **number)
{
	const char *q = p + 1 + strspn(p + 1, " \t");

	*number = NULL;
	if (strncmp(q, "define", 6) == 0) {
		q += 6 + strspn(q + 6, " \t");
		while (isalnum((unsigned char)*q) || *q == '_')
			q++;
		if (isblank((unsigned char)*q)) {
			q += strspn(q, " \t");
			if (isdigit((unsigned char)*q))
				*number = q;
		}
	}
	while (*p != '\0' && *p != '\n') {
		if (strncmp(p, "/*", 2) == 0 && (q = strstr(p, "*/")) != NULL)
			p = q;
		p += *p == '\\' && p[1] == '\n' ? 2 : 1;
	}
	return p;
}

static void
add_token(struct source *f, enum kind kind, const char *from, const char *to,
    unsigned line)
{
	if (f->ntokens % 4096 == 0)
		f->tokens = more(f->tokens, f->ntokens + 4096,
		    sizeof(*f->tokens));
	f->tokens[f->ntokens++] = (struct token){
		.kind = kind, .line = line, .at = (size_t)(from - f->text),
		.n = (size_t)(to - from),
	};
}

static const char *
after_word(const char *p, bool number)
{
	while (isalnum((unsigned char)*p) || *p == '_' ||
	    (number && (*p == '.' || ((*p == '+' || *p == '-') &&
	    strchr("eE", p[-1]) != NULL))))
		p++;
	return p;
}

static void
read_tokens(struct source *f)
{
	const char *p = f->text, *from = p, *q, *number;
	unsigned line = 1;
	bool fresh = true;      /* nothing yet on this line */

	while (*p != '\0') {
		for (; from < p; from++)
			line += *from == '\n';
		if (isspace((unsigned char)*p)) {
			fresh |= *p++ == '\n';
			continue;
		}
		if (strncmp(p, "/*", 2) == 0) {
			p = (q = strstr(p + 2, "*/")) != NULL ? q + 2 : p + 2;
			continue;
		}
		if (strncmp(p, "//", 2) == 0) {
			p += strcspn(p, "\n");
			continue;
		}
		if (fresh && *p == '#') {
			q = after_directive(p, &number);
			if (number != NULL)
				add_token(f, DEFINED, number,
				    after_word(number, false), line);
			p = q;
			continue;
		}
		fresh = false;
		if (*p == '"' || *p == '\'')
			add_token(f, STRING, p, q = after_quoted(p), line);
		else if (isdigit((unsigned char)*p))
			add_token(f, NUMBER, p, q = after_word(p, strncmp(p,
			    "0x", 2) != 0), line);
		else if (isalpha((unsigned char)*p) || *p == '_')
			add_token(f, WORD, p, q = after_word(p, false), line);
		else
			add_token(f, SIGN, p, q = p + sign_length(p), line);
		p = q;
	}
}

bool
is(const struct source *f, size_t i, const char *text)
{
	return i < f->ntokens && f->tokens[i].n == strlen(text) &&
	    strncmp(f->text + f->tokens[i].at, text, f->tokens[i].n) == 0;
}

bool
is_one_of(const struct source *f, size_t i, const char *const *words)
{
	for (; *words != NULL; words++)
		if (is(f, i, *words))
			return true;
	return false;
}

static void
match_brackets(struct source *f)
{
	size_t *open = more(NULL, f->ntokens + 1, sizeof(*open)), n = 0;

	for (size_t i = 0; i < f->ntokens; i++) {
		if (is(f, i, "(") || is(f, i, "[") || is(f, i, "{"))
			open[n++] = i;
		else if ((is(f, i, ")") || is(f, i, "]") || is(f, i, "}")) &&
		    n > 0) {
			f->tokens[i].match = open[--n];
			f->tokens[open[n]].match = i;
		}
	}
	while (n > 0)
		f->tokens[open[--n]].match = f->ntokens - 1;
	free(open);
}

size_t
end_of(const struct source *f, size_t i, bool body)
{
	for (; i < f->ntokens && !is(f, i, ";"); i++) {
		if (body && is(f, i, "{") && i > 0 && is(f, i - 1, ")"))
			break;
		if (is(f, i, "(") || is(f, i, "[") || is(f, i, "{"))
			i = f->tokens[i].match;
	}
	return i;
}

bool
has_sign(const struct source *f, size_t from, size_t to, const char *sign)
{
	for (size_t i = from; i < to; i++) {
		if (is(f, i, sign))
			return true;
		if (is(f, i, "(") || is(f, i, "[") || is(f, i, "{"))
			i = f->tokens[i].match;
	}
	return false;
}

/* head_ends - is token i the ) of an if, a for, a while, a switch? */
static bool
head_ends(const struct source *f, size_t i)
{
	static const char *const heads[] = { "if", "for", "while", "switch",
	    NULL };
	size_t open = f->tokens[i].match;

	return is(f, i, ")") && open > 0 && is_one_of(f, open - 1, heads);
}

/* statement_starts - does a statement begin behind token i? */
static bool
statement_starts(const struct source *f, size_t i)
{
	static const char *const before[] = { ";", "{", "}", "else", "do",
	    NULL };

	return is_one_of(f, i, before) || head_ends(f, i) ||
	    (is(f, i, ":") && !is(f, i - 1, ")"));
}

static void
place_body(struct source *f, size_t from, size_t to)
{
	size_t inside = from;   /* of brackets, no statement begins before it */

	for (size_t i = from; i < to; i++) {
		f->tokens[i].place = CODE;
		if (i >= inside)
			f->tokens[i].starts = statement_starts(f, i - 1);
		if (is(f, i, "(") || (is(f, i, "{") && !f->tokens[i].starts &&
		    !head_ends(f, i - 1)))
			inside = i < inside ? inside : f->tokens[i].match + 1;
		if (f->tokens[i].starts && is(f, i, "static")) {
			size_t end = end_of(f, i, false);

			for (; i < end; i++)
				f->tokens[i].place = TABLE;
		}
	}
}

/* place_tokens - declaration by declaration, at file scope. */
static void
place_tokens(struct source *f)
{
	size_t i = 0, end;

	while (i < f->ntokens) {
		end = end_of(f, i, true);
		if (end < f->ntokens && is(f, end, "{")) {
			place_body(f, end + 1, f->tokens[end].match);
			i = f->tokens[end].match + 1;
			continue;
		}
		if (has_sign(f, i, end, "=") || is(f, i, "enum"))
			for (; i < end; i++)
				f->tokens[i].place = TABLE;
		i = end + 1;
	}
}

struct source
source_read(const char *name)
{
	struct source f = load(name);

	read_tokens(&f);
	match_brackets(&f);
	place_tokens(&f);
	return f;
}
