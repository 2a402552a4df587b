/*
 * tests/postproc/live/test_export_bad.c - stores that an exporter cannot read
 * or can no longer read, and an SNMP agent that goes on asking: the message
 * says what to do, and no wrong figure is exported.
 */
#include "tests/lib/sampled.h"
#include "tests/lib/scene.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config/dump/store.h"
#include "postproc/live/exporters.h"

#define NOBODY 65534

static const char *const series[] = { "tallyd_up",
	"tallyd_node_dram_read_bytes_total", NULL };
static const double none[] = { 0, NAN };

static void
an_exporter_may_be_there_before_its_daemon(void **state)
{
	struct sampled d = sampled_start();
	char path[512];
	struct exposed x;

	(void)state;
	exposed_init(&x, in_dir(d.dir, "later", path), SAMPLED_SCOPES);
	sampled_says(&x, series, none);
	assert_int_equal(x.follow.state, FOLLOW_NONE);
	assert_int_equal(rename(d.path, path), 0);
	sampled_says(&x, series, none);
	assert_int_equal(x.follow.state, FOLLOW_EMPTY);
	sampled_more(&d);
	sampled_more(&d);
	sampled_says(&x, series, (const double[]){ 1, 64e6 });
	exposed_fini(&x);
	unlink(path);
	store_close(d.store);
	tree_free(d.dir);
}

/* What is said of a file that is no store, or of none that we know. */
static void
a_file_is_refused(const char *path, const char *words)
{
	struct exposed x;

	exposed_init(&x, path, SAMPLED_SCOPES);
	sampled_says(&x, series, none);
	assert_int_equal(x.follow.state, FOLLOW_NONE);
	if (strstr(x.follow.why.text, words) == NULL)
		fail_msg("not \"%s\": %s", words, x.follow.why.text);
	exposed_fini(&x);
}

static void
what_is_no_store_of_this_version_is_told_so(void **state)
{
	struct sampled d = sampled_start();
	char path[512];
	int fd;

	(void)state;
	a_file_is_refused(in_dir(d.dir, "not-there", path), "No such file");
	tree_text(d.dir, "/text", "a text\n");
	a_file_is_refused(in_dir(d.dir, "text", path), "text");
	a_file_is_refused(d.dir, d.dir);
	/* the version's digit */
	assert_true((fd = open(d.path, O_WRONLY)) >= 0);
	assert_int_equal(pwrite(fd, "1", 1, 7), 1);
	close(fd);
	a_file_is_refused(d.path, "another version of tallyd");
	sampled_stop(&d);
}

/* In a process of its own, whose exit status says what failed: not as root. */
static int
says_who_may_read(const char *path, const char *words)
{
	struct exposed x;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
			_exit(3);
		exposed_init(&x, path, SAMPLED_SCOPES);
		follow_poll(&x.follow);
		_exit(x.follow.state != FOLLOW_NONE ? 1 :
		    strstr(x.follow.why.text, words) == NULL ? 2 : 0);
	}
	assert_true(pid > 0);
	waitpid(pid, &status, 0);
	return status;
}

static void
an_unreadable_store_says_who_may_read_it_and_how(void **state)
{
	struct sampled d = sampled_start();

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(chmod(d.dir, 0755), 0);
	assert_int_equal(chmod(d.path, 0600), 0);
	assert_int_equal(says_who_may_read(d.path, "tallyd --share"), 0);
	/* group 1 is "daemon" nearly everywhere, and has a number everywhere */
	assert_int_equal(chown(d.path, 0, 1), 0);
	assert_int_equal(chmod(d.path, 0640), 0);
	assert_int_equal(says_who_may_read(d.path, "but for group "), 0);
	sampled_stop(&d);
}

/* Two daemons of root's, where they usually put their stores: on a file system
 * that this process alone has there.  The exit status. */
