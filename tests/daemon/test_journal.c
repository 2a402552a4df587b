/*
 * tests/daemon/test_journal.c - the journal, a file with the values that registers held
 * before a run.  If the daemon dies, `tallyd --restore` writes them back from it.  Most
 * tests run on a simulated node, and compare every register with those of an untouched
 * one.
 */
#include "tests/lib/stand_in.h"
#include "tests/lib/sim_compare.h"
#include "tests/lib/rig.h"

#include "daemon/node/journal.h"
#include "daemon/node/program.h"
#include "regs/sim/sim.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CONFIG \
	"core A event=0xc0,counter=0\ncore fixed\nimc CAS event=4,umask=3\n" \
	"imc fixed\ncha B event=0x3d,umask=1\ncha filter1=0x3b\n" \
	"upi C event=2,umask=0xf\npcu D event=0x74\nubox fixed\n"

/* A file that another process removes after the journal was opened and before it is
 * locked; NULL: none. */
static const char *removed_before_lock;

/* Called in place of libc's. */
int
flock(int fd, int operation)
{
	if (removed_before_lock != NULL)
		unlink(removed_before_lock);
	removed_before_lock = NULL;
	return (int)syscall(SYS_flock, fd, operation);
}

struct scene {
	char *dir;
	char path[512];
	struct rig *rig;
	struct rig *before;     /* the same node, untouched */
};

static struct scene
begin(void)
{
	struct scene s = { .dir = tree_new(), .rig = rig_text("", CONFIG),
	    .before = rig_text("", CONFIG) };

	in_dir(s.dir, "journal", s.path);
	return s;
}

static void
end(struct scene *s)
{
	rig_close(s->rig);
	rig_close(s->before);
	tree_free(s->dir);
}

/* A daemon starts, programs the registers and dies: the kernel frees its lock, its
 * journal stays. */
static void
die_sampling(struct scene *s)
{
	struct journal j = { .fd = -1 };
	struct plan *plan = &s->rig->node.plan;
	struct diag why;

	if (journal_open(&j, s->path, s->rig->node.acc, &why) < 0 ||
	    program_save(plan, s->rig->node.acc, &why) < 0 ||
	    journal_write(&j, &s->rig->node, &why) < 0 ||
	    program_write(plan, s->rig->node.acc, &why) < 0)
		fail_msg("%s", why.text);
	close(j.fd);
	assert_true(sim_compare(rig_sim(s->rig), rig_sim(s->before), &why) < 0);
}

static int
restore(struct scene *s, struct diag *why)
{
	struct node *n = &s->rig->node;

	return journal_restore(s->path, n, false, why);
}

/* The CRC-32 of zlib, which ends every line of a journal. */
static uint32_t
crc32_of(const char *text)
{
	uint32_t crc = 0xffffffff;

	for (; *text != '\0'; text++)
		for (unsigned bit = 0; bit < 8; bit++) {
			bool odd = (crc ^ ((uint8_t)*text >> bit)) & 1;

			crc = crc >> 1 ^ (odd ? 0xedb88320 : 0);
		}
	return ~crc;
}

/* Writes a journal with one record, as a daemon that died would have left it; its head
 * says that it has `registers` of them. */
static void
forge_of(struct scene *s, const char *record, unsigned registers)
{
	char head[256], line[256], text[1024];
	int n;

	snprintf(line, sizeof(line), "0 %s", record);
	n = snprintf(head, sizeof(head), "tallyd-journal 2 pid 1 boot - "
	    "registers %u bytes %zu", registers, 2 * 160 + 2 * (strlen(line) + 11));
	snprintf(head + n, sizeof(head) - (size_t)n, "%*s", 149 - n, "");
	snprintf(text, sizeof(text), "%s #%08x\n%s #%08x\n%s #%08x\n%s #%08x\n",
	    head, crc32_of(head), line, crc32_of(line), line, crc32_of(line),
	    head, crc32_of(head));
	tree_text(s->dir, "/journal", text);
}

