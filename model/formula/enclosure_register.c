#include "enclosure_register.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void isocast_enclosure_narrow(const isocast_enclosure *e, double first, double last,
                              isocast_dual *dual) {
    if (!isfinite(first) || !isfinite(last) || isocast_range_is_empty(dual->value)) {
        return;
    }
    if (dual->slope.low >= 0 || dual->slope.high <= 0) {
        dual->value = (isocast_range){fmin(first, last), fmax(first, last)};
        return;
    }
    if (isocast_range_is_bounded(dual->slope)) {
        double width = log(e->N[1] / e->N[0]);
        isocast_range rise = isocast_range_scale(dual->slope, width);
        isocast_range fall = isocast_range_scale(rise, -1);
        dual->value =
            isocast_range_meet(dual->value, isocast_range_add(isocast_range_of(first), rise));
        dual->value =
            isocast_range_meet(dual->value, isocast_range_add(isocast_range_of(last), fall));
    }
}

static size_t form_size(size_t count) {
    return offsetof(isocast_form, terms) + count * sizeof(isocast_form_term);
}

static void copy_form(isocast_form *to, const isocast_form *from) {
    memcpy(to, from, form_size(from->count));
}

const isocast_form *isocast_enclosure_stored_form(const isocast_enclosure *e, unsigned reg) {
    return (const isocast_form *)(const void *)(e->forms + e->form_at[reg]);
}

void isocast_enclosure_store(isocast_enclosure *e, unsigned reg, const isocast_form *form) {
    size_t size = form_size(form->count);
    /* Room for a whole form is kept behind the last, so that each can be read as one. */
    if (e->forms_used + size + sizeof *form > e->forms_capacity) {
        size_t capacity = 2 * (e->forms_capacity + sizeof *form + size);
        char *grown = realloc(e->forms, capacity);
        if (grown == NULL) {
            e->status = ISOCAST_NO_MEMORY;
            return;
        }
        e->forms = grown;
        e->forms_capacity = capacity;
    }
    memcpy(e->forms + e->forms_used, form, size);
    e->form_at[reg] = e->forms_used;
    e->forms_used += size;
    e->known[reg] = KNOWN_FORM;
}

void isocast_enclosure_form(const isocast_enclosure *e, unsigned reg, isocast_form *out) {
    if (e->known[reg] == KNOWN_CONSTANT) {
        isocast_form_constant(out, isocast_enclosure_end(e, reg, 0));
    } else {
        copy_form(out, isocast_enclosure_stored_form(e, reg));
    }
}

isocast_dual isocast_enclosure_bound(const isocast_enclosure *e, const isocast_form *form) {
    isocast_form_ranges ranges = isocast_enclosure_factors(e);
    return isocast_form_bound(form, &ranges, 0);
}

const isocast_dual *isocast_enclosure_dual(isocast_enclosure *e, unsigned reg) {
    if (e->known[reg] == KNOWN_CONSTANT) {
        double value = isocast_enclosure_end(e, reg, 0);
        e->duals[reg] = isnan(value) ? isocast_dual_empty() : isocast_dual_constant(value);
    } else if (e->known[reg] == KNOWN_FORM) {
        isocast_dual dual = isocast_enclosure_bound(e, isocast_enclosure_stored_form(e, reg));
        isocast_enclosure_narrow(e, isocast_enclosure_end(e, reg, 0),
                                 isocast_enclosure_end(e, reg, 1), &dual);
        e->duals[reg] = dual;
        e->known[reg] = KNOWN_DUAL;
    }
    return &e->duals[reg];
}

uint16_t isocast_enclosure_add_atom(isocast_enclosure *e, const isocast_dual *dual) {
    if (e->atom_count >= e->atom_capacity || e->atom_count > UINT16_MAX) {
        return ISOCAST_FORM_NO_ATOM;
    }
    e->atoms[e->atom_count] = *dual;
    return (uint16_t)e->atom_count++;
}
