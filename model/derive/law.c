#include "law.h"

#include <math.h>
#include <string.h>

#include "model/base/process_grid.h"

/* Sides that the command line gives, or those of the most square, or most cubic, grid. */
static double rows_of(const isocast_law_point *at) {
    return at->rows > 0 ? at->rows : isocast_grid_rows(at->p);
}

static double columns_of(const isocast_law_point *at) {
    return at->p / rows_of(at);
}

static double depth_of(const isocast_law_point *at) {
    return at->depth > 0 ? at->depth : isocast_grid_layers(at->p);
}

static double height_of(const isocast_law_point *at) {
    return at->height > 0 ? at->height : isocast_grid_rows(at->p / depth_of(at));
}

static double width_of(const isocast_law_point *at) {
    return at->p / depth_of(at) / height_of(at);
}

#define FACTOR(name, expression)                                                                   \
    static double name(double n, const isocast_law_point *at) {                                    \
        const double p = at->p;                                                                    \
        (void)n;                                                                                   \
        (void)p;                                                                                   \
        return expression;                                                                         \
    }

FACTOR(one, 1)
FACTOR(processes, p)
FACTOR(per_process, 1 / p)
FACTOR(per_rising_share,
       1 / (p + 1)) /* half of the largest share where shares grow with the rank */
