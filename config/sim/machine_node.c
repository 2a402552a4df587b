/*
 * config/sim/machine_node.c - statements about the node as a whole: its CPU,
 * its lprocs, its clock and the phases of its workload.
 */
#include "config/sim/machine_int.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* N */
static int
machine_node_counted(struct machine *p, const char *what, unsigned max,
    unsigned *n)
{
	int rc = machine_unsigned(p, what, machine_word(p), 1, max, n);

	return rc < 0 ? rc : machine_ends(p);
}

/* N [ "ids=" LIST ], at most max of either */
static int
with_ids(struct machine *p, const char *what, unsigned max, unsigned *n,
    uint64_t *ids, unsigned *nids)
{
	int rc = machine_unsigned(p, what, machine_word(p), 1, max, n);
	char *w, *value;

	if (rc < 0)
		return rc;
	*nids = 0;
	if ((w = machine_word(p)) == NULL)
		return 0;
	if (!machine_split(w, &value) || strcmp(w, "ids") != 0)
		return machine_wrong(p, "unknown word \"%s\"; right would be "
		    "ids=LIST", w);
	if ((rc = machine_list(p, "ids", value, INT32_MAX, ids, max)) < 0)
		return rc;
	*nids = (unsigned)rc;
	if (*nids != *n)
		return machine_wrong(p, "%u ids for %u %s", *nids, *n, what);
	return machine_ends(p);
}

int
machine_packages(struct machine *p)
{
	return with_ids(p, "packages", SIM_PKGS, &p->d->packages,
	    p->d->pkg_id, &p->d->npkg_id);
}

int
machine_cores(struct machine *p)
{
	return with_ids(p, "cores", SIM_CORES, &p->d->cores, p->d->core_id,
	    &p->d->ncore_id);
}

int
machine_threads(struct machine *p)
{
	return machine_node_counted(p, "threads", 8, &p->d->threads);
}

int
machine_dies(struct machine *p)
{
	return machine_node_counted(p, "dies", 16, &p->d->dies);
}

int
machine_nodes(struct machine *p)
{
	return machine_node_counted(p, "nodes", 16, &p->d->nodes);
}

int
machine_numbering(struct machine *p)
{
	static const char *const name[] = {
		[SIM_BLOCK] = "block", [SIM_INTERLEAVED] = "interleaved",
		[SIM_ADJACENT] = "adjacent", [SIM_EXPLICIT] = "explicit",
	};
	const char *w = machine_word(p);

	for (unsigned i = 0; w != NULL && i < 4; i++)
		if (strcmp(w, name[i]) == 0) {
			p->d->numbering = i;
			return machine_ends(p);
		}
	return machine_wrong(p, "numbering is %s; right would be block, interleaved, "
	    "adjacent or explicit", w != NULL ? w : "missing");
}

/* "pkg=" SHIFT [ "ccx=" SHIFT ] */
int
machine_apic(struct machine *p)
{
	unsigned pkg = 0, ccx = UINT32_MAX;
	const struct machine_key keys[] = {
		{ "pkg=SHIFT", 1, 16, .small = &pkg },
		{ "ccx=SHIFT", 0, 16, .small = &ccx }, { .name = NULL },
	};
	int rc = machine_keys(p, keys);

	if (rc < 0)
		return rc;
	if (pkg == 0)
		return machine_wrong(p, "apic needs pkg=SHIFT");
	p->d->apic_pkg = pkg;
	p->d->ccx_shift = ccx < pkg ? ccx : pkg;
	return 0;
}

int
machine_lproc(struct machine *p)
{
	struct sim_lproc got = { .pkg = UINT32_MAX, .core = UINT32_MAX,
	    .apic = UINT32_MAX };
	const struct machine_key keys[] = {
		{ "pkg=N", 0, SIM_PKGS - 1, .small = &got.pkg },
		{ "core=N", 0, INT32_MAX, .small = &got.core },
		{ "thread=N", 0, 15, .small = &got.thread },
		{ "die=N", 0, INT32_MAX, .small = &got.die },
		{ "node=N", 0, SIM_PKGS * 16 - 1, .small = &got.node },
		{ "apic=N", 0, INT32_MAX, .small = &got.apic },
		{ .name = NULL },
	};
	int rc;

	if ((rc = machine_unsigned(p, "lproc", machine_word(p), 0,
	    MAX_LPROCS - 1, &got.lproc)) < 0 ||
	    (rc = machine_keys(p, keys)) < 0)
		return rc;
	if (got.pkg == UINT32_MAX || got.core == UINT32_MAX)
		return machine_wrong(p, "lproc needs pkg=N and core=N");
	return sim_desc_add(&p->d->lproc, &p->d->nlproc, &got, sizeof(got));
}

