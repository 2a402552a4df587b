/*
 * daemon/main.c - tallyd: options, the order of things, one ending.
 */
#include "config/dump.h"
#include "config/store.h"
#include "daemon/check.h"
#include "daemon/choose.h"
#include "daemon/drambw.h"
#include "daemon/journal.h"
#include "daemon/list.h"
#include "daemon/log.h"
#include "daemon/node.h"
#include "daemon/preamble.h"
#include "daemon/program.h"
#include "daemon/replay.h"
#include "daemon/rights.h"
#include "daemon/sampler.h"
#include "daemon/soc.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct run {
	const struct options *o;
	struct node node;
	struct store *store;
	char output[4096];
	struct dump_place place;        /* at the start: to write into */
	uint64_t samples;
	struct owner owner;             /* whose the output is */
	struct journal journal;
	struct reading reading;
	const char *schedule;
	double dram_max[MAX_PKG];       /* bytes/s by NUMA node */
	FILE *pidfile;                  /* ours; NULL: not written */
	pid_t dumper;                   /* the last child that wrote a dump */
	cpu_set_t lprocs[8];            /* where we may run: 8192 bits */
	int ready;                      /* pipe to the waiting parent; -1 */
};

/* Can a dump be put there?  0 or -errno. */
static int
try_output(const char *path)
{
	char temp[4096 + 8];
	struct stat sb;
	int fd;

	if (stat(path, &sb) == 0 && S_ISDIR(sb.st_mode))
		return -EISDIR;
	if (dump_place(path).ino != 0)
		return 0;               /* it is written to, not replaced */
	snprintf(temp, sizeof(temp), "%s.XXXXXX", path);
	if ((fd = mkostemp(temp, O_CLOEXEC)) < 0)
		return -errno;
	close(fd);
	unlink(temp);
	return 0;
}

