/*
 * daemon/main.c - tallyd: options, and what they ask for.
 */
#include "config/folder.h"
#include "config/lang/events.h"
#include "config/suggest.h"
#include "daemon/instead/instead.h"
#include "daemon/node/choose.h"
#include "daemon/log.h"
#include "daemon/node/node.h"
#include "daemon/node/program.h"
#include "daemon/node/soc.h"
#include "daemon/options.h"
#include "daemon/instead/prove.h"
#include "daemon/node/rights.h"
#include "daemon/run/session.h"
#include "daemon/run/sampler.h"
#include "daemon/run/handover.h"
#include "lib/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

/* -b: the child samples; the parent waits for its first row and returns. */
static int
background(struct session *s)
{
	int fd[2], status;
	pid_t pid;
	char c;

	if (pipe2(fd, O_CLOEXEC) < 0 || (pid = fork()) < 0) {
		log_warn("cannot go to the background");
		return 1;
	}
	if (pid == 0) {
		close(fd[0]);
		setsid();
		s->ready = fd[1];
		return -1;
	}
	close(fd[1]);
	/* the lock of the journal is the child's now */
	if (s->journal.fd >= 0)
		close(s->journal.fd);
	s->journal.fd = -1;
	if (read(fd[0], &c, 1) == 1)
		return 0;
	/* the child ended before its first row, and has said why */
	if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
		return 1;
	return WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : 1;
}

/* --list; of events those that match the pattern. */
static int
main_list(const struct options *o, const struct model *model, struct node *node,
    struct diag *why)
{
	return o->instead.pattern != NULL ? list_events(stdout, model,
	    &node->config, o->instead.pattern, why) : list_what(stdout,
	    o->instead.list, model, node, why);
}

/* --list of what a model has, without a node. */
static int
list_model(struct session *s)
{
	const struct options *o = s->o;
	const struct model *model = NULL;
	struct diag why;
	bool events;

	if (o->instead.model != NULL &&
	    (model = model_named(o->instead.model)) == NULL) {
		char names[200] = "";

		for (const struct model *const *m = models; *m != NULL; m++)
			choices_add(names, sizeof(names), (*m)->name);
		log_warnx("--model %s: no such model; there are %s (tallyd "
		    "--list models has their CPUs)", o->instead.model, names);
		return EX_USAGE;
	}
	if (strcmp(o->instead.list, "columns") == 0) {
		log_warnx("--list columns needs a node: leave --model out, or "
		    "name a machine with --sim");
		return EX_USAGE;
	}
	events = model != NULL && strcmp(o->instead.list, "events") == 0;
	if ((events && node_configure(&s->node, o, model, &why) < 0) ||
	    main_list(o, model, events ? &s->node : NULL, &why) < 0) {
		log_warnx("%s", why.text);
		return 1;
	}
	return 0;
}

/* --list of a node; with -v of its boxes what their tables hold, too. */
static int
list_node(struct node *node, const struct options *o, struct diag *why)
{
	int rc = main_list(o, node->topo.model, node, why);

	if (rc == 0 && o->verbose && strcmp(o->instead.list, "boxes") == 0)
		list_table_words(stdout, &node->inv);
	return rc;
}

/* Prints what the options ask of the planned node in place of a run.  1: done; 0:
 * they ask for a run; -errno with words. */
static int
main_tell(struct session *s, struct diag *why)
{
	const struct options *o = s->o;
	struct node *node = &s->node;
	int rc;

	if (o->instead.list != NULL)
		rc = list_node(node, o, why);
	else if (options_print_is(o, DEFAULT_ANY))
		rc = fputs(node->config.made_default, stdout) < 0 ? -EIO : 0;
	else if (o->instead.print != NULL)
		rc = allowlist_print(stdout, node, o, why);
	else if (!o->instead.dry_run)
		return 0;
	else if ((rc = node_save(node, why)) == 0)
		dry_run_print(stdout, node);
	return rc < 0 ? rc : 1;
}

