/*
 * config/lang/config_load.c - the texts of a configuration: files and built-in ones,
 * and those that they include.
 */
#include "config/lang/events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/include.h"
#include "config/include.h"
#include "config/lang/statements.h"
#include "config/suggest.h"
#include "config/texts.h"

/* The message for a built-in text that exists only for other CPUs: lists them,
 * and names what this CPU can use instead. */
static int
not_of_model(const struct config *cfg, const char *file, struct diag *why)
{
	char have[200] = "", name[80];

	for (const struct model *const *m = models; cfg->model != NULL &&
	    *m != NULL; m++) {
		int n = snprintf(name, sizeof(name), "%s-%s", file, (*m)->name);

		if (n < (int)sizeof(name) && text_named(name, TEXT_CONFIG) != NULL)
			choices_add(have, sizeof(have), name);
	}
	return have[0] == '\0' ? -ENOENT : diag_set(why, -ENOENT, "%s: none is "
	    "built in for this CPU (%s), only %s; without -c the default of "
	    "the CPU is counted", file, cfg->model->name, have);
}

/* Improve the message if a built-in text failed to parse because it is for another CPU:
 * name the text for this CPU, or the box that this CPU lacks, and no text that it
 * includes. */
static int
of_another(const struct config *cfg, struct include *in, int rc,
    struct diag *why)
{
	const char *file = in->file, *dash = strrchr(file, '-'), *own, *colon;
	char base[80], name[80], text[sizeof(why->text)];

	if (rc != -EINVAL || file[0] != '@' || cfg->model == NULL)
		return rc;
	snprintf(base, sizeof(base), "%.*s", dash != NULL ? (int)(dash - file) :
	    0, file);
	own = dash != NULL ? text_of_model(base, cfg->model, name, sizeof(name)) :
	    base;
	if (own != base && strcmp(own, file) != 0) {
		in->told = false;
		return diag_set(why, rc, "%s is of another CPU; that of %s is %s",
		    file, cfg->model->title, own);
	}
	if (!cfg->lacks)
		return rc;
	in->told = false;
	memcpy(text, why->text, sizeof(text));
	colon = strstr(text, ": ");
	text[colon != NULL ? strcspn(text, ";") : 0] = '\0';
	return diag_set(why, rc, "%s is for other CPUs%s%s", file, colon != NULL ?
	    colon : "", "; without -c the default of this CPU is counted");
}

/* The text of a configuration. */
struct conf_text {
	char *text;
	size_t size;
	bool own;               /* it is to be freed */
	char name[80];          /* of a built-in text on this CPU */
};

/* Get the text that in->file names on this CPU, which becomes the name of it. */
static int
find_text(const struct config *cfg, struct include *in, struct conf_text *t,
    struct diag *why)
{
	int rc;

	in->file = text_of_model(in->file, cfg->model, t->name,
	    sizeof(t->name));
	if (strcmp(in->file, "@default") == 0 && cfg->made_default != NULL &&
	    strcmp(cfg->model->default_config, DEFAULT_ANY) == 0)
		in->file = DEFAULT_ANY;
	if ((rc = include_may(in, why)) < 0)
		return rc;
	t->own = cfg->made_default == NULL ||
	    strcmp(in->file, DEFAULT_ANY) != 0;
	if (!t->own) {
		t->text = (char *)cfg->made_default;
		t->size = strlen(t->text);
		return 0;
	}
	rc = text_load(in->file, TEXT_CONFIG, &t->text, &t->size, why);
	return rc == -ENOENT ? not_of_model(cfg, in->file, why) : rc;
}

static int config_parse_in(struct config *, struct include *, unsigned set,
    const char *text, size_t size, struct diag *why);

/* Add what a text says to a set.  An included text that was read in this set before adds
 * nothing. */
static int
config_load_in(struct config *cfg, struct include *in, unsigned set,
    struct diag *why)
{
	struct conf_text t;
	struct diag words;
	int rc = find_text(cfg, in, &t, &words);

	if (rc < 0)
		return in->by != NULL && rc != -ENOMEM ? diag_at(why, in->by->file, in->line,
		    "%.900s", words.text) : diag_set(why, rc, "%s", words.text);
	if ((rc = include_first(&cfg->included, cfg->arena, in->file,
	    set)) < 0 || used_add(&cfg->used, cfg->arena, in->file, t.text,
	    t.size) < 0)
		rc = diag_set(why, -ENOMEM, "%s: out of memory", in->file);
	else if (rc == 1)
		rc = of_another(cfg, in, config_parse_in(cfg, in, set,
		    t.text, t.size, why), why);
	if (rc == -EINVAL)
		include_failed(in, why);
	if (t.own)
		free(t.text);
	return rc;
}

/* "include" NAME: all that another text says, in the set of this line */
static int
config_include(struct config *cfg, struct include *by, unsigned set,
    struct scan *scan, struct diag *why)
{
	struct include in = { .by = by, .line = scan->at.line };
	const char *name;
	struct word w;
	int rc;

	if ((rc = include_scan(scan, &w, why)) < 0)
		return rc;
	if ((name = arena_strndup(cfg->arena, w.s, w.n)) == NULL ||
	    (in.file = include_path(cfg->arena, by->file, name)) == NULL)
		return -ENOMEM;
	return config_load_in(cfg, &in, set, why);
}

/* Parse a text whose statements belong to a set until it says `set`. */
static int
config_parse_in(struct config *cfg, struct include *in, unsigned set,
    const char *text, size_t size, struct diag *why)
{
	struct scan scan, ahead;
	struct word w;
	int rc;

	if ((in->file = arena_strndup(cfg->arena, in->file,
	    strlen(in->file))) == NULL)
		return -ENOMEM;
	if (in->by == NULL)
		cfg->named = in->file;
	scan_init(&scan, in->file, text, size);
	while ((rc = scan_line(&scan, why)) > 0) {
		ahead = scan;
		scan_word(&ahead, &w);
		rc = word_is(w, "include") ? config_include(cfg, in, set,
		    &ahead, why) : config_statement(cfg, &scan, &set, why);
		if (rc < 0)
			break;
	}
	return rc == -ENOMEM ? diag_set(why, rc, "%s: out of memory",
	    in->file) : rc;
}

int
config_parse(struct config *cfg, const char *file, const char *text,
    size_t size, struct diag *why)
{
	struct include in = { .file = file };

	cfg->included = NULL;
	return config_parse_in(cfg, &in, 0, text, size, why);
}

int
config_load(struct config *cfg, const char *file, struct diag *why)
{
	struct include in = { .file = file };

	cfg->included = NULL;
	return config_load_in(cfg, &in, 0, why);
}
