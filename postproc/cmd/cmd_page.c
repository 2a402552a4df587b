/*
 * postproc/cmd/cmd_page.c - tally page: one HTML file about a dump.
 */
#include <errno.h>
#include <stdlib.h>

#include "postproc/cmd/commands.h"
#include "postproc/html/html_page.h"

static const char usage[] =
"usage: tally page [OPTION]... -o FILE.html FILE\n"
"One HTML file: the report's figures, timelines, what tally check finds, the\n"
"head.  It asks nothing of any network; with scripts off, it is still pictures\n"
"and tables.\n"
"      --buckets N       most points of a line; default: 500\n"
MORE_METRICS_HELP
TOPOLOGY_HELP
DRAWING_HELP;

struct page_ask {
	struct common common;
	unsigned buckets;
};

static int
put(struct out *out, void *what)
{
	return html_page_put(what, out_file(out));
}

static const struct view view = { .page = put };

static int
one_input(struct out *out, const char *path, void *asked)
{
	const struct page_ask *ask = asked;
	struct html_page *h = calloc(1, sizeof *h);
	struct diag why = { "" };
	int rc, status = EXIT_OK;

	if (h == NULL)
		return complain("out of memory");
	rc = html_page_read(h, path, &ask->common.in, ask->buckets, &why);
	if (rc < 0)
		status = rc == -ENODATA && why.text[0] == '\0' ?
		    complain("%s: no two samples in that range", path) :
		    complain_why(&why);
	else {
		intervals_complain(h->page.gather.intervals);
		if (view_put(out, &view, h) < 0)
			status = complain("%s: out of memory", path);
	}
	html_page_fini(h);
	free(h);
	return status;
}

static int
own_option(void *asked, int c, char *arg)
{
	struct page_ask *ask = asked;
	char *end;
	long n;

	if (c != 1)
		return 0;
	n = strtol(arg, &end, 10);
	if (end == arg || *end != '\0' || n < 2 || n > 100000) {
		complain("--buckets %s: expected a number from 2 to 100000",
		    arg);
		return -1;
	}
	ask->buckets = (unsigned)n;
	return 1;
}

int
cmd_page(int argc, char **argv)
{
	static const struct option longopts[] = {
		{ "buckets", required_argument, NULL, 1 },
		METRICS_LONGOPT, TOPOLOGY_LONGOPT, DRAWING_LONGOPTS
	};
	static const struct command_line line = {
		.name = "page", .usage = usage, .letters = "M:t:" DRAWING_OPTS,
		.options = longopts, .beside = true, .own_option = own_option,
		.one = one_input,
	};
	struct page_ask ask = { .buckets = TIMELINE_BUCKETS };

	if (!common_parse(&line, argc, argv, &ask.common, &ask))
		return ask.common.status;
	if (ask.common.ninput > 1) {
		complain("a page is about one dump; %d are named",
		    ask.common.ninput);
		return EXIT_USAGE;
	}
	return common_each(&line, &ask.common, &view, &ask);
}
