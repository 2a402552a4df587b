/*
 * daemon/options.c - the command line of tallyd.
 */
#include "daemon/options.h"

#include "config/suggest.h"
#include "daemon/node/node.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* ---- words that are no option ------------------------------------------- */

/* Those that return int return -EINVAL, with what was probably meant in why. */

/* The long option of that name; an entry without a name: there is none. */
static const struct option *
option_long(const struct option *longs, const char *name)
{
	while (longs->name != NULL && strcmp(longs->name, name) != 0)
		longs++;
	return longs;
}

/* Letters that are not options here: what each is called here. */
static int
no_letter(int letter, const char *word, struct diag *why)
{
	static const struct { char letter; const char *says; } habits[] = {
		{ 'e', "what to count stands in a file of lines as core "
		    "INST_RETIRED.ANY_P, or event NAME as perf has it: -c FILE" },
		{ 'g', "what to count is given as -c @hpc, or -c FILE" },
		{ 'p', "while a process runs: --pid PID" },
		{ 'C', "all lprocs are counted; in a configuration core[0-3] NAME "
		    "counts on some" },
		{ 'a', "all lprocs are counted without it" },
		{ 'F', "seconds between samples: -i 0.1 is ten a second" },
		{ 'I', "seconds between samples: -i 0.1 is 100 ms" },
		{ 's', "so many samples: -n N; so long: -t SEC" },
		{ 'd', "in the background: -b" },
		{ 'f', "what to count is -c FILE, what is written -o FILE" },
		{ 'V', "--version says it" },
	};

	if (letter == '=')
		return diag_set(why, -EINVAL, "%s: a letter's option has no =; "
		    "-%c takes no value, or has it behind a blank", word, word[1]);
	for (size_t i = 0; i < sizeof(habits) / sizeof(habits[0]); i++)
		if (habits[i].letter == letter)
			return diag_set(why, -EINVAL, "-%c: no such option; %s "
			    "(see tallyd --help)", letter, habits[i].says);
	return diag_set(why, -EINVAL, "-%c: no such option (see tallyd --help)",
	    letter);
}

/* No option has that name; it may be the beginning of several. */
static int
no_option_long(const char *word, const struct option *longs, struct diag *why)
{
	char name[80], option[80], meant[NEAR_MEANT], short_of[600] = "";
	size_t n = strcspn(word, "=");
	struct near near;

	snprintf(name, sizeof(name), "%.*s", (int)n, word);
	if (word[n] == '=' && option_long(longs, name + 2)->name != NULL)
		return diag_set(why, -EINVAL, "%s takes no value", name);
	near_init(&near, name + 2 * (name[1] == '-'));
	near.wanted = name;
	for (; name[1] == '-' && longs->name != NULL; longs++) {
		snprintf(option, sizeof(option), "--%s", longs->name);
		near_try(&near, option);
		if (strncmp(option, name, strlen(name)) == 0)
			choices_add(short_of, sizeof(short_of), option);
	}
	if (short_of[0] != '\0')
		return diag_set(why, -EINVAL, "%s is short for more than one: "
		    "%s", name, short_of);
	return diag_set(why, -EINVAL, "%s: no such option%s (see tallyd --help)",
	    word, near_meant(&near, meant, sizeof(meant)));
}

/* The word that getopt_long rejected: one letter of it, or all. */
static int
no_option(char **argv, const struct option *longs, struct diag *why)
{
	const char *word = argv[optind - 1];

	if (optopt <= 0 || optopt > 0xff)
		return no_option_long(word, longs, why);
	if (argv[optind] != NULL && strchr(argv[optind], optopt) != NULL)
		word = argv[optind];    /* getopt_long is still within it */
	return no_letter(optopt, word, why);
}

/* Says in why that a long option was given with one dash, which getopt reads as
 * letters, if that is so. */
static void
no_option_dash(char **argv, const struct option *longs, struct diag *why)
{
	for (char **a = argv + 1; *a != NULL && strcmp(*a, "--") != 0; a++)
		if ((*a)[0] == '-' && (*a)[1] != '\0' && (*a)[2] != '\0' &&
		    option_long(longs, *a + 1)->name != NULL)
			diag_set(why, -EINVAL, "%s: an option's whole word has "
			    "two dashes: -%s", *a, *a);
}

