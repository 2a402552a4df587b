/*
 * postproc/command_options.c - the options of tally's commands, which their usages list.
 */
#include "postproc/commands.h"

#include "config/suggest.h"
#include "postproc/formula/metrics.h"

#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
no_scope(const char *word)
{
	/* names that other programs use */
	static const char *const alike[][2] = {
		{ "socket", "package" }, { "sockets", "package" },
		{ "pkg", "package" }, { "cpu", "lproc" }, { "cpus", "lproc" },
		{ "thread", "lproc" }, { "threads", "lproc" },
		{ "host", "node" }, { "channel", "box" },
	};
	const char *is = NULL;

	for (size_t i = 0; i < sizeof(alike) / sizeof(alike[0]); i++)
		if (strcmp(word, alike[i][0]) == 0)
			is = alike[i][1];
	complain("scope \"%s\": %s%sexpected lproc, core, ccx, box, die, numa, "
	    "package, node or all", word, is != NULL ? is : "", is != NULL ?
	    " is meant here; " : "");
	return false;
}

bool
option_flag(const struct command_option *o, void *to, char *arg)
{
	(void)o, (void)arg;
	*(bool *)to = true;
	return true;
}

bool
option_text(const struct command_option *o, void *to, char *arg)
{
	(void)o;
	*(const char **)to = arg;
	return true;
}

bool
option_scopes(const struct command_option *o, void *to, char *words)
{
	unsigned *scopes = to;

	(void)o;
	while (*words != '\0') {
		size_t n = strcspn(words, ",");
		bool more = words[n] == ',';
		enum scope s;

		words[n] = '\0';
		s = scope_find(words);
		if (s == SCOPES && strcmp(words, "all") != 0)
			return no_scope(words);
		*scopes |= s == SCOPES ? (1u << SCOPES) - 1 : 1u << s;
		words += n + more;
	}
	return true;
}

/* Prints why, unless rc is 0. */
static bool
option_is(int rc, const struct diag *why)
{
	if (rc < 0)
		complain("%s", why->text);
	return rc == 0;
}

bool
option_patterns(const struct command_option *o, void *to, char *arg)
{
	struct diag why;

	(void)o;
	return option_is(patterns_add(to, arg, &why), &why);
}

bool
option_range(const struct command_option *o, void *to, char *arg)
{
	struct diag why;

	(void)o;
	return option_is(select_parse(to, arg, &why), &why);
}

bool
option_seconds(const struct command_option *o, void *to, char *arg)
{
	char *end, buf[AMOUNT_SECONDS];
	double *seconds = to;

	*seconds = strtod(arg, &end);
	if (*end == '\0' && *seconds > 0 && *seconds <= 1e9)
		return true;
	complain("--%s %s: expected seconds%s", o->name, arg,
	    amount_seconds(arg, buf));
	return false;
}

/* Takes --dram-max, given in GB/s. */
static bool
take_dram_max(const struct command_option *o, void *to, char *arg)
{
	double *max = to;
	char *end;

	*max = strtod(arg, &end) * 1e9;
	if (*end == '\0' && *max > 0 && *max < 1e15)
		return true;
	complain("--%s %s: expected GB/s", o->name, arg);
	return false;
}

static bool
take_jobs(const struct command_option *o, void *to, char *arg)
{
	char *end;
	unsigned long n = strtoul(arg, &end, 10);

	*(unsigned *)to = (unsigned)n;
	if (*arg >= '0' && *arg <= '9' && *end == '\0' && n > 0 && n <= 65536)
		return true;
	complain("--%s %s: expected a number of threads", o->name, arg);
	return false;
}

static bool
take_format(const struct command_option *o, void *to, char *arg)
{
	(void)o;
	if ((*(const struct out_format **)to = format_named(arg)) == NULL)
		complain("format \"%s\": expected one of%s", arg,
		    OUT_FORMAT_NAMES);
	return *(const struct out_format **)to != NULL;
}

