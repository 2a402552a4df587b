/*
 * config/dump/family.c - the families of columns, and what their numbers are.
 *
 * Most families are rows of the model's tables.  The others are the daemon's own
 * statistics, registers and files that the user named (config/file_number.h), and events
 * of PMUs that only the kernel knows:
 *
 *   family = word | stem [ "_group" | "_sum" ] part
 *   part   = "_counts" | "_enabled" | "_running" | "_scaled"
 */
#include "config/dump/column.h"

#include "config/file_number.h"
#include "lib/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const part_word[PARTS] = {
	"", "_counts", "_enabled", "_running", "_scaled"
};
static const char *const sum_word[SUMS] = { "", "_group", "_sum" };

/* Families that are in no model's table. */
static const struct {
	const char *name;
	uint8_t bits, mul, cls, of;
	const char *unit;
} others[] = {
	{ "tsc", 64, 1, CLASS_TSC, OF_NODE, "tsc" },
	{ "lproc_tsc", 64, 1, CLASS_TSC, OF_LPROC, "tsc" },
	{ "pkg_tsc", 64, 1, CLASS_TSC, OF_PKG, "tsc" },
	{ "pkg_bus_tsc", 64, 1, CLASS_TSC, OF_PKG, "tsc" },
	{ "walltime", 0, 1, CLASS_WALL, OF_NODE, "s+us" },     /* [0], [1] */
	/* ["file_NAME"]: the TSC when that file was read */
	{ "read_tsc", 64, 1, CLASS_KERNEL, OF_NODE, "tsc" },
	/* sysfs counts words of 4 bytes */
	{ "ib_recv_bytes", 64, 4, CLASS_BYTES_NET, OF_PORT, "bytes" },
	{ "ib_xmit_bytes", 64, 4, CLASS_BYTES_NET, OF_PORT, "bytes" },
	{ "opa_recv_bytes", 64, 1, CLASS_BYTES_NET, OF_PORT, "bytes" },
	{ "opa_xmit_bytes", 64, 1, CLASS_BYTES_NET, OF_PORT, "bytes" },
	/* tallyd's own statistics: totals since the start, except the last three */
	{ "set_enabled", 64, 1, CLASS_UCLK, OF_NODE, "tsc" },
	{ "set_running", 64, 1, CLASS_UCLK, OF_NODE, "tsc" },
	/* totals by event set: how long the set had the counters of an lproc or
	 * package, and what column_set_family lists, counted during that time */
	{ "lproc_set_tsc", 64, 1, CLASS_UCLK, OF_LPROC, "tsc" },
	{ "pkg_set_tsc", 64, 1, CLASS_UCLK, OF_PKG, "tsc" },
	{ "pkg_bus_set_tsc", 64, 1, CLASS_UCLK, OF_PKG, "tsc" },
	{ "set_instructions", 64, 1, CLASS_INSTR, OF_LPROC, "count" },
	{ "set_cycles", 64, 1, CLASS_CYCLES, OF_LPROC, "count" },
	{ "set_ref_cycles", 64, 1, CLASS_REF, OF_LPROC, "count" },
	{ "set_slots", 64, 1, CLASS_SLOTS, OF_LPROC, "count" },
	{ "set_aperf", 64, 1, CLASS_CYCLES, OF_LPROC, "cycles" },
	{ "set_mperf", 64, 1, CLASS_REF, OF_LPROC, "cycles" },
	{ "sample_cpu_ns", 64, 1, CLASS_UCLK, OF_NODE, "ns" },
	{ "sample_rotate_ns", 64, 1, CLASS_UCLK, OF_NODE, "ns" },
	{ "sample_duration_ns", 0, 1, CLASS_READING, OF_NODE, "ns" },
	{ "sample_late_ns", 0, 1, CLASS_READING, OF_NODE, "ns" },
	{ "sample_block_tsc", 0, 1, CLASS_READING, OF_NODE, "tsc" },
};

