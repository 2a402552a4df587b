/*
 * postproc/cmd/cmd_convert.c - tally convert: samples for other programs.
 */
#include "postproc/out/convert.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/cmd/commands.h"

static const char usage[] =
"usage: tally convert --wide-csv|--npy|--lua-chunks N [-s RANGE] [-o FILE] FILE\n"
"  --wide-csv           one line a sample, one column a counter, raw values\n"
"  --npy                a NumPy matrix of uint64 to FILE (-o), and what its\n"
"                       columns are to FILE.columns.csv\n"
"  --lua-chunks N       the assignments, in functions of at most N (up to\n"
"                       30000): LuaJIT takes 65536 constants a function\n"
"  -s, --samples RANGE  as for the other commands\n"
"  -o, --output FILE    instead of standard output\n"
"  -h, --help\n";

/* Values that are below 0 (temperatures) are in two's complement. */
static bool
is_signed(const struct read_column *c)
{
	return c->cls == CLASS_TEMP;
}

int
convert_csv(struct intervals *iv, const struct reader *columns, FILE *f,
    struct diag *why)
{
	unsigned n = read_columns(columns);
	struct read_row row;
	double at;
	int rc;

	fputs("sample,time (s)", f);
	for (unsigned c = 0; c < n; c++) {
		putc(',', f);
		put_csv(f, read_column(columns, c)->name);
	}
	fputs("\r\n", f);
	while ((rc = intervals_row(iv, &row, &at, why)) > 0) {
		fprintf(f, "%" PRIu64 ",%.6f", row.sample, at);
		for (unsigned c = 0; c < n; c++) {
			putc(',', f);
			if (c >= row.ncol || row.value[c] == ABSENT)
				continue;
			if (is_signed(read_column(columns, c)))
				fprintf(f, "%" PRId64, (int64_t)row.value[c]);
			else
				fprintf(f, "%" PRIu64, row.value[c]);
		}
		fputs("\r\n", f);
	}
	return rc;
}

/* Version 1.0 of the format: magic, length, a Python dictionary, blanks up to
 * a multiple of 64.  The number of rows is filled in at the end. */
#define NPY_HEAD 128

static void
npy_head(FILE *f, uint64_t rows, unsigned cols)
{
	char head[NPY_HEAD], *shape = head + 10;

	memset(head, ' ', sizeof(head));
	memcpy(head, "\x93NUMPY\x01", 8);
	head[8] = NPY_HEAD - 10;
	head[9] = 0;
	shape += snprintf(shape, 100, "{'descr': '<u8', 'fortran_order': False,"
	    " 'shape': (%" PRIu64 ", %u), }", rows, cols);
	*shape = ' ';                   /* was '\0' */
	head[NPY_HEAD - 1] = '\n';
	fwrite(head, 1, NPY_HEAD, f);
}

int
convert_npy(struct intervals *iv, const struct reader *columns, FILE *f,
    struct diag *why)
{
	unsigned n = read_columns(columns);
	uint64_t rows = 0, *line = calloc((size_t)n + 1, sizeof(*line));
	struct read_row row;
	double at;
	int rc;

	if (line == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	npy_head(f, 0, n + 1);
	while ((rc = intervals_row(iv, &row, &at, why)) > 0) {
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
	npy_head(f, rows, n + 1);
	return 0;
}

void
convert_npy_columns(const struct reader *columns, FILE *f)
{
	fputs("column,name,unit,bits,multiplier\r\n0,sample,,0,1\r\n", f);
	for (unsigned i = 0; i < read_columns(columns); i++) {
		const struct read_column *c = read_column(columns, i);

		fprintf(f, "%u,", i + 1);
		put_csv(f, c->name);
		putc(',', f);
		put_csv(f, c->unit);
		fprintf(f, ",%u,%u\r\n", c->bits, c->mul);
	}
}

/* All columns of a file, some of which may appear in its last sample. */
static int
all_columns(struct reader **r, const char *path, struct diag *why)
{
	struct read_row row;
	int rc = read_open(r, path, why);

	while (rc >= 0 && (rc = read_next(*r, &row, why)) > 0)
		;
	return rc;
}

enum target { TO_NOTHING, TO_CSV, TO_NPY, TO_LUA };

static int
convert(enum target target, const char *path, const struct select *select,
    const char *output, unsigned chunk, struct diag *why)
{
	struct reader *columns = NULL;
	struct intervals *iv = NULL;
	struct out *out = NULL;
	char list[4096];
	int rc;

	if (target != TO_LUA && strcmp(path, "-") == 0)
		return diag_set(why, -ESPIPE, "standard input cannot be read "
		    "twice, and the columns have to be known first: save it "
		    "to a file");
	if (target != TO_LUA && (rc = all_columns(&columns, path, why)) < 0)
		goto end;
	if ((rc = intervals_open(&iv, path, select, why)) < 0 ||
	    (rc = out_open(&out, output, FORMAT_TEXT, "convert", why)) < 0)
		goto end;
	if (target == TO_CSV)
		rc = convert_csv(iv, columns, out_file(out), why);
	else if (target == TO_NPY)
		rc = convert_npy(iv, columns, out_file(out), why);
	else
		rc = convert_lua(iv, chunk, out_file(out), why);
	intervals_complain(iv);
	if (rc == 0 && intervals_samples(iv) == 0)
		rc = diag_set(why, -ENODATA, "%s: nothing to convert", path);
	if (rc < 0)
		goto end;
	rc = out_close(out, true, why);
	out = NULL;
	if (rc < 0 || target != TO_NPY)
		goto end;
	snprintf(list, sizeof(list), "%s.columns.csv", output);
	if ((rc = out_open(&out, list, FORMAT_TEXT, "convert", why)) < 0)
		goto end;
	convert_npy_columns(columns, out_file(out));
	rc = out_close(out, true, why);
	out = NULL;
end:
	out_close(out, false, NULL);
	read_close(columns);
	intervals_close(iv);
	return rc;
}

int
cmd_convert(int argc, char **argv)
{
	static const struct option longopts[] = {
		{ "wide-csv", no_argument, NULL, 'W' },
		{ "npy", no_argument, NULL, 'N' },
		{ "lua-chunks", required_argument, NULL, 'L' },
		COMMON_LONGOPTS
	};
	struct common common = { 0 };
	enum target target = TO_NOTHING;
	struct diag why;
	char *stop;
	long chunk = 0;
	int c;

	while ((c = getopt_long(argc, argv, "s:o:h", longopts, NULL)) != -1) {
		switch (c) {
		case 'W':
			target = TO_CSV;
			break;
		case 'N':
			target = TO_NPY;
			break;
		case 'L':
			target = TO_LUA;
			chunk = strtol(optarg, &stop, 10);
			if (chunk >= 1 && chunk <= 30000 && *stop == '\0')
				break;
			complain("--lua-chunks %s: expected 1 to 30000",
			    optarg);
			return EXIT_USAGE;
		default:
			if (!common_option(&common, c, optarg, usage))
				return common.status;
		}
	}
	if (!common_inputs(&common, argc, argv, usage))
		return common.status;
	if (target == TO_NOTHING || common.ninput > 1 ||
	    (target == TO_NPY && common.output == NULL)) {
		complain(target == TO_NOTHING ?
		    "--wide-csv, --npy or --lua-chunks?" : common.ninput > 1 ?
		    "one file at a time" : "--npy needs -o FILE");
		return EXIT_USAGE;
	}
	if (convert(target, common.input[0], &common.select, common.output,
	    (unsigned)chunk, &why) < 0)
		return complain("%s", why.text);
	return EXIT_OK;
}