/* The same, by whoever writes it in the end. */
static int
try_output_as(const char *path, const struct owner *owner)
{
	int status, rc;
	pid_t pid;

	if (geteuid() != 0 || owner->uid <= 0)
		return try_output(path);
	if ((pid = fork()) == 0) {
		if ((rc = rights_become(owner)) == 0)
			rc = try_output(path);
		_exit(-rc);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -errno;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

/* Where the dump will go, told wrong now rather than after the run. */
static int
find_output(struct run *r, struct diag *why)
{
	static const struct owner nobody = { -1, -1 };
	const char *name = r->o->output;
	char user[32] = "";
	bool real = r->node.acc->ops->visit != NULL;
	int rc;

	if (name != NULL && (name[0] == '\0' || strlen(name) >=
	    sizeof(r->output) - 8))
		return diag_set(why, -EINVAL, "-o: the name is %s",
		    name[0] == '\0' ? "empty" : "too long");
	if (name != NULL)
		strcpy(r->output, name);
	else
		snprintf(r->output, sizeof(r->output), "%s.perfcounts.lua",
		    r->node.topo.host);
	r->place = dump_place(r->output);
	/* a simulated machine leaves us our rights */
	rc = try_output_as(r->output, real ? &r->owner : &nobody);
	if (rc == -EISDIR)
		return diag_set(why, rc, "-o %s: it is a directory; name a "
		    "file in it", r->output);
	if (real && r->owner.uid > 0)
		snprintf(user, sizeof(user), " as user %d", r->owner.uid);
	return rc == 0 ? 0 : diag_set(why, rc, "cannot write the dump %s%s: "
	    "%s; name another place with -o", r->output, user, strerror(-rc));
}

static int
make_store(struct run *r, struct diag *why)
{
	const struct plan *plan = &r->node.plan;
	struct preamble_info info = { .interval = r->o->interval,
	    .replay = r->node.replay,
	    .access = r->node.config.perf ? "perf" : r->node.acc->ops->name, .version = TALLYD_VERSION,
	    .schedule = r->schedule, .reading = &r->reading,
	    .config = &r->node.config, .dram_max = r->dram_max,
	    .measure_tsc = r->node.replay == NULL };
	struct store_shape shape = { .column = plan->column,
	    .ncolumn = plan->ncolumn, .ncell = plan->ncell,
	    .capacity = r->samples, .cell_tsc = CELL_TSC,
	    .cell_real_sec = CELL_SEC, .cell_real_usec = CELL_USEC,
	    .cell_mono = CELL_MONO };
	char path[64], *preamble;
	int rc;

	r->node.acc->ops->now(r->node.acc, &info.start);
	preamble = preamble_make(plan, &r->node.topo, &r->node.inv,
	    r->node.acc, &info);
	if (preamble == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	shape.preamble = preamble;
	snprintf(path, sizeof(path), "/dev/shm/tallyd-%d.store", getpid());
	rc = store_create(&r->store, r->o->store != NULL ? r->o->store : path,
	    &shape, why);
	free(preamble);
	if (rc == 0 && (rc = store_give(r->store, r->owner.uid, r->owner.gid,
	    r->o->share)) < 0)
		diag_set(why, rc, "store %s: %s", store_path(r->store),
		    strerror(-rc));
	return rc;
}

/* Is it a store of ours or of root's whose daemon died?  Anybody may put files
 * there: it is not waited for, no link is followed, and nothing is mapped that
 * somebody could cut meanwhile. */
static bool
dead_store(const char *path, const struct owner *owner)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
	    O_CLOEXEC);
	struct stat sb;
	bool dead;

	if (fd < 0)
		return false;
	dead = fstat(fd, &sb) == 0 && S_ISREG(sb.st_mode) &&
	    (sb.st_uid == 0 || sb.st_uid == geteuid() ||
	    (int)sb.st_uid == owner->uid) && flock(fd, LOCK_SH | LOCK_NB) == 0;
	close(fd);
	return dead;
}

/* Stores whose daemon died: said, never touched. */
static void
find_stores(const struct owner *owner)
{
	glob_t g;

	if (glob("/dev/shm/tallyd-*.store", 0, NULL, &g) != 0)
		return;
	for (size_t i = 0; i < g.gl_pathc; i++)
		if (dead_store(g.gl_pathv[i], owner))
			log_info("a tallyd that died left its samples in %s: "
			    "`tally dump` writes them out, then remove it",
			    g.gl_pathv[i]);
	globfree(&g);
}

/* Where the register journal is: real machines have one, a simulated one
 * that dies takes its registers with it. */
static void
journal_place(const struct options *o, char *path, size_t size)
{
	size_t n = strlen(o->root);

	while (n > 0 && o->root[n - 1] == '/')
		n--;
	if (o->journal != NULL)
		snprintf(path, size, "%s", o->journal);
	else
		snprintf(path, size, "%.*s/run/tallyd.journal", (int)n,
		    o->root);
}

/* And its lock, which keeps two daemons from the same registers. */
static int
take_journal(struct run *r, struct diag *why)
{
	char path[4096];

	if (r->journal.fd >= 0 || (r->o->journal == NULL &&
	    (r->o->sim != NULL || r->o->replay != NULL)))
		return 0;
	journal_place(r->o, path, sizeof(path));
	return journal_open(&r->journal, path, r->node.acc, why);
}

/* --restore */
static int
restore(struct run *r)
{
	struct diag why;
	char path[4096];
	int n;

	journal_place(r->o, path, sizeof(path));
	n = journal_restore(path, &r->node, r->o->force, &why);
	if (n < 0) {
		log_warnx("%s", why.text);
		return n == -ENOENT ? 0 : 1;
	}
	log_info("%d registers put back and verified", n);
	return 0;
}

/* The first row is in: the parent of -b may return. */
static void
first_row(void *ctx)
{
	struct run *r = ctx;
	int null;

	if (r->ready < 0)
		return;
	if (write(r->ready, "", 1) < 0) {
		log_warnx("interrupted before the first sample was in");
		raise(SIGTERM);
	}
	close(r->ready);
	r->ready = -1;
	log_to_syslog();
	if ((null = open("/dev/null", O_RDWR)) >= 0) {
		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		if (null > 2)
			close(null);
	}
}

/* SIGUSR1: a child writes, so that no sample waits for the disk; one at a
 * time, or a few impatient signals would fill it. */
static bool
dump_now(void *ctx)
{
	struct run *r = ctx;
	struct diag why;

	if (r->dumper > 0 && waitpid(r->dumper, NULL, WNOHANG) == 0)
		return false;
	if ((r->dumper = fork()) != 0)
		return r->dumper > 0;
	/* not on the lproc that was visited last alone */
	sched_setaffinity(0, sizeof(r->lprocs), r->lprocs);
	/* the journal's lock is the daemon's: were it killed, this would hold
	 * up its --restore */
	if (r->journal.fd >= 0)
		close(r->journal.fd);
	if (dump_save(r->store, r->output, r->place, r->owner.uid,
	    r->owner.gid, &why) < 0)
		log_warnx("%s", why.text);
	_exit(0);
}

/* One ending, however it comes about; returns the exit status. */
static int
finish(struct run *r, int sig)
{
	uint64_t rows = store_rows(r->store);
	struct diag why;
	unsigned failed;
	int status = 0, rc;

	if ((failed = program_restore(&r->node.plan, r->node.acc, &why)) > 0) {
		log_warnx("%u registers could not be restored; %s; the "
		    "journal %s is kept for --restore", failed, why.text,
		    r->journal.path);
		status = 1;
	} else
		journal_done(&r->journal);
	if (r->node.acc->ops->visit != NULL)
		rights_ordinary();
	/* or it would put its older dump in the place of the last one */
	if (r->dumper > 0)
		waitpid(r->dumper, NULL, 0);
	if (dump_save(r->store, r->output, r->place, r->owner.uid,
	    r->owner.gid, &why) < 0) {
		log_warnx("%s", why.text);
		log_warnx("the %" PRIu64 " samples are safe in %s: `tally dump"
		    " %s > FILE` writes the dump", rows, store_path(r->store),
		    store_path(r->store));
		return 1;
	}
	log_info("%" PRIu64 " sample%s in %s (%s)", rows, rows == 1 ? "" : "s",
	    r->output, sig == 0 ? "all that were asked for" : strsignal(sig));
	if ((rc = store_unlink(r->store)) < 0)
		log_warnx("store %s: %s; it is of no more use",
		    store_path(r->store), strerror(-rc));
	return status;
}

static int
write_pidfile(struct run *r, struct diag *why)
{
	const char *path = r->o->pidfile;
	struct stat sb;
	int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK |
	    O_NOCTTY | O_CLOEXEC, 0666);

	if (fd < 0 && errno == ELOOP)
		return diag_set(why, -ELOOP, "pidfile %s: it is a link; name "
		    "a file", path);
	if (fd < 0 || fstat(fd, &sb) < 0 ||
	    (S_ISREG(sb.st_mode) && ftruncate(fd, 0) < 0) ||
	    (r->pidfile = fdopen(fd, "w+")) == NULL ||
	    fprintf(r->pidfile, "%d\n", getpid()) < 0 ||
	    fflush(r->pidfile) != 0)
		return diag_set(why, -errno, "pidfile %s: %s", path,
		    strerror(errno));
	return 0;
}