const char *
family_name(const char *stem, size_t len, enum family_sum sum,
    enum family_part part, char *buf, size_t size)
{
	snprintf(buf, size, "%.*s%s%s", (int)len, stem, sum_word[sum],
	    part_word[part]);
	return buf;
}

static bool
cut_word(const char *name, uint16_t *len, const char *word)
{
	size_t n = strlen(word);

	if (n == 0 || *len <= n || memcmp(name + *len - n, word, n) != 0)
		return false;
	*len = (uint16_t)(*len - n);
	return true;
}

/* Split a name into stem, sum and part. */
static void
take_apart(struct family *f, const char *name)
{
	for (unsigned p = PART_COUNTS; p < PARTS && f->part == 0; p++)
		if (cut_word(name, &f->stem, part_word[p]))
			f->part = (uint8_t)p;
	for (unsigned s = SUM_LPROCS; f->part != 0 && s < SUMS &&
	    f->sum == 0; s++)
		if (cut_word(name, &f->stem, sum_word[s]))
			f->sum = (uint8_t)s;
}

static bool
of_others(struct family *f, const char *name)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strcmp(others[i].name, name) == 0) {
			f->bits = others[i].bits;
			f->mul = others[i].mul;
			f->cls = others[i].cls;
			f->of = others[i].of;
			f->unit = others[i].unit;
			return true;
		}
	return false;
}

static uint8_t
of_scope(unsigned scope)
{
	return scope == SCOPE_LPROC ? OF_LPROC : scope == SCOPE_CORE ? OF_CORE :
	    scope == SCOPE_CCX ? OF_CCX : scope == SCOPE_PKG ? OF_PKG : OF_NODE;
}

/* Is it the family of a register or file that a configuration named?  Its width is in the
 * dump's head.  The rate of a file's number has no known limit, hence CLASS_KERNEL. */
static bool
of_raw(struct family *f, const char *name)
{
	enum raw_of of = raw_family_of(name);

	f->raw = of != RAW_NONE;
	if (!f->raw)
		return false;
	f->bits = 64;
	f->cls = of == RAW_FILE ? CLASS_KERNEL : CLASS_RAW;
	f->of = of == RAW_LPROC ? OF_LPROC :
	    of == RAW_FILE || of == RAW_MMIO ? OF_NODE : OF_PKG;
	f->unit = "raw";
	return true;
}

static bool
of_scalars(struct family *f, const struct model *m, const char *name)
{
	const struct scalar *s = scalar_named(m, name);

	if (s == NULL)
		return false;
	f->scalar = s;
	f->bits = s->bits;
	f->cls = s->cls;
	f->of = of_scope(s->scope);
	f->unit = s->unit;
	return true;
}

static bool
of_freeruns(struct family *f, const struct model *m, const char *name)
{
	const struct freerun *r = m->freerun;

	while (r != NULL && r->family != NULL && !freerun_is(r, name))
		r++;
	if (r == NULL || r->family == NULL)
		return false;
	f->freerun = r;
	f->type = model_box(m, r->box);
	f->bits = r->bits;
	f->mul = r->mul;
	f->cls = r->cls;
	f->of = OF_PKG;
	f->unit = r->unit;
	return true;
}

static bool
of_fixed(struct family *f, const struct model *m, const char *name)
{
	f->fixed = true;
	f->unit = "count";
	if (m->fixed != NULL && strcmp(m->fixed->family, name) == 0) {
		f->type = m->core;
		f->bits = m->core->bits;
		f->cls = CLASS_CYCLES;
		return true;
	}
	for (const struct box_type *b = m->box; b->name != NULL; b++)
		if (b->fixed.family != NULL &&
		    strcmp(b->fixed.family, name) == 0) {
			f->type = b;
			f->bits = b->fixed.bits;
			f->cls = b->fixed.cls;
			return true;
		}
	f->fixed = false;
	f->unit = "";
	return false;
}

/* Is the family's name the box type's name and a part: imc_counts,
 * imc_enabled? */
