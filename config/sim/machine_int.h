/*
 * config/sim/machine_int.h - shared by the files that read a machine's text.
 *
 * machine.c       lines, faults, the whole text
 * machine_word.c  numbers, lists, rates: what statements are made of
 * machine_node.c  statements about the node, its clock and its phases
 * machine_reg.c   registers that belong to no box, and files
 * machine_box.c   PMON blocks and what they count
 * machine_does.c  how counters count the work of a stimulus of --prove
 * machine_soc.c   a message bus and what its counters count
 *
 * Where a function returns int, that is 0 or -errno with words in p->why.
 */
#ifndef CONFIG_SIM_MACHINE_INT_H
#define CONFIG_SIM_MACHINE_INT_H

#include "config/sim/machine.h"
#include "regs/access.h"
#include "regs/sim/sim.h"
#include "regs/sim/sim_desc.h"
#include "regs/sim/sim_words.h"

#define MAX_HZ UINT64_C(10000000000000) /* of a rate, and of its steps */
#define MAX_FAULTS 1000
#define MAX_LIKES 4

struct fault_line {
	unsigned line;
	const char *text;
};

struct machine {
	struct sim_desc *d;
	unsigned line;
	char *rest;             /* the unread part of the line */
	struct fault_line fault[MAX_FAULTS];
	unsigned nfault;
	char *like[MAX_LIKES];  /* texts of the machines named by `like`, one
	                         * inside the other */
	unsigned nlike, within; /* nesting depth of the present line */
	struct diag *why;
};

/* machine_wrong - "file:line: ..."; returns -EINVAL. */
int machine_wrong(struct machine *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* Parse `word` (NULL accepted: it is missing) as a number from min to max. */
int machine_number(struct machine *, const char *what, const char *word,
    uint64_t min, uint64_t max, uint64_t *value);
int machine_unsigned(struct machine *, const char *what, const char *word,
    uint64_t min, uint64_t max, unsigned *value);
/* Parse a list of at most `room` numbers, "1,4-7"; returns how many. */
int machine_list(struct machine *, const char *what, char *word, uint64_t max,
    uint64_t *list, unsigned room);
/* Take a name of at most room - 1 characters. */
int machine_name(struct machine *, const char *what, const char *word,
    char *into, size_t room);
/* Cut "key=value" in two; false if there is no "=". */
bool machine_split(char *word, char **value);
/* Check that the line has no more words. */
int machine_ends(struct machine *);

/* Parse one option of RATES or WHERE; returns 1 if the key is not one of theirs. */
int machine_rate(struct machine *, struct sim_rate *, const char *key,
    const char *value, uint64_t max);
int machine_where(struct machine *, struct sim_where *, const char *key,
    const char *value);
/* Report an unknown key; right: the valid ones.  Returns -EINVAL. */
int machine_unknown(struct machine *, const char *key, const char *right);
extern const struct sim_where machine_anywhere;

/* machine_box_named - a box that an earlier line described, or NULL.
 * machine_fixed - parse "fixed" or "fixedN".
 * machine_masked - parse VALUE[/MASK]; without a mask, all bits count. */
struct sim_box *machine_box_named(struct sim_desc *, const char *name);
int machine_fixed(struct machine *, const struct sim_box *, const char *word,
    int *n);
int machine_masked(struct machine *, const char *what, char *word,
    uint64_t *value, uint64_t *mask);

/* Parse a statement, each by its first word; p->rest is what follows it. */
int machine_packages(struct machine *);
int machine_cores(struct machine *);
int machine_threads(struct machine *);
int machine_apic(struct machine *);
int machine_dies(struct machine *);
int machine_nodes(struct machine *);
int machine_numbering(struct machine *);
int machine_lproc(struct machine *);
int machine_host(struct machine *);
int machine_cpu_name(struct machine *);
int machine_cpu(struct machine *);
int machine_cpuid(struct machine *);
int machine_bus(struct machine *);
int machine_start(struct machine *);
int machine_tsc(struct machine *);
int machine_ntp(struct machine *);
int machine_read_cost(struct machine *);
int machine_noise(struct machine *);
int machine_phase(struct machine *);
int machine_msr(struct machine *);
int machine_pci(struct machine *);
int machine_mmio(struct machine *);
int machine_file(struct machine *);
int machine_global(struct machine *);
int machine_box(struct machine *);
int machine_event(struct machine *);
int machine_does(struct machine *);
int machine_pmu(struct machine *);
int machine_named(struct machine *);
int machine_hold(struct machine *);
int machine_kcount(struct machine *);
int machine_mailbox(struct machine *);
int machine_signal(struct machine *);
int machine_message(struct machine *);
/* Check a box for missing keys, after all of its statements were read. */
int machine_box_finish(struct machine *, struct sim_box *);

#endif
