#include "fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit_broadcast.h"
#include "fit_regimes.h"
#include "median.h"

/* A shorter call than this is the clock's, not the operation's. Time per flop has no such limit. */
static const double call_least = 1e-9;

/* A (p, m) of one operation, with the medians of its launches. */
typedef struct summary {
    unsigned operation;
    double p;
    double m;
    double seconds;  /* interquartile mean of the launches' medians */
    double variance; /* of ln(median) between launches; NAN for one launch */
    size_t launches;
} summary;

typedef struct summaries {
    summary *items; /* [count], sorted by operation, p, m */
    size_t count;
    double *within; /* [within_count], variance of ln(seconds) within each launch of each point */
    size_t within_count;
} summaries;

static int compare_numbers(double a, double b) {
    return (a > b) - (a < b);
}

static int by_point(const void *left, const void *right) {
    const sample *a = left;
    const sample *b = right;
    int order = compare_numbers(a->operation, b->operation);
    order = order != 0 ? order : compare_numbers(a->p, b->p);
    order = order != 0 ? order : compare_numbers(a->m, b->m);
    return order != 0 ? order : compare_numbers(a->launch, b->launch);
}

static bool same_point(const sample *a, const sample *b) {
    return a->operation == b->operation && a->p == b->p && a->m == b->m;
}

/* Median of one launch of one point, and its share of the spread within launches: the distance of
 * the quartiles over 1.349 is the sd of a normal. */
static double launch_median(const sample *rows, size_t count, double least, double *scratch,
                            summaries *out) {
    for (size_t k = 0; k < count; k++) {
        scratch[k] = fmax(rows[k].seconds, least);
    }
    double median = median_of(scratch, count);
    if (count >= 8) {
        double spread = log(scratch[3 * count / 4] / scratch[count / 4]) / 1.349;
        out->within[out->within_count++] = spread * spread;
    }
    return median;
}

/* Variance of ln(median) between the launches of one point, NAN for one launch. */
static double variance_between(const double *medians, size_t count) {
    double mean = 0;
    for (size_t k = 0; k < count; k++) {
        mean += log(medians[k]) / (double)count;
    }
    double squares = 0;
    for (size_t k = 0; k < count; k++) {
        squares += pow(log(medians[k]) - mean, 2);
    }
    return count < 2 ? NAN : squares / ((double)count - 1);
}

/* Summarises the samples of one point, sorted by launch. */
static void summarise_point(const sample *rows, size_t count, double least, double *scratch,
                            double *medians, summaries *out) {
    size_t launches = 0;
    for (size_t begin = 0; begin < count;) {
        size_t end = begin;
        while (end < count && rows[end].launch == rows[begin].launch) {
            end++;
        }
        medians[launches++] = launch_median(rows + begin, end - begin, least, scratch, out);
        begin = end;
    }
    summary *item = &out->items[out->count++];
    *item = (summary){
        .operation = rows[0].operation, .p = rows[0].p, .m = rows[0].m, .launches = launches};
    item->variance = variance_between(medians, launches);
    item->seconds = interquartile_mean(medians, launches);
}

static bool summarise(const samples *s, summaries *out) {
    sample *rows = malloc((s->count + 1) * sizeof *rows);
    double *scratch = malloc((2 * s->count + 1) * sizeof *scratch);
    out->items = malloc((s->count + 1) * sizeof *out->items);
    out->within = malloc((s->count + 1) * sizeof *out->within);
    bool complete = rows != NULL && scratch != NULL && out->items != NULL && out->within != NULL;
    if (complete) {
        memcpy(rows, s->rows, s->count * sizeof *rows);
        qsort(rows, s->count, sizeof *rows, by_point);
        for (size_t begin = 0; begin < s->count;) {
            size_t end = begin;
            while (end < s->count && same_point(&rows[end], &rows[begin])) {
                end++;
            }
            bool call = strncmp(s->operations[rows[begin].operation], "T_", 2) == 0;
            summarise_point(rows + begin, end - begin, call ? call_least : 0, scratch,
                            scratch + s->count, out);
            begin = end;
        }
    }
    free(rows);
    free(scratch);
    return complete;
}

/* The typical variance between launches: the median over points, as some points of an operation
 * jump from launch to launch, raised to the mean of what a chi-squared variate of so few degrees of
 * freedom has for a median (Wilson, Hilferty 1931). 0 where there was one launch. */
