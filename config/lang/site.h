/*
 * config/lang/site.h - a site's file about its own machines: the register writes that
 * set the muxes of an SoC so that its counters count a group of events.  These values
 * are not public, so none are shipped; doc/rangeley.md tells how a site can get them.
 *
 *   source TEXT               where the values come from; goes into the dump
 *   soc_counter_port N        0x17; unproven on C2000
 *   soc_mux_port N            0x18; likewise
 *   soc_opcode N              0x00: the one that reads counter registers
 *   soc_max_interval SECONDS  2; longest interval between two samples
 *   soc_readback 1            mux registers can be read: save and restore them
 *   soc_preprogrammed 1       another tool sets the muxes: only sample
 *   simulation                this file is for the simulated machine alone
 *   group NAME
 *   w PORT OFFSET VALUE [OPCODE]     a write; OPCODE: 0x01
 *   event COUNTER VALUE       its event register
 *   start VALUE               the start command, 0x00110000
 *   end
 *
 * The lines of a group are written in their order.  A write must go to the
 * counters' or the muxes' port, to an offset that Intel's driver allows for
 * this SoC, with an opcode that writes (an odd one).
 */
#ifndef CONFIG_LANG_SITE_H
#define CONFIG_LANG_SITE_H

#include "config/lang/want.h"
#include "config/lang/soc_groups.h"

struct site_write {
	uint8_t port, opcode;           /* opcode: the one that writes */
	uint32_t offset, value;
};

struct site_group {
	const struct soc_group *group;
	struct site_write *write;
	unsigned n;
	uint32_t start;
	bool starts;                    /* its writes start the counters */
	unsigned line;
};

struct site {
	const char *file;               /* NULL: the node has none */
	const char *source;             /* "": not given */
	uint8_t counter_port, mux_port, opcode;
	double max_interval;            /* s */
	bool readback, preprogrammed, simulation;
	struct site_group *group;
	unsigned n;
};

/* site_parse - parse a site's text into cfg->site; the model must have a message bus,
 * and has the defaults.  0, or -EINVAL (-ENOMEM) with "file:line: what, and what instead"
 * in why. */
int site_parse(struct config *, const char *file, const char *text,
    size_t size, struct diag *why);

/*
 * site_configure - find and parse the site's file.
 *
 * file            from --site; NULL: the node's own file (`site` of struct soc), if it
 *                 has one
 * preprogrammed   --soc-preprogrammed
 * acc             NULL: there is no node, and so no file of its own
 *
 * A model without a message bus needs no site: both options are refused.  Returns 0 or
 * -errno.
 */
int site_configure(struct config *, struct access *acc, const char *file,
    bool preprogrammed, struct diag *why);

/* site_find - the programming of a group, or NULL. */
const struct site_group *site_find(const struct site *,
    const struct soc_group *);

#endif
