/*
 * postproc/cmd_dump.c - tally dump: makes of a store the dump that the daemon writes
 * at its end, while it still runs or after it died.
 */
#include "config/dump/dump.h"

#include <string.h>
#include <unistd.h>

#include "postproc/commands.h"
#include "lib/printable.h"

static const char usage[] =
"usage: tally dump [-o FILE] STORE\n"
"Writes the dump of a store, whether its daemon runs, has ended or has died.\n"
WRITING_HELP
"  -h, --help\n";

static int
cmd_dump_save(const struct store *store, const struct outname *output,
    struct diag *why)
{
	struct save_place place;
	char path[4096];
	mode_t mask = umask(0);
	int rc = save_open(&place, output->path, why);

	umask(mask);
	place.mode = 0666 & ~mask;
	place.overwrite = output->overwrite;
	if (rc == 0)
		rc = save_dump(store, &place, why);
	if (rc == 0 && place.mine->number > 1)
		complain("somebody has made %s meanwhile, which is kept: the "
		    "dump is in %s", output->path, save_path(&place, path));
	if (rc == 0 && why->text[0] != '\0')
		complain("%s", why->text);
	save_close(&place);
	return rc;
}

int
cmd_dump(int argc, char **argv)
{
	static const struct command_line line = {
		.name = "dump", .usage = usage,
	};
	struct common common = { .status = EXIT_OK };
	struct store *store;
	unsigned left_out;
	uint64_t cut;
	struct diag why;
	int rc;

	if (!common_parse(&line, argc, argv, &common, NULL))
		return common.status;
	if (common.ninput > 1) {
		complain("one store at a time");
		return EXIT_USAGE;
	}
	if (store_open(&store, common.input[0], &why) < 0)
		return complain("%s", why.text);
	if (common.output.path != NULL && strcmp(common.output.path, "-") != 0)
		rc = cmd_dump_save(store, &common.output, &why);
	else if ((rc = dump_write(store, STDOUT_FILENO, NULL)) < 0)
		diag_set(&why, rc, "standard output: %s", store_error(rc));
	left_out = store_left_out(store);
	cut = store_cut(store);
	store_close(store);
	if (rc < 0)
		return complain("%s", why.text);
	if (left_out > 0)
		complain("%s: %u line%s of its head left out, none of "
		    "tallyd's", common.input[0], left_out, plural(left_out));
	if (cut > 0)
		complain("%s: the file was cut: it lacks its last %llu "
		    "sample%s", common.input[0], (unsigned long long)cut,
		    plural(cut));
	return left_out > 0 || cut > 0 ? EXIT_FINDINGS : EXIT_OK;
}
