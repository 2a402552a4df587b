/*
 * tests/regs/test_linux.c - the linux backend on files that stand in for devices:
 * msr and /dev/mem as plain files, MCFG tables, sysfs config files.
 */
#include "tests/lib/rig.h"

#include "regs/linux/linux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct access *
open_tree(const char *dir)
{
	struct diag why = { "" };
	struct access *acc;

	if (linux_open(&acc, dir, &why) < 0)
		fail_msg("%s", why.text);
	return acc;
}

/* A file of n bytes, sparse, with one dword set. */
static void
put_sparse(const char *dir, const char *path, off_t n, off_t at, uint32_t value)
{
	char full[512];
	FILE *f;

	tree_text(dir, path, "");
	snprintf(full, sizeof(full), "%s%s", dir, path);
	f = fopen(full, "r+");
	assert_non_null(f);
	assert_int_equal(ftruncate(fileno(f), n), 0);
	assert_int_equal(fseeko(f, at, SEEK_SET), 0);
	assert_int_equal(fwrite(&value, sizeof(value), 1, f), 1);
	assert_int_equal(fclose(f), 0);
}

/* An MCFG with one record: base, segment 0, buses first..last. */
static void
put_mcfg(const char *dir, const char *name, uint64_t base, uint8_t first,
    uint8_t last)
{
	uint8_t t[60] = "MCFG";
	uint32_t length = sizeof(t);
	char path[128];

	memcpy(t + 4, &length, 4);
	memcpy(t + 44, &base, 8);
	t[54] = first;
	t[55] = last;
	snprintf(path, sizeof(path), "/sys/firmware/acpi/tables/%s", name);
	tree_put(dir, path, t, sizeof(t));
}

static void
msr_errors_are_told_apart(void **state)
{
	char *dir = tree_new();
	struct reg_addr none = { REG_MSR, 8, 0, 0x10 };
	struct reg_addr past = { REG_MSR, 8, 1, 0x40000000 };
	struct access *acc = open_tree(dir);
	uint64_t raw = 0;

	(void)state;
	assert_int_equal(access_read(acc, &none, &raw), -ENOENT);
	assert_true(raw == ABSENT);
	/* a short read is no value */
	tree_text(dir, "/dev/cpu/1/msr", "short");
	assert_int_equal(access_read(acc, &past, &raw), -EIO);
	assert_true(raw == ABSENT);
	access_close(acc);
	tree_free(dir);
}

static void
an_msr_is_eight_bytes_at_its_number(void **state)
{
	char *dir = tree_new();
	struct reg_addr addr = { REG_MSR, 8, 3, 8 };
	static const uint64_t regs[4] = { 1, 0x1122334455667788, 3, 4 };
	struct access *acc = open_tree(dir);
	uint64_t raw;

	(void)state;
	tree_put(dir, "/dev/cpu/3/msr", regs, sizeof(regs));
	assert_int_equal(access_read(acc, &addr, &raw), 0);
	assert_true(raw == 0x1122334455667788);
	assert_int_equal(access_write(acc, &addr, 42), 0);
	assert_int_equal(access_read(acc, &addr, &raw), 0);
	assert_int_equal(raw, 42);
	access_close(acc);
	tree_free(dir);
}

static void
the_window_is_found_by_mcfg_whatever_its_name(void **state)
{
	char *dir = tree_new();
	/* bus 2, 0a.2, offset 0xa0 in a window whose base is that of bus 0 */
	struct reg_addr addr = { REG_PCI, 4, PCI_UNIT(0, 2,
	    PCI_DEVFN(0xa, 2)), 0xa0 };
	struct access *acc = open_tree(dir);
	uint64_t raw;

	(void)state;
	put_mcfg(dir, "MCFG1", 0x100000, 0, 3);
	put_sparse(dir, "/dev/mem", 0x500000, 0x100000 + (2 << 20) +
	    (0xa << 15) + (2 << 12) + 0xa0, 0xcafe0001);
	assert_int_equal(access_read(acc, &addr, &raw), 0);
	assert_true(raw == 0xcafe0001);
	assert_non_null(strstr(access_note(acc, REG_PCI), "0x100000"));
	access_close(acc);
	tree_free(dir);
}

static void
a_refused_page_of_mmio_is_not_the_window(void **state)
{
	char *dir = tree_new();
	/* more than a file's offset can be: mmap refuses it */
	struct reg_addr mmio = { REG_MMIO, 4, 0, 0xfffffffffffff000 };
	struct reg_addr pci = { REG_PCI, 4, PCI_UNIT(0, 2, 0), 0 };
	struct access *acc = open_tree(dir);
	uint64_t raw;

	(void)state;
	put_mcfg(dir, "MCFG", 0x100000, 0, 3);
	put_sparse(dir, "/dev/mem", 0x500000, 0x300000, 0xcafe0002);
	assert_true(access_read(acc, &mmio, &raw) < 0);
	assert_int_equal(access_read(acc, &pci, &raw), 0);
	assert_true(raw == 0xcafe0002);
	assert_non_null(strstr(access_note(acc, REG_PCI), "0x100000"));
	access_close(acc);
	tree_free(dir);
}

