/*
 * topology/discovery.c - finds and reads discovery tables (reference
 * intel-server-pmon 9.1; what can be wrong with them: 9.5).
 */
#include "topology/discovery.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

#define ALL_ONES 0xffffffffu
#define FIRST_CAPABILITY 0x100
#define MAX_CAPABILITIES 480    /* headers that 3840 bytes can hold */
#define CAPABILITY_DVSEC 0x23
#define DVSEC_PMON 1            /* of vendor 8086 */
#define MAX_TABLE 0x80000       /* bytes, where the BAR's size is not known */
#define IOMEM_SIZE (256 * 1024)
#define MAX_REACH 0x180         /* bytes from a box control to its last register */

static int discovery_none(struct discovery_site *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Notes why there is no table at this site; returns -1. */
static int
discovery_none(struct discovery_site *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->no_table, sizeof(s->no_table), fmt, ap);
	va_end(ap);
	return -1;
}

/* Reads a dword of the function's config space; 0, or -1 with no_table. */
static int
config(struct discovery_site *s, struct access *acc, unsigned offset,
    uint32_t *value)
{
	struct reg_addr addr = { REG_PCI, 4, PCI_UNIT(s->at.seg, s->at.bus,
	    PCI_DEVFN(s->at.dev, s->at.fn)), offset };
	uint64_t raw;
	int rc = access_read(acc, &addr, &raw);

	*value = (uint32_t)raw;
	if (rc == -EACCES)
		return discovery_none(s,
		    "the kernel shows only the first bytes of its "
		    "config space: run tallyd with CAP_SYS_ADMIN (root outside "
		    "a container has it)");
	return rc < 0 ? discovery_none(s, "config space at 0x%x: %s", offset,
	    strerror(-rc)) : 0;
}

/* The offset of the capability that describes a table, or -1 with no_table. */
static int
find_capability(struct discovery_site *s, struct access *acc)
{
	unsigned at = FIRST_CAPABILITY;
	uint32_t head, vendor, id;

	for (unsigned i = 0; i < MAX_CAPABILITIES && at >= FIRST_CAPABILITY;
	    i++) {
		if (config(s, acc, at, &head) < 0)
			return -1;
		if (head == 0 || head == ALL_ONES)
			break;
		/* CXL and other vendors use the same capability id */
		if ((head & 0xffff) == CAPABILITY_DVSEC && at <= 0xff0) {
			if (config(s, acc, at + 4, &vendor) < 0 ||
			    config(s, acc, at + 8, &id) < 0)
				return -1;
			if ((vendor & 0xffff) == 0x8086 &&
			    (id & 0xffff) == DVSEC_PMON) {
				s->revision = vendor >> 16 & 0xf;
				return (int)at;
			}
		}
		at = head >> 20 & 0xffc;
	}
	return discovery_none(s,
	    "it has no capability that leads to a discovery table "
	    "(DVSEC of vendor 8086, id 1)");
}

/* The size of its BAR by sysfs, or 0. */
static uint64_t
bar_size(const struct discovery_site *s, struct access *acc, unsigned bir)
{
	uint64_t start, end;
	char text[1024];
	const char *line = text;

	if (function_text(acc, &s->at, "resource", text, sizeof(text)) <= 0)
		return 0;
	for (; bir > 0 && line != NULL; bir--)
		if ((line = strchr(line, '\n')) != NULL)
			line++;
	if (line == NULL || sscanf(line, "%" SCNx64 " %" SCNx64, &start,
	    &end) != 2 || end <= start)
		return 0;
	return end - start + 1;
}

/* Finds the table's address and how long it can be at most. */
static int
find_memory(struct discovery_site *s, struct access *acc, unsigned capability,
    uint64_t *room)
{
	uint32_t where, command, low, high = 0;
	unsigned bir, bar;

	if (config(s, acc, capability + 0xc, &where) < 0 ||
	    config(s, acc, 4, &command) < 0)
		return -1;
	bir = where & 7;
	bar = 0x10 + 4 * bir;
	if (where >> 3 != 0)
		return discovery_none(s,
		    "its capability names offset 0x%x of BAR%u: "
		    "only tables at a BAR's start are known", where & ~7u, bir);
	if (bir > 5)
		return discovery_none(s,
		    "its capability names BAR%u, which no function "
		    "has", bir);
	if (config(s, acc, bar, &low) < 0 || ((low & 6) == 4 && bir < 5 &&
	    config(s, acc, bar + 4, &high) < 0))
		return -1;
	s->address = (uint64_t)high << 32 | (low & ~0xfu);
	if (low == ALL_ONES || s->address == 0)
		return discovery_none(s,
		    "BAR%u is %08x: firmware did not set it up", bir, low);
	if ((low & 1) != 0 || ((low & 6) != 0 && (low & 6) != 4) ||
	    ((low & 6) == 4 && bir == 5))
		return discovery_none(s,
		    "BAR%u is %08x, which is not of memory", bir, low);
	if ((command & 2) == 0)
		return discovery_none(s,
		    "its memory is switched off (bit 1 of its "
		    "command register)");
	*room = bar_size(s, acc, bir);
	if (*room == 0 || *room > MAX_TABLE * 4)
		*room = MAX_TABLE;
	return 0;
}

