/*
 * tests/programs/test_release.c - what memory_release gives back, and that what is
 * needed afterwards is there.
 */
#include "tests/lib/files.h"

#include "config/texts.h"
#include "lib/process.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PIECES 8192

/* What is in memory of this process, in kB. */
static long
resident(void)
{
	char *text = file_text("/proc/self/smaps_rollup", NULL);
	long kb = strtol(strstr(text, "\nRss:") + 5, NULL, 10);

	free(text);
	return kb;
}

static void
free_pieces_of_the_heap_are_given_back(void **state)
{
	static void *piece[PIECES];
	long with, without;

	(void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip();         /* theirs is another heap */
#endif
	for (unsigned i = 0; i < PIECES; i++)
		memset(piece[i] = malloc(1000), 1, 1000);
	/* the last one stays: the heap cannot end before it */
	for (unsigned i = 0; i + 1 < PIECES; i++)
		free(piece[i]);
	with = resident();
	memory_release();
	without = resident();
	if (without > with - PIECES / 2)
		fail_msg("%ld kB before, %ld kB after", with, without);
	free(piece[PIECES - 1]);
}

/* The page of an address: is it in this process's memory? */
static bool
is_mapped(const void *at)
{
	uintptr_t page = (uintptr_t)at / (uintptr_t)sysconf(_SC_PAGESIZE);
	int fd = open("/proc/self/pagemap", O_RDONLY);
	uint64_t entry = 0;

	assert_int_equal(pread(fd, &entry, sizeof(entry), (off_t)(page *
	    sizeof(entry))), sizeof(entry));
	close(fd);
	return entry >> 63;
}

/* Writes 64 KB of stack, and returns the middle of them, which is nobody's afterwards. */
__attribute__((noinline)) static uintptr_t
write_stack(void)
{
	volatile char deep[64 << 10];

	for (size_t i = 0; i < sizeof(deep); i++)
		deep[i] = (char)i;
	return (uintptr_t)&deep[sizeof(deep) / 2];
}

static void *
give_back_stack(void *result)
{
	unsigned char mine[6000];
	bool *gone = result;
	uintptr_t deep = write_stack();

	for (size_t i = 0; i < sizeof(mine); i++)
		mine[i] = (unsigned char)(i * 7);
	gone[0] = !is_mapped((const void *)deep);
	stack_release();
	gone[1] = !is_mapped((const void *)deep);
	for (size_t i = 0; i < sizeof(mine); i++)
		if (mine[i] != (unsigned char)(i * 7))
			gone[1] = false;
	return NULL;
}

static void
the_stack_below_is_given_back_and_what_is_above_stays(void **state)
{
	bool main_gone[2], thread_gone[2];
	pthread_t id;

	(void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip();         /* theirs may be another stack */
#endif
	give_back_stack(main_gone);
	assert_int_equal(thread_start(&id, 256 << 10,
	    give_back_stack, thread_gone), 0);
	pthread_join(id, NULL);
	assert_false(main_gone[0]);
	assert_true(main_gone[1]);
	assert_false(thread_gone[0]);
	assert_true(thread_gone[1]);
}

static unsigned
sum_of(const struct text *t)
{
	unsigned sum = 0;

	for (const volatile char *c = t->data; c < t->end; c++)
		sum += (unsigned char)*c;
	return sum;
}

/* The longest text: beside a page that is needed the kernel maps some more. */
static const struct text *
longest(void)
{
	const struct text *t = &texts[0];

	for (const struct text *x = texts; x->name != NULL; x++)
		if (x->end - x->data > t->end - t->data)
			t = x;
	assert_true(t->end - t->data > 100000);
	return t;
}

static void
texts_are_unmapped_and_there_again_when_they_are_read(void **state)
{
	const struct text *t = longest();
	const char *middle = t->data + (t->end - t->data) / 2;
	unsigned sum = sum_of(t);

	(void)state;
	assert_true(is_mapped(middle));
	memory_release();
	assert_false(is_mapped(middle));
	assert_int_equal(sum_of(t), sum);
	assert_true(is_mapped(middle));
}

static void
locked_texts_are_unmapped_too(void **state)
{
	const struct text *t = longest();
	const char *middle = t->data + (t->end - t->data) / 2;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	(void)state;
	/* MADV_DONTNEED_LOCKED, since Linux 5.18 */
	if (madvise((void *)((uintptr_t)middle & ~(page - 1)), page, 24) < 0)
		skip();
	/* the sanitizers' mlock does nothing */
	assert_int_equal(syscall(SYS_mlock, t->data, t->end - t->data), 0);
	assert_true(is_mapped(middle));
	memory_release();
	assert_false(is_mapped(middle));
	munlock(t->data, (size_t)(t->end - t->data));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(free_pieces_of_the_heap_are_given_back),
		cmocka_unit_test(
		    texts_are_unmapped_and_there_again_when_they_are_read),
		cmocka_unit_test(locked_texts_are_unmapped_too),
		cmocka_unit_test(
		    the_stack_below_is_given_back_and_what_is_above_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
