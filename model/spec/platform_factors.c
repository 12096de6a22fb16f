#include "platform_factors.h"

#include <math.h>

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