/* Samples, in a child of its own where the options say so. */
static int
main_sample(struct session *s)
{
	const struct options *o = s->o;
	struct diag why;
	int status;

	/* the child takes what names this process: the output, the pid file */
	if (o->service.background && s->handover.fd <= 0 &&
	    (status = background(s)) >= 0)
		return status;
	if (launch_wanted(o) && (status = launch_fork(s)) >= 0)
		return status;
	/* a simulated machine leaves us our rights */
	if (rights_owner(&s->output.owner, o->service.user,
	    o->service.keep_root, &why) < 0 || rights_group(&s->output.owner,
	    o->dump.group, &why) < 0 || output_find(&s->output, o->dump.file,
	    s->node.topo.host, !s->node.acc->ops->simulated, o->dump.overwrite,
	    &why) < 0) {
		handover_refused(s, &why);
		return 1;
	}
	if (o->dump.mode != 0)
		s->output.place.mode = (mode_t)o->dump.mode;
	/* the output has changed with a reload: give up the claim of the old one */
	if (s->output.had >= 0 && s->output.had != s->output.claim)
		close(s->output.had);
	return session_run(s);
}

static int
main_try_soc(struct session *s, struct diag *why)
{
	int rc;

	if (s->handover.heir)
		return diag_set(why, -ENOTSUP, "counters of the SoC are tried "
		    "before they are counted with, which takes a restart");
	if ((rc = session_journal(s, why)) == 0)
		soc_test(&s->node, s->o->node.force);
	return rc;
}

static int
main_run(struct session *s)
{
	const struct options *o = s->o;
	bool samples = o->instead.list == NULL && o->instead.print == NULL &&
	    !o->instead.dry_run;
	struct diag why;
	int rc;

	if (o->instead.print != NULL && !options_print_is(o, ALLOWLIST) &&
	    !options_print_is(o, DEFAULT_ANY)) {
		if (list_print(stdout, o->instead.print, &why) < 0)
			goto fail;
		return 0;
	}
	if (options_tell(o))
		return ask_run(o);
	if (o->instead.prove)
		return prove_run(o, &(struct prove_how){ choose_model,
		    choose_access });
	if (o->instead.list != NULL && options_of_no_node(o))
		return list_model(s);
	if (o->instead.record_node != NULL)
		return record_node(&s->node, o);
	if (node_open(&s->node, o, &why) < 0)
		goto fail;
	if (o->instead.check)
		return check_print(&s->node, o);
	if (o->instead.restore)
		return session_restore(s);
	s->node.topo.model = choose_model(&s->node, o);
	if (s->node.topo.model != NULL && (node_configure(&s->node, o,
	    s->node.topo.model, &why) < 0 ||
	    choose_access(&s->node, o, &why) < 0))
		goto fail;
	if (samples && soc_wanted(&s->node) && main_try_soc(s, &why) < 0)
		goto fail;
	if (node_plan(&s->node, &why) < 0 ||
	    (samples && !s->handover.heir && node_probe(&s->node, &why) < 0) ||
	    soc_interval(&s->node.plan, o->interval, &why) < 0)
		goto fail;
	if ((rc = main_tell(s, &why)) < 0)
		goto fail;
	if (rc > 0)
		return 0;
	return main_sample(s);
fail:
	handover_refused(s, &why);
	if (o->instead.list != NULL && s->node.topo.model == NULL &&
	    strcmp(o->instead.list, "columns") != 0)
		log_warnx("--list %s --model NAME lists those of another CPU",
		    o->instead.list);
	return 1;
}

/* Opens descriptors 0 to 2 where they are closed: a register that had one of these
 * would be written what is meant for the terminal. */
static void
standard_files(void)
{
	int fd;

	do
		if ((fd = open("/dev/null", O_RDWR)) < 0)
			fd = open("/", O_RDONLY);
	while (fd >= 0 && fd <= 2);
	if (fd > 2)
		close(fd);
}

/* A session of these options, in pages of its own: most of its 100 KB are never written,
 * and so never there.  NULL, said: out of memory. */
