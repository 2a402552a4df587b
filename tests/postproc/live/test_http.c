/*
 * tests/postproc/live/test_http.c - the HTTP server of the exporter: correct
 * answers to correct requests, clean refusals of all others, and no client
 * keeps it busy for ever.
 */
#include "tests/lib/scene.h"
#include "tests/lib/rig.h"

#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "postproc/live/http.h"
#include "postproc/live/sockets.h"

#define BIG 2000000             /* bytes: more than any socket keeps */

static struct http_page *
filled(size_t size)
{
	char *text = malloc(size);

	assert_non_null(text);
	memset(text, 'b', size);
	text[size - 1] = '\n';
	return http_page_new(text, size, "text/plain");
}

/* A small page, one as large as none is, and one that there is no memory for. */
static int
some_page(void *of, const struct http_request *asked, struct http_page **out)
{
	(void)of;
	if (strcmp(asked->path, "/none") == 0)
		return -ENOMEM;
	if (strcmp(asked->path, "/big") == 0)
		*out = filled(BIG);
	else if (strcmp(asked->path, "/metrics") == 0)
		*out = http_page_new(strdup(strstr(asked->accept,
		    "openmetrics") ? "new\n" : "old\n"), 4, "text/plain");
	else
		return -ENOENT;
	return 0;
}

struct served {
	char *dir, path[512];
	pid_t pid;
};

static struct served
serve(void)
{
	struct served s = { .dir = tree_new() };
	struct diag why;
	int fd = http_listen(in_dir(s.dir, "socket", s.path), false, &why);

	if (fd < 0)
		fail_msg("%s", why.text);
	fflush(NULL);
	if ((s.pid = fork()) == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* not _exit: what leaks is told there */
		exit(http_serve(fd, &(struct http){ .page = some_page }) != 0);
	}
	close(fd);
	assert_true(s.pid > 0);
	return s;
}

static void
serve_end(struct served *s)
{
	int status;

	kill(s->pid, SIGTERM);
	waitpid(s->pid, &status, 0);
	assert_int_equal(status, 0);
	unlink(s->path);
	tree_free(s->dir);
}

static int
reach(const struct served *s)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	memcpy(un.sun_path, s->path, strnlen(s->path,
	    sizeof(un.sun_path) - 1));
	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&un, sizeof(un)), 0);
	return fd;
}

/* What comes back: all of it, until the other side is done. */
static void
hear(int fd, char *buf, size_t size)
{
	size_t got = 0;
	ssize_t n;

	while (got < size - 1 && (n = read(fd, buf + got, size - 1 - got)) > 0)
		got += (size_t)n;
	buf[got] = '\0';
	close(fd);
}

/* A client that says something, and then no more. */
static void
ask(const struct served *s, const char *request, size_t n, char *buf,
    size_t size)
{
	int fd = reach(s);

	/* it may be refused before all of it is said */
	(void)!send(fd, request, n, MSG_NOSIGNAL);
	shutdown(fd, SHUT_WR);
	hear(fd, buf, size);
}

#define GOOD "GET /metrics HTTP/1.1\r\nHost: n\r\n\r\n"

/* Whatever others do: */
static void
a_good_client_is_answered(const struct served *s)
{
	char buf[512];

	ask(s, GOOD, strlen(GOOD), buf, sizeof(buf));
	if (strncmp(buf, "HTTP/1.1 200 OK\r\n", 17) != 0 ||
	    strstr(buf, "\r\n\r\nold\n") == NULL)
		fail_msg("a good client had: %s", buf);
}

