/*
 * tests/lib/stand_in.h - a node of plain files, whose registers outlive a daemon
 * that is killed: two packages of a Skylake-SP with 2 cores x 2 threads, 4
 * CHAs, 6 memory channels and 3 UPI links each.
 *
 * Every register holds a number of its own, so that one that is written to and
 * not put back, and one that is read in another's place, both show: MSR m of
 * lproc l holds l << 16 | m, dword d of the nth PCI function n << 16 | d; both
 * leave bit 22, the enable bit of a counter, clear.
 */
#ifndef TESTS_STAND_IN_H
#define TESTS_STAND_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define STAND_IN_LPROCS 8

/* stand_in_new - the tree, in a fresh directory; tree_free removes it. */
char *stand_in_new(void);

/* The registers, behind the daemon's back. */
uint64_t stand_in_msr(const char *dir, unsigned lproc, uint32_t msr);
void stand_in_set_msr(const char *dir, unsigned lproc, uint32_t msr,
    uint64_t value);
/* stand_in_msr_gone - no MSR from this number on answers any more. */
void stand_in_msr_gone(const char *dir, unsigned lproc, uint32_t msr);
/* stand_in_pci - set every dword of a function ("0000:3a:0a.2"). */
void stand_in_pci(const char *dir, const char *function, uint32_t value);

/* stand_in_save - every byte of every register, stand_in_saved of them; free() it.
 * stand_in_same - fail the test unless all are as they were. */
extern const size_t stand_in_saved;
uint8_t *stand_in_save(const char *dir);
void stand_in_same(const char *dir, const uint8_t *before, const char *what);

/* with_shim - what is executed from now on takes the files for registers. */
void with_shim(void);

/* Options of a daemon that runs until it is stopped: five minutes at least. */
#define ENDLESS "-q", "-i", "0.005", "-n", "60000"
#define ARGS(...) ((const char *const []){ __VA_ARGS__, NULL })

/*
 * tallyd_start - the daemon on this node, its words in DIR/log, its dump at
 * DIR/dump.lua, whatever is there, and its store at DIR/store unless args say otherwise.
 *
 * args   ends with NULL
 * env    "NAME=VALUE" for the shim, or NULL
 */
pid_t tallyd_start(const char *dir, const char *env, const char *const *args);
/* tallyd_exec - this process becomes it. */
_Noreturn void tallyd_exec(const char *dir, const char *env,
    const char *const *args);
/* tallyd_wait - its exit status, or minus the signal that killed it. */
int tallyd_wait(pid_t);
/* tallyd_run - both. */
int tallyd_run(const char *dir, const char *env, const char *const *args);
/* tallyd_rows - wait until the store has n rows; fails the test when a daemon
 * has ended without. */
void tallyd_rows(const char *dir, uint64_t n);
/* tallyd_said - does DIR/log contain this? */
bool tallyd_kept_quiet(const char *dir, const char *words);
bool tallyd_said(const char *dir, const char *words);
/* tallyd_failed - fail the test, with what the daemon said. */
void tallyd_failed(const char *dir, const char *what, int status);
/* in_dir - DIR/name in a buffer of 512. */
const char *in_dir(const char *dir, const char *name, char *buf);

/* small_tmpfs - a tmpfs of so many KiB at DIR/name; false where that needs
 * rights that nobody here has. */
bool small_tmpfs(const char *dir, const char *name, unsigned kib);

#endif
