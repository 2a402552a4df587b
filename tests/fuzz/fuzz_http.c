/*
 * tests/fuzz/fuzz_http.c - any bytes as a request: a path of those bytes, or a refusal
 * that we have, and the same however few of them come at a time.  With
 * libFuzzer; seeds in seeds/http.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/live/http.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first answer that is not "more", to the first n bytes. */
static int
answer_to(const char *bytes, size_t n, struct http_request *r)
{
	/* of its own size, so that a byte too far is seen */
	char *own = malloc(n + (n == 0));
	int status;

	if (own == NULL)
		abort();
	memcpy(own, bytes, n);
	status = http_request_parse(own, n, r);
	free(own);
	return status;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data;
	struct http_request all, part;
	int status, first = 0;
	size_t n = 0;

	if (size > HTTP_REQUEST)
		size = HTTP_REQUEST;
	status = answer_to(bytes, size, &all);
	switch (status) {
	case 0:
		if (size == HTTP_REQUEST)
			abort();
		break;
	case 200:
		if (memmem(data, size, all.path, strlen(all.path)) == NULL ||
		    memmem(data, size, all.accept, strlen(all.accept)) == NULL ||
		    all.path[0] == '\0' || strpbrk(all.path, " \r\n?") != NULL ||
		    strpbrk(all.accept, "\r\n") != NULL)
			abort();
		break;
	case 400: case 405: case 414: case 431:
		break;
	default:
		abort();
	}
	/* whoever sends it in two parts has no other answer */
	for (n = 0; n < size && first == 0; n++)
		first = answer_to(bytes, n, &part);
	if (first == 0)
		return 0;
	if (first == 200 && status != 200 && status != 400)
		abort();
	if (first == 200 && status == 200 && (part.get != all.get ||
	    strcmp(part.path, all.path) != 0 ||
	    strcmp(part.accept, all.accept) != 0))
		abort();
	if (first != 200 && status != first && status != 400)
		abort();
	return 0;
}
