/*
 * postproc/pages/grace_report.c - which PMU of a Grace node saw which traffic.
 *
 * What a PMU sees depends on the kind of chip; the source is NVIDIA's guide, as in the
 * project's reference grace-arm 7.4.  The view config/page/node-grace.view has the
 * lines.
 */
#include "postproc/pages/report.h"

#include <math.h>
#include <string.h>

#define SHOWN_PKGS 4

/* The kinds of node: CPU Superchip, one Grace Hopper, several. */
enum { SUPERCHIP = 1, HOPPER = 2, HOPPERS = 4 };

/* The kinds that a line of the view is for. */
static unsigned
chips_of(const struct view_line *x)
{
	static const struct {
		const char *word;
		unsigned chips;
	} of[] = { { "superchip", SUPERCHIP }, { "hopper", HOPPER | HOPPERS },
	    { "hoppers", HOPPERS }, { "sockets", SUPERCHIP | HOPPERS } };

	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		if (strcmp(x->place, of[i].word) == 0)
			return of[i].chips;
	return SUPERCHIP | HOPPER | HOPPERS;
}

/* The next line of traffic behind `x` that is for some of these kinds. */
static const struct view_line *
grace_report_next_line(const struct page *p, unsigned chips,
    const struct view_line *x)
{
	while ((x = view_next(&p->view, VIEW_TRAFFIC, x)) != NULL &&
	    (chips_of(x) & chips) == 0)
		;
	return x;
}

bool
grace_is(const struct reader *r)
{
	return strcmp(head_text(r, HEAD_MODEL, ALONE, ""), "grace") == 0;
}

static bool
grace_report_counted(struct page *p, const char *metric)
{
	unsigned m;

	return page_bind(p, metric, &m);
}

static bool
seen(struct page *p, const char *metric)
{
	unsigned m;

	return page_bind(p, metric, &m) &&
	    page_figure(p, m, SCOPE_OF_NODE, 0).value > 0;
}

/* Traffic that shows the kind of node: of a GPU, between sockets, over a link. */
struct signs {
	bool gpu, sockets, link;
	char unknown[40];       /* PMUs and events that were not counted */
};

static struct signs
grace_report_look(struct page *p)
{
	const struct view_line *x = NULL;
	struct signs s = { .gpu = false };

	while ((x = view_next(&p->view, VIEW_SIGN, x)) != NULL) {
		bool *sign = strcmp(x->place, "gpu") == 0 ? &s.gpu :
		    strcmp(x->place, "link") == 0 ? &s.link : &s.sockets;
		size_t n = strlen(s.unknown);

		for (unsigned i = 0; i < x->nitem; i++) {
			*sign |= seen(p, x->item[i].metric);
			if (x->title[0] != '\0' && s.unknown[n] == '\0' &&
			    !grace_report_counted(p, x->item[i].metric))
				snprintf(s.unknown + n, sizeof s.unknown - n,
				    "%s%s", n > 0 ? ", " : "", x->title);
		}
	}
	return s;
}

/* The kind of node, by its traffic: dumps do not say it, as every kind has all PMUs. */
static unsigned
chip_of(struct page *p, const struct signs *s)
{
	if (p->gather.topo.npkg < 2)
		return s->gpu ? s->sockets ? HOPPERS : HOPPER :
		    s->sockets ? SUPERCHIP : HOPPER;
	return s->gpu || p->gather.topo.npkg > 2 ? HOPPERS : SUPERCHIP;
}

static const char *
chip_name(unsigned chip)
{
	return chip == SUPERCHIP ? "Grace CPU Superchip" : "Grace Hopper";
}

