/*
 * tests/fuzz/fuzz_handover.c - any bytes as what a sampler leaves to the next one, and as
 * words that it says: what is taken of them ends, and is within what it counts.
 * With libFuzzer; seeds in seeds/handover.
 *
 *   input = { at(2) n(1) bytes[n] } the rest is a message
 *   at, n   where in the memory that they share, from its end on where the high
 *           bit is set
 */
#include "daemon/run/handover.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static void
leave_sound(struct heritage *h)
{
	memset(h, 0, sizeof(*h));
	h->segments = h->first_number = 1;
	h->marks.nopen = 2;
	strcpy(h->marks.open[0].text, "job=1 begin");
	strcpy(h->marks.open[1].text, "job=2 begin user=anna");
}

/* What comes next of the input, into the memory; returns how long that is. */
static size_t
scribble(struct heritage *h, const uint8_t *data, size_t size)
{
	size_t at, n = data[2];

	at = (size_t)(data[0] | (data[1] & 0x7f) << 8);
	if (data[1] & 0x80)
		at = sizeof(*h) - 1 - at;
	if (n > size - 3)
		n = size - 3;
	if (n > sizeof(*h) - at)
		n = sizeof(*h) - at;
	memcpy((uint8_t *)h + at, data + 3, n);
	return 3 + n;
}

static void
check(const struct heritage *shared, struct heritage *own)
{
	struct diag why;

	if (heritage_take(own, shared, &why) < 0) {
		must(why.text[0] != '\0');
		return;
	}
	must(own->marks.nopen <= OPEN_JOBS && own->marks.n == 0 &&
	    own->marks.bytes == 0);
	for (unsigned i = 0; i < own->marks.nopen; i++)
		must(memchr(own->marks.open[i].text, '\0', MARK_WORDS + 1) !=
		    NULL && mark_words_check(own->marks.open[i].text, &why) == 0);
	must(memchr(own->of, '\0', sizeof(own->of)) != NULL);
	must(memchr(own->output, '\0', sizeof(own->output)) != NULL);
	must(strchr(own->of, '\n') == NULL);
	must(own->segments + 1 > own->segments && own->first_number +
	    own->segments > own->segments);
}

static void
hear(const uint8_t *data, size_t size)
{
	static int pair[2] = { -1, -1 };
	char words[HANDOVER_WORDS];
	int with[2];

	if (pair[0] < 0)
		must(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) == 0);
	if (size == 0 || send(pair[0], data, size, MSG_DONTWAIT) < 0)
		return;
	must(handover_receive(pair[1], words, with, false) == 1);
	must(memchr(words, '\0', sizeof(words)) != NULL);
	must(with[0] < 0 && with[1] < 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct heritage shared, own;
	struct diag why;

	leave_sound(&shared);
	while (size > 3) {
		size_t n = scribble(&shared, data, size);

		data += n;
		size -= n;
	}
	check(&shared, &own);
	must(strlen(heritage_why(&shared, &why)) < sizeof(why.text));
	hear(data, size);
	return 0;
}
