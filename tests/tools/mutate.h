/*
 * tests/tools/mutate.h - a C file as tokens, as far as tests/tools/mutate.c needs it.
 */
#ifndef TESTS_MUTATE_H
#define TESTS_MUTATE_H

#include <stdbool.h>
#include <stddef.h>

enum kind { WORD, NUMBER, STRING, SIGN, DEFINED };
/* What a token is part of; NOWHERE: declarations and prototypes. */
enum place { NOWHERE, CODE, TABLE };

struct token {
	enum kind kind;
	enum place place;
	bool starts;            /* a statement */
	unsigned line;
	size_t at, n;
	size_t match;           /* of a bracket: the index of its other one */
};

struct source {
	const char *name;
	char *text;
	size_t size, ntokens;
	struct token *tokens;
};

/* source_read - the tokens of a file; exits when it cannot be read. */
struct source source_read(const char *name);

/* is - is token i this text?  is_one_of - or one of these, up to NULL? */
bool is(const struct source *, size_t i, const char *text);
bool is_one_of(const struct source *, size_t i, const char *const *words);

/* has_sign - is it among the tokens from..to-1, outside of brackets? */
bool has_sign(const struct source *, size_t from, size_t to, const char *sign);

/* end_of - the index of the ; that ends what begins at token i, or of the { of
 * a function's body. */
size_t end_of(const struct source *, size_t i, bool body);

/* more - an array of n; exits when there is no memory. */
void *more(void *old, size_t n, size_t size);

#endif
