#include "platform_ladder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launcher.h"
#include "model/base/order.h"
#include "simgrid.h"
#include "simulation.h"

enum {
    COUNTED = 0,
    SIMULATED = 1,
    ENGINES = 2,
    ROOTS = 8,         /* of rounds of broadcasts, all over the system */
    AT_ONCE = 2,       /* launches */
    ALIKE_LEAST = 3,   /* rungs that state a growth */
    CALLS_OF_CELL = 12 /* that looking between two sizes takes, about */
};

/* Ladders go down to so few processes, and have so many nodes as long as they can. */
static const double processes_least = 16;
static const double nodes_least = 4;
/* Of the time that an operation has: for counting; the rest is for simulations. */
static const double counting_share = 0.55;
/* A rung takes so many times what the one before took, at least and at most: messages of all to
 * all are the square of the processes. */
static const double growth_least = 2;
static const double growth_most = 4.5;
static const double memory_most = 2e9; /* B of a simulation */
static const double bytes_most = 3e8;  /* B of all processes' messages in one */
/* s; what a size takes at least. */
static const double cost_least = 0.02;
/* s; nothing is known without the first rung. */
static const double last_resort = 10;
/* No ratio is known better than this; nor, where nothing of the size was simulated, than that. */
static const double error_least = 0.002;
static const double error_unchecked = 0.05;
/* A growth with p misses so much for each doubling: where one rung is known it may be none, or the
 * square; where two are, no third one checks it; and three know it no better than that. */
static const double guessed_growth = 1;
static const double unchecked_growth = 0.3;
static const double growth_error_least = 0.03;
/* Nor than that, where rungs differ in the processes of a node alone, and the system in nodes. */
static const double growth_error_unlike = 0.1;
/* Growths that missed the last rung by up to so many times what the best one did, or by the least
 * error, may be right as well. */
static const double misses_alike = 3;
/* s: times below this state no ratio. */
static const double time_least = 1e-9;

/* A system of a ladder. */
typedef struct rung {
    double processes; /* of the operation: all, or a part */
    double all;       /* of the system */
    double each;      /* on a node */
    size_t place[ENGINES];
} rung;

typedef struct climb {
    campaign_ladder *ladder;
    campaign_place *target;
    size_t operation;
    rung rungs[CAMPAIGN_LADDER_RUNGS];
    size_t count;
} climb;

isocast_status campaign_ladder_begin(campaign_ladder *l) {
    const campaign_launches *own = l->launches;
    for (int k = 0; k < ENGINES; k++) {
        l->places[k] = (campaign_places){.platform = own->places->platform,
                                         .version = own->places->version,
                                         .any_size = k == COUNTED};
        campaign_places_begin(&l->places[k]);
        l->engines[k] = (campaign_launches){.probe = k == COUNTED ? l->quick : own->probe,
                                            .cache = own->cache,
                                            .listener = own->listener,
                                            .budget = own->budget,
                                            .places = &l->places[k],
                                            .quick = k == COUNTED,
                                            .partial = true,
                                            .roots = ROOTS};
    }
    campaign_launches_begin_like(&l->engines[SIMULATED], own);
    isocast_status status = campaign_launches_begin(&l->engines[COUNTED]);
    l->engines[COUNTED].started = own->started;
    return status;
}

void campaign_ladder_free(campaign_ladder *l) {
    for (int k = 0; k < ENGINES; k++) {
        campaign_places_free(&l->places[k]);
    }
}

/* A system with as many nodes of each entry as `nodes`, and processes on each. */
static char *name_system(const isocast_platform *platform, const isocast_system *system,
                         const double *nodes, const double *each) {
    isocast_buffer name = {0};
    bool several = platform->hardware->class_count > 1;
    for (size_t i = 0; i < system->count; i++) {
        isocast_buffer_printf(&name, "%s%s%s%.0fx%.0f", i > 0 ? "+" : "",
                              several ? platform->hardware->classes[system->classes[i]].name : "",
                              several ? ":" : "", each[i], nodes[i]);
    }
    return isocast_buffer_take(&name);
}

/* Halves the largest number of a list. */
static void halve(double *numbers, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, numbers[i]);
    }
    for (size_t i = 0; i < count; i++) {
        numbers[i] = most > 2 ? ceil(numbers[i] / 2) : 1;
    }
}

static double sum_of(const double *a, const double *b, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += a[i] * (b != NULL ? b[i] : 1);
    }
    return sum;
}

