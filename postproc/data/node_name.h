/*
 * postproc/data/node_name.h - what the node of a dump is called.
 */
#ifndef POSTPROC_DATA_NODE_NAME_H
#define POSTPROC_DATA_NODE_NAME_H

#include "config/dump/read.h"

#define NODE_NAME 256

/* node_name - as the dump says, without its domain; else by its file.
 * Printable. */
void node_name(char name[NODE_NAME], const struct reader *);

#endif
