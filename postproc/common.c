/*
 * postproc/common.c - what commands of tally share: their files, and the loop over these.
 */
#include "postproc/commands.h"

#include "config/folder.h"

#include <getopt.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
	if (!common_options(line, argc, argv, common, ask))
		return false;
	if (!take_pipe(argv + optind, argc - optind))
		return false;
	common->input = (const char *const *)argv + optind;
	common->ninput = argc - optind;
	if (common->ninput > 0) {
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
