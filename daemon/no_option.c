/*
 * daemon/no_option.c - words of the command line that are no option of tallyd's:
 * what was probably meant.
 */
#include "daemon/options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "config/suggest.h"

/* The long option of that name; an entry without a name: there is none. */
const struct option *
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
int
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
int
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
void
no_option_dash(char **argv, const struct option *longs, struct diag *why)
{
	for (char **a = argv + 1; *a != NULL && strcmp(*a, "--") != 0; a++)
		if ((*a)[0] == '-' && (*a)[1] != '\0' && (*a)[2] != '\0' &&
		    option_long(longs, *a + 1)->name != NULL)
			diag_set(why, -EINVAL, "%s: an option's whole word has "
			    "two dashes: -%s", *a, *a);
}

int
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
