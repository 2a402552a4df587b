/*
 * postproc/cmd_jobs.c - tally jobs: figures for every job that was marked.
 */
#include "postproc/commands.h"

#include "postproc/many/job_list.h"

static const char usage[] =
"usage: tally jobs [OPTION]... FILE...\n"
"A row a job, by its marks (tallyd --mark 'job=ID begin lprocs=LIST', 'job=ID\n"
"end'), of all nodes and of all segments of a run.  Instructions, IPC,\n"
"frequency, utilisation and FLOPS are of its own lprocs; DRAM, PCIe, UPI, power\n"
"and energy are of the node: all the job's where it is alone, else shared out by\n"
"lproc-seconds.  A sample that a job begins or ends in counts by the part of its\n"
"time.\n"
"  -C, --comment         not a table, but a line a job for a shell: sacctmgr,\n"
"                        which keeps the figures as the job's AdminComment\n"
METRICS_HELP
TOPOLOGY_HELP
COMMON_HELP;

struct jobs_ask {
	struct common common;
	struct job_list list;
	bool comment;
	unsigned jobs;          /* with marks, in all files */
};

static int
take_file(struct jobs_ask *ask, const char *path)
{
	struct diag why = { "" };
	struct job_taken taken;

	if (job_take(&ask->list, &taken, path, &ask->common.in, &why) < 0)
		return complain_why(&why);
	ask->jobs += taken.jobs;
	if (taken.nbad > 0)
		complain("%s: %u marks are left out: they do not say which "
		    "sample, or what of a job", path, taken.nbad);
	if (taken.doubled > 0)
		complain("%s: %u jobs are left out: another file has the same "
		    "node at the same time", path, taken.doubled);
	return taken.nbad + taken.doubled > 0 ? EXIT_FINDINGS : EXIT_OK;
}

static void
cmd_jobs_put(struct out *out, struct jobs_ask *ask)
{
	unsigned left_out = 0;

	if (!ask->comment)
		job_put(out, &ask->list);
	else if ((left_out = job_comments(out_file(out), &ask->list)) > 0)
		complain("%u jobs are left out: no ids of Slurm", left_out);
}

static int
jobs(struct jobs_ask *ask)
{
	const struct common *common = &ask->common;
	struct diag why = { "" };
	struct out *out;
	int status = EXIT_OK;

	if (job_list_init(&ask->list, &why) < 0)
		return complain_why(&why);
	/* a job's begin has to be read before its end */
	runs_by_time(&ask->common.runs);
	for (int i = 0; i < common->ninput; i++) {
		int s = take_file(ask, common->input[i]);

		status = s > status ? s : status;
	}
	if (ask->list.n == 0)
		return status == EXIT_OK || ask->jobs == 0 ?
		    complain("no job was marked (tallyd --mark 'job=ID begin')")
		    : status;
	if (out_open(&out, &common->output, common->format, "jobs", &why) < 0)
		return complain("%s", why.text);
	cmd_jobs_put(out, ask);
	if (out_close(out, true, &why) < 0)
		status = complain("%s", why.text);
	return status;
}

int
cmd_jobs(int argc, char **argv)
{
	static const struct command_option own[] = {
		{ "comment", option_flag, offsetof(struct jobs_ask, comment), false },
		{ 0 }
	};
	static const struct command_line line = {
		.name = "jobs", .usage = usage, .runs = true,
		.own = own,
	};
	struct jobs_ask ask = { .jobs = 0 };

	if (!common_parse(&line, argc, argv, &ask.common, &ask))
		;
	else if (ask.comment && ask.common.format != format_default()) {
		fprintf(stderr, "tally jobs: --comment is text: no --format\n");
		ask.common.status = EXIT_USAGE;
	} else
		ask.common.status = jobs(&ask);
	job_list_fini(&ask.list);
	common_fini(&ask.common);
	return ask.common.status;
}