static bool
has_stem(const struct box_type *b, const struct family *f, const char *name)
{
	char buf[96];

	return b != NULL && b->family != NULL && strcmp(family_name(name,
	    f->stem, SUM_NONE, PART_COUNTS, buf, sizeof(buf)), b->family) == 0;
}

/* Families of lprocs that are in no table begin with one of two words:
 * core_msr_counts and software_counts of the kernel. */
static bool
is_of_lprocs(const char *name)
{
	return strncmp(name, "core_", 5) == 0 ||
	    strncmp(name, "software_", 9) == 0;
}

/* Describe counts of boxes and cores, and the times and sums that belong to
 * them. */
static void
of_parts(struct family *f, const struct model *m, const char *name)
{
	if (has_stem(m->core, f, name))
		f->type = m->core;
	for (const struct box_type *b = m->box; b->name != NULL; b++)
		if (has_stem(b, f, name))
			f->type = b;
	f->of = f->sum == SUM_BOXES ? OF_PKG : f->type != NULL ?
	    of_scope(f->type->scope) : is_of_lprocs(name) ? OF_LPROC : OF_PKG;
	f->known = f->part == PART_COUNTS || f->part == PART_SCALED ||
	    f->sum != SUM_NONE;
	f->bits = f->part == PART_COUNTS && f->sum == SUM_NONE ? 48 : 64;
	f->unit = f->part == PART_COUNTS || f->part == PART_SCALED ? "count" :
	    "ns";
	/* a sum over lprocs or boxes may exceed one counter's maximum rate */
	if (f->sum != SUM_NONE)
		f->cls = CLASS_KERNEL;
	else if (f->part == PART_COUNTS)
		f->cls = f->type == NULL ? f->of == OF_LPROC ? CLASS_EVENT :
		    CLASS_UNCORE : f->type->cls != 0 ? f->type->cls :
		    CLASS_UNCORE;
	else
		f->cls = CLASS_UCLK;
	/* scaled counts are estimates that tally does not use: it scales the
	 * counts itself, except sums, as it does not see their parts */
	if (f->part == PART_SCALED && f->sum == SUM_NONE) {
		f->cls = CLASS_READING;
		f->bits = 0;
	}
	if (f->type != NULL && f->part == PART_COUNTS && f->sum == SUM_NONE)
		f->bits = box_bits(f->type);
}

/* What is printed: "raw" or a formula. */
static const char *
family_value_of(const struct family *f)
{
	const struct scalar *s = f->scalar;

	return f->type != NULL && f->type->saturates &&
	    f->part == PART_COUNTS && f->sum == SUM_NONE ? "continued" :
	    f->part == PART_SCALED ? "scaled" :
	    f->sum != SUM_NONE ? "added" :
	    s != NULL && (s->print == PRINT_TEMP ||
	    s->print == PRINT_CORE_TEMP) ? "decoded" :
	    f->mul > 1 ? "multiplied" : "raw";
}

static void
family_classify(struct family *f, const struct model *m, const char *name)
{
	f->stem = (uint16_t)strlen(name);
	f->known = of_raw(f, name) || of_others(f, name) ||
	    of_scalars(f, m, name) || of_freeruns(f, m, name);
	if (f->known)
		return;
	take_apart(f, name);
	f->known = of_fixed(f, m, name);
	if (f->known)
		f->of = of_scope(f->type->scope);
	else if (f->part != PART_NONE)
		of_parts(f, m, name);
	else
		f->of = is_of_lprocs(name) ? OF_CORE : OF_PKG;
}

void
family_describe(struct family *f, const struct model *m, const char *name)
{
	*f = (struct family){ .name = name, .mul = 1, .unit = "" };
	family_classify(f, m, name);
	f->value = family_value_of(f);
}

