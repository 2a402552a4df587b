/*
 * tests/tools/node_machine.c - the facts of a real node, tests/data/nodes/NAME.tsv, as a
 * machine file: as far as they go.
 *
 *   node_machine TABLE        its lprocs by their APIC ids, CPUID, MSRs
 *   node_machine functions TABLE      lines of a list of PCI functions
 *
 * What the table lacks is absent in the machine, but for the counters of the core
 * that CPUID leaf 0xA says are there: they hold 0 and can be written.  An id
 * stands in a list of functions for the one that is looked for by it; the
 * others have one that nobody has.  Of AMD the same holds for the counters of the
 * core, the L3, the data fabric and the memory controllers that CPUID announces.
 */
#include <err.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 1024
#define MAX_LEAVES 200
#define MAX_PACKAGES 16

struct leaf {
	uint32_t leaf, sub, reg[4];
};

struct facts {
	struct leaf leaf[MAX_LEAVES];
	unsigned nleaf;
	uint32_t apic[CELLS];
	unsigned nlproc;
	unsigned pkg_shift, smt_shift;
	uint32_t pkg[MAX_PACKAGES];     /* as APIC ids have it */
	unsigned npkg;
	unsigned first[MAX_PACKAGES];   /* lproc */
};

static uint32_t
hex(const char *s)
{
	return s != NULL ? (uint32_t)strtoul(s, NULL, 16) : 0;
}

static unsigned
cut(char *row, char *cell[CELLS])
{
	unsigned n = 0;

	row[strcspn(row, "\n")] = '\0';
	while (row != NULL && n < CELLS)
		cell[n++] = strsep(&row, "\t");
	return n;
}

static const struct leaf *
leaf_of(const struct facts *f, uint32_t leaf, uint32_t sub)
{
	static const struct leaf none;

	for (unsigned i = 0; i < f->nleaf; i++)
		if (f->leaf[i].leaf == leaf && f->leaf[i].sub == sub)
			return &f->leaf[i];
	return &none;
}

static void
add_leaf(struct facts *f, char *const *cell)
{
	struct leaf *l = &f->leaf[f->nleaf++];

	if (f->nleaf == MAX_LEAVES)
		errx(1, "more than %d leaves", MAX_LEAVES);
	l->leaf = hex(cell[1]);
	l->sub = hex(cell[2]);
	for (unsigned i = 0; i < 4; i++)
		l->reg[i] = hex(cell[3 + i]);
	printf("cpuid 0x%" PRIx32 ".%" PRIu32 " 0x%08" PRIx32 " 0x%08" PRIx32
	    " 0x%08" PRIx32 " 0x%08" PRIx32 "\n", l->leaf, l->sub, l->reg[0],
	    l->reg[1], l->reg[2], l->reg[3]);
}

/* Family, model and stepping of leaf 1, as Intel and AMD add them up. */
static void
put_cpu(const struct facts *f)
{
	uint32_t v = leaf_of(f, 1, 0)->reg[0], family = v >> 8 & 0xf;
	const uint32_t *maker = leaf_of(f, 0, 0)->reg;
	char name[49] = "", *p = name;

	printf("cpu vendor=%.4s%.4s%.4s family=%u model=%u stepping=%u\n",
	    (const char *)&maker[1], (const char *)&maker[3],
	    (const char *)&maker[2], family == 15 ? 15 + (v >> 20 & 0xff) :
	    family, (v >> 4 & 0xf) | (v >> 12 & 0xf0), v & 0xf);
	for (unsigned i = 0; i < 3; i++)
		memcpy(name + 16 * i, leaf_of(f, 0x80000002 + i, 0)->reg, 16);
	while (*p == ' ')
		p++;
	for (size_t n = strlen(p); n > 0 && p[n - 1] == ' '; n--)
		p[n - 1] = '\0';
	printf("name %s\n", p);
}

/* Bits of an APIC id that are below its package's, and its core's: leaf 0x1F
 * where there is one, else leaf 0xB. */