/* A word where no option is. */
static int
no_option_word(const char *word, const struct option *longs, struct diag *why)
{
	const char *dot = strrchr(word, '.');

	if (option_long(longs, word)->name != NULL)
		return diag_set(why, -EINVAL, "%s: did you mean --%s? (see "
		    "tallyd --help)", word, word);
	if (word[0] == '@' || (dot != NULL && strcmp(dot, ".conf") == 0))
		return diag_set(why, -EINVAL, "%s: what to count is given as -c "
		    "%s", word, word);
	if (dot != NULL && (strcmp(dot, ".lua") == 0 || strcmp(dot, ".store") == 0))
		return diag_set(why, -EINVAL, "%s: tallyd writes dumps, tally "
		    "reads them: tally report %s; what to write is -o FILE",
		    word, word);
	if (strcmp(word, "status") == 0)
		return diag_set(why, -EINVAL, "%s: did you mean --ask? (tally "
		    "live shows what is sampled)", word);
	if (strcmp(word, "stop") == 0 || strcmp(word, "start") == 0)
		return diag_set(why, -EINVAL, "%s: no word of tallyd's; it samples "
		    "at once, and `pkill -CONT tallyd` ends it", word);
	return diag_set(why, -EINVAL, "%s: unexpected word; a program to run "
	    "stands behind --, as in tallyd -- %s (see tallyd --help)", word,
	    word);
}

/* ---- the command line --------------------------------------------------- */

const char options_help[] =
"usage: tallyd [OPTION]...     sample this node's counters until SIGCONT, then dump\n"
"       tallyd [OPTION]... -- PROGRAM ARGS    sample while that runs, then report\n"
"  -i, --interval SEC      between samples, 0.001 to 3600 (1)\n"
"  -n, --samples N         end after N samples\n"
"  -t, --time SEC          end after that time\n"
"  -c, --config FILE       what to count, repeatable; @NAME: built in (@hpc)\n"
"  -o, --output FILE       the dump (HOST.perfcounts.lua)\n"
"      --overwrite         replace a file that has its name\n"
"  -b, --background        return once the first sample is in\n"
"      --segment TIME|SIZE write a dump every 1h, 10min; or of each 64M\n"
"      --keep N|TIME|SIZE  keep so many of these dumps, and remove older ones\n"
"      --mark 'KEY=VALUE...'   mark a phase in the samples of the daemon that runs\n"
"      --check             what this node has, what is in the way; writes nothing\n"
"      --list boxes|events|texts|...   what there is; events 'MEM_LOAD*' by name\n"
"      --sim FILE          a simulated machine; @skx-8160-2s: built in (--list texts)\n"
"      --virtual-time      do not wait for its clock\n"
"  -q, --quiet             say only what goes wrong\n"
"tallyd --help all has all options; man 8 tallyd says more\n"
"signals: CONT TERM INT HUP: last sample, restore, dump, exit; USR1 dump; USR2 mark\n";

