/*
 * config/lang/events.h - what to count: the configuration language.
 *
 * Plain text, one statement a line, '#' starts a comment:
 *
 *   statement = [ "optional" ] ( count | filter | fixed | read )
 *             | "set" NAME
 *             | "include" "NAME"          config/include.h
 *             | "soc" GROUP               the SoC counters, a group at a time
 *             | "constant" NAME NUMBER    for the dump's header and metrics
 *             | peak                      config/lang/statements.h
 *             | [ "optional" ] "event" group...
 *             | ( "software" | "kernel-pmu" | "hardware-cache" )
 *               ( "on" | "off" )
 *             | "dispatch" ( "on" | "off" | "type" )
 *             | "cores" STRING...         config/lang/want.h
 *             | "event-list" FILE
 *             | "option" "--" NAME [ VALUE ]      config/lang/statements.h
 *             | "report" NAME             config/lang/statements.h
 *   read      = "read" ( NAME... [ every ] | raw | file )   readable.c,
 *                                           file_read.c
 *   count     = box EVENT [ encoding ] [ every ]    one event on one counter
 *   every     = "every" SAMPLES             config/lang/statements.h
 *   filter    = box FILTER "=" NUMBER       a register shared by a box
 *   fixed     = box "fixed"                 the fixed counter(s) of a box
 *   box       = NAME [ "[" [ pkg "/" ] list "]" ]    imc  cha[0-3]  imc[1/2]
 *   list      = range { "," range } ;  range = NUMBER [ "-" NUMBER ] | "*"
 *   encoding  = item { "," item }           several words are one encoding
 *   item      = NUMBER                      a raw control value, enable
 *                                           bit included or not; first
 *             | field "=" NUMBER
 *
 *   group     = one { "," one }             "..." around it or not
 *   one       = NAME                        of the kernel (instructions,
 *                                           LLC-loads, cpu-clock), of the model
 *                                           or of an event list; the two take
 *               [ ( ":" | "," ) field "=" NUMBER { "," field "=" NUMBER } ]
 *             | PMU "/" term { "," term } "/"     config/lang/terms.h
 *             | "r" HEX                       the core PMU's config
 *
 *   imc      CAS_COUNT.READS     event=0x04,umask=0x03
 *   cha[0-3] SF_EVICTION.M_STATE 0x0040013d
 *   core     INST_RETIRED.ANY_P              # by name, from an event list
 *   cha      TOR_INSERTS.IA_MISS filter1=0x3b        # and changed
 *   cha      TOR_INSERTS.IA_MISS:config1=0x3b00000000    # as perf writes it
 *   core     CPU_CLK_UNHALTED.KERNEL event=0x3c,os=1,counter=0
 *   cha      TOR_INSERTS.IA_MISS event=0x35,umask=0x21,filter1=0x40433
 *   cha      filter1=0x3b
 *   core     fixed
 *   imc      fixed
 *   read     aperf mperf rapl_pkg_energy     # registers that always count
 *   read     iio_bytes                       # a kind of free-running counter
 *   soc      UNC_SOC_Memory_DDR_BW           # where there is a message bus
 *   constant dram_base_hz 800000000          # names: the model's
 *   event    instructions,cpu-cycles LLC-load-misses
 *   event    uncore_imc/event=0x04,umask=0x03,name=CAS_COUNT.READS/
 *   software on                              # the kernel's own nine
 *
 * Fields are those of the box's type in the model, plus `counter=N` (pin it)
 * and the names of its filters, which `config1` gives as perf does: the 32 low
 * bits are filter0 and the high ones filter1; for a core event all of it is
 * the one register that its event needs.  An event from a list may be followed
 * by fields that change it.  A core event counts user and kernel unless usr=
 * or os= says otherwise.  `optional` makes a statement about a box that the
 * node lacks no error.  `set` holds to the end of the file; of the SoC groups
 * each needs all eight counters, so a set can have one.  A text that is included
 * begins in the set of that line, which goes on behind it, and is read once in
 * each set; @hpc is that of the CPU there, too.
 *
 * An `event` is the same event, in the same column, as a line of its box; what
 * only the kernel can count needs --access perf, software events aside.  There
 * a group is counted at one time, sets are groups that the kernel gives turns,
 * and several events of one name are told apart by "@" and a word after it:
 * INST_RETIRED@l1.  `cores` holds for the events below it: an lproc by itself
 * has its own column, those of a list are added up.  With `dispatch off` the
 * boxes of a package are, too; with `dispatch type` each has its own column,
 * and the number of its PMU in the event's name, as collectd's plugin has it:
 * EVENT:type=N, where N changes from boot to boot.
 */
