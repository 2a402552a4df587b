/*
 * config/intel_member.c - read the rows of Intel's lists as tables, the members of an
 * event, and turn them into terms.  All values of members are strings; "na", "null", "" and
 * an absent member mean the same.
 */
#include "config/intel.h"

#include "regs/perf.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- a list as a table --------------------------------------------------- */

struct intel_table *
intel_table_open(struct arena *arena, const struct text *text, struct word *rows)
{
	struct intel_table *t = arena_alloc(arena, sizeof(*t));
	struct word head, cell, name;
	char file[80];
	bool more = true;

	snprintf(file, sizeof(file), "@%.*s", text_base(text), text->name);
	*rows = (struct word){ text->data, (size_t)(text->end - text->data) };
	if (t == NULL ||
	    (t->file = arena_strndup(arena, file, strlen(file))) == NULL)
		return NULL;
	t->text = text;
	word_cut(rows, '\n', &head);
	while (more && t->n < TABLE_COLUMNS) {
		more = word_cut(&head, '\t', &cell);
		word_cut(&cell, '=', &name);
		t->member[t->n].name = arena_strndup(arena, name.s, name.n);
		t->member[t->n].usual = arena_strndup(arena, cell.s, cell.n);
		if (t->member[t->n].name == NULL ||
		    t->member[t->n].usual == NULL)
			return NULL;
		t->n++;
	}
	return t;
}

const struct json *
intel_table_row(const struct intel_table *t, struct word row, unsigned line,
    struct intel_row *to)
{
	size_t size = row.n < TABLE_ROW ? row.n : TABLE_ROW - 1;
	char *next = to->text, *cell;

	memcpy(to->text, row.s, size);
	to->text[size] = '\0';
	to->object = (struct json){ .kind = JSON_OBJECT, .line = line,
	    .child = to->member };
	for (unsigned i = 0; i < t->n; i++) {
		cell = next != NULL ? strsep(&next, "\t") : NULL;
		to->member[i] = (struct json){ .kind = JSON_STRING,
		    .line = line, .name = t->member[i].name, .text =
		    cell != NULL && *cell != '\0' ? cell :
		    t->member[i].usual, .next = i + 1 < t->n ?
		    &to->member[i + 1] : NULL };
	}
	return &to->object;
}

/* ---- the members of an event --------------------------------------------- */

/*
 * The values of filters for which the list names bits, but no value: the cache states of
 * LLC_LOOKUP.  While they are 0 nothing is counted, and the event means all states, so
 * every bit is set.  A CBO's field is 23:17; sources differ on which of its bits are F,
 * M, E, S and I (Intel's list: 22:18, LIKWID: 21:17).
 */
static const struct {
	const char *text;
	uint64_t value;
} states[] = {
	{ "CHAFilter0[26:17]", 0x07fe0000 },
	{ "CBoFilter0[23:17]", 0x00fe0000 },
	{ "CBoFilter0[22:18]", 0x00fe0000 },
};

const char *
member_text(const struct intel_json *l, const char *name)
{
	const char *s = json_text(l->json, name);

	return s == NULL || *s == '\0' || strcasecmp(s, "na") == 0 ||
	    strcasecmp(s, "null") == 0 ? NULL : s;
}

/* Says that a member is neither a number nor a short list of numbers. */
static int
too_odd(const struct intel_json *l, const char *name, const char *text)
{
	return diag_place(l->why, l->at, "%s: %s is \"%.80s\", which is no "
	    "number or list of %d at most", l->ev->name, name, text, MAX_CODES);
}

int
member_numbers(const struct intel_json *l, const char *name,
    uint64_t v[MAX_CODES])
{
	const char *s = member_text(l, name);
	struct word list, one;
	bool more;
	int n = 0;

	v[0] = 0;
	if (s == NULL)
		return 0;
	list = (struct word) { s, strlen(s) };
	do {
		more = word_cut(&list, ',', &one);
		if (n == MAX_CODES || word_number(word_trim(one), &v[n++]) < 0)
			return too_odd(l, name, s);
	} while (more);
	return n;
}

