#include "roots.h"

#include <math.h>

enum { TERMS_MAX = ISOCAST_ROOTS_TERMS, HALVINGS = 200 };

/* x is looked for between exp(-60) and exp(60). */
static const double farthest = 60;

double isocast_roots_value(const isocast_root_term *terms, size_t count, double u) {
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        sum += terms[k].factor * exp(terms[k].exponent * u);
    }
    return sum;
}

static double sign_change(const isocast_root_term *terms, size_t count, double low, double high) {
    double at_low = isocast_roots_value(terms, count, low);
    for (int i = 0; i < HALVINGS; i++) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) {
            break;
        }
        double value = isocast_roots_value(terms, count, middle);
        if (value == 0) {
            return middle;
        }
        if ((value > 0) == (at_low > 0)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low + (high - low) / 2;
}

/* All sign changes between low and high in rising u; shape of roots: [TERMS_MAX]. Terms have
 * different exponents. */
static size_t find(const isocast_root_term *terms, size_t count, double low, double high,
                   double *roots) {
    if (count < 2) {
        return 0;
    }
    /* Divided by the first power, whose derivative is then 0. */
    isocast_root_term slope[TERMS_MAX];
    for (size_t k = 1; k < count; k++) {
        double exponent = terms[k].exponent - terms[0].exponent;
        slope[k - 1] = (isocast_root_term){terms[k].factor * exponent, exponent};
    }
    double turns[TERMS_MAX];
    size_t turn_count = find(slope, count - 1, low, high, turns);
    size_t found = 0;
    double begin = low;
    for (size_t k = 0; k <= turn_count; k++) {
        double end = k < turn_count ? turns[k] : high;
        double at_begin = isocast_roots_value(terms, count, begin);
        double at_end = isocast_roots_value(terms, count, end);
        if ((at_begin > 0) != (at_end > 0)) {
            roots[found++] = sign_change(terms, count, begin, end);
        }
        begin = end;
    }
    return found;
}

bool isocast_roots_first(const isocast_root_term *terms, size_t count, double low, double high,
                         double *root) {
    isocast_root_term distinct[TERMS_MAX];
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < n && fabs(distinct[k].exponent - terms[i].exponent) > 1e-9) {
            k++;
        }
        if (k == n) {
            distinct[n++] = (isocast_root_term){0, terms[i].exponent};
        }
        distinct[k].factor += terms[i].factor;
    }
    double roots[TERMS_MAX];
    double from = low > 0 ? fmax(log(low), -farthest) : -farthest;
    double to = isinf(high) ? farthest : fmin(log(high), farthest);
    size_t found = find(distinct, n, from, to, roots);
    for (size_t k = 0; k < found; k++) {
        double x = exp(roots[k]);
        /* A root at an end of the range is no root inside: the path was split there. */
        bool inside = x > low * (1 + 1e-9) && (isinf(high) || x < high * (1 - 1e-9));
        if (inside) {
            *root = x;
            return true;
        }
    }
    return false;
}
