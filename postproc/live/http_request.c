/*
 * postproc/live/http_request.c - parses the head of a request (RFC 9112), of which only
 * the path and two headers matter, and checks that it is meant for this server.
 *
 *   head   = line { header } end
 *   line   = method " /" path [ "?" query ] " HTTP/1." digit end
 *   header = name ":" value end
 *   end    = [ "\r" ] "\n"
 */
#include "postproc/live/http.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

/* Text up to the end of a line, or a part of it. */
struct span {
	const char *at;
	size_t n;
};

/* Takes the next line, without its end; false: the end has not come yet. */
static bool
next_line(struct span *rest, struct span *line)
{
	const char *end = memchr(rest->at, '\n', rest->n);

	if (end == NULL)
		return false;
	*line = (struct span){ rest->at, (size_t)(end - rest->at) };
	rest->at = end + 1;
	rest->n -= line->n + 1;
	if (line->n > 0 && line->at[line->n - 1] == '\r')
		line->n--;
	return true;
}

/* Takes the word up to the next blank, and the blank. */
static struct span
http_request_next_word(struct span *line)
{
	const char *blank = memchr(line->at, ' ', line->n);
	struct span word = { line->at, blank != NULL ?
	    (size_t)(blank - line->at) : line->n };
	size_t used = word.n + (blank != NULL);

	line->at += used;
	line->n -= used;
	return word;
}

static bool
http_request_is(struct span s, const char *text)
{
	return s.n == strlen(text) && memcmp(s.at, text, s.n) == 0;
}

static void
http_request_keep(char *out, size_t size, struct span s)
{
	size_t n = s.n < size ? s.n : size - 1;

	memcpy(out, s.at, n);
	out[n] = '\0';
}

static int
http_request_parse_line(struct span line, struct http_request *out)
{
	struct span method = http_request_next_word(&line),
	    path = http_request_next_word(&line);
	const char *query;

	if (path.n == 0 || path.at[0] != '/' || line.n != strlen("HTTP/1.1") ||
	    memcmp(line.at, "HTTP/1.", 7) != 0 || line.at[7] < '0' ||
	    line.at[7] > '9')
		return 400;
	out->get = http_request_is(method, "GET");
	if (!out->get && !http_request_is(method, "HEAD"))
		return 405;
	if ((query = memchr(path.at, '?', path.n)) != NULL)
		path.n = (size_t)(query - path.at);
	if (path.n >= sizeof(out->path))
		return 414;
	http_request_keep(out->path, sizeof(out->path), path);
	return 200;
}

/* Takes the value of a header, unless an earlier one of that name gave it; false: the
 * line is another header. */
static bool
take_header(struct span line, const char *name, char *value, size_t size)
{
	size_t n = strlen(name);

	if (line.n <= n || strncasecmp(line.at, name, n) != 0 ||
	    line.at[n] != ':')
		return false;
	n++;
	while (n < line.n && (line.at[n] == ' ' || line.at[n] == '\t'))
		n++;
	if (value[0] == '\0')
		http_request_keep(value, size,
		    (struct span){ line.at + n, line.n - n });
	return true;
}

/* False: there is a second Host, and it is not clear which one counts. */
static bool
parse_header(struct span line, struct http_request *out)
{
	bool had = out->host[0] != '\0';

	return take_header(line, "Accept", out->accept, sizeof(out->accept)) ||
	    !take_header(line, "Host", out->host, sizeof(out->host)) || !had;
}

/* Is it text, without control characters?  (The beginning of TLS, a NUL and a lone CR are
 * not.) */
static bool
is_text(struct span s)
{
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.at[i];

		if (c == '\r' && i + 1 < s.n && s.at[i + 1] != '\n')
			return false;
		if ((c < ' ' && c != '\t' && c != '\r' && c != '\n') ||
		    c == 0x7f)
			return false;
	}
	return true;
}

int
http_request_parse(const char *bytes, size_t size, struct http_request *out)
{
	struct span rest = { bytes, size }, line;
	int status;

	*out = (struct http_request){ .get = false };
	if (!is_text(rest))
		return 400;
	if (next_line(&rest, &line)) {
		if ((status = http_request_parse_line(line, out)) != 200)
			return status;
		while (next_line(&rest, &line)) {
			if (line.n == 0)
				return 200;
			if (!parse_header(line, out))
				return 400;
		}
	}
	return size < HTTP_REQUEST ? 0 : 431;
}

/* ---- pages ---- */

struct http_page *
http_page_new(char *text, size_t size, const char *type)
{
	struct http_page *p = malloc(sizeof(*p));

	if (p == NULL) {
		free(text);
		return NULL;
	}
	*p = (struct http_page){ .text = text, .size = size, .type = type,
	    .users = 1 };
	return p;
}

void
http_page_free(struct http_page *p)
{
	if (p == NULL || --p->users > 0)
		return;
	free(p->text);
	free(p);
}

/* ---- is a request meant for us? ------------------------------------------------
 *
 * A foreign web page, in a browser that can reach this server, can make its own name
 * resolve to our address (DNS rebinding) and then read our answers.  It cannot change the
 * Host that the browser sends, so that is checked.
 */

/* Takes the host of a Host header, "NAME:9797", "1.2.3.4" or "[::1]:9797": without port,
 * brackets, and the dot at the end of a full name. */
static void
http_host_of(const char *header, char *host, size_t size)
{
	bool bracket = header[0] == '[';
	size_t n = strcspn(header + bracket, bracket ? "]" : ": \t");

	if (!bracket && n > 0 && header[n - 1] == '.')
		n--;
	if (n >= size)
		n = 0;
	memcpy(host, header + bracket, n);
	host[n] = '\0';
}

/* Is it the address that the client connected to? */
static bool
is_address(const char *host, int fd)
{
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} a;
	socklen_t size = sizeof(a);
	struct in_addr four;
	struct in6_addr six;

	if (getsockname(fd, &a.any, &size) < 0)
		return false;
	if (a.any.sa_family == AF_INET)
		return inet_pton(AF_INET, host, &four) == 1 &&
		    four.s_addr == a.in.sin_addr.s_addr;
	if (inet_pton(AF_INET6, host, &six) == 1)
		return memcmp(&six, &a.in6.sin6_addr, sizeof(six)) == 0;
	/* IPv4 on a socket for both versions: ::ffff:1.2.3.4 */
	return IN6_IS_ADDR_V4MAPPED(&a.in6.sin6_addr) &&
	    inet_pton(AF_INET, host, &four) == 1 &&
	    memcmp(&four, a.in6.sin6_addr.s6_addr + 12, sizeof(four)) == 0;
}

bool
http_host_ours(const char *header, int fd, const char *const *name)
{
	char host[256], node[256] = "";
	struct sockaddr of;
	socklen_t size = sizeof(of);

	/* browsers always send a Host, and cannot reach Unix sockets */
	if (header[0] == '\0' || (getsockname(fd, &of, &size) == 0 &&
	    of.sa_family == AF_UNIX))
		return true;
	http_host_of(header, host, sizeof(host));
	if (strcasecmp(host, "localhost") == 0 || is_address(host, fd))
		return true;
	gethostname(node, sizeof(node) - 1);
	if (host[0] != '\0' && strcasecmp(host, node) == 0)
		return true;
	for (; name != NULL && *name != NULL; name++)
		if (strcasecmp(host, *name) == 0)
			return true;
	return false;
}
