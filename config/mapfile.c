/*
 * config/mapfile.c - which event list is of which CPU.
 */
#include "config/mapfile.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/encode.h"
#include "config/scan.h"
#include "config/texts.h"

static int
hex_digit(char c)
{
	const char *digits = "0123456789ABCDEF", *at;

	if (c >= 'a' && c <= 'f')
		c = (char)(c - 'a' + 'A');
	at = c != '\0' ? strchr(digits, c) : NULL;
	return at != NULL ? (int)(at - digits) : -1;
}

/* steppings = "" | hexdigit | "[" { hexdigit } "]", as bits; none is all */
static unsigned
steppings(struct word w)
{
	unsigned bits = 0;

	for (size_t i = 0; i < w.n; i++)
		if (hex_digit(w.s[i]) >= 0)
			bits |= 1u << hex_digit(w.s[i]);
	return w.n == 0 ? 0xffff : bits;
}

/* cpu = "GenuineIntel-" family "-" MODEL [ "-" steppings ]; the family is
 * decimal, the model hexadecimal */
static bool
is_of(const struct model *m, struct word cpu)
{
	struct word vendor, family, model;
	unsigned number = 0;

	word_cut(&cpu, '-', &vendor);
	word_cut(&cpu, '-', &family);
	word_cut(&cpu, '-', &model);
	if (!word_is(vendor, "GenuineIntel") || !word_is(family, "6") ||
	    model.n == 0 || model.n > 2)
		return false;
	for (size_t i = 0; i < model.n; i++) {
		if (hex_digit(model.s[i]) < 0)
			return false;
		number = number * 16 + (unsigned)hex_digit(model.s[i]);
	}
	for (const struct cpu_match *id = m->id; id != NULL && id->model != 0;
	    id++)
		for (unsigned s = id->step_min; s <= id->step_max && s < 16;
		    s++)
			if (id->model == number && steppings(cpu) >> s & 1)
				return true;
	return false;
}

int
mapfile_parse(const struct model *m, const char *list, const char *text,
    size_t size, struct diag *why)
{
	struct word all = { text, size }, line, cpu, version, file;
	char others[400] = "", name[64];

	while (all.n > 0) {
		word_cut(&all, '\n', &line);
		if (!word_cut(&line, ',', &cpu) ||
		    !word_cut(&line, ',', &version))
			continue;
		word_cut(&line, ',', &file);
		if (!word_is(file, list))
			continue;
		if (is_of(m, cpu))
			return 0;
		snprintf(name, sizeof(name), "%.*s", WORD_ARG(cpu));
		list_add(others, sizeof(others), name);
	}
	if (others[0] == '\0')
		return 0;
	return diag_set(why, -EINVAL, "this event list is of other CPUs (%s, "
	    "says mapfile.csv), not of %s", others, m->title);
}

int
mapfile_check(const struct model *m, const char *file, struct diag *why)
{
	char path[PATH_MAX], map[PATH_MAX + 16], *text;
	struct diag words;
	size_t size, top;
	int rc;

	if (realpath(file, path) == NULL)
		return 0;
	/* The top is three slashes from the end: .../SKX/events/x.json */
	top = strlen(path);
	for (int slashes = 0; top > 0 && slashes < 3;)
		slashes += path[--top] == '/';
	snprintf(map, sizeof(map), "%.*s/mapfile.csv", (int)top, path);
	if (text_load(map, &text, &size) < 0)
		return 0;
	rc = mapfile_parse(m, path + top, text, size, &words);
	free(text);
	return rc < 0 ? diag_set(why, rc, "%.*s: %s", 400, file, words.text) :
	    0;
}
