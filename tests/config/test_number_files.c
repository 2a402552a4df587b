/*
 * tests/config/test_number_files.c - numbers in files of the node: from the line of a
 * configuration to figures, on trees of files that vanish, block and turn to text.
 */
#include "tests/lib/files.h"
#include "tests/lib/rig.h"

#include "config/file_number.h"
#include "config/lang/events.h"
#include "config/lang/readable.h"
#include "daemon/plan/plan_int.h"
#include "daemon/read/files.h"
#include "regs/host.h"
#include "regs/linux/linux.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- lines ---- */

static const struct {
	int line;
	const char *text, *family, *statement;
} lines[] = {
	{ __LINE__, "read file=/sys/a as A", "file_A",
	    "file=/sys/a counter as A" },
	{ __LINE__, "read file=/proc/x/*/y*z as a_1 gauge every 60 unit=W/m2 "
	    "scale=1e-6", "file_a_1", "file=/proc/x/*/y*z gauge scale=1e-6 "
	    "unit=W/m2 every 60 as a_1" },
	{ __LINE__, "optional read file=/sys/t at=0x10 counter every 1 as T",
	    "file_T", "file=/sys/t at=0x10 counter as T" },
	{ __LINE__, "read file=/run/site/x scale=0.5 as T # half", "file_T",
	    "file=/run/site/x counter scale=0.5 as T" },
};

static int
parse(struct config *cfg, const char *text, struct diag *why)
{
	assert_int_equal(config_init(cfg, model_named("skx")), 0);
	return config_parse(cfg, "t.conf", text, strlen(text), why);
}

/* And what the head of a dump says of it is a line again, the same one. */
static void
a_line_names_a_file_and_what_is_in_it(void **state)
{
	struct config cfg;
	struct diag why;
	char again[400];

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (parse(&cfg, lines[i].text, &why) < 0)
			fail_msg("line %d: %s", lines[i].line, why.text);
		assert_int_equal(cfg.nwant, 1);
		if (strcmp(cfg.want->name, lines[i].family) != 0 ||
		    strcmp(cfg.want->of_file->statement,
		    lines[i].statement) != 0)
			fail_msg("line %d: %s, %s", lines[i].line,
			    cfg.want->name, cfg.want->of_file->statement);
		config_fini(&cfg);
		snprintf(again, sizeof(again), "read %s", lines[i].statement);
		assert_int_equal(parse(&cfg, again, &why), 0);
		assert_string_equal(cfg.want->of_file->statement,
		    lines[i].statement);
		config_fini(&cfg);
	}
}

static const struct {
	int line;
	const char *text, *says;
} wrong[] = {
	{ __LINE__, "read file=", "1: file=: the whole path of a file, from / "
	    "on" },
	{ __LINE__, "read file=sys/a as A", "1: file=sys/a: the whole path of "
	    "a file, from / on" },
	{ __LINE__, "read file=/sys/ as A", "1: file=/sys/: the whole path of "
	    "a file, from / on" },
	{ __LINE__, "read file=/sys/a\"b as A", "1: file=/sys/a\"b: a path has "
	    "up to 255 printable characters, no quotes and no \\" },
	{ __LINE__, "\nread file=/sys/a", "2: file=/sys/a: what is it to be "
	    "called?  as NAME" },
	{ __LINE__, "read file=/sys/a as", "1: \"as\" has nothing behind it" },
	{ __LINE__, "read file=/sys/a as a-b", "1: \"a-b\" cannot be the name "
	    "of a file's number: letters, digits and _ alone, 40 at most" },
	{ __LINE__, "read file=/dev/mem at=0 as A", "1: at=0: bytes are read "
	    "of files below /sys alone" },
	{ __LINE__, "read file=/sys/a at=-1 as A", "1: offset \"-1\" is no "
	    "number: decimal, or hexadecimal after 0x" },
	{ __LINE__, "read file=/sys/a scale=0 as A", "1: scale=0: a decimal "
	    "number above 0, such as 0.001 or 1e-6: what one count is of the "
	    "unit" },
	{ __LINE__, "read file=/sys/a scale=nan as A", "1: scale=nan: a "
	    "decimal number above 0, such as 0.001 or 1e-6: what one count is "
	    "of the unit" },
	{ __LINE__, "read file=/sys/a scale=1e-6W as A", "1: scale=1e-6W: a "
	    "decimal number above 0, such as 0.001 or 1e-6: what one count is "
	    "of the unit" },
	{ __LINE__, "read file=/sys/a unit= as A", "1: unit=: letters, digits "
	    "and _ / % . ^ -, 16 at most" },
	{ __LINE__, "read file=/sys/a every 0 as A", "1: every 0: from one "
	    "sample to the next is every 1" },
	{ __LINE__, "read file=/sys/a every=5 as A", "1: \"every=5\" says "
	    "nothing of a file: at=, counter, gauge, scale=, unit=, every N "
	    "and as NAME do; each file has a line of its own" },
	{ __LINE__, "read file=/sys/a gauge counter as A", "1: file=/sys/a: "
	    "counter or gauge, not both" },
	{ __LINE__, "read file=/sys/a as A as B", "1: \"as\" is given twice" },
	{ __LINE__, "read file=/sys/a as A\nread file=/sys/b as A", "2: file_A "
	    "is another file already (t.conf:1): file=/sys/a counter as A; "
	    "give one of them another name (as NAME)" },
	{ __LINE__, "read aperf file=/sys/a", "1: file=/sys/a: a file of yours "
	    "has a line of its own: read file=/sys/a" },
};