size_t campaign_ladder_systems(const isocast_platform *platform, const isocast_system *system,
                               char *names[CAMPAIGN_LADDER_RUNGS]) {
    size_t entries = system->count;
    size_t count = 0;
    double *nodes = calloc(2 * entries, sizeof *nodes);
    if (nodes == NULL) {
        return 0;
    }
    double *each = nodes + entries;
    for (size_t i = 0; i < entries; i++) {
        each[i] = system->each[i];
        nodes[i] = ceil(system->table.rows[ISOCAST_CLASS_PROCESSES][i] / each[i]);
    }
    /* The last node of an entry may have fewer processes: the system itself has its own name. */
    names[count++] = strdup(system->name);
    while (count < CAMPAIGN_LADDER_RUNGS && sum_of(nodes, each, entries) >= 2 * processes_least) {
        bool wide = sum_of(nodes, NULL, entries) >= 2 * nodes_least ||
                    sum_of(each, NULL, entries) <= (double)entries;
        double before = sum_of(nodes, each, entries);
        halve(wide ? nodes : each, entries);
        if (sum_of(nodes, each, entries) >= before) {
            break;
        }
        names[count++] = name_system(platform, system, nodes, each);
    }
    free(nodes);
    return count;
}

typedef double growth(double p);
static double as_nothing(double p) {
    (void)p;
    return 0;
}
static double as_square(double p) {
    return p * p;
}
static double as_itself(double p) {
    return p;
}
static growth *const growths[] = {as_nothing, log2, sqrt, as_itself, as_square};

/* a + b g(p), b not below 0, by least squares of the relative misses; what it has at `to`. a may be
 * below 0: messages of the first node take less than those of others. */
static double fitted(growth *g, const double *p, const double *t, size_t count, double to) {
    double s[5] = {0};
    for (size_t i = 0; i < count; i++) {
        double w = 1 / fmax(t[i] * t[i], time_least * time_least);
        double x = g(p[i]);
        s[0] += w;
        s[1] += w * x;
        s[2] += w * x * x;
        s[3] += w * t[i];
        s[4] += w * x * t[i];
    }
    double determinant = s[0] * s[2] - s[1] * s[1];
    double slope =
        determinant > 1e-12 * s[0] * s[2] ? fmax((s[0] * s[4] - s[1] * s[3]) / determinant, 0) : 0;
    return fmax((s[3] - slope * s[1]) / s[0] + slope * g(to), time_least);
}

/* What an error of each doubling comes to. */
static double compounded(double each, double doublings) {
    return pow(1 + each, doublings) - 1;
}

/* A growth from some rungs on, chosen by the last of them. */
typedef struct forecast {
    double seconds; /* at the system it is asked for */
    double miss;    /* of the last rung, by those before: |ln| */
    double spread;  /* of growths that missed it about as little: |ln| */
} forecast;

/* count: 3 or more. */
static forecast forecast_to(const double *p, const double *t, size_t count, double to) {
    enum { GROWTHS = sizeof growths / sizeof growths[0] };
    double misses[GROWTHS];
    double found[GROWTHS];
    size_t best = 0;
    for (size_t k = 0; k < GROWTHS; k++) {
        misses[k] = fabs(log(fitted(growths[k], p, t, count - 1, p[count - 1]) / t[count - 1]));
        found[k] = t[count - 1] * fitted(growths[k], p, t, count, to) /
                   fitted(growths[k], p, t, count, p[count - 1]);
        best = misses[k] < misses[best] ? k : best;
    }
    forecast out = {found[best], misses[best], 0};
    for (size_t k = 0; k < GROWTHS; k++) {
        bool alike = misses[k] <= fmax(misses_alike * out.miss, growth_error_least);
        out.spread = fmax(out.spread, alike ? fabs(log(found[k] / out.seconds)) : 0);
    }
    return out;
}

