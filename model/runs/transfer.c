#include "transfer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/order.h"
#include "model/spec/marked_speed.h"
#include "transfer_points.h"

/* Of ln T: how far transfers were off beyond what the unknown shares explain. Processors of a few
 * years later differ in more than data sheets say, so the variance grows with the step between both
 * machines, like that of a sum of small ones: error^2 (likeness + |ln(T there/T here)|), numbers of
 * docs/transfer.md. */
static const double step_error = 0.21;
static const double likeness = 0.1; /* the step between nodes of the same data sheet */
static const double quantile = 1.6448536269514722; /* of a normal error, two-sided 90 % */
/* A run on fewer processors than a full node says something of its memory from this ratio on. */
static const double sparse_ratio = 1.5;
enum { LAW_POINTS = 4, LAW_ALL_PAIRS = 100, LAW_STEPS = 10000000, REST_KINDS = 3 };

/* Full nodes at one number of nodes and one size. */
typedef struct station {
    isocast_transfer_point point;
    double u;    /* full nodes that have as many processors as are used */
    double T;    /* s, between the run and the law of the runs of this size */
    double x, y; /* ln u, ln(u T) of the run */
    double off;  /* ln of the run over the law, halved */
    double node; /* s of T that more nodes shorten */
    size_t sizes_group;
} station;

typedef struct transferring {
    const isocast_transfer_request *request;
    const isocast_node_class *here, *there;
    isocast_diagnostics *diagnostics;
    isocast_transfer_points points;
    station *stations; /* [count] */
    size_t count;
    double share_sum; /* of the evidence */
    isocast_transfer *out;
} transferring;

static isocast_status refuse_machine(const isocast_machine *machine, const char *hint,
                                     isocast_diagnostics *diagnostics, const char *message) {
    const isocast_tree_entry *nodes = isocast_tree_find(&machine->tree->root, "nodes");
    size_t which = machine->class_count > 1 ? 1 : 0;
    isocast_span place = nodes != NULL && which < nodes->value.count
                             ? nodes->value.entries[which].key.span
                             : machine->tree->root.span;
    return isocast_diagnostics_refuse(diagnostics, machine->tree->source, place, hint, message);
}

static isocast_status check_site(const isocast_transfer_site *site,
                                 isocast_diagnostics *diagnostics) {
    const isocast_machine *machine = site->machine;
    if (machine->class_count != 1) {
        return refuse_machine(machine, "write a file with the nodes that the runs are about",
                              diagnostics, "a transfer takes machines whose nodes are all alike");
    }
    if (isnan(machine->classes[0].memory_bandwidth)) {
        return refuse_machine(
            machine,
            "add memory_bandwidth, such as 119.4 GB/s for 2 sockets of 4 channels "
            "of 8 B at 1866 MT/s; for both machines the peak, or what STREAM "
            "measures",
            diagnostics, "this node class has no memory_bandwidth");
    }
    return ISOCAST_OK;
}

/* ln(T u) over ln u as a straight line with the least sum of absolute deviations, through two of
 * the points; gives its value at a point. */
typedef struct line {
    double x, y, slope; /* a point of it */
} line;

static double deviation(const station *s, size_t count, const line *l) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += fabs(s[i].y - l->y - l->slope * (s[i].x - l->x));
    }
    return sum;
}

static void try_line(const station *s, size_t count, size_t i, size_t k, line *best,
                     double *least) {
    if (s[k].x == s[i].x) {
        return;
    }
    line l = {s[i].x, s[i].y, (s[k].y - s[i].y) / (s[k].x - s[i].x)};
    double sum = deviation(s, count, &l);
    if (sum < *least * (1 - 1e-12)) {
        *least = sum;
        *best = l;
    }
}

/* Through all pairs, or of many points through some that lie half of them apart. */
static double find_line(const station *s, size_t count, line *best) {
    double least = INFINITY;
    size_t half = count / 2;
    size_t step = 1 + half / (LAW_STEPS / (count + 1) + 1);
    if (count > LAW_ALL_PAIRS) {
        for (size_t i = 0; i + half < count; i += step) {
            try_line(s, count, i, i + half, best, &least);
        }
        return least;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = i + 1; k < count; k++) {
            try_line(s, count, i, k, best, &least);
        }
    }
    return least;
}

