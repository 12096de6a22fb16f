#include "platform_ladder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

enum { RUNGS_MAX = 24, COUNTED = 0, SIMULATED = 1, ENGINES = 2, ROOTS = 16 };

/* Ladders go down to so few processes, and have so many nodes as long as they can. */
static const double processes_least = 16;
static const double nodes_least = 4;
/* Of the time that an operation has: for counting; the rest is for simulations. */
static const double counting_share = 0.55;
/* A rung takes so many times what the one before took, at least and at most: messages of all to
 * all are the square of the processes. */
static const double growth_least = 2;
static const double growth_most = 4.5;
/* No ratio is known better than this; nor, where nothing was simulated, than that. */
/* s; nothing is known without the first rung. */
static const double last_resort = 10;
static const double error_least = 0.002;
static const double error_unchecked = 0.05;
/* s: times below this tell no ratio. */
static const double time_least = 1e-9;

/* A system of a ladder. */
typedef struct rung {
    double processes; /* of the operation: all, or a part */
    double all;       /* of the system */
    size_t place[ENGINES];
} rung;

typedef struct climb {
    campaign_ladder *ladder;
    campaign_place *target;
    size_t operation;
    rung rungs[RUNGS_MAX];
    size_t count;
    size_t reached[ENGINES]; /* rungs whose times are known, from the first on */
} climb;

