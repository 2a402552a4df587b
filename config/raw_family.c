/*
 * config/raw_family.c - the families of the user's own registers and files.
 */
#include "config/raw_family.h"

#include <stdio.h>
#include <string.h>

static const char *const prefix[RAW_NONE] = {
	[RAW_LPROC] = "raw_lproc_", [RAW_PKG] = "raw_pkg_",
	[RAW_PCI] = "raw_pci_", [RAW_MMIO] = "raw_mmio_",
	[RAW_FILE] = "file_",
};

void
raw_family(enum raw_of of, const char *name, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s", prefix[of], name);
}

enum raw_of
raw_family_of(const char *family)
{
	enum raw_of of = RAW_LPROC;

	while (of < RAW_NONE &&
	    strncmp(family, prefix[of], strlen(prefix[of])) != 0)
		of++;
	return of;
}
