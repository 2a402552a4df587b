/*
 * tests/daemon/test_each_call.c - a run of the daemon in which one system call fails,
 * for every call and every way to fail, or one allocation: no row is lost or
 * torn, no register is left changed, and a run that ends for it says why, once.
 *
 * The run has everything: a start, rows, sets that take turns, a watch, a dump
 * on SIGUSR1, a mark, a stop by SIGTERM.  `make check` takes a sample of the
 * calls, the same each time; FAULTS=I/N takes all whose number is I modulo N.
 */
#include "tests/lib/scene.h"
#include "tests/lib/rig.h"
#include "tests/lib/tracer.h"

#include "config/dump/read.h"
#include "config/dump/store_int.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SOME 14                 /* of each kind of fault, in `make check` */
#define ROWS 7
#define MAX_KNOWN 128
#define MAX_USUAL 8
#define LINE 256

/* A column that reads the same in every row. */
struct known { char name[96]; uint64_t value; };

struct stage {
	struct scene s;
	const char *env;
	struct known known[MAX_KNOWN];
	unsigned nknown, ncolumn;
	char usual[MAX_USUAL][LINE];    /* what it says, without numbers */
	unsigned nusual;
	const char *missing;    /* one of the known ones */
	uint64_t rows;          /* that the store was told of */
	char wrong[4096];       /* what of this run is not as it shall be */
};

static void
complain(struct stage *g, const char *format, ...)
{
	size_t n = strlen(g->wrong);
	va_list ap;

	va_start(ap, format);
	n += (size_t)snprintf(g->wrong + n, sizeof(g->wrong) - n, "\t- ");
	if (n < sizeof(g->wrong))
		n += (size_t)vsnprintf(g->wrong + n, sizeof(g->wrong) - n,
		    format, ap);
	if (n + 1 < sizeof(g->wrong))
		strcpy(g->wrong + n, "\n");
	va_end(ap);
}

/* ---- the run ------------------------------------------------------------ */

static struct scene
small_scene(void)
{
	struct scene s = scene_begin();

	tree_text(s.dir, "/sys/devices/system/cpu/online", "0-1\n");
	tree_text(s.dir, "/sys/devices/system/cpu/present", "0-1\n");
	tree_text(s.dir, "/few.conf", "core A event=0x3c\n"
	    "imc CAS_COUNT.READS event=0x04,umask=0x03\nread aperf\n"
	    "set one\ncha C event=0x34,filter0=0x7fe0000\n"
	    "set two\ncha D event=0x3d,umask=0x01\n");
	return s;
}

static void
exec_tallyd(void *ctx)
{
	struct stage *g = ctx;
	char conf[512];
	bool root = geteuid() == 0;

	in_dir(g->s.dir, "few.conf", conf);
	tallyd_exec(g->s.dir, g->env, ARGS("-c", conf, "-i", "0.001", "-n",
	    "1000", "--read", "visit", "--watch", "3", root ? "--user" : "-q",
	    root ? "nobody" : "-q"));
}

/* Rows as they are published; what comes from outside comes after some. */
static void
count_rows(void *ctx, struct trace *t, const struct trace_call *c)
{
	struct stage *g = ctx;
	/* of the eight bytes that tell how many there are */
	uint64_t at = c->arg[3] - offsetof(struct file_head, nrow);

	if (c->nr != SYS_pwrite64 || c->pid != t->root || at >= 8 ||
	    c->arg[2] + at != 8 || c->rc + (int64_t)at != 8)
		return;
	g->rows = trace_peek(c->pid, c->arg[1] - at);
	if (g->rows == 2)
		kill(t->root, SIGUSR1);
	if (g->rows == 3)
		kill(t->root, SIGUSR2);
	if (g->rows == ROWS - 1)
		kill(t->root, SIGTERM);
}

static void
remove_named(const struct stage *g, const char *prefix)
{
	char path[512];
	DIR *d = opendir(g->s.dir);
	struct dirent *e;

	assert_non_null(d);
	while ((e = readdir(d)) != NULL)
		if (strncmp(e->d_name, prefix, strlen(prefix)) == 0)
			unlink(in_dir(g->s.dir, e->d_name, path));
	closedir(d);
}

