/*
 * postproc/live/snmp.h - the requests of net-snmp's pass_persist.
 */
#ifndef POSTPROC_LIVE_SNMP_H
#define POSTPROC_LIVE_SNMP_H

#include <stdio.h>

#include "postproc/live/exporters.h"

/* snmp_serve - answer the requests of `in` on `out`, until there are no more. */
void snmp_serve(struct export_ask *, FILE *in, FILE *out);

#endif
