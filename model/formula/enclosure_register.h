/* The registers of an enclosure, over the piece that it was entered on: each one's values at both
 * ends, its form, and its bounds. Knows of no instruction. */
#ifndef ISOCAST_ENCLOSURE_REGISTER_H
#define ISOCAST_ENCLOSURE_REGISTER_H

#include "enclosure_state.h"

/* The value computed at the lower end (0) or the upper end (1) of the piece. */
static inline double isocast_enclosure_end(const isocast_enclosure *e, unsigned reg, size_t end) {
    return e->registers[(size_t)reg * ISOCAST_ENCLOSURE_ENDS + end];
}

/* N and the factors of forms in the piece. */
static inline isocast_form_ranges isocast_enclosure_factors(const isocast_enclosure *e) {
    return (isocast_form_ranges){{e->N[0], e->N[1]}, e->atoms};
}

/* Narrows bounds by the values computed at both ends of the piece: a value that only rises or only
 * falls lies between them; else the slope bounds how far it gets from them. */
void isocast_enclosure_narrow(const isocast_enclosure *e, double first, double last,
                              isocast_dual *dual);

/* The form of a register, which was stored; constants are not stored, but have one, too. */
const isocast_form *isocast_enclosure_stored_form(const isocast_enclosure *e, unsigned reg);
void isocast_enclosure_form(const isocast_enclosure *e, unsigned reg, isocast_form *out);
/* Keeps a copy. Without memory, the enclosure's status tells it. */
void isocast_enclosure_store(isocast_enclosure *e, unsigned reg, const isocast_form *form);

/* What a form can be in the piece. */
isocast_dual isocast_enclosure_bound(const isocast_enclosure *e, const isocast_form *form);
/* What a register can be in the piece; belongs to the enclosure. */
const isocast_dual *isocast_enclosure_dual(isocast_enclosure *e, unsigned reg);

/* A new factor of forms with these bounds; ISOCAST_FORM_NO_ATOM where there are too many, which no
 * program of a few hundred instructions has. */
uint16_t isocast_enclosure_add_atom(isocast_enclosure *e, const isocast_dual *dual);

#endif
