/*
 * tests/regs/test_access_calls.c - regs/access.c: what every backend has in common.
 */
#include "tests/lib/files.h"
#include "tests/lib/small_machine.h"

#include <errno.h>
#include <string.h>

/* A backend that keeps what it was asked: two 32-bit halves of one register,
 * and one file. */
struct fake {
	struct access acc;
	uint32_t half[2];
	const char *text;
	char log[128];
};

static int
fake_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	struct fake *f = (struct fake *)acc;

	strcat(f->log, addr->offset == 0x10 ? "r10 " : "r14 ");
	assert_int_equal(addr->bytes, 4);
	*raw = f->half[addr->offset == 0x14];
	return addr->unit == 9 ? -EIO : 0;
}

static int
fake_write(struct access *acc, const struct reg_addr *addr, uint64_t raw)
{
	struct fake *f = (struct fake *)acc;

	strcat(f->log, addr->offset == 0x10 ? "w10 " : "w14 ");
	if (addr->unit == 9)
		return -EPERM;
	f->half[addr->offset == 0x14] = (uint32_t)raw;
	return raw > UINT32_MAX ? -EINVAL : 0;
}

static ssize_t
fake_file(struct access *acc, const char *path, uint64_t offset, void *buf,
    size_t size)
{
	struct fake *f = (struct fake *)acc;
	size_t n = strlen(f->text);

	assert_int_equal(offset, 0);
	if (strcmp(path, "/there") != 0)
		return -ENOENT;
	n = n < size ? n : size;
	memcpy(buf, f->text, n);
	return (ssize_t)n;
}

static void
fake_now(struct access *acc, struct stamp *now)
{
	(void)acc;
	*now = (struct stamp){ .tsc = 17, .real_ns = 18, .mono_ns = 19 };
}

static void
join(void *ctx, const char *name)
{
	strcat(ctx, name);
	strcat(ctx, " ");
}

static const struct host_ops host = { .file = fake_file, .now = fake_now };
static const struct access_ops ops = {
	.read = fake_read, .write = fake_write, .host = &host,
};

static const struct reg_addr halved = { REG_PCI, 8, 1, 0x10 };

static void
the_halves_of_a_pci_register_are_read_around_the_low_one(void **state)
{
	struct fake f = { .acc.ops = &ops, .half = { 5, 7 } };
	uint64_t raw[2];

	(void)state;
	assert_int_equal(access_read(&f.acc, &halved, raw), 0);
	assert_int_equal(raw[0], 0x700000005);
	assert_string_equal(f.log, "r14 r10 r14 ");
	f.log[0] = '\0';
	assert_int_equal(access_read_block(&f.acc, (struct reg_addr[]){ halved,
	    { REG_PCI, 4, 1, 0x10 } }, 2, raw), 0);
	assert_int_equal(raw[0], 0x700000005);
	assert_int_equal(raw[1], 5);
	assert_string_equal(f.log, "r14 r10 r14 r10 ");
}

static void
what_cannot_be_read_is_absent(void **state)
{
	struct fake f = { .acc.ops = &ops };
	const struct reg_addr addr[] = { { REG_PCI, 8, 9, 0x10 },
		{ REG_PCI, 4, 1, 0x14 }, { REG_PCI, 4, 9, 0x14 } };
	uint64_t raw[3] = { 1, 1, 1 };

	(void)state;
	assert_int_equal(access_read(&f.acc, &addr[0], raw), -EIO);
	assert_int_equal(raw[0], ABSENT);
	assert_int_equal(access_read(&f.acc, &addr[2], &raw[2]), -EIO);
	assert_int_equal(raw[2], ABSENT);
	raw[0] = raw[2] = 1;
	assert_int_equal(access_read_block(&f.acc, addr, 3, raw), 2);
	assert_int_equal(raw[0], ABSENT);
	assert_int_equal(raw[1], 0);
	assert_int_equal(raw[2], ABSENT);
}

static void
a_pci_register_is_written_high_half_first(void **state)
{
	struct fake f = { .acc.ops = &ops };
	const struct reg_addr bad = { REG_PCI, 8, 9, 0x10 };

	(void)state;
	assert_int_equal(access_write(&f.acc, &halved, 0x700000005), 0);
	assert_string_equal(f.log, "w14 w10 ");
	assert_int_equal(f.half[0], 5);
	assert_int_equal(f.half[1], 7);
	f.log[0] = '\0';
	assert_int_equal(access_write(&f.acc, &(struct reg_addr){ REG_PCI, 4, 1,
	    0x14 }, 3), 0);
	assert_string_equal(f.log, "w14 ");
	f.log[0] = '\0';
	assert_int_equal(access_write(&f.acc, &bad, 1), -EPERM);
	assert_string_equal(f.log, "w14 ");             /* and no further */
}

static void
the_tsc_is_that_of_the_clocks_where_it_has_no_shorter_way(void **state)
{
	struct fake f = { .acc.ops = &ops };

	(void)state;
	assert_int_equal(access_tsc(&f.acc), 17);
}

static void
what_a_method_does_not_offer_is_said(void **state)
{
	struct fake f = { .acc.ops = &ops };
	uint64_t raw = 5;
	unsigned bad = 7;

	(void)state;
	assert_int_equal(access_map(&f.acc, &halved), 0);
	assert_int_equal(access_visit(&f.acc, 0), -ENOTSUP);
	assert_int_equal(access_text(&f.acc, "/there"), -ENOTSUP);
	assert_null(access_note(&f.acc, REG_PCI));
	assert_int_equal(access_batch_prepare(&f.acc, &halved, 1), -ENOTSUP);
	assert_int_equal(access_batch_read(&f.acc, &raw), -ENOTSUP);
	assert_int_equal(access_perf_open(&f.acc, NULL, 0, &bad), -ENOTSUP);
	access_perf_drop(&f.acc, 0);
	assert_false(access_hurry(&f.acc, true));
	assert_int_equal(raw, 5);
}

