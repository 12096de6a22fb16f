#include "platform_text.h"

#include <math.h>

#include "model/spec/platform_compute.h"

static void put_by_size(const char *key, const isocast_factors *factors, const char *unit,
                        const char *separator, isocast_buffer *out) {
    for (size_t i = 0; i < factors->count; i++) {
        if (i == 0) {
            isocast_buffer_printf(out, "%s%s: {", separator, key);
        }
        isocast_buffer_printf(out, "%s%.9g B: %.9g%s%s", i == 0 ? "" : ", ", factors->sizes[i],
                              factors->values[i], unit, i + 1 == factors->count ? "}" : "");
    }
}

void platform_text_put_network(const isocast_network *network, const char *separator,
                               isocast_buffer *out) {
    isocast_buffer_printf(out, "topology: %s", isocast_topology_name(network->topology));
    if (network->shape != NULL) {
        isocast_buffer_printf(out, "%sshape: \"%s\"", separator, network->shape);
    }
    const struct {
        const char *key;
        double value;
        const char *unit;
    } numbers[] = {
        {"link_bandwidth", network->link_bandwidth, "B/s"},
        {"link_latency", network->link_latency, "s"},
        {"backplane_bandwidth", network->backplane_bandwidth, "B/s"},
        {"node_bandwidth", network->node_bandwidth, "B/s"},
        {"node_latency", network->node_latency, "s"},
        {"node_capacity", network->node_capacity, "B/s"},
        {"eager_limit", network->eager_limit, "B"},
        {"interfaces", network->interfaces > 1 ? network->interfaces : NAN, ""},
        {"link_share", network->link_share < 1 ? network->link_share : NAN, ""},
        {"congestion", network->congestion > 0 ? network->congestion : NAN, ""},
        {"message_gap", network->message_gap > 0 ? network->message_gap : NAN, "s"},
        {"message_overhead", network->message_overhead > 0 ? network->message_overhead : NAN, "s"},
        {"copy_overhead", network->copy_overhead > 0 ? network->copy_overhead : NAN, "s"}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (!isnan(numbers[i].value)) {
            isocast_buffer_printf(out, "%s%s: %.9g %s", separator, numbers[i].key, numbers[i].value,
                                  numbers[i].unit);
        }
    }
    put_by_size("latency_factor", &network->latency_factor, "", separator, out);
    put_by_size("bandwidth_factor", &network->bandwidth_factor, "", separator, out);
    put_by_size("receive_overhead", &network->receive_overhead, " s", separator, out);
    put_by_size("receive_bandwidth", &network->receive_bandwidth, " B/s", separator, out);
    if (network->collectives != ISOCAST_COLLECTIVES_MPICH) {
        isocast_buffer_printf(out, "%scollectives: %s", separator,
                              isocast_collectives_name(network->collectives));
    }
}

void platform_text_put_section(const isocast_platform *platform, const char *key,
                               isocast_buffer *out) {
    const isocast_tree *tree = platform->hardware->tree;
    isocast_span lines = isocast_platform_section_lines(tree, key);
    if (lines.end > lines.begin) {
        isocast_buffer_append(out, tree->source->text + lines.begin, lines.end - lines.begin);
        isocast_buffer_puts(out, tree->source->text[lines.end - 1] == '\n' ? "" : "\n");
    }
}
