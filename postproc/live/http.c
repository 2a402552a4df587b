/*
 * postproc/live/http.c - serves pages over HTTP.
 *
 * A connection has one request and one answer.  All connections are in one table and none
 * is waited for.  If the table is full, the one that has been idle longest is dropped.
 */
#include "postproc/live/http.h"


#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum stage {
	ASKING,                 /* the request is not complete */
	TAKING,                 /* the answer is being sent */
	ENDING,                 /* all is sent; what the client still sends is dropped */
};

struct client {
	int fd;                 /* -1: none */
	enum stage stage;
	double since;           /* when it was accepted, CLOCK_MONOTONIC, s */
	double moved;           /* when it last took a part of the answer */
	bool said_all;          /* it has closed its side */
	char request[HTTP_REQUEST];
	size_t got;             /* bytes received */
	char head[256];         /* head of the answer; a refusal as a whole */
	struct http_page *page; /* the page that follows; NULL: none */
	size_t sent;            /* bytes of head and page */
};

struct server {
	const struct http *http;
	int fd;
	struct client client[HTTP_CLIENTS];
};

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
http_drop(struct client *c)
{
	if (c->fd >= 0)
		close(c->fd);
	http_page_free(c->page);
	*c = (struct client){ .fd = -1 };
}

/* ---- answers ----------------------------------------------------------------- */

static void
http_refuse(struct client *c, int status)
{
	const char *why = status == 404 ? "Not Found" :
	    status == 405 ? "Method Not Allowed" : status == 421 ?
	    "Misdirected Request" : status == 414 ?
	    "URI Too Long" : status == 431 ? "Request Header Fields Too Large" :
	    status == 503 ? "Service Unavailable" : "Bad Request";

	snprintf(c->head, sizeof(c->head), "HTTP/1.1 %d %s\r\n"
	    "Content-Type: text/plain\r\nContent-Length: %zu\r\n"
	    "Connection: close\r\n%s\r\n%d %s\n", status, why,
	    strlen(why) + 5, status == 405 ? "Allow: GET, HEAD\r\n" : "",
	    status, why);
	c->stage = TAKING;
}

static void
http_answer(const struct server *s, struct client *c,
    const struct http_request *r)
{
	int rc;

	if (!http_host_ours(r->host, c->fd, s->http->host)) {
		http_refuse(c, 421);
		return;
	}
	if ((rc = s->http->page(s->http->of, r, &c->page)) < 0) {
		http_refuse(c, rc == -ENOENT ? 404 : 503);
		return;
	}
	snprintf(c->head, sizeof(c->head), "HTTP/1.1 200 OK\r\n"
	    "Content-Type: %s\r\nContent-Length: %zu\r\n"
	    "Connection: close\r\n\r\n", c->page->type, c->page->size);
	if (!r->get) {
		http_page_free(c->page);
		c->page = NULL;
	}
	c->stage = TAKING;
}

/* ---- a client's side ------------------------------------------------------------ */

/* Reads from a client. */
static void
http_receive(const struct server *s, struct client *c)
{
	struct http_request request;
	char rest[4096];
	bool asking = c->stage == ASKING;
	ssize_t n = recv(c->fd, asking ? c->request + c->got : rest,
	    asking ? sizeof(c->request) - c->got : sizeof(rest), 0);
	int status;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n == 0 && c->stage == TAKING) {
		c->said_all = true;
		return;
	}
	if (n <= 0 || c->got > HTTP_UNREAD) {
		http_drop(c);
		return;
	}
	c->got += (size_t)n;
	if (!asking)
		return;
	status = http_request_parse(c->request, c->got, &request);
	if (status == 200)
		http_answer(s, c, &request);
	else if (status != 0)
		http_refuse(c, status);
}

