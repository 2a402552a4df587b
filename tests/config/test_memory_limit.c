/*
 * tests/config/test_memory_limit.c - "out of memory" names the limit of the process.
 */
#include "tests/lib/files.h"

#include "lib/diag.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <string.h>
#include <unistd.h>

/* Words of a process with that limit. */
static void
words_with(int what, const char *words)
{
	struct rlimit rl = { (rlim_t)4 << 30, (rlim_t)4 << 30 };
	struct diag why;
	int status;
	pid_t pid;

	if ((pid = fork()) == 0) {
		if (words[13] != '\0' && setrlimit(what, &rl) < 0)
			_exit(2);
		diag_set(&why, -ENOMEM, "out of memory");
		_exit(strcmp(why.text, words) != 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
the_limit_that_refuses_memory_is_named(void **state)
{
	struct rlimit rl;

	(void)state;
	if (getrlimit(RLIMIT_AS, &rl) < 0 || rl.rlim_cur != RLIM_INFINITY ||
	    getrlimit(RLIMIT_DATA, &rl) < 0 || rl.rlim_cur != RLIM_INFINITY) {
		print_message("this process is limited already\n");
		skip();
	}
	words_with(RLIMIT_AS, "out of memory");
	words_with(RLIMIT_AS, "out of memory: this process is limited to "
	    "4194304 kB (ulimit -v)");
	words_with(RLIMIT_DATA, "out of memory: this process is limited to "
	    "4194304 kB (ulimit -d)");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_limit_that_refuses_memory_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
