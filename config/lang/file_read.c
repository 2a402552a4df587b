/*
 * config/lang/file_read.c - parse `read file=...`: numbers in files of the node.
 *
 *   file   = "file=" PATH { option } "as" NAME { option }
 *   option = "at=" OFFSET | "counter" | "gauge" | "scale=" NUMBER
 *          | "unit=" TEXT | "every" SAMPLES
 *
 * PATH begins with a slash and has no blank in it; a * in it stands for any text
 * without a slash.  NUMBER is decimal, 0.001 or 1e-3.
 */
#include "config/lang/readable.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/file_number.h"
#include "config/lang/statements.h"

#define MAX_FILE_NAME 40
#define MAX_FILE_UNIT 16

enum { AS, EVERY, AT_BYTE, SCALE, UNIT, COUNTER, GAUGE, WORDS };
static const struct { const char *word; bool value, equals; } word[WORDS] = {
	[AS] = { "as", true, false }, [EVERY] = { "every", true, false },
	[AT_BYTE] = { "at", true, true }, [SCALE] = { "scale", true, true },
	[UNIT] = { "unit", true, true }, [COUNTER] = { "counter", false, false },
	[GAUGE] = { "gauge", false, false },
};

struct file_parse {
	struct scan *scan;
	struct diag *why;
	struct file_read file;
	struct word path, name, scale, unit;
	bool given[WORDS];
};

static int
file_read_bad(const struct file_parse *p, const char *what, struct word w)
{
	return diag_place(p->why, p->scan->at, what, WORD_ARG(w));
}

