/*
 * config/sim/machine_perf.c - the PMUs of a simulated machine, as the kernel
 * shows them, and what their events count.
 *
 *   pmu NAME [n=N [from=M]] type=N [counters=N] [checks=0]
 *       [own=CONFIG] [pair=EVENT] [box=NAME] { PLACE=LIST } { format=TERM:BITS }
 *         its directory in /sys/bus/event_source/devices; with n, NAME_M to
 *         NAME_M+N-1, of types that follow each other
 *     box    it counts what the registers of this box count: config is the
 *            control value; instance i, where there are n.  Else: count
 *     PLACE  cpus         a core's PMU: the CPUs that have it
 *            cpumask      one CPU for each unit; associated: those of its socket
 *     checks=0   a group of more events than counters is opened, and never runs
 *     own    the event that has a counter of its own
 *     pair   the event, bits 35:32 and 7:0 of config, that takes two counters
 *     BITS   as the kernel writes them: config:0-7,21
 *   hold PMU N  others always have N of its counters, such as the NMI watchdog
 *   named PMU EVENT TEXT...         a file of its events/: event=0x04,umask=0x03;
 *         here and below, PMU may be the NAME of several
 *   count (PMU | hardware | cache | software) CONFIG [config1=MASK] RATES WHERE
 *         what an event counts; with config1, only where any of those bits is
 *         set.  hardware, cache and software are the kernel's own events.
 *   count (hardware | cache) CONFIG as=CONFIG
 *         it is that event of the core's PMU.  Without any such statement they
 *         are what Intel's architecture says
 */
#include "config/sim/machine_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regs/perf.h"

#define MAX_PMUS 1024

/* Add a file to a PMU's directory, as a `file` statement does. */
static int
machine_perf_add_file(struct machine *p, const char *pmu, const char *name,
    const char *text)
{
	struct sim_file f = { .kind = SIM_VALUE, .text = strdup(text) };

	if (asprintf(&f.path, PMU_DIR "/%s/%s", pmu, name) < 0)
		f.path = NULL;
	return machine_add_file(p, &f);
}

/* Take a word that gives a list of CPUs (cpus=, cpumask=, associated=); returns 1 for
 * another word. */
static int
machine_perf_parse_list(struct machine *p, struct sim_pmu *pmu, const char *key,
    const char *value)
{
	const struct { const char *key, *file; char *into; } list[] = {
		{ "cpus", "cpus", pmu->cpus },
		{ "cpumask", "cpumask", pmu->cpumask },
		{ "associated", "associated_cpus", pmu->associated },
	};
	size_t i = 0;
	int rc;

	while (i < 3 && strcmp(key, list[i].key) != 0)
		i++;
	if (i == 3)
		return 1;
	if ((rc = machine_name(p, key, value, list[i].into,
	    sizeof(pmu->cpus))) < 0)
		return rc;
	if (strspn(value, "0123456789,-") != strlen(value))
		return machine_wrong(p, "%s \"%s\" is no list of CPUs; right "
		    "would be 0-3,8", key, value);
	return machine_perf_add_file(p, pmu->name, list[i].file, list[i].into);
}

static int
parse_type(struct machine *p, struct sim_pmu *pmu, const char *value)
{
	uint64_t v = 0;
	char text[24];
	int rc = machine_number(p, "type", value, 0, UINT32_MAX - 1000, &v);

	if (rc < 0)
		return rc;
	pmu->type = (uint32_t)v + pmu->inst;
	snprintf(text, sizeof(text), "%u", pmu->type);
	return machine_perf_add_file(p, pmu->name, "type", text);
}

static int
machine_perf_parse_format(struct machine *p, char *value, const char *pmu)
{
	char *bits = strchr(value, ':'), name[64];

	if (bits == NULL || bits == value || strlen(value) > 60)
		return machine_wrong(p, "format \"%s\"; right would be "
		    "format=event:config:0-7", value);
	*bits++ = '\0';
	snprintf(name, sizeof(name), "format/%.40s", value);
	return machine_perf_add_file(p, pmu, name, bits);
}

