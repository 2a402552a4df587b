/*
 * tests/tools/nvml_shim.c - stands in for NVIDIA's libnvidia-ml.so.1: two GPUs whose figures
 * are known, the second without energy and PCIe.  NVML_GPUS=N: that many; NVML_INIT=N:
 * what nvmlInit returns; NVML_LOST=N: GPU N is gone from its third handle on.
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static long
asked(const char *name, long otherwise)
{
	const char *text = getenv(name);

	return text != NULL ? atol(text) : otherwise;
}

#define SECOND_GPU ((void *)2)

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetCount_v2(unsigned *);
int nvmlDeviceGetHandleByIndex_v2(unsigned, void **);
int nvmlDeviceGetPowerUsage(void *, unsigned *);
int nvmlDeviceGetTotalEnergyConsumption(void *, unsigned long long *);
int nvmlDeviceGetUtilizationRates(void *, unsigned [2]);
int nvmlDeviceGetMemoryInfo(void *, unsigned long long [3]);
int nvmlDeviceGetTemperature(void *, int, unsigned *);
int nvmlDeviceGetPcieThroughput(void *, int, unsigned *);

int
nvmlInit_v2(void)
{
	return (int)asked("NVML_INIT", 0);
}

int
nvmlShutdown(void)
{
	return 0;
}

int
nvmlDeviceGetCount_v2(unsigned *n)
{
	*n = (unsigned)asked("NVML_GPUS", 2);
	return 0;
}

int
nvmlDeviceGetHandleByIndex_v2(unsigned i, void **gpu)
{
	static int handles[8];

	*gpu = (void *)(uintptr_t)(i + 1);
	return i == (unsigned)asked("NVML_LOST", 99) && ++handles[i & 7] > 2 ?
	    15 : 0;
}

int
nvmlDeviceGetPowerUsage(void *gpu, unsigned *mw)
{
	*mw = 300000 + 1000 * (unsigned)(uintptr_t)gpu;
	return 0;
}

/* 400 W, since 1970 */
int
nvmlDeviceGetTotalEnergyConsumption(void *gpu, unsigned long long *mj)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	*mj = (unsigned long long)now.tv_sec * 400000u +
	    (unsigned long long)now.tv_nsec / 2500;
	return gpu == SECOND_GPU ? 3 : 0;       /* not supported */
}

int
nvmlDeviceGetUtilizationRates(void *gpu, unsigned rates[2])
{
	rates[0] = 87 + (unsigned)(uintptr_t)gpu;
	rates[1] = 41;
	return 0;
}

int
nvmlDeviceGetMemoryInfo(void *gpu, unsigned long long total_free_used[3])
{
	(void)gpu;
	total_free_used[2] = 68719476736;
	return 0;
}

int
nvmlDeviceGetTemperature(void *gpu, int sensor, unsigned *c)
{
	(void)gpu;
	*c = 55;
	return sensor;
}

int
nvmlDeviceGetPcieThroughput(void *gpu, int counter, unsigned *kb)
{
	*kb = 1000 + (unsigned)counter;
	return gpu == SECOND_GPU ? 3 : 0;
}