/* Writes why it was taken for that kind; "" where traffic of a GPU proves it. */
static const char *
why_chip(const struct page *p, unsigned chip, const struct signs *s, char *buf,
    size_t size)
{
	unsigned npkg = p->gather.topo.npkg;

	buf[0] = '\0';
	if (s->gpu)
		return buf;
	if (chip == SUPERCHIP && npkg < 2)
		snprintf(buf, size, "Memory of another socket is accessed: "
		    "taken for a CPU Superchip with one socket offline");
	else if (npkg > 2)
		snprintf(buf, size, "More than two sockets: taken for Grace "
		    "Hopper");
	else if (s->unknown[0] != '\0')
		snprintf(buf, size, "%s: taken for a %s; whether there is a "
		    "GPU is not known (not counted: %s)", npkg < 2 ?
		    "One socket" : "Two sockets", npkg < 2 ? "Grace Hopper" :
		    "CPU Superchip", s->unknown);
	else if (chip == SUPERCHIP)
		snprintf(buf, size, "Two sockets and no GPU's traffic: taken "
		    "for a CPU Superchip, where C2C1 and CNVLink see none");
	else if (!s->link)
		snprintf(buf, size, "One socket and no GPU's traffic: taken "
		    "for Grace Hopper, but one Grace alone looks the same");
	return buf;
}

/* Is anything counted that the page reports? */
static bool
any_counted(struct page *p)
{
	const struct view_line *x = NULL;

	while ((x = view_next(&p->view, VIEW_TRAFFIC, x)) != NULL)
		if (grace_report_counted(p, x->metric))
			return true;
	return false;
}

/* Says where not all root ports were counted. */
static void
put_ports(struct page *p, FILE *f)
{
	unsigned m;

	for (unsigned k = 0; k < p->gather.topo.npkg &&
	    page_bind(p, "pcie_root_ports", &m); k++) {
		double n = page_figure(p, m, SCOPE_OF_PACKAGE, k).value;

		if (n == 0)
			fprintf(f, "  PCIe of package %u: not the same root "
			    "ports for all events\n", k);
		else if (n < 10)
			fprintf(f, "  PCIe of package %u: %.0f of 10 root ports "
			    "are counted\n", k, n);
	}
}

/* Lists the devices of the root ports. */
static void
grace_report_put_devices(const struct reader *r, FILE *f)
{
	double n = head_number(r, HEAD_IO_DEVICES, ALONE, 0);

	for (unsigned i = 0; i < n && i < 64; i++) {
		double port = head_number(r, HEAD_IO_DEVICE_PART, AT(i), NAN);
		double pkg = head_number(r, HEAD_IO_DEVICE_PACKAGE, AT(i), NAN);

		if (port >= 0 && pkg >= 0)
			fprintf(f, "  PCIe: root port %.0f of package %.0f has "
			    "%s (%s)\n", port, pkg, head_text(r,
			    HEAD_IO_DEVICE_NAME, AT(i), "?"), head_text(r,
			    HEAD_IO_DEVICE_ADDRESS, AT(i), "?"));
	}
}

/* The length of a title without the number of its remark, " (1)". */
static int
title_width(const struct view_line *x)
{
	const char *mark = strstr(x->label, " (1)");

	return (int)(mark != NULL ? (size_t)(mark - x->label) :
	    strlen(x->label));
}

static bool
is_derived(const struct metric *m)
{
	return m->note != NULL && strncmp(m->note, "derived", 7) == 0;
}

/* Writes behind a figure whether it is derived, or only of a part. */
static void
put_kind(FILE *f, const struct bound *b, const char *gap)
{
	const char *word[] = { is_derived(b->metric) ? "derived" : "",
	    b->without != NULL ? "in part" : "" };

	fprintf(f, "%s%s%s%s\n", word[0][0] != '\0' || word[1][0] != '\0' ?
	    gap : "", word[0], word[0][0] != '\0' && word[1][0] != '\0' ?
	    ", " : "", word[1]);
}