/* Unless it is by now another daemon's, or was never a file of its own.  Where
 * it cannot be removed it is emptied: no pid that means somebody else. */
static void
remove_pidfile(struct run *r)
{
	const char *path = r->o->pidfile;
	struct stat ours, there;
	long pid = 0;

	rewind(r->pidfile);
	if (fstat(fileno(r->pidfile), &ours) == 0 && S_ISREG(ours.st_mode) &&
	    lstat(path, &there) == 0 && there.st_ino == ours.st_ino &&
	    there.st_dev == ours.st_dev &&
	    fscanf(r->pidfile, "%ld", &pid) == 1 && pid == getpid() &&
	    unlink(path) < 0 && ftruncate(fileno(r->pidfile), 0) < 0)
		log_warn("pidfile %s", path);
	fclose(r->pidfile);
	r->pidfile = NULL;
}

/* An interval in which a counter could wrap twice makes its totals ambiguous;
 * tally marks them, and here it is said while it can be changed. */
static void
warn_interval(const struct run *r)
{
	const struct plan_family *worst = NULL;
	const struct plan *plan = &r->node.plan;
	unsigned n = 0;

	for (unsigned i = 0; i < plan->nfamily; i++) {
		const struct plan_family *f = &plan->family[i];

		if (plan_wrap_seconds(f) > r->o->interval)
			continue;
		n++;
		if (worst == NULL ||
		    plan_wrap_seconds(f) < plan_wrap_seconds(worst))
			worst = f;
	}
	if (n > 0)
		log_warnx("an interval of %g s is too long for %u famil%s of "
		    "counters: %s could wrap every %.0f s, and its totals be "
		    "ambiguous", r->o->interval, n, n == 1 ? "y" : "ies",
		    worst->name, plan_wrap_seconds(worst));
}

