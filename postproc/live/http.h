/*
 * postproc/live/http.h - one page over HTTP, for scrapers: GET and HEAD, nothing
 * that is kept, nothing that a client can make us wait for or grow by.
 */
#ifndef POSTPROC_LIVE_HTTP_H
#define POSTPROC_LIVE_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "regs/diag.h"

#define HTTP_CLIENTS 16         /* at a time; one more ends the oldest */
#define HTTP_REQUEST 4096       /* bytes of a request's head */
#define HTTP_PATIENCE 5         /* s for a request, and for taking the page */

struct http_page {
	char *text;             /* free() */
	size_t size;
	const char *type;
};

struct http {
	/* the page of a path; false: there is none.  Accept is that header's
	 * value, "" where there is none. */
	bool (*page)(void *of, const char *path, const char *accept,
	    struct http_page *out);
	void *of;
};

/*
 * http_listen - a listening socket.
 *
 * where    "9090", "127.0.0.1:9090", "[::1]:9090", or "/path" of a Unix
 *          socket, which our user and group alone may use
 * public   other addresses than the node's own are no mistake
 *
 * The socket, or -errno with words in why.
 */
int http_listen(const char *where, bool public, struct diag *why);

/* http_address - of a listening socket, as text. */
const char *http_address(int fd, char *buf, size_t size);

/* http_serve - until SIGINT or SIGTERM: 0; or -errno. */
int http_serve(int fd, const struct http *);

#endif