static void
a_wrong_line_is_refused_with_its_place(void **state)
{
	struct config cfg;
	struct diag why;
	char says[400];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		int rc = parse(&cfg, wrong[i].text, &why);

		snprintf(says, sizeof(says), "t.conf:%s", wrong[i].says);
		if (rc != -EINVAL || strcmp(why.text, says) != 0)
			fail_msg("line %d: %d %s", wrong[i].line, rc, why.text);
		config_fini(&cfg);
	}
}

/* ---- numbers ---- */

static const struct {
	int line;
	const char *text;
	unsigned digits;
	enum file_says says;
	uint64_t value;
} numbers[] = {
	{ __LINE__, "0\n", 0, FILE_NUMBER, 0 },
	{ __LINE__, "  251 W 1437586530451607 us\n", 0, FILE_NUMBER, 251 },
	{ __LINE__, "+7", 0, FILE_NUMBER, 7 },
	{ __LINE__, "-0\n", 0, FILE_NUMBER, 0 },
	{ __LINE__, "0x1F\n", 0, FILE_NUMBER, 31 },
	{ __LINE__, "0x1F", 6, FILE_NUMBER, 31000000 },
	{ __LINE__, "007\n", 0, FILE_NUMBER, 7 },
	{ __LINE__, "18446744073709551614\n", 0, FILE_NUMBER,
	    18446744073709551614u },
	{ __LINE__, "12.5\n", 6, FILE_NUMBER, 12500000 },
	{ __LINE__, "12\n", 6, FILE_NUMBER, 12000000 },
	{ __LINE__, "0.1234565\n", 6, FILE_NUMBER, 123457 },
	{ __LINE__, "0.12345649999\n", 6, FILE_NUMBER, 123456 },
	{ __LINE__, "12.5\n", 0, FILE_NUMBER, 13 },
	{ __LINE__, "12.4999999\n", 0, FILE_NUMBER, 12 },
	{ __LINE__, "", 0, FILE_EMPTY, 0 },
	{ __LINE__, " \n", 0, FILE_EMPTY, 0 },
	{ __LINE__, "Unavailable\n", 0, FILE_TEXT, 0 },
	{ __LINE__, "12x\n", 0, FILE_TEXT, 0 },
	{ __LINE__, "1e9\n", 0, FILE_TEXT, 0 },
	{ __LINE__, "12.\n", 0, FILE_TEXT, 0 },
	{ __LINE__, "0x\n", 0, FILE_TEXT, 0 },
	{ __LINE__, "-\n", 0, FILE_TEXT, 0 },
	{ __LINE__, "nan\n", 0, FILE_TEXT, 0 },
	{ __LINE__, "-5000\n", 0, FILE_NEGATIVE, 0 },
	{ __LINE__, "-0.5\n", 6, FILE_NEGATIVE, 0 },
	{ __LINE__, "-99999999999999999999\n", 0, FILE_NEGATIVE, 0 },
	{ __LINE__, "18446744073709551615\n", 0, FILE_LONG, 0 },
	{ __LINE__, "18446744073709551614\n", 6, FILE_LONG, 0 },
	{ __LINE__, "0xffffffffffffffff\n", 0, FILE_LONG, 0 },
	{ __LINE__, "1000000000000000000000000000000000000000000000\n", 0,
	    FILE_LONG, 0 },
};

