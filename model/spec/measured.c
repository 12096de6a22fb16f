#include "measured.h"

static void read_range(isocast_reader *reader, const isocast_tree_node *operation, const char *key,
                       isocast_dimension dimension, isocast_bounds bounds, double *least,
                       double *most) {
    const isocast_tree_node *node = isocast_reader_find(reader, operation, key, false, "");
    if (node == NULL || !isocast_reader_expect(reader, node, ISOCAST_TREE_SEQUENCE, "a range")) {
        return;
    }
    if (node->count != 2) {
        isocast_reader_refuse(reader, node->span, "write [smallest, largest]",
                              "a range has two ends, this list has %zu", node->count);
        return;
    }
    isocast_formula_place place = {.what = "the end of a range", .dimension = dimension};
    *least = isocast_reader_bounded(reader, &node->items[0], &place, bounds);
    *most = isocast_reader_bounded(reader, &node->items[1], &place, bounds);
    if (*least > *most) {
        isocast_reader_refuse(reader, node->span, "write [smallest, largest]",
                              "the range runs from large to small");
    }
}

void isocast_read_measured(isocast_reader *reader, const isocast_tree_node *node,
                           isocast_measured *out) {
    static const char *const keys[] = {"p", "m"};
    if (isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, "a range")) {
        isocast_reader_known_keys(reader, node, "a range", keys, 2);
        read_range(reader, node, "p", isocast_dimension_count,
                   (isocast_bounds){.least = 1, .whole = true}, &out->p_min, &out->p_max);
        read_range(reader, node, "m", isocast_dimension_of(ISOCAST_BASE_BYTE), (isocast_bounds){0},
                   &out->m_min, &out->m_max);
    }
}
