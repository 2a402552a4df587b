/*
 * postproc/html/document.c - the head, the style and the scripts of an HTML file.
 */
#include "postproc/html/html_page.h"

#include <time.h>

#include "config/texts.h"
#include "config/version.h"
#include "postproc/html/markup.h"

static void
document_put_text(FILE *f, const char *name, const char *kind)
{
	const struct text *t = text_named(name, kind);

	if (t != NULL)
		fwrite(t->data, 1, (size_t)(t->end - t->data), f);
}

void
document_begin(FILE *f, const char *name, const char *command)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
	    "<meta name=\"viewport\" content=\"width=device-width\">"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\""
	    "default-src 'none'; style-src 'unsafe-inline'; script-src "
	    "'unsafe-inline'\"><meta name=\"generator\" content=\"tally "
	    TALLYD_VERSION "\"><title>", f);
	if (name != NULL)
		markup_text(f, name);
	fprintf(f, "%stally %s</title>\n<style>\n", name != NULL ? ": " : "",
	    command);
	document_put_text(f, "@page", TEXT_STYLE);
	fputs("</style></head>\n<body>\n", f);
}

void
document_end(FILE *f)
{
	fputs("</body></html>\n", f);
}

void
document_scripts(FILE *f, const char *const *name, size_t n)
{
	fputs("<script>\n\"use strict\";\n(() => {\n", f);
	for (size_t i = 0; i < n; i++)
		document_put_text(f, name[i], TEXT_SCRIPT);
	fputs("})();\n</script>\n", f);
}

void
document_when(FILE *f, double wall)
{
	time_t t = (time_t)wall;
	char buf[32] = "?";
	struct tm tm;

	if (wall > 0 && wall < 1e11 && gmtime_r(&t, &tm) != NULL)
		strftime(buf, sizeof buf, "%Y-%m-%d %H:%M:%S", &tm);
	fputs(buf, f);
}
