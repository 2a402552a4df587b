/*
 * config/lang/no_box.c - a statement that begins with no word of the language:
 * what was probably meant.
 */
#include "config/lang/no_box.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "config/choices.h"
#include "config/suggest.h"

static const char *const words[] = { "event", "read", "set", "optional",
	"software", "kernel-pmu", "hardware-cache", "dispatch", "cores",
	"event-list", "option", "peak", "filter" };

static const char *
lower(const char *name, char *buf, size_t size)
{
	snprintf(buf, size, "%s", name);
	for (char *c = buf; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	return buf;
}

/* The box or word that `name` is nearest to, in small letters; "": none. */
static const char *
nearest(const struct model *model, const char *name, char *buf, size_t size)
{
	/* what others call it; the box of a CPU that has it */
	static const char *const meant[][2] = {
		{ "mem", "IMC" }, { "mem", "UMC" }, { "memory", "IMC" },
		{ "memory", "UMC" }, { "dram", "IMC" }, { "dram", "UMC" },
		{ "mc", "IMC" }, { "umc", "IMC" }, { "imc", "UMC" },
		{ "llc", "CHA" }, { "llc", "CBO" }, { "llc", "L3" },
		{ "l3", "CHA" }, { "l3", "CBO" }, { "cache", "CHA" },
		{ "cbo", "CHA" }, { "cha", "CBO" }, { "cha", "L3" },
		{ "mem", "SCF" }, { "llc", "SCF" }, { "l3", "SCF" },
		{ "qpi", "UPI" }, { "upi", "QPI" }, { "pcie", "IIO" },
	};
	struct near near;

	for (size_t i = 0; i < sizeof(meant) / sizeof(meant[0]); i++)
		if (strcasecmp(meant[i][0], name) == 0 &&
		    model_box(model, meant[i][1]) != NULL)
			return lower(meant[i][1], buf, size);
	near_init(&near, name);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		near_try(&near, words[i]);
	if (model->core != NULL)
		near_try(&near, model->core->name);
	for (const struct box_type *b = model->box; b->name != NULL; b++)
		near_try(&near, b->name);
	return lower(near.name != NULL ? near.name : "", buf, size);
}

/* What words of other programs' languages begin with, and what stands here for
 * them. */
static const struct {
	const char *word, *says;
} foreign[] = {
	{ "<Plugin", "is collectd's language; here a line says what to count, as "
	    "in core INST_RETIRED.ANY_P (man 5 tallyd.conf), and `tally export "
	    "collectd` feeds collectd" },
	{ "tallyd_", "begins a dump, which tally report reads; -c takes what "
	    "to count, as in core INST_RETIRED.ANY_P (man 5 tallyd.conf)" },
	{ "include", "is no statement: each file is given by a -c of its own" },
	{ "metric", "is no statement: metrics stand in a file of their own, for "
	    "tally metrics --metrics FILE" },
	{ "perf", "is no statement: an event that perf names is written event "
	    "NAME, or event PMU/TERM=NUMBER,.../" },
};

int
no_box(const struct model *model, const struct scan *scan, struct word name,
    struct diag *why)
{
	const char *file = scan->at.file;
	unsigned line = scan->at.line;
	struct scan rest = *scan;
	char boxes[256], text[64], meant[64];
	struct word next;
	bool more = scan_word(&rest, &next);
	bool value = more && word_is(next, "=");
	bool number = more && isdigit((unsigned char)next.s[0]);

	snprintf(text, sizeof(text), "%.*s", WORD_ARG(name));
	if (model->core == NULL && model->box->name == NULL)
		return diag_at(why, file, line, "\"%s\" is no box here: "
		    "tallyd has no tables for this CPU, where events are named "
		    "as the kernel does: event PMU/event=NUMBER,.../", text);
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		if (strncmp(text, foreign[i].word,
		    strlen(foreign[i].word)) == 0)
			return diag_at(why, file, line, "\"%s\" %s", text,
			    foreign[i].says);
	if (value)
		return diag_at(why, file, line, "\"%s = ...\" is no statement; an "
		    "option of tallyd is written option --%s VALUE", text, text);
	if (nearest(model, text, meant, sizeof(meant))[0] != '\0')
		return diag_at(why, file, line, "\"%s\" is no box of %s; did you "
		    "mean %s?", text, model->title, meant);
	if (number)
		return diag_at(why, file, line, "\"%s\" is no statement; an "
		    "option of tallyd is written option --%s %.*s", text, text,
		    WORD_ARG(next));
	return diag_at(why, file, line, "\"%s\" is no box of %s: it has %s; other "
	    "statements start with event, read, set, optional, software, "
	    "kernel-pmu, hardware-cache, dispatch, cores, event-list or option "
	    "(option --interval 1)", text,
	    model->title, choices_boxes(model, boxes, sizeof(boxes)));
}
