/*
 * postproc/live/socket_address.c - the address of a socket, out of an option.
 */
#include "postproc/live/socket_address.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

static bool
socket_address_parse_port(const char *text, in_port_t *port)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	*port = htons((uint16_t)n);
	return text[0] >= '0' && text[0] <= '9' && *end == '\0' && n < 65536;
}

socklen_t
socket_address_parse(const char *where, union address *a)
{
	const char *colon = strrchr(where, ':');
	size_t n = colon != NULL ? (size_t)(colon - where) : 0;
	char host[64] = "127.0.0.1";

	memset(a, 0, sizeof(*a));
	if (where[0] == '/') {
		a->un.sun_family = AF_UNIX;
		if (strlen(where) >= sizeof(a->un.sun_path))
			return 0;
		strcpy(a->un.sun_path, where);
		return sizeof(a->un);
	}
	if (n >= sizeof(host))
		return 0;
	if (n > 0) {
		memcpy(host, where, n);
		host[n] = '\0';
	}
	if (host[0] == '[' && n > 2 && host[n - 1] == ']') {
		host[n - 1] = '\0';
		a->in6.sin6_family = AF_INET6;
		return inet_pton(AF_INET6, host + 1, &a->in6.sin6_addr) == 1 &&
		    socket_address_parse_port(colon + 1, &a->in6.sin6_port) ?
		    sizeof(a->in6) : 0;
	}
	a->in.sin_family = AF_INET;
	return inet_pton(AF_INET, strcmp(host, "localhost") == 0 ?
	    "127.0.0.1" : host, &a->in.sin_addr) == 1 &&
	    socket_address_parse_port(colon != NULL ? colon + 1 : where,
	    &a->in.sin_port) ? sizeof(a->in) : 0;
}

bool
socket_address_is_own(const union address *a)
{
	if (a->any.sa_family == AF_UNIX)
		return true;
	if (a->any.sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&a->in6.sin6_addr);
	return ntohl(a->in.sin_addr.s_addr) >> 24 == 127;
}
