/*
 * config/sim/machine_int.h - shared by the files that read a machine's text.
 *
 * machine.c       lines, the whole text; what counters do of a stimulus; a message bus
 * machine_fault.c a fault
 * machine_word.c  words, numbers, lists, rates: what statements are made of
 * machine_node.c  statements about the node, its clock and its phases
 * machine_reg.c   registers that belong to no box, and files
 * machine_box.c   PMON blocks and what they count
 *
 * Where a function returns int, that is 0 or -errno with words in p->why.
 */
#ifndef CONFIG_SIM_MACHINE_INT_H
#define CONFIG_SIM_MACHINE_INT_H

#include "config/sim/machine.h"
#include "regs/access.h"
#include "regs/sim/sim.h"
#include "regs/sim/sim_desc.h"

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

/* Words of a line.  line_word - the next word of *line, cut off there; NULL at the end of
 * the line or at a comment.  word_says - is the word (or NULL) this one?  Of a whole word:
 * line_number - decimal or 0x; line_seconds - "3", "0.25", in ns; line_function -
 * "3a:0a.2", or "bus2:0a.2": role 2. */
char *line_word(char **line);
bool word_says(const char *word, const char *s);
bool line_number(const char *word, uint64_t *value);
bool line_seconds(const char *word, uint64_t *ns);
bool line_function(const char *word, uint8_t *bus, bool *role, uint8_t *devfn);

/* machine_word - the next word of the statement; NULL at its end. */
char *machine_word(struct machine *);

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
/* A word KEY=VALUE that a statement may have: a number from min to max, or a text of at
 * most max characters. */
struct machine_key {
	const char *name;       /* "pkg=N", as a message shows it */
	uint64_t min, max;
	unsigned *small;        /* where it goes: one of these */
	uint64_t *large;
	char *text;
};
/* machine_keys - parse the rest of the statement, which has such words alone, each of
 * them or none.  keys: ends with name NULL. */
int machine_keys(struct machine *, const struct machine_key *keys);
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

/* machine_add_file - add a file, whose path and text are taken over; either is NULL: out
 * of memory. */
int machine_add_file(struct machine *, const struct sim_file *);
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
int machine_pmu(struct machine *);
int machine_named(struct machine *);
int machine_hold(struct machine *);
int machine_kcount(struct machine *);
/* Check a box for missing keys, after all of its statements were read. */
int machine_box_finish(struct machine *, struct sim_box *);

#endif
