/*
 * config/sim/machine.c - read the text of a simulated machine, line by line;
 * its grammar is in machine.h.
 */
#include "config/sim/machine.h"

#include "config/sim/machine_int.h"
#include "config/texts.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what counters do of a stimulus ------------------------------------- */

/* ACT [ "*" N ] [ "/" N ], as one word */
static int
activity(struct machine *p, char *w, struct sim_does *d)
{
	size_t len = w != NULL ? strcspn(w, "*/") : 0;
	int act = w != NULL ? act_named(w, len) : -1;
	char *div, *mul;
	int rc = 0;

	if (act < 0)
		return machine_wrong(p, "\"%s\" is nothing that a stimulus does: "
		    "instructions, loads, dram_read ...", w != NULL ? w : "");
	d->act = (uint8_t)act;
	d->mul = d->div = 1;
	w += len;
	if ((div = strchr(w, '/')) != NULL)
		*div++ = '\0';
	mul = *w == '*' ? w + 1 : NULL;
	if (mul != NULL)
		rc = machine_number(p, "factor", mul, 1, 1000000, &d->mul);
	if (rc == 0 && div != NULL)
		rc = machine_number(p, "divisor", div, 1, 1000000000, &d->div);
	return rc;
}

/* BOX ( CONTROL[/MASK] | fixed[N] ): which counters of a box */
static int
selected(struct machine *p, const char *name, struct sim_does *d)
{
	const struct sim_box *b = name == NULL ? NULL :
	    machine_box_named(p->d, name);
	char *w = machine_word(p);
	int rc;

	if (b == NULL)
		return machine_wrong(p, "no box \"%s\" so far; right would be "
		    "msr, too, or mmio", name != NULL ? name : "");
	d->box = (unsigned)(b - p->d->box);
	if (w == NULL)
		return machine_wrong(p, "a control value, or fixed, is missing");
	if (strncmp(w, "fixed", 5) == 0)
		return (rc = machine_fixed(p, b, w, &d->fixed)) < 0 ? rc :
		    d->fixed < 0 ? (d->fixed = 0) : 0;
	rc = machine_masked(p, "control value", w, &d->key, &d->mask);
	d->mask &= ~(b->enable | b->ignore);
	d->key &= d->mask;
	return rc;
}

static int
machine_does(struct machine *p)
{
	struct sim_does d = { .fixed = -1, .where = machine_anywhere };
	char *w = machine_word(p), *value;
	int rc;

	if (word_says(w, "msr"))
		d.space = REG_MSR;
	else if (word_says(w, "mmio"))
		d.space = REG_MMIO;
	rc = d.space == REG_NONE ? selected(p, w, &d) : machine_number(p,
	    "address", machine_word(p), 0, UINT64_C(0xfffffffffffff),
	    &d.offset);
	if (rc == 0)
		rc = activity(p, machine_word(p), &d);
	while (rc == 0 && (w = machine_word(p)) != NULL) {
		if (!machine_split(w, &value) ||
		    (rc = machine_where(p, &d.where, w, value)) == 1)
			return machine_wrong(p, "unknown \"%s\"; right would be "
			    "pkg=N, inst=N, thread=N or lproc=N", w);
	}
	return rc < 0 ? rc :
	    sim_desc_add(&p->d->does, &p->d->ndoes, &d, sizeof(d));
}

/* ---- a message bus ------------------------------------------------------ */

/*
 * A message bus, and what its counters count.
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

static int
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

static int
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

static int
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

/* ---- the text ----------------------------------------------------------- */

static const struct statement {
	const char *name;
	int (*parse)(struct machine *);
} statements[] = {
	{ "host", machine_host }, { "name", machine_cpu_name }, { "cpu", machine_cpu },
	{ "cpuid", machine_cpuid }, { "packages", machine_packages },
	{ "cores", machine_cores }, { "threads", machine_threads },
	{ "dies", machine_dies }, { "nodes", machine_nodes },
	{ "numbering", machine_numbering }, { "apic", machine_apic }, { "lproc", machine_lproc },
	{ "bus", machine_bus }, { "start", machine_start }, { "tsc", machine_tsc },
	{ "ntp", machine_ntp },
	{ "read_cost", machine_read_cost }, { "noise", machine_noise },
	{ "phase", machine_phase },
	{ "msr", machine_msr }, { "pci", machine_pci }, { "mmio", machine_mmio },
	{ "file", machine_file }, { "global", machine_global },
	{ "box", machine_box }, { "event", machine_event },
	{ "does", machine_does },
	{ "hold", machine_hold },
	{ "pmu", machine_pmu }, { "named", machine_named },
	{ "count", machine_kcount }, { "mailbox", machine_mailbox }, { "signal", machine_signal },
	{ "message", machine_message },
};

static int parse_lines(struct machine *, char *text, size_t size);

