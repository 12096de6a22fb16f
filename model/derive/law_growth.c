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

/* Whether a factor of a size depends on p, too. */
static bool is_of_processes(size_t factor) {
    const char *text = isocast_law_size_factors[factor].text;
    return text[0] != '/' && strchr(text, '/') != NULL;
}

static bool depends_on_processes(const isocast_monomial *m) {
    bool depends = m->process != 0;
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
        depends = depends || is_of_processes(m->factors[i]);
    }
    return depends;
}

/* Whether two terms are the same function of p at the same sizes. */
static bool same_function(const isocast_monomial *a, const isocast_monomial *b) {
    bool same = a->process == b->process;
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
        size_t one = is_of_processes(a->factors[i]) ? a->factors[i] : 0;
        size_t other = is_of_processes(b->factors[i]) ? b->factors[i] : 0;
        same = same && one == other && (one == 0 || a->sizes[i] == b->sizes[i]);
    }
    return same;
}

bool isocast_law_adds_functions(const isocast_law *law) {
    bool adds = false;
    for (size_t i = 0; i < law->term_count; i++) {
        for (size_t k = 0; k < i; k++) {
            const isocast_monomial *a = &law->terms[i];
            const isocast_monomial *b = &law->terms[k];
            adds = adds ||
                   (depends_on_processes(a) && depends_on_processes(b) && !same_function(a, b));
        }
    }
    return adds;
}
