/*
 * config/lang/collectd.h - collectd's <Plugin intel_pmu> block, as it stands in its
 * configuration.  For config/lang/events.c alone.
 */
#ifndef CONFIG_LANG_COLLECTD_H
#define CONFIG_LANG_COLLECTD_H

#include "config/lang/want.h"
#include "config/scan.h"

/*
 * collectd_parse - parse the rest of a line that begins with "<Plugin", and all
 * lines up to "</Plugin>".  As in collectd, events that cannot be counted are
 * skipped.
 *
 *   block = { "HardwareEvents" GROUP... | "Cores" LIST... | "EventList" FILE
 *           | switch ( "true" | "false" ) }
 *   switch = "ReportHardwareCacheEvents" | "ReportKernelPMUEvents"
 *          | "ReportSoftwareEvents" | "DispatchMultiPmu" | "AggregateUncorePMUs"
 *
 * Cores apply to the events between the previous Cores and these.  Returns 0 or
 * -errno; -ENOENT: it is the block of another plugin.
 */
int collectd_parse(struct config *, struct scan *, const struct want *like,
    struct diag *why);

#endif