/* Says which inputs the sums lack that are only of a part. */
static void
put_without(struct page *p, FILE *f, unsigned chip)
{
	const struct view_line *x = NULL;
	unsigned m;

	while ((x = grace_report_next_line(p, chip, x)) != NULL) {
		const struct bound *b;

		if (!page_bind(p, x->metric, &m))
			continue;
		b = &p->gather.binding.bound[m];
		if (b->without != NULL)
			fprintf(f, "  in part: %s is without %s\n", x->metric,
			    b->without);
	}
}

void
grace_print(struct page *p, FILE *f)
{
	unsigned npkg = p->gather.topo.npkg, m, chip;
	unsigned shown = npkg < 2 ? 0 : npkg < SHOWN_PKGS ? npkg : SHOWN_PKGS;
	const struct view_line *x = NULL;
	bool remark = false, marked;
	struct signs s;
	char why[160];

	if (!any_counted(p))
		return;
	s = grace_report_look(p);
	chip = chip_of(p, &s);
	fprintf(f, "\nTraffic, GB/s: %-37s", chip_name(chip));
	for (unsigned i = 0; i < shown; i++)
		fprintf(f, "%5s %-3u", "pkg", i);
	fprintf(f, "%8s\n", "node");
	while ((x = grace_report_next_line(p, chip, x)) != NULL) {
		if (!page_bind(p, x->metric, &m)) {
			if (x->title[0] != '\0')
				fprintf(f, "  %-8s%-42.*s not counted\n",
				    x->title, title_width(x), x->label);
			continue;
		}
		remark |= strstr(x->label, "(1)") != NULL;
		fprintf(f, "  %-8s%-42s", x->title, x->label);
		for (unsigned k = 0; k < shown; k++)
			if (!page_put(p, f, page_figure(p, m, SCOPE_OF_PACKAGE,
			    k), 8, 3))
				fputc(' ', f);
		marked = page_put(p, f, page_figure(p, m, SCOPE_OF_NODE, 0), 8,
		    3);
		put_kind(f, &p->gather.binding.bound[m], marked ? "" : " ");
	}
	put_without(p, f, chip);
	if (remark)
		fputs("  (1) strongly ordered writes are not in it: SCF has "
		    "them\n", f);
	if (why_chip(p, chip, &s, why, sizeof why)[0] != '\0')
		fprintf(f, "  %s\n", why);
	while (chip == HOPPER && (x = view_next(&p->view, VIEW_SIGN, x)) != NULL)
		if (x->note[0] != '\0' && x->nitem > 0 &&
		    grace_report_counted(p, x->item[0].metric))
			fprintf(f, "  %s\n", x->note);
	put_ports(p, f);
	grace_report_put_devices(p->gather.reader, f);
}

static void
put_remark(struct page *p, struct out *out, const char *title,
    const char *metric, const char *note)
{
	report_row(out, p, &(struct report_row){ .title = title,
	    .metric = metric, .scope = SCOPE_OF_NODE, .where = "",
	    .value = NAN, .unit = "", .note = note });
}

void
grace_rows(struct page *p, struct out *out)
{
	const struct view_line *x = NULL;
	struct signs s;
	unsigned chip, m;
	char why[160], note[200], title[80];

	if (!any_counted(p))
		return;
	s = grace_report_look(p);
	chip = chip_of(p, &s);
	why_chip(p, chip, &s, why, sizeof why);
	snprintf(note, sizeof note, "%s%s%s", chip_name(chip), why[0] != '\0' ?
	    ". " : "", why);
	put_remark(p, out, "traffic", "", note);
	while ((x = grace_report_next_line(p, chip, x)) != NULL) {
		snprintf(title, sizeof title, "%s%s%.*s", x->title,
		    x->title[0] != '\0' ? ": " : "", title_width(x), x->label);
		if (page_bind(p, x->metric, &m))
			report_rows(out, p, title, m,
			    p->gather.binding.bound[m].metric->note);
		else if (x->title[0] != '\0')
			put_remark(p, out, title, x->metric, "not counted");
	}
}
