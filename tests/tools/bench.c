/*
 * tests/tools/bench.c - what tests/bench.sh measures with.  Each command prints
 * numbers and nothing else.
 *
 *	bench rows N              sample N rows of a null backend into a store:
 *	                          values a row; ns of user time a value, of user
 *	                          and system time; bytes a value kept
 *	bench sim N               the same on the simulated node
 *	bench drift               60 samples of 0.1 s with 10 ms of work in each:
 *	                          us that the last one is off; us of the original's
 *	                          way (work, then sleep 0.1 s)
 *	bench memory N            a daemon on a stand-in node: KiB of its own at its
 *	                          first row, and N rows later; KiB resident
 *	                          then; KiB of rows
 *	bench dump FILE N         write FILE with N samples of a node: columns, s, s
 *	                          of user time
 *	bench wrapping FILE N     the same of ten-second samples of a node so busy that
 *	                          a counter wraps in most of them
 *	bench fprintf FILE N      the same file with one fprintf a value, of family,
 *	                          indices, event, sample and value
 *	bench shuffled FILE N     the same values, the lines of a sample in any order
 *	bench tree                a stand-in node, which stays: its folder
 *	bench parquet FILE        bytes a column of names, statistics, the rest of the
 *	                          footer, page headers, levels, values
 *	bench run COMMAND...      s, KiB resident at most, s of CPU
 */
#include "tests/lib/parquet_file.h"
#include "tests/lib/stand_in.h"
#include "tests/lib/rig.h"

#include "config/dump/dump.h"
#include "daemon/read/sweep.h"
#include "daemon/run/sampler.h"
#include "regs/linux/linux.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What the original samples: 1,124 columns and the clocks. */
#define ORIGINAL \
	"read pkg_temperature rapl_pkg_energy rapl_dram_energy\n" \
	"read rapl_pkg_throttled pkg_therm_status smi_count\n" \
	"read pkg_core_perf_limit_reasons pkg_ring_perf_limit_reasons\n" \
	"ubox fixed\ncore fixed\nread aperf mperf\n" \
	"core K event=0x3c,os=1,usr=0,counter=0\n" \
	"core X event=0x3c,umask=0x01,any=1,counter=1\n" \
	"core I event=0xc0,os=1,usr=0,counter=2\n" \
	"core L3 event=0xb0,umask=0x10,counter=3\n" \
	"cha E event=0x32,umask=0x81\ncha SF_M event=0x3d,umask=0x01\n" \
	"cha SF_E event=0x3d,umask=0x02\ncha SF_S event=0x3d,umask=0x04\n" \
	"imc CAS_COUNT.READS event=0x04,umask=0x03\n" \
	"imc CAS_COUNT.WRITES event=0x04,umask=0x0c\n" \
	"imc ACT.ALL event=0x01,umask=0x0b\n" \
	"imc PRE_COUNT.MISS event=0x02,umask=0x01\n" \
	"pcu A event=0x04\npcu B event=0x05\npcu C event=0x06\n" \
	"pcu D event=0x74\n"

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double
user(void)
{
	struct rusage ru;

	getrusage(RUSAGE_SELF, &ru);
	return (double)ru.ru_utime.tv_sec + (double)ru.ru_utime.tv_usec * 1e-6;
}

static double
cpu(void)
{
	struct rusage ru;

	getrusage(RUSAGE_SELF, &ru);
	return (double)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) +
	    (double)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) * 1e-6;
}

/* ---- a backend that costs nothing -------------------------------------- */

static int null_read(struct access *, const struct reg_addr *, uint64_t *)
    __attribute__((noinline));
static uint64_t null_tsc(struct access *) __attribute__((noinline));

static int
null_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	(void)acc;
	*raw = addr->offset;
	return 0;
}

static unsigned null_read_many(struct access *, const struct reg_addr *, unsigned,
    uint64_t *) __attribute__((noinline));

static unsigned
null_read_many(struct access *acc, const struct reg_addr *addr, unsigned n,
    uint64_t *raw)
{
	(void)acc;
	for (unsigned i = 0; i < n; i++)
		raw[i] = addr[i].offset;
	return 0;
}

