/*
 * tests/fuzz/fuzz_site.c - any bytes as a site's programming and as a list of
 * groups: words with the place in them or something usable, never a crash, and
 * never a write that must not be.  With libFuzzer; seeds in seeds/site.
 */
#include <stdint.h>
#include <string.h>

#include "config/lang/site.h"
#include "regs/sideband.h"
#include "regs/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(const struct site *site)
{
	for (unsigned i = 0; i < site->n; i++)
		for (unsigned k = 0; k < site->group[i].n; k++) {
			const struct site_write *w = &site->group[i].write[k];

			if (!(w->opcode & 1) || !chap_legal(w->offset) ||
			    w->port <= 4 || w->port == 8)
				__builtin_trap();
		}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct soc_groups groups;
	struct config cfg;
	struct diag why = { "" };
	int rc;

	if (config_init(&cfg, model_named("slm")) < 0)
		__builtin_trap();
	rc = site_parse(&cfg, "fuzz", (const char *)data, size, &why);
	if (rc == 0)
		check(cfg.site);
	else if (strncmp(why.text, "fuzz:", 5) != 0)
		__builtin_trap();
	rc = soc_groups_parse(&groups, cfg.arena, "fuzz", (const char *)data,
	    size, &why);
	if (rc < 0 && strncmp(why.text, "fuzz:", 5) != 0)
		__builtin_trap();
	config_fini(&cfg);
	return 0;
}
