#!/bin/sh
# The two programs as a user runs them, on the simulated node and on the
# recording.  Prints a line a test; ends with "N passed, N failed, N skipped".
set -u
B=${B:-build}
case $B in /*) ;; *) B=$PWD/$B ;; esac
DATA=$B/tests/data DUMP=$B/tests/data/original/c591-803.first30.perfcounts.lua
ORIGINAL=$PWD/tests/data/original
CONFIGS=$PWD/config
DOC=$PWD/doc
COMMIT=$([ -e .git ] && git describe --always --abbrev=10 2>/dev/null)
PAGE_DATA=$PWD/tests/page_data.py
SIM="--sim @skx-8160-2s --virtual-time -q"
dir=$(mktemp -d "${TMPDIR:-/tmp}/tallyd-e2e.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
passed=0 failed=0 skipped=0

# ok NAME COMMAND...: the command succeeds
ok() {
	name=$1; shift
	if "$@" >out 2>err; then passed=$((passed + 1)); echo "ok     $name"
	else failed=$((failed + 1)); echo "FAILED $name"; sed 's/^/       /' out err | head -20; fi
}
# says NAME STATUS TEXT COMMAND...: it ends with that status and says TEXT
says() {
	name=$1 want=$2 text=$3; shift 3
	"$@" >out 2>err; got=$?
	if [ $got -eq "$want" ] && grep -qF -- "$text" out err; then
		passed=$((passed + 1)); echo "ok     $name"
	else failed=$((failed + 1)); echo "FAILED $name (status $got)"; sed 's/^/       /' out err | head -20; fi
}
skip() { skipped=$((skipped + 1)); echo "SKIPPED $1: $2"; }

# --- the dump is a program in four languages
"$B/tallyd" $SIM -n 30 -o sim.lua || exit 1
# value NAME: what grep and awk read in the dump
value() { awk -v v="$1 = " 'index($0, v) == 1 { print substr($0, length(v) + 1) }' sim.lua; }
grep_back="$(value 'tsc[29]') $(value 'imc_counts[1][5]["CAS_COUNT.READS"][25]') $(value 'core_fixed_counts[95]["Inst_Retired.Any"][7]')"
# Lua before 5.3 and LuaJIT have doubles alone: print all digits
{ cat sim.lua; echo 'print(string.format("%.0f %.0f %.0f", tsc[29], imc_counts[1][5]["CAS_COUNT.READS"][25], core_fixed_counts[95]["Inst_Retired.Any"][7]))'; } >sim-test.lua
{ cat sim.lua; echo 'print(tsc[29], imc_counts[1][5]["CAS_COUNT.READS"][25], core_fixed_counts[95]["Inst_Retired.Any"][7])'; } >sim-test.py
for l in lua5.1 lua5.4 luajit python3; do
	f=sim-test.lua; [ $l = python3 ] && f=sim-test.py
	if command -v $l >/dev/null; then
		ok "three values read back equal in $l" sh -c "[ \"\$($l $f)\" = '$grep_back' ]"
	else skip "dump in $l" "not installed"; fi
done
# Whatever the CPU is called.
{ sed '/^name /d' "$CONFIGS/machines/skx-8160-2s.machine"; printf 'name E5 "v\\4"\351 (R)\n'; } >nasty.machine
"$B/tallyd" -q --sim nasty.machine --virtual-time -n 2 -o nasty.lua
echo 'print(cpu)' >>nasty.lua
for l in lua5.1 lua5.4 luajit python3; do
	if command -v $l >/dev/null; then
		says "a name with quotes and no UTF-8 is a string in $l" 0 'E5 "v\4"? (R)' $l nasty.lua
	else skip "a name with quotes in $l" "not installed"; fi
done
ok "the totals of the STREAM phase are the rates of the machine file" sh -c \
	"'$B/tally' totals -s 20:29 sim.lua | grep -q '^imc_counts_total\[0\]\[0\]\[\"CAS_COUNT.READS\"\] = '"

# --- the page's data are the figures of its intervals
if command -v python3 >/dev/null; then
	"$B/tally" metrics -e -f csv "$DUMP" >each.csv
	"$B/tally" page -o page.html "$DUMP"
	ok "the lines of a page are the metrics of its intervals" python3 "$PAGE_DATA" page.html each.csv
else skip "the lines of a page" "python3 is not installed"; fi

# --- the manual pages, in a language of their own
if command -v mandoc >/dev/null; then
	# what it says of pages that are not installed depends on the machine
	for page in "$DOC"/*.[1-8]; do
		ok "mandoc has nothing to say of ${page##*/}" sh -c "! mandoc -T lint '$page' 2>&1 |
			grep -vE 'referenced manual not found|outdated mandoc.db'"
	done
else skip "the manual pages" "mandoc is not installed"; fi

# --- what is built in has names of its own; a file is never taken for one
echo 'imc FORGED event=4' >default-skx.conf
cp default-skx.conf default-skx
cp default-skx.conf @default-skx
"$B/tallyd" $SIM -n 2 -o own.lua
ok "the default is the built-in one, whatever files there are" sh -c "! grep -q FORGED own.lua && grep -qF 'text_name[0] = \"@default-skx\"' own.lua"
ok "the dump has the digest of the text that --print prints" sh -c "grep -qF \"\$('$B/tallyd' --print @default-skx | sha256sum | cut -c1-64)\" own.lua"
says "a file that is named is that file" 0 "$(sha256sum <default-skx.conf | cut -c1-64)" sh -c "'$B/tallyd' $SIM -n 2 -c default-skx.conf --overwrite -o own.lua && cat own.lua"
rm default-skx default-skx.conf @default-skx
says "a file of a built-in text's name that is not there" 1 "no file confd/default-skx.conf; the built-in is @default-skx" "$B/tallyd" $SIM -c confd/default-skx.conf
says "nor a machine" 1 "no file skx-8160-2s.machine; the built-in is @skx-8160-2s" "$B/tallyd" --sim skx-8160-2s.machine
says "nor metrics" 2 "no file skx.metrics; the built-in is @skx" "$B/tally" metrics -M skx.metrics own.lua
ok "metrics that are built in" "$B/tally" metrics -M @skx own.lua
says "all that is built in" 0 "$(printf '@c2758\tsite')" "$B/tallyd" --list texts
ok "tally says the same" sh -c "'$B/tally' print >list && '$B/tallyd' --list texts | cmp - list"
ok "and prints the same" sh -c "'$B/tally' print @skx | cmp - '$CONFIGS/metrics/skx.metrics'"
says "the registers of a run, as msr-safe wants them" 0 "0x00000186 0x00000003FFE7FFFF # CORE ctl0" "$B/tallyd" --sim @skx-8160-2s --print @msr-safe-allowlist
says "where the kernel counts there are none" 1 "no MSR is needed here: perf" "$B/tallyd" --sim @skx-locked --print @msr-safe-allowlist
says "a name of two texts" 1 "@c2758: which one? @c2758.machine @c2758.site" "$B/tallyd" --print @c2758

