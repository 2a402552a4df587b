/*
 * tests/fuzz/fuzz_mcfg.c - any bytes as the firmware's table of ECAM windows, or,
 * behind an 'i', as /proc/iomem: windows that have buses.  With libFuzzer; seeds in
 * seeds/mcfg.
 */
#include "regs/mcfg.h"

#include <errno.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct stand_in {
	struct access acc;
	const uint8_t *data;
	size_t size;
	bool iomem;
};

static ssize_t
file(struct access *acc, const char *path, uint64_t offset, void *buf,
    size_t size)
{
	const struct stand_in *s = (const struct stand_in *)acc;
	size_t n = s->size < size ? s->size : size;

	if (strcmp(path, "/proc/iomem") == 0 ? !s->iomem :
	    s->iomem || strcmp(path, "/sys/firmware/acpi/tables/MCFG1") != 0)
		return -ENOENT;
	if (offset != 0)
		return 0;
	memcpy(buf, s->data, n);
	return (ssize_t)n;
}

static int
list(struct access *acc, const char *dir, void (*each)(void *, const char *),
    void *ctx)
{
	(void)acc;
	(void)dir;
	each(ctx, "APIC");
	each(ctx, "MCFG1");
	each(ctx, "MCFG2");
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct host_ops host = { .file = file, .list = list };
	static const struct access_ops ops = { .name = "fuzz", .host = &host };
	bool iomem = size > 0 && data[0] == 'i';
	struct stand_in s = { .acc = { .ops = &ops }, .data = data + iomem,
	    .size = size - iomem, .iomem = iomem };
	struct mcfg m;
	uint64_t base;

	mcfg_load(&m, &s.acc);
	if (m.n > MAX_SEGMENTS || memchr(m.source, '\0',
	    sizeof(m.source)) == NULL)
		__builtin_trap();
	for (unsigned i = 0; i < m.n; i++)
		if (m.ecam[i].first_bus > m.ecam[i].last_bus ||
		    m.ecam[i].last_bus > 255 || m.ecam[i].base == 0)
			__builtin_trap();
	mcfg_base(&s.acc, &base);
	return 0;
}
