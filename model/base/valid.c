#include "valid.h"

#include <math.h>

/* Above it not every whole number is a double. */
static const double whole_most = 0x1p53;

/* Looks through the products of factors[0..count). */
typedef struct search {
    const isocast_valid *valid;
    double N;
    double min, max;
    isocast_valid_pair found;
} search;

bool isocast_valid_excludes(const isocast_valid *valid) {
    return valid->factor_count > 0 || valid->multiple_of > 0;
}

/* What every valid size is a multiple of. */
static double unit_of(const isocast_valid *valid) {
    return valid->multiple_of > 0 ? valid->multiple_of : 1;
}

bool isocast_valid_holds(const isocast_valid *valid, double N) {
    if (!isocast_valid_excludes(valid)) {
        return true;
    }
    if (!(N >= 1 && N <= whole_most && N == floor(N)) || fmod(N, unit_of(valid)) != 0) {
        return false;
    }
    for (size_t i = 0; i < valid->factor_count; i++) {
        while (fmod(N, valid->factors[i]) == 0) {
            N /= valid->factors[i];
        }
    }
    return N == 1 || valid->factor_count == 0;
}

static void take(search *s, double product) {
    if (product < s->min || product > s->max) {
        return;
    }
    if (product <= s->N && !(s->found.below >= product)) {
        s->found.below = product;
    }
    if (product >= s->N && !(s->found.above <= product)) {
        s->found.above = product;
    }
}

/* Every product of the factors from `index` on and `product`, up to the first one not below N: what
 * is larger is further from N than that. */
static void look(search *s, size_t index, double product) {
    if (index == s->valid->factor_count) {
        take(s, product);
        return;
    }
    for (;; product *= s->valid->factors[index]) {
        look(s, index + 1, product);
        if (product >= fmax(s->N, s->min)) {
            return;
        }
    }
}

isocast_valid_pair isocast_valid_nearest(const isocast_valid *valid, double N, double min,
                                         double max) {
    search s = {valid, N, min, max, {NAN, NAN}};
    if (!isocast_valid_excludes(valid) || !(N >= 0 && N <= whole_most && min <= whole_most)) {
        return s.found;
    }
    double unit = unit_of(valid);
    if (valid->factor_count > 0) {
        look(&s, 0, unit);
    } else {
        take(&s, fmin(floor(N / unit), floor(max / unit)) * unit);
        take(&s, fmax(fmax(ceil(N / unit), ceil(min / unit)), 1) * unit);
    }
    return s.found;
}

double isocast_valid_nearer(isocast_valid_pair pair, double N) {
    if (isnan(pair.below) || isnan(pair.above)) {
        return isnan(pair.below) ? pair.above : pair.below;
    }
    return N / pair.below <= pair.above / N ? pair.below : pair.above;
}

void isocast_valid_describe(const isocast_valid *valid, isocast_buffer *out) {
    size_t count = valid->factor_count;
    if (valid->multiple_of > 0) {
        isocast_buffer_printf(out, "multiples of %.0f", valid->multiple_of);
    }
    if (valid->multiple_of > 0 && count > 0) {
        isocast_buffer_puts(out, " that are ");
    }
    if (count > 0) {
        isocast_buffer_puts(out, count == 1 ? "powers of " : "products of ");
    }
    for (size_t i = 0; i < count; i++) {
        const char *before = i == 0 ? "" : i + 1 == count ? " and " : ", ";
        isocast_buffer_printf(out, "%s%.0f", before, valid->factors[i]);
    }
}
