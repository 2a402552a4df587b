/*
 * daemon/instead/record_pmus.c - the kernel's PMUs: their directories as lines, so
 * that their events can be opened.
 */
#include "daemon/instead/recorder.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NAME_LENGTH 47      /* of a machine file's PMU */
#define MAX_LIST_LENGTH 255

struct pmu_reading {
	struct access *acc;
	char dir[128];
};

static void
read_event(void *ctx, const char *name)
{
	struct pmu_reading *p = ctx;
	char path[256], buf[512];

	snprintf(path, sizeof(path), "%s/%.100s", p->dir, name);
	access_slurp(p->acc, path, buf, sizeof(buf));
}

static void
read_pmu(void *ctx, const char *name)
{
	struct pmu_reading p = { .acc = ctx };
	struct pmu *pmu = malloc(sizeof(*pmu));

	if (pmu == NULL || strlen(name) > 64) {
		free(pmu);
		return;
	}
	pmu_load(pmu, p.acc, name);
	free(pmu);
	snprintf(p.dir, sizeof(p.dir), PMU_DIR "/%s/events", name);
	access_list(p.acc, p.dir, read_event, &p);
	snprintf(p.dir, sizeof(p.dir), PMU_DIR "/%s/caps", name);
	access_list(p.acc, p.dir, read_event, &p);
}

void
record_pmus_read(struct recording *r)
{
	access_list(r->node->acc, PMU_DIR, read_pmu, r->node->acc);
}

/* A file of a PMU's directory, without its end of line; NULL: it cannot be a line. */
static const char *
of_pmu(const struct recording *r, const char *name, const char *file, char *buf,
    size_t size)
{
	const struct recorded_file *f;
	char path[256];

	snprintf(path, sizeof(path), PMU_DIR "/%.64s/%s", name, file);
	f = recorder_file(r->kept, path);
	if (f == NULL || f->error < 0 || f->size >= size)
		return NULL;
	snprintf(buf, size, "%s", f->text);
	buf[strcspn(buf, "\n")] = '\0';
	return buf[0] != '\0' && strspn(buf, "0123456789,-") == strlen(buf) ?
	    buf : NULL;
}

/* How many counters the PMU showed to have, and the event with a counter of its own. */
static void
put_counters(const struct recording *r, uint32_t type)
{
	const struct recorded_pmu *p = r->kept->pmu;
	unsigned i = 0;

	while (i < r->kept->npmu && p[i].type != type)
		i++;
	if (i == r->kept->npmu || p[i].refused < 2)
		return;
	fprintf(r->out, " counters=%u", p[i].refused - 1);
	if (p[i].most >= p[i].refused && p[i].nown > 0)
		fprintf(r->out, " own=0x%llx", (unsigned long long)p[i].own[0]);
}

static void
put_pmu(struct recording *r, const char *name)
{
	static const char *const list[][2] = { { "cpus", "cpus" },
		{ "cpumask", "cpumask" }, { "associated_cpus", "associated" } };
	char buf[MAX_LIST_LENGTH + 1];
	const char *text = of_pmu(r, name, "type", buf, sizeof(buf));
	bool placed = false;

	if (text == NULL || strlen(name) > MAX_NAME_LENGTH)
		return;
	fprintf(r->out, "pmu %s type=%s", name, text);
	put_counters(r, (uint32_t)strtoul(text, NULL, 10));
	for (unsigned i = 0; i < 3; i++)
		if ((text = of_pmu(r, name, list[i][0], buf,
		    sizeof(buf))) != NULL) {
			fprintf(r->out, " %s=%s", list[i][1], text);
			placed = true;
		}
	/* the cores' own has no list: it is of all */
	if (!placed && pmu_is_core(name))
		fprintf(r->out, " cpus=0-%u", r->node->topo.nlproc - 1);
	fputc('\n', r->out);
}

void
record_pmus(struct recording *r)
{
	struct recorded_file **f = recorder_sorted(r->kept);
	const size_t dir = strlen(PMU_DIR "/");

	r->kept->lost |= f == NULL;
	fputs("\n# PMUs of the kernel\n", r->out);
	for (unsigned i = 0; f != NULL && i < r->kept->nfile; i++) {
		const char *path = f[i]->path;
		const char *end = strncmp(path, PMU_DIR "/", dir) == 0 ?
		    strchr(path + dir, '/') : NULL;
		char name[128];

		if (end == NULL || strcmp(end, "/type") != 0 ||
		    (size_t)(end - path) - dir >= sizeof(name))
			continue;
		snprintf(name, sizeof(name), "%.*s",
		    (int)((size_t)(end - path) - dir), path + dir);
		put_pmu(r, name);
	}
	free(f);
}
