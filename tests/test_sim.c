/*
 * tests/test_sim.c - the simulated machine behaves as hardware does.  Section
 * numbers are those of the register reference, intel-server-pmon.md.
 */
#include "tests/files.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/machine.h"

#define S 1000000000u

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

static struct sim *
sim_of(const char *more)
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

static int
set_up(void **state)
{
	*state = sim_access(sim_of(""));
	return 0;
}

static int
tear_down(void **state)
{
	access_close(*state);
	return 0;
}

static void
pass(struct access *acc, unsigned seconds)
{
	sim_advance((struct sim *)acc, (uint64_t)seconds * S);
}

static int
put(struct access *acc, unsigned lproc, uint64_t number, uint64_t raw)
{
	struct reg_addr addr = { REG_MSR, 8, lproc, number };

	return access_write(acc, &addr, raw);
}

static int
get_rc(struct access *acc, unsigned lproc, uint64_t number)
{
	struct reg_addr addr = { REG_MSR, 8, lproc, number };
	uint64_t raw;

	return access_read(acc, &addr, &raw);
}

static uint64_t
get(struct access *acc, unsigned lproc, uint64_t number)
{
	struct reg_addr addr = { REG_MSR, 8, lproc, number };
	uint64_t raw;

	assert_int_equal(access_read(acc, &addr, &raw), 0);
	return raw;
}

static uint64_t
pci(struct access *acc, unsigned unit, unsigned offset, unsigned bytes)
{
	struct reg_addr addr = { REG_PCI, (uint8_t)bytes, unit, offset };
	uint64_t raw;

	assert_int_equal(access_read(acc, &addr, &raw), 0);
	return raw;
}

static void
pci_put(struct access *acc, unsigned unit, unsigned offset, uint64_t raw)
{
	struct reg_addr addr = { REG_PCI, 4, unit, offset };

	assert_int_equal(access_write(acc, &addr, raw), 0);
}

static void
fault(struct access *acc, const char *line)
{
	struct diag why = { "" };

	if (sim_fault((struct sim *)acc, line, &why) < 0)
		fail_msg("%s: %s", line, why.text);
}

static const char *
text_of(struct access *acc, const char *path)
{
	static char buf[8192];
	int rc = access_slurp(acc, path, buf, sizeof(buf));

	return rc == -ENOENT ? "(none)" : rc < 0 ? "(error)" : buf;
}

#define IMC00 PCI_UNIT(0, 0x3a, 0x52)   /* package 0, 0a.2 */
#define IMC11 PCI_UNIT(0, 0xae, 0x56)   /* package 1, 0a.6 */

/* ---- registers ---- */

static void
an_msr_that_is_not_there_fails_with_eio(void **state)
{
	assert_int_equal(get_rc(*state, 0, 0x690), -EIO);
	assert_int_equal(put(*state, 0, 0x690, 0), -EIO);
	assert_int_equal(get_rc(*state, 0, 0xc0000103), -EIO);
}

static void
an_lproc_that_is_not_there_fails_with_enxio(void **state)
{
	assert_int_equal(get_rc(*state, 8, 0xce), -ENXIO);
	assert_int_equal(get_rc(*state, 100000, 0xce), -ENXIO);
}

static void
only_writable_bits_can_be_written(void **state)
{
	assert_int_equal(put(*state, 0, 0xce, 0x1600), -EIO);
	assert_int_equal(put(*state, 0, 0x199, 0x1700), 0);
	assert_int_equal(get(*state, 0, 0x199), 0x1700);
	assert_int_equal(get(*state, 1, 0x199), 0x1500);
	assert_int_equal(put(*state, 0, 0x199, 0x11700), -EIO);
	assert_int_equal(put(*state, 0, 0x611, 0), -EIO);
	assert_int_equal(put(*state, 0, 0x186, UINT64_C(1) << 34), -EIO);
	assert_int_equal(put(*state, 0, 0x38f, 0x10), -EIO);
	assert_int_equal(put(*state, 0, 0x38d, 0x1000), -EIO);
	assert_int_equal(sim_writes(*state), 1);
}

static void
a_package_register_is_one_for_all_its_lprocs(void **state)
{
	assert_int_equal(put(*state, 0, 0xe06, 0x3b), 0);
	assert_int_equal(get(*state, 5, 0xe06), 0x3b);
	assert_int_equal(get(*state, 2, 0xe06), 0);
}

static void
a_reading_follows_the_phase(void **state)
{
	assert_int_equal(get(*state, 0, 0x1b1), 0x100);
	assert_int_equal(get(*state, 2, 0x1b1), 0x101);
	pass(*state, 10);
	assert_int_equal(get(*state, 2, 0x1b1), 0x201);
}

