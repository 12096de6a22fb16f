#include "misfit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool isocast_misfit_known(const isocast_operation *o) {
    return o->parameter_count > 0 && (o->fitted.misfit > 0 || o->fitted.drift > 0);
}

/* An operation of all, those of messages first. */
static const isocast_operation *operation_at(const isocast_machine *machine, size_t k) {
    return k < machine->operation_count ? &machine->operations[k]
                                        : &machine->compute[k - machine->operation_count];
}

static isocast_misfit item_of(const isocast_operation *operation, double p_max, double misfit,
                              double drift) {
    return (isocast_misfit){
        operation, p_max, {misfit > 0 ? misfit : 0, drift > 0 && p_max > 0 ? drift : 0}};
}

isocast_status isocast_misfits_create(const isocast_machine *machine, const char *algorithm,
                                      size_t first, isocast_misfits *out) {
    size_t count = machine->operation_count + machine->compute_count;
    const isocast_algorithm_misfit *own =
        algorithm != NULL ? isocast_machine_misfit_of(machine, algorithm) : NULL;
    isocast_misfits misfits = {
        .machine = machine, .first = first, .items = calloc(count + 1, sizeof *misfits.items)};
    if (misfits.items == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t k = 0; k < count; k++) {
        const isocast_operation *o = operation_at(machine, k);
        if (isocast_misfit_known(o)) {
            misfits.items[misfits.count++] =
                item_of(o, o->p_max, o->fitted.misfit, o->fitted.drift);
        }
    }
    if (own != NULL && (own->misfit > 0 || own->drift > 0)) {
        misfits.items[misfits.count++] = item_of(NULL, own->p_max, own->misfit, own->drift);
    }
    *out = misfits;
    return ISOCAST_OK;
}

void isocast_misfits_free(isocast_misfits *misfits) {
    free(misfits->items);
    misfits->items = NULL;
    misfits->count = 0;
}

double isocast_misfit_of(const isocast_misfits *misfits, size_t number) {
    size_t at = number - misfits->first;
    return misfits->items[at / 2].errors[at % 2];
}

static bool has_unit(const isocast_machine *machine, size_t i) {
    return !isocast_dimension_equal(machine->parameters[i].dimension, isocast_dimension_count);
}

/* Whether a coefficient is a factor of the others, by its name. */
static bool is_ratio(const isocast_machine *machine, size_t i) {
    return !has_unit(machine, i) && strstr(machine->parameters[i].name, "_ratio") != NULL;
}

/* Times are sums of coefficients, each times something; so those with a unit and those without are
 * alike, but for ratios, which the whole sum is multiplied with. */
static bool moves(const isocast_machine *machine, const isocast_operation *o, size_t i) {
    return i >= o->first_parameter && i < o->first_parameter + o->parameter_count &&
           !is_ratio(machine, i);
}

double isocast_misfit_share(const isocast_machine *machine, const isocast_operation *o,
                            const double *gradient) {
    double share = 0;
    for (size_t i = o->first_parameter; i < o->first_parameter + o->parameter_count; i++) {
        share += moves(machine, o, i) ? gradient[i] * machine->parameters[i].value : 0;
    }
    return share;
}

double isocast_misfit_share_of_messages(const isocast_machine *machine, const double *gradient) {
    double share = 0;
    for (size_t k = 0; k < machine->operation_count; k++) {
        share += isocast_misfit_share(machine, &machine->operations[k], gradient);
    }
    return share;
}

/* The operations that an item is of, [*count]. */
static const isocast_operation *operations_of(const isocast_misfits *misfits, size_t k,
                                              size_t *count) {
    const isocast_operation *own = misfits->items[k].operation;
    *count = own != NULL ? 1 : misfits->machine->operation_count;
    return own != NULL ? own : misfits->machine->operations;
}

bool isocast_misfits_move(const isocast_misfits *misfits, size_t parameter) {
    bool any = false;
    for (size_t k = 0; k < misfits->count; k++) {
        size_t count;
        const isocast_operation *operations = operations_of(misfits, k, &count);
        for (size_t i = 0; i < count && !any; i++) {
            any = moves(misfits->machine, &operations[i], parameter);
        }
    }
    return any;
}

static double distance(const isocast_misfit *item, double p) {
    return item->p_max > 0 && p > item->p_max ? log(p / item->p_max) : 0;
}

void isocast_misfits_complete(const isocast_misfits *misfits, double p, double *gradient) {
    for (size_t k = 0; k < misfits->count; k++) {
        const isocast_operation *o = misfits->items[k].operation;
        double share = o != NULL ? isocast_misfit_share(misfits->machine, o, gradient)
                                 : isocast_misfit_share_of_messages(misfits->machine, gradient);
        gradient[misfits->first + 2 * k] = share;
        gradient[misfits->first + 2 * k + 1] = share * distance(&misfits->items[k], p);
    }
}

/* Moves the coefficients of an operation by a factor that is off by so much. */
static void displace(const isocast_machine *machine, const isocast_operation *o, double off,
                     double *parameters) {
    for (size_t i = o->first_parameter; i < o->first_parameter + o->parameter_count; i++) {
        parameters[i] += moves(machine, o, i) ? machine->parameters[i].value * off : 0;
    }
}

void isocast_misfits_displace(const isocast_misfits *misfits, double p, const double *errors,
                              double scale, double *parameters) {
    const isocast_machine *machine = misfits->machine;
    for (size_t i = 0; i < machine->parameter_count; i++) {
        parameters[i] = machine->parameters[i].value + scale * errors[i];
    }
    for (size_t k = 0; k < misfits->count; k++) {
        const double *own = &errors[misfits->first + 2 * k];
        double off = scale * (own[0] + own[1] * distance(&misfits->items[k], p));
        size_t count;
        const isocast_operation *operations = operations_of(misfits, k, &count);
        for (size_t i = 0; off != 0 && i < count; i++) {
            displace(machine, &operations[i], off, parameters);
        }
    }
}
