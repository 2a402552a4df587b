/*
 * daemon/run/preamble.c - the self-description at the head of a dump: the
 * original's constants, then the node, the topology, families and events, as
 * assignments that Lua and Python both read.
 */
#include "daemon/run/preamble.h"

#include "daemon/node/soc.h"
#include "regs/busclock.h"

#include "topology/devices.h"

#include "config/dump/declare.h"
#include "daemon/run/drambw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
pkg_msr(struct access *acc, const struct topo *topo, uint32_t reg,
    uint64_t *raw)
{
	struct reg_addr addr = { REG_MSR, 8,
	    topo->npkg > 0 ? topo->pkg[0].first_lproc : 0, reg };

	return access_read(acc, &addr, raw) == 0 && *raw != 0;
}

/* How fast the TSC should run.  Where the bus clock varies from part to part,
 * what its register says is checked by measuring, and gives way to that. */
static void
tsc(FILE *f, const struct topo *topo, struct access *acc, bool measure)
{
	unsigned lproc = topo->npkg > 0 ? topo->pkg[0].first_lproc : 0;
	uint64_t raw, hz, measured = 0;

	if (pkg_msr(acc, topo, MSR_PLATFORM_INFO, &raw))
		fprintf(f, "TSC_ratio = %u\n", (unsigned)(raw >> 8 & 0xff));
	if (bus_clock_tsc(topo->model, acc, lproc, &hz) < 0)
		hz = 0;
	if (topo->model->bus_clock != NULL && measure &&
	    (measured = bus_clock_measure(acc, 50000000)) != 0)
		fprintf(f, "tsc_hz_measured = %" PRIu64 "\n", measured);
	if (hz == 0 || (measured != 0 && !bus_clock_agree(hz, measured)))
		hz = measured;
	if (hz != 0)
		fprintf(f, "tsc_hz_nominal = %" PRIu64 "\n", hz);
}

/* 2^-log2, exactly; of a recording in its own digits (the original: nine). */
static void
unit_constant(FILE *f, const struct replay *replay, const char *name,
    unsigned log2)
{
	const char *said = replay != NULL ? replay_text(replay, name) : NULL;

	if (said != NULL)
		fprintf(f, "%s = %s\n", name, said);
	else
		fprintf(f, "%s = %.*f\n", name, (int)log2,
		    ldexp(1, -(int)log2));
}

/* What the original tool prints under the same names. */
static void
constants(FILE *f, const struct topo *topo, struct access *acc,
    const struct replay *replay)
{
	unsigned power, energy, dram, time;
	uint32_t power_info = topo->model->power_info;
	uint64_t raw, unit;

	if (pkg_msr(acc, topo, MSR_TEMPERATURE_TARGET, &raw))
		fprintf(f, "PROCHOT = %u\n", (unsigned)(raw >> 16 & 0xff));
	if (!pkg_msr(acc, topo, MSR_RAPL_POWER_UNIT, &unit))
		return;
	power = unit & 0xf;
	energy = unit >> 8 & 0x1f;
	dram = topo->model->dram_unit_log2 != 0 ? topo->model->dram_unit_log2 :
	    energy;
	time = unit >> 16 & 0xf;
	unit_constant(f, replay, "RAPL_POWER_UNIT", power);
	unit_constant(f, replay, "RAPL_PKG_ENERGY_UNIT", energy);
	unit_constant(f, replay, "RAPL_DRAM_ENERGY_UNIT", dram);
	unit_constant(f, replay, "RAPL_TIME_UNIT", time);
	fprintf(f, "rapl_pkg_energy_unit_log2 = %u\n", energy);
	fprintf(f, "rapl_dram_energy_unit_log2 = %u\n", dram);
	fprintf(f, "rapl_time_unit_log2 = %u\n", time);
	if (pkg_msr(acc, topo, power_info != 0 ? power_info :
	    MSR_PKG_POWER_INFO, &raw))
		fprintf(f, "PACKAGE_TDP = %f\n", ldexp((double)(raw & 0x7fff),
		    -(int)power));
}