static void
without_files_of_its_own_it_shows_those_of_this_node(void **state)
{
	static const struct access_ops no_host = { .read = fake_read };
	struct access acc = { .ops = &no_host };
	char *dir = tree_new(), names[64] = "", buf[16];
	struct stamp a, b;

	(void)state;
	tree_text(dir, "/etc/one", "first\n");
	acc.root = dir;
	assert_int_equal(access_slurp(&acc, "/etc/one", buf, sizeof(buf)), 5);
	assert_string_equal(buf, "first");
	assert_int_equal(access_file(&acc, "/etc/one", 2, buf, 2), 2);
	assert_memory_equal(buf, "rs", 2);
	assert_int_equal(access_file(&acc, "/etc/two", 0, buf, 2), -ENOENT);
	assert_int_equal(access_list(&acc, "/etc", join, names), 0);
	assert_string_equal(names, "one ");
	assert_int_equal(access_list(&acc, "/var", join, names), -ENOENT);
	access_now(&acc, &a);
	assert_int_equal(access_sleep(&acc, a.mono_ns + 20000000, NULL), 0);
	access_now(&acc, &b);
	assert_true(b.mono_ns - a.mono_ns >= 20000000);
	assert_true(b.real_ns - a.real_ns >= 10000000);
	assert_true(access_tsc(&acc) > b.tsc && b.tsc > a.tsc);
	/* a time that is past is no sleep */
	assert_int_equal(access_sleep(&acc, a.mono_ns, NULL), 0);
	tree_free(dir);
}

static void
a_small_file_is_a_string_or_a_number(void **state)
{
	struct fake f = { .acc.ops = &ops };
	static const struct {
		const char *text;
		int rc;
		int64_t number;
	} files[] = {
		{ "12\n", 0, 12 }, { "-7 \n", 0, -7 }, { "0x1f\n", 0, 31 },
		{ "", -EINVAL, 0 }, { "\n", -EINVAL, 0 }, { "12a", -EINVAL, 0 },
		{ "x", -EINVAL, 0 }, { "9223372036854775808", -EINVAL, 0 },
	};
	char buf[8] = "garbage";
	int64_t n;

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		f.text = files[i].text;
		if (access_number(&f.acc, "/there", &n) != files[i].rc ||
		    (files[i].rc == 0 && n != files[i].number))
			fail_msg("\"%s\"", files[i].text);
	}
	assert_int_equal(access_number(&f.acc, "/nowhere", &n), -ENOENT);
	assert_int_equal(access_slurp(&f.acc, "/nowhere", buf, sizeof(buf)),
	    -ENOENT);
	assert_string_equal(buf, "");
	f.text = "a b \n\n";
	assert_int_equal(access_slurp(&f.acc, "/there", buf, sizeof(buf)), 3);
	assert_string_equal(buf, "a b");
	f.text = "1234567890";
	assert_int_equal(access_slurp(&f.acc, "/there", buf, sizeof(buf)), 7);
	assert_string_equal(buf, "1234567");
}

static void
a_text_that_fills_its_buffer_may_go_on(void **state)
{
	struct fake f = { .acc.ops = &ops, .text = "123456" };
	char buf[8];

	(void)state;
	assert_int_equal(access_whole(&f.acc, "/there", buf, sizeof(buf)), 6);
	assert_string_equal(buf, "123456");
	f.text = "1234567";
	assert_int_equal(access_whole(&f.acc, "/there", buf, sizeof(buf)),
	    -E2BIG);
	assert_string_equal(buf, "");
	assert_int_equal(access_whole(&f.acc, "/nowhere", buf, sizeof(buf)),
	    -ENOENT);
}

static void
an_address_reads_as_its_manual_writes_it(void **state)
{
	static const struct {
		struct reg_addr addr;
		const char *text;
	} rows[] = {
		{ { REG_MSR, 8, 12, 0xe31 }, "msr 0xe31 lproc 12" },
		{ { REG_PCI, 8, PCI_UNIT(1, 0x3a, 0x52), 0xa0 },
		  "pci 0001:3a:0a.2:0xa0" },
		{ { REG_PCI, 4, PCI_UNIT(0, 0xff, PCI_DEVFN(31, 7)), 0 },
		  "pci 0000:ff:1f.7:0x0" },
		{ { REG_MMIO, 8, 0, 0xfed15040 }, "mmio 0xfed15040" },
		{ { REG_SIDEBAND, 4, 0x0110, 0x6f },
		  "sideband port 0x01 opcode 0x10 register 0x6f" },
		{ { REG_PERF, 8, 3, 4 }, "perf event 3:4" },
		{ { REG_TEXT, 8, 5, 0 }, "file 5" },
		{ { REG_NONE, 0, 0, 0 }, "none" },
	};
	char buf[80];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(reg_addr_text(&rows[i].addr, buf,
		    sizeof(buf)), rows[i].text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    the_halves_of_a_pci_register_are_read_around_the_low_one),
		cmocka_unit_test(what_cannot_be_read_is_absent),
		cmocka_unit_test(a_pci_register_is_written_high_half_first),
		cmocka_unit_test(
		    the_tsc_is_that_of_the_clocks_where_it_has_no_shorter_way),
		cmocka_unit_test(what_a_method_does_not_offer_is_said),
		cmocka_unit_test(
		    without_files_of_its_own_it_shows_those_of_this_node),
		cmocka_unit_test(a_small_file_is_a_string_or_a_number),
		cmocka_unit_test(a_text_that_fills_its_buffer_may_go_on),
		cmocka_unit_test(an_address_reads_as_its_manual_writes_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
