/*
 * config/version.h - the version that both programs and the dump show.
 */
#ifndef CONFIG_VERSION_H
#define CONFIG_VERSION_H

#define TALLYD_VERSION "0.1"

/* version_text - the version; if built in a git checkout, with the commit:
 * "0.1 (v0.1-12-g85238b20a3)".  A build from a tarball has no commit and is
 * reproducible. */
const char *version_text(void);

#endif