static void
without_mcfg_the_window_is_found_in_iomem(void **state)
{
	static const char *const lines[] = {
		"00000000-00000fff : Reserved\n"
		"00300000-004fffff : PCI MMCONFIG 0000 [bus 02-03]\n",
		"  00300000-004fffff : PCI ECAM 0000 [bus 02-03]\n",
	};

	(void)state;
	for (int i = 0; i < 2; i++) {
		char *dir = tree_new();
		/* the range starts at bus 2 */
		struct reg_addr addr = { REG_PCI, 4, PCI_UNIT(0, 3, 0), 0 };
		struct access *acc = open_tree(dir);
		uint64_t raw;

		tree_text(dir, "/proc/iomem", lines[i]);
		put_sparse(dir, "/dev/mem", 0x500000, 0x400000, 0x20668086);
		assert_int_equal(access_read(acc, &addr, &raw), 0);
		assert_true(raw == 0x20668086);
		access_close(acc);
		tree_free(dir);
	}
}

static void
sysfs_is_the_way_where_dev_mem_is_denied(void **state)
{
	char *dir = tree_new();
	struct reg_addr addr = { REG_PCI, 4, PCI_UNIT(0, 0x3a,
	    PCI_DEVFN(0xa, 2)), 0xa0 };
	struct reg_addr gone = { REG_PCI, 4, PCI_UNIT(0, 0x3b, 0), 0 };
	struct access *acc = open_tree(dir);
	uint64_t raw;

	(void)state;
	put_mcfg(dir, "MCFG", 0x80000000, 0, 255);
	put_sparse(dir, "/sys/bus/pci/devices/0000:3a:0a.2/config", 4096, 0xa0,
	    77);
	assert_int_equal(access_read(acc, &addr, &raw), 0);
	assert_int_equal(raw, 77);
	assert_int_equal(access_read(acc, &gone, &raw), -ENODEV);
	assert_non_null(strstr(access_note(acc, REG_PCI),
	    "iomem=relaxed"));
	access_close(acc);
	tree_free(dir);
}

static void
config_space_is_read_by_aligned_dwords_only(void **state)
{
	char *dir = tree_new();
	struct reg_addr odd = { REG_PCI, 4, PCI_UNIT(0, 0, 0), 2 };
	struct reg_addr past = { REG_PCI, 4, PCI_UNIT(0, 0, 0), 4096 };
	struct access *acc = open_tree(dir);
	uint64_t raw;

	(void)state;
	assert_int_equal(access_read(acc, &odd, &raw), -EINVAL);
	assert_int_equal(access_read(acc, &past, &raw), -EINVAL);
	access_close(acc);
	tree_free(dir);
}

static void
a_register_in_memory_lies_at_its_offset_of_its_page(void **state)
{
	char *dir = tree_new();
	struct reg_addr dword = { REG_MMIO, 4, 0, 0x2014 };
	struct reg_addr whole = { REG_MMIO, 8, 0, 0x2010 };
	struct reg_addr odd = { REG_MMIO, 8, 0, 0x2014 };
	struct reg_addr past = { REG_MMIO, 4, 0, 0x3000 };
	struct access *acc = open_tree(dir);
	uint64_t raw;

	(void)state;
	put_sparse(dir, "/dev/mem", 0x3000, 0x2014, 0x11223344);
	assert_int_equal(access_read(acc, &dword, &raw), 0);
	assert_int_equal(raw, 0x11223344);
	assert_int_equal(access_read(acc, &whole, &raw), 0);
	assert_int_equal(raw, 0x1122334400000000);
	assert_int_equal(access_write(acc, &whole, 0x0000000500000006), 0);
	assert_int_equal(access_read(acc, &dword, &raw), 0);
	assert_int_equal(raw, 5);
	assert_int_equal(access_write(acc, &dword, 7), 0);
	assert_int_equal(access_read(acc, &whole, &raw), 0);
	assert_int_equal(raw, 0x0000000700000006);
	assert_int_equal(access_read(acc, &odd, &raw), -EINVAL);
	assert_int_equal(access_write(acc, &odd, 1), -EINVAL);
	assert_int_equal(access_read(acc, &past, &raw), -ENODEV);
	access_close(acc);
	tree_free(dir);
}

static void
a_window_that_cannot_be_mapped_is_said_and_not_tried_again(void **state)
{
	char *dir = tree_new();
	/* the last page that there can be: no file is that long */
	struct reg_addr last = { REG_PCI, 4, PCI_UNIT(0, 0, 0xff), 0 };
	struct access *acc = open_tree(dir);
	const char *note;
	uint64_t raw;

	(void)state;
	put_mcfg(dir, "MCFG", 0xfffffffffff00000, 0, 0);
	put_sparse(dir, "/dev/mem", 0x1000, 0, 1);
	assert_true(access_read(acc, &last, &raw) < 0);
	note = access_note(acc, REG_PCI);
	assert_non_null(strstr(note, "sysfs config files"));
	assert_non_null(strstr(note, "iomem=relaxed"));
	access_close(acc);
	tree_free(dir);
}

