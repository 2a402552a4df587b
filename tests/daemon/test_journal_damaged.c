/*
 * tests/daemon/test_journal_damaged.c - a journal that was cut, changed or
 * forged: registers get the recorded values or stay as they are, and the
 * message says what is wrong with the journal.
 */
#include "tests/lib/stand_in.h"
#include "tests/lib/rig.h"

#include "daemon/node/journal.h"
#include "daemon/node/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD 160                /* bytes; journal.h has the format */
#define RECORDS 18              /* the last two start all counters and read 0 */
#define PROGRAMMED 16

/* A node that is programmed, and the journal of that. */
struct scene {
	char *dir, *text;
	char path[512];
	size_t size;
	struct rig *rig;
	const struct access_ops *ops;   /* the node's own */
	unsigned strange;       /* writes of what was not recorded */
	unsigned writes;
};

/* The scene whose node is being written. */
static struct scene *watched;

static bool
recorded(const struct reg_addr *addr, uint64_t raw)
{
	const struct plan *plan = &watched->rig->node.plan;

	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];

		if (w->addr.space == addr->space && w->addr.unit == addr->unit &&
		    w->addr.offset == addr->offset &&
		    w->addr.bytes == addr->bytes && w->new != w->old)
			return raw == w->old;
	}
	return false;
}

static int
watch_write(struct access *acc, const struct reg_addr *addr, uint64_t raw)
{
	watched->writes++;
	watched->strange += !recorded(addr, raw);
	return watched->ops->write(acc, addr, raw);
}

static struct access_ops watching;

static void
program(struct scene *s)
{
	struct diag why;

	s->rig->node.acc->ops = s->ops;
	if (program_write(&s->rig->node.plan, s->rig->node.acc, &why) < 0)
		fail_msg("%s", why.text);
	s->rig->node.acc->ops = &watching;
	s->writes = s->strange = 0;
}

static struct scene
begin(void)
{
	/* 2 packages: a control of 12 channels, of 2 PCUs and UBoxes */
	struct scene s = { .dir = tree_new(), .rig = rig_text("",
	    "imc CAS event=4,umask=3\npcu D event=0x74\nubox fixed\n") };
	struct plan *plan = &s.rig->node.plan;
	struct journal j = { .fd = -1 };
	struct diag why;

	in_dir(s.dir, "journal", s.path);
	s.ops = s.rig->node.acc->ops;
	watching = *s.ops;
	watching.write = watch_write;
	if (journal_open(&j, s.path, s.rig->node.acc, &why) < 0 ||
	    program_save(plan, s.rig->node.acc, &why) < 0 ||
	    journal_write(&j, &s.rig->node, &why) < 0)
		fail_msg("%s", why.text);
	journal_leave(&j);
	s.text = file_text(s.path, &s.size);
	return s;
}

static void
end(struct scene *s)
{
	s->rig->node.acc->ops = s->ops;
	rig_close(s->rig);
	free(s->text);
	tree_free(s->dir);
}

/* How many registers still hold our value. */
static unsigned
left(const struct scene *s)
{
	const struct plan *plan = &s->rig->node.plan;
	unsigned n = 0;

	for (unsigned i = 0; i < plan->nwrite; i++) {
		uint64_t now;

		assert_int_equal(access_read(s->rig->node.acc,
		    &plan->write[i].addr, &now), 0);
		n += now != plan->write[i].old;
	}
	return n;
}

static int
restore(struct scene *s, const void *text, size_t n, bool force,
    struct diag *why)
{
	int rc;

	watched = s;
	tree_put(s->dir, "/journal", text, n);
	program(s);
	rc = journal_restore(s->path, &s->rig->node, force, why);
	if (s->strange > 0)
		fail_msg("wrote what was not recorded");
	return rc;
}

static void
of_a_journal_that_is_cut_anywhere_all_that_is_left_is_put_back(void **state)
{
	struct scene s = begin();
	size_t half = HEAD + (s.size - 2 * HEAD) / 2, whole = 0;
	struct diag why;
	unsigned back = 0;

	(void)state;
	assert_true(s.size > 4000);
	for (size_t n = 0; n < s.size; n++) {
		int rc = restore(&s, s.text, n, false, &why);

		if (n > HEAD && n <= half)
			back += s.text[n - 1] == '\n';
		if (strstr(why.text, "0 registers put back and verified") ==
		    why.text || (n > 0 && strstr(why.text, "was cut") == NULL &&
		    strstr(why.text, "is damaged") == NULL))
			fail_msg("cut at %zu: %s", n, why.text);
		whole += rc >= 0;
		assert_int_equal(rc, n == 0 ? -ENODATA : n < half ? -EIO :
		    PROGRAMMED);
		assert_int_equal(left(&s), PROGRAMMED - (back < PROGRAMMED ? back : PROGRAMMED));
		/* kept, while it may be of use */
		assert_int_equal(access(s.path, F_OK), n > 0 && n < half ? 0 :
		    -1);
	}
	assert_int_equal(back, RECORDS);
	assert_int_equal(whole, s.size - half);
	end(&s);
}

static void
a_journal_with_a_wrong_byte_still_puts_all_back(void **state)
{
	struct scene s = begin();
	uint64_t seed = 1;
	struct diag why;

	(void)state;
	for (size_t n = 0; n < s.size; n++) {
		char was = s.text[n];
		int rc;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		/* one bit, or any other byte */
		if (n % 2 == 0)
			s.text[n] ^= (char)(1 << (seed >> 61));
		else
			s.text[n] = (char)(was + 1 + (seed >> 33) % 255);
		rc = restore(&s, s.text, s.size, false, &why);
		if (rc != PROGRAMMED || left(&s) != 0 ||
		    strstr(why.text, "damaged") == NULL)
			fail_msg("byte %zu: %s", n, why.text);
		s.text[n] = was;
	}
	end(&s);
}