static void
run_once(struct stage *g, struct trace *t)
{
	remove_named(g, "log");
	remove_named(g, "dump.lua");
	remove_named(g, "store");
	g->rows = 0;
	g->wrong[0] = '\0';
	t->exec = exec_tallyd;
	t->done = count_rows;
	t->ctx = g;
	trace_run(t);
}

/* ---- how it was left ---------------------------------------------------- */

static const struct known *
known_column(const struct stage *g, const char *name)
{
	for (unsigned i = 0; i < g->nknown; i++)
		if (strcmp(g->known[i].name, name) == 0)
			return &g->known[i];
	return NULL;
}

/* One row of a dump or a store against what its registers hold. */
static void
look_at_row(struct stage *g, struct reader *r, const struct read_row *row,
    bool may_lack)
{
	for (unsigned c = 0; c < row->ncol; c++) {
		const char *name = read_column(r, c)->name;
		const struct known *k = known_column(g, name);

		if (k == NULL || row->value[c] == k->value)
			continue;
		if (row->value[c] != ABSENT)
			complain(g, "%s: %s[%u] is 0x%llx, not 0x%llx",
			    read_path(r), name, (unsigned)row->sample,
			    (unsigned long long)row->value[c],
			    (unsigned long long)k->value);
		else if (!may_lack)
			complain(g, "%s has no %s[%u]", read_path(r), name,
			    (unsigned)row->sample);
	}
}

/* A dump or a store: every row of it is whole.  Returns how many. */
static uint64_t
look_at(struct stage *g, const char *name, bool may_lack)
{
	char path[512];
	struct reader *r;
	struct read_row row;
	struct diag why;
	uint64_t n = 0;
	int rc;

	if ((rc = read_open(&r, in_dir(g->s.dir, name, path), &why)) < 0) {
		/* killed before there was anything in it */
		if (strcmp(name, "store") != 0 || g->rows > 0)
			complain(g, "%s", why.text);
		return 0;
	}
	while ((rc = read_next(r, &row, &why)) > 0) {
		if (row.sample != n++)
			complain(g, "%s: sample %u is not there", name,
			    (unsigned)n - 1);
		look_at_row(g, r, &row, may_lack);
	}
	if (rc < 0)
		complain(g, "%s", why.text);
	if (read_problems(r, PROBLEM_KINDS) > 0)
		complain(g, "%s", read_problem(r, 0)->text);
	if (strcmp(name, "dump.lua") == 0 &&
	    head_number(r, HEAD_SAMPLES, ALONE, -1) != (double)n)
		complain(g, "%s has %u samples, and says another number", name,
		    (unsigned)n);
	g->ncolumn = read_columns(r);
	g->missing = NULL;
	for (unsigned i = 0; i < g->nknown; i++)
		if (g->known[i].name[0] != '\0' &&
		    read_find(r, g->known[i].name) < 0)
			g->missing = g->known[i].name;
	read_close(r);
	return n;
}

/* A line without its numbers, which differ from run to run. */
static void
without_numbers(const char *line, char *buf, size_t size)
{
	size_t n = 0;

	for (; *line != '\0' && n + 1 < size; line++)
		if (*line < '0' || *line > '9')
			buf[n++] = *line;
	buf[n] = '\0';
}

/* What daemons of other tests, killed meanwhile, left: as it comes. */
static bool
is_others(const char *line)
{
	return strstr(line, "a tallyd that died left its samples") != NULL;
}

/* Does a run without a fault say it, too? */
static bool
is_usual(const struct stage *g, const char *line)
{
	char text[LINE];

	if (is_others(line))
		return true;
	without_numbers(line, text, sizeof(text));
	for (unsigned i = 0; i < g->nusual; i++)
		if (strcmp(g->usual[i], text) == 0)
			return true;
	return false;
}

