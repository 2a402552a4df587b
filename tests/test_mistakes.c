/*
 * tests/test_mistakes.c - what was typed by mistake, and what the line says that
 * comes back.
 */
#include "tests/files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SKX "--sim @skx-8160-2s --virtual-time -n 2 -q --overwrite -o x.lua "

/* A list of the user's own, for a command that reads it. */
#define OWN(text, command) "echo '" text "' >own; tally " command " own good.lua"

/* Lines of a configuration, and a shell's: the exit status, and what is said. */
struct mistake {
	int line, status;
	const char *typed, *says;
};

static const struct mistake configs[] = {
	{ __LINE__, 1, "cor INST_RETIRED.ANY_P", "bad.conf:1: \"cor\" is no "
	    "box of Skylake-SP / Cascade Lake-SP; did you mean" },
	{ __LINE__, 1, "opt imc CAS_COUNT.READS event=4", "\"opt\" is no box "
	    "of Skylake-SP / Cascade Lake-SP; did you mean" },
	{ __LINE__, 1, "imcs CAS_COUNT.READS event=4", "\"imcs\" is no box "
	    "of Skylake-SP / Cascade Lake-SP; did you mean" },
	{ __LINE__, 1, "zzzzzz X event=4", "\"zzzzzz\" is no box of "
	    "Skylake-SP / Cascade Lake-SP: it has core" },
	{ __LINE__, 1, "mem READS event=4", "\"mem\" is no box of Skylake-SP "
	    "/ Cascade Lake-SP; did you mean imc?" },
	{ __LINE__, 1, "llc X event=0x34", "\"llc\" is no box of Skylake-SP "
	    "/ Cascade Lake-SP; did you mean cha?" },
	{ __LINE__, 1, "qpi X event=2", "\"qpi\" is no box of Skylake-SP / "
	    "Cascade Lake-SP; did you mean upi?" },
	{ __LINE__, 1, "interval = 1", "\"interval = ...\" is no statement; "
	    "an option of tallyd is" },
	{ __LINE__, 1, "interval 1", "\"interval\" is no statement; an option "
	    "of tallyd is written option --interval 1" },
	{ __LINE__, 64, "option interval 1", "option is one of tallyd's, as "
	    "on its command line: option" },
	{ __LINE__, 64, "option --intervall 1", "--intervall: no such "
	    "option; did you mean --interval? (see" },
	{ __LINE__, 64, "option --interval 100ms", "--interval 100ms: give "
	    "seconds, 0.001 to 3600; 100ms is 0.1" },
	{ __LINE__, 64, "option --check", "--check stands on the command "
	    "line alone" },
	{ __LINE__, 1, "<Plugin \"network\">", "\"<Plugin\" is collectd's "
	    "language; here a line says what to" },
	{ __LINE__, 1, "include other.conf", "\"include\" is no statement: "
	    "each file is given by a -c of its own" },
	{ __LINE__, 1, "metric ipc = a / b", "\"metric\" is no statement: "
	    "metrics stand in a file of their own," },
	{ __LINE__, 1, "perf stat -e cycles", "\"perf\" is no statement: an "
	    "event that perf names is written" },
	{ __LINE__, 1, "reads mperf", "\"reads\" is no box of Skylake-SP / "
	    "Cascade Lake-SP; did you mean" },
	{ __LINE__, 1, "core INST 0xc0", "bad.conf:1: control value 0xc0 counts "
	    "nothing, neither usr nor os: write event=0xc0,umask=0x0, or "
	    "0x300c0" },
	{ __LINE__, 1, "cores 999\ncore fixed", "bad.conf:1: cores: this node "
	    "has no lproc 999; write some of 0 to 95, as in cores \"[0-95]\"" },
	{ __LINE__, 0, "cores \"[94-97]\"\ncore fixed", "bad.conf:1: cores: this "
	    "node has no lproc 96, but 0 to 95; `optional event` counts on "
	    "those of the list that it has" },
	{ __LINE__, 1, "cores INST event=0xc0", "cores \"INST\": cores says "
	    "which lprocs are counted (cores" },
	{ __LINE__, 1, "core INST event=c0", "value \"c0\" is no number: "
	    "decimal, or hexadecimal after 0x" },
	{ __LINE__, 1, "core INST event=0xc0, umask=1", "a comma with "
	    "nothing beside it" },
	{ __LINE__, 1, "core INST event=0xc0,umask", "\"umask\" is no "
	    "FIELD=NUMBER" },
	{ __LINE__, 1, "core INST event=0x1c0", "event 0x1c0 is too large "
	    "for CORE, where it has bits 7:0: 0xff" },
	{ __LINE__, 1, "core INST evnt=0xc0", "CORE has no field \"evnt\"; "
	    "its fields are event umask usr os" },
	{ __LINE__, 1, "core INST event=0xc0,counter=9", "counter 9 is not "
	    "there: CORE has counters 0 to 7" },
	{ __LINE__, 1, "core INST", "did you mean INST_RETIRED.ANY, "
	    "INST_DECODED.DECODERS or INST_RETIRED.ANY_P?" },
	{ __LINE__, 1, "core", "what of CORE?  An event (CORE NAME "
	    "event=0x..,umask=0x..), a" },
	{ __LINE__, 1, "core fixd", "CORE has no event \"fixd\"; did you "
	    "mean fixed?" },
	{ __LINE__, 1, "core cycles", "CORE has no event \"cycles\": that is "
	    "perf's name, which stands" },
	{ __LINE__, 1, "core CAS_COUNT.READS", "CORE has no event "
	    "\"CAS_COUNT.READS\"; write" },
	{ __LINE__, 1, "core MEM_LOAD_RETIRED.L3_MIS", "did you mean "
	    "MEM_LOAD_RETIRED.L3_MISS, MEM_LOAD_RETIRED.L3_HIT or" },
	{ __LINE__, 1, "core A event=1\ncore A event=2", "bad.conf:2: A of "
	    "CORE is counted already (bad.conf:1); give one of them" },
	{ __LINE__, 1, "imc A event=4\nimc B event=1\nimc C event=2\nimc D "
	    "event=3\nimc E event=5", "bad.conf:5: E: no counter is left for "
	    "it on IMC 0, which has 4; take an" },
	{ __LINE__, 1, "imc X event=4,umsk=3", "IMC has no field \"umsk\"; "
	    "its fields are event umask edge inv" },
	{ __LINE__, 1, "cha LLC_LOOKUP.DATA_READS", "CHA has no event "
	    "\"LLC_LOOKUP.DATA_READS\"; did you mean" },
	{ __LINE__, 1, "cha X event=0x34,filter=1", "CHA has no field "
	    "\"filter\"; its fields are event umask edge" },
	{ __LINE__, 1, "read", "read what?  For instance: read aperf mperf" },
	{ __LINE__, 1, "read mpref", "nothing called \"mpref\" can be read; "
	    "did you mean mperf?" },
	{ __LINE__, 1, "read energy", "did you mean rapl_pkg_energy or "
	    "rapl_dram_energy?" },
	{ __LINE__, 1, "set", "a set needs a name: set io" },
};