static int
finds_two(struct sampled *d)
{
	struct store *other;
	struct exposed x;
	struct diag why;
	char passwd[600];

	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC |
	    MS_PRIVATE, NULL) < 0 || mount("none", STORES_ANYBODYS, "tmpfs", 0,
	    "size=32m") < 0 || (mkdir(STORES_OURS, 0755) < 0 && errno !=
	    EEXIST) || mount("none", STORES_OURS, "tmpfs", 0, "size=1m") < 0)
		return 77;
	exposed_init(&x, NULL, SAMPLED_SCOPES);
	follow_poll(&x.follow);
	if (strstr(x.follow.why.text, "no tallyd samples here") == NULL)
		return 1;
	if (store_create(&other, STORES_ANYBODYS "/tallyd-1.store",
	    store_shape(d->store), &why) < 0)
		return 2;
	/* as a sampler that has given up its rights makes it; nobody else's */
	if (chown(STORES_ANYBODYS "/tallyd-1.store", 4242, 4242) < 0)
		return 6;
	follow_poll(&x.follow);
	if (x.follow.state != FOLLOW_NONE)
		return 7;
	tree_text(d->dir, "/passwd", "root:x:0:0::/:/bin/sh\n"
	    "tallyd:x:4242:4242::/:/bin/false\n");
	snprintf(passwd, sizeof(passwd), "%s/passwd", d->dir);
	if (mount(passwd, "/etc/passwd", NULL, MS_BIND, NULL) < 0)
		return 8;
	follow_poll(&x.follow);
	if (x.follow.state != FOLLOW_EMPTY)
		return 3;
	exposed_fini(&x);
	if (store_create(&other, STORES_ANYBODYS "/tallyd-2.store",
	    store_shape(d->store), &why) < 0)
		return 4;
	exposed_init(&x, NULL, SAMPLED_SCOPES);
	follow_poll(&x.follow);
	return x.follow.state != FOLLOW_NONE || strstr(x.follow.why.text,
	    "2 tallyd sample here: name the store of one") == NULL ? 5 : 0;
}

static void
of_two_stores_one_has_to_be_named(void **state)
{
	struct sampled d = sampled_start();
	int status;
	pid_t pid;

	(void)state;
	if ((pid = fork()) == 0)
		_exit(finds_two(&d));
	waitpid(pid, &status, 0);
	sampled_stop(&d);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(status, 0);
}

static void
a_store_that_is_cut_gives_no_figures(void **state)
{
	static const off_t to[] = { 600000, 100, 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(to) / sizeof(to[0]); i++) {
		struct sampled d = sampled_start();
		struct exposed x;
		char *page;
		size_t size;
		FILE *f;

		exposed_init(&x, d.path, SAMPLED_SCOPES);
		sampled_more(&d);
		sampled_more(&d);
		sampled_says(&x, series, (const double[]){ 1, 64e6 });
		assert_int_equal(truncate(d.path, to[i]), 0);
		/* no total of it goes back, none is made up */
		for (unsigned k = 0; k < 3; k++) {
			double v;

			assert_non_null(f = open_memstream(&page, &size));
			prometheus_put(&x, PROMETHEUS_TEXT, f);
			fclose(f);
			v = sampled_value(page, series[1]);
			if (!isnan(v) && v != 64e6)
				fail_msg("cut to %ld: %s", (long)to[i], page);
			free(page);
		}
		exposed_fini(&x);
		sampled_stop(&d);
	}
}

static void
a_clock_that_is_set_back_takes_nothing_back(void **state)
{
	struct sampled d = sampled_start();
	struct exposed x;

	(void)state;
	exposed_init(&x, d.path, SAMPLED_SCOPES);
	sampled_more(&d);
	sampled_more(&d);
	sampled_says(&x, series, (const double[]){ 1, 64e6 });
	d.cell[SAMPLED_SEC] -= 100;
	sampled_more(&d);
	sampled_says(&x, series, (const double[]){ 1, 128e6 });
	assert_true(x.follow.age >= 0);
	/* a clock far ahead makes no sample younger than it is */
	d.cell[SAMPLED_SEC] += 100000;
	sampled_more(&d);
	sampled_says(&x, series, (const double[]){ 1, 192e6 });
	assert_true(x.follow.age >= 0);
	exposed_fini(&x);
	sampled_stop(&d);
}

