/*
 * postproc/metrics/synonyms.c - several names of one event.
 */
#include <errno.h>
#include <string.h>

#include "postproc/metrics/metrics.h"
#include "lib/array.h"

/* UNC_M_ is a box type: events of Intel's lists say it in their names. */
static const struct { const char *prefix, *family; } unc[] = {
	{ "UNC_M_", "imc" }, { "UNC_CHA_", "cha" }, { "UNC_UPI_", "upi" },
	{ "UNC_IIO_", "iio" }, { "UNC_I_", "irp" }, { "UNC_M2M_", "m2m" },
	{ "UNC_M3UPI_", "m3upi" }, { "UNC_M2P_", "m2pcie" },
	{ "UNC_P_", "pcu" }, { "UNC_U_", "ubox" }, { "UNC_C_", "cbo" },
	{ "UNC_H_", "ha" }, { "UNC_Q_", "qpi" }, { "UNC_S_", "sbo" },
	{ "UNC_R2_", "r2pcie" }, { "UNC_R3_", "r3qpi" },
};

const char *
event_plain(const char *event, const char **family)
{
	if (strncmp(event, "UNC_", 4) == 0)
		for (size_t i = 0; i < sizeof unc / sizeof *unc; i++)
			if (strncmp(event, unc[i].prefix,
			    strlen(unc[i].prefix)) == 0) {
				*family = unc[i].family;
				return event + strlen(unc[i].prefix);
			}
	return event;
}

/* By which of its names is it found?  Those with bits by their first alone. */
static unsigned
names_of(const struct synonyms *s)
{
	return s->bits != 0 ? 1 : s->n;
}

int
synonyms_add(struct metrics *m, const struct synonyms *s)
{
	struct synonyms *p = array_grow(m->synonyms, m->nsynonyms,
	    &m->synonyms_room, sizeof *p);
	const char *box = NULL;

	if (p == NULL)
		return -ENOMEM;
	m->synonyms = p;
	p[m->nsynonyms] = *s;
	for (unsigned i = 0; i < names_of(s); i++)
		if (lookup_add(&m->synonym, lookup_text(0,
		    event_plain(s->name[i], &box)), m->nsynonyms) < 0)
			return -ENOMEM;
	m->nsynonyms++;
	return 0;
}

const struct synonyms *
synonyms_find(const struct metrics *m, const char *event)
{
	const char *box = NULL;
	uint32_t at;

	event = event_plain(event, &box);
	at = lookup_first(&m->synonym, lookup_text(0, event));
	for (; at != LOOKUP_END; at = lookup_next(&m->synonym, at)) {
		const struct synonyms *s =
		    &m->synonyms[lookup_value(&m->synonym, at)];

		for (unsigned i = 0; i < names_of(s); i++)
			if (strcmp(event_plain(s->name[i], &box), event) == 0)
				return s;
	}
	return NULL;
}
