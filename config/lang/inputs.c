/*
 * config/lang/inputs.c - read the input files of periodic-performance-counters (J.
 * McCalpin), the tool that this program replaces.  Their lines are numbers and then a
 * name.  They are for Skylake-SP.
 */
#include "config/lang/events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/suggest.h"
#include "config/encode.h"
#include "config/lang/readable.h"
#include "config/scan.h"
#include "config/texts.h"
#include "regs/access.h"

#define MAX_NUMBERS 5
#define MAX_PKG 1023
#define IMC_CHANNELS 3          /* of one IMC; channels are numbered on */

struct inputs {
	struct config *cfg;
	struct scan scan;
	struct diag *why;
	const char *file;               /* in the arena */
	uint64_t number[MAX_NUMBERS];
	struct word name;
};

static int
inputs_bad(struct inputs *in, const char *what)
{
	return diag_at(in->why, in->file, in->scan.at.line, "%s", what);
}

/* line = NUMBER... NAME, separated by blanks; `names` names the numbers in messages */
static int
read_line(struct inputs *in, const char *names, unsigned n)
{
	struct word w;
	char what[16];
	int rc, at = 0, used;

	for (unsigned i = 0; i < n; i++, at += used) {
		sscanf(names + at, "%15s%n", what, &used);
		if (!scan_word(&in->scan, &w))
			return diag_at(in->why, in->file, in->scan.at.line,
			    "%s is missing; a line here is: %s NAME", what,
			    names);
		if ((rc = scan_number(w, what, UINT64_MAX, &in->number[i],
		    in->scan.at, in->why)) < 0)
			return rc;
	}
	if (!scan_word(&in->scan, &in->name))
		return diag_at(in->why, in->file, in->scan.at.line,
		    "the name is missing; a line here is: %s NAME", names);
	if (!word_is_label(in->name, 120))
		return diag_at(in->why, in->file, in->scan.at.line,
		    "\"%.*s\" cannot be a name: letters, digits and ._:- are "
		    "fine, 120 at most", WORD_ARG(in->name));
	return scan_end(&in->scan, in->why);
}

static struct want
new_want(const struct inputs *in, enum want_kind kind,
    const struct box_type *type)
{
	return (struct want) {
		.kind = kind, .type = type, .pkg = ALL_PKG, .first = 0,
		.last = ALL_INST, .counter = -1, .optional = true,
		.file = in->file, .line = in->scan.at.line,
	};
}

static int
set_name(struct inputs *in, struct want *want)
{
	want->name = arena_strndup(in->cfg->arena, in->name.s, in->name.n);
	return want->name != NULL ? 0 : -ENOMEM;
}

/* Add an event, pinned to the counter that its line names. */
static int
add_event(struct inputs *in, struct want *want, uint64_t counter,
    uint64_t value)
{
	const struct box_type *type = want->type;
	char can[64];
	int rc;

	if ((rc = encode_check(type, value, in->scan.at, in->why)) < 0 ||
	    (rc = encode_alone(type, value, in->scan.at, in->why)) < 0 ||
	    (rc = set_name(in, want)) < 0)
		return rc;
	want->kind = WANT_EVENT;
	want->ctl = box_fill(type, value) | type->enable;
	want->counters = box_event_mask(type, value);
	want->counter = (int)counter;
	if ((want->counters & 1u << counter) == 0)
		return diag_at(in->why, in->file, in->scan.at.line,
		    "counter %d of %s cannot count event 0x%02x, only %s can",
		    want->counter, type->name, (unsigned)(value & 0xff),
		    choices_bits(want->counters, can, sizeof(can)));
	return config_add(in->cfg, want, in->why);
}

static int
set_place(struct inputs *in, struct want *want, uint64_t pkg, uint64_t inst)
{
	if (pkg > MAX_PKG)
		return inputs_bad(in, "no node has that many packages");
	if (inst >= want->type->instances)
		return diag_at(in->why, in->file, in->scan.at.line,
		    "there is no such %s: a package has %u, from 0",
		    want->type->name, want->type->instances);
	want->pkg = (int)pkg;
	want->first = want->last = (uint32_t)inst;
	return 0;
}

static int
set_lprocs(struct inputs *in, struct want *want)
{
	if (in->number[0] > in->number[1] || in->number[1] >= MAX_LPROCS)
		return inputs_bad(in,
		    "the line starts with the first and the last "
		    "lproc, 0 to 8191");
	want->first = (uint32_t)in->number[0];
	want->last = (uint32_t)in->number[1];
	want->optional = false;
	return 0;
}

