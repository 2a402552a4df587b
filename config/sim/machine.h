/*
 * config/sim/machine.h - the text that describes a simulated machine.
 *
 * One statement a line; "#" starts a comment.  Numbers are decimal or 0x;
 * buses and functions are hex, as lspci prints them; times are seconds.  Of
 * statements about the same thing the last one wins, so that lines appended
 * to a machine change it.
 *
 *   host NAME             cpu vendor=NAME family=N model=N stepping=N [guest=1]
 *   name CPU NAME         cpuid LEAF[.SUBLEAF] EAX EBX ECX EDX [lproc=N]
 *   packages N [ids=LIST] cores N [ids=LIST]    (cores of one package)
 *   threads N             dies N                nodes N     (of one package)
 *   numbering block       package by package, second threads last
 *           | interleaved packages in turn, second threads last
 *           | adjacent    the threads of a core side by side
 *           | explicit    only what lproc lines say
 *   apic pkg=SHIFT [ccx=SHIFT]   layout of APIC ids: package from bit SHIFT on,
 *                         below it core id and thread.  AMD's CPUID leaves show
 *                         them; lprocs with equal bits from ccx's SHIFT on share
 *                         an L3.  Without ccx: a package is one CCX.
 *   lproc N pkg=N core=ID [thread=N] [die=N] [node=N] [apic=ID]
 *   bus PKG HEX...        the buses of a package, by role
 *
 *   start SECONDS         CLOCK_REALTIME when the machine starts
 *   tsc HZ [init=N]       the TSC
 *   ntp ok|ins|del|oop|wait|error [error=US] [max=US]
 *                         how well its wall clock is synchronised: adjtimex(2)
 *   read_cost NS          virtual time that every bus access takes
 *   noise PERCENT [seed=N]
 *                         counts with RATES are lower by a random part, up to
 *                         PERCENT, drawn anew every 0.1 s; the same seed gives
 *                         the same numbers
 *   phase NAME [SECONDS]  the workload, in order; the last phase stays for
 *                         ever; a name may come again; "phase none" starts anew
 *
 * A register by itself: ADDRESS BODY, with
 *   ADDRESS = msr NUMBER (node | pkg | ccx | core | lproc)
 *           | pci BUS:DEV.FN OFFSET     BUS: hex, or busN: role N, any package
 *           | mmio ADDRESS
 *   BODY    = "=" VALUE [write=MASK]    bits of MASK can be written
 *           | reading RATES             a value by phase
 *           | counter [bits=N] [init=N] (tsc | RATES)    it always runs
 *           | raz-wi                      reads 0, forgets what is written
 *           | none                      there is no such register
 *   and [bits=N] [n=N] [stride=N] (a run of n registers) [WHERE].
 *   pci BUS:DEV.FN none                 takes the whole function away
 *   mmio ADDRESS words VALUE...         of 64 bits each, one after the other: a
 *                                       table of constants
 *   pci BUS:DEV.FN OFFSET words VALUE...        the same, of 32 bits
 *   msr NUMBER none                     needs no scope
 *   RATES   = { (PHASE | all | step | pkgstep | threadstep) "=" N }
 *           counts a second in that phase; where that is not 0, instance i,
 *           package p, thread t has i*step + p*pkgstep + t*threadstep more
 *   WHERE   = { (pkg | inst | thread | lproc) "=" N }
 *
 *   file PATH ("=" TEXT | counter ... | none)    \n and \t in TEXT
 *   file PATH text @NAME  the contents of that built-in text.  The text of a symbolic
 *                         link is its target
 *
 *   global MSR [freeze=MASK] [unfreeze=MASK] [frozen=0|1]
 *                         the uncore global control, one a package
 *   box NAME { KEY=VALUE }              a type of PMON block; see machine_box.c
 *   box NAME [pkg=N] present=MASK       bit i: instance i is there
 *   box NAME none
 *   event BOX CONTROL[/MASK] { FILTER=VALUE[/MASK] | FILTER&MASK } RATES WHERE
 *                         what a control value counts, its enable, overflow
 *                         and reset bits aside; FILTER&MASK: any of those bits
 *   event BOX CONTROL alone=PERCENT RATES WHERE      what it counts in full only
 *                         with the box's merge= in the counter behind
 *   event BOX fixed[N] RATES WHERE      what a fixed counter counts
 *
 *   does BOX (CONTROL[/MASK] | fixed[N]) ACT WHERE
 *   does msr NUMBER ACT [pkg=N]
 *   does mmio ADDRESS ACT pkg=N
 *                         how a counter counts the work of a stimulus of --prove:
 *                         ACT = NAME [*N] [/N], as in regs/stimulus.c
 *
 *   pmu, hold, named, count   what the kernel counts; see machine_perf.c
 *   mailbox, signal, message     a message bus and the counters behind it;
 *                         see machine.c
 *
 *   like @NAME            start from a built-in machine, which may itself be like
 *                         another one; the lines after it change it
 *
 *   from T [to T] ...     a fault; see machine_fault.c
 */
#ifndef CONFIG_SIM_MACHINE_H
#define CONFIG_SIM_MACHINE_H

#include <stddef.h>

#include "lib/diag.h"
#include "regs/sim/sim.h"

/*
 * machine_parse - make the machine that a text describes, at its time 0.
 *
 * file   the text's name, for messages
 * Returns 0, or -errno with "file:line: what is wrong" in why.
 */
int machine_parse(struct sim **, const char *file, const char *text,
    size_t size, struct diag *why);

/* machine_fault - add a fault, a line as in a machine's text ("from 3 lproc 5
 * offline").  0, or -EINVAL (-ENOMEM) with "fault: ..." in why. */
int machine_fault(struct sim *, const char *line, struct diag *why);

/* machine_load - machine_parse of a file, or of a built-in machine by its name. */
int machine_load(struct sim **, const char *file, struct diag *why);

/* machine_open - machine_load, as a method of access. */
int machine_open(struct access **, const char *file, struct diag *why);

#endif
