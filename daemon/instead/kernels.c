/*
 * daemon/instead/kernels.c - small loops, each turn of which does a known amount.
 *
 * Loops that are counted exactly are in assembler, so that a turn has the instructions
 * that are written here; the table has their counts.
 */
#include "daemon/instead/work.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define PAGE 4096

static void
run_sleep(uint64_t n, const struct kernel_memory *m)
{
	struct timespec t = { (time_t)(n / 1000000000),
	    (long)(n % 1000000000) };

	(void)m;
	nanosleep(&t, NULL);
}

static void
run_naps(uint64_t n, const struct kernel_memory *m)
{
	while (n-- > 0)
		run_sleep(50000, m);
}

/* The first touch of each page is one page fault, if the kernel does not use huge
 * pages. */
static void
run_faults(uint64_t n, const struct kernel_memory *m)
{
	size_t size = n * PAGE;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)m;
	if (p == MAP_FAILED)
		return;
	madvise(p, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size; i += PAGE)
		((volatile char *)p)[i] = 1;
	munmap(p, size);
}

/* Reads one word of each line; where the memory is much larger than the caches, each is
 * a read of DRAM. */
static void
run_read(uint64_t n, const struct kernel_memory *m)
{
	while (n-- > 0)
		for (size_t i = 0; i < m->size; i += 64)
			(void)*(volatile uint64_t *)((char *)m->at + i);
}

/* Writes part of each line, which is read for ownership and written back. */
static void
run_write(uint64_t n, const struct kernel_memory *m)
{
	while (n-- > 0)
		for (size_t i = 0; i < m->size; i += 64)
			*(volatile uint64_t *)((char *)m->at + i) = n;
}

#define KERNEL_OF(name, setup, turn, ...) \
	static void \
	name(uint64_t n, const struct kernel_memory *m) \
	{ \
		(void)m; \
		__asm__ volatile(setup "\n1:\n\t" turn : "+r"(n) : \
		    "r"(m->at) : "cc", "memory", __VA_ARGS__); \
	}
#define FOUR(x) x "\n\t" x "\n\t" x "\n\t" x "\n\t"
#define EIGHT(x) FOUR(x) FOUR(x)

#if defined(__x86_64__)
#define TURN "dec %0\n\tjnz 1b"
KERNEL_OF(run_loop, "", TURN, "rax")
/* The lowest bit of xorshift64 (Marsaglia 2003) decides whether the branch is taken;
 * both ways lead to the next instruction. */
KERNEL_OF(run_misses, "mov $88172645463325252, %%rax",
    "mov %%rax, %%rcx\n\tshl $13, %%rcx\n\txor %%rcx, %%rax\n\t"
    "mov %%rax, %%rcx\n\tshr $7, %%rcx\n\txor %%rcx, %%rax\n\t"
    "mov %%rax, %%rcx\n\tshl $17, %%rcx\n\txor %%rcx, %%rax\n\t"
    "test $1, %%al\n\tjz 2f\n2:\t" TURN, "rax", "rcx")
KERNEL_OF(run_loads, "", FOUR("mov (%1), %%rax") TURN, "rax")
KERNEL_OF(run_stores, "xor %%eax, %%eax",
    FOUR("mov %%rax, 8(%1)") TURN, "rax")
KERNEL_OF(run_scalar_single, "xorps %%xmm0, %%xmm0",
    EIGHT("addss %%xmm0, %%xmm0") TURN, "xmm0")
KERNEL_OF(run_scalar_double, "xorps %%xmm0, %%xmm0",
    EIGHT("addsd %%xmm0, %%xmm0") TURN, "xmm0")
KERNEL_OF(run_128_single, "xorps %%xmm0, %%xmm0",
    EIGHT("addps %%xmm0, %%xmm0") TURN, "xmm0")
KERNEL_OF(run_128_double, "xorps %%xmm0, %%xmm0",
    EIGHT("addpd %%xmm0, %%xmm0") TURN, "xmm0")
