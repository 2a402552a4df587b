/*
 * config/lang/readable.c - the names that a `read` statement can have, and registers
 * by address.
 */
#include "config/lang/readable.h"

#include "config/lang/statements.h"
#include "config/suggest.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
		return diag_place(why, at, "%.*s: a %s of yours has a line of "
		    "its own: read %.*s", WORD_ARG(w), file_read_is(w) ? "file"
		    : "register", WORD_ARG(w));
	if (read_otherwise(w) != NULL)
		return diag_place(why, at, "nothing called \"%.*s\" can be "
		    "read: %s", WORD_ARG(w), read_otherwise(w));
	cfg->lacks = true;
	list_reads(m, names, sizeof(names));
	near_init(&near, *name);
	for (char *one; (one = strsep(&rest, " ")) != NULL;)
		near_try(&near, one);
	if (near.n == 0)
		list_reads(m, names, sizeof(names));
	return diag_place(why, at, "nothing called \"%.*s\" can be read%s%s",
	    WORD_ARG(w), near.n > 0 ? near_meant(&near, meant, sizeof(meant)) :
	    "; there are ", near.n > 0 ? "" : names);
}

/* ---- a register by its address ------------------------------------------- */

/*
 * `read msr=...` and the like: registers by address.
 *
 *   raw      = register { option }
 *   register = "msr=" NUMBER
 *            | "pci=" [ VENDOR ":" ] DEVICE ":" NUMBER
 *            | "mmio=" ADDRESS
 *   option   = "as" NAME | "bits" NUMBER | "per" ( "lproc" | "package" )
 *            | "gauge" | "every" SAMPLES
 *
 * VENDOR and DEVICE are hexadecimal, as lspci prints them; without a vendor
 * it is Intel.
 */
#define INTEL 0x8086
#define CONFIG_SPACE 4096       /* bytes, of a function */
#define MAX_PHYSICAL ((1ull << 52) - 8)        /* x86: 52 bits of address */
#define MAX_RAW_NAME 40

enum { AS, BITS, PER, EVERY, GAUGE, OPTIONS };
static const char *const option[OPTIONS] = { "as", "bits", "per", "every",
	"gauge" };

struct raw_parse {
	struct scan *scan;
	struct diag *why;
	struct raw_read raw;
	struct word name;               /* n 0: by its address */
	bool given[OPTIONS];
};

static int
raw_read_bad(const struct raw_parse *p, const char *what, struct word w)
{
	return diag_place(p->why, p->scan->at, what, WORD_ARG(w));
}

/* "2042" or "0x2042" */
static int
parse_id(struct raw_parse *p, struct word w, uint16_t *id)
{
	char digits[8] = "0x";
	struct word hex = { digits, 0 };
	struct word bare = w;
	uint64_t v;

	if (w.n > 2 && w.s[0] == '0' && (w.s[1] == 'x' || w.s[1] == 'X')) {
		bare.s += 2;
		bare.n -= 2;
	}
	hex.n = 2 + bare.n;
	if (bare.n >= 1 && bare.n <= 4) {
		memcpy(digits + 2, bare.s, bare.n);
		if (word_number(hex, &v) == 0) {
			*id = (uint16_t)v;
			return 0;
		}
	}
	return raw_read_bad(p,
	    "\"%.*s\" is no PCI id: one to four hexadecimal digits, "
	    "as lspci -n prints them", w);
}