static void
config_space_takes_aligned_dwords_only(void **state)
{
	struct access *acc = *state;
	struct reg_addr addr = { REG_PCI, 4, IMC00, 0xa1 };
	uint64_t raw;

	assert_int_equal(acc->ops->read(acc, &addr, &raw), -EINVAL);
	assert_int_equal(acc->ops->write(acc, &addr, 0), -EINVAL);
	addr.offset = 0xa0;
	addr.bytes = 8;
	assert_int_equal(acc->ops->read(acc, &addr, &raw), -EINVAL);
	addr.bytes = 4;
	addr.offset = 0x1000;
	assert_int_equal(acc->ops->read(acc, &addr, &raw), -EINVAL);
}

static void
a_function_that_is_not_there_reads_all_ones(void **state)
{
	pci_put(*state, PCI_UNIT(0, 0x3a, 0x5a), 0xd8, 5);
	assert_int_equal(pci(*state, PCI_UNIT(0, 0x3a, 0x5a), 0, 4), 0xffffffff);
	assert_int_equal(pci(*state, IMC00, 0, 4), 0x20428086);
	assert_int_equal(pci(*state, IMC00, 0x40, 4), 0);       /* not used */
	assert_int_equal(pci(*state, PCI_UNIT(0, 0x17, 0xf3), 0x9c, 4), 0xf);
}

static void
memory_holds_controls_of_32_and_counters_of_64_bits(void **state)
{
	struct reg_addr ctl = { REG_MMIO, 4, 0, 0x30040 };
	struct reg_addr ctr = { REG_MMIO, 8, 0, 0x30008 };
	struct reg_addr value = { REG_MMIO, 4, 0, 0x10010 };
	struct reg_addr nothing = { REG_MMIO, 8, 0, 0x99000 };
	uint64_t raw;

	assert_int_equal(access_write(*state, &ctl, 0x400003), 0);
	pass(*state, 1);
	assert_int_equal(access_read(*state, &ctr, &raw), 0);
	assert_int_equal(raw, 5000000000);
	assert_int_equal(access_write(*state, &ctr, 0x100000002), 0);
	assert_int_equal(access_read(*state, &ctr, &raw), 0);
	assert_int_equal(raw, 0x100000002);
	assert_int_equal(access_write(*state, &value, 0xff), 0);
	assert_int_equal(access_read(*state, &value, &raw), 0);
	assert_int_equal(raw, 0xf);
	assert_int_equal(access_read(*state, &nothing, &raw), 0);
	assert_int_equal(raw, UINT64_MAX);
}

/* ---- counting ---- */

static void
a_counter_counts_what_its_control_selects(void **state)
{
	assert_int_equal(put(*state, 0, 0xe31, 0x40013d), 0);   /* CHA 3 */
	pass(*state, 2);
	assert_int_equal(get(*state, 0, 0xe38), 26);            /* 2 x (10+3) */
	assert_int_equal(put(*state, 0, 0xe31, 0x00013d), 0);   /* EN off */
	pass(*state, 2);
	assert_int_equal(get(*state, 0, 0xe38), 26);
	assert_int_equal(put(*state, 0, 0xe31, 0x40023d), 0);   /* no rate */
	pass(*state, 2);
	assert_int_equal(get(*state, 0, 0xe38), 26);
}

static void
a_rate_is_counted_to_the_count_across_phases(void **state)
{
	assert_int_equal(put(*state, 2, 0xe31, 0x40013d), 0);   /* package 1 */
	pass(*state, 9);
	assert_int_equal(get(*state, 2, 0xe38), 9 * 113);
	pass(*state, 3);
	assert_int_equal(get(*state, 2, 0xe38), 10 * 113 + 2 * 1103);
}

static void
fractions_of_a_second_add_up(void **state)
{
	assert_int_equal(put(*state, 0, 0xe31, 0x40013d), 0);
	for (int i = 0; i < 3000; i++)
		sim_advance(*state, 1000001);           /* 3.000003 s at 13/s */
	assert_int_equal(get(*state, 0, 0xe38), 39);
	for (int i = 0; i < 7000; i++) {
		sim_advance(*state, 999571);
		get(*state, 0, 0xe38);
	}
	assert_int_equal(get(*state, 0, 0xe38), 129);   /* 13 x 9.997 */
}

static void
an_event_selected_twice_counts_the_same_on_both(void **state)
{
	assert_int_equal(put(*state, 0, 0xe31, 0x40013d), 0);
	sim_advance(*state, 123456789);
	assert_int_equal(put(*state, 0, 0xe32, 0x40013d), 0);
	assert_int_equal(put(*state, 0, 0xe38, 0), 0);
	for (int i = 0; i < 1000; i++) {
		sim_advance(*state, 77777777);
		assert_int_equal(get(*state, 0, 0xe38), get(*state, 0, 0xe39));
	}
}

static void
a_counter_wraps_at_its_width(void **state)
{
	assert_int_equal(get(*state, 0, 0x611), 0xfffffff0);
	pass(*state, 2);
	assert_int_equal(get(*state, 0, 0x611), 4);             /* 16 + 20 */
	assert_int_equal(get(*state, 2, 0x611), 14);            /* 15 a second */
	assert_int_equal(put(*state, 0, 0xe38, 0xffffffffffff), 0);
	assert_int_equal(put(*state, 0, 0xe38, 0x1000000000000), -EIO);
	assert_int_equal(put(*state, 0, 0xe31, 0x40013d), 0);
	pass(*state, 1);
	assert_int_equal(get(*state, 0, 0xe38), 12);
}

