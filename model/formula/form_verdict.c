#include "form_verdict.h"

enum { EXPONENTS_MAX = 8 /* powers of N by which a form is divided, to bound it */ };

/* What a bound costs, about, for each term of the form. */
static const double bound_steps = 50;

static bool excludes_zero(isocast_range value) {
    return value.low > 0 || value.high < 0;
}

/* Distinct exponents of N in a form, and 0. */
static size_t list_exponents(const isocast_form *form, double *exponents) {
    size_t count = 1;
    exponents[0] = 0;
    for (size_t k = 0; k < form->count && count < EXPONENTS_MAX; k++) {
        bool is_new = true;
        for (size_t i = 0; i < count; i++) {
            is_new = is_new && exponents[i] != form->terms[k].exponent;
        }
        if (is_new) {
            exponents[count++] = form->terms[k].exponent;
        }
    }
    return count;
}

/* A form divided by a power of N has the same zeros; divided by the right one its bounds are
 * narrow, and it only rises or only falls, over many decades. */
isocast_form_verdict isocast_form_judge(const isocast_form *form, const isocast_form_ranges *ranges,
                                        isocast_effort *effort) {
    double exponents[EXPONENTS_MAX];
    size_t count = list_exponents(form, exponents);
    isocast_form_verdict verdict = {0};
    for (size_t i = 0; i < count; i++) {
        effort->left -= bound_steps * (double)(form->count + 1);
        isocast_dual bound = isocast_form_bound(form, ranges, exponents[i]);
        if (isocast_range_is_empty(bound.value) || excludes_zero(bound.value)) {
            verdict.has_no_zero = true;
            verdict.sign = bound.value.low > 0 ? 1 : bound.value.high < 0 ? -1 : 0;
            return verdict;
        }
        verdict.has_one_zero_at_most = verdict.has_one_zero_at_most || excludes_zero(bound.slope);
    }
    return verdict;
}
