/*
 * tests/fuzz/fuzz_terms.c - the terms of an event as perf writes them, against a
 * PMU in memory; and lists of cores.
 */
#include "config/lang/terms.h"
#include "config/lang/want.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* Two events, whose text is part of the input, too. */
struct stand_in {
	struct access acc;
	const uint8_t *text;
	size_t n;
};

static ssize_t
file(struct access *acc, const char *path, uint64_t offset, void *buf,
    size_t size)
{
	struct stand_in *s = (struct stand_in *)acc;
	size_t n = s->n < size ? s->n : size;

	(void)offset;
	if (strstr(path, "/events/") == NULL || strchr(path, 'x') == NULL)
		return -ENOENT;
	memcpy(buf, s->text, n);
	return (ssize_t)n;
}

static int
list(struct access *acc, const char *dir, void (*each)(void *, const char *),
    void *ctx)
{
	(void)acc;
	(void)dir;
	each(ctx, "cas_count_read");
	each(ctx, "cas_count_read.scale");
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct host_ops host = { .file = file, .list = list };
	static const struct access_ops ops = { .name = "fuzz", .host = &host };
	static const struct pmu pmu = { .name = "p", .type = 7, .nformat = 3,
	    .format = { { "event", 0, 0x2000ff }, { "umask", 0, 0xff00 },
	    { "opc", 1, ~0ull } } };
	size_t half = size / 2;
	struct stand_in s = { .acc = { .ops = &ops }, .text = data + half,
	    .n = size - half };
	struct place at = { "fuzz", 1 };
	struct cores cores = { 0 };
	struct arena *arena = arena_new();
	struct pmu_event ev;
	struct diag why;

	terms_encode(&pmu, &s.acc, (struct word){ (const char *)data, half },
	    at, &ev, &why);
	terms_name((struct word){ (const char *)data, half });
	if (arena != NULL)
		cores_add(&cores, arena, (struct word){ (const char *)data,
		    size }, at, &why);
	arena_free(arena);
	return 0;
}
