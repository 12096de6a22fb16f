#include "fit_network.h"

#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>

#include "model/base/moments.h"

/* A range costs as much as so many coefficients for each curve: two of its line, and its begin. */
static const double parameters_of_range = 3;
/* Errors of points are taken for no smaller than this, as the model is not exact. */
static const double sigma_least = 0.005;
/* The simulator takes no zero. No range is faster than this, times the largest messages' rate, and
 * no latency is a smaller part of the largest one. */
static const double rate_most = 2;
static const double latency_least = 1e-6;
/* MPICH's limit over TCP, where nothing states another one; and a size for which nobody waits, B.
 */
static const double limit_usual = 65536;
static const double limit_least = 64;

enum { TERMS = 4, WIRE = 3 /* the first two terms */, ALL = 15 };
enum { SIMPLEX_STEPS = 120 };

/* Where ranges begin, as indices of points. */
typedef struct cuts {
    size_t first[ISOCAST_FACTORS_MAX + 1]; /* [count + 1], with the end */
    size_t count;
} cuts;

/* What is looked for while the ratios move. */
typedef struct problem {
    const fit_message_point *points;
    size_t count;
    cuts cuts;
    double eager_limit;
    bool overheads; /* whether receivers may take time */
    fit_network *network;
} problem;

/* The squared relative errors of the line of one curve in a range. Any line goes through a point or
 * none. */
static double solve_line(const isocast_moments *moments) {
    double coefficients[2];
    double squares = 0;
    bool solved =
        moments->rows < 2 || isocast_moments_nonnegative(moments, WIRE, coefficients, &squares);
    return solved ? squares : INFINITY;
}

static void add_to_line(double m, double seconds, isocast_moments *moments) {
    if (!isnan(seconds)) {
        const double x[] = {1 / seconds, (m + FIT_NETWORK_ENVELOPE) / seconds};
        isocast_moments_add(moments, x, 1);
    }
}

/* costs: [count][count], of a range from the first index to the second. */
static void find_costs(const fit_message_point *points, size_t count, double sigma, double *costs) {
    for (size_t i = 0; i < count; i++) {
        isocast_moments between = {.terms = 2};
        isocast_moments within = {.terms = 2};
        for (size_t k = i; k < count; k++) {
            add_to_line(points[k].m, points[k].between, &between);
            add_to_line(points[k].m, points[k].within, &within);
            /* A range in which each curve has one point would be two points in disguise. */
            bool reported = between.rows > 1 || within.rows > 1;
            double squares = solve_line(&between) + solve_line(&within);
            double curves = (between.rows > 0) + (within.rows > 0);
            costs[i * count + k] = reported ? squares / (sigma * sigma) +
                                                  curves * parameters_of_range * log((double)count)
                                            : INFINITY;
        }
    }
}

/* The ranges whose costs are least, by dynamic programming; false where memory is short. */
static bool find_cuts(const fit_message_point *points, size_t count, double sigma, cuts *out) {
    double *costs = malloc(count * count * sizeof *costs);
    double(*best)[ISOCAST_FACTORS_MAX + 1] = malloc((count + 1) * sizeof *best);
    size_t(*before)[ISOCAST_FACTORS_MAX + 1] = calloc(count + 1, sizeof *before);
    bool room = costs != NULL && best != NULL && before != NULL;
    if (room) {
        find_costs(points, count, sigma, costs);
        /* best[k][r]: of the first k points in r ranges. */
        for (size_t k = 0; k <= count; k++) {
            for (size_t r = 0; r <= ISOCAST_FACTORS_MAX; r++) {
                best[k][r] = k == 0 && r == 0 ? 0 : INFINITY;
                for (size_t i = 0; r > 0 && i < k; i++) {
                    double cost = best[i][r - 1] + costs[i * count + k - 1];
                    if (cost < best[k][r]) {
                        best[k][r] = cost;
                        before[k][r] = i;
                    }
                }
            }
        }
        out->count = 1;
        for (size_t r = 2; r <= ISOCAST_FACTORS_MAX; r++) {
            out->count = best[count][r] < best[count][out->count] ? r : out->count;
        }
        out->first[out->count] = count;
        for (size_t r = out->count; r > 0; r--) {
            out->first[r - 1] = before[out->first[r]][r];
        }
    }
    free(costs);
    free(best);
    free(before);
    return room;
}

