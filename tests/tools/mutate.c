/*
 * tests/tools/mutate.c - the mutants of C files: the small mistakes that a test should
 * see.  tests/mutants.sh builds them and runs the tests.
 *
 * mutate pick SEED FILE...   every mutant, in the order in which the seed draws
 *                            them; a line each, of fields between tabs: file,
 *                            line, offset, length, operator, replacement, text;
 *                            of one change of one text, the second place is
 *                            operator#2
 * mutate make FILE OFFSET LENGTH REPLACEMENT   the mutated file
 *
 * The draw goes by what stands in the line, not by where it stands: mutants of
 * code that nobody touched stay drawn.  Left alone are comments, strings,
 * characters, directives other than a #define of a number, declarations, the
 * sizes of arrays, and calls that only free or close (the sanitizers' part).
 */
#include "tests/tools/mutate.h"

#include <ctype.h>
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of numbers, there are many; one is taken of so many in code, in tables. */
#define CODE_NUMBERS 4
#define TABLE_NUMBERS 6

struct mutant {
	const struct source *file;
	unsigned line;
	size_t at, n;
	const char *operator;
	char *with;
	unsigned nth;           /* the same change of the same line elsewhere */
	uint64_t draw;
};

struct mutants {
	struct mutant *mutant;
	size_t n, room;
	uint64_t seed;
};

/* --- operators */

static uint64_t
mixed(uint64_t h)
{
	h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9;
	h = (h ^ h >> 27) * 0x94d049bb133111eb;
	return h ^ h >> 31;
}

static uint64_t
hashed(uint64_t h, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 0x100000001b3;
	return mixed(h);
}

/* line_text - the line of an offset, without the blanks at its ends. */
static const char *
line_text(const struct source *f, size_t at, size_t *n)
{
	size_t from = at, to = at + strcspn(f->text + at, "\n");

	while (from > 0 && f->text[from - 1] != '\n')
		from--;
	from += strspn(f->text + from, " \t");
	while (to > from && isspace((unsigned char)f->text[to - 1]))
		to--;
	*n = to - from;
	return f->text + from;
}

/* add - a mutant: n bytes at an offset become something else; takes with. */
static void
add(struct mutants *m, const struct source *f, const struct token *t, size_t n,
    const char *operator, char *with)
{
	uint64_t draw = hashed(m->seed ^ 0xcbf29ce484222325, f->name,
	    strlen(f->name));
	size_t length;
	unsigned same = 0;
	const char *line = line_text(f, t->at, &length);

	draw = hashed(draw, operator, strlen(operator));
	draw = hashed(draw, with, strlen(with));
	draw = hashed(draw, line, length);
	for (size_t i = 0; i < m->n; i++)
		if (m->mutant[i].draw == mixed(draw + same))
			same++;
	if (m->n == m->room) {
		m->room += 4096;
		m->mutant = more(m->mutant, m->room, sizeof(*m->mutant));
	}
	m->mutant[m->n++] = (struct mutant){ f, t->line, t->at, n, operator,
	    with, same, mixed(draw + same) };
}

static char *
copied(const char *s)
{
	return strcpy(more(NULL, strlen(s) + 1, 1), s);
}

/* joined - the tokens from..to-1 on one line, between two texts. */
static char *
joined(const struct source *f, const char *before, size_t from, size_t to,
    const char *behind)
{
	size_t n = strlen(before) + strlen(behind) + 1, at;
	char *s;

	for (size_t i = from; i < to; i++)
		n += f->tokens[i].n + 1;
	s = more(NULL, n, 1);
	at = strlen(strcpy(s, before));
	for (size_t i = from; i < to; i++) {
		if (i > from && f->tokens[i].at >
		    f->tokens[i - 1].at + f->tokens[i - 1].n)
			s[at++] = ' ';
		memcpy(s + at, f->text + f->tokens[i].at, f->tokens[i].n);
		at += f->tokens[i].n;
	}
	strcpy(s + at, behind);
	return s;
}

/* follows_value - is the operator at i one between two values? */
static bool
follows_value(const struct source *f, size_t i)
{
	static const char *const words[] = { "return", "case", "sizeof", "else",
	    NULL };
	const struct token *before = &f->tokens[i - 1];

	return before->kind == NUMBER || is(f, i - 1, ")") ||
	    is(f, i - 1, "]") ||
	    (before->kind == WORD && !is_one_of(f, i - 1, words));
}

