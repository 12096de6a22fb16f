#include "law.h"

#include <math.h>
#include <string.h>

#include "model/base/process_grid.h"

static double rows_of(double p) {
    return isocast_grid_rows(p);
}

static double columns_of(double p) {
    return p / isocast_grid_rows(p);
}

#define FACTOR(name, expression)                                                                   \
    static double name(double n, double p) {                                                       \
        (void)n;                                                                                   \
        (void)p;                                                                                   \
        return expression;                                                                         \
    }

FACTOR(one, 1)
FACTOR(processes, p)
FACTOR(per_process, 1 / p)
FACTOR(others, p - 1)
FACTOR(log_p, log2(p))
FACTOR(steps_up, ceil(log2(p)))
FACTOR(steps_down, floor(log2(p)))
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
FACTOR(row_count, rows_of(p))
FACTOR(per_row, 1 / rows_of(p))
FACTOR(column_count, columns_of(p))
FACTOR(per_column, 1 / columns_of(p))
FACTOR(other_rows, rows_of(p) - 1)
FACTOR(other_columns, columns_of(p) - 1)
FACTOR(row_neighbours, fmin(2, rows_of(p) - 1))
FACTOR(column_neighbours, fmin(2, columns_of(p) - 1))
FACTOR(grid_neighbours, row_neighbours(n, p) + column_neighbours(n, p))
FACTOR(ring_neighbours, fmin(1, rows_of(p) - 1) + fmin(1, columns_of(p) - 1))
FACTOR(some_processes, fmin(1, p - 1))
FACTOR(some_rows, fmin(1, rows_of(p) - 1))
FACTOR(some_columns, fmin(1, columns_of(p) - 1))

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
FACTOR(row_share_up, ceil(n / rows_of(p)))
FACTOR(row_share_down, floor(n / rows_of(p)))
FACTOR(column_share_up, ceil(n / columns_of(p)))
FACTOR(column_share_down, floor(n / columns_of(p)))
#undef FACTOR

const isocast_law_factor isocast_law_process_factors[] = {
    {"", one, 0, false, false, false},
    {"p", processes, 1, false, false, false},
    {"/p", per_process, 1.5, false, false, false},
    {"(p - 1)", others, 1.2, false, false, false},
    {"log2(p)", log_p, 2, false, false, false},
    {"ceil(log2(p))", steps_up, 2.1, false, false, false},
    {"floor(log2(p))", steps_down, 2.2, false, false, false},
    {"sqrt(p)", root_p, 2.2, false, false, false},
    {"/sqrt(p)", per_root_p, 2.3, false, false, false},
    {"cbrt(p)", cube_root_p, 2.6, false, false, false},
    {"/cbrt(p)", per_cube_root_p, 2.6, false, false, false},
    {"p^(2/3)", two_thirds_p, 2.8, false, false, false},
    {"/p^(2/3)", per_two_thirds_p, 2.8, false, false, false},
    {"p^2", square_p, 2, false, false, false},
    {"/p^2", per_square_p, 2.2, false, false, false},
    {"p^(3/2)", three_halves_p, 2.8, false, false, false},
    {"p*log2(p)", p_log_p, 2.8, false, false, false},
    {"log2(p)/p", log_per_p, 2.8, false, false, false},
    {"ceil(p/2)", half_up, 2.4, false, false, false},
    {"floor(p/2)", half_down, 2.4, false, false, false},
    {"min(2, p - 1)", neighbours, 2.2, false, false, false},
    {"rows", row_count, 2, false, true, false},
    {"/rows", per_row, 2.1, false, true, false},
    {"columns", column_count, 2, false, true, false},
    {"/columns", per_column, 2.1, false, true, false},
    {"(rows - 1)", other_rows, 3, false, true, false},
    {"(columns - 1)", other_columns, 3, false, true, false},
    {"min(2, rows - 1)", row_neighbours, 2.3, false, true, false},
    {"min(2, columns - 1)", column_neighbours, 2.3, false, true, false},
    {"min(1, p - 1)", some_processes, 1.5, false, false, false},
    {"min(1, rows - 1)", some_rows, 2.4, false, true, false},
    {"min(1, columns - 1)", some_columns, 2.4, false, true, false},
    {"(min(2, rows - 1) + min(2, columns - 1))", grid_neighbours, 2.6, false, true, false},
    {"(min(1, rows - 1) + min(1, columns - 1))", ring_neighbours, 2.6, false, true, false},
};
const size_t isocast_law_process_factor_count =
    sizeof isocast_law_process_factors / sizeof *isocast_law_process_factors;