static void
topology(FILE *f, const struct topo *topo)
{
	static const char *const map[] = {
		"lproc_package", "lproc_die", "lproc_core", "lproc_thread",
		"lproc_node", "lproc_online", "lproc_module"
	};
	unsigned n = 0;

	for (unsigned i = 0; i < topo->nlproc; i++)
		n += topo->lproc[i].online;
	fprintf(f, "nr_cpus = %u\n", topo->nlproc);
	fprintf(f, "lprocs_online = %u\n", n);
	fprintf(f, "packages = %u\n", topo->npkg);
	fprintf(f, "package_id = {}\npackage_node = {}\n");
	for (unsigned p = 0; p < topo->npkg; p++)
		fprintf(f, "package_id[%u] = %d\npackage_node[%u] = %d\n", p,
		    topo->pkg[p].id, p, topo->pkg[p].node);
	for (unsigned m = 0; m < sizeof(map) / sizeof(map[0]); m++) {
		fprintf(f, "%s = {}\n", map[m]);
		for (unsigned i = 0; i < topo->nlproc; i++) {
			const struct lproc *lp = &topo->lproc[i];
			int value[] = { lp->pkg, lp->die, lp->core, lp->thread,
			    lp->node, lp->online, lp->module };

			if (lp->exists)
				fprintf(f, "%s[%u] = %d\n", map[m], i,
				    value[m]);
		}
	}
}

static void
quote(FILE *f, const char *s)
{
	putc('"', f);
	for (; *s != '\0'; s++)
		putc(*s == '"' || *s == '\\' || (unsigned char)*s < ' ' ?
		    '\'' : *s, f);
	putc('"', f);
}

static void
units(FILE *f, const struct inventory *inv)
{
	const struct box_type *type = NULL;
	int pkg = -1;

	fprintf(f, "unit_present = {}\nunit_absent = {}\n");
	for (unsigned i = 0; i < inv->n; i++) {
		const struct unit *u = &inv->unit[i];

		if (u->type != type)
			fprintf(f, "unit_present[\"%s\"] = {}\n"
			    "unit_absent[\"%s\"] = {}\n", u->type->name,
			    u->type->name);
		if (u->type != type || u->pkg != pkg)
			fprintf(f, "unit_present[\"%s\"][%u] = {}\n"
			    "unit_absent[\"%s\"][%u] = {}\n", u->type->name,
			    u->pkg, u->type->name, u->pkg);
		type = u->type;
		pkg = u->pkg;
		fprintf(f, "unit_%s[\"%s\"][%u][%u] = ",
		    u->present ? "present" : "absent", type->name, u->pkg,
		    u->inst);
		if (u->present)
			fprintf(f, "1");
		else
			quote(f, u->reason);
		putc('\n', f);
	}
}

static void
families(FILE *f, const struct plan *plan)
{
	fprintf(f, "family_bits = {}\nfamily_unit = {}\nfamily_mul = {}\n");
	for (unsigned i = 0; i < plan->nfamily; i++) {
		const struct plan_family *fam = &plan->family[i];

		fprintf(f, "family_bits[\"%s\"] = %u\n", fam->name, fam->bits);
		fprintf(f, "family_unit[\"%s\"] = \"%s\"\n", fam->name,
		    fam->unit);
		if (fam->mul > 1)
			fprintf(f, "family_mul[\"%s\"] = %u\n", fam->name,
			    fam->mul);
	}
}

static void
put_to(void *ctx, const char *text, size_t n)
{
	fwrite(text, 1, n, ctx);
}

/* "imc_counts[0][3]["X"]" -> "imc_counts_control[0][3]["X"]"; with cut, the
 * table that holds it. */
static char *
control_name(const char *column, bool cut)
{
	int n = (int)strcspn(column, "[");
	const char *last = strrchr(column, '[');
	char *name;

	if (asprintf(&name, "%.*s_control%.*s", n, column, cut ?
	    (int)(last - column) - n : (int)strlen(column), column + n) < 0)
		return NULL;
	return name;
}

/* The control value of every counter, under the counter's own indices; and
 * which event set it is of, by family and event. */
static void
controls(FILE *f, const struct plan *plan)
{
	char **table = calloc(plan->ncontrol + 1, sizeof(table[0])), *name;

	if (table == NULL)
		return;
	for (unsigned i = 0; i < plan->ncontrol; i++)
		table[i] = control_name(plan->control[i].column, true);
	declare_tables((const char *const *)table, plan->ncontrol, put_to, f);
	for (unsigned i = 0; i < plan->ncontrol; i++) {
		const struct plan_control *c = &plan->control[i];

		if (c->ctl != ABSENT &&
		    (name = control_name(c->column, false)) != NULL) {
			fprintf(f, "%s = 0x%08" PRIx64 "\n", name, c->ctl);
			free(name);
		}
		free(table[i]);
	}
	free(table);
}