static void
a_journal_with_many_wrong_bytes_writes_nothing_that_was_not_recorded(
    void **state)
{
	struct scene s = begin();
	unsigned refused = 0, done = 0;
	uint64_t seed = 7;
	struct diag why;
	char *text = malloc(s.size);

	(void)state;
	assert_non_null(text);
	for (unsigned i = 0; i < 800; i++) {
		int rc;

		memcpy(text, s.text, s.size);
		for (unsigned k = 0; k < 2 + i / 40; k++) {
			seed = seed * 6364136223846793005u +
			    1442695040888963407u;
			text[(seed >> 33) % s.size] ^=
			    (char)(1 + (seed >> 24 & 0xff) % 255);
		}
		rc = restore(&s, text, s.size, i % 2, &why);
		/* what is said to be done is done */
		assert_true(rc < 0 || left(&s) == 0);
		refused += rc < 0;
		done += rc >= 0;
	}
	assert_true(refused > 100 && done > 100);
	free(text);
	end(&s);
}

static void
records_are_taken_of_a_journal_without_a_head_when_that_is_insisted_on(
    void **state)
{
	struct scene s = begin();
	struct journal j = { .fd = -1 };
	struct diag why;

	(void)state;
	s.text[20] ^= 1;
	s.text[s.size - HEAD + 20] ^= 1;
	assert_int_equal(restore(&s, s.text, s.size, false, &why), -EIO);
	assert_non_null(strstr(why.text, "neither its head nor its end is "
	    "whole; nothing is put back"));
	assert_int_equal(s.writes, 0);
	/* nor does the next start throw it away */
	assert_int_equal(journal_open(&j, s.path, s.rig->node.acc, &why),
	    -EBUSY);
	assert_non_null(strstr(why.text, "is damaged"));
	assert_int_equal(restore(&s, s.text, s.size, true, &why), -EIO);
	assert_int_equal(left(&s), 0);
	assert_non_null(strstr(why.text, "others may still be changed"));
	end(&s);
}

static void
a_journal_that_somebody_else_may_have_written_is_not_believed(void **state)
{
	struct scene s = begin();
	struct journal j = { .fd = -1 };
	struct diag why;

	(void)state;
	watched = &s;
	program(&s);
	assert_int_equal(chmod(s.path, 0620), 0);
	assert_int_equal(journal_restore(s.path, &s.rig->node, true, &why),
	    -EACCES);
	assert_non_null(strstr(why.text, "others may write it (mode 0620)"));
	assert_int_equal(journal_look(s.path, s.rig->node.acc, &why), -EACCES);
	assert_int_equal(journal_open(&j, s.path, s.rig->node.acc, &why),
	    -EACCES);
	assert_int_equal(s.writes, 0);
	assert_int_equal(access(s.path, F_OK), 0);
	if (geteuid() == 0) {
		assert_int_equal(chmod(s.path, 0600), 0);
		assert_int_equal(chown(s.path, 65534, 65534), 0);
		assert_int_equal(journal_restore(s.path, &s.rig->node, true,
		    &why), -EACCES);
		assert_non_null(strstr(why.text, "belongs to user 65534"));
		assert_int_equal(chown(s.path, 0, 0), 0);
		/* nor one that somebody else could have put there */
		assert_int_equal(chmod(s.dir, 0777), 0);
		assert_int_equal(journal_restore(s.path, &s.rig->node, true,
		    &why), -EACCES);
		assert_non_null(strstr(why.text, "others may write its "
		    "folder"));
		assert_int_equal(s.writes, 0);
		assert_int_equal(chmod(s.dir, 0755), 0);
	}
	assert_int_equal(chmod(s.path, 0600), 0);
	assert_int_equal(journal_restore(s.path, &s.rig->node, false, &why),
	    PROGRAMMED);
	end(&s);
}

static void
a_journal_of_another_version_is_left_to_that(void **state)
{
	static const char old[] = "tallyd-journal 1\npid 17\n"
	    "msr 0 0x186 8 0x0 0x5300c0 0xffffffff -1 CORE of lproc 0 ctl0\n"
	    "end 1\n";
	struct scene s = begin();
	struct diag why;

	(void)state;
	assert_int_equal(restore(&s, old, sizeof(old) - 1, true, &why),
	    -EINVAL);
	assert_non_null(strstr(why.text, "another version of tallyd"));
	assert_int_equal(s.writes, 0);
	assert_int_equal(access(s.path, F_OK), 0);
	end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    of_a_journal_that_is_cut_anywhere_all_that_is_left_is_put_back),
		cmocka_unit_test(
		    a_journal_with_a_wrong_byte_still_puts_all_back),
		cmocka_unit_test(
		    a_journal_with_many_wrong_bytes_writes_nothing_that_was_not_recorded),
		cmocka_unit_test(
		    records_are_taken_of_a_journal_without_a_head_when_that_is_insisted_on),
		cmocka_unit_test(
		    a_journal_that_somebody_else_may_have_written_is_not_believed),
		cmocka_unit_test(a_journal_of_another_version_is_left_to_that),
	};

	umask(022);
	return cmocka_run_group_tests_name("damage", tests, NULL, NULL);
}
