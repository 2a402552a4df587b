/*
 * config/texts.h - texts that a user can name: files, and the texts of config/,
 * which are built into both programs, so that they work from any directory with
 * nothing installed.
 *
 * The name of a built-in text is "@" and its file's name without the ending:
 * @default-skx.  Where the kind is not clear from the context, the ending is
 * given, too: @c2758.site.  A name without "@" is always a file.
 */
#ifndef CONFIG_TEXTS_H
#define CONFIG_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

#include "config/arena.h"
#include "lib/checksum.h"
#include "lib/diag.h"
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
#define TEXT_TABLE "tsv"         /* events of Intel's lists: config/intel.h */
#define TEXT_TABLES "csv"        /* which CPU each of these tables is for */
#define TEXT_VIEW "view"

/* text_kind - the ending of its file's name.  text_is - is it of that kind?
 * (NULL: any.)  text_base - length of the name without the ending. */
const char *text_kind(const struct text *);
bool text_is(const struct text *, const char *kind);
int text_base(const struct text *);

/*
 * text_named - find a built-in text: "@default-skx" or "@default-skx.conf".
 *
 * kind  of the text; NULL: any
 *
 * Returns NULL if there is none, if several match, or if the name has no "@".
 * text_none then explains in why what exists, and returns -ENOENT.
 */
const struct text *text_named(const char *name, const char *kind);
int text_none(const char *name, const char *kind, struct diag *why);

/* text_of_model - the name of a configuration for this CPU.  For "@hpc", if
 * there is no text of that name but an "@hpc-skx" for the model, puts the
 * latter into buf and returns it; else returns name.  A model that uses another
 * model's default configuration uses its other texts, too, unless it has its
 * own.  model NULL: not known. */
const char *text_of_model(const char *name, const struct model *model,
    char *buf, size_t size);

/*
 * text_load - read a file or a built-in text.
 *
 * kind  of a built-in text; NULL: files only, even if the name begins with "@"
 * data  out: the text with a NUL after its end; the caller frees it
 *
 * Returns 0, or -errno with why; -ENOENT if there is no such text, with a
 * suggestion in why.
 */
int text_load(const char *name, const char *kind, char **data, size_t *size,
    struct diag *why);

/* The texts that a configuration was read from, for the dump's head. */
struct used {
	const char *name;               /* a file, or @default-skx */
	char sha256[SHA256_TEXT];
	struct used *next;
};

/* used_add - append a text to *list, with its digest, unless it is there already.
 * 0 or -ENOMEM. */
int used_add(struct used **list, struct arena *, const char *name,
    const char *text, size_t size);

#endif
