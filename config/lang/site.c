/*
 * config/lang/site.c - parse a site's file about its own machines.
 */
#include "config/lang/site.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/folder.h"
#include "config/texts.h"
#include "regs/sideband.h"

#define MAX_GROUPS 64
#define MAX_WRITES 256          /* of one group */
#define SITE_SIZE (1024 * 1024)

struct site_parser {
	struct site *site;
	struct arena *arena;
	const struct soc_groups *groups;
	struct site_group *open;        /* the group whose lines these are */
	bool used;                      /* a group has relied on the ports */
	struct scan scan;
	struct diag *why;
};

static int
site_wrong(const struct site_parser *p, const char *what, struct word w)
{
	return diag_place(p->why, p->scan.at, what, WORD_ARG(w));
}

/* The next word as a number up to max. */
static int
site_number(struct site_parser *p, const char *what, uint64_t max,
    uint64_t *value)
{
	struct word w;

	if (!scan_word(&p->scan, &w))
		return diag_place(p->why, p->scan.at, "%s is missing", what);
	return scan_number(w, what, max, value, p->scan.at, p->why);
}

/* Parse a number that has to end the line. */
static int
setting(struct site_parser *p, const char *what, uint64_t max, uint64_t *value)
{
	int rc = site_number(p, what, max, value);

	return rc < 0 ? rc : scan_end(&p->scan, p->why);
}

static int
add_write(struct site_parser *p, struct site_write w)
{
	if (p->open->n == MAX_WRITES)
		return diag_place(p->why, p->scan.at, "more than %d writes in "
		    "a group", MAX_WRITES);
	p->open->write[p->open->n++] = w;
	return 0;
}

/* "w" PORT OFFSET VALUE [OPCODE] */
static int
parse_write(struct site_parser *p)
{
	const struct site *site = p->site;
	uint64_t port, offset, value, opcode = 0x01;
	struct place at = p->scan.at;
	struct word w;
	int rc;

	if ((rc = site_number(p, "port", 0xff, &port)) < 0 ||
	    (rc = site_number(p, "offset", UINT32_MAX, &offset)) < 0 ||
	    (rc = site_number(p, "value", UINT32_MAX, &value)) < 0)
		return rc;
	if (scan_word(&p->scan, &w) && (rc = scan_number(w, "opcode", 0xff,
	    &opcode, at, p->why)) < 0)
		return rc;
	if ((rc = scan_end(&p->scan, p->why)) < 0)
		return rc;
	if (port != site->counter_port && port != site->mux_port)
		return diag_place(p->why, at, "port 0x%02x is neither the "
		    "counters' (0x%02x) nor the muxes' (0x%02x); no other unit "
		    "is written.  If they are elsewhere, say so above: "
		    "soc_counter_port, soc_mux_port", (unsigned)port,
		    site->counter_port, site->mux_port);
	if (!chap_legal((uint32_t)offset))
		return diag_place(p->why, at, "offset 0x%x is not one that "
		    "Intel's driver lets a group of this SoC write (0x0, "
		    "0x8-0xb0, 0x3e80-0x3e98 and so on, in dwords)",
		    (unsigned)offset);
	if (!(opcode & 1))
		return diag_place(p->why, at, "opcode 0x%02x reads; one that "
		    "writes is odd (0x01)", (unsigned)opcode);
	p->open->starts |= port == site->counter_port &&
	    chap_is_command((uint32_t)offset);
	return add_write(p, (struct site_write){ (uint8_t)port,
	    (uint8_t)opcode, (uint32_t)offset, (uint32_t)value });
}

/* "event" COUNTER VALUE */
static int
parse_event(struct site_parser *p)
{
	uint64_t n, value;
	int rc = site_number(p, "counter", CHAP_COUNTERS - 1, &n);

	if (rc < 0 || (rc = setting(p, "value", UINT32_MAX, &value)) < 0)
		return rc;
	if (n >= p->open->group->nevent)
		return diag_place(p->why, p->scan.at, "%s has counters 0 to %u",
		    p->open->group->name, p->open->group->nevent - 1);
	return add_write(p, (struct site_write){ p->site->counter_port,
	    p->site->opcode | 1, CHAP_EVENT + (uint32_t)n * CHAP_STEP,
	    (uint32_t)value });
}