static bool
take_list(const struct command_option *o, void *to, char *arg)
{
	struct gather_ask *in = to;

	if (in->nmetrics == MAX_LISTS) {
		complain("--%s: at most %d files", o->name, MAX_LISTS);
		return false;
	}
	in->metrics[in->nmetrics++] = arg;
	return true;
}

/* How many CPUs this process may run on.  If they do not fit into a cpu_set_t, they are
 * more than can be used. */
static unsigned
cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 ?
	    (unsigned)CPU_COUNT(&set) : CPU_SETSIZE;
}

/* Refuses an empty name of the output, and one of a format that tally does not write. */
static bool
take_output(const struct command_option *o, void *to, char *path)
{
	static const char *const no[] = { ".pdf", ".png", ".svg", ".jpg",
	    ".xlsx" };
	const char *dot = strrchr(path, '.');

	*(const char **)to = path;
	(void)o;
	if (path[0] == '\0')
		complain("-o '': its value is empty");
	for (size_t i = 0; dot != NULL && i < sizeof(no) / sizeof(no[0]); i++)
		if (strcmp(dot, no[i]) == 0) {
			complain("-o %s: tally writes no %s; a browser prints "
			    "what tally page -o FILE.html makes", path, dot + 1);
			return false;
		}
	return path[0] != '\0';
}

#define INTO(member) offsetof(struct common, member)

static const struct command_option common_own[] = {
	{ "samples", option_range, INTO(in.select), false },
	{ "format", take_format, INTO(format), false },
	{ "output", take_output, INTO(output.path), false },
	{ "overwrite", option_flag, INTO(output.overwrite), false },
	{ "metrics", take_list, INTO(in), true },
	{ "only-lists", option_flag, INTO(in.only_lists), false },
	{ "topology", option_text, INTO(in.topology), false },
	{ "dram-max", take_dram_max, INTO(dram_max), false },
	{ "jobs", take_jobs, INTO(jobs), false },
	{ 0 }
};

static const struct command_option *
common_find(const struct command_option *o, const char *name)
{
	while (o != NULL && o->name != NULL && strcmp(o->name, name) != 0)
		o++;
	return o != NULL && o->name != NULL ? o : NULL;
}

#define OPTIONS 40              /* of a command, at most */

/* The options that a usage lists, as getopt_long has them, and what was given of them. */
struct listed_options {
	struct option option[OPTIONS + 1];
	unsigned n;
	char letters[2 * OPTIONS + 1], names[32 * OPTIONS];
	const char *value[OPTIONS];     /* the last one */
	unsigned times[OPTIONS];
};

/* option = "  " [ "-" LETTER ", " ] "--" NAME [ " " VALUE ] */
static void
list_option(struct listed_options *l, const char *line)
{
	const char *p = line + strspn(line, " ");
	struct option *o = &l->option[l->n];
	char *name = &l->names[32 * l->n], letter = '\0';
	size_t n = strlen(l->letters);

	if (p < line + 2 || p > line + 6 || l->n == OPTIONS)
		return;
	if (p[0] == '-' && p[1] != '\0' && strncmp(p + 2, ", ", 2) == 0) {
		letter = p[1];
		p += 4;
	}
	if (sscanf(p, "--%31[a-z-]", name) != 1)
		return;
	p += 2 + strlen(name);
	*o = (struct option){ .name = name, .val = letter != '\0' ? letter :
	    256 + (int)l->n, .has_arg = p[0] == ' ' && p[1] > ' ' ?
	    required_argument : no_argument };
	if (letter != '\0')
		snprintf(l->letters + n, sizeof(l->letters) - n, "%c%s", letter,
		    o->has_arg == required_argument ? ":" : "");
	l->n++;
}

static void
list_options(struct listed_options *l, const char *usage)
{
	*l = (struct listed_options){ .n = 0 };
	for (const char *p = usage; p != NULL && *p != '\0';
	    p = strchr(p, '\n'), p += p != NULL)
		list_option(l, p);
}

