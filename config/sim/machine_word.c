/*
 * config/sim/machine_word.c - parse words, numbers, lists, names and rates in the
 * statements of a machine.
 */
#include "config/sim/machine_int.h"

#include "config/scan.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 1000000000u

char *
line_word(char **line)
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
word_says(const char *word, const char *s)
{
	return word != NULL && strcmp(word, s) == 0;
}

bool
line_number(const char *word, uint64_t *value)
{
	return word_number((struct word){ word, strlen(word) }, value) == 0;
}

bool
line_seconds(const char *word, uint64_t *ns)
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
line_function(const char *word, uint8_t *bus, bool *role, uint8_t *devfn)
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

/* ---- statements ---------------------------------------------------------- */

char *
machine_word(struct machine *p)
{
	return line_word(&p->rest);
}

int
machine_wrong(struct machine *p, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return diag_at(p->why, p->d->file, p->line, "%s", text);
}

int
machine_number(struct machine *p, const char *what, const char *word,
    uint64_t min, uint64_t max, uint64_t *value)
{
	if (word == NULL)
		return machine_wrong(p, "%s is missing", what);
	if (!line_number(word, value))
		return machine_wrong(p, "%s \"%s\" is no number; decimal or 0x hex",
		    what, word);
	if (*value < min || *value > max)
		return machine_wrong(p, "%s %s is not in %" PRIu64 "..%" PRIu64
		    " (0x%" PRIx64 ")", what, word, min, max, max);
	return 0;
}

int
machine_unsigned(struct machine *p, const char *what, const char *word,
    uint64_t min, uint64_t max, unsigned *value)
{
	uint64_t v = 0;
	int rc = machine_number(p, what, word, min, max, &v);

	if (rc == 0)
		*value = (unsigned)v;
	return rc;
}

/* list = item { "," item }     item = NUMBER [ "-" NUMBER ] */
int
machine_list(struct machine *p, const char *what, char *word, uint64_t max,
    uint64_t *list, unsigned room)
{
	char *item, *dash;
	uint64_t a, b;
	unsigned n = 0;
	int rc;

	while ((item = strsep(&word, ",")) != NULL) {
		if ((dash = strchr(item, '-')) != NULL)
			*dash++ = '\0';
		if ((rc = machine_number(p, what, item, 0, max, &a)) < 0)
			return rc;
		b = a;
		if (dash != NULL &&
		    (rc = machine_number(p, what, dash, a, max, &b)) < 0)
			return rc;
		if (b - a >= room - n)
			return machine_wrong(p, "%s: more than %u in the list", what,
			    room);
		while (a <= b)
			list[n++] = a++;
	}
	return (int)n;
}

bool
machine_split(char *word, char **value)
{
	if ((*value = strchr(word, '=')) == NULL)
		return false;
	*(*value)++ = '\0';
	return true;
}

int
machine_ends(struct machine *p)
{
	const char *w = machine_word(p);

	return w == NULL ? 0 : machine_wrong(p, "\"%s\" is one word too many", w);
}

/* Is the word, cut before its "=", the key of this row, "pkg=N"? */
static bool
key_is(const struct machine_key *k, const char *word)
{
	size_t n = strlen(word);

	return strncmp(k->name, word, n) == 0 && k->name[n] == '=';
}

int
machine_keys(struct machine *p, const struct machine_key *keys)
{
	const struct machine_key *k;
	char right[200] = "", *w, *value;
	uint64_t v = 0;
	int rc = 0;

	while (rc == 0 && (w = machine_word(p)) != NULL) {
		bool pair = machine_split(w, &value);

		for (k = keys; k->name != NULL && !(pair && key_is(k, w)); k++)
			snprintf(right + strlen(right), sizeof(right) -
			    strlen(right), " %s", k->name);
		if (k->name == NULL)
			return machine_wrong(p, "unknown word \"%s\"; right "
			    "would be%s", w, right);
		right[0] = '\0';
		if (k->text != NULL)
			rc = machine_name(p, w, value, k->text, k->max + 1);
		else if ((rc = machine_number(p, w, value, k->min, k->max,
		    &v)) == 0 && k->large != NULL)
			*k->large = v;
		else if (rc == 0)
			*k->small = (unsigned)v;
	}
	return rc;
}

int
machine_name(struct machine *p, const char *what, const char *word, char *into,
    size_t room)
{
	if (word == NULL || word[0] == '\0')
		return machine_wrong(p, "the %s is missing", what);
	if (strlen(word) >= room)
		return machine_wrong(p, "the %s \"%s\" is longer than %zu characters",
		    what, word, room - 1);
	memset(into, 0, room);
	memcpy(into, word, strlen(word));
	return 0;
}

/* ---- RATES and WHERE ----------------------------------------------------- */

int
machine_rate(struct machine *p, struct sim_rate *rate, const char *key,
    const char *value, uint64_t max)
{
	struct sim_desc *d = p->d;
	uint64_t v;
	int rc;

	rate->noise = p->line;
	if (strcmp(key, "all") == 0) {
		if ((rc = machine_number(p, key, value, 0, max, &v)) == 0)
			for (unsigned i = 0; i < SIM_PHASES; i++)
				rate->hz[i] = v;
		return rc;
	}
	if (strcmp(key, "step") == 0)
		return machine_number(p, key, value, 0, MAX_HZ, &rate->step);
	if (strcmp(key, "pkgstep") == 0)
		return machine_number(p, key, value, 0, MAX_HZ, &rate->pkgstep);
	if (strcmp(key, "threadstep") == 0)
		return machine_number(p, key, value, 0, MAX_HZ, &rate->threadstep);
	for (unsigned i = 0; i < d->nphase; i++)
		if (strcmp(key, d->phase[i]) == 0)
			return machine_number(p, key, value, 0, max, &rate->hz[i]);
	return 1;
}

int
machine_where(struct machine *p, struct sim_where *where, const char *key,
    const char *value)
{
	int *field;
	uint64_t v = 0;
	int rc;

	if (strcmp(key, "pkg") == 0)
		field = &where->pkg;
	else if (strcmp(key, "inst") == 0)
		field = &where->inst;
	else if (strcmp(key, "thread") == 0)
		field = &where->thread;
	else if (strcmp(key, "lproc") == 0)
		field = &where->lproc;
	else
		return 1;
	if ((rc = machine_number(p, key, value, 0, MAX_LPROCS - 1, &v)) == 0)
		*field = (int)v;
	return rc;
}

int
machine_unknown(struct machine *p, const char *key, const char *right)
{
	char phases[SIM_PHASES * 18] = "";

	for (unsigned i = 0; i < p->d->nphase; i++) {
		strcat(phases, ", ");
		strcat(phases, p->d->phase[i]);
	}
	return machine_wrong(p, "unknown word \"%s\"; right would be %s, all%s, step, "
	    "pkgstep, threadstep, pkg, inst, thread, lproc", key, right,
	    phases);
}

const struct sim_where machine_anywhere = { -1, -1, -1, -1 };