/* What is odd at one number of nodes does not go to another machine: of a run's distance from the
 * law of its size, half counts. */
static void smooth(station *s, size_t count) {
    for (size_t i = 0; i < count; i++) {
        s[i].x = log(s[i].u);
        s[i].y = log(s[i].u * s[i].point.T);
    }
    line best = {0};
    bool lawful = count >= LAW_POINTS && isfinite(find_line(s, count, &best));
    for (size_t i = 0; i < count; i++) {
        s[i].off = lawful ? (s[i].y - best.y - best.slope * (s[i].x - best.x)) / 2 : 0;
        s[i].T = s[i].point.T * exp(-s[i].off);
    }
}

/* The part of T that shrinks with the nodes, from the best that fewer nodes did. */
static void part(station *s, size_t count) {
    double least = INFINITY; /* s of full nodes */
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, s[i].u * s[i].T);
        s[i].node = fmin(least / s[i].u, s[i].T);
    }
}

/* One station for each number of nodes: the most processors there, and the fastest way to use them.
 */
static void find_stations(transferring *t) {
    const isocast_transfer_points *p = &t->points;
    for (size_t i = 0; i < p->count; i++) {
        const isocast_transfer_point *point = &p->items[i];
        station *last = t->count > 0 ? &t->stations[t->count - 1] : NULL;
        bool again = last != NULL && last->sizes_group == point->sizes_group &&
                     last->point.nodes == point->nodes;
        double used = point->p * point->threads;
        if (again && used == last->point.p * last->point.threads && last->point.T < point->T) {
            continue;
        }
        t->count += !again;
        t->stations[t->count - 1] = (station){
            .point = *point, .u = used / t->here->processors, .sizes_group = point->sizes_group};
    }
    for (size_t begin = 0; begin < t->count;) {
        size_t end = begin;
        while (end < t->count && t->stations[end].sizes_group == t->stations[begin].sizes_group) {
            end++;
        }
        smooth(t->stations + begin, end - begin);
        part(t->stations + begin, end - begin);
        begin = end;
    }
}

/* Fewer processes on as many nodes: what is bound by memory takes as long, and the rest of the
 * node's time longer by their ratio. */
static void find_evidence(transferring *t) {
    size_t at = 0;
    for (size_t i = 0; i < t->points.count; i++) {
        const isocast_transfer_point *point = &t->points.items[i];
        while (t->stations[at].sizes_group != point->sizes_group ||
               t->stations[at].point.nodes != point->nodes) {
            at++;
        }
        const station *full = &t->stations[at];
        double fewer = full->point.p * full->point.threads / (point->p * point->threads);
        double rest = 1 - full->node / full->T;
        if (fewer >= sparse_ratio && rest < 1) {
            double longer = (point->T / full->point.T - rest) / (1 - rest);
            t->share_sum += fmin(1, fmax(0, (fewer - longer) / (fewer - 1)));
            t->out->evidence++;
        }
    }
    /* Each pair of runs counts as much as what was known before of one kind. */
    double memory = (1 + t->share_sum) / (ISOCAST_TRANSFER_KINDS + (double)t->out->evidence);
    for (size_t k = 0; k < ISOCAST_TRANSFER_KINDS; k++) {
        t->out->weights[k] =
            k == ISOCAST_TRANSFER_MEMORY ? memory : (1 - memory) / (ISOCAST_TRANSFER_KINDS - 1);
    }
}

static double ratio_or_one(double a, double b) {
    return isnan(a) || isnan(b) ? 1 : a / b;
}

/* What a byte and a message take there over here; 1 where a file says nothing of it. */
static double network_rate(const transferring *t) {
    const isocast_network *here = t->request->from.network;
    const isocast_network *there = t->request->to.network;
    return here != NULL && there != NULL ? here->link_bandwidth / there->link_bandwidth : 1;
}

