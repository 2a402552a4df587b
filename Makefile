# One file, no recursion, one gate: make check.
#   make SAN=address,undefined check    the same under the sanitizers
#   make CC=clang                       gcc and clang both build without a word
#   make STATIC=1 [CC=musl-gcc]         one file that runs on any node: build-static
PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
WARN   := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(if $(WERROR),-Werror)
# ThreadSanitizer and valgrind need system calls that the daemon gives up: such a
# build (SAN=thread; FILTER=no) is without the filter, and tallyd --version says so.
FILTER ?= $(if $(findstring thread,$(SAN)),no,yes)
B      := build$(SAN:%=-%)$(if $(filter no-,$(FILTER)-$(SAN)),-nofilter)$(if $(STATIC),-static)
# What a root daemon is built with; nothing of it where it is instrumented.
ifeq ($(SAN),)
HARDEN    := -fstack-protector-strong -fPIE \
	$(if $(filter -O0,$(CFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2) \
	$(shell $(CC) -Werror -fcf-protection -E -x c /dev/null >/dev/null 2>&1 && \
		echo -fcf-protection)
HARDEN_LD := $(if $(findstring -static,$(LDFLAGS)),,-pie) -Wl,-z,relro,-z,now,-z,noexecstack
endif
# musl-gcc has no headers of the kernel: those of the other libc's folders do.
ifneq ($(STATIC),)
override LDFLAGS += -static
override CFLAGS += $(if $(findstring musl,$(CC)),-idirafter /usr/include -idirafter /usr/include/$(shell gcc -print-multiarch))
endif
FLAGS   = -std=c11 -pthread -D_GNU_SOURCE -I. -I$B -MMD -MP $(WARN) $(CFLAGS) $(HARDEN) $(if $(filter no,$(FILTER)),-DNO_FILTER) $(SAN:%=-fsanitize=% -fno-sanitize-recover=all)
# A short line a file; V=1 shows the commands.
Q       = $(if $V,,@)
say     = $(if $V$(findstring s,$(firstword -$(MAKEFLAGS))),,@echo "  $1 $@")

# A folder is a room; each program names the rooms it is made of.
ROOMS  := lib regs $(wildcard regs/*/) topology \
	config config/dump config/lang config/sim \
	daemon $(patsubst %/,%,$(wildcard daemon/*/)) postproc $(wildcard postproc/*/)
src     = $(wildcard $(patsubst %/,%,$1)/*.c)
objs    = $(foreach room,$1,$(patsubst %.c,$B/%.o,$(call src,$(room))))
# What runs while the daemon samples, side by side in the program: of its file the kernel
# maps 16 pages around each that is needed.
LOOP   := $(patsubst %.c,$B/%.o,$(wildcard daemon/node/writer*.c $(addsuffix .c,lib/process lib/diag \
	$(addprefix daemon/node/,team program rights filter journal soc) regs/access regs/host \
	$(addprefix regs/linux/,linux linux_msr linux_pci linux_mem) daemon/log \
	$(addprefix daemon/read/,pinned pinned_thread rotate saturate sweep files) config/dump/store \
	config/dump/store_open daemon/plan/plan_blocks $(addprefix daemon/run/,sampler row_note \
	control notify mark_notes segments segment_dump handover pause session)) \
	regs/linux/*.c daemon/read/*.c))
DAEMON := $(LOOP) $(filter-out $(LOOP),$(call objs,$(filter-out postproc%,$(ROOMS))))
TALLY  := $(call objs,lib regs regs/models config config/dump $(filter postproc%,$(ROOMS)))
PARTS  := $(filter-out %/main.o,$(sort $(DAEMON) $(TALLY)))
LINKED := $B/parts.a
# A test is tests/ROOM/test_NAME.c, its program $B/tests/test_NAME; what tests share is in tests/lib.
TESTED := $(wildcard $(patsubst %,tests/%/test_*.c,* */*))
TESTS  := $(patsubst %.c,$B/tests/%,$(notdir $(TESTED)))
STAGE  := $(call objs,tests/lib)
TOOLS  := $(patsubst %,$B/tests/%,bench node_machine runner unpack)
TEXTS  := $(wildcard $(foreach d,events groups/* machines metrics page prove rules,config/$d/*.*)) \
	config/perfmon/mapfile.csv $(wildcard config/perfmon/*/events/*.tsv)

all: $B/tallyd $B/tally
$B/tallyd: $(DAEMON)
$B/tally: $(TALLY)
$(foreach t,$(TESTED),$(eval $B/tests/$(basename $(notdir $t)): $(t:%.c=$B/%.o)))
$(TOOLS): $B/tests/%: $B/tests/tools/%.o
$(TESTS) $B/tests/bench: $B/stage.a $(LINKED)
$(TESTS) $B/tests/bench: private LDLIBS = -lcmocka
$B/stage.a: $(STAGE)
$B/parts.a: $(PARTS)
$B/stage.a $B/parts.a:
	$(call say,AR)
	$Q$(AR) rcsD $@.new $^ && mv $@.new $@
$B/tallyd $B/tally $(TESTS) $(TOOLS):
	$(call say,LD)
	$Q$(CC) $(FLAGS) $(HARDEN_LD) $(LDFLAGS) -o $@ $(filter %.o %.a %.so,$^) $(LDLIBS) -lm
$B/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$Q$(CC) $(FLAGS) -c -o $@ $<

# Preloaded into tallyd by the tests; never sanitized.
SHIMS  := $B/tests/msr_shim.so $B/tests/memory_shim.so $B/tests/nvml_shim.so
$B/tests/%_shim.so: tests/tools/%_shim.c
	@mkdir -p $(@D)
	$(call say,CC)
	$Q$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -I. -O2 -fPIC -shared -o $@ $< -ldl
# A program beside tallyd, which is built by who wants it.
$B/nvidia-figures: doc/gpu/nvidia-figures.c
	@mkdir -p $(@D)
	$(call say,CC)
	$Q$(CC) -std=c11 -D_GNU_SOURCE $(WARN) -O2 -o $@ $< -ldl
$B/tests/test_nvidia: | $B/nvidia-figures $B/tests/nvml_shim.so

# The tables of tests/data and config/perfmon as the files that they are of.
DATA   := $B/tests/data/perfmon/mapfile.csv \
	$(patsubst config/%.tsv,$B/tests/data/%.json,$(wildcard config/perfmon/*/*/*.tsv)) \
	$(patsubst tests/%,$B/tests/%,$(patsubst %.tsv,%.json,$(wildcard tests/data/perfmon/*/*/*.tsv)) \
	$(patsubst %.tsv,%.lua,$(wildcard tests/data/original/*.perfcounts.tsv)))
$B/tests/data/%.json: tests/data/%.tsv $B/tests/unpack
	@mkdir -p $(@D) && $B/tests/unpack list $< >$@ || { rm -f $@; exit 1; }
$B/tests/data/%.json: config/%.tsv $B/tests/unpack
	@mkdir -p $(@D) && $B/tests/unpack list $< >$@ || { rm -f $@; exit 1; }
$B/tests/data/%.lua: tests/data/%.tsv $B/tests/unpack
	@mkdir -p $(@D) && $B/tests/unpack recording $< >$@ || { rm -f $@; exit 1; }
$B/tests/data/%.csv: config/%.csv
	@mkdir -p $(@D) && cp $< $@
$(TESTS) $B/tests/bench: | $(DATA) $(SHIMS)
$B/tests/test_runner: | $B/tests/runner
# Where there is a static libc, which the sanitizers do not go with.
$B/tests/test_accounts: | $(if $(SAN),,$(if $(wildcard $(shell $(CC) -print-file-name=libc.a)),$B/static/tallyd))

# The text files of config/, built in.
$B/config/texts.o: $B/texts.inc $(TEXTS)
$B/texts.inc: $(TEXTS) Makefile
	@mkdir -p $(@D)
	@n=0; for f in $(TEXTS); do \
		echo "TEXT($$n, \"$${f##*/}\", \"$$f\")"; n=$$((n + 1)); done > $@

# The commit that a checkout is at, for --version; a tarball has none, and one that lies
# in somebody's checkout is not of that.  Written where it is another one alone, by way of
# a file of its own, as several makes may look after one folder at a time.
COMMIT := $(if $(wildcard .git),$(shell git describe --always --dirty --abbrev=10 2>/dev/null))
$B/config/version.o: $B/commit.inc
$B/commit.inc: FORCE
	@mkdir -p $(@D); new=$@.$$$$; \
	echo '$(if $(COMMIT),#define TALLYD_COMMIT "$(COMMIT)")' >$$new; \
	if cmp -s $$new $@; then rm $$new; else mv $$new $@; fi
FORCE:

tests: all $(TESTS) $(SHIMS) $B/tests/node_machine $B/tests/runner $(patsubst %.c,$B/%.o,$(wildcard tests/fuzz/fuzz_*.c))
# The longest first, so that none is waited for alone.
SCRIPTS := $(patsubst %,tests/%,first_pages.py end_to_end.sh readings_odd.py readings_figures.py documents.py turns.py \
	topology_nodes.py text_alone.sh nodes.sh readme.sh security.sh completion.sh prolog.sh)
LONG   := $(patsubst %,$B/tests/test_%,no_memory doctored_nodes kills segments growth_plan random_device signals each_call)
check: layers tests            # the gate; also: make check SAN=address,undefined
	@B=$B SAN=$(SAN) tests/hardening.sh
	@B=$B V=$V tests/run.sh $(SCRIPTS) $(LONG) $(filter-out $(LONG),$(TESTS))
# The threads that read, of tallyd and of tally, under ThreadSanitizer, which finds
# its memory where addresses stay.
THREADED := pinned_run delayed_threads threads
check-threads:
	@$(MAKE) -s SAN=thread B=$B-thread tests-threaded
tests-threaded: all $(THREADED:%=$B/tests/test_%) $(SHIMS) $B/tests/runner
	@B=$B V=$V setarch -R tests/run.sh $(THREADED:%=$B/tests/test_%)
layers: all
	@tests/layers.sh
	@tests/shape.sh
	@B=$B tests/circles.sh

# What has been tried against it, as root (tests/attacks/run.sh); ROUNDS=500: ten minutes.
ATTACKS := setuid rights writer helper_processes attacks control reload_refused heritage hostile_files export_bad kills segments reload pause pinned_run
check-attacks: all $(ATTACKS:%=$B/tests/test_%) $(SHIMS) $B/tests/runner
	@B='$B' tests/attacks/run.sh

# A STREAM run on the simulated node, and the page of its middle.
demo:
	@echo "Building both programs, a line a file; $(words $(sort $(CORE) $(PARTS))) files."
	@$(MAKE) --no-print-directory all
	@echo "Sampling a simulated node, 40 s of its time: $B/demo.lua"
	@$B/tallyd -q --sim @skx-8160-2s --virtual-time -n 40 --overwrite -o $B/demo.lua
	@echo && $B/tally report -s 20:39 $B/demo.lua
	@echo && echo "Next: $B/tally why $B/demo.lua; doc/first-hour.md"

# All that is printed of the simulated machines, as in BASE.
BASE ?= HEAD
golden:
	tests/golden.sh $(BASE)

# Small mistakes in the code, each of which a test should see (tests/mutants.sh).
mutants:
	@CC='$(CC)' N='$(N)' SEED='$(SEED)' IN='$(IN)' JOBS='$(JOBS)' \
		GOAL='$(GOAL)' QUICK='$(QUICK)' AGAIN='$(AGAIN)' tests/mutants.sh

# Prometheus, InfluxDB, collectd ... read a simulated node (tests/live/run.sh).
check-live: all
	@B='$B' tests/live/run.sh

# Jobs of a real Slurm on a simulated node (tests/slurm/run.sh), as root.
check-slurm: all
	@B='$B' tests/slurm/run.sh

# Ten thousand dumps, merged at once and as summaries (tests/many/run.sh).
check-many: all
	@B='$B' tests/many/run.sh

# A service's life in segments, by virtual time (tests/month.sh): two days; a month
# with MONTH=2592000.
check-month: all
	@B='$B' tests/month.sh

# Pages of simulated nodes in headless Chromium (tests/page/run.sh).
check-page: all $(DATA)
	@B='$B' tests/page/run.sh

# DuckDB, Polars, hyparquet and Dask read Parquet and NumPy files of simulated
# nodes; the recipes of doc/scale.md (tests/scale/run.sh).
check-scale: all $(DATA)
	@B='$B' tests/scale/run.sh

# System calls of a run fail, in every way (tests/daemon/test_each_call.c): every third
# of them, which takes two CPUs two to four minutes; FAULT_STEP=1: all.
FAULT_STEP ?= 3
FAULTS := $B/tests/test_each_call
faults: all $(FAULTS) $(SHIMS) $B/tests/runner
	@all=$$((2 * $(FAULT_STEP))); \
	FAULTS=1/$$all B=$B V=$V tests/run.sh $(FAULTS) & first=$$!; \
	FAULTS=$$((1 + $(FAULT_STEP)))/$$all B=$B V=$V tests/run.sh $(FAULTS); \
	second=$$?; wait $$first && exit $$second

# libFuzzer on every parser, FUZZ_SECONDS each; with -j2 two at a time.  With
# FUZZ_SEED=N nearly the same inputs each time, as far as the time goes; with
# FUZZ_RUNS=tests/fuzz/runs so many as stand there.
FUZZERS := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_SECONDS ?= 20
FB := build-fuzz
FUZZ_CC = clang -std=c11 -pthread -D_GNU_SOURCE -I. -I$B -g -O1 -MMD -MP -fno-sanitize-recover=all
FUZZED := $(PARTS:$B/%=$(FB)/%)
$(FB)/fuzz_%: $(FB)/tests/fuzz/fuzz_%.o $(FB)/parts.a
	$(call say,LD)
	$Q$(FUZZ_CC) -fsanitize=fuzzer,address,undefined -o $@ $(filter %.o,$^) $(FB)/parts.a -lm
$(FB)/parts.a: $(FUZZED)
	$(call say,AR)
	$Q$(AR) rcsD $@.new $^ && mv $@.new $@
$(addprefix $(FB)/fuzz_,pci pmu tree): $(FB)/tests/lib/byte_tree.o
$(FB)/fuzz_machine: $(FB)/tests/lib/sim_compare.o
$(FB)/fuzz_parquet: $(addprefix $(FB)/tests/lib/parquet_,bounds.o file.o page.o thrift.o)
$(addprefix $(FB)/fuzz_,view pairs): $(FB)/tests/lib/input_file.o
$(FB)/fuzz_device: $(addprefix $(FB)/tests/lib/,random_device.o random_device_run.o)
$(FB)/%.o: %.c $B/texts.inc
	@mkdir -p $(@D)
	$(call say,CC)
	$Q$(FUZZ_CC) -fsanitize=fuzzer-no-link,address,undefined -c -o $@ $<
.SECONDARY: $(FUZZED) $(FUZZERS:%=$(FB)/%) $(FUZZERS:%=$(FB)/tests/fuzz/%.o)
fuzzers: $(FUZZERS:%=$(FB)/%)
fuzz: $(FUZZERS:%=run-%)
run-fuzz_%: $(FB)/fuzz_%
	@FB=$(FB) FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_RUNS=$(FUZZ_RUNS) FUZZ_SEED=$(FUZZ_SEED) tests/fuzz/fuzz.sh $*

bench: all $B/tests/bench $B/tests/msr_shim.so
	B=$B tests/bench.sh
	B=$B tests/turns.py --all

# What applications feel of it on this machine: software events, a node of files.
bench-feel: all $B/tests/bench $B/tests/msr_shim.so
	@mkdir -p $B/tests
	$Q$(CC) -std=c11 -D_GNU_SOURCE -pthread -O2 $(WARN) -o $B/tests/feel tests/vm/feel.c
	@B=$B tests/feel_here.sh

# On the real msr driver, in a virtual machine: minutes, and a kernel to download.
check-vm:
	@B='$B' tests/vm/run.sh
bench-vm:                      # what a sample costs there, in each way to read it; raw and perf
	@B='$B' tests/vm/run.sh bench
# What runs there: the same objects, in a file each that asks for no library.
$B/static/tallyd: $(DAEMON)
$B/static/tally: $(TALLY)
$B/static/tallyd $B/static/tally:
	@mkdir -p $(@D)
	$(call say,LD)
	$Q$(CC) $(FLAGS) -static -o $@ $^ $(LDLIBS) -lm

# arm64 under QEMU: instructions of a loop, counted exactly.
check-arm:
	tests/arm/run.sh

# The manual pages as HTML, by mandoc: $B/doc.
doc: $(patsubst doc/%,$B/doc/%.html,$(wildcard doc/*.[158]))
$B/doc/%.html: doc/%
	@mkdir -p $(@D)
	$Qmandoc -T html -O man=%N.%S.html,style=mandoc.css $< >$@

# What make install puts where below PREFIX: FILE:PLACE.
UNITS  ?= $(PREFIX)/lib/systemd/system
ZSH    ?= $(PREFIX)/share/zsh/site-functions
P      := doc/packaging
to      = $(foreach f,$1,$f:$(PREFIX)/$2/$(notdir $f))
PLACES  = $(call to,$B/tallyd,sbin) $(call to,$B/tally,bin) \
	$(foreach n,1 5 8,$(call to,$(wildcard doc/*.$n),share/man/man$n)) \
	$(call to,README.md,share/doc/tallyd) $(call to,$(wildcard doc/*.md doc/*.png),share/doc/tallyd/doc) \
	$(call to,config/metrics/README,share/doc/tallyd/metrics) $(call to,config/rules/README,share/doc/tallyd/rules) \
	$(call to,config/page/README,share/doc/tallyd/page) \
	$(call to,$P/tallyd.conf $P/changelog,share/doc/tallyd) LICENSE:$(PREFIX)/share/doc/tallyd/copyright \
	$(call to,config/perfmon/LICENSE,share/doc/tallyd/perfmon) \
	$(call to,$(wildcard doc/slurm/*),share/doc/tallyd/slurm) \
	$(call to,$(wildcard doc/gpu/*),share/doc/tallyd/doc/gpu) \
	$(call to,$(wildcard doc/monitoring/*),share/tallyd) \
	$P/tallyd.service:$(UNITS)/tallyd.service \
	$(foreach d,sysusers tmpfiles modules-load,$P/$d.conf:$(PREFIX)/lib/$d.d/tallyd.conf) \
	$(foreach p,tallyd tally,$P/completion.bash:$(PREFIX)/share/bash-completion/completions/$p) \
	$P/completion.zsh:$(ZSH)/_tallyd
install: all
	$Qfor p in $(PLACES); do f=$${p%%:*} to=$(DESTDIR)$${p#*:}; \
		if [ -x $$f ]; then mode=755; else mode=644; fi; \
		install -D -m $$mode $$f $$to || exit 1; \
		case $$f in *.conf|*.service) sed -i 's|/usr/local|$(PREFIX)|g' $$to;; esac; done
uninstall:                     # dumps and /etc/tallyd stay
	$Qfor p in $(PLACES); do rm -f $(DESTDIR)$${p#*:}; done
	$Qrmdir --ignore-fail-on-non-empty $(foreach d,share/doc/tallyd/doc/gpu share/doc/tallyd/doc share/doc/tallyd/perfmon share/doc/tallyd/slurm share/doc/tallyd/metrics share/doc/tallyd share/tallyd,$(DESTDIR)$(PREFIX)/$d)

# Packages, and what they are made of, below $B (doc/packaging/build.sh).
dist deb rpm:
	@$P/build.sh $@ $B/packages
check-package:
	@tests/package/run.sh

clean:
	rm -rf build build-*
.PHONY: all tests check check-attacks check-threads tests-threaded layers demo golden mutants faults check-live check-slurm check-month check-many check-page fuzzers fuzz bench bench-feel check-vm bench-vm check-arm install uninstall dist deb rpm check-package doc clean
# Lists of an earlier build may name files of tests that have moved since: what was made of those is made again.
tests/%.c: ;
%.d: ;
-include $(shell find $B $(FB) -path '*/packages' -prune -o -type f -name '*.d' -print 2>/dev/null)