static void
a_daemon_that_is_killed_is_down_at_once(void **state)
{
	struct sampled d = sampled_start();
	struct exposed x;
	int alive[2], status;
	char c;
	pid_t pid;

	(void)state;
	sampled_more(&d);
	sampled_more(&d);
	assert_int_equal(pipe(alive), 0);
	if ((pid = fork()) == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)!write(alive[1], "x", 1);
		for (;;)
			pause();
	}
	assert_int_equal(read(alive[0], &c, 1), 1);
	/* from here on the child alone holds it */
	store_close(d.store);
	exposed_init(&x, d.path, SAMPLED_SCOPES);
	sampled_says(&x, series, (const double[]){ 1, 64e6 });
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	sampled_says(&x, series, none);
	assert_int_equal(x.follow.state, FOLLOW_STALE);
	exposed_fini(&x);
	close(alive[0]);
	close(alive[1]);
	unlink(d.path);
	tree_free(d.dir);
}

/* ---- SNMP ------------------------------------------------------------------- */

#define OID ".1.3.6.1.4.1.8072.9999.9999.84"

/* What is answered to all that an agent says. */
static char *
said_to(const char *store, const char *says, size_t n)
{
	struct export_ask ask = { .once = false };
	FILE *in = fmemopen((void *)(uintptr_t)says, n, "r"), *out;
	char *said;
	size_t size;

	assert_non_null(in);
	assert_non_null(out = open_memstream(&said, &size));
	exposed_init(&ask.x, store, 0);
	snmp_serve(&ask, in, out);
	exposed_fini(&ask.x);
	fclose(in);
	fclose(out);
	return said;
}

static void
what_an_agent_never_says_is_answered_line_by_line(void **state)
{
	static const struct {
		const char *says, *said;
	} rows[] = {
		{ "PING\n", "PONG\n" },
		{ "ping\nPING\r\n", "NONE\nPONG\n" },
		{ "get\n" OID ".1.1.1.0\n", OID ".1.1.1.0\ngauge\n2\n" },
		{ "getnext\n" OID "\n", OID ".1.1.1.0\ngauge\n2\n" },
		{ "getnext\n" OID ".1.1.1.0\n", "NONE\n" },
		{ "get\n.1.3.4294967296\nPING\n", "NONE\nPONG\n" },
		{ "get\n1.3\nget\n.\nget\n.1.-1\nget\n.1..1\n",
		    "NONE\nNONE\nNONE\nNONE\n" },
		{ "set\n" OID ".1.1.1.0\ninteger 1\nPING\n",
		    "not-writable\nPONG\n" },
		{ "set\n" OID ".1.1.1.0\n", "" },
		{ "get\n", "" },
		{ "\nPING\n", "" },
	};
	static const char nul[] = "ge\0t\nPING\n";
	char *said, *far = malloc(100000);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		said = said_to("/nowhere", rows[i].says,
		    strlen(rows[i].says));
		if (strcmp(said, rows[i].said) != 0)
			fail_msg("%s: %s", rows[i].says, said);
		free(said);
	}
	said = said_to("/nowhere", nul, sizeof(nul) - 1);
	assert_string_equal(said, "NONE\nPONG\n");
	free(said);
	/* a line that is longer than any is one line */
	assert_non_null(far);
	memset(far, '1', 100000);
	memcpy(far, "get\n.", 5);
	memcpy(far + 100000 - 6, "\nPING\n", 6);
	said = said_to("/nowhere", far, 100000);
	assert_string_equal(said, "NONE\nPONG\n");
	free(said);
	free(far);
}

