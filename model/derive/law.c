#include "law.h"

#include <math.h>
#include <string.h>

#include "model/base/process_grid.h"

const char *const isocast_side_names[] = {"rows", "columns", "depth", "height", "width"};

double isocast_law_side(const isocast_law_point *at, isocast_side side) {
    if (side <= ISOCAST_COLUMNS) {
        double rows = at->rows > 0 ? at->rows : isocast_grid_rows(at->p);
        return side == ISOCAST_ROWS ? rows : at->p / rows;
    }
    double depth = at->depth > 0 ? at->depth : isocast_grid_layers(at->p);
    if (side == ISOCAST_DEPTH) {
        return depth;
    }
    double height = at->height > 0 ? at->height : isocast_grid_rows(at->p / depth);
    return side == ISOCAST_HEIGHT ? height : at->p / depth / height;
}

/* ---- functions of p and of sizes ---- */

static double one(double p) {
    (void)p;
    return 1;
}
static double sorting_steps(double p) { /* twice those of a bitonic sort */
    return log2(p) * (log2(p) + 1);
}
static double times_log(double p) {
    return p * log2(p);
}
static double log_over(double p) {
    return log2(p) / p;
}
static double workers(double p) { /* where one process deals the work out to the others */
    return fmax(1, p - 1);
}
static double unequal_share(double p) { /* what unequal shares add to the largest one */
    return (p - 1) / (p * p);
}
static double neighbours(double p) {
    return fmin(2, p - 1);
}
static double half(double p) {
    return p / 2;
}

enum {
    ANY = 1 << ISOCAST_LAW_ANY,
    SIZES = 1 << ISOCAST_LAW_SIZES,
    SHARES = 1 << ISOCAST_LAW_SHARES,
    BUSIEST = 1 << ISOCAST_LAW_BUSIEST,
    GROWING = 1 << ISOCAST_LAW_GROWING,
    SMOOTH = ANY | SIZES | BUSIEST | GROWING,
    PAIRS = ISOCAST_FACTOR_PAIRS,
    SHIFTED = ISOCAST_FACTOR_SHIFTED | PAIRS | ANY,
    EXPONENT = ISOCAST_FACTOR_EXPONENT | PAIRS | ANY | SIZES | SHARES,
    UNEVEN = ISOCAST_FACTOR_UNEVEN | BUSIEST,
    WHOLE = ISOCAST_FACTOR_WHOLE | SMOOTH | SHARES,
    /* A share of the points between two ends hardly differs from that of all points. Where no exact
     * law has it, it is one chance more. */
    BETWEEN_ENDS = PAIRS
};

const isocast_law_factor isocast_law_process_factors[] = {
#define COUNTS(name, SIDE, grid, cost)                                                             \
    {name, cost, ANY, grid, .side = 1 + (SIDE)},                                                   \
        {"/" name, (cost) + 0.1, ANY, grid, .side = 1 + (SIDE), .power = -1}, {                    \
        "(" name " - 1)", 3, ANY, grid, .side = 1 + (SIDE), .before = -1                           \
    }
    {"", 0, WHOLE, .of = one},
    {"p", 1, .is = ANY | GROWING},
    {"/p", 1.5, ANY | SHARES | BUSIEST, .power = -1},
    {"(p - 1)", 1.2, ANY | GROWING, .before = -1},
    {"log2(p)", 2, ANY | BUSIEST | GROWING, .of = log2},
    {"ceil(log2(p))", 2.1, ANY, .of = log2, .round = 1},
    {"floor(log2(p))", 2.2, ANY, .of = log2, .round = -1},
    {"log2(p)*(log2(p) + 1)", 2.4, ANY, .of = sorting_steps},
    {"sqrt(p)", 2.2, ANY | GROWING, .of = sqrt},
    {"/sqrt(p)", 2.3, ANY, .of = sqrt, .power = -1},
    {"cbrt(p)", 2.6, ANY, .of = cbrt},
    {"/cbrt(p)", 2.6, ANY, .of = cbrt, .power = -1},
    {"p^(2/3)", 2.8, ANY, .of = cbrt, .power = 2},
    {"/p^(2/3)", 2.8, ANY, .of = cbrt, .power = -2},
    {"p^2", 2, ANY | GROWING, .power = 2},
    {"/p^2", 2.2, ANY, .power = -2},
    {"/(p + 1)", 2.4, UNEVEN, .before = 1, .power = -1}, /* half of it, where it grows with rank */
    {"/max(1, p - 1)", 2.2, UNEVEN, .of = workers, .power = -1},
    {"(p - 1)/p^2", 2.6, UNEVEN, .of = unequal_share},
    {"p^(3/2)", 2.8, ANY, .of = sqrt, .power = 3},
    {"p*log2(p)", 2.8, ANY | GROWING, .of = times_log},
    {"log2(p)/p", 2.8, ANY, .of = log_over},
    {"ceil(p/2)", 2.4, ANY, .of = half, .round = 1},
    {"floor(p/2)", 2.4, ANY, .of = half, .round = -1},
    {"min(2, p - 1)", 2.2, ANY, .of = neighbours},
    COUNTS("rows", ISOCAST_ROWS, 2, 2),
    COUNTS("columns", ISOCAST_COLUMNS, 2, 2),
    COUNTS("depth", ISOCAST_DEPTH, 3, 2.1),
    COUNTS("height", ISOCAST_HEIGHT, 3, 2.1),
    COUNTS("width", ISOCAST_WIDTH, 3, 2.1),
#undef COUNTS
};
const size_t isocast_law_process_factor_count =
    sizeof isocast_law_process_factors / sizeof *isocast_law_process_factors;