/* [ VENDOR ":" ] DEVICE ":" NUMBER */
static int
parse_pci(struct raw_parse *p, struct word w)
{
	struct word whole = w, part[3];
	unsigned n = 0;
	uint64_t v;
	int rc;

	while (n < 2 && word_cut(&w, ':', &part[n]))
		n++;
	if (n == 0)
		return raw_read_bad(p,
		    "pci=%.*s has no offset: pci=DEVICE:OFFSET, "
		    "pci=VENDOR:DEVICE:OFFSET", whole);
	if (n == 1)                     /* the cut that failed took all of it */
		w = part[1];
	p->raw.of = RAW_PCI;
	p->raw.vendor = INTEL;
	if ((n == 2 && (rc = parse_id(p, part[0], &p->raw.vendor)) < 0) ||
	    (rc = parse_id(p, part[n - 1], &p->raw.device)) < 0 ||
	    (rc = scan_number(w, "PCI offset", CONFIG_SPACE - 4, &v,
	    p->scan->at, p->why)) < 0)
		return rc;
	if (v % 4 != 0)
		return raw_read_bad(p,
		    "PCI offset %.*s is none of a register: they "
		    "are read four bytes at a time, 0x0, 0x4, 0x8 ...", w);
	p->raw.offset = (uint32_t)v;
	return 0;
}

/* A physical address, which has to be a multiple of what is read there. */
static int
parse_mmio(struct raw_parse *p, struct word w)
{
	int rc = scan_number(w, "physical address", MAX_PHYSICAL, &p->raw.offset,
	    p->scan->at, p->why);

	p->raw.of = RAW_MMIO;
	if (rc == 0 && p->raw.offset % 4 != 0)
		return raw_read_bad(p, "physical address %.*s is none of a "
		    "register: they lie at multiples of 4, and of 8 those of "
		    "more than 32 bits", w);
	return rc;
}

static int
parse_register(struct raw_parse *p, struct word w)
{
	struct word space;
	uint64_t v;
	int rc;

	word_cut(&w, '=', &space);
	if (word_is(space, "pci"))
		return parse_pci(p, w);
	if (word_is(space, "mmio"))
		return parse_mmio(p, w);
	rc = scan_number(w, "MSR number", UINT32_MAX, &v, p->scan->at, p->why);
	p->raw.of = RAW_LPROC;
	p->raw.offset = rc < 0 ? 0 : v;
	return rc;
}

static int
parse_as(struct raw_parse *p, struct word w)
{
	static const char can[] = "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

	for (size_t i = 0; i < w.n; i++)
		if (w.n > MAX_RAW_NAME || strchr(can, w.s[i]) == NULL)
			return raw_read_bad(p,
			    "\"%.*s\" cannot be the name of a "
			    "register: letters, digits and _ alone, 40 at "
			    "most", w);
	p->name = w;
	return 0;
}

/* Parse the word after an option. */
static int
raw_read_parse_value(struct raw_parse *p, unsigned which, struct word w)
{
	uint64_t v;
	int rc;

	if (which == AS)
		return parse_as(p, w);
	if (which == BITS) {
		if ((rc = scan_number(w, "bits", 64, &v, p->scan->at,
		    p->why)) < 0)
			return rc;
		if (v == 0)
			return raw_read_bad(p,
			    "bits %.*s: a register has 1 to 64", w);
		p->raw.bits = (uint8_t)v;
		return 0;
	}
	if (p->raw.of == RAW_MMIO)
		return raw_read_bad(p, "per %.*s: a physical address is one "
		    "of the node", w);
	if (p->raw.of == RAW_PCI)
		return raw_read_bad(p,
		    "per %.*s: a PCI function is of its package, "
		    "and each has its own column", w);
	if (!word_is(w, "lproc") && !word_is(w, "package"))
		return raw_read_bad(p,
		    "per %.*s: an MSR is per lproc or per package", w);
	p->raw.of = word_is(w, "package") ? RAW_PKG : RAW_LPROC;
	return 0;
}

static int
parse_options(struct raw_parse *p)
{
	struct word w, value;
	int rc;

	while (scan_word(p->scan, &w)) {
		unsigned k = 0;

		while (k < OPTIONS && !word_is(w, option[k]))
			k++;
		if (k == OPTIONS)
			return raw_read_bad(p,
			    "\"%.*s\" says nothing of a register: "
			    "as NAME, bits N, per lproc, per package, every N "
			    "and gauge do; each register has a line of its own",
			    w);
		if (p->given[k])
			return raw_read_bad(p, "\"%.*s\" is given twice", w);
		p->given[k] = true;
		if (k == GAUGE) {
			p->raw.gauge = true;
			continue;
		}
		if (k == EVERY) {
			if ((rc = every_value(p->scan, &p->raw.every,
			    p->why)) < 0)
				return rc;
			continue;
		}
		if (!scan_word(p->scan, &value))
			return raw_read_bad(p, "\"%.*s\" has nothing behind it",
			    w);
		if ((rc = raw_read_parse_value(p, k, value)) < 0)
			return rc;
	}
	return 0;
}

