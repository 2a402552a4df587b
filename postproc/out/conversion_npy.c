/*
 * postproc/out/conversion_npy.c - NumPy arrays, which can be mapped into memory as
 * they are.
 *
 * Into a file: a matrix of uint64, one row a sample: its number, then all columns as
 * the dump has them; 2^64 - 1 where there is no value.
 *
 * Into a folder: one array for each family of what was counted, judged as tally deltas
 * does; a row for each interval, a column for each column of the dump:
 *
 *   FAMILY.npy    <u8: counts; 2^64 - 1 where there is no value, or a doubtful one.
 *                 Of temperatures <i8, and -2^63.
 *   time.npy      <i8: wall clock at the interval's end, us since 1970; -2^63: unknown
 *   sample.npy    <u8: number of the sample at its end
 *   seconds.npy   <f8: length of the interval
 *   names.csv     what each column of each array is
 *
 * Each file is written whole or not at all; names.csv comes last.
 */
#include "postproc/out/convert.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/array.h"
#include "postproc/out/table.h"

/* Size of the head in version 1.0 of the format: magic, length, a Python dictionary,
 * blanks up to a multiple of 64.  It does not depend on the shape, so that a head with
 * the number of rows can be written over the first one. */
#define NPY_HEAD 128

static void
npy_head(FILE *f, const char *descr, uint64_t rows, unsigned cols)
{
	char head[NPY_HEAD], *shape = head + 10;

	memset(head, ' ', sizeof(head));
	memcpy(head, "\x93NUMPY\x01", 8);
	head[8] = NPY_HEAD - 10;
	head[9] = 0;
	shape += snprintf(shape, 100, "{'descr': '%s', 'fortran_order': False,"
	    " 'shape': (%" PRIu64 ", %u), }", descr, rows, cols);
	*shape = ' ';                   /* was '\0' */
	head[NPY_HEAD - 1] = '\n';
	fwrite(head, 1, NPY_HEAD, f);
}