double campaign_ladder_extend(const double *p, const double *t, size_t count, double to,
                              double *error) {
    enum { LAST = 5 };
    size_t first = count > LAST ? count - LAST : 0;
    size_t used = count - first;
    double last = t[count - 1];
    double doublings = log2(to / p[count - 1]);
    *error = 0;
    if (!(doublings > 0) || !(last > 0)) {
        return last;
    }
    if (used < 3) {
        /* By a power of p, as far as there is one, which nothing has checked. */
        double power =
            used < 2 ? 1 : log(last / fmax(t[first], time_least)) / log(p[first + 1] / p[first]);
        *error = compounded(used < 2 ? guessed_growth : unchecked_growth, doublings);
        return last * pow(to / p[count - 1], fmin(fmax(power, 0), 2));
    }
    forecast found = forecast_to(&p[first], &t[first], used, to);
    double miss = found.miss;
    /* Rungs before show how far such forecasts are off, too: the best growth is chosen again each
     * time, so that it misses the rung that chose it least. */
    for (size_t n = 3; n < used; n++) {
        double seconds = forecast_to(&p[first], &t[first], n, p[first + n]).seconds;
        miss = fmax(miss, fabs(log(seconds / fmax(t[first + n], time_least))));
    }
    *error = hypot(compounded(fmax(expm1(miss), growth_error_least), doublings),
                   expm1(found.spread) / 2);
    return found.seconds;
}

/* The part of a rung's system that stands for the target's. */
static isocast_status find_part(climb *c, rung *r, int engine, double smallest) {
    campaign_places *places = &c->ladder->places[engine];
    const campaign_place *target = c->target;
    const isocast_system *whole = target->system;
    if (!target->part) {
        return ISOCAST_OK;
    }
    const isocast_system *own = places->items[r->place[engine]].system;
    double part = campaign_place_processes(target);
    double processes =
        part <= smallest ? target->processes : fmax(2, floor(part * own->p / whole->p));
    /* Parts that reach over all nodes do so on fewer nodes, too. */
    double nearer = target->share < 1 ? whole->nodes / own->nodes : 1;
    double share = target->share * nearer * own->p_node / whole->p_node;
    /* Nor do they reach over more nodes than there are. */
    share = fmin(fmax(share, processes / own->nodes), processes);
    r->processes = processes;
    return campaign_places_find_part(places, r->place[engine], c->ladder->kernel, processes, share,
                                     c->ladder->launches->listener, &r->place[engine]);
}

/* Finds the rungs' places. */
static isocast_status prepare(climb *c) {
    const isocast_platform *platform = c->ladder->launches->places->platform;
    char *names[CAMPAIGN_LADDER_RUNGS];
    size_t count = campaign_ladder_systems(platform, c->target->system, names);
    isocast_status status = count > 0 ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    double smallest = 0;
    for (size_t i = count; i-- > 0;) {
        isocast_system *own = NULL;
        rung *r = &c->rungs[c->count++];
        if (status == ISOCAST_OK) {
            status = names[i] == NULL ? ISOCAST_NO_MEMORY
                                      : isocast_system_named(platform->hardware, c->ladder->kernel,
                                                             "system", names[i], NULL, &own);
        }
        for (int k = 0; k < ENGINES && status == ISOCAST_OK; k++) {
            r->processes = r->all = own->p;
            r->each = own->p_node_max;
            smallest = c->count == 1 ? own->p : smallest;
            status = campaign_places_find(&c->ladder->places[k], own, c->ladder->kernel,
                                          c->ladder->launches->listener, &r->place[k]);
            status = status == ISOCAST_OK ? find_part(c, r, k, smallest) : status;
        }
        isocast_system_free(own);
        free(names[i]);
    }
    return status;
}

static campaign_place *place_of(const climb *c, size_t at, int engine) {
    return &c->ladder->places[engine].items[c->rungs[at].place[engine]];
}

static campaign_curve *curve_of(const climb *c, size_t at, int engine) {
    return &place_of(c, at, engine)->curves[c->operation];
}

static bool is_sized(const climb *c) {
    return campaign_operation_is_sized(&isocast_known_operations[c->operation]);
}

/* The row of the k-th size; NULL: it is not known. */
static const campaign_size_time *row_of(const climb *c, size_t at, int engine, size_t k) {
    const campaign_place *place = place_of(c, at, engine);
    const campaign_size_times *grid = &place->curves[c->operation].grid;
    double m = campaign_grid_size(k);
    for (size_t i = 0; i < grid->count; i++) {
        if (grid->rows[i].m == m || !is_sized(c)) {
            return k == 0 || is_sized(c) ? &grid->rows[i] : NULL;
        }
    }
    return NULL;
}

/* What a size is likely to take on a rung by what it took on those before, s. */
static double cost_on(const climb *c, size_t at, int engine, size_t k) {
    const campaign_size_time *last = row_of(c, at - 1, engine, k);
    const campaign_size_time *before = at > 1 ? row_of(c, at - 2, engine, k) : NULL;
    if (last == NULL) {
        return INFINITY;
    }
    double grown = before != NULL && before->cost > 0 ? last->cost / before->cost : growth_most;
    return fmax(last->cost, cost_least) * fmin(fmax(grown, growth_least), growth_most);
}

