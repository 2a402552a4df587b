/*
 * config/version.h - what both programs call themselves, and a dump its writer.
 */
#ifndef CONFIG_VERSION_H
#define CONFIG_VERSION_H

#define TALLYD_VERSION "0.1"

/* version_text - that; of what was built in a checkout of git its commit, too:
 * "0.1 (v0.1-12-g85238b20a3)".  A tarball has none, and the same bytes anywhere. */
const char *version_text(void);

#endif
