/* What the names in an algorithm's formulas stand for: alone, or with a machine bound. */
#ifndef ISOCAST_BINDING_H
#define ISOCAST_BINDING_H

#include "algorithm.h"
#include "machine_scope.h"

typedef struct isocast_binding isocast_binding;

/* Columns of the inputs: the size parameters in order, then the system's, then the machine's
 * parameters. */

/* Builds the names. Without a machine (NULL) operations and parameters have a type only: formulas
 * can be checked, not compiled. With one, everything the algorithm needs of it is looked up; what
 * is missing is a diagnostic in the algorithm's file. Both must outlive the table. Errors: INVALID,
 * NO_MEMORY. */
isocast_status isocast_binding_create(const isocast_algorithm *algorithm,
                                      const isocast_machine *machine,
                                      isocast_diagnostics *diagnostics, isocast_binding **out);
void isocast_binding_free(isocast_binding *table);

/* The scope of the algorithm's formulas. */
const isocast_scope *isocast_binding_scope(const isocast_binding *table);

/* T_c and alpha: the algorithm's formulas, or the defaults where it gives none. */
const isocast_formula *isocast_binding_compute(const isocast_binding *table);
const isocast_formula *isocast_binding_sequential(const isocast_binding *table);

/* Checks every formula of the algorithm in the table's scope. Errors: INVALID, NO_MEMORY. */
isocast_status isocast_binding_check(const isocast_binding *table,
                                     isocast_diagnostics *diagnostics);

/* The operations, as "T_bcast, T_reduce", that the algorithm's steps call and the machine lacks, so
 * that formulas of messages stand in for them; NULL or empty where there are none. */
const char *isocast_binding_stand_ins(const isocast_binding *table);

/* Names that a size parameter, a definition or a parameter must not take. */
bool isocast_name_is_reserved(const char *name);

/* What such a name means in formulas, and what to do; NULL for other names. */
const char *isocast_name_reserved_hint(const char *name);

#endif
