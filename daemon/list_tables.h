/*
 * daemon/list_tables.h - a node's discovery tables, as --list boxes shows them.
 */
#ifndef DAEMON_LIST_TABLES_H
#define DAEMON_LIST_TABLES_H

#include <stdio.h>

#include "topology/inventory.h"

/* list_tables - a row a table, and one for each of its entries that is no box of
 * the model: faulty, of an unknown type, or beyond what the model has. */
void list_tables(FILE *, const struct inventory *, const struct model *);

#endif
