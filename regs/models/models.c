/*
 * regs/models/models.c - which of the models a CPU is.
 */
#include "regs/models/model_list.h"

#include <string.h>
#include <strings.h>

#define MODEL_HERE(name) &model_##name,

const struct model *const models[] = { MODELS(MODEL_HERE) NULL };

const struct model *const models_any[] = {
	&model_any_x86, &model_any_arm, &model_any, NULL
};

const struct model *
model_find(const char *vendor, unsigned family, unsigned model,
    unsigned stepping)
{
	for (const struct model *const *m = models; *m != NULL; m++)
		if (strcmp((*m)->vendor != NULL ? (*m)->vendor :
		    "GenuineIntel", vendor) == 0 &&
		    model_is(*m, family, model, stepping))
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
	for (const struct model *const *m = models_any; *m != NULL; m++)
		if (strcasecmp((*m)->name, name) == 0)
			return *m;
	return NULL;
}