# --- Atom C2000: 4336.00 MB/s of channel 0 and 4255.36 of channel 1, in the machine file
"$B/tallyd" -q --sim @c2758 --virtual-time -n 30 -c @memory -o soc.lua
says "the report of a C2000 has what its memory does" 0 "read and written            MB/s        8591.4" "$B/tally" report soc.lua

says "its platform has channels" 0 "| Channel 1           read  2985.0 write  1270.4 MB/s " "$B/tally" platform soc.lua
"$B/tallyd" -q --sim @c2758 --virtual-time -n 30 -c @module2 -o module2.lua
# 1.2 x 32 + 22 x 64 and 0.5 x 32 + 9 x 64 MB/s, in the machine file
says "the report of a module's group has its figures" 0 "  module 2           1446.4    592.0   2038.4     38.4   1408.0     16.0    576.0    0.070    0.030" "$B/tally" report module2.lua
says "and its platform" 0 "| Module 2 lprocs 4 5 read  1446.4 write   592.0 MB/s " "$B/tally" platform module2.lua
says "the groups of SoC events are listed" 0 "SOC	UNC_SOC_LowSpeedPF_BW	7 counters	LowSpeedPF_ReadPartial LowSpeedPF_Read32B" \
	"$B/tallyd" --model slm --list events
cp out groups
ok "all 16 of them" sh -c "[ \$(grep -c '^SOC' groups) = 16 ]"

# --- Grace: 32,000,000 read requests to local and 1,600,000 to remote memory a
# second, all of package 0, of 2 or of 10 ports x 3.2 GHz
narrow() {
	printf "$2" >narrow.conf
	"$B/tallyd" -q --sim @grace-2s --virtual-time -c $1 -c narrow.conf -n 20 --overwrite -o grace.lua &&
	"$B/tally" metrics -s 15:19 -m pcie_rd_port_util -f csv grace.lua
}
utilisation() { narrow "$1" "$2" | grep -q ",pcie_rd_port_util,$3"; }
ok "the PCIe utilisation of two root ports" utilisation @hpc-grace 'pcie root_port=0x3\n' package,0,0.525
ok "the PCIe utilisation of ten root ports" utilisation @hpc-grace '' package,0,0.105
ok "the PCIe utilisation of two root ports and ten" utilisation /dev/null \
	'pcie CYCLES\npcie[0/0] RD_REQ_LOC root_port=0x3\npcie[0/0] RD_REQ_REM root_port=0x3\n
	pcie[1/0] RD_REQ_LOC\npcie[1/0] RD_REQ_REM\n' node,,0.0875
says "the report says how many root ports are counted" 0 "PCIe of package 0: 2 of 10 root ports" \
	sh -c "printf 'pcie root_port=0x3\n' >narrow.conf && '$B/tallyd' -q --sim @grace-2s --virtual-time \
	-c @default-grace -c narrow.conf -n 20 --overwrite -o grace.lua && '$B/tally' report -s 15:19 grace.lua"
# 0.1 + 0.15 GB/s of package 0's devices to package 1's memory, in the machine file
says "the report of a Superchip says which PMU saw which traffic" 0 \
	"C2C0    other socket's devices, memory here (1)      0.000    0.250    0.250 derived" "$B/tally" report -s 15:19 grace.lua
says "and by what it is taken for one" 0 "no GPU's traffic: taken for a CPU Superchip" "$B/tally" report -s 15:19 grace.lua
sed 's/^packages = 2$/packages = 4/' grace.lua >grace-4s.lua
says "four sockets are none" 0 "Traffic, GB/s: Grace Hopper" "$B/tally" report -s 15:19 grace-4s.lua
ok "a Grace Hopper is simulated" "$B/tallyd" -q --sim @grace-hopper --virtual-time -n 20 -o hopper.lua
sed '/CNT_CYCLES/d' grace.lua >uncounted.lua
says "cycles alone are not taken for unhalted time" 0 "frequency, halted as 0      GHz" \
	"$B/tally" report uncounted.lua
says "its I/O is that of a socket" 0 "NVLink-C2C1, both ways" "$B/tally" report --io hopper.lua
says "its report has the GPU's traffic" 0 \
	"C2C1    GPU, CPU or GPU memory, not translated      35.000 derived" "$B/tally" report -s 15:19 hopper.lua
says "its platform has the links" 0 "| C2C1     read   20.000  write   15.000 GB/s " "$B/tally" platform -s 15:19 hopper.lua
ok "and no sum that is of a Superchip" sh -c "! '$B/tally' report -s 15:19 hopper.lua | grep 'in all'"
ok "no PCIe utilisation of a mixture" utilisation /dev/null \
	'pcie CYCLES\npcie RD_REQ_LOC root_port=0x3\npcie RD_REQ_REM root_port=0x30\n' package,0,,

says "a dump of the kernel's counts is not replayed" 1 "there are no registers to replay" \
	"$B/tallyd" -q --replay hopper.lua --virtual-time -o again.lua
# what the kernel is asked for: reference grace-arm 8
says "root ports are said outright, and event 0 is one" 0 "nvidia_pcie_pmu_0/config=0x0,config1=0x3ff/ pcie_counts[0]" \
	"$B/tallyd" --sim @grace-2s --dry-run
cp out asked
says "so are remote sockets" 0 "nvidia_cnvlink_pmu_1/config=0x0,config1=0xf/ cnvlink_counts[1]" cat asked
says "ports of C2C are not" 0 "nvidia_nvlink_c2c0_pmu_0/config=0x0/ c2c0_counts[0]" cat asked
echo "event duration_time,'{nvidia_scf_pmu_0/event=cycles/,nvidia_scf_pmu_0/event=0x1a5/}','{nvidia_scf_pmu_1/cycles/}'" >guide.conf
says "perf's braces are groups" 0 'count cpu 75 group 1: nvidia_scf_pmu_1/config=0x100000000/ scf_counts[1]["cycles"]' \
	"$B/tallyd" --sim @grace-2s -c guide.conf --dry-run
