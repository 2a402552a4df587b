/*
 * config/sim/machine_reg.c - registers that belong to no box, and files.
 */
#include "config/sim/machine_int.h"
#include "config/texts.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RUN 4096
#define MAX_ADDRESS UINT64_C(0xffffffffffff)

static int
body_option(struct machine *p, struct sim_plain *b, char *key, const char *value)
{
	unsigned bits = b->bits;
	int rc;

	if (word_says(key, "bits")) {
		rc = machine_unsigned(p, key, value, 1, 64, &bits);
		b->bits = (uint8_t)bits;
		return rc;
	}
	if (word_says(key, "init") && b->kind == SIM_COUNTER)
		return machine_number(p, key, value, 0, UINT64_MAX, &b->value);
	if (word_says(key, "write") && b->kind == SIM_VALUE)
		return machine_number(p, key, value, 0, UINT64_MAX, &b->writable);
	if (word_says(key, "n"))
		return machine_unsigned(p, key, value, 1, MAX_RUN, &b->n);
	if (word_says(key, "stride"))
		return machine_unsigned(p, key, value, 0, 4096, &b->stride);
	if (b->kind >= SIM_READING && (rc = machine_rate(p, &b->rate, key, value,
	    b->kind == SIM_READING ? UINT64_MAX : MAX_HZ)) <= 0)
		return rc;
	if ((rc = machine_where(p, &b->where, key, value)) <= 0)
		return rc;
	return machine_unknown(p, key, b->kind == SIM_VALUE
	    ? "bits, n, stride, write" : "bits, init, n, stride");
}

/* body = ( "=" VALUE | "reading" | "counter" [ "tsc" ] | "raz-wi" | "none" )
 *        { option } */
static int
parse_body(struct machine *p, char *w, struct sim_plain *b)
{
	static const char right[] = "\"= VALUE\", reading, counter, raz-wi or none";
	char *value;
	int rc = 0;

	if (w == NULL)
		return machine_wrong(p, "the line ends; right would be %s", right);
	if (word_says(w, "=")) {
		b->kind = SIM_VALUE;
		rc = machine_number(p, "value", machine_word(p), 0, UINT64_MAX,
		    &b->value);
	} else if (word_says(w, "reading"))
		b->kind = SIM_READING;
	else if (word_says(w, "counter"))
		b->kind = SIM_COUNTER;
	else if (word_says(w, "raz-wi"))
		b->kind = SIM_RAZ_WI;
	else if (word_says(w, "none"))
		b->kind = SIM_GONE;
	else
		return machine_wrong(p, "\"%s\"; right would be %s", w, right);
	while (rc == 0 && (w = machine_word(p)) != NULL) {
		if (word_says(w, "tsc") && b->kind == SIM_COUNTER) {
			for (unsigned i = 0; i < SIM_PHASES; i++)
				b->rate.hz[i] = p->d->tsc_hz;
			b->value = p->d->tsc_init;
		} else if (!machine_split(w, &value))
			rc = machine_unknown(p, w, "KEY=VALUE: bits, init");
		else
			rc = body_option(p, b, w, value);
	}
	return rc;
}

static int
add_plain(struct machine *p, struct sim_plain *at, char *w)
{
	struct sim_desc *d = p->d;
	bool msr = at->space == REG_MSR;
	uint64_t last;
	int rc;

	at->line = p->line;
	at->bits = msr ? 64 : 32;
	at->n = 1;
	at->stride = msr ? 1 : 4;
	at->where = machine_anywhere;
	if ((rc = parse_body(p, w, at)) < 0)
		return rc;
	last = at->offset + (uint64_t)(at->n - 1) * at->stride;
	if (last > (msr ? UINT32_MAX : at->space == REG_PCI ? 0xffc :
	    UINT64_C(0xfffffffffffff)) || (!msr && (last & 3) != 0))
		return machine_wrong(p, "0x%" PRIx64 " is no address there", last);
	if (!msr && at->bits > 32 && (last & 0xfff) == 0xffc)
		return machine_wrong(p, "there is no room for 64 bits at 0x%" PRIx64,
		    last);
	return sim_desc_add(&d->plain, &d->nplain, at, sizeof(*at));
}

int
machine_msr(struct machine *p)
{
	static const char *const scope[] = { [SIM_NODE] = "node",
		[SIM_PKG] = "pkg", [SIM_CCX] = "ccx", [SIM_CORE] = "core",
		[SIM_LPROC] = "lproc" };
	struct sim_plain at = { .space = REG_MSR };
	char *w;
	int rc;

	if ((rc = machine_number(p, "MSR number", machine_word(p), 0, UINT32_MAX,
	    &at.offset)) < 0)
		return rc;
	w = machine_word(p);
	if (word_says(w, "none"))
		return add_plain(p, &at, w);
	for (unsigned i = 0; w != NULL && i < SIM_SCOPES; i++)
		if (strcmp(w, scope[i]) == 0) {
			at.scope = (uint8_t)i;
			return add_plain(p, &at, machine_word(p));
		}
	return machine_wrong(p, "the scope of an MSR is %s; right would be node, pkg, "
	    "ccx, core or lproc", w != NULL ? w : "missing");
}