/* What must hold before the first register is written. */
static int
prepare(struct run *r, struct diag *why)
{
	struct plan *plan = &r->node.plan;
	uint64_t *row;
	int rc;

	sampler_signals();
	if ((plan->nwrite > 0 && (rc = take_journal(r, why)) < 0) ||
	    (rc = program_save(plan, r->node.acc, why)) < 0)
		return rc;
	if (!r->node.config.perf && check_unreadable(&r->node, why) > 0)
		log_warnx("%s", why->text);
	if ((rc = check_in_use(&r->node, why)) < 0) {
		if (!r->o->force)
			return rc;
		log_warnx("--force: %s", why->text);
	}
	sched_getaffinity(0, sizeof(r->lprocs), r->lprocs);
	/* before a visit ties this thread, and what it starts, to an lproc */
	if (r->o->measure_dram && (rc = drambw_measure(&r->node.topo,
	    r->dram_max, MAX_PKG, why)) < 0)
		return rc;
	r->schedule = r->node.acc->ops->visit != NULL ? rights_schedule() :
	    "as it is";
	if ((row = calloc(plan->ncell, sizeof(row[0]))) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	rc = reading_init(&r->reading, plan, r->node.acc, r->o->read,
	    r->o->cpu, row, why);
	free(row);
	/* measured in the class of the loop; a large store takes longer than
	 * that class allows */
	if (r->node.acc->ops->visit != NULL)
		rights_ordinary();
	r->reading.reassert = r->o->reassert;
	if (rc < 0)
		return rc;
	warn_interval(r);
	if (r->node.config.perf)
		log_info("access %s", r->node.how);
	log_debug("reading: %s; %s", r->reading.why, r->schedule);
	find_stores(&r->owner);
	if ((rc = make_store(r, why)) < 0 || (r->o->pidfile != NULL &&
	    (rc = write_pidfile(r, why)) < 0))
		return rc;
	return journal_write(&r->journal, &r->node, why);
}

/* Program, sample, restore, dump. */
static int
sample(struct run *r)
{
	struct sampler s = { .plan = &r->node.plan, .acc = r->node.acc,
	    .reading = &r->reading, .interval_ns = r->o->interval_ns,
	    .samples = r->samples, .watch_every = r->o->watch,
	    .rotate_every = r->o->rotate,
	    .max_overhead = r->o->max_overhead, .first_row = first_row,
	    .dump_now = dump_now, .ctx = r };
	struct plan *plan = &r->node.plan;
	struct diag why, undo;
	int status;

	if (prepare(r, &why) < 0)
		goto fail;
	if (r->node.acc->ops->visit != NULL) {
		rights_schedule();
		rights_lock();
		store_unlock(r->store);
	}
	if (program_write(plan, r->node.acc, &why) < 0 ||
	    (r->node.acc->ops->visit != NULL &&
	    rights_drop(&r->owner, plan->nopened > 0,
	    perf_wants_admin(r->node.acc), &why) < 0)) {
		if (program_restore(plan, r->node.acc, &undo) > 0)
			log_warnx("%s", undo.text);
		else
			journal_done(&r->journal);
		if (r->node.acc->ops->visit != NULL)
			rights_ordinary();
		goto fail;
	}
	for (unsigned i = 0; i < plan->nnote; i++)
		log_debug("not sampled: %s", plan->note[i]);
	log_info("%u columns every %g s; stop with kill -CONT %d",
	    plan->ncolumn, r->o->interval, getpid());
	s.store = r->store;
	status = finish(r, sampler_run(&s));
	goto out;
fail:
	log_warnx("%s", why.text);
	if (r->store != NULL)
		store_unlink(r->store);
	status = 1;
out:
	if (r->pidfile != NULL)
		remove_pidfile(r);
	return status;
}

/* -b: the child goes on; the parent waits for its first row. */
static int
background(struct run *r)
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
		r->ready = fd[1];
		return -1;
	}
	close(fd[1]);
	if (read(fd[0], &c, 1) == 1)
		return 0;
	/* it ended before the first row and has said why */
	if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
		return 1;
	return WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : 1;
}