static void
a_counter_of_config_space_is_two_dwords(void **state)
{
	pci_put(*state, IMC11, 0xd8, 0x400304);
	pass(*state, 12);
	/* 10 x 18 + 2 x 3000000011 */
	assert_int_equal(pci(*state, IMC11, 0xa0, 8), 6000000202);
	assert_int_equal(pci(*state, IMC11, 0xa4, 4), 1);
	pci_put(*state, IMC11, 0xa4, 0xff0002);
	assert_int_equal(pci(*state, IMC11, 0xa0, 8), 0x265a0bcca);
}

static void
a_fixed_counter_of_a_box_has_its_own_control(void **state)
{
	pass(*state, 1);
	assert_int_equal(pci(*state, IMC00, 0xd0, 8), 0);
	pci_put(*state, IMC00, 0xf0, 0x400000);
	pass(*state, 1);
	assert_int_equal(pci(*state, IMC00, 0xd0, 8), 1300000000);
	pci_put(*state, IMC00, 0xf0, 0x480000);         /* bit 19: reset */
	assert_int_equal(pci(*state, IMC00, 0xd0, 8), 0);
	assert_int_equal(pci(*state, IMC00, 0xf0, 4), 0x400000);
}

static void
a_frozen_box_stands_still(void **state)
{
	assert_int_equal(put(*state, 0, 0xe31, 0x40013d), 0);
	assert_int_equal(put(*state, 0, 0xe30, 0x10100), 0);
	pass(*state, 1);
	assert_int_equal(get(*state, 0, 0xe38), 0);
	assert_int_equal(put(*state, 0, 0xe30, 0x10000), 0);
	pass(*state, 1);
	assert_int_equal(get(*state, 0, 0xe38), 13);
}

static void
the_global_control_freezes_a_package(void **state)
{
	assert_int_equal(put(*state, 0, 0xe31, 0x40013d), 0);
	assert_int_equal(put(*state, 2, 0xe31, 0x40013d), 0);
	pci_put(*state, IMC00, 0xd8, 0x400304);
	assert_int_equal(put(*state, 0, 0x700, UINT64_C(1) << 63), 0);
	pass(*state, 1);
	assert_int_equal(get(*state, 0, 0xe38), 0);
	assert_int_equal(get(*state, 2, 0xe38), 113);
	assert_int_equal(pci(*state, IMC00, 0xa0, 8), 0);
	assert_int_equal(put(*state, 0, 0x700, UINT64_C(1) << 61), 0);
	assert_int_equal(get(*state, 0, 0x700), 0);     /* commands read 0 */
	pass(*state, 1);
	assert_int_equal(get(*state, 0, 0xe38), 13);
	assert_int_equal(pci(*state, IMC00, 0xa0, 8), 7);
}

static void
reset_bits_act_and_clear_themselves(void **state)
{
	assert_int_equal(put(*state, 0, 0xe31, 0x40013d), 0);
	pass(*state, 1);
	assert_int_equal(put(*state, 0, 0xe31, 0x42013d), 0);   /* bit 17 */
	assert_int_equal(get(*state, 0, 0xe38), 0);
	assert_int_equal(get(*state, 0, 0xe31), 0x40013d);
	pass(*state, 1);
	assert_int_equal(put(*state, 0, 0xe30, 0x10103), 0);
	assert_int_equal(get(*state, 0, 0xe30), 0x10100);
	assert_int_equal(get(*state, 0, 0xe31), 0);
	assert_int_equal(get(*state, 0, 0xe38), 0);
}

static void
tor_and_lookup_events_need_their_filters(void **state)
{
	assert_int_equal(put(*state, 0, 0xe01, 0x400334), 0);   /* LLC_LOOKUP */
	assert_int_equal(put(*state, 0, 0xe02, 0x402135), 0);   /* TOR_INSERTS */
	pass(*state, 1);
	assert_int_equal(get(*state, 0, 0xe08), 0);
	assert_int_equal(get(*state, 0, 0xe09), 0);
	assert_int_equal(put(*state, 0, 0xe05, 0x20000), 0);
	assert_int_equal(put(*state, 0, 0xe06, 0x3b), 0);
	pass(*state, 1);
	assert_int_equal(get(*state, 0, 0xe08), 50);
	assert_int_equal(get(*state, 0, 0xe09), 60);
	assert_int_equal(put(*state, 0, 0xe06, 0x40433), 0);
	pass(*state, 1);
	assert_int_equal(get(*state, 0, 0xe09), 130);
	assert_int_equal(put(*state, 0, 0xe06, 4), -EIO);       /* reserved */
}

