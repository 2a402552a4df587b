# One file, no recursion, one gate: make check.
#   make SAN=address,undefined check    the same under the sanitizers
#   make CC=clang                       gcc and clang both build without a word
PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
WARN   := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(if $(WERROR),-Werror)
B      := build$(SAN:%=-%)
# What a root daemon is built with; nothing of it where it is instrumented.
ifeq ($(SAN),)
HARDEN    := -fstack-protector-strong -fPIE \
	$(if $(filter -O0,$(CFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2) \
	$(shell $(CC) -Werror -fcf-protection -E -x c /dev/null >/dev/null 2>&1 && \
		echo -fcf-protection)
HARDEN_LD := $(if $(findstring -static,$(LDFLAGS)),,-pie) -Wl,-z,relro,-z,now,-z,noexecstack
endif
FLAGS   = -std=c11 -D_GNU_SOURCE -I. -I$B -MMD -MP $(WARN) $(CFLAGS) $(HARDEN) $(SAN:%=-fsanitize=% -fno-sanitize-recover=all)
# A short line a file; V=1 shows the commands.
Q       = $(if $V,,@)
say     = $(if $V$(findstring s,$(firstword -$(MAKEFLAGS))),,@echo "  $1 $@")

# A folder is a room; each program names the rooms it is made of.
ROOMS  := regs $(wildcard regs/*/) topology \
	config config/dump config/lists config/lang config/sim \
	daemon daemon/plan daemon/node daemon/run postproc $(wildcard postproc/*/)
src     = $(wildcard $(patsubst %/,%,$1)/*.c)
objs    = $(foreach room,$1,$(patsubst %.c,$B/%.o,$(call src,$(room))))
DAEMON := $(call objs,$(filter-out postproc%,$(ROOMS)))
TALLY  := $(call objs,regs regs/models config config/dump config/lists $(filter postproc%,$(ROOMS)))
PARTS  := $(filter-out %/main.o,$(sort $(DAEMON) $(TALLY)))
TESTS  := $(patsubst %.c,$B/%,$(wildcard tests/test_*.c))
STAGE  := $(patsubst %,$B/tests/%.o,asker clean_dump doctor doctorings figures figures_text files growth named rig said sampled scene small stand_in tracer whim whim_run)
TEXTS  := $(wildcard $(foreach d,events groups/* machines metrics page,config/$d/*.*))

all: $B/tallyd $B/tally
$B/tallyd: $(DAEMON)
$B/tally: $(TALLY)
$(TESTS) $B/tests/bench: $B/%: $B/%.o $(STAGE) $(PARTS)
$(TESTS) $B/tests/bench: LDLIBS = -lcmocka
$B/tallyd $B/tally $(TESTS) $B/tests/bench:
	$(call say,LD)
	$Q$(CC) $(FLAGS) $(HARDEN_LD) $(LDFLAGS) -o $@ $^ $(LDLIBS) -lm
$B/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$Q$(CC) $(FLAGS) -c -o $@ $<

# Preloaded into tallyd by the tests; never sanitized.
SHIMS  := $B/tests/msr_shim.so $B/tests/memory_shim.so
$B/tests/%_shim.so: tests/%_shim.c
	@mkdir -p $(@D)
	$(call say,CC)
	$Q$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -O2 -fPIC -shared -o $@ $< -ldl

# The tables of tests/data as the files that they are of.
DATA   := $(patsubst tests/%,$B/tests/%,$(wildcard tests/data/perfmon/*.csv) \
	$(patsubst %.tsv,%.json,$(wildcard tests/data/perfmon/*/*/*.tsv)) \
	$(patsubst %.tsv,%.lua,$(wildcard tests/data/original/*.perfcounts.tsv)))
$B/tests/unpack: tests/unpack.c
	@mkdir -p $(@D)
	$(call say,LD)
	$Q$(CC) $(FLAGS) $(HARDEN_LD) $(LDFLAGS) -o $@ $<
$B/tests/data/%.json: tests/data/%.tsv $B/tests/unpack
	@mkdir -p $(@D) && $B/tests/unpack list $< >$@ || { rm -f $@; exit 1; }
$B/tests/data/%.lua: tests/data/%.tsv $B/tests/unpack
	@mkdir -p $(@D) && $B/tests/unpack recording $< >$@ || { rm -f $@; exit 1; }
$B/tests/data/%.csv: tests/data/%.csv
	@mkdir -p $(@D) && cp $< $@
$(TESTS) $B/tests/bench: | $(DATA)

# The text files of config/, built in.
$B/config/texts.o: $B/texts.inc $(TEXTS)
$B/texts.inc: $(TEXTS) Makefile
	@mkdir -p $(@D)
	@n=0; for f in $(TEXTS); do \
		echo "TEXT($$n, \"$${f##*/}\", \"$$f\")"; n=$$((n + 1)); done > $@

tests: all $(TESTS) $(SHIMS)
check: layers tests            # the gate; also: make check SAN=address,undefined
	@B=$B SAN=$(SAN) tests/hardening.sh
	@B=$B V=$V tests/run.sh $(TESTS) tests/security.sh tests/readme.sh tests/end_to_end.sh
layers: all
	@tests/layers.sh
	@tests/shape.sh
	@B=$B tests/circles.sh

# A STREAM run on the simulated node, and the totals of its middle.
demo:
	@$(MAKE) -s all
	@$B/tallyd -q --sim @skx-8160-2s --virtual-time -n 40 --overwrite -o $B/demo.lua
	@$B/tally report -s 20:39 $B/demo.lua
	@$B/tally totals -s 20:39 $B/demo.lua | grep -E '^(imc_counts|rapl)' | head -30

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

# Pages of simulated nodes in headless Chromium (tests/page/run.sh).
check-page: all $(DATA)
	@B='$B' tests/page/run.sh

# System calls of a run fail, in every way (tests/test_each_call.c): every third
# of them, which takes two CPUs two to four minutes; FAULT_STEP=1: all.
FAULT_STEP ?= 3
FAULTS := $B/tests/test_each_call
faults: all $(FAULTS) $(SHIMS)
	@all=$$((2 * $(FAULT_STEP))); \
	FAULTS=1/$$all V=$V tests/run.sh $(FAULTS) & first=$$!; \
	FAULTS=$$((1 + $(FAULT_STEP)))/$$all V=$V tests/run.sh $(FAULTS); \
	second=$$?; wait $$first && exit $$second

# libFuzzer on every parser, FUZZ_SECONDS each; with -j2 two at a time.  With
# FUZZ_SEED=N nearly the same inputs each time, as far as the time goes.
FUZZERS := $(patsubst tests/%.c,%,$(wildcard tests/fuzz_*.c))
FUZZ_SECONDS ?= 20
FB := build-fuzz
FUZZ_CC = clang -std=c11 -D_GNU_SOURCE -I. -I$B -g -O1 -MMD -MP -fno-sanitize-recover=all
FUZZED := $(PARTS:$B/%=$(FB)/%)
$(FB)/fuzz_%: tests/fuzz_%.c $(FUZZED)
	$(call say,LD)
	$Q$(FUZZ_CC) -fsanitize=fuzzer,address,undefined -o $@ $(filter %.c %.o,$^) -lm
$(addprefix $(FB)/fuzz_,pci pmu tree): $(FB)/tests/byte_tree.o
$(FB)/fuzz_device: $(FB)/tests/whim.o $(FB)/tests/whim_run.o
$(FB)/%.o: %.c $B/texts.inc
	@mkdir -p $(@D)
	$(call say,CC)
	$Q$(FUZZ_CC) -fsanitize=fuzzer-no-link,address,undefined -c -o $@ $<
.SECONDARY: $(FUZZED) $(FUZZERS:%=$(FB)/%)
fuzzers: $(FUZZERS:%=$(FB)/%)
fuzz: $(FUZZERS:%=run-%)
run-fuzz_%: $(FB)/fuzz_%
	@FB=$(FB) FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_SEED=$(FUZZ_SEED) tests/fuzz.sh $*

bench: all $B/tests/bench $B/tests/msr_shim.so
	B=$B tests/bench.sh

# On the real msr driver, in a virtual machine: minutes, and a kernel to download.
check-vm:
	tests/vm/run.sh
bench-vm:                      # what a sample costs there, in each way to read it; raw and perf
	tests/vm/run.sh bench

# arm64 under QEMU: instructions of a loop, counted exactly.
check-arm:
	tests/arm/run.sh

install: all
	install -D -m 755 $B/tallyd $(DESTDIR)$(PREFIX)/sbin/tallyd
	install -D -m 755 $B/tally $(DESTDIR)$(PREFIX)/bin/tally
	for m in $(wildcard doc/*.[1-8]); do \
		install -D -m 644 $$m $(DESTDIR)$(PREFIX)/share/man/man$${m##*.}/$${m##*/}; done
	for d in README.md doc/access.md doc/monitoring.md doc/security.md doc/contributing.md doc/glossary.md doc/rangeley.md config/metrics/README; do \
		install -D -m 644 $$d $(DESTDIR)$(PREFIX)/share/doc/tallyd/$${d#config/}; done
	for f in $(wildcard doc/monitoring/*); do \
		install -D -m 644 $$f $(DESTDIR)$(PREFIX)/share/tallyd/$${f##*/}; done
	sed -i 's|/usr/local|$(PREFIX)|g' $(DESTDIR)$(PREFIX)/share/tallyd/*.conf

clean:
	rm -rf build build-*
.PHONY: all tests check layers demo golden mutants faults check-live check-page fuzzers fuzz bench check-vm bench-vm check-arm install clean
-include $(shell find $B $(FB) -name '*.d' 2>/dev/null)