"$B/tallyd" -q --sim @grace-2s --virtual-time -c guide.conf -n 20 -o guide.lua
# 6,000,000,000 beats of 32 bytes in the machine file; both sockets at 3.2 GHz
says "an event given by its number finds its metric" 0 "cmem_rd_bw,package,0,192.0000,GB/s,0," "$B/tally" metrics -f csv -s 15:19 guide.lua
says "one has the name at one socket, the number at the other" 0 "scf_freq,node,,3.2000,GHz,0," "$B/tally" metrics -f csv -s 15:19 guide.lua
says "the events that a model names are listed" 0 "CORE	FP_SCALE_OPS_SPEC	0x80c0" \
	"$B/tallyd" --sim @grace-2s --list events
says "so are those of a model that is no node's" 0 "SCF	CMEM_WR_TOTAL_BYTES	0x1db" \
	"$B/tallyd" --model grace --list events
cp out listed
says "those that mislead say so" 0 "CORE	STALL_SLOT_BACKEND	0x3d	not offered: it misleads" cat listed
says "--check knows an Arm core by its MIDR" 0 "Arm Neoverse V2 r0p0 (MIDR 0x410fd4f0)" \
	"$B/tallyd" --sim @grace-2s --check

# --- the recording, through the daemon
ok "the recording is replayed" "$B/tallyd" -q --replay "$DUMP" --virtual-time -o replay.lua
grep -v '^Reference_' "$DUMP" | LC_ALL=C sort >want
LC_ALL=C sort replay.lua >have
ok "every assignment of the recording is in its replay" sh -c '[ -z "$(LC_ALL=C comm -23 want have)" ]'
"$B/tallyd" -q --replay replay.lua --virtual-time -o again.lua
grep -v '^Reference_' again.lua >again
grep -v '^Reference_' replay.lua >first
ok "a replay of a replay is the same again" cmp again first
ok "the original's input files run unchanged" "$B/tallyd" $SIM -n 3 --inputs "$ORIGINAL" -o inputs.lua
ok "and count what they name" grep -qF 'core_counts[95]["OFFCORE_REQUESTS.L3_MISS_DEMAND_DATA_READ"][2]' inputs.lua
says "metrics of the recording's packages are by an assumed topology" 0 "topology block, assumed" "$B/tally" metrics -m ipc "$DUMP"
ok "those of its lprocs are not" sh -c "! '$B/tally' metrics -m ipc -S lproc '$DUMP' 2>&1 | grep assumed"
ok "nor where it is given" sh -c "! '$B/tally' metrics -m ipc -t block '$DUMP' 2>&1 | grep assumed"

# --- counters that stop at their end, and had, before anybody looked
printf 'like @genoa-9654-2s\nbox umc init=0x1000000000000\n' >stopped.machine
echo 'umc[3] umc_clk' >stopped.conf
says "a counter that had stopped is said to" 0 'umc_counts[1][3]["umc_clk"]: sample 0: the counter had stopped at its end' \
	"$B/tallyd" --sim stopped.machine --virtual-time -c stopped.conf -n 4 -i 1 -o stopped.lua
ok "its dump has no value of it there" sh -c "! grep -F 'umc_counts[0][3][\"umc_clk\"][0] =' stopped.lua"
says "and says why" 1 'absent, as the counter had stopped at its end: umc_counts[0][3]["umc_clk"]: sample 0; and so had 1 more' "$B/tally" check stopped.lua
says "what it counts from then on is exact" 0 'umc_counts_total[0][3]["umc_clk"] = 4800000006' \
	"$B/tally" totals -s 1:3 stopped.lua

# --- a counter that somebody else takes within a turn of event sets
printf 'like @skx-8160-2s\nfrom 3.305 lproc 5 msr 0x186 = 0x4300c0\n' >taken.machine
printf 'set a\ncore A event=0x3c\nset b\ncore B event=0xc4\n' >taken.conf
says "a turn in which a counter was taken is said to be in no count" 0 ': sample 4: 1 turn, as a counter was somebody else' \
	"$B/tallyd" --sim taken.machine --virtual-time -c taken.conf -n 6 -i 1 -o taken.lua
says "and tally check says so" 1 "turn: turns of a set that are in no count: " \
	"$B/tally" check taken.lua
ok "without a look at the controls nobody knows" \
	"$B/tallyd" -q --watch 0 --sim taken.machine --virtual-time -c taken.conf -n 6 -i 1 -o untold.lua
ok "and nothing is said" sh -c '! grep turn_lost untold.lua'

# --- counters that never move beside those that do
printf 'like @genoa-9654-2s\ncpuid 0x80000022 0 0 0 0\nmsr 0xc001029b pkg raz-wi\n' >still.machine
"$B/tallyd" -q --sim still.machine --virtual-time -n 25 -o still.lua
says "where a core ran and none of its counters did, all were stopped" 1 \
	'stopped: core_counts "flops_all", lprocs 0-383: stood still while the core ran' "$B/tally" check still.lua
says "a package whose energy never moves is not counted" 1 'note: uncounted: rapl_pkg_energy, packages 0-1' \
	"$B/tally" check still.lua

# --- a smaller part than the built-in machine of its model, replayed on that
{ cat "$CONFIGS/machines/hsx-2699-2s.machine"; echo 'cores 12'; echo 'msr 0x702 pkg = 12'
echo 'pci bus0:1e.3 0x94 = 0x25'; } >hsx12.machine
"$B/tallyd" -q --sim hsx12.machine --virtual-time -n 3 -o hsx12.lua
"$B/tallyd" -q --replay hsx12.lua --virtual-time -o hsx12b.lua
for f in hsx12 hsx12b; do grep -E '"[CS]BO"|^[cs]bo_counts' $f.lua | grep -v '{}' >$f; done
ok "the replay of a part with 12 CBOs and 2 SBOs has as many" sh -c \
	"cmp hsx12 hsx12b && grep -q '^cbo_counts.1..11.' hsx12 && ! grep -q '^cbo_counts.1..12.' hsx12"
ok "Haswell's limit reasons are named by Haswell's bits" sh -c \
	"'$B/tallyd' -q --sim @hsx-2699-2s --virtual-time -n 20 -o hsx.lua &&
	'$B/tally' report -s 12:19 hsx.lua | grep -q '^Limits .*edp 100 %, below_request 100 %'"