/* core_msr_control.input: the two registers that switch a core's counters */
static int
core_control(struct inputs *in)
{
	const struct model *m = in->cfg->model;
	struct want want = new_want(in, WANT_CONTROL, m->core);
	uint64_t valid = 0;
	char bits[64];
	int rc;

	if ((rc = read_line(in, "FIRST LAST MSR VALUE", 4)) < 0 ||
	    (rc = set_lprocs(in, &want)) < 0)
		return rc;
	for (unsigned i = 0; m->fixed != NULL && i < 5 &&
	    m->fixed->name[i] != NULL; i++)
		valid |= in->number[2] == model_msrs(m)->core_global ?
		    1ull << (32 + i) : 0x7ull << 4 * i;     /* no PMI */
	if (in->number[2] == model_msrs(m)->core_global) {
		want.name = "global_ctrl";
		valid |= (1ull << m->core->counters) - 1;
	} else if (m->fixed != NULL && in->number[2] == m->fixed->ctl) {
		want.name = "fixed_ctrl";
	} else {
		return inputs_bad(in,
		    "MSR 0x38f (IA32_PERF_GLOBAL_CTRL) and 0x38d "
		    "(IA32_FIXED_CTR_CTRL) are the ones that can be written "
		    "from here");
	}
	want.ctl = in->number[3];
	if (want.ctl & ~valid)
		return diag_at(in->why, in->file, in->scan.at.line, "the value "
		    "sets bit %s, which may not be set in this register",
		    choices_bits(want.ctl & ~valid, bits, sizeof(bits)));
	return config_add(in->cfg, &want, in->why);
}

/* core_msr_perfevtsel.input */
static int
core_event(struct inputs *in)
{
	const struct box_type *type = in->cfg->model->core;
	struct want want = new_want(in, WANT_EVENT, type);
	int rc;

	if ((rc = read_line(in, "FIRST LAST MSR COUNTER VALUE", 5)) < 0 ||
	    (rc = set_lprocs(in, &want)) < 0)
		return rc;
	if (in->number[3] >= type->counters ||
	    in->number[2] != type->ctl + in->number[3] * type->ctl_step)
		return diag_at(in->why, in->file, in->scan.at.line, "counter "
		    "N of a core, 0 to %u, has its control in MSR 0x%x + N; "
		    "these do not fit together", type->counters - 1u,
		    type->ctl);
	return add_event(in, &want, in->number[3], in->number[4]);
}

/* cha_perfevtsel.input: counters 4 and 5 are the filters */
static int
cha_event(struct inputs *in)
{
	const struct box_type *type = model_box(in->cfg->model, "CHA");
	struct want want = new_want(in, WANT_FILTER, type);
	unsigned f;
	int rc;

	if ((rc = read_line(in, "PACKAGE BOX COUNTER VALUE", 4)) < 0 ||
	    (rc = set_place(in, &want, in->number[0], in->number[1])) < 0)
		return rc;
	if (in->number[2] < type->counters)
		return add_event(in, &want, in->number[2], in->number[3]);
	f = (unsigned)(in->number[2] - type->counters);
	if (in->number[2] - type->counters >= MAX_FILTERS ||
	    type->filter[f].name == NULL)
		return inputs_bad(in,
		    "a CHA has counters 0 to 3, 4 is filter0 and 5 "
		    "is filter1");
	want.name = type->filter[f].name;
	want.ctl = want.filter[f] = in->number[3];
	want.filters = 1u << f;
	if ((rc = encode_filter(type, f, want.ctl, 0, in->scan.at,
	    in->why)) < 0)
		return rc;
	return config_add(in->cfg, &want, in->why);
}

/* imc_perfevtsel.input: counter 4 is the fixed one */
static int
imc_event(struct inputs *in)
{
	const struct box_type *type = model_box(in->cfg->model, "IMC");
	struct want want = new_want(in, WANT_FIXED, type);
	int rc;

	if ((rc = read_line(in, "PACKAGE IMC CHANNEL COUNTER VALUE", 5)) < 0)
		return rc;
	if (in->number[2] >= IMC_CHANNELS || in->number[1] > MAX_PKG)
		return inputs_bad(in, "an IMC has channels 0 to 2");
	if ((rc = set_place(in, &want, in->number[0],
	    in->number[1] * IMC_CHANNELS + in->number[2])) < 0)
		return rc;
	if (in->number[3] < type->counters)
		return add_event(in, &want, in->number[3], in->number[4]);
	if (in->number[3] != type->counters || type->fixed.name == NULL)
		return inputs_bad(in,
		    "an IMC channel has counters 0 to 3, and 4 is "
		    "the fixed one");
	if ((in->number[4] & ~type->fixed.enable) != 0)
		return inputs_bad(in,
		    "the fixed counter has no control bit but the "
		    "one that enables it: 0x00400000");
	if ((rc = set_name(in, &want)) < 0)
		return rc;
	want.ctl = type->fixed.enable;
	return config_add(in->cfg, &want, in->why);
}

/* pcu_perfevtsel.input */
static int
pcu_event(struct inputs *in)
{
	const struct box_type *type = model_box(in->cfg->model, "PCU");
	struct want want = new_want(in, WANT_EVENT, type);
	int rc;

	if ((rc = read_line(in, "PACKAGE COUNTER VALUE", 3)) < 0 ||
	    (rc = set_place(in, &want, in->number[0], 0)) < 0)
		return rc;
	if (in->number[1] >= type->counters)
		return inputs_bad(in, "the PCU has counters 0 to 3");
	return add_event(in, &want, in->number[1], in->number[2]);
}

