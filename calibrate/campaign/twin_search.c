#include "twin_search.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/numerics.h"
#include "model/spec/platform_load.h"
#include "twin_result.h"

/* What is searched for: logarithms of capacity, latency, and what a node carries, or memory. */
enum { CAMPAIGN_TWIN_PARAMETERS = 3 };

/* An error beyond counts by its first power alone. */
static const double error_large = 0.5;
/* What squared logarithms of the parameters cost, beside squared errors: without it a parameter
 * that no timing states would wander. */
static const double wandering = 0.002;

static double loss_of(double error) {
    double size = fabs(error);
    return size < error_large ? size * size : error_large * (2 * size - error_large);
}

/* Residuals on their way, in groups of which each counts alike. */
typedef struct residuals {
    double *items; /* [count] */
    size_t count;
    double groups;
} residuals;

/* An unknown error is none. */
static void add_error(double error, residuals *out) {
    out->items[out->count++] = isnan(error) ? 0 : copysign(sqrt(loss_of(error)), error);
}

/* Those from `first` on are a group. */
static void end_group(size_t first, double counted, residuals *out) {
    for (size_t i = first; i < out->count; i++) {
        out->items[i] /= sqrt(fmax(counted, 1));
    }
    out->groups += counted > 0;
}

static double message_error(const fit_network *network, const fit_message_point *point,
                            bool between) {
    double measured = between ? point->between : point->within;
    double seconds =
        between ? fit_network_between(network, point->m) : fit_network_within(network, point->m);
    return log(seconds / measured);
}

static void add_messages(const campaign_twin_plan *plan, const fit_network *scaled, bool between,
                         residuals *out) {
    size_t first = out->count;
    double counted = 0;
    for (size_t i = 0; i < plan->message_count; i++) {
        double error = message_error(scaled, &plan->messages[i], between);
        add_error(error, out);
        counted += !isnan(error);
    }
    end_group(first, counted, out);
}

/* Each operation on each placement is a group. */
static void add_fitted(const campaign_twin_plan *plan, residuals *out) {
    const campaign_twin_point *points = plan->fitted;
    for (size_t begin = 0; begin < plan->fitted_count;) {
        size_t first = out->count;
        double counted = 0;
        size_t k = begin;
        for (; k < plan->fitted_count && points[k].place == points[begin].place &&
               points[k].operation == points[begin].operation;
             k++) {
            double error = log(points[k].simulated / points[k].measured);
            add_error(error, out);
            counted += !isnan(error);
        }
        end_group(first, counted, out);
        begin = k;
    }
}

/* How many residuals a plan has, at most. */
static size_t count_residuals(const campaign_twin_plan *plan) {
    return 2 * plan->message_count + plan->fitted_count + CAMPAIGN_TWIN_PARAMETERS;
}

/* Residuals of the plan's simulated times, of the messages of a network, and of parameters (shape
 * [CAMPAIGN_TWIN_PARAMETERS]); out: shape [count_residuals()], 0 where there is none.
 * Each operation on each placement counts alike, however many sizes it has. Gives the sum of their
 * squares; INFINITY where nothing was simulated. */
static double find_residuals(const campaign_twin_plan *plan, const fit_network *scaled,
                             const double *parameters, double *out) {
    residuals all = {.items = out};
    add_fitted(plan, &all);
    if (all.groups == 0) {
        return INFINITY;
    }
    add_messages(plan, scaled, true, &all);
    add_messages(plan, scaled, false, &all);
    double sum = 0;
    for (size_t i = 0; i < all.count; i++) {
        out[i] /= sqrt(all.groups);
        sum += out[i] * out[i];
    }
    for (size_t k = 0; k < CAMPAIGN_TWIN_PARAMETERS; k++) {
        out[all.count] = sqrt(wandering) * parameters[k];
        sum += out[all.count] * out[all.count];
        all.count++;
    }
    return sum;
}

/* The mean square of ln T of what messages between two processes leave of their timings: a twin is
 * not nearer to collectives but by chance. */
static double noise_of(const campaign_twin_plan *plan, const fit_network *network) {
    double sum = 0;
    double counted = 0;
    for (size_t i = 0; i < 2 * plan->message_count; i++) {
        double error = message_error(network, &plan->messages[i / 2], i % 2 == 0);
        sum += isnan(error) ? 0 : loss_of(error);
        counted += !isnan(error);
    }
    return counted > 0 ? sum / counted : 0;
}

