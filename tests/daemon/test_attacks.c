/*
 * tests/daemon/test_attacks.c - what somebody without rights tries against a daemon of
 * root's: its store, where its dump goes, its journal.  Each is a race of 500
 * rounds with a process of user 65534.  Needs root, to become both.
 */
#include "tests/lib/named.h"
#include "tests/lib/scene.h"
#include "tests/lib/rig.h"
#include "tests/lib/sim_compare.h"

#include "config/dump/dump.h"
#include "daemon/node/journal.h"
#include "daemon/node/program.h"
#include "regs/sim/sim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534
#define ROUNDS rounds(500)

static void
root_only(void)
{
	if (geteuid() == 0)
		return;
	print_message("being attacked as root needs root\n");
	skip();
}

/* Somebody without rights, who does this until he is killed. */
static pid_t
attacker(void (*round)(const void *), const void *what)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
			_exit(1);
		for (;;)
			round(what);
	}
	assert_true(pid > 0);
	return pid;
}

static void
ended(pid_t pid)
{
	int status;

	/* it had the rights that it should, and lived */
	assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* ---- the store, and what the sampler holds ------------------------------ */

struct prey {
	pid_t pid;
	char store[512], msr[512], journal[512];
};

/* Whatever of a process can be opened to write. */
static unsigned
writable_of(pid_t pid)
{
	char path[64];
	unsigned n = 0;

	for (int fd = 3; fd < 64; fd++) {
		int got;

		snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
		if ((got = open(path, O_RDWR | O_NONBLOCK)) >= 0)
			n++;
		if (got >= 0)
			close(got);
	}
	return n;
}

static unsigned
breaches(const struct prey *p)
{
	unsigned n = writable_of(p->pid);
	char mem[64];

	snprintf(mem, sizeof(mem), "/proc/%d/mem", p->pid);
	n += open(p->store, O_RDWR) >= 0;
	n += open(p->msr, O_RDWR) >= 0;
	n += open(p->journal, O_RDONLY) >= 0;
	n += open(mem, O_RDWR) >= 0;
	n += truncate(p->store, 0) == 0;
	n += unlink(p->store) == 0;
	n += rename(p->store, p->journal) == 0;
	n += chmod(p->store, 0666) == 0;
	n += ptrace(PTRACE_SEIZE, p->pid, NULL, NULL) == 0;
	return n;
}

static void
a_stranger_gets_at_neither_store_nor_registers_of_the_user_it_became(
    void **state)
{
	struct scene s;
	struct prey p;
	int status;
	pid_t pid;

	(void)state;
	root_only();
	s = scene_begin();
	assert_int_equal(chmod(s.dir, 01777), 0);
	in_dir(s.dir, "store", p.store);
	in_dir(s.dir, "dev/cpu/0/msr", p.msr);
	in_dir(s.dir, "run/tallyd.journal", p.journal);
	p.pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "--user", "nobody"));
	tallyd_rows(s.dir, 2);
	if ((pid = fork()) == 0) {
		unsigned n = 0;

		if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
			_exit(99);
		for (unsigned i = 0; i < ROUNDS; i++)
			n += breaches(&p);
		_exit(n > 98 ? 98 : (int)n);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	kill(p.pid, SIGTERM);
	scene_ended_well(&s, tallyd_wait(p.pid), "an attack");
	assert_true(scene_dumped(&s) > 2);
	scene_end(&s);
}

/* ---- where a dump goes --------------------------------------------------- */

struct swap {
	char real[512], away[512], precious[512];
};

/* The folder that the dump is to go into, and a link to root's, in turn. */
static void
swap_folder(const void *what)
{
	const struct swap *w = what;

	if (rename(w->real, w->away) == 0 &&
	    symlink(w->precious, w->real) == 0)
		unlink(w->real);
	rename(w->away, w->real);
}

