/*
 * tests/arm/init.c - process 1 of the guest of `make check-arm`: counts a loop
 * of known length through the product's own code, then lets tallyd sample.
 *
 * Prints "ok ..." or "FAILED ..." lines, and "end" last.
 */
#include "regs/linux/linux.h"
#include "regs/perf.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TURNS 50000000ull
#define INST_RETIRED 0x08
#define CPU_CYCLES 0x11

static void
say(bool ok, const char *what, uint64_t got, uint64_t want)
{
	printf("%s %s: %" PRIu64 ", expected %" PRIu64 "\n", ok ? "ok    " :
	    "FAILED", what, got, want);
}

/* Two instructions a turn, and nothing else. */
static void
loop(uint64_t turns)
{
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(turns) : :
	    "cc");
}

static uint64_t
value(struct access *acc, int handle, unsigned offset)
{
	struct reg_addr addr = { REG_PERF, 8, (uint32_t)handle, offset };
	uint64_t raw;

	access_read(acc, &addr, &raw);
	return raw;
}

static void
count_loop(void)
{
	struct perf_group g = { .cpu = 0, .n = 2 };
	struct access *acc;
	struct diag why = { "" };
	struct pmu *pmu = malloc(sizeof(*pmu));
	uint64_t before[4], after[4], n;
	unsigned bad = 0;
	char name[64];
	int h;

	if (linux_open(&acc, "/", &why) < 0 ||
	    pmu_core(acc, name, sizeof(name)) == NULL ||
	    pmu_load(pmu, acc, name) < 0) {
		printf("FAILED no core PMU: %s\n", why.text);
		return;
	}
	printf("# %s, type %u\n", name, pmu->type);
	for (unsigned k = 0; k < 2; k++)
		g.attr[k] = (struct perf_attr){ .type = pmu->type,
		    .config = { k == 0 ? CPU_CYCLES : INST_RETIRED, 0, 0 },
		    .no_kernel = true };
	if ((h = access_perf_open(acc, &g, 1, &bad)) < 0) {
		perf_explain(acc, h, "group", &g, bad, &why);
		printf("FAILED %s\n", why.text);
		return;
	}
	access_visit(acc, 0);
	loop(1000);
	for (unsigned k = 0; k < 4; k++)
		before[k] = value(acc, h, k);
	loop(TURNS);
	for (unsigned k = 0; k < 4; k++)
		after[k] = value(acc, h, k);
	say(after[0] - before[0] == after[1] - before[1], "running is enabled",
	    after[1] - before[1], after[0] - before[0]);
	n = after[3] - before[3];
	say(n >= 2 * TURNS && n <= 2 * TURNS + 2 * TURNS / 1000,
	    "instructions of the loop, within 0.1 %", n, 2 * TURNS);
	say(after[2] > before[2], "cycles", after[2] - before[2], 2 * TURNS);
	access_close(acc);
	free(pmu);
}

static void
put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		printf("FAILED %s: cannot write %s\n", path, text);
	close(fd);
}

/* A CPU that goes away takes its counts along, and they go on when it is
 * back. */
static void
hotplug(void)
{
	static const char online[] = "/sys/devices/system/cpu/cpu1/online";
	struct perf_group g = { .cpu = 1, .n = 2, .attr = {
	    { .type = PERF_SOFTWARE, .config = { 0, 0, 0 } },
	    { .type = PERF_SOFTWARE, .config = { 3, 0, 0 } } } };
	struct access *acc;
	uint64_t before, after;
	unsigned bad;
	int h;

	linux_open(&acc, "/", NULL);
	h = access_perf_open(acc, &g, 1, &bad);
	usleep(20000);
	value(acc, h, PERF_ENABLED);
	before = value(acc, h, PERF_FIRST);
	put(online, "0");
	value(acc, h, PERF_ENABLED);    /* what it counted until it went */
	for (unsigned i = 0; i < 2; i++) {
		usleep(20000);
		after = value(acc, h, PERF_ENABLED);
	}
	say(after == ABSENT, "offline, the time is absent", after, ABSENT);
	after = value(acc, h, PERF_FIRST);
	say(after == ABSENT, "offline, a count is absent", after, ABSENT);
	put(online, "1");
	usleep(20000);
	value(acc, h, PERF_ENABLED);    /* opened anew */
	usleep(20000);
	value(acc, h, PERF_ENABLED);
	after = value(acc, h, PERF_FIRST);
	say(after != ABSENT && after > before, "back online, it counts on",
	    after, before);
	access_close(acc);
}

