/*
 * config/packed.c - read files compressed with gzip, bzip2, xz or zstd.
 * Sources of the magic numbers: RFC 1952, 2.3.1; bzip2(1) and its spewG.c; xz's
 * doc/xz-file-format.txt, 2.1.1.1; RFC 8878, 3.1.1.
 */
#include "config/packed.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_THERE 127           /* "command not found", as in shells */

static const struct {
	const char *program, *begin;
	size_t n;
} formats[] = {
	{ "gzip", "\x1f\x8b", 2 },
	{ "bzip2", "BZh", 3 },
	{ "xz", "\xfd" "7zXZ\0", 6 },
	{ "zstd", "\x28\xb5\x2f\xfd", 4 },
};

static const char *
program_of(int fd)
{
	char begin[6];
	ssize_t n = pread(fd, begin, sizeof(begin), 0);

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (n >= (ssize_t)formats[i].n &&
		    memcmp(begin, formats[i].begin, formats[i].n) == 0)
			return formats[i].program;
	return NULL;
}

/* In the child: exec the program.  Does not return. */
static void
become(const char *program, int in, int out)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	signal(SIGPIPE, SIG_DFL);
	if (dup2(in, 0) == 0 && dup2(out, 1) == 1 && null >= 0 &&
	    dup2(null, 2) == 2)
		execlp(program, program, "-dc", (char *)NULL);
	_exit(errno == ENOENT ? NOT_THERE : 1);
}

int
packed_open(struct packed *p, int fd)
{
	int to[2];

	*p = (struct packed){ .program = program_of(fd) };
	if (p->program == NULL)
		return fd;
	if (pipe2(to, O_CLOEXEC) < 0) {
		close(fd);
		p->program = NULL;
		return -errno;
	}
	if ((p->pid = fork()) == 0)
		become(p->program, fd, to[1]);
	close(fd);
	close(to[1]);
	if (p->pid > 0)
		return to[0];
	close(to[0]);
	p->program = NULL;
	return -EAGAIN;
}

int
packed_close(struct packed *p)
{
	int status = 0;

	if (p->pid <= 0)
		return 0;
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	p->pid = 0;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 :
	    WIFEXITED(status) && WEXITSTATUS(status) == NOT_THERE ? -ENOENT :
	    -EIO;
}
