/*
 * config/amount.h - parse a count, a time or a size: 48, 1h, 64M.
 */
#ifndef CONFIG_AMOUNT_H
#define CONFIG_AMOUNT_H

#include <stdint.h>

enum amount_kind {
	AMOUNT_NONE,            /* none was given */
	AMOUNT_COUNT,           /* 48 */
	AMOUNT_TIME,            /* ns: 90s, 10min, 1h, 7d */
	AMOUNT_SIZE,            /* bytes: 512K, 64M, 2G; K is 1024 */
};

struct amount {
	enum amount_kind kind;
	uint64_t n;
};

/* amount_parse - parse a whole number above 0 and its unit.  Returns 0 or
 * -EINVAL. */
int amount_parse(struct amount *, const char *text);

/* amount_seconds - a hint for an option that takes plain seconds but was given
 * a time with a unit: "; 100ms is 0.1".  "" if text is no such time. */
#define AMOUNT_SECONDS 64
const char *amount_seconds(const char *text, char buf[AMOUNT_SECONDS]);

#endif