/* Writes to a client. */
static void
http_send(struct client *c)
{
	size_t head = strlen(c->head), body = c->page != NULL ?
	    c->page->size : 0;
	size_t of_head = c->sent < head ? c->sent : head;
	size_t of_body = c->sent - of_head;
	struct iovec part[] = {
		{ c->head + of_head, head - of_head },
		{ body > 0 ? c->page->text + of_body : NULL, body - of_body },
	};
	const struct msghdr all = { .msg_iov = part, .msg_iovlen = 2 };
	ssize_t n = sendmsg(c->fd, &all, MSG_NOSIGNAL);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0) {
		http_drop(c);
		return;
	}
	c->sent += (size_t)n;
	c->moved = now();
	if (c->sent < head + body)
		return;
	if (c->said_all) {
		http_drop(c);
		return;
	}
	/* to close a socket with unread data could discard the answer (RST) */
	shutdown(c->fd, SHUT_WR);
	c->stage = ENDING;
}

/* ---- all of them ------------------------------------------------------------------ */

/*
 * Accepts a client; if the table is full, it replaces the one that has been
 * idle for the longest time.
 */
static void
http_accept(struct server *s)
{
	struct client *c = &s->client[0];
	int fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0) {
		/* out of descriptors or memory: do not retry at once */
		if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
		    errno == ENOMEM)
			poll(NULL, 0, 50);
		return;
	}
	for (unsigned i = 0; i < HTTP_CLIENTS && c->fd >= 0; i++)
		if (s->client[i].fd < 0 || s->client[i].moved < c->moved)
			c = &s->client[i];
	http_drop(c);
	c->fd = fd;
	c->since = c->moved = now();
}

static void
serve_clients(struct server *s, const struct pollfd *p)
{
	for (unsigned i = 0; i < HTTP_CLIENTS; i++) {
		struct client *c = &s->client[i];

		if (c->fd < 0)
			continue;
		if (!c->said_all && (p[i].revents & (POLLIN | POLLHUP |
		    POLLERR)) != 0)
			http_receive(s, c);
		if (c->fd >= 0 && c->stage == TAKING)
			http_send(c);
		if (c->fd >= 0 && now() - c->since > HTTP_PATIENCE)
			http_drop(c);
	}
}

static int
http_serve_clients(struct server *s, int signals)
{
	struct pollfd p[HTTP_CLIENTS + 2];
	struct signalfd_siginfo end;
	bool any;
	int n, wait = s->http->idle != NULL ? s->http->idle(s->http->of) : -1;

	for (;;) {
		any = false;
		for (unsigned i = 0; i < HTTP_CLIENTS; i++) {
			const struct client *c = &s->client[i];

			p[i] = (struct pollfd){ .fd = c->fd };
			p[i].events = (short)((c->said_all ? 0 : POLLIN) |
			    (c->stage == TAKING ? POLLOUT : 0));
			any |= c->fd >= 0;
		}
		p[HTTP_CLIENTS] = (struct pollfd){ s->fd, POLLIN, 0 };
		p[HTTP_CLIENTS + 1] = (struct pollfd){ signals, POLLIN, 0 };
		n = poll(p, HTTP_CLIENTS + 2, any && (wait < 0 || wait > 1000) ?
		    1000 : wait);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0 && s->http->idle != NULL)
			wait = s->http->idle(s->http->of);
		if (p[HTTP_CLIENTS + 1].revents != 0 &&
		    read(signals, &end, sizeof(end)) == sizeof(end))
			return 0;
		serve_clients(s, p);
		if (p[HTTP_CLIENTS].revents != 0)
			http_accept(s);
	}
}

int
http_serve(int fd, const struct http *http)
{
	struct server *s = calloc(1, sizeof(*s));
	sigset_t ends, before;
	int signals, rc;

	if (s == NULL)
		return -ENOMEM;
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigprocmask(SIG_BLOCK, &ends, &before);
	signals = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
	*s = (struct server){ .http = http, .fd = fd };
	for (unsigned i = 0; i < HTTP_CLIENTS; i++)
		s->client[i].fd = -1;
	rc = signals < 0 ? -errno : http_serve_clients(s, signals);
	for (unsigned i = 0; i < HTTP_CLIENTS; i++)
		http_drop(&s->client[i]);
	free(s);
	if (signals >= 0)
		close(signals);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}
