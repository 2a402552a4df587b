/*
 * postproc/many/differ.c - what nodes differ in.
 */
#include "postproc/many/differ.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/lookup.h"
#include "lib/printable.h"

#define SHOWN 4                 /* kinds of node, and names of each */

/* Appends a word; what does not fit is cut off. */
static void
differ_add(char *buf, size_t size, const char *before, const char *word)
{
	size_t used = strlen(buf);

	snprintf(buf + used, size - used, "%s%s", before, word);
}

/* Appends a word to a trait, after a comma. */
static void
add_word(struct traits *t, enum trait k, const char *word)
{
	differ_add(t->text[k], sizeof t->text[k],
	    t->text[k][0] != '\0' ? ", " : "", word);
	t->digest[k] = lookup_text(t->digest[k], word);
}

/* Takes which events are counted, each once for its family.  The digest does not depend on
 * their order. */
static int
take_events(struct traits *t, const struct gather *g)
{
	unsigned n = read_columns(g->reader), events = 0;
	bool *seen = calloc((size_t)n + 1, sizeof *seen);
	uint64_t digest = 0;
	char words[32];

	if (seen == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		const struct column *c = read_column(g->reader, i);

		if (c->kind >= n || seen[c->kind] || c->id.event == NULL)
			continue;
		seen[c->kind] = true;
		events++;
		digest += lookup_text(lookup_text(0, c->id.family->name),
		    c->id.event);
	}
	free(seen);
	snprintf(words, sizeof words, "%u event%s", events,
	    plural(events));
	add_word(t, TRAIT_EVENTS, words);
	t->digest[TRAIT_EVENTS] = digest;
	return 0;
}

/* Options of the kernel's command line that change how fast a node is, or what its
 * counters and clocks say.  Others, like names of disks, may differ from node to node. */
static const char matters[] = " amd_iommu amd_pstate clocksource "
    "cpufreq.default_governor cpuidle.off default_hugepagesz hpet hugepages "
    "hugepagesz idle intel_idle.max_cstate intel_iommu intel_pstate iommu "
    "iommu.passthrough irqaffinity isolcpus l1tf maxcpus mds mem mitigations "
    "nmi_watchdog nohz nohz_full nopti nosmt nosoftlockup nospectre_v2 "
    "nowatchdog nr_cpus numa numa_balancing pcie_aspm preempt "
    "processor.max_cstate pti rcu_nocbs skew_tick spec_store_bypass_disable "
    "spectre_v2 threadirqs transparent_hugepage tsc tsx ";

static void
take_boot(struct traits *t, const char *line)
{
	char word[160], name[160];
	size_t len;

	for (; line != NULL && *line != '\0'; line += len + (line[len] == ' ')) {
		len = strcspn(line, " ");
		snprintf(word, sizeof word, "%.*s", (int)len, line);
		snprintf(name, sizeof name, " %.*s ", (int)strcspn(word, "="),
		    word);
		if (strstr(matters, name) != NULL)
			add_word(t, TRAIT_BOOT, word);
	}
	if (line != NULL && t->text[TRAIT_BOOT][0] == '\0')
		add_word(t, TRAIT_BOOT, "nothing of note");
}

/* Takes the names of the configuration files, with the beginnings of their SHA-256 sums. */
static void
take_config(struct traits *t, const struct reader *r)
{
	const char *name, *sum;
	uint64_t sums = 0;
	char word[160];

	for (unsigned i = 0; (name = head_text(r, HEAD_TEXT_NAME, AT(i),
	    NULL)) != NULL; i++) {
		const char *slash = strrchr(name, '/');

		sum = head_text(r, HEAD_TEXT_SHA256, AT(i), "");
		snprintf(word, sizeof word, "%s %.8s", slash != NULL ?
		    slash + 1 : name, sum);
		add_word(t, TRAIT_CONFIG, word);
		sums = lookup_text(sums, sum);
	}
	t->digest[TRAIT_CONFIG] = sums; /* the same text under another name is no
					 * difference */
}

static void
take_microcode(struct traits *t, const struct reader *r)
{
	const char *before = "", *now;

	for (unsigned p = 0; (now = head_text(r, HEAD_MICROCODE, AT(p),
	    NULL)) != NULL; p++) {
		if (strcmp(now, before) != 0)
			add_word(t, TRAIT_MICROCODE, now);
		before = now;
	}
}

/* Takes who holds PMUs: nobody, if a dump names its kernel but no holder. */
static void
take_holders(struct traits *t, const struct reader *r)
{
	const char *name;

	for (unsigned i = 0; (name = head_text(r, HEAD_PMU_HOLDER, AT(i),
	    NULL)) != NULL; i++)
		add_word(t, TRAIT_HOLDERS, name);
	if (t->text[TRAIT_HOLDERS][0] == '\0' &&
	    head_constant(r, HEAD_KERNEL, ALONE) != NULL)
		add_word(t, TRAIT_HOLDERS, "nobody");
}

