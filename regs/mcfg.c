/*
 * regs/mcfg.c - the ECAM window, from the files of a node.
 */
#include "regs/mcfg.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MCFG "/sys/firmware/acpi/tables/MCFG"
#define HEAD 44                 /* ACPI header of 36 bytes, 8 reserved */
#define RECORD 16
#define RECORDS 32
#define IOMEM_SIZE (256 * 1024)

static int
from_acpi(struct access *acc, uint64_t *base)
{
	uint8_t buf[HEAD + RECORD * RECORDS];
	ssize_t n = acc->ops->file(acc, MCFG, 0, buf, sizeof(buf));

	if (n < HEAD || memcmp(buf, "MCFG", 4) != 0)
		return -ENOENT;
	for (const uint8_t *r = buf + HEAD; r + RECORD <= buf + n;
	    r += RECORD) {
		uint16_t seg;

		memcpy(base, r, sizeof(*base));
		memcpy(&seg, r + 8, sizeof(seg));
		if (seg == 0 && r[10] == 0 && *base != 0)
			return 0;
	}
	return -ENOENT;
}

/* "e0000000-efffffff : PCI MMCONFIG 0000 [bus 00-ff]", or "PCI ECAM". */
static int
from_iomem(struct access *acc, uint64_t *base)
{
	char *text = malloc(IOMEM_SIZE), *save = NULL;
	int rc = -ENOENT;

	if (text == NULL || access_slurp(acc, "/proc/iomem", text,
	    IOMEM_SIZE) < 0) {
		free(text);
		return -ENOENT;
	}
	for (char *line = strtok_r(text, "\n", &save); line != NULL && rc < 0;
	    line = strtok_r(NULL, "\n", &save)) {
		const char *what = strstr(line, "PCI MMCONFIG 0000 [bus 00-");

		if (what == NULL)
			what = strstr(line, "PCI ECAM 0000 [bus 00-");
		if (what != NULL && sscanf(line, " %" SCNx64 "-", base) == 1 &&
		    *base != 0)
			rc = 0;
	}
	free(text);
	return rc;
}

int
mcfg_base(struct access *acc, uint64_t *base)
{
	return from_acpi(acc, base) == 0 ? 0 : from_iomem(acc, base);
}