static void
a_request_gets_its_page_and_nonsense_a_refusal(void **state)
{
	static const struct {
		const char *request, *status, *body;
	} say[] = {
		{ "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "200", "old\n" },
		{ "GET /metrics?x=1 HTTP/1.0\n\n", "200", "old\n" },
		{ "GET /metrics HTTP/1.1\r\naccept:  a/openmetrics-text;q=1\r\n"
		    "\r\n", "200", "new\n" },
		{ "HEAD /metrics HTTP/1.1\r\n\r\n", "200", "\r\n\r\n" },
		{ "GET / HTTP/1.1\r\n\r\n", "404", "404 Not Found\n" },
		{ "POST /metrics HTTP/1.1\r\n\r\nx", "405",
		    "405 Method Not Allowed\n" },
		{ "GET\r\n\r\n", "400", "400 Bad Request\n" },
		{ "GET ?metrics HTTP/1.1\r\n\r\n", "400",
		    "400 Bad Request\n" },
		{ "\r\n\r\n", "400", "400 Bad Request\n" },
		{ "GET /metrics SPDY/3\r\n\r\n", "400", "400 Bad Request\n" },
		{ "\x16\x03\x01\x02", "400", "400 Bad Request\n" },
		{ "GET\n/metrics\nHTTP/1.1\n\n", "400", "400 Bad Request\n" },
		{ "GET /metrics HTTP/1.1\r\nAccept: a\rb\r\n\r\n", "400",
		    "400 Bad Request\n" },
		{ "PRI * HTTP/2.0\r\n\r\n", "400", "400 Bad Request\n" },
		{ "GET /none HTTP/1.1\r\n\r\n", "503",
		    "503 Service Unavailable\n" },
		/* what follows is another request, and none of this one's */
		{ "GET /metrics HTTP/1.1\r\n\r\nGET /metrics HTTP/1.1\r\n"
		    "Accept: openmetrics\r\n\r\n", "200", "\r\n\r\nold\n" },
	};
	struct served s = serve();
	char buf[1024], head[HTTP_REQUEST + 100];

	(void)state;
	for (size_t i = 0; i < sizeof(say) / sizeof(say[0]); i++) {
		ask(&s, say[i].request, strlen(say[i].request), buf,
		    sizeof(buf));
		if (strncmp(buf, "HTTP/1.1 ", 9) != 0 || strncmp(buf + 9,
		    say[i].status, 3) != 0 || strlen(buf) < strlen(say[i].body)
		    || strcmp(buf + strlen(buf) - strlen(say[i].body),
		    say[i].body) != 0)
			fail_msg("%s: %s", say[i].request, buf);
	}
	/* no end of a head; of a path; and a byte that ends a C string */
	memset(head, 'x', sizeof(head));
	ask(&s, head, sizeof(head), buf, sizeof(buf));
	assert_non_null(strstr(buf, "431"));
	memcpy(head, "GET /", 5);
	memcpy(head + 1000, " HTTP/1.1\n\n", 11);
	ask(&s, head, 1011, buf, sizeof(buf));
	assert_non_null(strstr(buf, "414"));
	ask(&s, "GET /\0metrics HTTP/1.1\r\n\r\n", 26, buf, sizeof(buf));
	assert_non_null(strstr(buf, "400"));
	serve_end(&s);
}

/* The answer of a server at 127.0.0.1 to a request with this line in its head. */
static void
ask_there(int port, const char *line, char *buf, size_t size)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port =
	    htons((uint16_t)port), .sin_addr.s_addr = htonl(0x7f000001) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char request[300];
	int n = snprintf(request, sizeof(request), "GET /metrics HTTP/1.1\r\n%s"
	    "\r\n", line);

	assert_int_equal(connect(fd, (struct sockaddr *)&in, sizeof(in)), 0);
	assert_int_equal(send(fd, request, (size_t)n, MSG_NOSIGNAL), n);
	shutdown(fd, SHUT_WR);
	hear(fd, buf, size);
}

