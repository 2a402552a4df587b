/*
 * daemon/instead/instead.h - what tallyd does in place of sampling.
 */
#ifndef DAEMON_INSTEAD_INSTEAD_H
#define DAEMON_INSTEAD_INSTEAD_H

#include "config/lang/want.h"
#include "daemon/node/node.h"
#include "daemon/options.h"
#include "topology/inventory.h"

#include <stdio.h>

/* check_print - what this node has, who else uses it, what is in the way.  Returns 0
 * only if sampling would work. */
int check_print(struct node *, const struct options *);

/* ask_run - --mark, --pause, --resume, --reload, --ask: asks the daemon that samples
 * and prints its answer.  Returns the exit status; has said why it failed. */
int ask_run(const struct options *);

/* dry_run_print - each register to be written, with its old value, its new value
 * and the fields of that, each event to be counted by the kernel and each
 * register to be read.  The plan has been saved (program_save). */
void dry_run_print(FILE *out, const struct node *);

/*
 * record_node - write what a run, --check and the lists read of a node, and every
 * register of its model's tables, into o->record_node.
 *
 * Only reads; of an Atom C2000 as --check does, which writes to its message bus
 * what it takes to read it.  Ten samples of what the configuration counts give
 * the rates.  Returns the exit status, and has said what was wrong.
 */
int record_node(struct node *, const struct options *);

/* list_what - print one of the lists.  node is NULL for lists of a model by name,
 * both are of what needs neither.  Returns 0 or -errno. */
int list_what(FILE *out, const char *what, const struct model *, struct node *,
    struct diag *why);

/* list_print - a built-in text, as it is.  Returns 0 or -ENOENT. */
int list_print(FILE *out, const char *name, struct diag *why);

/*
 * list_events - the model's own names, and those of the lists that were given,
 * else of those that are built in for the CPU.
 *
 * pattern  with * ? [...], of whole names; a word without: anywhere in them;
 *          case is ignored.  NULL: all
 *
 * Returns 0; -ENOENT when there is none, with names like it in why; -errno.
 */
int list_events(FILE *, const struct model *, struct config *,
    const char *pattern, struct diag *why);

/* list_table_words - discovery tables as they were read, entry by entry, as a machine
 * of --sim has them. */
void list_table_words(FILE *, const struct inventory *);

/* root_ports_say - for --check, a sentence a device and its root port.  Nothing of a
 * model whose domains say nothing of ports. */
void root_ports_say(FILE *, const struct node *);

#define ALLOWLIST "@msr-safe-allowlist"

/*
 * allowlist_print - a line for each MSR that is read, with the bits that may be
 * changed in it, none where it is read alone, in the form of msr-safe (LLNL,
 * README.md, /dev/cpu/msr_allowlist):
 *
 *   # MSR # Write Mask # Comment
 *   0x00000010 0x0000000000000000 # MSR_TSC
 *
 * node  planned, and opened with such options, so that it has noted what was
 *       read so far; here all is read once that sampling reads, nothing written
 *
 * Returns 0, or -errno with words; -ENOTSUP where the kernel counts.
 */
int allowlist_print(FILE *, struct node *, const struct options *,
    struct diag *why);

#endif