/* Does the word consist of characters in `can`, and at most `most` of them? */
static bool
made_of(struct word w, const char *can, size_t most)
{
	for (size_t i = 0; i < w.n; i++)
		if (w.n > most || strchr(can, w.s[i]) == NULL)
			return false;
	return w.n > 0;
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

static int
parse_path(struct file_parse *p, struct word w)
{
	struct word key;

	word_cut(&w, '=', &key);
	p->path = w;
	for (size_t i = 0; i < w.n; i++)
		if (w.n > MAX_FILE_PATH || w.s[i] <= ' ' || w.s[i] > '~' ||
		    strchr("\"'\\", w.s[i]) != NULL)
			return file_read_bad(p,
			    "file=%.*s: a path has up to 255 "
			    "printable characters, no quotes and no \\", w);
	if (w.n < 2 || w.s[0] != '/' || w.s[w.n - 1] == '/')
		return file_read_bad(p,
		    "file=%.*s: the whole path of a file, from / on", w);
	return 0;
}

/* Parse a number above 0: 0.001, 1e-6, 2. */
static int
parse_scale(struct file_parse *p, struct word w)
{
	char text[32] = "", *end;

	if (made_of(w, "0123456789.eE+-", sizeof(text) - 1))
		memcpy(text, w.s, w.n);
	p->file.scale = strtod(text, &end);
	if (text[0] == '\0' || *end != '\0' || !(p->file.scale >= 1e-30 &&
	    p->file.scale <= 1e30))
		return file_read_bad(p,
		    "scale=%.*s: a decimal number above 0, such as "
		    "0.001 or 1e-6: what one count is of the unit", w);
	p->scale = w;
	return 0;
}

static int
parse_at(struct file_parse *p, struct word w)
{
	int rc = scan_number(w, "offset", INT64_MAX - 8, &p->file.at,
	    p->scan->at, p->why);

	p->file.binary = true;
	/* elsewhere an offset could read a disk, or the kernel's memory */
	if (rc == 0 && (p->path.n < 5 || memcmp(p->path.s, "/sys/", 5) != 0))
		return file_read_bad(p,
		    "at=%.*s: bytes are read of files below /sys "
		    "alone", w);
	return rc;
}

static int
file_read_parse_value(struct file_parse *p, unsigned which, struct word w)
{
	switch (which) {
	case AT_BYTE:
		return parse_at(p, w);
	case SCALE:
		return parse_scale(p, w);
	case UNIT:
		p->unit = w;
		return made_of(w, LETTERS "_/%.^-", MAX_FILE_UNIT) ? 0 :
		    file_read_bad(p,
		    "unit=%.*s: letters, digits and _ / %% . ^ -, 16 at "
		    "most", w);
	default:
		p->name = w;
		return made_of(w, LETTERS "_", MAX_FILE_NAME) ? 0 :
		    file_read_bad(p,
		    "\"%.*s\" cannot be the name of a file's number: "
		    "letters, digits and _ alone, 40 at most", w);
	}
}

static int
file_read_parse_options(struct file_parse *p)
{
	struct word w, value;
	int rc;

	while (scan_word(p->scan, &w)) {
		struct word all = w, head;
		bool cut = word_cut(&w, '=', &head);
		unsigned k = 0;

		while (k < WORDS && !(word_is(head, word[k].word) &&
		    word[k].equals == cut))
			k++;
		if (k == WORDS)
			return file_read_bad(p,
			    "\"%.*s\" says nothing of a file: at=, "
			    "counter, gauge, scale=, unit=, every N and as "
			    "NAME do; each file has a line of its own", all);
		if (p->given[k])
			return file_read_bad(p, "\"%.*s\" is given twice",
			    head);
		p->given[k] = true;
		value = w;
		if (k == EVERY && (rc = every_value(p->scan, &p->file.every,
		    p->why)) < 0)
			return rc;
		if (k == EVERY || !word[k].value)
			continue;
		if (!cut && !scan_word(p->scan, &value))
			return file_read_bad(p,
			    "\"%.*s\" has nothing behind it", head);
		if ((rc = file_read_parse_value(p, k, value)) < 0)
			return rc;
	}
	if (p->given[COUNTER] && p->given[GAUGE])
		return file_read_bad(p, "file=%.*s: counter or gauge, not both",
		    p->path);
	if (!p->given[AS])
		return file_read_bad(p,
		    "file=%.*s: what is it to be called?  as NAME", p->path);
	p->file.gauge = p->given[GAUGE];
	return 0;
}

/* Set the family's name, and the statement in full, with its defaults. */
static int
file_read_say(struct file_parse *p, struct config *cfg, struct want *want)
{
	struct file_read *f = &p->file;
	char name[MAX_FILE_NAME + 1], family[80], text[MAX_FILE_PATH + 240];
	int n;

	snprintf(name, sizeof(name), "%.*s", (int)p->name.n, p->name.s);
	raw_family(RAW_FILE, name, family, sizeof(family));
	n = snprintf(text, sizeof(text), "file=%.*s", (int)p->path.n,
	    p->path.s);
	if (f->binary)
		n += snprintf(text + n, sizeof(text) - (size_t)n, " at=0x%"
		    PRIx64, f->at);
	n += snprintf(text + n, sizeof(text) - (size_t)n, " %s", f->gauge ?
	    "gauge" : "counter");
	if (p->given[SCALE])
		n += snprintf(text + n, sizeof(text) - (size_t)n, " scale=%.*s",
		    (int)p->scale.n, p->scale.s);
	if (p->given[UNIT])
		n += snprintf(text + n, sizeof(text) - (size_t)n, " unit=%.*s",
		    (int)p->unit.n, p->unit.s);
	if (f->every > 1)
		n += snprintf(text + n, sizeof(text) - (size_t)n, " every %u",
		    f->every);
	n += snprintf(text + n, sizeof(text) - (size_t)n, " as %s", name);
	want->name = arena_strndup(cfg->arena, family, strlen(family));
	f->path = arena_strndup(cfg->arena, p->path.s, p->path.n);
	f->unit = arena_strndup(cfg->arena, p->unit.s, p->unit.n);
	f->statement = arena_strndup(cfg->arena, text, (size_t)n);
	return want->name != NULL && f->path != NULL && f->unit != NULL &&
	    f->statement != NULL ? 0 : -ENOMEM;
}

bool
file_read_is(struct word w)
{
	struct word space;

	return word_cut(&w, '=', &space) && word_is(space, "file");
}

int
file_read_parse(struct config *cfg, struct scan *scan, struct word first,
    struct want *want, struct diag *why)
{
	struct file_parse p = { .scan = scan, .why = why, .unit = { "", 0 },
	    .file = { .scale = 1, .every = 1 } };
	struct file_read *file;
	int rc;

	if ((rc = parse_path(&p, first)) < 0 ||
	    (rc = file_read_parse_options(&p)) < 0 ||
	    (rc = file_read_say(&p, cfg, want)) < 0)
		return rc;
	if ((file = arena_alloc(cfg->arena, sizeof(*file))) == NULL)
		return -ENOMEM;
	*file = p.file;
	want->of_file = file;
	return 0;
}