/* A name that leads to our address need not be ours. */
static void
a_request_for_another_host_is_refused(void **state)
{
	static const char *const ours[] = { "node17.cluster", "Other", NULL };
	static const struct { const char *line, *status; } say[] = {
		{ "", "200" },
		{ "Host: localhost\r\n", "200" },
		{ "host:LOCALHOST:9797\r\n", "200" },
		{ "Host: 127.0.0.1:9797\r\n", "200" },
		{ "Host: node17.cluster:9797\r\n", "200" },
		{ "Host: NODE17.cluster.\r\n", "200" },
		{ "Host: other\r\n", "200" },
		{ "Host: 127.0.0.2:9797\r\n", "421" },
		{ "Host: [::1]:9797\r\n", "421" },
		{ "Host: attack.example\r\n", "421" },
		{ "Host: attack.example:9797\r\n", "421" },
		{ "Host: localhost.attack.example\r\n", "421" },
		{ "Host: node17.cluster.attack.example\r\n", "421" },
		{ "Host: 127.0.0.1.attack.example\r\n", "421" },
		{ "Host: :9797\r\n", "421" },
		{ "Host: localhost\r\nHost: attack.example\r\n", "400" },
	};
	char where[100], buf[1024], node[64] = "", line[100];
	struct diag why;
	int fd = http_listen("127.0.0.1:0", false, &why), port, status;
	pid_t pid;

	(void)state;
	if (fd < 0)
		fail_msg("%s", why.text);
	assert_int_equal(sscanf(http_address(fd, where, sizeof(where)),
	    "http://127.0.0.1:%d/metrics", &port), 1);
	fflush(NULL);
	if ((pid = fork()) == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		exit(http_serve(fd, &(struct http){ .page = some_page,
		    .host = ours }) != 0);
	}
	close(fd);
	for (size_t i = 0; i < sizeof(say) / sizeof(say[0]); i++) {
		ask_there(port, say[i].line, buf, sizeof(buf));
		if (strncmp(buf, "HTTP/1.1 ", 9) != 0 || strncmp(buf + 9,
		    say[i].status, 3) != 0 ||
		    (strstr(buf, "old\n") != NULL) != (say[i].status[0] == '2'))
			fail_msg("%s: %s", say[i].line, buf);
	}
	gethostname(node, sizeof(node) - 1);
	snprintf(line, sizeof(line), "Host: %s:9797\r\n", node);
	ask_there(port, line, buf, sizeof(buf));
	assert_non_null(strstr(buf, " 200 OK"));
	kill(pid, SIGTERM);
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
}

/* ---- clients that mean no good ------------------------------------------------- */

/* A whole answer, and one that we have; or none. */
static bool
is_clean(const char *buf)
{
	static const char *const all[] = { "200 OK", "400 Bad Request",
	    "404 Not Found", "405 Method Not Allowed", "414 URI Too Long",
	    "431 Request Header Fields Too Large", "503 Service Unavailable" };
	const char *body = strstr(buf, "\r\n\r\n"), *length = strstr(buf,
	    "\r\nContent-Length: ");
	bool known = false;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		known |= strncmp(buf, "HTTP/1.1 ", 9) == 0 && strncmp(buf + 9,
		    all[i], strlen(all[i])) == 0;
	return buf[0] == '\0' || (known && body != NULL && length != NULL &&
	    (body[4] == '\0' ||        /* HEAD */
	    strtoul(length + 18, NULL, 10) == strlen(body + 4)));
}

/* The same ones each time: not by chance. */
static unsigned
next_of(uint64_t *seed, unsigned below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(*seed >> 33) % below;
}

static void
requests_that_were_spoilt_are_refused_cleanly(void **state)
{
	static const char *const good[] = { GOOD,
	    "HEAD /metrics HTTP/1.0\n\n",
	    "GET /metrics?a=b HTTP/1.1\r\nAccept: openmetrics\r\n\r\n" GOOD,
	    "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc" };
	static const char odd[] = "\r\n :?/\t%\x80\xff\0\x7f" "0A";
	struct served s = serve();
	uint64_t seed = 1;
	char request[200], buf[1024];

	(void)state;
	for (unsigned i = 0; i < 3000; i++) {
		const char *from = good[i % 4];
		unsigned n = (unsigned)strlen(from), end;

		memcpy(request, from, n);
		for (unsigned k = next_of(&seed, 4); k > 0; k--)
			request[next_of(&seed, n)] = next_of(&seed, 2) == 0 ?
			    odd[next_of(&seed, sizeof(odd) - 1)] :
			    (char)next_of(&seed, 256);
		end = next_of(&seed, 2) == 0 ? n : next_of(&seed, n + 1);
		ask(&s, request, end, buf, sizeof(buf));
		if (!is_clean(buf))
			fail_msg("spoilt request %u: %s", i, buf);
	}
	a_good_client_is_answered(&s);
	serve_end(&s);
}