/* Halfway, in their ratio, between the last size of a range and the first of the next. */
static double border(const fit_message_point *points, size_t first) {
    double low = points[first - 1].m;
    double high = points[first].m;
    return low > 0 ? sqrt(low * high) : high / 2;
}

/* Solves one range at the ratios, and gives its sum of squared relative errors. */
static double solve_range(const problem *p, size_t r) {
    fit_network *network = p->network;
    fit_message_range *range = &network->ranges[r];
    isocast_moments moments = {.terms = TERMS};
    for (size_t k = p->cuts.first[r]; k < p->cuts.first[r + 1]; k++) {
        const fit_message_point *point = &p->points[k];
        double wire = point->m + FIT_NETWORK_ENVELOPE;
        if (!isnan(point->between)) {
            const double x[] = {1 / point->between, wire / point->between, 1 / point->between,
                                point->m / point->between};
            isocast_moments_add(&moments, x, 1);
        }
        if (!isnan(point->within)) {
            const double x[] = {network->latency_ratio / point->within,
                                network->per_byte_ratio * wire / point->within, 1 / point->within,
                                point->m / point->within};
            isocast_moments_add(&moments, x, 1);
        }
    }
    bool overheads = p->overheads && p->points[p->cuts.first[r + 1] - 1].m < p->eager_limit;
    double coefficients[TERMS] = {0};
    double squares = INFINITY;
    if (!isocast_moments_nonnegative(&moments, overheads ? ALL : WIRE, coefficients, &squares)) {
        return INFINITY;
    }
    range->latency = coefficients[0];
    range->per_byte = coefficients[1];
    range->overhead = coefficients[2];
    range->overhead_per_byte = coefficients[3];
    return squares;
}

static double solve_ranges(const problem *p) {
    double squares = 0;
    for (size_t r = 0; r < p->cuts.count; r++) {
        squares += solve_range(p, r);
    }
    return squares;
}

static double squares_at(const gsl_vector *at, void *context) {
    const problem *p = context;
    p->network->latency_ratio = exp(gsl_vector_get(at, 0));
    p->network->per_byte_ratio = exp(gsl_vector_get(at, 1));
    double squares = solve_ranges(p);
    return isfinite(squares) ? squares : 1e300;
}

/* The ratios that leave the smallest errors, from those that the network has; false where memory is
 * short. */
static bool find_ratios(problem *p, double *squares) {
    gsl_vector *at = gsl_vector_alloc(2);
    gsl_vector *step = gsl_vector_alloc(2);
    gsl_multimin_fminimizer *search =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, 2);
    bool room = at != NULL && step != NULL && search != NULL;
    if (room) {
        gsl_multimin_function function = {squares_at, 2, p};
        gsl_vector_set(at, 0, log(p->network->latency_ratio));
        gsl_vector_set(at, 1, log(p->network->per_byte_ratio));
        gsl_vector_set_all(step, 0.5);
        room = gsl_multimin_fminimizer_set(search, &function, at, step) == 0;
        for (int k = 0; room && k < SIMPLEX_STEPS; k++) {
            if (gsl_multimin_fminimizer_iterate(search) != 0 ||
                gsl_multimin_fminimizer_size(search) < 1e-10) {
                break;
            }
        }
        *squares = squares_at(search->x, p);
    }
    gsl_multimin_fminimizer_free(search);
    gsl_vector_free(at);
    gsl_vector_free(step);
    return room;
}

/* Ratios to begin with: those of the shortest and the longest message that both curves have. */
static void begin_ratios(const fit_message_point *points, size_t count, fit_network *network) {
    network->latency_ratio = 1;
    network->per_byte_ratio = 1;
    bool found = false;
    for (size_t k = 0; k < count; k++) {
        double ratio = points[k].within / points[k].between;
        if (!isnan(ratio)) {
            network->latency_ratio = found ? network->latency_ratio : ratio;
            network->per_byte_ratio = ratio;
            found = true;
        }
    }
}

/* Coefficients that are not 0. */
static double count_terms(const fit_network *network) {
    double terms = 2;
    for (size_t r = 0; r < network->count; r++) {
        const fit_message_range *range = &network->ranges[r];
        terms += (range->latency > 0) + (range->per_byte > 0) + (range->overhead > 0) +
                 (range->overhead_per_byte > 0);
    }
    return terms;
}

