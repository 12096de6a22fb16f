#include "platform.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_nodes.h"

static const char *const platform_keys[] = {"platform", "title",   "source",
                                            "nodes",    "network", "systems"};
static const char *const network_keys[] = {
    "topology",       "shape",        "link_bandwidth", "link_latency", "backplane_bandwidth",
    "node_bandwidth", "node_latency", "eager_limit"};
enum {
    PLATFORM_KEYS = sizeof platform_keys / sizeof platform_keys[0],
    NETWORK_KEYS = sizeof network_keys / sizeof network_keys[0]
};
static const isocast_node_words node_words = {
    .file = "a platform file",
    .speed = "speed",
    .speed_hint = "sustained flop/s of one processor, such as speed: 2 Gflop/s"};

/* What the file does not say: transfers in memory as SimGrid's own platforms have them, and the
 * limit of MPICH's messages over TCP. */
static const double default_node_bandwidth = 6e9;
static const double default_node_latency = 0.5e-6;
static const double default_eager_limit = 65536;

static const struct {
    const char *name;
    const char *shape; /* an example of its shape; NULL: it has none */
    size_t numbers;    /* in the shape; 0: any count */
} topologies[] = {
    [ISOCAST_TOPOLOGY_SWITCHED] = {"switched", NULL, 0},
    [ISOCAST_TOPOLOGY_FAT_TREE] = {"fat-tree", "2;8,16;1,8;1,1", 0},
    [ISOCAST_TOPOLOGY_TORUS] = {"torus", "4,4,8", 0},
    [ISOCAST_TOPOLOGY_DRAGONFLY] = {"dragonfly", "4,1;4,1;4,1;2", 7},
};
enum { TOPOLOGIES = sizeof topologies / sizeof topologies[0] };

const char *isocast_topology_name(isocast_topology topology) {
    return topologies[topology].name;
}

static double read_number(isocast_reader *reader, const isocast_tree_node *network, const char *key,
                          isocast_dimension dimension, bool required, double otherwise) {
    const isocast_tree_node *node =
        isocast_reader_find(reader, network, key, required, "a network");
    isocast_place place = {.what = key, .dimension = dimension};
    return node == NULL
               ? otherwise
               : isocast_reader_bounded(reader, node, &place, (isocast_bounds){.above = true});
}

static void read_topology(isocast_reader *reader, const isocast_tree_node *node,
                          isocast_network *out) {
    char *text = isocast_reader_text(reader, node, "topology");
    const char *names[TOPOLOGIES];
    size_t found = TOPOLOGIES;
    for (size_t i = 0; i < TOPOLOGIES; i++) {
        names[i] = topologies[i].name;
        found = text != NULL && strcmp(text, names[i]) == 0 ? i : found;
    }
    if (text != NULL && found == TOPOLOGIES) {
        const char *nearest = isocast_nearest_name(text, names, TOPOLOGIES);
        char hint[64];
        snprintf(hint, sizeof hint, "did you mean '%s'?", nearest != NULL ? nearest : "");
        isocast_reader_refuse(reader, node->span, nearest != NULL ? hint : NULL,
                              "a topology is switched, fat-tree, torus or dragonfly");
    }
    out->topology = found < TOPOLOGIES ? (isocast_topology)found : ISOCAST_TOPOLOGY_SWITCHED;
    free(text);
}

/* Whole numbers from 1 on, in groups parted by semicolons; gives how many, 0 where it is none.
 */
static size_t count_numbers(const char *shape) {
    size_t count = 0;
    for (const char *at = shape;;) {
        char *end = NULL;
        if (!isdigit((unsigned char)*at) || strtol(at, &end, 10) < 1) {
            return 0;
        }
        count++;
        if (*end == '\0') {
            return count;
        }
        if (*end != ',' && *end != ';') {
            return 0;
        }
        at = end + 1;
    }
}

/* Nodes that a shape has places for: all of a torus; a fat tree's first list after the number of
 * levels; the first number of each group of a dragonfly, times its last. */
static double places_of(isocast_topology topology, const char *shape) {
    double places = 1;
    const char *at = shape;
    size_t group = 0;
    bool first = true;
    while (*at != '\0') {
        char *end = NULL;
        double number = (double)strtol(at, &end, 10);
        bool counts = topology == ISOCAST_TOPOLOGY_TORUS ||
                      (topology == ISOCAST_TOPOLOGY_FAT_TREE && group == 1) ||
                      (topology == ISOCAST_TOPOLOGY_DRAGONFLY && first);
        places *= counts ? number : 1;
        first = *end == ';';
        group += *end == ';';
        at = *end == '\0' ? end : end + 1;
    }
    return places;
}

