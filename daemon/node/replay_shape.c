/*
 * daemon/node/replay_shape.c - the machine that a dump is replayed on: a
 * simulated one of its model, changed by lines of machine text to its shape.
 */
#include "daemon/node/replay.h"

#include "config/sim/machine.h"
#include "config/texts.h"
#include "regs/access.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A constant that is a number up to `most`; else 0. */
static unsigned
some(const struct replay *rp, enum head_key key, unsigned most)
{
	double n = head_number(rp->reader, key, ALONE, 0);

	return n >= 1 && n <= most ? (unsigned)n : 0;
}

/* How many packages: as the head says, else as the columns of packages and boxes show. */
static unsigned
count_packages(const struct replay *rp)
{
	unsigned n = some(rp, HEAD_PACKAGES, MAX_LPROCS);
	bool said = n > 0;

	for (unsigned c = 0; !said && c < rp->ncolumn; c++) {
		const struct column_id *id = &read_column(rp->reader, c)->id;
		const struct family *f = id->family;

		if ((f->type != NULL || f->scalar != NULL) &&
		    f->of == OF_PKG && id->nindex > 0 && id->index[0] >= n)
			n = id->index[0] + 1;
	}
	return n > 0 ? n : 1;
}

static void
say_topology(const struct replay *rp, FILE *f, unsigned packages)
{
	unsigned lprocs = some(rp, HEAD_NR_CPUS, MAX_LPROCS);

	fprintf(f, "packages %u\n", packages);
	if (head_constant(rp->reader, HEAD_LPROC_PACKAGE, AT(0)) == NULL) {
		/* dumps of the original have no topology: two threads a core, package by package */
		if (lprocs >= 2 * packages)
			fprintf(f, "cores %u\nthreads 2\nnumbering block\n",
			    lprocs / packages / 2);
		return;
	}
	fprintf(f, "numbering explicit\n");
	for (unsigned l = 0; l < lprocs && l < MAX_LPROCS; l++) {
		static const struct { enum head_key key; const char *word; }
		part[] = {
			{ HEAD_LPROC_PACKAGE, "pkg" },
			{ HEAD_LPROC_CORE, "core" },
			{ HEAD_LPROC_THREAD, "thread" },
			{ HEAD_LPROC_DIE, "die" }, { HEAD_LPROC_NODE, "node" },
		};

		for (unsigned i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
			double v = head_number(rp->reader, part[i].key, AT(l),
			    -1);

			if (i == 0 && v < 0)
				break;          /* offline when recorded */
			if (i == 0)
				fprintf(f, "lproc %u", l);
			fprintf(f, " %s=%.0f", part[i].word, v < 0 ? 0 : v);
			if (i == sizeof(part) / sizeof(part[0]) - 1)
				putc('\n', f);
		}
	}
}

/* Sets the register that a constant of the dump was read from. */
static void
say_constants(const struct replay *rp, FILE *f)
{
	double ratio = head_number(rp->reader, HEAD_TSC_RATIO, ALONE, 0);
	double tj = head_number(rp->reader, HEAD_PROCHOT, ALONE, 0);
	double watts = head_number(rp->reader, HEAD_RAPL_POWER_UNIT, ALONE, 0);
	double joules = head_number(rp->reader, HEAD_RAPL_PKG_ENERGY_UNIT,
	    ALONE, 0);
	double secs = head_number(rp->reader, HEAD_RAPL_TIME_UNIT, ALONE, 0);
	double tdp = head_number(rp->reader, HEAD_PACKAGE_TDP, ALONE, 0);

	if (ratio > 0 && ratio < 256)
		fprintf(f, "msr 0xce pkg = 0x%x\n", (unsigned)ratio << 8);
	if (tj > 0 && tj < 256)
		fprintf(f, "msr 0x1a2 pkg = 0x%x\n", (unsigned)tj << 16);
	if (watts > 0 && watts <= 1 && joules > 0 && joules <= 1 && secs > 0 &&
	    secs <= 1)
		fprintf(f, "msr 0x606 pkg = 0x%x\n",
		    ((unsigned)lround(-log2(watts)) & 0xf) |
		    ((unsigned)lround(-log2(joules)) & 0x1f) << 8 |
		    ((unsigned)lround(-log2(secs)) & 0xf) << 16);
	if (watts > 0 && tdp > 0 && tdp / watts < 32768)
		fprintf(f, "msr 0x614 pkg = 0x%x\n",
		    (unsigned)lround(tdp / watts));
}

/* Adds the MSRs that the user named, whatever the machine has. */
static void
say_raw(const struct replay *rp, FILE *f)
{
	unsigned msr;

	for (unsigned i = 0; i < read_constants(rp->reader); i++) {
		const struct constant *k = read_constant(rp->reader, i);

		if (k->key == HEAD_RAW_READ &&
		    sscanf(k->text, "msr=%x", &msr) == 1)
			fprintf(f, "msr 0x%x lproc = 1\n", msr);
	}
}