/* Leaves out the sizes of a rung that are known, that are not asked for ([k]), or that are not
 * likely to end in the time that is left, s: the cheapest come first. Gives how many are left in.
 */
static size_t choose_sizes(const climb *c, size_t at, int engine, const bool *asked, double left) {
    campaign_curve *curve = curve_of(c, at, engine);
    size_t count = c->ladder->places[engine].grid;
    double costs[CAMPAIGN_GRID_MAX];
    size_t chosen = 0;
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        double bytes = campaign_grid_size(k) * c->rungs[at].all;
        bool fits = engine == COUNTED || bytes <= bytes_most;
        bool due = asked[k] && row_of(c, at, engine, k) == NULL;
        costs[k] = !fits || !due ? INFINITY : at == 0 ? 0 : cost_on(c, at, engine, k);
        curve->skipped[k] = true;
    }
    for (bool more = true; more;) {
        size_t best = count;
        for (size_t k = 0; k < count; k++) {
            bool free = curve->skipped[k] && isfinite(costs[k]);
            best = free && (best == count || costs[k] < costs[best]) ? k : best;
        }
        more = best < count && (at == 0 || sum + costs[best] <= left);
        if (more) {
            sum += costs[best];
            curve->skipped[best] = false;
            chosen++;
        }
    }
    return chosen;
}

/* Whether there is memory to simulate so many processes. */
static bool has_memory(double processes) {
    return processes <= SIMGRID_PROCESSES_MAX &&
           campaign_simulation_memory(processes) <= memory_most &&
           campaign_memory_has_room(processes);
}

/* As far up as there is time. */
static isocast_status run_up(climb *c, int engine, const bool *asked, double until) {
    campaign_launches *launches = &c->ladder->engines[engine];
    double at_once = fmin((double)launcher_at_once(), AT_ONCE);
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < c->count && status == ISOCAST_OK; i++) {
        double now = campaign_clock();
        campaign_curve *curve = curve_of(c, i, engine);
        if (engine == SIMULATED && !has_memory(c->rungs[i].all)) {
            break;
        }
        bool last_chance = i == 0 && engine == COUNTED && !curve->known;
        if ((until <= now && !last_chance) ||
            choose_sizes(c, i, engine, asked, at_once * (until - now)) == 0) {
            continue;
        }
        bool news;
        curve->wanted = true;
        curve->known = false; /* of these sizes */
        /* The first rung is short, and there is nothing without it. */
        launches->until = last_chance ? fmax(until, now + last_resort) : until;
        status = campaign_launches_run(launches, &news);
        curve->wanted = false;
        if (!news) {
            break; /* nor does it apply above, or end */
        }
    }
    return status;
}

/* What simulations take over what is counted, for a size on a rung, as its logarithm; false where
 * either is not known. */
static bool ratio_at(const climb *c, size_t at, size_t k, double *out) {
    const campaign_size_time *counted = row_of(c, at, COUNTED, k);
    const campaign_size_time *simulated = row_of(c, at, SIMULATED, k);
    if (counted == NULL || simulated == NULL) {
        return false;
    }
    bool shows = fmin(counted->seconds, simulated->seconds) > time_least;
    *out = shows ? log(simulated->seconds / counted->seconds) : 0;
    return true;
}

/* The ratio of the last rung that has one; where none has, that of the size before. *error: how it
 * differs from that of the rung before, for each doubling up to the system; *simulated: the
 * processes of that rung, or 0. */
static double last_ratio(const climb *c, size_t k, double last, double *error, double *simulated) {
    double change = error_unchecked;
    *simulated = 0;
    for (size_t i = 0; i < c->count; i++) {
        double ratio;
        if (ratio_at(c, i, k, &ratio)) {
            change = *simulated > 0 ? ratio - last : ratio;
            *simulated = c->rungs[i].all;
            last = ratio;
        }
    }
    double doublings = *simulated > 0 ? log2(c->rungs[c->count - 1].all / *simulated) : 1;
    *error =
        compounded(*simulated > 0 ? hypot(error_least, change) : fabs(change), fmax(doublings, 1));
    return last;
}

/* Counted times of a size; `alike`: on rungs whose nodes have as many processes as the system.
 * Gives how many there are. */