static void
a_client_that_says_a_byte_at_a_time_is_answered(void **state)
{
	struct served s = serve();
	char buf[512];
	int fd = reach(&s);

	(void)state;
	for (size_t i = 0; i < strlen(GOOD); i++) {
		assert_int_equal(write(fd, GOOD + i, 1), 1);
		if (i % 8 == 0)
			a_good_client_is_answered(&s);
	}
	hear(fd, buf, sizeof(buf));
	assert_non_null(strstr(buf, "200 OK"));
	serve_end(&s);
}

static void
a_client_that_says_no_more_has_all_of_its_page(void **state)
{
	static const char big[] = "GET /big HTTP/1.1\r\n\r\n";
	struct served s = serve();
	char *buf = malloc(BIG + 500);

	(void)state;
	assert_non_null(buf);
	ask(&s, big, strlen(big), buf, BIG + 500);
	assert_true(is_clean(buf));
	assert_true(strlen(buf) > BIG);
	free(buf);
	serve_end(&s);
}

static void
a_client_that_takes_its_page_late_has_all_of_it(void **state)
{
	static const char big[] = "GET /big HTTP/1.1\r\n\r\n";
	struct served s = serve();
	char *buf = malloc(BIG + 500);
	int fd = reach(&s);

	(void)state;
	assert_non_null(buf);
	assert_int_equal(send(fd, big, strlen(big), MSG_NOSIGNAL),
	    strlen(big));
	/* until the socket is full, and then some */
	for (unsigned i = 0; i < 20; i++)
		a_good_client_is_answered(&s);
	hear(fd, buf, BIG + 500);
	assert_true(is_clean(buf));
	assert_true(strlen(buf) > BIG);
	free(buf);
	serve_end(&s);
}

/* KiB that a process had at most; 0: with a sanitizer's own, nothing to go by. */
static long
memory_of(pid_t pid)
{
	char path[64], line[256];
	long kib = 0;
	FILE *f;

#ifdef __SANITIZE_ADDRESS__
	return 0;
#endif
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	assert_non_null(f = fopen(path, "r"));
	while (fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, "VmHWM:", 6) == 0)
			kib = strtol(line + 6, NULL, 10);
	fclose(f);
	return kib;
}

static void
clients_that_never_read_cost_no_more_than_there_is_room_for(void **state)
{
	static const char big[] = "GET /big HTTP/1.1\r\n\r\n";
	struct served s = serve();
	int held[100] = { 0 };

	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		int *fd = &held[i % 100];

		if (*fd > 0)
			close(*fd);
		*fd = reach(&s);
		assert_true(send(*fd, big, strlen(big), MSG_NOSIGNAL) > 0);
		if (i % 50 == 49)
			a_good_client_is_answered(&s);
	}
	/* 16 clients with a page each, and what a process is */
	assert_true(memory_of(s.pid) < (HTTP_CLIENTS + 1) * (BIG / 1024) +
	    16384);
	for (unsigned i = 0; i < 100; i++)
		close(held[i]);
	serve_end(&s);
}

static void
a_flood_of_those_who_come_and_go_keeps_nobody_out(void **state)
{
	struct served s = serve();
	int fd;

	(void)state;
	for (unsigned i = 0; i < 5000; i++) {
		fd = reach(&s);
		switch (i % 4) {
		case 0:                 /* half a request */
			(void)!send(fd, GOOD, 9, MSG_NOSIGNAL);
			break;
		case 1:                 /* all, and gone before the answer */
			(void)!send(fd, GOOD, strlen(GOOD), MSG_NOSIGNAL);
			break;
		case 2:
			shutdown(fd, SHUT_RD);
			(void)!send(fd, GOOD, strlen(GOOD), MSG_NOSIGNAL);
			break;
		}
		close(fd);
		if (i % 250 == 0)
			a_good_client_is_answered(&s);
	}
	a_good_client_is_answered(&s);
	assert_true(memory_of(s.pid) < 32768);
	serve_end(&s);
}

