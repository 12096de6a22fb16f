#include "platform.h"

#include <stdlib.h>

double isocast_platform_together(const isocast_platform *platform) {
    return platform->hardware->classes[0].processors > 1 ? 1 : platform->network.together;
}

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
