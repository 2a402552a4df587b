/*
 * tests/vm/without_cap.c - run a command without one capability, root or not.
 *
 *   without_cap NUMBER COMMAND [ARGUMENT...]
 *
 * Numbers as in <linux/capability.h>: 17 is CAP_SYS_RAWIO, 24 CAP_SYS_RESOURCE.
 * What is not in the bounding set is lost at exec, by root as well.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: without_cap NUMBER COMMAND...\n");
		return 2;
	}
	if (prctl(PR_CAPBSET_DROP, atol(argv[1]), 0, 0, 0) < 0) {
		perror("PR_CAPBSET_DROP");
		return 2;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 2;
}