static const struct mistake commands[] = {
	{ __LINE__, 0, "tallyd --help all | grep -c -e --keep-writing", "1" },
	{ __LINE__, 1, "tallyd --help | grep -e --keep-writing", "" },
	{ __LINE__, 0, "tally help all | grep ^usage | tail -1",
	    "usage: tally print" },
	{ __LINE__, 0, "tally --help | grep -c ':$'", "4" },
	{ __LINE__, 1, "tallyd " SKX "-c @default-spr", "@default-spr is of "
	    "another CPU; that of Skylake-SP / Cascade Lake-SP is" },
	{ __LINE__, 1, "tallyd " SKX "-c @hpc-zen4", "@hpc-zen4 is of "
	    "another CPU; that of Skylake-SP / Cascade Lake-SP is @hpc-skx" },
	{ __LINE__, 1, "tallyd " SKX "-c @hpc-genoa", "@hpc-genoa: no such "
	    "built-in text; @hpc is that of the CPU at hand" },
	{ __LINE__, 0, "printf 'option --interval 1\\n' >only.conf; tallyd " SKX
	    "-c only.conf -n 2 --overwrite -o only.lua", "the configuration is "
	    "empty: no event, no register; nothing but clocks will be sampled "
	    "(`-c @default` beside it" },
	{ __LINE__, 1, "tallyd " SKX "-c @skx", "@skx is a list of metrics: "
	    "tally metrics -M @skx" },
	{ __LINE__, 1, "tallyd " SKX "-c @limits", "@limits is rules: tally "
	    "why --rules @limits" },
	{ __LINE__, 1, "tallyd " SKX "-c @skx-8160-2s", "@skx-8160-2s is a "
	    "simulated machine: tallyd --sim @skx-8160-2s" },
	{ __LINE__, 64, "tallyd " SKX "run.lua", "run.lua: tallyd writes dumps, "
	    "tally reads them: tally report run.lua" },
	{ __LINE__, 64, "tallyd stop", "`pkill -CONT tallyd` ends it" },
	{ __LINE__, 1, "tallyd " SKX "-c @hcp", "@hcp: no such built-in "
	    "text; did you mean @hpc?" },
	{ __LINE__, 1, "tallyd " SKX "-c hpc", "no file hpc; the built-in is "
	    "@hpc" },
	{ __LINE__, 1, "tallyd " SKX "-c mine.conf", "mine.conf: no such "
	    "file (`tally print` lists what is built in)" },
	{ __LINE__, 1, "tallyd " SKX "-c ''", "a file without a name was "
	    "asked for: give its name, or @NAME of a built-in" },
	{ __LINE__, 1, "tallyd " SKX "-c good.lua", "good.lua:1: "
	    "\"tallyd_format\" begins a dump, which tally report reads; -c" },
	{ __LINE__, 1, "tallyd " SKX "--cpu 999", "--cpu 999: no lproc of "
	    "that number is online; this node has 0 to 95" },
	{ __LINE__, 0, "tallyd " SKX "-c @software --cpus 0-200", "--cpus 0-200: "
	    "this node has lprocs 0 to 95" },
	{ __LINE__, 64, "tallyd " SKX "--", "-- needs a program to run behind "
	    "it" },
	{ __LINE__, 1, "tallyd " SKX "--cpus 999", "--cpus 999: no lproc of "
	    "these numbers is online; this node has 0 to 95" },
	{ __LINE__, 64, "tallyd " SKX "--cpus 0..3", "--cpus 0..3: give "
	    "lprocs as 0-3,8" },
	{ __LINE__, 1, "tallyd " SKX "--site nosuch", "--site and "
	    "--soc-preprogrammed are for CPUs with SoC counters; Skylake-SP "
	    "/" },
	{ __LINE__, 64, "tallyd " SKX "--inputs a -c b", "--inputs and "
	    "--config: choose one description of what to count" },
	{ __LINE__, 64, "tallyd " SKX "-t 3", "--samples and --time: choose "
	    "one" },
	{ __LINE__, 64, "tallyd " SKX "sleep 1", "sleep: unexpected word; a "
	    "program to run stands behind --, as in tallyd --" },
	{ __LINE__, 64, "tallyd " SKX "@hpc", "@hpc: what to count is given "
	    "as -c @hpc" },
	{ __LINE__, 127, "tallyd " SKX "-- nosuchapp", "nosuchapp: there is "
	    "no such program in PATH" },
	{ __LINE__, 126, "tallyd " SKX "-- ./good.lua", "./good.lua: it may "
	    "not be executed; is it a program (chmod +x)?" },
	{ __LINE__, 1, "tallyd " SKX "--socket /nonexistent/s", "socket "
	    "/nonexistent/s: No such file or directory; name another place "
	    "with" },
	{ __LINE__, 1, "tallyd " SKX "--no-taint --access raw", "--no-taint: "
	    "to count by registers, MSRs are written, which taints the" },
	{ __LINE__, 1, "tallyd --model icx --list events "
	    "MEM_LOAD_RETIRED.L3_MIZZ", "did you mean "
	    "MEM_LOAD_RETIRED.L3_MISS, MEM_LOAD_RETIRED.L3_HIT or" },
	{ __LINE__, 64, "tallyd --model icx --list boxes imc", "--list boxes "
	    "imc: only `events` takes a pattern" },
	{ __LINE__, 1, "tallyd --model skylake --list events", "--model "
	    "skylake: no such model; there are hsx " },
	{ __LINE__, 64, "tallyd --model icx", "--model goes with --list" },
	{ __LINE__, 64, "tallyd --list event", "--list event: choose boxes, "
	    "events, columns, registers, models, texts or" },
	{ __LINE__, 1, "tallyd --print hpc", "no file hpc; the built-in is "
	    "@hpc" },
	{ __LINE__, 1, "tallyd --print @defualt-skx", "@defualt-skx: no such "
	    "built-in text; did you mean @default-skx?" },
	{ __LINE__, 1, "tallyd --print @nosuch", "@nosuch: no such built-in "
	    "text (`tally print` lists what is built in)" },
	{ __LINE__, 64, "tallyd --intervall 3", "--intervall: no such "
	    "option; did you mean --interval? (see tallyd --help)" },
	{ __LINE__, 64, "tallyd --frobnicate", "--frobnicate: no such option "
	    "(see tallyd --help)" },
	{ __LINE__, 64, "tallyd --s 3", "--s is short for more than one: "
	    "--samples --segment --store --site" },
	{ __LINE__, 64, "tallyd -interval 1", "-interval: an option's whole "
	    "word has two dashes: --interval" },
	{ __LINE__, 64, "tallyd -i", "-i needs a value (see tallyd --help)" },
	{ __LINE__, 64, "tallyd -i 100ms", "--interval 100ms: give seconds, "
	    "0.001 to 3600; 100ms is 0.1" },
	{ __LINE__, 1, "echo mem X >own; tallyd --sim @grace-2s -c own",
	    "did you mean scf?" },
	{ __LINE__, 64, "tallyd -n -5", "--samples -5: give a number, 1 to "
	    "1000000000" },
	{ __LINE__, 64, "tallyd -t 1h", "--time 1h: give seconds, above 0 to "
	    "1e9; 1h is 3600" },
	{ __LINE__, 64, "tallyd --segment 10", "--segment 10: give a time "
	    "(s, min, h, d) or a size (K, M, G)" },
	{ __LINE__, 64, "tallyd --segment 1day", "--segment 1day: give a "
	    "time (s, min, h, d) or a size (K, M, G)" },
	{ __LINE__, 64, "tallyd --segment 1h --keep 5x", "--keep 5x: give a "
	    "number, a time (s, min, h, d) or a size (K, M, G)" },
	{ __LINE__, 64, "tallyd --pipe zstd", "--pipe is of segments: give "
	    "--segment, too" },
	{ __LINE__, 64, "tallyd --segment 10min --pipe 'gzip > %s.gz'",
	    "--pipe 'gzip > %s.gz': there is no shell here; name a program "
	    "that makes a" },
	{ __LINE__, 64, "tallyd --access msr", "--access msr: choose auto, "
	    "raw, perf or hybrid" },
	{ __LINE__, 64, "tallyd --read fast", "--read fast: choose auto, "
	    "batch, pinned, visit or remote" },
	{ __LINE__, 64, "tallyd --max-overhead 1%", "--max-overhead 1%: give "
	    "percent of one CPU, above 0 to 100" },
	{ __LINE__, 64, "tallyd -b --pid 1", "a program to run, --pid and "
	    "--background: choose one" },
	{ __LINE__, 1, "tallyd --sim skx-8160-2s", "no file skx-8160-2s; the "
	    "built-in is @skx-8160-2s" },
	{ __LINE__, 1, "tallyd --sim @skx8160", "@skx8160: no such built-in "
	    "text; did you mean @skx-8160-2s?" },
	{ __LINE__, 1, "tallyd --sim @spr", "@spr: no such built-in text; "
	    "did you mean @spr-9480-2s?" },
	{ __LINE__, 1, "tallyd --sim good.lua", "good.lua:1: this is a dump, "
	    "and no machine: --replay takes one" },
	{ __LINE__, 64, "tallyd --replay @skx-8160-2s", "--replay "
	    "@skx-8160-2s: that takes a dump; --sim @skx-8160-2s is a "
	    "built-in" },
	{ __LINE__, 64, "tallyd --virtual-time", "--virtual-time goes with "
	    "--sim or --replay; a real node's time cannot be" },
	{ __LINE__, 1, "tallyd --root /nonexistent", "--root /nonexistent: "
	    "it is no folder; it stands for /, with dev, proc and" },
	{ __LINE__, 64, "tallyd --mark a --pause", "--mark, --pause, "
	    "--resume, --reload and --ask: one at a time" },
	{ __LINE__, 1, "tallyd --mark 'hello world!' --root .", "mark "
	    "\"hello world!\": words KEY or KEY=VALUE with one blank "
	    "between, of" },
	{ __LINE__, 0, "tallyd --ask --socket /nonexistent/s", "no tallyd "
	    "samples here" },
	{ __LINE__, 64, "tallyd --record-node x --check", "--record-node "
	    "reads a node, or a machine of --sim, and does nothing else" },
	{ __LINE__, 64, "tallyd --measure-dram-bandwidth --sim @skx-8160-2s",
	    "--measure-dram-bandwidth measures the memory of this machine; "
	    "the node of" },
	{ __LINE__, 64, "tallyd help", "help: did you mean --help? (see "
	    "tallyd --help)" },
	{ __LINE__, 64, "tallyd -o -", "-o -: the dump is written at the "
	    "end, to a file: give its name; `tally dump" },
	{ __LINE__, 1, "tallyd -o good.lua --sim @skx-8160-2s --virtual-time "
	    "-n 2 -q", "-o good.lua: the file exists: name another, or give "
	    "--overwrite" },
	{ __LINE__, 64, "tally reprot good.lua", "no command \"reprot\"; did "
	    "you mean report? (tally --help lists them)" },
	{ __LINE__, 64, "tally frobnicate good.lua", "no command "
	    "\"frobnicate\" (tally --help lists them)" },
	{ __LINE__, 64, "tally good.lua", "which COMMAND for good.lua?  "
	    "tally report good.lua is a page of it; tally" },
	{ __LINE__, 64, "tally graph good.lua", "no command \"graph\"; did "
	    "you mean plot? (tally --help lists them)" },
	{ __LINE__, 64, "tally summary good.lua", "no command \"summary\"; "
	    "did you mean summarize? (tally --help lists them)" },
	{ __LINE__, 64, "tally --report good.lua", "no command \"--report\"; "
	    "did you mean report? (tally --help lists them)" },
	{ __LINE__, 64, "tally jobs --job", "option '--jobs' requires an "
	    "argument" },
	{ __LINE__, 64, "tally report", "which FILE?  usage: tally report "
	    "[--io] [OPTION]... FILE... (tally report" },
	{ __LINE__, 2, "tally report sum.txt", "sum.txt: a summary of dumps, "
	    "which has no samples: tally merge reads it" },
	{ __LINE__, 2, "tally report mine.lua", "mine.lua: no dump: "
	    "mine.lua:1: value that is no number and no string" },
	{ __LINE__, 0, "tally report model.lua 2>&1 >x", "does not know the "
	    "CPU, model \"zen9\", and takes it for skx" },
	{ __LINE__, 64, "tally report --metric foo good.lua", "no option "
	    "--metric; --metrics FILE reads a list, and tally metrics -m "
	    "NAME" },
	{ __LINE__, 64, "tally report -m ipc good.lua", "figures by name: "
	    "tally metrics -m NAME, tally plot -m NAME" },
	{ __LINE__, 2, "tally report --metrics @skxx good.lua", "@skxx: no "
	    "such built-in text; did you mean @skx, @skx-icx or @skx-io?" },
	{ __LINE__, 2, "tally report --metrics skx good.lua", "no file skx; "
	    "the built-in is @skx" },
	{ __LINE__, 2, "tally report -s 99 good.lua", "good.lua: no sample "
	    "in the range asked for; the last one seen is 2" },
	{ __LINE__, 64, "tally report -s 5:2 good.lua", "samples 5:2: the "
	    "last is before the first" },
	{ __LINE__, 2, "tally report -s @solve good.lua", "good.lua: no mark "
	    "@solve: none with a name was set (tallyd --mark)" },
	{ __LINE__, 64, "tally report -s 1-2 good.lua", "samples \"1-2\": "
	    "expected FIRST:LAST, each a sample number, @PHASE, @NAME of" },
	{ __LINE__, 64, "tally report -f xml good.lua", "format \"xml\": "
	    "expected one of text csv json html parquet" },
	{ __LINE__, 64, "tally report -o", "usage: tally report [--io] "
	    "[OPTION]... FILE..." },
	{ __LINE__, 2, "tally report -o good.lua good.lua", "-o good.lua: it "
	    "is the file that is read (good.lua): name another" },
	{ __LINE__, 64, "tally check --sampels 1:2 good.lua", "did you mean "
	    "--samples?" },
	{ __LINE__, 64, "tally check --frobnicate good.lua", "usage: tally "
	    "check [-v] [-s RANGE] [-f FORMAT] [-o FILE] FILE..." },
	{ __LINE__, 64, "tally metrics -m ipc", "which FILE?  usage: tally "
	    "metrics [OPTION]... FILE... (tally metrics --help" },
	{ __LINE__, 2, "tally metrics -m dram_raed good.lua", "good.lua: no "
	    "metric \"dram_raed\"; did you mean dram_read? (tally metrics" },
	{ __LINE__, 2, "tally metrics -m IPC good.lua", "good.lua: no metric "
	    "\"IPC\"; did you mean ipc? (tally metrics --list FILE has them)" },
	{ __LINE__, 2, "tally metrics -m 'zz*' good.lua", "good.lua: no "
	    "metric \"zz*\" (tally metrics --list FILE has them)" },
	{ __LINE__, 64, "tally metrics -S socket -m ipc good.lua", "scope "
	    "\"socket\": package is meant here; expected lproc, core, ccx, "
	    "box, die," },
	{ __LINE__, 64, "tally metrics -S cpu -m ipc good.lua", "scope "
	    "\"cpu\": lproc is meant here; expected lproc, core, ccx, box, "
	    "die," },
	{ __LINE__, 64, "tally metrics --every 1s -m ipc good.lua", "--every "
	    "1s: expected seconds; 1s is 1" },
	{ __LINE__, 64, "tally metrics --only-lists good.lua",
	    "--only-lists: of no list; name one with --metrics" },
	{ __LINE__, 64, "tally plot good.lua", "which metric? -m NAME (tally "
	    "metrics --list FILE has them)" },
	{ __LINE__, 2, "tally plot -m dramread good.lua", "good.lua: no "
	    "metric \"dramread\"; did you mean dram_read? (tally metrics" },
	{ __LINE__, 64, "tally plot -m ipc --width wide good.lua", "--width "
	    "wide: expected a number, 1 to 1000" },
	{ __LINE__, 2, "tally plot -m package_power -w 7 good.lua",
	    "good.lua: package_power is not had of that scope and place "
	    "(--scope, --where)" },
	{ __LINE__, 2, "tally histogram -m icp good.lua", "good.lua: no "
	    "metric \"icp\"; did you mean ipc? (tally metrics --list FILE has "
	    "them)" },
	{ __LINE__, 64, "tally histogram -n 1000 -m ipc good.lua", "--bins "
	    "1000: 1 to 100" },
	{ __LINE__, 64, "tally histogram --low 3 --high 2 -m ipc good.lua",
	    "--low 3 is more than --high 2" },
	{ __LINE__, 64, "tally totals -S socket good.lua", "usage: tally "
	    "totals [--sum SCOPES] [-s RANGE] [-f FORMAT] [-o FILE] FILE..." },
	{ __LINE__, 2, "tally why sum.txt", "sum.txt: a summary of dumps, "
	    "which has no samples: tally merge reads it" },
	{ __LINE__, 2, "tally why --rules @limit good.lua", "@limit: no such "
	    "built-in text; built in are @limits" },
	{ __LINE__, 2, "tally head --key modle good.lua", "good.lua: its "
	    "head has no such key; did you mean model?" },
	{ __LINE__, 2, "tally merge -m ipcc good.lua", "good.lua: no metric "
	    "\"ipcc\"; did you mean ipc? (tally metrics --list FILE has them)" },
	{ __LINE__, 2, "tally jobs good.lua", "no job was marked (tallyd "
	    "--mark 'job=ID begin')" },
	{ __LINE__, 64, "tally diff good.lua", "expected two dumps, two sets "
	    "of them with : between, or one run with -a and -b" },
	{ __LINE__, 64, "tally platform --dram-max fast good.lua",
	    "--dram-max fast: expected GB/s" },
	{ __LINE__, 64, "tally convert good.lua", "convert to what?  usage: "
	    "tally convert" },
	{ __LINE__, 2, "tally dump good.lua", "good.lua: not a store of "
	    "tallyd, or a damaged one; a dump is read as it is" },
	{ __LINE__, 2, OWN("x = a / b", "metrics -M"), "own:1:1: `metric` or "
	    "`event` expected" },
	{ __LINE__, 2, OWN("metric x socket 1", "metrics -M"), "own:1:10: no "
	    "scope (there are lproc core ccx" },
	{ __LINE__, 2, OWN("rule x node over 1", "why --rules"), "own:1:13: "
	    "the unit, in quotes, expected" },
	{ __LINE__, 2, OWN("rules x", "why --rules"), "own:1:1: `rule` expected" },
	{ __LINE__, 2, OWN("rwo a", "report --view"), "own:1:1: `heading`, `row`, "
	    "`boxes` or `include` expected, at 'rwo'" },
	{ __LINE__, 2, OWN("row dram_read \"r\"", "report --view"), "own:1:15: "
	    "decimals, 0 to 9, expected" },
	{ __LINE__, 64, "tally export", "which FORMAT: usage: tally export "
	    "FORMAT [OPTION]... [STORE], with FORMAT" },
	{ __LINE__, 2, "tally print skx.metrics", "no file skx.metrics; the "
	    "built-in is @skx" },
};

