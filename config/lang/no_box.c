/*
 * config/lang/no_box.c - for a statement whose first word is not of the language, a
 * message with what was probably meant.
 */
#include "config/lang/statements.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "config/eventlist.h"
#include "config/lang/events.h"
#include "config/suggest.h"
#include "regs/perf.h"

static const char *const words[] = { "event", "read", "set", "optional",
	"software", "kernel-pmu", "hardware-cache", "dispatch", "cores",
	"event-list", "option", "peak", "filter", "include" };

static const char *
lower(const char *name, char *buf, size_t size)
{
	snprintf(buf, size, "%s", name);
	for (char *c = buf; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	return buf;
}

/* Names of boxes in other programs, and ours.  The first of ours that the CPU has is
 * suggested. */
static const char *const meant[][2] = {
	{ "mem", "IMC" }, { "mem", "UMC" }, { "mem", "SCF" },
	{ "memory", "IMC" }, { "memory", "UMC" }, { "memory", "SCF" },
	{ "dram", "IMC" }, { "dram", "UMC" }, { "dram", "SCF" },
	{ "ddr", "IMC" }, { "ddr", "UMC" }, { "ddr", "SCF" },
	{ "mc", "IMC" }, { "mbox", "IMC" }, { "umc", "IMC" },
	{ "imc", "UMC" }, { "imc", "SCF" }, { "umc", "SCF" },
	{ "imc_free_running", "IMCFREE" },
	{ "llc", "CHA" }, { "llc", "CBO" }, { "llc", "L3" }, { "llc", "SCF" },
	{ "l3", "CHA" }, { "l3", "CBO" }, { "l3", "SCF" }, { "cache", "CHA" },
	{ "cbo", "CHA" }, { "cbox", "CHA" }, { "cbox", "CBO" },
	{ "cha", "CBO" }, { "cha", "L3" }, { "cha", "SCF" }, { "ccx", "L3" },
	{ "cmn", "SCF" }, { "qpi", "UPI" }, { "upi", "QPI" },
	{ "qbox", "UPI" }, { "qbox", "QPI" }, { "upi", "DF" }, { "xgmi", "DF" },
	{ "wbox", "PCU" }, { "pcie", "IIO" },
};

/* Our name of a box that other programs call `name`; NULL: none. */
static const char *
as_others(const struct model *model, const char *name)
{
	for (size_t i = 0; i < sizeof(meant) / sizeof(meant[0]); i++)
		if (strcasecmp(meant[i][0], name) == 0 &&
		    model_box(model, meant[i][1]) != NULL)
			return meant[i][1];
	return model_box(model, name) != NULL ? model_box(model, name)->name :
	    NULL;
}

/* Our name, in lower case, of a box given with a prefix or a number:
 * uncore_imc_0, imc0, nvidia_scf_pmu_1.  "": it is no such name. */
static const char *
decorated(const struct model *model, const char *name, char *buf, size_t size)
{
	static const char *const before[] = { "uncore_", "amd_", "nvidia_",
		"nvlink_" };
	char bare[128], number[8] = "";
	const char *box;
	size_t n;

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		if (strncmp(name, before[i], strlen(before[i])) == 0)
			name += strlen(before[i]);
	snprintf(bare, sizeof(bare), "%s", name);
	if ((box = as_others(model, bare)) == NULL) {
		n = strlen(bare);
		while (n > 0 && isdigit((unsigned char)bare[n - 1]))
			n--;
		if (strlen(bare + n) < sizeof(number))
			snprintf(number, sizeof(number), "%.7s", bare + n);
		bare[n > 0 && bare[n - 1] == '_' ? n - 1 : n] = '\0';
		if ((n = strlen(bare)) > 4 && strcmp(bare + n - 4, "_pmu") == 0)
			bare[n - 4] = '\0';
		box = as_others(model, bare);
	}
	buf[0] = '\0';
	if (box == NULL)
		return buf;
	lower(box, buf, size);
	if (number[0] != '\0')
		snprintf(buf + strlen(buf), size - strlen(buf), "[%s]", number);
	return buf;
}

/* The box or keyword nearest to `name`, in lower case; "": none. */
static const char *
nearest(const struct model *model, const char *name, char *buf, size_t size)
{
	char bare[64];
	struct near near;

	if (decorated(model, name, buf, size)[0] != '\0')
		return buf;
	/* take "core:" as core */
	snprintf(bare, sizeof(bare), "%.*s", (int)strcspn(name, ":,;"), name);
	if (model_box(model, bare) != NULL)
		return lower(bare, buf, size);
	near_init(&near, bare);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		near_try(&near, words[i]);
	if (model->core != NULL)
		near_try(&near, model->core->name);
	for (const struct box_type *b = model->box; b->name != NULL; b++)
		near_try(&near, b->name);
	return lower(near.name != NULL ? near.name : "", buf, size);
}

#define LIKWID "is likwid's language; here a line is a box and an event, as in " \
	"core INST_RETIRED.ANY_P (`tallyd --list events '*WORD*'` looks for names)"

/* The beginnings of words in other programs' languages, and what to write instead. */
static const struct {
	const char *word, *says;
} foreign[] = {
	{ "<Plugin", "is collectd's language; here a line says what to count, as "
	    "in core INST_RETIRED.ANY_P (man 5 tallyd.conf), and `tally export "
	    "collectd` feeds collectd" },
	{ "tallyd_", "begins a dump, which tally report reads; -c takes what "
	    "to count, as in core INST_RETIRED.ANY_P (man 5 tallyd.conf)" },
	{ "metric", "is no statement: metrics stand in a file of their own, for "
	    "tally metrics --metrics FILE" },
	{ "PERFILE", "begins what perf record has written, which perf report "
	    "reads; -c takes what to count, as in core INST_RETIRED.ANY_P" },
	{ "//", "begins no comment: # does" },
	{ ";", "begins no comment: # does" },
	{ "{", "is no statement: a line says what to count, as in core "
	    "INST_RETIRED.ANY_P (man 5 tallyd.conf)" },
	{ "<", "is no statement: a line says what to count, as in core "
	    "INST_RETIRED.ANY_P (man 5 tallyd.conf)" },
	{ "[", "is no statement: there are no sections, each line begins with "
	    "its box, as in core INST_RETIRED.ANY_P" },
	{ "EVENTSET", LIKWID }, { "SHORT", LIKWID }, { "PMC", LIKWID },
	{ "FIXC", LIKWID }, { "METRICS", LIKWID }, { "LONG", LIKWID },
	{ "fixed", "stands behind its box: core fixed" },
	{ "--", "is an option of tallyd's, which stands behind option: option "
	    "--interval 0.5" },
	{ "-", "is an option; an event that perf names is written event NAME, "
	    "one of tallyd's options option --interval 0.5" },
	{ "perf", "is no statement: an event that perf names is written event "
	    "NAME, or event PMU/TERM=NUMBER,.../" },
};

/* Is it an event of likwid, NAME:PMC0? */
static bool
of_likwid(const char *text)
{
	static const char *const counters[] = { ":PMC", ":FIXC", ":MBOX",
		":CBOX", ":CPMC", ":DFC", ":PWR", ":UPMC" };

	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		if (strstr(text, counters[i]) != NULL)
			return true;
	return false;
}

/* Complain about an event name, of perf or of an event list, in place of a
 * box. */
static int
event_alone(struct config *cfg, const char *text, struct place at,
    struct diag *why)
{
	const struct listed_event *e;
	char first[128];

	snprintf(first, sizeof(first), "%.*s", (int)strcspn(text, ",:"), text);
	if (of_likwid(text))
		return diag_place(why, at, "\"%s\" " LIKWID, text);
	if (strchr(text, '/') != NULL || perf_named(first) != NULL)
		return diag_place(why, at, "\"%s\" is perf's name, which "
		    "stands behind event: event %s", text, text);
	if ((e = listed_find(cfg, NULL, first)) == NULL || e->type == NULL)
		return 0;
	return diag_place(why, at, "\"%s\" stands behind its box: %s %s", text,
	    e->type->name, first);
}

int
no_box(struct config *cfg, const struct scan *scan, struct word name,
    struct diag *why)
{
	const struct model *model = cfg->model;
	const char *file = scan->at.file;
	unsigned line = scan->at.line;
	struct scan rest = *scan;
	char boxes[256], text[128], as[64];
	struct word next, key = name, left;
	bool more = scan_word(&rest, &next);
	bool value = more && word_is(next, "=");
	bool number = more && isdigit((unsigned char)next.s[0]);
	int rc;

	snprintf(text, sizeof(text), "%.*s", (int)name.n + (name.n == 0),
	    name.s);
	cfg->lacks = true;
	if (model->core == NULL && model->box->name == NULL)
		return diag_at(why, file, line, "\"%s\" is no box here: "
		    "tallyd has no tables for this CPU, where events are named "
		    "as the kernel does: event PMU/event=NUMBER,.../", text);
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		if (strncmp(text, foreign[i].word,
		    strlen(foreign[i].word)) == 0)
			return diag_at(why, file, line, "\"%s\" %s", text,
			    foreign[i].says);
	if ((rc = event_alone(cfg, text, scan->at, why)) < 0)
		return rc;
	if (word_cut(&key, '=', &left) && left.n > 0)
		return diag_at(why, file, line, "\"%s\" is no statement; an "
		    "option of tallyd is written option --%.*s %.*s", text,
		    WORD_ARG(left), WORD_ARG(key));
	if (value)
		return diag_at(why, file, line, "\"%s = ...\" is no statement; an "
		    "option of tallyd is written option --%s VALUE", text, text);
	if (nearest(model, text, as, sizeof(as))[0] != '\0')
		return diag_at(why, file, line, "\"%s\" is no box of %s; did you "
		    "mean %s?", text, model->title, as);
	if (number)
		return diag_at(why, file, line, "\"%s\" is no statement; an "
		    "option of tallyd is written option --%s %.*s", text, text,
		    WORD_ARG(next));
	return diag_at(why, file, line, "\"%s\" is no box of %s: it has %s; a "
	    "line may also begin with event, read, set, optional or option (man "
	    "5 tallyd.conf)", text, model->title, choices_boxes(model, boxes,
	    sizeof(boxes)));
}