/* The largest share over processes is rounded up, so that it comes before the mean share. */
const isocast_law_factor isocast_law_size_factors[] = {
#define SHARES_OF(name, OVER, grid, cost, largest, ends)                                           \
    {"ceil($/" name ")", cost, PAIRS | (largest), grid, .over = (OVER), .round = 1},               \
        {"floor($/" name ")", (cost) + 0.4, PAIRS | ANY, grid, .over = (OVER), .round = -1}, {     \
        "ceil(($ - 2)/" name ")", (cost) + 0.6, ends, grid, .before = -2, .over = (OVER),          \
                                                            .round = 1                             \
    }
/* In three dimensions shares may have halos. */
#define CUBE_SHARES(name, OVER)                                                                    \
    SHARES_OF(name, OVER, 3, 2.4, ANY, PAIRS | ANY),                                               \
        {"(ceil($/" name ") + 1)", 2.9, PAIRS | ANY, 3, .over = (OVER), .round = 1, .after = 1},   \
        {"(ceil($/" name ") + 2)", 3, PAIRS | ANY, 3, .over = (OVER), .round = 1, .after = 2},     \
        {"ceil(($ + 1)/" name ")", 2.9, PAIRS | ANY, 3, .before = 1, .over = (OVER), .round = 1},  \
    {                                                                                              \
        "ceil(($ - 1)/" name ")", 3, PAIRS | ANY, 3, .before = -1, .over = (OVER), .round = 1      \
    }
    {"", 0, WHOLE, .of = one},
    {"$", 1, .is = WHOLE | PAIRS},
    {"$^2", 1.8, WHOLE | PAIRS, .power = 2},
    {"$^3", 2.6, WHOLE, .power = 3},
    {"sqrt($)", 2.4, SMOOTH, .of = sqrt},
    {"$^(3/2)", 2.8, SMOOTH, .of = sqrt, .power = 3},
    {"cbrt($)", 2.8, SMOOTH, .of = cbrt},
    {"$^(2/3)", 3, SMOOTH, .of = cbrt, .power = 2},
    {"$^(4/3)", 3.2, SMOOTH, .of = cbrt, .power = 4},
    {"log2($)", 2.2, SMOOTH | PAIRS, .of = log2},
    {"ceil(log2($))", 2.5, PAIRS | ANY, .of = log2, .round = 1},
    {"floor(log2($))", 2.6, PAIRS | ANY, .of = log2, .round = -1},
    {"2^$", 3, EXPONENT, .of = exp2},
    {"4^$", 3, EXPONENT, .of = exp2, .power = 2},
    {"ceil($/p)", 2, PAIRS | ANY | SHARES | BUSIEST, .over = ISOCAST_OVER_P, .round = 1},
    {"floor($/p)", 2.4, PAIRS | ANY, .over = ISOCAST_OVER_P, .round = -1},
    /* Of those that process 0 leaves, and of the points between two ends. */
    {"ceil(($ - 1)/p)", 2.6, PAIRS | ANY, .before = -1, .over = ISOCAST_OVER_P, .round = 1},
    {"ceil(($ - 2)/p)", 2.7, BETWEEN_ENDS, .before = -2, .over = ISOCAST_OVER_P, .round = 1},
    SHARES_OF("rows", 1 + ISOCAST_ROWS, 2, 2.8, ANY | SHARES | BUSIEST, BETWEEN_ENDS),
    SHARES_OF("columns", 1 + ISOCAST_COLUMNS, 2, 2.8, ANY | SHARES | BUSIEST, BETWEEN_ENDS),
    CUBE_SHARES("depth", 1 + ISOCAST_DEPTH),
    CUBE_SHARES("height", 1 + ISOCAST_HEIGHT),
    CUBE_SHARES("width", 1 + ISOCAST_WIDTH),
#undef SHARES_OF
#undef CUBE_SHARES
    {"/$", 2.5, PAIRS | ANY, .power = -1},
    {"($ + 1)", 2, SHIFTED, .before = 1},
    {"($ + 2)", 2.1, SHIFTED, .before = 2},
    {"($ - 1)", 2.1, SHIFTED, .before = -1},
    {"($ - 2)", 2.2, SHIFTED, .before = -2},
};
const size_t isocast_law_size_factor_count =
    sizeof isocast_law_size_factors / sizeof *isocast_law_size_factors;