/* Both with and without time of receivers: the one that the points speak for. */
static bool solve_both(problem *p, double sigma, double rows) {
    fit_network *network = p->network;
    const fit_network begin = *network;
    double squares = INFINITY;
    p->overheads = false;
    bool room = find_ratios(p, &squares);
    double cost = squares / (sigma * sigma) + count_terms(network) * log(rows);
    const fit_network wires = *network;
    p->overheads = true;
    /* From the wires' ratios, and from a node whose messages are all work of the receiver. */
    for (int start = 0; start < 2 && room; start++) {
        fit_network best = *network;
        *network = start == 0 ? wires : begin;
        network->latency_ratio *= start == 0 ? 1 : 0.01;
        network->per_byte_ratio *= start == 0 ? 1 : 0.5;
        room = find_ratios(p, &squares);
        double other = squares / (sigma * sigma) + count_terms(network) * log(rows);
        if (other < cost) {
            cost = other;
        } else {
            *network = best;
        }
    }
    return room;
}

/* Values that the simulator can take. */
static void bound(fit_network *network) {
    double rate = network->ranges[network->count - 1].per_byte;
    double latency = 0;
    for (size_t r = network->count; r-- > 0 && rate == 0;) {
        rate = network->ranges[r].per_byte;
    }
    for (size_t r = 0; r < network->count; r++) {
        latency = fmax(latency, network->ranges[r].latency);
    }
    latency = latency > 0 ? latency : 1e-9;
    rate = rate > 0 ? rate : 1e-12;
    for (size_t r = 0; r < network->count; r++) {
        fit_message_range *range = &network->ranges[r];
        range->latency = fmax(range->latency, latency_least * latency);
        range->per_byte = fmax(range->per_byte, rate / rate_most);
    }
}

static const fit_message_range *range_of(const fit_network *network, double m) {
    size_t r = 0;
    while (r + 1 < network->count && network->ranges[r + 1].from < m) {
        r++;
    }
    return &network->ranges[r];
}

static double receiving(const fit_message_range *range, double m) {
    return range->overhead + range->overhead_per_byte * m;
}

double fit_network_between(const fit_network *network, double m) {
    const fit_message_range *range = range_of(network, m);
    return range->latency + range->per_byte * (m + FIT_NETWORK_ENVELOPE) + receiving(range, m);
}

double fit_network_within(const fit_network *network, double m) {
    const fit_message_range *range = range_of(network, m);
    return network->latency_ratio * range->latency +
           network->per_byte_ratio * range->per_byte * (m + FIT_NETWORK_ENVELOPE) +
           receiving(range, m);
}

static void find_errors(const fit_message_point *points, size_t count, fit_network *network) {
    double sums[2] = {0, 0};
    double counts[2] = {0, 0};
    for (size_t k = 0; k < count; k++) {
        const fit_message_point *point = &points[k];
        if (!isnan(point->between)) {
            sums[0] += fabs(fit_network_between(network, point->m) / point->between - 1);
            counts[0]++;
        }
        if (!isnan(point->within)) {
            sums[1] += fabs(fit_network_within(network, point->m) / point->within - 1);
            counts[1]++;
        }
    }
    network->error_between = counts[0] > 0 ? sums[0] / counts[0] : NAN;
    network->error_within = counts[1] > 0 ? sums[1] / counts[1] : NAN;
}

static size_t count_rows(const fit_message_point *points, size_t count, fit_network *network) {
    size_t between = 0;
    size_t within = 0;
    for (size_t k = 0; k < count; k++) {
        between += isnan(points[k].between) ? 0 : 1;
        within += isnan(points[k].within) ? 0 : 1;
    }
    network->has_between = between > 0;
    network->has_within = within > 0;
    bool enough = (between == 0 || between > 1) && (within == 0 || within > 1);
    return enough ? between + within : 0;
}

isocast_status fit_network_make(const fit_message_point *points, size_t count, double sigma,
                                double eager_limit, fit_network *out) {
    fit_network network = {.eager_limit = eager_limit};
    size_t rows = count_rows(points, count, &network);
    if (rows < 2) {
        return ISOCAST_ARGUMENT;
    }
    sigma = fmax(sigma, sigma_least);
    problem p = {.points = points, .count = count, .eager_limit = eager_limit, .network = &network};
    if (!find_cuts(points, count, sigma, &p.cuts)) {
        return ISOCAST_NO_MEMORY;
    }
    network.count = p.cuts.count;
    for (size_t r = 0; r < network.count; r++) {
        network.ranges[r].from = r > 0 ? border(points, p.cuts.first[r]) : 0;
    }
    begin_ratios(points, count, &network);
    if (network.has_between && network.has_within) {
        if (!solve_both(&p, sigma, (double)rows)) {
            return ISOCAST_NO_MEMORY;
        }
    } else {
        (void)solve_ranges(&p);
    }
    bound(&network);
    find_errors(points, count, &network);
    *out = network;
    return ISOCAST_OK;
}

