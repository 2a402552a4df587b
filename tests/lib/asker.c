/*
 * tests/lib/asker.c - asking a daemon by its control socket, word for word.
 */
#include "tests/lib/asker.h"

#include "tests/lib/stand_in.h"
#include "tests/lib/rig.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int
try_connect(const char *path)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0 && strlen(path) < sizeof(at.sun_path));
	strcpy(at.sun_path, path);
	if (connect(fd, (struct sockaddr *)&at, sizeof(at)) == 0)
		return fd;
	close(fd);
	return -1;
}

int
asker_connect(const char *dir)
{
	char path[512];
	int fd;

	in_dir(dir, "run/tallyd/tallyd.socket", path);
	wait_until((fd = try_connect(path)) >= 0);
	return fd;
}

const char *
asker_says(int fd, char *said, size_t size)
{
	size_t used = 0;
	ssize_t n;

	while (used < size - 1 && (n = recv(fd, said + used, size - 1 - used,
	    0)) > 0)
		used += (size_t)n;
	said[used] = '\0';
	return said;
}

const char *
asker_bytes(const char *dir, const char *bytes, size_t n, char *said,
    size_t size)
{
	int fd = asker_connect(dir);

	assert_int_equal(send(fd, bytes, n, MSG_NOSIGNAL), n);
	asker_says(fd, said, size);
	close(fd);
	return said;
}

void
asker_tries(const char *dir, const char *line)
{
	char said[1024];
	int fd = asker_connect(dir);

	if (send(fd, line, strlen(line), MSG_NOSIGNAL) > 0)
		asker_says(fd, said, sizeof(said));
	close(fd);
}

void
asker_ok(const char *dir, const char *line)
{
	char said[4096];

	assert_string_equal(asker_bytes(dir, line, strlen(line), said,
	    sizeof(said)), "ok\n");
}
