/*
 * postproc/formula/lex.h - the words of a metrics file or of one formula, with their
 * places, so that every error can say file:line:column.
 */
#ifndef POSTPROC_FORMULA_LEX_H
#define POSTPROC_FORMULA_LEX_H

#include <stdbool.h>
#include <stddef.h>

#include "config/arena.h"
#include "lib/diag.h"

enum lex_kind {
	LEX_END,                /* end of the text */
	LEX_STOP,               /* a word at the first column: a new statement */
	LEX_NAME,
	LEX_STRING,             /* text without its quotes */
	LEX_NUMBER,
	LEX_MARK,               /* one of + - * / ( ) [ ] , = < > and <= >= == != */
	LEX_BAD,
};

struct lex {
	const char *file;
	const char *at, *end;   /* what is still to be read */
	const char *bol;        /* where the line begins */
	unsigned line;
	bool statements;        /* a word at column 1 begins a new statement */
	bool intel;             /* a formula of Intel's lists: a[0] means box 0 */
	/* the present word, which was read last */
	enum lex_kind kind;
	const char *text;
	size_t len;
	char mark[2];           /* LEX_MARK: the character(s), else zero */
	double number;
	unsigned word_line, word_col;
};

void lex_init(struct lex *, const char *file, const char *text, size_t size,
    bool statements);
void lex_next(struct lex *);
/* lex_statement - turn a LEX_STOP into the ordinary word that stands there. */
void lex_statement(struct lex *);
/* lex_mark - is the present word this mark ("==", "+")?  lex_word - this name? */
bool lex_mark(const struct lex *, const char *mark);
bool lex_word(const struct lex *, const char *name);
/*
 * lex_text - take the present word, which has to be of a kind (LEX_NAME,
 * LEX_STRING) and not empty; *out becomes a printable copy in the arena.  Errors
 * call it `what`: "WHAT expected".
 * lex_quoted - the same of a LEX_STRING, which may be empty.
 * lex_signed - take a number, which may have a minus before it.
 * lex_ended - the statement has to end here.
 * All return 0, or -errno with why.
 */
int lex_text(struct lex *, struct arena *, enum lex_kind, const char **out,
    const char *what, struct diag *why);
int lex_quoted(struct lex *, struct arena *, const char **out,
    const char *what, struct diag *why);
int lex_signed(struct lex *, double *out, struct diag *why);
int lex_ended(const struct lex *, struct diag *why);
/* lex_statements - call take() for each statement of a text, at its first word, until it
 * fails.  Returns what it returned last: 0 or -errno with why. */
int lex_statements(const char *file, const char *text, size_t size,
    int (*take)(void *ctx, struct lex *, struct diag *why), void *ctx,
    struct diag *why);
/* lex_since - copy the text from `from` up to the present word, in one line and
 * without comments.  0 or -ENOMEM. */
int lex_since(const struct lex *, struct arena *, const char *from,
    const char **out);
/* lex_fail - set why to "file:line:col: message, at `word`"; returns -EINVAL. */
int lex_fail(const struct lex *, struct diag *why, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