static double network_latency(const transferring *t) {
    const isocast_network *here = t->request->from.network;
    const isocast_network *there = t->request->to.network;
    bool known = here != NULL && there != NULL && here->link_latency > 0 && there->link_latency > 0;
    return known ? there->link_latency / here->link_latency : 1;
}

static void find_ratios(transferring *t) {
    const isocast_transfer_request *r = t->request;
    double processors = t->here->processors / t->there->processors;
    double clock = ratio_or_one(t->here->frequency, t->there->frequency);
    double *ratios = t->out->ratios;
    t->out->has_clock = !isnan(t->here->frequency) && !isnan(t->there->frequency);
    t->out->has_network = r->from.network != NULL && r->to.network != NULL;
    ratios[ISOCAST_TRANSFER_MEMORY] = t->here->memory_bandwidth / t->there->memory_bandwidth;
    ratios[ISOCAST_TRANSFER_CACHES] = ratios[ISOCAST_TRANSFER_ISSUE] = processors * clock;
    ratios[ISOCAST_TRANSFER_VECTORS] = processors * t->here->marked_speed / t->there->marked_speed;
}

/* No two machines are that far apart, and beyond it products of ratios have no value. */
static bool is_ratio(double ratio) {
    return ratio >= 1e-50 && ratio <= 1e50;
}

static isocast_status check_ratios(const transferring *t) {
    bool near = is_ratio(network_rate(t)) && is_ratio(network_latency(t));
    for (size_t k = 0; k < ISOCAST_TRANSFER_KINDS; k++) {
        near = near && is_ratio(t->out->ratios[k]);
    }
    return near ? ISOCAST_OK
                : refuse_machine(t->request->to.machine,
                                 "look at the units of speed, frequency, memory_bandwidth and the "
                                 "network in both files",
                                 t->diagnostics,
                                 "this machine is more than 1e50 times as fast as the one that the "
                                 "runs are of, or as slow");
}

/* Mean and variance of ln of a ratio whose parts go by several, in shares that are drawn of what is
 * known of them: `known` counts as many. */
typedef struct moments {
    double mean, variance;
} moments;

static moments mix(const double *weights, const double *ratios, size_t count, double known) {
    moments m = {0, 0};
    double square = 0;
    for (size_t k = 0; k < count; k++) {
        m.mean += weights[k] * log(ratios[k]);
        square += weights[k] * log(ratios[k]) * log(ratios[k]);
    }
    m.variance = fmax(0, square - m.mean * m.mean) / (known + 1);
    return m;
}

/* What more nodes do not shorten goes by the node, by the rate of its link, and by latencies, of
 * which there are the more the more processes there are. */
static moments rest_of(const transferring *t, double node, double processes) {
    static const double thirds[REST_KINDS] = {1. / REST_KINDS, 1. / REST_KINDS, 1. / REST_KINDS};
    const double ratios[REST_KINDS] = {exp(node), network_rate(t), network_latency(t) * processes};
    return mix(thirds, ratios, REST_KINDS, REST_KINDS);
}

static void carry_over(const transferring *t, const station *s, isocast_transfer_row *row) {
    const isocast_transfer *out = t->out;
    const isocast_transfer_point *point = &s->point;
    double filled = s->u / point->nodes;
    double p = round(filled * t->there->processors * point->nodes / point->threads);
    row->sizes = out->sizes + s->sizes_group * out->size_count;
    row->nodes = point->nodes;
    row->p_here = point->p;
    row->p = fmax(1, p);
    row->T_here = point->T;
    if (point->nodes > t->there->count) {
        row->status = ISOCAST_TRANSFER_BEYOND;
        return;
    }
    moments node = mix(out->weights, out->ratios, ISOCAST_TRANSFER_KINDS,
                       ISOCAST_TRANSFER_KINDS + (double)out->evidence);
    moments rest = rest_of(t, node.mean, row->p / row->p_here);
    double T_node = s->node * exp(node.mean);
    double T_rest = (s->T - s->node) * exp(rest.mean);
    row->T = T_node + T_rest;
    row->rest = T_rest / row->T;
    double step = likeness + fabs(log(row->T / row->T_here));
    double variance = pow(1 - row->rest, 2) * node.variance + pow(row->rest, 2) * rest.variance +
                      step_error * step_error * step + s->off * s->off;
    double factor = exp(quantile * sqrt(variance));
    row->T_low = row->T / factor;
    row->T_high = row->T * factor;
    row->T_by_memory = row->T_here * out->ratios[ISOCAST_TRANSFER_MEMORY];
    row->T_by_speed = row->T_here * out->ratios[ISOCAST_TRANSFER_VECTORS];
}

