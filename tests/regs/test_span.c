/*
 * tests/regs/test_span.c - counters of one PCI function, read together: two calls
 * instead of three for each, and no count is torn.
 */
#include "tests/lib/files.h"

#include "regs/linux/linux.h"

#include <errno.h>
#include <string.h>

/* A function whose counters may carry while they are read: after so many
 * dwords, one's low half wraps. */
struct fake {
	struct access acc;
	uint64_t counter[512];          /* by offset / 8 */
	unsigned dwords, calls, wraps_after, wraps;
	bool one_by_one;
};

static uint32_t
dword(struct fake *f, uint64_t offset)
{
	uint64_t *c = &f->counter[f->wraps];

	if (f->dwords++ == f->wraps_after)
		*c = ((*c >> 32) + 1) << 32 | 5;
	return (uint32_t)(f->counter[offset / 8] >> (offset % 8 * 8));
}

static int
fake_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	struct fake *f = (struct fake *)acc;

	f->calls++;
	*raw = dword(f, addr->offset);
	return 0;
}

static int
fake_dwords(struct access *acc, const struct reg_addr *addr, uint32_t *value,
    unsigned n)
{
	struct fake *f = (struct fake *)acc;

	f->calls++;
	if (f->one_by_one)
		return -ENOTSUP;
	for (unsigned i = 0; i < n; i++)
		value[i] = dword(f, addr->offset + 4 * i);
	return 0;
}

static const struct access_ops fake_ops = {
	.name = "fake", .read = fake_read, .dwords = fake_dwords,
};

static struct fake
begin(void)
{
	struct fake f = { .acc = { .ops = &fake_ops },
	    .wraps_after = UINT32_MAX };

	for (unsigned i = 0; i < 512; i++)
		f.counter[i] = (uint64_t)(i + 1) << 32 | 0xfffffff0;
	return f;
}

/* The counters of a channel: four, and the fixed one behind a gap. */
static const struct reg_addr channel[] = {
	{ REG_PCI, 8, 7, 0xa0 }, { REG_PCI, 8, 7, 0xa8 },
	{ REG_PCI, 8, 7, 0xb0 }, { REG_PCI, 8, 7, 0xb8 },
	{ REG_PCI, 8, 7, 0xd0 },
};

static void
a_channel_of_five_counters_takes_two_calls(void **state)
{
	struct fake f = begin();
	uint64_t raw[5];

	(void)state;
	assert_int_equal(access_read_block(&f.acc, channel, 5, raw), 0);
	assert_int_equal(f.calls, 2);
	assert_int_equal(f.dwords, 2 * 14);
	for (unsigned i = 0; i < 5; i++)
		assert_true(raw[i] == f.counter[channel[i].offset / 8]);
}

/* Whichever counter carries, and whenever: it is what it was before, or after. */
static void
no_count_is_torn_whenever_it_carries(void **state)
{
	(void)state;
	for (unsigned after = 0; after < 40; after++)
		for (unsigned which = 0; which < 5; which++) {
			struct fake f = begin();
			uint64_t raw[5], before, carried;

			f.wraps = (unsigned)channel[which].offset / 8;
			f.wraps_after = after;
			before = f.counter[f.wraps];
			carried = ((before >> 32) + 1) << 32 | 5;
			assert_int_equal(access_read_block(&f.acc, channel, 5,
			    raw), 0);
			assert_true(raw[which] == carried ||
			    (raw[which] == before && after >= 14));
			for (unsigned i = 0; i < 5; i++)
				assert_true(i == which || raw[i] ==
				    f.counter[channel[i].offset / 8]);
		}
}

static void
what_is_far_apart_or_of_another_function_is_read_by_itself(void **state)
{
	static const struct reg_addr apart[] = {
		{ REG_PCI, 8, 7, 0xa0 }, { REG_PCI, 8, 7, 0xc8 },
		{ REG_PCI, 8, 8, 0xd0 }, { REG_PCI, 4, 8, 0xd8 },
		{ REG_PCI, 8, 8, 0xe0 }, { REG_PCI, 8, 8, 0xd0 },
	};
	struct fake f = begin();
	uint64_t raw[6];

	(void)state;
	assert_int_equal(access_read_block(&f.acc, apart, 6, raw), 0);
	assert_int_equal(f.calls, 5 * 3 + 1);
	for (unsigned i = 0; i < 6; i++)
		if (apart[i].bytes == 8)
			assert_true(raw[i] == f.counter[apart[i].offset / 8]);
}

static void
a_method_that_has_no_cheaper_call_reads_one_by_one(void **state)
{
	struct fake f = begin();
	uint64_t raw[5];

	(void)state;
	f.one_by_one = true;
	assert_int_equal(access_read_block(&f.acc, channel, 5, raw), 0);
	for (unsigned i = 0; i < 5; i++)
		assert_true(raw[i] == f.counter[channel[i].offset / 8]);
}

/* As sysfs has a function; a user who is not root sees 64 bytes of it. */
static void
a_config_file_is_read_by_ranges(void **state)
{
	static const size_t sizes[] = { 4096, 64 };
	char *dir = tree_new();
	uint32_t config[1024];

	(void)state;
	for (unsigned i = 0; i < 1024; i++)
		config[i] = i % 2 != 0 ? i : i << 16 | 1;
	for (unsigned k = 0; k < 2; k++) {
		struct reg_addr addr[5];
		struct access *acc;
		struct diag why;
		uint64_t raw[5];

		tree_put(dir, "/sys/bus/pci/devices/0000:3a:0a.2/config",
		    config, sizes[k]);
		assert_int_equal(linux_open(&acc, dir, &why), 0);
		for (unsigned i = 0; i < 5; i++) {
			addr[i] = channel[i];
			addr[i].unit = PCI_UNIT(0, 0x3a, PCI_DEVFN(0x0a, 2));
		}
		assert_int_equal(access_read_block(acc, addr, 5, raw),
		    k == 0 ? 0 : 5);
		for (unsigned i = 0; i < 5; i++) {
			unsigned at = (unsigned)addr[i].offset / 4;

			assert_true(raw[i] == (k == 0 ? (uint64_t)(at + 1) <<
			    32 | at << 16 | 1 : ABSENT));
		}
		access_close(acc);
	}
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_channel_of_five_counters_takes_two_calls),
		cmocka_unit_test(no_count_is_torn_whenever_it_carries),
		cmocka_unit_test(
		    what_is_far_apart_or_of_another_function_is_read_by_itself),
		cmocka_unit_test(
		    a_method_that_has_no_cheaper_call_reads_one_by_one),
		cmocka_unit_test(a_config_file_is_read_by_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