static struct store *
one_row(const char *path)
{
	static struct column column[3];
	static const char *const names[] = { "tsc", "walltime[0]",
	    "walltime[1]" };
	struct store_shape shape = { .column = column, .ncolumn = 3,
	    .ncell = 3, .capacity = 4, .preamble = "host = \"h\"\n",
	    .cell_tsc = 0, .cell_real_sec = 1, .cell_real_usec = 2 };
	struct store *st;
	struct diag why;

	for (unsigned i = 0; i < 3; i++)
		column[i] = (struct column){ .name = names[i], .cell = i,
		    .bits = 64 };
	columns_named(column, 3);
	if (store_create(&st, path, &shape, &why) < 0)
		fail_msg("%s", why.text);
	store_row(st)[0] = 1000;
	assert_int_equal(store_commit(st), 0);
	return st;
}

static unsigned
files_in(const char *path)
{
	DIR *d = opendir(path);
	unsigned n = 0;

	assert_non_null(d);
	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n - 2;
}

static void
a_folder_that_is_swapped_leads_root_nowhere(void **state)
{
	char *dir, path[512], his[512], out[512], *text;
	unsigned through = 0;
	struct swap w;
	struct store *st;
	struct diag why;
	pid_t pid;

	(void)state;
	root_only();
	dir = tree_new();
	assert_int_equal(chmod(dir, 0755), 0);
	st = one_row(in_dir(dir, "s", path));
	mkdir(in_dir(dir, "precious", w.precious), 0755);
	tree_text(dir, "/precious/d.lua", "all my keys");
	mkdir(in_dir(dir, "his", his), 0755);
	in_dir(dir, "his/logs", w.real);
	in_dir(dir, "his/away", w.away);
	mkdir(w.real, 0755);            /* root's own, in his */
	assert_int_equal(chown(his, NOBODY, NOBODY), 0);
	in_dir(dir, "his/logs/d.lua", out);
	pid = attacker(swap_folder, &w);
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct save_place place;

		if (save_open(&place, out, &why) < 0)
			continue;       /* it was away just then */
		if (save_trusted(&place, &why) == 0) {
			through++;
			save_dump(st, &place, &why);
		} else
			assert_non_null(strstr(why.text, "user 65534's"));
		save_close(&place);
	}
	ended(pid);
	assert_int_equal(through, 0);
	assert_int_equal(files_in(w.precious), 1);
	text = file_text(in_dir(dir, "precious/d.lua", path), NULL);
	assert_string_equal(text, "all my keys");
	free(text);
	store_close(st);
	tree_free(dir);
}

/* Under the name of the dump, in a folder like /tmp: links to what is root's,
 * and files of his own, in turn. */
struct plant {
	char name[512], other[512], precious[512];
};

static void
plant(const void *what)
{
	const struct plant *w = what;
	int fd;

	if (symlink(w->precious, w->other) == 0)
		rename(w->other, w->name);
	unlink(w->name);
	if ((fd = open(w->name, O_WRONLY | O_CREAT | O_EXCL, 0666)) >= 0)
		close(fd);
	unlink(w->name);
	unlink(w->other);
}