/* Runs it in test_dir: two lines may come back, with these words in them. */
static void
told(const struct mistake *m, const char *command)
{
	char whole[2000], where[512], text[8000];
	unsigned lines = 0;
	size_t n;
	FILE *f;
	int rc;

	built("", where);
	snprintf(whole, sizeof(whole), "cd %s && PATH=%s:$PATH && { %s; } 2>&1 "
	    "</dev/null", test_dir, where, command);
	assert_non_null(f = popen(whole, "r"));
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	rc = pclose(f);
	for (const char *c = text; *c != '\0'; c++)
		lines += *c == '\n';
	if (!WIFEXITED(rc) || WEXITSTATUS(rc) != m->status ||
	    strstr(text, m->says) == NULL || lines > 2)
		fail_msg("line %d: %s: status %d: %s", m->line, m->typed,
		    WEXITSTATUS(rc), text);
}

static void
a_line_that_is_no_statement_says_what_was_meant(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(configs) / sizeof(configs[0]); i++) {
		test_put("bad.conf", configs[i].typed);
		told(&configs[i], "tallyd " SKX "-c bad.conf");
	}
}

static void
a_command_that_is_none_says_what_was_meant(void **state)
{
	static const struct mistake good = { __LINE__, 0, "tallyd --sim "
	    "@skx-8160-2s --virtual-time -n 3 -q -o good.lua && tally summarize "
	    "-o sum.txt good.lua && sed 's/^model = .*/model = \"zen9\"/' "
	    "good.lua >model.lua && echo 'a = b = c' >mine.lua && echo made",
	    "made" };

	(void)state;
	told(&good, good.typed);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		told(&commands[i], commands[i].typed);
}