/* flop/s of the processors that a row uses; threads are of processes here. */
static double speed_of(const transferring *t, const isocast_node_class *class, double processes,
                       double threads) {
    const char *kernel = isocast_work_algorithm(t->request->work)->kernel;
    return processes * threads * isocast_marked_speed_of(class, kernel);
}

static isocast_status find_efficiencies(const transferring *t) {
    for (size_t i = 0; i < t->count; i++) {
        isocast_transfer_row *row = &t->out->rows[i];
        double threads = t->stations[i].point.threads;
        double C_here = speed_of(t, t->here, row->p_here, threads);
        double C = speed_of(t, t->there, row->p, threads);
        isocast_status status =
            isocast_work_evaluate(t->request->work, row->sizes, row->sizes + 1, 1, &row->W);
        if (status != ISOCAST_OK) {
            return status;
        }
        row->E_here = row->W / (row->T_here * C_here);
        row->E = row->W / (row->T * C);
        row->E_low = row->W / (row->T_high * C);
        row->E_high = row->W / (row->T_low * C);
    }
    return ISOCAST_OK;
}

/* A row among those that differ from it in the first size alone. */
typedef struct along {
    isocast_transfer_row *row;
    size_t further; /* sizes beside the first */
    double best[3]; /* the largest E, E_low and E_high up to here */
} along;

static int by_family(const along *a, const along *b) {
    int order = isocast_order(a->row->nodes, b->row->nodes);
    for (size_t k = 1; order == 0 && k <= a->further; k++) {
        order = isocast_order(a->row->sizes[k], b->row->sizes[k]);
    }
    return order;
}

static int by_first_size(const void *left, const void *right) {
    int order = by_family(left, right);
    const along *a = left;
    const along *b = right;
    return order != 0 ? order : isocast_order(a->row->sizes[0], b->row->sizes[0]);
}

/* The first size that has an E, on a straight line of ln E over ln N between two of the runs'; NAN
 * beyond them. */
static double size_at(const along *a, size_t count, size_t which, double E) {
    static const double rounding = 1e-12;
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        bool reached = a[middle].best[which] >= E * (1 - rounding);
        high = reached ? middle : high;
        low = reached ? low : middle + 1;
    }
    if (low == count || (low == 0 && a[0].best[which] > E * (1 + rounding))) {
        return NAN;
    }
    if (low == 0) {
        return a[0].row->sizes[0];
    }
    double before = a[low - 1].best[which];
    double share = log(E / before) / log(a[low].best[which] / before);
    return a[low - 1].row->sizes[0] * pow(a[low].row->sizes[0] / a[low - 1].row->sizes[0], share);
}

static isocast_status find_sizes_among(const transferring *t, along *a, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const isocast_transfer_row *row = a[i].row;
        const double E[3] = {row->E, row->E_low, row->E_high};
        for (size_t k = 0; k < 3; k++) {
            a[i].best[k] = i > 0 && !(E[k] > a[i - 1].best[k]) ? a[i - 1].best[k] : E[k];
        }
    }
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; status == ISOCAST_OK && i < count; i++) {
        isocast_transfer_row *row = a[i].row;
        row->N = size_at(a, count, 0, row->E_here);
        row->N_low = size_at(a, count, 2, row->E_here);
        row->N_high = size_at(a, count, 1, row->E_here);
        if (!isnan(row->N)) {
            double W = NAN;
            status = isocast_work_evaluate(t->request->work, &row->N, row->sizes + 1, 1, &W);
            /* C'/C is E T/W on both sides. */
            row->psi = row->E_here * row->T_here / (row->E * row->T) * row->W / W;
        }
    }
    return status;
}