# --- Intel's own metrics on the simulated node, worked out by hand from the
# rates of its machine file; a second of STREAM on all of the node:
#   INST_RETIRED.ANY  24 x (299234272 + 275989563) + 2 x 101 x 276 = 13805427792
#   THREAD            24 x (2552853551 + 1445384 + 2550372722 + 1309241)
#                     + 4 x 103 x 276 = 122543655264
#   REF_TSC           24 x (2093824782 + 1179614 + 2093826336 + 1068884)
#                     + 4 x 107 x 276 = 100557708912;  TSC 2095005796
#   L1D.REPLACEMENT   24 x (71000000 + 71000005 + 71000 + 71005) + 4 x 7 x 276
#   branches          24 x (18000000 + 18000005 + 18000 + 18005) + 4 x 7 x 276
#   CAS reads         6 x (150818380 + 151253305) + 2 x 7 x 15 = 1812430320
#   CAS writes        6 x (99135654 + 99279606) + 2 x 7 x 15 = 1190491770
INTEL=$DATA/perfmon/SKX/metrics/skylakex_metrics.json
cat >intel.conf <<'C'
core fixed
core BR_INST_RETIRED.ALL_BRANCHES event=0xc4
core L1D.REPLACEMENT event=0x51,umask=0x01
imc UNC_M_CAS_COUNT.RD event=0x04,umask=0x03
imc UNC_M_CAS_COUNT.WR event=0x04,umask=0x0c
cha UNC_CHA_CLOCKTICKS event=0
C
"$B/tallyd" $SIM -n 40 -c intel.conf -o intel.lua
"$B/tally" metrics --metrics "$INTEL" --scope node -s 20:39 -f csv intel.lua >intel.csv 2>/dev/null
while read -r metric want; do
	ok "Intel's $metric is $want" grep -q ",$metric,node,,$want," intel.csv
done <<'C'
Info_Inst_Mix_Instructions 262303128048
Info_Thread_CLKS 2328329450016
cpi 8.8765
Info_Thread_IPC 0.1127
cpu_operating_frequency 2.5531
cpu_utilization 49.9987
l1d_mpi 0.2471
Info_Inst_Mix_IpBranch 15.9624
memory_bandwidth_read 115995.5405
memory_bandwidth_write 76191.4733
memory_bandwidth_total 192187.0138
C

# --- twelve core events in three sets and two sets of CHA events, in turns:
# the estimates are what the same events count when they are counted all the time
cat >set-a.conf <<'C'
core K event=0x3c,os=1,usr=0
core KI event=0xc0,os=1,usr=0
core BR event=0xc4
core L1 event=0x51,umask=0x01
cha E event=0x3d,umask=2
cha L event=0x34,umask=0x11,filter0=0x7fe0000
C
cat >set-b.conf <<'C'
core L3 event=0x2e,umask=0x41
core L3R event=0x2e,umask=0x4f
core MISP event=0xc5
core L2 event=0xf1,umask=0x1f
cha CLK event=0
C
cat >set-c.conf <<'C'
core FP event=0xc7,umask=0x01
core LD event=0xd0,umask=0x81
core ST event=0xd0,umask=0x82
core RS event=0xa2,umask=0x01
C
for k in a b c; do
	echo "set $k"; cat set-$k.conf
	"$B/tallyd" $SIM -i 0.1 -n 151 -c set-$k.conf -o set-$k.lua
	"$B/tally" totals set-$k.lua | sed -n 's/^\(c[a-z]*_counts\)_total/\1/p' >>alone
done >turns.conf
"$B/tallyd" $SIM -i 0.1 -n 151 -c turns.conf --rotate 1 -o turns.lua
"$B/tally" totals turns.lua | sed -n 's/^\(c[a-z]*_counts\)_estimate/\1/p' >turns
# every event that counts a thousand times or more, on every core and CHA
cat >within.awk <<'C'
NR == FNR { want[$1] = $3; next }
$1 in want && want[$1] >= 1000 {
	n++; d = $3 / want[$1] - 1
	if (d > 0.01 || d < -0.01) { print $1, $3, want[$1]; bad = 1 }
}
END { print n, "compared"; exit bad || n < 1000 }
C
ok "estimates of events in turns are within 1 % of the truth" awk -f within.awk alone turns

# --- stopped by each signal: a last sample, and a dump
# soon COMMAND...: it succeeds in the end; how long that takes is the machine's
# affair, and what has not come in five minutes never will
soon() {
	for i in $(seq 3000); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	return 1
}
# the daemon's store, and none that an older one of its pid left: /run/tallyd is
# there where a node has tallyd installed
store() { ls -t /run/tallyd/tallyd-$pid-*.store /dev/shm/tallyd-$pid-*.store 2>/dev/null | head -n 1; }
# stored PATTERN: a line of what the daemon has in its store by now
stored() { "$B/tally" dump "$(store)" 2>/dev/null | grep -q "$1"; }
alive() { grep -q '^State:[[:space:]]*[^Z[:space:]]' /proc/$pid/status; }
# start ARGUMENTS...: in pid, once it has sampled twice
start() {
	rm -f ready
	# HUP may be ignored by whoever runs this
	env --default-signal=HUP "$B/tallyd" --sim @skx-8160-2s -q -i 0.05 --pidfile ready "$@" &
	pid=$!
	soon started
}
# conted: once more until it ends, as a SIGCONT that comes in a sample that took long,
# because others had the CPU, passes for the end of a stop
conted() { while alive; do kill -CONT $pid; sleep 0.05; done 2>/dev/null; wait $pid; }
started() { ! alive || { [ -s ready ] && stored '^tsc\[1\]'; }; }
for sig in CONT TERM INT HUP QUIT ALRM VTALRM PROF IO PWR; do
	start -o sig.lua
	if [ $sig = CONT ]; then conted; else kill -$sig $pid; wait $pid; fi
	status=$?
	ok "SIG$sig ends with a dump" sh -c "[ $status -eq 0 ] && grep -q '^tsc\[1\]' sig.lua"
	rm -f sig.lua
done
start -o usr.lua
kill -USR2 $pid
soon stored '^phase_mark'
kill -USR1 $pid
ok "SIGUSR1 dumps" soon grep '^tsc\[1\]' usr.lua
ok "and goes on" kill -0 $pid
ok "SIGUSR2 marks a phase" grep -q '^phase_mark\[0\] = ' usr.lua
kill -XCPU $pid
more=$("$B/tally" dump "$(store)" | grep -c '^tsc\[')
ok "a sample that takes too long for the real-time class ends nothing" soon stored "^tsc\[$((more + 3))\]"
conted
ok "and the dump says from when on it was not in it" grep -q '^real_time_until = [0-9]' usr.lua
ok "-b returns once the first sample is in" "$B/tallyd" --sim @skx-8160-2s -q -b -i 0.05 --pidfile pid -o b.lua
ok "its pid is in the pidfile" kill -CONT "$(cat pid)"
ok "and the dump follows SIGCONT" soon grep '^tsc\[0\]' b.lua