static void
a_slot_that_is_fused_off_reads_0_and_forgets(void **state)
{
	assert_int_equal(put(*state, 0, 0xf81, 0x40013d), 0);   /* CHA 24 */
	assert_int_equal(get(*state, 0, 0xf81), 0);
	pass(*state, 1);
	assert_int_equal(get(*state, 0, 0xf88), 0);
	assert_int_equal(get_rc(*state, 0, 0xfc1), -EIO);       /* no CHA 28 */
}

/* ---- the core ---- */

static void
a_core_counter_needs_both_of_its_enables(void **state)
{
	assert_int_equal(put(*state, 7, 0x186, 0x4300c0), 0);
	pass(*state, 1);
	assert_int_equal(get(*state, 7, 0xc1), 0);
	assert_int_equal(put(*state, 7, 0x38f, 0x70000000f), 0);
	pass(*state, 1);
	/* core 1 of package 1, second thread */
	assert_int_equal(get(*state, 7, 0xc1), 1111);
	assert_int_equal(get(*state, 3, 0xc1), 0);
	assert_int_equal(put(*state, 7, 0x38f, 0x70000000e), 0);
	pass(*state, 1);
	assert_int_equal(get(*state, 7, 0xc1), 1111);
}

static void
fixed_counters_need_their_nibble_and_their_enable(void **state)
{
	assert_int_equal(put(*state, 1, 0x38f, UINT64_C(5) << 32), 0);
	assert_int_equal(put(*state, 1, 0x38d, 0x003), 0);
	pass(*state, 1);
	assert_int_equal(get(*state, 1, 0x309), 2000);
	assert_int_equal(get(*state, 1, 0x30b), 0);
	assert_int_equal(put(*state, 1, 0x38d, 0x330), 0);
	pass(*state, 1);
	assert_int_equal(get(*state, 1, 0x309), 2000);
	assert_int_equal(get(*state, 1, 0x30a), 0);     /* not enabled */
	assert_int_equal(get(*state, 1, 0x30b), 3000);
}

static void
inuse_tells_which_controls_are_set(void **state)
{
	assert_int_equal(get(*state, 0, 0x392), 0);
	assert_int_equal(put(*state, 0, 0x188, 0x4300c0), 0);
	assert_int_equal(put(*state, 0, 0x38d, 0x030), 0);
	assert_int_equal(get(*state, 0, 0x392), 0x200000004);
	assert_int_equal(get(*state, 1, 0x392), 0);
	assert_int_equal(put(*state, 0, 0x392, 0), -EIO);
}

static void
a_pmc_takes_32_bits_and_extends_their_sign(void **state)
{
	assert_int_equal(put(*state, 0, 0xc1, 0x123480000000), 0);
	assert_int_equal(get(*state, 0, 0xc1), 0xffff80000000);
	assert_int_equal(put(*state, 0, 0xc1, 0x12347fffffff), 0);
	assert_int_equal(get(*state, 0, 0xc1), 0x7fffffff);
	assert_int_equal(put(*state, 0, 0x4c1, 0x123480000000), 0);
	assert_int_equal(get(*state, 0, 0xc1), 0x123480000000);
	assert_int_equal(get(*state, 0, 0x4c1), 0x123480000000);
}

/* ---- time ---- */

static void
virtual_time_passes_only_in_sleep(void **state)
{
	struct access *acc = *state;
	struct stamp a, b;

	acc->ops->now(acc, &a);
	assert_int_equal(a.real_ns, 1500000000 * (uint64_t)S);
	assert_int_equal(a.tsc, 77);
	assert_int_equal(get(acc, 0, 0x10), 77);
	usleep(1000);
	acc->ops->now(acc, &b);
	assert_int_equal(b.mono_ns, a.mono_ns);
	assert_int_equal(acc->ops->sleep(acc, a.mono_ns + 3600 * (uint64_t)S,
	    NULL), 0);
	acc->ops->now(acc, &b);
	assert_int_equal(b.mono_ns - a.mono_ns, 3600 * (uint64_t)S);
	assert_int_equal(b.real_ns - a.real_ns, 3600 * (uint64_t)S);
	assert_int_equal(b.tsc - a.tsc, 3600 * UINT64_C(2100000000));
	assert_int_equal(acc->ops->sleep(acc, a.mono_ns, NULL), 0);
	acc->ops->now(acc, &a);
	assert_int_equal(b.mono_ns, a.mono_ns);         /* never back */
}

static void
real_time_is_the_hosts(void **state)
{
	struct access *acc = *state;
	struct stamp a, b;

	sim_virtual(*state, false);
	acc->ops->now(acc, &a);
	assert_int_equal(acc->ops->sleep(acc, a.mono_ns + 20000000, NULL), 0);
	acc->ops->now(acc, &b);
	assert_in_range(b.mono_ns - a.mono_ns, 20000000, 5 * (uint64_t)S);
	assert_in_range(b.tsc - a.tsc, 42000000, 5 * UINT64_C(2100000000));
}

static volatile sig_atomic_t signals;

static void
on_signal(int sig)
{
	(void)sig;
	signals++;
}

