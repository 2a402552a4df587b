/*
 * daemon/run/supervisor.h - the process that stays, of a service whose
 * configuration can be read again.
 *
 * It starts the sampler, passes on what signals say, and ends with it.  Where the
 * configuration is to be read again (SIGHUP, tallyd --reload) it starts another
 * one, which has all the rights that a start has, and plans; only when that is
 * ready has the first one its registers put back, and the second goes on with a
 * segment of its own.  Whatever goes wrong before its first row, the first one
 * goes on.  It opens no register, and reads no configuration.
 */
#ifndef DAEMON_RUN_SUPERVISOR_H
#define DAEMON_RUN_SUPERVISOR_H

#include "daemon/run/handover.h"
#include "daemon/run/notify.h"

/* supervisor_wanted - is it a service in segments, which samples a node in real
 * time? */
bool supervisor_wanted(const struct options *);

/*
 * supervisor_run - until the last sampler ends; returns its exit status.
 *
 * ready   what the first one tells that it samples by, which is its own; -1
 * sample  is called in a child: options, plan, run; its exit status
 */
int supervisor_run(const struct options *, int ready, int (*sample)(void *ctx,
    const struct handover *, struct notify *), void *ctx);

#endif
