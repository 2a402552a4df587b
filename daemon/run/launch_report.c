/*
 * daemon/run/launch_report.c - the report of a run that a program was started for:
 * one dump, or its segments, whatever --keep and --pipe have left of them.
 */
#include "daemon/run/launch_report.h"

#include "config/folder.h"
#include "config/lang/run_report.h"
#include "daemon/log.h"
#include "daemon/rights/caller.h"
#include "daemon/segments/segment_place.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct report_words {
	char **word;            /* [n], and NULL */
	size_t n;
};

/* false: there is no memory. */
static bool
launch_report_add(struct report_words *w, const char *folder, size_t n,
    const char *name)
{
	char **p = reallocarray(w->word, w->n + 2, sizeof(*p));

	if (p == NULL)
		return false;
	w->word = p;
	p[w->n + 1] = NULL;
	if ((p[w->n] = malloc(n + strlen(name) + 1)) == NULL)
		return false;
	memcpy(p[w->n], folder, n);
	strcpy(p[w->n++] + n, name);
	return true;
}

/* Those of a folder that have such a number. */
static bool
add_segments(struct report_words *w, const char *path, uint64_t first, uint64_t last)
{
	size_t n = (size_t)(folder_name(path) - path);
	struct save_place place = { .dir = -1 };
	const struct dirent *e;
	char folder[4096];
	bool ok = true;
	uint64_t number;
	DIR *dir;

	snprintf(place.name, sizeof(place.name), "%s", folder_name(path));
	snprintf(folder, sizeof(folder), "%.*s", n > 0 ? (int)n : 1, n > 0 ?
	    path : ".");
	if ((dir = opendir(folder)) == NULL)
		return errno != ENOMEM;
	while (ok && (e = readdir(dir)) != NULL) {
		number = segment_number(&place, e->d_name);
		if (number >= first && number <= last)
			ok = launch_report_add(w, path, n, e->d_name);
	}
	closedir(dir);
	return ok;
}

void
launch_report(const struct run_report *report, const char *said)
{
	struct report_words w = { .n = 0 };
	uint64_t first, last;
	bool ok;
	int at;

	if (sscanf(said, "%" SCNu64 " %" SCNu64 " %n", &first, &last, &at) != 2)
		return;
	ok = launch_report_add(&w, "", 0, "") &&
	    launch_report_add(&w, "", 0, report != NULL ?
	    report->command : "report") && (report == NULL ||
	    report->option == NULL ||
	    launch_report_add(&w, "", 0, report->option)) &&
	    launch_report_add(&w, "", 0, "--");
	if (ok && first == 0)
		ok = launch_report_add(&w, "", 0, said + at);
	else if (ok)
		ok = add_segments(&w, said + at, first, last);
	if (!ok)
		log_warnx("no report: out of memory");
	else if (strcmp(w.word[w.n - 1], "--") != 0) {
		free(w.word[0]);
		caller_report(w.word);
		w.word[0] = NULL;
	}
	for (size_t i = 0; i < w.n; i++)
		free(w.word[i]);
	free(w.word);
}
