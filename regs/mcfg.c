/*
 * regs/mcfg.c - the ECAM windows, from the files of a node.
 */
#include "regs/mcfg.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLES "/sys/firmware/acpi/tables"
#define HEAD 44                 /* ACPI header of 36 bytes, 8 reserved */
#define RECORD 16
#define IOMEM_SIZE (256 * 1024)

/* What try_table needs: its ctx. */
struct acpi_search {
	struct mcfg *mcfg;
	struct access *acc;
};

static void
mcfg_add(struct mcfg *m, uint64_t base, unsigned seg, unsigned first,
    unsigned last)
{
	if (m->n < MAX_SEGMENTS && base != 0 && first <= last && last <= 0xff)
		m->ecam[m->n++] = (struct ecam){ base, seg, first, last };
}

/* Adds the windows of the first ACPI table MCFG; its name can have a suffix
 * ("MCFG1"). */
static void
try_table(void *ctx, const char *name)
{
	struct acpi_search *s = ctx;
	uint8_t buf[HEAD + RECORD * MAX_SEGMENTS];
	char path[384];
	ssize_t n;
	uint32_t length;

	if (strncmp(name, "MCFG", 4) != 0 || s->mcfg->n > 0)
		return;
	snprintf(path, sizeof(path), TABLES "/%.255s", name);
	n = access_file(s->acc, path, 0, buf, sizeof(buf));
	if (n < HEAD || memcmp(buf, "MCFG", 4) != 0)
		return;
	memcpy(&length, buf + 4, sizeof(length));
	if (length < (uint64_t)n)
		n = length;
	for (uint8_t *r = buf + HEAD; r + RECORD <= buf + n; r += RECORD) {
		uint64_t base;
		uint16_t seg;

		memcpy(&base, r, sizeof(base));
		memcpy(&seg, r + 8, sizeof(seg));
		mcfg_add(s->mcfg, base, seg, r[10], r[11]);
	}
	snprintf(s->mcfg->source, sizeof(s->mcfg->source), "ACPI %.32s", name);
}

/* Adds the windows of lines as
 * "b0000000-bfffffff : PCI MMCONFIG 0000 [bus 00-ff]"; kernels from 6.8 on
 * write "PCI ECAM".  The range starts at the first bus, not at bus 0. */
static void
try_iomem(struct mcfg *m, struct access *acc)
{
	char *text = malloc(IOMEM_SIZE), *save = NULL;

	if (text == NULL || access_slurp(acc, "/proc/iomem", text,
	    IOMEM_SIZE) < 0) {
		free(text);
		return;
	}
	for (char *line = strtok_r(text, "\n", &save); line != NULL;
	    line = strtok_r(NULL, "\n", &save)) {
		uint64_t start;
		unsigned seg, first, last;
		const char *what = strstr(line, "PCI MMCONFIG ");

		if (what == NULL && (what = strstr(line, "PCI ECAM ")) == NULL)
			continue;
		if (sscanf(line, " %" SCNx64 "-", &start) == 1 &&
		    sscanf(strchr(what + 4, ' '), " %x [bus %x-%x]", &seg,
		    &first, &last) == 3 && start != 0)
			mcfg_add(m, start - ((uint64_t)first << 20), seg, first,
			    last);
	}
	free(text);
	strcpy(m->source, "/proc/iomem");
}

void
mcfg_load(struct mcfg *m, struct access *acc)
{
	*m = (struct mcfg){ .n = 0 };
	access_list(acc, TABLES, try_table, &(struct acpi_search){ m, acc });
	if (m->n == 0)
		try_iomem(m, acc);
}

int
mcfg_base(struct access *acc, uint64_t *base)
{
	struct mcfg m;

	mcfg_load(&m, acc);
	for (unsigned i = 0; i < m.n; i++)
		if (m.ecam[i].seg == 0 && m.ecam[i].first_bus == 0) {
			*base = m.ecam[i].base;
			return 0;
		}
	return -ENOENT;
}
