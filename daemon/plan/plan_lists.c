/*
 * daemon/plan/plan_lists.c - the lists of a plan while it is made: writes, reads,
 * columns, families, notes.  Each grows here, and calls nothing of what fills it.
 */
#include "daemon/plan/plan_int.h"

#include "lib/array.h"

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

int
plan_add_write(struct plan *plan, const struct plan_write *w)
{
	if (!array_room(&plan->write, plan->nwrite, &plan->build->write_room,
	    sizeof(*plan->write)))
		return plan_no_memory(plan);
	plan->write[plan->nwrite++] = *w;
	return 0;
}

static void
keep_line(char ***list, unsigned *n, unsigned *room, const char *fmt,
    va_list ap)
{
	char line[256];

	vsnprintf(line, sizeof(line), fmt, ap);
	if (!array_room(list, *n, room, sizeof(**list)))
		return;
	if (((*list)[*n] = strdup(line)) != NULL)
		++*n;
}

void
plan_note(struct plan *plan, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	keep_line(&plan->absent.line, &plan->absent.n, &plan->build->note_room,
	    fmt, ap);
	va_end(ap);
}

void
plan_remark(struct plan *plan, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	keep_line(&plan->remarks.line, &plan->remarks.n,
	    &plan->build->remark_room, fmt, ap);
	va_end(ap);
}

int
plan_add_read(struct plan *plan, const struct reg_addr *addr, unsigned lproc,
    int pkg)
{
	struct plan_build *b = plan->build;
	uint64_t key[3] = { addr->space, addr->unit, addr->offset };
	uint64_t hash = lookup_hash(0, key, sizeof(key));

	for (uint32_t at = lookup_first(&b->reads, hash); at != LOOKUP_END;
	    at = lookup_next(&b->reads, at)) {
		uint32_t i = lookup_value(&b->reads, at);

		if (b->read[i].addr.offset == addr->offset &&
		    b->read[i].addr.unit == addr->unit &&
		    b->read[i].addr.bytes == addr->bytes &&
		    b->read[i].addr.space == addr->space)
			return (int)i;
	}
	if (!array_room(&b->read, b->nread, &b->read_room, sizeof(*b->read)))
		return -1;
	if (lookup_add(&b->reads, hash, b->nread) < 0)
		return -1;
	b->read[b->nread] = (struct want_read){ *addr, lproc, pkg, false };
	return (int)b->nread++;
}

const char *
plan_text(struct plan *plan, const char *s)
{
	return arena_strndup(plan->text, s, strlen(s));
}

const char *
plan_event(struct plan *plan, const char *name)
{
	return strlen(name) <= 128 ? name :
	    arena_strndup(plan->text, name, 128);
}

const struct family *
plan_family(struct plan *plan, const char *name, int bits, const char *unit)
{
	struct family *f = families_get(&plan->families, name, strlen(name));

	if (f != NULL && !f->said)
		family_say(f, unit, bits, 0);
	return f;
}

int
plan_add_from(struct plan *plan, const struct column *like,
    struct read_from source)
{
	struct plan_build *b = plan->build;

	if (!array_room(&plan->column, plan->ncolumn, &b->column_room,
	    sizeof(*plan->column)))
		return plan_no_memory(plan);
	if (!array_room(&b->source, plan->ncolumn, &b->source_room,
	    sizeof(*b->source)))
		return plan_no_memory(plan);
	if (like->id.family == NULL)
		return plan_no_memory(plan);
	plan->column[plan->ncolumn] = *like;
	b->source[plan->ncolumn++] = source;
	return 0;
}

int
plan_add_column(struct plan *plan, const struct column *like,
    const struct reg_addr *addr, unsigned lproc, int pkg)
{
	int read = plan_add_read(plan, addr, lproc, pkg);

	if (read < 0)
		return plan_no_memory(plan);
	return plan_add_from(plan, like, (struct read_from){ FROM_BLOCK,
	    (unsigned)read, pkg >= 0 && addr->space != REG_MSR });
}

int
plan_head_error(struct plan *plan)
{
	return plan->head.error == 0 ? 0 : plan_no_memory(plan);
}

int
plan_add_opened(struct plan *plan, const struct column_id *id, unsigned cpu,
    unsigned group, const struct perf_attr *attr)
{
	struct plan_build *b = plan->build;
	struct plan_opened *o;

	if (!array_room(&plan->opened, plan->nopened, &b->opened_room,
	    sizeof(*plan->opened)))
		return plan_no_memory(plan);
	o = &plan->opened[plan->nopened];
	*o = (struct plan_opened){ *id, cpu, group, *attr };
	plan->nopened++;
	return 0;
}

int
plan_add_control(struct plan *plan, const struct column_id *id, uint64_t ctl,
    unsigned set)
{
	struct plan_control *c;

	if (!array_room(&plan->control, plan->ncontrol,
	    &plan->build->control_room, sizeof(*plan->control)))
		return plan_no_memory(plan);
	c = &plan->control[plan->ncontrol];
	*c = (struct plan_control){ *id, ctl, set };
	plan->ncontrol++;
	return 0;
}

bool
block_holds(const struct block *b, enum reg_space space)
{
	return b->part == BLOCK_ALL || (b->part == BLOCK_BUS) ==
	    (space != REG_MSR);
}

bool
block_soc(const struct block *b)
{
	return b->pkg == 0 && b->part != BLOCK_MSR;
}
