/*
 * tests/lib/files.c - the files that tests write and read.
 */
#include "tests/lib/files.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

char *
tree_new(void)
{
	const char *tmp = getenv("TMPDIR");
	char *dir;

	assert_true(asprintf(&dir, "%s/tallyd-test.XXXXXX", tmp != NULL ? tmp :
	    "/tmp") > 0);
	assert_non_null(mkdtemp(dir));
	return dir;
}

FILE *
temp_file(char *path)
{
	const char *tmp = getenv("TMPDIR");
	FILE *f;

	snprintf(path, 512, "%s/tallyd-test.XXXXXX", tmp != NULL ? tmp : "/tmp");
	f = fdopen(mkstemp(path), "w");
	assert_non_null(f);
	return f;
}

unsigned
rounds(unsigned many)
{
	const char *asked = getenv("ROUNDS");

	return asked != NULL && atoi(asked) > 0 ? (unsigned)atoi(asked) : many;
}

static int
remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

void
tree_free(char *dir)
{
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(dir);
}

void
tree_put(const char *dir, const char *path, const void *data, size_t n)
{
	char full[1024];
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", dir, path);
	for (char *p = full + strlen(dir) + 1; (p = strchr(p, '/')) != NULL;
	    p++) {
		*p = '\0';
		mkdir(full, 0755);
		*p = '/';
	}
	f = fopen(full, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

void
tree_text(const char *dir, const char *path, const char *text)
{
	tree_put(dir, path, text, strlen(text));
}

void
text_has(const char *text, const char *words)
{
	if (strstr(text, words) == NULL)
		fail_msg("no \"%s\" in:\n%s", words, text);
}

void
text_lacks(const char *text, const char *words)
{
	if (strstr(text, words) != NULL)
		fail_msg("\"%s\" in:\n%s", words, text);
}

unsigned
text_times(const char *text, const char *words)
{
	unsigned n = 0;

	for (; (text = strstr(text, words)) != NULL; text++)
		n++;
	return n;
}

unsigned
text_lines(const char *text)
{
	return text_times(text, "\n");
}

char *
file_text(const char *path, size_t *size)
{
	FILE *f = fopen(path, "r"), *copy;
	char *text = NULL, block[16384];
	size_t n;

	assert_non_null(f);
	copy = open_memstream(&text, &n);
	assert_non_null(copy);
	while ((n = fread(block, 1, sizeof block, f)) > 0)
		fwrite(block, 1, n, copy);
	fclose(f);
	assert_int_equal(fclose(copy), 0);
	if (size != NULL)
		*size = n;
	return text;
}

char *test_dir;

int
test_dir_new(void **state)
{
	(void)state;
	test_dir = tree_new();
	return 0;
}

int
test_dir_free(void **state)
{
	(void)state;
	tree_free(test_dir);
	return 0;
}

const char *
test_put(const char *name, const char *text)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", test_dir, name);
	tree_text(test_dir, path + strlen(test_dir), text);
	return path;
}

/* The tests are in B/tests, the programs in B. */
const char *
built(const char *name, char *buf)
{
	ssize_t n = readlink("/proc/self/exe", buf, 400);
	char *slash;

	assert_true(n > 0);
	buf[n] = '\0';
	for (int i = 0; i < 2; i++) {
		slash = strrchr(buf, '/');
		assert_non_null(slash);
		*slash = '\0';
	}
	strcat(buf, "/");
	strcat(buf, name);
	return buf;
}

const char *
recording(char *buf)
{
	return built("tests/data/original/c591-803.first30.perfcounts.lua",
	    buf);
}

const char *
perfmon(const char *list, char *buf)
{
	char name[128];

	snprintf(name, sizeof(name), "tests/data/perfmon/%s", list);
	return built(name, buf);
}

void
wait_a_little(unsigned looks, const char *what)
{
	static const struct timespec ms = { 0, 1000000 };

	if (looks == 300000)
		fail_msg("waited for: %s", what);
	nanosleep(&ms, NULL);
}

void
table_open(struct table *t, const char *path)
{
	if ((t->f = fopen(path, "r")) == NULL)
		fail_msg("%s is not there", path);
}

bool
table_next(struct table *t, const char *kind)
{
	while (fgets(t->line, sizeof(t->line), t->f) != NULL) {
		char *rest = t->line, *first = strsep(&rest, "\t\n");

		if (strcmp(first, kind) != 0)
			continue;
		for (size_t i = 0; i < 12; i++)
			t->cell[i] = strsep(&rest, "\t\n");
		return true;
	}
	return false;
}