/* The instances of a type in package p that the dump has columns of. */
static uint64_t
recorded(const struct replay *rp, const struct box_type *b, unsigned p)
{
	uint64_t mask = 0;

	for (unsigned c = 0; c < rp->ncolumn; c++) {
		const struct column_id *id = &read_column(rp->reader, c)->id;

		if (id->family->type == b && id->family->freerun == NULL &&
		    id->nindex >= 2 && id->index[0] == p &&
		    id->index[1] < b->instances)
			mask |= 1ull << id->index[1];
	}
	return mask;
}

static void
say_capid(const struct capid *cap, FILE *f, uint64_t mask, unsigned p)
{
	for (int i = 0; i < 2 && (i == 0 || cap->offset[i] != 0); i++)
		fprintf(f, "pci bus%u:%02x.%x 0x%x = 0x%x pkg=%u\n", cap->bus,
		    cap->devfn >> 3, cap->devfn & 7, cap->offset[i],
		    (uint32_t)(mask >> 32 * i), p);
}

/* The least value of the field by which all these instances are there. */
static void
say_count(const struct box_count *c, FILE *f, uint64_t mask, unsigned p)
{
	unsigned n = 64 - (unsigned)__builtin_clzll(mask), value = n;

	if (c->many != NULL)
		for (value = 0; c->many[value] < n &&
		    value < (2u << (c->hi - c->lo)) - 1;)
			value++;
	if (c->space == REG_PCI)
		fprintf(f, "pci bus%u:%02x.%x 0x%x = 0x%x pkg=%u\n", c->bus,
		    c->devfn >> 3, c->devfn & 7, c->reg, value << c->lo, p);
	else
		fprintf(f, "msr 0x%x pkg = 0x%x pkg=%u\n", c->reg,
		    value << c->lo, p);
}

/* Sets the registers from which the number of boxes is read. */
static void
say_presence(const struct replay *rp, FILE *f, unsigned packages)
{
	for (const struct box_type *b = rp->model->box; b->name != NULL; b++)
		for (unsigned p = 0; p < packages && p < 2; p++) {
			uint64_t mask = b->presence == PRESENT_CAPID ||
			    b->presence == PRESENT_COUNT ?
			    recorded(rp, b, p) : 0;

			if (mask == 0)
				continue;
			fputs("box ", f);
			for (const char *c = b->name; *c != '\0'; c++)
				putc(tolower((unsigned char)*c), f);
			fprintf(f, " pkg=%u present=0x%" PRIx64 "\n", p, mask);
			if (b->presence == PRESENT_CAPID)
				say_capid(&rp->model->capid, f, mask, p);
			else
				say_count(b->count, f, mask, p);
		}
}

int
replay_shape(struct replay *rp, struct diag *why)
{
	const char *name = head_text(rp->reader, HEAD_MODEL, ALONE, "skx");
	unsigned packages = count_packages(rp);
	const struct text *t;
	char *text = NULL;
	size_t size;
	FILE *f;
	int rc;

	if ((rp->model = model_named(name)) == NULL)
		return diag_set(why, -ENOTSUP, "%s: recorded on a model that "
		    "is not known: \"%s\"", read_path(rp->reader), name);
	if (rp->model->fixed == NULL)
		return diag_set(why, -ENOTSUP, "%s: on this model the kernel "
		    "counts, and there are no registers to replay (tally reads "
		    "the dump as it is)", read_path(rp->reader));
	for (t = texts; t->name != NULL; t++)
		if (strncmp(t->name, name, strlen(name)) == 0 &&
		    t->name[strlen(name)] == '-' &&
		    text_is(t, TEXT_MACHINE))
			break;
	if (t->name == NULL)
		return diag_set(why, -ENOTSUP, "no machine of model %s is "
		    "known, to replay on", name);
	if ((f = open_memstream(&text, &size)) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	fwrite(t->data, 1, (size_t)(t->end - t->data), f);
	fprintf(f, "\nhost %s\n", head_text(rp->reader, HEAD_HOST, ALONE, "replay"));
	say_topology(rp, f, packages);
	say_raw(rp, f);
	say_constants(rp, f);
	say_presence(rp, f, packages);
	rc = fclose(f) != 0 || text == NULL ? diag_set(why, -ENOMEM, "out of memory") :
	    machine_parse(&rp->sim, read_path(rp->reader), text, size, why);
	free(text);
	if (rc == 0)
		sim_tape_clock(rp->sim, rp->clock, rp->n);
	return rc;
}
