/*
 * postproc/pages/differ.h - do nodes that stand side by side differ: in their CPU,
 * their topology, what they count?
 */
#ifndef POSTPROC_PAGES_DIFFER_H
#define POSTPROC_PAGES_DIFFER_H

#include "postproc/pages/gather.h"

enum trait { TRAIT_CPU, TRAIT_TOPOLOGY, TRAIT_EVENTS, TRAITS };

/* Of one node, as words; what it counts: how much, and a digest. */
struct traits {
	char text[TRAITS][160];
	uint64_t digest;
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
 * Returns false where they do not; else the words are in buf.
 */
bool traits_differ(const struct trait_list *, enum trait, char *buf,
    size_t size);

#endif
