/*
 * tests/fuzz/fuzz_events.c - any bytes as a configuration: an error with its line,
 * or wants that the model can do, never a crash.  With libFuzzer; seeds in
 * seeds/events.
 */
#include <string.h>

#include "config/eventlist.h"
#include "config/lang/events.h"
#include "config/lang/readable.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char list[] = "["
"{\"EventName\": \"INST_RETIRED.ANY_P\", \"EventCode\": \"0xC0\"},"
"{\"EventName\": \"OCR.A\", \"EventCode\": \"0xB7, 0xBB\", \"UMask\": \"0x01\","
" \"MSRIndex\": \"0x1a6,0x1a7\", \"MSRValue\": \"0x10001\"},"
"{\"EventName\": \"OCR.B\", \"EventCode\": \"0xB7, 0xBB\", \"UMask\": \"0x01\","
" \"MSRIndex\": \"0x1a6,0x1a7\", \"MSRValue\": \"0x10002\"},"
"{\"Unit\": \"CHA\", \"EventName\": \"UNC_CHA_TOR\", \"EventCode\": \"0x35\","
" \"Filter\": \"CHAFilter1[31:0]\"},"
"{\"Unit\": \"iMC\", \"EventName\": \"UNC_M_CLOCKTICKS_F\","
" \"EventCode\": \"0\", \"Counter\": \"FIXED\"},"
"{\"Unit\": \"SBO\", \"EventName\": \"UNC_S_C\", \"EventCode\": \"0\"}]";

static void
check(const struct want *w, unsigned nset)
{
	if (w->kind == WANT_EVENT && ((w->ctl & ~box_ctl_valid(w->type)) != 0 ||
	    (w->ctl & w->type->enable) == 0 || w->counters == 0 ||
	    w->counter >= w->type->counters))
		__builtin_trap();
	if ((w->kind == WANT_READ || w->kind == WANT_PERF ||
	    w->kind == WANT_SOC) != (w->type == NULL) ||
	    (w->kind == WANT_PERF) > (w->perf != NULL) || w->set >= nset ||
	    w->first > w->last)
		__builtin_trap();
	if (w->raw != NULL && (w->kind != WANT_READ || w->raw->bits < 1 ||
	    w->raw->bits > 64 || w->raw->every < 1 || (w->raw->of == RAW_PCI &&
	    (w->raw->offset % 4 != 0 || w->raw->offset +
	    (w->raw->bits > 32 ? 8 : 4) > 4096)) ||
	    raw_family_of(w->name) != w->raw->of))
		__builtin_trap();
	if (w->of_file != NULL && (w->kind != WANT_READ || w->raw != NULL ||
	    w->of_file->path[0] != '/' || w->of_file->every < 1 ||
	    !(w->of_file->scale > 0) || (w->of_file->binary &&
	    strncmp(w->of_file->path, "/sys/", 5) != 0) ||
	    raw_family_of(w->name) != RAW_FILE))
		__builtin_trap();
	for (unsigned f = 0; f < MAX_FILTERS; f++)
		if ((w->filters >> f & 1) != 0 &&
		    (w->filter[f] & ~w->type->filter[f].valid) != 0)
			__builtin_trap();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct config cfg;
	struct diag why = { "" };

	config_init(&cfg, model_named("skx"));
	if (size > 0 && data[0] == '#' && eventlist_parse(&cfg.list, cfg.model,
	    "list", list, sizeof(list) - 1, &why) < 0)
		__builtin_trap();
	/* a mistake is in it, or in what it includes */
	if (config_parse(&cfg, "fuzz", (const char *)data, size, &why) < 0 &&
	    strncmp(why.text, "fuzz:", 5) != 0 &&
	    strstr(why.text, "included at fuzz:") == NULL &&
	    strstr(why.text, ", fuzz:") == NULL)
		__builtin_trap();
	for (unsigned i = 0; i < cfg.nwant; i++)
		check(&cfg.want[i], cfg.nset);
	for (unsigned i = 0; i < PEAKS; i++)
		if ((cfg.peak[i].words != NULL) != (cfg.peak[i].value > 0))
			__builtin_trap();
	config_fini(&cfg);
	return 0;
}
