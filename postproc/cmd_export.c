/*
 * postproc/cmd_export.c - tally export: the samples of a running daemon for
 * monitoring systems.
 */
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

static const struct option options[] = {
	{ "scope", required_argument, NULL, 'S' },
	{ "metrics-only", no_argument, NULL, 'm' },
	{ "once", no_argument, NULL, '1' },
	{ "every", required_argument, NULL, 'e' },
	{ "listen", required_argument, NULL, 'l' },
	{ "public", no_argument, NULL, 'P' },
	{ "host", required_argument, NULL, 'H' },
	{ "textfile", required_argument, NULL, 'T' },
	{ "to", required_argument, NULL, 't' },
	{ "clustercockpit", no_argument, NULL, 'C' },
	{ "intel-pmu", no_argument, NULL, 'I' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

static void
help(FILE *f)
{
	fputs(usage, f);
	fputs("Formats:\n", f);
	for (size_t i = 0; i < NEXPORTERS; i++)
		fprintf(f, "  %-11s %s\n", exporters[i]->name,
		    exporters[i]->what);
}

static bool
parse_every(struct export_ask *ask, const char *arg)
{
	char *end, buf[AMOUNT_SECONDS];

	ask->every = strtod(arg, &end);
	if (*end == '\0' && ask->every >= 0.01 && ask->every <= 86400)
		return true;
	complain("--every %s: expected seconds, 0.01 to 86400%s", arg,
	    amount_seconds(arg, buf));
	return false;
}

static bool
add_host(struct export_ask *ask, const char *name)
{
	unsigned n = 0;

	while (ask->host[n] != NULL)
		n++;
	if (n < EXPORT_HOSTS)
		ask->host[n] = name;
	else
		complain("--host %s: at most %d names", name, EXPORT_HOSTS);
	return n < EXPORT_HOSTS;
}

/* The flag that an option sets; NULL: the option takes a value. */
static bool *
flag_of(struct export_ask *ask, int c)
{
	switch (c) {
	case 'm':
		return &ask->x.no_raw;
	case '1':
		return &ask->once;
	case 'P':
		return &ask->public;
	case 'C':
		return &ask->cockpit;
	case 'I':
		return &ask->intel_pmu;
	default:
		return NULL;
	}
}

/* Parses the options.  Returns 0; or, if the command is over, its exit status + 1. */
static int
cmd_export_parse(struct export_ask *ask, const struct exporter *e, int argc,
    char **argv)
{
	int c, at = 0;

	while ((c = getopt_long(argc, argv, "S:h", options, &at)) != -1) {
		if (strchr("lPHTCIt", c) != NULL &&
		    strchr(e->options, c) == NULL) {
			complain("tally export %s has no --%s", e->name,
			    options[at].name);
			return EXIT_USAGE + 1;
		}
		if (flag_of(ask, c) != NULL) {
			*flag_of(ask, c) = true;
			continue;
		}
		switch (c) {
		case 'S':
			if (option_scopes(&ask->x.figures.scopes, optarg) > 0)
				break;
			return EXIT_USAGE + 1;
		case 'e':
			if (parse_every(ask, optarg))
				break;
			return EXIT_USAGE + 1;
		case 'l':
			ask->listen = optarg;
			break;
		case 'H':
			if (add_host(ask, optarg))
				break;
			return EXIT_USAGE + 1;
		case 'T':
			ask->textfile = optarg;
			break;
		case 't':
			ask->to = optarg;
			break;
		case 'h':
			help(stdout);
			return EXIT_OK + 1;
		default:
			fprintf(stderr, "%.*s\n", (int)strcspn(usage, "\n"),
			    usage);
			return EXIT_USAGE + 1;
		}
	}
	if (argc - optind > 1) {
		complain("one store at a time: %s, or %s?", argv[optind],
		    argv[optind + 1]);
		return EXIT_USAGE + 1;
	}
	ask->x.follow.asked = argv[optind];
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
	struct export_ask ask = { .once = false };
	const struct exporter *e;
	int status;

	if (options_asked(argc, argv, options))
		return EXIT_OK;
	if (argc >= 2 && (strcmp(argv[1], "--help") == 0 ||
	    strcmp(argv[1], "-h") == 0)) {
		help(stdout);
		return EXIT_OK;
	}
	if ((e = cmd_export_named(argv[1])) == NULL)
		return EXIT_USAGE;
	exposed_init(&ask.x, NULL, 0);
	argv[1] = argv[0];
	status = cmd_export_parse(&ask, e, argc - 1, argv + 1);
	if (status == 0) {
		if (ask.x.figures.scopes == 0)
			ask.x.figures.scopes = 1u << SCOPE_OF_PACKAGE |
			    1u << SCOPE_OF_NODE;
		status = e->run(&ask) + 1;
	}
	exposed_fini(&ask.x);
	return status - 1;
}