enum { PARAMETERS = CAMPAIGN_TWIN_PARAMETERS, STEPS_MAX = 8 };
/* How often algorithms are chosen and the rest is searched for, each at what the other found. */
enum { ROUNDS = 2 };
/* Of logarithms: by how much each is changed to see what it does. Where no message between nodes
 * was measured, nothing is known of the wire. */
static const double first_step = 0.4;
static const double first_step_unknown = 1;
/* The longest step is so many of these. */
static const double step_most = 3;
static const double step_least = 0.01;
/* A search, and a step of it, that gain less than these parts of the cost found noise. */
static const double gain_least = 0.1;
static const double step_gain_least = 0.02;
/* A mean square below this is nothing to search for; nor is one of so many times what messages
 * between two processes leave of their own timings. */
static const double cost_good = 0.0004;
static const double noise_most = 2;
/* Of the damping by D. Marquardt, J. SIAM 11 (1963): where it begins, and its factor where a step
 * is good, and where it is bad. */
static const double damping_first = 1e-3;
static const double damping_good = 0.1;
static const double damping_bad = 10;

/* Errors: ARGUMENT, which is reported, where the text is no platform file: a machine file may have
 * what a platform cannot, such as names of classes that are no names of hosts. */
static isocast_status read_platform(const campaign_listener *listener, const isocast_buffer *text,
                                    isocast_platform **out) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status =
        text->failed
            ? ISOCAST_NO_MEMORY
            : isocast_platform_read_text("twin", text->text, text->length, &diagnostics, out);
    if (status == ISOCAST_INVALID && diagnostics.count > 0) {
        const isocast_diagnostic *first = &diagnostics.items[0];
        status = campaign_fail(
            listener, ISOCAST_ARGUMENT, "no platform can be made of this machine: %.*s: %s%s%s",
            (int)first->caret_length, first->source_line + first->caret_column - 1, first->message,
            first->hint != NULL ? "\n    hint: " : "", first->hint != NULL ? first->hint : "");
    }
    isocast_diagnostics_clear(&diagnostics);
    return status;
}

isocast_network campaign_twin_network(const campaign_twin *twin) {
    isocast_network network = fit_network_platform(&twin->network, &twin->scales);
    network.collectives = twin->collectives;
    return network;
}

/* The operations whose times make up a point. */
static size_t parts_of(const campaign_twin_point *point, size_t parts[2]) {
    bool message = point->operation == ISOCAST_KNOWN_message;
    parts[0] = message ? ISOCAST_KNOWN_send : point->operation;
    parts[1] = ISOCAST_KNOWN_recv;
    return message ? 2 : 1;
}

/* Adds the points' systems to those of the platform; indices: [count]. */
static isocast_status find_systems(const campaign_listener *listener, campaign_places *systems,
                                   const campaign_twin_point *points, size_t count,
                                   size_t *indices) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        if (i > 0 && points[i].place == points[i - 1].place) {
            indices[i] = indices[i - 1];
            continue;
        }
        isocast_diagnostics diagnostics = {0};
        isocast_system *named = NULL;
        status = isocast_system_named(systems->platform->hardware, NULL, "system", points[i].system,
                                      &diagnostics, &named);
        if (status == ISOCAST_OK) {
            status = campaign_places_find(systems, named, NULL, listener, &indices[i]);
        } else if (status == ISOCAST_INVALID && diagnostics.count > 0) {
            status = campaign_fail(listener, ISOCAST_ARGUMENT,
                                   "the twin cannot have the processes of a timing: %s",
                                   diagnostics.items[0].message);
        }
        isocast_system_free(named);
        isocast_diagnostics_clear(&diagnostics);
    }
    return status;
}

/* Each point has the time of its parts; PROGRAM where there was no time for all. */
static isocast_status take_times(const campaign_spans *spans, campaign_twin_point *points,
                                 size_t count) {
    isocast_status status = ISOCAST_OK;
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        size_t parts[2];
        double seconds = 0;
        for (size_t n = parts_of(&points[i], parts); n > 0; n--, at++) {
            const campaign_span *s = &spans->items[at];
            seconds += s->found.count > 0 ? s->found.rows[0].seconds : NAN;
            status = s->done ? status : ISOCAST_PROGRAM;
        }
        points[i].simulated = seconds > 0 ? seconds : NAN;
    }
    return status;
}

