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

#include <stdbool.h>

#include "config/lang/want.h"
#include "config/scan.h"

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

/* ---- groups -------------------------------------------------------------- */

/*
 * Groups of SoC events: the names of a group and of its counters, in order.  The
 * register writes that make the counters count it are in the site's file.
 *
 *   group NAME
 *   alias NAME...         other names of the group
 *   counters EVENT...     of counter 0, 1, ...
 *   clock N               counter N is the clock; left out: none is
 *   note TEXT             what readers of its figures have to know
 */

#define SOC_COUNTERS 8
#define SOC_ALIASES 4
#define SOC_NOTES 4

struct soc_group {
	const char *name;
	const char *alias[SOC_ALIASES];
	const char *event[SOC_COUNTERS];
	const char *note[SOC_NOTES];
	unsigned nalias, nevent, nnote;
	int clock;                      /* -1: none */
	unsigned line;
};

struct soc_groups {
	struct soc_group *group;
	unsigned n;
};

/* soc_groups_parse - parse a text with groups.  0, or -EINVAL (-ENOMEM) with "file:line:
 * ..." in why.  Strings are in the arena. */
int soc_groups_parse(struct soc_groups *, struct arena *, const char *file,
    const char *text, size_t size, struct diag *why);

/* soc_group_find - find a group by name or alias; NULL: there is none. */
const struct soc_group *soc_group_find(const struct soc_groups *,
    struct word name);

/* config_groups - fill cfg->groups from the model's text; 0 or -errno. */
int config_groups(struct config *, struct diag *why);

/* soc_parse - the rest of a statement "soc" GROUP.  like: its kind, set, file and
 * line.  0, or -EINVAL with "file:line: ..." in why; -ENOMEM. */
int soc_parse(struct config *, struct scan *, const struct want *like,
    struct diag *why);

#endif