/* The Filter "CHAFilter1[31:0]" is filter1; a name without a number is filter0. */
int
member_filter(const struct intel_json *l, uint64_t *value, bool *second)
{
	const char *text = member_text(l, "Filter");
	uint64_t v[MAX_CODES];
	int rc = member_numbers(l, "FILTER_VALUE", v);

	if (rc < 0)
		return rc;
	*value = v[0];
	for (unsigned i = 0; text != NULL && *value == 0 &&
	    i < sizeof(states) / sizeof(states[0]); i++)
		if (strcasecmp(text, states[i].text) == 0)
			*value = states[i].value;
	*second = text != NULL && strcasestr(text, "filter1") != NULL;
	return 0;
}

bool
member_is_fixed(const struct intel_json *l)
{
	const char *counter = member_text(l, "Counter");
	const char *kind = member_text(l, "CounterType");

	return (counter != NULL && strncasecmp(counter, "fixed", 5) == 0) ||
	    (kind != NULL && strcasecmp(kind, "FIXED") == 0);
}

/* Lists number fixed counters from 0 or from 1.  The unit mask tells: in all lists, an
 * event with event select 0 has the counter's number + 1 there. */
int
member_fixed(const struct intel_json *l, const char *counter)
{
	size_t at = strcspn(counter, "0123456789");
	uint64_t umask[MAX_CODES];

	if (member_numbers(l, "UMask", umask) < 0)
		return -EINVAL;
	if (umask[0] > 0 && umask[0] <= 16)
		return (int)umask[0] - 1;
	return counter[at] != '\0' ? counter[at] - '0' : 0;
}

/* ---- terms --------------------------------------------------------------- */

/*
 * An event as terms of the kernel's PMU, for CPUs whose boxes are in no model's table:
 * uncore_cha with event=0x35,umask=0x21,config1=0x4043300000000.
 *
 * The mapping is that of perf's list converter (jevents.py) and of the kernel's
 * uncore drivers: reference perf-event 8.3 to 8.5.  config/lang/terms.c checks that the
 * PMU has the term and that the value fits.
 */

/* Units whose PMU is not named "uncore_" and the unit. */
static const struct { const char *unit, *pmu; } pmus[] = {
	{ "cpu core", "cpu" }, { "cpu", "cpu" }, { "CBO", "uncore_cbox" },
	{ "QPI LL", "uncore_qpi" }, { "UPI LL", "uncore_upi" },
	{ "SBO", "uncore_sbox" },
	{ "iMPH-U", "uncore_arb" }, { "NCU", "uncore_clock" },
	{ "L3PMC", "amd_l3" }, { "DFPMC", "amd_df" }, { "UMCPMC", "amd_umc" },
};

static const struct { const char *member, *core, *box; } plain[] = {
	{ "CounterMask", "cmask", "thresh" }, { "Invert", "inv", "inv" },
	{ "EdgeDetect", "edge", "edge" }, { "AnyThread", "any", NULL },
	{ "Equal", "eq", NULL }, { "PortMask", NULL, "ch_mask" },
	{ "FCMask", NULL, "fc_mask" },
};

struct terms {
	struct intel_json *l;
	bool core;
	char text[256];
	size_t n;
};

static void
intel_terms_put(struct terms *t, const char *name, uint64_t value)
{
	t->n += (size_t)snprintf(t->text + t->n, sizeof(t->text) - t->n,
	    "%s%s=0x%" PRIx64, t->n > 0 ? "," : "", name, value);
}

/* The PMU of a unit; false if the unit cannot be a file's name. */
static bool
intel_terms_pmu_of(const char *unit, char *buf, size_t size)
{
	size_t n;

	for (size_t i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++)
		if (strcasecmp(unit, pmus[i].unit) == 0) {
			snprintf(buf, size, "%s", pmus[i].pmu);
			return true;
		}
	n = (size_t)snprintf(buf, size, "uncore_");
	for (; *unit != '\0'; unit++) {
		if (!isalnum((unsigned char)*unit) && *unit != '_')
			return false;
		if (n + 1 == size)
			return false;
		buf[n++] = (char)tolower((unsigned char)*unit);
	}
	buf[n] = '\0';
	return true;
}