/* The same, where the head says 1, as is right. */
static void
forge(struct scene *s, const char *record)
{
	forge_of(s, record, 1);
}

/* Fails the test unless every register is as before the run. */
static void
as_found(struct scene *s)
{
	rig_same(s->rig, s->before);
}

static void
a_living_daemon_keeps_others_away(void **state)
{
	struct scene s = begin();
	struct journal j = { .fd = -1 }, other = { .fd = -1 };
	struct diag why;
	char pid[32];

	(void)state;
	assert_int_equal(journal_open(&j, s.path, s.rig->node.acc, &why), 0);
	assert_int_equal(program_save(&s.rig->node.plan, s.rig->node.acc,
	    &why), 0);
	assert_int_equal(journal_write(&j, &s.rig->node, &why), 0);
	assert_int_equal(journal_open(&other, s.path, s.rig->node.acc, &why), -EBUSY);
	snprintf(pid, sizeof(pid), "(pid %d)", getpid());
	assert_non_null(strstr(why.text, pid));
	assert_int_equal(restore(&s, &why), -EBUSY);
	assert_int_equal(sim_writes(rig_sim(s.rig)), 0);
	journal_done(&j);
	assert_int_equal(access(s.path, F_OK), -1);
	end(&s);
}

static void
a_daemon_that_starts_is_known_by_its_pid(void **state)
{
	struct scene s = begin();
	struct journal j = { .fd = -1 }, other = { .fd = -1 };
	struct diag why;
	char pid[32];
	int fd;

	(void)state;
	assert_int_equal(journal_open(&j, s.path, s.rig->node.acc, &why), 0);
	assert_int_equal(journal_open(&other, s.path, s.rig->node.acc, &why),
	    -EBUSY);
	snprintf(pid, sizeof(pid), "(pid %d)", getpid());
	assert_non_null(strstr(why.text, pid));
	journal_done(&j);
	/* it has the lock, but has not written its pid yet: the message must
	 * not name process 0 */
	tree_text(s.dir, "/journal", "");
	fd = open(s.path, O_RDWR);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(journal_open(&other, s.path, s.rig->node.acc, &why),
	    -EBUSY);
	assert_string_equal(why.text, "another tallyd is starting on this "
	    "node");
	close(fd);
	end(&s);
}

static void
looking_finds_what_a_start_would_and_changes_nothing(void **state)
{
	struct scene s = begin();
	struct access *acc = s.rig->node.acc;
	struct journal j = { .fd = -1 };
	struct diag why;
	char *before, *after;

	(void)state;
	assert_int_equal(journal_look(s.path, acc, &why), 0);
	assert_int_equal(access(s.path, F_OK), -1);
	assert_int_equal(journal_open(&j, s.path, acc, &why), 0);
	assert_int_equal(journal_look(s.path, acc, &why), -EBUSY);
	assert_non_null(strstr(why.text, "another tallyd (pid "));
	journal_done(&j);
	die_sampling(&s);
	before = file_text(s.path, NULL);
	assert_int_equal(journal_look(s.path, acc, &why), -EBUSY);
	assert_non_null(strstr(why.text, "`tallyd --restore`"));
	after = file_text(s.path, NULL);
	assert_string_equal(before, after);
	free(before);
	free(after);
	tree_text(s.dir, "/journal", "127.0.0.1 localhost\n");
	assert_int_equal(journal_look(s.path, acc, &why), -EINVAL);
	end(&s);
}

