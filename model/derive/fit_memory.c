#include <math.h>
#include <stdlib.h>

#include "fit.h"

/* The time per unit of work grows at most so much, from caches to memory. */
static const double growth_most = 3;

/* What a factor more, and what an e-fold growth of the time per unit have to gain of the error. */
static const double factor_price = 0.05;
static const double growth_price = 0.25;

/* Runs in the order of the memory of a process. */
typedef struct sorted {
    size_t *runs;  /* [count] */
    double *logs;  /* [count], ln of the time per unit of work */
    double *means; /* [count], of the groups of the runs so far */
    double *sizes; /* [count], runs in a group */
    size_t count;
} sorted;

static void sort(const double *memory, const bool *known, size_t count, sorted *out) {
    for (size_t r = 0; r < count; r++) {
        if (!known[r]) {
            continue;
        }
        size_t at = out->count++;
        for (; at > 0 && memory[out->runs[at - 1]] > memory[r]; at--) {
            out->runs[at] = out->runs[at - 1];
        }
        out->runs[at] = r;
    }
}

/* The nearest times per unit that do not fall as memory grows (pool adjacent violators; Ayer et
 * al., An empirical distribution function for sampling with incomplete information, 1955). Gives
 * the root mean square of what is left, and the growth from the first to the last one as ln. */
static double fit_growth(const sorted *s, double *growth) {
    size_t groups = 0;
    double squares = 0;
    for (size_t i = 0; i < s->count; i++) {
        double mean = s->logs[i];
        double size = 1;
        while (groups > 0 && s->means[groups - 1] > mean) {
            groups--;
            mean = (mean * size + s->means[groups] * s->sizes[groups]) / (size + s->sizes[groups]);
            size += s->sizes[groups];
        }
        s->means[groups] = mean;
        s->sizes[groups++] = size;
    }
    size_t at = 0;
    for (size_t g = 0; g < groups; g++) {
        for (double left = s->sizes[g]; left > 0; left--, at++) {
            squares += (s->logs[at] - s->means[g]) * (s->logs[at] - s->means[g]);
        }
    }
    *growth = s->means[groups - 1] - s->means[0];
    return sqrt(squares / (double)s->count);
}

/* Whether it is a product of whole powers of sizes. What grows otherwise is not told apart from the
 * growth of the time per unit. */
static bool is_of_whole_powers(const isocast_candidates *candidates, const isocast_monomial *m) {
    bool is = m->process == 0 && m->factors[0] != 0;
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
        bool exponential =
            isocast_law_is_exponential(m->factors[i]) && candidates->exponents[m->sizes[i]];
        is = is && (exponential || isocast_law_is_whole_power(m->factors[i]));
    }
    return is;
}

static void try_all(const isocast_candidates *candidates, const double *values, const sorted *s,
                    isocast_law *law, double *growth) {
    double best = INFINITY;
    for (size_t m = 0; m < candidates->count; m++) {
        if (!is_of_whole_powers(candidates, &candidates->monomials[m])) {
            continue;
        }
        double sum = 0;
        for (size_t i = 0; i < s->count; i++) {
            size_t r = s->runs[i];
            s->logs[i] = log(values[r] / candidates->values[m * candidates->point_count + r]);
            sum += s->logs[i];
        }
        double grows;
        double error = fit_growth(s, &grows);
        double priced = error + growth_price * grows;
        double score = priced * (1 + factor_price * candidates->monomials[m].cost);
        if (isfinite(score) && score < best && grows <= log(growth_most)) {
            best = score;
            *growth = exp(grows);
            *law = (isocast_law){.known = true, .term_count = 1, .mean_error = priced};
            law->terms[0] = candidates->monomials[m];
            law->numerators[0] = exp(sum / (double)s->count);
            law->denominators[0] = 1;
        }
    }
}

isocast_status isocast_law_fit_over_memory(const isocast_candidates *candidates,
                                           const double *values, const double *memory,
                                           const bool *known, isocast_law *law, double *growth) {
    size_t all = candidates->point_count;
    sorted s = {.runs = calloc(all + 1, sizeof *s.runs),
                .logs = calloc(all + 1, sizeof *s.logs),
                .means = calloc(all + 1, sizeof *s.means),
                .sizes = calloc(all + 1, sizeof *s.sizes)};
    bool enough = s.runs != NULL && s.logs != NULL && s.means != NULL && s.sizes != NULL;
    *law = (isocast_law){0};
    *growth = 1;
    if (enough) {
        sort(memory, known, all, &s);
        if (s.count > 0) {
            try_all(candidates, values, &s, law, growth);
        }
    }
    free(s.runs);
    free(s.logs);
    free(s.means);
    free(s.sizes);
    return enough ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}