static isocast_status simulate_on(campaign_twin_search *search, const isocast_platform *platform,
                                  campaign_twin_point *points, size_t count, bool shows) {
    const campaign_listener *listener = search->request->listener;
    const campaign_listener silent = {.stop = listener->stop, .context = listener->context};
    campaign_places systems = {.platform = platform, .version = search->request->version};
    campaign_spans spans = {0};
    size_t *indices = calloc(count + 1, sizeof *indices);
    isocast_status status = indices == NULL
                                ? ISOCAST_NO_MEMORY
                                : find_systems(listener, &systems, points, count, indices);
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        size_t parts[2];
        size_t part_count = parts_of(&points[i], parts);
        double m = round(points[i].m);
        for (size_t n = 0; n < part_count; n++) {
            campaign_spans_add(&spans, (campaign_span){.place = &systems.items[indices[i]],
                                                       .operation = parts[n],
                                                       .from = m,
                                                       .to = m});
        }
    }
    search->launches.listener = shows ? listener : &silent;
    search->launches.places = &systems;
    status = status == ISOCAST_OK ? campaign_spans_simulate(&search->launches, &spans) : status;
    status = status == ISOCAST_OK ? take_times(&spans, points, count) : status;
    search->launches.listener = listener;
    search->launches.places = NULL;
    campaign_spans_free(&spans);
    campaign_places_free(&systems);
    free(indices);
    return status;
}

isocast_status campaign_twin_simulate_now(campaign_twin_search *search, campaign_twin_point *points,
                                          size_t count, bool shows) {
    const isocast_network network = campaign_twin_network(search->twin);
    isocast_buffer text = {0};
    isocast_platform *platform = NULL;
    twin_text_write(search->request, &network, NULL, &text);
    isocast_status status = read_platform(search->request->listener, &text, &platform);
    isocast_buffer_free(&text);
    if (status == ISOCAST_OK) {
        status = simulate_on(search, platform, points, count, shows);
    }
    isocast_platform_free(platform);
    return status;
}

/* A place of the search: logarithms, and what they come to. */
typedef struct state {
    double logs[PARAMETERS];
    double *residuals; /* [residual_count] */
    double cost;       /* the sum of their squares */
} state;

/* The search on its way. */
typedef struct walk {
    campaign_twin_search *search;
    size_t residual_count;
    double most_on_node;          /* processes, of what is fitted */
    double good;                  /* a cost that is not worth a search */
    double (*slopes)[PARAMETERS]; /* [residual_count], of residuals by logarithms */
    double *residuals;            /* [2][residual_count], of both */
    state best, tried;
} walk;

