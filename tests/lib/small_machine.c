/*
 * tests/lib/small_machine.c - a small simulated machine, asked directly.
 */
#include "tests/lib/small_machine.h"
#include "tests/lib/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/sim/machine.h"

/* Two packages of two cores of two threads; idle for 10 s, then busy. */
static const char base[] =
    "host node1\npackages 2\ncores 2\nthreads 2\nnumbering block\n"
    "cpu family=6 model=0x55 stepping=4\nname A CPU\n"
    "cpuid 0xa 0x07300404 0 0 0x603\n"
    "start 1500000000\ntsc 2100000000 init=77\n"
    "bus 0 00 17 3a\nbus 1 80 85 ae\n"
    "phase idle 10\nphase busy\n"
    "msr 0x10 lproc counter tsc\n"
    "msr 0xce pkg = 0x1500\n"
    "msr 0x199 lproc = 0x1500 write=0xff00\n"
    "msr 0x1b1 pkg reading idle=0x100 busy=0x200 pkgstep=1\n"
    "msr 0x611 pkg counter bits=32 init=0xfffffff0 idle=10 busy=1000 pkgstep=5\n"
    "global 0x700 freeze=0x8000000000000000 unfreeze=0x2000000000000000\n"
    "box core scope=lproc counters=4 ctl=0x186 ctr=0xc1 write=32 alias=0x4c1\n"
    "box core valid=0x3ffffffff ignore=0x100000 reset=0\n"
    "box core nibbles=0x38d nfixed=3 fixed=0x309 global=0x38f inuse=0x392\n"
    "event core 0x300c0 all=1000 step=1 pkgstep=10 threadstep=100\n"
    "event core fixed0 all=2000\nevent core fixed2 all=3000\n"
    "box cha instances=28 stride=0x10 counters=4 boxctl=0xe00 ctl=0xe01\n"
    "box cha ctr=0xe08 valid=0xffdeffff present=0xffffff\n"
    "box cha filter=filter0,0xe05,0x7fe1fff filter=filter1,0xe06,0xfffffe3b\n"
    "event cha 0x013d idle=10 busy=1000 step=1 pkgstep=100\n"
    "event cha 0x0334 filter0&0x7fe0000 all=50\n"
    "event cha 0x2135 filter1=0x3b all=60\n"
    "event cha 0x2135 filter1=0x40433 all=70\n"
    "box imc space=pci bus=2 devfn=0a.2,0a.6 instances=2 counters=4\n"
    "box imc id=0x20428086,0x20468086 boxctl=0xf4 ctl=0xd8 ctr=0xa0\n"
    "box imc fixedctl=0xf0 fixedctr=0xd0\n"
    "event imc 0x0304 idle=7 busy=3000000000 step=1 pkgstep=10\n"
    "event imc fixed all=1300000000\n"
    "pci 17:1e.3 0x9c = 0x0f\n"
    "mmio 0x10010 = 5 write=0xf\n"
    "box mem space=mmio pkgbase=0x20000,0x30000 counters=2 ctl=0x40 ctr=8\n"
    "event mem 3 all=5000000000\n"
    "file /sys/class/infiniband/hfi1_0/ports/1/counters/port_rcv_data counter"
    " init=5 idle=100 busy=200\n"
    "file /sys/class/infiniband/hfi1_0/ports/1/state = 4: ACTIVE\n";

struct sim *
small_of(const char *more)
{
	char *text = malloc(sizeof(base) + strlen(more));
	struct diag why = { "" };
	struct sim *sim;

	strcpy(text, base);
	strcat(text, more);
	if (machine_parse(&sim, "t.machine", text, strlen(text), &why) < 0)
		fail_msg("%s", why.text);
	free(text);
	sim_virtual(sim, true);
	return sim;
}

int
small_up(void **state)
{
	*state = sim_access(small_of(""));
	return 0;
}

int
small_down(void **state)
{
	access_close(*state);
	return 0;
}

void
small_pass(struct access *acc, unsigned seconds)
{
	sim_advance((struct sim *)acc, (uint64_t)seconds * S);
}

int
small_put(struct access *acc, unsigned lproc, uint64_t number, uint64_t raw)
{
	struct reg_addr addr = { REG_MSR, 8, lproc, number };

	return access_write(acc, &addr, raw);
}

int
small_rc(struct access *acc, unsigned lproc, uint64_t number)
{
	struct reg_addr addr = { REG_MSR, 8, lproc, number };
	uint64_t raw;

	return access_read(acc, &addr, &raw);
}

uint64_t
small_get(struct access *acc, unsigned lproc, uint64_t number)
{
	struct reg_addr addr = { REG_MSR, 8, lproc, number };
	uint64_t raw;

	assert_int_equal(access_read(acc, &addr, &raw), 0);
	return raw;
}

uint64_t
small_pci(struct access *acc, unsigned unit, unsigned offset, unsigned bytes)
{
	struct reg_addr addr = { REG_PCI, (uint8_t)bytes, unit, offset };
	uint64_t raw;

	assert_int_equal(access_read(acc, &addr, &raw), 0);
	return raw;
}

void
small_pci_put(struct access *acc, unsigned unit, unsigned offset, uint64_t raw)
{
	struct reg_addr addr = { REG_PCI, 4, unit, offset };

	assert_int_equal(access_write(acc, &addr, raw), 0);
}

void
small_fault(struct access *acc, const char *line)
{
	struct diag why = { "" };

	if (machine_fault((struct sim *)acc, line, &why) < 0)
		fail_msg("%s: %s", line, why.text);
}

const char *
small_text(struct access *acc, const char *path)
{
	static char buf[8192];
	int rc = access_slurp(acc, path, buf, sizeof(buf));

	return rc == -ENOENT ? "(none)" : rc < 0 ? "(error)" : buf;
}