/* Reads n bytes of the table, beginning with byte `from`, by dwords: wider reads
 * are reported to return wrong data. */
static int
read_bytes(struct discovery_site *s, struct access *acc, size_t from, size_t to)
{
	uint64_t raw;
	int rc;

	for (size_t i = from; i + 4 <= to; i += 4) {
		struct reg_addr addr = { REG_MMIO, 4, 0, s->address + i };

		if ((rc = access_read(acc, &addr, &raw)) < 0)
			return discovery_none(s,
			    "0x%" PRIx64 ": /dev/mem: %s%s",
			    addr.offset, strerror(-rc), rc == -EPERM ?
			    " (lockdown, or boot with iomem=relaxed)" : "");
		for (unsigned b = 0; b < 4; b++)
			s->bytes[i + b] = (uint8_t)(raw >> 8 * b);
		s->size = i + 4;
	}
	return 0;
}

/* Reads one table.  0, -1 with no_table, or -ENOMEM. */
static int
read_table(struct discovery_site *s, struct access *acc, uint64_t room)
{
	uint8_t *more;
	struct diag why;
	size_t whole;
	int rc;

	if (room < DISCOVERY_ENTRY)
		return discovery_none(s,
		    "its BAR has %" PRIu64 " bytes, and the head "
		    "of a table %u", room, DISCOVERY_ENTRY);
	if ((s->bytes = malloc(DISCOVERY_ENTRY)) == NULL)
		return -ENOMEM;
	if (read_bytes(s, acc, 0, DISCOVERY_ENTRY) < 0)
		return -1;
	if (discovery_size(s->bytes, &whole, &why) < 0)
		return discovery_none(s, "%s", why.text);
	if (whole > room)
		whole = room;
	if (whole < DISCOVERY_ENTRY)
		whole = DISCOVERY_ENTRY;
	if ((more = realloc(s->bytes, whole)) == NULL)
		return -ENOMEM;
	s->bytes = more;
	if (read_bytes(s, acc, DISCOVERY_ENTRY, whole) < 0)
		return -1;
	rc = discovery_parse(&s->table, s->bytes, s->size, &why);
	return rc == -EINVAL ? discovery_none(s, "%s", why.text) : rc;
}

/* What owns a range of /proc/iomem in which no box can be: "System RAM", or another
 * PCI function.  NULL: a box may be there. */
static const char *
others_memory(const struct discovery_site *s, const char *line, char *buf,
    size_t size)
{
	struct function f;
	const char *label = line + strcspn(line, ":\n");

	if (strncmp(label, ": System RAM", 12) == 0)
		return "RAM";
	if (sscanf(label, ": %4x:%2x:%2x.%1x", &f.seg, &f.bus, &f.dev,
	    &f.fn) != 4 || (f.seg == s->at.seg && f.bus == s->at.bus))
		return NULL;
	snprintf(buf, size, "memory of PCI function %04x:%02x:%02x.%x",
	    f.seg & 0xffff, f.bus & 0xff, f.dev & 0x1f, f.fn & 7);
	return buf;
}

/* Drops units whose registers would lie in memory of something else, where a write
 * would do harm.  Lines are like "100000000-87fffffff : System RAM"; only root sees
 * the addresses. */
static int
drop_elsewhere(struct discovery_site *s, const char *iomem)
{
	const char *whose;
	uint64_t first, last;
	char buf[64];
	int rc = 0;

	for (const char *line = iomem; line != NULL && rc == 0;
	    line = strchr(line, '\n')) {
		line += *line == '\n';
		if (sscanf(line, " %" SCNx64 "-%" SCNx64 " : ", &first,
		    &last) != 2 || last == 0 ||
		    (whose = others_memory(s, line, buf, sizeof(buf))) == NULL)
			continue;
		for (unsigned k = s->table.n; k-- > 0 && rc == 0;) {
			const struct discovered *u = &s->table.unit[k];

			if (u->space == REG_MMIO && u->box_ctl <= last &&
			    u->box_ctl + MAX_REACH >= first)
				rc = discovery_drop(&s->table, k, "0x%" PRIx64
				    " is in %s", u->box_ctl, whose);
		}
	}
	return rc;
}

