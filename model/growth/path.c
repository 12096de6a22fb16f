#include "path.h"

#include <math.h>

/* Exponents are sums and quotients of a few numbers of formulas. */
static const double exponent_tolerance = 1e-9;

bool isocast_exponents_equal(double a, double b) {
    return isfinite(a - b) && fabs(a - b) <= exponent_tolerance * fmax(1, fmax(fabs(a), fabs(b)));
}

static int sign_of(double difference) {
    return isocast_exponents_equal(difference, 0) ? 0 : difference > 0 ? 1 : -1;
}

/* A number between the two, either of which may be infinite. */
static double between(double low, double high) {
    if (isinf(low) && isinf(high)) {
        return 0;
    }
    return isinf(high) ? low + 1 : isinf(low) ? high - 1 : low + (high - low) / 2;
}

bool isocast_monomial_has_running(const isocast_monomial *m) {
    for (size_t k = 0; k < ISOCAST_MONOMIAL_SUMS; k++) {
        if (sign_of(m->i[k]) != 0 || sign_of(m->log_i[k]) != 0) {
            return true;
        }
    }
    return false;
}

isocast_monomial isocast_monomial_multiply(const isocast_monomial *a, const isocast_monomial *b,
                                           double exponent_of_b) {
    isocast_monomial m = {.p = a->p + exponent_of_b * b->p,
                          .log_p = a->log_p + exponent_of_b * b->log_p,
                          .N = a->N + exponent_of_b * b->N,
                          .log_N = a->log_N + exponent_of_b * b->log_N,
                          .log_log = a->log_log + exponent_of_b * b->log_log,
                          .log_log_N = a->log_log_N + exponent_of_b * b->log_log_N,
                          .rest = a->rest + exponent_of_b * b->rest};
    for (size_t k = 0; k < ISOCAST_MONOMIAL_SUMS; k++) {
        m.i[k] = a->i[k] + exponent_of_b * b->i[k];
        m.log_i[k] = a->log_i[k] + exponent_of_b * b->log_i[k];
    }
    return m;
}

bool isocast_monomial_equal(const isocast_monomial *a, const isocast_monomial *b) {
    isocast_monomial ratio = isocast_monomial_multiply(a, b, -1);
    return !isocast_monomial_has_running(&ratio) && sign_of(ratio.p) == 0 &&
           sign_of(ratio.log_p) == 0 && sign_of(ratio.N) == 0 && sign_of(ratio.log_N) == 0 &&
           sign_of(ratio.log_log) == 0 && sign_of(ratio.log_log_N) == 0 && sign_of(ratio.rest) == 0;
}

static int compare_fixed(const isocast_monomial *ratio) {
    const double exponents[] = {ratio->N, ratio->log_N, ratio->log_log_N};
    for (size_t k = 0; k < sizeof exponents / sizeof exponents[0]; k++) {
        if (sign_of(exponents[k]) != 0) {
            return sign_of(exponents[k]);
        }
    }
    return 0;
}

isocast_path_order isocast_monomial_compare(const isocast_path *path, const isocast_monomial *a,
                                            const isocast_monomial *b, int *order, double *split) {
    isocast_monomial ratio = isocast_monomial_multiply(a, b, -1);
    if (isocast_monomial_has_running(&ratio)) {
        return ISOCAST_COMPARE_RUNNING;
    }
    *order = 0;
    if (path->fixed) {
        *order = compare_fixed(&ratio);
        return ISOCAST_COMPARED;
    }
    const double apart[ISOCAST_PATH_LEVELS] = {ratio.p, ratio.log_p + ratio.log_N,
                                               ratio.log_log + ratio.log_log_N, 0};
    for (size_t level = 0; level < ISOCAST_PATH_LEVELS; level++) {
        double exponent = apart[level];
        if (sign_of(ratio.N) == 0) {
            *order = sign_of(exponent);
        } else if (level < path->known) {
            *order = sign_of(exponent + ratio.N * path->at[level]);
        } else {
            double place = -exponent / ratio.N;
            bool above = place <= path->low || isocast_exponents_equal(place, path->low);
            bool below = place >= path->high || isocast_exponents_equal(place, path->high);
            if (!above && !below) {
                *split = place;
                return ISOCAST_COMPARE_SPLIT;
            }
            *order = sign_of(exponent + ratio.N * between(path->low, path->high));
            return ISOCAST_COMPARED;
        }
        if (*order != 0) {
            break;
        }
    }
    return ISOCAST_COMPARED;
}

