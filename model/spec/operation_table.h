/* Tables of an operation in a machine file: rows by the message size or the working set, with
 * straight lines between them. */
#ifndef ISOCAST_OPERATION_TABLE_H
#define ISOCAST_OPERATION_TABLE_H

#include "operation_text.h"

/* One table; its part may have the keys axis, beyond and factors. False with a diagnostic. */
bool isocast_operation_put_table(isocast_operation_text *f, const isocast_operation_part *own,
                                 const isocast_tree_node *rows);

/* A table for each of some numbers of processes: each holds up to its own, the last one beyond. */
bool isocast_operation_put_tables(isocast_operation_text *f, const isocast_operation_part *own,
                                  const isocast_tree_node *tables);

#endif
