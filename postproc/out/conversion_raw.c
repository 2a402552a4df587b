/*
 * postproc/out/conversion_raw.c - the values as the dump has them, as text: CSV with
 * a line a sample, and Lua that any Lua can load.
 */
#include "postproc/out/convert.h"

#include "config/arena.h"
#include "lib/array.h"
#include "lib/lookup.h"
#include "lib/printable.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/out/table.h"

/* Prints a value as it was read, in decimal; temperatures have a sign. */
static void
put_raw(FILE *f, const struct column *c, uint64_t value)
{
	/* what is below 0 is in two's complement */
	if (c->cls == CLASS_TEMP)
		fprintf(f, "%" PRId64, (int64_t)value);
	else
		fprintf(f, "%" PRIu64, value);
}

static int
wide_csv(const struct source *s, FILE *f, struct diag *why)
{
	unsigned n = read_columns(s->columns);
	struct read_row row;
	double at;
	int rc;

	fputs("sample,time (s)", f);
	for (unsigned c = 0; c < n; c++) {
		putc(',', f);
		put_csv(f, read_column(s->columns, c)->name);
	}
	fputs("\r\n", f);
	while ((rc = intervals_row(s->iv, &row, &at, why)) > 0) {
		fprintf(f, "%" PRIu64 ",%.6f", row.sample, at);
		for (unsigned c = 0; c < n; c++) {
			putc(',', f);
			if (c < row.ncol && row.value[c] != ABSENT)
				put_raw(f, read_column(s->columns, c),
				    row.value[c]);
		}
		fputs("\r\n", f);
	}
	return rc;
}

const struct conversion conversion_wide_csv = {
	.option = "wide-csv", .columns_first = true, .write = wide_csv,
	.help = "one line a sample, one column a counter, values as the dump\n"
	    "has them",
};

/* ---- Lua -----------------------------------------------------------------
 *
 * Lua 5.1 takes 2^18 constants in a function, LuaJIT 2^16, and a dump is one
 * function; so it is cut into functions that are called one after the other.
 * Tables are declared before they are first used.  (In Lua 5.1 and LuaJIT
 * numbers are doubles: what exceeds 2^53 is rounded there.)
 */

struct lua {
	FILE *f;
	unsigned chunk, left;   /* lines of a function; how many the open one still
				 * takes */
	uint64_t nfunction;     /* functions so far; the last one is open */
	struct arena *arena;
	const char **name;      /* [nname] of the tables that are declared, */
	unsigned nname, room;
	struct lookup tables;   /* their numbers by name */
	bool failed;
};

static void
close_function(struct lua *l)
{
	if (l->nfunction > 0)
		fprintf(l->f, "end\nchunk_%" PRIu64 "()\n", l->nfunction);
}

/* To be called before each line: begins a new function when the last one is full. */
static void
lua_chunks_line(struct lua *l)
{
	if (l->left-- > 0)
		return;
	close_function(l);
	fprintf(l->f, "function chunk_%" PRIu64 "()\n", ++l->nfunction);
	l->left = l->chunk - 1;
}

/* Is this the first time that a table has this name (n bytes)? */
static bool
lua_chunks_first_time(struct lua *l, const char *s, size_t n)
{
	uint64_t hash = lookup_hash(0, s, n);

	LOOKUP_EACH(i, &l->tables, hash) {
		const char *name = l->name[i];

		if (strncmp(name, s, n) == 0 && name[n] == '\0')
			return false;
	}
	if (!array_room(&l->name, l->nname, &l->room, sizeof(*l->name)) ||
	    (l->name[l->nname] = arena_strndup(l->arena, s, n)) == NULL ||
	    lookup_add(&l->tables, hash, l->nname) < 0) {
		l->failed = true;
		return false;
	}
	l->nname++;
	return true;
}

/* Returns where the index ends whose '[' p points to. */
static const char *
past_index(const char *p)
{
	if (p[1] == '"' || p[1] == '\'') {
		char quote = p[1];

		for (p += 2; *p != '\0' && *p != quote; p++)
			if (*p == '\\' && p[1] != '\0')
				p++;
	}
	p += strcspn(p, "]");
	return *p == ']' ? p + 1 : p;
}

/* Declares the tables that an element name[a][b] is in: name and name[a]; whole: it is
 * itself a table, and is declared, too. */
static void
declare(struct lua *l, const char *name, bool whole)
{
	const char *p = name + strcspn(name, "[");

	for (;; p = past_index(p)) {
		if (*p == '\0' && !whole)
			return;
		if (lua_chunks_first_time(l, name, (size_t)(p - name))) {
			lua_chunks_line(l);
			fprintf(l->f, "%.*s = {}\n", (int)(p - name), name);
		}
		if (*p == '\0')
			return;
	}
}

static void
lua_chunks_put_text(FILE *f, const char *s)
{
	char one[LUA_QUOTED_ONE];

	putc('"', f);
	while (*s != '\0')
		fwrite(one, 1, lua_quote_one(one, &s, '"'), f);
	putc('"', f);
}

static void
lua_chunks_put_constants(struct lua *l, const struct reader *r)
{
	for (unsigned i = 0; i < read_constants(r); i++) {
		const struct constant *c = read_constant(r, i);

		declare(l, c->name, false);
		lua_chunks_line(l);
		fprintf(l->f, "%s = ", c->name);
		if (c->none)
			fputs("nil", l->f);
		else if (c->kind == CONSTANT_TEXT)
			lua_chunks_put_text(l->f, c->exact);
		else if (c->text[0] == 'T' || c->text[0] == 'F')
			fputs(c->u ? "true" : "false", l->f);   /* Python's */
		else
			fputs(c->text, l->f);
		putc('\n', l->f);
	}
}

static void
lua_chunks_put_samples(struct lua *l, const struct reader *r,
    const struct read_row *row)
{
	for (unsigned c = 0; c < row->ncol; c++) {
		const struct column *col = read_column(r, c);

		if (row->value[c] == ABSENT)
			continue;
		lua_chunks_line(l);
		fprintf(l->f, "%s[%" PRIu64 "] = ", col->name, row->sample);
		put_raw(l->f, col, row->value[c]);
		putc('\n', l->f);
	}
}

static int
lua_chunks(const struct source *s, FILE *f, struct diag *why)
{
	struct lua l = { .f = f, .chunk = s->number, .arena = arena_new() };
	const struct reader *r = intervals_reader(s->iv);
	struct read_row row;
	unsigned known = 0;
	double at;
	int rc = -ENOMEM;

	if (l.arena != NULL) {
		lua_chunks_put_constants(&l, r);
		while ((rc = intervals_row(s->iv, &row, &at, why)) > 0) {
			for (; known < row.ncol; known++)
				declare(&l, read_column(r, known)->name, true);
			lua_chunks_put_samples(&l, r, &row);
		}
		close_function(&l);
	}
	if (l.failed)
		rc = -ENOMEM;
	if (rc == -ENOMEM)
		diag_set(why, rc, "out of memory");
	free(l.name);
	lookup_fini(&l.tables);
	arena_free(l.arena);
	return rc;
}

const struct conversion conversion_lua_chunks = {
	.option = "lua-chunks", .argument = "N", .most = 30000,
	.write = lua_chunks,
	.help = "the assignments, in functions of at most N (up to\n"
	    "30000): LuaJIT takes 65536 constants a function",
};
