/*
 * tests/tools/memory_shim.c - preloaded into tallyd: the Nth allocation of it and of
 * all that it forks finds no memory, those that libc makes for it included; but
 * not those of getpwnam, where libc itself crashes (nss_database.c asserts).
 *
 *   STAND_IN_MEMORY=FILE   8 bytes, which of them fails (0: none), and 8 more,
 *                          how many there were so far
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct { uint64_t fails, calls; } *count;
static int in_libc;

__attribute__((constructor)) static void
find_count(void)
{
	const char *path = getenv("STAND_IN_MEMORY");
	int fd = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *p;

	if (fd < 0)
		return;
	p = mmap(NULL, sizeof(*count), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
	    0);
	close(fd);
	count = p != MAP_FAILED ? p : NULL;
}

static int
none_left(void)
{
	if (count == NULL || in_libc || __atomic_add_fetch(&count->calls, 1,
	    __ATOMIC_RELAXED) != count->fails)
		return 0;
	errno = ENOMEM;
	return 1;
}

/* The real ones, found at the first call; dlsym needs no memory for that. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

void *
malloc(size_t size)
{
	static void *(*real)(size_t);

	if (real == NULL)
		real = REAL(malloc);
	return none_left() ? NULL : real(size);
}

void *
calloc(size_t n, size_t size)
{
	static void *(*real)(size_t, size_t);

	if (real == NULL)
		real = REAL(calloc);
	return none_left() ? NULL : real(n, size);
}

void *
realloc(void *p, size_t size)
{
	static void *(*real)(void *, size_t);

	if (real == NULL)
		real = REAL(realloc);
	return none_left() ? NULL : real(p, size);
}

struct passwd *
getpwnam(const char *name)
{
	static struct passwd *(*real)(const char *);
	struct passwd *pw;

	if (real == NULL)
		real = REAL(getpwnam);
	in_libc++;
	pw = real(name);
	in_libc--;
	return pw;
}
