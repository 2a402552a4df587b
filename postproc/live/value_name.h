/*
 * postproc/live/value_name.h - what a value is called, and where in the node it is,
 * where a system has a text for each: collectd, the table of all values in SNMP.
 */
#ifndef POSTPROC_LIVE_VALUE_NAME_H
#define POSTPROC_LIVE_VALUE_NAME_H

#include "postproc/live/exposer.h"

/*
 * value_name - "dram_read" of a total, "dram_read_bytes_per_second" of what is now,
 * "imc_counts.CAS_COUNT.READS" of counts.
 * value_place - "package0-channel3", "lproc17"; "node".
 * Both as snprintf.
 */
int value_name(const struct exposed_group *, const struct exposed_labels *,
    char *buf, size_t size);
size_t value_place(const struct exposed_labels *, char *buf, size_t size);

/* value_label - the value of a label; NULL: there is none of that key. */
const char *value_label(const struct exposed_labels *, const char *key);

#endif
