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
	uint16_t vendor, device;        /* RAW_PCI: of every such function */
	uint64_t offset;                /* MSR number; byte of config space;
	                                 * physical address */
	uint8_t bits;                   /* the lowest so many count */
	bool gauge;                     /* they go up and down: no counter */
	unsigned every;                 /* samples from one reading to the next */
	const char *statement;          /* "msr=0x611 as E bits 32 per package" */
};

/* raw_read_is - does the word after `read` begin one? */
bool raw_read_is(struct word);

/*
 * raw_read_parse - what follows `read`.
 *
 * first  the word after it, which is off the line already
 * want   in: all but what it is; out: name, its family, and raw
 *
 * Returns 0, or -EINVAL with "file:line: ..." in why; -ENOMEM.
 */
int raw_read_parse(struct config *, struct scan *, struct word first,
    struct want *want, struct diag *why);

#endif
