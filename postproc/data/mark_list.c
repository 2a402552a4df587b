/*
 * postproc/data/mark_list.c - marks that have words.
 */
#include "postproc/data/mark_list.h"

#include "config/dump/mark_words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int
mark_list_add(struct mark_list *m, struct mark mark)
{
	if (m->n == m->room) {
		unsigned room = m->room * 2 + 64;
		struct mark *p = reallocarray(m->mark, room, sizeof *p);

		if (p == NULL)
			return -ENOMEM;
		m->mark = p;
		m->room = room;
	}
	m->mark[m->n++] = mark;
	return 0;
}

int
mark_list_load(struct mark_list *m, const struct reader *r)
{
	for (unsigned i = 0; i < read_constants(r); i++) {
		const struct constant *text = read_constant(r, i);
		const struct constant *at;

		if (text->key != HEAD_MARK_TEXT)
			continue;
		at = head_constant(r, HEAD_MARK_SAMPLE, text->at);
		if (at == NULL || at->kind != CONSTANT_INT || text->kind !=
		    CONSTANT_TEXT || text->none ||
		    mark_words_check(text->exact, NULL) < 0) {
			m->nbad++;
			continue;
		}
		if (mark_list_add(m, (struct mark){ .sample = at->u,
		    .time = head_number(r, HEAD_MARK_TIME, text->at,
		    (double)NAN), .text = text->exact }) < 0)
			return -ENOMEM;
	}
	return 0;
}

void
mark_list_fini(struct mark_list *m)
{
	free(m->mark);
	*m = (struct mark_list){ .n = 0 };
}

const char *
mark_value(const char *text, const char *key, char *buf, size_t size)
{
	size_t n = strlen(key);

	for (const char *p = text; p != NULL; p = strchr(p, ' ')) {
		size_t len;

		p += *p == ' ';
		if (strncmp(p, key, n) != 0 || strchr(" =", p[n]) == NULL)
			continue;               /* its '\0' is in there, too */
		p += n + (p[n] == '=');
		len = strcspn(p, " ");
		if (len >= size)
			return NULL;
		memcpy(buf, p, len);
		buf[len] = '\0';
		return buf;
	}
	return NULL;
}
