/*
 * tests/postproc/live/test_line_sender.c - lines sent to a monitoring system
 * over TCP, UDP and a Unix socket, also while nothing listens there.
 */
#include "tests/lib/rig.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postproc/live/sockets.h"

/* A socket that listens on a free port of this node, and its address as text. */
static int
listener(int type, in_port_t port, char *where, size_t size)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = port,
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0), one = 1;

	assert_true(fd >= 0);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	if (type == SOCK_STREAM)
		assert_int_equal(listen(fd, 4), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &len), 0);
	snprintf(where, size, "%s127.0.0.1:%u", type == SOCK_DGRAM ? "udp:" : "",
	    ntohs(a.sin_port));
	return fd;
}

static in_port_t
port_of(const char *where)
{
	return htons((in_port_t)atoi(strrchr(where, ':') + 1));
}

/* What comes over a connection, or in a datagram. */
static void
assert_comes(int fd, const char *text)
{
	char buf[8192];
	size_t n = 0, want = strlen(text);

	while (n < want) {
		ssize_t got = recv(fd, buf + n, want - n, 0);

		assert_true(got > 0);
		n += (size_t)got;
	}
	assert_memory_equal(buf, text, want);
}

static void
what_is_no_address_is_refused(void **state)
{
	static const char *const wrong[] = { "", "localhost:x", "tcp:1", "host:1",
		"1.2.3:1", "[::1]", "udp:", "udp:host:2", "127.0.0.1:65536" };
	struct line_sender s;
	struct diag why;
	char path[200] = "/";

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(line_sender_init(&s, wrong[i], &why), -EINVAL);
		assert_non_null(strstr(why.text, "expected ADDRESS:PORT"));
	}
	memset(path + 1, 'p', sizeof(path) - 2);
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(line_sender_init(&s, path, &why), -EINVAL);
	assert_int_equal(line_sender_init(&s, "[::1]:8094", &why), 0);
	assert_int_equal(line_sender_init(&s, "8094", &why), 0);
}

/* Nobody is there, somebody is, who goes, and somebody else comes. */
static void
a_listener_that_comes_and_goes_gets_whole_calls(void **state)
{
	struct line_sender s;
	struct diag why;
	char where[64];
	int fd = listener(SOCK_STREAM, 0, where, sizeof(where)), one;

	(void)state;
	close(fd);
	assert_int_equal(line_sender_init(&s, where, &why), 0);
	assert_int_equal(line_sender_send(&s, "a\n", 2), -ECONNREFUSED);
	assert_int_equal(line_sender_send(&s, "b\n", 2), -ECONNREFUSED);
	assert_int_equal(s.dropped, 2);

	fd = listener(SOCK_STREAM, port_of(where), where, sizeof(where));
	assert_int_equal(line_sender_send(&s, "c\nd\n", 4), 0);
	assert_int_equal(s.dropped, 0);
	one = accept(fd, NULL, NULL);
	assert_comes(one, "c\nd\n");

	close(one);
	while (recv(s.fd, &(char){ 0 }, 1, MSG_PEEK) > 0)
		;
	assert_int_equal(line_sender_send(&s, "e\n", 2), 0);
	one = accept(fd, NULL, NULL);
	assert_comes(one, "e\n");
	close(one);
	close(fd);
	line_sender_fini(&s);
}

/* Each datagram is of whole lines, and all lines come. */
static void
datagrams_end_where_a_line_does(void **state)
{
	char lines[5000], got[2000], where[64], *at = lines;
	struct line_sender s;
	struct diag why;
	int fd = listener(SOCK_DGRAM, 0, where, sizeof(where));
	size_t all = 0, n;

	(void)state;
	for (unsigned i = 0; i < 100; i++)
		at += sprintf(at, "tallyd_x,host=n value=%u %0*u\n", i, i % 20, i);
	assert_int_equal(line_sender_init(&s, where, &why), 0);
	assert_int_equal(line_sender_send(&s, lines, (size_t)(at - lines)), 0);
	for (n = (size_t)(at - lines); all < n;) {
		ssize_t part = recv(fd, got, sizeof(got), 0);

		assert_true(part > 0 && part <= 1452);
		assert_memory_equal(got, lines + all, (size_t)part);
		assert_int_equal(got[part - 1], '\n');
		all += (size_t)part;
	}
	close(fd);
	line_sender_fini(&s);
}

static void
a_unix_socket_takes_them_too(void **state)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), one;
	struct line_sender s;
	struct diag why;

	(void)state;
	snprintf(a.sun_path, sizeof(a.sun_path), "%s/lines", test_dir);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(fd, 1), 0);
	assert_int_equal(line_sender_init(&s, a.sun_path, &why), 0);
	assert_int_equal(line_sender_send(&s, "x\n", 2), 0);
	one = accept(fd, NULL, NULL);
	assert_comes(one, "x\n");
	close(one);
	close(fd);
	line_sender_fini(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_address_is_refused),
		cmocka_unit_test(a_listener_that_comes_and_goes_gets_whole_calls),
		cmocka_unit_test(datagrams_end_where_a_line_does),
		cmocka_unit_test(a_unix_socket_takes_them_too),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
