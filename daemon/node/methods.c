/*
 * daemon/node/methods.c - the methods of access.  A new one is a file with its
 * struct access_ops and its open, and a row here.
 */
#include "daemon/node/methods.h"

#include "config/sim/machine.h"
#include "regs/linux/linux.h"

#include <stddef.h>

const struct method methods[] = {
	{ NULL, linux_open },
	{ "sim", machine_open },
	{ NULL, NULL }
};
