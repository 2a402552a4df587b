/*
 * daemon/node/lend.c - the registers, given to others for a while.
 */
#include "daemon/node/lend.h"

#include "daemon/node/program.h"

#include <errno.h>
#include <string.h>

unsigned
lend_begin(struct plan *plan, struct access *acc, struct journal *journal,
    struct diag *why)
{
	unsigned failed = program_restore(plan, acc, why);
	int rc;

	if (failed > 0 || journal == NULL || (rc = journal_idle(journal)) == 0)
		return failed;
	diag_set(why, rc, "the journal cannot be emptied: %s", strerror(-rc));
	return 1;
}

int
lend_end(struct node *node, struct journal *journal, bool force,
    struct diag *why)
{
	struct plan *plan = &node->plan;
	char first[256];
	unsigned n;
	int rc = program_save(plan, node->acc, why);

	if (rc < 0)
		return rc;
	n = program_in_use(plan, first, sizeof(first));
	if (n > 0 && !force)
		return diag_set(why, -EBUSY, "%u counter%s in use by somebody "
		    "else: %s", n, n == 1 ? " is" : "s are", first);
	if (journal != NULL && (rc = journal_write(journal, node, why)) < 0)
		return rc;
	if ((rc = program_write(plan, node->acc, why)) < 0)
		lend_begin(plan, node->acc, journal, NULL);
	return rc;
}