static void
find_shifts(struct facts *f)
{
	uint32_t leaf = leaf_of(f, 0x1f, 0)->reg[1] != 0 ? 0x1f : 0xb;

	f->smt_shift = leaf_of(f, leaf, 0)->reg[0] & 0x1f;
	for (uint32_t sub = 0; (leaf_of(f, leaf, sub)->reg[2] >> 8 & 0xff) != 0;
	    sub++)
		f->pkg_shift = leaf_of(f, leaf, sub)->reg[0] & 0x1f;
}

static void
put_lprocs(struct facts *f)
{
	find_shifts(f);
	for (unsigned l = 0; l < f->nlproc; l++) {
		uint32_t pkg = f->apic[l] >> f->pkg_shift;
		unsigned p = 0;

		while (p < f->npkg && f->pkg[p] != pkg)
			p++;
		if (p == f->npkg) {
			if (f->npkg == MAX_PACKAGES)
				errx(1, "more than %d packages", MAX_PACKAGES);
			f->first[f->npkg] = l;
			f->pkg[f->npkg++] = pkg;
		}
		printf("lproc %u pkg=%u core=%u thread=%u node=%u\n", l, p,
		    (f->apic[l] >> f->smt_shift) & ((1u << (f->pkg_shift -
		    f->smt_shift)) - 1), f->apic[l] & ((1u << f->smt_shift) -
		    1), p);
		for (unsigned i = 0; i < f->nleaf && l > 0; i++)
			if (f->leaf[i].leaf == 0xb || f->leaf[i].leaf == 0x1f)
				printf("cpuid 0x%" PRIx32 ".%" PRIu32 " %" PRIu32
				    " %" PRIu32 " 0x%" PRIx32 " 0x%" PRIx32
				    " lproc=%u\n", f->leaf[i].leaf,
				    f->leaf[i].sub, f->leaf[i].reg[0],
				    f->leaf[i].reg[1], f->leaf[i].reg[2],
				    f->apic[l], l);
	}
	printf("packages %u ids=", f->npkg);
	for (unsigned p = 0; p < f->npkg; p++)
		printf("%s%u", p > 0 ? "," : "", f->pkg[p]);
	printf("\nnumbering explicit\n");
}

/* Which low bits of an APIC id are inside of an AMD's L3: by the level of type 2 of
 * leaf 8000_0026, before Zen 4 by the threads that leaf 8000_001D has of it. */
static void
put_complexes(const struct facts *f)
{
	unsigned shift = 0, sharers = (leaf_of(f, 0x8000001d, 3)->reg[0] >> 14 &
	    0xfff) + 1;

	if (leaf_of(f, 0x8000001e, 0)->leaf == 0)
		return;
	while (1u << shift < sharers)
		shift++;
	for (uint32_t sub = 0; sub < 4; sub++)
		if ((leaf_of(f, 0x80000026, sub)->reg[2] >> 8 & 0xff) == 2)
			shift = leaf_of(f, 0x80000026, sub)->reg[0] & 0x1f;
	printf("threads %u\napic pkg=%u ccx=%u\n", 1u << f->smt_shift,
	    f->pkg_shift, shift);
}

/* AMD's, where leaf 8000_0001 says that they are (ECX bits 23, 28, 24): controls
 * and counters in turn, with the global control and the memory controllers where
 * leaf 8000_0022 has them, and read-only APERF and MPERF. */
