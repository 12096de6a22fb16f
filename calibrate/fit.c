#include "fit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit_broadcast.h"
#include "fit_regimes.h"
#include "median.h"

/* A shorter call than this is the clock's, not the operation's. Time per flop has no such limit. */
static const double call_least = 1e-9;

/* A placement of processes and m of one operation, with the medians of its launches. */
typedef struct summary {
    unsigned operation;
    double p;
    double nodes;
    double p_node;
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
    order = order != 0 ? order : compare_numbers(a->nodes, b->nodes);
    order = order != 0 ? order : compare_numbers(a->p_node, b->p_node);
    order = order != 0 ? order : compare_numbers(a->m, b->m);
    return order != 0 ? order : compare_numbers(a->launch, b->launch);
}

static bool same_point(const sample *a, const sample *b) {
    return a->operation == b->operation && a->p == b->p && a->nodes == b->nodes &&
           a->p_node == b->p_node && a->m == b->m;
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
    *item = (summary){.operation = rows[0].operation,
                      .p = rows[0].p,
                      .nodes = rows[0].nodes,
                      .p_node = rows[0].p_node,
                      .m = rows[0].m,
                      .launches = launches};
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
    [FIT_TERM_VOLUME_BYTES] = {"volume_byte", "*m*binomial_volume(p)", "s/B"},
    [FIT_TERM_SPREAD] = {"spread", "*if(nodes == p, 1, 0)", "s"},
    [FIT_TERM_SPREAD_BYTES] = {"spread_byte", "*m*if(nodes == p, 1, 0)", "s/B"},
    [FIT_TERM_NODE_DEPTH] = {"node_depth", "*floor(log2(nodes))", "s"},
    [FIT_TERM_NODE_DEPTH_BYTES] = {"node_depth_byte", "*m*floor(log2(nodes))", "s/B"},
    [FIT_TERM_NODE_VOLUME_BYTES] = {"node_volume_byte", "*m*binomial_volume(nodes)", "s/B"},
    [FIT_TERM_REMOTE] = {"remote", "*(p - p_node)", "s"},
    [FIT_TERM_REMOTE_BYTES] = {"remote_byte", "*m*(p - p_node)", "s/B"},
    [FIT_TERM_CROSSING_BYTES] = {"crossing_byte", "*m/p*p_node*(p - p_node)", "s/B"},
    [FIT_TERM_MESSAGES] = {"messages", "*(p - 1)*(T_send(m/p) + T_recv(m/p))", ""},
};

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

/* What an operation is made of, by its name. */
typedef enum operation_kind {
    KIND_SINGLE,   /* messages between two, and work of one process: the others only look on */
    KIND_DEALING,  /* process 0 with each of the others in turn */
    KIND_EXCHANGE, /* a block of m/p from each to each */
    KIND_TREE,
    KIND_SCATTER,
    KIND_RING,
    KIND_OTHER
} operation_kind;

static operation_kind kind_of(const char *name) {
    static const char *const singles[] = {"T_send", "T_recv", "T_sendrecv", "T_copy",
                                          "T_substitute"};
    for (size_t i = 0; i < sizeof singles / sizeof singles[0]; i++) {
        if (strcmp(name, singles[i]) == 0) {
            return KIND_SINGLE;
        }
    }
    if (strcmp(name, "T_deal") == 0 || strcmp(name, "T_gather") == 0) {
        return KIND_DEALING;
    }
    if (strcmp(name, "T_transpose") == 0) {
        return KIND_EXCHANGE;
    }
    static const operation_kind broadcasts[FIT_BROADCASTS] = {[FIT_BROADCAST_TREE] = KIND_TREE,
                                                              [FIT_BROADCAST_SCATTER] =
                                                                  KIND_SCATTER,
                                                              [FIT_BROADCAST_RING] = KIND_RING};
    for (int i = 0; i < FIT_BROADCASTS; i++) {
        if (ends_in(name, fit_broadcast_endings[i])) {
            return broadcasts[i];
        }
    }
    return KIND_OTHER;
}

/* Ranges of these go by the size of a block, m/p. Of a broadcast in blocks only the scatter is left
 * to fit, whose messages are of m/2, m/4 and so on. */
static bool goes_by_blocks(operation_kind kind) {
    return kind == KIND_EXCHANGE;
}

