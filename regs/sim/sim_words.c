/*
 * regs/sim/sim_words.c - words of a machine file and of a fault line.
 */
#include "regs/sim/sim_words.h"
#include "regs/sim/sim_desc.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 1000000000u

char *
sim_word(char **line)
{
	char *p = *line, *word;

	while (isspace((unsigned char)*p))
		p++;
	if (*p == '\0' || *p == '#') {
		*line = p;
		return NULL;
	}
	for (word = p; *p != '\0' && !isspace((unsigned char)*p); p++)
		;
	if (*p != '\0')
		*p++ = '\0';
	*line = p;
	return word;
}

bool
sim_number(const char *word, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)*word))
		return false;
	errno = 0;
	*value = strtoull(word, &end, word[0] == '0' &&
	    (word[1] == 'x' || word[1] == 'X') ? 16 : 10);
	return errno == 0 && *end == '\0' && end[-1] != 'x';
}

bool
sim_seconds(const char *word, uint64_t *ns)
{
	uint64_t whole = 0, unit = SECOND;

	if (!isdigit((unsigned char)*word))
		return false;
	for (; isdigit((unsigned char)*word); word++)
		if ((whole = whole * 10 + (uint64_t)(*word - '0')) > 9ull * SECOND)
			return false;
	*ns = whole * SECOND;
	if (*word == '.')
		for (word++; isdigit((unsigned char)*word); word++)
			*ns += (unit /= 10) * (uint64_t)(*word - '0');
	return *word == '\0';
}

bool
sim_function(const char *word, uint8_t *bus, bool *role, uint8_t *devfn)
{
	unsigned long b, dev, fn;
	char *end;

	*role = strncmp(word, "bus", 3) == 0;
	if (*role)
		word += 3;
	if (!isxdigit((unsigned char)*word))
		return false;
	b = strtoul(word, &end, *role ? 10 : 16);
	if (*end != ':' || b > (*role ? SIM_BUSES - 1 : 0xff) ||
	    !isxdigit((unsigned char)end[1]))
		return false;
	dev = strtoul(end + 1, &end, 16);
	if (*end != '.' || dev > 0x1f || !isxdigit((unsigned char)end[1]))
		return false;
	fn = strtoul(end + 1, &end, 16);
	if (*end != '\0' || fn > 7)
		return false;
	*bus = (uint8_t)b;
	*devfn = PCI_DEVFN(dev, fn);
	return true;
}