/* A round: a dump of a daemon that stays root, on SIGUSR1. */
static void
five_hundred_dumps_of_a_daemon_end_in_nothing_of_roots(void **state)
{
	char path[512], out[512], *text;
	struct plant w;
	struct scene s;
	struct stat sb;
	pid_t pid, him;

	(void)state;
	root_only();
	s = scene_begin();
	assert_int_equal(chmod(s.dir, 0755), 0);
	tree_text(s.dir, "/precious", "all my keys");
	assert_int_equal(chmod(in_dir(s.dir, "precious", w.precious), 0600), 0);
	assert_int_equal(mkdir(in_dir(s.dir, "pub", path), 0755), 0);
	assert_int_equal(chmod(path, 01777), 0);
	in_dir(s.dir, "pub/d.lua", w.name);
	in_dir(s.dir, "pub/other", w.other);
	in_dir(s.dir, "pub/d.lua", out);
	pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "--keep-root", "-o",
	    out));
	tallyd_rows(s.dir, 2);
	him = attacker(plant, &w);
	for (unsigned i = 0; i < ROUNDS; i++) {
		kill(pid, SIGUSR1);
		tallyd_rows(s.dir, 3 + i);
	}
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	ended(him);
	stand_in_same(s.dir, s.before, "500 dumps");
	text = file_text(w.precious, NULL);
	assert_string_equal(text, "all my keys");
	free(text);
	assert_int_equal(stat(w.precious, &sb), 0);
	assert_true(sb.st_uid == 0 && (sb.st_mode & 07777) == 0600);
	/* it went somewhere, and whole */
	assert_true(files_in(path) >= 1);
	scene_end(&s);
}

/* ---- the journal --------------------------------------------------------- */

struct forgery {
	char name[512], roots[512];
	const char *text;
	size_t size;
};

/* A journal of his own making, and links to what is root's, in turn. */
static void
forge(const void *what)
{
	const struct forgery *f = what;
	int fd = open(f->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);

	if (fd >= 0) {
		if (write(fd, f->text, f->size) < 0)
			_exit(1);
		close(fd);
		chmod(f->name, 0644);
	}
	unlink(f->name);
	if (symlink(f->roots, f->name) == 0)
		unlink(f->name);
}

static void
a_journal_that_somebody_plants_writes_no_register(void **state)
{
	struct rig *rig;
	struct journal j = { .fd = -1 };
	struct forgery f;
	unsigned refused = 0;
	char *dir, *roots;
	struct diag why;
	uint64_t writes;
	pid_t pid;

	(void)state;
	root_only();
	dir = tree_new();
	rig = rig_text("", "imc CAS event=4,umask=3\n");
	in_dir(dir, "roots", f.roots);
	/* true in all but whose it is */
	if (journal_open(&j, f.roots, rig->node.acc, &why) < 0 ||
	    program_save(&rig->node.plan, rig->node.acc, &why) < 0 ||
	    journal_write(&j, &rig->node, &why) < 0 ||
	    program_write(&rig->node.plan, rig->node.acc, &why) < 0)
		fail_msg("%s", why.text);
	journal_leave(&j);
	f.text = roots = file_text(f.roots, &f.size);
	in_dir(dir, "journal", f.name);
	assert_int_equal(chmod(dir, 01777), 0);
	writes = sim_writes(rig_sim(rig));
	pid = attacker(forge, &f);
	/* and until he has begun */
	for (unsigned i = 0; i < ROUNDS || refused == 0; i++) {
		int rc = journal_restore(f.name, &rig->node, true, &why);

		if (rc != -ENOENT && rc != -EACCES && rc != -ELOOP)
			fail_msg("%d: %s", rc, why.text);
		refused += rc != -ENOENT;
		/* nor does it hold a start up for longer than it is there, or
		 * is taken for ours */
		if (journal_open(&j, f.name, rig->node.acc, &why) == 0)
			journal_done(&j);
	}
	ended(pid);
	assert_true(refused > 0);
	assert_true(sim_writes(rig_sim(rig)) == writes);
	unlink(f.name);
	/* root's own, untouched by all that */
	assert_true(journal_restore(f.roots, &rig->node, false, &why) > 0);
	free(roots);
	rig_close(rig);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_stranger_gets_at_neither_store_nor_registers_of_the_user_it_became),
		cmocka_unit_test(a_folder_that_is_swapped_leads_root_nowhere),
		cmocka_unit_test(
		    five_hundred_dumps_of_a_daemon_end_in_nothing_of_roots),
		cmocka_unit_test(
		    a_journal_that_somebody_plants_writes_no_register),
	};

	umask(022);
	return cmocka_run_group_tests_name("attacks", tests, NULL, NULL);
}