static void
a_file_is_the_number_that_it_begins_with(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		uint64_t v;
		enum file_says says = file_number(numbers[i].text,
		    strlen(numbers[i].text), numbers[i].digits, &v);

		if (says != numbers[i].says || (says == FILE_NUMBER &&
		    v != numbers[i].value))
			fail_msg("line %d: %s, %llu", numbers[i].line,
			    file_says_word(says), (unsigned long long)v);
	}
	assert_true(file_all_ones(4294967295000u, 0));
	assert_true(file_all_ones(4294967295000000u, 6));
	assert_false(file_all_ones(4294967294u, 0));
}

/* ---- paths ---- */

static const char *
matched(const char *dir, const char *path, char *buf, size_t size)
{
	struct file_matches m;
	struct access *acc;
	struct diag why;
	size_t n = 0;

	assert_int_equal(linux_open(&acc, dir, &why), 0);
	assert_int_equal(file_match(&m, acc, path), 0);
	buf[0] = '\0';
	for (unsigned i = 0; i < m.n; i++)
		n += (size_t)snprintf(buf + n, size - n, "%s=%s ",
		    m.match[i].label, m.match[i].path);
	file_match_fini(&m);
	access_close(acc);
	return buf;
}

static void
a_star_is_a_column_for_each_that_is_there(void **state)
{
	char *dir = tree_new(), buf[1000];

	(void)state;
	tree_text(dir, "/sys/h/hwmon10/power1_input", "1");
	tree_text(dir, "/sys/h/hwmon2/power1_input", "1");
	tree_text(dir, "/sys/h/hwmon2/power12_input", "1");
	tree_text(dir, "/sys/h/hwmon2/power_input_max", "1");
	tree_text(dir, "/sys/h/.hwmon3/power1_input", "1");
	tree_text(dir, "/sys/h/other", "1");
	assert_string_equal(matched(dir, "/sys/h/hwmon*/power*_input", buf,
	    sizeof(buf)), "2/1=/sys/h/hwmon2/power1_input "
	    "2/12=/sys/h/hwmon2/power12_input "
	    "10/1=/sys/h/hwmon10/power1_input ");
	assert_string_equal(matched(dir, "/sys/*/*r", buf, sizeof(buf)),
	    "h/othe=/sys/h/other ");
	assert_string_equal(matched(dir, "/sys/h/*w*n*", buf, sizeof(buf)),
	    "h/mo/2=/sys/h/hwmon2 h/mo/10=/sys/h/hwmon10 ");
	assert_string_equal(matched(dir, "/sys/none/*", buf, sizeof(buf)), "");
	tree_free(dir);
}

/* ---- reading ---- */

/* What a plan of files is, without one: each every `every` samples. */
struct some_files {
	struct plan plan;
	struct plan_file file[4];
	struct family family[4];
	struct file_readers *files;
	uint64_t row[8];                /* values, and behind them stamps */
};

static struct some_files *
open_files(struct access *acc, const char *const *path, unsigned n,
    uint64_t patience_ns)
{
	struct some_files *s = calloc(1, sizeof(*s));
	struct diag why;

	assert_non_null(s);
	for (unsigned i = 0; i < n; i++) {
		s->family[i].name = path[i];
		s->file[i] = (struct plan_file){ .every = 1, .statement = i,
		    .cell = i, .stamp = 4 + i,
		    .id = { .family = &s->family[i] } };
		assert_int_equal(held_open(&s->file[i].held, acc, path[i]), 0);
	}
	s->plan.apart.file = s->file;
	s->plan.apart.nfile = s->plan.apart.nstatement = n;
	assert_int_equal(files_start(&s->files, &s->plan, acc, patience_ns,
	    &why), 0);
	return s;
}

static void
sample(struct some_files *s, uint64_t n)
{
	files_ask(s->files, n);
	files_take(s->files, s->row);
}