FACTOR(per_worker, 1 / fmax(1, p - 1))   /* where one process deals the work out to the others */
FACTOR(growing_share, (p - 1) / (p * p)) /* what unequal shares add to the largest one */
FACTOR(others, p - 1)
FACTOR(log_p, log2(p))
FACTOR(steps_up, ceil(log2(p)))
FACTOR(steps_down, floor(log2(p)))
FACTOR(sorting_steps, log2(p) * (log2(p) + 1)) /* twice those of a bitonic sort */
FACTOR(root_p, sqrt(p))
FACTOR(per_root_p, 1 / sqrt(p))
FACTOR(cube_root_p, cbrt(p))
FACTOR(per_cube_root_p, 1 / cbrt(p))
FACTOR(two_thirds_p, pow(cbrt(p), 2))
FACTOR(per_two_thirds_p, 1 / pow(cbrt(p), 2))
FACTOR(square_p, p *p)
FACTOR(per_square_p, 1 / (p * p))
FACTOR(three_halves_p, p *sqrt(p))
FACTOR(p_log_p, p *log2(p))
FACTOR(log_per_p, log2(p) / p)
FACTOR(half_up, ceil(p / 2))
FACTOR(half_down, floor(p / 2))
FACTOR(neighbours, fmin(2, p - 1))
/* A side of a grid of processes: how many it has, and what shares of a size along it have. */
#define SIDE(side)                                                                                 \
    FACTOR(side##_side, side##_of(at))                                                             \
    FACTOR(per_##side, 1 / side##_of(at))                                                          \
    FACTOR(other_##side, side##_of(at) - 1)                                                        \
    FACTOR(side##_share_up, ceil(n / side##_of(at)))                                               \
    FACTOR(side##_share_down, floor(n / side##_of(at)))                                            \
    FACTOR(side##_share_of_two_less, ceil((n - 2) / side##_of(at))) /* between two ends */
/* Those of a grid of three dimensions, whose shares may have halos. */
#define CUBE_SIDE(side)                                                                            \
    SIDE(side)                                                                                     \
    FACTOR(side##_share_and_one, ceil(n / side##_of(at)) + 1)                                      \
    FACTOR(side##_share_and_two, ceil(n / side##_of(at)) + 2)                                      \
    FACTOR(side##_share_of_one_more, ceil((n + 1) / side##_of(at)))                                \
    FACTOR(side##_share_of_one_less, ceil((n - 1) / side##_of(at)))
SIDE(rows)
SIDE(columns)
CUBE_SIDE(depth)
CUBE_SIDE(height)
CUBE_SIDE(width)
#undef SIDE
#undef CUBE_SIDE

FACTOR(size, n)
FACTOR(size_square, n *n)
FACTOR(size_cube, n *n *n)
FACTOR(size_root, sqrt(n))
FACTOR(size_three_halves, n *sqrt(n))
FACTOR(size_cube_root, cbrt(n))
FACTOR(size_two_thirds, pow(cbrt(n), 2))
FACTOR(size_four_thirds, n *cbrt(n))
FACTOR(size_log, log2(n))
FACTOR(size_log_up, ceil(log2(n)))
FACTOR(size_log_down, floor(log2(n)))
FACTOR(power_two, exp2(n))
FACTOR(power_four, exp2(2 * n))
FACTOR(share_up, ceil(n / p))
FACTOR(share_down, floor(n / p))
FACTOR(share_of_one_less, ceil((n - 1) / p)) /* of those that process 0 leaves */
FACTOR(share_of_two_less, ceil((n - 2) / p)) /* of the points between two ends */
FACTOR(per_size, 1 / n)
FACTOR(size_and_one, n + 1)
FACTOR(size_and_two, n + 2)
FACTOR(size_less_one, n - 1)
FACTOR(size_less_two, n - 2)
#undef FACTOR

const isocast_law_factor isocast_law_process_factors[] = {
#define COUNTS(side, grid, cost)                                                                   \
    {#side, side##_side, cost, false, grid, false},                                                \
        {"/" #side, per_##side, (cost) + 0.1, false, grid, false}, {                               \
        "(" #side " - 1)", other_##side, 3, false, grid, false                                     \
    }
    {"", one, 0, false, 0, false},
    {"p", processes, 1, false, 0, false},
    {"/p", per_process, 1.5, false, 0, false},
    {"(p - 1)", others, 1.2, false, 0, false},
    {"log2(p)", log_p, 2, false, 0, false},
    {"ceil(log2(p))", steps_up, 2.1, false, 0, false},
    {"floor(log2(p))", steps_down, 2.2, false, 0, false},
    {"log2(p)*(log2(p) + 1)", sorting_steps, 2.4, false, 0, false},
    {"sqrt(p)", root_p, 2.2, false, 0, false},
    {"/sqrt(p)", per_root_p, 2.3, false, 0, false},
    {"cbrt(p)", cube_root_p, 2.6, false, 0, false},
    {"/cbrt(p)", per_cube_root_p, 2.6, false, 0, false},
    {"p^(2/3)", two_thirds_p, 2.8, false, 0, false},
    {"/p^(2/3)", per_two_thirds_p, 2.8, false, 0, false},
    {"p^2", square_p, 2, false, 0, false},
    {"/p^2", per_square_p, 2.2, false, 0, false},
    {"/(p + 1)", per_rising_share, 2.4, false, 0, false},
    {"/max(1, p - 1)", per_worker, 2.2, false, 0, false},
    {"(p - 1)/p^2", growing_share, 2.6, false, 0, false},
    {"p^(3/2)", three_halves_p, 2.8, false, 0, false},
    {"p*log2(p)", p_log_p, 2.8, false, 0, false},
    {"log2(p)/p", log_per_p, 2.8, false, 0, false},
    {"ceil(p/2)", half_up, 2.4, false, 0, false},
    {"floor(p/2)", half_down, 2.4, false, 0, false},
    {"min(2, p - 1)", neighbours, 2.2, false, 0, false},
    COUNTS(rows, 2, 2),
    COUNTS(columns, 2, 2),
    COUNTS(depth, 3, 2.1),
    COUNTS(height, 3, 2.1),
    COUNTS(width, 3, 2.1),
#undef COUNTS
};
const size_t isocast_law_process_factor_count =
    sizeof isocast_law_process_factors / sizeof *isocast_law_process_factors;

/* The largest share over processes is rounded up, so that it comes before the mean share. */
const isocast_law_factor isocast_law_size_factors[] = {
#define SHARES(side, grid, cost)                                                                   \
    {"ceil($/" #side ")", side##_share_up, cost, true, grid, false},                               \
        {"floor($/" #side ")", side##_share_down, (cost) + 0.4, true, grid, false}, {              \
        "ceil(($ - 2)/" #side ")", side##_share_of_two_less, (cost) + 0.6, true, grid, false       \
    }
#define CUBE_SHARES(side)                                                                          \
    SHARES(side, 3, 2.4), {"(ceil($/" #side ") + 1)", side##_share_and_one, 2.9, true, 3, false},  \
        {"(ceil($/" #side ") + 2)", side##_share_and_two, 3, true, 3, false},                      \
        {"ceil(($ + 1)/" #side ")", side##_share_of_one_more, 2.9, true, 3, false}, {              \
        "ceil(($ - 1)/" #side ")", side##_share_of_one_less, 3, true, 3, false                     \
    }
    {"", one, 0, false, 0, true},
    {"$", size, 1, true, 0, true},
    {"$^2", size_square, 1.8, true, 0, true},
    {"$^3", size_cube, 2.6, false, 0, true},
    {"sqrt($)", size_root, 2.4, false, 0, true},
    {"$^(3/2)", size_three_halves, 2.8, false, 0, true},
    {"cbrt($)", size_cube_root, 2.8, false, 0, true},
    {"$^(2/3)", size_two_thirds, 3, false, 0, true},
    {"$^(4/3)", size_four_thirds, 3.2, false, 0, true},
    {"log2($)", size_log, 2.2, true, 0, true},
    {"ceil(log2($))", size_log_up, 2.5, true, 0, false},
    {"floor(log2($))", size_log_down, 2.6, true, 0, false},
    {"2^$", power_two, 3, true, 0, false},
    {"4^$", power_four, 3, true, 0, false},
    {"ceil($/p)", share_up, 2, true, 0, false},
    {"floor($/p)", share_down, 2.4, true, 0, false},
    {"ceil(($ - 1)/p)", share_of_one_less, 2.6, true, 0, false},
    {"ceil(($ - 2)/p)", share_of_two_less, 2.7, true, 0, false},
    SHARES(rows, 2, 2.8),
    SHARES(columns, 2, 2.8),
    CUBE_SHARES(depth),
    CUBE_SHARES(height),
    CUBE_SHARES(width),
#undef SHARES
#undef CUBE_SHARES
    {"/$", per_size, 2.5, true, 0, false},
    {"($ + 1)", size_and_one, 2, true, 0, false},
    {"($ + 2)", size_and_two, 2.1, true, 0, false},
    {"($ - 1)", size_less_one, 2.1, true, 0, false},
    {"($ - 2)", size_less_two, 2.2, true, 0, false},
};
const size_t isocast_law_size_factor_count =
    sizeof isocast_law_size_factors / sizeof *isocast_law_size_factors;

double isocast_monomial_value(const isocast_monomial *monomial, const isocast_law_point *point) {
    double value = isocast_law_process_factors[monomial->process].value(0, point);
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
        if (monomial->factors[i] != 0) {
            value *= isocast_law_size_factors[monomial->factors[i]].value(
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

bool isocast_law_is_exponential(size_t factor) {
    const char *text = isocast_law_size_factors[factor].text;
    return strcmp(text, "2^$") == 0 || strcmp(text, "4^$") == 0;
}

bool isocast_law_same_sizes(const isocast_law_point *a, const isocast_law_point *b) {
    bool same = true;
    for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
        same = same && a->sizes[i] == b->sizes[i];
    }
    return same;
}

bool isocast_law_is_whole_power(size_t factor) {
    static double (*const powers[])(double, const isocast_law_point *) = {one, size, size_square,
                                                                          size_cube};
    bool is = false;
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        is = is || isocast_law_size_factors[factor].value == powers[i];
    }
    return is;
}

bool isocast_law_is_uneven_share(size_t factor) {
    double (*value)(double, const isocast_law_point *) = isocast_law_process_factors[factor].value;
    return value == per_rising_share || value == growing_share || value == per_worker;
}

bool isocast_law_is_shifted(size_t factor) {
    return strncmp(isocast_law_size_factors[factor].text, "($ ", 3) == 0;
}

bool isocast_law_has_exponent(const isocast_law *law, size_t size) {
    bool has = false;
    for (size_t i = 0; i < law->term_count; i++) {
        for (size_t k = 0; k < ISOCAST_MONOMIAL_FACTORS; k++) {
            has = has || (law->terms[i].sizes[k] == size &&
                          isocast_law_is_exponential(law->terms[i].factors[k]));
        }
    }
    return has;
}

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
    return law->term_count > 1 && law->numerators[index] == 1 && law->denominators[index] == 1 &&
           m->factors[0] == 0 && isocast_law_process_factors[m->process].value == others;
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
