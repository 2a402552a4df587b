/*
 * config/intel_event.c - one event of Intel's lists, from JSON to
 * registers.
 *
 * What the members mean: README.md of the perfmon repository, and the mapping
 * that perf's own list converter (jevents.py) makes of them.
 */
#include "config/intel.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "config/encode.h"

/* Members whose number goes unchanged into a field of the control register: into `field`,
 * or into `or_field` if the box type has no `field`. */
static const struct {
	const char *member, *field, *or_field;
} plain[] = {
	{ "ExtSel", "xsel", NULL },
	{ "CounterMask", "cmask", "thresh" },
	{ "Invert", "inv", NULL },
	{ "EdgeDetect", "edge", NULL },
	{ "AnyThread", "any", NULL },
	{ "Equal", "eq", NULL },
	{ "PortMask", "ch_mask", NULL },
	{ "FCMask", "fc_mask", NULL },
	{ "UMaskExt", "umask_ext", NULL },
};

/* Units whose box type has another name than the unit. */
static const struct {
	const char *unit, *box;
} units[] = {
	{ "UPI LL", "UPI" }, { "QPI LL", "QPI" }, { "NCU", "UBOX" },
	{ "cpu core", "core" }, { "cpu", "core" },
};

/* By number of a fixed counter of the core: the event select with which a general counter
 * counts the same, instructions retired and unhalted core cycles.  Used for events with
 * AnyThread, where general counters have that bit. */
static const uint8_t fixed_twin[] = { 0xc0, 0x3c };

/* Turns a list of counters, "0,1,2,3", into a mask of them; 0 if it is no such list. */
static unsigned
counter_bits(const char *s)
{
	struct word list = { s, s != NULL ? strlen(s) : 0 }, one;
	unsigned bits = 0;
	bool more = list.n > 0;
	uint64_t v;

	while (more) {
		more = word_cut(&list, ',', &one);
		if (word_number(word_trim(one), &v) < 0 || v > 31)
			return 0;
		bits |= 1u << v;
	}
	return bits;
}

/* Mark the event as one that the model cannot count, with the reason. */
static int
cannot(struct intel_json *l, const char *fmt, const char *what)
{
	char words[200];

	snprintf(words, sizeof(words), fmt, what);
	l->ev->type = NULL;
	l->ev->why_not = arena_printable(l->arena, words);
	return l->ev->why_not != NULL ? 0 : -ENOMEM;
}

/* Sets the event's unit, and as its type the box type that the model has for this unit. */
static int
intel_event_find_unit(struct intel_json *l)
{
	const char *unit = member_text(l, "Unit"), *box;

	box = unit = unit != NULL ? unit : "cpu core";
	for (unsigned i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcasecmp(unit, units[i].unit) == 0)
			box = units[i].box;
	l->ev->unit = arena_printable(l->arena, unit);
	if (l->ev->unit == NULL)
		return -ENOMEM;
	l->ev->type = model_box(l->model, box);
	return l->ev->type != NULL ? 0 :
	    cannot(l, "this model has no unit %s", unit);
}

/* Set one field of ev->ctl; ev->type becomes NULL if the box type has no such field. */
static int
set_field(struct intel_json *l, struct listed_event *ev, const char *field,
    uint64_t value)
{
	struct word name = { field, strlen(field) };

	if (field_named(ev->type->field, field) == NULL)
		return value == 0 ? 0 : cannot(l, "its box has no field %s",
		    field);
	return encode_field(ev->type, name, value, &ev->ctl, l->at, l->why);
}

/* Sets the fields whose values the list names as they are (table plain). */
static int
set_plain(struct intel_json *l)
{
	struct listed_event *ev = l->ev;
	uint64_t v[MAX_CODES];
	int rc;

	for (unsigned i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		const char *field = plain[i].field;

		if ((rc = member_numbers(l, plain[i].member, v)) < 0)
			return rc;
		if (v[0] == 0)
			continue;
		if (plain[i].or_field != NULL &&
		    field_named(ev->type->field, field) == NULL)
			field = plain[i].or_field;
		/* Some IIO lists give ch_mask and fc_mask a second time in
		 * UMaskExt, or only there: it is the upper half of ctl. */
		if (strcmp(field, "umask_ext") == 0 && v[0] <= UINT32_MAX &&
		    field_named(ev->type->field, field) == NULL &&
		    ((v[0] << 32 & ~ev->ctl) == 0 || (ev->ctl >> 32 == 0 &&
		    (v[0] << 32 & ~box_ctl_valid(ev->type)) == 0))) {
			ev->ctl |= v[0] << 32;
			continue;
		}
		if ((rc = set_field(l, ev, field, v[0])) < 0 ||
		    ev->type == NULL)
			return rc;
	}
	return 0;
}

