/*
 * config/version.h - what both programs call themselves, and a dump its writer.
 */
#ifndef CONFIG_VERSION_H
#define CONFIG_VERSION_H

#define TALLYD_VERSION "0.1"

#endif