/* What the points of one fit can tell. */
typedef struct fit_shape {
    operation_kind kind;
    bool learnt;   /* three counts of processes or more: something of the growth with p */
    bool messages; /* times of single messages are known */
    bool shared;   /* several processes on a node, and several nodes */
    bool varied;   /* as many processes placed in several ways, all nodes alike */
    bool irregular; /* a node has more processes than others */
} fit_shape;

static void allow(bool allowed[FIT_TERMS], bool condition, const fit_term *terms, size_t count) {
    for (size_t i = 0; condition && i < count; i++) {
        allowed[terms[i]] = true;
    }
}
#define ALLOW(condition, ...)                                                                      \
    allow(allowed, condition, (const fit_term[]){__VA_ARGS__},                                     \
          sizeof((fit_term[]){__VA_ARGS__}) / sizeof(fit_term))

/* Which terms the points can tell apart, and the algorithm of an operation has. Under three counts
 * of processes nothing can be learnt of the growth with p: collectives take the steps of a binomial
 * tree, and a transpose, in which each process sends all it has in as many messages as there are
 * others, a start for each of these; what process 0 deals out or gathers takes as long for each of
 * the others. */
static void allowed_terms(const fit_shape *shape, bool allowed[FIT_TERMS]) {
    bool learnt = shape->learnt;
    bool shared = shape->shared && learnt;
    bool varied = shape->varied && learnt;
    memset(allowed, 0, FIT_TERMS * sizeof *allowed);
    switch (shape->kind) {
    case KIND_SINGLE:
        ALLOW(true, FIT_TERM_CONSTANT, FIT_TERM_BYTES);
        break;
    case KIND_DEALING:
        ALLOW(true, FIT_TERM_PROCESSES, FIT_TERM_PROCESS_BYTES);
        ALLOW(learnt, FIT_TERM_CONSTANT, FIT_TERM_BYTES);
        ALLOW(shared, FIT_TERM_REMOTE, FIT_TERM_REMOTE_BYTES);
        break;
    case KIND_EXCHANGE:
        ALLOW(true, FIT_TERM_PROCESSES, FIT_TERM_BYTES);
        ALLOW(learnt, FIT_TERM_CONSTANT);
        ALLOW(learnt && shape->messages, FIT_TERM_MESSAGES);
        ALLOW(shared, FIT_TERM_REMOTE, FIT_TERM_CROSSING_BYTES);
        break;
    case KIND_TREE:
        ALLOW(true, FIT_TERM_STEPS, FIT_TERM_STEP_BYTES);
        ALLOW(learnt, FIT_TERM_CONSTANT, FIT_TERM_BYTES, FIT_TERM_DEPTH, FIT_TERM_DEPTH_BYTES);
        ALLOW(learnt && !shape->irregular, FIT_TERM_VOLUME_BYTES);
        /* Two on one node spare a step, and one of them the other's message. */
        ALLOW(learnt && shape->irregular, FIT_TERM_NODE_VOLUME_BYTES, FIT_TERM_SPREAD,
              FIT_TERM_SPREAD_BYTES);
        ALLOW(varied, FIT_TERM_NODE_DEPTH, FIT_TERM_NODE_DEPTH_BYTES, FIT_TERM_NODE_VOLUME_BYTES);
        break;
    case KIND_SCATTER:
        ALLOW(true, FIT_TERM_STEPS, FIT_TERM_BYTES);
        ALLOW(learnt, FIT_TERM_CONSTANT);
        ALLOW(varied, FIT_TERM_NODE_DEPTH);
        break;
    case KIND_RING:
        ALLOW(true, FIT_TERM_STEPS, FIT_TERM_BYTES);
        ALLOW(!shape->messages, FIT_TERM_PROCESSES);
        break;
    case KIND_OTHER:
        ALLOW(true, FIT_TERM_STEPS, FIT_TERM_STEP_BYTES);
        ALLOW(learnt, FIT_TERM_CONSTANT, FIT_TERM_BYTES, FIT_TERM_PROCESSES,
              FIT_TERM_PROCESS_BYTES);
        ALLOW(varied, FIT_TERM_NODE_DEPTH);
        break;
    }
}
#undef ALLOW

static int by_size(const void *left, const void *right) {
    const fit_point *a = left;
    const fit_point *b = right;
    int order = compare_numbers(a->size, b->size);
    return order != 0 ? order : compare_numbers(a->p, b->p);
}

