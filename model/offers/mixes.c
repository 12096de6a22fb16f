#include "mixes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buffer.h"

static double spent_of(const isocast_offers_request *request, const isocast_bill *bill) {
    return request->whole_life ? bill->lifetime_price : bill->price;
}

double isocast_mix_spent(const isocast_offers_request *request, const isocast_offer *offer,
                         const double *nodes) {
    isocast_bill bill = isocast_bill_of_nodes(offer->priced, nodes);
    return spent_of(request, &bill);
}

const double *isocast_mixes_nodes(const isocast_mixes *mixes, size_t index) {
    return mixes->nodes + index * mixes->class_count;
}

void isocast_mixes_free(isocast_mixes *mixes) {
    free(mixes->items);
    free(mixes->nodes);
    *mixes = (isocast_mixes){0};
}

static isocast_status grow(isocast_mixes *mixes) {
    size_t capacity = mixes->capacity > 0 ? 2 * mixes->capacity : 64;
    isocast_mix *items = realloc(mixes->items, capacity * sizeof *items);
    mixes->items = items != NULL ? items : mixes->items;
    double *nodes = realloc(mixes->nodes, capacity * mixes->class_count * sizeof *nodes);
    mixes->nodes = nodes != NULL ? nodes : mixes->nodes;
    if (items == NULL || nodes == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    mixes->capacity = capacity;
    return ISOCAST_OK;
}

isocast_status isocast_mixes_add(const isocast_offers_request *request, const isocast_offer *offer,
                                 const double *nodes, isocast_mixes *mixes) {
    const isocast_machine *machine = offer->priced;
    mixes->class_count = machine->class_count;
    isocast_status status = mixes->count == mixes->capacity ? grow(mixes) : ISOCAST_OK;
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_mix *mix = &mixes->items[mixes->count];
    *mix = (isocast_mix){.bill = isocast_bill_of_nodes(machine, nodes),
                         .C = NAN,
                         .N = NAN,
                         .W = NAN,
                         .T = NAN,
                         .E = NAN,
                         .cost = NAN,
                         .energy = NAN,
                         .value = NAN};
    mix->spent = spent_of(request, &mix->bill);
    for (size_t i = 0; i < machine->class_count; i++) {
        mix->p += nodes[i] * machine->classes[i].processors;
    }
    memcpy(mixes->nodes + mixes->count * mixes->class_count, nodes,
           mixes->class_count * sizeof *nodes);
    mixes->count++;
    return ISOCAST_OK;
}

double isocast_mixes_most(const isocast_offers_request *request, const isocast_offer *offer,
                          const double *nodes, size_t class_index) {
    const isocast_machine *machine = offer->priced;
    double trial[ISOCAST_OFFER_CLASSES_MAX];
    memcpy(trial, nodes, machine->class_count * sizeof *trial);
    double low = -1;
    double high = machine->classes[class_index].count + 1;
    while (high - low > 1) {
        double middle = floor((low + high) / 2);
        trial[class_index] = middle;
        bool inside = isocast_mix_spent(request, offer, trial) <= request->budget;
        low = inside ? middle : low;
        high = inside ? high : middle;
    }
    return low;
}

/* Goes to the next mix: one node more of the lowest class that has room, the classes below it at
 * none. False where there is none. */
static bool step(const isocast_offers_request *request, const isocast_offer *offer, double *nodes) {
    const isocast_machine *machine = offer->priced;
    for (size_t i = 0; i < machine->class_count; i++) {
        nodes[i]++;
        if (nodes[i] <= machine->classes[i].count &&
            isocast_mix_spent(request, offer, nodes) <= request->budget) {
            return true;
        }
        nodes[i] = 0;
    }
    return false;
}

isocast_status isocast_mixes_enumerate(const isocast_offers_request *request,
                                       const isocast_offer *offer, size_t most,
                                       isocast_mixes *mixes, bool *all) {
    double nodes[ISOCAST_OFFER_CLASSES_MAX] = {0};
    size_t before = mixes->count;
    isocast_status status = ISOCAST_OK;
    *all = true;
    while (status == ISOCAST_OK && *all && step(request, offer, nodes)) {
        *all = mixes->count - before < most;
        if (*all) {
            status = isocast_mixes_add(request, offer, nodes, mixes);
        }
    }
    mixes->count = *all ? mixes->count : before;
    return status;
}

static void append_text(const isocast_machine *machine, const double *nodes, isocast_buffer *out) {
    const char *separator = "";
    for (size_t i = 0; i < machine->class_count; i++) {
        const isocast_node_class *c = &machine->classes[i];
        if (nodes[i] > 0) {
            isocast_buffer_puts(out, separator);
            if (machine->class_count > 1) {
                isocast_buffer_printf(out, "%s:", c->name);
            }
            isocast_buffer_printf(out, "%.0fx%.0f", c->processors, nodes[i]);
            separator = "+";
        }
    }
}

isocast_status isocast_mix_system(const isocast_offer *offer, const double *nodes,
                                  isocast_system **out) {
    const isocast_machine *machine = offer->priced;
    const char *program = isocast_model_algorithm(offer->model)->kernel;
    isocast_buffer text = {0};
    append_text(machine, nodes, &text);
    isocast_source *source = NULL;
    isocast_status status = text.failed || text.text == NULL
                                ? ISOCAST_NO_MEMORY
                                : isocast_source_create("mix", text.text, text.length, &source);
    if (status == ISOCAST_OK) {
        isocast_diagnostics ignored = {0};
        status = isocast_system_parse_mix(machine, program, source,
                                          (isocast_span){0, source->length}, &ignored, out);
        isocast_diagnostics_clear(&ignored);
    }
    isocast_source_free(source);
    isocast_buffer_free(&text);
    return status;
}