/* A manager that walks slowly: a getnext of the last answer each time. */
struct walk {
	struct sampled *d;
	FILE *out;
	char *said;             /* all answers so far */
	size_t size, seen;
	unsigned steps, ends_at;        /* where its daemon does */
};

static ssize_t
next_request(void *cookie, char *buf, size_t size)
{
	struct walk *w = cookie;
	const char *last = OID;
	int n;

	fflush(w->out);
	if (w->seen > 0 || w->steps > 0) {
		last = w->said + w->seen;
		w->seen = w->size;
		if (strncmp(last, "NONE", 4) == 0)
			return 0;
	}
	if (++w->steps == w->ends_at) {
		store_close(w->d->store);
		w->d->store = NULL;
		sleep_us(600000);       /* no look is good for so long */
	}
	n = snprintf(buf, size, "getnext\n%.*s\n", (int)strcspn(last, "\n"),
	    last);
	assert_true(n > 0 && (size_t)n < size);
	return n;
}

/* Each OID of a walk is behind the one before it. */
static void
goes_forth(const char *said)
{
	unsigned last[128] = { 0 }, id[128], n;

	while (*said == '.') {
		char *end;

		memset(id, 0, sizeof(id));
		for (n = 0; *said == '.' && n < 128; said = end)
			id[n++] = (unsigned)strtoul(said + 1, &end, 10);
		for (n = 0; n < 127 && id[n] == last[n]; n++)
			;
		assert_true(id[n] > last[n]);
		memcpy(last, id, sizeof(last));
		for (unsigned line = 0; line < 3; line++)
			said = strchr(said, '\n') + 1;
	}
	assert_string_equal(said, "NONE\n");
}

static unsigned
steps_of_walk(unsigned ends_at)
{
	struct sampled d = sampled_start();
	struct export_ask ask = { .once = false };
	struct walk w = { .d = &d, .ends_at = ends_at };
	FILE *in = fopencookie(&w, "r", (cookie_io_functions_t){
	    .read = next_request });

	assert_non_null(in);
	assert_non_null(w.out = open_memstream(&w.said, &w.size));
	sampled_more(&d);
	sampled_more(&d);
	exposed_init(&ask.x, d.path, 0);
	snmp_serve(&ask, in, w.out);
	exposed_fini(&ask.x);
	fclose(in);
	fclose(w.out);
	goes_forth(w.said);
	free(w.said);
	if (d.store != NULL)
		store_unlink(d.store);
	store_close(d.store);
	unlink(d.path);
	tree_free(d.dir);
	return w.steps;
}

static void
a_slow_walk_ends_in_order_though_its_daemon_ends_meanwhile(void **state)
{
	unsigned all = steps_of_walk(0);

	(void)state;
	assert_true(all > 20);
	/* among the scalars; in the middle of a table */
	assert_true(steps_of_walk(3) < all);
	assert_true(steps_of_walk(15) <= all);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_exporter_may_be_there_before_its_daemon),
		cmocka_unit_test(what_is_no_store_of_this_version_is_told_so),
		cmocka_unit_test(
		    an_unreadable_store_says_who_may_read_it_and_how),
		cmocka_unit_test(of_two_stores_one_has_to_be_named),
		cmocka_unit_test(a_store_that_is_cut_gives_no_figures),
		cmocka_unit_test(a_clock_that_is_set_back_takes_nothing_back),
		cmocka_unit_test(a_daemon_that_is_killed_is_down_at_once),
		cmocka_unit_test(
		    what_an_agent_never_says_is_answered_line_by_line),
		cmocka_unit_test(
		    a_slow_walk_ends_in_order_though_its_daemon_ends_meanwhile),
	};

	return cmocka_run_group_tests_name("export_bad", tests, NULL, NULL);
}