const char options_usage[] =
"usage: tallyd [options]   sample this node's counters until SIGCONT, then dump\n"
"  -i, --interval SEC    between samples, 0.001 to 3600 (1);  -n, --samples N (no end)\n"
"      --segment TIME|SIZE   write a dump every 1h, 10min; or of each 64M\n"
"      --keep N|TIME|SIZE    keep so many of these;  --pipe 'zstd -q -o %s.zst'  of each\n"
"  -c, --config FILE     what to count, repeatable; @NAME: built in (@default-MODEL)\n"
"      --inputs DIR | --event-list FILE     the original's inputs; Intel's events\n"
"  -o, --output FILE     the dump (HOST.perfcounts.lua);  --overwrite  a file of its name\n"
"      --dump-mode 0644, --dump-group NAME    who may read dumps (0640, its owner's)\n"
"  [-- PROGRAM ARGS]     run it as the user who calls sudo, sample meanwhile, report\n"
"  -t, --time SEC        sample that long;  --pid PID  sample until that process ends\n"
"  -b, --background      return once the first sample is in;  --pidfile FILE\n"
"      --check           what this node has, what is in the way; writes nothing\n"
"      --prove           do work of known counts, and say which counters are wrong\n"
"      --dry-run         every register to write and to read; writes nothing\n"
"      --record-node FILE    this node as a machine for --sim; writes nothing to it\n"
"      --list boxes|events|columns|registers|models|texts|options  --model NAME\n"
"      --list events 'MEM_LOAD*'   Intel's by name, AMD's, Arm's, and their encodings\n"
"      --print @NAME     a built-in text; @msr-safe-allowlist: the MSRs that are used\n"
"      --force           take counters that somebody else seems to use\n"
"      --restore         put back what a tallyd that was killed left changed\n"
"      --access auto|raw|perf|hybrid   raw: tallyd programs and reads; perf: the kernel\n"
"                        does both; hybrid: the kernel programs, tallyd reads\n"
"      --no-taint        write no MSR: perf and hybrid alone\n"
"      --read auto|pinned|visit|batch|remote   how;  --cpu N, --cpus LIST  from where\n"
"      --max-overhead PERCENT      of one CPU; sample less often when it is more\n"
"      --watch N         every N samples look who has changed our controls (60)\n"
"      --turn SEC | --rotate N   how long a set of events has the counters: seconds,\n"
"                        less than the interval (0.01); or N samples\n"
"      --store FILE      of samples until they are dumped;  --share  all may read it\n"
"      --journal FILE    of old register values;  --user NAME | --keep-root  to become\n"
"      --keep-writing    the sampler may write registers: turns of sets cost less\n"
"      --mark 'KEY=VALUE...' mark a phase in the daemon that runs;  --socket FILE  its\n"
"      --pause [SECONDS] give the counters to others, until --resume\n"
"      --ask             who has the counters;  --reload  read its configuration again\n"
"      --measure-dram-bandwidth    before sampling: what DRAM can do at most\n"
"      --site FILE | --soc-preprogrammed    Atom C2000: who set the SoC muxes\n"
"      --sim FILE | --replay DUMP  a simulated (@NAME: built in) or recorded machine\n"
"      --virtual-time    do not wait for its clock;  --root DIR  for /dev, /sys, /proc\n"
"  -v, --verbose, -q, --quiet, -h, --help [all], --version   man 8 tallyd says more\n"
"signals: CONT TERM INT HUP: last sample, restore, dump, exit; USR1 dump; USR2 mark\n";

#define LONG 256                /* values of getopt_long beyond letters: LONG + row, */
#define METHOD 512              /* or METHOD + row of methods[] */
#define MAX_METHODS 16
#define MAX_LONGS (OPTIONS + MAX_METHODS)

/* Fills the tables of getopt_long: the rows, and the methods of access that have an
 * option. */
static void
for_getopt(struct option longs[MAX_LONGS + 1], char letters[2 * OPTIONS + 2])
{
	char *p = letters;
	size_t n = 0;

	*p++ = ':';
	for (size_t i = 0; i < OPTIONS; i++) {
		bool bare = option_bare(&option_rows[i]);

		longs[n++] = (struct option){ option_rows[i].name, bare ? no_argument :
		    required_argument, NULL, LONG + (int)i };
		if (option_rows[i].letter == 0)
			continue;
		*p++ = (char)option_rows[i].letter;
		if (!bare)
			*p++ = ':';
	}
	*p = '\0';
	for (int m = 0; methods[m].open != NULL && m < MAX_METHODS; m++)
		if (methods[m].option != NULL)
			longs[n++] = (struct option){ methods[m].option,
			    required_argument, NULL, METHOD + m };
	longs[n] = (struct option){ NULL, 0, NULL, 0 };
}

static int
machine(struct options *o, const struct method *m, const char *value,
    struct diag *why)
{
	if (o->node.machine != NULL && o->node.method != m)
		return diag_set(why, -EINVAL, "--%s and --%s: choose one "
		    "machine", o->node.method->option, m->option);
	o->node.method = m;
	o->node.machine = value;
	return 0;
}

static const struct option_row *
row_of(int c)
{
	if (c >= LONG)
		return &option_rows[c - LONG];
	for (size_t i = 0; i < OPTIONS; i++)
		if (option_rows[i].letter == c)
			return &option_rows[i];
	return NULL;
}

