/*
 * tests/fuzz/fuzz_inputs.c - any bytes as one of the original tool's input files,
 * which the first byte chooses: an error with its line, or wants that the
 * model can do, never a crash.  With libFuzzer; seeds in seeds/inputs.
 */
#include <string.h>

#include "config/lang/events.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const files[] = {
		"core_msr_control.input", "core_msr_perfevtsel.input",
		"cha_perfevtsel.input", "imc_perfevtsel.input",
		"pcu_perfevtsel.input",
	};
	struct config cfg;
	struct diag why = { "" };
	const char *file;

	if (size == 0)
		return 0;
	file = files[data[0] % 5];
	config_init(&cfg, model_named("skx"));
	if (config_parse_input(&cfg, file, (const char *)data + 1, size - 1,
	    &why) < 0 && strncmp(why.text, file, strlen(file)) != 0)
		__builtin_trap();
	for (unsigned i = 0; i < cfg.nwant; i++) {
		const struct want *w = &cfg.want[i];

		if (w->kind == WANT_EVENT &&
		    ((w->ctl & ~box_ctl_valid(w->type)) != 0 ||
		    w->counter < 0 || w->counter >= w->type->counters))
			__builtin_trap();
	}
	config_fini(&cfg);
	return 0;
}
