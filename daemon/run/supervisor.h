/*
 * daemon/run/supervisor.h - the process of a service that stays while samplers follow
 * one another, so that the configuration can be read again.
 *
 * It starts the sampler, passes signals on, and ends with it.  To read the configuration
 * again (SIGHUP, tallyd --reload) it starts a second sampler, which has all the rights of a
 * start, and plans.  Only when that is ready does the first one put its registers back,
 * and the second goes on with a segment of its own.  If anything goes wrong before its
 * first row, the first one goes on.  It opens no register, and reads no configuration.
 */
#ifndef DAEMON_RUN_SUPERVISOR_H
#define DAEMON_RUN_SUPERVISOR_H

#include "daemon/run/handover.h"
#include "daemon/run/notify.h"

/* supervisor_wanted - is it a service in segments, which samples a node in real
 * time? */
bool supervisor_wanted(const struct options *);

/*
 * supervisor_run - runs until the last sampler ends; returns its exit status.
 *
 * ready   the pipe by which the first sampler says that it samples; -1
 * sample  is called in a child: options, plan, run; its exit status
 */
int supervisor_run(const struct options *, int ready, int (*sample)(void *ctx,
    const struct handover *, struct notify *), void *ctx);

#endif
