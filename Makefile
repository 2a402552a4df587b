# One file, no recursion, one gate: make check.
#   make SAN=address,undefined check    the same under the sanitizers
#   make CC=clang                       gcc and clang both build without a word
PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
WARN   := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
B      := build$(SAN:%=-%)
FLAGS   = -std=c11 -D_GNU_SOURCE -I. -I$B -MMD -MP $(WARN) $(CFLAGS) $(SAN:%=-fsanitize=%)
objs    = $(patsubst %.c,$B/%.o,$(wildcard $(1:%=%/*.c)))
CORE   := $(call objs,regs topology config)
DAEMON := $(CORE) $(call objs,daemon)
TALLY  := $(CORE) $(call objs,postproc)
PARTS  := $(filter-out %/main.o,$(sort $(DAEMON) $(TALLY)))
TESTS  := $(patsubst %.c,$B/%,$(wildcard tests/test_*.c))
TEXTS  := $(wildcard config/*/*.*)
not_up  = ! grep -rnE '^\#include "($(2))/' $(1)

all: $B/tallyd $B/tally
$B/tallyd: $(DAEMON)
$B/tally: $(TALLY)
$(TESTS): $B/%: $B/%.o $(PARTS)
$(TESTS): LDLIBS = -lcmocka
$B/tallyd $B/tally $(TESTS):
	$(CC) $(FLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS) -lm
$B/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -c -o $@ $<

# The text files of config/, built in.
$B/config/texts.o: $B/texts.inc $(TEXTS)
$B/texts.inc: $(TEXTS) Makefile
	@mkdir -p $(@D)
	@n=0; for f in $(TEXTS); do \
		echo "TEXT($$n, \"$${f##*/}\", \"$$f\")"; n=$$((n + 1)); done > $@

check: all layers $(TESTS)
	@for t in $(TESTS); do $$t || exit 1; done
layers:
	@$(call not_up,regs,topology|config|daemon|postproc) && $(call not_up,topology,config|daemon|postproc)
	@$(call not_up,config,daemon|postproc) && $(call not_up,daemon,postproc) && $(call not_up,postproc,daemon)
clean:
	rm -rf build build-*
.PHONY: all check layers clean
-include $(shell find $B -name '*.d' 2>/dev/null)
