/*
 * postproc/live/http_page.c - a page, for as long as somebody is sent it.
 */
#include "postproc/live/http.h"

#include <stdlib.h>

struct http_page *
http_page_new(char *text, size_t size, const char *type)
{
	struct http_page *p = malloc(sizeof(*p));

	if (p == NULL) {
		free(text);
		return NULL;
	}
	*p = (struct http_page){ .text = text, .size = size, .type = type,
	    .users = 1 };
	return p;
}

void
http_page_free(struct http_page *p)
{
	if (p == NULL || --p->users > 0)
		return;
	free(p->text);
	free(p);
}
