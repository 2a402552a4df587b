/*
 * daemon/dry_run.h - --dry-run: every register that would be written and read.
 */
#ifndef DAEMON_DRY_RUN_H
#define DAEMON_DRY_RUN_H

#include "daemon/node/node.h"

#include <stdio.h>

/* dry_run_print - each register to be written, with its old value, its new value
 * and the fields of that, each event to be counted by the kernel and each
 * register to be read.  The plan has been saved
 * (program_save). */
void dry_run_print(FILE *out, const struct node *);

#endif