static size_t list_times(const climb *c, size_t k, bool alike, double *p, double *t) {
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++) {
        const campaign_size_time *row = row_of(c, i, COUNTED, k);
        if (row != NULL && (!alike || c->rungs[i].each == c->rungs[c->count - 1].each)) {
            p[count] = c->rungs[i].all;
            t[count++] = row->seconds;
        }
    }
    return count;
}

ISOCAST_ORDER_BY(compare_misses, double, *x)

/* What three quarters of the sizes do not miss by more than: one may be a jump that the next rung
 * has at another size. */
static double most_of(double *misses, size_t count) {
    qsort(misses, count, sizeof *misses, compare_misses);
    return count > 0 ? misses[3 * count / 4] : 0;
}

void campaign_ladder_sum_up(const campaign_ladder_size *sizes, size_t count, campaign_curve *out) {
    double misses[CAMPAIGN_GRID_MAX];
    double worst = 0;
    bool any = false;
    for (size_t k = 0; k < count; k++) {
        misses[k] = sizes[k].error;
        any = any || out->matters[k];
    }
    out->counted = INFINITY;
    out->simulated = 0;
    for (size_t k = 0; k < count; k++) {
        if (!any || out->matters[k]) {
            worst = fmax(worst, sizes[k].error);
            out->counted = fmin(out->counted, sizes[k].counted);
            out->simulated = fmax(out->simulated, sizes[k].simulated);
        }
    }
    out->error = any ? worst : most_of(misses, count);
}

/* How much longer all nodes' messages to all others take on a node's link with more nodes that are
 * as full: nothing grows faster with them on a switch, while with the processes of a node times may
 * grow as their square. */
static double growth_of_exchange(const isocast_network *network, double from, double to) {
    bool known = network->topology == ISOCAST_TOPOLOGY_SWITCHED && from >= 2;
    return known ? (to - 1) / (from - 1) * isocast_network_slowdown(network, to) /
                       isocast_network_slowdown(network, from)
                 : INFINITY;
}

double campaign_ladder_extend_unlike(const isocast_network *network, const double *p,
                                     const double *t, size_t count,
                                     const campaign_ladder_nodes *nodes, double *error) {
    double none;
    double grown = campaign_ladder_extend(p, t, count, nodes->to, error);
    double before = campaign_ladder_extend(p, t, count, nodes->full, &none);
    double most = growth_of_exchange(network, nodes->full / nodes->each, nodes->to / nodes->each);
    if (count >= ALIKE_LEAST) {
        *error = fmax(*error, compounded(growth_error_unlike, log2(nodes->to / p[count - 1])));
    }
    return fmin(grown, before * most);
}

/* The processes of the smallest rung above p whose nodes are as full as the system's. */
static campaign_ladder_nodes nodes_above(const climb *c, double p) {
    const rung *last = &c->rungs[c->count - 1];
    campaign_ladder_nodes out = {last->all, last->each, last->all};
    for (size_t i = c->count; i > 0 && c->rungs[i - 1].each == last->each; i--) {
        out.full = c->rungs[i - 1].all >= p ? c->rungs[i - 1].all : out.full;
    }
    return out;
}

/* The times of the large system: of all sizes, up to one that is known on no rung. */
static isocast_status make_rows(const climb *c, campaign_curve *out) {
    size_t count = is_sized(c) ? c->ladder->places[COUNTED].grid : 1;
    campaign_ladder_size sizes[CAMPAIGN_GRID_MAX] = {0};
    double all = c->rungs[c->count - 1].all;
    double ratio = 0;
    campaign_size_times_free(&out->grid);
    for (size_t k = 0; k < count; k++) {
        double p[CAMPAIGN_LADDER_RUNGS];
        double t[CAMPAIGN_LADDER_RUNGS];
        size_t known = list_times(c, k, true, p, t);
        bool unlike = known < ALIKE_LEAST;
        known = unlike ? list_times(c, k, false, p, t) : known;
        if (known == 0) {
            break;
        }
        double of_ratio;
        double of_growth;
        double simulated;
        ratio = last_ratio(c, k, ratio, &of_ratio, &simulated);
        const campaign_size_time *itself = row_of(c, c->count - 1, SIMULATED, k);
        const campaign_ladder_nodes nodes = nodes_above(c, p[known - 1]);
        double grown =
            unlike ? campaign_ladder_extend_unlike(&c->ladder->launches->places->platform->network,
                                                   p, t, known, &nodes, &of_growth)
                   : campaign_ladder_extend(p, t, known, all, &of_growth);
        double seconds = itself != NULL ? itself->seconds : grown * exp(ratio);
        double m = is_sized(c) ? campaign_grid_size(k) : 0;
        sizes[k] = itself != NULL ? (campaign_ladder_size){error_least, all, all}
                                  : (campaign_ladder_size){hypot(of_growth, of_ratio), p[known - 1],
                                                           simulated};
        if (!campaign_size_times_add(&out->grid, m, fmax(seconds, time_least))) {
            return ISOCAST_NO_MEMORY;
        }
    }
    campaign_ladder_sum_up(sizes, out->grid.count, out);
    return ISOCAST_OK;
}

