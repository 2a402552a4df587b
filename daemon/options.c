/*
 * daemon/options.c - the command line of tallyd.
 */
#include "daemon/options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char options_usage[] =
"usage: tallyd [options]   sample this node's counters until SIGCONT, then dump\n"
"  -i, --interval SEC    between samples, 0.001 to 3600 (1);  -n, --samples N (10000)\n"
"  -c, --config FILE     what to count, repeatable (default-MODEL.conf)\n"
"      --inputs DIR | --event-list FILE     the original's inputs; Intel's events\n"
"  -o, --output FILE     the dump (HOST.perfcounts.lua)\n"
"  -b, --background      return once the first sample is in;  --pidfile FILE\n"
"      --check           what this node has, what is in the way; writes nothing\n"
"      --dry-run         every register to write and to read; writes nothing\n"
"      --list boxes|events|columns|registers|models      --model NAME\n"
"      --force           take counters that somebody else seems to use\n"
"      --restore         put back what a tallyd that was killed left changed\n"
"      --access auto|raw|perf      registers, or counting by the kernel (auto)\n"
"      --read auto|visit|batch|remote       --cpu N      --max-overhead PERCENT\n"
"      --watch N         look every N samples who writes our controls (60)\n"
"      --reassert        and write ours back;  --rotate N  samples a set's turn\n"
"      --store FILE, --share, --journal FILE, --user NAME | --keep-root\n"
"      --measure-dram-bandwidth    before sampling: what DRAM can do at most\n"
"      --site FILE | --soc-preprogrammed    Atom C2000: who set the SoC muxes\n"
"      --sim FILE | --replay DUMP  a simulated or recorded machine\n"
"      --virtual-time    do not wait for it;  --root DIR  for /dev, /sys, /proc\n"
"  -v, --verbose, -q, --quiet, -h, --help, --version    man 8 tallyd says more\n"
"signals: CONT TERM INT HUP: last sample, restore, dump, exit; USR1 dump; USR2 mark\n";

enum {
	OPT_INPUTS = 256, OPT_ACCESS, OPT_EVENT_LIST, OPT_PIDFILE, OPT_STORE, OPT_CHECK,
	OPT_DRY_RUN, OPT_LIST, OPT_MODEL, OPT_FORCE, OPT_SIM, OPT_REPLAY,
	OPT_VIRTUAL, OPT_ROOT, OPT_HELP, OPT_VERSION, OPT_READ, OPT_CPU,
	OPT_MAX_OVERHEAD, OPT_WATCH, OPT_REASSERT, OPT_USER, OPT_JOURNAL,
	OPT_RESTORE, OPT_SHARE, OPT_ROTATE, OPT_SITE, OPT_SOC, OPT_DRAM,
	OPT_KEEP_ROOT
};

static const struct option longs[] = {
	{ "interval", required_argument, NULL, 'i' },
	{ "samples", required_argument, NULL, 'n' },
	{ "config", required_argument, NULL, 'c' },
	{ "inputs", required_argument, NULL, OPT_INPUTS },
	{ "event-list", required_argument, NULL, OPT_EVENT_LIST },
	{ "output", required_argument, NULL, 'o' },
	{ "background", no_argument, NULL, 'b' },
	{ "pidfile", required_argument, NULL, OPT_PIDFILE },
	{ "store", required_argument, NULL, OPT_STORE },
	{ "site", required_argument, NULL, OPT_SITE },
	{ "soc-preprogrammed", no_argument, NULL, OPT_SOC },
	{ "measure-dram-bandwidth", no_argument, NULL, OPT_DRAM },
	{ "share", no_argument, NULL, OPT_SHARE },
	{ "access", required_argument, NULL, OPT_ACCESS },
	{ "read", required_argument, NULL, OPT_READ },
	{ "rotate", required_argument, NULL, OPT_ROTATE },
	{ "cpu", required_argument, NULL, OPT_CPU },
	{ "max-overhead", required_argument, NULL, OPT_MAX_OVERHEAD },
	{ "watch", required_argument, NULL, OPT_WATCH },
	{ "reassert", no_argument, NULL, OPT_REASSERT },
	{ "user", required_argument, NULL, OPT_USER },
	{ "keep-root", no_argument, NULL, OPT_KEEP_ROOT },
	{ "journal", required_argument, NULL, OPT_JOURNAL },
	{ "restore", no_argument, NULL, OPT_RESTORE },
	{ "check", no_argument, NULL, OPT_CHECK },
	{ "dry-run", no_argument, NULL, OPT_DRY_RUN },
	{ "list", required_argument, NULL, OPT_LIST },
	{ "model", required_argument, NULL, OPT_MODEL },
	{ "force", no_argument, NULL, OPT_FORCE },
	{ "sim", required_argument, NULL, OPT_SIM },
	{ "replay", required_argument, NULL, OPT_REPLAY },
	{ "virtual-time", no_argument, NULL, OPT_VIRTUAL },
	{ "root", required_argument, NULL, OPT_ROOT },
	{ "verbose", no_argument, NULL, 'v' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 }
};