static double typical_variance(const summary *items, size_t count) {
    double *variances = malloc((count + 1) * sizeof *variances);
    size_t known = 0;
    size_t launches = 0;
    for (size_t k = 0; variances != NULL && k < count; k++) {
        if (!isnan(items[k].variance)) {
            variances[known++] = items[k].variance;
            launches = items[k].launches > launches ? items[k].launches : launches;
        }
    }
    double median = known > 0 ? median_of(variances, known) : 0;
    free(variances);
    double freedom = launches > 1 ? (double)launches - 1 : 1;
    return median / pow(1 - 2 / (9 * freedom), 3);
}

static void summaries_free(summaries *all) {
    free(all->items);
    free(all->within);
}

/* Room for one more parameter; its index, or -1. */
static long add_parameter(fit *f, const char *name, const char *unit, double value, size_t group) {
    fit_parameter *parameters =
        realloc(f->parameters, (f->parameter_count + 1) * sizeof *parameters);
    if (parameters == NULL) {
        return -1;
    }
    f->parameters = parameters;
    fit_parameter *parameter = &f->parameters[f->parameter_count];
    *parameter = (fit_parameter){.unit = unit, .value = value, .group = group};
    snprintf(parameter->name, sizeof parameter->name, "%s", name);
    return (long)f->parameter_count++;
}

/* Covariance of coefficients, kept until the number of parameters is known. */
typedef struct covariance_entry {
    size_t row;
    size_t column;
    double value;
} covariance_entry;

typedef struct covariances {
    covariance_entry *items; /* [count] */
    size_t count;
} covariances;

static bool add_covariance(covariances *c, size_t row, size_t column, double value) {
    covariance_entry *items = realloc(c->items, (c->count + 1) * sizeof *items);
    if (items == NULL) {
        return false;
    }
    c->items = items;
    c->items[c->count++] = (covariance_entry){row, column, value};
    return true;
}

/* How a term is called in a parameter's name, written in a formula, and its unit. */
static const struct {
    const char *suffix;
    const char *factor;
    const char *unit;
} term_texts[FIT_TERMS] = {
    [FIT_TERM_CONSTANT] = {"start", "", "s"},
    [FIT_TERM_STEPS] = {"step", "*ceil(log2(p))", "s"},
    [FIT_TERM_PROCESSES] = {"process", "*(p - 1)", "s"},
    [FIT_TERM_BYTES] = {"byte", "*m", "s/B"},
    [FIT_TERM_STEP_BYTES] = {"step_byte", "*m*ceil(log2(p))", "s/B"},
    [FIT_TERM_PROCESS_BYTES] = {"process_byte", "*m*(p - 1)", "s/B"},
    [FIT_TERM_DEPTH] = {"depth", "*floor(log2(p))", "s"},
    [FIT_TERM_DEPTH_BYTES] = {"depth_byte", "*m*floor(log2(p))", "s/B"},
    [FIT_TERM_DEPTH_SQUARE_BYTES] = {"depth_square_byte", "*m*floor(log2(p))^2", "s/B"},
    [FIT_TERM_RING] = {"ring",
                       "*((p - 1)*(T_send(m/p) + T_recv(m/p)) + T_send(m) + T_recv(m) + "
                       "(ceil(log2(p)) - 1)*(T_send(0 B) + T_recv(0 B)))",
                       ""},
    [FIT_TERM_MESSAGES] = {"messages", "*(p - 1)*(T_send(m/p) + T_recv(m/p))", ""},
};

/* Messages between two, and work of one process: the others only look on. */
static bool is_single(const char *name) {
    static const char *const singles[] = {"T_send", "T_recv", "T_copy", "T_substitute"};
    for (size_t i = 0; i < sizeof singles / sizeof singles[0]; i++) {
        if (strcmp(name, singles[i]) == 0) {
            return true;
        }
    }
    return false;
}

static size_t count_distinct_p(const summary *items, size_t count) {
    size_t distinct = 0;
    for (size_t k = 0; k < count; k++) {
        bool seen = false;
        for (size_t l = 0; l < k && !seen; l++) {
            seen = items[l].p == items[k].p;
        }
        distinct += !seen;
    }
    return distinct;
}

static bool ends_in(const char *name, const char *ending) {
    size_t length = strlen(name);
    return length >= strlen(ending) && strcmp(name + length - strlen(ending), ending) == 0;
}