static void
close_files(struct some_files *s)
{
	files_stop(s->files);
	free(s);
}

/* Long enough on any machine: nothing here waits for it to pass. */
#define PATIENCE_NS UINT64_C(300000000000)

static const char *
problem(struct some_files *s)
{
	enum file_says says;
	unsigned at = 0;

	return files_problem(s->files, &at, &says) == NULL ? NULL :
	    file_says_word(says);
}

static void
a_file_that_turns_to_text_is_absent_and_said_once(void **state)
{
	static const char *const path[] = { "/sys/a", "/sys/b" };
	char *dir = tree_new();
	struct some_files *s;
	struct access *acc;
	struct diag why;

	(void)state;
	tree_text(dir, path[0], "12\n");
	tree_text(dir, path[1], "7\n");
	assert_int_equal(linux_open(&acc, dir, &why), 0);
	s = open_files(acc, path, 2, PATIENCE_NS);
	sample(s, 0);
	assert_int_equal(s->row[0], 12);
	assert_int_equal(s->row[1], 7);
	assert_true(s->row[4] != ABSENT && s->row[5] >= s->row[4]);
	assert_null(problem(s));
	tree_text(dir, path[0], "Unavailable\n");
	sample(s, 1);
	assert_true(s->row[0] == ABSENT && s->row[4] == ABSENT);
	assert_int_equal(s->row[1], 7);
	assert_string_equal(problem(s), "begins with no number");
	sample(s, 2);
	assert_true(s->row[0] == ABSENT);
	assert_null(problem(s));
	tree_text(dir, path[0], "13\n");
	sample(s, 3);
	assert_int_equal(s->row[0], 13);
	close_files(s);
	access_close(acc);
	tree_free(dir);
}

/* A pipe, which nobody writes to, would be waited for. */
static void
what_is_no_plain_file_is_not_opened(void **state)
{
	char *dir = tree_new(), full[600];
	struct held_file f;
	struct access *acc;
	struct diag why;

	(void)state;
	tree_text(dir, "/sys/a", "1");
	assert_int_equal(linux_open(&acc, dir, &why), 0);
	snprintf(full, sizeof(full), "%s/sys/pipe", dir);
	assert_int_equal(mkfifo(full, 0600), 0);
	assert_int_equal(held_open(&f, acc, "/sys/pipe"), -EINVAL);
	assert_int_equal(held_open(&f, acc, "/sys"), -EINVAL);
	assert_int_equal(held_open(&f, acc, "/sys/none"), -ENOENT);
	access_close(acc);
	tree_free(dir);
}

static void
bytes_at_an_offset_are_a_number(void **state)
{
	static const char *const path[] = { "/sys/telem" };
	char *dir = tree_new();
	struct some_files *s;
	struct access *acc;
	struct diag why;

	(void)state;
	tree_put(dir, path[0], "\1\2\3\4\5\6\7\10\11\0\0\0\0\0\0\1", 16);
	assert_int_equal(linux_open(&acc, dir, &why), 0);
	s = open_files(acc, path, 1, PATIENCE_NS);
	close_files(s);
	s = calloc(1, sizeof(*s));
	assert_non_null(s);
	s->plan.apart.file = s->file;
	s->plan.apart.nfile = 1;
	s->file[0] = (struct plan_file){ .every = 1, .binary = true, .at = 8,
	    .stamp = 4 };
	assert_int_equal(held_open(&s->file[0].held, acc, path[0]), 0);
	assert_int_equal(files_start(&s->files, &s->plan, acc, PATIENCE_NS,
	    &why), 0);
	sample(s, 0);
	assert_true(s->row[0] == 0x0100000000000009u);
	tree_put(dir, path[0], "\1\2\3\4\5\6\7\10\11", 9);
	sample(s, 1);
	assert_true(s->row[0] == ABSENT);
	assert_string_equal(problem(s), "has no eight bytes there");
	close_files(s);
	access_close(acc);
	tree_free(dir);
}

/* How many threads of this process block all signals but SIGSYS (of those up to
 * SIGSYS, which is 31). */
