/*
 * daemon/list_tables.h - a node's discovery tables, as --list boxes and --list
 * registers show them.
 */
#ifndef DAEMON_LIST_TABLES_H
#define DAEMON_LIST_TABLES_H

#include <stdio.h>

#include "topology/inventory.h"

/* list_tables - a row a table, and one for each of its entries that is no box of
 * the model: faulty, of an unknown type, or beyond what the model has. */
void list_tables(FILE *, const struct inventory *, const struct model *);

/* list_table_words - the same tables as they were read, entry by entry, as a machine
 * of --sim has them. */
void list_table_words(FILE *, const struct inventory *);

/* list_laid_registers - the registers of boxes of which only a table says how they
 * lie: of a node as its tables have them; of a model alone (NULL) a row a type. */
void list_laid_registers(FILE *, const struct model *, const struct inventory *);

#endif