static void write_correction(isocast_buffer *formula, const fit_correction *correction) {
    if (correction->counts == 0) {
        isocast_buffer_puts(formula, "1");
        return;
    }
    isocast_buffer_puts(formula, "interpolate(p");
    for (size_t k = 0; k < correction->counts; k++) {
        isocast_buffer_printf(formula, ", %g, %.4f", correction->count_measured[k],
                              correction->ratio[k]);
    }
    isocast_buffer_printf(formula, ", %g, 1)",
                          2 * correction->count_measured[correction->counts - 1]);
}

static void write_regime(isocast_buffer *formula, const fit_regime *regime, const char *prefix) {
    const fit_correction *spread = &regime->corrections[0];
    const fit_correction *shared = &regime->corrections[1];
    bool corrected = spread->counts > 0 || shared->counts > 0;
    const char *plus = corrected ? "(" : "";
    for (int term = 0; term < FIT_TERMS; term++) {
        if (regime->used[term]) {
            isocast_buffer_printf(formula, "%s%s_%s%s", plus, prefix, term_texts[term].suffix,
                                  term_texts[term].factor);
            plus = " + ";
        }
    }
    if (corrected) {
        isocast_buffer_puts(formula, shared->counts > 0 ? ")*if(nodes < p, " : ")*");
        if (shared->counts > 0) {
            write_correction(formula, shared);
            isocast_buffer_puts(formula, ", ");
        }
        write_correction(formula, spread);
        isocast_buffer_puts(formula, shared->counts > 0 ? ")" : "");
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
        operation->mean_error += error; /* made a mean once all placements are in */
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

/* Adds "if(m < 24 B, ..., ...)" for the ranges, and their coefficients. */
static bool add_regimes(fit *f, covariances *c, const fit_regimes *regimes, const char *prefix,
                        bool by_blocks, double launch_variance) {
    isocast_buffer *formula = &f->operations[f->operation_count].formula;
    bool complete = true;
    for (size_t r = 0; r < regimes->count; r++) {
        char numbered[FIT_NAME_MOST];
        snprintf(numbered, sizeof numbered, "%.28s_%zu", prefix, r + 1);
        if (r + 1 < regimes->count) {
            isocast_buffer_printf(formula, "if(%s < %.0f B, ", by_blocks ? "m/p" : "m",
                                  regimes->regimes[r + 1].size_from);
        }
        write_regime(formula, &regimes->regimes[r], numbered);
        isocast_buffer_puts(formula, r + 1 < regimes->count ? ", " : "");
        complete = complete && add_regime(f, c, &regimes->regimes[r], numbered, launch_variance);
    }
    for (size_t r = 1; r < regimes->count; r++) {
        isocast_buffer_puts(formula, ")");
    }
    return complete;
}

/* Operations that others are made of, apart for two processes on one node and on several. */
typedef struct fit_parts {
    fit_message_times send[2];
    fit_message_times receive[2];
    fit_message_times shift[2]; /* T_sendrecv */
} fit_parts;

/* Where an operation was measured on several nodes only, or on one only, that is all there is. */
static const fit_message_times *part_of(const fit_message_times part[2], bool one_node) {
    return part[one_node].count > 0 ? &part[one_node] : &part[!one_node];
}

/* What the samples of one operation are fitted with. */
typedef struct fit_request {
    const fit_parts *parts;
    const char *name;
    double launch_variance;
} fit_request;

/* A message of m/p bytes, s; NAN where not known. */
static double message_time(const fit_parts *parts, const summary *item) {
    bool one_node = item->nodes == 1;
    double size = item->m / item->p;
    return fit_message_time(part_of(parts->send, one_node), size) +
           fit_message_time(part_of(parts->receive, one_node), size);
}

/* The allgather of a broadcast's blocks: p - 1 steps round a ring, or L steps with blocks that
 * double. What was measured of such steps holds for any p. 0 for other operations. */
static double known_part(const fit_parts *parts, operation_kind kind, const summary *item) {
    const fit_message_times *shift = part_of(parts->shift, item->nodes == 1);
    double size = item->m / item->p;
    double seconds = 0;
    if (shift->count > 0 && kind == KIND_RING) {
        seconds = (item->p - 1) * fit_message_time(shift, size);
    }
    for (double q = 1; shift->count > 0 && kind == KIND_SCATTER && q < item->p; q *= 2) {
        seconds += fit_message_time(shift, size * q);
    }
    return seconds;
}

static const char *known_formula(operation_kind kind, bool shifts) {
    if (shifts && kind == KIND_RING) {
        return "(p - 1)*T_sendrecv(m/p) + ";
    }
    return shifts && kind == KIND_SCATTER
               ? "sum(k, 1, ceil(log2(p)), T_sendrecv(m/p*2^(k - 1))) + "
               : "";
}

/* What the items tell, and the largest count of processes. */
static fit_shape shape_of(const fit_request *request, const summary *items, size_t count,
                          double *most_processes) {
    fit_shape shape = {.kind = kind_of(request->name),
                       .learnt = count_distinct_p(items, count) >= 3,
                       .messages = part_of(request->parts->shift, false)->count > 0};
    *most_processes = 0;
    for (size_t k = 0; k < count; k++) {
        const summary *item = &items[k];
        bool varies = k > 0 && item->p == items[k - 1].p && item->nodes != items[k - 1].nodes;
        /* The same number on every node, but for the last. */
        bool regular = item->p <= item->p_node * item->nodes &&
                       item->p > item->p_node * (item->nodes - 1);
        *most_processes = fmax(*most_processes, item->p);
        shape.varied = shape.varied || varies;
        shape.shared = shape.shared || (item->nodes > 1 && item->nodes < item->p);
        shape.irregular = shape.irregular || !regular;
    }
    shape.varied = shape.varied && !shape.irregular;
    return shape;
}

/* The points of one placement, and what is chosen for them. Start from {0}. */
typedef struct placement_fit {
    fit_shape shape;
    fit_point *points; /* [count], sorted by size */
    fit_regimes *regimes;
} placement_fit;

static void placement_fit_free(placement_fit *own) {
    free(own->points);
    free(own->regimes);
}

static bool choose(const fit_request *request, const summary *items, size_t count,
                   placement_fit *out) {
    double most_processes;
    out->shape = shape_of(request, items, count, &most_processes);
    out->points = malloc(count * sizeof *out->points);
    out->regimes = malloc(sizeof *out->regimes);
    if (out->points == NULL || out->regimes == NULL) {
        return false;
    }
    operation_kind kind = out->shape.kind;
    for (size_t k = 0; k < count; k++) {
        const summary *item = &items[k];
        out->points[k] = (fit_point){.p = item->p,
                                     .m = item->m,
                                     .size = goes_by_blocks(kind) ? item->m / item->p : item->m,
                                     .nodes = item->nodes,
                                     .p_node = item->p_node,
                                     .seconds = item->seconds,
                                     /* What holds for the most processes is to hold for more. */
                                     .weight = out->shape.learnt ? item->p / most_processes : 1,
                                     .known = known_part(request->parts, kind, item),
                                     .message = message_time(request->parts, item)};
    }
    bool allowed[FIT_TERMS];
    allowed_terms(&out->shape, allowed);
    qsort(out->points, count, sizeof *out->points, by_size);
    return fit_regimes_choose(out->points, count, allowed, out->regimes);
}

/* Fits the points of one placement and adds to the newest operation. */
static fit_status fit_points(fit *f, covariances *c, const fit_request *request, const char *prefix,
                             const summary *items, size_t count) {
    placement_fit own = {0};
    fit_status status = choose(request, items, count, &own) ? FIT_OK : FIT_NO_MEMORY;
    if (status == FIT_OK) {
        const char *known = known_formula(own.shape.kind, own.shape.messages);
        /* Other placements of as many processes would need other corrections. */
        if (own.shape.learnt && !own.shape.varied && known[0] == '\0') {
            fit_regimes_correct(own.regimes, own.points, count);
        }
        fit_operation *operation = &f->operations[f->operation_count];
        operation->growth_assumed =
            operation->growth_assumed || (own.shape.kind != KIND_SINGLE && !own.shape.learnt);
        operation->ranges += own.regimes->count;
        note_errors(operation, own.regimes, own.points, count);
        isocast_buffer_puts(&operation->formula, known);
        status = add_regimes(f, c, own.regimes, prefix, goes_by_blocks(own.shape.kind),
                             request->launch_variance)
                     ? FIT_OK
                     : FIT_NO_MEMORY;
    }
    placement_fit_free(&own);
    return status;
}

/* Whether powers of two go on with the tree where MPICH would scatter: a tree fitted to all fewer
 * processes and to them then tells their times. `room` is for as many items. */
static bool keeps_to_tree(const fit_request *request, const summary *items, size_t count,
                          summary *room) {
    static const double telling = 0.05;
    size_t used = 0;
    for (size_t k = 0; k < count; k++) {
        if (items[k].nodes > 1 && fit_broadcast_kind(FIT_POWERS_TREE, items[k].p, items[k].m) ==
                                      FIT_BROADCAST_TREE) {
            room[used++] = items[k];
        }
    }
    char name[FIT_NAME_MOST];
    snprintf(name, sizeof name, "%.24s%s", request->name,
             fit_broadcast_endings[FIT_BROADCAST_TREE]);
    fit_request tree = {request->parts, name, request->launch_variance};
    placement_fit own = {0};
    double errors = 0;
    double points = 0;
    bool chosen = used > 0 && choose(&tree, room, used, &own);
    for (size_t k = 0; chosen && k < used; k++) {
        if (fit_broadcast_depends(own.points[k].p, own.points[k].m)) {
            double seconds = fit_regimes_time(own.regimes, &own.points[k]);
            errors += fabs(seconds / own.points[k].seconds - 1);
            points++;
        }
    }
    placement_fit_free(&own);
    return chosen && points > 0 && own.shape.learnt && errors / points < telling;
}

/* The counts of processes, each of which gets a table; gives their number. */
static size_t list_counts(const summary *items, size_t count, double counts[FIT_COUNTS_MOST]) {
    size_t listed = 0;
    for (size_t k = 0; k < count && listed < FIT_COUNTS_MOST; k++) {
        if (listed == 0 || items[k].p > counts[listed - 1]) {
            counts[listed++] = items[k].p;
        }
    }
    return listed;
}

/* What is left of one count's times without the allgather, as straight lines between the sizes
 * measured, and proportional to m beyond them. */
static void write_table(isocast_buffer *formula, const fit_request *request, operation_kind kind,
                        const summary *items, size_t count, double p) {
    const summary *last = NULL;
    double left = 0;
    isocast_buffer_puts(formula, "interpolate(m/(1 B)");
    for (size_t k = 0; k < count; k++) {
        if (items[k].p == p && (last == NULL || items[k].m > last->m)) {
            last = &items[k];
            left = fmax(last->seconds - known_part(request->parts, kind, last), 0);
            isocast_buffer_printf(formula, ", %.0f, %.5g us", last->m, 1e6 * left);
        }
    }
    static const double beyond = 1000;
    isocast_buffer_printf(formula, ", %.0f, %.5g us)", beyond * (last != NULL ? last->m : 1),
                          1e6 * beyond * left);
}

/* A broadcast in blocks: the allgather from its steps, and tables of what the scatter before it
 * takes at some counts of processes. More processes have deeper trees, for the blocks that are at
 * their ends. The items are of one placement, sorted by p and m. */
static fit_status fit_blocks(fit *f, covariances *c, const fit_request *request, const char *prefix,
                             const summary *items, size_t count) {
    operation_kind kind = kind_of(request->name);
    fit_operation *operation = &f->operations[f->operation_count];
    isocast_buffer *formula = &operation->formula;
    double counts[FIT_COUNTS_MOST];
    size_t tables = list_counts(items, count, counts);
    char name[FIT_NAME_MOST];
    snprintf(name, sizeof name, "%.32s_tables", prefix);
    long index = add_parameter(f, name, "", 1, f->operation_count);
    if (index < 0 || !add_covariance(c, (size_t)index, (size_t)index, request->launch_variance)) {
        return FIT_NO_MEMORY;
    }
    isocast_buffer_printf(formula, "%s%s*", known_formula(kind, true), name);
    for (size_t i = 0; i < tables; i++) {
        if (i + 1 < tables) {
            isocast_buffer_printf(formula, "if(p <= %g, ", counts[i]);
        }
        write_table(formula, request, kind, items, count, counts[i]);
        isocast_buffer_puts(formula, i + 1 < tables ? ", " : "");
    }
    for (size_t i = 1; i < tables; i++) {
        isocast_buffer_puts(formula, ")");
    }
    isocast_buffer_printf(formula, " + max(0, ceil(log2(p)) - %g)*T_sendrecv(m/p)",
                          ceil(log2(counts[tables - 1])));
    operation->ranges += tables;
    return FIT_OK;
}

static fit_status fit_placement(fit *f, covariances *c, const fit_request *request,
                                const char *prefix, const summary *items, size_t count) {
    operation_kind kind = kind_of(request->name);
    bool in_blocks = kind == KIND_RING || kind == KIND_SCATTER;
    bool steps_known = part_of(request->parts->shift, items[0].nodes == 1)->count > 0;
    return in_blocks && steps_known ? fit_blocks(f, c, request, prefix, items, count)
                                    : fit_points(f, c, request, prefix, items, count);
}

/* Those on one node, or those on several; gives their number. */
static size_t pick_placement(const summary *items, size_t count, bool one_node, summary *out) {
    size_t picked = 0;
    for (size_t k = 0; k < count; k++) {
        if ((items[k].nodes == 1) == one_node) {
            out[picked++] = items[k];
        }
    }
    return picked;
}

/* A message operation: T_x in p and m, apart for processes on one node and on several. */
static fit_status fit_message(fit *f, covariances *c, const fit_request *request,
                              const summary *items, size_t count) {
    summary *own = malloc(count * sizeof *own);
    fit_operation *operation = new_operation(f, request->name, false);
    if (own == NULL || operation == NULL) {
        free(own);
        return FIT_NO_MEMORY;
    }
    note_range(operation, items, count);
    const char *name = request->name + strlen("T_");
    size_t on_one = pick_placement(items, count, true, own);
    bool both = on_one > 0 && on_one < count;
    fit_status status = FIT_OK;
    if (both) {
        char prefix[FIT_NAME_MOST];
        snprintf(prefix, sizeof prefix, "%.20s_node", name);
        isocast_buffer_puts(&operation->formula, "if(nodes == 1, ");
        status = fit_placement(f, c, request, prefix, own, on_one);
        isocast_buffer_puts(&operation->formula, ", ");
    }
    size_t rest = pick_placement(items, count, on_one == count, own);
    if (status == FIT_OK) {
        status = fit_placement(f, c, request, name, own, rest);
    }
    isocast_buffer_puts(&operation->formula, both ? ")" : "");
    free(own);
    operation->mean_error /= (double)count;
    bool tables = strstr(operation->formula.text != NULL ? operation->formula.text : "",
                         "interpolate(m/(1 B)") != NULL;
    snprintf(operation->form, sizeof operation->form,
             tables ? "%zu table%s over %s%s%s" : "%zu range%s of %s%s%s", operation->ranges,
             operation->ranges == 1 ? "" : "s",
             goes_by_blocks(kind_of(request->name)) ? "m/p" : "m",
             kind_of(request->name) == KIND_SINGLE ? "; does not depend on p"
             : operation->growth_assumed           ? "; growth with p assumed, not measured"
                                         : "; terms chosen by the corrected Akaike criterion",
             both ? "; one node and several apart" : "");
    f->operation_count++;
    return status == FIT_OK && operation->formula.failed ? FIT_NO_MEMORY : status;
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
static fit_status fit_broadcast(fit *f, covariances *c, const fit_request *request,
                                const summary *items, size_t count) {
    const char *name = request->name;
    bool seen[FIT_BROADCASTS] = {false};
    summary *own = malloc(count * sizeof *own);
    fit_status status = own != NULL ? FIT_OK : FIT_NO_MEMORY;
    fit_broadcast_powers powers = FIT_POWERS_SCATTER;
    if (status == FIT_OK && keeps_to_tree(request, items, count, own)) {
        powers = FIT_POWERS_TREE;
    }
    for (int kind = 0; kind < FIT_BROADCASTS && status == FIT_OK; kind++) {
        size_t own_count = 0;
        for (size_t k = 0; k < count; k++) {
            if (fit_broadcast_kind(powers, items[k].p, items[k].m) ==
                (fit_broadcast_algorithm)kind) {
                own[own_count++] = items[k];
            }
        }
        char sub[FIT_NAME_MOST];
        snprintf(sub, sizeof sub, "%.24s%s", name, fit_broadcast_endings[kind]);
        seen[kind] = own_count > 0;
        if (seen[kind]) {
            fit_request part = {request->parts, sub, request->launch_variance};
            status = fit_message(f, c, &part, own, own_count);
        }
    }
    free(own);
    fit_operation *operation = status == FIT_OK ? new_operation(f, name, false) : NULL;
    if (operation == NULL) {
        return FIT_NO_MEMORY;
    }
    note_range(operation, items, count);
    fit_broadcast_choice(name, powers, seen, &operation->formula);
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
        beyond = beyond || fit_broadcast_kind(FIT_POWERS_SCATTER, items[k].p, items[k].m) !=
                               FIT_BROADCAST_TREE;
    }
    return beyond && (strcmp(name, "T_bcast") == 0 || strcmp(name, "T_bcast_barrier") == 0);
}

static bool find_parts(const samples *s, const summaries *all, fit_parts *out) {
    const struct {
        const char *name;
        fit_message_times *times;
    } parts[] = {
        {"T_send", out->send}, {"T_recv", out->receive}, {"T_sendrecv", out->shift}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        for (size_t k = 0; k < all->count; k++) {
            const summary *item = &all->items[k];
            if (strcmp(s->operations[item->operation], parts[i].name) == 0 &&
                !fit_message_times_add(&parts[i].times[item->nodes == 1], item->m,
                                       item->seconds)) {
                return false;
            }
        }
        fit_message_times_finish(&parts[i].times[0]);
        fit_message_times_finish(&parts[i].times[1]);
    }
    return true;
}

static void free_parts(fit_parts *parts) {
    for (size_t i = 0; i < 2; i++) {
        fit_message_times_free(&parts->send[i]);
        fit_message_times_free(&parts->receive[i]);
        fit_message_times_free(&parts->shift[i]);
    }
}

static fit_status fit_summaries(const samples *s, summaries *all, fit *f) {
    f->launches = most_launches(all);
    f->sigma_launch = sqrt(typical_variance(all->items, all->count));
    f->sigma_within = all->within_count > 0 ? sqrt(median_of(all->within, all->within_count)) : 0;
    covariances c = {0};
    fit_parts parts = {0};
    fit_status status = find_parts(s, all, &parts) ? FIT_OK : FIT_NO_MEMORY;
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
        fit_request request = {&parts, name, launch_variance};
        if (!message) {
            status = fit_kernel(f, &c, name, own, count, launch_variance);
        } else if (has_algorithms(name, own, count)) {
            status = fit_broadcast(f, &c, &request, own, count);
        } else {
            status = fit_message(f, &c, &request, own, count);
        }
        if (status == FIT_OK) {
            f->operations[added].sigma_launch = sqrt(launch_variance * (double)f->launches);
        }
        begin = end;
    }
    status = status == FIT_OK ? fill_covariance(f, &c) : status;
    free(c.items);
    free_parts(&parts);
    return status;
}

static bool is_word_byte(char byte) {
    return isalnum((unsigned char)byte) || byte == '_';
}

/* Writes a formula with other words for two of its names. */
static void replace_names(const char *text, const char *const names[2], const char *const by[2],
                          isocast_buffer *out) {
    for (const char *at = text; *at != '\0';) {
        size_t length = 0;
        while (is_word_byte(at[length])) {
            length++;
        }
        size_t name = 0;
        while (name < 2 && (length != strlen(names[name]) || memcmp(at, names[name], length) != 0)) {
            name++;
        }
        if (name < 2) {
            isocast_buffer_puts(out, by[name]);
        } else {
            length = length > 0 ? length : 1;
            isocast_buffer_append(out, at, length);
        }
        at += length;
    }
}

/* Where several nodes were counted as one, formulas count them so too. */
static void count_groups(fit *f, double together) {
    char groups[64];
    char in_group[64];
    snprintf(groups, sizeof groups, "ceil(nodes/%.0f)", together);
    snprintf(in_group, sizeof in_group, "min(p, %.0f*p_node)", together);
    for (size_t i = 0; i < f->operation_count; i++) {
        isocast_buffer text = {0};
        isocast_buffer *formula = &f->operations[i].formula;
        if (formula->text != NULL) {
            replace_names(formula->text, (const char *const[]){"nodes", "p_node"},
                          (const char *const[]){groups, in_group}, &text);
            isocast_buffer_free(formula);
            *formula = text;
        }
    }
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
    if (s->together > 1) {
        count_groups(&f, s->together);
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
