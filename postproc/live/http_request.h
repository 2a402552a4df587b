/*
 * postproc/live/http_request.h - what a client asks for, of the bytes that it
 * sent so far.
 */
#ifndef POSTPROC_LIVE_HTTP_REQUEST_H
#define POSTPROC_LIVE_HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#define HTTP_REQUEST 4096       /* bytes of a request's head, at most */

struct http_request {
	bool get;               /* HEAD: of the answer its head alone */
	char path[256];         /* up to a "?" */
	char accept[512];       /* those headers' values; "": there is none */
	char host[256];
};

/*
 * http_request_parse - take apart what came so far.
 *
 * Returns 200, with out set; 0 while its end is still to come; or the status
 * that refuses it: 400, 405, 414, 431.
 */
int http_request_parse(const char *bytes, size_t size,
    struct http_request *out);

#endif
