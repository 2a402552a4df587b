/*
 * postproc/parquet/extremes.c - the least and the greatest of some values.
 */
#include "postproc/parquet/extremes.h"

#include <stdlib.h>
#include <string.h>

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
 * Two minima and maxima at a time, as each comparison depends on the one
 * before.
 */
void
extremes_numbers(struct extremes *e, enum parquet_type type,
    const uint64_t *value, unsigned n)
{
	/* what makes either kind of number an int64_t */
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
