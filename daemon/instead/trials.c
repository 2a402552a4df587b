/*
 * daemon/instead/trials.c - which work is done, and how much that is of what.
 *
 * Each trial has a short and a long run: the work around it is in both, and falls out of
 * their difference.
 */
#include "daemon/instead/prove.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BIT(act) (UINT32_C(1) << (act))
/* The acts whose number is known for a loop that stays in the caches. */
#define CORE (BIT(ACT_INSTRUCTIONS) | BIT(ACT_BRANCHES) | BIT(ACT_LOADS) | \
	BIT(ACT_STORES) | FLOPS | BIT(ACT_BUSY))
#define FLOPS (BIT(ACT_SCALAR_SINGLE) | BIT(ACT_SCALAR_DOUBLE) | \
	BIT(ACT_128_SINGLE) | BIT(ACT_128_DOUBLE) | BIT(ACT_256_SINGLE) | \
	BIT(ACT_256_DOUBLE) | BIT(ACT_512_SINGLE) | BIT(ACT_512_DOUBLE))
#define CACHES (BIT(ACT_L1_HIT) | BIT(ACT_L1_MISS) | BIT(ACT_L2_MISS))
#define MEMORY (BIT(ACT_DRAM_READ) | BIT(ACT_DRAM_WRITE) | \
	BIT(ACT_LINK_OUT) | BIT(ACT_LINK_IN))
/* Lines that a simulated node's memory has, where nothing is done. */
#define TOLD_LINES (UINT64_C(1) << 20)
#define TOLD_LINE_NS 8

static const struct {
	const char *name;
	enum kernel_id kernel;
	uint64_t turns;         /* of the long run; the short one has a quarter */
	uint32_t known;
} loops[] = {
	{ "sleep", KERNEL_SLEEP, 80000000, 0 },
	{ "loop", KERNEL_LOOP, 2000000, CORE | CACHES },
	{ "mispredicted", KERNEL_MISSES, 400000, CORE | BIT(ACT_MISSES) },
	{ "loads", KERNEL_LOADS, 1000000, CORE },
	{ "stores", KERNEL_STORES, 1000000, CORE },
	{ "scalar single", KERNEL_SCALAR_SINGLE, 200000, CORE },
	{ "scalar double", KERNEL_SCALAR_DOUBLE, 200000, CORE },
	{ "128 bits single", KERNEL_128_SINGLE, 200000, CORE },
	{ "128 bits double", KERNEL_128_DOUBLE, 200000, CORE },
	{ "256 bits single", KERNEL_256_SINGLE, 200000, CORE },
	{ "256 bits double", KERNEL_256_DOUBLE, 200000, CORE },
	{ "512 bits single", KERNEL_512_SINGLE, 200000, CORE },
	{ "512 bits double", KERNEL_512_DOUBLE, 200000, CORE },
	{ "FMA", KERNEL_FMA, 200000, CORE },
	{ "page faults", KERNEL_FAULTS, 4000, BIT(ACT_FAULTS) },
	{ "naps", KERNEL_NAPS, 200, BIT(ACT_SWITCHES) },
	{ "busy", KERNEL_LOOP, 40000000, BIT(ACT_BUSY) },
};

/* Chases through memory of a size: what misses where. */
static const struct {
	const char *name;
	unsigned l2;            /* size in eighths of L2; 0: 16 KiB */
	uint64_t turns;
	double act[ACTS];
} chases[] = {
	{ "chase in L1", 0, 1000000, { [ACT_L1_HIT] = 1 } },
	{ "chase in L2", 4, 400000, { [ACT_L1_MISS] = 1 } },
	{ "chase in L3", 32, 200000, { [ACT_L1_MISS] = 1, [ACT_L2_MISS] = 1 } },
};

