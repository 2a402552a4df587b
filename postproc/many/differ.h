/*
 * postproc/many/differ.h - do nodes that are compared differ in their CPU, topology,
 * configuration of counters, or operating system?
 */
#ifndef POSTPROC_MANY_DIFFER_H
#define POSTPROC_MANY_DIFFER_H

#include "postproc/metrics/gather.h"

enum trait {
	TRAIT_CPU, TRAIT_TOPOLOGY, TRAIT_EVENTS, TRAIT_CONFIG, TRAIT_VERSION,
	TRAIT_KERNEL, TRAIT_BOOT, TRAIT_MICROCODE, TRAIT_DRIVER, TRAIT_GOVERNOR,
	TRAIT_SMT, TRAIT_WATCHDOG, TRAIT_CLOCK, TRAIT_NTP, TRAIT_HOLDERS,
	TRAITS
};

/* The traits of a node. */
struct traits {
	char text[TRAITS][160];         /* in words; "": the dump does not say */
	uint64_t digest[TRAITS];        /* of the whole trait, which text may have
	                                 * only a part of */
	double ntp_error;       /* of the wall clock, s; NaN: not known */
	bool unsynchronised;
};

/* traits_take - take the traits of a node from its dump, which has been read.  Returns 0 or
 * -ENOMEM. */
int traits_take(struct traits *, const struct gather *);

struct trait_list {
	const struct traits **of;
	const char **host;
	unsigned n;
};

/*
 * traits_differ - do nodes differ in a trait?  Those whose dumps do not say do not count.
 *
 * buf   out: how they differ, `CPU: Xeon (n1 n2), Grace (n3)`
 */
bool traits_differ(const struct trait_list *, enum trait, char *buf,
    size_t size);

/* traits_clocks - how well the wall clocks are synchronised, as lines that each begin
 * with a newline; "" if no dump says. */
void traits_clocks(const struct trait_list *, char *buf, size_t size);

#endif
