/*
 * postproc/html/units_json.h - what a dump's head calls its units, for the page's
 * script.
 */
#ifndef POSTPROC_HTML_UNITS_JSON_H
#define POSTPROC_HTML_UNITS_JSON_H

#include <stdio.h>

#include "config/dump/read.h"

/*
 * units_json - members of an object, without its braces:
 *
 *	"stacks"    package, number and name of each I/O stack that has one
 *	"devices"   package, stack, part, name and address of each device of which
 *	            these are known
 */
void units_json(const struct reader *, FILE *);

#endif
