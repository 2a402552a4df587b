/*
 * daemon/sampler.c - the loop: sleep to a deadline, read, commit.
 */
#include "daemon/sampler.h"

#include <string.h>

static volatile sig_atomic_t stop_signal, dump_wanted, mark_wanted;

static void
on_stop(int sig)
{
	stop_signal = sig;
}

static void
on_dump(int sig)
{
	(void)sig;
	dump_wanted = 1;
}

static void
on_mark(int sig)
{
	(void)sig;
	mark_wanted = 1;
}

static const struct { int sig; void (*handler)(int); } handled[] = {
	{ SIGCONT, on_stop }, { SIGTERM, on_stop }, { SIGINT, on_stop },
	{ SIGHUP, on_stop }, { SIGUSR1, on_dump }, { SIGUSR2, on_mark },
};
#define NHANDLED (sizeof(handled) / sizeof(handled[0]))

void
sampler_signals(void)
{
	struct sigaction sa;
	sigset_t set;

	stop_signal = dump_wanted = mark_wanted = 0;
	sigemptyset(&set);
	for (size_t i = 0; i < NHANDLED; i++) {
		memset(&sa, 0, sizeof(sa));
		sa.sa_handler = handled[i].handler;
		sigfillset(&sa.sa_mask);
		sigaction(handled[i].sig, &sa, NULL);
		sigaddset(&set, handled[i].sig);
	}
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* children that dump are nobody's concern */
	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = SIG_DFL;
	sa.sa_flags = SA_NOCLDWAIT;
	sigaction(SIGCHLD, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
}

unsigned
sampler_row(const struct plan *plan, struct access *acc, uint64_t *row)
{
	unsigned absent = 0;
	struct stamp now;

	acc->ops->now(acc, &now);
	row[CELL_TSC] = now.tsc;
	row[CELL_SEC] = now.real_ns / 1000000000;
	row[CELL_USEC] = now.real_ns % 1000000000 / 1000;
	for (unsigned i = 0; i < plan->nblock; i++) {
		const struct block *b = &plan->block[i];

		row[b->cell] = access_tsc(acc);
		absent += access_read_block(acc, &plan->read[b->first], b->n,
		    &row[b->cell + 1]);
	}
	return absent;
}

uint64_t
sampler_next(const struct stamp *now, uint64_t interval_ns)
{
	/* A tenth: the wall clock may have been slewed back while asleep. */
	uint64_t k = (now->real_ns + interval_ns / 10) / interval_ns + 1;

	return now->mono_ns + (k * interval_ns - now->real_ns);
}

/* Deadlines between the last one and the next passed unseen.  Both are on the
 * monotonic clock: a step of the wall clock misses none. */
static void
count_missed(struct sampler *s, uint64_t last, uint64_t next)
{
	uint64_t steps = (next - last + s->interval_ns / 2) / s->interval_ns;

	if (steps > 1)
		store_missed(s->store, steps - 1);
}

static void
handle_requests(struct sampler *s)
{
	if (mark_wanted) {
		mark_wanted = 0;
		store_mark(s->store);
	}
	if (dump_wanted) {
		dump_wanted = 0;
		if (s->dump_now != NULL)
			s->dump_now(s->ctx);
	}
}

int
sampler_run(struct sampler *s)
{
	sigset_t none;
	struct stamp now;
	uint64_t last, deadline = 0, *row;

	sigprocmask(SIG_SETMASK, NULL, &none);
	for (size_t i = 0; i < NHANDLED; i++)
		sigdelset(&none, handled[i].sig);
	/* from here on: no allocation, no exit */
	while ((row = store_row(s->store)) != NULL) {
		sampler_row(s->plan, s->acc, row);
		store_commit(s->store);
		if (deadline == 0 && s->first_row != NULL)
			s->first_row(s->ctx);
		if (stop_signal != 0 || store_rows(s->store) >= s->samples)
			break;
		s->acc->ops->now(s->acc, &now);
		last = deadline;
		deadline = sampler_next(&now, s->interval_ns);
		if (last != 0)
			count_missed(s, last, deadline);
		while (s->acc->ops->sleep(s->acc, deadline, &none) < 0 &&
		    stop_signal == 0)
			handle_requests(s);
		handle_requests(s);
	}
	return stop_signal;
}