/* tallyd by itself: a sample a tenth of a second, the dump to the console. */
static void
run(const char *conf, const char *find)
{
	char line[512];
	FILE *f = fopen("/tmp/arm.conf", "w");
	bool found = false;
	int status;

	fputs(conf, f);
	fclose(f);
	if (fork() == 0) {
		execl("/tallyd", "tallyd", "-v", "-c", "/tmp/arm.conf", "-n",
		    "5", "-i", "0.1", "-o", "/tmp/d.lua", (char *)NULL);
		_exit(127);
	}
	wait(&status);
	if ((f = fopen("/tmp/d.lua", "r")) != NULL) {
		while (fgets(line, sizeof(line), f) != NULL)
			if (strncmp(line, find, strlen(find)) == 0) {
				found = true;
				printf("# %s", line);
			}
		fclose(f);
		unlink("/tmp/d.lua");
	}
	printf("%s tallyd samples %s\n", found && status == 0 ? "ok    " :
	    "FAILED", find);
}

/* One counter of a core by `tallyd --prove`: what it counted of the work that is
 * the furthest off is what was done. */
static void
proved_exactly(const char *json, const char *column)
{
	const char *at = strstr(json, column);
	double expected = -1, counted = -2;

	if (at != NULL && (at = strstr(at, "\"expected\": ")) != NULL)
		expected = strtod(at + 12, NULL);
	if (at != NULL && (at = strstr(at, "\"counted\": ")) != NULL)
		counted = strtod(at + 11, NULL);
	printf("%s tallyd --prove: %s: %.0f, expected %.0f\n",
	    expected > 0 && expected == counted ? "ok    " : "FAILED", column,
	    counted, expected);
}

static void
prove(void)
{
	static char json[1 << 16];
	int status;
	FILE *f;

	/* QEMU's counter of instructions is that of the whole machine: what
	 * another CPU does while this one is in user space would be in it */
	put("/sys/devices/system/cpu/cpu1/online", "0");
	if (fork() == 0) {
		execl("/tallyd", "tallyd", "--prove", "--force", "-o",
		    "/tmp/p.json", (char *)NULL);
		_exit(127);
	}
	wait(&status);
	printf("%s tallyd --prove ends with %d\n", WIFEXITED(status) &&
	    WEXITSTATUS(status) == 0 ? "ok    " : "FAILED", status);
	if ((f = fopen("/tmp/p.json", "r")) == NULL)
		return;
	json[fread(json, 1, sizeof(json) - 1, f)] = '\0';
	fclose(f);
	proved_exactly(json, "core_counts[0][\\\"instructions\\\"]");
	proved_exactly(json, "software_counts[0][\\\"page-faults\\\"]");
	proved_exactly(json, "software_counts[0][\\\"context-switches\\\"]");
}

int
main(void)
{
	mkdir("/proc", 0755);
	mkdir("/sys", 0755);
	mkdir("/dev", 0755);
	mkdir("/tmp", 0777);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sysfs", "/sys", "sysfs", 0, NULL);
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	mkdir("/dev/shm", 0777);
	mount("shm", "/dev/shm", "tmpfs", 0, NULL);
	int fd = open("/dev/console", O_RDWR);

	if (fd >= 0)
		for (int i = 0; i < 3; i++)
			dup2(fd, i);
	setvbuf(stdout, NULL, _IOLBF, 0);
	count_loop();
	hotplug();
	run("software on\n", "software_counts[1][\"cpu-clock\"][4]");
	run("event instructions,cpu-cycles\n",
	    "core_counts[1][\"instructions\"][4]");
	run("event r8\n", "core_counts[0][\"r8\"][4]");
	prove();
	puts("end");
	fflush(stdout);
	sync();
	reboot(RB_POWER_OFF);
	return 0;
}
