/*
 * tests/fuzz/fuzz_snmp.c - any bytes as what net-snmp's snmpd says to a pass_persist
 * program: an answer of whole lines to each request, and OIDs that go forth.
 * With libFuzzer; seeds in seeds/snmp.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/live/exporters.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ROOT ".1.3.6.1.4.1.8072.9999.9999.84."

static const char *
next_line(const char *p)
{
	if ((p = strchr(p, '\n')) == NULL)
		abort();
	return p + 1;
}

/* Lines alone that the protocol has. */
static void
check(const char *p)
{
	while (*p != '\0') {
		if (strncmp(p, ROOT, strlen(ROOT)) == 0) {
			p = next_line(p);
			if (strncmp(p, "counter64\n", 10) != 0 &&
			    strncmp(p, "gauge\n", 6) != 0 &&
			    strncmp(p, "string\n", 7) != 0)
				abort();
			p = next_line(p);
		} else if (strncmp(p, "NONE\n", 5) != 0 &&
		    strncmp(p, "PONG\n", 5) != 0 &&
		    strncmp(p, "not-writable\n", 13) != 0) {
			abort();
		}
		p = next_line(p);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct export_ask ask = { .once = false };
	char *said;
	size_t n;
	FILE *in, *out;

	if (size == 0)
		return 0;
	in = fmemopen((void *)(uintptr_t)data, size, "r");
	out = open_memstream(&said, &n);
	if (in == NULL || out == NULL)
		abort();
	/* a daemon that there is not: the objects that there always are */
	exposed_init(&ask.x, "/nowhere", 0);
	snmp_serve(&ask, in, out);
	exposed_fini(&ask.x);
	fclose(in);
	fclose(out);
	if (strlen(said) != n)
		abort();
	check(said);
	free(said);
	return 0;
}
