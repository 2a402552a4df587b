/*
 * config/machine.c - read the text of a simulated machine; its grammar is in
 * machine.h.  A function a statement.
 *
 * The keys of a box, with what they are when left out:
 *   space=msr|pci|mmio     msr
 *   scope=pkg|core|lproc   pkg
 *   instances=N            1; of each package, for scope=pkg
 *   present=MASK           all
 *   stride=N | base=LIST   added to every address of instance i
 *   pkgbase=LIST           added for package p (mmio)
 *   bus=ROLE devfn=LIST id=LIST      pci: function i, and its first dword
 *   counters=N bits=N      0, 48
 *   ctl=ADDR[+STEP] ctr=ADDR[+STEP]  STEP: 1; in pci and mmio 4 and 8
 *   ctlbits=32|64          64 for msr, else 32
 *   alias=ADDR             full-width way to the counters (IA32_A_PMC0)
 *   write=N                64; a write to a counter takes its low N bits and
 *                          extends their sign
 *   init=N                 what counters start at
 *   enable=MASK            0x400000; bits of ctl that switch the counter on
 *   ignore=MASK            0x120000; bits that play no part in what it counts
 *   reset=MASK             0x20000; bits that reset the counter
 *   valid=MASK             0xffffffff; bits of ctl that may be set
 *   boxctl=ADDR boxvalid=MASK        none, 0x30103
 *   freeze=MASK frzen=MASK           0x100, 0: freezes if all of frzen is set
 *   rstctl=MASK rstctr=MASK          1, 2
 *   status=ADDR            none; holds what is written
 *   filter=NAME,ADDR,VALID[,INIT]    up to four
 *   fixedctl=ADDR fixedctr=ADDR fixedbits=N      one fixed counter with a
 *   fixedenable=MASK fixedreset=MASK             control: 48, 0x400000, 0x80000
 *   nibbles=ADDR nfixed=N fixed=ADDR global=ADDR inuse=ADDR
 *                          the fixed counters of a core, IA32_FIXED_CTR_CTRL,
 *                          IA32_PERF_GLOBAL_CTRL and _INUSE
 */
#include "config/machine.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/texts.h"
#include "regs/sim_build.h"

#define MAX_HZ UINT64_C(1000000000000)  /* of a rate, and of its steps */
#define MAX_RUN 4096
#define MAX_FAULTS 1000

struct fault_line {
	unsigned line;
	const char *text;
};

struct parser {
	struct sim_desc *d;
	unsigned line;
	char *rest;             /* of the line */
	struct fault_line fault[MAX_FAULTS];
	unsigned nfault;
	struct diag *why;
};