static uint64_t
null_tsc(struct access *acc)
{
	(void)acc;
	return 1;
}

static void
null_now(struct access *acc, struct stamp *st)
{
	(void)acc;
	*st = (struct stamp){ 1, 1, 1 };
}

static const struct host_ops null_host = {
	.tsc = null_tsc, .now = null_now
};

static const struct access_ops null_ops = {
	.name = "null", .read = null_read, .read_many = null_read_many,
	.host = &null_host
};

static struct store *
make_store(const struct plan *p, uint64_t rows, unsigned interval, char *path)
{
	char head[160];
	struct store_shape shape = { .column = p->column,
	    .ncolumn = p->ncolumn, .ncell = p->ncell, .capacity = rows,
	    .preamble = head, .cell_tsc = CELL_TSC,
	    .cell_real_sec = CELL_SEC, .cell_real_usec = CELL_USEC };
	struct store *st;
	struct diag why;

	snprintf(head, sizeof(head), "tallyd_format = 1\nhost = \"bench\"\n"
	    "model = \"skx\"\ninterval = %u\npackages = 2\n"
	    "tsc_hz_nominal = 2100000000\n", interval);
	snprintf(path, 512, "/dev/shm/tallyd-bench-%d", getpid());
	if (store_create(&st, path, &shape, &why) < 0)
		fail_msg("%s", why.text);
	unlink(path);
	return st;
}

static void
rows(uint64_t n, bool null)
{
	struct rig *r = rig_open("@skx-8160-2s", NULL);
	struct access none = { .ops = &null_ops };
	struct plan *p = &r->node.plan;
	char path[512];
	struct store *st;
	uint64_t *row;
	double user_s, cpu_s, values = (double)n * p->nread;

	rig_program(r);
	st = make_store(p, n, 1, path);
	user_s = user();
	cpu_s = cpu();
	while ((row = store_row(st)) != NULL) {
		row_take(&r->sweep, p, null ? &none : r->node.acc, 0, row);
		store_commit(st);
	}
	user_s = user() - user_s;
	cpu_s = cpu() - cpu_s;
	printf("%u %.2f %.2f %.2f\n", p->nread, user_s / values * 1e9,
	    cpu_s / values * 1e9, (double)p->ncell * 8 / p->ncolumn);
	store_close(st);
	rig_close(r);
}

/* ---- drift --------------------------------------------------------------- */

static struct access *clocks;

static void
real_now(struct access *acc, struct stamp *st)
{
	(void)acc;
	access_now(clocks, st);
}

static int
real_sleep(struct access *acc, uint64_t mono_ns, const sigset_t *unblocked)
{
	(void)acc;
	return access_sleep(clocks, mono_ns, unblocked);
}

static uint64_t
work_tsc(struct access *acc)
{
	double until = seconds() + 0.010;

	(void)acc;
	while (seconds() < until)
		continue;
	return 1;
}

/* The least by which any of ten samples comes after its place on a grid of
 * 0.1 s, in us. */
static double
behind(const struct store *st, uint64_t first)
{
	double least = 1e9;

	for (uint64_t r = first; r < first + 10; r++) {
		uint64_t row[CELL_USEC + 1], start[CELL_SEC + 1];
		double us;

		store_read(st, r, 0, CELL_USEC + 1, row);
		store_read(st, 1, 0, CELL_SEC + 1, start);
		us = (double)(row[CELL_SEC] - start[CELL_SEC]) * 1e6 +
		    (double)row[CELL_USEC] - (double)(r - 1) * 1e5;

		if (us < least)
			least = us;
	}
	return least;
}