static void
a_pending_signal_comes_through_a_virtual_sleep(void **state)
{
	struct sigaction sa = { .sa_handler = on_signal };
	struct access *acc = *state;
	sigset_t block, before;
	struct stamp a, b;

	sigemptyset(&block);
	sigaddset(&block, SIGUSR1);
	sigprocmask(SIG_BLOCK, &block, &before);
	sigaction(SIGUSR1, &sa, NULL);
	acc->ops->now(acc, &a);
	raise(SIGUSR1);
	assert_int_equal(acc->ops->sleep(acc, a.mono_ns + S, &before), -EINTR);
	assert_int_equal(signals, 1);
	acc->ops->now(acc, &b);
	assert_int_equal(b.mono_ns, a.mono_ns);
	assert_int_equal(acc->ops->sleep(acc, a.mono_ns + S, &before), 0);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void
a_reading_can_cost_time_and_tear(void **state)
{
	struct access *acc = sim_access(sim_of("read_cost 100\n"
	    "event imc 0x0104 all=100000000000\n"));   /* 10000 a read */
	struct reg_addr lo = { REG_PCI, 4, IMC00, 0xa0 };
	struct reg_addr hi = { REG_PCI, 4, IMC00, 0xa4 };
	uint64_t low, high, raw;

	(void)state;
	pci_put(acc, IMC00, 0xd8, 0x400104);
	pci_put(acc, IMC00, 0xa0, 0xffffff00);
	assert_int_equal(access_read(acc, &hi, &high), 0);
	assert_int_equal(access_read(acc, &lo, &low), 0);
	assert_int_equal(high, 0);
	assert_int_equal(low, 10000 - 0x100);                   /* torn */
	pci_put(acc, IMC00, 0xa4, 0);
	pci_put(acc, IMC00, 0xa0, 0xffffff00);
	raw = pci(acc, IMC00, 0xa0, 8);
	assert_in_range(raw, 0x100000000, 0x100010000);
	access_close(acc);
}

/* ---- files ---- */

static void
the_files_of_the_node_are_those_of_linux(void **state)
{
	static const struct {
		const char *path, *text;
	} files[] = {
		{ "/sys/devices/system/cpu/online", "0-7" },
		{ "/sys/devices/system/cpu/possible", "0-7" },
		{ "/sys/devices/system/cpu/present", "0-7" },
		{ "/sys/devices/system/cpu/cpu0/online", "(none)" },
		{ "/sys/devices/system/cpu/cpu3/online", "1" },
		{ "/sys/devices/system/cpu/cpu8/topology/core_id", "(none)" },
		{ "/sys/devices/system/cpu/cpu3/topology/core_id", "1" },
		{ "/sys/devices/system/cpu/cpu3/topology/die_id", "0" },
		{ "/sys/devices/system/cpu/cpu3/topology/physical_package_id",
		  "1" },
		{ "/sys/devices/system/cpu/cpu3/topology/thread_siblings_list",
		  "3,7" },
		{ "/sys/devices/system/cpu/cpu3/topology/core_siblings_list",
		  "2-3,6-7" },
		{ "/sys/devices/system/node/node1/cpulist", "2-3,6-7" },
		{ "/sys/devices/system/node/node2/cpulist", "(none)" },
		{ "/proc/sys/kernel/hostname", "node1" },
		{ "/proc/sys/kernel/nmi_watchdog", "0" },
		{ "/sys/class/infiniband/hfi1_0/ports/1/state", "4: ACTIVE" },
		{ "/sys/class/infiniband/hfi1_0/ports/1/counters/port_rcv_data",
		  "5" },
		{ "/etc/passwd", "(none)" },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (strcmp(text_of(*state, files[i].path), files[i].text) != 0)
			fail_msg("%s: \"%s\"", files[i].path,
			    text_of(*state, files[i].path));
	assert_non_null(strstr(text_of(*state, "/proc/cpuinfo"),
	    "model\t\t: 85\nmodel name\t: A CPU\nstepping\t: 4\n"));
}

static void
a_file_can_be_read_from_any_byte(void **state)
{
	struct access *acc = *state;
	char c[2] = "";

	assert_int_equal(acc->ops->file(acc, "/proc/sys/kernel/hostname", 4, c,
	    1), 1);
	assert_string_equal(c, "1");
	assert_int_equal(acc->ops->file(acc, "/proc/sys/kernel/hostname", 99, c,
	    1), 0);
}

static void
cpuid_is_read_by_leaf_and_subleaf(void **state)
{
	struct access *acc = *state;
	uint32_t r[4];

	assert_int_equal(acc->ops->file(acc, "/dev/cpu/1/cpuid", 0xa, r, 16),
	    16);
	assert_int_equal(r[0], 0x07300404);
	assert_int_equal(r[3], 0x603);
	assert_int_equal(acc->ops->file(acc, "/dev/cpu/1/cpuid", 1, r, 16), 16);
	assert_int_equal(r[0], 0x50654);
	assert_int_equal(acc->ops->file(acc, "/dev/cpu/1/cpuid", 0, r, 16), 16);
	assert_memory_equal(&r[1], "Genu", 4);
	assert_int_equal(acc->ops->file(acc, "/dev/cpu/1/cpuid",
	    0xa | UINT64_C(1) << 32, r, 16), 16);
	assert_int_equal(r[0], 0);
	assert_int_equal(acc->ops->file(acc, "/dev/cpu/8/cpuid", 1, r, 16),
	    -ENOENT);
}

static void
join(void *ctx, const char *name)
{
	strcat(ctx, name);
	strcat(ctx, " ");
}

static void
directories_can_be_listed(void **state)
{
	static const struct {
		const char *dir, *names;
	} dirs[] = {
		{ "/sys/devices/system/node", "node0 node1 " },
		{ "/sys/devices/system/cpu/cpu3", "node1 online topology " },
		{ "/dev/cpu/0", "cpuid msr " },
		{ "/sys/class/infiniband", "hfi1_0 " },
		{ "/sys/class/infiniband/hfi1_0/ports/1", "counters state " },
	};
	struct access *acc = *state;

	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
		char names[256] = "";

		assert_int_equal(acc->ops->list(acc, dirs[i].dir, join, names),
		    0);
		assert_string_equal(names, dirs[i].names);
	}
	assert_int_equal(acc->ops->list(acc, "/nowhere", join, NULL), -ENOENT);
}

static void
a_number_in_a_file_counts(void **state)
{
	struct access *acc = *state;
	struct reg_addr addr = { REG_TEXT, 8, 0, 0 };
	uint64_t raw;
	int unit = acc->ops->text(acc,
	    "/sys/class/infiniband/hfi1_0/ports/1/counters/port_rcv_data");

	assert_true(unit >= 0);
	assert_int_equal(acc->ops->text(acc, "/nowhere"), -ENOENT);
	addr.unit = (uint32_t)unit;
	pass(acc, 11);
	assert_int_equal(access_read(acc, &addr, &raw), 0);
	assert_int_equal(raw, 5 + 10 * 100 + 200);
}

/* ---- faults ---- */

static void
an_lproc_goes_offline_and_comes_back(void **state)
{
	fault(*state, "from 3 to 5 lproc 5 offline");
	assert_int_equal(get_rc(*state, 5, 0xce), 0);
	pass(*state, 3);
	assert_int_equal(get_rc(*state, 5, 0xce), -ENXIO);
	assert_int_equal(put(*state, 5, 0x186, 0), -ENXIO);
	assert_string_equal(text_of(*state, "/sys/devices/system/cpu/online"),
	    "0-4,6-7");
	assert_string_equal(text_of(*state, "/sys/devices/system/cpu/present"),
	    "0-7");
	assert_string_equal(text_of(*state, "/sys/devices/system/cpu/cpu5/"
	    "topology/core_id"), "(none)");
	assert_string_equal(text_of(*state, "/sys/devices/system/cpu/cpu5/"
	    "online"), "0");
	assert_string_equal(text_of(*state, "/sys/devices/system/cpu/cpu1/"
	    "topology/thread_siblings_list"), "1");
	pass(*state, 2);
	assert_int_equal(get_rc(*state, 5, 0xce), 0);
	assert_string_equal(text_of(*state, "/sys/devices/system/cpu/online"),
	    "0-7");
}

static void
an_msr_fails_where_and_while_it_should(void **state)
{
	fault(*state, "lproc 1 msr 0xce EIO");
	fault(*state, "pkg 1 msr 0x1b1 EPERM");
	fault(*state, "from 1 to 2 msr 0x611 EIO");
	assert_int_equal(get_rc(*state, 1, 0xce), -EIO);
	assert_int_equal(get_rc(*state, 0, 0xce), 0);
	assert_int_equal(get_rc(*state, 0, 0x1b1), 0);
	assert_int_equal(get_rc(*state, 6, 0x1b1), -EPERM);
	assert_int_equal(get_rc(*state, 0, 0x611), 0);
	pass(*state, 1);
	assert_int_equal(get_rc(*state, 0, 0x611), -EIO);
	pass(*state, 1);
	assert_int_equal(get_rc(*state, 0, 0x611), 0);
}

static void
a_locked_down_kernel_refuses_msr_writes_only(void **state)
{
	fault(*state, "msr writes EPERM");
	assert_int_equal(put(*state, 0, 0x199, 0x1700), -EPERM);
	assert_int_equal(get(*state, 0, 0x199), 0x1500);
	pci_put(*state, IMC00, 0xd8, 0x400304);
	assert_int_equal(sim_writes(*state), 1);
}

static void
a_box_or_function_reads_all_ones(void **state)
{
	pci_put(*state, IMC00, 0xd8, 0x400304);
	fault(*state, "from 1 to 2 pci 3a:0a.2 absent");
	fault(*state, "from 1 to 2 box imc 1 1 absent");
	fault(*state, "from 1 to 2 box cha 0 3 absent");
	pass(*state, 1);
	assert_int_equal(pci(*state, IMC00, 0, 4), 0xffffffff);
	assert_int_equal(pci(*state, IMC00, 0xa0, 8), UINT64_MAX);
	assert_int_equal(pci(*state, IMC11, 0xa0, 8), UINT64_MAX);
	assert_int_equal(get(*state, 0, 0xe38), UINT64_MAX);
	assert_int_equal(get(*state, 0, 0xe28), 0);
	pci_put(*state, IMC00, 0xd8, 0);
	pass(*state, 1);
	assert_int_equal(pci(*state, IMC00, 0xd8, 4), 0x400304);
	assert_int_equal(pci(*state, IMC00, 0xa0, 8), 14);
}

static void
another_agent_sets_registers_in_time(void **state)
{
	assert_int_equal(put(*state, 0, 0xe31, 0x40013d), 0);
	fault(*state, "from 2 box cha 0 3 ctr0 = 1000");
	fault(*state, "from 4 pkg 0 msr 0xe31 = 0");
	fault(*state, "from 4 box cha 0 3 filter1 = 0x3b");
	fault(*state, "from 1 pci 3a:0a.2 0xd8 = 0x400304");
	fault(*state, "from 1 lproc 3 msr 0x186 = 0x4300c0");
	pass(*state, 6);
	/* set at 2 s, stopped at 4 s: 2 x 13 */
	assert_int_equal(get(*state, 0, 0xe38), 1026);
	assert_int_equal(get(*state, 0, 0xe36), 0x3b);
	assert_int_equal(pci(*state, IMC00, 0xa0, 8), 5 * 7);
	assert_int_equal(get(*state, 3, 0x186), 0x4300c0);
	assert_int_equal(sim_writes(*state), 1);
}

static void
a_tear_is_forced_between_two_halves(void **state)
{
	struct access *acc = *state;

	pci_put(acc, IMC00, 0xd8, 0x400000);            /* stands */
	pci_put(acc, IMC00, 0xa4, 7);
	fault(acc, "pci 3a:0a.2 0xa0 tear");
	assert_int_equal(pci(acc, IMC00, 0xa4, 4), 7);
	assert_int_equal(pci(acc, IMC00, 0xa0, 4), 0);
	assert_int_equal(pci(acc, IMC00, 0xa4, 4), 8);
	fault(acc, "box imc 0 0 ctr0 tear");
	assert_int_equal(pci(acc, IMC00, 0xa0, 8), UINT64_C(9) << 32);
}

static void
the_clock_of_the_node_is_set(void **state)
{
	struct access *acc = *state;
	struct stamp a;

	fault(acc, "from 2 clock -3.5");
	pass(acc, 4);
	acc->ops->now(acc, &a);
	assert_int_equal(a.real_ns, UINT64_C(1500000000500000000));
	assert_int_equal(a.tsc, 77 + 4 * UINT64_C(2100000000));
}

static void
a_wrong_fault_is_told(void **state)
{
	static const char *const lines[] = {
		"", "from", "from x lproc 1 offline", "lproc 8 offline",
		"lproc 1", "lproc 1 online", "msr 0xce ENOSYS", "msr",
		"msr 0x9999 = 1", "pci 3a:0a.3 absent", "pci 3a:0a.2 0x44 = 1",
		"pci 3a:0a.2 0xd8 tear", "pci bus2:0a.2 absent",
		"box imc 0 2 absent", "box imc 0 0 ctl4 = 1", "box nobox 0 0 absent",
		"clock 3", "lproc 1 offline now", "from 1 to 2 clock +3",
		"from 3 to 3 lproc 1 offline",
	};
	struct diag why;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		why.text[0] = '\0';
		if (sim_fault(*state, lines[i], &why) != -EINVAL)
			fail_msg("accepted: %s", lines[i]);
		assert_memory_equal(why.text, "fault: ", 7);
	}
}

