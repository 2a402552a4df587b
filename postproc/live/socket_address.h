/*
 * postproc/live/socket_address.h - the address of a socket, out of an option.
 * Addresses are numbers: names are not looked up.
 */
#ifndef POSTPROC_LIVE_SOCKET_ADDRESS_H
#define POSTPROC_LIVE_SOCKET_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

union address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr_un un;
};

/* socket_address_parse - "9090" (of this node), "127.0.0.1:9090", "[::1]:9090",
 * or "/path" of a Unix socket; returns the address's size, 0 where it is none. */
socklen_t socket_address_parse(const char *where, union address *);
/* socket_address_is_own - can only this node reach it? */
bool socket_address_is_own(const union address *);

#endif