/* pointer - the * of a declaration or of a cast. */
static bool
pointer(const struct source *f, size_t i)
{
	static const char *const types[] = { "char", "int", "unsigned", "void",
	    "double", "FILE", "DIR", NULL };
	const struct token *before = &f->tokens[i - 1];

	return is(f, i, "*") && (before->starts || is(f, i + 1, ")") ||
	    is(f, i + 1, "*") || is(f, i + 1, "const") ||
	    is(f, i - 2, "struct") || is(f, i - 2, "const") ||
	    is_one_of(f, i - 1, types) || strncmp(f->text + before->at +
	    before->n - 2, "_t", 2) == 0);
}

static void
mutate_sign(struct mutants *m, const struct source *f, size_t i)
{
	static const struct {
		const char *sign, *with;
	} twins[] = {
		{ "==", "!=" }, { "!=", "==" }, { "<", "<=" }, { "<=", "<" },
		{ ">", ">=" }, { ">=", ">" }, { "&&", "||" }, { "||", "&&" },
		{ "+", "-" }, { "-", "+" }, { "*", "/" }, { "/", "*" },
		{ "%", "*" }, { "<<", ">>" }, { ">>", "<<" }, { "|", "&" },
		{ "&", "|" }, { "^", "|" }, { "+=", "-=" }, { "-=", "+=" },
		{ "|=", "&=" }, { "&=", "|=" }, { "*=", "/=" }, { "/=", "*=" },
	};

	for (size_t t = 0; t < sizeof(twins) / sizeof(*twins); t++)
		if (is(f, i, twins[t].sign) && follows_value(f, i) &&
		    !pointer(f, i))
			add(m, f, &f->tokens[i], f->tokens[i].n, twins[t].sign,
			    copied(twins[t].with));
	if (is(f, i, "!"))
		add(m, f, &f->tokens[i], 1, "!", copied(" "));
}

/* array_size - a number in the brackets of a declaration. */
static bool
array_size(const struct source *f, size_t i)
{
	size_t start = i;

	while (start > 0 && !f->tokens[start].starts)
		start--;
	return f->tokens[start].kind == WORD &&
	    (f->tokens[start + 1].kind == WORD || is(f, start + 1, "*")) &&
	    !is(f, start, "return") && !has_sign(f, start, i, "=") &&
	    !is(f, start, "case");
}

/*
 * mutate_number - one more or one less; the factor of a unit, and what has a
 * fraction, doubled.
 */
static void
mutate_number(struct mutants *m, const struct source *f, size_t i)
{
	const struct token *t = &f->tokens[i];
	bool hex = t->n > 1 && strchr("xX", f->text[t->at + 1]) != NULL;
	bool factor = !hex && (memchr(f->text + t->at, '.', t->n) != NULL ||
	    memchr(f->text + t->at, 'e', t->n) != NULL ||
	    (t->n > 3 && memmem(f->text + t->at, t->n, "000", 3) != NULL));
	unsigned few = t->place == CODE ? CODE_NUMBERS : TABLE_NUMBERS;
	const char *how = factor ? " * 2)" : " + 1)";

	if (t->place == CODE && array_size(f, i))
		return;
	add(m, f, t, t->n, t->place == CODE ? "number" : "table",
	    joined(f, "(", i, i + 1, how));
	if (mixed(m->mutant[m->n - 1].draw) % few != 0)
		free(m->mutant[--m->n].with);
	else if (!factor && m->mutant[m->n - 1].draw & 1 &&
	    f->text[t->at] != '0')
		m->mutant[m->n - 1].with[t->n + 2] = '-';
}

static void
mutate_word(struct mutants *m, const struct source *f, size_t i)
{
	size_t end = f->tokens[i + 1].match;
	const struct token *t = &f->tokens[i];

	if ((is(f, i, "if") || is(f, i, "while")) && is(f, i + 1, "("))
		add(m, f, &f->tokens[i + 2], f->tokens[end].at -
		    f->tokens[i + 2].at, "negated",
		    joined(f, "!(", i + 2, end, ")"));
	else if (is(f, i, "true"))
		add(m, f, t, t->n, "true", copied("false"));
	else if (is(f, i, "false"))
		add(m, f, t, t->n, "false", copied("true"));
}

/* deletable - is statement i..end-1 a call whose value nobody takes, a jump or
 * an assignment? */
