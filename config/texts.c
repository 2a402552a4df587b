/*
 * config/texts.c - texts that a user can name: files, and the texts of config/,
 * which are built into both programs.
 */
#include "config/texts.h"

#include "config/folder.h"
#include "config/suggest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes: ten times the largest of Intel's event lists.  Parsed, a text takes
 * several times its size. */
#define MAX_TEXT_SIZE (1u << 25)

/* The Makefile lists the files in texts.inc: TEXT(number, "name", "path"). */
#define TEXT(n, name, path) \
	__asm__(".section .rodata\n" \
	    "text_" #n ":\n.incbin \"" path "\"\n" \
	    "text_end_" #n ":\n.byte 0\n.previous"); \
	extern const char text_##n[], text_end_##n[];
#include "texts.inc"
#undef TEXT

#define TEXT(n, name, path) { name, text_##n, text_end_##n },
const struct text texts[] = {
#include "texts.inc"
	{ NULL, NULL, NULL }
};

const char *
text_kind(const struct text *t)
{
	return strrchr(t->name, '.') + 1;
}

bool
text_is(const struct text *t, const char *kind)
{
	return kind == NULL || strcmp(text_kind(t), kind) == 0;
}

int
text_base(const struct text *t)
{
	return (int)(text_kind(t) - 1 - t->name);
}

/* Is this the text's name, with or without the ending? */
static bool
is_called(const struct text *t, const char *name)
{
	size_t len;

	if (*t->name != *name)
		return false;
	len = strlen(name);
	return strncmp(t->name, name, len) == 0 && (t->name[len] == '\0' ||
	    (size_t)text_base(t) == len);
}

/* Returns how many built-in texts have that name; *found: the first of them. */
static unsigned
texts_find(const char *name, const char *kind, const struct text **found)
{
	unsigned n = 0;

	for (const struct text *t = texts; t->name != NULL; t++)
		if (is_called(t, name) && text_is(t, kind) && n++ == 0)
			*found = t;
	return n;
}

const struct text *
text_named(const char *name, const char *kind)
{
	const struct text *t;

	return name[0] == '@' && texts_find(name + 1, kind, &t) == 1 ? t : NULL;
}

const char *
text_of_model(const char *name, const struct model *model, char *buf,
    size_t size)
{
	const char *as;

	if (model == NULL || text_named(name, TEXT_CONFIG) != NULL)
		return name;
	snprintf(buf, size, "%s-%s", name, model->name);
	if (text_named(buf, TEXT_CONFIG) != NULL)
		return buf;
	if ((as = strchr(model->default_config, '-')) == NULL)
		return name;
	snprintf(buf, size, "%s%s", name, as);
	return text_named(buf, TEXT_CONFIG) != NULL ? buf : name;
}

#define FEW 8                   /* if more, a message names only near ones */
#define MANY 20                 /* if more, it refers to `tally print` */

/* The name of a text with its "@".  for_all: without the name of a CPU model at
 * its end, @hpc for @hpc-skx. */
static const char *
texts_called(const struct text *t, bool for_all, char *buf, size_t size)
{
	int n = text_base(t);
	const char *dash;

	snprintf(buf, size, "@%.*s", n, t->name);
	dash = strchr(buf, '-');
	if (for_all && dash != NULL && model_named(dash + 1) != NULL)
		buf[dash - buf] = '\0';
	return buf;
}

/* Is name a text that exists for other CPUs, but not for this one (@hpc-genoa)?
 * Then `all` gets a message: the name that stands for the CPU at hand, and the
 * texts that exist. */
static bool
other_cpu(const char *name, const char *kind, char *all, size_t size)
{
	const char *dash = strchr(name, '-');
	char have[400] = "", one[80];
	size_t n = dash != NULL ? (size_t)(dash - name) : 0;
	bool any = false;

	for (const struct text *t = texts; n > 0 && t->name != NULL; t++) {
		texts_called(t, false, one, sizeof(one));
		if (!text_is(t, kind) || strncmp(one, name, n + 1) != 0)
			continue;
		choices_add(have, sizeof(have), one);
		any = any || strchr(texts_called(t, true, one, sizeof(one)),
		    '-') == NULL;
	}
	snprintf(all, size, "%.*s is that of the CPU at hand; of one CPU "
	    "there are %s", (int)n, name, have);
	return any;
}

/* If a built-in text of that name has another kind than was asked for: says
 * what it is and which command takes it.  NULL: there is none. */
static const char *
other_kind(const char *name)
{
	static const char *const is[][2] = {
		{ TEXT_MACHINE, "a simulated machine: tallyd --sim" },
		{ TEXT_CONFIG, "a configuration: tallyd -c" },
		{ TEXT_METRICS, "a list of metrics: tally metrics -M" },
		{ TEXT_RULES, "rules: tally why --rules" },
		{ TEXT_PAIRS, "what tally check compares: tally print" },
		{ TEXT_VIEW, "a page: tally report --view" },
		{ TEXT_SITE, "a site of the Atom C2000: tallyd --site" },
		{ TEXT_PROVE, "what tallyd --prove expects: tally print" },
		{ TEXT_GROUPS, "what SoC events are made of: tally print" },
		{ TEXT_TABLE, "a table of events, which are counted by name "
		    "(tallyd --list events): tally print" },
		{ TEXT_TABLES, "which CPU has which events: tally print" },
		{ TEXT_SCRIPT, "a part of tally page: tally print" },
		{ TEXT_STYLE, "a part of tally page: tally print" },
	};
	const struct text *t;

	for (unsigned i = 0; i < sizeof(is) / sizeof(is[0]); i++)
		if (texts_find(name + 1, is[i][0], &t) > 0)
			return is[i][1];
	return NULL;
}

/* Fill why for a name that no built-in text has: suggest near names, or list
 * all.  Returns -ENOENT. */
static int
text_missing(const char *name, const char *kind, struct diag *why)
{
	bool at = name[0] == '@', config = kind != NULL &&
	    strcmp(kind, TEXT_CONFIG) == 0;
	const char *what = at ? "no such built-in text" : "no such file";
	const char *dot = strrchr(name, '.');
	char have[700] = "", meant[NEAR_MEANT], one[80], bare[80];
	struct near near;
	unsigned all = 0;

	if (at && config && other_kind(name) != NULL)
		return diag_set(why, -ENOENT, "%s is %s %s", name,
		    other_kind(name), name);
	if (at && config && other_cpu(name, kind, have, sizeof(have)))
		return diag_set(why, -ENOENT, "%s: %s; %s", name, what, have);
	have[0] = '\0';
	snprintf(bare, sizeof(bare), "%.*s", dot != NULL ? (int)(dot - name) :
	    (int)strlen(name), name);
	near_init(&near, name);
	for (const struct text *t = texts; t->name != NULL; t++) {
		if (!text_is(t, kind))
			continue;
		near_try(&near, texts_called(t, config, one, sizeof(one)));
		if (!at && (strcmp(one + 1, name) == 0 ||
		    strcmp(one + 1, bare) == 0))
			return diag_set(why, -ENOENT, "no file %s; the "
			    "built-in is %s", name, one);
		choices_add(have, sizeof(have), texts_called(t, false, one,
		    sizeof(one)));
		all++;
	}
	if (at && near.n == 0 && other_kind(name) != NULL)
		return diag_set(why, -ENOENT, "%s is %s %s", name,
		    other_kind(name), name);
	if (at && all > FEW && near.n > 0)
		return diag_set(why, -ENOENT, "%s: %s%s", name, what,
		    near_meant(&near, meant, sizeof(meant)));
	return all > MANY ? diag_set(why, -ENOENT, "%s: %s (`tally print` lists "
	    "what is built in)", name, what) : diag_set(why, -ENOENT, "%s: %s; "
	    "built in are %s", name, what, have);
}

int
text_none(const char *name, const char *kind, struct diag *why)
{
	const char *slash = strrchr(name, '/');
	bool at = name[0] == '@';
	const struct text *meant;
	char have[700] = "", one[80];
	unsigned n;

	if (name[0] == '\0')
		return diag_set(why, -ENOENT, "a file without a name was asked "
		    "for: give its name, or @NAME of a built-in text");
	n = texts_find(at ? name + 1 : slash != NULL ? slash + 1 : name, kind,
	    &meant);
	if (n == 0)
		return text_missing(name, kind, why);
	if (n == 1 && !at)
		return diag_set(why, -ENOENT, "no file %s; the built-in is "
		    "@%.*s", name, text_base(meant), meant->name);
	for (const struct text *t = texts; t->name != NULL; t++)
		if (text_is(t, kind) && is_called(t, name + at)) {
			snprintf(one, sizeof(one), "@%s", t->name);
			choices_add(have, sizeof(have), one);
		}
	return diag_set(why, -ENOENT, "%s: which one? %s", name, have);
}

static int
texts_read_all(int fd, char **data, size_t *size)
{
	size_t room = 65536, n = 0;
	char *buf = NULL, *bigger;
	ssize_t got;

	do {
		room *= 2;
		if (room > MAX_TEXT_SIZE) {
			free(buf);
			return -EFBIG;
		}
		if ((bigger = realloc(buf, room + 1)) == NULL) {
			free(buf);
			return -ENOMEM;
		}
		buf = bigger;
		while (n < room && (got = read(fd, buf + n, room - n)) != 0) {
			if (got < 0 && errno == EINTR)
				continue;
			if (got < 0) {
				got = -errno;
				free(buf);
				return (int)got;
			}
			n += (size_t)got;
		}
	} while (n == room);
	buf[n] = '\0';
	*data = buf;
	*size = n;
	return 0;
}

static int
load_file(const char *path, char **data, size_t *size)
{
	struct stat sb;
	int fd = infile_open(path, &sb), rc;

	if (fd < 0)
		return fd;
	rc = sb.st_size > MAX_TEXT_SIZE ? -EFBIG :
	    texts_read_all(fd, data, size);
	close(fd);
	return rc;
}

int
text_load(const char *name, const char *kind, char **data, size_t *size,
    struct diag *why)
{
	const struct text *t;
	int rc;

	if (kind == NULL || name[0] != '@') {
		if ((rc = load_file(name, data, size)) == -ENOENT &&
		    kind != NULL)
			return text_none(name, kind, why);
		return rc == 0 ? 0 : diag_set(why, rc, "%s: %s", name,
		    infile_error(rc));
	}
	if ((t = text_named(name, kind)) == NULL)
		return text_none(name, kind, why);
	*size = (size_t)(t->end - t->data);
	if ((*data = malloc(*size + 1)) == NULL)
		return diag_set(why, -ENOMEM, "%s: out of memory", name);
	memcpy(*data, t->data, *size);
	(*data)[*size] = '\0';
	return 0;
}

int
used_add(struct used **list, struct arena *arena, const char *name,
    const char *text, size_t size)
{
	struct used *u = arena_alloc(arena, sizeof(*u));

	if (u == NULL ||
	    (u->name = arena_strndup(arena, name, strlen(name))) == NULL)
		return -ENOMEM;
	sha256_text(u->sha256, text, size);
	for (; *list != NULL; list = &(*list)->next)
		if (strcmp((*list)->name, u->name) == 0 &&
		    strcmp((*list)->sha256, u->sha256) == 0)
			return 0;
	*list = u;
	return 0;
}