/* The largest share over processes is rounded up, so that it comes before the mean share. */
const isocast_law_factor isocast_law_size_factors[] = {
    {"", one, 0, false, false, true},
    {"$", size, 1, true, false, true},
    {"$^2", size_square, 1.8, true, false, true},
    {"$^3", size_cube, 2.6, false, false, true},
    {"sqrt($)", size_root, 2.4, false, false, true},
    {"$^(3/2)", size_three_halves, 2.8, false, false, true},
    {"cbrt($)", size_cube_root, 2.8, false, false, true},
    {"$^(2/3)", size_two_thirds, 3, false, false, true},
    {"$^(4/3)", size_four_thirds, 3.2, false, false, true},
    {"log2($)", size_log, 2.2, true, false, true},
    {"ceil(log2($))", size_log_up, 2.5, true, false, false},
    {"floor(log2($))", size_log_down, 2.6, true, false, false},
    {"2^$", power_two, 3, true, false, false},
    {"4^$", power_four, 3, true, false, false},
    {"ceil($/p)", share_up, 2, true, false, false},
    {"floor($/p)", share_down, 2.4, true, false, false},
    {"ceil($/rows)", row_share_up, 2.8, true, true, false},
    {"floor($/rows)", row_share_down, 3.2, true, true, false},
    {"ceil($/columns)", column_share_up, 2.8, true, true, false},
    {"floor($/columns)", column_share_down, 3.2, true, true, false},
};
const size_t isocast_law_size_factor_count =
    sizeof isocast_law_size_factors / sizeof *isocast_law_size_factors;

static size_t row_of(double (*value)(double, double)) {
    size_t i = 0;
    while (i < isocast_law_process_factor_count && isocast_law_process_factors[i].value != value) {
        i++;
    }
    return i < isocast_law_process_factor_count ? i : 0;
}

size_t isocast_law_neighbours(isocast_law_guard guard, bool grid) {
    switch (guard) {
    case ISOCAST_GUARD_PROCESSES:
        return row_of(grid ? column_neighbours : neighbours);
    case ISOCAST_GUARD_COLUMNS:
        return row_of(column_neighbours);
    case ISOCAST_GUARD_ROWS:
        return row_of(row_neighbours);
    case ISOCAST_GUARD_NONE:
    case ISOCAST_GUARD_TWO:
        break;
    }
    return 0;
}

bool isocast_law_is_grid_neighbours(size_t factor) {
    return factor == row_of(grid_neighbours) || factor == row_of(ring_neighbours);
}

double isocast_monomial_value(const isocast_monomial *monomial, const isocast_law_point *point) {
    double value = isocast_law_process_factors[monomial->process].value(0, point->p);
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
        if (monomial->factors[i] != 0) {
            value *= isocast_law_size_factors[monomial->factors[i]].value(
                point->sizes[monomial->sizes[i]], point->p);
        }
    }
    return value;
}

bool isocast_guard_holds(isocast_law_guard guard, double p) {
    switch (guard) {
    case ISOCAST_GUARD_PROCESSES:
        return p > 1;
    case ISOCAST_GUARD_COLUMNS:
        return columns_of(p) > 1;
    case ISOCAST_GUARD_ROWS:
        return rows_of(p) > 1;
    case ISOCAST_GUARD_TWO:
        return p > 2;
    case ISOCAST_GUARD_NONE:
        break;
    }
    return true;
}

void isocast_guard_write(isocast_law_guard guard, isocast_buffer *out) {
    static const char *const texts[ISOCAST_LAW_GUARDS] = {
        [ISOCAST_GUARD_NONE] = "p > 0",          [ISOCAST_GUARD_PROCESSES] = "p > 1",
        [ISOCAST_GUARD_COLUMNS] = "columns > 1", [ISOCAST_GUARD_ROWS] = "rows > 1",
        [ISOCAST_GUARD_TWO] = "p > 2",
    };
    isocast_buffer_puts(out, texts[guard]);
}

double isocast_law_value(const isocast_law *law, const isocast_law_point *point) {
    double value = 0;
    for (size_t i = 0; i < law->term_count && isocast_guard_holds(law->guard, point->p); i++) {
        value += law->numerators[i] * isocast_monomial_value(&law->terms[i], point) /
                 law->denominators[i];
    }
    return value;
}

static bool same_monomial(const isocast_monomial *a, const isocast_monomial *b) {
    return a->process == b->process && memcmp(a->factors, b->factors, sizeof a->factors) == 0 &&
           memcmp(a->sizes, b->sizes, sizeof a->sizes) == 0;
}

bool isocast_law_same(const isocast_law *a, const isocast_law *b) {
    bool same = a->known == b->known && a->exact == b->exact && a->guard == b->guard &&
                a->term_count == b->term_count;
    for (size_t i = 0; same && i < a->term_count; i++) {
        same = same_monomial(&a->terms[i], &b->terms[i]) && a->numerators[i] == b->numerators[i] &&
               a->denominators[i] == b->denominators[i];
    }
    return same;
}

bool isocast_law_uses_grid(const isocast_law *law) {
    bool uses = law->term_count > 0 &&
                (law->guard == ISOCAST_GUARD_ROWS || law->guard == ISOCAST_GUARD_COLUMNS);
    for (size_t i = 0; i < law->term_count; i++) {
        uses = uses || isocast_law_process_factors[law->terms[i].process].uses_grid;
        for (size_t k = 0; k < ISOCAST_MONOMIAL_FACTORS; k++) {
            uses = uses || isocast_law_size_factors[law->terms[i].factors[k]].uses_grid;
        }
    }
    return uses;
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
        isocast_buffer_puts(out, joint);
        write_factor(isocast_law_size_factors[m->factors[i]].text, names[m->sizes[i]], out);
        joint = "*";
    }
    if (multiplies) {
        isocast_buffer_puts(out, joint);
        isocast_buffer_puts(out, process);
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
