/*
 * postproc/html/timeline_json.h - a timeline as the data of the page's script
 * (config/page/page.js says what is made of it).
 */
#ifndef POSTPROC_HTML_TIMELINE_JSON_H
#define POSTPROC_HTML_TIMELINE_JSON_H

#include <stdio.h>

#include "postproc/html/timeline.h"

/*
 * timeline_json - members of an object, without its braces:
 *
 *	"from", "to", "sec", "n"  of each bucket, as base64 of binary32
 *	"first", "last"           of each bucket, its samples
 *	"gap"                     buckets that samples are missing of
 *	"coarse"                  a point of a line of that scope is of 2^n
 *	                          buckets
 *	"same"                    scopes whose lines are another's
 *	"metrics"                 name, unit, text, note, how, guess; as: the one
 *	                          that says the same; boxes: their family; adds: of several units it is a sum
 *	"lines"                   metric, scope, where, p: package, c: a point is
 *	                          of 2^c buckets, not as "coarse" has it; f: the
 *	                          report's figure of all samples, q: its mark;
 *	                          v: means; k: the one that all of them are;
 *	                          g: weights, where they are not
 *	                          sec or n; lo, hi, a, b: the least and greatest
 *	                          value, as bytes from lo to hi; e, r: standard
 *	                          errors, as bytes from 0 to e; d: first and last
 *	                          buckets of doubt; y: why; z: of those that
 *	                          no stretch with them has a figure of
 *
 * Of boxes, cores and lprocs a number of v and g is the upper three bytes of a
 * binary32.
 *
 * Returns 0, or -ENOMEM.
 */
int timeline_json(const struct timeline *, FILE *);

#endif
