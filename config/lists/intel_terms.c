/*
 * config/lists/intel_terms.c - turn an event of Intel's lists into terms of the kernel's
 * PMU, for CPUs whose boxes are in no model's table: uncore_cha with
 * event=0x35,umask=0x21,config1=0x4043300000000.
 *
 * The mapping is that of perf's list converter (jevents.py) and of the kernel's
 * uncore drivers: reference perf-event 8.3 to 8.5.  config/lang/terms.c checks that the
 * PMU has the term and that the value fits.
 */
#include "config/lists/intel.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "regs/perf.h"

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
