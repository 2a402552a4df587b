/*
 * config/lang/raw_read.h - the `read` statement of a register that the user
 * names by its address, and that no table knows.
 */
#ifndef CONFIG_LANG_RAW_READ_H
#define CONFIG_LANG_RAW_READ_H

#include "config/lang/want.h"
#include "config/raw_family.h"
#include "config/scan.h"

struct raw_read {
	enum raw_of of;
	uint16_t vendor, device;        /* RAW_PCI: read in each function with this id */
	uint64_t offset;                /* MSR number; byte of config space;
	                                 * physical address */
	uint8_t bits;                   /* width: the lowest bits of the register */
	bool gauge;                     /* the value may fall: it is no counter */
	unsigned every;                 /* samples from one reading to the next */
	const char *statement;          /* "msr=0x611 as E bits 32 per package" */
};

/* raw_read_is - does the word after `read` begin such a statement? */
bool raw_read_is(struct word);

/*
 * raw_read_parse - parse the rest of a `read` statement.
 *
 * first  the word after `read`, which was scanned already
 * want   in: set, file, line, optional; out: name (its family) and raw
 *
 * Returns 0, or -EINVAL with "file:line: ..." in why; -ENOMEM.
 */
int raw_read_parse(struct config *, struct scan *, struct word first,
    struct want *want, struct diag *why);

#endif