/* The class of a family that only its own dump describes. */
static enum column_class
class_of_unit(const char *unit)
{
	static const struct { const char *unit; uint8_t cls; } by_unit[] = {
		{ "rapl_pkg", CLASS_ENERGY_PART },
		{ "rapl_dram", CLASS_ENERGY_DRAM },
		{ "J", CLASS_ENERGY_PLATFORM },
		{ "rapl_time", CLASS_SECONDS },
		{ "bytes", CLASS_BYTES_NET }, { "C", CLASS_TEMP },
		{ "bits", CLASS_READING }, { "tsc", CLASS_TSC },
		{ "count", CLASS_UNCORE }, { "clocks", CLASS_UCLK },
		{ "cycles", CLASS_CYCLES }, { "ns", CLASS_UCLK },
		{ "events", CLASS_KERNEL },
	};

	for (size_t i = 0; i < sizeof(by_unit) / sizeof(by_unit[0]); i++)
		if (strcmp(unit, by_unit[i].unit) == 0)
			return by_unit[i].cls;
	return CLASS_UNKNOWN;
}

void
family_say(struct family *f, const char *unit, int bits, unsigned mul)
{
	if (unit != NULL) {
		/* a family with a known name may hold events of any PMU */
		if (f->cls == CLASS_UNKNOWN || strcmp(unit, "events") == 0)
			f->cls = (uint8_t)class_of_unit(unit);
		f->unit = unit;
	}
	if (bits >= 0 && bits <= 64) {
		f->bits = (uint8_t)bits;
		if (bits != 0 && !class_is_counter(f->cls))
			f->cls = CLASS_UNCORE;
	}
	if (mul >= 1 && mul <= 255)
		f->mul = (uint8_t)mul;
	f->value = family_value_of(f);
	if (f->bits == 0 && class_is_counter(f->cls))
		f->cls = CLASS_READING;
	f->said = true;
}

void
family_say_value(struct family *f, const char *value)
{
	if (value != NULL)
		f->value = value;
}

enum column_class
family_event(const struct family *f, const struct model *m, const char *event,
    uint64_t ctl)
{
	if (event == NULL || f->type == NULL || f->sum != SUM_NONE ||
	    !class_is_counter(f->cls) || f->cls == CLASS_KERNEL)
		return f->cls;
	if (f->fixed)
		return f->type == m->core ? core_fixed_class(m->fixed, event) :
		    f->cls;
	if (f->part != PART_COUNTS)
		return f->cls;
	if (f->type->fixed.name != NULL && f->type->fixed.family == NULL &&
	    strcmp(event, f->type->fixed.name) == 0)
		return f->type->fixed.cls;
	return ctl != ABSENT ? box_class(f->type, ctl) :
	    box_class_named(f->type, event);
}

static bool
family_is_called(const struct family *f, const char *name, size_t len)
{
	return strncmp(f->name, name, len) == 0 && f->name[len] == '\0';
}

struct family *
families_find(struct families *fs, const char *name, size_t len)
{
	/* most columns follow another one of the same family */
	if (fs->n > 0 && family_is_called(fs->family[fs->last], name, len))
		return fs->family[fs->last];
	LOOKUP_EACH(i, &fs->by_name, lookup_hash(0, name, len)) {
		if (family_is_called(fs->family[i], name, len)) {
			fs->last = i;
			return fs->family[i];
		}
	}
	return NULL;
}

struct family *
families_get(struct families *fs, const char *name, size_t len)
{
	struct family *f = families_find(fs, name, len);
	char *copy;

	if (f != NULL)
		return f;
	if (!array_room(&fs->family, fs->n, &fs->room, sizeof(*fs->family)))
		return NULL;
	if ((copy = arena_strndup(fs->arena, name, len)) == NULL ||
	    (f = arena_alloc(fs->arena, sizeof(*f))) == NULL ||
	    lookup_add(&fs->by_name, lookup_hash(0, name, len), fs->n) < 0)
		return NULL;
	family_describe(f, fs->model, copy);
	fs->last = fs->n;
	return fs->family[fs->n++] = f;
}

void
families_fini(struct families *fs)
{
	free(fs->family);
	lookup_fini(&fs->by_name);
	*fs = (struct families){ 0 };
}