static void
a_finished_journal_leaves_nothing_to_do(void **state)
{
	struct scene s = begin();
	struct journal j = { .fd = -1 };
	struct diag why;

	(void)state;
	assert_int_equal(restore(&s, &why), -ENOENT);
	assert_int_equal(journal_open(&j, s.path, s.rig->node.acc, &why), 0);
	journal_done(&j);
	assert_int_equal(restore(&s, &why), -ENOENT);
	/* a journal without a record stays where it could not be removed, or
	 * where its daemon died before it wrote any register */
	assert_int_equal(journal_open(&j, s.path, s.rig->node.acc, &why), 0);
	journal_leave(&j);
	assert_int_equal(journal_look(s.path, s.rig->node.acc, &why), 0);
	assert_int_equal(restore(&s, &why), -ENOENT);
	assert_non_null(strstr(why.text, "had changed no register"));
	assert_int_equal(access(s.path, F_OK), -1);
	/* an empty file: whether registers were changed is not known */
	tree_text(s.dir, "/journal", "");
	assert_int_equal(restore(&s, &why), -ENODATA);
	assert_non_null(strstr(why.text, "was empty"));
	assert_int_equal(sim_writes(rig_sim(s.rig)), 0);
	end(&s);
}

static void
an_unfinished_journal_puts_every_register_back(void **state)
{
	struct scene s = begin();
	struct journal j = { .fd = -1 };
	struct diag why;
	int n;

	(void)state;
	die_sampling(&s);
	assert_int_equal(journal_open(&j, s.path, s.rig->node.acc, &why), -EBUSY);
	assert_non_null(strstr(why.text, "tallyd --restore"));
	n = restore(&s, &why);
	if (n < 0)
		fail_msg("%s", why.text);
	/* 96 lprocs x 3, 12 channels x 2, 48 CHAs x 2, 6 links, ... */
	assert_true(n >= 96 * 3 + 12 * 2 + 48 * 2);
	as_found(&s);
	assert_int_equal(access(s.path, F_OK), -1);
	assert_int_equal(journal_open(&j, s.path, s.rig->node.acc, &why), 0);
	journal_done(&j);
	end(&s);
}

static void
a_journal_that_was_being_written_changes_nothing(void **state)
{
	struct scene s = begin();
	struct journal j = { .fd = -1 };
	struct diag why;
	char idle[160], *text;
	size_t size;
	int fd;

	(void)state;
	/* records are written first and the head last: as long as the head is
	 * the first one, `idle`, no register was changed */
	assert_int_equal(journal_open(&j, s.path, s.rig->node.acc, &why), 0);
	assert_int_equal(pread(j.fd, idle, 160, 0), 160);
	journal_done(&j);
	die_sampling(&s);
	text = file_text(s.path, &size);
	for (size_t n = 160; n <= size; n += n == 160 ? 1 : 997) {
		tree_put(s.dir, "/journal", text, n);
		fd = open(s.path, O_WRONLY);
		assert_int_equal(pwrite(fd, idle, 160, 0), 160);
		close(fd);
		assert_int_equal(journal_restore(s.path, &s.before->node,
		    false, &why), -ENOENT);
		assert_int_equal(sim_writes(rig_sim(s.before)), 0);
	}
	tree_put(s.dir, "/journal", text, size);
	assert_true(restore(&s, &why) > 0);
	as_found(&s);
	free(text);
	end(&s);
}

/* The checksums are zlib's own, not crc32_of's. */
#define RECORD "0 msr 3 0x186 8 0x0 0x5300c0 0xffffffff -1 CORE of lproc 3 ctl0" \
	" #932b11fe\n"
#define HEAD "tallyd-journal 2 pid 4711 boot - registers 1 bytes 468" \
	"                                                                     " \
	"                           #90fb18f5\n"

static void
the_format_is_the_one_that_is_documented(void **state)
{
	const struct reg_addr ctl0 = { REG_MSR, 8, 3, 0x186 };
	struct scene s = begin();
	struct diag why;
	uint64_t raw;

	(void)state;
	assert_int_equal(sizeof(HEAD), 161);
	assert_int_equal(access_write(s.rig->node.acc, &ctl0, 0x5300c0), 0);
	tree_text(s.dir, "/journal", HEAD RECORD RECORD HEAD);
	assert_int_equal(restore(&s, &why), 1);
	assert_string_equal(why.text, "1 register put back and verified");
	assert_int_equal(access_read(s.rig->node.acc, &ctl0, &raw), 0);
	assert_int_equal(raw, 0);
	end(&s);
}