/* Which terms the points can tell apart, and the algorithm of an operation has. Under three counts
 * of processes nothing can be learnt of the growth with p: collectives take the steps of a binomial
 * tree, and a transpose, in which each process sends all it has in as many messages as there are
 * others, a start for each of these; what process 0 deals out or gathers takes as long for each of
 * the others. */
static void allowed_terms(const char *name, size_t distinct_p, bool messages,
                          bool allowed[FIT_TERMS]) {
    bool single = is_single(name);
    bool exchange = strcmp(name, "T_transpose") == 0;
    bool tree = ends_in(name, fit_broadcast_endings[FIT_BROADCAST_TREE]);
    bool ring = ends_in(name, fit_broadcast_endings[FIT_BROADCAST_RING]);
    bool scatter = ends_in(name, fit_broadcast_endings[FIT_BROADCAST_SCATTER]);
    bool dealing = strcmp(name, "T_deal") == 0 || strcmp(name, "T_gather") == 0;
    bool known = tree || ring || scatter || exchange || dealing;
    bool learnt = !single && distinct_p >= 3;
    bool grown = learnt && !known;
    allowed[FIT_TERM_CONSTANT] = single || (learnt && !ring);
    allowed[FIT_TERM_BYTES] = single || exchange || scatter || (ring && !messages) ||
                              (learnt && (tree || dealing)) || grown;
    allowed[FIT_TERM_STEPS] = !single && !exchange && !dealing;
    allowed[FIT_TERM_STEP_BYTES] = tree || (!single && !known);
    allowed[FIT_TERM_PROCESSES] = exchange || dealing || (ring && !messages) || grown;
    allowed[FIT_TERM_PROCESS_BYTES] = dealing || grown;
    allowed[FIT_TERM_DEPTH] = allowed[FIT_TERM_DEPTH_BYTES] = learnt && tree;
    allowed[FIT_TERM_DEPTH_SQUARE_BYTES] = learnt && tree;
    allowed[FIT_TERM_RING] = messages && ring;
    allowed[FIT_TERM_MESSAGES] = messages && exchange && learnt;
}

static int by_size(const void *left, const void *right) {
    const fit_point *a = left;
    const fit_point *b = right;
    int order = compare_numbers(a->m, b->m);
    return order != 0 ? order : compare_numbers(a->p, b->p);
}

static void write_regime(isocast_buffer *formula, const fit_regime *regime, const char *prefix) {
    const char *plus = "";
    for (int term = 0; term < FIT_TERMS; term++) {
        if (regime->used[term]) {
            isocast_buffer_printf(formula, "%s%s_%s%s", plus, prefix, term_texts[term].suffix,
                                  term_texts[term].factor);
            plus = " + ";
        }
    }
}

/* Adds the coefficients of one range of m. A launch shifts all of an operation's times together, so
 * the spread between launches adds a fully correlated part to the covariance. */
static bool add_regime(fit *f, covariances *c, const fit_regime *regime, const char *prefix,
                       double launch_variance) {
    size_t index[FIT_TERMS] = {0};
    for (int term = 0; term < FIT_TERMS; term++) {
        char name[FIT_NAME_MOST];
        snprintf(name, sizeof name, "%.32s_%s", prefix, term_texts[term].suffix);
        long added = 0;
        if (regime->used[term]) {
            added = add_parameter(f, name, term_texts[term].unit, regime->coefficient[term],
                                  f->operation_count);
        }
        if (added < 0) {
            return false;
        }
        index[term] = (size_t)added;
    }
    for (int a = 0; a < FIT_TERMS; a++) {
        for (int b = 0; b < FIT_TERMS; b++) {
            double shared = regime->coefficient[a] * regime->coefficient[b] * launch_variance;
            if (regime->used[a] && regime->used[b] &&
                !add_covariance(c, index[a], index[b], regime->covariance[a][b] + shared)) {
                return false;
            }
        }
    }
    return true;
}

static void note_range(fit_operation *operation, const summary *items, size_t count) {
    operation->points = count;
    operation->p_min = operation->p_max = items[0].p;
    operation->m_min = operation->m_max = items[0].m;
    for (size_t k = 1; k < count; k++) {
        operation->p_min = fmin(operation->p_min, items[k].p);
        operation->p_max = fmax(operation->p_max, items[k].p);
        operation->m_min = fmin(operation->m_min, items[k].m);
        operation->m_max = fmax(operation->m_max, items[k].m);
    }
}