double isocast_law_factor_value(const isocast_law_factor *factor, double x,
                                const isocast_law_point *at) {
    x = factor->side > 0 ? isocast_law_side(at, (isocast_side)(factor->side - 1)) : x;
    x += factor->before;
    if (factor->over > 0) {
        x /= factor->over == ISOCAST_OVER_P
                 ? at->p
                 : isocast_law_side(at, (isocast_side)(factor->over - 1));
    }
    x = factor->of != NULL ? factor->of(x) : x;
    x = factor->round > 0 ? ceil(x) : factor->round < 0 ? floor(x) : x;
    x += factor->after;
    return factor->power == 0 ? x : factor->power == -1 ? 1 / x : pow(x, factor->power);
}

/* ---- laws ---- */

double isocast_monomial_value(const isocast_monomial *monomial, const isocast_law_point *point) {
    double value =
        isocast_law_factor_value(&isocast_law_process_factors[monomial->process], point->p, point);
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
        if (monomial->factors[i] != 0) {
            value *= isocast_law_factor_value(&isocast_law_size_factors[monomial->factors[i]],
                                              point->sizes[monomial->sizes[i]], point);
        }
    }
    return value;
}

bool isocast_guard_holds(isocast_law_guard guard, const isocast_law_point *at) {
    return guard == ISOCAST_GUARD_NONE || at->p > 1;
}

double isocast_law_value(const isocast_law *law, const isocast_law_point *point) {
    double value = 0;
    for (size_t i = 0; i < law->term_count && isocast_guard_holds(law->guard, point); i++) {
        value += law->numerators[i] * isocast_monomial_value(&law->terms[i], point) /
                 law->denominators[i];
    }
    return value;
}

isocast_law isocast_law_scaled(const isocast_law *law, double by) {
    isocast_law scaled = *law;
    for (size_t i = 0; i < law->term_count; i++) {
        scaled.numerators[i] *= by;
    }
    return scaled;
}

bool isocast_law_same_sizes(const isocast_law_point *a, const isocast_law_point *b) {
    bool same = true;
    for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
        same = same && a->sizes[i] == b->sizes[i];
    }
    return same;
}

bool isocast_law_has_exponent(const isocast_law *law, size_t size) {
    bool has = false;
    for (size_t i = 0; i < law->term_count; i++) {
        const isocast_monomial *m = &law->terms[i];
        for (size_t k = 0; k < ISOCAST_MONOMIAL_FACTORS; k++) {
            unsigned is = isocast_law_size_factors[m->factors[k]].is;
            has = has || (m->sizes[k] == size && (is & ISOCAST_FACTOR_EXPONENT) != 0);
        }
    }
    return has;
}

double isocast_monomial_growth(const isocast_monomial *monomial, const isocast_law_point *from) {
    isocast_law_point to = *from;
    for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
        to.sizes[i] *= 2;
    }
    return isocast_monomial_value(monomial, &to) / isocast_monomial_value(monomial, from);
}

double isocast_law_growth(const isocast_law *law, const isocast_law_point *from) {
    double largest = 0;
    for (size_t i = 0; i < law->term_count; i++) {
        largest = fmax(largest, isocast_monomial_growth(&law->terms[i], from));
    }
    return largest;
}

