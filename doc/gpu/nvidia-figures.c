/*
 * doc/gpu/nvidia-figures.c - figures of NVIDIA's GPUs as files, for `read file=` of
 * tallyd (its block @nvidia): a program of its own, which needs no rights and is no part
 * of tallyd, so that a driver's library is never in a process of root's.
 *
 *     cc -O2 -o nvidia-figures doc/gpu/nvidia-figures.c -ldl
 *     nvidia-figures [-i SECONDS] [-n READINGS] [DIR]
 *
 * In DIR, /run/nvidia-figures, it makes a folder for each GPU, gpu0, gpu1, ... in the
 * order of the driver, with a file for each figure and `stamp`, the wall clock at which
 * they were read.  A file holds one line of constant length, written in one piece over
 * the last one, as tallyd keeps it open.  What cannot be read is "n/a", and so is all of
 * it when the program ends; after a kill the stamps stand still.
 *
 * Calls and units are those of nvml.h (version 13), as gathered in the project's
 * reference "more-cpus", 7.2: power is the mean of a second on most GPUs, energy counts
 * from when the driver was loaded, PCIe is the rate of 20 ms.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LIBRARY "libnvidia-ml.so.1"
#define LINE 32                 /* a number, blanks, the end of the line */
#define MAX_GPUS 64
#define NONE UINT64_MAX

/* ---- NVML: what is called of it; NULL where the library lacks it ---- */

typedef void *device;

struct utilization { unsigned gpu, memory; };
struct memory { unsigned long long total, free, used; };

static struct nvml {
	int (*init)(void);
	int (*shutdown)(void);
	int (*count)(unsigned *);
	int (*handle)(unsigned, device *);
	int (*power)(device, unsigned *);
	int (*energy)(device, unsigned long long *);
	int (*rates)(device, struct utilization *);
	int (*memory)(device, struct memory *);
	int (*temperature)(device, int sensor, unsigned *);
	int (*pcie)(device, int counter, unsigned *);
	const char *(*error)(int);
} nvml;

static const struct { const char *name; size_t at; int must; } calls[] = {
#define CALL(of, name, must) { name, offsetof(struct nvml, of), must }
	CALL(init, "nvmlInit_v2", 1), CALL(shutdown, "nvmlShutdown", 1),
	CALL(count, "nvmlDeviceGetCount_v2", 1),
	CALL(handle, "nvmlDeviceGetHandleByIndex_v2", 1),
	CALL(power, "nvmlDeviceGetPowerUsage", 0),
	CALL(energy, "nvmlDeviceGetTotalEnergyConsumption", 0),
	CALL(rates, "nvmlDeviceGetUtilizationRates", 0),
	CALL(memory, "nvmlDeviceGetMemoryInfo", 0),
	CALL(temperature, "nvmlDeviceGetTemperature", 0),
	CALL(pcie, "nvmlDeviceGetPcieThroughput", 0),
	CALL(error, "nvmlErrorString", 0),
};

static int
load(void)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	int rc;

	if (library == NULL) {
		fprintf(stderr, "nvidia-figures: %s: is NVIDIA's driver "
		    "installed?\n", dlerror());
		return -1;
	}
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		void *f = dlsym(library, calls[i].name);

		if (f == NULL && calls[i].must) {
			fprintf(stderr, "nvidia-figures: " LIBRARY " has no %s: "
			    "it is too old\n", calls[i].name);
			return -1;
		}
		memcpy((char *)&nvml + calls[i].at, &f, sizeof(f));
	}
	if ((rc = nvml.init()) == 0)
		return 0;
	fprintf(stderr, "nvidia-figures: NVML does not start: error %d (%s)\n",
	    rc, nvml.error != NULL ? nvml.error(rc) : "no words for it");
	return -1;
}

/* ---- a GPU's figures ---- */

enum { STAMP, POWER, ENERGY, BUSY, MEMORY_BUSY, MEMORY_USED, TEMPERATURE,
	PCIE_SENT, PCIE_RECEIVED, FIGURES };

static const char *const file_name[FIGURES] = {
	"stamp",                /* ns since 1970 */
	"power",                /* mW */
	"energy",               /* mJ */
	"busy",                 /* %, of the time in which a kernel ran */
	"memory_busy",          /* %, in which memory was read or written */
	"memory_used",          /* bytes */
	"temperature",          /* degrees C */
	"pcie_sent",            /* KB/s, from the GPU */
	"pcie_received",
};