/* "event_set["core_counts"]["X"] = "a"": which set an event takes turns in. */
static void
sets(FILE *f, const struct plan *plan)
{
	char **line = calloc(plan->ncontrol + 1, sizeof(line[0]));
	unsigned n = 0;

	if (plan->nset < 2 || line == NULL) {
		free(line);
		return;
	}
	fprintf(f, "set_name = {}\n");
	for (unsigned k = 1; k < plan->nset; k++)
		fprintf(f, "set_name[%u] = \"%s\"\n", k - 1, plan->set[k]);
	for (unsigned i = 0; i < plan->ncontrol; i++) {
		const struct plan_control *c = &plan->control[i];
		unsigned k = 0;

		if (c->set == 0 || asprintf(&line[n], "event_set[\"%.*s\"]%s",
		    (int)strcspn(c->column, "["), c->column,
		    strrchr(c->column, '[')) < 0)
			continue;
		while (k < n && strcmp(line[k], line[n]) != 0)
			k++;
		if (k < n) {
			free(line[n]);
			continue;
		}
		if (n == 0)
			fprintf(f, "event_set = {}\n");
		for (k = 0; k < n && strncmp(line[k], line[n],
		    strcspn(line[n], "]")) != 0; k++)
			;
		if (k == n)
			fprintf(f, "%.*s] = {}\n", (int)strcspn(line[n], "]"),
			    line[n]);
		fprintf(f, "%s = \"%s\"\n", line[n], plan->set[c->set]);
		n++;
	}
	while (n > 0)
		free(line[--n]);
	free(line);
}

static void
fixed_control(FILE *f, const struct plan *plan)
{
	bool declared = false;

	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];

		if (w->pkg >= 0 || strcmp(w->role, "fixedctl") != 0)
			continue;
		if (!declared)
			fprintf(f, "IA32_FIXED_CTR_CTRL = {}\n");
		declared = true;
		fprintf(f, "IA32_FIXED_CTR_CTRL[%u] = 0x%" PRIx64 "\n",
		    w->inst, w->new);
	}
}

/* How samples are read, and what each way was measured to take. */
static void
how_read(FILE *f, const struct preamble_info *info)
{
	const struct sweep *r = info->sweep;

	fprintf(f, "read_mode = \"%s\"\nread_us = {}\n",
	    read_mode_name(r->mode));
	for (enum read_mode m = READ_BATCH; m < READ_MODES; m++)
		if (r->us[m] > 0)
			fprintf(f, "read_us[\"%s\"] = %.3f\n",
			    read_mode_name(m), r->us[m]);
	fprintf(f, "scheduling = \"%s\"\n", info->schedule);
}

/* What hangs on which I/O stack; nothing where the model has none. */
static void
io_devices(FILE *f, const struct topo *topo, struct access *acc)
{
	struct devices devices;
	struct diag why;

	if (devices_load(&devices, topo, acc, &why) == 0)
		devices_print(f, &devices, topo);
	devices_free(&devices);
}

char *
preamble_make(const struct plan *plan, const struct topo *topo,
    const struct inventory *inv, struct access *acc,
    const struct preamble_info *info)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (f == NULL)
		return NULL;
	fprintf(f, "tallyd_format = 1\ntallyd_version = \"%s\"\n",
	    info->version);
	fprintf(f, "host = ");
	quote(f, topo->host);
	fprintf(f, "\ncpu = ");
	quote(f, topo->cpu.name);
	fprintf(f, "\nmodel = \"%s\"\naccess = \"%s\"\n", topo->model->name,
	    info->access);
	fprintf(f, "interval = %.9g\n", info->interval);
	how_read(f, info);
	if (info->dram_max != NULL)
		drambw_print(f, info->dram_max, MAX_PKG);
	tsc(f, topo, acc, info->measure_tsc);
	constants(f, topo, acc, info->replay);
	fprintf(f, "Reference_TSC = %" PRIu64 "\n", info->start.tsc);
	fprintf(f, "Reference_WallTime = %" PRIu64 ".%06" PRIu64 "\n",
	    info->start.real_ns / 1000000000,
	    info->start.real_ns % 1000000000 / 1000);
	topology(f, topo);
	units(f, inv);
	io_devices(f, topo, acc);
	families(f, plan);
	fixed_control(f, plan);
	controls(f, plan);
	if (plan->head != NULL)
		fputs(plan->head, f);
	sets(f, plan);
	soc_preamble(f, plan, info->config);
	if (fclose(f) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
