#include "purchase.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/describe.h"

isocast_purchase isocast_purchase_none(void) {
    return (isocast_purchase){.running_cost = NAN, .energy_price = NAN, .lifetime = NAN, .use = 1};
}

void isocast_purchase_clear(isocast_purchase *purchase) {
    for (size_t i = 0; i < purchase->step_count; i++) {
        free(purchase->steps[i].name);
    }
    *purchase = isocast_purchase_none();
}

static isocast_dimension energy_dimension(void) {
    return isocast_dimension_multiply(isocast_dimension_of(ISOCAST_BASE_POWER),
                                      isocast_dimension_of(ISOCAST_BASE_TIME));
}

/* What an amount of this kind is, and how it is written. */
static const char *kind_of(isocast_dimension per, const char **example) {
    if (isocast_dimension_is_count(per)) {
        *example = "write it as 5 kEUR or 5 kUSD";
        return "an amount in EUR or USD";
    }
    if (isocast_dimension_equal(per, energy_dimension())) {
        *example = "write it as 0.3 EUR/kWh or 0.3 USD/kWh";
        return "an amount in EUR or USD for an energy";
    }
    *example = "write it as 900 EUR/year or 900 USD/year";
    return "an amount in EUR or USD for a time";
}

double isocast_reader_amount(isocast_reader *reader, const isocast_tree_node *node,
                             const char *what, isocast_dimension per, isocast_currency *currency) {
    const isocast_formula_place place = {.what = what, .any_dimension = true};
    isocast_dimension dimension = isocast_dimension_count;
    double value = isocast_reader_number(reader, node, &place, &dimension);
    if (isnan(value)) {
        return NAN;
    }
    isocast_currency found = isocast_currency_in(dimension, per);
    if (found == ISOCAST_CURRENCY_NONE && !(value == 0 && isocast_dimension_is_count(dimension))) {
        isocast_description is = isocast_describe(dimension);
        const char *example;
        const char *kind = kind_of(per, &example);
        char own[96];
        if (isocast_dimension_is_count(per) && isocast_dimension_is_count(dimension)) {
            /* Options need quotes where there is a blank. */
            const char *blank = reader->source->name[0] == '-' ? "" : " ";
            snprintf(own, sizeof own, "write it with its currency: %.10g%sEUR or %.10g%sUSD", value,
                     blank, value, blank);
            example = own;
        }
        isocast_reader_refuse(reader, node->span, example, "%s must be %s, this is %s", what, kind,
                              is.text);
        return NAN;
    }
    if (value < 0) {
        isocast_reader_refuse(reader, node->span, NULL, "%s must be at least 0, this is %g", what,
                              value);
        return NAN;
    }
    if (found != ISOCAST_CURRENCY_NONE && *currency != ISOCAST_CURRENCY_NONE &&
        found != *currency) {
        isocast_reader_refuse(
            reader, node->span,
            "isocast knows no rate of exchange; write all amounts in one currency",
            "%s is in %s, but an amount before it is in %s", what, isocast_currency_name(found),
            isocast_currency_name(*currency));
        return NAN;
    }
    *currency = found != ISOCAST_CURRENCY_NONE ? found : *currency;
    return value;
}

void isocast_reader_amount_at(isocast_reader *reader, const isocast_tree_node *mapping,
                              const char *key, isocast_dimension per, isocast_currency *currency,
                              double *amount) {
    const isocast_tree_node *node = isocast_reader_find(reader, mapping, key, false, key);
    if (node != NULL) {
        *amount = isocast_reader_amount(reader, node, key, per, currency);
    }
}

static void read_step(isocast_reader *reader, const isocast_tree_node *node,
                      isocast_purchase *purchase) {
    if (!isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, "a step")) {
        return;
    }
    static const char *const keys[] = {"what", "nodes", "price", "power"};
    isocast_reader_known_keys(reader, node, "a step", keys, sizeof keys / sizeof keys[0]);
    if (purchase->step_count == ISOCAST_STEPS_MAX) {
        isocast_reader_refuse(reader, node->span, NULL, "more than %d steps", ISOCAST_STEPS_MAX);
        return;
    }
    isocast_purchase_step *step = &purchase->steps[purchase->step_count++];
    *step = (isocast_purchase_step){.nodes = NAN};
    step->name = isocast_reader_text_at(reader, node, "what");
    isocast_reader_find(reader, node, "nodes", true, "a step");
    isocast_reader_number_at(reader, node, "nodes", isocast_dimension_count,
                             (isocast_bounds){.least = 1, .whole = true}, &step->nodes);
    isocast_reader_amount_at(reader, node, "price", isocast_dimension_count, &purchase->currency,
                             &step->price);
    isocast_reader_number_at(reader, node, "power", isocast_dimension_of(ISOCAST_BASE_POWER),
                             (isocast_bounds){0}, &step->power);
}