static void
drift(void)
{
	static const struct host_ops host = { .tsc = work_tsc,
	    .now = real_now, .sleep = real_sleep };
	static const struct access_ops ops = { .name = "work",
	    .read = null_read, .host = &host };
	/* one block: its stamp is the artificial work */
	struct rig *r = rig_text("", "read rapl_pkg_energy\n");
	struct access work = { .ops = &ops };
	struct plan *p = &r->node.plan;
	struct timespec tenth = { 0, 100000000 };
	char path[512];
	struct diag why;
	struct store *st;
	struct sampler s = { .plan = p, .acc = &work, .sweep = &r->sweep,
	    .interval_ns = 100000000, .samples = 62 };
	double t, off;

	if (linux_open(&clocks, "/", &why) < 0)
		fail_msg("%s", why.text);
	p->nblock = 1;
	st = make_store(p, 62, 1, path);
	s.store = st;
	sampler_run(&s);
	/* 50 intervals lie between the best of the first ten samples and the
	 * best of the last ten; the very first is taken at once */
	off = behind(st, 51) - behind(st, 1);
	t = seconds();
	for (int i = 0; i < 60; i++) {
		work_tsc(NULL);
		nanosleep(&tenth, NULL);
	}
	printf("%.0f %.0f\n", off, (seconds() - t - 6.0) * 1e6);
	store_close(st);
	rig_close(r);
}

/* ---- memory -------------------------------------------------------------- */

/* A process's resident memory in KiB, by its line of status: all of it, or what no file
 * has (RssAnon). */
static unsigned
resident_kib(pid_t pid, const char *which)
{
	char path[64], line[128];
	unsigned kib = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	if ((f = fopen(path, "r")) == NULL)
		return 0;
	while (fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, which, strlen(which)) == 0 &&
		    sscanf(line + strlen(which), ": %u", &kib) == 1)
			break;
	fclose(f);
	return kib;
}

static void
memory(uint64_t n)
{
	char *dir = stand_in_new(), path[512], first[64];
	const char *args[] = { "-q", "-i", "0.005", "-n", "20000", NULL };
	pid_t pid = tallyd_start(dir, NULL, args);
	struct store *st;
	unsigned before;

	tallyd_rows(dir, 1);
	before = resident_kib(pid, "RssAnon");
	tallyd_rows(dir, n);
	if (store_open(&st, in_dir(dir, "store", path), NULL) < 0)
		fail_msg("no store");
	snprintf(first, sizeof(first), "%u %u %u %.0f", before,
	    resident_kib(pid, "RssAnon"), resident_kib(pid, "VmRSS"), (double)store_shape(st)->ncell * 20000 * 8 /
	    1024);
	store_close(st);
	kill(pid, SIGTERM);
	if (tallyd_wait(pid) == 0)
		puts(first);
	tree_free(dir);
}

/* ---- a long dump --------------------------------------------------------- */

static uint64_t seed = 1;

static uint64_t
dice(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed >> 33;
}

/* How much a counter goes on by in a sample. */
static uint64_t
step_of(const struct column *c, bool wraps)
{
	if (c->bits == 32)
		return c->cls == CLASS_ENERGY_PKG ||
		    c->cls == CLASS_ENERGY_DRAM ? 2000000 : 0;
	return wraps && (c->cls == CLASS_EVENT || c->cls == CLASS_UNCORE) ?
	    (1ull << 48) / 700 : 1000000 * (1 + dice() % 300);
}

/* One-second samples of a busy node: energy counters wrap every half hour, a few
 * of the others once; or ten-second ones, with a wrap in most of them. */