# --- what a daemon that was killed left is told, but not what anybody put there
start -o killed.lua
kill -KILL $pid; wait $pid 2>/dev/null
left=$(store)
UNQUIET=${SIM% -q}
"$B/tallyd" $UNQUIET -n 1 --overwrite -o next.lua 2>next.txt
# others that died on this node may be listed with it
ok "samples of a daemon that died are reported" grep -E "for s in .*$left[ ;].*do tally dump" next.txt
if [ "$(id -u)" = 0 ]; then
	chown nobody $left
	"$B/tallyd" $UNQUIET -n 1 --overwrite -o next.lua 2>next.txt
	ok "another user's are not" sh -c "! grep '$left' next.txt"
else skip "a store of another user" "only root can give files away"; fi
rm -f $left

# --- names that somebody took before: old ones of this very pid, and 400 more
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	cat >squat.sh <<'S'
mount -t tmpfs none /dev/shm && mount -t tmpfs none /run || exit 9
[ -z "$1" ] || { mkdir /run/tallyd && chmod "$1" /run/tallyd; }
for i in $(seq 400); do : >/dev/shm/tallyd-$$-$i.store; done
: >/dev/shm/tallyd-$$.store
(until ls -d /run/tallyd/* /dev/shm/* | grep -E "/tallyd-$$-[0-9a-f]{16}.store" || ! kill -0 $$; do sleep 0.05; done
kill -TERM $$) >"$2" 2>/dev/null &
exec "$3" -q --sim @skx-8160-2s -i 0.05 -n 6000 -o squat.lua
S
	# stored_in FOLDER MODE: with /run/tallyd of that mode, or none, the store is there
	stored_in() {
		rm -f squat.lua
		unshare -m sh squat.sh "$2" where "$B/tallyd" && grep -q "^$1/tallyd-" where && grep -q '^tsc.0' squat.lua
	}
	ok "401 files of other people's do not stop a start" stored_in /dev/shm ""
	ok "a store is in /run/tallyd where that is root's" stored_in /run/tallyd 755
	ok "but not where others may write" stored_in /dev/shm 777
else skip "names that were taken" "needs root to mount a tmpfs"; fi

# --- the same node, locked down: the kernel counts what the registers would
for m in skx-8160-2s skx-locked; do
	"$B/tallyd" -q --sim @$m --virtual-time -n 40 -o $m.lua
	"$B/tally" report -s 20:39 $m.lua >$m.txt
done
says "a locked-down node is counted by the kernel, and why is said" 0 "perf, since raw would not work: the kernel is locked down" "$B/tallyd" --sim @skx-locked --check
says "what its PMUs cannot give is named" 0 "pkg_temperature: no PMU of the kernel has it" "$B/tallyd" --sim @skx-locked --check
echo 'event instructions,cpu-cycles' >names.conf
ok "the kernel's names count there" "$B/tallyd" -q --sim @skx-locked --virtual-time -c names.conf -n 40 -o names.lua
# same A B: they are, and not because there is nothing
same() { [ -n "$1" ] && [ "$1" = "$2" ]; }
node_ipc() { "$B/tally" metrics -m ipc -S node -s 20:39 -f csv "$1" | grep ',ipc,'; }
ok "and make the metric that the fixed counters make" same "$(node_ipc names.lua)" "$(node_ipc skx-8160-2s.lua)"
for line in "read bandwidth" "write bandwidth" "frequency, unhalted" "instructions per cycle" "floating point" "of it on vectors" "mean width" "page hits" "package power" "DRAM power" "uncore frequency" "UPI out"; do
	ok "its report has the same $line" same "$(grep -F "  $line " skx-8160-2s.txt)" "$(grep -F "  $line " skx-locked.txt)"
done

# --- sums over many lprocs and boxes are no faster than their parts may be
printf 'event cpu-cycles uncore_cha/event=0,name=CLOCK/\n' >parts.conf
printf 'cores "0-95"\nevent cpu-cycles\ndispatch off\nevent uncore_cha/event=0,name=CLOCK/\n' >sums.conf
for c in parts sums; do
	"$B/tallyd" -q --sim @skx-locked --virtual-time -c $c.conf -n 40 -o $c.lua
	"$B/tally" totals -s 20:39 $c.lua >$c.txt
done
says "sums of 96 lprocs and 24 boxes can be true" 0 "sound" "$B/tally" check sums.lua
# added FAMILY TOTALS: what all its columns are together
added() { awk -F= -v f="^$1\\\\[" '$1 ~ f { sum += $2 } END { printf "%.0f", sum }' $2; }
ok "and are those of their lprocs" same "$(added core_counts_total parts.txt)" "$(added core_group_counts_total sums.txt)"
ok "and of their boxes" same "$(added cha_counts_total parts.txt)" "$(added cha_sum_counts_total sums.txt)"

# --- an lproc that goes offline is missed as one, its stamps, too
{ cat "$CONFIGS/machines/skx-locked.machine"; echo "from 3 to 6 lproc 5 offline"; } >away.machine
"$B/tallyd" -q --sim away.machine --virtual-time -n 10 -o away.lua
says "an lproc that was away is missed, and nothing else" 1 "absent: 14 families and events, lproc 5" "$B/tally" check away.lua

ok "a pipe that has a path is read once" sh -c "cat away.lua | '$B/tally' check /dev/stdin >piped; '$B/tally' check - <away.lua | cmp - piped && grep 'lproc 5' piped"

# --- what goes wrong is said in one line
says "an unknown option" 64 "no such option" "$B/tallyd" --frobnicate
says "options given twice" 0 "--samples is given more than once, 2 holds; --interval is given more than once, 1 holds" \
	"$B/tallyd" $SIM -n 3 -n 2 -i 2 -i 1 -c @software -c @default-skx -o twice.lua
cp err twice.txt
ok "but not flags and files" sh -c "grep samples twice.txt && ! grep -E 'quiet|config' twice.txt"
echo '# nothing' >empty.conf
says "an empty configuration" 0 "the configuration is empty: no event, no register" "$B/tallyd" $SIM -n 2 -c empty.conf -o empty.lua
printf 'set a\nimc X event=4,umask=3\nset b\n' >empty-set.conf
says "an empty set that takes turns" 0 "event set b is empty: in its turn, none" "$B/tallyd" $SIM -n 5 -c empty-set.conf -o empty2.lua
says "an output that is no file" 64 "tally dump STORE" "$B/tallyd" -o -
start -o later.lua
echo "not a dump" >victim
ln -s victim later.lua
conted
ok "a link that somebody puts where the dump will be is not followed" sh -c \
	"[ -L later.lua ] && grep -q '^tsc\[1\]' later.2.lua && grep -q '^not a dump' victim"
ln -s chosen.lua link
"$B/tallyd" $SIM -n 2 -o link
ok "one that was there is" sh -c "[ -L link ] && grep -q '^tsc\[1\]' chosen.lua"
"$B/tallyd" $SIM -n 2 -o /proc/self/fd/1 >proc.lua
ok "and so are those of /proc" grep -q '^tsc\[1\]' proc.lua
ln -s victim pidlink
says "a pidfile that is a link" 1 "pidfile pidlink: it is a link" "$B/tallyd" $SIM -n 1 --pidfile pidlink -o none.lua
ok "is not written through" grep -q '^not a dump' victim
mkdir -p perfmon/ICX/metrics
echo '{ "Metrics": [] }' >perfmon/ICX/metrics/x.json
echo 'GenuineIntel-6-6A,V1,/ICX/metrics/x.json,metrics,,,' >perfmon/mapfile.csv
says "metrics of another CPU" 2 "this list is of other CPUs (GenuineIntel-6-6A" "$B/tally" metrics -M perfmon/ICX/metrics/x.json skx-locked.lua
says "an interval out of range" 64 "0.001 to 3600" "$B/tallyd" -i 0
says "a machine that is not there" 1 "nonesuch.machine" "$B/tallyd" --sim nonesuch.machine
echo 'imc CAS evnt=4' >bad.conf
printf 'cpu vendor=Elbrus family=6 model=9 stepping=1\npackages 1\ncores 1\n' >unknown.machine
says "events of a CPU that is not known" 1 "name a list of Intel's with --event-list" "$B/tallyd" --sim unknown.machine --list events
says "how a drawing is asked for in rows" 64 "usage: tally platform" "$B/tally" platform -f csv sim.lua
ok "is no option of its help" sh -c "! '$B/tally' platform --help | grep -q -- --format"
says "when a run ends by itself" 0 "40 samples of 1 s: then it stops by itself" "$B/tallyd" --sim @skx-8160-2s --virtual-time -n 40 -o told.lua
says "and when that is of the clock" 0 "3 samples of 0.1 s: stops by itself in 0 s, " "$B/tallyd" --sim @skx-8160-2s -i 0.1 -n 3 -o clock.lua
says "where messages go with -b" 0 "journalctl -t tallyd" "$B/tallyd" --sim @skx-8160-2s -b -i 0.1 -n 2 -o told-b.lua
says "a field that does not exist" 1 'bad.conf:1: IMC has no field "evnt"' "$B/tallyd" $SIM -c bad.conf
printf 'imc A event=4\nimc B event=1\nimc C event=2\nimc D event=3\nimc E event=5\n' >five.conf
says "five events for four counters" 1 "five.conf:5:" "$B/tallyd" $SIM -c five.conf
echo 'cha[27] X event=1' >fused.conf
says "a box that is fused off" 1 "fused off" "$B/tallyd" $SIM -c fused.conf
echo 'imc[2/1] X event=1' >pkg2.conf
says "a package that is not there" 1 "pkg2.conf:1: X: this node has no such IMC: there is no such package" "$B/tallyd" $SIM -c pkg2.conf
echo 'imcfree X event=1' >free.conf
says "a box that counts nothing of one's choice" 1 "free.conf:1: IMCFREE counts nothing that could be chosen" "$B/tallyd" --sim @icx-8358-2s -c free.conf
echo 'core fixed' >fixed.conf
says "fixed counters where there are none" 1 "CORE has no fixed counter, nor has another box of NVIDIA Grace" "$B/tallyd" --sim @grace-2s -c fixed.conf
says "a set's turn of no sample" 64 "--rotate 0: give a number, 1 to" "$B/tallyd" $SIM --rotate 0
if "$B/tallyd" -c @software --check >/dev/null; then
	says "an lproc that is not there" 1 "--cpu 8191: no lproc of that number is online" "$B/tallyd" -c @software --cpu 8191 -n 1
else skip "--cpu 8191" "perf events are not permitted"; fi
says "an option that tally has not" 64 "tally report: unrecognized option '--frobnicate'" "$B/tally" report --frobnicate sim.lua
says "a metric at a scope that it has not" 2 "package_power is given for --scope die,numa,package,node" "$B/tally" metrics -m package_power -S lproc sim.lua
says "a histogram of nothing" 64 "--metric NAME" "$B/tally" histogram sim.lua
says "a histogram of a range that is not there" 2 "no sample in the range asked for" "$B/tally" histogram -m ipc -s 100:200 sim.lua
{ cat sim.lua; echo 'tsc tsc tsc'; } >garbage.lua
for c in "histogram -m utilisation" platform "report --io"; do
	says "a line that no $c understands" 0 "garbage.lua:" "$B/tally" $c garbage.lua
done
printf 'set a\nimc CAS_COUNT.READS event=4,umask=3\n' >one-set.conf
"$B/tallyd" $SIM -n 5 -c one-set.conf -o one-set.lua
ok "one set alone is not multiplexed" sh -c "! '$B/tally' report one-set.lua | grep -q 'took turns'"
{ printf 'read rapl_pkg_energy\n'; cat one-set.conf; printf 'set b\nimc CAS_COUNT.WRITES event=4,umask=12\n'; } >two-sets.conf
"$B/tallyd" $SIM -n 21 -c two-sets.conf --rotate 1 -o two-sets.lua
says "two sets are" 0 "2 event sets took turns" "$B/tally" report two-sets.lua
"$B/tallyd" $SIM -n 21 -c two-sets.conf --turn 0.05 -o in-turns.lua
says "two sets are in each sample" 0 "2 event sets took turns in each sample" "$B/tally" report in-turns.lua
ok "no figure of these is of a part of the time" sh -c "! '$B/tally' report in-turns.lua | grep -q 'counted .* of the time'"
ok "and each interval has each event" sh -c "test \$('$B/tally' metrics -e -m dram_write -S node -f csv in-turns.lua | grep -c dram_write) -eq 20"
"$B/tallyd" $SIM -n 4 -c @hpc -o hpc-turns.lua
ok "live has what is of several sets in each interval" sh -c "'$B/tally' live --once hpc-turns.lua | grep '^  floating point ' | grep -qv n/a"
says "of 10 ms, if nobody says" 0 "sets     2 take 100 turns in each sample, of 10 ms" "$B/tallyd" $SIM -c two-sets.conf --check
says "a sample each, where a round does not fit" 0 "no room for a round in each, of 10 ms a set (an interval of 0.02 s has it)" "$B/tallyd" $SIM -c two-sets.conf -i 0.01 --check
says "how many turns --check says" 0 "sets     2 take 20 turns in each sample" "$B/tallyd" $SIM -c two-sets.conf --turn 0.05 --check
says "where the kernel counts it gives the turns" 0 "it is not used" "$B/tallyd" -q --virtual-time --sim @grace-2s -c @hpc --turn 0.01 -n 2 -o perf-turns.lua
says "sets that do not fit are refused" 1 "2 event sets do not fit into a sample of 1 s" "$B/tallyd" $SIM -c two-sets.conf --turn 0.6
ok "diff takes each interval of what always counts" sh -c "'$B/tally' diff --all -m package_power -S node -a 0:5 -b 10:15 two-sets.lua >alone.txt && grep -q '^package_power' alone.txt && ! grep '^package_power.*too few' alone.txt"
ok "and whole rounds of what takes turns" sh -c "'$B/tally' diff --all -m dram_read -S node -a 0:5 -b 10:15 two-sets.lua | grep -q '^dram_read.*too few'"
ok "plot, too" sh -c "'$B/tally' plot -m package_power -s 0:5 two-sets.lua | grep -q ' 5.0 s after' && '$B/tally' plot -m dram_read -s 0:5 two-sets.lua | grep -q ' 4.0 s after'"
ok "a report for programs says what is an estimate" sh -c "'$B/tally' report -f csv two-sets.lua | grep 'dram_write,node.*,estimate: +- '"
says "a phase that was not marked" 2 "no phase @1: they are @0 to @0" "$B/tally" totals -s @1 usr.lua
says "the fields of a model's boxes" 0 "CHA	28	4 counters	48 bits	event umask edge tid_en inv thresh	filter0 filter1" "$B/tallyd" --list boxes --model skx
says "an output folder that is not there" 1 "name another place with -o" "$B/tallyd" $SIM -n 1 -o nowhere/x.lua
mkdir folder
says "an output without a name" 64 "its value is empty" "$B/tallyd" $SIM -n 1 -o ""
mkfifo pipe
exec 8<>pipe                            # it has a reader before cat is there
cat pipe >piped.lua 8>&- & cat=$!
ok "a dump into a pipe" "$B/tallyd" $SIM -n 5 -o pipe
exec 8>&-
wait $cat
ok "is whole, and the pipe is still one" sh -c "[ -p pipe ] && grep -q '^tsc\[4\]' piped.lua"
says "a FIFO that nobody writes to" 2 "pipe: neither a file nor a pipe on standard input" timeout 300 "$B/tally" merge pipe
says "standard output that is full" 1 "No space left" sh -c "'$B/tallyd' --list models >/dev/full"
says "a configuration without end" 1 "/dev/zero: neither a file nor a pipe on standard input" "$B/tallyd" $SIM -c /dev/zero
mkdir root
says "an output that is a folder" 1 "-o root: it is a directory" "$B/tallyd" $SIM -n 1 -o root
chmod 755 . root
if [ "$(id -u)" = 0 ] && "$B/tallyd" -c @software --check >/dev/null; then
	says "a folder that --user may not write to" 1 "cannot write the dump root/x.lua as user" \
		"$B/tallyd" -c @software --user nobody -n 1 -o root/x.lua
	chgrp 4711 root && chmod 770 root
	says "nor may it as one of root's groups" 1 "cannot write the dump root/x.lua as user" setpriv --groups 4711 \
		"$B/tallyd" -c @software --user nobody -n 1 -o root/x.lua
else skip "an output of another user" "only root can become one"; fi
says "tally says which version it is, as tallyd does" 0 "$("$B/tallyd" --version | sed s/tallyd/tally/)" "$B/tally" --version
says "with the commit, where it was built in a checkout" 0 \
	"${COMMIT:-tally}" "$B/tally" --version
says "tallyd's help has the long names of -v and -q" 0 "-v, --verbose, -q, --quiet, -h, --help [all], --version" "$B/tallyd" --help all
says "a root that is no folder" 1 "--root nowhere: it is no folder" "$B/tallyd" --root nowhere --check
says "a node without sysfs" 1 "is /sys mounted" "$B/tallyd" --root root --check
says "a check tells that registers are not to be written" 1 "PROBLEM  the kernel is locked down" \
	"$B/tallyd" --sim @skx-locked --access raw --check
says "each line of a conversion's help stands in its column" 0 "$(printf '%23scolumns are to FILE.columns.csv\n' '')" \
	"$B/tally" convert --help
says "a check counts boxes" 0 "UPI      3 of 3 in package 0, 3 of 3 in package 1" "$B/tallyd" --sim @skx-8160-2s --check
says "a check of the simulated node" 0 "sampling would work" "$B/tallyd" --sim @skx-8160-2s --check
says "registers of a model need no hardware" 0 "CHA	3	ctl0	msr	0xe31" "$B/tallyd" --list registers --model skx
says "a dry run writes nothing and says what it would" 0 "event=0x4 umask=0x3" "$B/tallyd" --sim @skx-8160-2s --dry-run
says "a dry run says what the kernel would be asked for" 0 'nvidia_pcie_pmu_0/config=0x1,config1=0x3ff/ pcie_counts[0]["RD_BYTES_REM"]' "$B/tallyd" --sim @grace-2s --dry-run
echo 'cha LOOKUP event=0x34,umask=0x03' >doubt.conf
says "a check warns of an event that lacks its filter" 0 "doubt.conf:1: LOOKUP counts nothing" "$B/tallyd" --sim @skx-8160-2s -c doubt.conf --check
says "and so does the start" 0 "doubt.conf:1: LOOKUP counts nothing" "$B/tallyd" $SIM -c doubt.conf -n 2 -o doubt.lua
echo 'tsc[0] = ' >torn.lua
says "a dump cut short" 1 "torn.lua" "$B/tallyd" --replay torn.lua --virtual-time
"$B/tallyd" $SIM -n 5 -o full/../full.lua 2>/dev/null

# --- nothing is overwritten unasked
mkdir twice && cd twice
"$B/tallyd" $SIM -n 2
says "a second run with the default name takes the next number" 0 ".perfcounts.2.lua, since what is there is kept" "$B/tallyd" $UNQUIET -n 2
ok "and a third the one after that" sh -c "'$B/tallyd' $SIM -n 2 && ls ./*.perfcounts.3.lua"
cd ..
echo "my notes" >notes
cp notes kept
ln -s notes notelink
says "an output that is there" 1 "-o notes: the file exists: name another, or give --overwrite" "$B/tallyd" $SIM -n 2 -o notes
says "is one through a link, too" 1 "the file exists" "$B/tallyd" $SIM -n 2 -o notelink
for c in totals deltas metrics report "histogram -m utilisation" platform merge check "convert --wide-csv"; do
	says "and for tally $c" 2 "-o notes: the file exists: name another, or give --overwrite" "$B/tally" $c -o notes sim.lua
done
ok "and has what it had" cmp notes kept
cp sim.lua read.lua
ln read.lua hard.lua
ln -s read.lua soft.lua
for o in read hard soft; do
	says "what is read is no output ($o)" 2 "it is the file that is read" "$B/tally" report --overwrite -o $o.lua read.lua
done
ok "and has what it had, too" cmp read.lua sim.lua
ok "--overwrite is for those who mean it" sh -c "'$B/tally' report --overwrite -o notes sim.lua && grep -q instructions notes"
echo before >appended
ok "what standard output has stays" sh -c "'$B/tally' report -o /dev/stdout sim.lua >>appended && '$B/tallyd' $SIM -n 2 -o /dev/stdout >>appended && grep -q '^before' appended && grep -q instructions appended && grep -q '^tsc\[1\]' appended"
start -o mine.lua
says "an output that another daemon is going to write" 1 "another tallyd (pid $pid) is going to write it: name another, or give --overwrite" "$B/tallyd" $SIM -n 2 -o mine.lua
says "a pidfile of a daemon that runs" 1 "it is that of a tallyd that runs (pid $pid)" "$B/tallyd" $SIM -n 2 --pidfile ready -o none.lua
kill -USR1 $pid
soon grep -q '^tsc\[1\]' mine.lua
first=$(grep -c '^tsc\[' mine.lua)
conted
ok "a run replaces the dump that it has made itself" sh -c "[ ! -e mine.2.lua ] && [ \$(grep -c '^tsc\[' mine.lua) -gt $first ]"
echo 999999999 >pid
ok "a pidfile that was left is replaced" sh -c "'$B/tallyd' $SIM -n 2 --pidfile pid -o left.lua && [ ! -e pid ]"
echo "PATH=/bin" >profile
says "a pidfile that is something else" 1 "pidfile profile: it is a file of another kind" "$B/tallyd" $SIM -n 2 --pidfile profile -o none.lua

# --- nodes of three CPUs: metrics stand in the order of the files, whoever reads them first
for m in genoa-9654-2s c2758 grace-2s; do
	"$B/tallyd" -q --virtual-time --sim @$m -n 3 -o merged-$m.lua
done
"$B/tally" merge --jobs 1 merged-*.lua >merged-1
for _ in 1 2 3 4; do
	"$B/tally" merge --jobs 3 merged-*.lua >merged-3
	cmp -s merged-1 merged-3 || echo >merged-1
done
ok "merge prints the same, however many processes read" cmp merged-1 merged-3

# --- a stack of 40 KB is enough, 12 of which a program needs that does nothing
case $B in *-*) skip "a small stack" "a sanitizer needs more" ;; *)
	"$B/tallyd" -q --virtual-time --sim @skx-8160-2s -c @io -n 6 -o io.lua
	for command in report "report --io" "page -o small.html" check merge \
	    --wide-csv "--parquet -o small.parquet" metrics "metrics -e" why \
	    "diff -a :2 -b 3:" platform jitter "histogram -m utilisation" \
	    "plot -m ipc" totals deltas; do
		case $command in --*) command="convert $command" ;; esac
		ok "tally $command, with a small stack" sh -c \
		    "ulimit -c 0; ulimit -s 40 && exec env -i '$B/tally' $command io.lua"
	done
	says "tally live, with a small stack" 1 "its tallyd has ended" sh -c \
	    "ulimit -c 0; ulimit -s 40 && exec env -i '$B/tally' live -n 1 io.lua" ;;
esac

# --- a set that had less than half as much of the time as the others
"$B/tallyd" -q --virtual-time --sim @skx-8160-2s -c @hpc -n 6 -o sets.lua
awk '/^set_running\["stalls"\]\[[0-9]+\] = /{ $3 = int($3 / 3) } { print }' sets.lua >fewer.lua
says "each set has its share" 0 "7530 columns: sound" "$B/tally" check sets.lua
says "one that has not is noted" 0 "note: turn: event set stalls counted 4.8 % of the time, less than half" "$B/tally" check fewer.lua

# --- a segment's first row is the last one's of the segment before, by threads too
"$B/tallyd" --sim @icx-8358-2s --virtual-time -q -c @hpc-icx -n 22 --read pinned -o whole.lua
"$B/tallyd" --sim @icx-8358-2s --virtual-time -q -c @hpc-icx -n 22 --read pinned --segment 5s -o seam.lua
for f in seam.00000[1-5].lua; do
	says "to check, $f has no worse samples than others" 0 "columns: sound" "$B/tally" check $f
done
says "nor have all of them" 0 "22 samples, 21.000 s, 8178 columns: sound" "$B/tally" check seam.00000?.lua
ok "whose totals are those of a run without" sh -c "'$B/tally' totals whole.lua | grep -v '^totals_file\|^sample_cpu' >a && '$B/tally' totals seam.00000?.lua | grep -v '^totals_file\|^sample_cpu' >b && [ \$(wc -l <a) -gt 11000 ] && cmp a b"

# --- the disk is full at dump time: the samples stay, and are dumped later
if [ "$(id -u)" = 0 ] && mkdir -p small && mount -t tmpfs -o size=64k none small 2>/dev/null; then
	says "a full disk keeps the samples" 1 "samples are safe in" "$B/tallyd" $SIM -n 5 --store keep.store -o small/x.lua
	ok "and the store dumps them" sh -c "'$B/tally' dump keep.store >kept.lua && grep -q '^tsc\[4\]' kept.lua"
	umount small
else
	skip "a full disk" "needs root to mount a tmpfs"
fi
echo "end_to_end: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
