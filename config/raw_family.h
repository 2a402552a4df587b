/*
 * config/raw_family.h - the families of the user's own registers and files:
 * `read msr=0x611 as E per package` is raw_pkg_E[package].
 */
#ifndef CONFIG_RAW_FAMILY_H
#define CONFIG_RAW_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

enum raw_of {
	RAW_LPROC,              /* raw_lproc_NAME[lproc], an MSR */
	RAW_PKG,                /* raw_pkg_NAME[package], an MSR */
	RAW_PCI,                /* raw_pci_NAME[package][n], in the package's
	                         * nth function of an id, by address */
	RAW_MMIO,               /* raw_mmio_NAME, at a physical address */
	RAW_FILE,               /* file_NAME, file_NAME["what a * stands for"] */
	RAW_NONE                /* not the user's: a built-in family */
};

/* Is such a register accessed by 32 bits (a 64-bit one as two halves)? */
static inline bool
raw_in_dwords(enum raw_of of)
{
	return of == RAW_PCI || of == RAW_MMIO;
}

/* raw_family - write the family's name into buf.
 * raw_family_of - the kind of a family, by its name. */
void raw_family(enum raw_of, const char *name, char *buf, size_t size);
enum raw_of raw_family_of(const char *family);

#endif
