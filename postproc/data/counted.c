/*
 * postproc/data/counted.c - what a counter's delta is worth.
 */
#include "postproc/data/counted.h"

double
counted_share(const struct turns *t, const struct interval *step, unsigned c)
{
	return turns_share(t, c, step->delta, step->ncol, 0);
}

bool
counted(const struct turns *t, const struct interval *step, unsigned c)
{
	return (step->kind[c] < DELTA_NONE ||
	    delta_doubtful(step->kind[c])) &&
	    turns_missed(t, c, step->delta, step->ncol, 0) == NULL;
}

const char *
counted_word(const struct turns *t, const struct interval *step, unsigned c)
{
	return step->kind[c] >= DELTA_NONE || counted(t, step, c) ?
	    delta_word(step->kind[c]) :
	    turns_missed(t, c, step->delta, step->ncol, 0);
}
