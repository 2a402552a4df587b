/*
 * postproc/cmd/merge_jitter.c - tally merge --jitter: nodes by what disturbed them.
 */
#include "postproc/cmd/commands.h"

#include <stdlib.h>

#include "postproc/causes/jitter.h"

int
merge_jitter(const struct common *common)
{
	struct jitter *node = calloc((size_t)common->ninput, sizeof *node);
	struct diag why = { "" };
	unsigned n = 0;
	int status = EXIT_OK;
	struct out *out;

	if (node == NULL)
		return complain("out of memory");
	for (int i = 0; i < common->ninput; i++) {
		why.text[0] = '\0';
		if (jitter_read(&node[n], common->input[i], &common->in,
		    &why) == 0) {
			n++;
			continue;
		}
		jitter_fini(&node[n]);
		complain_why(&why);
		status = EXIT_FINDINGS;
	}
	if (n == 0)
		status = EXIT_UNUSABLE;
	else if (out_open(&out, &common->output, common->format, "merge",
	    &why) < 0)
		status = complain("%s", why.text);
	else {
		if (jitter_rank_put(out, node, n) < 0)
			status = complain("out of memory");
		if (out_close(out, status != EXIT_UNUSABLE, &why) < 0)
			status = complain("%s", why.text);
	}
	for (unsigned i = 0; i < n; i++)
		jitter_fini(&node[i]);
	free(node);
	return status;
}