#define WIDE "vxorps %%xmm0, %%xmm0, %%xmm0"
KERNEL_OF(run_256_single, WIDE,
    EIGHT("vaddps %%ymm0, %%ymm0, %%ymm0") TURN "\n\tvzeroupper", "xmm0")
KERNEL_OF(run_256_double, WIDE,
    EIGHT("vaddpd %%ymm0, %%ymm0, %%ymm0") TURN "\n\tvzeroupper", "xmm0")
KERNEL_OF(run_512_single, WIDE,
    EIGHT("vaddps %%zmm0, %%zmm0, %%zmm0") TURN "\n\tvzeroupper", "xmm0")
KERNEL_OF(run_512_double, WIDE,
    EIGHT("vaddpd %%zmm0, %%zmm0, %%zmm0") TURN "\n\tvzeroupper", "xmm0")
KERNEL_OF(run_fma, WIDE, EIGHT("vfmadd231pd %%ymm0, %%ymm0, %%ymm0") TURN
    "\n\tvzeroupper", "xmm0")
KERNEL_OF(run_chase, "mov %1, %%rax", "mov (%%rax), %%rax\n\t" TURN, "rax")

static void
run_stream(uint64_t n, const struct kernel_memory *m)
{
	char *end = (char *)m->at + m->size;

	for (; n > 0; n--)
		for (char *p = m->at; p < end; p += 64)
			__asm__ volatile(
			    "movnti %0, (%1)\n\tmovnti %0, 8(%1)\n\t"
			    "movnti %0, 16(%1)\n\tmovnti %0, 24(%1)\n\t"
			    "movnti %0, 32(%1)\n\tmovnti %0, 40(%1)\n\t"
			    "movnti %0, 48(%1)\n\tmovnti %0, 56(%1)" : :
			    "r"(n), "r"(p) : "memory");
	__asm__ volatile("sfence" : : : "memory");
}
#define XORSHIFT 9              /* instructions before the branch's test */

bool
kernel_runs(enum kernel_id id)
{
	const char *needs = kernels[id].needs;

	if (kernels[id].run == NULL)
		return false;
	__builtin_cpu_init();
	return needs == NULL ||
	    (strcmp(needs, "avx") == 0 && __builtin_cpu_supports("avx")) ||
	    (strcmp(needs, "fma") == 0 && __builtin_cpu_supports("fma")) ||
	    (strcmp(needs, "avx512f") == 0 &&
	    __builtin_cpu_supports("avx512f"));
}
#elif defined(__aarch64__)
#define TURN "subs %0, %0, #1\n\tb.ne 1b"
KERNEL_OF(run_loop, "", TURN, "x9")
KERNEL_OF(run_misses, "mov x9, #12345",
    "eor x9, x9, x9, lsl #13\n\teor x9, x9, x9, lsr #7\n\t"
    "eor x9, x9, x9, lsl #17\n\ttbz x9, #0, 2f\n2:\t" TURN, "x9")
KERNEL_OF(run_loads, "", FOUR("ldr x9, [%1]") TURN, "x9")
KERNEL_OF(run_stores, "mov x9, #0", FOUR("str x9, [%1, #8]") TURN, "x9")
KERNEL_OF(run_scalar_single, "fmov s0, wzr",
    EIGHT("fadd s0, s0, s0") TURN, "v0")
KERNEL_OF(run_scalar_double, "fmov d0, xzr",
    EIGHT("fadd d0, d0, d0") TURN, "v0")
KERNEL_OF(run_128_single, "movi v0.4s, #0",
    EIGHT("fadd v0.4s, v0.4s, v0.4s") TURN, "v0")
KERNEL_OF(run_128_double, "movi v0.4s, #0",
    EIGHT("fadd v0.2d, v0.2d, v0.2d") TURN, "v0")
KERNEL_OF(run_chase, "mov x9, %1", "ldr x9, [x9]\n\t" TURN, "x9")
#define run_256_single NULL
#define run_256_double NULL
#define run_512_single NULL
#define run_512_double NULL
#define run_fma NULL

