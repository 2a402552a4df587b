/*
 * tests/lib/scene.c - a stand-in node for a daemon, and how it was left.
 */
#include "tests/lib/named.h"
#include "tests/lib/scene.h"
#include "tests/lib/rig.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct scene
scene_begin(void)
{
	struct scene s;

	s.dir = stand_in_new();
	s.before = stand_in_save(s.dir);
	return s;
}

void
scene_end(struct scene *s)
{
	/* the filter refused nothing that sampling needs */
	assert_true(tallyd_kept_quiet(s->dir, "system call "));
	free(s->before);
	tree_free(s->dir);
}

bool
scene_has(const struct scene *s, const char *name)
{
	char path[512];

	return access(in_dir(s->dir, name, path), F_OK) == 0;
}

const struct column *
scene_column(const struct store_shape *shape, const char *name)
{
	for (unsigned i = 0; i < shape->ncolumn; i++)
		if (is_named(&shape->column[i].id, name))
			return &shape->column[i];
	fail_msg("no column %s", name);
	return NULL;
}

unsigned
scene_files(const struct scene *s, const char *prefix)
{
	DIR *d = opendir(s->dir);
	struct dirent *e;
	unsigned n = 0;

	assert_non_null(d);
	while ((e = readdir(d)) != NULL)
		n += strncmp(e->d_name, prefix, strlen(prefix)) == 0;
	closedir(d);
	return n;
}

void
scene_row(const struct store *st, uint64_t r, uint64_t *row)
{
	if (store_read(st, r, 0, store_shape(st)->ncell, row) < 0)
		fail_msg("row %llu cannot be read", (unsigned long long)r);
}

uint64_t
scene_whole(const char *path)
{
	struct store *st;
	struct diag why;
	const struct store_shape *s;
	uint64_t rows, *v, *next;
	unsigned tsc, stamp;

	if (store_open(&st, path, &why) < 0)
		fail_msg("%s", why.text);
	s = store_shape(st);
	rows = store_rows(st);
	tsc = scene_column(s, "tsc")->cell;
	stamp = scene_column(s, "lproc_tsc[7]")->cell;
	v = calloc(s->ncell, sizeof(*v));
	next = calloc(s->ncell, sizeof(*next));
	for (uint64_t r = 0; r < rows; r++) {
		scene_row(st, r, v);
		if (r + 1 < rows)
			scene_row(st, r + 1, next);
		if (r + 1 < rows && v[tsc] >= next[tsc])
			fail_msg("row %llu is not before the next one",
			    (unsigned long long)r);
		if (v[stamp] < v[tsc] || (r + 1 < rows &&
		    v[stamp] >= next[tsc]))
			fail_msg("row %llu has a stamp of another",
			    (unsigned long long)r);
		assert_int_equal(v[scene_column(s, "aperf[0]")->cell], 0xe8);
		assert_int_equal(v[scene_column(s, "mperf[7]")->cell], 0x700e7);
		assert_int_equal(v[scene_column(s, "core_counts[5]"
		    "[\"FP_ARITH_INST_RETIRED.256B_PACKED_DOUBLE\"]")->cell],
		    0x500c3);
		assert_int_equal(v[scene_column(s, "cha_counts[1][3]"
		    "[\"SF_EVICTION.S_STATE\"]")->cell], 0x20e3b);
		/* the high dword of the 6th channel of package 1, and the low */
		assert_true(v[scene_column(s, "imc_counts[1][5]"
		    "[\"CAS_COUNT.READS\"]")->cell] == 0x1200a4001200a0);
	}
	free(v);
	free(next);
	store_close(st);
	return rows;
}

void
scene_ended_well(const struct scene *s, int status, const char *what)
{
	if (status != 0)
		tallyd_failed(s->dir, what, status);
	stand_in_same(s->dir, s->before, what);
	assert_true(scene_has(s, "dump.lua"));
	assert_false(scene_has(s, "store"));
	assert_false(scene_has(s, "run/tallyd.journal"));
}

uint64_t
scene_dumped(const struct scene *s)
{
	char line[8192], path[512];
	unsigned long long n = 0, samples = 0;
	FILE *f = fopen(in_dir(s->dir, "dump.lua", path), "r");

	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		sscanf(line, "samples = %llu", &samples);
		n += strncmp(line, "tsc[", 4) == 0;
	}
	fclose(f);
	assert_int_equal(n, samples);
	return n;
}

void
sleep_us(long us)
{
	struct timespec t = { us / 1000000, us % 1000000 * 1000 };

	nanosleep(&t, NULL);
}

bool
scene_dump_has(const struct scene *s, const char *words)
{
	char path[512], *text = file_text(in_dir(s->dir, "dump.lua", path),
	    NULL);
	bool found = strstr(text, words) != NULL;

	free(text);
	return found;
}

uint64_t
scene_rows(const struct scene *s)
{
	struct store *st;
	struct diag why;
	char path[512];
	uint64_t n;

	if (store_open(&st, in_dir(s->dir, "store", path), &why) < 0)
		fail_msg("%s", why.text);
	n = store_rows(st);
	store_close(st);
	return n;
}

int
scene_mounted(struct scene *s, pid_t pid)
{
	int status = tallyd_wait(pid);

	if (status == SCENE_MAY_NOT) {
		scene_end(s);
		print_message("this needs the right to mount\n");
		skip();
	}
	return status;
}
