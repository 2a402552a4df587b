/*
 * postproc/cmd_print.c - tally print: prints the built-in texts.
 */
#include "config/texts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "postproc/commands.h"

static const char usage[] =
"usage: tally print [@NAME]\n"
"Prints a text that is built in, as it is: metrics, a configuration, a machine.\n"
"Without a name it lists them.\n"
"  -h, --help\n";

static int
written(void)
{
	return fflush(stdout) != 0 ? complain("standard output: %s",
	    strerror(errno)) : EXIT_OK;
}

int
cmd_print(int argc, char **argv)
{
	static const struct command_line line = {
		.name = "print", .usage = usage,
	};
	struct common common = { .status = EXIT_OK };
	const struct text *t;
	struct diag why;

	if (argc == 1) {
		for (t = texts; t->name != NULL; t++)
			printf("@%.*s\t%s\n", text_base(t), t->name,
			    text_kind(t));
		return written();
	}
	if (!common_parse(&line, argc, argv, &common, NULL))
		return common.status;
	if (common.ninput > 1) {
		complain("one text at a time");
		return EXIT_USAGE;
	}
	if ((t = text_named(common.input[0], NULL)) == NULL) {
		text_none(common.input[0], NULL, &why);
		return complain("%s", why.text);
	}
	fwrite(t->data, 1, (size_t)(t->end - t->data), stdout);
	return written();
}
