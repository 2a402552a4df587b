/*
 * config/texts.h - the texts that a user can name: files, and those of config/,
 * built into both programs, so that they work from any directory with nothing
 * installed.
 *
 * A built-in text is called by "@" and its file's name without the ending,
 * @default-skx; where the place does not say which kind is meant, with it:
 * @c2758.site.  A name without "@" is a file, never a built-in text.
 */
#ifndef CONFIG_TEXTS_H
#define CONFIG_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

#include "regs/diag.h"
#include "regs/model.h"

struct text {
	const char *name;               /* "default-skx.conf" */
	const char *data;
	const char *end;
};

extern const struct text texts[];       /* ends with name NULL */

/* Kinds: the endings of the files. */
#define TEXT_CONFIG "conf"
#define TEXT_GROUPS "groups"
#define TEXT_MACHINE "machine"
#define TEXT_METRICS "metrics"
#define TEXT_PAIRS "pairs"
#define TEXT_PROVE "prove"
#define TEXT_RULES "rules"
#define TEXT_SITE "site"
#define TEXT_SCRIPT "js"
#define TEXT_STYLE "css"
#define TEXT_TABLE "tsv"         /* events of Intel's lists: config/lists/intel_table.h */
#define TEXT_TABLES "csv"        /* of which CPU each is */
#define TEXT_VIEW "view"

/* text_kind - the ending of its file's name.  text_is - is it of that kind?
 * (NULL: any.)  text_base - how long the name is without the ending. */
const char *text_kind(const struct text *);
bool text_is(const struct text *, const char *kind);
int text_base(const struct text *);

/*
 * text_named - the built-in text that "@default-skx" or "@default-skx.conf" is.
 *
 * kind  the one that is meant; NULL: any
 *
 * NULL: there is none, or without a kind more than one, or the name has no "@".
 * Then text_none puts into why what there is, and returns -ENOENT.
 */
const struct text *text_named(const char *name, const char *kind);
int text_none(const char *name, const char *kind, struct diag *why);

/* text_of_model - "@hpc" where there is no configuration of that name alone, but one
 * for the CPU: the name of that, "@hpc-skx", in buf.  A CPU that has another's default
 * has that one's texts, but those of its own.  model NULL: not known. */
const char *text_of_model(const char *name, const struct model *model,
    char *buf, size_t size);

/*
 * text_load - a file, or a built-in text.
 *
 * kind  of a built-in text; NULL: it has to be a file, whatever its name
 * data  out: the caller's to free, a NUL after its end
 *
 * Returns 0, or -errno with why; -ENOENT where there is no such text, and then
 * why has the built-in one that was probably meant.
 */
int text_load(const char *name, const char *kind, char **data, size_t *size,
    struct diag *why);

#endif