static isocast_status walk_begin(campaign_twin_search *search, walk *out) {
    const campaign_twin_plan *plan = &search->plan;
    size_t count = count_residuals(plan);
    isocast_numerics_prepare();
    *out = (walk){.search = search,
                  .residual_count = count,
                  .most_on_node = 1,
                  .slopes = calloc(count, sizeof *out->slopes),
                  .residuals = calloc(2 * count, sizeof(double)),
                  .best = {.cost = INFINITY},
                  .tried = {.cost = INFINITY}};
    out->best.residuals = out->residuals;
    out->tried.residuals = out->residuals != NULL ? out->residuals + count : NULL;
    for (size_t i = 0; i < plan->fitted_count; i++) {
        out->most_on_node = fmax(out->most_on_node, plan->fitted[i].p_node);
    }
    double noise = noise_of(plan, &search->twin->network);
    double spread = search->request->timings->sigma;
    out->good = fmax(cost_good, noise_most * fmax(noise, spread * spread));
    return out->slopes != NULL && out->residuals != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

static void walk_end(walk *w) {
    free(w->slopes);
    free(w->residuals);
}

/* Where messages within a node were measured alone, those that go on at once show what they share;
 * else how fast one is. */
static fit_network_scales scales_of(const walk *w, const double logs[PARAMETERS]) {
    bool shares = w->search->twin->network.has_within && w->most_on_node > 1;
    return (fit_network_scales){.capacity = exp(logs[0]),
                                .latency = exp(logs[1]),
                                .memory = shares ? 1 : exp(logs[2]),
                                .node = shares && logs[2] < 0 ? w->most_on_node * exp(logs[2])
                                                              : INFINITY};
}

/* Simulates what the logarithms of w->tried come to. */
static isocast_status try_logs(walk *w, bool shows) {
    campaign_twin_search *search = w->search;
    campaign_twin *twin = search->twin;
    campaign_twin_plan *plan = &search->plan;
    twin->scales = scales_of(w, w->tried.logs);
    twin->evaluations++;
    campaign_report_progress(search->request->listener, twin->evaluations,
                             (size_t)ROUNDS * (ISOCAST_COLLECTIVES + PARAMETERS + STEPS_MAX),
                             "fitting collectives");
    isocast_status status =
        campaign_twin_simulate_now(search, plan->fitted, plan->fitted_count, shows);
    w->tried.cost = INFINITY;
    if (status == ISOCAST_OK) {
        const fit_network scaled = fit_network_scaled(&twin->network, &twin->scales);
        w->tried.cost = find_residuals(plan, &scaled, w->tried.logs, w->tried.residuals);
    }
    return status;
}

static void keep_tried(walk *w) {
    state before = w->best;
    w->best = w->tried;
    w->tried = before;
}

static bool time_is_over(const walk *w) {
    return campaign_clock() >= w->search->launches.until;
}

/* Whether it is what was tried that cannot be simulated, and not that time is over. */
static bool is_refused(const walk *w, isocast_status status) {
    return status == ISOCAST_PROGRAM && !time_is_over(w);
}

/* The library whose choice of algorithms is nearest to the timings, with the scales of w->best. The
 * first must be simulated. */
static isocast_status choose_collectives(walk *w) {
    campaign_twin *twin = w->search->twin;
    isocast_collectives nearest = ISOCAST_COLLECTIVES_MPICH;
    double logs[PARAMETERS];
    memcpy(logs, w->best.logs, sizeof logs);
    w->best.cost = INFINITY;
    for (size_t i = 0; i < ISOCAST_COLLECTIVES; i++) {
        twin->collectives = (isocast_collectives)i;
        memcpy(w->tried.logs, logs, sizeof logs);
        isocast_status status = try_logs(w, i == ISOCAST_COLLECTIVES_MPICH);
        bool goes_on = status == ISOCAST_OK || (status == ISOCAST_PROGRAM && i > 0);
        if (!goes_on) {
            return status;
        }
        if (w->tried.cost < w->best.cost) {
            nearest = twin->collectives;
            keep_tried(w);
        }
    }
    twin->collectives = nearest;
    return ISOCAST_OK;
}

/* What each parameter does to the residuals, by changing one after the other. What a node shares
 * begins as all there is: it is made less. */
static isocast_status find_slopes(walk *w, double length) {
    const state from = w->best;
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; k < PARAMETERS && status == ISOCAST_OK; k++) {
        double step = k == PARAMETERS - 1 ? -length : length;
        memcpy(w->tried.logs, from.logs, sizeof from.logs);
        w->tried.logs[k] += step;
        status = try_logs(w, false);
        for (size_t i = 0; i < w->residual_count && status == ISOCAST_OK; i++) {
            w->slopes[i][k] = (w->tried.residuals[i] - from.residuals[i]) / step;
        }
    }
    return status;
}

/* The step that the slopes promise most of. False where there is none. */
static bool find_step(const walk *w, double damping, double longest, double step[PARAMETERS]) {
    double square[PARAMETERS * PARAMETERS] = {0};
    double right[PARAMETERS] = {0};
    for (size_t i = 0; i < w->residual_count; i++) {
        for (size_t k = 0; k < PARAMETERS; k++) {
            right[k] -= w->slopes[i][k] * w->best.residuals[i];
            for (size_t l = 0; l < PARAMETERS; l++) {
                square[k * PARAMETERS + l] += w->slopes[i][k] * w->slopes[i][l];
            }
        }
    }
    for (size_t k = 0; k < PARAMETERS; k++) {
        square[k * PARAMETERS + k] *= 1 + damping;
    }
    gsl_matrix_view matrix = gsl_matrix_view_array(square, PARAMETERS, PARAMETERS);
    gsl_vector_view out = gsl_vector_view_array(step, PARAMETERS);
    gsl_vector_const_view rights = gsl_vector_const_view_array(right, PARAMETERS);
    if (gsl_linalg_cholesky_decomp1(&matrix.matrix) != 0 ||
        gsl_linalg_cholesky_solve(&matrix.matrix, &rights.vector, &out.vector) != 0) {
        return false;
    }
    for (size_t k = 0; k < PARAMETERS; k++) {
        step[k] = fmin(fmax(step[k], -longest), longest);
    }
    return true;
}