/* ---- tape and comparison ---- */

static void
a_tape_overrides_registers_and_moves_with_each_sleep(void **state)
{
	static const uint64_t tsc[] = { 5, 6, ABSENT };
	static const uint64_t ctr[] = { 0x500000006, 0x700000008 };
	static const uint64_t new[] = { 9 };
	static const struct stamp at[] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } };
	struct reg_addr a = { REG_MSR, 8, 0, 0x10 };
	struct reg_addr b = { REG_PCI, 8, IMC00, 0xa0 };
	struct reg_addr c = { REG_MSR, 8, 3, 0x9999 };
	struct reg_addr d = { REG_PCI, 8, PCI_UNIT(0, 0x5d, 0x70), 0x318 };
	struct access *acc = *state;
	struct stamp now;

	assert_int_equal(sim_tape(*state, &a, tsc, 3), 0);
	assert_int_equal(sim_tape(*state, &b, ctr, 2), 0);
	assert_int_equal(sim_tape(*state, &c, new, 1), 0);
	assert_int_equal(sim_tape(*state, &d, ctr, 2), 0);
	assert_int_equal(sim_tape(*state, &d, ctr, 0), -EINVAL);
	sim_tape_clock(*state, at, 3);
	acc->ops->now(acc, &now);
	assert_int_equal(now.real_ns, 2);
	assert_int_equal(get(acc, 0, 0x10), 5);
	assert_int_equal(get(acc, 3, 0x9999), 9);
	assert_int_equal(get_rc(acc, 2, 0x9999), -EIO);
	assert_int_equal(pci(acc, IMC00, 0xa0, 8), 0x500000006);
	assert_int_equal(pci(acc, d.unit, 0x318, 8), 0x500000006);
	assert_int_equal(acc->ops->sleep(acc, 0, NULL), 0);
	assert_int_equal(get(acc, 0, 0x10), 6);
	assert_int_equal(pci(acc, IMC00, 0xa0, 8), 0x700000008);
	assert_int_equal(acc->ops->sleep(acc, 0, NULL), 0);
	assert_int_equal(acc->ops->sleep(acc, 0, NULL), 0);
	assert_int_equal(get_rc(acc, 0, 0x10), -EIO);
	assert_int_equal(pci(acc, IMC00, 0xa0, 8), 0x700000008);
	acc->ops->now(acc, &now);
	assert_int_equal(now.tsc, 7);
}

