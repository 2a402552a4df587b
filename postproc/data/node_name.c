/*
 * postproc/data/node_name.c - what the node of a dump is called.
 */
#include "postproc/data/node_name.h"

#include <stdio.h>
#include <string.h>

#include "lib/printable.h"

void
node_name(char name[NODE_NAME], const struct reader *r)
{
	const char *path = read_path(r), *base = strrchr(path, '/');
	const char *host = head_text(r, HEAD_HOST, ALONE, base != NULL ?
	    base + 1 : path);
	size_t len = strcspn(host, ".");

	snprintf(name, NODE_NAME, "%.*s", (int)(len > NODE_NAME - 1 ?
	    NODE_NAME - 1 : len), host);
	printable(name);
}
