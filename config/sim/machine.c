/*
 * config/sim/machine.c - read the text of a simulated machine, line by line;
 * its grammar is in machine.h.
 */
#include "config/sim/machine.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/sim/machine_int.h"
#include "config/texts.h"

static const struct statement {
	const char *name;
	int (*parse)(struct machine *);
} statements[] = {
	{ "host", machine_host }, { "name", machine_cpu_name }, { "cpu", machine_cpu },
	{ "cpuid", machine_cpuid }, { "packages", machine_packages },
	{ "cores", machine_cores }, { "threads", machine_threads },
	{ "dies", machine_dies }, { "nodes", machine_nodes },
	{ "numbering", machine_numbering }, { "apic", machine_apic }, { "lproc", machine_lproc },
	{ "bus", machine_bus }, { "start", machine_start }, { "tsc", machine_tsc },
	{ "ntp", machine_ntp },
	{ "read_cost", machine_read_cost }, { "noise", machine_noise },
	{ "phase", machine_phase },
	{ "msr", machine_msr }, { "pci", machine_pci }, { "mmio", machine_mmio },
	{ "file", machine_file }, { "global", machine_global },
	{ "box", machine_box }, { "event", machine_event },
	{ "does", machine_does },
	{ "hold", machine_hold },
	{ "pmu", machine_pmu }, { "named", machine_named },
	{ "count", machine_kcount }, { "mailbox", machine_mailbox }, { "signal", machine_signal },
	{ "message", machine_message },
};

static int parse_lines(struct machine *, char *text, size_t size);

/* like = "like" @NAME    a built-in machine, that the lines below change */
static int
machine_like(struct machine *p)
{
	const char *name = machine_word(p);
	const struct text *t = name != NULL ? text_named(name, TEXT_MACHINE) :
	    NULL;
	unsigned line = p->line;
	char *text;
	int rc;

	if (t == NULL)
		return machine_wrong(p, "like %s: there is no such built-in "
		    "machine", name != NULL ? name : "what?");
	if (p->nlike > p->within)
		return machine_wrong(p, "a machine is like one other");
	if (p->nlike == MAX_LIKES)
		return machine_wrong(p, "like %s: more than %d machines, one "
		    "like the next", name, MAX_LIKES);
	if ((text = malloc((size_t)(t->end - t->data) + 1)) == NULL)
		return -ENOMEM;
	p->like[p->nlike++] = text;
	memcpy(text, t->data, (size_t)(t->end - t->data));
	p->within++;
	rc = parse_lines(p, text, (size_t)(t->end - t->data));
	p->within--;
	p->line = line;
	return rc;
}

static int
machine_parse_line(struct machine *p, char *line)
{
	char *start = line;
	const char *w;
	int rc;

	while (isspace((unsigned char)*start))
		start++;
	if (strncmp(start, "from", 4) == 0 && isspace((unsigned char)start[4])) {
		if (p->nfault == MAX_FAULTS)
			return machine_wrong(p, "more than %d faults", MAX_FAULTS);
		p->fault[p->nfault].line = p->line;
		p->fault[p->nfault++].text = start;
		return 0;
	}
	p->rest = line;
	if ((w = machine_word(p)) == NULL)
		return 0;
	if (word_says(w, "like"))
		return machine_like(p);
	for (unsigned i = 0; i < sizeof(statements) / sizeof(*statements); i++)
		if (strcmp(w, statements[i].name) == 0) {
			rc = statements[i].parse(p);
			return rc == -ENOMEM ? diag_set(p->why, rc,
			    "out of memory") : rc;
		}
	if (strncmp(w, "tallyd_", 7) == 0)
		return machine_wrong(p, "this is a dump, and no machine: --replay "
		    "takes one");
	return machine_wrong(p, "unknown statement \"%s\"; right would be host name "
	    "cpu cpuid packages cores threads dies nodes numbering apic lproc bus "
	    "start tsc ntp read_cost noise phase msr pci mmio file global box event does pmu "
	    "named count mailbox signal message like from", w);
}

static int
parse_lines(struct machine *p, char *text, size_t size)
{
	char *end, *stop = text + size;
	int rc;

	for (; text < stop; text = end + 1) {
		p->line++;
		if ((end = memchr(text, '\n', (size_t)(stop - text))) == NULL)
			end = stop;
		*end = '\0';
		if (strlen(text) != (size_t)(end - text))
			return machine_wrong(p, "a zero byte in the line; a machine is "
			    "plain text");
		if ((rc = machine_parse_line(p, text)) < 0)
			return rc;
	}
	return 0;
}

static int
parse_text(struct machine *p, char *text, size_t size)
{
	int rc = parse_lines(p, text, size);

	for (unsigned i = 0; rc == 0 && i < p->d->nbox; i++)
		rc = machine_box_finish(p, &p->d->box[i]);
	return rc;
}

static int
start_faults(struct machine *p, struct sim *s, const char *file)
{
	struct diag why = { "" };
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < p->nfault; i++)
		if ((rc = machine_fault(s, p->fault[i].text, &why)) < 0)
			diag_at(p->why, file, p->fault[i].line, "%s", why.text);
	return rc;
}

int
machine_parse(struct sim **out, const char *file, const char *text, size_t size,
    struct diag *why)
{
	struct machine *p = calloc(1, sizeof(*p));
	char *copy = malloc(size + 1);
	struct sim_desc *d = sim_desc_new(file);
	int rc = -ENOMEM;

	*out = NULL;
	if (p == NULL || copy == NULL || d == NULL) {
		diag_set(why, rc, "out of memory");
		sim_desc_free(d);
		goto done;
	}
	memcpy(copy, text, size);
	p->d = d;
	p->why = why;
	if ((rc = parse_text(p, copy, size)) < 0) {
		sim_desc_free(d);
		goto done;
	}
	if ((rc = sim_build(out, d, why)) < 0)
		goto done;
	if ((rc = start_faults(p, *out, file)) < 0) {
		sim_free(*out);
		*out = NULL;
	}
done:
	free(copy);
	for (unsigned i = 0; p != NULL && i < p->nlike; i++)
		free(p->like[i]);
	free(p);
	return rc;
}

int
machine_load(struct sim **out, const char *file, struct diag *why)
{
	char *text;
	size_t size;
	int rc = text_load(file, TEXT_MACHINE, &text, &size, why);

	*out = NULL;
	if (rc < 0)
		return rc;
	rc = machine_parse(out, file, text, size, why);
	free(text);
	return rc;
}

int
machine_open(struct access **acc, const char *file, struct diag *why)
{
	struct sim *sim;
	int rc = machine_load(&sim, file, why);

	if (rc == 0)
		*acc = sim_access(sim);
	return rc;
}