static void note_errors(fit_operation *operation, const fit_regimes *regimes,
                        const fit_point *points, size_t count) {
    for (size_t k = 0; k < count; k++) {
        double error = fabs(fit_regimes_time(regimes, &points[k]) / points[k].seconds - 1);
        operation->mean_error += error / (double)count;
        operation->max_error = fmax(operation->max_error, error);
    }
}

static fit_operation *new_operation(fit *f, const char *name, bool is_kernel) {
    fit_operation *operations =
        realloc(f->operations, (f->operation_count + 1) * sizeof *operations);
    if (operations == NULL) {
        return NULL;
    }
    f->operations = operations;
    fit_operation *operation = &f->operations[f->operation_count];
    *operation = (fit_operation){.is_kernel = is_kernel};
    snprintf(operation->name, sizeof operation->name, "%s", name);
    return operation;
}

/* A message operation: T_x in p and m. `whole` is what one message takes, for terms made of them.
 */
static fit_status fit_message(fit *f, covariances *c, const fit_message_times *whole,
                              const char *name, const summary *items, size_t count,
                              double launch_variance) {
    fit_point *points = malloc(count * sizeof *points);
    fit_operation *operation = new_operation(f, name, false);
    if (points == NULL || operation == NULL) {
        free(points);
        return FIT_NO_MEMORY;
    }
    for (size_t k = 0; k < count; k++) {
        points[k] = (fit_point){items[k].p,
                                items[k].m,
                                items[k].seconds,
                                fit_message_time(whole, items[k].m / items[k].p),
                                fit_message_time(whole, items[k].m),
                                fit_message_time(whole, 0)};
    }
    qsort(points, count, sizeof *points, by_size);
    size_t distinct_p = count_distinct_p(items, count);
    bool allowed[FIT_TERMS];
    allowed_terms(name, distinct_p, whole->count > 0, allowed);
    fit_regimes regimes;
    bool fitted = fit_regimes_choose(points, count, allowed, &regimes);
    if (!fitted) {
        free(points);
        return FIT_NO_MEMORY;
    }
    operation->growth_assumed = !is_single(name) && distinct_p < 3;
    note_range(operation, items, count);
    note_errors(operation, &regimes, points, count);
    free(points);
    bool complete = true;
    for (size_t r = 0; r < regimes.count; r++) {
        char prefix[FIT_NAME_MOST];
        snprintf(prefix, sizeof prefix, "%.24s_%zu", name + strlen("T_"), r + 1);
        if (r + 1 < regimes.count) {
            isocast_buffer_printf(&operation->formula, "if(m < %.0f B, ",
                                  regimes.regimes[r + 1].m_from);
        }
        write_regime(&operation->formula, &regimes.regimes[r], prefix);
        isocast_buffer_puts(&operation->formula, r + 1 < regimes.count ? ", " : "");
        complete = complete && add_regime(f, c, &regimes.regimes[r], prefix, launch_variance);
    }
    for (size_t r = 1; r < regimes.count; r++) {
        isocast_buffer_puts(&operation->formula, ")");
    }
    snprintf(operation->form, sizeof operation->form, "%zu range%s of m%s", regimes.count,
             regimes.count == 1 ? "" : "s",
             is_single(name)             ? "; does not depend on p"
             : operation->growth_assumed ? "; growth with p assumed, not measured"
                                         : "; terms chosen by the corrected Akaike criterion");
    f->operation_count++;
    return complete && !operation->formula.failed ? FIT_OK : FIT_NO_MEMORY;
}