/* Does a command use the shell's syntax outside quotes: a redirection, a pipe? */
static bool
for_shell(const char *command)
{
	char quote = '\0';

	for (; *command != '\0'; command++)
		if (quote != '\0' ? *command == quote : strchr("'\"", *command) !=
		    NULL)
			quote = quote != '\0' ? '\0' : *command;
		else if (quote == '\0' && strchr("><|;&`", *command) != NULL)
			return true;
	return false;
}

bool
options_tell(const struct options *o)
{
	return o->tell.mark != NULL || o->tell.pause || o->tell.resume ||
	    o->tell.ask || o->tell.reload;
}

static int
consistent_list(const struct options *o, struct diag *why)
{
	static const char *const lists[] = { "boxes", "events", "columns",
	    "registers", "models", "texts", "options", NULL };
	const char *const *l = lists;

	if (o->instead.model != NULL && o->instead.list == NULL)
		return diag_set(why, -EINVAL, "--model goes with --list");
	if (o->instead.list == NULL)
		return 0;
	while (*l != NULL && strcmp(*l, o->instead.list) != 0)
		l++;
	if (*l != NULL && o->instead.pattern != NULL &&
	    strcmp(*l, "events") != 0)
		return diag_set(why, -EINVAL, "--list %s %s: only `events` "
		    "takes a pattern", o->instead.list, o->instead.pattern);
	return *l != NULL ? 0 : diag_set(why, -EINVAL, "--list %s: choose "
	    "boxes, events, columns, registers, models, texts (simulated "
	    "machines, too) or options", o->instead.list);
}

/* Options that make no sense together. */
static int
consistent(const struct options *o, struct diag *why)
{
	if (o->node.no_taint && o->instead.restore)
		return diag_set(why, -EINVAL, "--no-taint and --restore: what "
		    "was changed is put back by writing it");
	if (o->node.machine != NULL && o->node.replay != NULL)
		return diag_set(why, -EINVAL, "--%s and --replay: choose one "
		    "machine", o->node.method->option);
	if (o->node.virtual_time && o->node.machine == NULL &&
	    o->node.replay == NULL)
		return diag_set(why, -EINVAL, "--virtual-time goes with --sim "
		    "or --replay; a real node's time cannot be hurried");
	if (o->count.measure_dram && (o->node.machine != NULL ||
	    o->node.replay != NULL))
		return diag_set(why, -EINVAL, "--measure-dram-bandwidth measures "
		    "the memory of this machine; the node of --%s has none",
		    o->node.machine != NULL ? o->node.method->option :
		    "replay");
	if ((o->dump.keep.kind != AMOUNT_NONE || o->dump.pipe != NULL) &&
	    o->dump.segment.kind == AMOUNT_NONE)
		return diag_set(why, -EINVAL, "--%s is of segments: give "
		    "--segment, too", o->dump.pipe != NULL ? "pipe" : "keep");
	if (o->dump.pipe != NULL && for_shell(o->dump.pipe))
		return diag_set(why, -EINVAL, "--pipe '%s': there is no shell "
		    "here; name a program that makes a file (zstd -q -o "
		    "%%s.zst), or write sh -c \"...\"", o->dump.pipe);
	if (o->dump.segment.kind == AMOUNT_TIME &&
	    o->dump.segment.n < o->interval_ns)
		return diag_set(why, -EINVAL, "--segment: shorter than the "
		    "interval, %g s", o->interval);
	if (o->count.inputs != NULL && o->count.config.n > 0)
		return diag_set(why, -EINVAL, "--inputs and --config: choose "
		    "one description of what to count");
	if (o->service.keep_root && o->service.user != NULL)
		return diag_set(why, -EINVAL, "--user and --keep-root: choose "
		    "who the daemon becomes");
	if ((o->program != NULL) + (o->pid > 0) + o->service.background > 1)
		return diag_set(why, -EINVAL, "a program to run, --pid and "
		    "--background: choose one");
	if ((o->tell.mark != NULL) + o->tell.pause + o->tell.resume +
	    o->tell.ask + o->tell.reload > 1)
		return diag_set(why, -EINVAL, "--mark, --pause, --resume, "
		    "--reload and --ask: one at a time");
	if (o->instead.record_node != NULL && (o->node.replay != NULL ||
	    o->instead.check || o->instead.dry_run || o->instead.list != NULL ||
	    o->instead.print != NULL || o->instead.restore))
		return diag_set(why, -EINVAL, "--record-node reads a node, or a "
		    "machine of --sim, and does nothing else");
	return consistent_list(o, why);
}

