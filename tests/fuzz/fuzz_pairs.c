/*
 * tests/fuzz/fuzz_pairs.c - any bytes as pairs of figures: rows that counters can be
 * compared by, or words with the place in them.  With libFuzzer; seeds in seeds/pairs.
 */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "postproc/pages/pairs.h"
#include "tests/lib/input_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(const struct pair_row *r)
{
	const char *const said[] = { r->name, r->unit, r->left_is, r->right_is,
		r->why };
	const bool peers = r->needs & PAIR_PEERS;

	for (size_t i = 0; i < sizeof said / sizeof *said; i++)
		if (said[i] == NULL)
			__builtin_trap();
	if (r->name[0] == '\0' || r->left.nop == 0 ||
	    (r->right.nop == 0) != peers || r->scope >= SCOPES ||
	    r->narrow > SCOPES || isnan(r->least) || isnan(r->most) || isnan(r->once))
		__builtin_trap();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pair_rows rows;
	struct diag why = { "" };
	int rc = pair_rows_load(&rows, input_file(data, size), &why);

	for (unsigned i = 0; rc == 0 && i < rows.n; i++)
		check(&rows.row[i]);
	if (rc < 0 && rc != -ENOMEM && why.text[0] == '\0')
		__builtin_trap();
	pair_rows_fini(&rows);
	return 0;
}