static isocast_status find_sizes(const transferring *t) {
    along *a = calloc(t->count + 1, sizeof *a);
    if (a == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (t->out->rows[i].status == ISOCAST_TRANSFER_OK) {
            a[count++] = (along){.row = &t->out->rows[i], .further = t->out->size_count - 1};
        }
    }
    qsort(a, count, sizeof *a, by_first_size);
    isocast_status status = ISOCAST_OK;
    for (size_t begin = 0; status == ISOCAST_OK && begin < count;) {
        size_t end = begin;
        while (end < count && by_family(&a[begin], &a[end]) == 0) {
            end++;
        }
        status = find_sizes_among(t, a + begin, end - begin);
        begin = end;
    }
    free(a);
    return status;
}

static const isocast_transfer_row unknown = {.T = NAN,
                                             .T_low = NAN,
                                             .T_high = NAN,
                                             .rest = NAN,
                                             .T_by_memory = NAN,
                                             .T_by_speed = NAN,
                                             .W = NAN,
                                             .E_here = NAN,
                                             .E = NAN,
                                             .E_low = NAN,
                                             .E_high = NAN,
                                             .N = NAN,
                                             .N_low = NAN,
                                             .N_high = NAN,
                                             .psi = NAN};

static isocast_status compute(transferring *t) {
    isocast_transfer *out = t->out;
    t->stations = calloc(t->points.count + 1, sizeof *t->stations);
    out->rows = calloc(t->points.count + 1, sizeof *out->rows);
    if (t->stations == NULL || out->rows == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    out->sizes = t->points.sizes;
    t->points.sizes = NULL;
    out->size_count = t->points.size_count;
    find_stations(t);
    find_evidence(t);
    find_ratios(t);
    isocast_status status = check_ratios(t);
    if (status != ISOCAST_OK) {
        return status;
    }
    out->count = t->count;
    for (size_t i = 0; i < t->count; i++) {
        out->rows[i] = unknown;
        carry_over(t, &t->stations[i], &out->rows[i]);
    }
    if (t->request->work == NULL) {
        return ISOCAST_OK;
    }
    status = find_efficiencies(t);
    return status == ISOCAST_OK ? find_sizes(t) : status;
}

isocast_status isocast_transfer_compute(const isocast_transfer_request *request,
                                        isocast_diagnostics *diagnostics, isocast_transfer **out) {
    if (!request->runs->has_times) {
        return ISOCAST_ARGUMENT;
    }
    isocast_status from = check_site(&request->from, diagnostics);
    isocast_status status = check_site(&request->to, diagnostics);
    if (from != ISOCAST_OK || status != ISOCAST_OK) {
        return from != ISOCAST_OK ? from : status;
    }
    transferring t = {.request = request,
                      .here = &request->from.machine->classes[0],
                      .there = &request->to.machine->classes[0],
                      .diagnostics = diagnostics,
                      .out = calloc(1, sizeof *t.out)};
    status = t.out == NULL
                 ? ISOCAST_NO_MEMORY
                 : isocast_transfer_points_read(
                       request->runs, request->from.machine,
                       request->work != NULL ? isocast_work_algorithm(request->work) : NULL,
                       request->algorithm, diagnostics, &t.points);
    if (status == ISOCAST_OK) {
        status = compute(&t);
    }
    isocast_transfer_points_free(&t.points);
    free(t.stations);
    if (status != ISOCAST_OK) {
        isocast_transfer_free(t.out);
        return status;
    }
    *out = t.out;
    return ISOCAST_OK;
}

void isocast_transfer_free(isocast_transfer *transfer) {
    if (transfer == NULL) {
        return;
    }
    free(transfer->rows);
    free(transfer->sizes);
    free(transfer);
}
