/*
 * daemon/options_file.h - options that stand in configuration files.
 */
#ifndef DAEMON_OPTIONS_FILE_H
#define DAEMON_OPTIONS_FILE_H

#include "daemon/options.h"

#include <sys/types.h>

/* Where a node's own configuration is, below --root. */
#define ETC_CONFIG "/etc/tallyd/tallyd.conf"

/*
 * options_file_read - o->lines: the options of the files that -c names, as far
 * as they are files and no pipe.  Where nothing says what to count, and the node
 * is this one, ETC_CONFIG, if it is there, is what to count from now on.
 *
 * Returns 0, or -errno with words; options_fini frees what it has allocated.
 */
int options_file_read(struct options *, struct diag *why);

/* options_of_no_node - do they ask for what needs no node to be told? */
bool options_of_no_node(const struct options *);

/* options_file_may - may this option stand in a file?  0 or -EINVAL. */
int options_file_may(const struct option_line *, struct diag *why);

#endif
