/*
 * config/lang/no_box.c - a statement that begins with no word of the language:
 * what was probably meant.
 */
#include "config/lang/no_box.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "config/choices.h"
#include "config/suggest.h"

static const char *const words[] = { "event", "read", "set", "optional",
	"software", "kernel-pmu", "hardware-cache", "dispatch", "cores",
	"event-list", "option", "peak", "filter" };

/* The box or word that `name` is nearest to, in small letters; "": none. */
static const char *
nearest(const struct model *model, const char *name, char *buf, size_t size)
{
	struct near near;

	near_init(&near, name);
	if (strlen(name) < 5)           /* short names are all near each other */
		near.limit = 2;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		near_try(&near, words[i]);
	if (model->core != NULL)
		near_try(&near, model->core->name);
	for (const struct box_type *b = model->box; b->name != NULL; b++)
		near_try(&near, b->name);
	snprintf(buf, size, "%s", near.name != NULL ? near.name : "");
	for (char *c = buf; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	return buf;
}

int
no_box(const struct model *model, const struct scan *scan, struct word name,
    struct diag *why)
{
	const char *file = scan->at.file;
	unsigned line = scan->at.line;
	struct scan rest = *scan;
	char boxes[256], text[64], meant[64];
	struct word next;
	bool value = scan_word(&rest, &next) && word_is(next, "=");

	snprintf(text, sizeof(text), "%.*s", WORD_ARG(name));
	if (model->core == NULL && model->box->name == NULL)
		return diag_at(why, file, line, "\"%s\" is no box here: "
		    "tallyd has no tables for this CPU, where events are named "
		    "as the kernel does: event PMU/event=NUMBER,.../", text);
	if (text[0] == '<')
		return diag_at(why, file, line, "\"%s\" is collectd's language; "
		    "here a line says what to count, as in core INST_RETIRED."
		    "ANY_P (man 5 tallyd.conf), and `tally export collectd` "
		    "feeds collectd", text);
	if (value)
		return diag_at(why, file, line, "\"%s = ...\" is no statement; an "
		    "option of tallyd is written option --%s VALUE", text, text);
	if (nearest(model, text, meant, sizeof(meant))[0] != '\0')
		return diag_at(why, file, line, "\"%s\" is no box of %s; did you "
		    "mean %s?", text, model->title, meant);
	return diag_at(why, file, line, "\"%s\" is no box of %s: it has %s; other "
	    "statements start with event, read, set, optional, software, "
	    "kernel-pmu, hardware-cache, dispatch, cores or event-list", text,
	    model->title, choices_boxes(model, boxes, sizeof(boxes)));
}