static void
a_client_that_never_stops_talking_is_cut_off(void **state)
{
	static const char *const first[] = { GOOD, "GET / HTTP/1.1\r\nA: ",
	    "\x16\x03\x01", "" };
	struct served s = serve();
	char more[4096];

	(void)state;
	memset(more, 'a', sizeof(more));
	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		int fd = reach(&s);
		size_t said = 0;

		assert_true(send(fd, first[i], strlen(first[i]),
		    MSG_NOSIGNAL) >= 0);
		while (said < 64 * HTTP_UNREAD && send(fd, more, sizeof(more),
		    MSG_NOSIGNAL) > 0)
			said += sizeof(more);
		/* it, and what a socket takes before somebody reads it */
		assert_true(said < 64 * HTTP_UNREAD);
		close(fd);
	}
	a_good_client_is_answered(&s);
	serve_end(&s);
}

static void
clients_that_say_nothing_make_room_for_one_that_does(void **state)
{
	struct served s = serve();
	int silent[4 * HTTP_CLIENTS];

	(void)state;
	for (size_t i = 0; i < 4 * HTTP_CLIENTS; i++)
		silent[i] = reach(&s);
	a_good_client_is_answered(&s);
	for (size_t i = 0; i < 4 * HTTP_CLIENTS; i++)
		close(silent[i]);
	serve_end(&s);
}

static void
only_the_node_itself_may_ask_unless_that_is_meant(void **state)
{
	static const char *const refused[] = { "0.0.0.0:0", "[::]:0",
	    "192.0.2.1:9", "x", "70000", "1.2.3:4", ":::", "", "[::1]" };
	char *dir = tree_new(), path[512];
	struct diag why;
	int fd;

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (http_listen(refused[i], false, &why) >= 0)
			fail_msg("%s was taken", refused[i]);
	assert_true((fd = http_listen("127.0.0.1:0", false, &why)) >= 0);
	close(fd);
	assert_true((fd = http_listen("0.0.0.0:0", true, &why)) >= 0);
	close(fd);
	/* a socket that was left is taken over; one that lives, and a file that
	 * is none, are not */
	assert_true((fd = http_listen(in_dir(dir, "s", path), false,
	    &why)) >= 0);
	assert_int_equal(http_listen(path, false, &why), -EADDRINUSE);
	close(fd);
	assert_true((fd = http_listen(path, false, &why)) >= 0);
	close(fd);
	unlink(path);
	tree_put(dir, "/s", "x", 1);
	assert_int_equal(http_listen(path, false, &why), -EEXIST);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_gets_its_page_and_nonsense_a_refusal),
		cmocka_unit_test(a_request_for_another_host_is_refused),
		cmocka_unit_test(
		    clients_that_say_nothing_make_room_for_one_that_does),
		cmocka_unit_test(requests_that_were_spoilt_are_refused_cleanly),
		cmocka_unit_test(
		    a_client_that_says_a_byte_at_a_time_is_answered),
		cmocka_unit_test(a_client_that_says_no_more_has_all_of_its_page),
		cmocka_unit_test(
		    a_client_that_takes_its_page_late_has_all_of_it),
		cmocka_unit_test(
		    clients_that_never_read_cost_no_more_than_there_is_room_for),
		cmocka_unit_test(
		    a_flood_of_those_who_come_and_go_keeps_nobody_out),
		cmocka_unit_test(a_client_that_never_stops_talking_is_cut_off),
		cmocka_unit_test(
		    only_the_node_itself_may_ask_unless_that_is_meant),
	};

	return cmocka_run_group_tests_name("http", tests, NULL, NULL);
}
