#include "rest.h"

#include <math.h>

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