static unsigned
threads_that_hear_sigsys_alone(void)
{
	const uint64_t blocked = 0x7fffffff & ~(UINT64_C(1) << (SIGKILL - 1) |
	    UINT64_C(1) << (SIGSTOP - 1) | UINT64_C(1) << (SIGSYS - 1));
	char path[300], line[200];
	unsigned n = 0;
	struct dirent *e;
	DIR *d = opendir("/proc/self/task");
	uint64_t is;

	assert_non_null(d);
	while ((e = readdir(d)) != NULL) {
		FILE *f;

		snprintf(path, sizeof(path), "/proc/self/task/%s/status",
		    e->d_name);
		if ((f = fopen(path, "r")) == NULL)
			continue;
		while (fgets(line, sizeof(line), f) != NULL)
			n += sscanf(line, "SigBlk: %" SCNx64, &is) == 1 &&
			    (is & 0x7fffffff) == blocked;
		fclose(f);
	}
	closedir(d);
	return n;
}

/* The kernel kills who blocks SIGSYS and makes a system call that the filter
 * refuses. */
static void
threads_that_read_files_hear_of_refused_calls(void **state)
{
	static const char *const path[] = { "/sys/a" };
	char *dir = tree_new();
	struct some_files *s;
	struct access *acc;
	struct diag why;

	(void)state;
	tree_text(dir, path[0], "12\n");
	assert_int_equal(linux_open(&acc, dir, &why), 0);
	s = open_files(acc, path, 1, PATIENCE_NS);
	/* libc blocks all of a thread that it has not quite started */
	wait_until(threads_that_hear_sigsys_alone() >= 4);
	close_files(s);
	access_close(acc);
	tree_free(dir);
}

/* As that of a device that was taken out: it cannot be read any more. */
static void
a_file_that_vanishes_is_absent(void **state)
{
	struct some_files *s;
	struct access *acc;
	struct diag why;
	char path[64];
	const char *const paths[] = { path };
	int end[2];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(end), 0);
	if ((pid = fork()) == 0)
		_exit(read(end[0], path, 1) != 1);
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	assert_int_equal(linux_open(&acc, "/", &why), 0);
	s = open_files(acc, paths, 1, PATIENCE_NS);
	sample(s, 0);
	assert_int_equal(s->row[0], pid);
	assert_int_equal(write(end[1], "", 1), 1);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	sample(s, 1);
	assert_true(s->row[0] == ABSENT);
	assert_string_equal(problem(s), "cannot be read");
	close_files(s);
	access_close(acc);
	close(end[0]);
	close(end[1]);
}

/* ---- a node whose files block ---- */

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static atomic_int at_the_gate, passed;

/* "/gate" opens when the test says so; all else is 5. */
static ssize_t
gate_file(struct access *acc, const char *path, uint64_t offset, void *buf,
    size_t size)
{
	(void)acc;
	(void)offset;
	if (strcmp(path, "/gate") == 0 && size > 1) {
		atomic_fetch_add(&at_the_gate, 1);
		pthread_mutex_lock(&gate);
		pthread_mutex_unlock(&gate);
		atomic_fetch_add(&passed, 1);
	}
	return snprintf(buf, size, "5\n") < (int)size ? 2 : 1;
}

static void
a_file_that_blocks_holds_up_no_other(void **state)
{
	static const char *const path[] = { "/gate", "/other" };
	struct host_ops host = host_here;
	struct access_ops ops = { .name = "gate", .host = &host };
	struct access acc = { .ops = &ops };
	struct some_files *s;

	(void)state;
	host.file = gate_file;
	s = open_files(&acc, path, 2, 1000000);
	pthread_mutex_lock(&gate);
	sample(s, 0);
	assert_true(s->row[0] == ABSENT);
	wait_until(atomic_load(&at_the_gate) == 1);
	/* another thread reads what is behind it */
	wait_until((sample(s, 1), s->row[1] == 5));
	assert_true(s->row[0] == ABSENT);
	assert_int_equal(atomic_load(&at_the_gate), 1);
	assert_null(problem(s));
	pthread_mutex_unlock(&gate);
	/* late is in the next row */
	wait_until((sample(s, 2), s->row[0] == 5));
	assert_true(s->row[4] != ABSENT);
	close_files(s);
}

/* ---- from a line to a figure ---- */