/* The terms for fixed counters: the event that a core's fixed counter counts, or the event
 * code that the kernel reserves for the fixed counter of a box. */
static int
put_fixed(struct terms *t, const char *counter)
{
	uint64_t any[MAX_CODES];
	int n = member_fixed(t->l, counter);

	if (!t->core) {
		intel_terms_put(t, "event", PERF_BOX_FIXED);
		return 0;
	}
	if (n < 0 || member_numbers(t->l, "AnyThread", any) < 0)
		return -EINVAL;
	if (n >= PERF_CORE_FIXED)
		return -ENOENT;
	intel_terms_put(t, "event", perf_core_fixed[n] & 0xff);
	if (perf_core_fixed[n] >> 8 != 0)
		intel_terms_put(t, "umask", perf_core_fixed[n] >> 8);
	if (any[0] != 0)
		intel_terms_put(t, "any", 1);
	return 0;
}

/* Use the first of two codes and registers: the kernel switches to the other itself. */
static int
put_codes(struct terms *t)
{
	struct intel_json *l = t->l;
	uint64_t code[MAX_CODES], umask[MAX_CODES], ext[MAX_CODES];
	uint64_t sel[MAX_CODES], ports[MAX_CODES], fc[MAX_CODES];
	uint64_t msr[MAX_CODES], value[MAX_CODES];

	if (member_numbers(l, "EventCode", code) < 0 ||
	    member_numbers(l, "UMask", umask) < 0 ||
	    member_numbers(l, "UMaskExt", ext) < 0 ||
	    member_numbers(l, "ExtSel", sel) < 0 ||
	    member_numbers(l, "PortMask", ports) < 0 ||
	    member_numbers(l, "FCMask", fc) < 0 ||
	    member_numbers(l, "MSRIndex", msr) < 0 ||
	    member_numbers(l, "MSRValue", value) < 0)
		return -EINVAL;
	/* Some IIO lists repeat the masks in UMaskExt. */
	if (ports[0] != 0 || fc[0] != 0)
		ext[0] = 0;
	intel_terms_put(t, "event", code[0] | sel[0] << 8);
	if ((umask[0] | ext[0]) != 0)
		intel_terms_put(t, "umask", umask[0] | ext[0] << 8);
	if (msr[0] != 0)
		intel_terms_put(t, "config1", value[0]);
	return 0;
}

static int
put_plain(struct terms *t)
{
	uint64_t v[MAX_CODES], filter;
	bool second;

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		const char *name = t->core ? plain[i].core : plain[i].box;

		if (member_numbers(t->l, plain[i].member, v) < 0)
			return -EINVAL;
		if (v[0] != 0 && name != NULL)
			intel_terms_put(t, name, v[0]);
	}
	if (member_filter(t->l, &filter, &second) < 0)
		return -EINVAL;
	if (filter != 0 && !t->core)
		intel_terms_put(t, "config1", second ? filter << 32 : filter);
	return 0;
}

int
intel_terms(struct intel_json *l)
{
	const char *counter = member_text(l, "Counter");
	struct listed_event *ev = l->ev;
	struct terms t = { .l = l };
	char pmu[64];
	int rc;

	if (!intel_terms_pmu_of(ev->unit, pmu, sizeof(pmu)))
		return 0;
	t.core = strcmp(pmu, "cpu") == 0;
	if (member_is_fixed(l))
		rc = put_fixed(&t, counter != NULL ? counter : "");
	else if ((rc = put_codes(&t)) == 0)
		rc = put_plain(&t);
	if (rc < 0 || t.n >= sizeof(t.text))
		return rc == -ENOENT ? 0 : rc;
	ev->pmu = arena_strndup(l->arena, pmu, strlen(pmu));
	ev->terms = arena_strndup(l->arena, t.text, t.n);
	return ev->pmu != NULL && ev->terms != NULL ? 0 : -ENOMEM;
}
