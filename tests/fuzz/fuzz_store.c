/*
 * tests/fuzz/fuzz_store.c - any bytes as a store: an error, or rows that reader and
 * dump agree on, and a dump of assignments alone.
 *
 *   input = file_head notes-length notes the-rest
 *
 * The half MB that a store has for notes is put in here, and magic and size are
 * set right unless the rest is of an odd length: they would be wrong nearly
 * always.  Seeds in seeds/store are cut out of stores of tallyd's own.
 *
 * A thousand or two a second: a store that is sound is opened twice, printed, and
 * what was printed is taken apart again.
 */
#include "config/dump/dump.h"
#include "config/dump/read.h"
#include "config/dump/store_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LONGEST (1u << 16)

/* The file of an input; its size, 0: none. */
static size_t
make_file(int fd, const uint8_t *data, size_t size)
{
	struct file_head h;
	uint16_t nnote;
	size_t rest, whole;

	if (size < sizeof(h) + sizeof(nnote) || size > LONGEST)
		return 0;
	memcpy(&h, data, sizeof(h));
	memcpy(&nnote, data + sizeof(h), sizeof(nnote));
	data += sizeof(h) + sizeof(nnote);
	rest = size - sizeof(h) - sizeof(nnote);
	if (nnote > rest)
		nnote = (uint16_t)rest;
	rest -= nnote;
	whole = sizeof(h) + STORE_NOTES + rest;
	if (rest % 2 == 0) {
		memcpy(h.magic, MAGIC, sizeof(h.magic));
		h.size = whole;
	}
	if (ftruncate(fd, 0) < 0 || ftruncate(fd, (off_t)whole) < 0 ||
	    pwrite(fd, &h, sizeof(h), 0) != sizeof(h) ||
	    pwrite(fd, data, nnote, sizeof(h)) != nnote ||
	    pwrite(fd, data + nnote, rest, sizeof(h) + STORE_NOTES) !=
	    (ssize_t)rest)
		abort();
	return whole;
}

/* All that was written is tables and values, in lines of printable bytes. */
static void
check_lines(int fd)
{
	off_t n = lseek(fd, 0, SEEK_END);
	char *text = malloc((size_t)n + 1), *scratch = malloc((size_t)n + 1);
	struct assign a;

	if (text == NULL || scratch == NULL || pread(fd, text, (size_t)n,
	    0) != n)
		abort();
	text[n] = '\0';
	for (char *p = text, *end; p < text + n; p = end + 1) {
		if ((end = memchr(p, '\n', (size_t)(text + n - p))) == NULL)
			abort();
		for (const char *c = p; c < end; c++)
			if ((unsigned char)*c < ' ' || *c == 0x7f)
				abort();
		assign_parse(&a, p, end, scratch);
		if ((a.kind != LINE_TABLE && a.kind != LINE_VALUE) ||
		    a.text_len + a.name_len > (size_t)(end - p))
			abort();
	}
	free(text);
	free(scratch);
}

static void
read_all(const char *path, uint64_t rows)
{
	struct reader *r;
	struct read_row row;
	struct diag why;
	uint64_t n = 0;

	if (read_open(&r, path, &why) < 0)
		return;
	while (read_next(r, &row, &why) > 0)
		if (row.sample != n++ || row.ncol != read_columns(r))
			abort();
	if (n != rows)
		abort();
	read_close(r);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1, out = -1;
	struct store *st;
	char path[40];
	struct diag why;

	if (fd < 0 && ((fd = memfd_create("store", 0)) < 0 ||
	    (out = memfd_create("dump", 0)) < 0))
		abort();
	if (make_file(fd, data, size) == 0)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (store_open(&st, path, &why) < 0)
		return 0;
	/* a few bytes can ask for GBs of text */
	if (store_rows(st) * store_shape(st)->ncolumn < 20000) {
		if (ftruncate(out, 0) < 0 || lseek(out, 0, SEEK_SET) != 0)
			abort();
		if (dump_write(st, out, NULL) == 0)
			check_lines(out);
		store_left_out(st);
		read_all(path, store_rows(st));
	}
	store_close(st);
	return 0;
}
