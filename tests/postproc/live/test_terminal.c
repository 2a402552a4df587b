/*
 * tests/postproc/live/test_terminal.c - `tally live` uses the alternate screen
 * of a terminal; however it ends, the terminal is restored and the exit status
 * is what a shell expects.
 */
#include "tests/lib/sampled.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define SCREEN_ON "\033[?1049h"
#define SCREEN_OFF "\033[?1049l"

struct watched {
	struct sampled d;
	int master, slave;
	pid_t pid;
	struct termios before;
	char text[1 << 20];     /* all that was on the terminal so far */
	size_t n;
};

static _Noreturn void
become_tally(const struct watched *w)
{
	char tally[512];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setsid();
	ioctl(w->slave, TIOCSCTTY, 0);
	for (int fd = 0; fd < 3; fd++)
		dup2(w->slave, fd);
	close(w->master);
	/* a shell ignores it for what it runs in the background */
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);        /* and nohup this */
	setenv("TERM", "xterm", 1);
	execl(built("tally", tally), "tally", "live", w->d.path, (char *)NULL);
	_exit(127);
}

/* What came meanwhile is taken in; has the terminal shown that? */
static bool
shows(struct watched *w, const char *words)
{
	ssize_t n;

	while (w->n < sizeof(w->text) - 1 && (n = read(w->master, w->text +
	    w->n, sizeof(w->text) - 1 - w->n)) > 0)
		w->n += (size_t)n;
	w->text[w->n] = '\0';
	return strstr(w->text, words) != NULL;
}

static struct watched *
watch(void)
{
	static const struct winsize size = { .ws_row = 40, .ws_col = 80 };
	struct watched *w = calloc(1, sizeof(*w));

	assert_non_null(w);
	w->d = sampled_start();
	sampled_more(&w->d);
	sampled_more(&w->d);
	w->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	assert_true(w->master >= 0);
	assert_int_equal(grantpt(w->master), 0);
	assert_int_equal(unlockpt(w->master), 0);
	w->slave = open(ptsname(w->master), O_RDWR | O_NOCTTY);
	assert_true(w->slave >= 0);
	assert_int_equal(ioctl(w->slave, TIOCSWINSZ, &size), 0);
	assert_int_equal(tcgetattr(w->slave, &w->before), 0);
	fflush(NULL);
	if ((w->pid = fork()) == 0)
		become_tally(w);
	assert_true(w->pid > 0);
	wait_until(shows(w, "q quit"));
	assert_memory_equal(w->text, SCREEN_ON, strlen(SCREEN_ON));
	return w;
}

/* It ends; its status, of a terminal that is as it was. */
static int
ended(struct watched *w)
{
	struct termios after;
	int status;

	wait_until(shows(w, SCREEN_OFF) && waitpid(w->pid, &status, WNOHANG) ==
	    w->pid);
	assert_int_equal(tcgetattr(w->slave, &after), 0);
	assert_int_equal(after.c_lflag, w->before.c_lflag);
	assert_int_equal(after.c_iflag, w->before.c_iflag);
	close(w->master);
	close(w->slave);
	sampled_stop(&w->d);
	free(w);
	return status;
}

static void
a_page_is_on_the_other_screen_until_a_key_ends_it(void **state)
{
	struct watched *w = watch();

	(void)state;
	assert_true(shows(w, "read bandwidth"));
	assert_int_equal(write(w->master, "f", 1), 1);
	wait_until(shows(w, "FROZEN"));
	assert_int_equal(write(w->master, "q", 1), 1);
	assert_int_equal(ended(w), 0);
}

static void
a_signal_that_ends_it_is_what_a_shell_is_told(void **state)
{
	static const int ends[] = { SIGTERM, SIGHUP, SIGINT };

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct watched *w = watch();
		int status;

		kill(w->pid, ends[i]);
		status = ended(w);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), ends[i]);
	}
}

static void
a_new_size_is_drawn_anew(void **state)
{
	static const struct winsize narrow = { .ws_row = 40, .ws_col = 20 };
	struct watched *w = watch();

	(void)state;
	assert_int_equal(ioctl(w->slave, TIOCSWINSZ, &narrow), 0);
	wait_until(shows(w, "20 columns: needs 60"));
	assert_int_equal(write(w->master, "q", 1), 1);
	assert_int_equal(ended(w), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_page_is_on_the_other_screen_until_a_key_ends_it),
		cmocka_unit_test(a_signal_that_ends_it_is_what_a_shell_is_told),
		cmocka_unit_test(a_new_size_is_drawn_anew),
	};

	return cmocka_run_group_tests_name("tally live, a terminal", tests,
	    NULL, NULL);
}
