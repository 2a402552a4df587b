/*
 * daemon/plan/plan_lists.c - the lists of a plan while it is made: writes, reads,
 * columns, families, notes.  Each grows here, and calls nothing of what fills it.
 */
#include "daemon/plan/plan_int.h"

#include "regs/array.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
plan_no_memory(const struct plan *plan)
{
	return diag_set(plan->build->why, -ENOMEM, "out of memory");
}

void *
plan_grow(void *array, unsigned n, unsigned *room, size_t size)
{
	return array_grow(array, n, room, size);
}

int
plan_add_write(struct plan *plan, const struct plan_write *w)
{
	struct plan_write *bigger = plan_grow(plan->write, plan->nwrite,
	    &plan->build->write_room, sizeof(*bigger));

	if (bigger == NULL)
		return plan_no_memory(plan);
	plan->write = bigger;
	plan->write[plan->nwrite++] = *w;
	return 0;
}

static void
keep_line(char ***list, unsigned *n, unsigned *room, const char *fmt,
    va_list ap)
{
	char line[256], **bigger;

	vsnprintf(line, sizeof(line), fmt, ap);
	if ((bigger = plan_grow(*list, *n, room, sizeof(*bigger))) == NULL)
		return;
	*list = bigger;
	if ((bigger[*n] = strdup(line)) != NULL)
		++*n;
}

void
plan_note(struct plan *plan, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	keep_line(&plan->note, &plan->nnote, &plan->build->note_room, fmt, ap);
	va_end(ap);
}

void
plan_remark(struct plan *plan, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	keep_line(&plan->remark, &plan->nremark, &plan->build->remark_room,
	    fmt, ap);
	va_end(ap);
}

int
plan_add_read(struct plan *plan, const struct reg_addr *addr, unsigned lproc,
    int pkg)
{
	struct plan_build *b = plan->build;
	struct want_read *bigger;

	for (unsigned i = 0; i < b->nread; i++)
		if (b->read[i].addr.offset == addr->offset &&
		    b->read[i].addr.unit == addr->unit &&
		    b->read[i].addr.space == addr->space)
			return (int)i;
	bigger = plan_grow(b->read, b->nread, &b->read_room, sizeof(*bigger));
	if (bigger == NULL)
		return -1;
	b->read = bigger;
	b->read[b->nread] = (struct want_read){ *addr, lproc, pkg, false };
	return (int)b->nread++;
}

int
plan_add_family(struct plan *plan, const char *column, const struct column *like,
    const char *unit)
{
	size_t n = strcspn(column, "[");
	struct plan_family *f;

	for (unsigned i = 0; i < plan->nfamily; i++)
		if (strncmp(plan->family[i].name, column, n) == 0 &&
		    plan->family[i].name[n] == '\0')
			return 0;
	f = plan_grow(plan->family, plan->nfamily, &plan->build->family_room,
	    sizeof(*f));
	if (f == NULL)
		return -ENOMEM;
	plan->family = f;
	f += plan->nfamily++;
	snprintf(f->name, sizeof(f->name), "%.*s", (int)n, column);
	f->bits = like->bits;
	f->mul = like->mul > 1 ? like->mul : 1;
	f->unit = unit;
	return 0;
}

int
plan_add_column(struct plan *plan, const char *name,
    const struct reg_addr *addr, unsigned lproc, int pkg,
    const struct column *like, const char *unit)
{
	struct plan_build *b = plan->build;
	struct column *c;
	int read = plan_add_read(plan, addr, lproc, pkg);

	c = plan_grow(plan->column, plan->ncolumn, &b->column_room, sizeof(*c));
	if (c == NULL)
		return plan_no_memory(plan);
	plan->column = c;               /* it may have moved */
	if (read < 0 || plan_add_family(plan, name, like, unit) < 0)
		return plan_no_memory(plan);
	c += plan->ncolumn;
	*c = *like;
	c->cell = (uint32_t)read;       /* the read, until reads are sorted */
	if ((c->name = strdup(name)) == NULL)
		return plan_no_memory(plan);
	plan->ncolumn++;
	return 0;
}

int
plan_told(struct plan *plan)
{
	return plan->head.error == 0 ? 0 : plan_no_memory(plan);
}

int
plan_add_opened(struct plan *plan, const char *column, unsigned cpu,
    unsigned group, const struct perf_attr *attr)
{
	struct plan_build *b = plan->build;
	struct plan_opened *o = plan_grow(plan->opened, plan->nopened,
	    &b->opened_room, sizeof(*o));

	if (o == NULL)
		return plan_no_memory(plan);
	plan->opened = o;
	o += plan->nopened;
	*o = (struct plan_opened){ strdup(column), cpu, group, *attr };
	if (o->column == NULL)
		return plan_no_memory(plan);
	plan->nopened++;
	return 0;
}

int
plan_add_control(struct plan *plan, const char *column, uint64_t ctl,
    unsigned set)
{
	struct plan_control *c = plan_grow(plan->control, plan->ncontrol,
	    &plan->build->control_room, sizeof(*c));

	if (c == NULL)
		return plan_no_memory(plan);
	plan->control = c;
	c += plan->ncontrol;
	*c = (struct plan_control){ strdup(column), ctl, set };
	if (c->column == NULL)
		return plan_no_memory(plan);
	plan->ncontrol++;
	return 0;
}
