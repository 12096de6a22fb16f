#include "twin_misfit.h"

#include <math.h>

/* An error beyond counts by its first power alone. */
static const double error_large = 0.5;
/* What squared logarithms of the parameters cost, beside squared errors: without it a parameter
 * that no timing tells would wander. */
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

static void add_place(const campaign_twin_place *place, residuals *out) {
    for (size_t begin = 0; begin < place->count;) {
        size_t first = out->count;
        double counted = 0;
        size_t k = begin;
        for (; k < place->count && place->points[k].operation == place->points[begin].operation;
             k++) {
            double error = log(place->points[k].simulated / place->points[k].measured);
            add_error(error, out);
            counted += !isnan(error);
        }
        end_group(first, counted, out);
        begin = k;
    }
}

size_t campaign_twin_residual_count(const campaign_twin_plan *plan) {
    size_t count = 2 * plan->message_count + CAMPAIGN_TWIN_PARAMETERS;
    for (size_t i = 0; i < plan->fitted_count; i++) {
        count += plan->fitted[i].count;
    }
    return count;
}

double campaign_twin_residuals(const campaign_twin_plan *plan, const fit_network *scaled,
                               const double *parameters, double *out) {
    residuals all = {.items = out};
    for (size_t i = 0; i < plan->fitted_count; i++) {
        add_place(&plan->fitted[i], &all);
    }
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

double campaign_twin_noise(const campaign_twin_plan *plan, const fit_network *network) {
    double sum = 0;
    double counted = 0;
    for (size_t i = 0; i < 2 * plan->message_count; i++) {
        double error = message_error(network, &plan->messages[i / 2], i % 2 == 0);
        sum += isnan(error) ? 0 : loss_of(error);
        counted += !isnan(error);
    }
    return counted > 0 ? sum / counted : 0;
}