static bool
deletable(const struct source *f, size_t i, size_t end)
{
	static const char *const jumps[] = { "break", "continue", "goto",
	    NULL };
	static const char *const sets[] = { "=", "+=", "-=", "|=", "&=", "*=",
	    "/=", "<<=", ">>=", "++", "--", NULL };
	static const char *const frees[] = { "free", "fini", "close", NULL };
	static const char *const other[] = { "if", "for", "while", "do",
	    "switch", "else", "return", "case", "default", "static",
	    "_Static_assert", "{", "}", ";", NULL };
	const struct token *t = &f->tokens[i];

	if (is_one_of(f, i, jumps))
		return true;
	if (is_one_of(f, i, other))
		return false;
	if (t->kind == WORD && is(f, i + 1, "(") && t[1].match == end - 1) {
		for (const char *const *w = frees; *w != NULL; w++)
			if (t->n >= strlen(*w) && strncmp(f->text + t->at + t->n
			    - strlen(*w), *w, strlen(*w)) == 0)
				return false;
		return true;
	}
	if (t->kind == WORD && (t[1].kind == WORD || is(f, i + 1, "*")))
		return false;           /* a declaration */
	for (const char *const *s = sets; *s != NULL; s++)
		if (has_sign(f, i, end, *s))
			return true;
	return false;
}

static void
mutate_statement(struct mutants *m, const struct source *f, size_t i)
{
	static const char *const plain[] = { "0", "NULL", "true", "false",
	    NULL };
	size_t end = end_of(f, i, false);
	const struct token *t = &f->tokens[i];

	if (end >= f->ntokens)
		return;
	if (is(f, i, "return") && !is(f, i + 1, ";") &&
	    !(end == i + 2 && is_one_of(f, i + 1, plain)))
		add(m, f, t, f->tokens[end].at + 1 - t->at, "return",
		    copied("return 0;"));
	else if (deletable(f, i, end))
		add(m, f, t, f->tokens[end].at + 1 - t->at, "deleted",
		    copied(";"));
}

static void
mutate_file(struct mutants *m, const struct source *f)
{
	for (size_t i = 1; i + 2 < f->ntokens; i++) {
		const struct token *t = &f->tokens[i];

		if (t->kind == DEFINED ||
		    (t->kind == NUMBER && t->place != NOWHERE))
			mutate_number(m, f, i);
		if (t->place != CODE)
			continue;
		if (t->kind == SIGN)
			mutate_sign(m, f, i);
		if (t->kind == WORD)
			mutate_word(m, f, i);
		if (t->starts)
			mutate_statement(m, f, i);
	}
}

/* --- the two commands */

static int
by_draw(const void *a, const void *b)
{
	const struct mutant *x = a, *y = b;

	return (x->draw > y->draw) - (x->draw < y->draw);
}

static void
pick(const char *seed, char **names, int n)
{
	struct mutants m = { .seed = mixed(strtoull(seed, NULL, 10)) };
	struct source *files = more(NULL, (size_t)n, sizeof(*files));
	size_t length;
	char nth[16];

	for (int i = 0; i < n; i++) {
		files[i] = source_read(names[i]);
		mutate_file(&m, &files[i]);
	}
	qsort(m.mutant, m.n, sizeof(*m.mutant), by_draw);
	for (const struct mutant *x = m.mutant; x < m.mutant + m.n; x++) {
		const char *line = line_text(x->file, x->at, &length);

		snprintf(nth, sizeof(nth), "#%u", x->nth + 1);
		printf("%s\t%u\t%zu\t%zu\t%s%s\t%s\t%.*s\n", x->file->name,
		    x->line, x->at, x->n, x->operator, x->nth > 0 ? nth : "",
		    x->with, (int)length, line);
	}
}

static void
make(char **args)
{
	struct source f = source_read(args[0]);
	size_t at = strtoul(args[1], NULL, 10), n = strtoul(args[2], NULL, 10);

	if (at > f.size || n > f.size - at)
		errx(2, "%s has %zu bytes", f.name, f.size);
	fwrite(f.text, 1, at, stdout);
	fputs(args[3], stdout);
	fwrite(f.text + at + n, 1, f.size - at - n, stdout);
}

int
main(int argc, char **argv)
{
	if (argc > 3 && strcmp(argv[1], "pick") == 0)
		pick(argv[2], argv + 3, argc - 3);
	else if (argc == 6 && strcmp(argv[1], "make") == 0)
		make(argv + 2);
	else
		errx(2, "usage: mutate pick SEED FILE... | "
		    "make FILE OFFSET LENGTH REPLACEMENT");
	if (fflush(stdout) != 0)
		err(2, "stdout");
	return 0;
}
