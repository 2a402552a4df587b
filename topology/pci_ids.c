/*
 * topology/pci_ids.c - the names of PCI devices, from the list pci.ids that
 * distributions have.
 */
#include "topology/devices.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_IDS (64u << 10)   /* doubled up to MAX_IDS */
#define MAX_IDS (8u << 20)

/* Appends a file to the text and adds to *size; NULL: out of memory. */
static char *
pci_ids_read_ids(struct access *acc, const char *path, char *text, size_t *size)
{
	size_t room = FIRST_IDS;
	ssize_t n;

	while ((n = access_file(acc, path, *size, text + *size,
	    room - *size)) > 0) {
		char *bigger;

		*size += (size_t)n;
		if (*size < room)
			continue;
		if (room == MAX_IDS)
			break;
		room *= 2;
		if ((bigger = realloc(text, room)) == NULL) {
			free(text);
			return NULL;
		}
		text = bigger;
	}
	return text;
}

char *
pci_ids_load(struct access *acc, size_t *size)
{
	static const char *const path[] = {
		"/usr/share/hwdata/pci.ids", "/usr/share/misc/pci.ids",
		"/usr/share/pci.ids", "/var/lib/pciutils/pci.ids",
	};
	char *text = malloc(FIRST_IDS);

	*size = 0;
	for (size_t i = 0; text != NULL && *size == 0 &&
	    i < sizeof(path) / sizeof(path[0]); i++)
		text = pci_ids_read_ids(acc, path[i], text, size);
	return text;
}

/* Copies the name that follows "15b3  " or "101d  " on its line. */
static bool
pci_ids_named(const char *line, const char *end, unsigned id, char *buf,
    size_t room)
{
	char hex[8];
	const char *stop;

	snprintf(hex, sizeof(hex), "%04x  ", id);
	if (end - line < 6 || strncmp(line, hex, 6) != 0)
		return false;
	line += 6;
	stop = memchr(line, '\n', (size_t)(end - line));
	snprintf(buf, room, "%.*s", (int)((stop != NULL ? stop : end) - line),
	    line);
	return true;
}

/* Finds the line of a vendor, which begins with its number; NULL: there is none.
 * There are 2,000 vendors, and Intel is near the end of the list. */
static const char *
vendor_line(const char *ids, size_t size, unsigned vendor)
{
	char hex[8];
	const char *p;

	snprintf(hex, sizeof(hex), "\n%04x  ", vendor);
	if (size >= 6 && memcmp(ids, hex + 1, 6) == 0)
		return ids;
	p = memmem(ids, size, hex, 7);
	return p != NULL ? p + 1 : NULL;
}

void
pci_ids_name(const char *ids, size_t size, unsigned vendor, unsigned device,
    char *buf, size_t room)
{
	const char *p = vendor_line(ids, size, vendor), *end = ids + size;
	char maker[64] = "", name[96];

	buf[0] = '\0';
	if (p == NULL)
		return;
	pci_ids_named(p, end, vendor, maker, sizeof(maker));
	while ((p = memchr(p, '\n', (size_t)(end - p))) != NULL && ++p < end) {
		if (*p == '#' || *p == '\n')
			continue;
		if (*p != '\t')
			break;
		if (p + 1 < end && p[1] != '\t' &&
		    pci_ids_named(p + 1, end, device, name, sizeof(name))) {
			snprintf(buf, room, "%s %s", maker, name);
			return;
		}
	}
	snprintf(buf, room, "%s %04x", maker, device);
}
