/*
 * regs/sim/sim_mailbox.c - a message bus behind a PCI function, and its counters,
 * as the project's reference "rangeley-soc" describes them.
 *
 *   - a write to MCR starts a transaction; bit 0 of the opcode means write
 *   - the three registers are one mailbox: what another agent left in MCRX
 *     goes into the next address
 *   - a port that does not exist reads all ones and ignores writes
 *   - a counter's data register is a latch: it changes on Sample
 *   - Reset (which Intel's drivers call stop) zeroes the count
 *   - 32 bits; at 2^32 a count goes on from 0
 *   - the first reading of a status claims the counter: bit 28
 *
 * A choice, as nothing is published: each counter has a lane register that selects its
 * signal, and one register enables them all.
 */
#include "regs/sim/sim_int.h"

#include <errno.h>

#define MCR 0xd0
#define MDR 0xd4
#define MCRX 0xd8
#define ALL_ONES UINT32_MAX
#define STORE 256               /* registers of counters' and gate's ports */

enum { COMMAND = 0x28, STEP = 0x10, EVENT = 4, STATUS = 8, DATA = 0xc };
enum { ACTIVE = 1 << 29, CLAIMED = 1 << 28 };

struct counter {
	struct sim_count count;
	uint32_t event, data;
	bool active, claimed;
};

struct held_word {
	uint8_t port;
	uint32_t offset, value;
};

struct mailbox {
	const struct sim_mailbox *d;
	struct reg mcr, mdr, mcrx;
	struct counter counter[SIM_LANES];
	struct held_word held[STORE];
	unsigned nheld;
	uint32_t *message;      /* [d->nmessage] values of the other registers */
};

int
mailbox_build(struct sim *s, struct diag *why)
{
	const struct sim_desc *d = s->d;
	struct mailbox *m;
	struct sim_page *p;

	if (!d->mailbox.there)
		return 0;
	m = s->mailbox = sim_alloc(s, sizeof(*m));
	p = sim_page_at(s, REG_PCI, PCI_UNIT(0, d->mailbox.bus,
	    d->mailbox.devfn), true);
	if (m == NULL || p == NULL || (m->message = sim_alloc(s,
	    (d->nmessage + 1) * sizeof(m->message[0]))) == NULL)
		return sim_no_room(s, d->mailbox.line, why);
	m->d = &d->mailbox;
	for (unsigned i = 0; i < d->nmessage; i++)
		m->message[i] = d->message[i].value;
	m->mcr = (struct reg){ .kind = R_MCR, .bits = 32 };
	m->mdr = (struct reg){ .kind = R_MDR, .bits = 32 };
	m->mcrx = (struct reg){ .kind = R_VALUE, .bits = 32,
	    .mask = 0xffffff00 };
	sim_slot(p, &m->mcr, MCR);
	sim_slot(p, &m->mdr, MDR);
	sim_slot(p, &m->mcrx, MCRX);
	return 0;
}

/* Finds a register of the counters' or the gate's port; NULL: it was not written yet,
 * or there is no room for it. */
static struct held_word *
sim_mailbox_held(struct mailbox *m, unsigned port, uint32_t offset, bool make)
{
	for (unsigned i = 0; i < m->nheld; i++)
		if (m->held[i].port == port && m->held[i].offset == offset)
			return &m->held[i];
	if (!make || m->nheld == STORE)
		return NULL;
	m->held[m->nheld] = (struct held_word){ (uint8_t)port, offset, 0 };
	return &m->held[m->nheld++];
}

static uint32_t
held_value(struct mailbox *m, unsigned port, uint32_t offset)
{
	const struct held_word *h = sim_mailbox_held(m, port, offset, false);

	return h != NULL ? h->value : 0;
}

static const struct sim_rate *
signal_rate(const struct sim_desc *d, uint32_t id)
{
	for (unsigned i = d->nsignal; i-- > 0;)
		if (d->signal[i].id == id)
			return &d->signal[i].rate;
	return NULL;
}

