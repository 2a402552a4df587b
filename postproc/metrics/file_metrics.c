/*
 * postproc/metrics/file_metrics.c - metrics of the files that a dump has.
 */
#include "postproc/metrics/file_metrics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES "files of the node"

/* The statement as tallyd put it into the head: nothing that could end a text. */
static bool
is_of_file(const struct constant *k)
{
	const char *name = k->at.name[0];

	return k->key == HEAD_RAW_READ && k->kind == CONSTANT_TEXT &&
	    strncmp(k->text, "file=/", 6) == 0 &&
	    strncmp(name, "file_", 5) == 0 && strpbrk(k->text, "\"\\\n") ==
	    NULL && name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

static void
file_metrics_put_metric(FILE *f, const struct reader *r,
    const struct constant *k)
{
	const char *name = k->at.name[0], *end = strchr(k->text, ' ');
	size_t path = end != NULL ? (size_t)(end - k->text) : strlen(k->text);
	bool gauge = strstr(k->text, " gauge") != NULL;
	bool several = memchr(k->text, '*', path) != NULL;
	const char *unit = head_text(r, HEAD_FAMILY_UNIT, OF(name), "");

	if (strpbrk(unit, "\"\\\n") != NULL)
		unit = "";
	/* the family's own name is that of its columns */
	if (!gauge && strcmp(unit, "J") == 0)
		fprintf(f, "metric %s_rate node \"W\"", name);
	else
		fprintf(f, "metric %s_%s node \"%s%s\"", name, gauge ? "value" :
		    "rate", unit, gauge ? "" : "/s");
	fprintf(f, " \"%.*s%s\"\n\t= %s%s%s\n", (int)path - 5, k->text + 5,
	    !several ? "" : gauge ? ", the mean" : ", together", name,
	    several ? "[\"*\"]" : "", gauge ? "" : " / time");
}

int
file_metrics_add(struct metrics *m, const struct reader *r, struct diag *why)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int rc;

	if (f == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	for (unsigned i = 0; i < read_constants(r); i++) {
		const struct constant *k = read_constant(r, i);

		if (is_of_file(k))
			file_metrics_put_metric(f, r, k);
	}
	rc = ferror(f) ? -ENOMEM : 0;
	if (fclose(f) != 0 || text == NULL)
		rc = -ENOMEM;
	m->at = m->n;
	m->after = false;
	rc = rc < 0 ? diag_set(why, rc, "out of memory") : size == 0 ? 0 :
	    metrics_parse(m, FILES, text, size, why);
	free(text);
	return rc;
}