static int
parse_interval(struct options *o, const char *s, struct diag *why)
{
	char *end;

	o->interval = strtod(s, &end);
	if (end == s || *end != '\0' || !(o->interval >= 0.001) ||
	    o->interval > 3600)
		return diag_set(why, -EINVAL, "--interval %s: give seconds, "
		    "0.001 to 3600", s);
	o->interval_ns = (uint64_t)llround(o->interval * 1e9);
	return 0;
}

static int
parse_samples(struct options *o, const char *s, struct diag *why)
{
	char *end;

	errno = 0;
	o->samples = strtoull(s, &end, 10);
	if (end == s || *end != '\0' || *s == '-' || errno != 0 ||
	    o->samples == 0 || o->samples > 1000000000)
		return diag_set(why, -EINVAL, "--samples %s: give a number, 1 "
		    "to 1000000000", s);
	return 0;
}

/* A whole number in [min, max] into *value. */
static int
parse_number(const char *option, const char *s, unsigned min, unsigned max,
    unsigned *value, struct diag *why)
{
	char *end;
	unsigned long v;

	errno = 0;
	v = strtoul(s, &end, 10);
	if (end == s || *end != '\0' || *s == '-' || errno != 0 || v < min ||
	    v > max)
		return diag_set(why, -EINVAL, "%s %s: give a number, %u to %u",
		    option, s, min, max);
	*value = (unsigned)v;
	return 0;
}

static int
parse_access(struct options *o, const char *s, struct diag *why)
{
	static const char *const how[] = { "auto", "raw", "perf" };

	for (unsigned i = 0; i < 3; i++)
		if (strcmp(s, how[i]) == 0) {
			o->access = (enum access_mode)i;
			return 0;
		}
	return diag_set(why, -EINVAL, "--access %s: choose auto, raw or perf",
	    s);
}

static const char *const read_modes[READ_MODES] = {
	"auto", "batch", "visit", "remote"
};

const char *
read_mode_name(enum read_mode mode)
{
	return read_modes[mode];
}

static int
parse_read(struct options *o, const char *s, struct diag *why)
{
	for (unsigned m = 0; m < READ_MODES; m++)
		if (strcmp(s, read_modes[m]) == 0) {
			o->read = (enum read_mode)m;
			return 0;
		}
	return diag_set(why, -EINVAL, "--read %s: choose auto, batch, visit or "
	    "remote", s);
}

static int
parse_overhead(struct options *o, const char *s, struct diag *why)
{
	char *end;

	o->max_overhead = strtod(s, &end);
	if (end == s || *end != '\0' || !(o->max_overhead > 0) ||
	    o->max_overhead > 100)
		return diag_set(why, -EINVAL, "--max-overhead %s: give percent "
		    "of one CPU, above 0 to 100", s);
	return 0;
}

static int
add_file(const char **list, unsigned *n, const char *file, const char *option,
    struct diag *why)
{
	if (*n == MAX_FILES)
		return diag_set(why, -EINVAL, "%s: at most %d files", option,
		    MAX_FILES);
	list[(*n)++] = file;
	return 0;
}

/* Options that make no sense together. */
static int
consistent(const struct options *o, struct diag *why)
{
	static const char *const lists[] = { "boxes", "events", "columns",
	    "registers", "models", NULL };
	const char *const *l = lists;

	if (o->sim != NULL && o->replay != NULL)
		return diag_set(why, -EINVAL, "--sim and --replay: choose one "
		    "machine");
	if (o->virtual_time && o->sim == NULL && o->replay == NULL)
		return diag_set(why, -EINVAL, "--virtual-time goes with --sim "
		    "or --replay; a real node's time cannot be hurried");
	if (o->inputs != NULL && o->nconfig > 0)
		return diag_set(why, -EINVAL, "--inputs and --config: choose "
		    "one description of what to count");
	if (o->keep_root && o->user != NULL)
		return diag_set(why, -EINVAL, "--user and --keep-root: choose "
		    "who the daemon becomes");
	if (o->model != NULL && o->list == NULL)
		return diag_set(why, -EINVAL, "--model goes with --list");
	if (o->list == NULL)
		return 0;
	while (*l != NULL && strcmp(*l, o->list) != 0)
		l++;
	return *l != NULL ? 0 : diag_set(why, -EINVAL, "--list %s: choose "
	    "boxes, events, columns, registers or models", o->list);
}

