/*
 * topology/discovery_table.c - decodes and checks a discovery table.
 *
 *   global entry  word 0  7:0 type, 15:8 stride, 25:16 max units, 63:62 access
 *                 word 1  global control
 *                 word 2  7:0 status offset, 23:8 number of status registers
 *   unit entry    word 0  7:0 counters, 15:8 control offset, 23:16 width,
 *                         31:24 counter offset, 39:32 status offset,
 *                         63:62 access
 *                 word 1  box control
 *                 word 2  15:0 box type, 31:16 box id
 *
 * Unit i begins (i + 1) * stride words behind the table's start.  All other bits are
 * reserved; what real tables have there is not known.
 */
#include "topology/discovery.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 3                 /* of an entry */
#define ALL UINT64_MAX
#define LOW_MEMORY 0x100000     /* below: BIOS, video, interrupt vectors */
#define CONFIG_SPACE 0x1000
/* The range of uncore MSRs of all generations that have tables (9.3, 10). */
#define MSR_FIRST 0x2000
#define MSR_LAST 0x3fff
enum { TYPE_IMC = 6, TYPE_HBM = 14 };   /* their controls have 32 bits */

static uint64_t
word(const uint8_t *p)
{
	uint64_t v = 0;

	for (int i = 7; i >= 0; i--)
		v = v << 8 | p[i];
	return v;
}

static uint64_t
bits(uint64_t v, unsigned lo, unsigned hi)
{
	return v >> lo & ALL >> (63 - (hi - lo));
}

static uint8_t
space_of(uint64_t word0)
{
	static const uint8_t space[] = { REG_MSR, REG_MMIO, REG_PCI, REG_NONE };

	return space[bits(word0, 62, 63)];
}

int
discovery_size(const uint8_t *head, size_t *size, struct diag *why)
{
	uint64_t w[WORDS];
	unsigned stride;
	bool zero = true;

	for (unsigned i = 0; i < WORDS; i++) {
		w[i] = word(head + 8 * i);
		zero &= w[i] == 0;
		if (w[i] == ALL)
			return diag_set(why, -EINVAL, "the discovery table "
			    "reads all ones (word %u of its head): its memory "
			    "is not there, or firmware did not set it up", i);
	}
	if (zero)
		return diag_set(why, -EINVAL, "the discovery table is empty "
		    "(its head is 0)");
	stride = (unsigned)bits(w[0], 8, 15);
	if (stride < WORDS)
		return diag_set(why, -EINVAL, "the discovery table has a "
		    "stride of %u words, and an entry has %u: entries would "
		    "overlap", stride, WORDS);
	*size = (bits(w[0], 16, 25) + 1) * stride * 8;
	return 0;
}

/* ---- entries that are left out ---- */

static int discovery_table_leave_out(struct discovery_table *, unsigned first,
    unsigned last,
    const char *fmt, va_list ap) __attribute__((format(printf, 4, 0)));

static int
discovery_table_leave_out(struct discovery_table *t, unsigned first,
    unsigned last, const char *fmt, va_list ap)
{
	struct discovery_left *more = realloc(t->left,
	    (t->nleft + 1) * sizeof(*more));

	if (more == NULL)
		return -ENOMEM;
	t->left = more;
	more = &t->left[t->nleft++];
	more->first = (uint16_t)first;
	more->last = (uint16_t)last;
	vsnprintf(more->why, sizeof(more->why), fmt, ap);
	return 0;
}

static int discovery_table_leave(struct discovery_table *, unsigned first,
    unsigned last, const char *fmt, ...) __attribute__((format(printf, 4, 5)));

static int
discovery_table_leave(struct discovery_table *t, unsigned first, unsigned last,
    const char *fmt, ...)
{
	va_list ap;
	int rc;

	va_start(ap, fmt);
	rc = discovery_table_leave_out(t, first, last, fmt, ap);
	va_end(ap);
	return rc;
}

int
discovery_drop(struct discovery_table *t, unsigned k, const char *fmt, ...)
{
	unsigned entry = t->unit[k].entry;
	va_list ap;
	int rc;

	va_start(ap, fmt);
	rc = discovery_table_leave_out(t, entry, entry, fmt, ap);
	va_end(ap);
	if (rc == 0) {
		memmove(&t->unit[k], &t->unit[k + 1],
		    (t->n - k - 1) * sizeof(t->unit[0]));
		t->n--;
	}
	return rc;
}

/* ---- one entry ---- */

