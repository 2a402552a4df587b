/*
 * postproc/out/table.c - what the commands print: aligned text, CSV or JSON.
 *
 * CSV and JSON are written cell by cell; text has to wait for the end of its
 * table, to know how wide the columns are.
 */
#include "postproc/out/table.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct out {
	FILE *f;
	char *path;
	char *target, *temp;    /* temp is renamed to target; NULL: it is not */
	enum format format;
	bool failed;            /* out of memory */
	unsigned ntable;
	const struct table_column *column;
	unsigned ncolumn, at;
	bool any_row;
	char *text;             /* cells of FORMAT_TEXT, each with its '\0' */
	size_t used, room;
};

int
format_named(const char *word)
{
	static const char *const name[] = { "text", "csv", "json" };

	for (int i = 0; i < 3; i++)
		if (strcmp(word, name[i]) == 0)
			return i;
	return -1;
}

/* The bytes of a character of UTF-8 beyond ASCII at s; 0: there is none. */
static unsigned
utf8_length(const char *s)
{
	unsigned char c = (unsigned char)*s;
	unsigned n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
	uint32_t code = c & (0xffu >> (n + 1));

	if (c < 0xc2 || c > 0xf4)
		return 0;
	for (unsigned i = 1; i < n; i++) {
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | ((unsigned char)s[i] & 0x3f);
	}
	/* in more bytes than it takes, half of a pair, beyond Unicode */
	return (n == 3 && code < 0x800) || (n == 4 && code < 0x10000) ||
	    (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ? 0 : n;
}

void
put_json(FILE *f, const char *s)
{
	unsigned n;

	putc('"', f);
	for (; *s != '\0'; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\') {
			fprintf(f, "\\%c", c);
		} else if ((n = utf8_length(s)) > 0) {
			fwrite(s, 1, n, f);
			s += n - 1;
		} else if (c < ' ' || c >= 0x7f) {
			/* file names may be no UTF-8: bytes as Latin-1 */
			fprintf(f, "\\u%04x", c);
		} else {
			putc(c, f);
		}
	}
	putc('"', f);
}

void
put_csv(FILE *f, const char *s)
{
	if (s[strcspn(s, ",\"\r\n")] == '\0') {
		fputs(s, f);
		return;
	}
	putc('"', f);
	for (; *s != '\0'; s++) {
		if (*s == '"')
			putc('"', f);
		putc(*s, f);
	}
	putc('"', f);
}

/* Is it a device, a pipe, or the file that stdout or stderr goes to? */
static bool
to_keep(const char *path)
{
	struct stat sb, std;

	if (stat(path, &sb) < 0)
		return lstat(path, &sb) == 0;   /* a link to nothing, so far */
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (fstat(fd, &std) == 0 && std.st_dev == sb.st_dev &&
		    std.st_ino == sb.st_ino)
			return true;
	return !S_ISREG(sb.st_mode);
}

/* A file beside the one that is to be there in the end, with its mode. */
static FILE *
open_beside(struct out *o)
{
	mode_t mask = umask(0), mode = 0666 & ~mask;
	struct stat sb;
	FILE *f = NULL;
	int fd;

	umask(mask);
	if ((o->target = realpath(o->path, NULL)) == NULL)
		o->target = strdup(o->path);
	else if (stat(o->target, &sb) == 0)
		mode = sb.st_mode & 0777;
	if (o->target == NULL || asprintf(&o->temp, "%s.XXXXXX",
	    o->target) < 0) {
		o->temp = NULL;
		return NULL;
	}
	if ((fd = mkostemp(o->temp, O_CLOEXEC)) < 0) {
		free(o->temp);
		o->temp = NULL;
		return NULL;
	}
	/* some file systems have no modes */
	if ((fchmod(fd, mode) < 0 && errno != EPERM) ||
	    (f = fdopen(fd, "w")) == NULL)
		close(fd);
	return f;
}

static void
out_free(struct out *o)
{
	if (o->temp != NULL)
		unlink(o->temp);
	free(o->temp);
	free(o->target);
	free(o->text);
	free(o->path);
	free(o);
}