static int
machine_perf_parse_box(struct machine *p, const char *name, struct sim_pmu *pmu)
{
	for (pmu->box = 0; (unsigned)pmu->box < p->d->nbox; pmu->box++)
		if (strcmp(p->d->box[pmu->box].name, name) == 0)
			return 0;
	return machine_wrong(p, "there is no box \"%s\" (a box statement "
	    "before this one makes it)", name);
}

/* Take one word of a `pmu` statement; returns 1 for a word that it cannot have. */
static int
pmu_word(struct machine *p, struct sim_pmu *pmu, char *w)
{
	char *value;

	if (!machine_split(w, &value))
		return 1;
	if (word_says(w, "type"))
		return parse_type(p, pmu, value);
	if (word_says(w, "counters"))
		return machine_unsigned(p, w, value, 1, 1000, &pmu->counters);
	if (word_says(w, "checks"))
		return machine_unsigned(p, w, value, 0, 1, &pmu->checks);
	if (word_says(w, "own"))
		return machine_number(p, w, value, 0, UINT64_MAX - 1,
		    &pmu->own);
	if (word_says(w, "pair"))
		return machine_number(p, w, value, 0, 0xfff, &pmu->pair);
	if (word_says(w, "box"))
		return machine_perf_parse_box(p, value, pmu);
	if (word_says(w, "format"))
		return machine_perf_parse_format(p, value, pmu->name);
	return machine_perf_parse_list(p, pmu, w, value);
}

/* Add one PMU by the words of a statement. */
static int
machine_perf_add_pmu(struct machine *p, const char *name, unsigned inst,
    char *words)
{
	struct sim_desc *d = p->d;
	struct sim_pmu pmu = { .own = UINT64_MAX, .pair = UINT64_MAX,
	    .counters = 1000, .checks = 1, .box = -1, .inst = inst };
	bool typed = false;
	char *w;
	int rc = 0;

	snprintf(pmu.name, sizeof(pmu.name), "%s", name);
	while (rc == 0 && (w = line_word(&words)) != NULL) {
		rc = pmu_word(p, &pmu, w);
		typed |= word_says(w, "type");
		if (rc == 1)
			return machine_wrong(p, "unknown word \"%s\"; right "
			    "would be n= from= (first) type= counters= "
			    "checks= own= pair= box= cpus= cpumask= "
			    "associated= format=TERM:BITS", w);
	}
	if (rc < 0)
		return rc;
	if (!typed)
		return machine_wrong(p, "a pmu needs type=N");
	for (unsigned i = 0; i < d->npmu; i++)
		if (strcmp(d->pmu[i].name, name) == 0) {
			d->pmu[i] = pmu;        /* a later statement overrides */
			return 0;
		}
	if (d->npmu == MAX_PMUS)
		return machine_wrong(p, "more than %d PMUs", MAX_PMUS);
	return sim_desc_add(&d->pmu, &d->npmu, &pmu, sizeof(pmu));
}

int
machine_pmu(struct machine *p)
{
	char kind[48], name[64], *w, *words;
	unsigned n = 0, from = 0;
	int rc = machine_name(p, "PMU", machine_word(p), kind,
	    sizeof(kind));

	if (rc == 0 && strchr(kind, '/') != NULL)
		return machine_wrong(p, "a PMU's name has no /");
	p->rest += strspn(p->rest, " \t");
	if (rc == 0 && strncmp(p->rest, "n=", 2) == 0) {
		w = machine_word(p);
		rc = machine_unsigned(p, "n", w + 2, 1, 512, &n);
		p->rest += strspn(p->rest, " \t");
	}
	if (rc == 0 && n > 0 && strncmp(p->rest, "from=", 5) == 0) {
		w = machine_word(p);
		rc = machine_unsigned(p, "from", w + 5, 0, 512, &from);
	}
	for (unsigned i = 0; rc == 0 && i < (n > 0 ? n : 1); i++) {
		/* reading a line cuts it up */
		if ((words = strdup(p->rest)) == NULL)
			return -ENOMEM;
		if (n > 0)
			snprintf(name, sizeof(name), "%s_%u", kind, from + i);
		else
			snprintf(name, sizeof(name), "%s", kind);
		rc = machine_perf_add_pmu(p, name, i, words);
		free(words);
	}
	return rc;
}