static void
a_machine_is_compared_by_its_settings(void **state)
{
	struct sim *other = sim_of("");
	struct diag why = { "" };

	assert_int_equal(put(*state, 0, 0xe31, 0x40013d), 0);
	assert_int_equal(sim_compare(*state, other, &why), -EINVAL);
	assert_string_equal(why.text,
	    "msr 0xe31 lproc 0: 0x40013d here, 0x0 there");
	pass(*state, 1);
	assert_int_equal(put(*state, 0, 0xe31, 0), 0);
	assert_int_equal(sim_compare(*state, other, &why), 0);
	pci_put(*state, IMC11, 0xdc, 0x400304);
	assert_int_equal(sim_compare(*state, other, &why), -EINVAL);
	assert_string_equal(why.text,
	    "pci 0000:ae:0a.6:0xdc: 0x400304 here, 0x0 there");
	pci_put(*state, IMC11, 0xdc, 0);
	assert_int_equal(put(*state, 2, 0x700, UINT64_C(1) << 63), 0);
	assert_int_equal(sim_compare(*state, other, &why), -EINVAL);
	assert_string_equal(why.text, "the uncore of package 1 is frozen "
	    "(msr 0x700) in one only");
	access_close(sim_access(other));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_msr_that_is_not_there_fails_with_eio),
		TEST(an_lproc_that_is_not_there_fails_with_enxio),
		TEST(only_writable_bits_can_be_written),
		TEST(a_package_register_is_one_for_all_its_lprocs),
		TEST(a_reading_follows_the_phase),
		TEST(config_space_takes_aligned_dwords_only),
		TEST(a_function_that_is_not_there_reads_all_ones),
		TEST(memory_holds_controls_of_32_and_counters_of_64_bits),
		TEST(a_counter_counts_what_its_control_selects),
		TEST(a_rate_is_counted_to_the_count_across_phases),
		TEST(fractions_of_a_second_add_up),
		TEST(an_event_selected_twice_counts_the_same_on_both),
		TEST(a_counter_wraps_at_its_width),
		TEST(a_counter_of_config_space_is_two_dwords),
		TEST(a_fixed_counter_of_a_box_has_its_own_control),
		TEST(a_frozen_box_stands_still),
		TEST(the_global_control_freezes_a_package),
		TEST(reset_bits_act_and_clear_themselves),
		TEST(tor_and_lookup_events_need_their_filters),
		TEST(a_slot_that_is_fused_off_reads_0_and_forgets),
		TEST(a_core_counter_needs_both_of_its_enables),
		TEST(fixed_counters_need_their_nibble_and_their_enable),
		TEST(inuse_tells_which_controls_are_set),
		TEST(a_pmc_takes_32_bits_and_extends_their_sign),
		TEST(virtual_time_passes_only_in_sleep),
		TEST(real_time_is_the_hosts),
		TEST(a_pending_signal_comes_through_a_virtual_sleep),
		TEST(a_reading_can_cost_time_and_tear),
		TEST(the_files_of_the_node_are_those_of_linux),
		TEST(a_file_can_be_read_from_any_byte),
		TEST(cpuid_is_read_by_leaf_and_subleaf),
		TEST(directories_can_be_listed),
		TEST(a_number_in_a_file_counts),
		TEST(an_lproc_goes_offline_and_comes_back),
		TEST(an_msr_fails_where_and_while_it_should),
		TEST(a_locked_down_kernel_refuses_msr_writes_only),
		TEST(a_box_or_function_reads_all_ones),
		TEST(another_agent_sets_registers_in_time),
		TEST(a_tear_is_forced_between_two_halves),
		TEST(the_clock_of_the_node_is_set),
		TEST(a_wrong_fault_is_told),
		TEST(a_tape_overrides_registers_and_moves_with_each_sleep),
		TEST(a_machine_is_compared_by_its_settings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
