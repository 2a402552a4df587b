/*
 * postproc/metrics/na.c - a NaN that says why.
 */
#include "postproc/metrics/na.h"

#include <math.h>
#include <string.h>

#define QUIET (UINT64_C(0x7ff8) << 48)
#define OURS (UINT64_C(0x5a) << 40)     /* no NaN of the processor's has it */

double
na(enum na why, uint32_t input)
{
	uint64_t bits = QUIET | OURS | (uint64_t)why << 32 | input;
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

enum na
na_why(double value, uint32_t *input)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	if (!isnan(value) || (bits >> 40 & 0xff) != OURS >> 40)
		return NA_UNTOLD;
	if (input != NULL)
		*input = (uint32_t)bits;
	return (enum na)(bits >> 32 & 0xff);
}
