#include "form.h"

#include <math.h>
#include <string.h>

/* A factor that is smaller than this share of what was added up to it is 0: rounding. */
static const double rounding_share = 1e-15;

void isocast_form_constant(isocast_form *form, double value) {
    form->count = value == 0 ? 0 : 1;
    form->terms[0] = (isocast_form_term){.factor = value, .magnitude = fabs(value)};
}

void isocast_form_power_of_N(isocast_form *form, double exponent) {
    form->count = 1;
    form->terms[0] = (isocast_form_term){.factor = 1, .magnitude = 1, .exponent = exponent};
}

void isocast_form_atom(isocast_form *form, uint16_t atom) {
    form->count = 1;
    form->terms[0] = (isocast_form_term){.factor = 1, .magnitude = 1};
    form->terms[0].atoms[ISOCAST_FORM_ATOMS - 1] = atom;
}

static bool has_atoms(const isocast_form_term *term) {
    return term->atoms[ISOCAST_FORM_ATOMS - 1] != ISOCAST_FORM_NO_ATOM;
}

bool isocast_form_is_constant(const isocast_form *form, double *value) {
    *value = form->count == 0 ? 0 : form->terms[0].factor;
    return form->count == 0 ||
           (form->count == 1 && form->terms[0].exponent == 0 && !has_atoms(&form->terms[0]));
}

bool isocast_form_is_power(const isocast_form *form, double *factor, double *exponent) {
    if (form->count != 1 || has_atoms(&form->terms[0])) {
        return false;
    }
    *factor = form->terms[0].factor;
    *exponent = form->terms[0].exponent;
    return *factor > 0;
}

static bool same_factors(const isocast_form_term *a, const isocast_form_term *b) {
    return a->exponent == b->exponent && memcmp(a->atoms, b->atoms, sizeof a->atoms) == 0;
}

static void remove_term(isocast_form *form, size_t k) {
    form->terms[k] = form->terms[--form->count];
}

static bool add_term(isocast_form *form, const isocast_form_term *term) {
    for (size_t k = 0; k < form->count; k++) {
        if (same_factors(&form->terms[k], term)) {
            form->terms[k].factor += term->factor;
            form->terms[k].magnitude += term->magnitude;
            if (fabs(form->terms[k].factor) <= rounding_share * form->terms[k].magnitude) {
                remove_term(form, k);
            }
            return true;
        }
    }
    if (form->count == ISOCAST_FORM_TERMS) {
        return false;
    }
    form->terms[form->count++] = *term;
    return true;
}

bool isocast_form_add(isocast_form *form, const isocast_form *other, double multiplier,
                      double divisor) {
    if (multiplier == 0) {
        return true;
    }
    for (size_t k = 0; k < other->count; k++) {
        isocast_form_term term = other->terms[k];
        term.factor = term.factor * multiplier / divisor;
        term.magnitude = fabs(term.magnitude * multiplier / divisor);
        if (!add_term(form, &term)) {
            return false;
        }
    }
    return true;
}

/* The atoms of both in rising order; false where there are too many. */
static bool merge_atoms(const uint16_t *a, const uint16_t *b, uint16_t *out) {
    size_t i = ISOCAST_FORM_ATOMS;
    size_t j = ISOCAST_FORM_ATOMS;
    for (size_t k = ISOCAST_FORM_ATOMS; k-- > 0;) {
        uint16_t from_a = i > 0 ? a[i - 1] : ISOCAST_FORM_NO_ATOM;
        uint16_t from_b = j > 0 ? b[j - 1] : ISOCAST_FORM_NO_ATOM;
        if (from_a >= from_b) {
            out[k] = from_a;
            i -= i > 0 ? 1 : 0;
        } else {
            out[k] = from_b;
            j--;
        }
    }
    return (i == 0 || a[i - 1] == ISOCAST_FORM_NO_ATOM) &&
           (j == 0 || b[j - 1] == ISOCAST_FORM_NO_ATOM);
}

bool isocast_form_multiply(const isocast_form *a, const isocast_form *b, isocast_form *out) {
    out->count = 0;
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < b->count; j++) {
            isocast_form_term term = {.factor = a->terms[i].factor * b->terms[j].factor,
                                      .magnitude = a->terms[i].magnitude * b->terms[j].magnitude,
                                      .exponent = a->terms[i].exponent + b->terms[j].exponent};
            if (!merge_atoms(a->terms[i].atoms, b->terms[j].atoms, term.atoms) ||
                !add_term(out, &term)) {
                return false;
            }
        }
    }
    return true;
}

void isocast_form_divide(isocast_form *form, double factor, double exponent) {
    for (size_t k = 0; k < form->count; k++) {
        form->terms[k].factor /= factor;
        form->terms[k].magnitude = fabs(form->terms[k].magnitude / factor);
        form->terms[k].exponent -= exponent;
    }
}

/* N^exponent times the atoms, without the factor. */
static isocast_dual bound_factors(const isocast_form_term *term, const isocast_form_ranges *ranges,
                                  double exponent) {
    isocast_range power = isocast_range_power(ranges->N, exponent);
    isocast_dual product = {power, isocast_range_scale(power, exponent)};
    for (size_t k = ISOCAST_FORM_ATOMS; k-- > 0 && term->atoms[k] != ISOCAST_FORM_NO_ATOM;) {
        product = isocast_dual_operate(ISOCAST_OP_MULTIPLY, false, &product,
                                       &ranges->atoms[term->atoms[k]], NULL);
    }
    return product;
}

isocast_dual isocast_form_bound(const isocast_form *form, const isocast_form_ranges *ranges,
                                double exponent) {
    isocast_dual sum = isocast_dual_constant(0);
    for (size_t k = 0; k < form->count; k++) {
        const isocast_form_term *term = &form->terms[k];
        double slack = term->magnitude == fabs(term->factor) ? 0 : rounding_share * term->magnitude;
        isocast_dual factor = {{term->factor - slack, term->factor + slack}, {0, 0}};
        isocast_dual product = bound_factors(term, ranges, term->exponent - exponent);
        product = isocast_dual_operate(ISOCAST_OP_MULTIPLY, false, &factor, &product, NULL);
        sum = isocast_dual_operate(ISOCAST_OP_ADD, false, &sum, &product, NULL);
    }
    return sum;
}

void isocast_form_shift_atoms(isocast_form *form, uint16_t first, uint16_t shift) {
    for (size_t k = 0; k < form->count; k++) {
        for (size_t i = 0; i < ISOCAST_FORM_ATOMS; i++) {
            uint16_t *atom = &form->terms[k].atoms[i];
            if (*atom != ISOCAST_FORM_NO_ATOM && *atom >= first) {
                *atom = (uint16_t)(*atom + shift);
            }
        }
    }
}