static const struct {
	const char *name;
	enum kernel_id kernel;
	unsigned reads, writes; /* lines of DRAM for each line of the loop */
} traffic[] = {
	{ "read", KERNEL_READ, 1, 0 },
	{ "write", KERNEL_WRITE, 1, 1 },
	{ "stream", KERNEL_STREAM, 0, 1 },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct trial *
trials_add(struct trials *t, enum kernel_id kernel, uint64_t turns,
    const char *name)
{
	struct trial *new;

	if (t->n == MAX_TRIALS)
		return NULL;
	new = &t->of[t->n++];
	memset(new, 0, sizeof(*new));
	snprintf(new->name, sizeof(new->name), "%s", name);
	new->kernel = kernel;
	new->turns[1] = turns;
	new->turns[0] = turns >= 4 ? turns / 4 : 1;
	return new;
}

/* Package `from` goes through the memory of `pkg`. */
static struct trial *
add_memory(struct trials *t, enum kernel_id kernel, const char *name,
    unsigned pkg, unsigned from)
{
	struct trial *new = trials_add(t, kernel, 4, name);

	if (new == NULL)
		return NULL;
	if (from == pkg)
		snprintf(new->name, sizeof(new->name), "%s %u", name, pkg);
	else
		snprintf(new->name, sizeof(new->name), "%s %u from %u", name,
		    pkg, from);
	new->where = ON_MEMORY;
	new->known = MEMORY;
	new->pkg = pkg;
	new->from = from;
	return new;
}

static void
trials_leave_out(struct trials *t, const char *name)
{
	size_t len = strlen(t->left_out);

	t->nleft_out++;
	snprintf(t->left_out + len, sizeof(t->left_out) - len, "%s%s",
	    len > 0 ? ", " : "", name);
}

/* The lprocs of a package that work on its memory: one a NUMA node. */
static bool
first_of_node(const struct topo *topo, unsigned l)
{
	for (unsigned i = 0; i < l; i++)
		if (topo->lproc[i].online &&
		    topo->lproc[i].node == topo->lproc[l].node &&
		    topo->lproc[i].pkg == topo->lproc[l].pkg)
			return false;
	return topo->lproc[l].online && topo->lproc[l].pkg >= 0;
}

/* Can memory of each NUMA node of that package be had? */
static bool
has_memory(const struct topo *topo, struct work *work, unsigned pkg)
{
	bool any = work == NULL;

	for (unsigned l = 0; work != NULL && l < topo->nlproc; l++) {
		int node = topo->lproc[l].node;

		if (topo->lproc[l].pkg != (int)pkg || !first_of_node(topo, l))
			continue;
		if (work_memory(work, node < 0 ? 0 : (unsigned)node).size == 0)
			return false;
		any = true;
	}
	return any;
}

static void
list_traffic(struct trials *t, const struct topo *topo, struct work *work)
{
	struct trial *new;

	for (unsigned p = 0; p < topo->npkg; p++) {
		if (!has_memory(topo, work, p)) {
			trials_leave_out(t,
			    "reads and writes of DRAM (too little "
			    "memory is free)");
			return;
		}
		for (unsigned i = 0; i < COUNT(traffic); i++)
			if ((new = add_memory(t, traffic[i].kernel,
			    traffic[i].name, p, p)) != NULL) {
				new->act[ACT_DRAM_READ] = traffic[i].reads;
				new->act[ACT_DRAM_WRITE] = traffic[i].writes;
			}
	}
	for (unsigned p = 0; p < topo->npkg && topo->npkg <= 4; p++)
		for (unsigned q = 0; q < topo->npkg; q++)
			if (p != q && (new = add_memory(t, KERNEL_READ,
			    "read", p, q)) != NULL)
				new->act[ACT_DRAM_READ] = 1;
}

/* The size of an lproc's cache in bytes; a guess where the kernel does not tell. */
static size_t
l2_size(struct access *acc)
{
	char text[32], *end;
	unsigned long kib;

	if (access_slurp(acc, "/sys/devices/system/cpu/cpu0/cache/index2/size",
	    text, sizeof(text)) <= 0)
		return 1 << 20;
	kib = strtoul(text, &end, 10);
	return *end == 'K' && kib >= 128 && kib <= 16384 ? kib << 10 : 1 << 20;
}

void
trials_list(struct trials *t, const struct node *node, struct work *work)
{
	size_t l2 = l2_size(node->acc);
	struct trial *new;

	for (unsigned i = 0; i < COUNT(loops); i++) {
		enum kernel_id k = loops[i].kernel;

		if (work != NULL && !kernel_runs(k))
			trials_leave_out(t, loops[i].name);
		else if ((new = trials_add(t, k, loops[i].turns,
		    loops[i].name)) != NULL)
			new->known = loops[i].known;
	}
	for (unsigned i = 0; i < COUNT(chases); i++)
		if ((new = trials_add(t, KERNEL_CHASE, chases[i].turns,
		    chases[i].name)) != NULL) {
			new->where = i == 2 ? ON_FIRST : ON_ALL;
			new->ring = chases[i].l2 == 0 ? 16 << 10 :
			    l2 / 8 * chases[i].l2;
			new->known = CORE | CACHES;
			memcpy(new->act, chases[i].act, sizeof(new->act));
		}
	list_traffic(t, &node->topo, work);
}

int
trial_done_new(struct stimulus *done, const struct topo *topo)
{
	done->nlproc = topo->nlproc;
	done->npkg = topo->npkg;
	done->lproc = calloc(topo->nlproc, sizeof(*done->lproc));
	done->pkg = calloc(topo->npkg, sizeof(*done->pkg));
	return done->lproc != NULL && done->pkg != NULL ? 0 : -ENOMEM;
}

void
trial_done_free(struct stimulus *done)
{
	free(done->lproc);
	free(done->pkg);
}

/* Does that lproc take part in the trial? */
static bool
takes_part(const struct trial *t, const struct topo *topo, unsigned l)
{
	const struct lproc *p = &topo->lproc[l];

	if (!p->online || p->pkg < 0)
		return false;
	if (t->where == ON_ALL)
		return true;
	if (t->where == ON_FIRST)
		return topo->pkg[p->pkg].first_lproc == l;
	return p->pkg == (int)t->from && first_of_node(topo, l);
}

/* The memory of the k-th worker of package `from`: that of the k-th NUMA node of
 * `pkg`. */
static struct kernel_memory
memory_of(const struct trial *t, const struct topo *topo, struct work *work,
    unsigned k)
{
	unsigned n = 0, node = 0;

	for (unsigned l = 0; l < topo->nlproc; l++)
		if (topo->lproc[l].pkg == (int)t->pkg &&
		    first_of_node(topo, l) && n++ == k)
			node = topo->lproc[l].node < 0 ? 0 :
			    (unsigned)topo->lproc[l].node;
	return work_memory(work, node);
}

/* What one worker has done. */
struct share {
	unsigned lproc, pkg;
	uint64_t turns, lines, busy_ns;
};

static void
trials_note(const struct trial *t, const struct share *of,
    struct stimulus *done)
{
	uint64_t *own = done->lproc[of->lproc], *home = done->pkg[t->pkg];
	uint64_t *pkg = done->pkg[of->pkg], lines = of->lines;

	for (unsigned a = 0; a < ACT_BUSY; a++)
		own[a] = (uint64_t)llround((double)of->turns *
		    (kernels[t->kernel].act[a] + t->act[a]));
	own[ACT_BUSY] = t->kernel == KERNEL_SLEEP ? 0 : of->busy_ns;
	pkg[ACT_BUSY] += own[ACT_BUSY];
	if (t->where != ON_MEMORY)
		return;
	home[ACT_DRAM_READ] += (uint64_t)t->act[ACT_DRAM_READ] * lines;
	home[ACT_DRAM_WRITE] += (uint64_t)t->act[ACT_DRAM_WRITE] * lines;
	if (t->pkg != t->from) {
		home[ACT_LINK_OUT] += lines;
		pkg[ACT_LINK_IN] += lines;
	}
}

static void
trials_tell(const struct trial *t, unsigned length, const struct topo *topo,
    struct stimulus *done)
{
	uint64_t turns = t->turns[length], lines = turns * TOLD_LINES;
	double ns = t->where == ON_MEMORY ? (double)lines * TOLD_LINE_NS :
	    (double)turns * kernels[t->kernel].ns;

	done->ns = (uint64_t)ns + 1000;
	for (unsigned l = 0; l < topo->nlproc; l++)
		if (takes_part(t, topo, l))
			trials_note(t, &(struct share){ l,
			    (unsigned)topo->lproc[l].pkg, turns, lines,
			    (uint64_t)ns }, done);
}

int
trial_do(const struct trial *t, unsigned length, const struct node *node,
    struct work *work, struct stimulus *done)
{
	const struct topo *topo = &node->topo;
	unsigned k = 0;
	int rc, disturbed = 0;

	memset(done->lproc, 0, done->nlproc * sizeof(*done->lproc));
	memset(done->pkg, 0, done->npkg * sizeof(*done->pkg));
	if (work == NULL) {
		trials_tell(t, length, topo, done);
		return node->acc->ops->stimulate(node->acc, done);
	}
	for (unsigned l = 0; l < topo->nlproc; l++) {
		struct work_task *j = work_task(work, l);

		j->wanted = work_has(work, l) && takes_part(t, topo, l);
		if (!j->wanted)
			continue;
		j->kernel = t->kernel;
		j->turns = t->turns[length];
		j->memory = t->where == ON_MEMORY ? memory_of(t, topo, work,
		    k++) : work_ring(work, t->ring > 0 ? t->ring : 16 << 10);
		if (j->memory.size == 0)
			return -ENOMEM;
	}
	if ((rc = work_do(work)) < 0)
		return rc;
	for (unsigned l = 0; l < topo->nlproc; l++) {
		const struct work_task *j = work_task(work, l);

		if (!j->wanted)
			continue;
		trials_note(t, &(struct share){ l, (unsigned)topo->lproc[l].pkg,
		    j->turns, j->turns * (j->memory.size / 64), j->busy_ns },
		    done);
		disturbed |= j->disturbed;
	}
	return disturbed;
}