static void
only_registers_of_the_tables_are_written_whatever_it_says(void **state)
{
	static const struct { int line; const char *text; } forged[] = {
		{ __LINE__, "msr 0 0x1a0 8 0x1 0x2 0xffffffffffffffff -1 x" },
		{ __LINE__, "msr 0 0x199 8 0x1 0x2 0xffffffffffffffff -1 x" },
		/* a counter is read, never written */
		{ __LINE__, "msr 0 0xc1 8 0x1 0x2 0xffffffffffffffff -1 x" },
		{ __LINE__, "msr 0 0xe08 8 0x1 0x2 0xffffffffffffffff -1 x" },
		/* an lproc that there is not; a CHA that is fused off */
		{ __LINE__, "msr 96 0x186 8 0x1 0x2 0xff -1 x" },
		{ __LINE__, "msr 4294967295 0x186 8 0x1 0x2 0xff -1 x" },
		{ __LINE__, "msr 0 0xf91 8 0x1 0x2 0xff -1 x" },
		/* a BAR of a memory channel; its box control, too wide; a
		 * function that is no box; offsets between registers */
		{ __LINE__, "pci 14930 0x10 4 0x1 0x2 0xffffffff -1 x" },
		{ __LINE__, "pci 14930 0xf4 8 0x1 0x2 0xffffffffffffffff -1 x" },
		{ __LINE__, "pci 248 0xd8 4 0x1 0x2 0xffffffff -1 x" },
		{ __LINE__, "pci 14930 0xda 4 0x1 0x2 0xffffffff -1 x" },
		{ __LINE__, "mmio 0 0xfed00000 4 0x1 0x2 0xffffffff -1 x" },
		{ __LINE__, "sideband 0 0x0 4 0x1 0x2 0xffffffff -1 x" },
		{ __LINE__, "nonsense 0 0x186 8 0x1 0x2 0xff -1 x" },
		{ __LINE__, "msr 0 0x186 264 0x1 0x2 0xff -1 x" },
		{ __LINE__, "msr 0 0x186 4 0x1 0x2 0xff -1 x" },
	};
	struct scene s = begin();
	struct diag why;
	size_t size;
	char *text;

	(void)state;
	die_sampling(&s);
	text = file_text(s.path, &size);
	/* the channel that the lines above mean is one of this node's */
	assert_non_null(strstr(text, " pci 14930 0xd8 4 "));
	for (size_t i = 0; i < sizeof(forged) / sizeof(forged[0]); i++) {
		char *kept, *then;
		uint64_t writes;

		forge(&s, forged[i].text);
		kept = file_text(s.path, NULL);
		writes = sim_writes(rig_sim(s.rig));
		if (restore(&s, &why) >= 0 ||
		    sim_writes(rig_sim(s.rig)) != writes ||
		    strstr(why.text, "none of this node's counters") == NULL)
			fail_msg("the line of %d was obeyed: %s",
			    forged[i].line, why.text);
		/* the journal stays, so that its owner can look at it */
		then = file_text(s.path, NULL);
		assert_string_equal(kept, then);
		free(kept);
		free(then);
	}
	/* one forged line among good ones: those are still put back */
	{
		char record[256], *both = NULL;

		snprintf(record, sizeof(record), "1000 %s",
		    forged[0].text);
		assert_true(asprintf(&both, "%.*s%s #%08x\n%s", (int)size -
		    160, text, record, crc32_of(record), text + size - 160) >
		    0);
		tree_put(s.dir, "/journal", both, strlen(both));
		free(both);
	}
	assert_int_equal(restore(&s, &why), -EIO);
	assert_non_null(strstr(why.text, "not back: 1 register:"));
	assert_non_null(strstr(why.text, "0x1a0"));
	as_found(&s);
	free(text);
	end(&s);
}

