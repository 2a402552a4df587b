/*
 * config/dump/mark_words.c - the words of a mark with a name.
 */
#include "config/dump/mark_words.h"

#include <errno.h>
#include <string.h>

static const char may[] = "abcdefghijklmnopqrstuvwxyz"
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,:+@%/=-";

int
mark_words_check(const char *text, struct diag *why)
{
	const char *p = text;

	if (strlen(text) > MARK_WORDS)
		return diag_set(why, -EINVAL, "a mark of %zu bytes: at most "
		    "%d", strlen(text), MARK_WORDS);
	for (;;) {
		size_t n = strspn(p, may);

		if (n == 0 || p[0] == '=' || (p[n] != '\0' && p[n] != ' '))
			return diag_set(why, -EINVAL, "mark \"%s\": words KEY "
			    "or KEY=VALUE with one blank between, of letters, "
			    "digits and _.,:+@%%/=-", text);
		p += n;
		if (*p == '\0')
			return 0;
		p++;
	}
}

const char *
mark_words_value(const char *text, const char *key, size_t *n)
{
	size_t len = strlen(key);

	for (const char *p = text; p != NULL; p = strchr(p, ' ')) {
		p += *p == ' ';
		if (strncmp(p, key, len) != 0 || (p[len] != '=' &&
		    p[len] != ' ' && p[len] != '\0'))
			continue;
		p += len + (p[len] == '=');
		*n = strcspn(p, " ");
		return p;
	}
	return NULL;
}
