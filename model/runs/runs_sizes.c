#include "runs_sizes.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run_columns.h"

typedef struct collection {
    const isocast_runs *runs;
    const isocast_algorithm *algorithm;
    isocast_diagnostics *diagnostics;
    const char *wanted; /* name of the rows that count; NULL: all do */
    isocast_run_columns columns;
    isocast_run_sizes out;
    double *T; /* [run_count], scratch */
} collection;

static bool has_name(const isocast_run *run) {
    return run->algorithm != NULL && run->algorithm[0] != '\0';
}

/* The first row that names another algorithm than `name` (NULL: than none). */
static const isocast_run *find_other(const isocast_runs *runs, const char *name) {
    for (size_t i = 0; i < runs->count; i++) {
        if (has_name(&runs->rows[i]) &&
            (name == NULL || strcmp(runs->rows[i].algorithm, name) != 0)) {
            return &runs->rows[i];
        }
    }
    return NULL;
}

/* A file about one algorithm is about this one, whatever it calls it: a program has a family of
 * specifications. */
static void choose_name(collection *c, bool warn) {
    const isocast_run *first = find_other(c->runs, NULL);
    if (c->wanted != NULL || first == NULL) {
        return;
    }
    if (find_other(c->runs, first->algorithm) != NULL) {
        c->wanted = c->algorithm->name;
    } else if (warn && strcmp(first->algorithm, c->algorithm->name) != 0) {
        isocast_buffer hint = {0};
        isocast_buffer_printf(&hint,
                              "this is right where both describe the same program; "
                              "'validate --algorithm %s' says so",
                              first->algorithm);
        isocast_diagnostics_add(c->diagnostics, ISOCAST_WARNING, c->runs->source,
                                first->places.algorithm, hint.text,
                                "the runs are of '%s'; they are compared with '%s'",
                                first->algorithm, c->algorithm->name);
        isocast_buffer_free(&hint);
    }
}

static bool counts(const collection *c, const isocast_run *run) {
    return c->wanted == NULL || !has_name(run) || strcmp(run->algorithm, c->wanted) == 0;
}

static isocast_status refuse_none(const collection *c) {
    const isocast_run *other = find_other(c->runs, NULL);
    isocast_span header = isocast_source_line(c->runs->source, c->runs->header_begin);
    if (other == NULL) {
        isocast_diagnostics_add(c->diagnostics, ISOCAST_ERROR, c->runs->source, header,
                                "add a row for each run",
                                "the first line names the columns, but there are no rows");
        return ISOCAST_INVALID;
    }
    isocast_buffer hint = {0};
    const isocast_run *another = find_other(c->runs, other->algorithm);
    isocast_buffer_printf(&hint,
                          "the column 'algorithm' states which rows are meant; here it names "
                          "'%s'",
                          other->algorithm);
    if (another != NULL) {
        isocast_buffer_printf(&hint, ", '%s'", another->algorithm);
    }
    isocast_diagnostics_add(c->diagnostics, ISOCAST_ERROR, c->runs->source, other->places.algorithm,
                            hint.text, "there are no runs of algorithm '%s'", c->wanted);
    isocast_buffer_free(&hint);
    return ISOCAST_INVALID;
}

/* No program was ever run at a larger size: it is a slip in the file. */
static const double size_most = 1e15;

/* Whether the algorithm takes a size; shows where it does not. */
static bool check_size(const collection *c, const isocast_run *run, size_t index) {
    const isocast_size *size = &c->algorithm->sizes[index];
    double value = isocast_run_columns_size(&c->columns, run, index);
    double most = fmin(size->max, size_most);
    if (value >= size->min && value <= most) {
        return true;
    }
    bool is_N = c->columns.of_size[index] == c->runs->other_count;
    isocast_span place =
        is_N ? run->places.N : isocast_source_line(c->runs->source, run->places.N.begin);
    bool small = value < size->min;
    if (isnan(value)) {
        isocast_diagnostics_add(c->diagnostics, ISOCAST_ERROR, c->runs->source, place,
                                "write the size, or leave the row out",
                                "the column '%s' has no number in this row", size->name);
    } else {
        isocast_diagnostics_add(c->diagnostics, ISOCAST_ERROR, c->runs->source, place,
                                "correct the size, or leave the row out",
                                small ? "'%s' takes %s from %.6g on, this is %.6g"
                                      : "'%s' takes %s up to %.6g, this is %.6g",
                                c->algorithm->name, size->name, small ? size->min : most, value);
    }
    return false;
}

