/*
 * tests/fuzz/fuzz_pmu.c - any bytes as the kernel's event sources (tests/lib/byte_tree.h):
 * formats and lists of CPUs of every PMU, each of its named events, and the words for
 * a refusal.  With libFuzzer; seeds in seeds/pmu.
 */
#include "tests/lib/byte_tree.h"

#include "config/arena.h"
#include "config/lang/terms.h"
#include "regs/perf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct pmus {
	struct byte_tree *tree;
	const struct pmu *pmu;
	unsigned n;
};

static void
use_event(void *ctx, const char *name)
{
	struct pmus *p = ctx;
	struct arena *arena = arena_new();
	struct pmu_event ev;
	struct diag why;

	if (arena != NULL)
		terms_encode(p->pmu, &p->tree->acc, (struct word){ name,
		    strlen(name) }, (struct place){ "fuzz", 1 }, &ev, &why);
	arena_free(arena);
}

static void
use_pmu(void *ctx, const char *name, int n)
{
	static struct pmu pmu;
	struct pmus *p = ctx;
	char dir[256];

	(void)n;
	p->n++;
	if (pmu_load(&pmu, &p->tree->acc, name) < 0)
		return;
	if (pmu.nformat > PMU_FORMATS || pmu.wrong[0] != '\0')
		__builtin_trap();
	for (unsigned i = 0; i < pmu.nformat; i++) {
		const struct pmu_format *f = &pmu.format[i];
		struct perf_attr attr = { .type = pmu.type };
		uint64_t all = f->bits == 0 ? 0 :
		    ~0ull >> (64 - __builtin_popcountll(f->bits));

		if (f->word > 2 || f->bits == 0 ||
		    pmu_format_named(&pmu, f->name) == NULL)
			__builtin_trap();
		if (pmu_put(f, all, &attr) < 0 ||
		    attr.config[f->word] != f->bits ||
		    (f->bits != ~0ull && pmu_put(f, all + 1, &attr) == 0) ||
		    (pmu_bits(&pmu, f->word) & f->bits) != f->bits)
			__builtin_trap();
	}
	p->pmu = &pmu;
	snprintf(dir, sizeof(dir), PMU_DIR "/%s/events", name);
	access_list(&p->tree->acc, dir, use_event, p);
}

static void
by_name(void *ctx, const char *name)
{
	use_pmu(ctx, name, -1);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct byte_tree tree;
	static const int errors[] = { EACCES, EINVAL, ENOENT, EBUSY, EMFILE,
		ENODEV, EOPNOTSUPP };
	struct pmus p = { .tree = &tree };
	struct perf_group group = { .n = 1, .attr = { { .type = 7 } } };
	char buf[64];
	struct diag why;

	byte_tree_init(&tree, data, size);
	access_list(&tree.acc, PMU_DIR, by_name, &p);
	p.n = 0;
	if (pmu_each(&tree.acc, "uncore_cha", use_pmu, &p) != p.n)
		__builtin_trap();
	pmu_each(&tree.acc, "imc", use_pmu, &p);
	if (pmu_core(&tree.acc, buf, sizeof(buf)) != NULL && buf[0] == '\0')
		__builtin_trap();
	perf_type_name(&tree.acc, 7, buf, sizeof(buf));
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		perf_explain(&tree.acc, -errors[i], "event", &group, 0, &why);
	return 0;
}
