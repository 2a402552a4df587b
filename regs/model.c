/*
 * regs/model.c - looks things up in the models' tables; the classes of columns; the
 * frequency of the TSC.
 */
#include "regs/model.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const struct box_type *
model_box(const struct model *model, const char *name)
{
	if (model->core != NULL && strcasecmp(name, model->core->name) == 0)
		return model->core;
	for (const struct box_type *b = model->box; b->name != NULL; b++)
		if (strcasecmp(b->name, name) == 0)
			return b;
	return NULL;
}

const struct scalar *
model_scalar(const struct model *model, unsigned n)
{
	for (const struct scalar *const *table = model->scalar; *table != NULL;
	    table++)
		for (const struct scalar *s = *table; s->family != NULL; s++)
			if (n-- == 0)
				return s;
	return NULL;
}

const struct scalar *
scalar_named(const struct model *model, const char *family)
{
	const struct scalar *s;

	for (unsigned n = 0; (s = model_scalar(model, n)) != NULL; n++)
		if (strcmp(s->family, family) == 0)
			return s;
	return NULL;
}

uint32_t
box_reg(const struct box_type *type, unsigned inst, uint32_t reg)
{
	return type->base != NULL ? type->base[inst] + reg :
	    reg + inst * type->stride;
}

uint32_t
box_ctl_reg(const struct box_type *type, unsigned inst)
{
	return box_reg(type, inst, type->box_ctl);
}

uint32_t
box_counter_ctl(const struct box_type *type, unsigned inst, unsigned n)
{
	return box_reg(type, inst, type->ctl + n * type->ctl_step);
}

uint32_t
box_counter_ctr(const struct box_type *type, unsigned inst, unsigned n)
{
	return box_reg(type, inst, type->ctr + n * type->ctr_step);
}

uint32_t
freerun_reg(const struct freerun *f, unsigned inst, unsigned port)
{
	return f->reg + port * f->step +
	    (f->base != NULL ? f->base[inst] : inst * f->stride);
}

bool
freerun_named(const struct freerun *f)
{
	return strchr(f->family, '%') != NULL;
}

bool
freerun_is(const struct freerun *f, const char *family)
{
	const char *p = f->family;

	for (; *p != '\0'; p++) {
		const char *start = family;

		if (*p != '%') {
			if (*p != *family++)
				return false;
			continue;
		}
		p++;                    /* %s: a word; %u: a number */
		while (isdigit((unsigned char)*family) ||
		    (*p == 's' && isalnum((unsigned char)*family)))
			family++;
		if (family == start)
			return false;
	}
	return *family == '\0';
}

const char *
freerun_family(const struct model *model, const struct freerun *f,
    unsigned inst, unsigned port, char *buf, size_t size)
{
	if (!freerun_named(f)) {
		snprintf(buf, size, "%s", f->family);
		return buf;
	}
	/* the format is a table's own: the stack's name, then the port */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(buf, size, f->family, model->stack[inst], port);
#pragma GCC diagnostic pop
	return buf;
}

bool
model_is(const struct model *m, unsigned family, unsigned model,
    unsigned stepping)
{
	const struct cpu_match *id = m->id;

	if (family != (m->cpu_family != 0 ? m->cpu_family : 6u))
		return false;
	for (; id != NULL && id->step_max != 0; id++)
		if (model >= id->model && model <= (id->model_max != 0 ?
		    id->model_max : id->model) && stepping >= id->step_min &&
		    stepping <= id->step_max)
			return true;
	return false;
}

const struct common_msrs *
model_msrs(const struct model *m)
{
	static const struct common_msrs none;

	return m != NULL && m->msr != NULL ? m->msr : &none;
}

uint8_t
box_bits(const struct box_type *type)
{
	return type->saturates ? 64 : type->bits;
}

int
box_toward(const struct box_type *type, uint64_t event)
{
	for (const uint16_t *e = type->kernel.toward; e != NULL && *e != 0; e++)
		if (event >= *e && event < *e + 4u)
			return (int)(event - *e);
	return -1;
}

static const struct event_name *
name_in(const struct event_name *list, const char *name)
{
	for (const struct event_name *e = list;
	    e != NULL && e->name != NULL; e++)
		if (strcasecmp(e->name, name) == 0)
			return e;
	return NULL;
}

const struct event_name *
event_named(const struct box_type *type, const char *name)
{
	return name_in(type->event, name);
}

const struct event_name *
event_generic(const struct box_type *type, const char *name)
{
	return name_in(type->kernel.generic, name);
}

uint64_t
box_fill(const struct box_type *type, uint64_t ctl)
{
	for (const struct ctl_fill *f = type->fill;
	    f != NULL && f->where != 0; f++)
		if ((ctl & f->where) == 0 &&
		    (f->event == 0 || f->event == (ctl & 0xff)))
			ctl |= f->bits;
	return ctl;
}

const char *
event_second(const struct box_type *type)
{
	const struct field *f = type->field;

	while (f->name != NULL && strcmp(f->name, "event") == 0)
		f++;
	return f->name != NULL ? f->name : "umask";
}