/* Whether two terms, or one and 1, have one ratio at any number of processes. */
static bool same_function(const isocast_monomial *a, const isocast_monomial *b,
                          const isocast_law_point *at) {
    enum { PROCESSES_MOST = 16 };
    double first = 0;
    for (int p = 2; p <= PROCESSES_MOST; p++) {
        isocast_law_point there = {.p = p};
        memcpy(there.sizes, at->sizes, sizeof there.sizes);
        double ratio = isocast_monomial_value(a, &there) / isocast_monomial_value(b, &there);
        first = p == 2 ? ratio : first;
        if (fabs(ratio - first) > 1e-9 * fabs(first)) {
            return false;
        }
    }
    return true;
}

bool isocast_law_adds_functions(const isocast_law *law, const isocast_law_point *at) {
    const isocast_monomial constant = {0};
    bool adds = false;
    for (size_t i = 0; i < law->term_count; i++) {
        for (size_t k = 0; k < i; k++) {
            adds = adds || (!same_function(&law->terms[i], &constant, at) &&
                            !same_function(&law->terms[k], &constant, at) &&
                            !same_function(&law->terms[i], &law->terms[k], at));
        }
    }
    return adds;
}

/* ---- texts ---- */

static void write_factor(const char *text, const char *name, isocast_buffer *out) {
    for (; *text != '\0'; text++) {
        if (*text == '$') {
            isocast_buffer_puts(out, name);
        } else {
            isocast_buffer_append(out, text, 1);
        }
    }
}

/* A difference that stands by itself in a sum needs no brackets. */
static bool is_bare(const isocast_law *law, size_t index) {
    const isocast_monomial *m = &law->terms[index];
    const char *process = isocast_law_process_factors[m->process].text;
    return law->term_count > 1 && law->numerators[index] == 1 && law->denominators[index] == 1 &&
           m->factors[0] == 0 && strcmp(process, "(p - 1)") == 0;
}

static void write_term(const isocast_law *law, size_t index, const char *const *names,
                       const char *unit, isocast_buffer *out) {
    const isocast_monomial *m = &law->terms[index];
    double number = fabs(law->numerators[index]);
    const char *process = isocast_law_process_factors[m->process].text;
    bool divides = process[0] == '/';
    bool multiplies = process[0] != '\0' && !divides;
    bool has_factor = multiplies || m->factors[0] != 0;
    const char *joint = "";
    if (number != 1 || unit[0] != '\0' || !has_factor) {
        isocast_buffer_printf(out, law->exact ? "%.15g" : "%.4g", number);
        isocast_buffer_printf(out, "%s%s", unit[0] != '\0' ? " " : "", unit);
        joint = unit[0] != '\0' ? " * " : "*";
    }
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS && m->factors[i] != 0; i++) {
        const char *text = isocast_law_size_factors[m->factors[i]].text;
        bool is_number = joint[0] == '\0'; /* nothing stands before it */
        isocast_buffer_puts(out, text[0] != '/' ? joint : is_number && i == 0 ? "1" : "");
        write_factor(text, names[m->sizes[i]], out);
        joint = "*";
    }
    if (multiplies) {
        isocast_buffer_puts(out, joint);
        isocast_buffer_puts(out, is_bare(law, index) && unit[0] == '\0' ? "p - 1" : process);
    }
    if (law->denominators[index] != 1) {
        isocast_buffer_printf(out, "/%.15g", law->denominators[index]);
    }
    if (divides) {
        isocast_buffer_puts(out, process);
    }
}

void isocast_law_write(const isocast_law *law, const char *const *names, const char *unit,
                       bool factor, isocast_buffer *out) {
    bool brackets = factor && law->term_count > 1;
    isocast_buffer_puts(out, brackets ? "(" : "");
    for (size_t i = 0; i < law->term_count; i++) {
        bool negative = law->numerators[i] < 0;
        isocast_buffer_puts(out, i == 0 ? (negative ? "-" : "") : (negative ? " - " : " + "));
        write_term(law, i, names, unit, out);
    }
    if (law->term_count == 0) {
        isocast_buffer_printf(out, "0%s%s", unit[0] != '\0' ? " " : "", unit);
    }
    isocast_buffer_puts(out, brackets ? ")" : "");
}