int
out_open(struct out **out, const char *path, enum format format,
    const char *command, struct diag *why)
{
	struct out *o = calloc(1, sizeof(*o));
	bool std = path == NULL || strcmp(path, "-") == 0;

	*out = NULL;
	if (o == NULL || (o->path = strdup(std ? "standard output" :
	    path)) == NULL) {
		free(o);
		return diag_set(why, -ENOMEM, "out of memory");
	}
	o->format = format;
	o->f = std ? stdout : to_keep(path) ? fopen(path, "we") :
	    open_beside(o);
	if (o->f == NULL) {
		int rc = diag_set(why, -errno, "%s: %s", path,
		    strerror(errno));

		out_free(o);
		return rc;
	}
	if (format == FORMAT_JSON) {
		fputs("{\"command\": ", o->f);
		put_json(o->f, command);
		fputs(", \"tables\": [", o->f);
	}
	*out = o;
	return 0;
}

int
out_close(struct out *o, bool done, struct diag *why)
{
	int rc = 0;

	if (o == NULL)
		return 0;
	if (o->format == FORMAT_JSON)
		fputs("\n]}\n", o->f);
	errno = 0;
	if (fflush(o->f) != 0 || ferror(o->f))
		rc = errno != 0 ? -errno : -EIO;
	if (o->temp != NULL && done && rc == 0 && fsync(fileno(o->f)) < 0)
		rc = -errno;
	if (o->f != stdout && fclose(o->f) != 0 && rc == 0)
		rc = -errno;
	if (o->failed && rc == 0)
		rc = -ENOMEM;
	if (o->temp != NULL && done && rc == 0) {
		if (rename(o->temp, o->target) < 0)
			rc = -errno;
		else {
			free(o->temp);
			o->temp = NULL;
		}
	}
	if (rc != 0)
		diag_set(why, rc, "%s: %s", o->path, strerror(-rc));
	out_free(o);
	return rc;
}

enum format
out_format(const struct out *o)
{
	return o->format;
}

FILE *
out_file(struct out *o)
{
	return o->f;
}

bool
out_colour(const struct out *o)
{
	return o->format == FORMAT_TEXT && getenv("NO_COLOR") == NULL &&
	    isatty(fileno(o->f));
}

static bool
has_unit(const struct table_column *c)
{
	return c->unit != NULL && c->unit[0] != '\0';
}

static void
csv_head(struct out *o)
{
	char head[160];

	for (unsigned i = 0; i < o->ncolumn; i++) {
		const struct table_column *c = &o->column[i];

		snprintf(head, sizeof(head), has_unit(c) ? "%s (%s)" : "%s",
		    c->name, c->unit);
		if (i > 0)
			putc(',', o->f);
		put_csv(o->f, head);
	}
	fputs("\r\n", o->f);
}

static void
json_head(struct out *o, const char *name)
{
	fprintf(o->f, "%s\n{\"name\": ", o->ntable > 0 ? "," : "");
	put_json(o->f, name);
	fputs(", \"columns\": [", o->f);
	for (unsigned i = 0; i < o->ncolumn; i++) {
		fputs(i > 0 ? ", {\"name\": " : "{\"name\": ", o->f);
		put_json(o->f, o->column[i].name);
		fputs(", \"unit\": ", o->f);
		put_json(o->f, has_unit(&o->column[i]) ? o->column[i].unit :
		    "");
		putc('}', o->f);
	}
	fputs("], \"rows\": [", o->f);
}

void
table_begin(struct out *o, const char *name, const struct table_column *column,
    unsigned ncolumn)
{
	o->column = column;
	o->ncolumn = ncolumn;
	o->at = 0;
	o->used = 0;
	o->any_row = false;
	if (o->format == FORMAT_CSV)
		csv_head(o);
	else if (o->format == FORMAT_JSON)
		json_head(o, name);
	o->ntable++;
}

static void
keep(struct out *o, const char *s)
{
	size_t n = strlen(s) + 1;

	if (o->room - o->used < n) {
		size_t room = (o->room + n) * 2;
		char *p = realloc(o->text, room);

		if (p == NULL) {
			o->failed = true;
			return;
		}
		o->text = p;
		o->room = room;
	}
	memcpy(o->text + o->used, s, n);
	o->used += n;
}

