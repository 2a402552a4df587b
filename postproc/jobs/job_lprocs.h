/*
 * postproc/jobs/job_lprocs.h - which lprocs of a node are a job's.
 */
#ifndef POSTPROC_JOBS_JOB_LPROCS_H
#define POSTPROC_JOBS_JOB_LPROCS_H

#include "postproc/data/layout.h"

/*
 * job_lprocs - by the list of its mark, "0-3,8"; "": all.
 *
 *   list = range { "," range }       range = NUMBER [ "-" NUMBER ]
 *
 * lproc    out: [topology.max_lproc], false so far
 * unknown  out: the list names others, or is none from some word on
 *
 * Returns how many they are.
 */
unsigned job_lprocs(const struct topology *, const char *list, bool *lproc,
    bool *unknown);

#endif
