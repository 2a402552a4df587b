/*
 * config/lang/site.h - what a site knows of its own machines: which writes set
 * the muxes of a SoC so that its counters count a group.  These values are not
 * public, so none are shipped; doc/rangeley.md says how a site can get them.
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
	const char *source;             /* "" when it does not say */
	uint8_t counter_port, mux_port, opcode;
	double max_interval;            /* s */
	bool readback, preprogrammed, simulation;
	struct site_group *group;
	unsigned n;
};

/* site_parse - give a configuration whose model has a message bus its site, from
 * this text.  0, or -EINVAL (-ENOMEM) with "file:line: what, and what instead"
 * in why.  Defaults are the model's. */
int site_parse(struct config *, const char *file, const char *text,
    size_t size, struct diag *why);

/*
 * site_configure - give a configuration its site, from the file that it is in.
 *
 * file            --site; NULL: the node's own, struct soc's `site`, where
 *                 there is one
 * preprogrammed   --soc-preprogrammed
 * acc             NULL: no node, so no file of its own
 *
 * Nothing to do for a model without a message bus; then both options are
 * refused.  Returns 0 or -errno.
 */
int site_configure(struct config *, struct access *acc, const char *file,
    bool preprogrammed, struct diag *why);

/* site_find - the programming of a group, or NULL. */
const struct site_group *site_find(const struct site *,
    const struct soc_group *);

#endif