static struct store *
busy_store(const struct plan *p, uint64_t n, bool wraps)
{
	uint64_t *raw = calloc(p->ncell, sizeof(raw[0]));
	uint64_t *step = calloc(p->ncell, sizeof(step[0]));
	uint64_t *mask = calloc(p->ncell, sizeof(mask[0]));
	char path[512];
	struct store *st = make_store(p, n, wraps ? 10 : 1, path);
	uint64_t *row, every = wraps ? 10 : 1;

	for (unsigned i = 0; i < p->ncolumn; i++) {
		const struct column *c = &p->column[i];

		mask[c->cell] = c->bits == 0 ? 0 : c->bits == 64 ? ~0ull :
		    (1ull << c->bits) - 1;
		step[c->cell] = step_of(c, wraps);
		raw[c->cell] = c->bits == 0 ? 0x88360800 :
		    c->bits == 64 ? 1ull << 50 : dice() << 17;
		raw[c->cell] &= mask[c->cell] != 0 ? mask[c->cell] : ~0ull;
	}
	for (uint64_t r = 0; (row = store_row(st)) != NULL; r++) {
		for (unsigned i = 0; i < p->ncell; i++) {
			if (mask[i] != 0)
				raw[i] = (raw[i] + step[i] + (step[i] != 0 ?
				    dice() % 1000 : 0)) & mask[i];
			row[i] = raw[i];
		}
		row[CELL_TSC] = 1000000000000 + r * every * 2100000000;
		row[CELL_SEC] = 1700000000 + r * every;
		row[CELL_USEC] = 12 + dice() % 50;
		for (unsigned b = 0; b < p->nblock; b++)
			row[p->block[b].cell] = row[CELL_TSC] + b * 40000;
		store_commit(st);
	}
	free(raw);
	free(step);
	free(mask);
	return st;
}

/* One value, one fprintf. */
static void
print_value(FILE *f, const struct column *c, uint64_t r, uint64_t raw)
{
	const struct column_id *p = &c->id;
	const char *family = p->family->name;

	if (c->print == PRINT_HEX)
		fprintf(f, "%s[%u][%" PRIu64 "] = 0x%" PRIx64 "\n", family,
		    p->index[0], r, raw);
	else if (c->print == PRINT_TEMP)
		fprintf(f, "%s[%u][%" PRIu64 "] = %d\n", family,
		    p->index[0], r, c->base - (int)(raw >> 16 & 0x7f));
	else if (p->nindex == 2)
		fprintf(f, "%s[%u][%u][\"%s\"][%" PRIu64 "] = %" PRIu64 "\n",
		    family, p->index[0], p->index[1], p->event, r,
		    raw);
	else if (p->nindex == 1 && p->event != NULL)
		fprintf(f, "%s[%u][\"%s\"][%" PRIu64 "] = %" PRIu64 "\n",
		    family, p->index[0], p->event, r, raw);
	else if (p->nindex == 1)
		fprintf(f, "%s[%u][%" PRIu64 "] = %" PRIu64 "\n", family,
		    p->index[0], r, raw);
	else
		fprintf(f, "%s[%" PRIu64 "] = %" PRIu64 "\n", family, r,
		    raw);
}

enum how { OURS, WRAPPING, FPRINTF, SHUFFLED };

/* The rows of a store after its first one, whose lines begin at `at`. */
static void
print_rows(FILE *f, const struct store *st, uint64_t n, enum how how)
{
	const struct store_shape *s = store_shape(st);
	unsigned *order = calloc(s->ncolumn, sizeof(order[0]));
	uint64_t *row = calloc(s->ncell, sizeof(row[0]));

	for (unsigned i = 0; i < s->ncolumn; i++)
		order[i] = i;
	for (uint64_t r = 0; r < n; r++) {
		store_read(st, r, 0, s->ncell, row);
		for (unsigned i = s->ncolumn; how == SHUFFLED && i > 1; i--) {
			unsigned k = (unsigned)(dice() % i);
			unsigned swap = order[i - 1];

			order[i - 1] = order[k];
			order[k] = swap;
		}
		for (unsigned i = 0; i < s->ncolumn; i++) {
			const struct column *c = &s->column[order[i]];

			if (row[c->cell] != ABSENT)
				print_value(f, c, r, row[c->cell]);
		}
	}
	free(order);
	free(row);
}

/* The file of an earlier run goes; a device, or anything else, stays. */
static void
make_way(const char *file)
{
	struct stat sb;

	if (lstat(file, &sb) == 0 && S_ISREG(sb.st_mode))
		unlink(file);
}