/* Sets the box filter that the event needs, and its value. */
static int
intel_event_set_filter(struct intel_json *l)
{
	struct listed_event *ev = l->ev;
	struct word name = { "filter0", 7 };
	uint64_t v;
	bool second;
	int f, rc;

	if ((rc = member_filter(l, &v, &second)) < 0)
		return rc;
	if (second)
		name.s = "filter1";
	f = filter_named(ev->type, name);
	if (member_text(l, "Filter") != NULL && v == 0 && f >= 0 &&
	    ev->type != l->model->core) {
		/* The list names a filter, but no value for it: the event
		 * takes the idle value.  The configuration may set another,
		 * which other events may not. */
		v = ev->type->filter[f].idle;
		ev->weak |= 1u << f;
	}
	if (v == 0)
		return 0;
	if (f < 0)
		return cannot(l, "its box has no filter %s", name.s);
	if ((rc = encode_filter(ev->type, (unsigned)f, v, ev->ctl, l->at,
	    l->why)) < 0)
		return rc;
	ev->filters |= 1u << f;
	ev->filter[f] = v;
	return 0;
}

/* Sets the filter whose register is MSR `msr` (MSRIndex, as OFFCORE_RSP) to MSRValue. */
static int
set_msr(struct intel_json *l, struct listed_event *ev, uint64_t msr)
{
	uint64_t v[MAX_CODES];
	char text[24];
	int rc;

	if (msr == 0)
		return 0;
	if ((rc = member_numbers(l, "MSRValue", v)) < 0)
		return rc;
	for (unsigned f = 0; f < MAX_FILTERS; f++) {
		const struct box_filter *filter = &ev->type->filter[f];

		if (filter->name == NULL || filter->reg != msr)
			continue;
		ev->filters |= 1u << f;
		ev->filter[f] = v[0];
		return encode_filter(ev->type, f, v[0], ev->ctl, l->at,
		    l->why);
	}
	snprintf(text, sizeof(text), "0x%" PRIx64, msr);
	return cannot(l, "this model has no MSR %s", text);
}

/*
 * Sets event select, unit mask and extra MSR of ev.  EventCode, UMask and MSRIndex may
 * be lists: EventCode "0xB7, 0xBB" with MSRIndex "0x1a6,0x1a7" is one event that can be
 * counted in two ways, as event 0xB7 with MSR 0x1a6 or as 0xBB with 0x1a7.  k selects
 * the way; -ENOENT if the lists have no way k.
 */
static int
set_codes(struct intel_json *l, struct listed_event *ev, int k)
{
	uint64_t code[MAX_CODES], umask[MAX_CODES], msr[MAX_CODES];
	int ncode = member_numbers(l, "EventCode", code);
	int numask = member_numbers(l, "UMask", umask);
	int nmsr = member_numbers(l, "MSRIndex", msr), rc;

	if (ncode < 0 || numask < 0 || nmsr < 0)
		return -EINVAL;
	if (k > 0 && k >= nmsr)
		return -ENOENT;
	if ((rc = set_field(l, ev, "event", code[k < ncode ? k : 0])) < 0 ||
	    l->ev->type == NULL ||
	    (rc = set_field(l, ev, "umask", umask[k < numask ? k : 0])) < 0 ||
	    l->ev->type == NULL)
		return rc;
	return set_msr(l, ev, nmsr > 0 ? msr[k] : 0);
}

/* Sets ev->other to the second way to count the event (set_codes), if there is one. */
static int
set_other(struct intel_json *l)
{
	struct listed_event other = *l->ev, *kept;
	int rc;

	other.filters = 0;
	rc = set_codes(l, &other, 1);
	if (rc == -ENOENT || l->ev->type == NULL)
		return 0;
	if (rc < 0)
		return rc;
	if ((kept = arena_alloc(l->arena, sizeof(*kept))) == NULL)
		return -ENOMEM;
	*kept = other;
	l->ev->other = kept;
	return 0;
}

/* Makes it an event of a fixed counter.  counter: "Fixed counter 1" of the core, "FIXED"
 * of a box. */
