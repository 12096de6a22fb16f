#include "idle.h"

#include <math.h>
#include <string.h>

#include "model/spec/machine.h"
#include "variation.h"

/* 2^-14 of a decade is 0.02 %. */
enum { BISECTIONS = 14 };

/* One driver as it is varied. */
typedef struct trial {
    isocast_variation *q;
    double *varied; /* in the variation */
    double value;   /* of it, at the factor 1 */
    double outcome; /* at the factor 1 */
    bool unknown;   /* to some side factors end where the outcome is not known */
} trial;

/* Whether the driver matters at 10^exponent times its value, as far as that is known. */
static isocast_status try_at(trial *t, double exponent, bool *matters, bool *known) {
    double outcome;
    *t->varied = t->value * pow(10, exponent);
    isocast_status status = isocast_variation_outcome(t->q, &outcome);
    *t->varied = t->value;
    *known = isfinite(outcome) || t->q->has_none;
    *matters = t->q->has_none || fabs(outcome / t->outcome - 1) >= ISOCAST_IDLE_CHANGE;
    return status;
}

/* The factor to one side (-1 or 1) at which the driver begins to matter; NAN where none is found
 * up to the last one, or up to one at which the outcome is not known: beyond it nothing is tried.
 */
static isocast_status find_factor(trial *t, double side, double *factor) {
    bool matters = false;
    bool known = true;
    isocast_status status = ISOCAST_OK;
    double high = 0;
    *factor = NAN;
    while (status == ISOCAST_OK && !matters && known && high < ISOCAST_IDLE_DECADES) {
        high++;
        status = try_at(t, side * high, &matters, &known);
    }
    t->unknown = t->unknown || !known;
    if (status != ISOCAST_OK || !matters) {
        return status;
    }
    double low = high - 1;
    for (int i = 0; status == ISOCAST_OK && i < BISECTIONS; i++) {
        double middle = (low + high) / 2;
        status = try_at(t, side * middle, &matters, &known);
        *(matters ? &high : &low) = middle;
    }
    *factor = pow(10, side * high);
    return status;
}

static isocast_status find_factors(trial *t, isocast_driver *driver) {
    isocast_status status = isocast_variation_outcome(t->q, &t->outcome);
    bool known = isfinite(t->outcome);
    t->unknown = !known;
    if (status == ISOCAST_OK && known) {
        status = find_factor(t, -1, &driver->smaller);
    }
    if (status == ISOCAST_OK && known) {
        status = find_factor(t, 1, &driver->larger);
    }
    bool found = !isnan(driver->smaller) || !isnan(driver->larger);
    driver->matter = driver->smaller >= 0.5 || driver->larger <= 2 ? ISOCAST_MATTER_NOW
                     : found                                       ? ISOCAST_MATTER_BY_FACTOR
                     : t->unknown                                  ? ISOCAST_MATTER_UNKNOWN
                                                                   : ISOCAST_MATTER_NOT_FOUND;
    return status;
}

/* Where the number of a driver stands in the variation; NULL: it is none of the machine's. */
static double *number_of(const isocast_variation *q, const isocast_driver *driver) {
    const isocast_machine *machine = isocast_model_machine(q->prediction->model);
    bool is_parameter = driver->kind == ISOCAST_DRIVER_PARAMETER;
    for (size_t i = 0; is_parameter && i < machine->parameter_count; i++) {
        if (strcmp(machine->parameters[i].name, driver->name) == 0) {
            return &q->parameters[i];
        }
    }
    bool is_speed = driver->kind == ISOCAST_DRIVER_MARKED_SPEED;
    for (size_t i = 0; is_speed && i < machine->class_count; i++) {
        if (strcmp(machine->classes[i].name, driver->name) == 0) {
            return &q->speed_factors[i];
        }
    }
    return NULL;
}

isocast_status isocast_idle_find(const isocast_prediction *prediction,
                                 const isocast_prediction_request *request, size_t row,
                                 isocast_drivers *drivers) {
    /* An account of its own: that of the request is for the prediction and its elasticities. */
    isocast_effort account = isocast_effort_of(drivers->count);
    isocast_variation q = {.account = &account};
    isocast_status status = isocast_variation_start(&q, prediction, request, row);
    for (size_t i = 0; status == ISOCAST_OK && i < drivers->count; i++) {
        isocast_driver *driver = &drivers->items[i];
        trial t = {.q = &q, .varied = number_of(&q, driver)};
        if (t.varied == NULL) {
            continue;
        }
        t.value = *t.varied;
        if (t.value == 0) {
            driver->matter = ISOCAST_MATTER_ZERO;
            continue;
        }
        q.effort = isocast_effort_lend(&account, 1 / (double)(drivers->count - i));
        status = find_factors(&t, driver);
        isocast_effort_return(&account, &q.effort);
    }
    isocast_variation_clear(&q);
    return status;
}