/* Is its bus behind a bridge?  A package's own functions are on root buses. */
static bool
is_behind(struct access *acc, const struct function *bridge,
    const struct function *of)
{
	struct reg_addr buses = { REG_PCI, 4, PCI_UNIT(bridge->seg, bridge->bus,
	    PCI_DEVFN(bridge->dev, bridge->fn)), 0x18 };
	unsigned class;
	uint64_t raw;

	return bridge->seg == of->seg &&
	    function_number(acc, bridge, "class", &class) &&
	    class >> 8 == 0x0604 && access_read(acc, &buses, &raw) == 0 &&
	    (uint32_t)raw != ALL_ONES && of->bus >= (raw >> 8 & 0xff) &&
	    of->bus <= (raw >> 16 & 0xff);
}

/*
 * Is it a package's function?  GPUs have such a function, too, with a table of their
 * own or powered down, as device 0 of a bus behind bridges.  Device 0 of a package's
 * bus is its memory map (8086:09a2); its discovery devices are 3 and above.  0, or -1
 * with no_table, and then nothing of it is read.
 */
static int
is_of_package(struct discovery_site *s, struct access *acc,
    const struct functions *functions)
{
	if (s->at.dev == 0)
		return discovery_none(s,
		    "it is of another device, a GPU perhaps, not of "
		    "a package (device 0 of its bus): never read, never mapped");
	for (unsigned i = 0; i < functions->n; i++) {
		const struct function *f = &functions->f[i];

		if (is_behind(acc, f, &s->at))
			return discovery_none(s,
			    "it is of another device, a GPU perhaps, "
			    "not of a package (behind bridge %04x:%02x:%02x.%x)"
			    ": never read, never mapped", f->seg & 0xffff,
			    f->bus, f->dev, f->fn);
	}
	return 0;
}

static int
load_site(struct discovery_site *s, const struct topo *topo, struct access *acc,
    const struct functions *functions, const char *iomem)
{
	uint64_t room = 0;
	int capability, rc;

	s->foreign = is_of_package(s, acc, functions) < 0;
	if (s->foreign)
		return 0;
	s->pkg = bus_list_package(topo, acc, functions, &s->at);
	if ((capability = find_capability(s, acc)) < 0 ||
	    find_memory(s, acc, (unsigned)capability, &room) < 0)
		return 0;
	if (s->revision != 0)
		snprintf(s->note, sizeof(s->note), "its capability has "
		    "revision %u, read as revision 0", s->revision);
	if ((rc = read_table(s, acc, room)) == -ENOMEM)
		return rc;
	return rc == 0 ? drop_elsewhere(s, iomem) : 0;
}

static int
add_site(struct discovery *d, const struct function *f, unsigned *room)
{
	struct discovery_site *more;

	if (!array_room(&d->site, d->n, room, sizeof(*d->site)))
		return -ENOMEM;
	more = d->site;
	memset(&more[d->n], 0, sizeof(*more));
	more[d->n].pkg = -1;
	more[d->n++].at = *f;
	return 0;
}

int
discovery_load(struct discovery *d, const struct topo *topo,
    struct access *acc, struct diag *why)
{
	struct functions functions = { .n = 0 };
	char *iomem = malloc(IOMEM_SIZE);
	unsigned room = 0;
	int rc = iomem == NULL ? -ENOMEM : functions_load(&functions, acc);

	memset(d, 0, sizeof(*d));
	if (rc == 0 && access_slurp(acc, "/proc/iomem", iomem, IOMEM_SIZE) < 0)
		iomem[0] = '\0';
	for (unsigned i = 0; rc == 0 && i < functions.n; i++) {
		const struct function *f = &functions.f[i];
		unsigned vendor, device;

		if (function_number(acc, f, "vendor", &vendor) &&
		    vendor == 0x8086 &&
		    function_number(acc, f, "device", &device) &&
		    device == DISCOVERY_DEVICE)
			rc = add_site(d, f, &room);
	}
	for (unsigned i = 0; rc == 0 && i < d->n; i++)
		rc = load_site(&d->site[i], topo, acc, &functions, iomem);
	functions_free(&functions);
	free(iomem);
	return rc < 0 ? diag_set(why, rc, "out of memory") : 0;
}

void
discovery_unload(struct discovery *d)
{
	if (d == NULL)
		return;
	for (unsigned i = 0; i < d->n; i++) {
		free(d->site[i].bytes);
		discovery_free(&d->site[i].table);
	}
	free(d->site);
	memset(d, 0, sizeof(*d));
}

bool
discovery_words(const struct discovery_site *s, unsigned k, uint64_t word[3],
    size_t *offset)
{
	size_t at = (size_t)k * s->table.stride * 8;

	if (s->no_table[0] != '\0' || k > s->table.max_units ||
	    at + DISCOVERY_ENTRY > s->size)
		return false;
	for (unsigned w = 0; w < 3; w++) {
		word[w] = 0;
		for (unsigned b = 0; b < 8; b++)
			word[w] |= (uint64_t)s->bytes[at + 8 * w + b] << 8 * b;
	}
	if (offset != NULL)
		*offset = at;
	return true;
}