#ifndef CONFIG_LANG_EVENTS_H
#define CONFIG_LANG_EVENTS_H

#include "config/lang/want.h"
#include "regs/model.h"

/*
 * config_parse - add the statements of one text.  `file` names it in messages.
 * Returns 0, or -EINVAL (-ENOMEM) with "file:line: what, and what instead".
 */
int config_parse(struct config *, const char *file, const char *text,
    size_t size, struct diag *why);

/* config_load - config_parse of a file, or of the built-in text
 * of that @name (config/texts.h), or where there is none of that name and the
 * model's: "@hpc" is "@hpc-skx". */
int config_load(struct config *, const char *file, struct diag *why);

/*
 * config_inputs - the original tool's five files in a directory, unchanged:
 * core_msr_control.input, core_msr_perfevtsel.input, cha_perfevtsel.input,
 * imc_perfevtsel.input, pcu_perfevtsel.input.  A file that is not there adds
 * nothing; a directory with none of them is an error.  Counters are pinned as
 * the files say; CHA "counters" 4 and 5 are filter0 and filter1; IMC
 * "counter" 4 is the fixed counter.  Boxes are `optional`: the files list all
 * that a package can have.  What the tool samples in any case is added, as
 * far as the model has it: fixed counters, scalars, I/O bytes, networks.
 */
int config_inputs(struct config *, const char *dir, struct diag *why);
/* config_parse_input - one of them, by its name. */
int config_parse_input(struct config *, const char *file, const char *text,
    size_t size, struct diag *why);

/* ---- event lists --------------------------------------------------------- */

/* An event is found by name first in the lists that the user gave (--event-list,
 * event-list FILE), then in those that are built in for the CPU. */
struct listed_event;
struct near;

/* listed_builtin - the event lists built in for this CPU, read on the first
 * call. NULL: there are none. */
const struct eventlist *listed_builtin(struct config *);
/* listed_find - find an event of a box type (NULL: of any) by name; NULL if
 * there is none. */
const struct listed_event *listed_find(struct config *,
    const struct box_type *, const char *name);
/* listed_whole - is the whole word an event's name, even if it contains a
 * colon? "@" and what follows is ignored. */
bool listed_whole(struct config *, const struct box_type *, struct word name);
/* listed_near - collect names similar to the wanted one. */
void listed_near(struct config *, const struct box_type *, struct near *);

/* ---- @default-any -------------------------------------------------------- */

/* The default configuration for CPUs without one of their own, made of what the node
 * offers. */
struct cpu_id;

#define DEFAULT_ANY "@default-any"

/* What can count on this node. */
enum default_way {
	DEFAULT_COUNTERS,       /* registers, or the kernel's PMU of the cores */
	DEFAULT_SOFTWARE,       /* the kernel by itself, without counters */
	DEFAULT_FILES,          /* nothing can count: read files only */
};

/* default_any - make the text of @default-any, which the caller frees.  If the kernel
 * counts, the text has the events that its PMUs offer.  NULL: out of memory. */
char *default_any(const struct model *, const struct cpu_id *, struct access *,
    enum default_way);

#endif
