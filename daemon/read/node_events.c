/*
 * daemon/read/node_events.c - context switches and interrupts of the whole node.
 */
#include "daemon/read/node_events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Sums the counts of all lprocs in a line "RES: 12 7 ... Rescheduling interrupts". */
static uint64_t
node_events_sum_of(const char *line)
{
	uint64_t sum = 0;
	char *end;

	for (line = strchr(line, ':') + 1;; line = end) {
		sum += strtoull(line, &end, 10);
		if (end == line)
			return sum;
	}
}

/* Sums the interrupts between lprocs: the lines of rescheduling and function calls.
 * Finds a line by the words behind its numbers, as the labels before these (RES) differ
 * between architectures.  -ENODATA: there is no such line. */
static int
interrupts_of(char *text, uint64_t *sum)
{
	char *save, *line = strtok_r(text, "\n", &save);
	bool any = false;

	for (*sum = 0; line != NULL; line = strtok_r(NULL, "\n", &save))
		if ((strstr(line, "Rescheduling interrupts") != NULL ||
		    strstr(line, "Function call interrupts") != NULL) &&
		    strchr(line, ':') != NULL) {
			*sum += node_events_sum_of(line);
			any = true;
		}
	return any ? 0 : -ENODATA;
}

int
node_events(struct access *acc, char *buf, size_t size, struct node_events *e)
{
	const char *at;
	int rc;

	if ((rc = access_whole(acc, "/proc/stat", buf, size)) < 0)
		return rc;
	if ((at = strstr(buf, "\nctxt ")) == NULL)
		return -ENODATA;
	e->switches = strtoull(at + sizeof("\nctxt ") - 1, NULL, 10);
	if ((rc = access_whole(acc, "/proc/interrupts", buf, size)) < 0)
		return rc;
	return interrupts_of(buf, &e->interrupts);
}