/* The next PMU from *n on that is called `name`, or `name`, "_" and a number. */
static bool
next_pmu(const struct machine *p, const char *name, unsigned *n)
{
	size_t len = strlen(name);

	for (; *n < p->d->npmu; ++*n) {
		const char *have = p->d->pmu[*n].name;

		if (strncmp(have, name, len) == 0 && (have[len] == '\0' ||
		    (have[len] == '_' && have[len + 1] != '\0' &&
		    strspn(have + len + 1, "0123456789") ==
		    strlen(have + len + 1))))
			return true;
	}
	return false;
}

static int
no_pmu(struct machine *p, const char *name)
{
	return machine_wrong(p, "there is no PMU \"%s\" (a pmu statement "
	    "before this one makes it)", name);
}

int
machine_hold(struct machine *p)
{
	const char *pmu = machine_word(p), *number = machine_word(p);
	unsigned n = 0, held = 0, found = 0;
	int rc;

	if (number == NULL)
		return machine_wrong(p, "right would be hold PMU N");
	if ((rc = machine_unsigned(p, "counters", number, 0, 1000, &held)) < 0)
		return rc;
	for (; next_pmu(p, pmu, &n); n++, found++)
		p->d->pmu[n].held = held;
	return found > 0 ? 0 : no_pmu(p, pmu);
}

int
machine_named(struct machine *p)
{
	const char *pmu = machine_word(p), *event;
	unsigned n = 0, found = 0;
	char file[160];
	int rc = 0;

	if (pmu == NULL || (event = machine_word(p)) == NULL ||
	    strlen(event) > 100 || strchr(event, '/') != NULL)
		return machine_wrong(p, "right would be named PMU EVENT "
		    "event=0x04,umask=0x03");
	snprintf(file, sizeof(file), "events/%s", event);
	p->rest += strspn(p->rest, " \t");
	for (; rc == 0 && next_pmu(p, pmu, &n); n++, found++)
		rc = machine_perf_add_file(p, p->d->pmu[n].name, file, p->rest);
	return found > 0 ? rc : no_pmu(p, pmu);
}

int
machine_kcount(struct machine *p)
{
	static const struct { const char *word; uint32_t type; } own[] = {
		{ "hardware", PERF_HARDWARE }, { "cache", PERF_HW_CACHE },
		{ "software", PERF_SOFTWARE },
	};
	struct sim_desc *d = p->d;
	struct sim_kcount k = { .where = machine_anywhere };
	char *w = machine_word(p), *value;
	const char *pmu = w;
	int rc = 0;

	for (unsigned i = 0; w != NULL && i < 3; i++)
		if (strcmp(w, own[i].word) == 0) {
			k.kernel = true;
			k.type = own[i].type;
		}
	if (!k.kernel && (pmu == NULL || !next_pmu(p, pmu, &k.pmu)))
		return no_pmu(p, pmu != NULL ? pmu : "");
	if ((rc = machine_number(p, "config", machine_word(p), 0,
	    UINT64_MAX, &k.config)) < 0)
		return rc;
	while ((w = machine_word(p)) != NULL) {
		if (!machine_split(w, &value))
			return machine_wrong(p, "\"%s\"; right would be "
			    "PHASE=N or all=N", w);
		if (word_says(w, "config1"))
			rc = machine_number(p, w, value, 1, UINT64_MAX,
			    &k.filter);
		else if (k.kernel && k.type != PERF_SOFTWARE &&
		    word_says(w, "as")) {
			k.renamed = true;
			rc = machine_number(p, w, value, 0, UINT64_MAX, &k.as);
		} else if ((rc = machine_rate(p, &k.rate, w, value,
		    MAX_HZ)) == 1)
			rc = machine_where(p, &k.where, w, value);
		if (rc == 1)
			return machine_unknown(p, w, "config1");
		if (rc < 0)
			return rc;
	}
	do {
		if ((rc = sim_desc_add(&d->kcount, &d->nkcount, &k,
		    sizeof(k))) < 0)
			return rc;
		k.pmu++;
	} while (!k.kernel && next_pmu(p, pmu, &k.pmu));
	return 0;
}
