/* What an enclosure keeps while it runs through a program: for its own files only. */
#ifndef ISOCAST_ENCLOSURE_STATE_H
#define ISOCAST_ENCLOSURE_STATE_H

#include "block_range.h"
#include "form.h"
#include "program.h"

enum { ISOCAST_ENCLOSURE_ENDS = 2 };

/* The factor of forms that is ln N; those that instructions add come after it. */
enum { ATOM_LN_N = 1 };

/* What is known of a register. */
enum { KNOWN_NOTHING, KNOWN_CONSTANT, KNOWN_FORM, KNOWN_DUAL };

/* Where a formula switches in the piece: at `instruction`, where its test changes. */
typedef struct switch_place {
    const isocast_instruction *instruction; /* NULL: none is known */
    double threshold;                       /* of a staircase: it is below this on one side only */
    double steps;                           /* of it in the piece */
} switch_place;

typedef struct isocast_enclosure isocast_enclosure; /* which enclosure.h gives as well */

struct isocast_enclosure {
    const isocast_program *program;
    const isocast_block *block; /* block 0 */
    isocast_column *columns;
    isocast_program_points points; /* both ends of the piece */
    double N[ISOCAST_ENCLOSURE_ENDS];
    double *registers; /* [register_count][ISOCAST_ENCLOSURE_ENDS], computed */
    double *scratch;   /* [register_count], of one point */
    unsigned char *needed;
    unsigned char *known; /* [register_count] */
    bool *varies;         /* [register_count] */
    size_t *form_at;      /* [register_count], where in `forms` */
    isocast_dual *duals;  /* [register_count] */
    char *forms;          /* forms cut to their terms, one after another */
    size_t forms_used, forms_capacity;
    isocast_dual *atoms; /* [atom_count], from ATOM_LN_N on */
    size_t atom_count, atom_capacity;
    switch_place place;
    isocast_block_ranges reductions;
    isocast_effort *effort;
    isocast_status status;
};

/* The block of a reduction. */
static inline const isocast_block *isocast_enclosure_block(const isocast_enclosure *e,
                                                           const isocast_instruction *instruction) {
    return &e->program->blocks[instruction->block];
}

#endif
