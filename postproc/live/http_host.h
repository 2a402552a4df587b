/*
 * postproc/live/http_host.h - is a request meant for us?
 */
#ifndef POSTPROC_LIVE_HTTP_HOST_H
#define POSTPROC_LIVE_HTTP_HOST_H

#include <stdbool.h>

/*
 * http_host_ours - does the Host of a request name us: localhost, the address that
 * its connection came to, the name of the node, or one of those of --host?
 *
 * header  its value; "": it has none, which is ours
 * name    ends with NULL; or NULL
 */
bool http_host_ours(const char *header, int fd, const char *const *name);

#endif
