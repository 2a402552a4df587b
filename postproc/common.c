/*
 * postproc/common.c - what commands of tally share: their options, the loop over their
 * files, messages on stderr.
 */
#include "postproc/commands.h"

#include "config/folder.h"
#include "config/suggest.h"
#include "lib/printable.h"
#include "postproc/metrics/metrics.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int
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
	return -1;
}

int
option_scopes(unsigned *scopes, const char *words)
{
	while (*words != '\0') {
		char word[16];
		size_t n = strcspn(words, ",");
		enum scope s;

		snprintf(word, sizeof(word), "%.*s", (int)(n < sizeof(word) ?
		    n : sizeof(word) - 1), words);
		s = scope_find(word);
		if (s == SCOPES && strcmp(word, "all") != 0)
			return no_scope(word);
		*scopes |= s == SCOPES ? (1u << SCOPES) - 1 : 1u << s;
		words += n + (words[n] == ',');
	}
	return 1;
}

int
option_patterns(struct patterns *p, char *arg)
{
	struct diag why;

	if (patterns_add(p, arg, &why) == 0)
		return 1;
	complain("%s", why.text);
	return -1;
}

int
option_range(struct select *s, const char *arg)
{
	struct diag why;

	if (select_parse(s, arg, &why) == 0)
		return 1;
	complain("%s", why.text);
	return -1;
}

int
option_seconds(double *seconds, const char *arg)
{
	char *end, buf[AMOUNT_SECONDS];

	*seconds = strtod(arg, &end);
	if (*end == '\0' && *seconds > 0 && *seconds <= 1e9)
		return 1;
	complain("--every %s: expected seconds%s", arg,
	    amount_seconds(arg, buf));
	return -1;
}

#define OPTIONS 128             /* the values of options are below */

/* Takes --dram-max, given in GB/s. */
static bool
take_dram_max(struct common *common, const char *arg)
{
	char *end;

	common->dram_max = strtod(arg, &end) * 1e9;
	if (*end == '\0' && common->dram_max > 0 && common->dram_max < 1e15)
		return true;
	complain("--dram-max %s: expected GB/s", arg);
	return false;
}