static void read_shape(isocast_reader *reader, const isocast_tree_node *network,
                       isocast_platform *platform) {
    isocast_network *out = &platform->network;
    bool needed = topologies[out->topology].shape != NULL;
    const isocast_tree_node *node =
        isocast_reader_find(reader, network, "shape", needed, "such a network");
    if (node == NULL) {
        return;
    }
    out->shape = isocast_reader_text(reader, node, "shape");
    if (out->shape == NULL) {
        return;
    }
    if (!needed) {
        isocast_reader_refuse(reader, node->span, "leave it out",
                              "a switched network has no shape");
        return;
    }
    size_t numbers = count_numbers(out->shape);
    size_t due = topologies[out->topology].numbers;
    if (numbers == 0 || (due > 0 && numbers != due)) {
        char hint[96];
        snprintf(hint, sizeof hint, "such as shape: \"%s\"", topologies[out->topology].shape);
        isocast_reader_refuse(reader, node->span, hint, "this is no shape of a %s",
                              topologies[out->topology].name);
        return;
    }
    double places = places_of(out->topology, out->shape);
    const isocast_machine *hardware = platform->hardware;
    if (hardware->class_count == 1 && places != hardware->classes[0].count) {
        isocast_reader_refuse(reader, node->span, "both must be the same",
                              "this shape has places for %.0f nodes, there are %.0f", places,
                              hardware->classes[0].count);
    }
}

static void read_network(isocast_reader *reader, const isocast_tree_node *root,
                         isocast_platform *platform) {
    const isocast_tree_node *network =
        isocast_reader_find(reader, root, "network", true, "a platform file");
    if (network == NULL ||
        !isocast_reader_expect(reader, network, ISOCAST_TREE_MAPPING, "network")) {
        return;
    }
    isocast_reader_known_keys(reader, network, "a network", network_keys, NETWORK_KEYS);
    isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
    isocast_dimension bytes = isocast_dimension_of(ISOCAST_BASE_BYTE);
    isocast_dimension rate = isocast_dimension_divide(bytes, time);
    isocast_network *out = &platform->network;
    const isocast_tree_node *topology =
        isocast_reader_find(reader, network, "topology", true, "a network");
    if (topology != NULL) {
        read_topology(reader, topology, out);
        read_shape(reader, network, platform);
        if (out->topology != ISOCAST_TOPOLOGY_SWITCHED && platform->hardware->class_count > 1) {
            isocast_reader_refuse(reader, topology->span, "a switched network takes several",
                                  "a %s has nodes of one class", topologies[out->topology].name);
        }
    }
    out->link_bandwidth = read_number(reader, network, "link_bandwidth", rate, true, NAN);
    out->link_latency = read_number(reader, network, "link_latency", time, true, NAN);
    out->backplane_bandwidth =
        read_number(reader, network, "backplane_bandwidth", rate, false, NAN);
    out->node_bandwidth =
        read_number(reader, network, "node_bandwidth", rate, false, default_node_bandwidth);
    out->node_latency =
        read_number(reader, network, "node_latency", time, false, default_node_latency);
    out->eager_limit =
        read_number(reader, network, "eager_limit", bytes, false, default_eager_limit);
}

static bool names_are_read(const isocast_machine *hardware) {
    for (size_t i = 0; i < hardware->class_count; i++) {
        if (hardware->classes[i].name == NULL) {
            return false;
        }
    }
    return hardware->class_count > 0;
}

static void read_platform(isocast_reader *reader, isocast_platform *platform) {
    isocast_machine *hardware = platform->hardware;
    const isocast_tree_node *root = &hardware->tree->root;
    if (!isocast_reader_expect(reader, root, ISOCAST_TREE_MAPPING, "a platform file")) {
        return;
    }
    isocast_reader_known_keys(reader, root, "a platform file", platform_keys, PLATFORM_KEYS);
    const isocast_tree_node *name =
        isocast_reader_find(reader, root, "platform", true, "a platform file");
    const isocast_tree_node *source = isocast_reader_find(reader, root, "source", false, "");
    hardware->name = name != NULL ? isocast_reader_text(reader, name, "platform") : NULL;
    hardware->source = source != NULL ? isocast_reader_text(reader, source, "source") : NULL;
    hardware->simulated = true;
    isocast_machine_read_nodes(reader, root, &node_words, hardware);
    isocast_machine_read_systems(reader, root, &node_words, hardware);
    read_network(reader, root, platform);
    if (names_are_read(hardware)) {
        isocast_machine_check_systems(reader, hardware);
    }
}

isocast_status isocast_platform_load(const char *path, isocast_diagnostics *diagnostics,
                                     isocast_platform **out) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_read(path, diagnostics, &source);
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_platform *platform = calloc(1, sizeof *platform);
    isocast_machine *hardware = calloc(1, sizeof *hardware);
    if (platform == NULL || hardware == NULL) {
        free(platform);
        free(hardware);
        isocast_source_free(source);
        return ISOCAST_NO_MEMORY;
    }
    platform->hardware = hardware;
    hardware->sigma_launch = NAN;
    hardware->sigma_within = NAN;
    status = isocast_tree_parse(source, diagnostics, &hardware->tree);
    if (status == ISOCAST_OK) {
        isocast_reader reader = {hardware->tree->source, diagnostics, ISOCAST_OK};
        read_platform(&reader, platform);
        status = reader.status;
    }
    if (status != ISOCAST_OK) {
        isocast_platform_free(platform);
        return status;
    }
    *out = platform;
    return ISOCAST_OK;
}

void isocast_platform_free(isocast_platform *platform) {
    if (platform != NULL) {
        isocast_machine_free(platform->hardware);
        free(platform->network.shape);
        free(platform);
    }
}