#define FILES \
	"file /sys/node/power = 251000 W\n" \
	"file /sys/node/energy counter bits=64 init=5 idle=250\n" \
	"file /sys/class/net/eth0/statistics/rx_bytes counter bits=64 init=5 " \
	"idle=1000\n" \
	"file /sys/class/net/eth10/statistics/rx_bytes counter bits=64 init=5 " \
	"idle=2000\n" \
	"file /sys/node/load = 0.75 0.50\n"

static const char *
out_of(const char *command)
{
	static char text[20000];
	FILE *f = popen(command, "r");
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	assert_int_equal(pclose(f), 0);
	return text;
}

/* Samples of that machine and configuration, in test_dir/x.lua. */
static void
run(const char *machine, const char *config, unsigned samples)
{
	char tallyd[512], sim[400], conf[400], command[2000];

	snprintf(sim, sizeof(sim), "%s", test_put("x.machine", machine));
	snprintf(conf, sizeof(conf), "%s", test_put("x.conf", config));
	snprintf(command, sizeof(command), "%s -q --sim %s --virtual-time -c %s "
	    "-n %u --overwrite -o %s/x.lua", built("tallyd", tallyd), sim, conf,
	    samples, test_dir);
	if (system(command) != 0)
		fail_msg("%s", command);
}

static void
a_line_becomes_a_figure_in_its_unit(void **state)
{
	char tally[512], metrics[400], command[2000];
	const char *out;

	(void)state;
	run("like @skx-8160-2s\n" FILES,
	    "read file=/sys/node/power gauge scale=0.001 unit=W as power\n"
	    "read file=/sys/node/energy unit=J as energy\n"
	    "read file=/sys/class/net/*/statistics/rx_bytes as rx\n"
	    "read file=/sys/node/load gauge as load\n", 4);
	snprintf(metrics, sizeof(metrics), "%s", test_put("x.metrics",
	    "metric a_power node \"W\" \"power\" = file_power\n"
	    "metric b_joules node \"J\" \"energy\" = file_energy\n"
	    "metric c_watts node \"W\" \"energy\" = file_energy / time\n"
	    "metric d_all node \"B/s\" \"all\" = file_rx[\"*\"] / time\n"
	    "metric e_one node \"B/s\" \"one\" = file_rx[\"eth10\"] / time\n"
	    "metric f_load node \"\" \"load\" = file_load\n"));
	snprintf(command, sizeof(command), "%s metrics -f csv --only-lists --metrics %s "
	    "%s/x.lua", built("tally", tally), metrics, test_dir);
	out = out_of(command);
	assert_non_null(strstr(out, ",a_power,node,,251.0000,W,"));
	assert_non_null(strstr(out, ",b_joules,node,,750.0000,J,"));
	assert_non_null(strstr(out, ",c_watts,node,,250.0000,W,"));
	assert_non_null(strstr(out, ",d_all,node,,3000.0000,B/s,"));
	assert_non_null(strstr(out, ",e_one,node,,2000.0000,B/s,"));
	assert_non_null(strstr(out, ",f_load,node,,0.7500,,"));
}

/* Without a list of metrics: rates, and what stands there. */
static void
each_file_has_a_metric_of_its_own(void **state)
{
	char tally[512], command[2000];
	const char *out;

	(void)state;
	run("like @skx-8160-2s\n" FILES,
	    "read file=/sys/node/power gauge scale=0.001 unit=W as power\n"
	    "read file=/sys/node/energy unit=J as energy\n"
	    "read file=/sys/class/net/*/statistics/rx_bytes unit=bytes as rx\n",
	    4);
	snprintf(command, sizeof(command), "%s metrics -S node -f csv -m "
	    "'file_*' %s/x.lua", built("tally", tally), test_dir);
	out = out_of(command);
	assert_non_null(strstr(out, ",file_power_value,node,,251.0000,W,0,"));
	assert_non_null(strstr(out, ",file_energy_rate,node,,250.0000,W,0,"));
	assert_non_null(strstr(out, ",file_rx_rate,node,,3000.0000,bytes/s,0,"));
	snprintf(command, sizeof(command), "%s report %s/x.lua", tally,
	    test_dir);
	out = out_of(command);
	assert_non_null(strstr(out, "files of the node"));
	assert_non_null(strstr(out, "  file_rx_rate                bytes/s"));
	assert_non_null(strstr(out, "File      file_rx: the user's own, "
	    "file=/sys/class/net/*/statistics/rx_bytes counter unit=bytes as "
	    "rx\n"));
	assert_null(strstr(out, "node_power"));
}

