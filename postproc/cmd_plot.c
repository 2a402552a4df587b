/*
 * postproc/cmd_plot.c - tally plot: metrics over time, in a terminal.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "postproc/commands.h"
#include "postproc/live/terminal.h"
#include "postproc/pages/plot.h"

static const char usage[] =
"usage: tally plot -m METRIC [OPTION]... FILE...\n"
"Metrics over time, drawn with characters: of each point in time the least and\n"
"the most of what is there.\n"
"  -m, --metric PATTERN  these metrics (* and ?), several with commas, or given\n"
"                        again; or events, IOMMU0.FIRST_LOOKUPS, irp/CLOCKTICKS\n"
"  -S, --scope SCOPE     lproc, core, box, package, node, several with commas,\n"
"                        or all; default: node\n"
"  -w, --where WHERE     only that one: 1, a package; 0/3, a box of it\n"
"      --every SECONDS   a value so often, not each interval\n"
"      --width N         characters of each drawing; default: the terminal's\n"
"      --height N        lines of each; default: 5\n"
"      --ascii           no braille\n"
METRICS_HELP
TOPOLOGY_HELP
DRAWING_HELP;

struct plot_command {
	struct common common;
	struct plot_ask ask;
};

static const struct view plot_view = { .apart = true };

static int
cmd_plot_one_input(struct out *out, const char *path, void *asked)
{
	struct plot_command *c = asked;
	struct plot p = { .n = 0 };
	struct diag why = { "" };
	int status = EXIT_OK;

	c->ask.in = c->common.in;
	c->ask.in.events = &c->ask.names;
	if (plot_read(&p, path, &c->ask, &why) < 0) {
		status = complain_why(&why);
	} else {
		intervals_complain(p.gather.intervals);
		if (p.n == 0)
			status = EXIT_UNUSABLE;
		else
			plot_draw(&p, &c->ask, out_file(out));
		for (unsigned i = 0; p.n > 0 && i < c->ask.names.n; i++)
			if (metrics_none(&p.metrics, c->ask.names.pattern[i], path,
			    &why) < 0)
				complain_why(&why);
	}
	plot_free(&p);
	return status;
}

static bool
take_size(unsigned *size, const char *name, const char *arg, unsigned most)
{
	char *end;
	unsigned long n = strtoul(arg, &end, 10);

	*size = (unsigned)n;
	if (*arg >= '0' && *arg <= '9' && *end == '\0' && n > 0 && n <= most)
		return true;
	complain("--%s %s: expected a number, 1 to %u", name, arg, most);
	return false;
}

static int
cmd_plot_own_option(void *asked, int o, char *arg)
{
	struct plot_command *c = asked;
	struct diag why;
	char *end, buf[AMOUNT_SECONDS];

	switch (o) {
	case 'm':
		if (patterns_add(&c->ask.names, arg, &why) == 0)
			return 1;
		complain("%s", why.text);
		return -1;
	case 'S':
		return scopes_parse(&c->ask.scopes, arg) ? 1 : -1;
	case 'w':
		c->ask.where = arg;
		return 1;
	case 'E':
		c->ask.every = strtod(arg, &end);
		if (*end == '\0' && c->ask.every > 0 && c->ask.every <= 1e9)
			return 1;
		complain("--every %s: expected seconds%s", arg,
		    amount_seconds(arg, buf));
		return -1;
	case 'W':
		return take_size(&c->ask.width, "width", arg, 1000) ? 1 : -1;
	case 'H':
		return take_size(&c->ask.height, "height", arg, 100) ? 1 : -1;
	case 'a':
		c->ask.utf8 = false;
		return 1;
	default:
		return 0;
	}
}

/* The width of a drawing: that of the terminal, less the numbers beside it. */
static unsigned
usual_width(void)
{
	struct winsize w = { .ws_col = 0 };

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) < 0
	    || w.ws_col == 0)
		w.ws_col = 80;
	return w.ws_col > 32 ? w.ws_col - 12 : 20;
}

int
cmd_plot(int argc, char **argv)
{
	static const struct option longopts[] = {
		{ "metric", required_argument, NULL, 'm' },
		{ "scope", required_argument, NULL, 'S' },
		{ "where", required_argument, NULL, 'w' },
		{ "every", required_argument, NULL, 'E' },
		{ "width", required_argument, NULL, 'W' },
		{ "height", required_argument, NULL, 'H' },
		{ "ascii", no_argument, NULL, 'a' },
		METRICS_LONGOPT, TOPOLOGY_LONGOPT, DRAWING_LONGOPTS
	};
	static const struct command_line line = {
		.name = "plot", .usage = usage, .runs = true,
		.letters = "m:S:w:M:t:" DRAWING_OPTS, .options = longopts,
		.repeat = "mS", .own_option = cmd_plot_own_option,
		    .one = cmd_plot_one_input,
	};
	struct plot_command c = { .ask = { .utf8 = terminal_utf8(),
	    .height = 5, .width = usual_width() } };

	if (!common_parse(&line, argc, argv, &c.common, &c))
		return c.common.status;
	if (c.ask.names.n == 0) {
		common_fini(&c.common);
		return complain("which metric? -m NAME (tally metrics --list FILE "
		    "has them)"), EXIT_USAGE;
	}
	if (c.ask.scopes == 0)
		c.ask.scopes = c.ask.where != NULL ? (1u << SCOPES) - 1 :
		    1u << SCOPE_OF_NODE;
	c.common.status = common_each(&line, &c.common, &plot_view, &c);
	common_fini(&c.common);
	return c.common.status;
}
