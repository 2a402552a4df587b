/*
 * tests/lib/encoded.c - what lines of a configuration become.
 */
#include "tests/lib/encoded.h"

#include "tests/lib/rig.h"

#include "config/lang/events.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint64_t
encoded_control(const char *model, const char *line, struct diag *why)
{
	struct config cfg;
	uint64_t ctl = 0;

	why->text[0] = '\0';
	assert_int_equal(config_init(&cfg, model_named(model)), 0);
	if (config_parse(&cfg, "t.conf", line, strlen(line), why) == 0)
		ctl = cfg.want[0].ctl;
	config_fini(&cfg);
	return ctl;
}

/* Is the line worth that control value? */
static unsigned
differs(const char *model, const char *line, uint64_t ctl)
{
	struct diag why;

	if (encoded_control(model, line, &why) == ctl)
		return 0;
	print_error("%s: %s %s\n", model, line, why.text);
	return 1;
}

unsigned
encoded_table(const char *path, const char *box)
{
	FILE *fp = fopen(path, "r");
	char line[160], text[160], model[16], name[48];
	unsigned long event, umask, ctl;
	unsigned wrong = 0, n = 0;

	assert_non_null(fp);
	while (fgets(line, sizeof(line), fp) != NULL) {
		if (line[0] == '#')
			continue;
		assert_int_equal(sscanf(line, "%15s %47s %lx %lx %lx", model,
		    name, &event, &umask, &ctl), 5);
		snprintf(text, sizeof(text), "%s %s", box, name);
		wrong += differs(model, text, ctl);
		snprintf(text, sizeof(text), "%s A umask=0x%lx,event=0x%lx", box,
		    umask, event);
		wrong += differs(model, text, ctl);
		n++;
	}
	fclose(fp);
	assert_int_equal(wrong, 0);
	return n;
}

void
encoded_listed(const struct eventlist *list, const char *model,
    const struct encoded_event *row, size_t n)
{
	const struct model *m = model_named(model);
	unsigned wrong = 0;

	for (size_t i = 0; i < n; i++) {
		const struct listed_event *e = eventlist_find_in(list,
		    model_box(m, row[i].box), row[i].event);

		if (e != NULL && e->ctl == row[i].ctl)
			continue;
		print_error("line %d: %s %s is 0x%" PRIx64 "\n", row[i].line,
		    row[i].box, row[i].event, e != NULL ? e->ctl : 0);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}