void campaign_ladder_report(const campaign_place *place, const campaign_listener *listener) {
    double all = place->system->p;
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        const campaign_curve *made = &place->curves[i];
        if (!made->elsewhere || made->grid.count == 0) {
            continue;
        }
        char grown[96] = "";
        char off[64];
        char checked[96] = "not checked by a simulation";
        if (made->counted < all) {
            snprintf(grown, sizeof grown, " up to %.0f, from which they are extrapolated",
                     made->counted);
        }
        if (made->simulated > 0) {
            snprintf(checked, sizeof checked, "checked by simulations of up to %.0f",
                     made->simulated);
        }
        bool far = made->error >= 1;
        snprintf(off, sizeof off,
                 far ? "they may be off by a factor of %.3g" : "their standard error is %.3g %%",
                 far ? 1 + made->error : 100 * made->error);
        campaign_report(listener, CAMPAIGN_NOTE,
                        "times of %s on %.0f processes are counted%s, and %s; %s",
                        isocast_known_operations[i].name, all, grown, checked, off);
    }
}

/* Whether the simulation reached a system, at all sizes. */
static bool is_complete(const climb *c, const campaign_curve *curve) {
    size_t sizes = is_sized(c) ? c->ladder->places[SIMULATED].grid : 1;
    bool complete = curve->known && !curve->left;
    for (size_t k = 0; k < sizes && complete; k++) {
        const isocast_known_operation *known = &isocast_known_operations[c->operation];
        double p = campaign_place_processes(c->target);
        complete =
            !curve->skipped[k] || !campaign_operation_can_be_of(known, campaign_grid_size(k), p);
    }
    return complete;
}

static isocast_status climb_for(campaign_ladder *l, campaign_place *place, size_t operation,
                                double until) {
    climb c = {.ladder = l, .target = place, .operation = operation};
    campaign_curve *curve = &place->curves[operation];
    double started = campaign_clock();
    isocast_status status = prepare(&c);
    double counting = started + counting_share * fmax(until - started, 0);
    bool all[CAMPAIGN_GRID_MAX];
    memset(all, true, sizeof all);
    status = status == ISOCAST_OK ? run_up(&c, COUNTED, all, counting) : status;
    status = status == ISOCAST_OK ? run_up(&c, SIMULATED, all, until) : status;
    if (status != ISOCAST_OK) {
        return status;
    }
    campaign_size_times_free(&curve->grid);
    curve->left = false;
    curve->known = true;
    const campaign_curve *itself = curve_of(&c, c.count - 1, SIMULATED);
    curve->elsewhere = !is_complete(&c, itself);
    if (!curve->elsewhere) {
        bool copied =
            campaign_size_times_insert_all(&curve->grid, itself->grid.rows, itself->grid.count);
        return copied ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    }
    status = make_rows(&c, curve);
    const campaign_curve *first = curve_of(&c, 0, COUNTED);
    if (status == ISOCAST_OK && curve->grid.count == 0 && (first->left || !first->known)) {
        status = campaign_fail(l->launches->listener, ISOCAST_PROGRAM,
                               "%s on %.0f processes: the budget of %.3g s is too short even for "
                               "the smallest system\n    hint: give more --budget",
                               isocast_known_operations[operation].name, place->system->p,
                               l->launches->budget);
    }
    return status;
}

/* The n-th curve of all places. */
static campaign_curve *curve_at(const campaign_places *places, size_t n) {
    return &places->items[n / ISOCAST_KNOWN_OPERATIONS].curves[n % ISOCAST_KNOWN_OPERATIONS];
}

static bool is_asked(const campaign_curve *c) {
    return c->wanted && !c->known;
}

static bool is_due(const campaign_curve *c) {
    bool due = false;
    for (size_t k = 0; c->elsewhere && k < c->grid.count; k++) {
        due = due || (c->matters[k] && !c->raised[k]);
    }
    return due;
}