double fit_network_guess_limit(const fit_network *network) {
    double most = 0;
    double limit = limit_usual;
    for (size_t r = 1; r < network->count; r++) {
        const fit_message_range *before = &network->ranges[r - 1];
        const fit_message_range *range = &network->ranges[r];
        double rise = range->latency + range->overhead - before->latency - before->overhead;
        double at = before->latency + before->overhead + before->per_byte * range->from;
        if (range->from >= limit_least && rise / at > most) {
            most = rise / at;
            limit = range->from;
        }
    }
    return limit;
}

/* Adds a value from a size on, unless it is the one before. */
static void add_value(double from, double value, isocast_factors *out) {
    if (out->count == 0 || out->values[out->count - 1] != value) {
        out->sizes[out->count] = floor(from);
        out->values[out->count++] = value;
    }
}

/* The rate of the fastest range, B/s. The rate of short messages is noise: where latency takes
 * longer than the bytes of all of a range, it does not count. */
static double rate_of(const fit_network *network) {
    double rate = 0;
    for (size_t r = 0; r < network->count; r++) {
        const fit_message_range *range = &network->ranges[r];
        double end = r + 1 < network->count ? network->ranges[r + 1].from : INFINITY;
        if (range->per_byte * end > range->latency + range->overhead) {
            rate = fmax(rate, 1 / range->per_byte);
        }
    }
    return rate;
}

fit_network fit_network_scaled(const fit_network *network, const fit_network_scales *scales) {
    fit_network out = *network;
    /* What was measured within a node stays there. */
    bool apart = !network->has_between && network->has_within;
    double slower = fmax(1, 1 / scales->capacity);
    for (size_t r = 0; r < out.count; r++) {
        fit_message_range *range = &out.ranges[r];
        range->latency *= scales->latency;
        range->per_byte *= slower;
        range->overhead *= apart ? 1 : scales->latency;
        range->overhead_per_byte *= scales->memory;
    }
    out.latency_ratio /= apart ? scales->latency : 1;
    out.per_byte_ratio *= scales->memory / slower;
    return out;
}

isocast_network fit_network_platform(const fit_network *network, const fit_network_scales *scales) {
    const fit_network scaled = fit_network_scaled(network, scales);
    const fit_message_range *first = &scaled.ranges[0];
    double rate = rate_of(&scaled) * fmax(1, scales->capacity);
    isocast_network out = {
        .topology = ISOCAST_TOPOLOGY_SWITCHED,
        .interfaces = 1,
        .link_share = 1,
        .link_bandwidth = rate,
        .link_latency = first->latency / 2, /* a message passes two links */
        .backplane_bandwidth = NAN,
        .node_bandwidth = rate / scaled.per_byte_ratio,
        .node_latency = first->latency * scaled.latency_ratio,
        .node_capacity =
            isfinite(scales->node) ? scales->node * rate_of(&scaled) / scaled.per_byte_ratio : NAN,
        .eager_limit = network->eager_limit};
    bool overheads = false;
    bool rates = false;
    for (size_t r = 0; r < scaled.count; r++) {
        overheads = overheads || scaled.ranges[r].overhead > 0;
        rates = rates || scaled.ranges[r].overhead_per_byte > 0;
    }
    for (size_t r = 0; r < scaled.count; r++) {
        const fit_message_range *range = &scaled.ranges[r];
        double from = r > 0 ? range->from + FIT_NETWORK_ENVELOPE : 0;
        add_value(from, range->latency / first->latency, &out.latency_factor);
        add_value(from, 1 / (range->per_byte * rate), &out.bandwidth_factor);
        if (overheads) {
            add_value(range->from, fmax(range->overhead, 1e-12), &out.receive_overhead);
        }
        if (rates) {
            add_value(range->from, 1 / fmax(range->overhead_per_byte, 1e-15),
                      &out.receive_bandwidth);
        }
    }
    return out;
}