static int
parse_group(struct site_parser *p)
{
	struct site *site = p->site;
	const struct soc_group *g;
	struct word w;
	int rc;

	if (!scan_word(&p->scan, &w))
		return diag_place(p->why, p->scan.at, "which group?");
	if ((rc = scan_end(&p->scan, p->why)) < 0)
		return rc;
	if ((g = soc_group_find(p->groups, w)) == NULL)
		return site_wrong(p,
		    "there is no group \"%.*s\" (the names are in "
		    "config/groups)", w);
	if (site_find(site, g) != NULL)
		return site_wrong(p, "group %.*s is programmed twice", w);
	if (site->n == MAX_GROUPS)
		return site_wrong(p, "%.*s is one group too many", w);
	p->open = &site->group[site->n];
	*p->open = (struct site_group){ .group = g, .start = CHAP_RUN,
	    .line = p->scan.at.line, .write = arena_alloc(p->arena,
	    MAX_WRITES * sizeof(struct site_write)) };
	if (p->open->write == NULL)
		return -ENOMEM;
	p->used = true;
	site->n++;
	return 0;
}

static int
parse_in_group(struct site_parser *p, struct word w)
{
	uint64_t v;
	int rc;

	if (word_is(w, "w"))
		return parse_write(p);
	if (word_is(w, "event"))
		return parse_event(p);
	if (word_is(w, "start")) {
		if ((rc = setting(p, "start command", UINT32_MAX, &v)) == 0)
			p->open->start = (uint32_t)v;
		return rc;
	}
	if (!word_is(w, "end"))
		return site_wrong(p, "unknown word \"%.*s\"; in a group, right "
		    "would be w, event, start or end", w);
	if (p->open->n == 0)
		return diag_at(p->why, p->scan.at.file, p->open->line, "group "
		    "%s writes nothing, so it programs nothing",
		    p->open->group->name);
	p->open = NULL;
	return scan_end(&p->scan, p->why);
}

/* source = the rest of the line, which must be valid in a quoted string */
static int
parse_source(struct site_parser *p)
{
	struct word w;
	char *text;

	if (!scan_rest(&p->scan, &w))
		return diag_place(p->why, p->scan.at, "source of what?");
	if ((text = arena_strndup(p->arena, w.s, w.n)) == NULL)
		return -ENOMEM;
	p->site->source = text;
	for (; *text != '\0'; text++)
		if (*text == '"' || *text == '\\' || (*text & 0x80) != 0)
			*text = '\'';
	return 0;
}

static int
parse_interval(struct site_parser *p)
{
	char text[32], *end;
	struct word w;
	double v;

	if (!scan_word(&p->scan, &w) || w.n >= sizeof(text))
		return site_wrong(p, "how many seconds?%.*s",
		    (struct word){ "", 0 });
	memcpy(text, w.s, w.n);
	text[w.n] = '\0';
	v = strtod(text, &end);
	if (*end != '\0' || !(v > 0) || v > 60)
		return site_wrong(p, "soc_max_interval %.*s: seconds, up to 60",
		    w);
	p->site->max_interval = v;
	return scan_end(&p->scan, p->why);
}

static int
parse_flag(struct site_parser *p, const char *what, bool *flag)
{
	uint64_t v;
	int rc = setting(p, what, 1, &v);

	if (rc == 0)
		*flag = v != 0;
	return rc;
}

static int
parse_port(struct site_parser *p, struct word w)
{
	struct site *site = p->site;
	uint64_t v;
	int rc;

	/* the groups above were checked against the earlier settings */
	if (p->used)
		return site_wrong(p, "%.*s stands before the first group", w);
	if ((rc = setting(p, "value", 0xff, &v)) < 0)
		return rc;
	if (word_is(w, "soc_opcode")) {
		if (v & 1)
			return site_wrong(p,
			    "%.*s: the opcode that reads is even", w);
		site->opcode = (uint8_t)v;
		return 0;
	}
	/* coreboot: memory controllers, arbiter, power unit, C-unit */
	if (v <= 0x04 || v == 0x08)
		return site_wrong(p,
		    "%.*s: that is the port of a unit that must "
		    "not be written (memory, arbiter, power)", w);
	*(word_is(w, "soc_mux_port") ? &site->mux_port :
	    &site->counter_port) = (uint8_t)v;
	return 0;
}

static int
site_parse_line(struct site_parser *p)
{
	struct site *site = p->site;
	struct word w;

	scan_word(&p->scan, &w);        /* scan_line has seen to it */
	if (p->open != NULL)
		return parse_in_group(p, w);
	if (word_is(w, "group"))
		return parse_group(p);
	if (word_is(w, "source"))
		return parse_source(p);
	if (word_is(w, "soc_counter_port") || word_is(w, "soc_mux_port") ||
	    word_is(w, "soc_opcode"))
		return parse_port(p, w);
	if (word_is(w, "soc_max_interval"))
		return parse_interval(p);
	if (word_is(w, "soc_readback"))
		return parse_flag(p, "soc_readback", &site->readback);
	if (word_is(w, "soc_preprogrammed"))
		return parse_flag(p, "soc_preprogrammed",
		    &site->preprogrammed);
	if (word_is(w, "simulation")) {
		site->simulation = true;
		return scan_end(&p->scan, p->why);
	}
	return site_wrong(p,
	    "unknown word \"%.*s\"; right would be group, source, "
	    "soc_counter_port, soc_mux_port, soc_opcode, soc_max_interval, "
	    "soc_readback, soc_preprogrammed or simulation", w);
}