/* Notes in o->again that an option was given more than once, of which the last value
 * holds. */
static void
note_again(struct options *o, const char *name, const char *value, bool *seen)
{
	size_t used = strlen(o->again.text);

	if (*seen)
		snprintf(o->again.text + used, sizeof(o->again.text) - used,
		    "%s--%s is given more than once, %s holds", used > 0 ?
		    "; " : "", name, value);
	*seen = true;
}

static int
take_one(struct options *o, int c, bool seen[METHOD + MAX_METHODS],
    struct diag *why)
{
	const struct option_row *row;

	if (c >= METHOD) {
		note_again(o, methods[c - METHOD].option, optarg, &seen[c]);
		return machine(o, &methods[c - METHOD], optarg, why);
	}
	row = row_of(c);
	if (optarg != NULL && !option_adds(row))
		note_again(o, row->name, optarg, &seen[LONG + (row - option_rows)]);
	return row->take(row, o, optarg, why);
}

/* Options that stand in configuration files. */

bool
options_of_no_node(const struct options *o)
{
	return o->instead.help || o->instead.version ||
	    o->instead.model != NULL || (o->instead.list != NULL &&
	    (strcmp(o->instead.list, "models") == 0 || strcmp(o->instead.list,
	    "texts") == 0 || strcmp(o->instead.list, "options") == 0));
}

bool
options_print_is(const struct options *o, const char *name)
{
	return o->instead.print != NULL && strcmp(o->instead.print, name) == 0;
}

