/*
 * config/lang/peaks.h - peak rates of the node, as measured by its site:
 *
 *   peak = "peak" ( "dram" | "flops" ) "=" NUMBER unit "(" words ")"
 *   unit = "MB/s" | "GB/s" | "TB/s" | "GFLOP/s" | "TFLOP/s"
 *
 *   peak dram = 204.8 GB/s (measured with STREAM, triad, one thread a core)
 *   peak flops = 2.9 TFLOP/s (HPL)
 *
 * Peaks are of the whole node.  The words name the source of the number; they
 * are printed beside every percentage of it.
 */
#ifndef CONFIG_LANG_PEAKS_H
#define CONFIG_LANG_PEAKS_H

#include "config/lang/want.h"
#include "config/scan.h"

/* peaks_parse - the rest of a line after "peak"; a later one holds.  0, -EINVAL
 * with "file:line: ..." in why; -ENOMEM. */
int peaks_parse(struct config *, struct scan *, struct diag *why);

#endif