/* Writes a value, little-endian. */
static void
npy_cell(FILE *f, uint64_t value)
{
	uint8_t bytes[8];

	for (unsigned i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
	fwrite_unlocked(bytes, 1, sizeof(bytes), f);
}

/* ---- a folder of arrays ---------------------------------------------------- */

#define NO_COUNT UINT64_MAX
#define NO_DEGREES (1ull << 63)         /* INT64_MIN */

struct npy_array {
	const char *name, *descr;
	const struct family *family;    /* NULL: time, sample or seconds */
	unsigned *column;               /* [n] the reader's numbers of its columns */
	unsigned n, room;
	struct outfile out;
};

struct npy_folder {
	const char *path;
	bool overwrite;
	struct npy_array *array;
	unsigned n, room;
};

enum { TIME, SAMPLE, SECONDS, OWN };    /* the arrays before the families' */

static struct npy_array *
add_array(struct npy_folder *d, const char *name, const char *descr)
{
	if (!array_room(&d->array, d->n, &d->room, sizeof(*d->array)))
		return NULL;
	d->array[d->n] = (struct npy_array){ .name = name, .descr = descr,
	    .n = d->n < OWN };
	return &d->array[d->n++];
}

static struct npy_array *
array_of(struct npy_folder *d, const struct column *c)
{
	struct npy_array *a;

	for (unsigned i = d->n; i-- > OWN;)
		if (d->array[i].family == c->id.family)
			return &d->array[i];
	a = add_array(d, c->id.family->name, c->cls == CLASS_TEMP ? "<i8" :
	    "<u8");
	if (a != NULL)
		a->family = c->id.family;
	return a;
}

static int
npy_folder_take_columns(struct npy_folder *d, const struct reader *r)
{
	if (add_array(d, "time", "<i8") == NULL ||
	    add_array(d, "sample", "<u8") == NULL ||
	    add_array(d, "seconds", "<f8") == NULL)
		return -ENOMEM;
	for (unsigned c = 0; c < read_columns(r); c++) {
		struct npy_array *a = array_of(d, read_column(r, c));

		if (a == NULL || !array_room(&a->column, a->n, &a->room,
		    sizeof(*a->column)))
			return -ENOMEM;
		a->column[a->n++] = c;
	}
	return 0;
}

/* The name of an array's file is that of its family.  A family whose name is no file
 * name, or is that of another array, gets a number: "family-5". */
static void
file_name(const struct npy_folder *d, const struct npy_array *a,
    char name[64])
{
	bool plain = strlen(a->name) < 60 && a->name[0] != '.' &&
	    strchr(a->name, '/') == NULL;

	for (unsigned i = 0; a->family != NULL && i < OWN; i++)
		plain &= strcmp(a->name, d->array[i].name) != 0;
	if (plain)
		snprintf(name, 64, "%s", a->name);
	else
		snprintf(name, 64, "family-%u", (unsigned)(a - d->array));
}

static int
open_arrays(struct npy_folder *d, struct diag *why)
{
	int rc = 0;

	if (mkdir(d->path, 0777) < 0 && errno != EEXIST)
		return diag_set(why, -errno, "%s: %s", d->path,
		    strerror(errno));
	for (unsigned i = 0; rc == 0 && i < d->n; i++) {
		struct npy_array *a = &d->array[i];
		struct outname name = { .overwrite = d->overwrite };
		char file[64], *path;

		file_name(d, a, file);
		if (asprintf(&path, "%s%s.npy", d->path, file) < 0)
			return -ENOMEM;
		name.path = path;
		if ((rc = outfile_open(&a->out, &name, why)) == 0)
			npy_head(a->out.f, a->descr, 0, a->n);
		free(path);
	}
	return rc;
}

static void
npy_folder_put_interval(struct npy_folder *d, struct judged *j)
{
	uint64_t bits;
	int64_t us;

	memcpy(&bits, &j->step.seconds, sizeof(bits));
	npy_cell(d->array[TIME].out.f, judged_time(j, &us) ? (uint64_t)us :
	    NO_DEGREES);
	npy_cell(d->array[SAMPLE].out.f, j->step.sample);
	npy_cell(d->array[SECONDS].out.f, bits);
	for (unsigned i = OWN; i < d->n; i++) {
		const struct npy_array *a = &d->array[i];
		uint64_t none = a->descr[1] == 'i' ? NO_DEGREES : NO_COUNT;

		for (unsigned k = 0; k < a->n; k++) {
			struct judged_value v = { .none = true };

			if (a->column[k] < j->step.ncol)
				v = judged_value(j, a->column[k]);
			npy_cell(a->out.f, v.none ? none : v.value);
		}
	}
}

/* Writes the final heads, with the number of rows, and closes the files; if rc < 0, drops
 * them. */
static int
close_arrays(struct npy_folder *d, uint64_t rows, int rc, struct diag *why)
{
	for (unsigned i = 0; i < d->n; i++) {
		struct npy_array *a = &d->array[i];
		int closed;

		if (a->out.f != NULL && rc == 0) {
			if (fseek(a->out.f, 0, SEEK_SET) < 0)
				a->out.error = -errno;
			npy_head(a->out.f, a->descr, rows, a->n);
		}
		closed = outfile_close(&a->out, rc == 0, rc == 0 ? why : NULL);
		if (rc == 0)
			rc = closed;
	}
	return rc;
}

static int
npy_folder_put_names(const struct npy_folder *d, const struct reader *r,
    struct diag *why)
{
	struct outname name = { .overwrite = d->overwrite };
	struct outfile out;
	char *path;
	int rc;

	if (asprintf(&path, "%snames.csv", d->path) < 0)
		return -ENOMEM;
	name.path = path;
	rc = outfile_open(&out, &name, why);
	free(path);
	if (rc < 0)
		return rc;
	fputs("file,column,name,unit,value\r\n", out.f);
	for (unsigned i = OWN; i < d->n; i++)
		for (unsigned k = 0; k < d->array[i].n; k++) {
			const struct column *c = read_column(r,
			    d->array[i].column[k]);
			char file[64];

			file_name(d, &d->array[i], file);
			put_csv(out.f, file);
			fprintf(out.f, ".npy,%u,", k);
			put_csv(out.f, c->name);
			putc(',', out.f);
			put_csv(out.f, c->id.family->unit);
			fprintf(out.f, ",%s\r\n", class_is_counter(c->cls) ?
			    "count" : "reading");
		}
	return outfile_close(&out, true, why);
}

static int
npy_folder(const struct source *s, const struct outname *output,
    struct diag *why)
{
	struct npy_folder d = { .path = output->path, .overwrite =
	    output->overwrite };
	struct judged j;
	uint64_t rows = 0;
	int rc = npy_folder_take_columns(&d, s->columns);

	judged_init(&j, s->iv);
	if (rc == 0)
		rc = open_arrays(&d, why);
	if (rc == 0)
		rc = 1;
	while (rc > 0 && (rc = judged_next(&j, why)) > 0) {
		npy_folder_put_interval(&d, &j);
		rows++;
	}
	if (rc == -ENOMEM)
		diag_set(why, rc, "out of memory");
	rc = close_arrays(&d, rows, rc, why);
	if (rc == 0)
		rc = npy_folder_put_names(&d, s->columns, why);
	for (unsigned i = 0; i < d.n; i++)
		free(d.array[i].column);
	free(d.array);
	judged_fini(&j);
	return rc;
}

/* ---- one matrix ------------------------------------------------------------ */

static int
npy(const struct source *s, FILE *f, struct diag *why)
{
	unsigned n = read_columns(s->columns);
	uint64_t rows = 0, *line = calloc((size_t)n + 1, sizeof(*line));
	struct read_row row;
	double at;
	int rc;

	if (line == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	npy_head(f, "<u8", 0, n + 1);
	while ((rc = intervals_row(s->iv, &row, &at, why)) > 0) {
		line[0] = row.sample;
		for (unsigned c = 0; c < n; c++)
			line[c + 1] = c < row.ncol ? row.value[c] : ABSENT;
		for (unsigned c = 0; c <= n; c++)
			line[c] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ?
			    line[c] : __builtin_bswap64(line[c]);
		fwrite(line, sizeof(*line), (size_t)n + 1, f);
		rows++;
	}
	free(line);
	if (rc < 0)
		return rc;
	if (fseek(f, 0, SEEK_SET) < 0)
		return diag_set(why, -errno, "the output must be a file: %s",
		    strerror(errno));
	npy_head(f, "<u8", rows, n + 1);
	return 0;
}

/* What the columns of the matrix are, as CSV. */
static void
npy_columns(const struct source *s, FILE *f)
{
	fputs("column,name,unit,value,bits,mul\r\n0,sample,,,0,1\r\n", f);
	for (unsigned i = 0; i < read_columns(s->columns); i++) {
		const struct column *c = read_column(s->columns, i);

		fprintf(f, "%u,", i + 1);
		put_csv(f, c->name);
		putc(',', f);
		put_csv(f, c->id.family->unit);
		putc(',', f);
		put_csv(f, c->id.family->value);
		fprintf(f, ",%u,%u\r\n", c->bits, c->mul);
	}
}

const struct conversion conversion_npy = {
	.option = "npy", .columns_first = true, .seeks = true,
	.write = npy, .write_folder = npy_folder, .beside = npy_columns,
	.help = "a NumPy matrix of uint64 to FILE (-o), and what its\n"
	    "columns are to FILE.columns.csv; to a FOLDER/ an array a\n"
	    "family of what was counted, and names.csv",
};
