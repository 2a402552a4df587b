/*
 * config/lang/doubts.h - warn of statements that are valid but probably wrong.
 */
#ifndef CONFIG_LANG_DOUBTS_H
#define CONFIG_LANG_DOUBTS_H

#include "config/lang/want.h"

/*
 * config_doubt - does want number i lack a filter that it cannot count
 * without?  True with file:line, what it lacks and what to write in why.  Ask
 * when the configuration is complete: a later line may give the filter.
 */
bool config_doubt(const struct config *, unsigned i, struct diag *why);

#endif
