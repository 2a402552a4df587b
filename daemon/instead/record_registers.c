/*
 * daemon/instead/record_registers.c - registers as lines of a machine file.
 *
 * A counter that ran while it was sampled runs in the machine by the same counts, in a
 * phase for each time between two samples; other registers keep their value.
 */
#include "daemon/instead/recorder.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NS 1000000000ull
#define ALL_ONES 0xffffffffu
#define MAILBOX 0xd0            /* MCR, MDR, MCRX of 0:0.0 (rangeley-soc 1) */
#define MAILBOX_END 0xdc
#define WORDS 8                 /* in a line */

static uint64_t
low_bits(unsigned bits)
{
	return bits == 0 || bits >= 64 ? UINT64_MAX :
	    (UINT64_C(1) << bits) - 1;
}

/* Did it change, and could it be read each time? */
static bool
moved(const struct recording *r, const struct recorded *e)
{
	bool any = false;

	for (unsigned k = 0; k < r->nsample && e->series != NULL; k++) {
		if (e->series[k] == ABSENT)
			return false;
		any |= e->series[k] != e->series[0];
	}
	return any;
}

/* The rate from sample k to the next, per second. */
static uint64_t
record_registers_rate(const struct recording *r, const struct recorded *e,
    unsigned k)
{
	uint64_t delta = (e->series[k + 1] - e->series[k]) & low_bits(e->bits);
	double hz = (double)delta * (double)NS / (double)r->interval_ns;

	return r->interval_ns == NS ? delta : (uint64_t)(hz + 0.5);
}

/* Writes "reading s0=40 s1=41", or "counter bits=48 init=3 all=70 s2=71": `all` has the
 * rate of most phases. */
static void
record_registers_put_series(const struct recording *r, const struct recorded *e,
    FILE *f)
{
	bool up = !e->reading;
	unsigned n = up ? r->nsample - 1 : r->nsample;
	uint64_t value[RECORD_SAMPLES], usual;

	for (unsigned k = 0; k < n; k++)
		value[k] = up ? record_registers_rate(r, e, k) : e->series[k];
	usual = value[n - 1];
	if (up)
		fprintf(f, "counter bits=%u init=%" PRIu64, e->bits != 0 ?
		    e->bits : 64u, e->series[0]);
	else
		fprintf(f, "reading bits=64");
	fprintf(f, " all=%" PRIu64, usual);
	for (unsigned k = 0; k < n; k++)
		if (value[k] != usual)
			fprintf(f, " s%u=%" PRIu64, k, value[k]);
}

void
record_body(const struct recording *r, const struct recorded *e, char *buf,
    size_t size)
{
	bool wide = e->addr.bytes == 8 && e->addr.space != REG_MSR;
	FILE *f = fmemopen(buf, size, "w");

	buf[0] = '\0';
	if (f == NULL)
		return;
	if (e->addr.space == REG_MSR && e->addr.offset == MSR_TSC)
		fprintf(f, "counter tsc");
	else if (moved(r, e))
		record_registers_put_series(r, e, f);
	else {
		fprintf(f, "= 0x%" PRIx64, e->raw);
		if (wide)
			fprintf(f, " bits=64");
		if (e->writable)
			fprintf(f, " write=0x%" PRIx64, e->addr.bytes == 8 ?
			    UINT64_MAX : (uint64_t)ALL_ONES);
	}
	fclose(f);
	buf[size - 1] = '\0';
}

/*
 * MSRs.  One that was read on the first lproc of each package alone is a package's.
 */

static int
record_registers_package_of(const struct topo *topo, unsigned lproc)
{
	for (unsigned p = 0; p < topo->npkg; p++)
		if (topo->pkg[p].first_lproc == lproc)
			return (int)p;
	return -1;
}

