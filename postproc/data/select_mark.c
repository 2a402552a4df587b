/*
 * postproc/data/select_mark.c - the samples of a mark with a name.
 */
#include "postproc/data/select_mark.h"

#include "config/dump/mark_words.h"
#include "postproc/data/mark_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* As a mark's words have them, but for the ':' that ends it in a range. */
#define NAME "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" \
    "_.,+@%/=-"

/* A name in its parts. */
struct wanted {
	char key[MARK_WORDS + 1], value[MARK_WORDS + 1]; /* key "": any */
	bool job;
	unsigned long nth;
};

size_t
select_name(const char *text)
{
	size_t n = strncmp(text, "job:", 4) == 0 ? 4 : 0, digits;

	n += strspn(text + n, NAME);
	if (n > 0 && text[n] == '#' &&
	    (digits = strspn(text + n + 1, "0123456789")) > 0)
		n += 1 + digits;
	return n <= MARK_WORDS ? n : 0;
}

static void
select_mark_take_name(struct wanted *w, const char *name, size_t n)
{
	char text[MARK_WORDS + 1], *hash, *equals;

	*w = (struct wanted){ .nth = 1 };
	memcpy(text, name, n);
	text[n] = '\0';
	if ((hash = strchr(text, '#')) != NULL) {
		*hash = '\0';
		w->nth = strtoul(hash + 1, NULL, 10);
	}
	w->job = strncmp(text, "job:", 4) == 0 || strncmp(text, "job=", 4) == 0;
	if ((equals = strchr(text, '=')) == NULL && w->job)
		equals = text + 3;
	if (equals != NULL) {
		*equals = '\0';
		strcpy(w->key, text);
	}
	strcpy(w->value, equals != NULL ? equals + 1 : text);
}

static bool
select_mark_has(const char *words, const char *key)
{
	size_t n;

	return mark_words_value(words, key, &n) != NULL;
}

/* A word of the mark that is wanted: its key's length, and 0 of one that stands
 * alone; below 0 where there is none. */
static int
select_mark_match(const char *words, const struct wanted *w, const char **word)
{
	for (const char *p = words; p != NULL; p = strchr(p, ' ')) {
		const char *value;
		size_t key, n;

		p += *p == ' ';
		n = strcspn(p, " ");
		key = strcspn(p, "= ");
		value = key < n ? p + key + 1 : p;
		if (w->key[0] != '\0' && (key == n || strlen(w->key) != key ||
		    memcmp(w->key, p, key) != 0))
			continue;
		if (strlen(w->value) != (size_t)(p + n - value) ||
		    memcmp(w->value, value, strlen(w->value)) != 0)
			continue;
		*word = p;
		return key < n ? (int)key : 0;
	}
	return -1;
}

/* Does a mark end what one of that word began? */
static bool
ends(const char *words, const struct wanted *w, const char *word, int n)
{
	char key[MARK_WORDS + 1];
	const char *ignored;

	if (w->job)
		return select_mark_match(words, w, &ignored) >= 0 &&
		    select_mark_has(words, "end");
	if (select_mark_has(words, "job"))
		return false;
	memcpy(key, word, (size_t)n);
	key[n] = '\0';
	if (n > 0)
		return select_mark_has(words, key);
	for (const char *p = words; p != NULL; p = strchr(p, ' ')) {
		p += *p == ' ';
		if (p[strcspn(p, "= ")] != '=')
			return true;
	}
	return false;
}

static int
select_mark_none(const struct reader *r, const struct mark_list *l,
    const char *name, size_t n, struct diag *why)
{
	if (l->n == 0)
		return diag_set(why, -EINVAL, "%s: no mark @%.*s: none with a "
		    "name was set (tallyd --mark)", read_path(r), (int)n, name);
	return diag_set(why, -EINVAL, "%s: no mark @%.*s; of %u the first is "
	    "\"%s\", the last \"%s\"", read_path(r), (int)n, name, l->n,
	    l->mark[0].text, l->mark[l->n - 1].text);
}

int
select_marked(struct marked *m, const struct reader *r, const char *name,
    size_t n, struct diag *why)
{
	struct mark_list l = { .n = 0 };
	const char *word = NULL;
	struct wanted w;
	unsigned i, k;
	int key = 0, rc = 0;

	select_mark_take_name(&w, name, n);
	if (mark_list_load(&l, r) < 0) {
		mark_list_fini(&l);
		return diag_set(why, -ENOMEM, "out of memory");
	}
	for (i = 0; i < l.n; i++)
		if ((key = select_mark_match(l.mark[i].text, &w, &word)) >= 0 &&
		    (!w.job || !select_mark_has(l.mark[i].text, "end")) &&
		    --w.nth == 0)
			break;
	if (i == l.n)
		rc = select_mark_none(r, &l, name, n, why);
	for (k = i + 1; rc == 0 && k < l.n; k++)
		if (ends(l.mark[k].text, &w, word, key))
			break;
	if (rc == 0)
		*m = (struct marked){ l.mark[i].sample, k < l.n ?
		    l.mark[k].sample : 0, k >= l.n };
	mark_list_fini(&l);
	return rc;
}