static int wrong(struct parser *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

static int
wrong(struct parser *p, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return diag_at(p->why, p->d->file, p->line, "%s", text);
}

/*
 * Values.
 */

static int
number_in(struct parser *p, const char *what, const char *word, uint64_t min,
    uint64_t max, uint64_t *value)
{
	if (word == NULL)
		return wrong(p, "%s is missing", what);
	if (!sim_number(word, value))
		return wrong(p, "%s \"%s\" is no number; decimal or 0x hex",
		    what, word);
	if (*value < min || *value > max)
		return wrong(p, "%s %s is not in %" PRIu64 "..%" PRIu64
		    " (0x%" PRIx64 ")", what, word, min, max, max);
	return 0;
}

static int
unsigned_in(struct parser *p, const char *what, const char *word, uint64_t min,
    uint64_t max, unsigned *value)
{
	uint64_t v = 0;
	int rc = number_in(p, what, word, min, max, &v);

	if (rc == 0)
		*value = (unsigned)v;
	return rc;
}

/* list = item { "," item }     item = NUMBER [ "-" NUMBER ] */
static int
list_of(struct parser *p, const char *what, char *word, uint64_t max,
    uint64_t *list, unsigned room, unsigned *n)
{
	char *item, *dash;
	uint64_t a, b;
	int rc;

	*n = 0;
	while ((item = strsep(&word, ",")) != NULL) {
		if ((dash = strchr(item, '-')) != NULL)
			*dash++ = '\0';
		if ((rc = number_in(p, what, item, 0, max, &a)) < 0)
			return rc;
		b = a;
		if (dash != NULL &&
		    (rc = number_in(p, what, dash, a, max, &b)) < 0)
			return rc;
		if (b - a >= room - *n)
			return wrong(p, "%s: more than %u in the list", what,
			    room);
		while (a <= b)
			list[(*n)++] = a++;
	}
	return 0;
}

/* Cut "key=value" in two; false if there is no "=". */
static bool
split(char *word, char **value)
{
	if ((*value = strchr(word, '=')) == NULL)
		return false;
	*(*value)++ = '\0';
	return true;
}

static int
ends(struct parser *p)
{
	const char *w = sim_word(&p->rest);

	return w == NULL ? 0 : wrong(p, "\"%s\" is one word too many", w);
}

/*
 * RATES and WHERE.  Both return 1 when the key is not theirs.
 */

static int
rate_option(struct parser *p, struct sim_rate *rate, const char *key,
    const char *value, uint64_t max)
{
	struct sim_desc *d = p->d;
	uint64_t v;
	int rc;

	if (strcmp(key, "all") == 0) {
		if ((rc = number_in(p, key, value, 0, max, &v)) == 0)
			for (unsigned i = 0; i < SIM_PHASES; i++)
				rate->hz[i] = v;
		return rc;
	}
	if (strcmp(key, "step") == 0)
		return number_in(p, key, value, 0, MAX_HZ, &rate->step);
	if (strcmp(key, "pkgstep") == 0)
		return number_in(p, key, value, 0, MAX_HZ, &rate->pkgstep);
	if (strcmp(key, "threadstep") == 0)
		return number_in(p, key, value, 0, MAX_HZ, &rate->threadstep);
	for (unsigned i = 0; i < d->nphase; i++)
		if (strcmp(key, d->phase[i]) == 0)
			return number_in(p, key, value, 0, max, &rate->hz[i]);
	return 1;
}

static int
where_option(struct parser *p, struct sim_where *where, const char *key,
    const char *value)
{
	int *field;
	uint64_t v = 0;
	int rc;

	if (strcmp(key, "pkg") == 0)
		field = &where->pkg;
	else if (strcmp(key, "inst") == 0)
		field = &where->inst;
	else if (strcmp(key, "thread") == 0)
		field = &where->thread;
	else if (strcmp(key, "lproc") == 0)
		field = &where->lproc;
	else
		return 1;
	if ((rc = number_in(p, key, value, 0, SIM_LPROCS - 1, &v)) == 0)
		*field = (int)v;
	return rc;
}

static int
unknown_option(struct parser *p, const char *key, const char *right)
{
	char phases[SIM_PHASES * 18] = "";

	for (unsigned i = 0; i < p->d->nphase; i++) {
		strcat(phases, ", ");
		strcat(phases, p->d->phase[i]);
	}
	return wrong(p, "unknown word \"%s\"; right would be %s, all%s, step, "
	    "pkgstep, threadstep, pkg, inst, thread, lproc", key, right,
	    phases);
}

static const struct sim_where anywhere = { -1, -1, -1, -1 };

/*
 * The machine as a whole.
 */

static int
counted(struct parser *p, const char *what, unsigned max, unsigned *n,
    uint64_t *ids, unsigned room, unsigned *nids)
{
	char *w, *value;
	int rc;

	if ((rc = unsigned_in(p, what, sim_word(&p->rest), 1, max, n)) < 0)
		return rc;
	if (ids != NULL)
		*nids = 0;
	if ((w = sim_word(&p->rest)) == NULL)
		return 0;
	if (ids == NULL || !split(w, &value) || strcmp(w, "ids") != 0)
		return wrong(p, "unknown word \"%s\"%s", w,
		    ids != NULL ? "; right would be ids=LIST" : "");
	if ((rc = list_of(p, "ids", value, INT32_MAX, ids, room, nids)) < 0)
		return rc;
	if (*nids != *n)
		return wrong(p, "%u ids for %u %s", *nids, *n, what);
	return ends(p);
}

static int
parse_packages(struct parser *p)
{
	return counted(p, "packages", SIM_PKGS, &p->d->packages, p->d->pkg_id,
	    SIM_PKGS, &p->d->npkg_id);
}

static int
parse_cores(struct parser *p)
{
	return counted(p, "cores", SIM_CORES, &p->d->cores, p->d->core_id,
	    SIM_CORES, &p->d->ncore_id);
}

static int
parse_threads(struct parser *p)
{
	return counted(p, "threads", 8, &p->d->threads, NULL, 0, NULL);
}

static int
parse_dies(struct parser *p)
{
	return counted(p, "dies", 16, &p->d->dies, NULL, 0, NULL);
}

static int
parse_nodes(struct parser *p)
{
	return counted(p, "nodes", 16, &p->d->nodes, NULL, 0, NULL);
}

static int
parse_numbering(struct parser *p)
{
	static const char *const name[] = {
		[SIM_BLOCK] = "block", [SIM_INTERLEAVED] = "interleaved",
		[SIM_ADJACENT] = "adjacent", [SIM_EXPLICIT] = "explicit",
	};
	const char *w = sim_word(&p->rest);

	for (unsigned i = 0; w != NULL && i < 4; i++)
		if (strcmp(w, name[i]) == 0) {
			p->d->numbering = i;
			return ends(p);
		}
	return wrong(p, "numbering is %s; right would be block, interleaved, "
	    "adjacent or explicit", w != NULL ? w : "missing");
}

static int
parse_lproc(struct parser *p)
{
	struct sim_lproc *at;
	struct sim_lproc got = { .pkg = UINT32_MAX, .core = UINT32_MAX };
	void *more;
	char *w, *value;
	int rc;

	if ((rc = unsigned_in(p, "lproc", sim_word(&p->rest), 0,
	    SIM_LPROCS - 1, &got.lproc)) < 0)
		return rc;
	while ((w = sim_word(&p->rest)) != NULL) {
		if (!split(w, &value))
			rc = 1;
		else if (strcmp(w, "pkg") == 0)
			rc = unsigned_in(p, w, value, 0, SIM_PKGS - 1, &got.pkg);
		else if (strcmp(w, "core") == 0)
			rc = unsigned_in(p, w, value, 0, INT32_MAX, &got.core);
		else if (strcmp(w, "thread") == 0)
			rc = unsigned_in(p, w, value, 0, 15, &got.thread);
		else if (strcmp(w, "die") == 0)
			rc = unsigned_in(p, w, value, 0, INT32_MAX, &got.die);
		else if (strcmp(w, "node") == 0)
			rc = unsigned_in(p, w, value, 0, SIM_PKGS * 16 - 1,
			    &got.node);
		else
			rc = 1;
		if (rc == 1)
			return wrong(p, "unknown word \"%s\"; right would be "
			    "pkg=N core=N thread=N die=N node=N", w);
		if (rc < 0)
			return rc;
	}
	if (got.pkg == UINT32_MAX || got.core == UINT32_MAX)
		return wrong(p, "lproc needs pkg=N and core=N");
	if ((more = sim_desc_grow(p->d->lproc, &p->d->nlproc, sizeof(*at)))
	    == NULL)
		return -ENOMEM;
	p->d->lproc = more;
	p->d->lproc[p->d->nlproc - 1] = got;
	return 0;
}

/* A name of at most room - 1 characters. */
static int
name_into(struct parser *p, const char *what, const char *word, char *into,
    size_t room)
{
	if (word == NULL || word[0] == '\0')
		return wrong(p, "the %s is missing", what);
	if (strlen(word) >= room)
		return wrong(p, "the %s \"%s\" is longer than %zu characters",
		    what, word, room - 1);
	memset(into, 0, room);
	memcpy(into, word, strlen(word));
	return 0;
}

static int
parse_host(struct parser *p)
{
	int rc = name_into(p, "host name", sim_word(&p->rest), p->d->host,
	    sizeof(p->d->host));

	return rc < 0 ? rc : ends(p);
}

static int
parse_name(struct parser *p)
{
	while (isspace((unsigned char)*p->rest))
		p->rest++;
	return name_into(p, "CPU's name", p->rest, p->d->cpu_name,
	    sizeof(p->d->cpu_name));
}

static int
parse_cpu(struct parser *p)
{
	struct sim_desc *d = p->d;
	char *w, *value;
	int rc = 0;

	while (rc == 0 && (w = sim_word(&p->rest)) != NULL) {
		if (!split(w, &value))
			rc = 1;
		else if (strcmp(w, "vendor") == 0)
			rc = name_into(p, w, value, d->vendor, 13);
		else if (strcmp(w, "family") == 0)
			rc = unsigned_in(p, w, value, 0, 270, &d->family);
		else if (strcmp(w, "model") == 0)
			rc = unsigned_in(p, w, value, 0, 255, &d->model);
		else if (strcmp(w, "stepping") == 0)
			rc = unsigned_in(p, w, value, 0, 15, &d->stepping);
		else
			rc = 1;
		if (rc == 1)
			return wrong(p, "unknown word \"%s\"; right would be "
			    "vendor= family= model= stepping=", w);
	}
	return rc;
}

static int
parse_cpuid(struct parser *p)
{
	struct sim_leaf leaf = { 0 };
	char *w = sim_word(&p->rest), *dot = NULL;
	uint64_t v = 0;
	void *more;
	int rc;

	if (w != NULL && (dot = strchr(w, '.')) != NULL)
		*dot++ = '\0';
	if ((rc = number_in(p, "leaf", w, 0, UINT32_MAX, &v)) < 0)
		return rc;
	leaf.leaf = (uint32_t)v;
	if (dot != NULL) {
		if ((rc = number_in(p, "subleaf", dot, 0, UINT32_MAX, &v)) < 0)
			return rc;
		leaf.sub = (uint32_t)v;
	}
	for (unsigned i = 0; i < 4; i++) {
		if ((rc = number_in(p, "EAX, EBX, ECX or EDX",
		    sim_word(&p->rest), 0, UINT32_MAX, &v)) < 0)
			return rc;
		leaf.reg[i] = (uint32_t)v;
	}
	if ((more = sim_desc_grow(p->d->leaf, &p->d->nleaf, sizeof(leaf)))
	    == NULL)
		return -ENOMEM;
	p->d->leaf = more;
	p->d->leaf[p->d->nleaf - 1] = leaf;
	return ends(p);
}

static int
parse_bus(struct parser *p)
{
	unsigned pkg = 0, n = 0;
	unsigned long bus;
	char *w, *end;
	int rc;

	if ((rc = unsigned_in(p, "package", sim_word(&p->rest), 0,
	    SIM_PKGS - 1, &pkg)) < 0)
		return rc;
	for (unsigned i = 0; i < SIM_BUSES; i++)
		p->d->bus[pkg][i] = -1;
	while ((w = sim_word(&p->rest)) != NULL) {
		bus = strtoul(w, &end, 16);
		if (!isxdigit((unsigned char)*w) || *end != '\0' || bus > 0xff)
			return wrong(p, "\"%s\" is no bus; two hex digits, as "
			    "in 3a", w);
		if (n == SIM_BUSES)
			return wrong(p, "more than %d buses", SIM_BUSES);
		p->d->bus[pkg][n++] = (int)bus;
	}
	return n > 0 ? 0 : wrong(p, "the buses are missing");
}

static int
parse_start(struct parser *p)
{
	const char *w = sim_word(&p->rest);
	uint64_t v = 0;
	int rc = number_in(p, "start", w, 0, UINT64_C(9000000000), &v);

	p->d->start_ns = v * 1000000000;
	return rc < 0 ? rc : ends(p);
}

static int
parse_tsc(struct parser *p)
{
	char *w, *value;
	int rc = number_in(p, "tsc", sim_word(&p->rest), 1, MAX_HZ,
	    &p->d->tsc_hz);

	if (rc < 0 || (w = sim_word(&p->rest)) == NULL)
		return rc;
	if (!split(w, &value) || strcmp(w, "init") != 0)
		return wrong(p, "unknown word \"%s\"; right would be init=N", w);
	rc = number_in(p, w, value, 0, UINT64_MAX, &p->d->tsc_init);
	return rc < 0 ? rc : ends(p);
}

static int
parse_read_cost(struct parser *p)
{
	int rc = number_in(p, "read_cost", sim_word(&p->rest), 0, 1000000000,
	    &p->d->read_cost_ns);

	return rc < 0 ? rc : ends(p);
}

static int
parse_phase(struct parser *p)
{
	static const char *const taken[] = { "all", "step", "pkgstep",
		"threadstep", "pkg", "inst", "thread", "lproc", "bits", "init",
		"n", "stride", "write", "tsc" };
	struct sim_desc *d = p->d;
	char name[sizeof(d->phase[0])];
	uint64_t ns = 0;
	const char *w;
	unsigned i;
	int rc;

	if ((rc = name_into(p, "phase", sim_word(&p->rest), name,
	    sizeof(name))) < 0)
		return rc;
	for (i = 0; i < sizeof(taken) / sizeof(*taken); i++)
		if (strcmp(name, taken[i]) == 0)
			return wrong(p, "no phase can be called \"%s\"", name);
	if (strcmp(name, "none") == 0) {
		d->nstretch = 0;
		return ends(p);
	}
	if ((w = sim_word(&p->rest)) != NULL &&
	    (!sim_seconds(w, &ns) || ns == 0))
		return wrong(p, "phase %s lasts \"%s\"; right would be seconds,"
		    " as in 18 or 0.5", name, w);
	if (d->nstretch > 0 && d->stretch[d->nstretch - 1].ns == 0)
		return wrong(p, "the phase before this one has no end");
	for (i = 0; i < d->nphase && strcmp(name, d->phase[i]) != 0; i++)
		;
	if (i == SIM_PHASES || d->nstretch == SIM_STRETCHES)
		return wrong(p, "more than %d phases",
		    i == SIM_PHASES ? SIM_PHASES : SIM_STRETCHES);
	if (i == d->nphase)
		memcpy(d->phase[d->nphase++], name, sizeof(name));
	d->stretch[d->nstretch].phase = i;
	d->stretch[d->nstretch++].ns = ns;
	return ends(p);
}

/*
 * A register by itself, and a file.
 */

struct body {
	uint8_t kind, bits;
	uint64_t value, writable;
	unsigned n, stride;
	struct sim_where where;
	struct sim_rate rate;
};

static int
body_option(struct parser *p, struct body *b, char *key, const char *value)
{
	unsigned bits = b->bits;
	int rc;

	if (strcmp(key, "bits") == 0) {
		rc = unsigned_in(p, key, value, 1, 64, &bits);
		b->bits = (uint8_t)bits;
		return rc;
	}
	if (strcmp(key, "init") == 0 && b->kind == SIM_COUNTER)
		return number_in(p, key, value, 0, UINT64_MAX, &b->value);
	if (strcmp(key, "write") == 0 && b->kind == SIM_VALUE)
		return number_in(p, key, value, 0, UINT64_MAX, &b->writable);
	if (strcmp(key, "n") == 0)
		return unsigned_in(p, key, value, 1, MAX_RUN, &b->n);
	if (strcmp(key, "stride") == 0)
		return unsigned_in(p, key, value, 0, 4096, &b->stride);
	if (b->kind >= SIM_READING && (rc = rate_option(p, &b->rate, key, value,
	    b->kind == SIM_READING ? UINT64_MAX : MAX_HZ)) <= 0)
		return rc;
	if ((rc = where_option(p, &b->where, key, value)) <= 0)
		return rc;
	return unknown_option(p, key, b->kind == SIM_VALUE
	    ? "bits, n, stride, write" : "bits, init, n, stride");
}

/* body = ( "=" VALUE | "reading" | "counter" [ "tsc" ] | "deaf" | "none" )
 *        { option } */
static int
parse_body(struct parser *p, char *w, struct body *b)
{
	static const char right[] = "\"= VALUE\", reading, counter, deaf or none";
	char *value;
	int rc = 0;

	if (w == NULL)
		return wrong(p, "the line ends; right would be %s", right);
	if (strcmp(w, "=") == 0) {
		b->kind = SIM_VALUE;
		rc = number_in(p, "value", sim_word(&p->rest), 0, UINT64_MAX,
		    &b->value);
	} else if (strcmp(w, "reading") == 0)
		b->kind = SIM_READING;
	else if (strcmp(w, "counter") == 0)
		b->kind = SIM_COUNTER;
	else if (strcmp(w, "deaf") == 0)
		b->kind = SIM_DEAF;
	else if (strcmp(w, "none") == 0)
		b->kind = SIM_GONE;
	else
		return wrong(p, "\"%s\"; right would be %s", w, right);
	while (rc == 0 && (w = sim_word(&p->rest)) != NULL) {
		if (strcmp(w, "tsc") == 0 && b->kind == SIM_COUNTER) {
			for (unsigned i = 0; i < SIM_PHASES; i++)
				b->rate.hz[i] = p->d->tsc_hz;
			b->value = p->d->tsc_init;
		} else if (!split(w, &value))
			rc = unknown_option(p, w, "KEY=VALUE: bits, init");
		else
			rc = body_option(p, b, w, value);
	}
	return rc;
}

static int
add_plain(struct parser *p, struct sim_plain *at, char *w)
{
	struct sim_desc *d = p->d;
	unsigned bits = at->space == REG_MSR ? 64 : 32;
	struct body b = { .bits = (uint8_t)bits, .n = 1,
		.stride = at->space == REG_MSR ? 1 : bits / 8,
		.where = anywhere };
	uint64_t last;
	void *more;
	int rc = parse_body(p, w, &b);

	if (rc < 0)
		return rc;
	last = at->offset + (uint64_t)(b.n - 1) * b.stride;
	if (last > (at->space == REG_MSR ? UINT32_MAX
	    : at->space == REG_PCI ? 0xffc : UINT64_C(0xfffffffffffff)) ||
	    (at->space != REG_MSR && (last & 3) != 0))
		return wrong(p, "0x%" PRIx64 " is no address there", last);
	if (at->space != REG_MSR && b.bits > 32 && (last & 0xfff) == 0xffc)
		return wrong(p, "there is no room for 64 bits at 0x%" PRIx64,
		    last);
	at->line = p->line;
	at->kind = b.kind;
	at->bits = b.bits;
	at->n = b.n;
	at->stride = b.stride;
	at->value = b.value;
	at->writable = b.writable;
	at->where = b.where;
	at->rate = b.rate;
	if ((more = sim_desc_grow(d->plain, &d->nplain, sizeof(*at))) == NULL)
		return -ENOMEM;
	d->plain = more;
	d->plain[d->nplain - 1] = *at;
	return 0;
}

static int
parse_msr(struct parser *p)
{
	static const char *const scope[] = { [SIM_NODE] = "node",
		[SIM_PKG] = "pkg", [SIM_CORE] = "core", [SIM_LPROC] = "lproc" };
	struct sim_plain at = { .space = REG_MSR };
	char *w;
	int rc;

	if ((rc = number_in(p, "MSR number", sim_word(&p->rest), 0, UINT32_MAX,
	    &at.offset)) < 0)
		return rc;
	w = sim_word(&p->rest);
	if (w != NULL && strcmp(w, "none") == 0)
		return add_plain(p, &at, w);
	for (unsigned i = 0; w != NULL && i < 4; i++)
		if (strcmp(w, scope[i]) == 0) {
			at.scope = (uint8_t)i;
			return add_plain(p, &at, sim_word(&p->rest));
		}
	return wrong(p, "the scope of an MSR is %s; right would be node, pkg, "
	    "core or lproc", w != NULL ? w : "missing");
}

static int
parse_pci(struct parser *p)
{
	struct sim_plain at = { .space = REG_PCI };
	char *w = sim_word(&p->rest);
	int rc;

	if (w == NULL || !sim_function(w, &at.bus, &at.role, &at.devfn))
		return wrong(p, "\"%s\" is no PCI function; right would be as "
		    "in 3a:0a.2 or bus2:0a.2", w != NULL ? w : "");
	w = sim_word(&p->rest);
	if (w != NULL && strcmp(w, "none") == 0) {
		at.whole = true;
		return add_plain(p, &at, w);
	}
	if ((rc = number_in(p, "offset", w, 0, 0xffc, &at.offset)) < 0)
		return rc;
	return add_plain(p, &at, sim_word(&p->rest));
}

static int
parse_mmio(struct parser *p)
{
	struct sim_plain at = { .space = REG_MMIO };
	int rc = number_in(p, "address", sim_word(&p->rest), 0,
	    UINT64_C(0xffffffffffff), &at.offset);

	return rc < 0 ? rc : add_plain(p, &at, sim_word(&p->rest));
}

/* \n and \t in the text of a file. */
static void
unescape(char *text)
{
	char *to = text;

	for (; *text != '\0'; text++)
		if (text[0] == '\\' && (text[1] == 'n' || text[1] == 't'))
			*to++ = *++text == 'n' ? '\n' : '\t';
		else
			*to++ = *text;
	*to = '\0';
}

static int
parse_file(struct parser *p)
{
	struct sim_desc *d = p->d;
	struct body b = { .bits = 64, .n = 1, .where = anywhere };
	char *path = sim_word(&p->rest), *text = NULL;
	struct sim_file *f;
	void *more;
	int rc;

	if (path == NULL || path[0] != '/')
		return wrong(p, "a file's path starts with /");
	while (isspace((unsigned char)*p->rest))
		p->rest++;
	if (*p->rest == '=') {
		text = p->rest + 1;
		text += isspace((unsigned char)*text) ? 1 : 0;
		unescape(text);
		b.kind = SIM_VALUE;
	} else if ((rc = parse_body(p, sim_word(&p->rest), &b)) < 0)
		return rc;
	if (b.kind == SIM_READING || b.kind == SIM_DEAF)
		return wrong(p, "a file is \"= TEXT\", counter or none");
	if ((more = sim_desc_grow(d->files, &d->nfile, sizeof(*f))) == NULL)
		return -ENOMEM;
	d->files = more;
	f = &d->files[d->nfile - 1];
	f->path = strdup(path);
	f->text = strdup(text != NULL ? text : "");
	f->kind = b.kind;
	f->bits = b.bits;
	f->value = b.value;
	f->rate = b.rate;
	return f->path != NULL && f->text != NULL ? 0 : -ENOMEM;
}

/*
 * Boxes.
 */

static int
parse_global(struct parser *p)
{
	struct sim_desc *d = p->d;
	char *w, *value;
	uint64_t frozen = d->global_frozen;
	int rc = number_in(p, "MSR number", sim_word(&p->rest), 0, UINT32_MAX,
	    &d->global);

	while (rc == 0 && (w = sim_word(&p->rest)) != NULL) {
		if (!split(w, &value))
			rc = 1;
		else if (strcmp(w, "freeze") == 0)
			rc = number_in(p, w, value, 0, UINT64_MAX,
			    &d->global_freeze);
		else if (strcmp(w, "unfreeze") == 0)
			rc = number_in(p, w, value, 0, UINT64_MAX,
			    &d->global_unfreeze);
		else if (strcmp(w, "frozen") == 0)
			rc = number_in(p, w, value, 0, 1, &frozen);
		else
			rc = 1;
		if (rc == 1)
			return wrong(p, "unknown word \"%s\"; right would be "
			    "freeze= unfreeze= frozen=", w);
	}
	d->global_frozen = frozen != 0;
	return rc;
}

static struct sim_box *
box_named(struct sim_desc *d, const char *name)
{
	for (unsigned i = 0; i < d->nbox; i++)
		if (strcmp(d->box[i].name, name) == 0)
			return &d->box[i];
	return NULL;
}

static struct sim_box *
box_new(struct sim_desc *d)
{
	void *more = sim_desc_grow(d->box, &d->nbox, sizeof(struct sim_box));
	struct sim_box *b;

	if (more == NULL)
		return NULL;
	d->box = more;
	b = &d->box[d->nbox - 1];
	b->space = REG_MSR;
	b->scope = SIM_PKG;
	b->instances = 1;
	b->bits = b->fixedbits = 48;
	b->boxctl = b->ctl = b->ctr = b->alias = b->status = SIM_NOWHERE;
	b->fixedctl = b->fixedctr = b->nibbles = b->fixed = SIM_NOWHERE;
	b->global = b->inuse = SIM_NOWHERE;
	b->write = 64;
	b->enable = b->fixedenable = 0x400000;
	b->ignore = 0x120000;
	b->reset = 0x20000;
	b->fixedreset = 0x80000;
	b->valid = UINT32_MAX;
	b->boxvalid = 0x30103;
	b->freeze = 0x100;
	b->rstctl = 1;
	b->rstctr = 2;
	for (unsigned p = 0; p < SIM_PKGS; p++)
		b->present[p] = UINT64_MAX;
	return b;
}

#define AT(field) offsetof(struct sim_box, field)
static const struct box_key {
	const char *name;
	size_t field;
	uint64_t min, max;
	size_t step;            /* where the STEP of ADDR+STEP goes */
} box_keys[] = {
	{ "instances", AT(instances), 1, SIM_INSTANCES, 0 },
	{ "counters", AT(counters), 0, SIM_CTRS, 0 },
	{ "bits", AT(bits), 1, 64, 0 },
	{ "ctlbits", AT(ctlbits), 32, 64, 0 },
	{ "stride", AT(stride), 0, UINT32_MAX, 0 },
	{ "bus", AT(bus), 0, SIM_BUSES - 1, 0 },
	{ "init", AT(init), 0, UINT64_MAX, 0 },
	{ "boxctl", AT(boxctl), 0, UINT32_MAX, 0 },
	{ "ctl", AT(ctl), 0, UINT32_MAX, AT(ctlstep) },
	{ "ctr", AT(ctr), 0, UINT32_MAX, AT(ctrstep) },
	{ "alias", AT(alias), 0, UINT32_MAX, 0 },
	{ "status", AT(status), 0, UINT32_MAX, 0 },
	{ "boxvalid", AT(boxvalid), 0, UINT32_MAX, 0 },
	{ "freeze", AT(freeze), 0, UINT32_MAX, 0 },
	{ "frzen", AT(frzen), 0, UINT32_MAX, 0 },
	{ "rstctl", AT(rstctl), 0, UINT32_MAX, 0 },
	{ "rstctr", AT(rstctr), 0, UINT32_MAX, 0 },
	{ "valid", AT(valid), 0, UINT64_MAX, 0 },
	{ "enable", AT(enable), 0, UINT64_MAX, 0 },
	{ "ignore", AT(ignore), 0, UINT64_MAX, 0 },
	{ "reset", AT(reset), 0, UINT64_MAX, 0 },
	{ "write", AT(write), 1, 64, 0 },
	{ "fixedctl", AT(fixedctl), 0, UINT32_MAX, 0 },
	{ "fixedctr", AT(fixedctr), 0, UINT32_MAX, 0 },
	{ "fixedbits", AT(fixedbits), 1, 64, 0 },
	{ "fixedenable", AT(fixedenable), 0, UINT32_MAX, 0 },
	{ "fixedreset", AT(fixedreset), 0, UINT32_MAX, 0 },
	{ "nfixed", AT(nfixed), 0, SIM_FIXED, 0 },
	{ "nibbles", AT(nibbles), 0, UINT32_MAX, 0 },
	{ "fixed", AT(fixed), 0, UINT32_MAX, 0 },
	{ "global", AT(global), 0, UINT32_MAX, 0 },
	{ "inuse", AT(inuse), 0, UINT32_MAX, 0 },
};

static int
choice(struct parser *p, const char *key, const char *value,
    const char *const *name, const uint8_t *is, uint64_t *into)
{
	for (; *name != NULL; name++, is++)
		if (strcmp(value, *name) == 0) {
			*into = *is;
			return 0;
		}
	return wrong(p, "%s=%s is not known", key, value);
}

/* filter=NAME,ADDR,VALID[,INIT]; the same name again replaces it. */
static int
box_filter(struct parser *p, struct sim_box *b, char *value)
{
	struct sim_filter f = { .name = "" };
	const char *addr, *valid;
	unsigned i;
	int rc;

	if ((rc = name_into(p, "filter's name", strsep(&value, ","), f.name,
	    sizeof(f.name))) < 0)
		return rc;
	addr = value != NULL ? strsep(&value, ",") : NULL;
	valid = value != NULL ? strsep(&value, ",") : NULL;
	if ((rc = number_in(p, "filter's address", addr, 0, UINT32_MAX,
	    &f.offset)) < 0 ||
	    (rc = number_in(p, "filter's valid bits", valid, 0, UINT64_MAX,
	    &f.valid)) < 0 ||
	    (value != NULL && (rc = number_in(p, "filter's first value", value,
	    0, UINT64_MAX, &f.init)) < 0))
		return rc;
	for (i = 0; i < b->nfilter && strcmp(b->filter[i].name, f.name) != 0;
	    i++)
		;
	if (i == SIM_FILTERS)
		return wrong(p, "more than %d filters", SIM_FILTERS);
	if (i == b->nfilter)
		b->nfilter++;
	b->filter[i] = f;
	return 0;
}

/* devfn=0a.2,0a.6 */
static int
box_devfn(struct parser *p, struct sim_box *b, char *value)
{
	char text[32], *item;
	uint8_t bus, devfn;
	bool role;

	b->ndevfn = 0;
	while ((item = strsep(&value, ",")) != NULL) {
		snprintf(text, sizeof(text), "0:%s", item);
		if (strlen(item) > 8 ||
		    !sim_function(text, &bus, &role, &devfn))
			return wrong(p, "devfn \"%s\"; right would be DEV.FN "
			    "in hex, as in 0a.2", item);
		if (b->ndevfn == SIM_INSTANCES)
			return wrong(p, "more than %d functions",
			    SIM_INSTANCES);
		b->devfn[b->ndevfn++] = devfn;
	}
	return 0;
}

static int
box_list(struct parser *p, const char *key, char *value, uint64_t *list,
    unsigned room, uint64_t *n)
{
	unsigned count;
	int rc = list_of(p, key, value, UINT64_C(0xffffffffffff), list, room,
	    &count);

	*n = count;
	return rc;
}

static int
box_key(struct parser *p, struct sim_box *b, const char *key, char *value,
    unsigned pkg)
{
	static const char *const space[] = { "msr", "pci", "mmio", NULL };
	static const uint8_t spaces[] = { REG_MSR, REG_PCI, REG_MMIO };
	static const char *const scope[] = { "pkg", "core", "lproc", NULL };
	static const uint8_t scopes[] = { SIM_PKG, SIM_CORE, SIM_LPROC };
	char *step = NULL;
	uint64_t v = 0;
	int rc;

	if (strcmp(key, "space") == 0)
		return choice(p, key, value, space, spaces, &b->space);
	if (strcmp(key, "scope") == 0)
		return choice(p, key, value, scope, scopes, &b->scope);
	if (strcmp(key, "filter") == 0)
		return box_filter(p, b, value);
	if (strcmp(key, "devfn") == 0)
		return box_devfn(p, b, value);
	if (strcmp(key, "id") == 0)
		return box_list(p, key, value, b->id, SIM_INSTANCES, &b->nid);
	if (strcmp(key, "base") == 0)
		return box_list(p, key, value, b->base, SIM_INSTANCES,
		    &b->nbase);
	if (strcmp(key, "pkgbase") == 0)
		return box_list(p, key, value, b->pkgbase, SIM_PKGS,
		    &b->npkgbase);
	if (strcmp(key, "present") == 0) {
		rc = number_in(p, key, value, 0, UINT64_MAX, &v);
		for (unsigned i = 0; rc == 0 && i < SIM_PKGS; i++)
			if (pkg == SIM_PKGS || pkg == i)
				b->present[i] = v;
		return rc;
	}
	for (unsigned i = 0; i < sizeof(box_keys) / sizeof(*box_keys); i++) {
		const struct box_key *k = &box_keys[i];

		if (strcmp(key, k->name) != 0)
			continue;
		if (k->step != 0 && (step = strchr(value, '+')) != NULL)
			*step++ = '\0';
		if ((rc = number_in(p, key, value, k->min, k->max,
		    (uint64_t *)((char *)b + k->field))) < 0 || step == NULL)
			return rc;
		return number_in(p, key, step, 1, 4096,
		    (uint64_t *)((char *)b + k->step));
	}
	return wrong(p, "unknown word \"%s\"; a box has space scope instances "
	    "present stride base pkgbase bus devfn id counters bits ctl ctr "
	    "ctlbits alias write init enable ignore reset valid boxctl "
	    "boxvalid freeze frzen rstctl rstctr status filter fixedctl "
	    "fixedctr fixedbits fixedenable fixedreset nibbles nfixed fixed "
	    "global inuse", key);
}

static int
parse_box(struct parser *p)
{
	struct sim_desc *d = p->d;
	char name[sizeof(d->box->name)], *w, *value;
	unsigned pkg = SIM_PKGS;
	struct sim_box *b;
	int rc;

	if ((rc = name_into(p, "box's name", sim_word(&p->rest), name,
	    sizeof(name))) < 0)
		return rc;
	if ((b = box_named(d, name)) == NULL) {
		if ((b = box_new(d)) == NULL)
			return -ENOMEM;
		memcpy(b->name, name, sizeof(name));
		b->line = p->line;
	}
	b->none = false;
	while ((w = sim_word(&p->rest)) != NULL) {
		if (strcmp(w, "none") == 0) {
			b->none = true;
			continue;
		}
		if (!split(w, &value))
			return wrong(p, "\"%s\"; right would be KEY=VALUE", w);
		rc = strcmp(w, "pkg") == 0
		    ? unsigned_in(p, w, value, 0, SIM_PKGS - 1, &pkg)
		    : box_key(p, b, w, value, pkg);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* What a box is missing, once all of its statements were read. */
static int
box_finish(struct parser *p, struct sim_box *b)
{
	p->line = b->line;
	if (b->none)
		return 0;
	if (b->counters > 0 && (b->ctl == SIM_NOWHERE || b->ctr == SIM_NOWHERE))
		return wrong(p, "box %s has counters but no ctl= and ctr=",
		    b->name);
	if (b->space == REG_PCI && (b->ndevfn == 0 || b->scope != SIM_PKG))
		return wrong(p, "box %s is in PCI space: it needs devfn=LIST "
		    "and scope=pkg", b->name);
	if (b->space == REG_MMIO && b->scope != SIM_PKG)
		return wrong(p, "box %s is in MMIO space: it needs scope=pkg",
		    b->name);
	if ((b->fixedctl != SIM_NOWHERE) != (b->fixedctr != SIM_NOWHERE))
		return wrong(p, "box %s needs both fixedctl= and fixedctr=, or "
		    "none", b->name);
	if (b->nibbles != SIM_NOWHERE &&
	    (b->fixed == SIM_NOWHERE || b->nfixed == 0 ||
	    b->fixedctl != SIM_NOWHERE))
		return wrong(p, "box %s: nibbles= needs nfixed=N and "
		    "fixed=ADDR, and no fixedctl=", b->name);
	if (b->ctlbits == 0)
		b->ctlbits = b->space == REG_MSR ? 64 : 32;
	if (b->ctlstep == 0)
		b->ctlstep = b->space == REG_MSR ? 1 : 4;
	if (b->ctrstep == 0)
		b->ctrstep = b->space == REG_MSR ? 1 : 8;
	return 0;
}

/* "fixed", "fixed1" */
static int
fixed_number(struct parser *p, const struct sim_box *b, const char *word,
    int *fixed)
{
	unsigned n = 0;
	int rc = 0;

	if (word[5] != '\0')
		rc = unsigned_in(p, "fixed counter", word + 5, 0,
		    SIM_FIXED - 1, &n);
	if (rc == 0 && n >= (b->nibbles != SIM_NOWHERE ? b->nfixed
	    : b->fixedctl != SIM_NOWHERE ? 1 : 0))
		rc = wrong(p, "box %s has no fixed counter %u", b->name, n);
	*fixed = (int)n;
	return rc;
}

/* VALUE[/MASK] */
static int
masked(struct parser *p, const char *what, char *word, uint64_t *value,
    uint64_t *mask)
{
	char *slash = strchr(word, '/');
	int rc;

	*mask = UINT64_MAX;
	if (slash != NULL)
		*slash++ = '\0';
	if ((rc = number_in(p, what, word, 0, UINT64_MAX, value)) < 0 ||
	    (slash != NULL && (rc = number_in(p, what, slash, 0, UINT64_MAX,
	    mask)) < 0))
		return rc;
	if ((*value & ~*mask) != 0)
		return wrong(p, "%s 0x%" PRIx64 " has bits outside its mask "
		    "0x%" PRIx64, what, *value, *mask);
	return 0;
}

/* FILTER=VALUE[/MASK] or FILTER&MASK: 1 if the word is neither. */
static int
filter_option(struct parser *p, const struct sim_box *b, struct sim_event *e,
    char *word)
{
	size_t len = strcspn(word, "=&");
	struct sim_cond c = { .any = word[len] == '&' };
	uint64_t mask;
	int rc;

	while (c.filter < b->nfilter &&
	    (strlen(b->filter[c.filter].name) != len ||
	    strncmp(word, b->filter[c.filter].name, len) != 0))
		c.filter++;
	if (word[len] == '\0' || c.filter == b->nfilter)
		return 1;
	rc = masked(p, "filter", word + len + 1, &c.value, &c.mask);
	if (rc < 0)
		return rc;
	if (e->ncond == SIM_CONDS)
		return wrong(p, "more than %d filters", SIM_CONDS);
	if (c.any) {
		mask = c.value;
		c.value = 0;
		c.mask = mask;
	}
	e->cond[e->ncond++] = c;
	return 0;
}

static int
parse_event(struct parser *p)
{
	struct sim_desc *d = p->d;
	struct sim_event e = { .line = p->line, .fixed = -1,
		.where = anywhere };
	char *w = sim_word(&p->rest), *value;
	const struct sim_box *b;
	void *more;
	int rc;

	if (w == NULL || (b = box_named(d, w)) == NULL)
		return wrong(p, "no box \"%s\" so far", w != NULL ? w : "");
	e.box = (unsigned)(b - d->box);
	if ((w = sim_word(&p->rest)) == NULL)
		return wrong(p, "a control value, or fixed, is missing");
	if (strncmp(w, "fixed", 5) == 0)
		rc = fixed_number(p, b, w, &e.fixed);
	else {
		rc = masked(p, "control value", w, &e.key, &e.mask);
		e.mask &= ~(b->enable | b->ignore);
		e.key &= e.mask;
	}
	while (rc == 0 && (w = sim_word(&p->rest)) != NULL) {
		if ((rc = filter_option(p, b, &e, w)) <= 0)
			continue;
		if (!split(w, &value))
			return unknown_option(p, w, "KEY=VALUE: a filter");
		if ((rc = rate_option(p, &e.rate, w, value, MAX_HZ)) == 1)
			rc = where_option(p, &e.where, w, value);
		if (rc == 1)
			return unknown_option(p, w, "a filter");
	}
	if (rc < 0)
		return rc;
	if ((more = sim_desc_grow(d->event, &d->nevent, sizeof(e))) == NULL)
		return -ENOMEM;
	d->event = more;
	d->event[d->nevent - 1] = e;
	return 0;
}

/*
 * The text.
 */

static const struct statement {
	const char *name;
	int (*parse)(struct parser *);
} statements[] = {
	{ "host", parse_host }, { "name", parse_name }, { "cpu", parse_cpu },
	{ "cpuid", parse_cpuid }, { "packages", parse_packages },
	{ "cores", parse_cores }, { "threads", parse_threads },
	{ "dies", parse_dies }, { "nodes", parse_nodes },
	{ "numbering", parse_numbering }, { "lproc", parse_lproc },
	{ "bus", parse_bus }, { "start", parse_start }, { "tsc", parse_tsc },
	{ "read_cost", parse_read_cost }, { "phase", parse_phase },
	{ "msr", parse_msr }, { "pci", parse_pci }, { "mmio", parse_mmio },
	{ "file", parse_file }, { "global", parse_global },
	{ "box", parse_box }, { "event", parse_event },
};

static int
parse_line(struct parser *p, char *line)
{
	char *start = line;
	const char *w;
	int rc;

	while (isspace((unsigned char)*start))
		start++;
	if (strncmp(start, "from", 4) == 0 && isspace((unsigned char)start[4])) {
		if (p->nfault == MAX_FAULTS)
			return wrong(p, "more than %d faults", MAX_FAULTS);
		p->fault[p->nfault].line = p->line;
		p->fault[p->nfault++].text = start;
		return 0;
	}
	p->rest = line;
	if ((w = sim_word(&p->rest)) == NULL)
		return 0;
	for (unsigned i = 0; i < sizeof(statements) / sizeof(*statements); i++)
		if (strcmp(w, statements[i].name) == 0) {
			rc = statements[i].parse(p);
			return rc == -ENOMEM ? diag_set(p->why, rc,
			    "out of memory") : rc;
		}
	return wrong(p, "unknown statement \"%s\"; right would be host name "
	    "cpu cpuid packages cores threads dies nodes numbering lproc bus "
	    "start tsc read_cost phase msr pci mmio file global box event from",
	    w);
}

static int
parse_text(struct parser *p, char *text, size_t size)
{
	char *end, *stop = text + size;
	int rc;

	for (; text < stop; text = end + 1) {
		p->line++;
		if ((end = memchr(text, '\n', (size_t)(stop - text))) == NULL)
			end = stop;
		*end = '\0';
		if (strlen(text) != (size_t)(end - text))
			return wrong(p, "a zero byte in the line; a machine is "
			    "plain text");
		if ((rc = parse_line(p, text)) < 0)
			return rc;
	}
	for (unsigned i = 0; i < p->d->nbox; i++)
		if ((rc = box_finish(p, &p->d->box[i])) < 0)
			return rc;
	return 0;
}

static int
start_faults(struct parser *p, struct sim *s, const char *file)
{
	struct diag why = { "" };
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < p->nfault; i++)
		if ((rc = sim_fault(s, p->fault[i].text, &why)) < 0)
			diag_at(p->why, file, p->fault[i].line, "%s", why.text);
	return rc;
}

int
machine_parse(struct sim **out, const char *file, const char *text, size_t size,
    struct diag *why)
{
	struct parser *p = calloc(1, sizeof(*p));
	char *copy = malloc(size + 1);
	struct sim_desc *d = sim_desc_new(file);
	int rc = -ENOMEM;

	*out = NULL;
	if (p == NULL || copy == NULL || d == NULL) {
		diag_set(why, rc, "out of memory");
		sim_desc_free(d);
		goto done;
	}
	memcpy(copy, text, size);
	p->d = d;
	p->why = why;
	if ((rc = parse_text(p, copy, size)) < 0) {
		sim_desc_free(d);
		goto done;
	}
	if ((rc = sim_build(out, d, why)) < 0)
		goto done;
	if ((rc = start_faults(p, *out, file)) < 0) {
		sim_free(*out);
		*out = NULL;
	}
done:
	free(copy);
	free(p);
	return rc;
}

int
machine_load(struct sim **out, const char *file, struct diag *why)
{
	char *text;
	size_t size;
	int rc = text_load(file, &text, &size);

	*out = NULL;
	if (rc < 0)
		return diag_set(why, rc, "%s: %s; a machine is a file, or one "
		    "of config/machines by name", file, strerror(-rc));
	rc = machine_parse(out, file, text, size, why);
	free(text);
	return rc;
}
