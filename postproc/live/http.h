/*
 * postproc/live/http.h - one page over HTTP, for scrapers: GET and HEAD, nothing
 * that is kept, nothing that a client can make us wait for or grow by.
 */
#ifndef POSTPROC_LIVE_HTTP_H
#define POSTPROC_LIVE_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "regs/diag.h"

/* What a client asks for, of the bytes that it has sent so far. */

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

#define HTTP_CLIENTS 16         /* at a time; one more ends the idlest */
#define HTTP_PATIENCE 5         /* s for a request, and for taking the page */
#define HTTP_UNREAD 65536       /* bytes that a client may go on to say */

/* One text for all who are sent it at the time. */
struct http_page {
	char *text;             /* free() */
	size_t size;
	const char *type;
	unsigned users;
};

struct http {
	/* the page that is asked for, one user more: 0; -ENOENT: there is
	 * none; -ENOMEM */
	int (*page)(void *of, const struct http_request *,
	    struct http_page **out);
	/* while nobody asks: after how many ms again, -1 never; may be NULL */
	int (*idle)(void *of);
	void *of;
	const char *const *host;        /* names that are ours, too; NULL-ended */
};

/* http_page_new - of a text that is the page's from now on, with one user; NULL:
 * no memory, and the text is freed.  http_page_free - one user less: with the
 * last it goes. */
struct http_page *http_page_new(char *text, size_t size, const char *type);
void http_page_free(struct http_page *);

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

/*
 * http_host_ours - does the Host of a request name us: localhost, the address that
 * its connection came to, the name of the node, or one of those of --host?
 *
 * header  its value; "": it has none, which is ours
 * name    ends with NULL; or NULL
 */
bool http_host_ours(const char *header, int fd, const char *const *name);

#endif
