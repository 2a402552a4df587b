/*
 * regs/models/models.c - which of the models a CPU is.
 */
#include "regs/models/model_list.h"

#include <string.h>
#include <strings.h>

#define MODEL_HERE(name) &model_##name,

const struct model *const models[] = { MODELS(MODEL_HERE) NULL };

const struct model *
model_find(unsigned family, unsigned model, unsigned stepping)
{
	if (family != 6)
		return NULL;
	for (const struct model *const *m = models; *m != NULL; m++)
		for (const struct cpu_match *id = (*m)->id;
		    id != NULL && id->model != 0; id++)
			if (id->model == model && stepping >= id->step_min &&
			    stepping <= id->step_max)
				return *m;
	return NULL;
}

const struct model *
model_arm(uint32_t midr, const char *pmu)
{
	for (const struct model *const *m = models; *m != NULL; m++)
		if ((*m)->id == NULL && (*m)->midr == (midr & MIDR_MASK) &&
		    strcmp((*m)->needs_pmu, pmu) == 0)
			return *m;
	return NULL;
}

const struct model *
model_named(const char *name)
{
	for (const struct model *const *m = models; *m != NULL; m++)
		if (strcasecmp((*m)->name, name) == 0)
			return *m;
	return NULL;
}