/* A site with the model's defaults; NULL: out of memory. */
static struct site *
site_new(const struct config *cfg)
{
	struct site *site = arena_alloc(cfg->arena, sizeof(*site));
	const struct soc *soc = cfg->model->soc;

	if (site != NULL)
		*site = (struct site){ .source = "",
		    .counter_port = soc->counter_port,
		    .mux_port = soc->mux_port, .opcode = soc->opcode,
		    .max_interval = soc->max_interval };
	return site;
}

int
site_parse(struct config *cfg, const char *file, const char *text, size_t size,
    struct diag *why)
{
	struct site *site = site_new(cfg);
	struct site_parser p = { .site = site, .arena = cfg->arena, .why = why };
	int rc;

	if ((rc = config_groups(cfg, why)) < 0)
		return rc;
	p.groups = cfg->groups;
	if (site == NULL || (site->file = arena_strndup(cfg->arena, file,
	    strlen(file))) == NULL || (site->group = arena_alloc(cfg->arena,
	    MAX_GROUPS * sizeof(site->group[0]))) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	scan_init(&p.scan, site->file, text, size);
	while ((rc = scan_line(&p.scan, why)) > 0)
		if ((rc = site_parse_line(&p)) < 0)
			return rc == -ENOMEM ? diag_set(why, rc,
			    "out of memory") : rc;
	if (rc == 0 && p.open != NULL)
		return diag_at(why, site->file, p.open->line, "group %s has "
		    "no end", p.open->group->name);
	if (rc == 0)
		cfg->site = site;
	return rc;
}

const struct site_group *
site_find(const struct site *site, const struct soc_group *group)
{
	for (unsigned i = 0; site != NULL && i < site->n; i++)
		if (site->group[i].group == group)
			return &site->group[i];
	return NULL;
}

/* Reads the site's file of this node into *text.  Returns its length, or -errno. */
static ssize_t
read_own(struct access *acc, const char *path, char **text)
{
	ssize_t n;

	if (acc == NULL)
		return -ENOENT;
	if ((*text = malloc(SITE_SIZE)) == NULL)
		return -ENOMEM;
	n = access_file(acc, path, 0, *text, SITE_SIZE);
	return n == SITE_SIZE ? -EFBIG : n;
}

/* Read the file of --site, or the node's own.  Returns 1 if the node has none. */
static int
site_load(const struct config *cfg, struct access *acc, const char *file,
    char **text, size_t *size, struct diag *why)
{
	const char *own = cfg->model->soc->site;
	ssize_t n;

	if (file != NULL)
		return text_load(file, TEXT_SITE, text, size, why);
	if ((n = read_own(acc, own, text)) < 0)
		return n == -ENOENT ? 1 : diag_set(why, (int)n, "%s: %s", own,
		    infile_error((int)n));
	*size = (size_t)n;
	return 0;
}

int
site_configure(struct config *cfg, struct access *acc, const char *file,
    bool preprogrammed, struct diag *why)
{
	const struct soc *soc = cfg->model->soc;
	const char *name = file;
	char *text = NULL;
	size_t size = 0;
	int rc;

	if (soc == NULL)
		return file == NULL && !preprogrammed ? 0 : diag_set(why,
		    -EINVAL, "--site and --soc-preprogrammed are for CPUs with "
		    "SoC counters; %s has none", cfg->model->title);
	if ((rc = config_groups(cfg, why)) < 0)
		return rc;
	if (name == NULL)
		name = soc->site;
	if ((rc = site_load(cfg, acc, file, &text, &size, why)) == 0)
		rc = used_add(&cfg->used, cfg->arena, name, text, size) < 0 ?
		    diag_set(why, -ENOMEM, "%s: out of memory", name) :
		    site_parse(cfg, name, text, size, why);
	else if (rc > 0)
		rc = (cfg->site = site_new(cfg)) != NULL ? 0 :
		    diag_set(why, -ENOMEM, "out of memory");
	free(text);
	if (rc == 0)
		cfg->site->preprogrammed |= preprogrammed;
	return rc;
}
