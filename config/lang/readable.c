/*
 * config/lang/readable.c - the names that a `read` statement can have.
 */
#include "config/lang/readable.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "config/suggest.h"
#include "config/lang/file_read.h"
#include "config/lang/raw_read.h"

/* Names that `read` takes besides those of the model's tables: "ib", counters of network
 * ports in sysfs, and "all". */
static const char *const others[] = { "ib", "all", NULL };

const char *
readable_kind(const struct freerun *fr, char *buf, size_t size)
{
	static const struct {
		const char *role, *kind;
	} kinds[] = {
		{ "bw", "bytes" }, { "util", "busy" }, { "clock", "clocks" },
	};
	const char *kind = fr->role;

	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strncmp(fr->role, kinds[i].role,
		    strlen(kinds[i].role)) == 0)
			kind = kinds[i].kind;
	snprintf(buf, size, "%s_%s", fr->box, kind);
	for (char *c = buf; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	return buf;
}

bool
readable_is(const char *name, const struct freerun *fr)
{
	char kind[32];

	return strcmp(readable_kind(fr, kind, sizeof(kind)), name) == 0;
}

const struct freerun *
readable_port(const struct model *m, const char *name)
{
	const struct box_type *box;
	char family[96];

	for (const struct freerun *f = m->freerun;
	    f != NULL && f->family != NULL; f++) {
		box = model_box(m, f->box);
		for (unsigned i = 0; box != NULL && i < box->instances; i++)
			for (unsigned p = 0; p < f->ports; p++) {
				freerun_family(m, f, i, p, family,
				    sizeof(family));
				if (strcmp(family, name) == 0)
					return f;
			}
	}
	return NULL;
}

/* Lists all names that `read` takes on this model, separated by blanks. */
static void
list_reads(const struct model *m, char *buf, size_t size)
{
	const struct scalar *s;
	char kind[32], last[32] = "";

	buf[0] = '\0';
	for (const struct freerun *f = m->freerun;
	    f != NULL && f->family != NULL; f++) {
		readable_kind(f, kind, sizeof(kind));
		if (strcmp(kind, last) != 0)
			choices_add(buf, size, kind);
		memcpy(last, kind, sizeof(last));
	}
	for (const char *const *o = others; *o != NULL; o++)
		choices_add(buf, size, *o);
	for (unsigned n = 0; (s = model_scalar(m, n)) != NULL; n++)
		choices_add(buf, size, s->family);
}

/* For a word that `read` does not take but users try: what to write instead; or NULL. */
static const char *
read_otherwise(struct word w)
{
	static const char *const how[][2] = {
		{ "msr", "a register of yours is read msr=0x1b1 as NAME" },
		{ "pci", "a register of yours is read pci=DEVICE:OFFSET as NAME" },
		{ "file", "a file is read file=/sys/... as NAME" },
		{ "tsc", "each sample has it, without being asked" },
		{ "time", "each sample has it, without being asked" },
		{ "power", "energy is what counters have: rapl_pkg_energy" },
	};

	if (memchr(w.s, ',', w.n) != NULL)
		return "blanks stand between names: read aperf mperf";
	for (size_t i = 0; i < sizeof(how) / sizeof(how[0]); i++)
		if (word_is(w, how[i][0]))
			return how[i][1];
	return w.n > 0 && isdigit((unsigned char)w.s[0]) ? how[0][1] : NULL;
}

int
readable_name(struct config *cfg, struct word w, const char **name,
    struct place at, struct diag *why)
{
	const struct model *m = cfg->model;
	const struct scalar *s;
	char kind[32], names[700], meant[NEAR_MEANT], *rest = names;
	struct near near;

	for (unsigned n = 0; (s = model_scalar(m, n)) != NULL; n++)
		if (word_is(w, s->family)) {
			*name = s->family;
			return 0;
		}
	for (const struct freerun *f = m->freerun;
	    f != NULL && f->family != NULL; f++)
		if (word_is(w, readable_kind(f, kind, sizeof(kind)))) {
			*name = arena_strndup(cfg->arena, w.s, w.n);
			return *name != NULL ? 0 : -ENOMEM;
		}
	for (const char *const *o = others; *o != NULL; o++)
		if (word_is(w, *o)) {
			*name = *o;
			return 0;
		}
	if ((*name = arena_strndup(cfg->arena, w.s, w.n)) == NULL)
		return -ENOMEM;
	if (readable_port(m, *name) != NULL)
		return 0;
	if (raw_read_is(w) || file_read_is(w))
		return diag_at(why, at.file, at.line, "%.*s: a %s of "
		    "yours has a line of its own: read %.*s", WORD_ARG(w),
		    file_read_is(w) ? "file" : "register", WORD_ARG(w));
	if (read_otherwise(w) != NULL)
		return diag_at(why, at.file, at.line, "nothing called \"%.*s\" can "
		    "be read: %s", WORD_ARG(w), read_otherwise(w));
	cfg->lacks = true;
	list_reads(m, names, sizeof(names));
	near_init(&near, *name);
	for (char *one; (one = strsep(&rest, " ")) != NULL;)
		near_try(&near, one);
	if (near.n == 0)
		list_reads(m, names, sizeof(names));
	return diag_at(why, at.file, at.line, "nothing called \"%.*s\" can be "
	    "read%s%s", WORD_ARG(w), near.n > 0 ? near_meant(&near, meant,
	    sizeof(meant)) : "; there are ", near.n > 0 ? "" : names);
}
