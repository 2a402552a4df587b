/*
 * tests/fuzz/fuzz_prove.c - any bytes as what counters have to count (--prove): words
 * with the place in them, or rules that can be found and used.  With libFuzzer;
 * seeds in seeds/prove.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "daemon/instead/prove.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct count_rules rules = { NULL, 0 };
	struct arena *arena = arena_new();
	struct diag why = { "" };

	if (arena == NULL)
		__builtin_trap();
	if (count_rules_parse(&rules, arena, "fuzz", (const char *)data, size,
	    &why) < 0 && strncmp(why.text, "fuzz:", 5) != 0)
		__builtin_trap();
	for (unsigned i = 0; i < rules.n; i++) {
		const struct count_rule *r = &rules.rule[i];

		if (count_rules_find(&rules, r->family, r->event) != r ||
		    (r->kind == RULE_COUNTS && (r->act >= ACTS ||
		    !isfinite(r->factor) || !(r->tolerance > 0))) ||
		    (r->kind == RULE_CLOCK && !(r->least < r->most)))
			__builtin_trap();
	}
	arena_free(arena);
	return 0;
}
