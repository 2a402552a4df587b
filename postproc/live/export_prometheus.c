/*
 * postproc/live/export_prometheus.c - pages for Prometheus: served over HTTP, written to
 * the folder of node_exporter's textfile collector, or one page on standard output.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "postproc/live/exporters.h"
#include "postproc/live/http.h"
#include "postproc/live/sockets.h"

#define TEXTFILE "tallyd.prom"
#define FRESH 0.1               /* s for which a page is served again */

/* ---- a page as text ----
 *
 * Values have no timestamps: with the time of the sample, a series would lie between the
 * scrapes, and the window of a rate could miss it.
 */

/* The value of HTTP's Content-Type for each format. */
static const char *const prometheus_types[] = {
	"text/plain; version=0.0.4; charset=utf-8",
	"application/openmetrics-text; version=1.0.0; charset=utf-8",
};

struct page_of {
	FILE *f;
	enum prometheus_format format;
};

static void
prometheus_put_escaped(FILE *f, const char *s, bool quotes)
{
	for (; *s != '\0'; s++)
		if (*s == '\n')
			fputs("\\n", f);
		else if (*s == '\\' || (*s == '"' && quotes))
			fprintf(f, "\\%c", *s);
		else
			putc(*s, f);
}

static void
prometheus_put_group(void *to, const struct exposed_group *g)
{
	const struct page_of *p = to;
	/* in the older format HELP and TYPE have the full name of the series */
	const char *total = g->counter && p->format == PROMETHEUS_TEXT ?
	    "_total" : "";

	fprintf(p->f, "# HELP %s%s ", g->name, total);
	prometheus_put_escaped(p->f, g->help,
	    p->format == PROMETHEUS_OPENMETRICS);
	fprintf(p->f, "\n# TYPE %s%s %s\n", g->name, total,
	    g->counter ? "counter" : "gauge");
	if (p->format == PROMETHEUS_OPENMETRICS && g->unit[0] != '\0')
		fprintf(p->f, "# UNIT %s %s\n", g->name, g->unit);
}

static void
prometheus_put_value(void *to, const struct exposed_group *g,
    const struct exposed_labels *l, double v)
{
	const struct page_of *p = to;

	fprintf(p->f, "%s%s", g->name, g->counter ? "_total" : "");
	for (unsigned i = 0; i < l->n; i++) {
		fprintf(p->f, "%c%s=\"", i == 0 ? '{' : ',', l->key[i]);
		prometheus_put_escaped(p->f, l->value[i], true);
		putc('"', p->f);
	}
	if (l->n > 0)
		putc('}', p->f);
	/* doubles are exact for whole numbers up to 2^53 */
	if (v == floor(v) && fabs(v) < 9007199254740992.0)
		fprintf(p->f, " %.0f\n", v);
	else
		fprintf(p->f, " %.15g\n", v);
}

void
prometheus_put(struct exposed *x, enum prometheus_format format, FILE *f)
{
	struct page_of p = { f, format };

	expose(x, &(struct exposer){ .to = &p, .group = prometheus_put_group,
	    .value = prometheus_put_value });
	if (format == PROMETHEUS_OPENMETRICS)
		fputs("# EOF\n", f);
}

/* ---- pages in memory ---- */

static int
export_prometheus_complain(const char *text)
{
	fprintf(stderr, "tally: %s\n", text);
	return 2;
}

static bool
make_page(struct exposed *x, enum prometheus_format format, char **text,
    size_t *size)
{
	FILE *f = open_memstream(text, size);

	if (f == NULL)
		return false;
	prometheus_put(x, format, f);
	if (fclose(f) == 0 && *text != NULL)
		return true;
	free(*text);
	*text = NULL;
	return false;
}

/* ---- HTTP -------------------------------------------------------------------- */

/* The last page of each format.  Clients that ask within FRESH seconds get the same page,
 * so that many clients cost little more than one. */
struct pages {
	struct exposed *x;
	struct http_page *page[2];
	double made[2];         /* CLOCK_MONOTONIC, s */
};