isocast_status campaign_ladder_begin(campaign_ladder *l) {
    const campaign_launches *own = l->launches;
    for (int k = 0; k < ENGINES; k++) {
        l->places[k] = (campaign_places){.platform = own->places->platform,
                                         .version = own->places->version};
        campaign_places_begin(&l->places[k]);
        l->engines[k] = (campaign_launches){.probe = k == COUNTED ? l->quick : own->probe,
                                            .cache = own->cache,
                                            .listener = own->listener,
                                            .budget = own->budget,
                                            .places = &l->places[k],
                                            .quick = k == COUNTED,
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

char **campaign_ladder_systems(const isocast_platform *platform, const isocast_system *system,
                               size_t *count) {
    size_t entries = system->count;
    char **out = calloc(RUNGS_MAX, sizeof(char *));
    double *nodes = calloc(2 * entries, sizeof *nodes);
    *count = 0;
    if (out == NULL || nodes == NULL) {
        free(out);
        free(nodes);
        return NULL;
    }
    double *each = nodes + entries;
    for (size_t i = 0; i < entries; i++) {
        each[i] = system->each[i];
        nodes[i] = ceil(system->table.rows[ISOCAST_CLASS_PROCESSES][i] / each[i]);
    }
    out[(*count)++] = name_system(platform, system, nodes, each);
    /* The last node of an entry may have fewer processes: the system itself has its own name. */
    isocast_buffer own = {0};
    isocast_buffer_puts(&own, system->name);
    free(out[0]);
    out[0] = isocast_buffer_take(&own);
    while (*count < RUNGS_MAX && sum_of(nodes, each, entries) >= 2 * processes_least) {
        bool wide = sum_of(nodes, NULL, entries) >= 2 * nodes_least ||
                    sum_of(each, NULL, entries) <= (double)entries;
        double before = sum_of(nodes, each, entries);
        halve(wide ? nodes : each, entries);
        if (sum_of(nodes, each, entries) >= before) {
            break;
        }
        out[(*count)++] = name_system(platform, system, nodes, each);
    }
    free(nodes);
    bool complete = true;
    for (size_t i = 0; i < *count; i++) {
        complete = complete && out[i] != NULL;
    }
    for (size_t i = 0; i < *count / 2; i++) {
        char *other = out[i];
        out[i] = out[*count - 1 - i];
        out[*count - 1 - i] = other;
    }
    if (!complete) {
        for (size_t i = 0; i < *count; i++) {
            free(out[i]);
        }
        free(out);
        return NULL;
    }
    return out;
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

/* By a growth through two times. */
static double through(growth *g, const double *p, const double *t, double to) {
    double rise = g(p[1]) - g(p[0]);
    double value = rise > 0 ? t[1] + (t[1] - t[0]) * (g(to) - g(p[1])) / rise : t[1];
    return fmax(value, 0);
}

double campaign_ladder_extend(const double *p, const double *t, size_t count, double to,
                              double *error) {
    double last = t[count - 1];
    double doublings = log2(to / p[count - 1]);
    *error = 0;
    if (!(doublings > 0)) {
        return last;
    }
    if (count < 3) {
        *error = error_unchecked * doublings;
        return count < 2 ? last : through(log2, p, t, to);
    }
    double least = INFINITY;
    double found = last;
    for (size_t k = 0; k < sizeof growths / sizeof growths[0]; k++) {
        double told = through(growths[k], &p[count - 3], &t[count - 3], p[count - 1]);
        double miss = last > 0 ? fabs(told / last - 1) : 0;
        if (miss < least) {
            least = miss;
            found = through(growths[k], &p[count - 2], &t[count - 2], to);
        }
    }
    *error = fmin(least * doublings, 1);
    return found;
}

/* The part of a rung's system that stands for the target's. */
static isocast_status find_part(climb *c, rung *r, int engine, double smallest) {
    campaign_places *places = &c->ladder->places[engine];
    const campaign_place *target = c->target;
    const isocast_system *whole = target->system[0];
    if (!target->part) {
        return ISOCAST_OK;
    }
    const isocast_system *own = places->items[r->place[engine]].system[0];
    double part = campaign_place_processes(target);
    double processes =
        part <= smallest ? target->processes : fmax(2, floor(part * own->p / whole->p));
    double share = fmin(target->share * own->p_node / whole->p_node, processes);
    r->processes = processes;
    return campaign_places_find_part(places, r->place[engine], c->ladder->kernel, processes, share,
                                     c->ladder->launches->listener, &r->place[engine]);
}

/* Finds the rungs' places. */
static isocast_status prepare(climb *c) {
    const isocast_platform *platform = c->ladder->launches->places->platform;
    const isocast_system *system = c->target->system[0];
    isocast_diagnostics none = {0};
    size_t count = 0;
    char **names = campaign_ladder_systems(platform, system, &count);
    isocast_status status = names != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    double smallest = 0;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        isocast_system **parsed = NULL;
        size_t systems = 0;
        rung *r = &c->rungs[c->count];
        status = isocast_systems_parse(platform->hardware, c->ladder->kernel, "system", names[i],
                                       &none, &parsed, &systems);
        for (int k = 0; k < ENGINES && status == ISOCAST_OK; k++) {
            *r = (rung){.processes = parsed[0]->p,
                        .all = parsed[0]->p,
                        .place = {r->place[0], r->place[1]}};
            smallest = i == 0 ? parsed[0]->p : smallest;
            status = campaign_places_find(&c->ladder->places[k], parsed[0], c->ladder->kernel,
                                          c->ladder->launches->listener, &r->place[k]);
            status = status == ISOCAST_OK ? find_part(c, r, k, smallest) : status;
        }
        isocast_systems_free(parsed, systems);
        c->count++;
    }
    for (size_t i = 0; i < count; i++) {
        free(names[i]);
    }
    free(names);
    isocast_diagnostics_clear(&none);
    return status;
}

static campaign_curve *curve_of(const climb *c, size_t at, int engine) {
    return &c->ladder->places[engine].items[c->rungs[at].place[engine]].curves[c->operation];
}

/* Up to `most` rungs, as long as the next one is likely to end in time. */
static isocast_status run_up(climb *c, int engine, size_t most, double until) {
    campaign_launches *launches = &c->ladder->engines[engine];
    double before = 0;
    double last = 0;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < most && status == ISOCAST_OK; i++) {
        double started = campaign_clock();
        double grown = before > 0 ? fmin(fmax(last / before, growth_least), growth_most)
                                  : growth_most;
        campaign_curve *curve = curve_of(c, i, engine);
        if (i > 0 && !curve->known && started + last * grown > until) {
            break;
        }
        bool news;
        curve->wanted = true;
        curve->left = false;
        /* The first rung is short, and there is nothing without it. */
        launches->until = i == 0 ? fmax(until, started + last_resort) : until;
        status = campaign_launches_run(launches, &news);
        if (status != ISOCAST_OK || !curve->known) {
            curve->wanted = false;
            break;
        }
        c->reached[engine] = i + 1;
        before = last;
        last = campaign_clock() - started;
    }
    return status;
}

/* Rows that all rungs have that count. */
static size_t rows_of(const climb *c) {
    size_t rows = (size_t)-1;
    for (int k = 0; k < ENGINES; k++) {
        for (size_t i = 0; i < c->reached[k]; i++) {
            size_t own = curve_of(c, i, k)->grid.count;
            rows = own < rows ? own : rows;
        }
    }
    return rows != (size_t)-1 ? rows : 0;
}

/* What simulations take over what is counted, on a rung, as its logarithm. */
static double ratio_at(const climb *c, size_t at, size_t row) {
    double counted = curve_of(c, at, COUNTED)->grid.rows[row].seconds;
    double simulated = curve_of(c, at, SIMULATED)->grid.rows[row].seconds;
    return fmin(counted, simulated) > time_least ? log(simulated / counted) : 0;
}

/* m on one place where a message, or a block, has the size that it has at m on another. */
static double argument_on(const campaign_place *to, double m, const campaign_place *from,
                          size_t operation) {
    bool total = isocast_known_operations[operation].argument == ISOCAST_ARGUMENT_BYTES_TOTAL;
    return total ? m / campaign_place_processes(from) * campaign_place_processes(to) : m;
}

/* The times of the large system. */
static isocast_status make_rows(const climb *c, campaign_curve *out) {
    size_t counted = c->reached[COUNTED];
    size_t checked = c->reached[SIMULATED] < counted ? c->reached[SIMULATED] : counted;
    size_t rows = rows_of(c);
    double spread = 0;
    double grown = 0;
    for (size_t row = 0; row < rows; row++) {
        double p[RUNGS_MAX];
        double t[RUNGS_MAX];
        for (size_t i = 0; i < counted; i++) {
            p[i] = c->rungs[i].all;
            t[i] = curve_of(c, i, COUNTED)->grid.rows[row].seconds;
        }
        double miss = 0;
        double seconds =
            campaign_ladder_extend(p, t, counted, c->rungs[c->count - 1].all, &miss);
        double ratio = checked > 0 ? ratio_at(c, checked - 1, row) : 0;
        double before = checked > 1 ? ratio_at(c, checked - 2, row) : 0;
        spread += (ratio - before) * (ratio - before);
        grown += miss * miss;
        const campaign_place *from = &c->ladder->places[COUNTED].items[out->source];
        double m = argument_on(c->target, from->curves[c->operation].grid.rows[row].m, from,
                               c->operation);
        if (!campaign_size_times_add(&out->grid, m, fmax(seconds * exp(ratio), time_least))) {
            return ISOCAST_NO_MEMORY;
        }
    }
    double all = fmax((double)rows, 1);
    double floor = checked > 0 ? error_least : error_unchecked;
    out->error = sqrt(floor * floor + (spread + grown) / all);
    out->simulated = checked > 0 ? c->rungs[checked - 1].all : 0;
    return ISOCAST_OK;
}

static isocast_status copy_rows(const campaign_size_times *from, campaign_size_times *to) {
    campaign_size_times_free(to);
    for (size_t i = 0; i < from->count; i++) {
        if (!campaign_size_times_add(to, from->rows[i].m, from->rows[i].seconds)) {
            return ISOCAST_NO_MEMORY;
        }
    }
    return ISOCAST_OK;
}

static void tell_made(const climb *c, const campaign_curve *made) {
    const char *name = isocast_known_operations[c->operation].name;
    const campaign_listener *listener = c->ladder->launches->listener;
    double last = c->rungs[c->reached[COUNTED] - 1].all;
    double all = c->rungs[c->count - 1].all;
    char grown[96] = "";
    char checked[96] = "not checked by a simulation";
    if (last < all) {
        snprintf(grown, sizeof grown, " up to %.0f, from which it is extrapolated", last);
    }
    if (made->simulated > 0) {
        snprintf(checked, sizeof checked, "as in simulations of up to %.0f", made->simulated);
    }
    campaign_tell(listener, CAMPAIGN_NOTE,
                  "%s on %.0f processes: messages were counted on the links%s, %s; standard error "
                  "%.2g %%",
                  name, all, grown, checked, 100 * made->error);
}

static isocast_status climb_for(campaign_ladder *l, campaign_place *place, size_t operation,
                                double until) {
    climb c = {.ladder = l, .target = place, .operation = operation};
    campaign_curve *curve = &place->curves[operation];
    double started = campaign_clock();
    isocast_status status = prepare(&c);
    double counting = started + counting_share * fmax(until - started, 0);
    status = status == ISOCAST_OK ? run_up(&c, COUNTED, c.count, counting) : status;
    status = status == ISOCAST_OK ? run_up(&c, SIMULATED, c.count, until) : status;
    if (status != ISOCAST_OK) {
        return status;
    }
    campaign_size_times_free(&curve->grid);
    curve->left = false;
    curve->known = true;
    curve->elsewhere = c.reached[SIMULATED] < c.count;
    if (!curve->elsewhere) {
        return copy_rows(&curve_of(&c, c.count - 1, SIMULATED)->grid, &curve->grid);
    }
    if (c.reached[COUNTED] == 0) {
        return campaign_fail(l->launches->listener, ISOCAST_PROGRAM,
                             "%s on %.0f processes: the budget of %.3g s is too short even for the "
                             "smallest system\n    hint: give more --budget",
                             isocast_known_operations[operation].name, place->system[0]->p,
                             l->launches->budget);
    }
    curve->source = c.rungs[c.reached[COUNTED] - 1].place[COUNTED];
    status = make_rows(&c, curve);
    if (status == ISOCAST_OK && curve->grid.count > 0) {
        tell_made(&c, curve);
    }
    return status;
}

static bool is_asked(const campaign_curve *c) {
    return c->wanted && !c->known;
}

isocast_status campaign_ladder_climb(campaign_ladder *l, campaign_place *place, double until,
                                     bool *news) {
    size_t asked = 0;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        asked += is_asked(&place->curves[i]);
    }
    *news = asked > 0;
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS && status == ISOCAST_OK; i++) {
        if (is_asked(&place->curves[i])) {
            double now = campaign_clock();
            status = climb_for(l, place, i, now + fmax(until - now, 0) / (double)asked--);
        }
    }
    return status;
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

/* Asks the counted system for what is wanted between the sizes; whether there is some. */
static bool ask(campaign_curve *made, campaign_curve *from, bool *failed) {
    bool any = false;
    for (size_t k = 0; k < made->grid.count; k++) {
        bool cell = made->cell_wanted[k] && !made->cell_known[k];
        from->cell_wanted[k] = from->cell_wanted[k] || cell;
        any = any || cell || made->points_wanted[k].count > 0;
        for (size_t i = 0; i < made->points_wanted[k].count && !*failed; i++) {
            double size = made->points_wanted[k].rows[i].m;
            *failed = !campaign_size_times_insert(&from->points_wanted[k], size, 0);
        }
    }
    return any;
}

/* Takes rows between the sizes k and k + 1 over. False where memory is short. */
static bool take_rows(const campaign_place *to, const campaign_place *from, size_t operation,
                      size_t k, const campaign_size_times *rows, campaign_size_times *out) {
    const campaign_curve *made = &to->curves[operation];
    const campaign_curve *source = &from->curves[operation];
    bool added = true;
    for (size_t i = 0; i < rows->count && added; i++) {
        double seconds = rows->rows[i].seconds * factor_at(made, source, k, rows->rows[i].m);
        added = campaign_size_times_insert(
            out, argument_on(to, rows->rows[i].m, from, operation), fmax(seconds, time_least));
    }
    return added;
}

static isocast_status take_all(campaign_place *to, const campaign_place *from, size_t operation) {
    campaign_curve *made = &to->curves[operation];
    const campaign_curve *source = &from->curves[operation];
    bool added = true;
    for (size_t k = 0; k < made->grid.count && added; k++) {
        if (made->cell_wanted[k] && !made->cell_known[k]) {
            campaign_size_times_free(&made->cells[k]);
            added = take_rows(to, from, operation, k, &source->cells[k], &made->cells[k]);
            made->cell_known[k] = true; /* where there was no time, a straight line has to do */
        }
        if (added && made->points_wanted[k].count > 0) {
            added = take_rows(to, from, operation, k, &source->points[k], &made->points[k]);
            campaign_size_times_free(&made->points_wanted[k]);
        }
    }
    return added ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

isocast_status campaign_ladder_refine(campaign_ladder *l, campaign_place *place, double until,
                                      bool *news) {
    campaign_places *counted = &l->places[COUNTED];
    bool asked[ISOCAST_KNOWN_OPERATIONS] = {false};
    bool any = false;
    bool failed = false;
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        campaign_curve *made = &place->curves[i];
        if (made->elsewhere && made->known && made->grid.count > 0) {
            asked[i] = ask(made, &counted->items[made->source].curves[i], &failed);
            any = any || asked[i];
        }
    }
    bool ran;
    l->engines[COUNTED].until = until;
    isocast_status status = failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK && any) {
        status = campaign_launches_run(&l->engines[COUNTED], &ran);
    }
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS && status == ISOCAST_OK; i++) {
        if (asked[i]) {
            status = take_all(place, &counted->items[place->curves[i].source], i);
        }
    }
    *news = any;
    return status;
}
