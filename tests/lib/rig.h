/*
 * tests/lib/rig.h - what the tests of tallyd share: a simulated node planned and
 * ready.
 */
#ifndef TESTS_RIG_H
#define TESTS_RIG_H

#include "tests/lib/files.h"

#include "daemon/node/node.h"
#include "daemon/read/sweep.h"

struct sim;
struct store;

/* machine_with - a built-in machine, @NAME, with `more` appended, on virtual time. */
struct sim *machine_with(const char *machine, const char *more);

/* A simulated node with a plan, as tallyd has it when sampling begins. */
struct rig {
	struct node node;
	struct options o;
	struct sweep sweep;
	uint64_t *row;
};

/* rig_open - machine and configuration: @NAME or path; config NULL: the
 * model's default.  Fails the test when anything is wrong. */
struct rig *rig_open(const char *machine, const char *config);
/* rig_with - the same, from texts: a built-in machine with `more` appended;
 * config is configuration text.  rig_text - on the skx one. */
struct rig *rig_with(const char *machine, const char *more, const char *config);
struct rig *rig_text(const char *more, const char *config);
/* rig_on - on an access that is open, NULL: with the default. */
struct rig *rig_on(struct access *, const char *config);
/* rig_bare - up to its inventory: neither configuration nor plan. */
struct rig *rig_bare(const char *machine, const char *more);
/* rig_choose - read a configuration, choose the access as r->o asks, and plan.  False:
 * refused, with words in why; the rig is closed. */
bool rig_choose(struct rig *, const char *config, struct diag *why);
void rig_close(struct rig *);
/* rig_program - save and write; rig_restore - put all back.  Both fail the
 * test when refused. */
void rig_program(struct rig *);
void rig_restore(struct rig *);
/* rig_put_back - programs r, which takes more than `least` writes, and puts all back: fails
 * the test unless every register is as in `before` then.  Closes both. */
void rig_put_back(struct rig *r, struct rig *before, unsigned least);
/* rig_sample - one row. */
void rig_sample(struct rig *);
/* rig_value - a column's raw value in the last row; fails the test when there
 * is no such column. */
uint64_t rig_value(const struct rig *, const char *column);
bool rig_has(const struct rig *, const char *column);
/* rig_stored - the same, of a row of a store. */
uint64_t rig_stored(const struct rig *, const struct store *, uint64_t row,
    const char *column);
/* rig_second - what a column of 48 bits counts in one second from now. */
uint64_t rig_second(struct rig *, const char *column);
/* What a column counts in a second of idleness and of work. */
struct rig_rate {
	const char *column;
	uint64_t idle, work;
	unsigned bits;
};
/* rig_counted - fails the test unless n columns count their rates from second to second,
 * over 10 s of idleness and 20 s of work.  How often a counter was less than a second
 * before. */
unsigned rig_counted(struct rig *, const struct rig_rate *, size_t n);
/* rig_unit - box inst of a type, present or not; fails the test when the
 * inventory has none. */
const struct unit *rig_unit(const struct rig *, const char *type, unsigned pkg,
    unsigned inst);
/* rig_present - how many boxes of a type are there in a package. */
unsigned rig_present(const struct rig *, const char *type, unsigned pkg);
/* rig_sim - the machine behind it.  rig_fault - inject one there.
 * rig_same - fails the test unless both have the same in every register. */
struct sim *rig_sim(const struct rig *);
void rig_fault(const struct rig *, const char *line);
void rig_same(const struct rig *, const struct rig *other);

/* lists_of - Intel's event lists of a model, files below tests/data/perfmon up
 * to a NULL, as one; eventlist_free. */
struct eventlist *lists_of(const char *model, const char *const *file);

/* The C2000's message bus: bus_pci - a dword of PCI 0:0.0; bus_get, bus_put - a
 * register behind a port.  They fail the test when refused. */
uint64_t bus_pci(struct access *, unsigned offset);
uint64_t bus_get(struct access *, unsigned port, unsigned offset);
void bus_put(struct access *, unsigned port, unsigned offset, uint64_t value);

#endif