static isocast_status raise_for(campaign_ladder *l, campaign_place *place, size_t operation,
                                double until) {
    climb c = {.ladder = l, .target = place, .operation = operation};
    campaign_curve *curve = &place->curves[operation];
    memcpy(curve->raised, curve->matters, sizeof curve->raised);
    for (size_t k = 0; k < CAMPAIGN_GRID_MAX; k++) {
        /* What is between the sizes is looked for again. */
        campaign_size_times_free(&curve->cells[k]);
        campaign_size_times_free(&curve->points[k]);
        campaign_size_times_free(&curve->points_wanted[k]);
        curve->cell_known[k] = curve->cell_wanted[k] = false;
    }
    isocast_status status = prepare(&c);
    status = status == ISOCAST_OK ? run_up(&c, COUNTED, curve->raised, until) : status;
    return status == ISOCAST_OK ? make_rows(&c, curve) : status;
}

/* Makes the curves of all places that are to be made again, which share the time that is left. */
static isocast_status make_curves(campaign_ladder *l, bool (*is_to_be)(const campaign_curve *),
                                  isocast_status (*make)(campaign_ladder *, campaign_place *,
                                                         size_t, double),
                                  double until, bool *news) {
    const campaign_places *places = l->launches->places;
    const size_t count = places->count * ISOCAST_KNOWN_OPERATIONS;
    size_t left = 0;
    isocast_status status = ISOCAST_OK;
    for (size_t n = 0; n < count; n++) {
        left += is_to_be(curve_at(places, n));
    }
    *news = left > 0;
    for (size_t n = 0; n < count && status == ISOCAST_OK; n++) {
        if (is_to_be(curve_at(places, n))) {
            double now = campaign_clock();
            status =
                make(l, &places->items[n / ISOCAST_KNOWN_OPERATIONS], n % ISOCAST_KNOWN_OPERATIONS,
                     now + fmax(until - now, 0) / (double)left--);
        }
    }
    return status;
}

isocast_status campaign_ladder_climb(campaign_ladder *l, double until, bool *news) {
    return make_curves(l, is_asked, climb_for, until, news);
}

isocast_status campaign_ladder_raise(campaign_ladder *l, double until, bool *news) {
    return make_curves(l, is_due, raise_for, until, news);
}

/* What a time of the large system is over the counted one, between two sizes of all. */
static double factor_at(const campaign_curve *made, const campaign_curve *from, size_t k,
                        double m) {
    size_t next = k + 1 < from->grid.count && k + 1 < made->grid.count ? k + 1 : k;
    const campaign_size_time *a = &from->grid.rows[k];
    const campaign_size_time *b = &from->grid.rows[next];
    double first = log(made->grid.rows[k].seconds / fmax(a->seconds, time_least));
    double second = log(made->grid.rows[next].seconds / fmax(b->seconds, time_least));
    double part = next > k ? log(m / a->m) / log(b->m / a->m) : 0;
    return exp(first + part * (second - first));
}

/* Whether a rung has the k-th size and the next one at their places. */
static bool has_span(const climb *c, size_t at, size_t k) {
    const campaign_curve *curve = curve_of(c, at, COUNTED);
    bool ends = k < curve->grid.count && row_of(c, at, COUNTED, k) == &curve->grid.rows[k];
    return ends && (k + 1 >= curve->grid.count ||
                    row_of(c, at, COUNTED, k + 1) == &curve->grid.rows[k + 1]);
}

/* The highest rung that states in some seconds what is between two sizes; at least the first. */
static size_t rung_for(const climb *c, size_t k, double calls, double seconds) {
    size_t found = 0;
    for (size_t i = 1; i < c->count; i++) {
        const campaign_curve *curve = curve_of(c, i, COUNTED);
        if (has_span(c, i, k)) {
            size_t next = k + 1 < curve->grid.count ? k + 1 : k;
            double cost = fmax(curve->grid.rows[k].cost, curve->grid.rows[next].cost);
            found = calls * cost <= seconds ? i : found;
        }
    }
    return found;
}

/* Whether something is wanted between two sizes of a curve that the ladder made. */
static bool is_wished(const campaign_curve *made, size_t k) {
    bool cell = made->cell_wanted[k] && !made->cell_known[k];
    return made->elsewhere && made->known && (cell || made->points_wanted[k].count > 0);
}

