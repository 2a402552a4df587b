/*
 * postproc/cmd_live.c - tally live: figures of a tallyd that samples.
 */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/dump/store.h"
#include "postproc/commands.h"
#include "postproc/live/live_page.h"
#include "postproc/out/table.h"
#include "lib/process.h"

static const char usage[] =
"usage: tally live [OPTION]... [STORE]\n"
"Figures of a tallyd that samples: of the last interval, of the last minute, and\n"
"how they were before; without STORE those of the one that runs.  Keys: p n c l\n"
"d packages, NUMA nodes, cores, lprocs, devices; s sort, r reverse, f freeze,\n"
"arrows, q quit.\n"
"  -v, --view VIEW      package, numa, core, lproc or device; or what all of them\n"
"                       show, a file or @NAME (config/page/README)\n"
"  -n, --pages N        plain text, one page an interval, N of them\n"
"      --once           one\n"
"      --csv            a line an interval, of the view's last intervals\n"
METRICS_HELP
"  -h, --help\n";

struct live_ask {
	struct common common;
	struct live_page page;
	enum live_view view;
	uint64_t pages;         /* how many to print; 0: until it is ended */
	bool csv;
	uint64_t put;           /* lines of CSV so far */
	uint64_t made;          /* follow.made of the store that they are of */
};

static bool
take_pages(const struct command_option *o, void *to, char *arg)
{
	uint64_t *pages = to;
	char *end;

	(void)o;
	*pages = strtoull(arg, &end, 10);
	if (*arg >= '0' && *arg <= '9' && *end == '\0' && *pages > 0)
		return true;
	complain("-n %s: expected a number of pages", arg);
	return false;
}

static bool
take_once(const struct command_option *o, void *to, char *arg)
{
	(void)o, (void)arg;
	*(uint64_t *)to = 1;    /* live_ask.pages */
	return true;
}

/* Takes a view of the screen, or the text of what all of them show. */
static bool
take_view(const struct command_option *o, void *to, char *arg)
{
	enum live_view view = live_view_find(arg);
	struct live_ask *ask = to;

	if (view != LIVE_VIEWS)
		ask->view = view;
	else if (arg[0] == '@' || access(arg, F_OK) == 0)
		ask->common.in.view = arg;
	else {
		complain("no %s \"%s\": package, numa, core, lproc or device; "
		    "@NAME or a file", o->name, arg);
		return false;
	}
	return true;
}

#define INTO(member) offsetof(struct live_ask, member)

/* Parses the options.  Returns 0; or, if the command is over, its exit status + 1. */
static int
cmd_live_parse(struct live_ask *ask, int argc, char **argv)
{
	static const struct command_option own[] = {
		{ "view", take_view, 0, false },
		{ "pages", take_pages, INTO(pages), false },
		{ "once", take_once, INTO(pages), false },
		{ "csv", option_flag, INTO(csv), false },
		{ 0 }
	};
	static const struct command_line line = {
		.name = "live", .usage = usage, .own = own,
	};
	struct select select;

	if (!common_options(&line, argc, argv, &ask->common, ask))
		return ask->common.status + 1;
	if (argc - optind > 1) {
		complain("one store at a time: %s, or %s?", argv[optind],
		    argv[optind + 1]);
		return EXIT_USAGE + 1;
	}
	select = ask->page.follow.ask.select;
	ask->page.follow.ask = ask->common.in;
	ask->page.follow.ask.select = select;
	ask->page.follow.asked = argv[optind];
	return 0;
}

/* ---- lines of CSV ------------------------------------------------------ */

static void
cmd_live_put_names(const struct live_ask *ask)
{
	const struct binding *b = &ask->page.follow.gather.binding;

	fputs("sample,time,seconds", stdout);
	for (const struct live_table *t = ask->page.table; t != NULL;
	    t = t->next)
		for (unsigned i = 0; i < t->nrow * t->ncolumn; i++) {
			const struct live_cell *c = t->row[i / t->ncolumn]
			    .cell[i % t->ncolumn];
			char where[80], name[300];

			if (c == NULL)
				continue;
			window_name(b, &c->window, where, sizeof(where));
			snprintf(name, sizeof(name), where[0] != '\0' ?
			    "%s[%s]" : "%s", b->bound[c->bound].metric->name,
			    where);
			putchar(',');
			put_csv(stdout, name);
		}
	putchar('\n');
}

