/*
 * daemon/head/preamble_tables.c - the head's words of discovery tables: where each
 * is, and what it says, as it was read.
 */
#include "daemon/head/preamble.h"

#include <inttypes.h>
#include <stdio.h>

static void
preamble_tables_put_site(struct head *h, const struct discovery_site *s,
    unsigned n)
{
	char text[32];

	snprintf(text, sizeof(text), "%04x:%02x:%02x.%x", s->at.seg & 0xffff,
	    s->at.bus, s->at.dev, s->at.fn);
	head_put_text(h, HEAD_DISCOVERY_FUNCTION, AT(n), text);
	head_put_int(h, HEAD_DISCOVERY_PACKAGE, AT(n), s->pkg);
	head_put_hex(h, HEAD_DISCOVERY_ADDRESS, AT(n), s->address);
}

/* Entries that are zero are left out.  Returns how many were put. */
static unsigned
preamble_tables_put_words(struct head *h, const struct discovery_site *s,
    unsigned n, unsigned from)
{
	uint64_t word[3];
	char text[128];
	size_t offset;
	unsigned to = from;

	for (unsigned k = 0; discovery_words(s, k, word, &offset); k++) {
		if ((word[0] | word[1] | word[2]) == 0)
			continue;
		snprintf(text, sizeof(text), "%u 0x%zx 0x%" PRIx64 " 0x%" PRIx64
		    " 0x%" PRIx64, n, offset, word[0], word[1], word[2]);
		head_put_text(h, HEAD_DISCOVERY_WORDS, AT(to++), text);
	}
	return to - from;
}

void
preamble_tables(struct head *h, const struct discovery *all)
{
	unsigned words = 0;

	if (all->n == 0)
		return;
	for (enum head_key key = HEAD_DISCOVERY_FUNCTION;
	    key <= HEAD_DISCOVERY_WORDS; key++)
		head_put_table(h, key, ALONE, 0);
	for (unsigned i = 0; i < all->n; i++)
		preamble_tables_put_site(h, &all->site[i], i);
	for (unsigned i = 0; i < all->n; i++)
		words += preamble_tables_put_words(h, &all->site[i], i, words);
}
