/*
 * postproc/many/summary_file.h - a summary as a text: assignments that Lua and
 * Python read, as a dump is.
 *
 *	tally_summary = 1               the version of the format
 *	text[3] = "ipc"                 words, each once
 *	metric[0] = "3 7"               texts of its name and unit
 *	node_host[0] = "n0"             keys of a node
 *	node_values[0] = "METRIC VALUE MARKS WHY METRIC ..."    "-": none
 *	distribution[0] = "METRIC CPU JOB SCOPE UNKNOWN LEAST MOST BUCKET:COUNT ..."
 */
#ifndef POSTPROC_MANY_SUMMARY_FILE_H
#define POSTPROC_MANY_SUMMARY_FILE_H

#include <stdio.h>

#include "postproc/many/summary.h"

/* summary_is - does that file begin as a summary does?  A file that cannot be
 * read does not. */
bool summary_is(const char *path);

/* summary_write - all of it.  The writer finds out what went wrong with f. */
void summary_write(const struct summary *, FILE *f);

/* summary_read - what summary_write wrote, into zeros; name is for the words.
 * 0, or -errno with words; summary_fini accepts either. */
int summary_read(struct summary *, FILE *f, const char *name,
    struct diag *why);

#endif