static void read_steps(isocast_reader *reader, const isocast_tree_node *mapping,
                       isocast_purchase *purchase) {
    const isocast_tree_node *node =
        isocast_reader_section(reader, mapping, "steps", ISOCAST_TREE_SEQUENCE);
    if (node == NULL) {
        return;
    }
    for (size_t i = 0; i < purchase->step_count; i++) {
        free(purchase->steps[i].name);
    }
    purchase->step_count = 0;
    for (size_t i = 0; i < node->count; i++) {
        read_step(reader, &node->items[i], purchase);
    }
}

/* A plain number is in seconds, which is hardly what was meant; what a run costs has a number then
 * all the same, but for the shortest ones. */
static void check_lifetime(isocast_reader *reader, const isocast_tree_node *mapping,
                           double lifetime) {
    static const double least = 86400; /* s */
    static const double refused = 1;   /* s */
    const isocast_tree_entry *entry = isocast_tree_find(mapping, "lifetime");
    if (entry != NULL && lifetime < refused) {
        isocast_reader_refuse(reader, entry->value.span, "such as lifetime: 5 year",
                              "lifetime must be at least %g s, this is %g s", refused, lifetime);
    } else if (entry != NULL && lifetime < least) {
        isocast_diagnostics_add(reader->diagnostics, ISOCAST_WARNING, reader->source,
                                entry->value.span, "such as lifetime: 5 year",
                                "lifetime is %g s here; is a unit missing?", lifetime);
    }
}

void isocast_purchase_read(isocast_reader *reader, const isocast_tree_node *mapping,
                           isocast_purchase *purchase) {
    isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
    isocast_currency *currency = &purchase->currency;
    isocast_reader_amount_at(reader, mapping, "base_price", isocast_dimension_count, currency,
                             &purchase->base_price);
    isocast_reader_number_at(reader, mapping, "base_power",
                             isocast_dimension_of(ISOCAST_BASE_POWER), (isocast_bounds){0},
                             &purchase->base_power);
    read_steps(reader, mapping, purchase);
    isocast_reader_amount_at(reader, mapping, "running_cost", time, currency,
                             &purchase->running_cost);
    isocast_reader_amount_at(reader, mapping, "energy_price", energy_dimension(), currency,
                             &purchase->energy_price);
    isocast_reader_number_at(reader, mapping, "lifetime", isocast_dimension_of(ISOCAST_BASE_TIME),
                             (isocast_bounds){.above = true}, &purchase->lifetime);
    check_lifetime(reader, mapping, purchase->lifetime);
    isocast_reader_number_at(reader, mapping, "use", isocast_dimension_count,
                             (isocast_bounds){.least = 1e-9}, &purchase->use);
    const isocast_tree_entry *use = isocast_tree_find(mapping, "use");
    if (use != NULL && purchase->use > 1) {
        isocast_reader_refuse(reader, use->value.span, NULL,
                              "use is a part of the lifetime, at most 1, this is %g",
                              purchase->use);
    }
}

/* Where the number of a key is; NULL where it is none. */
static double *place_of(isocast_purchase *purchase, const char *key) {
    const struct {
        const char *key;
        double *place;
    } places[] = {
        {"base_price", &purchase->base_price},     {"base_power", &purchase->base_power},
        {"running_cost", &purchase->running_cost}, {"energy_price", &purchase->energy_price},
        {"lifetime", &purchase->lifetime},         {"use", &purchase->use}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (strcmp(places[i].key, key) == 0) {
            return places[i].place;
        }
    }
    return NULL;
}

double isocast_purchase_set(isocast_reader *reader, const char *name, const isocast_tree_node *text,
                            isocast_purchase *purchase, bool *known) {
    double *place = place_of(purchase, name);
    *known = place != NULL;
    if (place == NULL) {
        return NAN;
    }
    isocast_tree_node key = *text;
    key.text = (char *)name;
    isocast_tree_entry entry = {.key = key, .value = *text};
    const isocast_tree_node mapping = {
        .kind = ISOCAST_TREE_MAPPING, .span = text->span, .count = 1, .entries = &entry};
    isocast_purchase_read(reader, &mapping, purchase);
    return reader->status == ISOCAST_OK ? *place : NAN;
}
