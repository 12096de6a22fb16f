#include "law_growth.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

double isocast_monomial_growth(const isocast_monomial *monomial, const isocast_law_point *from,
                               bool sizes) {
    isocast_law_point to = *from;
    for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX && sizes; i++) {
        to.sizes[i] *= 2;
    }
    if (!sizes) {
        to.p *= 2;
        to.rows = to.depth = to.height = 0;
    }
    return isocast_monomial_value(monomial, &to) / isocast_monomial_value(monomial, from);
}

double isocast_law_largest_growth(const isocast_law *law, const isocast_law_point *from,
                                  bool sizes) {
    double largest = 0;
    for (size_t i = 0; i < law->term_count; i++) {
        largest = fmax(largest, isocast_monomial_growth(&law->terms[i], from, sizes));
    }
    return largest;
}

bool isocast_law_only_adds(const isocast_law *law, const isocast_monomial *term,
                           const isocast_law_point *from) {
    static const double rounding = 1e-9;
    bool has = false;
    bool adds = true;
    for (size_t i = 0; i < law->term_count; i++) {
        has = has || memcmp(&law->terms[i], term, offsetof(isocast_monomial, cost)) == 0;
        for (int sizes = 0; sizes < 2; sizes++) {
            adds = adds && isocast_monomial_growth(&law->terms[i], from, sizes != 0) <=
                               isocast_monomial_growth(term, from, sizes != 0) * (1 + rounding);
        }
    }
    return has && adds;
}