/* Writes the n entries of one MSR, which are sorted by lproc. */
static void
put_msr(struct recording *r, struct recorded *const *e, unsigned n)
{
	const struct topo *topo = &r->node->topo;
	uint64_t number = e[0]->addr.offset;
	unsigned failed = 0, online = 0, units;
	int error = 0;
	char body[1024], usual[1024] = "";
	bool pkg = true;

	for (unsigned l = 0; l < topo->nlproc; l++)
		online += topo->lproc[l].online;
	for (unsigned i = 0; i < n; i++) {
		pkg &= record_registers_package_of(topo, e[i]->addr.unit) >= 0;
		failed += e[i]->error < 0;
		error = error == 0 ? e[i]->error : error;
	}
	units = pkg ? topo->npkg : online;
	r->unreadable += failed;
	if (failed > 0)
		fprintf(r->out, "# msr 0x%" PRIx64 " unreadable on %u of %u: "
		    "%s\n", number, failed, n, error == -EIO ?
		    "no such register" : strerror(-error));
	for (unsigned i = 0; i < n && failed < n; i++) {
		const char *scope = pkg ? "pkg" : "lproc";
		int unit = pkg ?
		    record_registers_package_of(topo, e[i]->addr.unit) :
		    (int)e[i]->addr.unit;

		if (e[i]->error < 0) {
			if (usual[0] != '\0')
				fprintf(r->out, "msr 0x%" PRIx64 " none %s=%d\n",
				    number, scope, unit);
			continue;
		}
		record_body(r, e[i], body, sizeof(body));
		if (usual[0] == '\0' && n == units) {
			memcpy(usual, body, sizeof(body));
			fprintf(r->out, "msr 0x%" PRIx64 " %s %s\n", number,
			    scope, body);
			/* the units before this one lack the register */
			for (unsigned k = 0; k < i; k++)
				fprintf(r->out, "msr 0x%" PRIx64 " none %s=%d\n",
				    number, scope,
				    pkg ? record_registers_package_of(topo,
				    e[k]->addr.unit) : (int)e[k]->addr.unit);
		} else if (strcmp(body, usual) != 0)
			fprintf(r->out, "msr 0x%" PRIx64 " %s %s %s=%d\n",
			    number, scope, body, scope, unit);
	}
}

/*
 * PCI and memory.
 */

/* How many entries follow one another without a gap, and have plain values. */
static unsigned
run_of_words(const struct recording *r, struct recorded *const *e, unsigned n)
{
	unsigned k = 0;

	while (k < n && e[k]->addr.bytes == 4 && !e[k]->writable &&
	    e[k]->error == 0 && !moved(r, e[k]) &&
	    e[k]->addr.unit == e[0]->addr.unit &&
	    e[k]->addr.offset == e[0]->addr.offset + 4 * k)
		k++;
	return k;
}

static void
record_registers_put_words(struct recording *r, const char *where,
    struct recorded *const *e, unsigned n)
{
	bool pci = e[0]->addr.space == REG_PCI;
	unsigned step = pci ? 1 : 2;

	for (unsigned k = 0; k < n; k += step) {
		if (k / step % WORDS == 0)
			fprintf(r->out, "%s%s0x%" PRIx64 " words", k > 0 ?
			    "\n" : "", where, e[k]->addr.offset);
		fprintf(r->out, " 0x%" PRIx64, pci ? e[k]->raw : e[k]->raw |
		    e[k + 1]->raw << 32);
	}
	fputc('\n', r->out);
}

/* Writes the registers of a PCI function, or of memory, by offset. */
static void
record_registers_put_block(struct recording *r, const char *where,
    struct recorded *const *e, unsigned n)
{
	bool pci = e[0]->addr.space == REG_PCI;
	uint64_t done = 0;              /* up to here */
	char body[1024];
	unsigned words;

	for (unsigned i = 0; i < n; i++) {
		const struct recorded *x = e[i];

		if (x->addr.offset < done)
			continue;       /* a half of the one before */
		words = run_of_words(r, &e[i], n - i);
		if (!pci && (x->addr.offset % 8 != 0 || words < 2))
			words = 0;
		words -= pci ? 0 : words % 2;
		while (pci && words > 1 && e[i + words - 1]->raw == 0)
			words--;        /* reads 0 anyway */
		if (words > 1) {
			record_registers_put_words(r, where, &e[i], words);
			i += words - 1;
			done = e[i]->addr.offset + 4;
			continue;
		}
		done = x->addr.offset + x->addr.bytes;
		if (x->error < 0) {
			r->unreadable++;
			fprintf(r->out, "# %s0x%" PRIx64 " unreadable: %s\n",
			    where, x->addr.offset, strerror(-x->error));
			continue;
		}
		if (pci && x->raw == 0 && !x->writable && !moved(r, x))
			continue;
		record_body(r, x, body, sizeof(body));
		fprintf(r->out, "%s0x%" PRIx64 " %s\n", where, x->addr.offset,
		    body);
	}
}

