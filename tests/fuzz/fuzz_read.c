/*
 * tests/fuzz/fuzz_read.c - the reader of dumps, and the judging of deltas, on any
 * bytes.
 *
 * A blank before each line changes nothing but the way the reader goes: then
 * no line is as expected, and all are taken apart.  Both ways must agree.
 *
 * Some hundred a second: a run reads its input three times, of some KB mostly,
 * each with a reader whose buffers of 2 MB are made and given back.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "postproc/data/totals.h"
#include "postproc/pages/head_fold.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
file_of(const uint8_t *data, size_t size, char *path, size_t room)
{
	int fd = memfd_create("dump", 0);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, room, "/proc/self/fd/%d", fd);
	return fd;
}

static void
judge(const char *path)
{
	struct totals totals = { 0 };
	struct intervals *iv;
	struct interval step;
	struct diag why;
	uint64_t last = 0;
	int n = 0;

	if (intervals_open(&iv, path, NULL, &why) < 0)
		return;
	while (intervals_next(iv, &step, &why) > 0) {
		if (step.sample <= step.before_sample ||
		    (n++ > 0 && step.before_sample != last) ||
		    !(step.seconds > 0))
			abort();
		last = step.sample;
		for (unsigned c = 0; c < step.ncol; c++)
			if (step.kind[c] > DELTA_NONE && (step.left_out == 0 ||
			    (step.delta[c] != 0 &&
			    !delta_doubtful(step.kind[c]))))
				abort();
		if (totals_add(&totals, &step) < 0)
			abort();
	}
	totals_fini(&totals);
	intervals_close(iv);
}

/* Each constant is in one line, or in none, that is counted. */
static void
fold_head(const struct reader *r)
{
	static struct fold fold;
	char name[64];
	uint64_t n = 0;

	fold.n = 0;
	fold.more = 0;
	for (unsigned i = 0; i < read_constants(r); i++)
		fold_add(&fold, read_constant(r, i));
	for (unsigned i = 0; i < fold.n; i++) {
		n += fold.line[i].n;
		if (strlen(fold_name(&fold.line[i], name, sizeof(name))) >=
		    sizeof(name))
			abort();
	}
	if (n + fold.more != read_constants(r))
		abort();
}

static void
compare(const char *path, const char *other)
{
	struct reader *r, *s;
	struct read_row a, b;
	struct diag why;
	int more;

	if (read_open(&r, path, &why) < 0) {
		if (read_open(&s, other, &why) == 0)
			abort();
		return;
	}
	if (read_open(&s, other, &why) < 0)
		abort();
	fold_head(r);
	do {
		more = read_next(r, &a, &why);
		if (read_next(s, &b, &why) != more)
			abort();
		if (more > 0 && (a.sample != b.sample || a.ncol != b.ncol ||
		    a.nabsent != b.nabsent ||
		    memcmp(a.value, b.value, a.ncol * sizeof(*a.value)) != 0))
			abort();
	} while (more > 0);
	if (read_constants(r) != read_constants(s) ||
	    read_problems(r, PROBLEM_KINDS) != read_problems(s, PROBLEM_KINDS))
		abort();
	read_close(r);
	read_close(s);
}

/* A store, or what a program has packed: no lines that a blank could stand before. */
static bool
has_no_lines(const uint8_t *data, size_t size)
{
	static const char *const begins[] = { "TALLYST", "\x1f\x8b",
	    "\xfd\x37zXZ", "\x28\xb5\x2f\xfd" };

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (size >= strlen(begins[i]) &&
		    memcmp(data, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *blank = malloc(2 * size + 1);
	char path[40], other[40];
	size_t n = 0;
	int fd, fd2;

	fd = file_of(data, size, path, sizeof(path));
	judge(path);
	for (size_t i = 0; i < size; i++) {
		if (i == 0 || data[i - 1] == '\n')
			blank[n++] = ' ';
		blank[n++] = data[i];
	}
	fd2 = file_of(blank, n, other, sizeof(other));
	if (!has_no_lines(data, size))
		compare(path, other);
	close(fd2);
	close(fd);
	free(blank);
	return 0;
}
