/*
 * postproc/cmd_page.c - tally page: an HTML file of a dump; of several dumps a file
 * or a folder.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "postproc/commands.h"
#include "postproc/html/nodes.h"
#include "postproc/html/html_page.h"
#include "lib/array.h"
#include "lib/process.h"

static const char usage[] =
"usage: tally page [OPTION]... -o FILE.html|FOLDER/ FILE...\n"
"One HTML file: the report's figures, the node drawn, timelines, what tally check\n"
"finds, the head.  Of many nodes, a file each: who stands out, nodes against time,\n"
"the page of each; with -o FOLDER/ an index.html and a file a node.  It asks nothing\n"
"of any network; with scripts off, it is still pictures and tables.\n"
"      --buckets N       most points of a line; default: 500, fewer where one\n"
"                        file has the pages of more than 8 nodes\n"
"      --all METRIC,...  each sample of these is a point, whatever room that takes;\n"
"                        of others so many as --buckets says\n"
"      --events PATTERN  events, too: IOMMU0.FIRST_LOOKUPS, 'IOMMU0.*', several with\n"
"                        commas\n"
"      --view FILE       what the page shows, instead of @node (tally print @node)\n"
"      --series FILE     the numbers of all lines as CSV, beside the page\n"
METRICS_HELP
TOPOLOGY_HELP
DRAWING_HELP;

/* Bytes of all nodes' pages in one file, at most. */
#define MOST_EMBEDDED (48u << 20)

struct page_ask {
	struct common common;
	struct timeline_ask fine;       /* buckets 0: not given */
	struct patterns events;
	const char *series;
};

static int
cmd_page_put(struct out *out, void *what)
{
	return html_page_put(what, out_file(out));
}

static const struct view view = { .page = cmd_page_put };

/* Does the page have any metric of --all?  0; or -EINVAL with words in why. */
static int
has_every(const struct html_page *h, const struct page_ask *ask,
    struct diag *why)
{
	const struct timeline *t = &h->timeline;
	unsigned m = 0;

	while (m < t->nmetric && !timeline_every(t, m))
		m++;
	return ask->fine.every.n == 0 || m < t->nmetric ? 0 : diag_set(why,
	    -EINVAL, "--all %s: the page has no metric of that name (tally "
	    "metrics --list names them)", ask->fine.every.pattern[0]);
}

/* Read a dump: EXIT_OK, or with words in why. */
static int
read_page(struct html_page *h, const char *path, const struct page_ask *ask,
    struct diag *why)
{
	int rc;

	why->text[0] = '\0';
	rc = html_page_read(h, path, &ask->common.in, &ask->fine, why);
	if (rc == 0)
		rc = has_every(h, ask, why);
	if ((rc == 0 || rc == -ENODATA) && h->page.gather.intervals != NULL)
		intervals_complain(h->page.gather.intervals);
	if (rc < 0 && why->text[0] == '\0')
		diag_set(why, rc, rc == -ENODATA ? "%s: no two samples (with "
		    "-s: in its range)" : "%s: out of memory", path);
	return rc;
}

/* Writes the values of all lines as CSV.  Returns an exit status. */
static int
cmd_page_put_series(const struct page_ask *ask, const struct html_page *h)
{
	const struct outname at = { .path = ask->series,
	    .overwrite = ask->common.output.overwrite };
	struct diag why;
	struct out *out;

	if (out_open(&out, &at, format_named("csv"), "page", &why) < 0)
		return complain_why(&why);
	line_rows_put(h, out);
	return out_close(out, true, &why) < 0 ? complain_why(&why) : EXIT_OK;
}

static int
cmd_page_one_input(struct out *out, const char *path, void *asked)
{
	struct html_page *h = calloc(1, sizeof *h);
	const struct page_ask *ask = asked;
	struct diag why;
	int status = EXIT_OK;

	if (h == NULL)
		return complain("out of memory");
	if (read_page(h, path, asked, &why) < 0)
		status = complain_why(&why);
	else if (view_put(out, &view, h) < 0)
		status = complain("%s: out of memory", path);
	else if (ask->series != NULL)
		status = cmd_page_put_series(ask, h);
	html_page_fini(h);
	free(h);
	return status;
}

/* The page of many dumps, while they are read. */
struct many {
	const struct page_ask *ask;
	const char *folder;     /* NULL: one file */
	struct nodes nodes;
	struct nodes_lost lost;
	enum node_pages pages;
	size_t embedded;        /* bytes of nodes' pages that the one file will have */
};

