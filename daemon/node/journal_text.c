/*
 * daemon/node/journal_text.c - what stands in a journal, as text.
 *
 * line = text " #" checksum "\n"; the checksum is the CRC-32 of ISO 3309 (that
 * of zlib and PNG) of the text before it, in 8 hexadecimal digits.
 */
#include "daemon/node/journal.h"

#include "lib/checksum.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "tallyd-journal "
#define VERSION "2"
#define SUM 11                  /* " #01234567\n" */
#define MAX_JOURNAL (1u << 28)  /* bytes; 8192 lprocs have a tenth of it */

void
journal_put_head(char line[JOURNAL_HEAD + 1], const struct journal_head *h)
{
	char text[JOURNAL_HEAD + 1];

	snprintf(text, sizeof(text), MAGIC VERSION " pid %ld boot %s registers "
	    "%u bytes %" PRIu64, h->pid, h->boot, h->registers, h->bytes);
	snprintf(line, JOURNAL_HEAD + 1, "%-*s", JOURNAL_HEAD - SUM, text);
	snprintf(line + JOURNAL_HEAD - SUM, SUM + 1, " #%08" PRIx32 "\n",
	    crc_of(line, JOURNAL_HEAD - SUM));
}

void
journal_put_record(FILE *f, unsigned n, const char *record)
{
	char line[JOURNAL_LINE];
	int len = snprintf(line, sizeof(line), "%u %s", n, record);

	fprintf(f, "%s #%08" PRIx32 "\n", line, crc_of(line, (size_t)len));
}

/* Cuts the checksum off a line; false: it is wrong or missing. */
static bool
journal_text_whole_line(const char *from, size_t n, char line[JOURNAL_LINE])
{
	char sum[SUM + 1];

	if (n < SUM || n - SUM >= JOURNAL_LINE ||
	    memchr(from, '\0', n) != NULL)
		return false;
	snprintf(sum, sizeof(sum), " #%08" PRIx32 "\n", crc_of(from,
	    n - SUM));
	if (memcmp(sum, from + n - SUM, SUM) != 0)
		return false;
	memcpy(line, from, n - SUM);
	line[n - SUM] = '\0';
	return true;
}

static bool
journal_text_take_head(const char *from, struct journal_head *h)
{
	char line[JOURNAL_LINE];

	return journal_text_whole_line(from, JOURNAL_HEAD, line) && sscanf(line,
	    MAGIC VERSION " pid %ld boot %63s registers %u bytes %" SCNu64,
	    &h->pid, h->boot, &h->registers, &h->bytes) == 4;
}

/* Reads the head; if that is damaged, the copy at the end. */
static enum journal_state
state_of(struct journal_text *t)
{
	const char magic[] = MAGIC VERSION " ";
	size_t n = t->size < sizeof(magic) - 1 ? t->size : sizeof(magic) - 1;

	if (t->size == 0)
		return JOURNAL_EMPTY;
	if (t->size >= JOURNAL_HEAD &&
	    (journal_text_take_head(t->data, &t->head) ||
	    journal_text_take_head(t->data + t->size - JOURNAL_HEAD, &t->head)))
		return t->head.registers == 0 ? JOURNAL_IDLE : JOURNAL_CHANGED;
	if (memcmp(t->data, magic, n) == 0)
		return JOURNAL_DAMAGED;
	return t->size >= sizeof(MAGIC) && memcmp(t->data, MAGIC,
	    sizeof(MAGIC) - 1) == 0 ? JOURNAL_OLDER : JOURNAL_OTHER;
}

int
journal_read(struct journal_text *t, int fd)
{
	struct stat sb;
	ssize_t n = 1;

	*t = (struct journal_text){ .state = JOURNAL_OTHER };
	if (fstat(fd, &sb) < 0)
		return -errno;
	if (!S_ISREG(sb.st_mode) || sb.st_size > MAX_JOURNAL)
		return 0;
	if ((t->data = malloc((size_t)sb.st_size + 1)) == NULL)
		return -ENOMEM;
	while (n > 0 && t->size < (uint64_t)sb.st_size) {
		n = pread(fd, t->data + t->size, (size_t)sb.st_size - t->size,
		    (off_t)t->size);
		if (n > 0)
			t->size += (uint64_t)n;
	}
	if (n < 0)
		return -errno;
	t->state = state_of(t);
	return 0;
}

void
journal_text_fini(struct journal_text *t)
{
	free(t->data);
	t->data = NULL;
}

bool
journal_record(const struct journal_text *t, uint64_t *at, unsigned *n,
    char record[JOURNAL_LINE], unsigned *bad)
{
	char line[JOURNAL_LINE];
	int number = 0;

	while (*at < t->size) {
		const char *from = t->data + *at;
		const char *nl = memchr(from, '\n', t->size - *at);
		size_t len = nl != NULL ? (size_t)(nl - from) + 1 :
		    t->size - *at;

		*at += len;
		if (!journal_text_whole_line(from, len, line)) {
			++*bad;
			continue;
		}
		if (strncmp(line, MAGIC, sizeof(MAGIC) - 1) == 0 ||
		    sscanf(line, "%u %n", n, &number) < 1)
			continue;
		strcpy(record, line + number);
		return true;
	}
	return false;
}
