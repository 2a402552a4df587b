/*
 * postproc/live/export_prometheus.c - pages for Prometheus: over HTTP, into the
 * folder of node_exporter's textfile collector, or one to standard output.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postproc/live/exporters.h"
#include "postproc/live/http.h"
#include "postproc/live/prometheus.h"

#define TEXTFILE "tallyd.prom"

static int
complain(const char *text)
{
	fprintf(stderr, "tally: %s\n", text);
	return 2;
}

static bool
make_page(struct exposed *x, enum prometheus_format format,
    struct http_page *out)
{
	FILE *f = open_memstream(&out->text, &out->size);

	if (f == NULL)
		return false;
	prometheus_put(x, format, f);
	out->type = prometheus_types[format];
	return fclose(f) == 0;
}

static bool
page(void *of, const char *path, const char *accept, struct http_page *out)
{
	return (strcmp(path, "/metrics") == 0 || strcmp(path, "/") == 0) &&
	    make_page(of, strstr(accept, "application/openmetrics-text") !=
	    NULL ? PROMETHEUS_OPENMETRICS : PROMETHEUS_TEXT, out);
}

static int
serve(struct export_ask *ask)
{
	const struct http http = { page, &ask->x };
	struct diag why;
	char where[160];
	int fd = http_listen(ask->listen, ask->public, &why), rc;

	if (fd < 0)
		return complain(why.text);
	follow_poll(&ask->x.follow);
	if (ask->x.follow.state == FOLLOW_NONE)
		fprintf(stderr, "tally: %s; waiting for it\n",
		    ask->x.follow.why.text);
	fprintf(stderr, "tally: serving %s\n", http_address(fd, where,
	    sizeof(where)));
	rc = http_serve(fd, &http);
	close(fd);
	if (ask->listen[0] == '/')
		unlink(ask->listen);
	return rc < 0 ? complain(strerror(-rc)) : 0;
}

/* By rename: the collector never sees half of it. */
static int
write_file(struct export_ask *ask)
{
	struct http_page p = { .text = NULL };
	int dir = open(ask->textfile, O_PATH | O_DIRECTORY | O_CLOEXEC), fd = -1;
	const char *name = "." TEXTFILE ".new";
	bool good = dir >= 0 && make_page(&ask->x, PROMETHEUS_TEXT, &p);
	int err;

	if (good) {
		unlinkat(dir, name, 0);
		fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL |
		    O_NOFOLLOW | O_CLOEXEC, 0644);
	}
	good = fd >= 0 && write(fd, p.text, p.size) == (ssize_t)p.size &&
	    renameat(dir, name, dir, TEXTFILE) == 0;
	err = good ? 0 : errno != 0 ? errno : ENOSPC;
	if (fd >= 0)
		close(fd);
	if (!good && dir >= 0)
		unlinkat(dir, name, 0);
	if (dir >= 0)
		close(dir);
	free(p.text);
	return -err;
}

static int
keep_file(struct export_ask *ask)
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
	} while (!ask->once && export_wait(ask->every > 0 ? ask->every :
	    f->open && f->every > 1 ? f->every : 1));
	/* not there is better than never changing */
	if (!ask->once && rc == 0) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/" TEXTFILE, ask->textfile);
		unlink(path);
	}
	return rc < 0 ? 2 : 0;
}

static int
run(struct export_ask *ask)
{
	if (ask->textfile != NULL)
		return keep_file(ask);
	if (ask->listen != NULL)
		return serve(ask);
	prometheus_put(&ask->x, PROMETHEUS_OPENMETRICS, stdout);
	if (ask->x.follow.state != FOLLOW_LIVE)
		return complain(ask->x.follow.why.text);
	return 0;
}

const struct exporter export_prometheus = {
	.name = "prometheus", .run = run, .options = "lPT",
	.what = "Prometheus and what reads the same, VictoriaMetrics and others",
};