/* One p of a kernel: straight lines in log2 of the working set between the sizes measured. */
static bool add_kernel_table(fit *f, covariances *c, fit_operation *operation, const summary *items,
                             size_t count, double launch_variance) {
    double p = items[0].p;
    isocast_buffer_puts(&operation->formula, "interpolate(log2(m/(1 B))");
    for (size_t k = 0; k < count; k++) {
        char name[FIT_NAME_MOST];
        snprintf(name, sizeof name, "%.16s_p%.0f_%zu", operation->name, p, k + 1);
        long index = add_parameter(f, name, "s/flop", items[k].seconds, f->operation_count);
        if (index < 0) {
            return false;
        }
        double launches = (double)items[k].launches;
        double own = isnan(items[k].variance) ? launch_variance : items[k].variance / launches;
        double variance = pow(items[k].seconds, 2) * fmax(own, launch_variance);
        isocast_buffer_printf(&operation->formula, ", %.6g, %s", log2(items[k].m), name);
        if (!add_covariance(c, (size_t)index, (size_t)index, variance)) {
            return false;
        }
    }
    /* interpolate() takes two points at least; one measured size holds everywhere. */
    if (count == 1) {
        isocast_buffer_printf(&operation->formula, ", %.6g, %s", log2(items[0].m) + 1,
                              f->parameters[f->parameter_count - 1].name);
    }
    isocast_buffer_puts(&operation->formula, ")");
    return true;
}

static fit_status fit_kernel(fit *f, covariances *c, const char *name, const summary *items,
                             size_t count, double launch_variance) {
    fit_operation *operation = new_operation(f, name, true);
    if (operation == NULL) {
        return FIT_NO_MEMORY;
    }
    note_range(operation, items, count);
    size_t tables = 0;
    for (size_t begin = 0; begin < count;) {
        size_t end = begin;
        while (end < count && items[end].p == items[begin].p) {
            end++;
        }
        /* The table of the largest p measured holds beyond it. */
        if (end < count) {
            isocast_buffer_printf(&operation->formula, "if(p <= %.0f, ", items[begin].p);
        }
        if (!add_kernel_table(f, c, operation, items + begin, end - begin, launch_variance)) {
            return FIT_NO_MEMORY;
        }
        isocast_buffer_puts(&operation->formula, end < count ? ", " : "");
        tables++;
        begin = end;
    }
    for (size_t k = 1; k < tables; k++) {
        isocast_buffer_puts(&operation->formula, ")");
    }
    snprintf(operation->form, sizeof operation->form,
             "table over the working set for each of %zu process counts", tables);
    f->operation_count++;
    return operation->formula.failed ? FIT_NO_MEMORY : FIT_OK;
}

/* A broadcast: each of the library's algorithms that was seen as an operation of its own, and which
 * of them is taken where. */
static fit_status fit_broadcast(fit *f, covariances *c, const fit_message_times *whole,
                                const char *name, const summary *items, size_t count,
                                double launch_variance) {
    bool seen[FIT_BROADCASTS] = {false};
    summary *own = malloc(count * sizeof *own);
    fit_status status = own != NULL ? FIT_OK : FIT_NO_MEMORY;
    for (int kind = 0; kind < FIT_BROADCASTS && status == FIT_OK; kind++) {
        size_t own_count = 0;
        for (size_t k = 0; k < count; k++) {
            if (fit_broadcast_kind(items[k].p, items[k].m) == (fit_broadcast_algorithm)kind) {
                own[own_count++] = items[k];
            }
        }
        char sub[FIT_NAME_MOST];
        snprintf(sub, sizeof sub, "%.24s%s", name, fit_broadcast_endings[kind]);
        seen[kind] = own_count > 0;
        if (seen[kind]) {
            status = fit_message(f, c, whole, sub, own, own_count, launch_variance);
        }
    }
    free(own);
    fit_operation *operation = status == FIT_OK ? new_operation(f, name, false) : NULL;
    if (operation == NULL) {
        return FIT_NO_MEMORY;
    }
    note_range(operation, items, count);
    fit_broadcast_choice(name, seen, &operation->formula);
    snprintf(operation->form, sizeof operation->form, "the algorithm that MPICH chooses there");
    f->operation_count++;
    return operation->formula.failed ? FIT_NO_MEMORY : FIT_OK;
}

static fit_status fill_covariance(fit *f, const covariances *c) {
    size_t n = f->parameter_count;
    f->covariance = calloc(n * n + 1, sizeof *f->covariance);
    if (f->covariance == NULL) {
        return FIT_NO_MEMORY;
    }
    for (size_t k = 0; k < c->count; k++) {
        f->covariance[c->items[k].row * n + c->items[k].column] = c->items[k].value;
    }
    for (size_t i = 0; i < n; i++) {
        f->parameters[i].error = sqrt(f->covariance[i * n + i]);
    }
    return FIT_OK;
}