int
machine_host(struct machine *p)
{
	int rc = machine_name(p, "host name", machine_word(p), p->d->host,
	    sizeof(p->d->host));

	return rc < 0 ? rc : machine_ends(p);
}

int
machine_cpu_name(struct machine *p)
{
	while (isspace((unsigned char)*p->rest))
		p->rest++;
	return machine_name(p, "CPU's name", p->rest, p->d->cpu_name,
	    sizeof(p->d->cpu_name));
}

int
machine_cpu(struct machine *p)
{
	struct sim_desc *d = p->d;
	const struct machine_key keys[] = {
		{ "vendor=", 0, 12, .text = d->vendor },
		{ "family=", 0, 270, .small = &d->family },
		{ "model=", 0, 255, .small = &d->model },
		{ "stepping=", 0, 15, .small = &d->stepping },
		{ "guest=", 0, 1, .small = &d->guest }, { .name = NULL },
	};

	return machine_keys(p, keys);
}

int
machine_cpuid(struct machine *p)
{
	struct sim_leaf leaf = { .lproc = -1 };
	char *w = machine_word(p), *dot = NULL;
	unsigned lproc = UINT32_MAX;
	const struct machine_key keys[] = {
		{ "lproc=N", 0, MAX_LPROCS - 1, .small = &lproc },
		{ .name = NULL },
	};
	uint64_t v = 0;
	int rc;

	if (w != NULL && (dot = strchr(w, '.')) != NULL)
		*dot++ = '\0';
	if ((rc = machine_number(p, "leaf", w, 0, UINT32_MAX, &v)) < 0)
		return rc;
	leaf.leaf = (uint32_t)v;
	if (dot != NULL) {
		if ((rc = machine_number(p, "subleaf", dot, 0, UINT32_MAX, &v)) < 0)
			return rc;
		leaf.sub = (uint32_t)v;
	}
	for (unsigned i = 0; i < 4; i++) {
		if ((rc = machine_number(p, "EAX, EBX, ECX or EDX",
		    machine_word(p), 0, UINT32_MAX, &v)) < 0)
			return rc;
		leaf.reg[i] = (uint32_t)v;
	}
	if ((rc = machine_keys(p, keys)) < 0)
		return rc;
	leaf.lproc = (int)lproc;
	return sim_desc_add(&p->d->leaf, &p->d->nleaf, &leaf, sizeof(leaf));
}

int
machine_bus(struct machine *p)
{
	unsigned pkg = 0, n = 0;
	unsigned long bus;
	char *w, *end;
	int rc;

	if ((rc = machine_unsigned(p, "package", machine_word(p), 0,
	    SIM_PKGS - 1, &pkg)) < 0)
		return rc;
	for (unsigned i = 0; i < SIM_BUSES; i++)
		p->d->bus[pkg][i] = -1;
	while ((w = machine_word(p)) != NULL) {
		bus = strtoul(w, &end, 16);
		if (!isxdigit((unsigned char)*w) || *end != '\0' || bus > 0xff)
			return machine_wrong(p, "\"%s\" is no bus; two hex digits, as "
			    "in 3a", w);
		if (n == SIM_BUSES)
			return machine_wrong(p, "more than %d buses", SIM_BUSES);
		p->d->bus[pkg][n++] = (int)bus;
	}
	return n > 0 ? 0 : machine_wrong(p, "the buses are missing");
}

int
machine_start(struct machine *p)
{
	const char *w = machine_word(p);

	if (w == NULL || !line_seconds(w, &p->d->start_ns))
		return machine_wrong(p, "start is \"%s\"; right would be seconds, "
		    "as in 1700000000 or 1700000000.5", w != NULL ? w : "");
	return machine_ends(p);
}