/* How many lines the daemon said beside; none may say nothing. */
static unsigned
lines_said(struct stage *g)
{
	char path[512], *text, *line, *end;
	unsigned n = 0;

	if (!scene_has(&g->s, "log"))
		return 0;
	text = file_text(in_dir(g->s.dir, "log", path), NULL);
	for (line = text; *line != '\0'; line = end) {
		end = line + strcspn(line, "\n");
		if (*end != '\0')
			*end++ = '\0';
		n += !is_usual(g, line);
		if (strstr(line, "Success") != NULL ||
		    strstr(line, "(null)") != NULL ||
		    strstr(line, "Unknown error") != NULL)
			complain(g, "it says nothing: %s", line);
		if (strstr(line, "is not among those that") != NULL)
			complain(g, "the filter: %s", line);
	}
	free(text);
	return n;
}

static bool
said(const struct stage *g, const char *words)
{
	char path[512], *text;
	bool yes;

	if (!scene_has(&g->s, "log"))
		return false;
	text = file_text(in_dir(g->s.dir, "log", path), NULL);
	yes = strstr(text, words) != NULL;
	free(text);
	return yes;
}

static bool
registers_same(const struct stage *g)
{
	uint8_t *now = stand_in_save(g->s.dir);
	bool same = memcmp(now, g->s.before, stand_in_saved) == 0;

	free(now);
	return same;
}

/* Registers and journal; --restore where the journal is there for it. */
static void
look_at_registers(struct stage *g, bool told)
{
	char path[512];
	struct stat sb;
	bool same = registers_same(g);
	bool journal = stat(in_dir(g->s.dir, "run/tallyd.journal", path), &sb)
	    == 0 && sb.st_size > 0;

	if (!same && !journal)
		complain(g, "registers are changed, and there is no journal");
	if (!same && !told)
		complain(g, "registers are changed, and nobody says so");
	if (journal) {
		if (tallyd_run(g->s.dir, NULL, ARGS("-q", "--restore")) != 0)
			complain(g, "--restore fails");
		if (!registers_same(g))
			complain(g, "--restore leaves registers changed");
		if (scene_has(&g->s, "run/tallyd.journal"))
			complain(g, "--restore leaves the journal");
	}
	unlink(path);
}

/* Of a run whose first process came to its own end. */
static void
look_at_end(struct stage *g, const struct trace *t, unsigned columns)
{
	bool mute = strstr(t->what, "/log:") != NULL ||
	    (t->fault == FAULT_ON && t->nr == SYS_write);
	unsigned lines = lines_said(g);
	uint64_t dumped = scene_has(&g->s, "dump.lua") ?
	    look_at(g, "dump.lua", t->fault != FAULT_SHORT) : 0;
	bool store = scene_has(&g->s, "store");

	if (t->status != 0 && t->status != 1)
		complain(g, "its exit status is %d", t->status);
	if (t->status == 0 && (g->rows != ROWS || dumped != ROWS))
		complain(g, "%u rows, %u in the dump, and all is well",
		    (unsigned)g->rows, (unsigned)dumped);
	if (t->status == 0 && g->ncolumn != columns && lines == 0 && !mute)
		complain(g, "%u columns instead of %u (no %s), and not a word",
		    g->ncolumn, columns, g->missing);
	if (dumped < g->rows && look_at(g, "store", t->fault != FAULT_SHORT) <
	    g->rows)
		complain(g, "%u rows: neither dump nor store has them",
		    (unsigned)g->rows);
	if (store && dumped >= g->rows && !said(g, "/store"))
		complain(g, "a store is left, and nobody says so");
	if (t->status != 0 && lines == 0 && !mute)
		complain(g, "it failed without a word");
	if (lines > 3)
		complain(g, "it says %u lines", lines);
	if (scene_files(&g->s, "dump.lua.") > 0 && t->nr != SYS_unlinkat &&
	    t->fault < FAULT_KILL)
		complain(g, "half a dump is left");
	look_at_registers(g, said(g, "could not be restored") ||
	    said(g, "--restore"));
}

/* Of one whose first process was killed: the other puts registers back. */
static void
look_at_remains(struct stage *g, const struct trace *t)
{
	uint64_t dumped = 0;

	if (scene_has(&g->s, "dump.lua"))
		dumped = look_at(g, "dump.lua", false);
	if (dumped < g->rows && look_at(g, "store", false) < g->rows)
		complain(g, "%u rows: neither dump nor store has them",
		    (unsigned)g->rows);
	look_at_registers(g, t->fault == FAULT_KILL_ALL);
}

