/*
 * daemon/node/writer_allow.c - what the writer is asked, and whether it may be done.
 *
 * The writer believes nothing that comes over a socket: it checks the size of a message,
 * that the register is one of the plan's, that the value is one that the plan has for it,
 * and that bits of others stay as they are.
 */
#include "daemon/node/writer.h"

#include "daemon/node/program.h"
#include "daemon/node/soc.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

/* A register that may be written.  A package's MSRs are listed by package, since each of
 * its lprocs reaches them. */
struct may {
	uint8_t space;
	uint32_t unit;
	uint64_t offset;
	unsigned write;         /* into plan->write */
	unsigned value, nvalue; /* into plan.sets.value, for each event set */
};
#define BY_PACKAGE 0x80000000u

int
writer_tell(int fd, const void *message, size_t size)
{
	ssize_t n;

	do
		n = send(fd, message, size, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)size ? 0 : n < 0 ? -errno : -EPIPE;
}

ssize_t
writer_hear(int fd, void *message, size_t size)
{
	ssize_t n;

	do
		n = recv(fd, message, size, MSG_TRUNC);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static int
writer_allow_by_address(const void *a, const void *b)
{
	const struct may *x = a, *y = b;

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return x->offset == y->offset ? 0 : x->offset < y->offset ? -1 : 1;
}

int
keeper_list_registers(struct keeper *k)
{
	const struct plan *plan = k->plan;

	if ((k->may = calloc(plan->nwrite + 1, sizeof(k->may[0]))) == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];

		k->may[i] = (struct may){ w->addr.space, w->addr.unit,
		    w->addr.offset, i, 0, 0 };
		if (w->pkg >= 0 && w->addr.space == REG_MSR)
			k->may[i].unit = BY_PACKAGE | (unsigned)w->pkg;
	}
	for (unsigned i = 0; i < plan->sets.nrot; i++) {
		k->may[plan->sets.rot[i].write].value = plan->sets.rot[i].value;
		k->may[plan->sets.rot[i].write].nvalue = plan->sets.n;
	}
	qsort(k->may, plan->nwrite, sizeof(k->may[0]), writer_allow_by_address);
	return 0;
}

static const struct may *
may_write(const struct keeper *k, const struct reg_addr *addr)
{
	const struct plan *plan = k->plan;
	struct may key = { .space = addr->space, .unit = addr->unit,
	    .offset = addr->offset }, *m;

	m = bsearch(&key, k->may, plan->nwrite, sizeof(key),
	    writer_allow_by_address);
	if (m == NULL && addr->space == REG_MSR && addr->unit < plan->lproc.n &&
	    plan->lproc.pkg[addr->unit] >= 0) {
		key.unit = BY_PACKAGE | (unsigned)plan->lproc.pkg[addr->unit];
		m = bsearch(&key, k->may, plan->nwrite, sizeof(key),
		    writer_allow_by_address);
	}
	if (m == NULL && addr->space == REG_MSR && addr->unit < plan->lproc.n &&
	    plan->lproc.reader[addr->unit] >= 0) {
		key.unit = (unsigned)plan->lproc.reader[addr->unit];
		m = bsearch(&key, k->may, plan->nwrite, sizeof(key),
		    writer_allow_by_address);
		if (m != NULL && (plan->write[m->write].type == NULL ||
		    plan->write[m->write].type->scope != SCOPE_CCX))
			m = NULL;
	}
	return m != NULL && plan->write[m->write].addr.bytes == addr->bytes ?
	    m : NULL;
}

/* Does the value have one of the plan's values in our bits, and others' bits unchanged? */
static bool
value_planned(const struct keeper *k, const struct may *m, uint64_t now,
    uint64_t raw)
{
	const struct plan_write *w = &k->plan->write[m->write];
	uint64_t ours = program_owned(w);
	bool known = ((raw ^ w->new) & ours) == 0 ||
	    ((raw ^ w->old) & ours) == 0;

	for (unsigned i = 0; !known && i < m->nvalue; i++)
		known = raw == k->plan->sets.value[m->value + i];
	return known && (w->rotates || ((raw ^ now) & ~ours) == 0);
}

int
keeper_write_one(struct keeper *k, const struct reg_addr *addr,
    uint64_t raw)
{
	const struct may *m = may_write(k, addr);
	uint64_t now = 0;
	int rc;

	if (!k->changed)
		return -EPERM;
	if (addr->space == REG_SIDEBAND)
		return soc_names(k->plan, addr) ?
		    access_write(k->acc, addr, raw) : -EPERM;
	if (m == NULL)
		return raw == 0 && plan_may_reset(k->plan, addr) ?
		    access_write(k->acc, addr, raw) : -EPERM;
	/* in a register that sets take turns on, all bits are ours */
	if (!k->plan->write[m->write].rotates &&
	    (rc = access_read(k->acc, addr, &now)) < 0)
		return rc;
	return value_planned(k, m, now, raw) ?
	    access_write(k->acc, addr, raw) : -EPERM;
}

bool
keeper_is_many(const struct request_many *ask, ssize_t size)
{
	return size >= (ssize_t)MANY_SIZE(0) && ask->what == ASK_WRITE_MANY &&
	    ask->n <= ACCESS_MANY && size == (ssize_t)MANY_SIZE(ask->n);
}

int32_t
keeper_write_many(struct keeper *k, const struct request_many *ask)
{
	int32_t failed = 0;

	for (unsigned i = 0; i < ask->n; i++)
		failed += keeper_write_one(k, &ask->value[i].addr,
		    ask->value[i].raw) < 0;
	return failed;
}
