/*
 * postproc/cmd_export.c - tally export: the samples of a running daemon for
 * monitoring systems.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/suggest.h"
#include "postproc/commands.h"
#include "postproc/live/exporters.h"

static const char usage[] =
"usage: tally export FORMAT [OPTION]... [STORE]\n"
"What a running tallyd samples, for monitoring systems; without STORE that of\n"
"the one that runs.  Needs no right but to read the store.\n"
"  -S, --scope SCOPE     lproc, core, ccx, box, die, numa, package, node,\n"
"                        several with commas, or all; default: package,node\n"
"      --metrics-only    no raw counters\n"
"      --once            what there is now, and no more\n"
"      --every SECONDS   instead of each sample\n"
"  -h, --help\n"
"prometheus:\n"
"      --listen WHERE    PORT or ADDRESS:PORT of this node, or the /PATH of a\n"
"                        socket: serve /metrics there\n"
"      --public          other addresses, too\n"
"      --host NAME       a name by which scrapers call this node; repeatable\n"
"      --textfile DIR    keep DIR/tallyd.prom as it is now, for node_exporter\n"
"collectd:\n"
"      --intel-pmu       counts by the names of collectd's intel_pmu plugin, and\n"
"                        nothing else\n"
"influx:\n"
"      --to WHERE            not to standard output, but to who listens there:\n"
"                        ADDRESS:PORT or the /PATH of a socket; udp:ADDRESS:PORT\n"
"      --clustercockpit  those figures that ClusterCockpit has names for\n";

static const struct exporter *const exporters[] = {
#define EXPORTER_ROW(name) &export_##name,
	EXPORTERS(EXPORTER_ROW)
};
#define NEXPORTERS (sizeof(exporters) / sizeof(exporters[0]))

static void
help(FILE *f)
{
	fputs(usage, f);
	fputs("Formats:\n", f);
	for (size_t i = 0; i < NEXPORTERS; i++)
		fprintf(f, "  %-11s %s\n", exporters[i]->name,
		    exporters[i]->what);
}

/* What the command line asks for. */
struct export_command {
	struct export_ask ask;
	const struct exporter *to;
	bool help;
};

static bool
take_every(const struct command_option *o, void *to, char *arg)
{
	char *end, buf[AMOUNT_SECONDS];
	double *every = to;

	*every = strtod(arg, &end);
	if (*end == '\0' && *every >= 0.01 && *every <= 86400)
		return true;
	complain("--%s %s: expected seconds, 0.01 to 86400%s", o->name, arg,
	    amount_seconds(arg, buf));
	return false;
}

static bool
take_host(const struct command_option *o, void *to, char *name)
{
	const char **host = to;
	unsigned n = 0;

	while (host[n] != NULL)
		n++;
	if (n < EXPORT_HOSTS)
		host[n] = name;
	else
		complain("--%s %s: at most %d names", o->name, name,
		    EXPORT_HOSTS);
	return n < EXPORT_HOSTS;
}

#define INTO(member) offsetof(struct export_ask, member)

static const struct command_option options[] = {
	{ "scope", option_scopes, INTO(x.figures.scopes), true },
	{ "metrics-only", option_flag, INTO(x.no_raw), false },
	{ "once", option_flag, INTO(once), false },
	{ "every", take_every, INTO(every), false },
	{ "listen", option_text, INTO(listen), false },
	{ "public", option_flag, INTO(public), false },
	{ "host", take_host, INTO(host), true },
	{ "textfile", option_text, INTO(textfile), false },
	{ "to", option_text, INTO(to), false },
	{ "clustercockpit", option_flag, INTO(cockpit), false },
	{ "intel-pmu", option_flag, INTO(intel_pmu), false },
	{ "help", option_flag, offsetof(struct export_command, help), false },
	{ 0 }
};

/* Is it an option of this exporter, which not all have? */
static bool
is_option_of(const struct exporter *e, const char *name)
{
	for (unsigned i = 0; e->options[i] != NULL; i++)
		if (strcmp(e->options[i], name) == 0)
			return true;
	return false;
}

static bool
take_none(const struct command_option *o, void *to, char *arg)
{
	const struct export_command *c = to;

	(void)arg;
	complain("tally export %s has no --%s", c->to->name, o->name);
	return false;
}

/* Parses the options.  Returns 0; or, if the command is over, its exit status + 1. */
static int
cmd_export_parse(struct export_command *c, int argc, char **argv)
{
	struct command_option own[sizeof(options) / sizeof(options[0])];
	struct command_line line = { .name = "export", .usage = usage,
	    .own = own };
	struct common common = { .status = EXIT_OK };

	memcpy(own, options, sizeof(options));
	for (struct command_option *o = own; o->name != NULL; o++)
		for (size_t i = 0; c->to != NULL && i < NEXPORTERS; i++)
			if (is_option_of(exporters[i], o->name) &&
			    !is_option_of(c->to, o->name))
				*o = (struct command_option){ o->name,
				    take_none, 0, false };
	if (!common_options(&line, argc, argv, &common, c))
		return common.status + 1;
	if (c->help) {
		help(stdout);
		return EXIT_OK + 1;
	}
	if (argc - optind > 1) {
		complain("one store at a time: %s, or %s?", argv[optind],
		    argv[optind + 1]);
		return EXIT_USAGE + 1;
	}
	c->ask.x.follow.asked = argv[optind];
	return 0;
}

static const struct exporter *
cmd_export_named(const char *name)
{
	char have[200] = "";

	for (size_t i = 0; i < NEXPORTERS; i++) {
		if (name != NULL && strcmp(exporters[i]->name, name) == 0)
			return exporters[i];
		choices_add(have, sizeof(have), exporters[i]->name);
	}
	complain("%s%s%s: usage: tally export FORMAT [OPTION]... [STORE], with "
	    "FORMAT one of %s", name != NULL ? "no format \"" : "which FORMAT",
	    name != NULL ? name : "", name != NULL ? "\"" : "", have);
	return NULL;
}

int
cmd_export(int argc, char **argv)
{
	struct export_command c = { .to = NULL };
	struct export_ask *ask = &c.ask;
	int status = 0;

	exposed_init(&ask->x, NULL, 0);
	/* --help, --options */
	if (argc >= 2 && argv[1][0] == '-')
		status = cmd_export_parse(&c, argc, argv);
	if (status == 0 && (c.to = cmd_export_named(argv[1])) == NULL)
		status = EXIT_USAGE + 1;
	if (status == 0) {
		argv[1] = argv[0];
		status = cmd_export_parse(&c, argc - 1, argv + 1);
	}
	if (status == 0) {
		if (ask->x.figures.scopes == 0)
			ask->x.figures.scopes = 1u << SCOPE_OF_PACKAGE |
			    1u << SCOPE_OF_NODE;
		status = c.to->run(ask) + 1;
	}
	exposed_fini(&ask->x);
	return status - 1;
}
