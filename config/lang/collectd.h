/*
 * config/lang/collectd.h - collectd's <Plugin intel_pmu> block, as it stands in its
 * configuration.  For config/lang/events.c alone.
 */
#ifndef CONFIG_LANG_COLLECTD_H
#define CONFIG_LANG_COLLECTD_H

#include "config/lang/want.h"
#include "config/scan.h"

/*
 * collectd_parse - the rest of the line that begins with "<Plugin", and all up to
 * "</Plugin>".  As there, what cannot be had is left out, and the rest counted.
 *
 *   block = { "HardwareEvents" GROUP... | "Cores" LIST... | "EventList" FILE
 *           | switch ( "true" | "false" ) }
 *   switch = "ReportHardwareCacheEvents" | "ReportKernelPMUEvents"
 *          | "ReportSoftwareEvents" | "DispatchMultiPmu" | "AggregateUncorePMUs"
 *
 * Cores are of the events above them, since the Cores before.  -ENOENT: it is the
 * block of another plugin.
 */
int collectd_parse(struct config *, struct scan *, const struct want *like,
    struct diag *why);

#endif