static void
restore_tells_why_it_cannot_reach_the_registers(void **state)
{
	char *dir = stand_in_new(), path[512], kept[512], store[512], cpu[512];

	(void)state;
	assert_true(tallyd_run(dir, "STAND_IN_DIE=99", ARGS("-q", "-n", "3",
	    "-i", "0.001")) != 0);
	unlink(in_dir(dir, "store", store));
	/* the driver is not loaded */
	assert_int_equal(rename(in_dir(dir, "dev/cpu", cpu), in_dir(dir,
	    "kept", kept)), 0);
	assert_int_equal(tallyd_run(dir, NULL, ARGS("--restore")), 1);
	assert_true(tallyd_said(dir, "modprobe msr"));
	assert_int_equal(rename(kept, cpu), 0);
	/* a box is not found any more */
	stand_in_pci(dir, "0000:3a:0a.2", 0xffffffff);
	assert_int_equal(tallyd_run(dir, NULL, ARGS("--restore")), 1);
	assert_true(tallyd_said(dir, "(its box is absent: no PCI function "
	    "3a:0a.2)"));
	assert_int_equal(unlink(in_dir(dir, "run/tallyd.journal", path)), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(tallyd_run(dir, NULL, ARGS("--restore")), 1);
	assert_true(tallyd_said(dir, "run/tallyd.journal: Is a directory\n"));
	tree_free(dir);
}

static void
what_cannot_be_put_back_is_said_and_tried_again_later(void **state)
{
	struct scene s = begin();
	struct diag why;

	(void)state;
	die_sampling(&s);
	rig_fault(s.rig, "to 5 pkg 1 msr 0xe11 EIO");
	assert_int_equal(restore(&s, &why), -EIO);
	assert_non_null(strstr(why.text, "not back: 1 register:"));
	assert_non_null(strstr(why.text, "CHA 1 of package 1"));
	assert_int_equal(access(s.path, F_OK), 0);
	sim_advance(rig_sim(s.rig), 6000000000ull);
	/* only the register that failed is written again */
	assert_int_equal(restore(&s, &why), 1);
	as_found(&s);
	end(&s);
}

static void
a_register_that_does_not_keep_its_old_value_is_told(void **state)
{
	struct scene s = begin();
	struct diag why;

	(void)state;
	/* bits 0 and 1 of a box control are commands and read as 0 */
	forge(&s, "pci 14930 0xf4 4 0x3 0x0 0xffffffff 0 IMC 0 of package 0 "
	    "boxctl");
	assert_int_equal(restore(&s, &why), -EIO);
	assert_non_null(strstr(why.text, "does not keep its old value"));
	assert_int_equal(access(s.path, F_OK), 0);
	end(&s);
}

static void
a_journal_with_fewer_records_than_its_head_says_is_kept(void **state)
{
	struct scene s = begin();
	struct diag why;

	(void)state;
	forge_of(&s, "pci 14930 0xd8 4 0x400304 0x0 0xffffffff 0 IMC 0 of "
	    "package 0 ctl0", 2);
	assert_int_equal(restore(&s, &why), -EIO);
	assert_non_null(strstr(why.text, "/journal: records are missing, and "
	    "names 1 of 2 registers: of these put back and "
	    "verified: 1;"));
	assert_int_equal(access(s.path, F_OK), 0);
	end(&s);
}

static void
bits_that_others_set_meanwhile_stay(void **state)
{
	struct scene s = begin();
	struct reg_addr global = { REG_MSR, 8, 3, 0x38f };
	struct diag why;
	uint64_t raw;

	(void)state;
	die_sampling(&s);
	assert_int_equal(access_read(s.rig->node.acc, &global, &raw), 0);
	assert_true(raw == 0x700000001);
	assert_int_equal(access_write(s.rig->node.acc, &global, raw | 8), 0);
	assert_true(restore(&s, &why) > 0);
	assert_int_equal(access_read(s.rig->node.acc, &global, &raw), 0);
	assert_int_equal(raw, 8);
	end(&s);
}

static void
a_file_of_another_kind_is_neither_emptied_nor_removed(void **state)
{
	struct scene s = begin();
	struct journal j = { .fd = -1 };
	struct diag why;
	char link[512], *text;

	(void)state;
	tree_text(s.dir, "/journal", "root:x:0:0::/root:/bin/sh\n");
	assert_int_equal(journal_open(&j, s.path, s.rig->node.acc, &why),
	    -EINVAL);
	assert_non_null(strstr(why.text, "another kind"));
	assert_int_equal(restore(&s, &why), -EINVAL);
	text = file_text(s.path, NULL);
	assert_string_equal(text, "root:x:0:0::/root:/bin/sh\n");
	free(text);
	/* nor is a link followed */
	assert_int_equal(symlink(s.path, in_dir(s.dir, "link", link)), 0);
	assert_int_equal(journal_open(&j, link, s.rig->node.acc, &why), -ELOOP);
	assert_int_equal(journal_open(&j, in_dir(s.dir, "no/journal", link),
	    s.rig->node.acc, &why), -ENOENT);
	assert_non_null(strstr(why.text, "no/journal"));
	end(&s);
}

static void
a_journal_is_its_owners_alone(void **state)
{
	struct scene s = begin();
	struct stat sb;

	(void)state;
	die_sampling(&s);
	assert_int_equal(stat(s.path, &sb), 0);
	assert_int_equal(sb.st_mode & 0777, 0600);
	end(&s);
}

static void
the_lock_is_on_the_file_that_the_path_names(void **state)
{
	struct scene s = begin();
	struct journal j = { .fd = -1 }, other = { .fd = -1 };
	struct diag why;

	(void)state;
	/* a daemon that ends removes it between our open and our lock */
	tree_text(s.dir, "/journal", "");
	removed_before_lock = s.path;
	assert_int_equal(journal_open(&j, s.path, s.rig->node.acc, &why), 0);
	assert_null(removed_before_lock);
	assert_int_equal(access(s.path, F_OK), 0);
	assert_int_equal(journal_open(&other, s.path, s.rig->node.acc, &why),
	    -EBUSY);
	/* somebody removes it while its daemon lives, and the next daemon makes
	 * another: the first one's end must not remove that */
	unlink(s.path);
	assert_int_equal(journal_open(&other, s.path, s.rig->node.acc, &why),
	    0);
	journal_done(&j);
	assert_int_equal(access(s.path, F_OK), 0);
	journal_done(&other);
	assert_int_equal(access(s.path, F_OK), -1);
	end(&s);
}

static void
a_start_that_is_refused_leaves_no_journal(void **state)
{
	char *dir = stand_in_new(), path[512];

	(void)state;
	assert_int_equal(tallyd_run(dir, NULL, ARGS("-q", "-n", "1", "-i",
	    "0.001", "--store", "/dev/null/x")), 1);
	assert_int_equal(access(in_dir(dir, "run/tallyd.journal", path), F_OK),
	    -1);
	tree_free(dir);
}

static void
check_reports_a_journal_that_would_stop_a_start(void **state)
{
	char *dir = stand_in_new(), store[512];
	pid_t pid = tallyd_start(dir, NULL, ARGS(ENDLESS));

	(void)state;
	tallyd_rows(dir, 2);
	assert_int_equal(tallyd_run(dir, NULL, ARGS("--check")), 1);
	assert_true(tallyd_said(dir, "PROBLEM  another tallyd (pid "));
	kill(pid, SIGTERM);
	tallyd_wait(pid);
	unlink(in_dir(dir, "store", store));
	assert_int_equal(tallyd_run(dir, "STAND_IN_DIE=9", ARGS("-q", "-n",
	    "3", "-i", "0.001")), 1);
	assert_int_equal(tallyd_run(dir, NULL, ARGS("--check")), 1);
	assert_true(tallyd_said(dir, "PROBLEM  a tallyd that died left"));
	assert_int_equal(tallyd_run(dir, NULL, ARGS("--restore")), 0);
	assert_int_equal(tallyd_run(dir, NULL, ARGS("--check")), 0);
	tree_free(dir);
}

static void
a_journal_of_another_boot_is_not_put_back(void **state)
{
	char *dir = stand_in_new(), store[512];
	uint8_t *before = stand_in_save(dir), *programmed;

	(void)state;
	tree_text(dir, "/proc/sys/kernel/random/boot_id", "11111111-1111\n");
	assert_int_equal(tallyd_run(dir, "STAND_IN_DIE=9", ARGS("-q", "-n",
	    "3", "-i", "0.001")), 1);
	programmed = stand_in_save(dir);
	assert_int_equal(tallyd_run(dir, NULL, ARGS("-q", "-n", "1", "-i",
	    "0.001", "--store", "/dev/null/x")), 1);
	assert_true(tallyd_said(dir, "a tallyd that died"));
	tree_text(dir, "/proc/sys/kernel/random/boot_id", "22222222-2222\n");
	assert_int_equal(tallyd_run(dir, NULL, ARGS("--restore")), 1);
	assert_true(tallyd_said(dir, "before the last boot"));
	stand_in_same(dir, programmed, "the journal of another boot");
	assert_int_equal(tallyd_run(dir, NULL, ARGS("--restore", "--force")),
	    0);
	stand_in_same(dir, before, "--restore --force");
	/* a journal from before the boot does not keep a daemon from starting */
	unlink(in_dir(dir, "store", store));
	assert_int_equal(tallyd_run(dir, "STAND_IN_DIE=9", ARGS("-q", "-n",
	    "3", "-i", "0.001", "--force")), 1);
	tree_text(dir, "/proc/sys/kernel/random/boot_id", "33333333-3333\n");
	unlink(store);
	if (tallyd_run(dir, NULL, ARGS("-q", "-n", "3", "-i", "0.001",
	    "--force")) != 0)
		tallyd_failed(dir, "a start after a boot", 1);
	free(programmed);
	free(before);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_living_daemon_keeps_others_away),
		cmocka_unit_test(a_daemon_that_starts_is_known_by_its_pid),
		cmocka_unit_test(
		    looking_finds_what_a_start_would_and_changes_nothing),
		cmocka_unit_test(a_finished_journal_leaves_nothing_to_do),
		cmocka_unit_test(
		    an_unfinished_journal_puts_every_register_back),
		cmocka_unit_test(
		    a_journal_that_was_being_written_changes_nothing),
		cmocka_unit_test(the_format_is_the_one_that_is_documented),
		cmocka_unit_test(
		    only_registers_of_the_tables_are_written_whatever_it_says),
		cmocka_unit_test(
		    restore_tells_why_it_cannot_reach_the_registers),
		cmocka_unit_test(
		    what_cannot_be_put_back_is_said_and_tried_again_later),
		cmocka_unit_test(
		    a_register_that_does_not_keep_its_old_value_is_told),
		cmocka_unit_test(bits_that_others_set_meanwhile_stay),
		cmocka_unit_test(
		    a_file_of_another_kind_is_neither_emptied_nor_removed),
		cmocka_unit_test(a_journal_is_its_owners_alone),
		cmocka_unit_test(
		    a_journal_with_fewer_records_than_its_head_says_is_kept),
		cmocka_unit_test(the_lock_is_on_the_file_that_the_path_names),
		cmocka_unit_test(a_start_that_is_refused_leaves_no_journal),
		cmocka_unit_test(
		    check_reports_a_journal_that_would_stop_a_start),
		cmocka_unit_test(a_journal_of_another_boot_is_not_put_back),
	};

	umask(022);     /* a journal that a group may write is not believed */
	return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}