static void
dump(const char *file, uint64_t n, enum how how)
{
	struct rig *r = rig_text("", ORIGINAL);
	struct store *st = busy_store(&r->node.plan, n, how == WRAPPING);
	const struct store_shape *s = store_shape(st);
	char *head, *line;
	size_t size;
	double t, u;
	int fd;
	FILE *f;

	make_way(file);
	if (how == OURS || how == WRAPPING) {
		t = seconds();
		u = user();
		fd = open(file, O_WRONLY | O_CREAT | O_EXCL, 0600);
		if (fd < 0)
			fail_msg("%s: %s", file, strerror(errno));
		if (dump_write(st, fd, NULL) < 0)
			fail_msg("%s", file);
		close(fd);
	} else {
		/* the head and the declarations as dump_write has them */
		f = open_memstream(&head, &size);
		fd = memfd_create("head", 0);
		if (f == NULL || dump_write(st, fd, NULL) < 0)
			fail_msg("%s", file);
		fclose(f);
		free(head);
		head = malloc(1 << 20);
		size = (size_t)pread(fd, head, (1 << 20) - 1, 0);
		head[size] = '\0';
		close(fd);
		line = strstr(head, "\ntsc[0] = ");
		assert_non_null(line);
		t = seconds();
		u = user();
		f = fopen(file, "wx");
		assert_non_null(f);
		fwrite(head, 1, (size_t)(line + 1 - head), f);
		print_rows(f, st, n, how);
		fclose(f);
		free(head);
	}
	printf("%u %.3f %.3f\n", s->ncolumn, seconds() - t, user() - u);
	store_close(st);
	rig_close(r);
}

/* ---- bytes of a file ------------------------------------------------------ */

static void
parquet(const char *path)
{
	struct pq_file f;
	const struct pq_bytes *b = &f.bytes;
	size_t n;
	char *data = file_text(path, &n);
	const uint64_t *kind[] = { &b->names, &b->bounds, &b->rest,
	    &b->page_heads, &b->levels, &b->values };

	if (!pq_read(&f, (const uint8_t *)data, n))
		fail_msg("%s: %s", path, f.wrong);
	for (unsigned i = 0; i < 6; i++)
		printf("%.1f%c", (double)*kind[i] / f.ncolumn,
		    i < 5 ? ' ' : '\n');
	free(data);
	pq_free(&f);
}

/* ---- another program ------------------------------------------------------ */

static int
run(char **argv)
{
	struct rusage ru;
	double t = seconds();
	int status, null;
	pid_t pid;

	if ((pid = fork()) == 0) {
		null = open("/dev/null", O_WRONLY);
		dup2(null, 1);
		execvp(argv[0], argv);
		_exit(127);
	}
	wait4(pid, &status, 0, &ru);
	printf("%.3f %ld %.3f\n", seconds() - t, ru.ru_maxrss,
	    (double)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) +
	    (double)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) * 1e-6);
	return !WIFEXITED(status) || WEXITSTATUS(status) > 1;
}

static int
usage(void)
{
	fputs("usage: bench rows|sim|memory N, drift, tree, "
	    "dump|wrapping|fprintf|shuffled FILE N, parquet FILE, "
	    "run COMMAND...\n", stderr);
	return 2;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	uint64_t n = argc > 2 ? strtoull(argv[argc - 1], NULL, 10) : 0;

	if (strcmp(what, "drift") == 0)
		drift();
	else if (strcmp(what, "tree") == 0)
		puts(stand_in_new());
	else if (strcmp(what, "parquet") == 0 && argc == 3)
		parquet(argv[2]);
	else if (strcmp(what, "run") == 0 && argc > 2)
		return run(argv + 2);
	else if (n == 0)
		return usage();
	else if (strcmp(what, "rows") == 0 || strcmp(what, "sim") == 0)
		rows(n, what[0] == 'r');
	else if (strcmp(what, "memory") == 0)
		memory(n);
	else if (strcmp(what, "dump") == 0 && argc == 4)
		dump(argv[2], n, OURS);
	else if (strcmp(what, "wrapping") == 0 && argc == 4)
		dump(argv[2], n, WRAPPING);
	else if (strcmp(what, "fprintf") == 0 && argc == 4)
		dump(argv[2], n, FPRINTF);
	else if (strcmp(what, "shuffled") == 0 && argc == 4)
		dump(argv[2], n, SHUFFLED);
	else
		return usage();
	return 0;
}
