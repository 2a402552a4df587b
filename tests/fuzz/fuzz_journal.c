/*
 * tests/fuzz/fuzz_journal.c - any bytes as a journal, put back on a simulated node:
 * nothing is written but control registers of the model's tables, and only by
 * records that are whole.  With libFuzzer; seeds in seeds/journal.
 *
 *   input = flags { line }
 *   flags   1: --force  2: all that follows is the file  4: no end  8: the head
 *           tells of one more  16: each record once
 *   line    begins with "!": as it stands; else a record, whose number and
 *           checksum are put
 *
 * Some thousand a second: a file is made, locked, read, and removed or synced.
 */
#include "config/sim/machine.h"
#include "daemon/node/journal.h"
#include "daemon/log.h"
#include "regs/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FORCE = 1, RAW = 2, CUT = 4, MORE = 8, ONCE = 16 };
#define CONTROLS 4096

static struct {
	struct node node;
	struct access_ops ops;
	int (*write)(struct access *, const struct reg_addr *, uint64_t);
	uint64_t writes;
	struct { struct reg_addr addr; uint64_t was; } undo[256];
	/* of the tables: an MSR, or a PCI function's devfn << 16 | offset */
	uint32_t control[2][CONTROLS];
	unsigned n[2];
	char dir[40], path[64];
} rig;

static void
add_control(void *ctx, const char *box, unsigned inst, const char *role,
    const char *space, const char *address)
{
	bool pci = strcmp(space, "pci") == 0;
	unsigned dev, fn, offset;

	(void)ctx;
	(void)inst;
	if (strncmp(role, "ctr", 3) == 0 || strncmp(role, "fixedctr", 8) == 0 ||
	    (strcmp(box, "MSR") == 0 && strcmp(role, "globalctl") != 0))
		return;
	if (pci ? sscanf(address, "bus%*u:%x.%x:%x", &dev, &fn, &offset) != 3 :
	    sscanf(address, "%x", &offset) != 1)
		return;
	if (rig.n[pci] == CONTROLS)
		abort();
	rig.control[pci][rig.n[pci]++] = pci ?
	    (uint32_t)PCI_DEVFN(dev, fn) << 16 | offset : offset;
}

static int
write_control(struct access *acc, const struct reg_addr *addr, uint64_t raw)
{
	bool pci = addr->space == REG_PCI;
	uint32_t at = pci ? (addr->unit & 0xff) << 16 |
	    (uint32_t)addr->offset : (uint32_t)addr->offset;
	bool known = false;

	if (rig.writes < 256) {
		rig.undo[rig.writes].addr = *addr;
		if (access_read(acc, addr, &rig.undo[rig.writes].was) < 0)
			abort();
	}
	rig.writes++;
	for (unsigned i = 0; i < rig.n[pci]; i++)
		known |= rig.control[pci][i] == at ||
		    (pci && addr->bytes == 4 &&
		    rig.control[pci][i] + 4 == at);
	if (!known || (!pci && (addr->space != REG_MSR ||
	    addr->offset > UINT32_MAX)))
		abort();
	return rig.write(acc, addr, raw);
}

static void
forget(void)
{
	unlink(rig.path);
	rmdir(rig.dir);
}

static void
start(void)
{
	struct sim *sim;
	struct diag why;

	log_level(-1);
	strcpy(rig.dir, "/dev/shm/fuzz_journal.XXXXXX");
	if (mkdtemp(rig.dir) == NULL ||
	    machine_load(&sim, "@skx-8160-2s", &why) < 0)
		abort();
	atexit(forget);
	snprintf(rig.path, sizeof(rig.path), "%s/journal", rig.dir);
	sim_virtual(sim, true);
	rig.node.acc = sim_access(sim);
	if (topo_load(&rig.node.topo, rig.node.acc, &why) < 0 ||
	    inventory_load(&rig.node.inv, &rig.node.topo, rig.node.acc,
	    &why) < 0)
		abort();
	model_walk(rig.node.topo.model, add_control, NULL);
	rig.ops = *rig.node.acc->ops;
	rig.write = rig.ops.write;
	rig.ops.write = write_control;
	rig.node.acc->ops = &rig.ops;
}

/* Each line of the input; how many records there are. */
static unsigned
put_lines(FILE *f, const char *p, const char *end)
{
	unsigned n = 0;
	char record[JOURNAL_LINE - 64];

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((nl != NULL ? nl : end) - p);

		if (*p == '!') {
			fwrite(p + 1, 1, len - 1, f);
			putc('\n', f);
		} else if (len < sizeof(record)) {
			memcpy(record, p, len);
			record[len] = '\0';
			journal_put_record(f, n++, record);
		}
		p += len + (nl != NULL);
	}
	return n;
}

static void
put_journal(FILE *f, unsigned flags, const char *text, size_t size)
{
	struct journal_head head = { .pid = 7, .boot = "-" };
	char line[JOURNAL_HEAD + 1];
	const char *end = text + size;

	memset(line, ' ', JOURNAL_HEAD);
	fwrite(line, 1, JOURNAL_HEAD, f);
	head.registers = put_lines(f, text, end) + (flags & MORE ? 1 : 0);
	if (!(flags & ONCE))
		put_lines(f, text, end);
	head.bytes = (uint64_t)ftell(f) + JOURNAL_HEAD;
	journal_put_head(line, &head);
	if (!(flags & CUT))
		fwrite(line, 1, JOURNAL_HEAD, f);
	rewind(f);
	fwrite(line, 1, JOURNAL_HEAD, f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned flags = size > 0 ? data[0] : 0;
	const char *text = (const char *)data + (size > 0);
	struct diag why;
	FILE *f;
	int fd, rc;

	if (rig.node.acc == NULL)
		start();
	unlink(rig.path);
	fd = open(rig.path, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (fd < 0 || (f = fdopen(fd, "w")) == NULL)
		abort();
	if (flags & RAW)
		fwrite(text, 1, size - (size > 0), f);
	else
		put_journal(f, flags, text, size - (size > 0));
	fclose(f);
	rig.writes = 0;
	rc = journal_restore(rig.path, &rig.node, flags & FORCE, &why);
	/* each input meets the same machine, nearly always */
	for (uint64_t i = rig.writes < 256 ? rig.writes : 256; i-- > 0;)
		rig.write(rig.node.acc, &rig.undo[i].addr, rig.undo[i].was);
	/* said to be back without a write; or kept where it must not be */
	if ((rc > 0 && (uint64_t)rc > rig.writes) || (rc == -EIO &&
	    access(rig.path, F_OK) < 0) || why.text[0] == '\0')
		abort();
	return 0;
}
