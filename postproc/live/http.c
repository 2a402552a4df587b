/*
 * postproc/live/http.c - one page over HTTP.
 *
 * A connection has one request and one answer.  All of them are in one table,
 * nobody is waited for, and where it is full the one that has been there
 * longest makes room.
 */
#include "postproc/live/http.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct client {
	int fd;                 /* -1: none */
	double since;           /* CLOCK_MONOTONIC, s */
	char head[HTTP_REQUEST];
	size_t got;
	char *answer;           /* NULL: the request is not there yet */
	size_t size, sent;
	bool ending;            /* all is sent: what it still says is dropped */
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
drop(struct client *c)
{
	if (c->fd >= 0)
		close(c->fd);
	free(c->answer);
	*c = (struct client){ .fd = -1 };
}

static void
answer(struct client *c, const char *status, const struct http_page *page,
    bool body)
{
	size_t size;
	FILE *f = open_memstream(&c->answer, &size);

	if (f == NULL)
		return;
	fprintf(f, "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
	    "Connection: close\r\n%s\r\n", status, page->type, page->size,
	    strncmp(status, "405", 3) == 0 ? "Allow: GET, HEAD\r\n" : "");
	if (body)
		fwrite(page->text, 1, page->size, f);
	if (fclose(f) != 0) {
		free(c->answer);
		c->answer = NULL;
	}
	c->size = size;
}

static void
refuse(struct client *c, const char *status)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "%s\n", status);

	answer(c, status, &(struct http_page){ .text = text,
	    .size = (size_t)n, .type = "text/plain" }, true);
}

/* The value of a header, in a buffer; "": there is none. */
static const char *
header(const char *head, const char *name, char *buf, size_t size)
{
	size_t n = strlen(name), len;

	buf[0] = '\0';
	while ((head = strchr(head, '\n')) != NULL) {
		head++;
		if (strncasecmp(head, name, n) != 0 || head[n] != ':')
			continue;
		head += n + 1 + strspn(head + n + 1, " \t");
		len = strcspn(head, "\r\n");
		snprintf(buf, size, "%.*s", (int)(len < size ? len : size - 1),
		    head);
		break;
	}
	return buf;
}

/* The head of a request is whole. */
static void
take_request(const struct server *s, struct client *c)
{
	char method[16], path[256], version[16], accept[512];
	struct http_page page = { .text = NULL };
	bool get;

	if (strlen(c->head) != c->got || sscanf(c->head, "%15s %255s %15s",
	    method, path, version) != 3 || strncmp(version, "HTTP/1.", 7) != 0) {
		refuse(c, "400 Bad Request");
		return;
	}
	get = strcmp(method, "GET") == 0;
	if (!get && strcmp(method, "HEAD") != 0) {
		refuse(c, "405 Method Not Allowed");
		return;
	}
	path[strcspn(path, "?")] = '\0';
	header(c->head, "Accept", accept, sizeof(accept));
	if (s->http->page(s->http->of, path, accept, &page))
		answer(c, "200 OK", &page, get);
	else
		refuse(c, "404 Not Found");
	free(page.text);
}

/* Something to read. */
static void
hear(const struct server *s, struct client *c)
{
	char rest[512];
	ssize_t n = c->answer != NULL ? recv(c->fd, rest, sizeof(rest), 0) :
	    recv(c->fd, c->head + c->got, sizeof(c->head) - 1 - c->got, 0);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		drop(c);
		return;
	}
	if (c->answer != NULL)
		return;
	c->got += (size_t)n;
	c->head[c->got] = '\0';
	if (strstr(c->head, "\r\n\r\n") != NULL ||
	    strstr(c->head, "\n\n") != NULL ||
	    strlen(c->head) != c->got)
		take_request(s, c);
	else if (c->got == sizeof(c->head) - 1)
		refuse(c, "431 Request Header Fields Too Large");
	else
		return;
	if (c->answer == NULL)          /* no memory for one */
		drop(c);
}

/* Room to write. */
static void
speak(struct client *c)
{
	ssize_t n = send(c->fd, c->answer + c->sent, c->size - c->sent,
	    MSG_NOSIGNAL);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0) {
		drop(c);
		return;
	}
	c->sent += (size_t)n;
	if (c->sent < c->size)
		return;
	/* a close with something unread would take the answer back */
	shutdown(c->fd, SHUT_WR);
	c->ending = true;
}

static void
welcome(struct server *s)
{
	struct client *c = &s->client[0];
	int fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	for (unsigned i = 0; i < HTTP_CLIENTS && c->fd >= 0; i++)
		if (s->client[i].fd < 0 || s->client[i].since < c->since)
			c = &s->client[i];
	drop(c);
	c->fd = fd;
	c->since = now();
}

static void
serve_clients(struct server *s, const struct pollfd *p)
{
	for (unsigned i = 0; i < HTTP_CLIENTS; i++) {
		struct client *c = &s->client[i];

		if (c->fd < 0)
			continue;
		if (p[i].revents & (POLLIN | POLLHUP | POLLERR))
			hear(s, c);
		if (c->fd >= 0 && c->answer != NULL && !c->ending)
			speak(c);
		if (c->fd >= 0 && now() - c->since > HTTP_PATIENCE)
			drop(c);
	}
}

static int
serve(struct server *s, int signals)
{
	struct pollfd p[HTTP_CLIENTS + 2];
	struct signalfd_siginfo end;
	bool any;

	for (;;) {
		any = false;
		for (unsigned i = 0; i < HTTP_CLIENTS; i++) {
			const struct client *c = &s->client[i];

			p[i] = (struct pollfd){ .fd = c->fd, .events =
			    c->answer != NULL && !c->ending ? POLLIN | POLLOUT :
			    POLLIN };
			any |= c->fd >= 0;
		}
		p[HTTP_CLIENTS] = (struct pollfd){ s->fd, POLLIN, 0 };
		p[HTTP_CLIENTS + 1] = (struct pollfd){ signals, POLLIN, 0 };
		if (poll(p, HTTP_CLIENTS + 2, any ? 1000 : -1) < 0 &&
		    errno != EINTR)
			return -errno;
		if (p[HTTP_CLIENTS + 1].revents != 0 &&
		    read(signals, &end, sizeof(end)) == sizeof(end))
			return 0;
		serve_clients(s, p);
		if (p[HTTP_CLIENTS].revents != 0)
			welcome(s);
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
	rc = signals < 0 ? -errno : serve(s, signals);
	for (unsigned i = 0; i < HTTP_CLIENTS; i++)
		drop(&s->client[i]);
	free(s);
	if (signals >= 0)
		close(signals);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}