/* Opens a file in the folder.  0 or -errno with words in why. */
static int
folder_file(const struct many *m, const char *name, struct outfile *o,
    struct diag *why)
{
	struct outname at = { .overwrite = m->ask->common.output.overwrite };
	char *path;
	int rc;

	if (asprintf(&path, "%s%s%s", m->folder, m->folder[strlen(m->folder) -
	    1] == '/' ? "" : "/", name) < 0)
		return diag_set(why, -ENOMEM, "out of memory");
	at.path = path;
	rc = outfile_open(o, &at, why);
	free(path);
	return rc;
}

static int
page_beside(const struct many *m, const struct nodes_node *d, struct html_page *h,
    struct diag *why)
{
	struct outfile o;
	int rc = folder_file(m, d->file, &o, why);

	if (rc < 0)
		return rc;
	o.error = html_page_put(h, o.f);
	return outfile_close(&o, true, why);
}

/* Keeps a node's page for the one file.  If all are too large, the file will have
 * none. */
static int
page_here(struct many *m, struct nodes_node *d, struct html_page *h)
{
	FILE *f = open_memstream(&d->page, &d->page_size);
	int rc;

	if (f == NULL)
		return -errno;
	rc = html_page_put(h, f);
	if (fclose(f) != 0 && rc == 0)
		rc = -ENOMEM;
	m->embedded += d->page_size;
	if (rc < 0 || m->embedded <= MOST_EMBEDDED)
		return rc;
	m->pages = PAGES_NONE;
	for (unsigned i = 0; i < m->nodes.n; i++) {
		free(m->nodes.node[i].page);
		m->nodes.node[i].page = NULL;
	}
	complain("pages of more than %u nodes are too much for one file, which "
	    "has none of them: -o FOLDER/ makes a file of each",
	    m->nodes.n - 1);
	return 0;
}

/* Reports a dump that cannot be read on stderr and on the page, and goes on. */
static int
cmd_page_lose(struct many *m, struct diag *why)
{
	char **text;

	complain_why(why);
	if (!array_room(&m->lost.text, m->lost.n, &m->lost.room,
	    sizeof *m->lost.text))
		return EXIT_FINDINGS;
	text = m->lost.text;
	if ((text[m->lost.n] = strdup(why->text)) != NULL)
		m->lost.n++;
	return EXIT_FINDINGS;
}

static int
one_node(struct many *m, const char *path, struct html_page *h)
{
	struct diag why;
	struct nodes_node *d;
	int rc;

	if (read_page(h, path, m->ask, &why) < 0)
		return cmd_page_lose(m, &why);
	if (nodes_take(&m->nodes, h, path) < 0)
		return complain("%s: out of memory", path);
	d = &m->nodes.node[m->nodes.n - 1];
	rc = m->pages == PAGES_BESIDE ? page_beside(m, d, h, &why) :
	    m->pages == PAGES_HERE ? page_here(m, d, h) : 0;
	return rc == 0 ? EXIT_OK : m->pages == PAGES_BESIDE ?
	    complain_why(&why) : complain("%s: out of memory", path);
}

/* Writes the page about all nodes.  EXIT_OK or EXIT_UNUSABLE. */
static int
cmd_page_put_all(struct many *m)
{
	struct outfile o;
	struct diag why;

	if (nodes_judge(&m->nodes) < 0)
		return complain("out of memory");
	if ((m->folder != NULL ? folder_file(m, "index.html", &o, &why) :
	    outfile_open(&o, &m->ask->common.output, &why)) < 0)
		return complain_why(&why);
	o.error = nodes_page_put(&m->nodes, m->pages, &m->lost, o.f);
	return outfile_close(&o, o.error == 0, &why) < 0 ? complain_why(&why) :
	    EXIT_OK;
}

/* Makes the folder, and checks, before any dump is read, that its index.html may be
 * written. */
static bool
folder_ready(const struct many *m)
{
	struct outfile o;
	struct diag why;

	if (mkdir(m->folder, 0777) < 0 && errno != EEXIST) {
		complain("%s: %s", m->folder, strerror(errno));
		return false;
	}
	if (folder_file(m, "index.html", &o, &why) < 0) {
		complain_why(&why);
		return false;
	}
	outfile_close(&o, false, &why);
	return true;
}