/* 250 J a second, read at samples 0, 3 and 6 of 0 to 8. */
static void
what_is_read_every_so_many_samples_is_as_exact(void **state)
{
	char tally[512], metrics[400], command[2000];
	const char *out;

	(void)state;
	run("like @skx-8160-2s\n" FILES,
	    "read file=/sys/node/energy unit=J every 3 as slow\n"
	    "read file=/sys/node/energy unit=J as fast\n", 9);
	snprintf(metrics, sizeof(metrics), "%s", test_put("x.metrics",
	    "metric a_watts node \"W\" \"slow\" = file_slow / time\n"
	    "metric b_ratio node \"\" \"both\" = file_slow / file_fast\n"
	    "metric c_total node \"J\" \"slow\" = total(file_slow)\n"));
	snprintf(command, sizeof(command), "%s metrics -f csv --only-lists --metrics %s "
	    "%s/x.lua", built("tally", tally), metrics, test_dir);
	out = out_of(command);
	assert_non_null(strstr(out, ",a_watts,node,,250.0000,W,0,"));
	assert_non_null(strstr(out, ",b_ratio,node,,1,,0,"));
	assert_non_null(strstr(out, ",c_total,node,,1500.0000,J,0,"));
	snprintf(command, sizeof(command), "%s metrics -e -m a_watts -f csv "
	    "--metrics %s %s/x.lua", tally, metrics, test_dir);
	out = out_of(command);
	assert_non_null(strstr(out, ",2,2.000,1.000,a_watts,node,,,W,0,"
	    "file_slow was not read in this time"));
	assert_non_null(strstr(out, ",3,3.000,1.000,a_watts,node,,250.0000,W,"
	    "0,"));
	snprintf(command, sizeof(command), "%s deltas %s/x.lua", tally,
	    test_dir);
	out = out_of(command);
	assert_non_null(strstr(out, "file_slow_delta[3] = 750\n"));
	assert_non_null(strstr(out, "file_slow_delta[6] = 750\n"));
	assert_null(strstr(out, "file_slow_delta[4]"));
	snprintf(command, sizeof(command), "%s totals %s/x.lua", tally,
	    test_dir);
	assert_non_null(strstr(out_of(command), "file_slow_total = 1500\n"));
}

static void
what_is_not_there_is_an_error_or_passed_over(void **state)
{
	struct rig *r;

	(void)state;
	r = rig_text(FILES, "optional read file=/sys/none as A\n"
	    "optional read file=/sys/none/*/x as B\n"
	    "read file=/sys/node/energy as C\n");
	assert_int_equal(r->node.plan.apart.nfile, 1);
	assert_int_equal(r->node.plan.absent.n, 2);
	assert_string_equal(r->node.plan.absent.line[0],
	    "file_A: /sys/none: No such "
	    "file or directory");
	assert_string_equal(r->node.plan.absent.line[1],
	    "file_B: /sys/none/*/x: no "
	    "such file is there");
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_names_a_file_and_what_is_in_it),
		cmocka_unit_test(a_wrong_line_is_refused_with_its_place),
		cmocka_unit_test(a_file_is_the_number_that_it_begins_with),
		cmocka_unit_test(a_star_is_a_column_for_each_that_is_there),
		cmocka_unit_test(
		    a_file_that_turns_to_text_is_absent_and_said_once),
		cmocka_unit_test(what_is_no_plain_file_is_not_opened),
		cmocka_unit_test(bytes_at_an_offset_are_a_number),
		cmocka_unit_test(threads_that_read_files_hear_of_refused_calls),
		cmocka_unit_test(a_file_that_vanishes_is_absent),
		cmocka_unit_test(a_file_that_blocks_holds_up_no_other),
		cmocka_unit_test(a_line_becomes_a_figure_in_its_unit),
		cmocka_unit_test(each_file_has_a_metric_of_its_own),
		cmocka_unit_test(what_is_read_every_so_many_samples_is_as_exact),
		cmocka_unit_test(what_is_not_there_is_an_error_or_passed_over),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
