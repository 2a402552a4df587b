/*
 * tests/lib/segment_files.c - what a run in segments has left.
 */
#include "tests/lib/segment_files.h"

#include "tests/lib/files.h"
#include "tests/lib/stand_in.h"

#include "config/dump/read.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
add_one(struct segment_files *s, const char *path)
{
	struct segment_file f = { .n = 0 };
	struct reader *r;
	struct read_row row;
	struct diag why;
	int tsc, rc;

	if (read_open(&r, path, &why) < 0)
		fail_msg("%s", why.text);
	snprintf(f.path, sizeof(f.path), "%s", path);
	f.n = (uint64_t)head_number(r, HEAD_SEGMENT, ALONE, 1);
	f.sample = (uint64_t)head_number(r, HEAD_SEGMENT_SAMPLE, ALONE, 0);
	f.reload = head_constant(r, HEAD_SEGMENT_RELOAD, ALONE) != NULL;
	while ((rc = read_next(r, &row, &why)) > 0) {
		if ((tsc = read_find(r, "tsc")) < 0)
			fail_msg("%s has no tsc", path);
		assert_int_equal(row.sample, f.samples);
		if (f.samples++ == 0)
			f.first_tsc = row.value[tsc];
		else
			assert_true(row.value[tsc] > f.last_tsc);
		f.last_tsc = row.value[tsc];
	}
	if (rc < 0)
		fail_msg("%s", why.text);
	read_close(r);
	assert_true(s->n < MAX_SEGMENT_FILES);
	s->file[s->n++] = f;
}

void
segment_files_add(struct segment_files *s, const char *dir, const char *prefix)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	struct stat sb;
	char path[512];

	assert_non_null(d);
	while ((e = readdir(d)) != NULL) {
		const char *p = e->d_name + strlen(prefix);

		if (strncmp(e->d_name, prefix, strlen(prefix)) != 0)
			continue;
		p += strspn(p, ".0123456789");
		if (*p != '\0' && strcmp(p, "lua") != 0)
			continue;
		snprintf(path, sizeof(path), "%.200s/%.255s", dir, e->d_name);
		/* a store whose daemon was killed before it had a head */
		if (strcmp(p, "lua") != 0 && stat(path, &sb) == 0 &&
		    sb.st_size == 0)
			continue;
		add_one(s, path);
	}
	closedir(d);
}

static int
by_number(const void *a, const void *b)
{
	const struct segment_file *x = a, *y = b;

	return (x->n > y->n) - (x->n < y->n);
}

uint64_t
segment_files_whole(struct segment_files *s)
{
	const struct segment_file *was = NULL;

	qsort(s->file, s->n, sizeof(s->file[0]), by_number);
	for (unsigned i = 0; i < s->n; i++) {
		const struct segment_file *f = &s->file[i];

		/* the next one's store, and nothing in it yet */
		if (f->samples == 0)
			continue;
		if (was == NULL)
			assert_int_equal(f->n, 1);
		else if (f->n == was->n) {
			assert_int_equal(f->samples, was->samples);
			assert_int_equal(f->first_tsc, was->first_tsc);
			assert_int_equal(f->last_tsc, was->last_tsc);
		} else if (f->reload) {
			assert_int_equal(f->n, was->n + 1);
			assert_int_equal(f->sample, was->sample +
			    was->samples);
			assert_true(f->first_tsc > was->last_tsc);
		} else {
			assert_int_equal(f->n, was->n + 1);
			assert_int_equal(f->sample, was->sample +
			    was->samples - 1);
			assert_int_equal(f->first_tsc, was->last_tsc);
		}
		was = f;
	}
	return was == NULL ? 0 : was->sample + was->samples;
}

void
segment_files_remove(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	char path[512];

	assert_non_null(d);
	while ((e = readdir(d)) != NULL)
		if (strncmp(e->d_name, "store", 5) == 0 ||
		    strncmp(e->d_name, "dump.", 5) == 0)
			unlink(in_dir(dir, e->d_name, path));
	closedir(d);
}
