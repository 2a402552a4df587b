/*
 * postproc/out/chunk_values.c - the different values of a chunk, and the least and
 * the greatest of them.
 */
#include "postproc/out/parquet_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/lookup.h"

/* ---- the dictionary -------------------------------------------------------- */

static bool
is_it(const struct dictionary_value *v, uint64_t key, const char *text)
{
	return v->key == key && (text == NULL || strcmp(v->text, text) == 0);
}

/* The slot of a value; if the dictionary lacks it, the free slot where it belongs. */
static uint32_t
dictionary_slot_of(const struct dictionary *d, uint64_t key, const char *text)
{
	uint64_t mixed = key * 0x9e3779b97f4a7c15ull;
	uint32_t i = (uint32_t)(mixed >> 32) & (d->nslot - 1);

	while (d->slot[i] != 0 && !is_it(&d->value[d->slot[i] - 1], key, text))
		i = (i + 1) & (d->nslot - 1);
	return i;
}

static int
dictionary_grow(struct dictionary *d)
{
	uint32_t room = d->room > 0 ? 2 * d->room : 16, nslot = 4 * room;
	struct dictionary_value *v = reallocarray(d->value, room, sizeof(*v));
	uint32_t *slot = calloc(nslot, sizeof(*slot));

	if (v != NULL)
		d->value = v;
	if (v == NULL || slot == NULL) {
		free(slot);
		return -ENOMEM;
	}
	free(d->slot);
	d->slot = slot;
	d->nslot = nslot;
	d->room = room;
	for (uint32_t i = 0; i < d->n; i++)
		d->slot[dictionary_slot_of(d, v[i].key, v[i].text)] = i + 1;
	return 0;
}

static int
dictionary_add(struct dictionary *d, uint64_t key, const char *text)
{
	size_t len = text != NULL ? strlen(text) : 0;

	if (d->n == DICTIONARY_MOST || len > DICTIONARY_BYTES - d->bytes)
		return -ENOSPC;
	if (d->n == d->room && dictionary_grow(d) < 0)
		return -ENOMEM;
	if (text != NULL) {
		if (d->arena == NULL && (d->arena = arena_new()) == NULL)
			return -ENOMEM;
		if ((text = arena_strndup(d->arena, text, len)) == NULL)
			return -ENOMEM;
	}
	d->bytes += len;
	d->value[d->n] = (struct dictionary_value){ key, text };
	d->slot[dictionary_slot_of(d, key, text)] = d->n + 1;
	return (int)d->n++;
}

/* The index of a value, which is added if it is new; or -errno. */
static int
dictionary_find(struct dictionary *d, uint64_t key, const char *text)
{
	uint32_t i;
	int n;

	if (d->nslot > 0 && d->slot[i = dictionary_slot_of(d, key, text)] != 0)
		n = (int)d->slot[i] - 1;
	else
		n = dictionary_add(d, key, text);
	if (n >= 0)
		d->last = (uint32_t)n;
	return n;
}

/* Fast, as most values equal the one before, or the one that was added after that. */
int
dictionary_number(struct dictionary *d, uint64_t value)
{
	uint32_t next = d->last + 1 < d->n ? d->last + 1 : 0;

	if (d->n > 0 && d->value[d->last].key == value)
		return (int)d->last;
	if (d->n > 0 && d->value[next].key == value)
		return (int)(d->last = next);
	return dictionary_find(d, value, NULL);
}

int
dictionary_text(struct dictionary *d, const char *text)
{
	if (d->n > 0 && strcmp(d->value[d->last].text, text) == 0)
		return (int)d->last;
	return dictionary_find(d, lookup_text(0, text), text);
}

void
dictionary_empty(struct dictionary *d)
{
	arena_free(d->arena);
	d->arena = NULL;
	d->n = d->last = 0;
	d->bytes = 0;
	if (d->slot != NULL)
		memset(d->slot, 0, d->nslot * sizeof(*d->slot));
}

void
dictionary_fini(struct dictionary *d)
{
	arena_free(d->arena);
	free(d->value);
	free(d->slot);
	*d = (struct dictionary){ .n = 0 };
}

void
dictionary_put(const struct dictionary *d, struct octets *o)
{
	for (uint32_t i = 0; i < d->n; i++) {
		const char *text = d->value[i].text;

		if (text == NULL) {
			octets_le(o, d->value[i].key, 8);
			continue;
		}
		octets_le(o, strlen(text), 4);
		octets_add(o, text, strlen(text));
	}
}

/* ---- the least and the greatest -------------------------------------------- */

void
extremes_fini(struct extremes *e)
{
	free(e->least_text);
	free(e->most_text);
	*e = (struct extremes){ .any = false };
}

static bool
below(enum parquet_type type, uint64_t a, uint64_t b)
{
	double x, y;

	switch (type) {
	case PARQUET_REAL:
	case PARQUET_REAL_FEW:
		memcpy(&x, &a, 8);
		memcpy(&y, &b, 8);
		return x < y;
	case PARQUET_COUNT:
		return a < b;
	default:
		return (int64_t)a < (int64_t)b;
	}
}

void
extremes_number(struct extremes *e, enum parquet_type type, uint64_t value)
{
	if (!e->any || below(type, value, e->least))
		e->least = value;
	if (!e->any || below(type, e->most, value))
		e->most = value;
	e->any = true;
}

/*
 * Keeps two minima and two maxima, so that the CPU need not wait for one comparison to
 * begin the next.
 */
void
extremes_numbers(struct extremes *e, enum parquet_type type,
    const uint64_t *value, unsigned n)
{
	/* maps uint64_t to int64_t in the same order */
	uint64_t bias = type == PARQUET_COUNT ? 1ull << 63 : 0;
	int64_t least[2] = { INT64_MAX, INT64_MAX };
	int64_t most[2] = { INT64_MIN, INT64_MIN };

	for (unsigned i = 0; i < n / 2 * 2; i += 2)
		for (unsigned k = 0; k < 2; k++) {
			int64_t v = (int64_t)(value[i + k] ^ bias);

			least[k] = v < least[k] ? v : least[k];
			most[k] = v > most[k] ? v : most[k];
		}
	for (unsigned k = 0; k < 2 && n > 1; k++) {
		extremes_number(e, type, (uint64_t)least[k] ^ bias);
		extremes_number(e, type, (uint64_t)most[k] ^ bias);
	}
	if (n % 2 == 1)
		extremes_number(e, type, value[n - 1]);
}

static bool
extremes_keep_text(char **to, const char *text)
{
	char *copy = strdup(text);

	if (copy == NULL)
		return false;
	free(*to);
	*to = copy;
	return true;
}

bool
extremes_text(struct extremes *e, const char *text)
{
	bool any = e->any;

	e->any = true;
	return (any && strcmp(text, e->least_text) >= 0) ||
	    extremes_keep_text(&e->least_text, text) ?
	    (any && strcmp(text, e->most_text) <= 0) ||
	    extremes_keep_text(&e->most_text, text) : false;
}
