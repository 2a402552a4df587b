/*
 * daemon/node/node.c - everything that is known of the machine before sampling.
 */
#include "daemon/node/node.h"

#include "config/lang/events.h"
#include "config/lang/site.h"
#include "config/lang/want.h"
#include "config/sim/machine.h"
#include "daemon/log.h"
#include "daemon/node/obstacle.h"
#include "daemon/node/replay.h"
#include "regs/linux/linux.h"
#include "regs/perf.h"
#include "regs/sim/sim.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct method methods[] = {
	{ NULL, linux_open },
	{ "sim", machine_open },
	{ NULL, NULL }
};

static void
count_one(void *n, unsigned lproc)
{
	(void)lproc;
	++*(unsigned *)n;
}

/* How many numbers of a list of lprocs are below max. */
static unsigned
count_below(const char *list, unsigned max)
{
	unsigned n = 0;

	cpulist_parse(list, max, count_one, &n);
	return n;
}

int
node_open(struct node *node, const struct options *o, struct diag *why)
{
	int rc;

	memset(node, 0, sizeof(*node));
	if (o->node.replay != NULL) {
		rc = replay_open(&node->replay, o->node.replay, why);
		if (rc == 0)
			node->acc = sim_access(replay_machine(node->replay));
	} else
		rc = o->node.method->open(&node->acc, o->node.machine != NULL ?
		    o->node.machine : o->node.root, why);
	if (rc < 0)
		return rc;
	if (o->instead.print != NULL &&
	    (node->noting = noting_start(node->acc)) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	if (!access_hurry(node->acc, o->node.virtual_time) &&
	    o->node.virtual_time)
		return diag_set(why, -EINVAL, "--virtual-time: the time of "
		    "--%s %s is real and cannot be hurried",
		    o->node.method->option, o->node.machine);
	if ((rc = topo_load(&node->topo, node->acc, why)) < 0)
		return rc;
	if (o->read.cpu >= (int)node->topo.nlproc)
		return diag_set(why, -EINVAL, "--cpu %d: no lproc of that number is "
		    "online; this node has 0 to %u", o->read.cpu,
		    node->topo.nlproc - 1);
	if (o->read.cpus != NULL && count_below(o->read.cpus,
	    node->topo.nlproc) == 0)
		return diag_set(why, -EINVAL, "--cpus %s: no lproc of these "
		    "numbers is online; this node has 0 to %u", o->read.cpus,
		    node->topo.nlproc - 1);
	if (o->read.cpus != NULL && count_below(o->read.cpus,
	    node->topo.nlproc) < count_below(o->read.cpus, UINT_MAX))
		log_warnx("--cpus %s: this node has lprocs 0 to %u; those of the "
		    "list are sampled that are here", o->read.cpus,
		    node->topo.nlproc - 1);
	if (node->topo.ccx_doubt[0] != '\0')
		log_warnx("%s", node->topo.ccx_doubt);
	return inventory_load(&node->inv, &node->topo, node->acc, why);
}

/* Is there no counter, clock or energy among the registers, though MSRs can be read?
 * It is so in some virtual machines. */
static bool
nothing_moves(const struct node *node, const struct model *model)
{
	struct reg_addr addr = { REG_MSR, 8, topo_first(&node->topo), 0 };
	const struct scalar *s;
	uint64_t raw;

	if (node->topo.cpu.gp_counters > 0 || model->core == NULL ||
	    model->soc != NULL)
		return false;
	for (unsigned n = 0; (s = model_scalar(model, n)) != NULL; n++) {
		addr.offset = s->reg;
		if (s->space == REG_MSR && (class_is_clock(s->cls) ||
		    class_is_energy(s->cls)) &&
		    access_read(node->acc, &addr, &raw) == 0 && raw != 0)
			return false;
	}
	return true;
}

/* Can registers count here?  If not, why says so.  A missing right is no reason: it is
 * reported later, and nothing is counted by another way in place of it. */
static bool
registers_count(const struct node *node, const struct model *model,
    struct diag *why)
{
	int rc = obstacle_msr(node, why);

	/* a CPU with tables of its own has them, if its msr device is there */
	if (rc == 0 && strcmp(model->default_config, DEFAULT_ANY) == 0 &&
	    nothing_moves(node, model)) {
		diag_set(why, -ENODEV, "CPUID announces no counters, and no "
		    "clock or energy answers");
		return false;
	}
	return rc != -ENOENT && rc != -ENXIO;
}

/* Chooses what @default-any counts by on this node; if nothing can count, node->without
 * says why. */
static enum default_way
way_to_count(struct node *node, const struct options *o,
    const struct model *model)
{
	char core[64];
	struct diag raw = { "tallyd knows none of this CPU" }, kernel;
	int rc;

	if (node->replay != NULL || (o->node.access != ACCESS_AUTO &&
	    o->node.access != ACCESS_PERF))
		return DEFAULT_COUNTERS;
	if (o->node.access == ACCESS_AUTO && model->core != NULL &&
	    model->core->space == REG_MSR &&
	    registers_count(node, model, &raw))
		return DEFAULT_COUNTERS;
	rc = perf_check(node->acc, topo_first(&node->topo), &kernel);
	if (pmu_core(node->acc, core, sizeof(core)) != NULL) {
		if (rc == 0)
			return DEFAULT_COUNTERS;
	} else if (rc == 0)
		diag_set(&kernel, 0, "it shows no PMU of the cores (a virtual "
		    "machine without one?)");
	snprintf(node->without[0], sizeof(node->without[0]), "registers: "
	    "%.230s", o->node.access == ACCESS_PERF ? "not asked for" :
	    raw.text);
	snprintf(node->without[1], sizeof(node->without[1]), "kernel: %.240s",
	    kernel.text);
	snprintf(node->without[2], sizeof(node->without[2]), "so " DEFAULT_ANY
	    " is sampled: %s", rc == 0 ? "what the kernel counts by itself, "
	    "and files" : "files alone");
	return rc == 0 ? DEFAULT_SOFTWARE : DEFAULT_FILES;
}

/* Makes the text of @default-any for this node.  Returns the name of the text that is
 * counted where the options name none. */
static int
default_here(struct node *node, const struct options *o,
    const struct model *model, const char **name, struct diag *why)
{
	enum default_way way;
	char *text;

	*name = model->default_config;
	if (node->acc == NULL)
		return 0;
	way = way_to_count(node, o, model);
	text = default_any(model, &node->topo.cpu, node->acc, way);
	node->config.made_default = text == NULL ? NULL :
	    arena_strndup(node->config.arena, text, strlen(text));
	free(text);
	if (node->config.made_default == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	if (way != DEFAULT_COUNTERS)
		*name = DEFAULT_ANY;
	if (o->count.inputs != NULL || (o->count.config.n > 0 &&
	    !o->count.own_config))
		node->without[0][0] = '\0';
	return 0;
}

static int
configure(struct node *node, const struct options *o,
    const struct model *model, struct diag *why)
{
	const char *fallback;
	int rc;

	if ((rc = config_init(&node->config, model)) < 0)
		return diag_set(why, rc, "out of memory");
	node->config.cpu = &node->topo.cpu;
	node->config.options = o->lines;
	if ((rc = site_configure(&node->config, node->acc, o->count.site,
	    o->count.soc_preprogrammed, why)) < 0)
		return rc;
	for (unsigned i = 0; i < o->count.event_list.n; i++)
		if ((rc = eventlist_load(&node->config.list, model,
		    &node->topo.cpu, o->count.event_list.name[i], why)) < 0)
			return rc;
	if (o->count.inputs != NULL)
		return config_inputs(&node->config, o->count.inputs, why);
	if ((rc = default_here(node, o, model, &fallback, why)) < 0)
		return rc;
	for (unsigned i = 0; i < o->count.config.n; i++)
		if ((rc = config_load(&node->config, o->count.config.name[i],
		    why)) < 0)
			return rc;
	/* /etc/tallyd/tallyd.conf may have options alone */
	if (o->count.own_config && node->config.nwant == 0)
		return config_load(&node->config, fallback, why);
	if (o->count.config.n > 0)
		return 0;
	if (node->replay != NULL)
		return replay_config(node->replay, &node->config, why);
	return config_load(&node->config, fallback, why);
}

/* May sets have several turns in a sample?  Not groups of SoC events, which take long to
 * program over the message bus, nor a replay, which has one value a sample. */
static bool
slow_to_turn(const struct node *node)
{
	const struct config *cfg = &node->config;

	for (unsigned i = 0; i < cfg->nwant; i++)
		if (cfg->want[i].kind == WANT_SOC && cfg->want[i].set > 0)
			return true;
	return node->replay != NULL;
}

/* Sets how many turns event sets have in a sample: as asked, or as many as fit. */
static int
choose_turns(struct node *node, const struct options *o, struct diag *why)
{
	struct config *cfg = &node->config;
	unsigned sets = cfg->nset > 0 ? cfg->nset - 1 : 0;
	uint64_t round = sets * o->read.turn_ns;

	if (o->read.turn_ns > 0 && o->read.rotate > 0)
		return diag_set(why, -EINVAL, "--turn and --rotate: choose how "
		    "long an event set's turn is, in seconds or in samples");
	if (sets < 2 || o->read.turn_ns >= o->interval_ns)
		return 0;
	if (o->read.turn_ns == 0) {
		cfg->turns_fit = o->read.rotate == 0 && !slow_to_turn(node);
		if (cfg->turns_fit)
			cfg->turns = (unsigned)(o->interval_ns / (sets *
			    TURN_LEAST_NS)) * sets;
		return 0;
	}
	if (round > o->interval_ns)
		return diag_set(why, -EINVAL, "--turn %g: %u event sets do not "
		    "fit into a sample of %g s: give them %.3g or less, or an "
		    "interval of %g or more, or leave some of them out",
		    (double)o->read.turn_ns / 1e9, sets, o->interval,
		    floor(o->interval / sets * 1e3) / 1e3,
		    (double)round / 1e9);
	cfg->turns = (unsigned)(o->interval_ns / round) * sets;
	return 0;
}

int
node_configure(struct node *node, const struct options *o,
    const struct model *model, struct diag *why)
{
	int rc = configure(node, o, model, why);

	return rc < 0 ? rc : choose_turns(node, o, why);
}

/* Says that no table knows this CPU. */
static int
node_unknown(const struct cpu_id *cpu, struct diag *why)
{
	char words[256];

	if (cpu->midr == 0)
		snprintf(words, sizeof(words), "this CPU is not known to "
		    "tallyd: %s family %u model 0x%x stepping %u (%s)",
		    cpu->vendor, cpu->family, cpu->model, cpu->stepping,
		    cpu->name);
	else
		snprintf(words, sizeof(words), "this CPU is not known to "
		    "tallyd: %s (MIDR 0x%08x)", cpu->name, cpu->midr);
	for (const struct model *const *m = models; *m != NULL; m++)
		if (cpu->midr != 0 && (*m)->midr == (cpu->midr & MIDR_MASK))
			snprintf(words, sizeof(words), "%s (MIDR 0x%08x) is "
			    "the core of %s, but the kernel has no PMU %s_*: "
			    "if it is one, `modprobe %s`, or the kernel was "
			    "built without it", cpu->name, cpu->midr,
			    (*m)->title, (*m)->needs_pmu, (*m)->pmu_driver);
	return diag_set(why, -ENOTSUP, "%s; `tallyd --list models` shows which "
	    "are known, and -c @software counts what the kernel has "
	    "anywhere", words);
}

/* Warns of statements that count nothing, which is hardly meant. */
static void
say_empty(const struct config *cfg)
{
	if (cfg->nwant == 0)
		log_warnx("the configuration is empty: no event, no register; "
		    "nothing but clocks will be sampled (`-c @default` beside "
		    "it counts what this CPU has)");
	for (unsigned s = 1; s < cfg->nset; s++) {
		unsigned n = 0;

		for (unsigned i = 0; i < cfg->nwant; i++)
			n += cfg->want[i].set == s;
		if (n > 0)
			continue;
		log_warnx("event set %s is empty: %s", cfg->set[s],
		    cfg->nset > 2 || cfg->perf ? "in its turn, none of the "
		    "sets' events is counted" : "nothing is counted for it");
	}
}

/* Checks --cpus and lists of `cores`: a list with no lproc of this node is an error; one
 * with more than there are may be meant for other nodes, and is a warning. */
static int
check_cores(const struct config *cfg, unsigned nlproc, struct diag *why)
{
	unsigned n, first;

	for (const struct cores *c = cfg->cores_said; c != NULL; c = c->before) {
		if ((n = cores_missing(c, nlproc, &first)) == 0)
			continue;
		if (n == cores_listed(c))
			return diag_place(why, c->at, "cores: this node has no "
			    "lproc %u; write some of 0 to %u, as in cores "
			    "\"[0-%u]\"", first, nlproc - 1, nlproc - 1);
		log_warnx("%s:%u: cores: this node has no lproc %u, but 0 to %u; "
		    "`optional event` counts on those of the list that it has",
		    c->at.file, c->at.line, first, nlproc - 1);
	}
	return 0;
}

static int
plan_again(struct node *node, struct diag *why)
{
	plan_free(&node->plan);
	return plan_make(&node->plan, &node->config, &node->topo, &node->inv,
	    node->acc, why);
}

/* Plans again without pinned events, which then take turns: there are not enough
 * counters for all of them at a time. */
static int
plan_turns(struct node *node, struct diag *why)
{
	node->config.pinned = false;
	for (unsigned h = PERF_HANDLES; h-- > 0;)
		access_perf_drop(node->acc, h);
	return plan_again(node, why);
}

int
node_turn_by_sample(struct node *node, struct diag *why)
{
	node->config.turns = 0;
	return plan_again(node, why);
}

/* Does nothing count on this node, and is no file there to be read either? */
static int
nothing_at_all(const struct node *node, struct diag *why)
{
	const struct plan *plan = &node->plan;

	if (node->without[0][0] == '\0' || plan->nread > 0)
		return 0;
	for (unsigned i = 0; i < plan->ncolumn; i++)
		if (strncmp(plan->column[i].id.family->name, "file_", 5) == 0)
			return 0;
	log_warnx("%s", node->without[0]);
	log_warnx("%s", node->without[1]);
	return diag_set(why, -ENODATA, "files: none that " DEFAULT_ANY " reads "
	    "is here, so that nothing can be sampled");
}

/* The unit of a PMU's name: the one that the kernel calls so, or, where the kernel shows
 * no names, the n-th that is present. */
static const struct unit *
pmu_place_unit_of(const struct inventory *inv, const struct box_type *type,
    const char *pmu)
{
	unsigned n = (unsigned)atoi(strrchr(pmu, '_') + 1);

	for (unsigned i = 0; i < inv->n; i++) {
		const struct unit *u = &inv->unit[i];

		if (u->type != type || !u->present)
			continue;
		if (u->pmu[0] != '\0' ? strcmp(u->pmu, pmu) == 0 : n-- == 0)
			return u;
	}
	return NULL;
}

static bool
pmu_place_is_numbered(const char *pmu)
{
	const char *n = strrchr(pmu, '_');

	return n != NULL && n[1] != '\0' &&
	    n[1 + strspn(n + 1, "0123456789")] == '\0';
}

/*
 * Makes statements that name a PMU by its number those of its box.
 *
 * Through the kernel its name is that of a unit; of registers, the boxes that are
 * there have the kernel's order: package after package.  A PMU that is not there
 * is a box that is not, so that planning says so.
 */
static void
pmu_place(struct config *cfg, const struct inventory *inv)
{
	for (unsigned i = 0; i < cfg->nwant; i++) {
		struct want *w = &cfg->want[i];
		const struct unit *u;

		if (w->kind != WANT_EVENT || w->perf == NULL ||
		    w->perf->pmu == NULL || !w->type->kernel.pmu_of_pkg ||
		    !pmu_place_is_numbered(w->perf->pmu))
			continue;
		u = pmu_place_unit_of(inv, w->type, w->perf->pmu);
		w->pkg = u != NULL ? u->pkg : ALL_PKG;
		w->first = w->last = u != NULL ? u->inst : UINT16_MAX;
	}
}

int
node_plan(struct node *node, struct diag *why)
{
	const char *unsure;
	struct stamp now;
	struct diag doubt, said = { "" };
	int rc;

	if (node->topo.model == NULL && node->topo.cpu.vendor[0] == '\0')
		return diag_set(why, -ENODATA, "/proc/cpuinfo names no CPU "
		    "(is /proc mounted?)");
	if (node->topo.model == NULL)
		return node_unknown(&node->topo.cpu, why);
	if ((rc = check_cores(&node->config, node->topo.nlproc, why)) < 0)
		return rc;
	pmu_place(&node->config, &node->inv);
	rc = plan_make(&node->plan, &node->config, &node->topo, &node->inv,
	    node->acc, why);
	access_now(node->acc, &now);
	node->plan.sets.seed = now.real_ns / 1000000000;
	if (rc == -EBUSY && node->config.pinned)
		rc = plan_turns(node, why);
	if (rc == 0)
		rc = nothing_at_all(node, why);
	if (rc == 0 && node->replay == NULL)
		say_empty(&node->config);
	if (rc == 0 && node->config.perf && node->config.turns > 0 &&
	    !node->config.turns_fit)
		log_warnx("--turn: the kernel counts here, and gives event sets "
		    "their turns: it is not used");
	if (rc == 0 && node->replay != NULL)
		rc = replay_bind(node->replay, &node->plan, why);
	if (rc == 0 && (unsure = eventlist_unsure(node->config.list)) != NULL)
		log_info("%s: no mapfile.csv two folders above names it, so "
		    "that it may be the list of another CPU", unsure);
	for (const struct left_unread *u = node->config.unread; rc == 0 &&
	    u != NULL; u = u->next)
		log_warnx("%s; it is left out", u->why);
	for (unsigned i = 0; rc == 0 && node->replay == NULL &&
	    i < node->config.nwant; i++)
		if (config_doubt(&node->config, i, &doubt) &&
		    strcmp(doubt.text, said.text) != 0) {
			log_warnx("%s", doubt.text);
			said = doubt;   /* once, not for each list of cores */
		}
	return rc;
}

void
node_close(struct node *node)
{
	if (node == NULL)
		return;
	plan_free(&node->plan);
	config_fini(&node->config);
	inventory_free(&node->inv);
	inventory_free(&node->registers);
	topo_free(&node->topo);
	noting_stop(node->noting, node->acc);
	access_close(node->acc);
	replay_close(node->replay);
}