static struct session *
session_new(const struct options *o)
{
	struct session *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (s == MAP_FAILED) {
		log_warnx("out of memory");
		return NULL;
	}
	s->o = o;
	s->ready = s->dumped = s->journal.fd = s->writer.fd = -1;
	s->control.fd = s->pidfile.fd = -1;
	s->output.place.dir = s->output.had = -1;
	return s;
}

static void
session_free(struct session *s)
{
	session_fini(s);
	munmap(s, sizeof(*s));
}

/* Arguments of a sampler that the supervisor starts. */
struct start {
	int argc;
	char **argv;
	const struct options *o;
	int ready;
};

/* Runs a sampler of a service: the first, or one that takes over; options and
 * configuration are read anew. */
static int
sampler(void *ctx, const struct handover *h, struct notify *through)
{
	const struct start *start = ctx;
	struct options again = { .arena = NULL };
	struct session *s = session_new(h->heir ? &again : start->o);
	struct diag why;
	int status = 0;

	if (s == NULL)
		return 1;
	s->handover = *h;
	s->notify = *through;
	s->output.had = h->claim;
	if (h->heir)
		infile_roots_alone();
	if (!h->heir)
		s->ready = start->ready;
	else if ((status = options_parse(&again, start->argc, start->argv,
	    &why)) < 0 || (status = handover_may(h->first, &again, &why)) < 0) {
		handover_refused(s, &why);
		options_fini(&again);
		return 2;
	}
	status = main_run(s);
	session_free(s);
	options_fini(&again);
	return status;
}

/* Do the options ask for sampling as a service, whose configuration can be read
 * again? */
static bool
supervised(const struct options *o)
{
	return supervisor_wanted(o) && !options_tell(o) && !o->instead.check &&
	    !o->instead.prove && !o->instead.dry_run &&
	    o->instead.record_node == NULL && !o->instead.restore &&
	    o->instead.list == NULL && o->instead.print == NULL;
}

static int
supervise(const struct options *o, int argc, char **argv)
{
	struct session *s = session_new(o);
	struct start start = { argc, argv, o, -1 };
	int status;

	if (s == NULL)
		return 1;
	status = o->service.background ? background(s) : -1;
	start.ready = s->ready;
	munmap(s, sizeof(*s));
	return status >= 0 ? status :
	    supervisor_run(o, start.ready, sampler, &start);
}

/* The exit status, where what was printed could not be written. */
static int
main_printed(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	log_warnx("standard output: %s", strerror(errno));
	return status != 0 ? status : 1;
}

/* Prints the help or the version that the options ask for. */
static int
print_help(const struct options *o)
{
	if (o->instead.help)
		fputs(o->instead.help_all ? options_usage : options_help,
		    stdout);
	else
		printf("tallyd %s%s\n", version_text(), FILTER_NOTE);
	return main_printed(0);
}

/* Does what the options ask for. */
static int
main_do(const struct options *o, int argc, char **argv)
{
	struct session *s;
	int status;

	if (o->instead.help || o->instead.version)
		return print_help(o);
	log_level(o->quiet ? 0 : 1 + o->verbose);
	if (o->again.text[0] != '\0')
		log_warnx("%s", o->again.text);
	sampler_hold();
	/* before a register or a file is touched */
	if (o->program != NULL &&
	    (status = caller_finds(o->program[0])) != 0)
		return status;
	if (supervised(o))
		return main_printed(supervise(o, argc, argv));
	if ((s = session_new(o)) == NULL)
		return 1;
	status = main_printed(main_run(s));
	session_free(s);
	return status;
}

int
main(int argc, char **argv)
{
	struct options o;
	struct diag why;
	int status;

	if (gained_rights()) {
		fputs("tallyd: " GAINED_WORDS "\n", stderr);
		return 1;
	}
	standard_files();
	memory_large_apart(128 << 10);
	log_to_journal();
	signal(SIGCHLD, SIG_DFL);       /* ignored, no child could be waited for */
	if ((status = options_parse(&o, argc, argv, &why)) < 0) {
		log_warnx("%s", why.text);
		status = status == -EINVAL ? EX_USAGE : 1;
	} else
		status = main_do(&o, argc, argv);
	options_fini(&o);
	return status;
}
