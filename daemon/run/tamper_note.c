/*
 * daemon/run/tamper_note.c - what the head says of a control register that
 * somebody else has changed.
 */
#include "daemon/run/tamper_note.h"

#include "config/dump/head_put.h"
#include "daemon/node/program.h"

#include <stdio.h>
#include <string.h>

/* Say of one changed control register since when, what, and which columns it
 * makes doubtful: names that begin with `column`. */
static void
tamper_note_put_note(struct sampler *s, const struct plan_write *w,
    const struct changed *c, const struct column_id *id, uint64_t row)
{
	char text[2048], where[128], column[256];
	struct head h = head_buffer(text, sizeof(text));
	unsigned k = s->ntamper++;

	column_text(id, "", column, sizeof(column));
	for (enum head_key key = HEAD_TAMPER_FIRST; k == 0 &&
	    key <= HEAD_TAMPER_FOUND; key++)
		head_put_table(&h, key, ALONE, 0);
	head_put_count(&h, HEAD_TAMPER_FIRST, AT(k), s->last_check);
	head_put_count(&h, HEAD_TAMPER_SEEN, AT(k), row);
	head_put_text(&h, HEAD_TAMPER_COLUMN, AT(k), column);
	head_put_text(&h, HEAD_TAMPER_REGISTER, AT(k),
	    plan_write_text(w, where, sizeof(where)));
	head_put_hex(&h, HEAD_TAMPER_OURS, AT(k), c->ours);
	head_put_hex(&h, HEAD_TAMPER_FOUND, AT(k), c->found);
	store_note(s->store, text);
}

/* The columns that hang on a control register. */
static void
tamper_note_tampered(struct sampler *s, const struct changed *c, uint64_t row)
{
	const struct plan_write *w = &s->plan->write[c->write];
	const struct core_fixed *fixed = s->plan->families.model->fixed;
	bool core = w->pkg < 0, of_event = strncmp(w->role, "ctl", 3) == 0;
	bool of_fixed = strcmp(w->role, "fixedctl") == 0;
	struct family family = { .name = w->type->family };
	struct column_id id = plan_write_id(w);
	char event[129];

	id.family = &family;
	if (w->name != NULL && of_event) {
		snprintf(event, sizeof(event), "%s", w->name);
		id.event = event;
	}
	if (!core && of_fixed && w->type->fixed_family != NULL) {
		family.name = w->type->fixed_family;
		id.nindex = 1;
	}
	if (!core || !of_fixed)
		tamper_note_put_note(s, w, c, &id, row);
	if (core && !of_event && fixed != NULL) {
		family.name = fixed->family;
		tamper_note_put_note(s, w, c, &id, row);
	}
}

void
tamper_note(struct sampler *s, uint64_t row)
{
	for (unsigned i = 0; i < s->sweep->nchanged; i++)
		tamper_note_tampered(s, &s->sweep->changed[i], row);
	s->last_check = row;
}

void
tamper_again(struct sampler *s)
{
	const struct plan *plan = s->plan;

	s->ntamper = 0;
	s->last_check = 0;
	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];
		struct changed c = { i, w->seen, w->new };

		if (!w->rotates && ((w->seen ^ w->new) & w->verify) != 0)
			tamper_note_tampered(s, &c, 0);
	}
}
