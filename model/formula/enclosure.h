/* What the outputs of a program can be anywhere in a piece of the range of N: each as a sum of
 * products (form.h) with bounds, and where a formula switches inside the piece. Private to the
 * solver, which proves with it that a piece holds no solution, or one. */
#ifndef ISOCAST_ENCLOSURE_H
#define ISOCAST_ENCLOSURE_H

#include "form.h"
#include "program.h"

typedef struct isocast_enclosure isocast_enclosure;

/* For a program with all inputs bound but `input` (N), at one point: what `columns` point to
 * and the class table must outlive it, and so must `effort`, which takes what enclosures cost;
 * columns[input] is left aside. Errors: NO_MEMORY. */
isocast_status isocast_enclosure_create(const isocast_program *program,
                                        const isocast_column *columns, size_t column_count,
                                        size_t input, const isocast_class_table *classes,
                                        isocast_effort *effort, isocast_enclosure **out);
void isocast_enclosure_free(isocast_enclosure *e);

/* Encloses all outputs over low <= N <= high; where the effort is spent, not to be used. Errors:
 * NO_MEMORY. */
isocast_status isocast_enclosure_enter(isocast_enclosure *e, double low, double high);
/* Output number k over the piece. */
const isocast_form *isocast_enclosure_output(const isocast_enclosure *e, size_t output);
/* What the factors of the forms can be in the piece. */
isocast_form_ranges isocast_enclosure_ranges(const isocast_enclosure *e);

/* Writes a form of another enclosure, which was entered over the same piece, with factors of this
 * one: what isocast_enclosure_ranges() gives from then on knows them, too, until the next enter.
 * *known is false where there are too many. Errors: NO_MEMORY. */
isocast_status isocast_enclosure_adopt(isocast_enclosure *e, const isocast_enclosure *other,
                                       isocast_form *form, bool *known);

/* A place at which a formula switches inside the piece: the neighbouring numbers between which it
 * does, the smaller first. False where none is known. */
bool isocast_enclosure_switch(isocast_enclosure *e, double switch_at[2]);

#endif