int
machine_tsc(struct machine *p)
{
	const struct machine_key keys[] = {
		{ "init=N", 0, UINT64_MAX, .large = &p->d->tsc_init },
		{ .name = NULL },
	};
	int rc = machine_number(p, "tsc", machine_word(p), 1, MAX_HZ,
	    &p->d->tsc_hz);

	return rc < 0 ? rc : machine_keys(p, keys);
}

int
machine_ntp(struct machine *p)
{
	/* TIME_OK to TIME_ERROR */
	static const char *const name[] = { "ok", "ins", "del", "oop", "wait",
		"error" };
	struct clock_state *kept = &p->d->kept;
	const char *is = machine_word(p);
	uint64_t error = (uint64_t)kept->error_us;
	uint64_t max = (uint64_t)kept->max_error_us;
	const struct machine_key keys[] = {
		{ "error=US", 0, INT32_MAX, .large = &error },
		{ "max=US", 0, INT32_MAX, .large = &max }, { .name = NULL },
	};
	int rc;

	for (kept->state = 0; kept->state < 6; kept->state++)
		if (is != NULL && strcmp(is, name[kept->state]) == 0)
			break;
	if (kept->state == 6)
		return machine_wrong(p, "ntp is %s; right would be ok, ins, "
		    "del, oop, wait or error", is != NULL ? is : "missing");
	if ((rc = machine_keys(p, keys)) < 0)
		return rc;
	kept->error_us = (int64_t)error;
	kept->max_error_us = (int64_t)max;
	p->d->kept_known = true;
	return 0;
}

int
machine_read_cost(struct machine *p)
{
	int rc = machine_number(p, "read_cost", machine_word(p), 0, 1000000000,
	    &p->d->read_cost_ns);

	return rc < 0 ? rc : machine_ends(p);
}

/* noise PERCENT [seed=N] */
int
machine_noise(struct machine *p)
{
	struct sim_desc *d = p->d;
	const struct machine_key keys[] = {
		{ "seed=N", 0, UINT64_MAX, .large = &d->noise_seed },
		{ .name = NULL },
	};
	int rc = machine_number(p, "noise", machine_word(p), 0, 99,
	    &d->noise);

	return rc < 0 ? rc : machine_keys(p, keys);
}

int
machine_phase(struct machine *p)
{
	static const char *const taken[] = { "all", "step", "pkgstep",
		"threadstep", "pkg", "inst", "thread", "lproc", "bits", "init",
		"n", "stride", "write", "tsc" };
	struct sim_desc *d = p->d;
	char name[sizeof(d->phase[0])];
	uint64_t ns = 0;
	const char *w;
	unsigned i;
	int rc;

	if ((rc = machine_name(p, "phase", machine_word(p), name,
	    sizeof(name))) < 0)
		return rc;
	for (i = 0; i < sizeof(taken) / sizeof(*taken); i++)
		if (strcmp(name, taken[i]) == 0)
			return machine_wrong(p, "no phase can be called \"%s\"", name);
	if (strcmp(name, "none") == 0) {
		d->nstretch = 0;
		return machine_ends(p);
	}
	if ((w = machine_word(p)) != NULL &&
	    (!line_seconds(w, &ns) || ns == 0))
		return machine_wrong(p, "phase %s lasts \"%s\"; right would be seconds,"
		    " as in 18 or 0.5", name, w);
	if (d->nstretch > 0 && d->stretch[d->nstretch - 1].ns == 0)
		return machine_wrong(p, "the phase before this one has no end");
	for (i = 0; i < d->nphase && strcmp(name, d->phase[i]) != 0; i++)
		;
	if (i == SIM_PHASES || d->nstretch == SIM_STRETCHES)
		return machine_wrong(p, "more than %d phases",
		    i == SIM_PHASES ? SIM_PHASES : SIM_STRETCHES);
	if (i == d->nphase)
		memcpy(d->phase[d->nphase++], name, sizeof(name));
	d->stretch[d->nstretch].phase = i;
	d->stretch[d->nstretch++].ns = ns;
	return machine_ends(p);
}
