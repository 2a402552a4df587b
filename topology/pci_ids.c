/*
 * topology/pci_ids.c - the names of PCI devices, from the list pci.ids that
 * distributions have.
 */
#include "topology/pci_ids.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_IDS (8u << 20)

char *
pci_ids_load(struct access *acc, size_t *size)
{
	static const char *const path[] = {
		"/usr/share/hwdata/pci.ids", "/usr/share/misc/pci.ids",
		"/usr/share/pci.ids", "/var/lib/pciutils/pci.ids",
	};
	char *text = malloc(MAX_IDS);

	*size = 0;
	for (size_t i = 0; text != NULL && *size == 0 &&
	    i < sizeof(path) / sizeof(path[0]); i++) {
		ssize_t n;

		while (*size < MAX_IDS && (n = access_file(acc, path[i],
		    *size, text + *size, MAX_IDS - *size)) > 0)
			*size += (size_t)n;
	}
	return text;
}

/* A name behind "15b3  " or "\t101d  ", up to the end of its line. */
static bool
named(const char *line, const char *end, unsigned id, char *buf, size_t room)
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

void
pci_ids_name(const char *ids, size_t size, unsigned vendor, unsigned device,
    char *buf, size_t room)
{
	const char *p = ids, *end = ids + size, *next;
	char maker[64] = "", name[96];
	bool inside = false;

	buf[0] = '\0';
	for (; p < end; p = next) {
		next = memchr(p, '\n', (size_t)(end - p));
		next = next != NULL ? next + 1 : end;
		if (*p == '#' || *p == '\n')
			continue;
		if (*p != '\t') {
			if (inside || *p == 'C')        /* classes follow */
				break;
			inside = named(p, end, vendor, maker, sizeof(maker));
		} else if (inside && p + 1 < end && p[1] != '\t' &&
		    named(p + 1, end, device, name, sizeof(name))) {
			snprintf(buf, room, "%s %s", maker, name);
			return;
		}
	}
	if (inside)
		snprintf(buf, room, "%s %04x", maker, device);
}