/* like = "like" @NAME    a built-in machine, that the lines below change */
static int
machine_like(struct machine *p)
{
	const char *name = machine_word(p);
	const struct text *t = name != NULL ? text_named(name, TEXT_MACHINE) :
	    NULL;
	unsigned line = p->line;
	char *text;
	int rc;

	if (t == NULL)
		return machine_wrong(p, "like %s: there is no such built-in "
		    "machine", name != NULL ? name : "what?");
	if (p->nlike > p->within)
		return machine_wrong(p, "a machine is like one other");
	if (p->nlike == MAX_LIKES)
		return machine_wrong(p, "like %s: more than %d machines, one "
		    "like the next", name, MAX_LIKES);
	if ((text = malloc((size_t)(t->end - t->data) + 1)) == NULL)
		return -ENOMEM;
	p->like[p->nlike++] = text;
	memcpy(text, t->data, (size_t)(t->end - t->data));
	p->within++;
	rc = parse_lines(p, text, (size_t)(t->end - t->data));
	p->within--;
	p->line = line;
	return rc;
}

/* Refuses a word that begins no line, and names all that do. */
static int
machine_no_statement(struct machine *p, const char *w)
{
	char names[512] = "";
	size_t n = 0;

	for (unsigned i = 0; i < sizeof(statements) / sizeof(*statements); i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s ",
		    statements[i].name);
	return machine_wrong(p, "unknown statement \"%s\"; right would be "
	    "%slike from", w, names);
}

static int
machine_parse_line(struct machine *p, char *line)
{
	char *start = line;
	const char *w;
	int rc;

	while (isspace((unsigned char)*start))
		start++;
	if (strncmp(start, "from", 4) == 0 && isspace((unsigned char)start[4])) {
		if (p->nfault == MAX_FAULTS)
			return machine_wrong(p, "more than %d faults", MAX_FAULTS);
		p->fault[p->nfault].line = p->line;
		p->fault[p->nfault++].text = start;
		return 0;
	}
	p->rest = line;
	if ((w = machine_word(p)) == NULL)
		return 0;
	if (word_says(w, "like"))
		return machine_like(p);
	for (unsigned i = 0; i < sizeof(statements) / sizeof(*statements); i++)
		if (strcmp(w, statements[i].name) == 0) {
			rc = statements[i].parse(p);
			return rc == -ENOMEM ? diag_set(p->why, rc,
			    "out of memory") : rc;
		}
	if (strncmp(w, "tallyd_", 7) == 0)
		return machine_wrong(p, "this is a dump, and no machine: --replay "
		    "takes one");
	return machine_no_statement(p, w);
}

static int
parse_lines(struct machine *p, char *text, size_t size)
{
	char *end, *stop = text + size;
	int rc;

	for (; text < stop; text = end + 1) {
		p->line++;
		if ((end = memchr(text, '\n', (size_t)(stop - text))) == NULL)
			end = stop;
		*end = '\0';
		if (strlen(text) != (size_t)(end - text))
			return machine_wrong(p, "a zero byte in the line; a machine is "
			    "plain text");
		if ((rc = machine_parse_line(p, text)) < 0)
			return rc;
	}
	return 0;
}

static int
parse_text(struct machine *p, char *text, size_t size)
{
	int rc = parse_lines(p, text, size);

	for (unsigned i = 0; rc == 0 && i < p->d->nbox; i++)
		rc = machine_box_finish(p, &p->d->box[i]);
	return rc;
}

static int
start_faults(struct machine *p, struct sim *s, const char *file)
{
	struct diag why = { "" };
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < p->nfault; i++)
		if ((rc = machine_fault(s, p->fault[i].text, &why)) < 0)
			diag_at(p->why, file, p->fault[i].line, "%s", why.text);
	return rc;
}

int
machine_parse(struct sim **out, const char *file, const char *text, size_t size,
    struct diag *why)
{
	struct machine *p = calloc(1, sizeof(*p));
	char *copy = malloc(size + 1);
	struct sim_desc *d = sim_desc_new(file);
	int rc = -ENOMEM;

	*out = NULL;
	if (p == NULL || copy == NULL || d == NULL) {
		diag_set(why, rc, "out of memory");
		sim_desc_free(d);
		goto done;
	}
	memcpy(copy, text, size);
	p->d = d;
	p->why = why;
	if ((rc = parse_text(p, copy, size)) < 0) {
		sim_desc_free(d);
		goto done;
	}
	if ((rc = sim_build(out, d, why)) < 0)
		goto done;
	if ((rc = start_faults(p, *out, file)) < 0) {
		sim_free(*out);
		*out = NULL;
	}
done:
	free(copy);
	for (unsigned i = 0; p != NULL && i < p->nlike; i++)
		free(p->like[i]);
	free(p);
	return rc;
}

int
machine_load(struct sim **out, const char *file, struct diag *why)
{
	char *text;
	size_t size;
	int rc = text_load(file, TEXT_MACHINE, &text, &size, why);

	*out = NULL;
	if (rc < 0)
		return rc;
	rc = machine_parse(out, file, text, size, why);
	free(text);
	return rc;
}

int
machine_open(struct access **acc, const char *file, struct diag *why)
{
	struct sim *sim;
	int rc = machine_load(&sim, file, why);

	if (rc == 0)
		*acc = sim_access(sim);
	return rc;
}