/* Makes each counter count the signal that its lane selects. */
static void
route(struct sim *s)
{
	struct mailbox *m = s->mailbox;
	const struct sim_mailbox *d = m->d;
	bool open = held_value(m, d->gate_port, d->gate_reg) == d->key;

	for (unsigned n = 0; n < SIM_LANES; n++) {
		struct counter *c = &m->counter[n];

		count_by(s, &c->count, open && c->active ? signal_rate(s->d,
		    held_value(m, d->port, d->lane + 4 * n)) : NULL, 0);
	}
}

static void
command(struct sim *s, struct counter *c, uint32_t value)
{
	switch (value >> 16 & 0xf) {
	case 0x0:               /* hold: stop, and keep the count */
		c->active = false;
		break;
	case 0x1:
		c->active = true;
		break;
	case 0x2:
		c->data = (uint32_t)count_get(s, &c->count);
		break;
	case 0x4:
		count_set(s, &c->count, 0);
		c->active = false;
		break;
	case 0x6:
		c->data = (uint32_t)count_get(s, &c->count);
		/* FALLTHROUGH */
	case 0x5:
		count_set(s, &c->count, 0);
		c->active = true;
		break;
	case 0xf:
		count_set(s, &c->count, c->data);
		break;
	}
	route(s);
}

/* Reads or writes a register of a counter; false: it is none. */
static bool
counter_access(struct sim *s, uint32_t offset, bool write, uint32_t *value)
{
	unsigned n = (offset - COMMAND) / STEP;
	struct counter *c;

	if (offset < COMMAND || n >= SIM_LANES || offset % 4 != 0)
		return false;
	c = &s->mailbox->counter[n];
	switch ((offset - COMMAND) % STEP) {
	case EVENT:
		*(write ? &c->event : value) = write ? *value : c->event;
		break;
	case STATUS:
		if (write) {
			if (*value & CLAIMED)
				c->claimed = false;
			break;
		}
		*value = (c->active ? ACTIVE : 0) | (c->claimed ? CLAIMED : 0);
		c->claimed = true;
		break;
	case DATA:
		*(write ? &c->data : value) = write ? *value : c->data;
		break;
	default:
		if (write)
			command(s, c, *value);
		else
			*value = 0;
	}
	return true;
}

static void
transact(struct sim *s, unsigned opcode, unsigned port, uint32_t offset,
    uint32_t *value)
{
	struct mailbox *m = s->mailbox;
	bool write = (opcode & 1) != 0, known = false;
	struct held_word *h;

	for (unsigned i = s->d->nmessage; i-- > 0;) {
		const struct sim_message *e = &s->d->message[i];

		known |= e->port == port && e->opcode == (opcode & 0xfe);
		if (e->port != port || e->opcode != (opcode & 0xfe) ||
		    e->offset != offset)
			continue;
		if (write)
			m->message[i] = (m->message[i] & ~e->writable) |
			    (*value & e->writable);
		else
			*value = m->message[i];
		return;
	}
	if ((opcode & 0xfe) != 0 ||
	    (port != m->d->port && port != m->d->gate_port)) {
		if (!write)
			*value = known ? 0 : ALL_ONES;
		return;
	}
	if (port == m->d->port && counter_access(s, offset, write, value))
		return;
	if (!write) {
		*value = held_value(m, port, offset);
		return;
	}
	if ((h = sim_mailbox_held(m, port, offset, true)) != NULL)
		h->value = *value;
	route(s);
}

void
mailbox_transact(struct sim *s)
{
	struct mailbox *m = s->mailbox;
	uint32_t mcr = (uint32_t)m->mcr.value, value = (uint32_t)m->mdr.value;

	if ((mcr & 0xf0) != 0xf0)
		return;                 /* not a whole dword */
	transact(s, mcr >> 24, mcr >> 16 & 0xff,
	    (uint32_t)m->mcrx.value | (mcr >> 8 & 0xff), &value);
	m->mdr.value = value;
}