static int
many(const struct page_ask *ask, const char *folder)
{
	struct many m = { .ask = ask, .folder = folder,
	    .pages = folder != NULL ? PAGES_BESIDE : PAGES_HERE };
	struct html_page *h = calloc(1, sizeof *h);
	int status = EXIT_OK;

	if (h == NULL)
		return complain("out of memory");
	nodes_init(&m.nodes, (unsigned)ask->common.ninput);
	if (folder != NULL && !folder_ready(&m))
		status = EXIT_UNUSABLE;
	for (int i = 0; status < EXIT_UNUSABLE && i < ask->common.ninput; i++) {
		int s = one_node(&m, ask->common.input[i], h);

		html_page_fini(h);
		status = s > status ? s : status;
	}
	if (status < EXIT_UNUSABLE)
		status = m.nodes.n == 0 || cmd_page_put_all(&m) != EXIT_OK ?
		    EXIT_UNUSABLE : status;
	for (unsigned i = 0; i < m.lost.n; i++)
		free(m.lost.text[i]);
	free(m.lost.text);
	nodes_fini(&m.nodes);
	free(h);
	return status;
}

/* The folder that -o names: its path ends in "/", or is that of a folder; else NULL. */
static const char *
folder_of(const struct outname *name)
{
	struct stat sb;

	if (name->path == NULL || name->path[0] == '\0')
		return NULL;
	return name->path[strlen(name->path) - 1] == '/' ||
	    (stat(name->path, &sb) == 0 && S_ISDIR(sb.st_mode)) ? name->path :
	    NULL;
}

/* The default of timeline_ask.buckets: fewer if one file has many pages. */
static unsigned
usual_buckets(int ninput, const char *folder)
{
	return folder != NULL || ninput <= 8 ? TIMELINE_BUCKETS :
	    ninput < 40 ? 8 * TIMELINE_BUCKETS / (unsigned)ninput :
	    TIMELINE_BUCKETS / 5;
}

static bool
take_names(const struct command_option *o, void *to, char *arg)
{
	struct diag why;

	if (patterns_add(to, arg, &why) == 0)
		return true;
	complain("--%s: expected names of %s, with commas", o->name,
	    o->name[0] == 'a' ? "metrics" : "events");
	return false;
}

static bool
take_buckets(const struct command_option *o, void *to, char *arg)
{
	char *end;
	long n = strtol(arg, &end, 10);

	*(unsigned *)to = (unsigned)n;
	if (end != arg && *end == '\0' && n >= 2 && n <= 100000)
		return true;
	complain("--%s %s: expected a number from 2 to 100000", o->name, arg);
	return false;
}

/* One page, or one for each node. */
static int
page_of(const struct command_line *line, struct page_ask *ask)
{
	const char *folder;

	folder = folder_of(&ask->common.output);
	if (ask->fine.buckets == 0)
		ask->fine.buckets = usual_buckets(ask->common.ninput, folder);
	if (folder != NULL || ask->common.ninput > 1) {
		if (ask->series == NULL && ask->fine.every.n == 0)
			return many(ask, folder);
		complain("--all and --series are of one dump's page");
		return EXIT_USAGE;
	}
	if (ask->series != NULL && ask->common.output.path != NULL &&
	    strcmp(ask->series, ask->common.output.path) == 0) {
		complain("--series %s: that is the page", ask->series);
		return EXIT_USAGE;
	}
	return common_each(line, &ask->common, &view, ask);
}

#define INTO(member) offsetof(struct page_ask, member)

int
cmd_page(int argc, char **argv)
{
	static const struct command_option own[] = {
		{ "buckets", take_buckets, INTO(fine.buckets), false },
		{ "all", take_names, INTO(fine.every), false },
		{ "series", option_text, INTO(series), false },
		{ "events", take_names, INTO(events), false },
		{ "view", option_text, INTO(common.in.view), false },
		{ 0 }
	};
	static const struct command_line line = {
		.name = "page", .usage = usage, .own = own, .runs = true,
		.one = cmd_page_one_input,
	};
	struct page_ask ask = { .series = NULL };
	int status;

	if (!common_parse(&line, argc, argv, &ask.common, &ask))
		return ask.common.status;
	ask.common.in.events = ask.events.n > 0 ? &ask.events : NULL;
	/* evaluating frees much before sums without each batch are made */
	memory_large_apart(64 << 10);
	status = page_of(&line, &ask);
	common_fini(&ask.common);
	return status;
}
