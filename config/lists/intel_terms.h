/*
 * config/lists/intel_terms.h - one event of Intel's lists as the kernel's PMU
 * takes it.
 */
#ifndef CONFIG_LISTS_INTEL_TERMS_H
#define CONFIG_LISTS_INTEL_TERMS_H

struct intel_json;

/* intel_terms - the event as the kernel's PMU takes it: ev->pmu and
 * ev->terms.  They stay NULL where no terms can say it.  0 or -errno. */
int intel_terms(struct intel_json *);

#endif