static void
put_amd_counters(const struct facts *f)
{
	uint32_t has = leaf_of(f, 0x80000001, 0)->reg[2];
	const uint32_t *v2 = leaf_of(f, 0x80000022, 0)->reg;
	const char *any = "write=0xffffffffffffffff";

	if ((has >> 23 & 1) == 0)
		return;
	printf("msr 0xc0010200 lproc = 0 n=12 write=0xffffffffffff\n"
	    "msr 0xc00000e7 lproc = 1 n=2\nmsr 0x10 lproc counter tsc\n");
	if ((has >> 28 & 1) != 0)
		printf("msr 0xc0010230 ccx = 0 n=12 %s\n", any);
	if ((has >> 24 & 1) != 0)
		printf("msr 0xc0010240 pkg = 0 n=%u %s\n", (v2[0] & 1) != 0 ?
		    2 * (v2[1] >> 10 & 0x3f) : 8, any);
	if ((v2[0] & 1) != 0)
		printf("msr 0xc0000301 lproc = 0 write=0x3f\n");
	if ((v2[0] & 1) != 0 && (v2[1] >> 16 & 0xff) != 0)
		printf("msr 0xc0010800 pkg = 0 n=%u %s\n", 2 * (v2[1] >> 16 &
		    0xff), any);
}

/* IA32_PERFEVTSELx, IA32_PMCx, fixed counters and their two controls. */
static void
put_counters(const struct facts *f)
{
	const uint32_t *a = leaf_of(f, 0xa, 0)->reg;
	unsigned general = a[0] >> 8 & 0xff, fixed = a[3] & 0x1f;

	if ((a[0] & 0xff) == 0)
		return;
	printf("msr 0x186 lproc = 0 n=%u write=0xffffffff\n"
	    "msr 0xc1 lproc = 0 n=%u write=0xffffffffffff\n"
	    "msr 0x309 lproc = 0 n=%u write=0xffffffffffff\n"
	    "msr 0x38d lproc = 0 write=0xffff\n"
	    "msr 0x38f lproc = 0 write=0xf000000ff\n"
	    "msr 0x10 lproc counter tsc\n", general, general, fixed);
}

static void
put_msr(const struct facts *f, char *const *cell)
{
	unsigned lproc = (unsigned)atoi(cell[1]), p = 0;

	if (strcmp(cell[3], "fault") == 0)
		return;
	while (p < f->npkg && f->first[p] != lproc)
		p++;
	printf("msr 0x%s lproc = 0x%s", cell[2], cell[3]);
	printf(p > 0 ? " pkg=%u\n" : "\n", p);
}

static void
put_node(FILE *in)
{
	struct facts *f = calloc(1, sizeof(*f));
	char *line = NULL, *cell[CELLS];
	size_t size = 0;
	unsigned n;

	if (f == NULL)
		err(1, NULL);
	printf("host bare\n");
	while (getline(&line, &size, in) > 0) {
		n = cut(line, cell);
		if (strcmp(cell[0], "cpuid") == 0 && n == 7)
			add_leaf(f, cell);
		else if (strcmp(cell[0], "apic") == 0) {
			for (; f->nlproc + 1 < n; f->nlproc++)
				f->apic[f->nlproc] = hex(cell[f->nlproc + 1]);
			put_cpu(f);
			put_lprocs(f);
			put_complexes(f);
			put_counters(f);
			put_amd_counters(f);
		} else if (strcmp(cell[0], "msr") == 0 && n == 4)
			put_msr(f, cell);
		else
			errx(1, "a row \"%s\"", cell[0]);
	}
	free(line);
	free(f);
}

static void
put_functions(FILE *in)
{
	char *line = NULL, *cell[CELLS];
	size_t size = 0;
	unsigned n;

	while (getline(&line, &size, in) > 0) {
		n = cut(line, cell);
		if (strcmp(cell[0], "pci") == 0)
			printf("pci %s 0 words %s\n", cell[1], n > 3 &&
			    strcmp(cell[3], "PMON MSM") == 0 ? "0x09a78086" :
			    "0x00018086");
	}
	free(line);
}

int
main(int argc, char **argv)
{
	bool functions = argc == 3 && strcmp(argv[1], "functions") == 0;
	FILE *in;

	if (!functions && argc != 2)
		errx(64, "usage: node_machine [functions] TABLE");
	if ((in = fopen(argv[argc - 1], "r")) == NULL)
		err(1, "%s", argv[argc - 1]);
	if (functions)
		put_functions(in);
	else
		put_node(in);
	fclose(in);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(1, "standard output");
	return 0;
}