static double length_of(const double step[PARAMETERS]) {
    double squares = 0;
    for (size_t k = 0; k < PARAMETERS; k++) {
        squares += step[k] * step[k];
    }
    return sqrt(squares);
}

/* Corrects the slopes by what a step did (C. G. Broyden, Math. Comp. 19, 1965), which spares the
 * simulations of new ones. */
static void correct_slopes(walk *w, const double step[PARAMETERS]) {
    double square = length_of(step) * length_of(step);
    for (size_t i = 0; i < w->residual_count; i++) {
        double left = w->tried.residuals[i] - w->best.residuals[i];
        for (size_t k = 0; k < PARAMETERS; k++) {
            left -= w->slopes[i][k] * step[k];
        }
        for (size_t k = 0; k < PARAMETERS; k++) {
            w->slopes[i][k] += left * step[k] / square;
        }
    }
}

/* From w->best on, by the method of Levenberg and Marquardt. */
static isocast_status descend(walk *w) {
    bool known = w->search->twin->network.has_between;
    double length = known ? first_step : first_step_unknown;
    double damping = damping_first;
    isocast_status status = find_slopes(w, length);
    bool going = status == ISOCAST_OK;
    for (size_t tries = 0; going && tries < STEPS_MAX && w->best.cost > w->good; tries++) {
        double step[PARAMETERS] = {0};
        going = find_step(w, damping, step_most * length, step) && length_of(step) > step_least;
        if (!going) {
            continue;
        }
        for (size_t k = 0; k < PARAMETERS; k++) {
            w->tried.logs[k] = w->best.logs[k] + step[k];
        }
        status = try_logs(w, false);
        if (is_refused(w, status)) {
            status = ISOCAST_OK;
            damping *= damping_bad;
            continue;
        }
        if (status != ISOCAST_OK) {
            break;
        }
        correct_slopes(w, step);
        bool better = w->tried.cost < w->best.cost;
        going = !better || w->tried.cost < (1 - step_gain_least) * w->best.cost;
        damping *= better ? damping_good : damping_bad;
        if (better) {
            keep_tried(w);
        }
    }
    return status;
}

/* What was found before stays where nothing better is. */
static isocast_status search_scales(walk *w) {
    double before[PARAMETERS];
    double least = w->best.cost;
    memcpy(before, w->best.logs, sizeof before);
    isocast_status status = descend(w);
    if (!(w->best.cost < (1 - gain_least) * least)) {
        memcpy(w->best.logs, before, sizeof before);
        w->best.cost = least;
    }
    return status;
}

/* With the scales that were found. Where time ends it, the choice stays. */
static isocast_status choose_again(walk *w) {
    campaign_twin *twin = w->search->twin;
    const isocast_collectives chosen = twin->collectives;
    isocast_status status = choose_collectives(w);
    if (status == ISOCAST_PROGRAM) {
        twin->collectives = chosen;
    }
    return status;
}

isocast_status campaign_twin_search_run(campaign_twin_search *search) {
    walk w;
    campaign_twin *twin = search->twin;
    isocast_status status = walk_begin(search, &w);
    if (status == ISOCAST_OK) {
        status = choose_collectives(&w);
    }
    bool chosen = status == ISOCAST_OK;
    bool changed = chosen;
    for (int round = 0; round < ROUNDS && status == ISOCAST_OK && changed && w.best.cost > w.good;
         round++) {
        const isocast_collectives before = twin->collectives;
        status = search_scales(&w);
        if (status == ISOCAST_OK) {
            status = choose_again(&w);
        }
        changed = twin->collectives != before;
    }
    if (chosen) {
        twin->scales = scales_of(&w, w.best.logs);
        twin->ended_early = status == ISOCAST_PROGRAM || time_is_over(&w);
        status = status == ISOCAST_PROGRAM ? ISOCAST_OK : status;
    }
    walk_end(&w);
    return status;
}
