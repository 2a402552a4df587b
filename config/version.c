/*
 * config/version.c - the version that both programs and the dump show.
 */
#include "config/version.h"

/* The Makefile writes it: #define TALLYD_COMMIT "85238b20a3-dirty", or nothing. */
#if __has_include("commit.inc")
#include "commit.inc"
#endif

const char *
version_text(void)
{
#ifdef TALLYD_COMMIT
	return TALLYD_VERSION " (" TALLYD_COMMIT ")";
#else
	return TALLYD_VERSION;
#endif
}