/* A cell whose text is s; words are quoted where the format does. */
static void
cell(struct out *o, const char *s, bool word)
{
	unsigned i = o->at;

	o->at = (o->at + 1) % o->ncolumn;
	switch (o->format) {
	case FORMAT_TEXT:
		keep(o, s != NULL ? s : "n/a");
		break;
	case FORMAT_CSV:
		if (s != NULL)
			put_csv(o->f, s);
		fputs(o->at == 0 ? "\r\n" : ",", o->f);
		break;
	case FORMAT_JSON:
		if (i == 0)
			fputs(o->any_row ? ",\n{" : "\n{", o->f);
		else
			fputs(", ", o->f);
		put_json(o->f, o->column[i].name);
		fputs(": ", o->f);
		if (s == NULL)
			fputs("null", o->f);
		else if (word)
			put_json(o->f, s);
		else
			fputs(s, o->f);
		if (o->at == 0)
			putc('}', o->f);
		break;
	}
	o->any_row = true;
}

void
cell_text(struct out *o, const char *s)
{
	cell(o, s, true);
}

void
cell_none(struct out *o)
{
	cell(o, NULL, false);
}

void
cell_u64(struct out *o, uint64_t v)
{
	char s[24];

	snprintf(s, sizeof(s), "%" PRIu64, v);
	cell(o, s, false);
}

void
cell_i64(struct out *o, int64_t v)
{
	char s[24];

	snprintf(s, sizeof(s), "%" PRId64, v);
	cell(o, s, false);
}

static void
cell_number(struct out *o, const char *s)
{
	/* no "-0.0" */
	cell(o, s[0] == '-' && s[strspn(s, "-0.")] == '\0' ? s + 1 : s, false);
}

void
cell_real(struct out *o, double v)
{
	char s[400];

	if (!isfinite(v)) {
		cell_none(o);
		return;
	}
	snprintf(s, sizeof(s), "%.*f", o->column[o->at].decimals, v);
	cell_number(o, s);
}

const char *
figure_text(char *s, size_t size, double v, int decimals)
{
	/* where its first digit is: -2 of 0.05 */
	int first = v != 0 && isfinite(v) ? (int)floor(log10(fabs(v))) : 0;

	if (first < -12)
		snprintf(s, size, "%.3e", v);
	else
		snprintf(s, size, "%.*f", first < 0 && 3 - first > decimals ?
		    3 - first : decimals, v);
	return s;
}

void
cell_figure(struct out *o, double v)
{
	char s[400];

	if (!isfinite(v))
		cell_none(o);
	else
		cell_number(o, figure_text(s, sizeof(s), v,
		    o->column[o->at].decimals));
}

/* Columns of UTF-8 text: continuation bytes take none. */
static size_t
width_of(const char *s)
{
	size_t n = 0;

	for (; *s != '\0'; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static void
text_cell(struct out *o, unsigned i, const char *s, size_t width)
{
	size_t pad = width - width_of(s);
	bool left = o->column[i].left;

	if (i > 0)
		fputs("  ", o->f);
	if (!left)
		fprintf(o->f, "%*s", (int)pad, "");
	fputs(s, o->f);
	if (left && i + 1 < o->ncolumn)
		fprintf(o->f, "%*s", (int)pad, "");
	if (i + 1 == o->ncolumn)
		putc('\n', o->f);
}

static void
text_table(struct out *o)
{
	size_t *width = calloc(o->ncolumn, sizeof(*width)), n;
	bool units = false;
	const char *end = o->text + o->used, *p;
	unsigned i;

	if (width == NULL) {
		o->failed = true;
		return;
	}
	for (i = 0; i < o->ncolumn; i++) {
		width[i] = width_of(o->column[i].name);
		if (has_unit(&o->column[i])) {
			units = true;
			n = width_of(o->column[i].unit);
			width[i] = n > width[i] ? n : width[i];
		}
	}
	for (i = 0, p = o->text; p < end; p += strlen(p) + 1) {
		n = width_of(p);
		width[i] = n > width[i] ? n : width[i];
		i = (i + 1) % o->ncolumn;
	}
	for (i = 0; i < o->ncolumn; i++)
		text_cell(o, i, o->column[i].name, width[i]);
	for (i = 0; units && i < o->ncolumn; i++)
		text_cell(o, i, has_unit(&o->column[i]) ? o->column[i].unit :
		    "", width[i]);
	for (i = 0, p = o->text; p < end; p += strlen(p) + 1) {
		text_cell(o, i, p, width[i]);
		i = (i + 1) % o->ncolumn;
	}
	free(width);
}

void
table_end(struct out *o)
{
	if (o->format == FORMAT_TEXT && o->used > 0)
		text_table(o);
	else if (o->format == FORMAT_JSON)
		fputs("\n]}", o->f);
	o->used = 0;
}
