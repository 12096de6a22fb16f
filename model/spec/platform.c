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

static const char *const collectives_names[ISOCAST_COLLECTIVES] = {
    [ISOCAST_COLLECTIVES_MPICH] = "mpich",
    [ISOCAST_COLLECTIVES_OMPI] = "ompi",
    [ISOCAST_COLLECTIVES_IMPI] = "impi",
    [ISOCAST_COLLECTIVES_MVAPICH2] = "mvapich2",
};

const char *isocast_collectives_name(isocast_collectives collectives) {
    return collectives_names[collectives];
}

void isocast_platform_free(isocast_platform *platform) {
    if (platform != NULL) {
        isocast_machine_free(platform->hardware);
        free(platform->network.shape);
        free(platform);
    }
}