/* Decodes where the box control is; false with the reason where that cannot be. */
static bool
locate(struct discovered *u, uint64_t address, char *why, size_t size)
{
	u->box_ctl = address;
	switch (u->space) {
	case REG_MSR:
		if (address < MSR_FIRST || address > MSR_LAST) {
			snprintf(why, size, "MSR 0x%" PRIx64 " is outside "
			    "0x%x-0x%x, where uncore MSRs are", address,
			    MSR_FIRST, MSR_LAST);
			return false;
		}
		return true;
	case REG_MMIO:
		if (address < LOW_MEMORY || address % 4 != 0 ||
		    address > ALL >> 12) {
			snprintf(why, size, "0x%" PRIx64 " is no place for "
			    "registers in memory", address);
			return false;
		}
		return true;
	default:
		if (bits(address, 31, 31) == 0 || address >> 32 != 0 ||
		    address % 4 != 0) {
			snprintf(why, size, "PCI address 0x%" PRIx64 " %s",
			    address, address % 4 != 0 || address >> 32 != 0 ?
			    "is none" : "has its enable bit (31) clear: "
			    "firmware did not fill it in");
			return false;
		}
		u->unit = PCI_UNIT(bits(address, 28, 30), bits(address, 20,
		    27), bits(address, 12, 19));
		u->box_ctl = bits(address, 0, 11);
		return true;
	}
}

/* How far behind the box control its last register ends: bytes, for MSRs numbers. */
static unsigned
discovery_table_reach(const struct discovered *u)
{
	unsigned ctl = u->ctl + (u->counters - 1u) * u->ctl_step;
	unsigned ctr = u->ctr + (u->counters - 1u) * u->ctr_step;

	if (u->space != REG_MSR) {
		ctl += u->ctl_step - 1u;
		ctr += 7;
	}
	return ctl > ctr ? ctl : ctr;
}

/* Decodes the three words of an entry; false with the reason, which is "" where all
 * are 0. */
static bool
decode(struct discovered *u, const uint64_t *w, char *why, size_t size)
{
	why[0] = '\0';
	if (w[0] == 0 && w[1] == 0)
		return false;
	for (unsigned i = 0; i < WORDS; i++)
		if (w[i] == ALL) {
			snprintf(why, size, "word %u is all ones", i);
			return false;
		}
	u->counters = (uint8_t)bits(w[0], 0, 7);
	u->ctl = (uint8_t)bits(w[0], 8, 15);
	u->bits = (uint8_t)bits(w[0], 16, 23);
	u->ctr = (uint8_t)bits(w[0], 24, 31);
	u->status = (uint8_t)bits(w[0], 32, 39);
	u->space = space_of(w[0]);
	u->type = (uint16_t)bits(w[2], 0, 15);
	u->id = (uint16_t)bits(w[2], 16, 31);
	u->ctr_step = u->space == REG_MSR ? 1 : 8;
	u->ctl_step = u->space == REG_MSR ? 1 :
	    u->type == TYPE_IMC || u->type == TYPE_HBM ? 4 : 8;
	if (w[0] == 0)
		snprintf(why, size, "word 0 is 0");
	else if (w[1] == 0)
		snprintf(why, size, "its box control has no address");
	else if (u->space == REG_NONE)
		snprintf(why, size, "access type 3 is reserved");
	else if (u->counters == 0 || u->counters > 16)
		snprintf(why, size, "%u counters", u->counters);
	else if (u->bits == 0 || u->bits > 64)
		snprintf(why, size, "counters of %u bits", u->bits);
	else if (u->ctl == 0 || u->ctr == 0)
		snprintf(why, size, "its %s are where its box control is",
		    u->ctl == 0 ? "controls" : "counters");
	else if (u->space != REG_MSR && (u->ctl % 4 != 0 || u->ctr % 4 != 0))
		snprintf(why, size, "its %s are not aligned", u->ctl % 4 != 0 ?
		    "controls" : "counters");
	else if (locate(u, w[1], why, size) && u->space == REG_PCI &&
	    u->box_ctl + discovery_table_reach(u) >= CONFIG_SPACE)
		snprintf(why, size, "its registers reach beyond the config "
		    "space of its function");
	else if (why[0] == '\0' && u->space == REG_MSR &&
	    u->box_ctl + discovery_table_reach(u) > MSR_LAST)
		snprintf(why, size, "its registers reach beyond MSR 0x%x",
		    MSR_LAST);
	return why[0] == '\0';
}