static void
the_clocks_are_those_of_the_system(void **state)
{
	char *dir = tree_new();
	struct access *acc = open_tree(dir);
	struct timespec real, mono;
	struct stamp a, b;

	(void)state;
	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC, &mono);
	access_now(acc, &a);
	access_now(acc, &b);
	assert_in_range(a.real_ns / 1000000000, real.tv_sec, real.tv_sec + 60);
	assert_in_range(a.mono_ns / 1000000000, mono.tv_sec, mono.tv_sec + 60);
	assert_true(b.mono_ns >= a.mono_ns && b.tsc > a.tsc);
	assert_true(access_tsc(acc) > b.tsc);
	access_close(acc);
	tree_free(dir);
}

static void
opening_asks_for_a_descriptor_an_lproc(void **state)
{
	char *dir = tree_new();
	struct rlimit found, few, now;
	struct access *acc;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &found), 0);
	few = found;
	few.rlim_cur = 64;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	acc = open_tree(dir);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &now), 0);
	assert_true(now.rlim_cur > 64);
	access_close(acc);
	setrlimit(RLIMIT_NOFILE, &found);
	tree_free(dir);
}

static unsigned
open_descriptors(void)
{
	unsigned n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void
closing_leaves_no_descriptor_open(void **state)
{
	char *dir = tree_new(), path[64];
	unsigned before = open_descriptors();
	struct access *acc;
	uint64_t raw;

	(void)state;
	for (unsigned l = 0; l < 3; l++) {
		snprintf(path, sizeof(path), "/dev/cpu/%u/msr", l);
		put_sparse(dir, path, 64, 16, 7);
	}
	acc = open_tree(dir);
	for (uint32_t l = 0; l < 3; l++) {
		struct reg_addr addr = { REG_MSR, 8, l, 16 };

		assert_int_equal(access_read(acc, &addr, &raw), 0);
		assert_int_equal(raw, 7);
	}
	assert_true(open_descriptors() >= before + 3);
	access_close(acc);
	assert_int_equal(open_descriptors(), before);
	tree_free(dir);
}

static void
a_damaged_mcfg_is_passed_over(void **state)
{
	char *dir = tree_new();
	struct reg_addr addr = { REG_PCI, 4, PCI_UNIT(0, 0, 0), 0 };
	uint8_t noise[50];
	struct access *acc = open_tree(dir);
	uint64_t raw;

	(void)state;
	memset(noise, 0xff, sizeof(noise));
	memcpy(noise, "MCFG", 4);
	tree_put(dir, "/sys/firmware/acpi/tables/MCFG", noise, sizeof(noise));
	assert_int_equal(access_read(acc, &addr, &raw), -ENODEV);
	assert_non_null(strstr(access_note(acc, REG_PCI), "no ECAM"));
	access_close(acc);
	tree_free(dir);
}

static void
a_text_counter_is_read_anew_each_time(void **state)
{
	char *dir = tree_new(), path[64] = "/sys/x";
	struct reg_addr addr = { REG_TEXT, 8, 0, 0 };
	struct access *acc = open_tree(dir);
	uint64_t raw;
	int unit;

	(void)state;
	tree_text(dir, path, "18446744073709551614\n");
	unit = access_text(acc, path);
	assert_true(unit >= 0);
	addr.unit = (uint32_t)unit;
	assert_int_equal(access_read(acc, &addr, &raw), 0);
	assert_true(raw == 18446744073709551614u);
	tree_text(dir, path, "7\n");
	assert_int_equal(access_read(acc, &addr, &raw), 0);
	assert_int_equal(raw, 7);
	access_close(acc);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(msr_errors_are_told_apart),
		cmocka_unit_test(an_msr_is_eight_bytes_at_its_number),
		cmocka_unit_test(the_window_is_found_by_mcfg_whatever_its_name),
		cmocka_unit_test(a_refused_page_of_mmio_is_not_the_window),
		cmocka_unit_test(without_mcfg_the_window_is_found_in_iomem),
		cmocka_unit_test(sysfs_is_the_way_where_dev_mem_is_denied),
		cmocka_unit_test(config_space_is_read_by_aligned_dwords_only),
		cmocka_unit_test(
		    a_register_in_memory_lies_at_its_offset_of_its_page),
		cmocka_unit_test(
		    a_window_that_cannot_be_mapped_is_said_and_not_tried_again),
		cmocka_unit_test(the_clocks_are_those_of_the_system),
		cmocka_unit_test(opening_asks_for_a_descriptor_an_lproc),
		cmocka_unit_test(closing_leaves_no_descriptor_open),
		cmocka_unit_test(a_damaged_mcfg_is_passed_over),
		cmocka_unit_test(a_text_counter_is_read_anew_each_time),
	};

	return cmocka_run_group_tests_name("linux", tests, NULL, NULL);
}
