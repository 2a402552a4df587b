# One file, no recursion, one gate: make check.
#   make SAN=address,undefined check    the same under the sanitizers
#   make CC=clang                       gcc and clang both build without a word
PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
WARN   := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
B      := build$(SAN:%=-%)
FLAGS   = -std=c11 -D_GNU_SOURCE -I. -I$B -MMD -MP $(WARN) $(CFLAGS) $(SAN:%=-fsanitize=% -fno-sanitize-recover=all)
objs    = $(patsubst %.c,$B/%.o,$(wildcard $(1:%=%/*.c)))
CORE   := $(call objs,regs topology config)
DAEMON := $(CORE) $(call objs,daemon)
TALLY  := $(CORE) $(call objs,postproc)
PARTS  := $(filter-out %/main.o,$(sort $(DAEMON) $(TALLY)))
TESTS  := $(patsubst %.c,$B/%,$(wildcard tests/test_*.c))
STAGE  := $(patsubst %,$B/tests/%.o,files rig scene small stand_in)
TEXTS  := $(wildcard config/*/*.* config/*/*/*.*)
not_up  = ! grep -rnE '^\#include "($(2))/' $(1)

all: $B/tallyd $B/tally
$B/tallyd: $(DAEMON)
$B/tally: $(TALLY)
$(TESTS) $B/tests/bench: $B/%: $B/%.o $(STAGE) $(PARTS)
$(TESTS) $B/tests/bench: LDLIBS = -lcmocka
$B/tallyd $B/tally $(TESTS) $B/tests/bench:
	$(CC) $(FLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS) -lm
$B/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -c -o $@ $<

# Preloaded into tallyd by the tests; never sanitized.
$B/tests/msr_shim.so: tests/msr_shim.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -O2 -fPIC -shared -o $@ $< -ldl

# The text files of config/, built in.
$B/config/texts.o: $B/texts.inc $(TEXTS)
$B/texts.inc: $(TEXTS) Makefile
	@mkdir -p $(@D)
	@n=0; for f in $(TEXTS); do \
		echo "TEXT($$n, \"$${f##*/}\", \"$$f\")"; n=$$((n + 1)); done > $@

check: all layers $(TESTS) $B/tests/msr_shim.so     # the gate; also: make check SAN=address,undefined
	@for t in $(TESTS); do $$t || exit 1; done
	@B=$B tests/end_to_end.sh
layers:
	@$(call not_up,regs,topology|config|daemon|postproc) && $(call not_up,topology,config|daemon|postproc)
	@$(call not_up,config,daemon|postproc) && $(call not_up,daemon,postproc) && $(call not_up,postproc,daemon)

# A STREAM run on the simulated node, and the totals of its middle.
demo: all
	$B/tallyd -q --sim skx-8160-2s.machine --virtual-time -n 40 -o $B/demo.lua
	$B/tally report -s 20:39 $B/demo.lua
	$B/tally totals -s 20:39 $B/demo.lua | grep -E '^(imc_counts|rapl)' | head -30

# libFuzzer on every parser, FUZZ_SECONDS each.
FUZZERS := $(patsubst tests/%.c,%,$(wildcard tests/fuzz_*.c))
FUZZ_SECONDS ?= 20
FB := build-fuzz
FUZZ_CC = clang -std=c11 -D_GNU_SOURCE -I. -I$B -g -O1 -MMD -MP -fno-sanitize-recover=all
FUZZED := $(filter-out %/main.o,$(patsubst %.c,$(FB)/%.o,$(wildcard regs/*.c topology/*.c config/*.c postproc/*.c)))
$(FB)/fuzz_%: tests/fuzz_%.c $(FUZZED)
	$(FUZZ_CC) -fsanitize=fuzzer,address,undefined -o $@ $(filter %.c %.o,$^) -lm
$(FB)/%.o: %.c $B/texts.inc
	@mkdir -p $(@D)
	$(FUZZ_CC) -fsanitize=fuzzer-no-link,address,undefined -c -o $@ $<
.SECONDARY: $(FUZZED)
fuzz: $(FUZZERS:%=$(FB)/%)
	@for f in $(FUZZERS); do mkdir -p $(FB)/corpus-$$f; echo "$$f"; \
		$(FB)/$$f -max_total_time=$(FUZZ_SECONDS) -verbosity=0 -print_final_stats=0 \
		-artifact_prefix=$(FB)/$$f- $(FB)/corpus-$$f tests/seeds/$${f#fuzz_} || exit 1; done

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
	for d in README.md doc/access.md doc/rangeley.md config/metrics/README; do \
		install -D -m 644 $$d $(DESTDIR)$(PREFIX)/share/doc/tallyd/$${d#config/}; done

clean:
	rm -rf build build-*
.PHONY: all check layers demo fuzz bench check-vm bench-vm check-arm install clean
-include $(shell find $B $(FB) -name '*.d' 2>/dev/null)