bool isocast_path_is_even(const isocast_path *path) {
    return !path->fixed && path->known == ISOCAST_PATH_LEVELS &&
           path->at[ISOCAST_PATH_LEVELS - 1] == 0;
}

void isocast_path_x(const isocast_path *path, double *low, double *high) {
    if (path->fixed) {
        *low = *high = 1;
    } else if (path->known > 0) {
        *low = *high = path->at[0];
    } else {
        *low = path->low;
        *high = path->high;
    }
}

size_t isocast_path_split(const isocast_path *path, double at, isocast_path *parts) {
    size_t level = path->known;
    if (level + 1 == ISOCAST_PATH_LEVELS) {
        for (size_t k = 0; k < 2; k++) {
            parts[k] = *path;
            parts[k].known = ISOCAST_PATH_LEVELS;
            parts[k].at[level] = k == 0 ? -1 : 1;
        }
        return 2;
    }
    parts[0] = parts[1] = parts[2] = *path;
    parts[0].high = at;
    parts[1].known = level + 1;
    parts[1].at[level] = at;
    parts[1].low = level + 2 == ISOCAST_PATH_LEVELS ? -1 : -INFINITY;
    parts[1].high = level + 2 == ISOCAST_PATH_LEVELS ? 1 : INFINITY;
    parts[2].low = at;
    return 3;
}

const double isocast_rest_large = 1e6;

/* Of ln p or ln ln p: what grows less is a smaller share of it, however small that is. */
static const double share = 1e-6;
/* A logarithm grows less than any power. */
static const double small_power = 1.0 / 1024;

/* Where N over the powers of the levels before `level` goes: 1 to infinity, -1 to 0, 0: not known.
 */
static int sign_beyond(const isocast_path *path, size_t level) {
    for (; level < path->known; level++) {
        if (!isocast_exponents_equal(path->at[level], 0)) {
            return path->at[level] > 0 ? 1 : -1;
        }
    }
    return path->known == ISOCAST_PATH_LEVELS ? 0 : path->low >= 0 ? 1 : path->high <= 0 ? -1 : 0;
}

/* N over powers of p and ln p, of which u is less than the logarithm. */
static isocast_monomial over_powers(const isocast_path *path, double y) {
    return (isocast_monomial){.N = 1, .p = -path->at[0], .log_p = -y};
}

bool isocast_path_rest(const isocast_path *path, isocast_rest *out) {
    static const isocast_monomial none = {0};
    static const isocast_monomial log_p = {.log_p = 1};
    static const isocast_monomial log_log = {.log_log = 1};
    bool has_y = path->known > 1;
    int sign = sign_beyond(path, has_y ? 2 : 1);
    double y = has_y ? path->at[1] : sign > 0 ? path->low : sign < 0 ? path->high : 0;
    isocast_rest rest = {.sign = sign, .y = y, .low = sign < 0 ? -1 : 0, .high = sign > 0 ? 1 : 0};
    if (path->logarithm == ISOCAST_LOGARITHM_ROUGH) {
        rest = (isocast_rest){.y = y, .scale = log_log};
    } else if (!has_y && sign != 0 && !isinf(path->low) && !isinf(path->high)) {
        rest.scale = log_log;
        rest.low *= path->high - path->low;
        rest.high *= path->high - path->low;
    } else if (path->logarithm == ISOCAST_LOGARITHM_BY_SHARE) {
        rest.scale = has_y ? log_log : log_p;
        rest.low = sign > 0 ? 0 : -share;
        rest.high = sign < 0 ? 0 : share;
    } else if (sign != 0) {
        const isocast_monomial of = over_powers(path, y);
        rest.scale = isocast_monomial_multiply(&none, &of, sign * small_power);
    } else {
        return false;
    }
    *out = rest;
    return true;
}

isocast_monomial isocast_rest_exp(const isocast_path *path, const isocast_rest *rest,
                                  double exponent, double *constant) {
    static const isocast_monomial none = {0};
    const isocast_monomial of = over_powers(path, rest->y);
    *constant = -exponent * rest->sign * isocast_rest_large;
    return isocast_monomial_multiply(&none, &of, exponent);
}
