#include "offers_check.h"

#include <math.h>

/* The machine file's own text about a node class, or about one of its keys where it has that; the
 * first byte of the file where it has neither. */
static isocast_span find_span(const isocast_machine *machine, const char *class, const char *key) {
    const isocast_tree_entry *nodes = isocast_tree_find(&machine->tree->root, "nodes");
    const isocast_tree_entry *entry =
        nodes != NULL && class != NULL ? isocast_tree_find(&nodes->value, class) : NULL;
    const isocast_tree_entry *value = entry != NULL ? isocast_tree_find(&entry->value, key) : NULL;
    return value != NULL   ? value->value.span
           : entry != NULL ? entry->key.span
                           : (isocast_span){0, 1};
}

static void refuse(const isocast_offer *offer, const char *class, const char *key,
                   isocast_diagnostics *diagnostics, const char *hint, const isocast_buffer *text) {
    isocast_diagnostics_rely(diagnostics, text);
    isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, offer->priced->tree->source,
                            find_span(offer->priced, class, key), hint, "%s",
                            text->text != NULL ? text->text : "");
}

static void need_amounts(const isocast_offers_request *request, const isocast_offer *offer,
                         isocast_diagnostics *diagnostics) {
    const isocast_purchase *purchase = &offer->priced->purchase;
    bool lifetime = request->goal == ISOCAST_OFFER_COST || request->whole_life;
    bool power =
        request->goal == ISOCAST_OFFER_ENERGY || (lifetime && !isnan(purchase->energy_price));
    for (size_t i = 0; i < offer->priced->class_count; i++) {
        const isocast_node_class *c = &offer->priced->classes[i];
        isocast_buffer text = {0};
        if (isnan(c->price)) {
            isocast_buffer_printf(&text, "node class '%s' of offer '%s' has no price", c->name,
                                  offer->name);
            refuse(offer, c->name, "price", diagnostics,
                   "add its price, such as price: 9 kEUR, here or in a file of offers", &text);
        }
        isocast_buffer_free(&text);
        if (power && isnan(c->power)) {
            isocast_buffer_printf(&text, "node class '%s' of offer '%s' has no power", c->name,
                                  offer->name);
            refuse(offer, c->name, "power", diagnostics,
                   "add what a node draws, such as power: 500 W, here or in a file of offers",
                   &text);
        }
        isocast_buffer_free(&text);
    }
    if (lifetime && isnan(purchase->lifetime)) {
        isocast_buffer text = {0};
        isocast_buffer_printf(
            &text, "offer '%s' has no lifetime, without which %s is not known", offer->name,
            request->whole_life ? "what its lifetime costs" : "the cost of a run");
        refuse(offer, NULL, "", diagnostics,
               "add purchase: {lifetime: 5 year}, here or in a file of offers", &text);
        isocast_buffer_free(&text);
    }
}

/* The largest run needs something that keeps N from growing without end. */
static void need_limit(const isocast_offers_request *request, const isocast_offer *offer,
                       isocast_diagnostics *diagnostics) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(offer->model);
    if (request->goal != ISOCAST_OFFER_RUN || !isnan(request->deadline) ||
        isfinite(algorithm->sizes[0].max)) {
        return;
    }
    for (size_t i = 0; i < offer->priced->class_count; i++) {
        const isocast_node_class *c = &offer->priced->classes[i];
        isocast_buffer text = {0};
        if (algorithm->memory == NULL) {
            isocast_buffer_printf(&text, "nothing limits %s: '%s' does not say its memory",
                                  algorithm->sizes[0].name, algorithm->name);
        } else if (isnan(c->memory)) {
            isocast_buffer_printf(&text, "nothing limits %s: node class '%s' has no memory",
                                  algorithm->sizes[0].name, c->name);
        }
        if (text.length > 0) {
            refuse(offer, c->name, "memory", diagnostics,
                   "give --deadline, or memory in the algorithm file and in the machine file",
                   &text);
        }
        isocast_buffer_free(&text);
    }
}

static const char *first_priced(const isocast_machine *machine) {
    return machine->class_count > 0 ? machine->classes[0].name : NULL;
}

isocast_status isocast_offers_check(const isocast_offers_request *request,
                                    const isocast_offer *offers, size_t count,
                                    isocast_currency *currency, isocast_diagnostics *diagnostics) {
    size_t errors = diagnostics->errors;
    const char *known = "the budget";
    for (size_t i = 0; i < count; i++) {
        need_amounts(request, &offers[i], diagnostics);
        need_limit(request, &offers[i], diagnostics);
        isocast_currency own = offers[i].priced->purchase.currency;
        if (own != ISOCAST_CURRENCY_NONE && *currency != ISOCAST_CURRENCY_NONE &&
            own != *currency) {
            isocast_buffer text = {0};
            isocast_buffer_printf(&text, "offer '%s' is in %s, but %s is in %s", offers[i].name,
                                  isocast_currency_name(own), known,
                                  isocast_currency_name(*currency));
            refuse(&offers[i], first_priced(offers[i].priced), "price", diagnostics,
                   "isocast knows no rate of exchange; write all amounts in one currency", &text);
            isocast_buffer_free(&text);
        } else if (*currency == ISOCAST_CURRENCY_NONE && own != ISOCAST_CURRENCY_NONE) {
            *currency = own;
            known = "another one";
        }
    }
    return diagnostics->errors > errors ? ISOCAST_INVALID : ISOCAST_OK;
}