/* "words" VALUE...: constant registers, one after the other, of 64 bits in MMIO space
 * and 32 bits in PCI space. */
static int
add_words(struct machine *p, struct sim_plain *at)
{
	struct sim_desc *d = p->d;
	const char *w = machine_word(p);
	bool pci = at->space == REG_PCI;
	unsigned bytes = pci ? 4 : 8;
	int rc;

	at->line = p->line;
	at->kind = SIM_VALUE;
	at->bits = (uint8_t)(8 * bytes);
	at->n = 1;
	at->where = machine_anywhere;
	do {
		if ((rc = machine_number(p, "word", w, 0, pci ? UINT32_MAX :
		    UINT64_MAX, &at->value)) < 0)
			return rc;
		if (at->offset % bytes != 0 || at->offset > (pci ? 0xffc :
		    MAX_ADDRESS))
			return machine_wrong(p, "0x%" PRIx64 " is no address "
			    "of a word of %u bits", at->offset, 8 * bytes);
		if ((rc = sim_desc_add(&d->plain, &d->nplain, at,
		    sizeof(*at))) < 0)
			return rc;
		at->offset += bytes;
	} while ((w = machine_word(p)) != NULL);
	return 0;
}

int
machine_pci(struct machine *p)
{
	struct sim_plain at = { .space = REG_PCI };
	char *w = machine_word(p);
	int rc;

	if (w == NULL || !line_function(w, &at.bus, &at.role, &at.devfn))
		return machine_wrong(p, "\"%s\" is no PCI function; right would be as "
		    "in 3a:0a.2 or bus2:0a.2", w != NULL ? w : "");
	w = machine_word(p);
	if (word_says(w, "none")) {
		at.whole = true;
		return add_plain(p, &at, w);
	}
	if ((rc = machine_number(p, "offset", w, 0, 0xffc, &at.offset)) < 0)
		return rc;
	w = machine_word(p);
	return word_says(w, "words") ? add_words(p, &at) :
	    add_plain(p, &at, w);
}

int
machine_mmio(struct machine *p)
{
	struct sim_plain at = { .space = REG_MMIO };
	int rc = machine_number(p, "address", machine_word(p), 0,
	    MAX_ADDRESS, &at.offset);
	char *w;

	if (rc < 0)
		return rc;
	w = machine_word(p);
	return word_says(w, "words") ? add_words(p, &at) :
	    add_plain(p, &at, w);
}

/* Replace \n and \t in the text of a file by newline and tab. */
static void
machine_reg_unescape(char *text)
{
	char *to = text;

	for (; *text != '\0'; text++)
		if (text[0] == '\\' && (text[1] == 'n' || text[1] == 't'))
			*to++ = *++text == 'n' ? '\n' : '\t';
		else
			*to++ = *text;
	*to = '\0';
}

/* "text" @NAME: a copy of the built-in text of that name. */
static int
built_in(struct machine *p, char **copy)
{
	const char *name = machine_word(p);
	const struct text *t = name != NULL ? text_named(name, NULL) :
	    NULL;

	if (t == NULL)
		return machine_wrong(p, "\"%s\" is no built-in text",
		    name != NULL ? name : "");
	*copy = strndup(t->data, (size_t)(t->end - t->data));
	return *copy != NULL ? machine_ends(p) : -ENOMEM;
}

int
machine_add_file(struct machine *p, const struct sim_file *f)
{
	if (f->path != NULL && f->text != NULL &&
	    sim_desc_add(&p->d->files, &p->d->nfile, f, sizeof(*f)) == 0)
		return 0;
	free(f->path);
	free(f->text);
	return -ENOMEM;
}

int
machine_file(struct machine *p)
{
	struct sim_plain b = { .bits = 64, .n = 1, .where = machine_anywhere };
	char *path = machine_word(p), *text = NULL, *word, *copy = NULL;
	int rc;

	if (path == NULL || path[0] != '/')
		return machine_wrong(p, "a file's path starts with /");
	while (isspace((unsigned char)*p->rest))
		p->rest++;
	if (*p->rest == '=') {
		text = p->rest + 1;
		text += isspace((unsigned char)*text) ? 1 : 0;
		machine_reg_unescape(text);
		b.kind = SIM_VALUE;
	} else if ((word = machine_word(p)) != NULL &&
	    word_says(word, "text")) {
		if ((rc = built_in(p, &copy)) < 0) {
			free(copy);
			return rc;
		}
		b.kind = SIM_VALUE;
	} else if ((rc = parse_body(p, word, &b)) < 0)
		return rc;
	if (b.kind == SIM_READING || b.kind == SIM_RAZ_WI)
		return machine_wrong(p, "a file is \"= TEXT\", counter or none");
	return machine_add_file(p, &(struct sim_file){ .path = strdup(path),
	    .text = copy != NULL ? copy : strdup(text != NULL ? text : ""),
	    .kind = b.kind, .bits = b.bits, .value = b.value,
	    .rate = b.rate });
}