static void
ask(device gpu, uint64_t value[FIGURES])
{
	struct utilization rates;
	unsigned long long energy;
	struct memory memory;
	struct timespec now;
	unsigned n;

	for (unsigned i = 0; i < FIGURES; i++)
		value[i] = NONE;
	if (nvml.power != NULL && nvml.power(gpu, &n) == 0)
		value[POWER] = n;
	if (nvml.energy != NULL && nvml.energy(gpu, &energy) == 0)
		value[ENERGY] = energy;
	/* the stamp is of energy, of which differences are taken */
	if (clock_gettime(CLOCK_REALTIME, &now) == 0)
		value[STAMP] = (uint64_t)now.tv_sec * 1000000000u +
		    (uint64_t)now.tv_nsec;
	if (nvml.rates != NULL && nvml.rates(gpu, &rates) == 0) {
		value[BUSY] = rates.gpu;
		value[MEMORY_BUSY] = rates.memory;
	}
	if (nvml.memory != NULL && nvml.memory(gpu, &memory) == 0)
		value[MEMORY_USED] = memory.used;
	if (nvml.temperature != NULL && nvml.temperature(gpu, 0, &n) == 0)
		value[TEMPERATURE] = n;
	if (nvml.pcie != NULL && nvml.pcie(gpu, 0, &n) == 0)
		value[PCIE_SENT] = n;
	if (nvml.pcie != NULL && nvml.pcie(gpu, 1, &n) == 0)
		value[PCIE_RECEIVED] = n;
}

/* ---- files ---- */

static int files[MAX_GPUS][FIGURES];
static unsigned gpus;

static int
put(unsigned gpu, unsigned figure, uint64_t value)
{
	char line[LINE + 1];
	int n = value == NONE ? snprintf(line, sizeof(line), "n/a") :
	    snprintf(line, sizeof(line), "%" PRIu64, value);

	memset(line + n, ' ', (size_t)(LINE - n));
	line[LINE - 1] = '\n';
	return pwrite(files[gpu][figure], line, LINE, 0) == LINE ? 0 : -1;
}

static int
make_files(const char *dir)
{
	char path[4096];

	if (mkdir(dir, 0755) < 0 && errno != EEXIST) {
		fprintf(stderr, "nvidia-figures: %s: %s: make it for this user, "
		    "or name another folder\n", dir, strerror(errno));
		return -1;
	}
	for (unsigned i = 0; i < gpus; i++) {
		snprintf(path, sizeof(path), "%s/gpu%u", dir, i);
		if (mkdir(path, 0755) < 0 && errno != EEXIST) {
			perror(path);
			return -1;
		}
		for (unsigned f = 0; f < FIGURES; f++) {
			snprintf(path, sizeof(path), "%s/gpu%u/%s", dir, i,
			    file_name[f]);
			files[i][f] = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW |
			    O_CLOEXEC, 0644);
			if (files[i][f] < 0 || ftruncate(files[i][f], LINE) < 0 ||
			    put(i, f, NONE) < 0) {
				perror(path);
				return -1;
			}
		}
	}
	return 0;
}

static volatile sig_atomic_t stop;

static void
on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static int
once(void)
{
	uint64_t value[FIGURES];
	device gpu;

	for (unsigned i = 0; i < gpus; i++) {
		if (nvml.handle(i, &gpu) == 0)
			ask(gpu, value);
		else            /* it fell off the bus */
			for (unsigned f = 0; f < FIGURES; f++)
				value[f] = NONE;
		for (unsigned f = 0; f < FIGURES; f++)
			if (put(i, f, value[f]) < 0) {
				perror("nvidia-figures: a figure is not written");
				return -1;
			}
	}
	return 0;
}

/* On absolute deadlines; 0 readings: until a signal. */
static int
run(double seconds, unsigned long readings)
{
	struct timespec next;
	int rc = 0;

	clock_gettime(CLOCK_MONOTONIC, &next);
	for (unsigned long n = 0; rc == 0 && !stop && (readings == 0 ||
	    n < readings); n++) {
		uint64_t ns = (uint64_t)next.tv_nsec + (uint64_t)(seconds * 1e9);

		rc = once();
		next.tv_sec += (time_t)(ns / 1000000000u);
		next.tv_nsec = (long)(ns % 1000000000u);
		while (!stop && n + 1 != readings && clock_nanosleep(
		    CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL) == EINTR)
			;
	}
	return rc;
}

int
main(int argc, char *argv[])
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	const char *dir = "/run/nvidia-figures";
	struct sigaction act = { .sa_handler = on_signal };
	unsigned long readings = 0;
	double seconds = 1;
	int c, rc;

	while ((c = getopt(argc, argv, "i:n:")) != -1) {
		if (c == 'i')
			seconds = strtod(optarg, NULL);
		else if (c == 'n')
			readings = strtoul(optarg, NULL, 10);
		else
			seconds = 0;
	}
	if (optind < argc)
		dir = argv[optind++];
	if (!(seconds >= 0.01 && seconds <= 3600) || optind < argc) {
		fprintf(stderr, "usage: nvidia-figures [-i SECONDS] "
		    "[-n READINGS] [DIR]\n");
		return 2;
	}
	if (load() < 0)
		return 1;
	if ((rc = nvml.count(&gpus)) != 0 || gpus == 0) {
		fprintf(stderr, "nvidia-figures: %s\n", rc != 0 ? "NVML does not "
		    "say how many GPUs there are" : "there is no GPU");
		return 1;
	}
	if (gpus > MAX_GPUS)
		gpus = MAX_GPUS;
	if (make_files(dir) < 0)
		return 1;
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &act, NULL);
	rc = run(seconds, readings);
	for (unsigned i = 0; readings == 0 && i < gpus; i++)
		for (unsigned f = 0; f < FIGURES; f++)
			put(i, f, NONE);
	nvml.shutdown();
	return rc < 0;
}
