#include "delivery.h"

#include <math.h>

static void read_one(isocast_reader *reader, const isocast_tree_node *node, bool is_last,
                     isocast_deliveries *out) {
    static const char *const keys[] = {"after", "nodes"};
    isocast_delivery *d = &out->items[out->count++];
    *d = (isocast_delivery){.after = NAN, .nodes = INFINITY};
    if (!isocast_reader_mapping(reader, node, "a phase", keys, sizeof keys / sizeof keys[0])) {
        return;
    }
    isocast_reader_find(reader, node, "after", true, "a phase");
    const isocast_tree_node *nodes =
        isocast_reader_find(reader, node, "nodes", !is_last, "a phase before the last one");
    isocast_reader_number_at(reader, node, "after", isocast_dimension_of(ISOCAST_BASE_TIME),
                             (isocast_bounds){.least = 0}, &d->after);
    isocast_reader_number_at(reader, node, "nodes", isocast_dimension_count,
                             (isocast_bounds){.least = 1, .whole = true}, &d->nodes);
    if (is_last && nodes != NULL) {
        isocast_reader_refuse(reader, nodes->span, "leave nodes out here",
                              "the last phase brings all nodes that are left");
    }
    if (out->count > 1 && d->after <= out->items[out->count - 2].after) {
        isocast_reader_refuse(reader, node->span, NULL, "a phase must come after the one before");
    }
}

void isocast_deliveries_read(isocast_reader *reader, const isocast_tree_node *mapping,
                             isocast_deliveries *out) {
    const isocast_tree_node *list = isocast_reader_find(reader, mapping, "phases", false, "");
    if (list == NULL || !isocast_reader_expect(reader, list, ISOCAST_TREE_SEQUENCE, "phases") ||
        !isocast_reader_at_most(reader, list, ISOCAST_DELIVERIES_MAX, "phases")) {
        return;
    }
    *out = (isocast_deliveries){0};
    for (size_t i = 0; i < list->count; i++) {
        read_one(reader, &list->items[i], i + 1 == list->count, out);
    }
}

size_t isocast_deliveries_of(const isocast_deliveries *deliveries, double nodes, double lifetime,
                             isocast_delivered *out) {
    double there = 0;
    if (deliveries->count == 0) {
        out[0] = (isocast_delivered){.nodes = nodes, .share = 1};
        return 1;
    }
    for (size_t i = 0; i < deliveries->count; i++) {
        const isocast_delivery *d = &deliveries->items[i];
        double until = i + 1 < deliveries->count ? d[1].after : lifetime;
        there = fmin(there + d->nodes, nodes);
        out[i] = (isocast_delivered){
            .after = d->after, .nodes = there, .share = (until - d->after) / lifetime};
    }
    return deliveries->count;
}
