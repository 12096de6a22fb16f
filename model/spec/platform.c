#include "platform.h"

#include <math.h>
#include <stdlib.h>

static const char *const topology_names[ISOCAST_TOPOLOGIES] = {
    [ISOCAST_TOPOLOGY_SWITCHED] = "switched",
    [ISOCAST_TOPOLOGY_FAT_TREE] = "fat-tree",
    [ISOCAST_TOPOLOGY_TORUS] = "torus",
    [ISOCAST_TOPOLOGY_DRAGONFLY] = "dragonfly",
};

const char *isocast_topology_name(isocast_topology topology) {
    return topology_names[topology];
}

void isocast_platform_free(isocast_platform *platform) {
    if (platform != NULL) {
        isocast_machine_free(platform->hardware);
        free(platform->network.shape);
        free(platform);
    }
}

double isocast_network_link_rate(const isocast_network *network) {
    return network->link_bandwidth * network->interfaces * network->link_share;
}

double isocast_network_slowdown(const isocast_network *network, double nodes) {
    return 1 + network->congestion * log2(fmax(nodes, 2) / 2);
}

double isocast_network_switch_rate(const isocast_network *network, double nodes) {
    double slowdown = isocast_network_slowdown(network, nodes);
    double reached = slowdown > 1 ? nodes * isocast_network_link_rate(network) / slowdown : NAN;
    return fmin(reached, network->backplane_bandwidth); /* of NAN and a number the number */
}

/* A message within a node is copied into memory that both processes share and out of it (double
 * copy: D. Buntinas, G. Mercier, W. Gropp, "Implementation and evaluation of shared-memory
 * communication and synchronization operations in MPICH2 using the Nemesis communication
 * subsystem", Parallel Computing 33, 2007). Each copy reads a byte and writes it. */
static const double moves_of_a_byte = 4;

double isocast_platform_node_capacity(const isocast_network *network,
                                      const isocast_node_class *class) {
    return !isnan(network->node_capacity) ? network->node_capacity
                                          : class->memory_bandwidth / moves_of_a_byte;
}
