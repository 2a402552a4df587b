/*
 * daemon/prove/prove_say.c - what there is to be said at the end, each once.
 */
#include "daemon/prove/prove_int.h"

#include <stdarg.h>
#include <string.h>

/* A text kept in a list of `room`, unless it is there already; false: there is no
 * room. */
static bool
prove_say_keep(struct prove *p, char **list, unsigned *n, unsigned room,
    const char *fmt, va_list ap)
{
	char text[1024];

	vsnprintf(text, sizeof(text), fmt, ap);
	for (unsigned i = 0; i < *n; i++)
		if (strcmp(list[i], text) == 0)
			return true;
	if (*n == room || (list[*n] = arena_strndup(p->arena, text,
	    strlen(text))) == NULL)
		return false;
	++*n;
	return true;
}

void
prove_remark(struct prove *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	prove_say_keep(p, p->remark, &p->nremark, sizeof(p->remark) /
	    sizeof(p->remark[0]), fmt, ap);
	va_end(ap);
}

void
prove_finding(struct prove *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (!prove_say_keep(p, p->finding, &p->nfinding, sizeof(p->finding) /
	    sizeof(p->finding[0]), fmt, ap))
		p->nmore++;
	va_end(ap);
}