static int
set_fixed(struct intel_json *l, const char *counter)
{
	struct listed_event *ev = l->ev;
	const struct core_fixed *fixed = l->model->fixed;
	uint64_t any[MAX_CODES];
	int n;

	if (ev->type != l->model->core) {
		if (ev->type->fixed.name == NULL)
			return cannot(l, "%s has no fixed counter here",
			    ev->type->name);
		ev->fixed = 0;
		ev->ctl = ev->type->fixed.enable;
		return 0;
	}
	if ((n = member_fixed(l, counter)) < 0 ||
	    member_numbers(l, "AnyThread", any) < 0)
		return -EINVAL;
	if (any[0] != 0 && n < (int)sizeof(fixed_twin) &&
	    field_named(ev->type->field, "any") != NULL) {
		ev->ctl &= ~0xffffull;
		ev->counters = (1u << ev->type->counters) - 1;
		return set_field(l, ev, "event", fixed_twin[n]);
	}
	for (int i = 0; fixed != NULL && i < 5 && fixed->name[i] != NULL; i++)
		if (i == n)
			ev->fixed = i;
	return ev->fixed >= 0 ? 0 : cannot(l, "this model's cores have no "
	    "fixed counter for it (%s)", counter);
}

/* Sets the mask of general counters that can count the event, or its fixed counter. */
static int
set_counters(struct intel_json *l)
{
	struct listed_event *ev = l->ev;
	const char *counter = member_text(l, "Counter");
	const char *all = member_text(l, "CounterHTOff");
	unsigned bits, table = box_event_mask(ev->type, ev->ctl);

	if (member_is_fixed(l))
		return set_fixed(l, counter != NULL ? counter : "FIXED");
	/* CounterHTOff has the counters of a core whose Hyper-Threading is off,
	 * which are more.  The caller finds out which of them are missing. */
	bits = counter_bits(all != NULL ? all : counter) &
	    ((1u << ev->type->counters) - 1);
	ev->counters = bits != 0 ? bits : table;
	return 0;
}

/* Sets all registers of the event; ev->type becomes NULL if the model cannot count it. */
static int
intel_event_encode(struct intel_json *l)
{
	struct listed_event *ev = l->ev;
	int rc;

	ev->ctl = ev->type->enable | encode_both_rings(ev->type);
	if ((rc = set_codes(l, ev, 0)) < 0 || ev->type == NULL ||
	    (rc = set_plain(l)) < 0 || ev->type == NULL ||
	    (rc = intel_event_set_filter(l)) < 0 || ev->type == NULL ||
	    (rc = set_counters(l)) < 0 || ev->type == NULL)
		return rc;
	return ev->fixed < 0 ? set_other(l) : 0;
}

int
intel_event_read(struct arena *arena, const struct model *model,
    const char *file, const struct json *json, struct listed_event *ev,
    struct diag *why)
{
	struct intel_json l = { .arena = arena, .model = model, .json = json,
	    .at = { file, json->line }, .why = why, .ev = ev };
	const char *name = json_text(json, "EventName"), *brief, *flag;
	int rc;

	memset(ev, 0, sizeof(*ev));
	ev->line = json->line;
	ev->fixed = -1;
	if (name == NULL || *name == '\0')
		return diag_at(why, file, json->line, "an event without "
		    "EventName");
	if (json_text(json, "EventCode") == NULL)
		return diag_at(why, file, json->line, "%.80s has no EventCode",
		    name);
	brief = json_text(json, "BriefDescription");
	brief = brief != NULL ? brief : "";
	ev->name = arena_printable(arena, name);
	ev->brief = arena_printable(arena, brief);
	if (ev->name == NULL || ev->brief == NULL)
		return -ENOMEM;
	flag = json_text(json, "Deprecated");
	ev->deprecated = flag != NULL && strcmp(flag, "1") == 0;
	flag = json_text(json, "TakenAlone");
	ev->alone = flag != NULL && strcmp(flag, "1") == 0;
	if ((rc = intel_event_find_unit(&l)) < 0)
		return rc;
	flag = member_text(&l, "CounterType");
	if (flag != NULL && strcasecmp(flag, "FREERUN") == 0)
		return cannot(&l, "it is a free-running counter of %s, which "
		    "needs no event (see: read; or event PMU/NAME/ with a name "
		    "of the kernel's)", ev->unit);
	if (ev->type != NULL)
		rc = intel_event_encode(&l);
	return rc == 0 && ev->type == NULL ? intel_terms(&l) : rc;
}
