/*
 * postproc/live/http_host.c - is a request meant for us?
 *
 * A page of somebody else's in a browser of this node or of its network can have
 * a name of its own lead to our address (DNS rebinding), and would then read what
 * we answer; what it cannot change is the Host that the browser sends.
 */
#include "postproc/live/http.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

/* "NAME:9797", "1.2.3.4", "[::1]:9797": what stands before the port, without
 * brackets and the dot that ends a whole name. */
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

/* Is it the address at which this connection has reached us? */
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
	/* of a socket for both, as ::ffff:1.2.3.4 */
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

	/* no browser reaches a socket of ours that has a path, or names no host */
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