int
options_parse(struct options *o, int argc, char **argv, struct diag *why)
{
	unsigned n = 0;
	int c, rc = 0;

	memset(o, 0, sizeof(*o));
	parse_interval(o, "1", NULL);
	o->samples = 10000;
	o->root = "/";
	o->cpu = -1;
	o->watch = 60;
	optind = 1;
	opterr = 0;
	while (rc == 0 &&
	    (c = getopt_long(argc, argv, ":i:n:c:o:bvqh", longs, NULL)) != -1)
		switch (c) {
		case 'i': rc = parse_interval(o, optarg, why); break;
		case 'n': rc = parse_samples(o, optarg, why); break;
		case 'c':
			rc = add_file(o->config, &o->nconfig, optarg,
			    "--config", why);
			break;
		case OPT_EVENT_LIST:
			rc = add_file(o->event_list, &o->nevent_list, optarg,
			    "--event-list", why);
			break;
		case OPT_INPUTS: o->inputs = optarg; break;
		case 'o':
			if (strcmp(optarg, "-") == 0)
				rc = diag_set(why, -EINVAL, "-o -: the dump is "
				    "written at the end, to a file: give its "
				    "name; `tally dump STORE` writes to "
				    "standard output");
			o->output = optarg;
			break;
		case 'b': o->background = true; break;
		case OPT_PIDFILE: o->pidfile = optarg; break;
		case OPT_STORE: o->store = optarg; break;
		case OPT_SITE: o->site = optarg; break;
		case OPT_SOC: o->soc_preprogrammed = true; break;
		case OPT_DRAM: o->measure_dram = true; break;
		case OPT_SHARE: o->share = true; break;
		case OPT_ACCESS: rc = parse_access(o, optarg, why); break;
		case OPT_READ:
			rc = parse_read(o, optarg, why);
			break;
		case OPT_ROTATE:
			rc = parse_number("--rotate", optarg, 1, 1000000,
			    &o->rotate, why);
			break;
		case OPT_CPU:
			rc = parse_number("--cpu", optarg, 0, 8191, &n, why);
			o->cpu = (int)n;
			break;
		case OPT_MAX_OVERHEAD: rc = parse_overhead(o, optarg, why); break;
		case OPT_WATCH:
			rc = parse_number("--watch", optarg, 0, 1000000,
			    &o->watch, why);
			break;
		case OPT_REASSERT: o->reassert = true; break;
		case OPT_USER: o->user = optarg; break;
		case OPT_KEEP_ROOT: o->keep_root = true; break;
		case OPT_JOURNAL: o->journal = optarg; break;
		case OPT_RESTORE: o->restore = true; break;
		case OPT_CHECK: o->check = true; break;
		case OPT_DRY_RUN: o->dry_run = true; break;
		case OPT_LIST: o->list = optarg; break;
		case OPT_MODEL: o->model = optarg; break;
		case OPT_FORCE: o->force = true; break;
		case OPT_SIM: o->sim = optarg; break;
		case OPT_REPLAY: o->replay = optarg; break;
		case OPT_VIRTUAL: o->virtual_time = true; break;
		case OPT_ROOT: o->root = optarg; break;
		case 'v': o->verbose++; break;
		case 'q': o->quiet = true; break;
		case 'h':
		case OPT_HELP: o->help = true; break;
		case OPT_VERSION: o->version = true; break;
		case ':':
			rc = diag_set(why, -EINVAL, "%s needs a value (see "
			    "tallyd --help)", argv[optind - 1]);
			break;
		default:
			rc = diag_set(why, -EINVAL, "%s: no such option (see "
			    "tallyd --help)", argv[optind - 1]);
		}
	if (rc == 0 && optind < argc)
		rc = diag_set(why, -EINVAL, "%s: unexpected word (see tallyd "
		    "--help)", argv[optind]);
	return rc == 0 ? consistent(o, why) : rc;
}