static size_t count_wishes(const campaign_places *places) {
    size_t count = 0;
    for (size_t n = 0; n < places->count * ISOCAST_KNOWN_OPERATIONS; n++) {
        const campaign_curve *made = curve_at(places, n);
        for (size_t k = 0; k < made->grid.count; k++) {
            count += is_wished(made, k);
        }
    }
    return count;
}

/* Wants of a smaller system what a curve wants, in a share of the time that is left. */
static isocast_status pass_wish(const climb *c, size_t k, double seconds) {
    campaign_curve *made = &c->target->curves[c->operation];
    const campaign_size_times *points = &made->points_wanted[k];
    bool cell = made->cell_wanted[k] && !made->cell_known[k];
    size_t at = rung_for(c, k, cell ? CALLS_OF_CELL : (double)points->count, seconds);
    campaign_curve *from = curve_of(c, at, COUNTED);
    made->source[k] = c->rungs[at].place[COUNTED];
    from->cell_wanted[k] = from->cell_wanted[k] || cell;
    return campaign_size_times_insert_all(&from->points_wanted[k], points->rows, points->count)
               ? ISOCAST_OK
               : ISOCAST_NO_MEMORY;
}

/* The wishes of all places, `count` of them, which share the time that is left. */
static isocast_status pass_wishes(campaign_ladder *l, double until, size_t count) {
    const campaign_places *places = l->launches->places;
    isocast_status status = ISOCAST_OK;
    for (size_t n = 0; n < places->count * ISOCAST_KNOWN_OPERATIONS; n++) {
        const campaign_curve *made = curve_at(places, n);
        climb c = {.ladder = l,
                   .target = &places->items[n / ISOCAST_KNOWN_OPERATIONS],
                   .operation = n % ISOCAST_KNOWN_OPERATIONS};
        for (size_t k = 0; k < made->grid.count && status == ISOCAST_OK; k++) {
            if (is_wished(made, k)) {
                status = c.count == 0 ? prepare(&c) : ISOCAST_OK;
                double seconds = fmax(until - campaign_clock(), 0) / (double)count;
                status = status == ISOCAST_OK ? pass_wish(&c, k, seconds) : status;
            }
        }
    }
    return status;
}

/* Takes rows between the sizes k and k + 1 over. False where memory is short. */
static bool take_rows(const campaign_curve *made, const campaign_curve *source, size_t k,
                      const campaign_size_times *rows, campaign_size_times *out) {
    bool added = true;
    for (size_t i = 0; i < rows->count && added; i++) {
        double m = rows->rows[i].m;
        double seconds = rows->rows[i].seconds * factor_at(made, source, k, m);
        added = campaign_size_times_insert(out, m, fmax(seconds, time_least));
    }
    return added;
}

static isocast_status take_wish(campaign_curve *made, const campaign_curve *source, size_t k,
                                bool *news) {
    bool added = true;
    bool there = k < source->grid.count;
    bool cell = made->cell_wanted[k] && !made->cell_known[k];
    size_t before = made->points[k].count;
    *news = *news || (there && cell && source->cells[k].count > 0);
    if (cell) {
        campaign_size_times_free(&made->cells[k]);
        added = !there || take_rows(made, source, k, &source->cells[k], &made->cells[k]);
        made->cell_known[k] = true; /* where there was no time, a straight line has to do */
    }
    if (made->points_wanted[k].count > 0) {
        added =
            added && (!there || take_rows(made, source, k, &source->points[k], &made->points[k]));
        campaign_size_times_free(&made->points_wanted[k]);
    }
    *news = *news || made->points[k].count > before;
    return added ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

isocast_status campaign_ladder_refine(campaign_ladder *l, double until, bool *news) {
    const campaign_places *places = l->launches->places;
    const campaign_places *counted = &l->places[COUNTED];
    size_t count = count_wishes(places);
    *news = false;
    isocast_status status = pass_wishes(l, until, count);
    if (status == ISOCAST_OK && count > 0) {
        bool ran;
        l->engines[COUNTED].until = until;
        status = campaign_launches_run(&l->engines[COUNTED], &ran);
    }
    for (size_t n = 0; n < places->count * ISOCAST_KNOWN_OPERATIONS; n++) {
        campaign_curve *made = curve_at(places, n);
        for (size_t k = 0; k < made->grid.count && status == ISOCAST_OK; k++) {
            const campaign_place *from = &counted->items[made->source[k]];
            status = is_wished(made, k)
                         ? take_wish(made, &from->curves[n % ISOCAST_KNOWN_OPERATIONS], k, news)
                         : ISOCAST_OK;
        }
    }
    return status;
}