/* Says which options were given more than once, unless they add up. */
static void
common_say_again(const struct command_line *line,
    const struct listed_options *l)
{
	for (unsigned i = 0; i < l->n; i++) {
		const char *name = l->option[i].name;
		const struct command_option *own = common_find(line->own, name);

		if (own == NULL)
			own = common_find(common_own, name);
		if (l->value[i] != NULL && l->times[i] > 1 &&
		    (own == NULL || !own->adds))
			complain("--%s is given %u times; the last one holds: "
			    "%s", name, l->times[i], l->value[i]);
	}
}

/* After getopt's message about an unknown option: suggests another one. */
static void
say_nearest(const char *word, const struct option *options, const char *usage)
{
	struct near near;
	char name[80];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
	near_init(&near, name + 2 * (strncmp(name, "--", 2) == 0));
	for (; name[1] == '-' && options->name != NULL; options++)
		near_try(&near, options->name);
	/* no suggestion for an option that only lacks its value, given whole or
	 * abbreviated */
	if (strcmp(word, "-m") == 0)
		complain("figures by name: tally metrics -m NAME, tally plot -m "
		    "NAME");
	else if (near.name != NULL && near.distance[0] > 0 &&
	    strncmp(near.name, name + 2, strlen(name) - 2) != 0)
		complain("did you mean --%s?", near.name);
	else
		fprintf(stderr, "%.*s\n", (int)strcspn(usage, "\n"), usage);
}

/* Was --metric given?  getopt takes it as an abbreviation of --metrics. */
static bool
meant_metric(char **argv)
{
	if ((optind < 2 || strcmp(argv[optind - 2], "--metric") != 0) &&
	    strncmp(argv[optind - 1], "--metric=", 9) != 0)
		return false;
	complain("no option --metric; --metrics FILE reads a list, and tally "
	    "metrics -m NAME has figures by name");
	return true;
}

/* Takes an option that was given.  False: the command is over, with common.status. */
static bool
take_option(const struct command_line *line, const char *name, char *arg,
    struct common *common, void *ask)
{
	const struct command_option *own = common_find(line->own, name);
	const struct command_option *o = common_find(common_own, name);

	common->status = EXIT_USAGE;
	if (own != NULL)
		return own->take(own, (char *)ask + own->at, arg);
	if (o != NULL)
		return o->take(o, (char *)common + o->at, arg);
	fputs(line->usage, stdout);     /* --help */
	common->status = EXIT_OK;
	return false;
}

bool
common_options(const struct command_line *line, int argc, char **argv,
    struct common *common, void *ask)
{
	struct listed_options list, *l = &list;
	unsigned i;
	int c;

	list_options(l, line->usage);
	if (argc == 2 && strcmp(argv[1], "--options") == 0) {
		for (i = 0; i < l->n; i++)
			printf("--%s%s\n", l->option[i].name,
			    l->option[i].has_arg == required_argument ? "=" : "");
		common->status = EXIT_OK;
		return false;
	}
	common->format = format_default();
	common->jobs = cpus();
	while ((c = getopt_long(argc, argv, l->letters, l->option, NULL)) != -1) {
		for (i = 0; i < l->n && l->option[i].val != c;)
			i++;
		common->status = EXIT_USAGE;
		if (i == l->n)
			say_nearest(argv[optind - 1], l->option, line->usage);
		if (i == l->n || (strcmp(l->option[i].name, "metrics") == 0 &&
		    meant_metric(argv)))
			return false;
		l->value[i] = optarg;
		l->times[i]++;
		if (!take_option(line, l->option[i].name, optarg, common, ask))
			return false;
	}
	common->in.select.jobs = common->jobs;
	common->status = EXIT_USAGE;
	common_say_again(line, l);
	return lists_given(&common->in, common->each_unread);
}