static const struct {
	const char *file, *box;
	int (*line)(struct inputs *);
} inputs[] = {
	{ "core_msr_control.input", "core", core_control },
	{ "core_msr_perfevtsel.input", "core", core_event },
	{ "cha_perfevtsel.input", "CHA", cha_event },
	{ "imc_perfevtsel.input", "IMC", imc_event },
	{ "pcu_perfevtsel.input", "PCU", pcu_event },
};
#define NINPUTS (sizeof(inputs) / sizeof(inputs[0]))

/* Add what the tool samples in any case. */
static const char *const always[] = {
	"aperf", "mperf", "pkg_temperature", "rapl_pkg_energy",
	"rapl_dram_energy", "rapl_pkg_throttled", "pkg_therm_status",
	"pkg_core_perf_limit_reasons", "pkg_ring_perf_limit_reasons",
	"smi_count", "ib",
	/* the ports of stacks that the tool reads, if the model has them by these
	 * names */
	"iio_CBDMA_port1_in_bytes", "iio_CBDMA_port1_out_bytes",
	"iio_PCIe0_port1_in_bytes", "iio_PCIe0_port1_out_bytes",
	"iio_PCIe2_port0_in_bytes", "iio_PCIe2_port0_out_bytes",
};

static bool
inputs_can_read(const struct model *m, const char *name)
{
	if (strcmp(name, "ib") == 0 || scalar_named(m, name) != NULL)
		return true;
	return readable_port(m, name) != NULL;
}

static int
add_always(struct config *cfg, const char *dir, struct diag *why)
{
	const struct model *m = cfg->model;
	const struct box_type *ubox = model_box(m, "UBOX");
	struct inputs in = { .cfg = cfg, .why = why, .file = dir };
	struct want want;
	int rc = 0;

	want = new_want(&in, WANT_FIXED, m->core);
	if (m->core != NULL && m->fixed != NULL)
		rc = config_add(cfg, &want, why);
	want.type = ubox;
	if (rc == 0 && ubox != NULL && ubox->fixed.name != NULL)
		rc = config_add(cfg, &want, why);
	want = new_want(&in, WANT_READ, NULL);
	for (unsigned i = 0; rc == 0 && i < sizeof(always) / sizeof(always[0]);
	    i++) {
		want.name = always[i];
		if (inputs_can_read(m, want.name))
			rc = config_add(cfg, &want, why);
	}
	return rc;
}

int
config_parse_input(struct config *cfg, const char *file, const char *text,
    size_t size, struct diag *why)
{
	struct inputs in = { .cfg = cfg, .why = why, .file = file };
	const char *slash = strrchr(file, '/');
	const char *name = slash != NULL ? slash + 1 : file;
	unsigned i = 0;
	int rc;

	while (i < NINPUTS && strcmp(inputs[i].file, name) != 0)
		i++;
	if (i == NINPUTS)
		return diag_set(why, -EINVAL, "%s: no input file has that name",
		    file);
	if (model_box(cfg->model, inputs[i].box) == NULL)
		return diag_set(why, -EINVAL, "%s: %s has no %s", file,
		    cfg->model->title, inputs[i].box);
	if ((in.file = arena_strndup(cfg->arena, file, strlen(file))) == NULL)
		return -ENOMEM;
	scan_init(&in.scan, in.file, text, size);
	while ((rc = scan_line(&in.scan, why)) > 0)
		if ((rc = inputs[i].line(&in)) < 0)
			break;
	return rc;
}

int
config_inputs(struct config *cfg, const char *dir, struct diag *why)
{
	size_t room = strlen(dir) + 40, size;
	unsigned found = 0;
	int rc = 0;

	for (unsigned i = 0; i < NINPUTS && rc == 0; i++) {
		char *path = arena_alloc(cfg->arena, room), *text;

		if (path == NULL)
			return diag_set(why, -ENOMEM, "%s: out of memory", dir);
		snprintf(path, room, "%s/%s", dir, inputs[i].file);
		if ((rc = text_load(path, NULL, &text, &size,
		    why)) == -ENOENT) {
			rc = 0;
			continue;
		}
		if (rc < 0)
			return rc;
		found++;
		rc = used_add(&cfg->used, cfg->arena, path, text, size);
		if (rc == 0)
			rc = config_parse_input(cfg, path, text, size, why);
		free(text);
	}
	if (rc == 0 && found == 0)
		return diag_set(why, -ENOENT, "%s: none of %s, %s, %s, %s, %s "
		    "is there", dir, inputs[0].file, inputs[1].file,
		    inputs[2].file, inputs[3].file, inputs[4].file);
	if (rc == 0)
		rc = add_always(cfg, arena_strndup(cfg->arena, dir,
		    strlen(dir)), why);
	return rc == -ENOMEM ? diag_set(why, rc, "%s: out of memory", dir) :
	    rc;
}
