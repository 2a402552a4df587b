/*
 * tests/lib/byte_tree.c - any bytes as a node's files.
 */
#include "tests/lib/byte_tree.h"

#include <errno.h>
#include <string.h>

#define NAME 256

static ssize_t
tree_file(struct access *acc, const char *path, uint64_t offset, void *buf,
    size_t size)
{
	const struct byte_tree *t = (const struct byte_tree *)acc;
	size_t len = strlen(path);
	bool device = len > 6 && strcmp(path + len - 6, "/cpuid") == 0;

	for (unsigned i = 0; i < t->nfile; i++) {
		size_t n = t->file[i].n;

		if (t->file[i].len != len ||
		    memcmp(t->file[i].path, path, len) != 0)
			continue;
		if (device)
			offset = 0;
		if (offset >= n)
			return 0;
		n -= offset;
		n = n < size ? n : size;
		memcpy(buf, t->file[i].data + offset, n);
		return (ssize_t)n;
	}
	return -ENOENT;
}

/* The entry of a folder that a file is, or is below; its length, 0: of
 * another folder. */
static size_t
entry(const struct byte_tree *t, unsigned i, const char *dir, size_t len,
    const char **name)
{
	const char *path = t->file[i].path, *slash;
	size_t n = t->file[i].len;

	if (n <= len + 1 || memcmp(path, dir, len) != 0 || path[len] != '/')
		return 0;
	*name = path + len + 1;
	n -= len + 1;
	slash = memchr(*name, '/', n);
	return slash != NULL ? (size_t)(slash - *name) : n;
}

static int
tree_list(struct access *acc, const char *dir,
    void (*each)(void *, const char *), void *ctx)
{
	const struct byte_tree *t = (const struct byte_tree *)acc;
	size_t len = strlen(dir);
	bool any = false;

	for (unsigned i = 0; i < t->nfile; i++) {
		const char *name, *other;
		size_t n = entry(t, i, dir, len, &name);
		bool had = false;
		char s[NAME];

		for (unsigned k = 0; n > 0 && k < i && !had; k++)
			had = entry(t, k, dir, len, &other) == n &&
			    memcmp(name, other, n) == 0;
		if (n == 0 || n >= NAME || had)
			continue;
		memcpy(s, name, n);
		s[n] = '\0';
		/* no file system has other names */
		if (strlen(s) != n || strcmp(s, ".") == 0 ||
		    strcmp(s, "..") == 0)
			continue;
		any = true;
		each(ctx, s);
	}
	return any ? 0 : -ENOENT;
}

static int
tree_link(struct access *acc, const char *path, char *buf, size_t size)
{
	ssize_t n = tree_file(acc, path, 0, buf, size - 1);

	if (n < 0)
		return (int)n;
	buf[n] = '\0';
	return (int)strlen(buf);
}

static int
tree_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	uint8_t all[4096];
	ssize_t n = tree_file(acc, "/registers", 0, all, sizeof(all));
	uint64_t at = (addr->unit * 31ull + addr->offset / addr->bytes) * 8;

	if (n < 8)
		return -EIO;
	memcpy(raw, all + at % (uint64_t)(n / 8 * 8), 8);
	if (addr->bytes == 4)
		*raw = (uint32_t)*raw;
	return 0;
}

static int
tree_write(struct access *acc, const struct reg_addr *addr, uint64_t raw)
{
	(void)acc;
	(void)addr;
	(void)raw;
	return -EPERM;
}

void
byte_tree_init(struct byte_tree *t, const uint8_t *data, size_t size)
{
	static const struct host_ops host = { .file = tree_file,
	    .list = tree_list, .link = tree_link };
	static const struct access_ops ops = { .name = "bytes", .host = &host,
	    .read = tree_read, .write = tree_write };
	const char *p = (const char *)data, *end = p + size;

	t->acc = (struct access){ .ops = &ops };
	t->nfile = 0;
	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p)), *next;

		if (*p != '@' || nl == NULL || t->nfile == TREE_FILES)
			return;
		next = nl;
		do
			next = memchr(next + 1, '@', (size_t)(end - next - 1));
		while (next != NULL && next[-1] != '\n');
		if (next == NULL)
			next = end;
		t->file[t->nfile].path = p + 1;
		t->file[t->nfile].len = (size_t)(nl - p - 1);
		t->file[t->nfile].data = nl + 1;
		t->file[t->nfile++].n = (size_t)(next - nl - 1);
		p = next;
	}
}