int
traits_take(struct traits *t, const struct gather *g)
{
	static const struct { enum trait trait; enum head_key key; } plain[] = {
		{ TRAIT_VERSION, HEAD_TALLYD_VERSION },
		{ TRAIT_KERNEL, HEAD_KERNEL },
		{ TRAIT_DRIVER, HEAD_CPUFREQ_DRIVER },
		{ TRAIT_GOVERNOR, HEAD_CPUFREQ_GOVERNOR },
		{ TRAIT_SMT, HEAD_SMT }, { TRAIT_WATCHDOG, HEAD_NMI_WATCHDOG },
		{ TRAIT_CLOCK, HEAD_CLOCK_SOURCE }, { TRAIT_NTP, HEAD_NTP_STATE },
	};
	const struct reader *r = g->reader;
	const struct topology *topo = &g->topo;
	const char *word;
	char text[160];

	*t = (struct traits){ .ntp_error = head_number(r, HEAD_NTP_ERROR,
	    ALONE, NAN) };
	t->unsynchronised = strcmp(head_text(r, HEAD_NTP_STATE, ALONE, ""),
	    NTP_UNSYNCHRONISED) == 0;
	add_word(t, TRAIT_CPU, head_text(r, HEAD_CPU, ALONE, head_text(r,
	    HEAD_MODEL, ALONE, "unknown")));
	snprintf(text, sizeof text, "%u package%s, %u core%s, %u lproc%s",
	    topo->npkg, plural(topo->npkg), topo->ncore, plural(topo->ncore),
	    topo->nlproc, plural(topo->nlproc));
	add_word(t, TRAIT_TOPOLOGY, text);
	for (unsigned i = 0; i < sizeof plain / sizeof plain[0]; i++)
		if ((word = head_text(r, plain[i].key, ALONE, NULL)) != NULL)
			add_word(t, plain[i].trait, word);
	take_boot(t, head_text(r, HEAD_KERNEL_COMMAND_LINE, ALONE, NULL));
	take_config(t, r);
	take_microcode(t, r);
	take_holders(t, r);
	return take_events(t, g);
}

static bool
differ_same(enum trait trait, const struct traits *a, const struct traits *b)
{
	return a->digest[trait] == b->digest[trait];
}

/* Adds all nodes with the same trait as node k, which is the first of them. */
static void
add_kind(char *buf, size_t size, const struct trait_list *l, enum trait trait,
    unsigned k)
{
	unsigned found = 0;
	char more[32];

	for (unsigned i = k; i < l->n; i++)
		if (differ_same(trait, l->of[k], l->of[i]) && found++ < SHOWN)
			differ_add(buf, size, found == 1 ? " (" : " ",
			    l->host[i]);
	snprintf(more, sizeof more, " and %u more", found - SHOWN);
	differ_add(buf, size, found > SHOWN ? more : "", ")");
}

bool
traits_differ(const struct trait_list *l, enum trait trait, char *buf,
    size_t size)
{
	static const char *const title[TRAITS] = { "CPU", "topology",
	    "what they count", "configuration", "version of tallyd", "kernel",
	    "what it was booted with", "microcode", "driver of core clocks",
	    "governor of core clocks", "SMT", "NMI watchdog", "clock source",
	    "NTP state", "who else had counters open" };
	unsigned kinds = 0;

	snprintf(buf, size, "%s", title[trait]);
	for (unsigned i = 0; i < l->n; i++) {
		unsigned k = 0;

		if (l->of[i]->text[trait][0] == '\0')
			continue;
		while (k < i && !differ_same(trait, l->of[k], l->of[i]))
			k++;
		if (k < i || kinds++ >= SHOWN)
			continue;
		differ_add(buf, size, kinds == 1 ? ": " : ", ",
		    l->of[i]->text[trait]);
		add_kind(buf, size, l, trait, i);
	}
	if (kinds > SHOWN)
		differ_add(buf, size, ", ", "and others");
	return kinds > 1;
}

void
traits_clocks(const struct trait_list *l, char *buf, size_t size)
{
	unsigned not = 0, worst = l->n;
	char words[64];

	buf[0] = '\0';
	for (unsigned i = 0; i < l->n; i++) {
		const struct traits *t = l->of[i];

		if (t->unsynchronised && not++ < SHOWN)
			differ_add(buf, size,
			    not == 1 ? "\nNot synchronised: " : " ",
			    l->host[i]);
		/* NTP's estimate, which an unsynchronised node does not have */
		if (!t->unsynchronised && t->ntp_error >= 0 && (worst == l->n ||
		    t->ntp_error > l->of[worst]->ntp_error))
			worst = i;
	}
	snprintf(words, sizeof words, " and %u more", not - SHOWN);
	if (not > SHOWN)
		differ_add(buf, size, words, "");
	if (worst == l->n)
		return;
	snprintf(words, sizeof words, "\nBy NTP's estimate they are wrong by "
	    "up to %.6f s: ", l->of[worst]->ntp_error);
	differ_add(buf, size, words, l->host[worst]);
}