/* Only one simulated daemon of a user has the socket that is found. */
static void
who_asks_finds_the_daemon_of_a_simulated_node(void **state)
{
	static const struct mistake begin = { __LINE__, 0, "tallyd --sim "
	    "@skx-8160-2s -b -q -i 0.05 -o live.lua --pidfile pid", "" };
	static const struct mistake asked[] = {
		{ __LINE__, 0, "tallyd --mark phase=a && echo set", "set" },
		{ __LINE__, 1, "tallyd --reload", "its run is not in segments "
		    "(--segment 1h, with --background or by systemd); stop it" },
		{ __LINE__, 1, "tallyd --pause 10s", "give seconds, more than 0 "
		    "and at most 604800; 10s is 10" },
		{ __LINE__, 0, "tallyd --pause 60 && tallyd --resume && echo on",
		    "on" },
		{ __LINE__, 0, "tallyd --ask | grep ^dump", "live.lua" },
	};
	const char *own = geteuid() == 0 ? "/run" : getenv("XDG_RUNTIME_DIR");
	char path[512];

	(void)state;
	snprintf(path, sizeof(path), "%s/tallyd-simulated.socket",
	    own != NULL ? own : "");
	if (own == NULL || access(path, F_OK) == 0 || access(own, W_OK) < 0 ||
	    access("/run/tallyd/tallyd.socket", F_OK) == 0)
		skip();
	told(&begin, begin.typed);
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		told(&asked[i], asked[i].typed);
	told(&(struct mistake){ __LINE__, 0, "", "" }, "p=$(cat pid); kill $p; "
	    "while kill -0 $p; do sleep 0.1; done 2>/dev/null");
	assert_int_equal(access(path, F_OK), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_line_that_is_no_statement_says_what_was_meant),
		cmocka_unit_test(a_command_that_is_none_says_what_was_meant),
		cmocka_unit_test(who_asks_finds_the_daemon_of_a_simulated_node),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
