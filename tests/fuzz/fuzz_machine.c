/*
 * tests/fuzz/fuzz_machine.c - any bytes as a machine's text: an error or a machine
 * that can be run, and looked at as a node, never a crash.  With libFuzzer; seeds in seeds/machine.
 */
#include <stdint.h>
#include <string.h>

#include "config/sim/machine.h"
#include "tests/lib/sim_compare.h"
#include "topology/inventory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
ignore(void *ctx, const char *name)
{
	(void)ctx;
	(void)name;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reg_addr addr[] = {
		{ REG_MSR, 8, 0, 0x186 }, { REG_MSR, 8, 1, 0xe01 },
		{ REG_MSR, 8, 0, 0x10 }, { REG_MSR, 8, 0, 0x38f },
		{ REG_MSR, 8, 0, 0xc0010240 }, { REG_MSR, 8, 0, 0xc0010801 },
		{ REG_MSR, 8, 1, 0xc0010800 }, { REG_MSR, 8, 0, 0xc0010231 },
		{ REG_PCI, 8, PCI_UNIT(0, 0x3a, 0x52), 0xa0 },
		{ REG_PCI, 4, PCI_UNIT(0, 0x3a, 0x52), 0xd8 },
		{ REG_MMIO, 8, 0, 0x10000 }, { REG_TEXT, 8, 0, 0 },
		{ REG_SIDEBAND, 4, 0x1700, 0x28 },
		{ REG_SIDEBAND, 4, 0x1800, 0x3e80 },
		{ REG_SIDEBAND, 4, 0x1700, 0x34 },
	};
	struct inventory inv;
	struct topo topo;
	struct diag why;
	struct access *acc;
	struct sim *sim;
	char text[256];
	uint64_t raw;

	if (machine_parse(&sim, "fuzz", (const char *)data, size, &why) < 0)
		return strncmp(why.text, "fuzz:", 5) == 0 ? 0 : (__builtin_trap(), 0);
	acc = sim_access(sim);
	sim_virtual(sim, true);
	acc->sideband = true;
	for (unsigned i = 0; i < sizeof(addr) / sizeof(*addr); i++) {
		access_write(acc, &addr[i], 0x400304);
		sim_advance(sim, 1500000000);
		access_read(acc, &addr[i], &raw);
	}
	access_slurp(acc, "/proc/cpuinfo", text, sizeof(text));
	access_slurp(acc, "/sys/devices/system/cpu/online", text, sizeof(text));
	access_list(acc, "/sys/devices/system/cpu", ignore, NULL);
	access_list(acc, "/sys", ignore, NULL);
	if (topo_load(&topo, acc, &why) == 0 &&
	    inventory_load(&inv, &topo, acc, &why) == 0)
		inventory_free(&inv);
	topo_free(&topo);
	sim_compare(sim, sim, NULL);
	access_close(acc);
	return 0;
}