/* ---- units whose registers overlap ---- */

struct reg_run {
	uint64_t first, last;
};

/* Box control, controls, counters. */
static void
ranges_of(const struct discovered *u, struct reg_run *r)
{
	unsigned wide = u->space == REG_MSR ? 1 : 8;
	unsigned ctl_wide = u->space == REG_MSR ? 1 : u->ctl_step;

	r[0].first = u->box_ctl;
	r[0].last = u->box_ctl + (u->space == REG_MSR ? 0 : 3);
	r[1].first = u->box_ctl + u->ctl;
	r[1].last = r[1].first + (u->counters - 1u) * u->ctl_step + ctl_wide - 1;
	r[2].first = u->box_ctl + u->ctr;
	r[2].last = r[2].first + (u->counters - 1u) * u->ctr_step + wide - 1;
}

static bool
discovery_table_overlap(const struct reg_run *a, const struct reg_run *b)
{
	return a->first <= b->last && b->first <= a->last;
}

static bool
overlap_itself(const struct discovered *u)
{
	struct reg_run r[WORDS];

	ranges_of(u, r);
	return discovery_table_overlap(&r[0], &r[1]) ||
	    discovery_table_overlap(&r[0], &r[2]) ||
	    discovery_table_overlap(&r[1], &r[2]);
}

static bool
overlap_another(const struct discovered *u, const struct discovered *v)
{
	struct reg_run a[3], b[3];

	if (u->space != v->space || u->unit != v->unit)
		return false;
	ranges_of(u, a);
	ranges_of(v, b);
	for (unsigned i = 0; i < 3; i++)
		for (unsigned k = 0; k < 3; k++)
			if (discovery_table_overlap(&a[i], &b[k]))
				return true;
	return false;
}

/* Do its registers overlap each other or those of an earlier unit?  The earlier one
 * is kept, as otherwise both would be counted twice and reset twice. */
static bool
clashes(const struct discovery_table *t, const struct discovered *u, char *why,
    size_t size)
{
	if (overlap_itself(u)) {
		snprintf(why, size, "its own registers overlap");
		return true;
	}
	for (unsigned i = 0; i < t->n; i++) {
		const struct discovered *v = &t->unit[i];

		if (v->type == u->type && v->id == u->id)
			snprintf(why, size, "type %u id %u is entry %u already",
			    u->type, u->id, v->entry);
		else if (overlap_another(u, v))
			snprintf(why, size, "its registers overlap those of "
			    "entry %u (type %u id %u)", v->entry, v->type,
			    v->id);
		else
			continue;
		return true;
	}
	return false;
}

int
discovery_parse(struct discovery_table *t, const uint8_t *bytes, size_t size,
    struct diag *why)
{
	size_t whole;
	int rc;

	memset(t, 0, sizeof(*t));
	if (size < DISCOVERY_ENTRY)
		return diag_set(why, -EINVAL, "the discovery table is cut off "
		    "after %zu bytes: its head alone has %u", size,
		    DISCOVERY_ENTRY);
	if ((rc = discovery_size(bytes, &whole, why)) < 0)
		return rc;
	t->stride = bytes[1];
	t->max_units = (uint16_t)bits(word(bytes), 16, 25);
	t->unit = calloc(t->max_units + 1u, sizeof(t->unit[0]));
	if (t->unit == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	for (unsigned i = 0; rc == 0 && i < t->max_units; i++) {
		size_t at = (i + 1u) * t->stride * (size_t)8;
		struct discovered u = { .entry = (uint16_t)i };
		uint64_t w[WORDS];
		char no[120];

		if (at + DISCOVERY_ENTRY > size) {
			rc = discovery_table_leave(t, i, t->max_units - 1u,
			    "behind the end of "
			    "the table's memory, which has %zu bytes", size);
			break;
		}
		for (unsigned k = 0; k < WORDS; k++)
			w[k] = word(bytes + at + 8 * k);
		if (decode(&u, w, no, sizeof(no)) && !clashes(t, &u, no,
		    sizeof(no)))
			t->unit[t->n++] = u;
		else if (no[0] != '\0')
			rc = discovery_table_leave(t, i, i, "%s", no);
	}
	return rc < 0 ? diag_set(why, rc, "out of memory") : 0;
}

void
discovery_free(struct discovery_table *t)
{
	if (t == NULL)
		return;
	free(t->unit);
	free(t->left);
	memset(t, 0, sizeof(*t));
}
