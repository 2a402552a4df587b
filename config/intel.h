/*
 * config/intel.h - Intel's event lists, for config/eventlist.c: a list as a
 * table, and one event from JSON to registers and to the kernel's terms.
 */
#ifndef CONFIG_INTEL_H
#define CONFIG_INTEL_H

#include "config/eventlist.h"
#include "config/json.h"
#include "config/scan.h"
#include "config/texts.h"

/*
 * A list as a table (intel_member.c): its names and numbers without its sentences, as
 * tests/data/pack.py makes it.
 *
 * Columns are separated by tabs.  The first row has the members, MEMBER or
 * MEMBER=VALUE, where VALUE is that of every row whose cell is empty.  Each row is
 * turned back into the JSON object that it was made of, so that there is one reader of
 * events.
 */
#define TABLE_COLUMNS 32
#define TABLE_ROW 512           /* characters; a longer one is cut */

struct intel_table {
	const struct text *text;
	const char *file;               /* "@skylakex_core" */
	struct {
		const char *name, *usual;
	} member[TABLE_COLUMNS];
	unsigned n;
	bool used;                      /* kept for the caller */
};

/* intel_table_open - parse the first row of a built-in text.  rows: out, the rows after
 * it.  NULL: out of memory. */
struct intel_table *intel_table_open(struct arena *, const struct text *,
    struct word *rows);

/* A row as an object of JSON. */
struct intel_row {
	struct json object, member[TABLE_COLUMNS];
	char text[TABLE_ROW];
};

/* intel_table_row - turn a row into such an object, which is valid as long as *to. */
const struct json *intel_table_row(const struct intel_table *, struct word row,
    unsigned line, struct intel_row *to);

/*
 * intel_event_read - read the event that a JSON object describes.
 *
 * arena  owns its strings and all that it points to
 *
 * Returns 0; -ENOMEM; -EINVAL with file:line in why: the object has no name, an invalid
 * number, or a value too wide for its field.
 */
int intel_event_read(struct arena *, const struct model *, const char *file,
    const struct json *, struct listed_event *, struct diag *why);

/* ---- the members of an event (intel_member.c) ---------------------------- */

#define MAX_CODES 2             /* numbers that a member may list */

/* An event while it is read. */
struct intel_json {
	struct arena *arena;
	const struct model *model;
	const struct json *json;
	struct place at;
	struct diag *why;
	struct listed_event *ev;
};

/* member_text - the text of a member; NULL if it is absent, "", "na" or "null". */
const char *member_text(const struct intel_json *, const char *name);

/* member_numbers - parse a list of numbers, "0xB7, 0xBB".  Returns how many there are; 0
 * (and v[0] is 0) if member_text is NULL; or -EINVAL with a message. */
int member_numbers(const struct intel_json *, const char *name,
    uint64_t v[MAX_CODES]);

/* member_is_fixed - does a fixed counter count the event? */
bool member_is_fixed(const struct intel_json *);

/* member_fixed - the number, from 0, of the core's fixed counter that counts the event;
 * or -EINVAL.  counter: text of the member Counter. */
int member_fixed(const struct intel_json *, const char *counter);

/* member_filter - the value of the event's filter: FILTER_VALUE, or if that is 0, the
 * bits that the text of Filter asks for.  second: out, it is filter1, not filter0.  0 or
 * -EINVAL. */
int member_filter(const struct intel_json *, uint64_t *value, bool *second);

/* intel_terms (intel_member.c) - set ev->pmu and ev->terms, by which the kernel counts the
 * event; both stay NULL if no terms can describe it.  0 or -errno. */
int intel_terms(struct intel_json *);

#endif
