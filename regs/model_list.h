/*
 * regs/model_list.h - the models there are; for model.c and model_*.c alone.
 */
#ifndef REGS_MODEL_LIST_H
#define REGS_MODEL_LIST_H

#include "regs/model.h"

extern const struct model model_hsx;
extern const struct model model_skx;
extern const struct model model_grace;
extern const struct model model_icx, model_icxd;
extern const struct model model_slm;

#endif