static void
print_wrong(const struct stage *g, const struct trace *t)
{
	char path[512], *text = NULL;

	if (scene_has(&g->s, "log"))
		text = file_text(in_dir(g->s.dir, "log", path), NULL);
	print_message("%s, number %llu: %s\n%s%s\n", fault_name[t->fault],
	    (unsigned long long)t->at, t->what, g->wrong, text != NULL ? text :
	    "");
	free(text);
}

/* ---- every one of them -------------------------------------------------- */

static void
learn_usual(struct stage *g)
{
	char path[512], line[LINE];
	FILE *f = fopen(in_dir(g->s.dir, "log", path), "r");

	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (is_others(line))
			continue;
		assert_true(g->nusual < MAX_USUAL);
		without_numbers(line, g->usual[g->nusual++], LINE);
	}
	fclose(f);
}

/* A run without a fault: what there is to count, and what rows shall be. */
static struct trace
rehearse(struct stage *g)
{
	struct trace t = { .fault = FAULT_NONE };
	char path[512];
	struct reader *r;
	struct read_row row;
	struct diag why;

	run_once(g, &t);
	if (t.status != 0)
		tallyd_failed(g->s.dir, "a run without a fault", t.status);
	learn_usual(g);
	assert_int_equal(g->rows, ROWS);
	assert_int_equal(read_open(&r, in_dir(g->s.dir, "dump.lua", path),
	    &why), 0);
	for (unsigned n = 0; read_next(r, &row, &why) > 0; n++)
		for (unsigned c = 0; c < row.ncol; c++) {
			struct known *k = &g->known[c];

			assert_true(c < MAX_KNOWN);
			if (n == 0) {
				snprintf(k->name, sizeof(k->name), "%s",
				    read_column(r, c)->name);
				k->value = row.value[c];
			}
			/* seconds, which may be the same in all rows */
			if (k->value != row.value[c] ||
			    strncmp(k->name, "walltime", 8) == 0)
				k->name[0] = '\0';
		}
	g->nknown = g->ncolumn = read_columns(r);
	read_close(r);
	return t;
}

static void
each_call(enum fault fault)
{
	struct stage g = { .s = small_scene() };
	struct trace all = rehearse(&g), t = { .fault = fault };
	unsigned step = (unsigned)(all.fits[fault] / SOME + 1), from = fault;
	unsigned columns = g.ncolumn, wrong = 0, runs = 0;
	const char *part = getenv("FAULTS");

	if (part != NULL && sscanf(part, "%u/%u", &from, &step) != 2)
		fail_msg("FAULTS=%s is no part I/N", part);
	for (t.at = from > 0 ? from : step;; t.at += step) {
		run_once(&g, &t);
		if (!t.hit)
			break;
		runs++;
		if (t.hung)
			complain(&g, "it does not end");
		if (fault >= FAULT_KILL && t.status == -SIGKILL)
			look_at_remains(&g, &t);
		else
			look_at_end(&g, &t, columns);
		if (g.wrong[0] == '\0')
			continue;
		wrong++;
		print_wrong(&g, &t);
		if (!registers_same(&g)) {
			tree_free(g.s.dir);
			free(g.s.before);
			g.s = small_scene();
		}
	}
	print_message("%s: %u of %llu calls\n", fault_name[fault], runs,
	    (unsigned long long)all.fits[fault]);
	assert_true(runs >= 3);
	assert_int_equal(wrong, 0);
	remove_named(&g, "log");
	scene_end(&g.s);
}

/* ---- every allocation ---------------------------------------------------- */

/* Which allocation fails, and how many there were: tests/tools/memory_shim.c. */
static void
put_count(const struct stage *g, uint64_t fails)
{
	const uint64_t count[2] = { fails, 0 };

	tree_put(g->s.dir, "/count", count, sizeof(count));
}

