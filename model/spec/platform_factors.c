#include "platform_factors.h"

#include <math.h>

#include "model/base/quantity.h"

static double read_factor(isocast_reader *reader, const isocast_tree_node *node,
                          const isocast_factors_words *words) {
    isocast_formula_place place = {.what = words->key, .dimension = words->dimension};
    return isocast_reader_bounded(reader, node, &place, (isocast_bounds){.above = true});
}

/* "64 KiB: 0.94". */
static void read_step(isocast_reader *reader, const isocast_tree_entry *entry,
                      const isocast_factors_words *words, isocast_factors *out) {
    isocast_formula_place place = {.what = "the size of a message",
                                   .dimension = isocast_dimension_of(ISOCAST_BASE_BYTE)};
    double size = isocast_reader_bounded(reader, &entry->key, &place, (isocast_bounds){.least = 0});
    double value = read_factor(reader, &entry->value, words);
    if (isnan(size) || isnan(value)) {
        return;
    }
    if (out->count == 0 && size != 0) {
        isocast_reader_refuse(reader, entry->key.span, "begin with 0 B",
                              "%s says nothing of messages below %g B", words->key, size);
    } else if (out->count > 0 && size <= out->sizes[out->count - 1]) {
        isocast_reader_refuse(reader, entry->key.span, "list sizes from small to large",
                              "%g B does not come after %g B", size, out->sizes[out->count - 1]);
    } else {
        out->sizes[out->count] = size;
        out->values[out->count++] = value;
    }
}

void isocast_platform_read_factors(isocast_reader *reader, const isocast_tree_node *network,
                                   const isocast_factors_words *words, isocast_factors *out) {
    const isocast_tree_node *node =
        isocast_reader_find(reader, network, words->key, false, "a network");
    if (node == NULL) {
        return;
    }
    if (node->kind == ISOCAST_TREE_SCALAR) {
        out->values[0] = read_factor(reader, node, words);
        out->count += !isnan(out->values[0]) ? 1U : 0U;
        return;
    }
    if (!isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, words->key)) {
        return;
    }
    if (node->count == 0 || node->count > ISOCAST_FACTORS_MAX) {
        isocast_reader_refuse(reader, node->span, words->example,
                              "%s takes 1 to %d sizes, this has %zu", words->key,
                              ISOCAST_FACTORS_MAX, node->count);
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        read_step(reader, &node->entries[i], words, out);
    }
}

/* The factor of a message of this size; `over`: of one that is a little longer. */
static double factor_at(const isocast_factors *factors, double size, bool over) {
    double value = 1;
    for (size_t i = 0; i < factors->count; i++) {
        bool reached = over ? factors->sizes[i] <= size : i == 0 || factors->sizes[i] < size;
        value = reached ? factors->values[i] : value;
    }
    return value;
}

/* Time in s of a message between neighbours, which pass a link each to a switch, but for a torus.
 * What it takes of its receiver is left out: a message above the eager limit waits for that in
 * another way. */
static double time_at(const isocast_network *network, double size, bool over) {
    double links = network->topology == ISOCAST_TOPOLOGY_TORUS ? 1 : 2;
    return links * network->link_latency * factor_at(&network->latency_factor, size, over) +
           size / (network->link_bandwidth * factor_at(&network->bandwidth_factor, size, over));
}

void isocast_platform_warn_falling(const isocast_platform *platform,
                                   isocast_diagnostics *diagnostics) {
    static const char *const keys[] = {"latency_factor", "bandwidth_factor"};
    const isocast_network *network = &platform->network;
    const isocast_factors *const by_size[] = {&network->latency_factor, &network->bandwidth_factor};
    double least = 0.99;
    double size = NAN;
    size_t which = 0;
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 1; i < by_size[k]->count; i++) {
            double at = by_size[k]->sizes[i];
            double share = time_at(network, at, true) / time_at(network, at, false);
            size = share < least ? at : size;
            which = share < least ? k : which;
            least = fmin(least, share);
        }
    }
    const isocast_tree *tree = platform->hardware->tree;
    const isocast_tree_entry *entry = isocast_tree_find(&tree->root, "network");
    entry = entry != NULL ? isocast_tree_find(&entry->value, keys[which]) : NULL;
    if (isnan(size) || entry == NULL) {
        return;
    }
    isocast_buffer shorter = {0};
    isocast_buffer longer = {0};
    const double times[] = {time_at(network, size, false), time_at(network, size, true)};
    int digits = isocast_quantity_digits_apart(times[0], times[1], 3);
    isocast_quantity_format(times[0], "s", digits, &shorter);
    isocast_quantity_format(times[1], "s", digits, &longer);
    isocast_diagnostics_rely(diagnostics, &shorter);
    isocast_diagnostics_rely(diagnostics, &longer);
    isocast_diagnostics_add(diagnostics, ISOCAST_WARNING, tree->source, entry->key.span,
                            "choose factors by which no message takes less time than a shorter one",
                            "by these factors a message of %.0f B takes %s between two nodes, and "
                            "one that is a byte shorter %s",
                            size, longer.text != NULL ? longer.text : "",
                            shorter.text != NULL ? shorter.text : "");
    isocast_buffer_free(&shorter);
    isocast_buffer_free(&longer);
}