/* Set the family's name, and the statement in full, with its defaults. */
static int
raw_read_say(struct raw_parse *p, struct config *cfg, struct want *want)
{
	static const char *const per[] = { [RAW_LPROC] = " per lproc",
	    [RAW_PKG] = " per package", [RAW_PCI] = "", [RAW_MMIO] = "" };
	const struct raw_read *r = &p->raw;
	char name[MAX_RAW_NAME + 1], family[80], at[40], text[200], every[24] = "";

	if (r->of == RAW_PCI)
		snprintf(at, sizeof(at), "pci=%04x:%04x:0x%" PRIx64, r->vendor,
		    r->device, r->offset);
	else
		snprintf(at, sizeof(at), "%s=0x%" PRIx64,
		    r->of == RAW_MMIO ? "mmio" : "msr", r->offset);
	if (p->name.n > 0)
		snprintf(name, sizeof(name), "%.*s", (int)p->name.n,
		    p->name.s);
	else if (r->of != RAW_PCI)
		snprintf(name, sizeof(name), "0x%" PRIx64, r->offset);
	else if (r->vendor == INTEL)
		snprintf(name, sizeof(name), "%04x_0x%" PRIx64, r->device,
		    r->offset);
	else
		snprintf(name, sizeof(name), "%04x_%04x_0x%" PRIx64,
		    r->vendor, r->device, r->offset);
	raw_family(r->of, name, family, sizeof(family));
	if (r->every > 1)
		snprintf(every, sizeof(every), " every %u", r->every);
	snprintf(text, sizeof(text), "%s as %s bits %u%s%s%s", at, name,
	    r->bits, per[r->of], r->gauge ? " gauge" : "", every);
	want->name = arena_strndup(cfg->arena, family, strlen(family));
	p->raw.statement = arena_strndup(cfg->arena, text, strlen(text));
	return want->name != NULL && p->raw.statement != NULL ? 0 : -ENOMEM;
}

bool
raw_read_is(struct word w)
{
	struct word space;

	return word_cut(&w, '=', &space) &&
	    (word_is(space, "msr") || word_is(space, "pci") ||
	    word_is(space, "mmio"));
}

int
raw_read_parse(struct config *cfg, struct scan *scan, struct word first,
    struct want *want, struct diag *why)
{
	struct raw_parse p = { .scan = scan, .why = why, .raw = { .every = 1 } };
	struct raw_read *raw;
	int rc;

	if ((rc = parse_register(&p, first)) < 0 ||
	    (rc = parse_options(&p)) < 0)
		return rc;
	if (p.raw.bits == 0)
		p.raw.bits = raw_in_dwords(p.raw.of) ? 32 : 64;
	if (p.raw.of == RAW_MMIO && p.raw.bits > 32 && p.raw.offset % 8 != 0)
		return diag_place(why, scan->at, "%u bits at 0x%" PRIx64 ": a "
		    "register of more than 32 bits lies at a multiple of 8",
		    p.raw.bits, p.raw.offset);
	if (p.raw.of == RAW_PCI && p.raw.bits > 32 &&
	    p.raw.offset > CONFIG_SPACE - 8)
		return diag_place(why, scan->at, "%u bits at 0x%" PRIx64 " are "
		    "beyond the 4096 bytes of a function", p.raw.bits,
		    p.raw.offset);
	if ((rc = raw_read_say(&p, cfg, want)) < 0)
		return rc;
	if ((raw = arena_alloc(cfg->arena, sizeof(*raw))) == NULL)
		return -ENOMEM;
	*raw = p.raw;
	want->raw = raw;
	return 0;
}