static int
run(struct run *r)
{
	const struct options *o = r->o;
	const struct model *model = NULL;
	struct diag why;
	int status;

	if (o->list != NULL && (o->model != NULL ||
	    strcmp(o->list, "models") == 0)) {
		if (o->model != NULL &&
		    (model = model_named(o->model)) == NULL) {
			log_warnx("--model %s: no such model; `tallyd --list "
			    "models` tells which there are", o->model);
			return 1;
		}
		if (strcmp(o->list, "columns") == 0) {
			log_warnx("--list columns needs a node: leave --model "
			    "out, or name a machine with --sim");
			return 1;
		}
		if ((model != NULL && strcmp(o->list, "events") == 0 &&
		    node_configure(&r->node, o, model, &why) < 0) ||
		    list_what(o->list, model, model == NULL ||
		    strcmp(o->list, "events") != 0 ? NULL : &r->node,
		    &why) < 0)
			goto fail;
		return 0;
	}
	if (node_open(&r->node, o, &why) < 0)
		goto fail;
	if (o->check)
		return check_print(&r->node, o);
	if (o->restore)
		return restore(r);
	r->node.topo.model = choose_model(&r->node, o);
	if (r->node.topo.model != NULL && (node_configure(&r->node, o,
	    r->node.topo.model, &why) < 0 ||
	    choose_access(&r->node, o, &why) < 0))
		goto fail;
	if (o->list == NULL && !o->dry_run && soc_wanted(&r->node)) {
		if (take_journal(r, &why) < 0)
			goto fail;
		soc_test(&r->node, o->force);
	}
	if (node_plan(&r->node, &why) < 0 ||
	    soc_interval(&r->node.plan, o->interval, &why) < 0)
		goto fail;
	if (o->list != NULL) {
		if (list_what(o->list, r->node.topo.model, &r->node, &why) < 0)
			goto fail;
		return 0;
	}
	if (o->dry_run) {
		if (program_save(&r->node.plan, r->node.acc, &why) < 0)
			goto fail;
		list_dry_run(&r->node);
		return 0;
	}
	/* a recording ends */
	r->samples = o->samples;
	if (r->node.replay != NULL &&
	    replay_samples(r->node.replay) < r->samples)
		r->samples = replay_samples(r->node.replay);
	if (rights_owner(&r->owner, o->user, &why) < 0 ||
	    find_output(r, &why) < 0)
		goto fail;
	if (o->background && (status = background(r)) >= 0)
		return status;
	return sample(r);
fail:
	log_warnx("%s", why.text);
	return 1;
}

/* A register's descriptor must not be number 0, 1 or 2: what is meant for the
 * terminal would be written to the register. */
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

int
main(int argc, char **argv)
{
	struct options o;
	struct run r = { .o = &o, .ready = -1, .journal = { .fd = -1 } };
	struct diag why;
	int status;

	standard_files();
	signal(SIGCHLD, SIG_DFL);       /* ignored, no child could be waited for */
	if (options_parse(&o, argc, argv, &why) < 0) {
		log_warnx("%s", why.text);
		return 2;
	}
	if (o.help) {
		fputs(options_usage, stdout);
		return 0;
	}
	if (o.version) {
		puts("tallyd " TALLYD_VERSION);
		return 0;
	}
	log_level(o.quiet ? 0 : 1 + o.verbose);
	sampler_hold();
	status = run(&r);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		log_warnx("standard output: %s", strerror(errno));
		status = status != 0 ? status : 1;
	}
	store_close(r.store);
	reading_fini(&r.reading);
	node_close(&r.node);
	return status;
}
