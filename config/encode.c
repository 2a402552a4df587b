/*
 * config/encode.c - set named fields in control values.
 */
#include "config/encode.h"

#include "config/suggest.h"

#include <inttypes.h>
#include <string.h>

/* On every box, the low byte of a control value is the event select. */
#define EVENT_OF(ctl) ((uint8_t)(ctl))

int
encode_check(const struct box_type *type, uint64_t ctl, struct place at,
    struct diag *why)
{
	uint64_t bad = ctl & ~box_ctl_valid(type);
	char bits[64], fields[256];

	if (bad == 0)
		return 0;
	return diag_place(why, at, "control value 0x%" PRIx64 " sets bit %s, "
	    "which %s may not set; its fields are %s", ctl, choices_bits(bad,
	    bits, sizeof(bits)), type->name, choices_fields(type, fields,
	    sizeof(fields)));
}

int
encode_alone(const struct box_type *type, uint64_t ctl, struct place at,
    struct diag *why)
{
	return !box_helps(type, ctl) ? 0 : diag_place(why, at, "control value "
	    "0x%" PRIx64 " counts nothing by itself: it goes behind an event "
	    "that needs a pair of counters, which gets it without being asked "
	    "for", ctl);
}

/* field_named for a struct word. */
static const struct field *
field_of(const struct box_type *type, struct word name)
{
	for (const struct field *f = type->field; f->name != NULL; f++)
		if (word_is(name, f->name))
			return f;
	return NULL;
}

/* The field that has the upper bits of a value for field f, whose own eight bits are the
 * lower ones; or NULL.  perf writes both as one number: umask=0x104 is umask 4 and
 * umask_ext 1 (perf-event 8.4), event=0x102 is event 2 and xsel 1. */
static const struct field *
extension(const struct box_type *type, const struct field *f)
{
	return f->hi - f->lo != 7 ? NULL :
	    strcmp(f->name, "umask") == 0 ?
	    field_named(type->field, "umask_ext") :
	    strcmp(f->name, "event") == 0 ? field_named(type->field, "xsel") :
	    NULL;
}

/* Is the value above the greatest one to which a source gives a meaning? */
static bool
beyond_most(const struct box_type *type, const struct field *f, uint64_t value)
{
	return type->most.name != NULL && strcmp(type->most.name, f->name) == 0 &&
	    value > type->most.value;
}

int
encode_field(const struct box_type *type, struct word name, uint64_t value,
    uint64_t *ctl, struct place at, struct diag *why)
{
	const struct field *f = field_of(type, name), *more;
	char fields[256], filters[128], bits[64];
	bool filtered = type->filter[0].name != NULL;

	if (f == NULL && type->field->name == NULL)
		return diag_place(why, at, "%s counts nothing that could be "
		    "chosen: `read` reads what it has", type->name);
	if (f == NULL)
		return diag_place(why, at, "%s has no field \"%.*s\"; its "
		    "fields are %s%s%s", type->name, WORD_ARG(name),
		    choices_fields(type, fields, sizeof(fields)), filtered ?
		    ", its filters " : "", filtered ? choices_filters(type,
		    filters, sizeof(filters)) : "");
	if (value > field_max(f) && (more = extension(type, f)) != NULL &&
	    value >> 8 <= field_max(more)) {
		*ctl = field_put(more, *ctl, value >> 8);
		value &= 0xff;
	}
	if (value > field_max(f))
		return diag_place(why, at, "%s 0x%" PRIx64 " is too large for "
		    "%s, where it has bits %s: 0x%" PRIx64 " at most", f->name,
		    value, type->name, choices_pieces(f, bits, sizeof(bits)),
		    field_max(f));
	if (beyond_most(type, f, value))
		return diag_place(why, at, "%s 0x%" PRIx64 " has no meaning "
		    "that a source gives, only 0 to 0x%" PRIx64 " have",
		    f->name, value, type->most.value);
	*ctl = field_put(f, *ctl, value);
	return 0;
}

int
encode_filter(const struct box_type *type, unsigned filter, uint64_t value,
    uint64_t ctl, struct place at, struct diag *why)
{
	const struct box_filter *f = &type->filter[filter];
	char bits[64], may[64];

	if (value & ~f->valid)
		return diag_place(why, at, "%s 0x%" PRIx64 " sets bit %s; %s "
		    "of %s has bits %s", f->name, value, choices_bits(value &
		    ~f->valid, bits, sizeof(bits)), f->name, type->name,
		    choices_bits(f->valid, may, sizeof(may)));
	if (value == 0 && f->idle != 0 && type->space == REG_PERF)
		return diag_place(why, at, "%s 0 is none of them to older "
		    "drivers, and all to newer ones: say 0x%" PRIx64 " for "
		    "all, or leave it out", f->name, f->valid);
	if (ctl != 0 && !box_filter_for(f, ctl))
		return diag_place(why, at, "%s is for event 0x%02x alone, and "
		    "this is event 0x%02x", f->name, f->event, f->event > 0xff ?
		    (unsigned)(ctl & 0xffff) : EVENT_OF(ctl));
	return 0;
}

uint64_t
encode_both_rings(const struct box_type *type)
{
	const struct field *usr = field_named(type->field, "usr");
	const struct field *os = field_named(type->field, "os");

	return usr != NULL && os != NULL ? 1ull << usr->lo | 1ull << os->lo : 0;
}

int
filter_named(const struct box_type *type, struct word name)
{
	for (int f = 0; f < MAX_FILTERS; f++)
		if (type->filter[f].name != NULL &&
		    word_is(name, type->filter[f].name))
			return f;
	return -1;
}

const struct box_type *
box_named(const struct model *model, struct word name)
{
	char s[32];

	if (name.n == 0 || name.n >= sizeof(s))
		return NULL;
	memcpy(s, name.s, name.n);
	s[name.n] = '\0';
	return model_box(model, s);
}