static uint64_t
allocations(const struct stage *g)
{
	char path[512];
	char *text = file_text(in_dir(g->s.dir, "count", path), NULL);
	uint64_t n;

	memcpy(&n, text + sizeof(n), sizeof(n));
	free(text);
	return n;
}

static void
no_memory(struct stage *g)
{
	unsigned columns = g->ncolumn, wrong = 0, runs = 0;
	unsigned step, from = 1;
	struct trace t = { .fault = FAULT_NONE };
	const char *part = getenv("FAULTS");

	put_count(g, 0);
	run_once(g, &t);
	assert_int_equal(t.status, 0);
	step = (unsigned)(allocations(g) / SOME + 1);
	if (part != NULL && sscanf(part, "%u/%u", &from, &step) != 2)
		fail_msg("FAULTS=%s is no part I/N", part);
	for (t.at = from; ; t.at += step) {
		put_count(g, t.at);
		run_once(g, &t);
		if (allocations(g) < t.at)
			break;
		runs++;
		snprintf(t.what, sizeof(t.what), "allocation %u",
		    (unsigned)t.at);
		look_at_end(g, &t, columns);
		if (g->wrong[0] == '\0')
			continue;
		wrong++;
		print_wrong(g, &t);
	}
	print_message("no memory: %u allocations\n", runs);
	assert_true(runs >= 3);
	assert_int_equal(wrong, 0);
}

static void
an_allocation_that_fails_costs_nothing_or_is_told(void **state)
{
	char msr[512], memory[512], env[1100], count[512], left[64];
	struct stage g = { .s = small_scene(), .env = NULL };

	(void)state;
#ifdef __SANITIZE_ADDRESS__
	scene_end(&g.s);
	print_message("the sanitizer has an allocator of its own\n");
	skip();
#endif
	if (!trace_works()) {
		scene_end(&g.s);
		print_message("tracing needs a right, and an x86\n");
		skip();
	}
	rehearse(&g);
	snprintf(env, sizeof(env), "LD_PRELOAD=%s:%s",
	    built("tests/msr_shim.so", msr), built("tests/memory_shim.so",
	    memory));
	setenv("STAND_IN_MEMORY", in_dir(g.s.dir, "count", count), 1);
	g.env = env;
	/* what a tallyd that died would leave there, which is looked for */
	snprintf(left, sizeof(left), "/dev/shm/tallyd-%d-left.store",
	    getpid());
	close(open(left, O_CREAT | O_WRONLY, 0600));
	no_memory(&g);
	unlink(left);
	unsetenv("STAND_IN_MEMORY");
	remove_named(&g, "log");
	scene_end(&g.s);
}

#define EACH(name, fault)						\
static void								\
name(void **state)							\
{									\
	(void)state;							\
	if (!trace_works()) {						\
		print_message("tracing needs a right, and an x86\n");	\
		skip();							\
	}								\
	each_call(fault);						\
}

EACH(a_call_that_fails_once_costs_nothing_or_is_told, FAULT_ONCE)
EACH(a_call_that_fails_from_then_on_costs_nothing_or_is_told, FAULT_ON)
EACH(a_call_that_is_interrupted_costs_nothing_or_is_told, FAULT_EINTR)
EACH(a_call_that_does_half_costs_nothing, FAULT_SHORT)
EACH(a_process_that_is_killed_at_any_call_loses_nothing, FAULT_KILL)
EACH(processes_that_are_killed_at_any_call_lose_nothing, FAULT_KILL_ALL)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_call_that_fails_once_costs_nothing_or_is_told),
		cmocka_unit_test(
		    a_call_that_fails_from_then_on_costs_nothing_or_is_told),
		cmocka_unit_test(
		    a_call_that_is_interrupted_costs_nothing_or_is_told),
		cmocka_unit_test(a_call_that_does_half_costs_nothing),
		cmocka_unit_test(
		    a_process_that_is_killed_at_any_call_loses_nothing),
		cmocka_unit_test(
		    processes_that_are_killed_at_any_call_lose_nothing),
		cmocka_unit_test(
		    an_allocation_that_fails_costs_nothing_or_is_told),
	};

	return cmocka_run_group_tests_name("each call", tests, NULL, NULL);
}
