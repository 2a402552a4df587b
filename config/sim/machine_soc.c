/*
 * config/sim/machine_soc.c - a message bus, and what its counters count.
 *
 *   mailbox BUS:DEV.FN counters=PORT lane=OFFSET gate=PORT,OFFSET,KEY
 *                         MCR, MDR and MCRX of that function; counter n counts
 *                         the signal in register OFFSET + 4n of the counters'
 *                         port while the gate's register holds KEY
 *   mailbox none
 *   signal ID RATES       what a lane register holding ID selects
 *   message PORT OPCODE OFFSET = VALUE [write=MASK]
 *                         another register; OPCODE: the one that reads
 */
#include "config/sim/machine_int.h"

#include <errno.h>
#include <string.h>

/* gate=PORT,OFFSET,KEY */
static int
parse_gate(struct machine *p, char *value, struct sim_mailbox *m)
{
	static const char *const what[] = { "port of the gate",
		"register of the gate", "key of the gate" };
	static const uint64_t max[] = { 0xff, UINT32_MAX, UINT32_MAX };
	uint64_t v[3] = { 0 };
	int rc;

	for (unsigned i = 0; i < 3; i++)
		if ((rc = machine_number(p, what[i], strsep(&value, ","), 0,
		    max[i], &v[i])) < 0)
			return rc;
	m->gate_port = (uint8_t)v[0];
	m->gate_reg = (uint32_t)v[1];
	m->key = (uint32_t)v[2];
	return value == NULL ? 0 : machine_wrong(p, "gate=PORT,OFFSET,KEY has "
	    "three numbers");
}

int
machine_mailbox(struct machine *p)
{
	struct sim_mailbox m = { .there = true, .line = p->line };
	char *w = machine_word(p), *value;
	unsigned seen = 0;
	uint64_t v = 0;
	bool role;
	int rc = 0;

	if (word_says(w, "none")) {
		p->d->mailbox.there = false;
		return machine_ends(p);
	}
	if (w == NULL || !line_function(w, &m.bus, &role, &m.devfn) || role)
		return machine_wrong(p, "a mailbox is behind a function, as in "
		    "00:00.0, or none");
	while (rc == 0 && (w = machine_word(p)) != NULL) {
		if (!machine_split(w, &value))
			value = w;
		if (word_says(w, "counters")) {
			rc = machine_number(p, w, value, 0, 0xff, &v);
			m.port = (uint8_t)v;
			seen |= 1;
		} else if (word_says(w, "lane")) {
			rc = machine_number(p, w, value, 0, 0xfff0, &v);
			m.lane = (uint32_t)v;
			seen |= 2;
		} else if (word_says(w, "gate")) {
			rc = parse_gate(p, value, &m);
			seen |= 4;
		} else
			rc = machine_wrong(p, "unknown word \"%s\"; right would "
			    "be counters=PORT lane=OFFSET gate=PORT,OFFSET,KEY",
			    w);
	}
	if (rc == 0 && seen != 7)
		rc = machine_wrong(p, "a mailbox needs counters=, lane= and "
		    "gate=");
	if (rc == 0)
		p->d->mailbox = m;
	return rc;
}

int
machine_signal(struct machine *p)
{
	struct sim_desc *d = p->d;
	struct sim_signal signal = { 0 };
	char *w, *value;
	uint64_t id = 0;
	int rc = machine_number(p, "signal", machine_word(p), 0, UINT32_MAX,
	    &id);

	signal.id = (uint32_t)id;
	while (rc == 0 && (w = machine_word(p)) != NULL) {
		if (!machine_split(w, &value))
			return machine_wrong(p, "\"%s\"; right would be PHASE=N "
			    "or all=N", w);
		rc = machine_rate(p, &signal.rate, w, value, MAX_HZ);
		if (rc == 1)
			return machine_unknown(p, w, "a phase");
	}
	return rc < 0 ? rc :
	    sim_desc_add(&d->signal, &d->nsignal, &signal, sizeof(signal));
}

int
machine_message(struct machine *p)
{
	static const char *const what[] = { "port", "opcode", "offset" };
	static const uint64_t max[] = { 0xff, 0xfe, UINT32_MAX };
	struct sim_desc *d = p->d;
	struct sim_message m = { 0 };
	uint64_t at[3] = { 0 }, v = 0;
	unsigned writable = 0;
	const struct machine_key keys[] = {
		{ "write=MASK", 0, UINT32_MAX, .small = &writable },
		{ .name = NULL },
	};
	const char *w;
	int rc;

	for (unsigned i = 0; i < 3; i++)
		if ((rc = machine_number(p, what[i], machine_word(p), 0,
		    max[i], &at[i])) < 0)
			return rc;
	if (at[1] & 1)
		return machine_wrong(p, "opcode 0x%x writes; name the one that "
		    "reads", (unsigned)at[1]);
	w = machine_word(p);
	if (!word_says(w, "="))
		return machine_wrong(p, "right would be message PORT OPCODE "
		    "OFFSET = VALUE");
	if ((rc = machine_number(p, "value", machine_word(p), 0,
	    UINT32_MAX, &v)) < 0)
		return rc;
	if ((rc = machine_keys(p, keys)) < 0)
		return rc;
	m = (struct sim_message){ (uint8_t)at[0], (uint8_t)at[1],
	    (uint32_t)at[2], (uint32_t)v, writable };
	return sim_desc_add(&d->message, &d->nmessage, &m, sizeof(m));
}
