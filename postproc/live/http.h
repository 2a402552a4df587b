/*
 * postproc/live/http.h - serves a page over HTTP to scrapers: GET and HEAD, one request
 * for each connection.  No client can make the server wait or use more memory.
 */
#ifndef POSTPROC_LIVE_HTTP_H
#define POSTPROC_LIVE_HTTP_H

#include <stdbool.h>
#include <stddef.h>


#define HTTP_REQUEST 4096       /* bytes of a request's head, at most */

/* What of a request's head matters. */
struct http_request {
	bool get;               /* GET; else HEAD, answered by the head alone */
	char path[256];         /* up to a "?" */
	char accept[512];       /* value of the header Accept; "": it is missing */
	char host[256];         /* value of the header Host; "": it is missing */
};

/*
 * http_request_parse - parse what a client has sent so far.
 *
 * Returns 200 with out set; 0 if the end of the head has not come yet; or the HTTP status
 * to refuse the request with: 400, 405, 414, 431.
 */
int http_request_parse(const char *bytes, size_t size,
    struct http_request *out);

#define HTTP_CLIENTS 16         /* at a time; the next one replaces the idlest */
#define HTTP_PATIENCE 5         /* s from accepting a client to dropping it */
#define HTTP_UNREAD 65536       /* bytes that a client may send in all */

/* A page; clients that are being sent the same one share it. */
struct http_page {
	char *text;             /* allocated */
	size_t size;
	const char *type;       /* value of Content-Type */
	unsigned users;         /* http_page_free is due from so many */
};

struct http {
	/* page - the page that a request asks for, for one more user.  Returns 0;
	 * -ENOENT: there is none of that path; -ENOMEM. */
	int (*page)(void *of, const struct http_request *,
	    struct http_page **out);
	/* idle - called when nothing happened for as many ms as it returned the last
	 * time; -1: never again.  May be NULL. */
	int (*idle)(void *of);
	void *of;
	const char *const *host;        /* more names of this server; ends with NULL */
};

/* http_page_new - a page with one user, which owns the text from now on; NULL: out of
 * memory, and the text is freed.
 * http_page_free - one user less; the last one frees the page. */
struct http_page *http_page_new(char *text, size_t size, const char *type);
void http_page_free(struct http_page *);

/* http_serve - serves on a listening socket until SIGINT or SIGTERM, then returns 0; or
 * -errno. */
int http_serve(int fd, const struct http *);

/*
 * http_host_ours - does the Host header of a request name this server: localhost, the
 * address that the connection fd came to, the node's name, or one of --host?
 *
 * header  its value; "": no such header, which is accepted
 * name    those of --host, ends with NULL; may be NULL
 */
bool http_host_ours(const char *header, int fd, const char *const *name);

#endif
