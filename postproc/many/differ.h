/*
 * postproc/many/differ.h - do nodes that stand side by side differ: in their CPU,
 * their topology, what they count, the system that they run?
 */
#ifndef POSTPROC_MANY_DIFFER_H
#define POSTPROC_MANY_DIFFER_H

#include "postproc/gather/gather.h"

enum trait {
	TRAIT_CPU, TRAIT_TOPOLOGY, TRAIT_EVENTS, TRAIT_CONFIG, TRAIT_VERSION,
	TRAIT_KERNEL, TRAIT_BOOT, TRAIT_MICROCODE, TRAIT_DRIVER, TRAIT_GOVERNOR,
	TRAIT_SMT, TRAIT_WATCHDOG, TRAIT_CLOCK, TRAIT_NTP, TRAIT_HOLDERS,
	TRAITS
};

/* Of one node, as words, and a digest of all that there is to them; "": its
 * dump does not say. */
struct traits {
	char text[TRAITS][160];
	uint64_t digest[TRAITS];
	double ntp_error;       /* s, of the wall clock; NaN: not known */
	bool unsynchronised;
};

/* traits_take - of a dump that was read.  0 or -ENOMEM. */
int traits_take(struct traits *, const struct gather *);

struct trait_list {
	const struct traits **of;
	const char **host;
	unsigned n;
};

/*
 * traits_differ - what nodes differ in: `CPU: Xeon (n1 n2), Grace (n3)`.
 *
 * Returns false where they do not, nodes that do not say aside; else the words
 * are in buf.
 */
bool traits_differ(const struct trait_list *, enum trait, char *buf,
    size_t size);

/* traits_clocks - how well their wall clocks are kept, in lines that each begin
 * with a newline; "" where no node says. */
void traits_clocks(const struct trait_list *, char *buf, size_t size);

#endif