static void
cmd_live_put_line(struct live_page *p)
{
	struct live_ask *ask = p->of;
	const struct gather *g = &p->follow.gather;

	if (ask->pages > 0 && ask->put == ask->pages)
		return;
	/* another store may have other columns */
	if (ask->put++ == 0 || ask->made != p->follow.made)
		cmd_live_put_names(ask);
	ask->made = p->follow.made;
	printf("%" PRIu64 ",%.3f,%.6f", g->now.sample, g->wall_last,
	    g->now.seconds);
	for (const struct live_table *t = p->table; t != NULL; t = t->next)
		for (unsigned i = 0; i < t->nrow * t->ncolumn; i++) {
			const struct live_cell *c = t->row[i / t->ncolumn]
			    .cell[i % t->ncolumn];

			if (c == NULL)
				continue;
			putchar(',');
			if (!isnan(c->now.value) && !c->now.wrong)
				printf("%.9g", c->now.value);
		}
	putchar('\n');
}

/* ---- pages of plain text ----------------------------------------------- */

static void
cmd_live_put_page(struct live_ask *ask)
{
	struct live_look look = { .view = ask->view, .utf8 = terminal_utf8() };
	const char *columns = getenv("COLUMNS");
	unsigned height;

	if (!terminal_size(&look.width, &height))
		look.width = columns != NULL ? (unsigned)atoi(columns) : 100;
	if (look.width < LIVE_WIDTH || look.width > 1000)
		look.width = LIVE_WIDTH;
	live_draw(&ask->page, &look, stdout);
}

static int
cmd_live_text(struct live_ask *ask)
{
	struct live_page *p = &ask->page;
	uint64_t pages = 0;

	for (;;) {
		bool more = live_page_poll(p);

		if (p->follow.state == FOLLOW_NONE)
			return complain_why(&p->follow.why);
		if (!ask->csv && more && p->interval_count > 0) {
			if (pages++ > 0)
				putchar('\n');
			cmd_live_put_page(ask);
		}
		if (fflush(stdout) != 0)
			return complain("standard output: it cannot be "
			    "written");
		if (p->follow.state == FOLLOW_STALE)
			return ask->csv || pages == 0 ?
			    complain_why(&p->follow.why) : EXIT_FINDINGS;
		if (ask->pages > 0 && (ask->csv ? ask->put : pages) ==
		    ask->pages)
			return EXIT_OK;
		nap((unsigned)live_pause(p));
	}
}

static int
screen(struct live_ask *ask)
{
	struct terminal t;
	struct diag why;
	int sig;

	live_page_poll(&ask->page);
	if (ask->page.follow.state == FOLLOW_NONE)
		return complain_why(&ask->page.follow.why);
	if (terminal_open(&t, &why) < 0)
		return complain_why(&why);
	if ((sig = live_screen(&ask->page, &t, ask->view)) != 0)
		raise(sig);     /* now end by the signal */
	return EXIT_OK;
}

int
cmd_live(int argc, char **argv)
{
	struct live_ask ask = { .view = LIVE_PACKAGES };
	int status;

	live_page_init(&ask.page, NULL, 0);
	if ((status = cmd_live_parse(&ask, argc, argv)) != 0)
		return status - 1;
	if (ask.csv || ask.pages > 0) {
		ask.page.views = 1u << ask.view;
		if (ask.csv) {
			ask.page.all = true;
			ask.page.interval = cmd_live_put_line;
			ask.page.of = &ask;
			/* begin with the last interval: two samples */
			ask.page.follow.ask.select.first = (struct select_end){
			    .kind = END_LAST, .n = 2 };
		}
		status = cmd_live_text(&ask);
	} else {
		ask.page.views = (1u << LIVE_VIEWS) - 1;
		status = screen(&ask);
	}
	/* if its daemon has ended, complain of the store as other commands do */
	if (ask.page.follow.open && !store_alive(ask.page.follow.path))
		intervals_complain(ask.page.follow.gather.intervals);
	live_page_fini(&ask.page);
	return status;
}