static int
page(void *of, const struct http_request *asked, struct http_page **out)
{
	struct pages *ps = of;
	enum prometheus_format format = strstr(asked->accept,
	    "application/openmetrics-text") != NULL ? PROMETHEUS_OPENMETRICS :
	    PROMETHEUS_TEXT;
	struct http_page **p = &ps->page[format];
	double now = follow_clock(CLOCK_MONOTONIC);
	char *text;
	size_t size;

	if (strcmp(asked->path, "/metrics") != 0 && strcmp(asked->path, "/") != 0)
		return -ENOENT;
	if (*p == NULL || now - ps->made[format] > FRESH) {
		http_page_free(*p);
		*p = make_page(ps->x, format, &text, &size) ?
		    http_page_new(text, size, prometheus_types[format]) : NULL;
		ps->made[format] = now;
	}
	if (*p == NULL)
		return -ENOMEM;
	(*p)->users++;
	*out = *p;
	return 0;
}

/* Follows the store between requests, so that short segments are seen. */
static int
export_prometheus_idle(void *of)
{
	const struct pages *ps = of;

	follow_poll(&ps->x->follow);
	return (int)(export_pause(ps->x) * 1e3);
}

static int
export_prometheus_serve(struct export_ask *ask)
{
	struct pages pages = { .x = &ask->x };
	const struct http http = { page, export_prometheus_idle, &pages,
	    ask->host };
	struct diag why;
	char where[160];
	int fd = http_listen(ask->listen, ask->public, &why), rc;

	if (fd == -EINVAL || fd == -EPERM)
		return export_prometheus_complain(why.text), EX_USAGE;
	if (fd < 0)
		return export_prometheus_complain(why.text);
	follow_poll(&ask->x.follow);
	if (ask->x.follow.state == FOLLOW_NONE)
		fprintf(stderr, "tally: %s; waiting for it\n",
		    ask->x.follow.why.text);
	fprintf(stderr, "tally: serving %s\n", http_address(fd, where,
	    sizeof(where)));
	rc = http_serve(fd, &http);
	http_page_free(pages.page[PROMETHEUS_TEXT]);
	http_page_free(pages.page[PROMETHEUS_OPENMETRICS]);
	close(fd);
	if (ask->listen[0] == '/')
		unlink(ask->listen);
	return rc < 0 ? export_prometheus_complain(strerror(-rc)) : 0;
}

/* ---- files ------------------------------------------------------------------- */

/* Writes the file by rename, so that the collector never sees half of it. */
static int
write_file(struct export_ask *ask)
{
	char *text = NULL;
	size_t size;
	int dir = open(ask->textfile, O_PATH | O_DIRECTORY | O_CLOEXEC), fd = -1;
	const char *name = "." TEXTFILE ".new";
	bool good = dir >= 0 && make_page(&ask->x, PROMETHEUS_TEXT, &text,
	    &size);
	int err;

	if (good) {
		unlinkat(dir, name, 0);
		fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL |
		    O_NOFOLLOW | O_CLOEXEC, 0644);
	}
	good = fd >= 0 && write(fd, text, size) == (ssize_t)size &&
	    renameat(dir, name, dir, TEXTFILE) == 0;
	err = good ? 0 : errno != 0 ? errno : ENOSPC;
	if (fd >= 0)
		close(fd);
	if (!good && dir >= 0)
		unlinkat(dir, name, 0);
	if (dir >= 0)
		close(dir);
	free(text);
	return -err;
}

static int
export_prometheus_keep_file(struct export_ask *ask)
{
	const struct follow *f = &ask->x.follow;
	int rc, told = 0;

	do {
		errno = 0;
		rc = write_file(ask);
		if (rc < 0 && rc != told)
			fprintf(stderr, "tally: %s/" TEXTFILE ": %s\n",
			    ask->textfile, strerror(-rc));
		told = rc;
	} while (!ask->once && export_wait(&ask->x, ask->every > 0 ?
	    ask->every : f->open && f->every > 1 ? f->every : 1));
	/* remove the file at the end: a missing file is better than a stale one */
	if (!ask->once && rc == 0) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/" TEXTFILE, ask->textfile);
		unlink(path);
	}
	return rc < 0 ? 2 : 0;
}

static int
export_prometheus_run(struct export_ask *ask)
{
	if (ask->textfile != NULL)
		return export_prometheus_keep_file(ask);
	if (ask->listen != NULL)
		return export_prometheus_serve(ask);
	prometheus_put(&ask->x, PROMETHEUS_OPENMETRICS, stdout);
	if (ask->x.follow.state != FOLLOW_LIVE)
		return export_prometheus_complain(ask->x.follow.why.text);
	return 0;
}

const struct exporter export_prometheus = {
	.name = "prometheus", .run = export_prometheus_run,
	.options = { "listen", "public", "host", "textfile" },
	.what = "Prometheus and what reads the same, VictoriaMetrics and others",
};
