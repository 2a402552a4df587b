/*
 * config/lang/readable.h - the names that a `read` statement can have: registers that
 * always count and need no programming, registers by address, numbers in files.
 */
#ifndef CONFIG_LANG_READABLE_H
#define CONFIG_LANG_READABLE_H

#include "config/file_number.h"
#include "config/lang/want.h"
#include "config/scan.h"

/* readable_name - check a word after `read`.  name: out, the word in the spelling of the
 * model, valid as long as the config.  0, -ENOMEM, or -EINVAL with a message that lists
 * the valid names. */
int readable_name(struct config *, struct word, const char **name, struct place,
    struct diag *why);

/* readable_kind - the name of a kind of free-running counters, made of their box and what
 * they count: "iio_bytes", "iio_busy", "iio_clocks". */
const char *readable_kind(const struct freerun *, char *buf, size_t size);
/* readable_is - is this word after `read` the kind of this free-running counter?  The
 * caller handles "all". */
bool readable_is(const char *name, const struct freerun *);
/* readable_port - the model's free-running counter with a family for each stack and port,
 * by the name of such a family: "iio_PCIe2_port0_in_bytes"; or NULL. */
const struct freerun *readable_port(const struct model *, const char *name);

/* ---- a register by its address ------------------------------------------- */

/* The `read` statement of a register that the user names by its address, and that no
 * table knows. */
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

/* ---- a number in a file -------------------------------------------------- */

#define MAX_FILE_PATH 255

struct file_read {
	const char *path;               /* on the node; a * matches any text without a
	                                 * slash, and each match is a column */
	bool binary;                    /* eight bytes, little-endian; else text */
	uint64_t at;                    /* offset of the number in the file */
	bool gauge;                     /* the number may fall: it is no counter */
	double scale;                   /* the number times this is in `unit` */
	const char *unit;               /* "": not known */
	unsigned every;                 /* samples from one reading to the next */
	const char *statement;          /* "file=PATH gauge unit=W as POWER" */
};

/* file_read_is - does the word after `read` begin such a statement? */
bool file_read_is(struct word);

/*
 * file_read_parse - parse the rest of a `read` statement.
 *
 * first  the word after `read`, which was scanned already
 * want   in: set, file, line, optional; out: name (its family) and of_file
 *
 * Returns 0, or -EINVAL with "file:line: ..." in why; -ENOMEM.
 */
int file_read_parse(struct config *, struct scan *, struct word first,
    struct want *want, struct diag *why);

#endif