const char *
event_terms(const struct box_type *type, const struct event_name *e, char *buf,
    size_t size)
{
	int n = snprintf(buf, size, "event=0x%" PRIx64, e->event);

	if (e->umask != 0 && (size_t)n < size)
		snprintf(buf + n, size - (size_t)n, ",%s=0x%x",
		    event_second(type), e->umask);
	return buf;
}

const char *
box_pmu(const struct box_type *type, char *buf, size_t size)
{
	if (type->kernel.pmu != NULL)
		snprintf(buf, size, "%s", type->kernel.pmu);
	else if (type->scope == SCOPE_LPROC)
		snprintf(buf, size, "cpu");
	else
		snprintf(buf, size, "uncore_%s", type->name);
	for (char *c = buf; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	return buf;
}

bool
box_pairs(const struct box_type *type, uint64_t ctl)
{
	return type->pair != NULL && (ctl & type->pair->mask) ==
	    type->pair->event;
}

bool
box_helps(const struct box_type *type, uint64_t ctl)
{
	return type->pair != NULL && (ctl & type->pair->mask) ==
	    (type->pair->helper & type->pair->mask);
}

/* Does a control count this event of a table?  A code up to 0xff is an event select and
 * holds for every umask; a larger one has the umask in bits 15:8. */
static bool
counts_event(uint64_t ctl, uint64_t event)
{
	return event == (ctl & (event > 0xff ? 0xffff : 0xff));
}

/* A pair is an even counter and the odd one after it; the event is put on the even. */
#define EVEN_COUNTERS 0x55555555u

unsigned
box_event_mask(const struct box_type *type, uint64_t ctl)
{
	unsigned all = (1u << type->counters) - 1;

	if (box_pairs(type, ctl))
		return EVEN_COUNTERS & all >> 1;

	for (const struct constraint *c = type->only;
	    c != NULL && c->counters != 0; c++)
		if (counts_event(ctl, c->event))
			return c->counters & all;
	return all;
}

enum column_class
box_class(const struct box_type *type, uint64_t ctl)
{
	for (const struct event_class *c = type->classes;
	    c != NULL && c->cls != 0; c++)
		if (counts_event(ctl, c->event))
			return c->cls;
	return type->cls != 0 ? type->cls : CLASS_UNCORE;
}

/* The part of an event's name behind its box: CAS_COUNT.RD of UNC_M_CAS_COUNT.RD. */
static const char *
without_box(const char *event)
{
	const char *box = strncmp(event, "UNC_", 4) == 0 ?
	    strchr(event + 4, '_') : NULL;

	return box != NULL ? box + 1 : event;
}

enum column_class
box_class_named(const struct box_type *type, const char *event)
{
	const char *plain = without_box(event);
	size_t n = strcspn(plain, ".");

	for (const struct event_class *c = type->classes;
	    c != NULL && c->cls != 0; c++)
		if (c->name != NULL && (strcmp(c->name, plain) == 0 ||
		    (strncmp(c->name, plain, n) == 0 && c->name[n] == '\0')))
			return c->cls;
	return type->cls != 0 ? type->cls : CLASS_UNCORE;
}

enum column_class
core_fixed_class(const struct core_fixed *fixed, const char *name)
{
	for (unsigned i = 0; fixed->name[i] != NULL; i++)
		if (strcmp(name, fixed->name[i]) == 0 ||
		    strcmp(name, fixed->alias[i]) == 0)
			return fixed->cls[i];
	/* an unknown counter: it counts no faster than a clock, and no other counter is
	 * checked against it */
	return CLASS_REF;
}

bool
box_filter_for(const struct box_filter *f, uint64_t ctl)
{
	return f->event == 0 || counts_event(ctl, f->event) ||
	    (f->also[0] != 0 && (ctl & 0xffff) == f->also[0]) ||
	    (f->also[1] != 0 && (ctl & 0xffff) == f->also[1]);
}

const struct need *
box_need(const struct box_type *type, uint64_t ctl, const struct need *from)
{
	const struct need *n = from != NULL ? from + 1 : type->need;

	for (; n != NULL && n->why != NULL; n++)
		if (n->event == (ctl & 0xff) &&
		    (n->umask & ~(ctl >> 8)) == 0)
			return n;
	return NULL;
}

uint64_t
field_bits(const struct field *f)
{
	return ~0ull >> (63 - (f->hi - f->lo)) << f->lo;
}

/* The next piece of the same field, or NULL. */
static const struct field *
next_piece(const struct field *f)
{
	return field_named(f + 1, f->name);
}

uint64_t
field_max(const struct field *f)
{
	return field_get(f, ~0ull);
}

uint64_t
field_get(const struct field *f, uint64_t ctl)
{
	uint64_t value = 0;

	for (unsigned at = 0; f != NULL; at += f->hi - f->lo + 1u,
	    f = next_piece(f))
		value |= (ctl & field_bits(f)) >> f->lo << at;
	return value;
}

uint64_t
field_put(const struct field *f, uint64_t ctl, uint64_t value)
{
	for (; f != NULL; value >>= f->hi - f->lo + 1u, f = next_piece(f))
		ctl = (ctl & ~field_bits(f)) | (value << f->lo & field_bits(f));
	return ctl;
}

uint64_t
box_in_use(const struct box_type *type)
{
	return type->enable != 0 ? type->enable : ~0ull;
}

uint64_t
box_ctl_valid(const struct box_type *type)
{
	uint64_t valid = type->enable;

	for (const struct field *f = type->field; f->name != NULL; f++)
		valid |= field_bits(f);
	return valid;
}

const struct field *
field_named(const struct field *list, const char *name)
{
	for (const struct field *f = list; f->name != NULL; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

/* ---- classes of columns ------------------------------------------------- */

/* Their names, as class_word gives them. */
static const char *const words[CLASSES] = {
	[CLASS_UNKNOWN] = "unknown", [CLASS_READING] = "reading",
	[CLASS_TEMP] = "temperature", [CLASS_WALL] = "wall",
	[CLASS_TSC] = "tsc", [CLASS_EVENT] = "event",
	[CLASS_OCCUPANCY] = "occupancy", [CLASS_FLOPS] = "flops",
	[CLASS_INSTR] = "instructions",
	[CLASS_INSTR_KIND] = "instructions_of_a_kind",
	[CLASS_SLOTS] = "slots", [CLASS_CYCLES] = "cycles",
	[CLASS_REF] = "reference_cycles", [CLASS_UNCORE] = "uncore",
	[CLASS_UCLK] = "uclk", [CLASS_TICKS] = "ticks", [CLASS_CAS] = "cas",
	[CLASS_MEMCLK] = "memclk", [CLASS_MEMCMD] = "memcmd",
	[CLASS_ENERGY_PKG] = "energy_pkg", [CLASS_ENERGY_PART] = "energy_part",
	[CLASS_ENERGY_DRAM] = "energy_dram",
	[CLASS_ENERGY_PLATFORM] = "energy_platform",
	[CLASS_SECONDS] = "seconds",
	[CLASS_BYTES_IO] = "bytes_io", [CLASS_BYTES_NET] = "bytes_net",
	[CLASS_RARE] = "rare", [CLASS_KERNEL] = "kernel",
	[CLASS_SOC] = "soc", [CLASS_RAW] = "raw",
};

bool
class_is_counter(enum column_class cls)
{
	return cls > CLASS_WALL;
}

bool
class_is_rapl(enum column_class cls)
{
	return cls == CLASS_SECONDS || (class_is_energy(cls) &&
	    cls != CLASS_ENERGY_PLATFORM);
}

bool
class_is_clock(enum column_class cls)
{
	return cls == CLASS_CYCLES || cls == CLASS_REF;
}

bool
class_is_energy(enum column_class cls)
{
	return cls >= CLASS_ENERGY_PKG && cls <= CLASS_ENERGY_PLATFORM;
}

bool
class_uses_energy(enum column_class cls)
{
	return cls == CLASS_ENERGY_PKG || cls == CLASS_ENERGY_DRAM;
}

const char *
class_word(enum column_class cls)
{
	return words[cls];
}

enum column_class
class_named(const char *word)
{
	enum column_class cls = CLASS_UNKNOWN;

	while (cls < CLASSES && strcmp(words[cls], word) != 0)
		cls++;
	return cls;
}

/* ---- the frequency of the TSC ------------------------------------------- */

int
bus_clock_tsc(const struct model *model, struct access *acc, unsigned lproc,
    uint64_t *hz)
{
	const struct bus_clock *clock = model->bus_clock;
	struct reg_addr addr = { REG_MSR, 8, lproc,
	    model_msrs(model)->platform_info };
	uint64_t raw, ratio, mhz_times_6 = 600;
	int rc;

	if (addr.offset == 0)
		return -ENODATA;
	if ((rc = access_read(acc, &addr, &raw)) < 0)
		return rc;
	if ((ratio = raw >> 8 & 0xff) == 0)
		return -ENODATA;
	if (clock != NULL) {
		addr.offset = clock->msr;
		if ((rc = access_read(acc, &addr, &raw)) < 0)
			return rc;
		if ((raw & clock->mask) >= clock->n)
			return -ENODATA;
		mhz_times_6 = clock->mhz_times_6[raw & clock->mask];
	}
	*hz = (ratio * mhz_times_6 * 1000000 + 3) / 6;
	return 0;
}

uint64_t
bus_clock_measure(struct access *acc)
{
	struct stamp begin, end;
	sigset_t mask;

	sigprocmask(SIG_SETMASK, NULL, &mask);
	access_now(acc, &begin);
	access_sleep(acc, begin.mono_ns + 50000000, &mask);
	access_now(acc, &end);
	if (end.mono_ns <= begin.mono_ns)
		return 0;
	return (uint64_t)((double)(end.tsc - begin.tsc) * 1e9 /
	    (double)(end.mono_ns - begin.mono_ns) + 0.5);
}

bool
bus_clock_agree(uint64_t a_hz, uint64_t b_hz)
{
	uint64_t apart = a_hz > b_hz ? a_hz - b_hz : b_hz - a_hz;

	return apart <= a_hz / 100;
}
