/*
 * config/mapfile.c - read mapfile.csv, which names the event lists of each CPU.
 */
#include "config/eventlist.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/suggest.h"
#include "config/scan.h"
#include "config/texts.h"
#include "regs/model.h"
#include "topology/topo.h"

static int
mapfile_hex_digit(char c)
{
	const char *digits = "0123456789ABCDEF", *at;

	if (c >= 'a' && c <= 'f')
		c = (char)(c - 'a' + 'A');
	at = c != '\0' ? strchr(digits, c) : NULL;
	return at != NULL ? (int)(at - digits) : -1;
}

/* steppings = "" | hexdigit | "[" { hexdigit } "]".  Returns them as bits; all bits if
 * there are none. */
static unsigned
steppings(struct word w)
{
	unsigned bits = 0;

	for (size_t i = 0; i < w.n; i++)
		if (mapfile_hex_digit(w.s[i]) >= 0)
			bits |= 1u << mapfile_hex_digit(w.s[i]);
	return w.n == 0 ? 0xffff : bits;
}

/* Is there a node, and is its CPU known? */
static bool
mapfile_known(const struct cpu_id *cpu)
{
	return cpu != NULL && cpu->vendor[0] != '\0';
}

/* Is it the node's CPU?  If no node is known: is it a CPU of the model? */
static bool
has_cpu(const struct model *m, const struct cpu_id *cpu, unsigned family,
    unsigned model, unsigned steppings)
{
	if (mapfile_known(cpu))
		return cpu->family == family && cpu->model == model &&
		    cpu->stepping < 16 && steppings >> cpu->stepping & 1;
	for (unsigned s = 0; s < 16; s++)
		if (steppings >> s & 1 && model_is(m, family, model, s))
			return true;
	return false;
}

/* cpu = vendor "-" family "-" MODEL [ "-" steppings ]; the family is decimal,
 * the model hexadecimal */
static bool
is_of(const struct model *m, const struct cpu_id *cpu, struct word of)
{
	struct word vendor, family, model;
	unsigned number = 0;
	uint64_t fam;

	word_cut(&of, '-', &vendor);
	word_cut(&of, '-', &family);
	word_cut(&of, '-', &model);
	if (!word_is(vendor,
	    mapfile_known(cpu) ? cpu->vendor : "GenuineIntel") ||
	    word_number(family, &fam) < 0 || fam > 255 || model.n == 0 ||
	    model.n > 2)
		return false;
	for (size_t i = 0; i < model.n; i++) {
		if (mapfile_hex_digit(model.s[i]) < 0)
			return false;
		number = number * 16 + (unsigned)mapfile_hex_digit(model.s[i]);
	}
	return has_cpu(m, cpu, (unsigned)fam, number, steppings(of));
}

/* Take the next row: its CPU and its list. */
static bool
next_row(struct word *rest, struct word *of, struct word *file)
{
	struct word line, version;

	while (rest->n > 0) {
		word_cut(rest, '\n', &line);
		if (!word_cut(&line, ',', of) ||
		    !word_cut(&line, ',', &version))
			continue;
		word_cut(&line, ',', file);
		return true;
	}
	return false;
}

bool
mapfile_next(const struct model *m, const struct cpu_id *cpu,
    struct word *rest, struct word *list)
{
	struct word of;

	while (next_row(rest, &of, list))
		if (is_of(m, cpu, of))
			return true;
	return false;
}

/* The same, from its text; list: "/SKX/events/skylakex_core.json". */
static int
mapfile_parse(const struct model *m, const struct cpu_id *cpu,
    const char *list, const char *text, size_t size, struct diag *why)
{
	struct word all = { text, size }, of, file;
	char others[400] = "", name[64];

	while (next_row(&all, &of, &file)) {
		if (!word_is(file, list))
			continue;
		if (is_of(m, cpu, of))
			return 0;
		snprintf(name, sizeof(name), "%.*s", WORD_ARG(of));
		choices_add(others, sizeof(others), name);
	}
	if (others[0] == '\0')
		return 1;
	if (mapfile_known(cpu))
		return diag_set(why, -EINVAL, "this list is of other "
		    "CPUs (%s, says mapfile.csv), not of this one (%s-%u-%X-%X"
		    ")", others, cpu->vendor, cpu->family, cpu->model,
		    cpu->stepping);
	return diag_set(why, -EINVAL, "this list is of other CPUs (%s, "
	    "says mapfile.csv), not of %s", others, m->title);
}

int
mapfile_check(const struct model *m, const struct cpu_id *cpu,
    const char *file, struct diag *why)
{
	char path[PATH_MAX], map[PATH_MAX + 16], *text;
	struct diag words;
	size_t size, top;
	int rc;

	if (realpath(file, path) == NULL)
		return 1;
	/* The top is three slashes from the end: .../SKX/events/x.json */
	top = strlen(path);
	for (int slashes = 0; top > 0 && slashes < 3;)
		slashes += path[--top] == '/';
	snprintf(map, sizeof(map), "%.*s/mapfile.csv", (int)top, path);
	if (text_load(map, NULL, &text, &size, NULL) < 0)
		return 1;
	rc = mapfile_parse(m, cpu, path + top, text, size, &words);
	free(text);
	return rc < 0 ? diag_set(why, rc, "%.*s: %s", 400, file, words.text) :
	    rc;
}

int
mapfile_check_named(const char *model, const char *file, struct diag *why)
{
	const struct model *m = model != NULL ? model_named(model) : NULL;

	return m != NULL ? mapfile_check(m, NULL, file, why) : 1;
}