static int compare_values(const double *a, const double *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

/* A run with its sizes, on its way into the order. */
typedef struct sized_run {
    const isocast_run *run;
    const double *values; /* [count] */
    size_t count;
} sized_run;

static int by_system_and_size(const void *left, const void *right) {
    const sized_run *a = left;
    const sized_run *b = right;
    int order = strcmp(a->run->system, b->run->system);
    order = order != 0 ? order : compare_values(a->values + 1, b->values + 1, a->count - 1);
    order = order != 0 ? order : compare_values(a->values, b->values, 1);
    return order != 0 ? order : (a->run > b->run) - (a->run < b->run);
}

static isocast_status sort_runs(collection *c) {
    size_t width = c->out.value_count;
    sized_run *sized = malloc((c->out.run_count + 1) * sizeof *sized);
    double *values = malloc((c->out.run_count * width + 1) * sizeof *values);
    if (sized == NULL || values == NULL) {
        free(sized);
        free(values);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t k = 0; k < c->out.run_count; k++) {
        sized[k] = (sized_run){c->out.order[k], c->out.values + k * width, width};
    }
    qsort(sized, c->out.run_count, sizeof *sized, by_system_and_size);
    for (size_t k = 0; k < c->out.run_count; k++) {
        c->out.order[k] = sized[k].run;
        memcpy(values + k * width, sized[k].values, width * sizeof *values);
    }
    free(sized);
    free(c->out.values);
    c->out.values = values;
    return ISOCAST_OK;
}

/* What rows have that are about other values than the algorithm's. */
typedef struct disagreement {
    size_t count;
    const isocast_run *first;
    const char *name;
    double defined, found;
} disagreement;

/* Rows with another value of what the algorithm defines are about another case of it. */
static isocast_status report_disagreement(const collection *c, const disagreement *d) {
    bool none = c->out.run_count == 0;
    isocast_buffer hint = {0};
    isocast_buffer_printf(&hint, "--set %s=%.10g is about these rows", d->name, d->found);
    isocast_diagnostics_rely(c->diagnostics, &hint);
    isocast_diagnostics_add(c->diagnostics, none ? ISOCAST_ERROR : ISOCAST_WARNING, c->runs->source,
                            isocast_source_line(c->runs->source, d->first->places.N.begin),
                            hint.text != NULL ? hint.text : "",
                            none ? "no row has %s = %.10g, as '%s' has it (%zu rows differ)"
                                 : "rows do not count in which %s is not %.10g, as '%s' has it "
                                   "(%zu rows)",
                            d->name, d->defined, c->algorithm->name, d->count);
    isocast_buffer_free(&hint);
    return none ? ISOCAST_INVALID : ISOCAST_OK;
}

static isocast_status order_runs(collection *c, bool warn) {
    bool sound = true;
    disagreement other = {.count = 0};
    for (size_t i = 0; i < c->runs->count; i++) {
        const isocast_run *run = &c->runs->rows[i];
        const char *name;
        double defined;
        double found;
        if (!counts(c, run)) {
            continue;
        }
        if (!isocast_run_columns_agree(&c->columns, run, &name, &defined, &found)) {
            other = other.count == 0 ? (disagreement){0, run, name, defined, found} : other;
            other.count++;
            continue;
        }
        for (size_t k = 0; k < c->out.value_count; k++) {
            sound = check_size(c, run, k) && sound;
            c->out.values[c->out.run_count * c->out.value_count + k] =
                isocast_run_columns_size(&c->columns, run, k);
        }
        c->out.order[c->out.run_count++] = run;
    }
    isocast_status reported = ISOCAST_OK;
    if (other.count > 0 && (warn || c->out.run_count == 0)) {
        reported = report_disagreement(c, &other);
    }
    if (reported != ISOCAST_OK || !sound) {
        return ISOCAST_INVALID;
    }
    return c->out.run_count == 0 ? refuse_none(c) : sort_runs(c);
}

/* Median, extremes and spread of one size's times. */
static void measure(const collection *c, isocast_run_size *size) {
    for (size_t k = 0; k < size->count; k++) {
        c->T[k] = c->out.order[size->first + k]->T;
    }
    gsl_sort(c->T, 1, size->count);
    size->T = gsl_stats_median_from_sorted_data(c->T, 1, size->count);
    size->T_min = c->T[0];
    size->T_max = c->T[size->count - 1];
    for (size_t k = 0; k < size->count; k++) {
        c->T[k] = fabs(c->T[k] - size->T);
    }
    gsl_sort(c->T, 1, size->count);
    size->spread = NAN;
    if (size->count > 1) {
        size->spread = gsl_stats_median_from_sorted_data(c->T, 1, size->count) / size->T;
    }
}

/* Few repetitions say little of their own spread, so all sizes of a system share theirs: the root
 * mean square, each with the degrees of freedom that its runs have. A median's standard error is
 * sqrt(pi/2) times the mean's, unless there are two runs or one. */
static void add_errors(const collection *c, const isocast_run_system *system) {
    static const double of_normal = 1.4826;
    isocast_run_size *sizes = c->out.sizes + system->first_size;
    double sum = 0;
    double freedom = 0;
    for (size_t k = 0; k < system->size_count; k++) {
        if (sizes[k].count > 1) {
            double own = (double)sizes[k].count - 1;
            sum += own * pow(of_normal * sizes[k].spread, 2);
            freedom += own;
        }
    }
    for (size_t k = 0; k < system->size_count; k++) {
        double median = sizes[k].count > 2 ? sqrt(acos(-1) / 2) : 1;
        sizes[k].error = freedom > 0 ? median * sqrt(sum / freedom / (double)sizes[k].count) : NAN;
    }
}

/* Whether two runs have the same sizes from one on, on the same system. */
static bool is_same(const collection *c, size_t a, size_t b, size_t from) {
    size_t width = c->out.value_count;
    return strcmp(c->out.order[a]->system, c->out.order[b]->system) == 0 &&
           compare_values(c->out.values + a * width + from, c->out.values + b * width + from,
                          width - from) == 0;
}

static void add_size(collection *c, isocast_run_system *system, size_t first) {
    isocast_run_size *size = &c->out.sizes[c->out.size_count++];
    size_t end = first;
    while (end < c->out.run_count && is_same(c, first, end, 0)) {
        system->oversubscribed |= c->out.order[end]->oversubscribed;
        end++;
    }
    *size = (isocast_run_size){.N = c->out.values[first * c->out.value_count],
                               .first = first,
                               .count = end - first,
                               .error = NAN};
    measure(c, size);
    system->size_count++;
    system->run_count += size->count;
}

static isocast_status add_systems(collection *c) {
    for (size_t first = 0; first < c->out.run_count;) {
        if (c->out.system_count == ISOCAST_RUN_SYSTEMS_MAX) {
            isocast_diagnostics_add(
                c->diagnostics, ISOCAST_ERROR, c->runs->source, c->out.order[first]->places.system,
                "ask about the systems in several files",
                "the runs are of too many systems (at most %d, at each of their further sizes)",
                ISOCAST_RUN_SYSTEMS_MAX);
            return ISOCAST_INVALID;
        }
        isocast_run_system *system = &c->out.systems[c->out.system_count++];
        size_t width = c->out.value_count;
        *system =
            (isocast_run_system){.name = c->out.order[first]->system,
                                 .others = width > 1 ? c->out.values + first * width + 1 : NULL,
                                 .first_run = first,
                                 .first_size = c->out.size_count};
        size_t of_system = first;
        while (first < c->out.run_count && is_same(c, of_system, first, 1)) {
            add_size(c, system, first);
            first = system->first_run + system->run_count;
        }
        add_errors(c, system);
    }
    return ISOCAST_OK;
}

/* Names of the systems that distinguish them. */
static isocast_status label_systems(collection *c) {
    for (size_t i = 1; i < c->out.system_count; i++) {
        c->out.several |= !isocast_run_sizes_alike(&c->out, &c->out.systems[0], &c->out.systems[i]);
    }
    for (size_t i = 0; i < c->out.system_count; i++) {
        isocast_run_system *system = &c->out.systems[i];
        isocast_buffer label = {0};
        isocast_buffer_puts(&label, system->name);
        for (size_t k = 1; c->out.several && k < c->out.value_count; k++) {
            isocast_buffer_printf(&label, "%s%s = %.10g%s", k == 1 ? " (" : ", ",
                                  c->algorithm->sizes[k].name, system->others[k - 1],
                                  k + 1 == c->out.value_count ? ")" : "");
        }
        system->label = isocast_buffer_take(&label);
        if (system->label == NULL) {
            return ISOCAST_NO_MEMORY;
        }
    }
    return ISOCAST_OK;
}

isocast_status isocast_run_sizes_collect(const isocast_runs *runs,
                                         const isocast_algorithm *algorithm, const char *wanted,
                                         bool warn, isocast_diagnostics *diagnostics,
                                         isocast_run_sizes *out) {
    size_t room = runs->count + 1;
    collection c = {.runs = runs,
                    .algorithm = algorithm,
                    .diagnostics = diagnostics,
                    .wanted = wanted,
                    .out = {.order = malloc(room * sizeof(const isocast_run *)),
                            .values = malloc(room * algorithm->size_count * sizeof *c.out.values),
                            .value_count = algorithm->size_count,
                            .sizes = malloc(room * sizeof *c.out.sizes),
                            .systems = malloc(room * sizeof *c.out.systems)},
                    .T = malloc(room * sizeof *c.T)};
    isocast_status status = ISOCAST_NO_MEMORY;
    if (c.out.order != NULL && c.out.values != NULL && c.out.sizes != NULL &&
        c.out.systems != NULL && c.T != NULL) {
        choose_name(&c, warn);
        status = isocast_run_columns_find(runs, algorithm, diagnostics, &c.columns);
    }
    if (status == ISOCAST_OK) {
        status = order_runs(&c, warn);
    }
    if (status == ISOCAST_OK) {
        status = add_systems(&c);
    }
    if (status == ISOCAST_OK) {
        status = label_systems(&c);
    }
    isocast_run_columns_free(&c.columns);
    free(c.T);
    if (status != ISOCAST_OK) {
        isocast_run_sizes_free(&c.out);
        return status;
    }
    *out = c.out;
    return ISOCAST_OK;
}

void isocast_run_sizes_free(isocast_run_sizes *sizes) {
    for (size_t i = 0; i < sizes->system_count; i++) {
        free(sizes->systems[i].label);
    }
    free((void *)sizes->order);
    free(sizes->values);
    free(sizes->sizes);
    free(sizes->systems);
    *sizes = (isocast_run_sizes){0};
}

bool isocast_run_sizes_alike(const isocast_run_sizes *sizes, const isocast_run_system *a,
                             const isocast_run_system *b) {
    return sizes->value_count <= 1 ||
           compare_values(a->others, b->others, sizes->value_count - 1) == 0;
}

double isocast_run_sizes_time_at(const isocast_run_sizes *all, const isocast_run_system *system,
                                 double N) {
    const isocast_run_size *sizes = all->sizes + system->first_size;
    size_t i = 0; /* the first from N on */
    for (size_t end = system->size_count; i < end;) {
        size_t middle = i + (end - i) / 2;
        if (sizes[middle].N < N) {
            i = middle + 1;
        } else {
            end = middle;
        }
    }
    if (i < system->size_count && sizes[i].N == N) {
        return sizes[i].T;
    }
    if (i == 0 || i == system->size_count) {
        return NAN;
    }
    double part = log(N / sizes[i - 1].N) / log(sizes[i].N / sizes[i - 1].N);
    return sizes[i - 1].T * pow(sizes[i].T / sizes[i - 1].T, part);
}

isocast_status isocast_run_sizes_fit(const isocast_run_sizes *sizes,
                                     const isocast_run_system *system, const double *E, int degree,
                                     isocast_trend **out) {
    const isocast_run_size *own = sizes->sizes + system->first_size;
    double *N = malloc((3 * system->size_count + 1) * sizeof *N);
    if (N == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double *known = N + system->size_count;
    double *error = known + system->size_count;
    size_t count = 0;
    for (size_t k = 0; k < system->size_count; k++) {
        if (!isnan(E[k])) {
            N[count] = own[k].N;
            known[count] = E[k];
            error[count++] = own[k].error;
        }
    }
    isocast_trend_points points = {.N = N, .E = known, .error = error, .count = count};
    isocast_status status = ISOCAST_OK;
    isocast_trend *trend = NULL;
    if (count >= 2 && (degree <= 0 || count > (size_t)degree)) {
        status = degree == ISOCAST_DEGREE_MONOTONE ? isocast_trend_fit_monotone(&points, &trend)
                                                   : isocast_trend_fit(&points, degree, &trend);
    }
    free(N);
    if (status == ISOCAST_OK) {
        *out = trend;
    }
    return status;
}