static bool
take_jobs(struct common *common, const char *arg)
{
	char *end;
	unsigned long n = strtoul(arg, &end, 10);

	common->jobs = (unsigned)n;
	if (*arg >= '0' && *arg <= '9' && *end == '\0' && n > 0 && n <= 65536)
		return true;
	complain("--jobs %s: expected a number of threads", arg);
	return false;
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

/* False, with words, for an empty name of the output, or one of a format that tally does
 * not write. */
static bool
output_is_named(const char *path)
{
	static const char *const no[] = { ".pdf", ".png", ".svg", ".jpg",
	    ".xlsx" };
	const char *dot = strrchr(path, '.');

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

/* Takes a common option.  False: the command is over, with common.status. */
static bool
common_option(struct common *common, int c, const char *arg, const char *usage)
{
	common->status = EXIT_USAGE;
	switch (c) {
	case 's':
		return option_range(&common->in.select, arg) > 0;
	case 'f':
		if ((common->format = format_named(arg)) != NULL)
			return true;
		complain("format \"%s\": expected one of%s", arg,
		    OUT_FORMAT_NAMES);
		return false;
	case 'o':
		common->output.path = arg;
		return output_is_named(arg);
	case 'O':
		common->output.overwrite = true;
		return true;
	case 'M':
		if (common->in.nmetrics == MAX_LISTS) {
			complain("--metrics: at most %d files", MAX_LISTS);
			return false;
		}
		common->in.metrics[common->in.nmetrics++] = arg;
		return true;
	case 'Y':
		common->in.only_lists = true;
		return true;
	case 't':
		common->in.topology = arg;
		return true;
	case 'D':
		return take_dram_max(common, arg);
	case 'J':
		return take_jobs(common, arg);
	case 'h':
		fputs(usage, stdout);
		common->status = EXIT_OK;
		return false;
	default:
		return false;
	}
}

/* Says which options were given more than once, unless they add up. */
static void
common_say_again(const struct command_line *line, const struct option *options,
    const char *const *value, const unsigned *times)
{
	for (const struct option *o = options; o->name != NULL; o++)
		if (o->has_arg == required_argument && o->val < OPTIONS &&
		    times[o->val] > 1 && strchr("M", o->val) == NULL &&
		    (line->repeat == NULL ||
		    strchr(line->repeat, o->val) == NULL))
			complain("--%s is given %u times; the last one holds: "
			    "%s", o->name, times[o->val], value[o->val]);
}

/* Can the output be written without a loss?  False, with words: it is one of the inputs,
 * or a file that must not be overwritten. */
static bool
output_is_free(const struct common *common)
{
	const char *out = common->output.path;
	struct stat sb, in;
	struct diag why;

	if (out != NULL && strcmp(out, "-") != 0 && stat(out, &sb) == 0 &&
	    S_ISREG(sb.st_mode))
		for (int i = 0; i < common->ninput; i++)
			if (stat(common->input[i], &in) == 0 &&
			    in.st_dev == sb.st_dev && in.st_ino == sb.st_ino) {
				complain("-o %s: it is the file that is read "
				    "(%s): name another", out,
				    common->input[i]);
				return false;
			}
	if (outname_free(&common->output, &why) == 0)
		return true;
	complain("%s", why.text);
	return false;
}

bool
options_asked(int argc, char **argv, const struct option *options)
{
	if (argc != 2 || strcmp(argv[1], "--options") != 0)
		return false;
	for (; options->name != NULL; options++)
		printf("--%s%s\n", options->name, options->has_arg ==
		    required_argument ? "=" : "");
	return true;
}

static void
common_say(const char *line)
{
	complain("%s", line);
}

bool
segments_join(struct runs *r, const char *const *path, unsigned n)
{
	if (runs_find(r, path, n, common_say) == 0)
		return true;
	runs_fini(r);
	complain("out of memory");
	return false;
}

/* Joins the segments of a run to one input. */
static bool
join_all(struct common *common)
{
	struct runs *r = &common->runs;

	if (!segments_join(r, common->input, (unsigned)common->ninput))
		return false;
	common->input = r->first;
	common->ninput = (int)r->n;
	common->in.select.runs = r;
	return true;
}

void
common_fini(struct common *common)
{
	runs_fini(&common->runs);
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

/* Makes a pipe that has a path, as <(zcat run.lua.gz) or /dev/stdin, standard input, as
 * it can be read only once.  False, with words: there is more than one. */
static bool
take_pipe(char **file, int n)
{
	static char in[] = "-";
	bool taken = false;

	for (int i = 0; i < n; i++)
		taken |= strcmp(file[i], "-") == 0;
	for (int i = 0; i < n; i++) {
		struct stat sb;
		int fd;

		if (strcmp(file[i], "-") == 0 || stat(file[i], &sb) < 0 ||
		    !S_ISFIFO(sb.st_mode) || (fd = infile_open(file[i],
		    NULL)) < 0)
			continue;
		if (taken || dup2(fd, STDIN_FILENO) < 0) {
			complain("%s: one pipe at a time is read; write this "
			    "one to a file", file[i]);
			close(fd);
			return false;
		}
		if (fd != STDIN_FILENO)
			close(fd);
		file[i] = in;
		taken = true;
	}
	return true;
}

bool
common_parse(const struct command_line *line, int argc, char **argv,
    struct common *common, void *ask)
{
	static const struct option common_options[] = { COMMON_LONGOPTS };
	bool own = line->letters != NULL;
	const struct option *options = own ? line->options : common_options;
	const char *value[OPTIONS] = { NULL };
	unsigned times[OPTIONS] = { 0 };
	int c, taken;

	if (options_asked(argc, argv, options)) {
		common->status = EXIT_OK;
		return false;
	}
	common->format = format_default();
	common->jobs = cpus();
	while ((c = getopt_long(argc, argv, own ? line->letters : COMMON_OPTS,
	    options, NULL)) != -1) {
		if (c > 0 && c < OPTIONS) {
			value[c] = optarg;
			times[c]++;
		}
		common->status = EXIT_USAGE;
		if (c == '?')
			say_nearest(argv[optind - 1], options, line->usage);
		if (c == '?' || (c == 'M' && meant_metric(argv)))
			return false;
		taken = line->own_option != NULL ?
		    line->own_option(ask, c, optarg) : 0;
		if (taken < 0 || (taken == 0 &&
		    !common_option(common, c, optarg, line->usage)))
			return false;
	}
	if (!take_pipe(argv + optind, argc - optind))
		return false;
	common->input = (const char *const *)argv + optind;
	common->ninput = argc - optind;
	common->in.select.jobs = common->jobs;
	if (!lists_given(&common->in, common->each_unread))
		return false;
	if (common->ninput > 0) {
		common_say_again(line, options, value, times);
		common->status = EXIT_UNUSABLE;
		return output_is_free(common) && (!line->runs ||
		    join_all(common));
	}
	if (argc > 2 && argv[argc - 2][0] == '-' &&
	    access(argv[argc - 1], F_OK) == 0) {
		complain("which FILE?  %s is the value of %s here",
		    argv[argc - 1], argv[argc - 2]);
		common->status = EXIT_USAGE;
		return false;
	}
	complain("which FILE?  %.*s (tally %s --help says more)",
	    (int)strcspn(line->usage, "\n"), line->usage, argv[0] +
	    (strncmp(argv[0], "tally ", 6) == 0 ? 6 : 0));
	common->status = EXIT_USAGE;
	return false;
}

int
common_each(const struct command_line *line, const struct common *common,
    const struct view *view, void *ask)
{
	struct diag why;
	struct out *out;
	int status = EXIT_OK;
	bool any = false;

	if (out_open(&out, &common->output, common->format, line->name,
	    &why) < 0)
		return complain("%s", why.text);
	view_begin(out, view);
	for (int i = 0; i < common->ninput; i++) {
		int s = line->one(out, common->input[i], ask);

		if (s > status)
			status = s;
		any |= s < EXIT_UNUSABLE;
	}
	view_end(out);
	if (out_close(out, any, &why) < 0)
		status = complain("%s", why.text);
	return status;
}

int
common_run(const struct command_line *line, const struct view *view, int argc,
    char **argv, struct common *common, void *ask)
{
	if (common_parse(line, argc, argv, common, ask))
		common->status = common_each(line, common, view, ask);
	common_fini(common);
	return common->status;
}

/* ---- messages ---------------------------------------------------------- */

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
