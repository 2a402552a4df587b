/*
 * postproc/complain.c - what commands of tally say on stderr.
 */
#include "postproc/commands.h"

#include "lib/printable.h"
#include "postproc/formula/metrics.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int
complain(const char *fmt, ...)
{
	char line[8192];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	fprintf(stderr, "tally: %s\n", printable(line));
	return EXIT_UNUSABLE;
}

int
complain_why(const struct diag *why)
{
	return complain("%s", why->text[0] ? why->text : "out of memory");
}

/* Says which formulas of a list cannot be read: the first one, or all of them. */
static void
say_unread(const char *file, bool each)
{
	const struct withheld *first = NULL;
	unsigned n = 0, of;
	struct diag why;
	struct metrics m;

	/* other errors of the list are reported when a dump is read */
	if (metrics_init(&m) == 0 && metrics_load(&m, file, &why) == 0)
		n = metrics_unread(&m, file, &of);
	for (const struct withheld *w = m.withheld; n > 0 && w != NULL;
	    w = w->next) {
		if (w->unread == NULL)
			continue;
		if (each)
			complain("%s: %s", w->name, w->why);
		first = w;
	}
	if (first != NULL && !each)
		complain("%s: %u of %u formulas cannot be read: %s (%s)%s",
		    file, n, of, first->name, first->why + strlen(file) + 1, n > 1 ?
		    ", ...; tally metrics --list names all" : "");
	metrics_fini(&m);
}

bool
lists_given(const struct gather_ask *in, bool each)
{
	if (in->only_lists && in->nmetrics == 0) {
		complain("--only-lists: of no list; name one with --metrics");
		return false;
	}
	for (unsigned i = 0; i < in->nmetrics; i++)
		say_unread(in->metrics[i], each);
	return true;
}