/* Writes a PCI function that has an id; the language has functions of segment 0. */
static void
put_function(struct recording *r, struct recorded *const *e, unsigned n)
{
	uint32_t unit = e[0]->addr.unit;
	char where[32];

	if (e[0]->addr.offset != 0 || e[0]->error < 0 ||
	    e[0]->raw == ALL_ONES)
		return;
	snprintf(where, sizeof(where), "pci %02x:%02x.%x ", unit >> 8 & 0xff,
	    unit >> 3 & 0x1f, unit & 7);
	if (unit >> 16 != 0)
		fprintf(r->out, "# pci %04x:%s of another segment: its files "
		    "alone\n", unit >> 16, where + 4);
	else
		record_registers_put_block(r, where, e, n);
}

static void
put_message(struct recording *r, const struct recorded *e)
{
	if (e->error < 0)
		r->unreadable++;
	else
		fprintf(r->out, "message 0x%02x 0x%02x 0x%" PRIx64 " = 0x%"
		    PRIx64 "\n", e->addr.unit >> 8, e->addr.unit & 0xff,
		    e->addr.offset, e->raw);
}

/* Is it a register through which a message bus is read?  Its value means nothing. */
static bool
is_mailbox(const struct recording *r, const struct reg_addr *a)
{
	const struct model *m = r->node->topo.model;

	return m != NULL && m->soc != NULL && a->space == REG_PCI &&
	    a->unit == 0 && a->offset >= MAILBOX && a->offset < MAILBOX_END;
}

static int
record_registers_by_place(const void *a, const void *b)
{
	const struct reg_addr *x = &(*(struct recorded *const *)a)->addr;
	const struct reg_addr *y = &(*(struct recorded *const *)b)->addr;
	bool msr = x->space == REG_MSR;
	uint64_t p[4] = { x->space, msr ? x->offset : x->unit,
	    msr ? x->unit : x->offset, 8 - x->bytes };
	uint64_t q[4] = { y->space, y->space == REG_MSR ? y->offset : y->unit,
	    y->space == REG_MSR ? y->unit : y->offset, 8 - y->bytes };

	for (unsigned i = 0; i < 4; i++)
		if (p[i] != q[i])
			return p[i] < q[i] ? -1 : 1;
	return 0;
}

/* Writes n entries: of an MSR, of a function, or all of memory. */
static void
record_registers_put_group(struct recording *r, struct recorded *const *e,
    unsigned n)
{
	switch (e[0]->addr.space) {
	case REG_MSR:
		put_msr(r, e, n);
		break;
	case REG_PCI:
		put_function(r, e, n);
		break;
	case REG_MMIO:
		record_registers_put_block(r, "mmio ", e, n);
		break;
	case REG_SIDEBAND:
		put_message(r, e[0]);
		break;
	}
}

static bool
one_group(const struct reg_addr *a, const struct reg_addr *b)
{
	if (a->space != b->space || a->space == REG_SIDEBAND)
		return false;
	return a->space == REG_MSR ? a->offset == b->offset :
	    a->unit == b->unit;
}

void
record_registers(struct recording *r)
{
	struct recorder *k = r->kept;
	struct recorded **e = calloc(k->nreg + 1, sizeof(struct recorded *));
	unsigned n, count = 0;

	if (e == NULL) {
		k->lost = true;
		return;
	}
	for (unsigned i = 0; i < k->nreg; i++)
		if (!is_mailbox(r, &k->reg[i].addr))
			e[count++] = &k->reg[i];
	qsort(e, count, sizeof(struct recorded *), record_registers_by_place);
	fputs("\n# Registers\n", r->out);
	for (unsigned i = 0; i < count; i += n) {
		for (n = 1; i + n < count &&
		    one_group(&e[i]->addr, &e[i + n]->addr); n++)
			;
		record_registers_put_group(r, &e[i], n);
	}
	free(e);
}