static size_t most_launches(const summaries *all) {
    size_t most = 0;
    for (size_t k = 0; k < all->count; k++) {
        most = all->items[k].launches > most ? all->items[k].launches : most;
    }
    return most;
}

/* Whether more processes than a tree is for were measured. */
static bool has_algorithms(const char *name, const summary *items, size_t count) {
    bool beyond = false;
    for (size_t k = 0; k < count; k++) {
        beyond = beyond || fit_broadcast_kind(items[k].p, items[k].m) != FIT_BROADCAST_TREE;
    }
    return beyond && (strcmp(name, "T_bcast") == 0 || strcmp(name, "T_bcast_barrier") == 0);
}

/* Whole messages: T_send and T_recv of the same size on the most processes measured. */
static bool time_messages(const samples *s, const summaries *all, fit_message_times *out) {
    for (size_t k = 0; k < all->count; k++) {
        const summary *item = &all->items[k];
        const char *name = s->operations[item->operation];
        bool part = strcmp(name, "T_send") == 0 || strcmp(name, "T_recv") == 0;
        if (part && !fit_message_times_add(out, item->m, item->seconds)) {
            return false;
        }
    }
    fit_message_times_finish(out);
    return true;
}

static fit_status fit_summaries(const samples *s, summaries *all, fit *f) {
    f->launches = most_launches(all);
    f->sigma_launch = sqrt(typical_variance(all->items, all->count));
    f->sigma_within = all->within_count > 0 ? sqrt(median_of(all->within, all->within_count)) : 0;
    covariances c = {0};
    fit_message_times whole = {0};
    fit_status status = time_messages(s, all, &whole) ? FIT_OK : FIT_NO_MEMORY;
    for (size_t begin = 0; begin < all->count && status == FIT_OK;) {
        size_t end = begin;
        while (end < all->count && all->items[end].operation == all->items[begin].operation) {
            end++;
        }
        const char *name = s->operations[all->items[begin].operation];
        bool message = strncmp(name, "T_", 2) == 0;
        double launch_variance =
            typical_variance(all->items + begin, end - begin) / (double)f->launches;
        size_t added = f->operation_count;
        const summary *own = all->items + begin;
        size_t count = end - begin;
        if (!message) {
            status = fit_kernel(f, &c, name, own, count, launch_variance);
        } else if (has_algorithms(name, own, count)) {
            status = fit_broadcast(f, &c, &whole, name, own, count, launch_variance);
        } else {
            status = fit_message(f, &c, &whole, name, own, count, launch_variance);
        }
        if (status == FIT_OK) {
            f->operations[added].sigma_launch = sqrt(launch_variance * (double)f->launches);
        }
        begin = end;
    }
    status = status == FIT_OK ? fill_covariance(f, &c) : status;
    free(c.items);
    fit_message_times_free(&whole);
    return status;
}

fit_status fit_samples(const samples *s, fit *out) {
    if (s->count == 0) {
        return FIT_NO_SAMPLES;
    }
    summaries all = {0};
    fit f = {0};
    fit_status status = summarise(s, &all) ? fit_summaries(s, &all, &f) : FIT_NO_MEMORY;
    summaries_free(&all);
    if (status != FIT_OK) {
        fit_free(&f);
        return status;
    }
    *out = f;
    return FIT_OK;
}

void fit_free(fit *f) {
    for (size_t i = 0; i < f->operation_count; i++) {
        isocast_buffer_free(&f->operations[i].formula);
    }
    free(f->operations);
    free(f->parameters);
    free(f->covariance);
    *f = (fit){0};
}

double fit_reference_time(const samples *s, const char *kernel, double m, double *m_found) {
    summaries all = {0};
    double seconds = NAN;
    double least = INFINITY;
    if (summarise(s, &all)) {
        double p_least = INFINITY;
        for (size_t k = 0; k < all.count; k++) {
            bool is_kernel = strcmp(s->operations[all.items[k].operation], kernel) == 0;
            p_least = is_kernel ? fmin(p_least, all.items[k].p) : p_least;
        }
        for (size_t k = 0; k < all.count; k++) {
            const summary *item = &all.items[k];
            double distance = fabs(log(item->m / m));
            if (item->p == p_least && strcmp(s->operations[item->operation], kernel) == 0 &&
                distance < least) {
                least = distance;
                seconds = item->seconds;
                *m_found = item->m;
            }
        }
    }
    summaries_free(&all);
    return seconds;
}