static void
run_stream(uint64_t n, const struct kernel_memory *m)
{
	char *end = (char *)m->at + m->size;

	for (; n > 0; n--)
		for (char *p = m->at; p < end; p += 64)
			__asm__ volatile(
			    "stnp %0, %0, [%1]\n\tstnp %0, %0, [%1, #16]\n\t"
			    "stnp %0, %0, [%1, #32]\n\tstnp %0, %0, [%1, #48]"
			    : : "r"(n), "r"(p) : "memory");
}
#define XORSHIFT 2              /* tbz is test and branch */

bool
kernel_runs(enum kernel_id id)
{
	return kernels[id].run != NULL;
}
#else
#error "the loops of --prove are of x86-64 and arm64"
#endif

/* A loop of eight operations of one kind. */
#define OPERATIONS(act_, run_, needs_, n) \
	{ .run = run_, .needs = needs_, .ns = 11, .act = { \
	    [ACT_INSTRUCTIONS] = 10, [ACT_BRANCHES] = 1, [act_] = n } }
const struct kernel kernels[KERNELS] = {
	[KERNEL_SLEEP] = { .run = run_sleep, .ns = 1 },
	[KERNEL_LOOP] = { .run = run_loop, .ns = 0.4, .act = {
	    [ACT_INSTRUCTIONS] = 2, [ACT_BRANCHES] = 1 } },
	[KERNEL_MISSES] = { .run = run_misses, .ns = 6, .act = {
	    [ACT_INSTRUCTIONS] = XORSHIFT + 4, [ACT_BRANCHES] = 2,
	    [ACT_MISSES] = 0.5 } },
	[KERNEL_LOADS] = { .run = run_loads, .ns = 1, .act = {
	    [ACT_INSTRUCTIONS] = 6, [ACT_BRANCHES] = 1, [ACT_LOADS] = 4,
	    [ACT_L1_HIT] = 4 } },
	[KERNEL_STORES] = { .run = run_stores, .ns = 1.5, .act = {
	    [ACT_INSTRUCTIONS] = 6, [ACT_BRANCHES] = 1,
	    [ACT_STORES] = 4 } },
	[KERNEL_SCALAR_SINGLE] = OPERATIONS(ACT_SCALAR_SINGLE,
	    run_scalar_single, NULL, 8),
	[KERNEL_SCALAR_DOUBLE] = OPERATIONS(ACT_SCALAR_DOUBLE,
	    run_scalar_double, NULL, 8),
	[KERNEL_128_SINGLE] = OPERATIONS(ACT_128_SINGLE, run_128_single, NULL,
	    8),
	[KERNEL_128_DOUBLE] = OPERATIONS(ACT_128_DOUBLE, run_128_double, NULL,
	    8),
	[KERNEL_256_SINGLE] = OPERATIONS(ACT_256_SINGLE, run_256_single,
	    "avx", 8),
	[KERNEL_256_DOUBLE] = OPERATIONS(ACT_256_DOUBLE, run_256_double,
	    "avx", 8),
	[KERNEL_512_SINGLE] = OPERATIONS(ACT_512_SINGLE, run_512_single,
	    "avx512f", 8),
	[KERNEL_512_DOUBLE] = OPERATIONS(ACT_512_DOUBLE, run_512_double,
	    "avx512f", 8),
	[KERNEL_FMA] = OPERATIONS(ACT_256_DOUBLE, run_fma, "fma", 16),
	[KERNEL_CHASE] = { .run = run_chase, .ns = 4, .act = {
	    [ACT_INSTRUCTIONS] = 3, [ACT_BRANCHES] = 1, [ACT_LOADS] = 1 } },
	[KERNEL_READ] = { .run = run_read },
	[KERNEL_WRITE] = { .run = run_write },
	[KERNEL_STREAM] = { .run = run_stream },
	[KERNEL_FAULTS] = { .run = run_faults, .ns = 500, .act = {
	    [ACT_FAULTS] = 1 } },
	[KERNEL_NAPS] = { .run = run_naps, .ns = 100000, .act = {
	    [ACT_SWITCHES] = 2 } },
};