/* Takes /etc/tallyd/tallyd.conf, if it is there and nothing else is named. */
static int
own_config(struct options *o)
{
	const char *root = strcmp(o->node.root, "/") == 0 ? "" : o->node.root;
	size_t size = strlen(root) + sizeof(ETC_CONFIG);
	struct stat sb;
	char *path;

	if (o->count.config.n > 0 || o->count.inputs != NULL ||
	    o->node.machine != NULL || o->node.replay != NULL ||
	    options_of_no_node(o))
		return 0;
	if ((path = arena_alloc(o->arena, size)) == NULL)
		return -ENOMEM;
	snprintf(path, size, "%s%s", root, ETC_CONFIG);
	if (stat(path, &sb) < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	o->count.config.name[o->count.config.n++] = path;
	o->count.own_config = true;
	return 0;
}

/*
 * Fills o->lines with the options of the files that -c names, as far as they are files and
 * no pipe.  Where nothing says what to count, and the node is this one, ETC_CONFIG, if it is
 * there, is what to count from now on.  Returns 0, or -errno with words.
 */
static int
options_file_read(struct options *o, struct diag *why)
{
	struct stat sb;
	int rc = 0;

	if ((o->arena = arena_new()) == NULL || own_config(o) < 0)
		return diag_set(why, -ENOMEM, "out of memory");
	for (unsigned i = 0; rc == 0 && i < o->count.config.n; i++)
		if (o->count.config.name[i][0] != '@' &&
		    stat(o->count.config.name[i], &sb) == 0 &&
		    S_ISREG(sb.st_mode))
			rc = option_lines_read(&o->lines, o->arena,
			    o->count.config.name[i], why);
	return rc;
}

/* May this option stand in a file?  0 or -EINVAL. */
static int
options_file_may(const struct option_line *line, struct diag *why)
{
	/* options in place of a run, and those that are settled before the file is read */
	static const char *const not[] = { "config", "inputs", "root", "check",
	    "dry-run", "list", "print", "model", "restore", "background",
	    "help", "version", "mark", "pause", "pid",
	    "resume", "ask", "reload", NULL };

	for (const char *const *n = not; *n != NULL; n++)
		if (strcmp(line->name, *n) == 0)
			return diag_at(why, line->file, line->line, "--%s "
			    "stands on the command line alone", *n);
	return 0;
}

/* An option of a configuration file; one that the command line has, too, is checked
 * and not taken. */
static int
take_line(struct options *o, const struct option_line *line,
    const struct option *longs, const bool given[METHOD + MAX_METHODS],
    struct diag *why)
{
	const struct option *opt = option_long(longs, line->name);
	bool bare = opt->has_arg == no_argument;
	struct options unused = *o;
	struct diag reason;
	char word[80];
	int rc;

	if (opt->name == NULL) {
		snprintf(word, sizeof(word), "--%s", line->name);
		no_option_long(word, longs, &reason);
		return diag_at(why, line->file, line->line, "%s", reason.text);
	}
	if ((rc = options_file_may(line, why)) < 0)
		return rc;
	if (bare != (line->value[0] == '\0'))
		return diag_at(why, line->file, line->line, "--%s %s value",
		    line->name, bare ? "takes no" : "needs a");
	if (given[opt->val])
		o = &unused;
	rc = opt->val >= METHOD ? machine(o, &methods[opt->val - METHOD],
	    line->value, &reason) : row_of(opt->val)->take(row_of(opt->val), o,
	    line->value, &reason);
	return rc == 0 ? 0 : diag_at(why, line->file, line->line, "%s",
	    reason.text);
}

int
options_parse(struct options *o, int argc, char **argv, struct diag *why)
{
	struct option longs[MAX_LONGS + 1];
	char letters[2 * OPTIONS + 2];
	bool seen[METHOD + MAX_METHODS] = { false };
	const struct option_line *line;
	const char *behind = NULL;      /* the argument after the first -- */
	bool asks;      /* to ask a daemon no configuration is needed */
	int c, rc = 0;

	for (int i = 1; i < argc - 1 && behind == NULL; i++)
		if (strcmp(argv[i], "--") == 0)
			behind = argv[i + 1];

	*o = (struct options){ .node.method = methods,
	    .node.root = "/", .read.cpu = -1, .read.watch = 60,
	    .interval = 1 };
	for_getopt(longs, letters);
	optind = 1;
	opterr = 0;
	while (rc == 0 &&
	    (c = getopt_long(argc, argv, letters, longs, NULL)) != -1)
		if (c == ':')
			rc = diag_set(why, -EINVAL, "%s needs a value (see "
			    "tallyd --help)", argv[optind - 1]);
		else if (c < METHOD && row_of(c) == NULL)
			rc = no_option(argv, longs, why);
		else
			rc = take_one(o, c, seen, why);
	if (rc == 0 && optind < argc && argv[optind] == behind)
		o->program = argv + optind;
	else if (rc == 0 && o->tell.pause && optind == argc - 1)
		o->tell.pause_time = argv[optind];
	else if (rc == 0 && o->instead.help && optind == argc - 1 &&
	    strcmp(argv[optind], "all") == 0)
		o->instead.help_all = true;
	else if (rc == 0 && o->instead.list != NULL && optind == argc - 1)
		o->instead.pattern = argv[optind];
	else if (rc == 0 && optind < argc)
		rc = no_option_word(argv[optind], longs, why);
	else if (rc == 0 && argc > 1 && strcmp(argv[argc - 1], "--") == 0)
		rc = diag_set(why, -EINVAL, "-- needs a program to run behind it; "
		    "leave it out to sample without one");
	if (rc == -EINVAL)
		no_option_dash(argv, longs, why);
	asks = options_tell(o);
	if (rc == 0 && (rc = options_file_read(o, why)) == -EINVAL && asks)
		rc = 0;
	for (line = o->lines; rc == 0 && line != NULL; line = line->next)
		if ((rc = take_line(o, line, longs, seen, why)) < 0 && asks)
			rc = 0;
	o->interval_ns = (uint64_t)llround(o->interval * 1e9);
	o->read.turn_ns = (uint64_t)llround(o->read.turn * 1e9);
	if (rc == 0 && o->time > 0 && o->samples > 0)
		rc = diag_set(why, -EINVAL, "--samples and --time: choose one");
	if (rc == 0 && o->time > 0)
		o->samples = (uint64_t)ceil(o->time / o->interval) + 1;
	return rc == 0 ? consistent(o, why) : rc;
}

void
options_fini(struct options *o)
{
	arena_free(o->arena);
}

void
options_print(FILE *out)
{
	struct option longs[MAX_LONGS + 1];
	char letters[2 * OPTIONS + 2];

	for_getopt(longs, letters);
	for (const struct option *l = longs; l->name != NULL; l++)
		fprintf(out, "--%s%s\n", l->name, l->has_arg == no_argument ?
		    "" : "=");
}
