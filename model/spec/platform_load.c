#include "platform_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine_load.h"
#include "machine_nodes.h"
#include "model/base/nearest.h"
#include "model/base/quantity.h"
#include "network_kind.h"
#include "platform_compute.h"
#include "platform_factors.h"
#include "platform_shape.h"

static const char *const platform_keys[] = {"platform", "title",   "source", "nodes",
                                            "network",  "systems", "compute"};
static const char *const network_keys[] = {
    "kind",           "interfaces",       "link_share",       "congestion",
    "message_gap",    "message_overhead", "copy_overhead",    "topology",
    "shape",          "link_bandwidth",   "link_latency",     "backplane_bandwidth",
    "node_bandwidth", "node_latency",     "node_capacity",    "eager_limit",
    "latency_factor", "bandwidth_factor", "receive_overhead", "receive_bandwidth",
    "collectives"};
/* Of a machine file, what the machine that is made of its platform has as well. */
static const char *const held_sections[] = {ISOCAST_PLATFORM_SECTIONS};
enum {
    PLATFORM_KEYS = sizeof platform_keys / sizeof platform_keys[0],
    NETWORK_KEYS = sizeof network_keys / sizeof network_keys[0]
};
static const isocast_node_words node_words = {
    .file = "a platform file",
    .plain_names = true,
    .speed = "speed",
    .speed_hint = "sustained flop/s of one processor, such as speed: 2 Gflop/s"};

/* What the file does not say: transfers in memory as SimGrid's own platforms have them, and the
 * limit of MPICH's messages over TCP. */
static const isocast_network_kind no_kind = {.latency = NAN,
                                             .link_share = 1,
                                             .eager_limit = 65536,
                                             .node_latency = 0.5e-6,
                                             .node_bandwidth = 6e9};

static const char topology_hint[] = "topologies: switched, fat-tree, torus, dragonfly";
static const char kind_hint[] = "kinds: ethernet-tcp, roce, infiniband, omni-path, slingshot, "
                                "aries, ethernet-1g";
static const char collectives_hint[] = "libraries: mpich, openmpi, intel, mvapich2, cray";

static const struct {
    const char *form;    /* of its shape, in words; NULL: it has none */
    const char *product; /* what makes up the number of nodes */
} shapes[ISOCAST_TOPOLOGIES] = {
    [ISOCAST_TOPOLOGY_SWITCHED] = {NULL, NULL},
    [ISOCAST_TOPOLOGY_FAT_TREE] =
        {"write levels;children;parents;links with a number for each level, such as shape: "
         "\"2;16,8;1,8;1,1\"",
         "the children of all levels, multiplied, must be the nodes"},
    [ISOCAST_TOPOLOGY_TORUS] = {"write the nodes along each axis, such as shape: \"4,4,8\"",
                                "the nodes along all axes, multiplied, must be the nodes"},
    [ISOCAST_TOPOLOGY_DRAGONFLY] =
        {"write groups,links;chassis,links;routers,links;nodes, such as shape: "
         "\"4,1;4,1;4,1;2\"",
         "groups, chassis, routers and nodes of a router, multiplied, must be the nodes"},
};

/* The value under a key that must be there; NULL, with a diagnostic and a hint, where it is not. */
static const isocast_tree_node *require(isocast_reader *reader, const isocast_tree_node *mapping,
                                        const char *key, const char *what, const char *hint) {
    const isocast_tree_entry *entry = isocast_tree_find(mapping, key);
    if (entry == NULL) {
        isocast_reader_refuse(reader, (isocast_span){mapping->span.begin, mapping->span.begin + 1},
                              hint, "%s needs the key '%s'", what, key);
        return NULL;
    }
    return &entry->value;
}

/* `hint`: for a number that must be there; NULL: it need not. */
static double read_number(isocast_reader *reader, const isocast_tree_node *network, const char *key,
                          isocast_dimension dimension, const char *hint, double otherwise) {
    if (hint != NULL) {
        require(reader, network, key, "a network", hint);
    }
    isocast_reader_number_at(reader, network, key, dimension, (isocast_bounds){.above = true},
                             &otherwise);
    return otherwise;
}

/* Which of the names (shape [count]) a text is; `count`, with a diagnostic, where it is none. */
static size_t read_choice(isocast_reader *reader, const isocast_tree_node *node, const char *what,
                          const char *all, const char *const *names, size_t count) {
    char *text = isocast_reader_text(reader, node, what);
    size_t found = count;
    for (size_t i = 0; i < count; i++) {
        found = text != NULL && strcmp(text, names[i]) == 0 ? i : found;
    }
    if (text != NULL && found == count) {
        isocast_buffer hint = {0};
        bool near = isocast_nearest_append(&hint, text, names, count);
        isocast_diagnostics_rely(reader->diagnostics, &hint);
        isocast_reader_refuse(reader, node->span, near ? hint.text : all, "there is no %s '%s'",
                              what, text);
        isocast_buffer_free(&hint);
    }
    free(text);
    return found;
}

static bool read_topology(isocast_reader *reader, const isocast_tree_node *node,
                          isocast_network *out) {
    const char *names[ISOCAST_TOPOLOGIES];
    for (size_t i = 0; i < ISOCAST_TOPOLOGIES; i++) {
        names[i] = isocast_topology_name((isocast_topology)i);
    }
    size_t found = read_choice(reader, node, "topology", topology_hint, names, ISOCAST_TOPOLOGIES);
    out->topology =
        found < ISOCAST_TOPOLOGIES ? (isocast_topology)found : ISOCAST_TOPOLOGY_SWITCHED;
    return found < ISOCAST_TOPOLOGIES;
}

static void read_collectives(isocast_reader *reader, const isocast_tree_node *network,
                             isocast_network *out) {
    const isocast_tree_node *node =
        isocast_reader_find(reader, network, "collectives", false, "a network");
    const char *names[2 * ISOCAST_COLLECTIVES];
    size_t count = isocast_collectives_words(names);
    size_t found = node != NULL
                       ? read_choice(reader, node, "MPI library", collectives_hint, names, count)
                       : count;
    out->collectives =
        found < count ? isocast_collectives_find(names[found]) : ISOCAST_COLLECTIVES_MPICH;
}

static isocast_network_kind read_kind(isocast_reader *reader, const isocast_tree_node *network,
                                      isocast_network *out) {
    const isocast_tree_node *node =
        isocast_reader_find(reader, network, "kind", false, "a network");
    const char *names[ISOCAST_NETWORK_KINDS];
    for (size_t i = 0; i < ISOCAST_NETWORK_KINDS; i++) {
        names[i] = isocast_network_kinds[i].name;
    }
    size_t found = node != NULL ? read_choice(reader, node, "kind of network", kind_hint, names,
                                              ISOCAST_NETWORK_KINDS)
                                : ISOCAST_NETWORK_KINDS;
    if (found == ISOCAST_NETWORK_KINDS) {
        return no_kind;
    }
    out->kind = names[found];
    return isocast_network_kinds[found];
}

static void read_by_size(isocast_reader *reader, const isocast_tree_node *network,
                         isocast_network *out) {
    isocast_dimension number = isocast_dimension_count;
    isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
    isocast_dimension rate =
        isocast_dimension_divide(isocast_dimension_of(ISOCAST_BASE_BYTE), time);
    const struct {
        isocast_factors_words words;
        isocast_factors *out;
    } items[] = {
        {{"latency_factor", number, "such as {0 B: 1.2, 64 KiB: 1}"}, &out->latency_factor},
        {{"bandwidth_factor", number, "such as {0 B: 1.2, 64 KiB: 1}"}, &out->bandwidth_factor},
        {{"receive_overhead", time, "such as {0 B: 0.3 us, 8 KiB: 1 us}"}, &out->receive_overhead},
        {{"receive_bandwidth", rate, "such as {0 B: 4 GB/s, 8 KiB: 9 GB/s}"},
         &out->receive_bandwidth}};
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        isocast_platform_read_factors(reader, network, &items[i].words, items[i].out);
    }
}

/* Whether a shape has the lists that SimGrid wants for a topology. */
static bool fits_topology(isocast_topology topology, const isocast_shape *s) {
    const size_t *lengths = s->lengths;
    switch (topology) {
    case ISOCAST_TOPOLOGY_TORUS:
        return s->lists == 1;
    case ISOCAST_TOPOLOGY_FAT_TREE:
        return s->lists == 4 && lengths[0] == 1 && s->numbers[0][0] == (double)lengths[1] &&
               lengths[2] == lengths[1] && lengths[3] == lengths[1];
    case ISOCAST_TOPOLOGY_DRAGONFLY:
        return s->lists == 4 && lengths[0] == 2 && lengths[1] == 2 && lengths[2] == 2 &&
               lengths[3] == 1;
    default:
        return false;
    }
}

/* Nodes that a shape has places for: the product of a torus, of a fat tree's children, of a
 * dragonfly's groups, chassis, routers and nodes. */
static double places_of(isocast_topology topology, const isocast_shape *s) {
    double places = 1;
    if (topology == ISOCAST_TOPOLOGY_DRAGONFLY) {
        for (size_t list = 0; list < s->lists; list++) {
            places *= s->numbers[list][0];
        }
        return places;
    }
    size_t list = topology == ISOCAST_TOPOLOGY_FAT_TREE ? 1 : 0;
    for (size_t i = 0; i < s->lengths[list]; i++) {
        places *= s->numbers[list][i];
    }
    return places;
}

/* Shapes with as many nodes as they should have, but which SimGrid 3.32 breaks on. */
static void check_simulated(isocast_reader *reader, isocast_span span, isocast_topology topology,
                            const isocast_shape *s) {
    for (size_t i = 0; topology == ISOCAST_TOPOLOGY_TORUS && i < s->lengths[0]; i++) {
        if (s->numbers[0][i] == 1 && s->lengths[0] > 1) {
            isocast_reader_refuse(reader, span, "leave it out",
                                  "axis %zu of the torus has a single node", i + 1);
        }
    }
    double groups = s->numbers[0][0];
    double routers = s->numbers[2][0];
    if (topology == ISOCAST_TOPOLOGY_DRAGONFLY && groups > 1 && groups > routers) {
        isocast_reader_refuse(
            reader, span,
            "a chassis has a router for each group: put in more routers, or "
            "fewer groups",
            "a dragonfly of %.0f groups needs at least %.0f routers in a chassis, "
            "this has %.0f",
            groups, groups, routers);
    }
}

static void check_shape(isocast_reader *reader, isocast_span span, isocast_platform *platform) {
    isocast_topology topology = platform->network.topology;
    isocast_shape s;
    if (!isocast_shape_parse(platform->network.shape, &s)) {
        isocast_reader_refuse(reader, span, shapes[topology].form,
                              "a shape is whole numbers from 1 to %.0f separated by , or ; without "
                              "blanks",
                              isocast_shape_number_most);
        return;
    }
    if (!fits_topology(topology, &s)) {
        isocast_reader_refuse(reader, span, shapes[topology].form, "this is no shape of a %s",
                              isocast_topology_name(topology));
        return;
    }
    double places = places_of(topology, &s);
    const isocast_machine *hardware = platform->hardware;
    if (hardware->class_count == 1 && hardware->classes[0].count >= 1 &&
        places != hardware->classes[0].count) {
        isocast_reader_refuse(reader, span, shapes[topology].product,
                              "this shape has places for %.0f nodes, but node class '%s' has %.0f",
                              places, hardware->classes[0].name, hardware->classes[0].count);
    }
    check_simulated(reader, span, topology, &s);
}

static void read_shape(isocast_reader *reader, const isocast_tree_node *network,
                       isocast_platform *platform) {
    isocast_network *out = &platform->network;
    const char *form = shapes[out->topology].form;
    if (form != NULL) {
        const isocast_tree_node *node = require(reader, network, "shape", "such a network", form);
        out->shape = node != NULL ? isocast_reader_text(reader, node, "shape") : NULL;
        if (out->shape != NULL) {
            check_shape(reader, node->span, platform);
        }
        return;
    }
    const isocast_tree_entry *entry = isocast_tree_find(network, "shape");
    if (entry != NULL) {
        isocast_reader_refuse(reader, entry->key.span,
                              "leave it out, or choose fat-tree, torus or dragonfly",
                              "a switched network has no shape");
    }
}

/* A switch is passed by two links. How many a message passes elsewhere depends on the nodes, and
 * what it takes beside them is not known: then a kind has no latency of a link. */
static void read_latency(isocast_reader *reader, const isocast_tree_node *network,
                         const isocast_network_kind *kind, isocast_network *out) {
    bool known =
        out->topology == ISOCAST_TOPOLOGY_SWITCHED && isocast_tree_find(network, "kind") != NULL;
    isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
    out->link_latency =
        read_number(reader, network, "link_latency", time,
                    known ? NULL : "such as link_latency: 10 us", kind->latency / 2);
}

/* A time that may be 0, where a kind has another one. */
static double read_time(isocast_reader *reader, const isocast_tree_node *network, const char *key,
                        double otherwise) {
    isocast_reader_number_at(reader, network, key, isocast_dimension_of(ISOCAST_BASE_TIME),
                             (isocast_bounds){0}, &otherwise);
    return otherwise;
}

/* A switch alone has it: the links of other networks are simulated one by one. */
static void read_congestion(isocast_reader *reader, const isocast_tree_node *network,
                            const isocast_network_kind *kind, isocast_network *out) {
    const isocast_tree_entry *entry = isocast_tree_find(network, "congestion");
    bool switched = out->topology == ISOCAST_TOPOLOGY_SWITCHED;
    out->congestion = switched ? kind->congestion : 0;
    if (entry == NULL) {
        return;
    }
    if (!switched) {
        isocast_reader_refuse(
            reader, entry->key.span, "leave it out: its links are simulated one by one",
            "a %s has no congestion of its own", isocast_topology_name(out->topology));
        return;
    }
    isocast_formula_place place = {.what = "congestion", .dimension = isocast_dimension_count};
    out->congestion = isocast_reader_bounded(reader, &entry->value, &place, (isocast_bounds){0});
    if (out->congestion > 1) {
        isocast_reader_refuse(reader, entry->value.span, "such as congestion: 0.1",
                              "congestion must be at most 1, this is %g; above 1 four nodes would "
                              "send fewer bytes than two",
                              out->congestion);
    }
}

/* What one interface of a node does, and how many there are. */
static void read_interfaces(isocast_reader *reader, const isocast_tree_node *network,
                            const isocast_network_kind *kind, isocast_network *out) {
    const isocast_tree_node *count =
        isocast_reader_find(reader, network, "interfaces", false, "a network");
    isocast_formula_place place = {.what = "interfaces", .dimension = isocast_dimension_count};
    out->interfaces = count == NULL
                          ? 1
                          : isocast_reader_bounded(reader, count, &place,
                                                   (isocast_bounds){.least = 1, .whole = true});
    out->link_share =
        read_number(reader, network, "link_share", isocast_dimension_count, NULL, kind->link_share);
    if (out->link_share > 1) {
        isocast_reader_refuse(reader, isocast_tree_find(network, "link_share")->value.span,
                              "such as link_share: 0.9", "link_share must be at most 1, this is %g",
                              out->link_share);
    }
    read_congestion(reader, network, kind, out);
    out->message_gap = read_time(reader, network, "message_gap", kind->message_gap);
    out->message_overhead = read_time(reader, network, "message_overhead", kind->message_overhead);
    out->copy_overhead = read_time(reader, network, "copy_overhead", kind->copy_overhead);
}

/* `network`: NULL, with a diagnostic, where there is none. */
static void read_network(isocast_reader *reader, const isocast_tree_node *network,
                         isocast_platform *platform) {
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
        require(reader, network, "topology", "a network", topology_hint);
    if (topology != NULL && read_topology(reader, topology, out)) {
        read_shape(reader, network, platform);
        if (out->topology != ISOCAST_TOPOLOGY_SWITCHED && platform->hardware->class_count > 1) {
            isocast_reader_refuse(
                reader, topology->span, "only a switched network joins nodes of several classes",
                "a %s has nodes of one class, this platform has %zu",
                isocast_topology_name(out->topology), platform->hardware->class_count);
        }
    }
    out->link_bandwidth = read_number(reader, network, "link_bandwidth", rate,
                                      "such as link_bandwidth: 10 Gbit/s", NAN);
    const isocast_network_kind kind = read_kind(reader, network, out);
    read_latency(reader, network, &kind, out);
    read_interfaces(reader, network, &kind, out);
    out->backplane_bandwidth = read_number(reader, network, "backplane_bandwidth", rate, NULL, NAN);
    out->node_bandwidth =
        read_number(reader, network, "node_bandwidth", rate, NULL, kind.node_bandwidth);
    out->node_latency = read_number(reader, network, "node_latency", time, NULL, kind.node_latency);
    out->node_capacity = read_number(reader, network, "node_capacity", rate, NULL, NAN);
    out->eager_limit = read_number(reader, network, "eager_limit", bytes, NULL, kind.eager_limit);
    read_by_size(reader, network, out);
    if (isocast_tree_find(network, "latency_factor") == NULL) {
        out->latency_factor = kind.latency_factor;
    }
    read_collectives(reader, network, out);
}

/* Plain numbers are taken in SI units, so a unit that was forgotten makes hardware that nobody has:
 * what a number is where it is below, or above, all that there ever was. */
typedef struct usual_range {
    const char *key;
    const char *unit;
    const char *example;
    double least, most; /* in the unit */
} usual_range;

static void warn_unusual(isocast_reader *reader, const isocast_tree_node *mapping,
                         const usual_range *usual, double value) {
    const isocast_tree_entry *entry = isocast_tree_find(mapping, usual->key);
    if (entry == NULL || !(value < usual->least || value > usual->most)) {
        return;
    }
    isocast_buffer is = {0};
    isocast_quantity_format(value, usual->unit, 4, &is);
    isocast_diagnostics_rely(reader->diagnostics, &is);
    isocast_diagnostics_add(reader->diagnostics, ISOCAST_WARNING, reader->source, entry->value.span,
                            usual->example, "%s is %s here; is a unit missing?", usual->key,
                            is.text != NULL ? is.text : "");
    isocast_buffer_free(&is);
}

static void warn_of_units(isocast_reader *reader, const isocast_tree_node *root,
                          const isocast_platform *platform) {
    static const usual_range bandwidth = {"link_bandwidth", "B/s",
                                          "such as link_bandwidth: 10 Gbit/s", 1e3, HUGE_VAL};
    static const usual_range latency = {"link_latency", "s", "such as link_latency: 10 us", 0, 1};
    static const usual_range speed = {"speed", "flop/s", "such as speed: 2 Gflop/s", 1e3, HUGE_VAL};
    const isocast_tree_entry *network = isocast_tree_find(root, "network");
    const isocast_tree_entry *nodes = isocast_tree_find(root, "nodes");
    if (network != NULL) {
        warn_unusual(reader, &network->value, &bandwidth, platform->network.link_bandwidth);
        warn_unusual(reader, &network->value, &latency, platform->network.link_latency);
    }
    for (size_t i = 0; nodes != NULL && i < platform->hardware->class_count; i++) {
        const isocast_node_class *c = &platform->hardware->classes[i];
        warn_unusual(reader, &nodes->value.entries[i].value, &speed, c->marked_speed);
    }
}

/* Takes the tree over in every case. */
static isocast_status create_hardware(isocast_tree *tree, isocast_machine **out) {
    isocast_machine *hardware = calloc(1, sizeof *hardware);
    if (hardware == NULL) {
        isocast_tree_free(tree);
        return ISOCAST_NO_MEMORY;
    }
    hardware->tree = tree;
    hardware->sigma_launch = NAN;
    hardware->sigma_within = NAN;
    hardware->purchase = isocast_purchase_none();
    *out = hardware;
    return ISOCAST_OK;
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
    if (isocast_reader_refuse_kind(reader, root, "platform", "a platform file")) {
        return;
    }
    isocast_reader_known_keys(reader, root, "a platform file", platform_keys, PLATFORM_KEYS);
    const isocast_tree_node *name =
        require(reader, root, "platform", "a platform file", "such as platform: my-cluster");
    hardware->name = name != NULL ? isocast_reader_text(reader, name, "platform") : NULL;
    hardware->source = isocast_reader_text_at(reader, root, "source");
    hardware->simulated = true;
    isocast_machine_read_nodes(reader, root, &node_words, hardware);
    isocast_machine_read_systems(reader, root, hardware);
    read_network(reader,
                 require(reader, root, "network", "a platform file",
                         "such as network: {topology: switched, link_bandwidth: 10 Gbit/s, "
                         "link_latency: 10 us}"),
                 platform);
    if (names_are_read(hardware)) {
        isocast_machine_check_systems(reader, hardware);
        warn_of_units(reader, root, platform);
        isocast_platform_read_compute(reader, root, hardware);
    }
}

/* What a machine file says of the platform that it was simulated on; NULL: it was not, or says
 * nothing. */
static const isocast_tree_node *held_network(const isocast_tree_node *root) {
    const isocast_tree_entry *calibration = isocast_tree_find(root, "calibration");
    if (calibration == NULL || isocast_tree_find(root, "machine") == NULL) {
        return NULL;
    }
    const isocast_tree_entry *simulated = isocast_tree_find(&calibration->value, "simulated");
    const isocast_tree_entry *network = isocast_tree_find(&calibration->value, "platform");
    bool held = simulated != NULL && simulated->value.kind == ISOCAST_TREE_SCALAR &&
                strcmp(simulated->value.text, "true") == 0 && network != NULL;
    return held ? &network->value : NULL;
}

bool isocast_platform_is_held(const isocast_tree *tree) {
    return held_network(&tree->root) != NULL;
}

/* The nodes are those of the machine file, and so is what it says of work. */
static void read_held(isocast_reader *reader, isocast_platform *platform) {
    const isocast_tree *tree = platform->hardware->tree;
    isocast_machine_check_hosts(reader, platform->hardware);
    for (size_t i = 0; i < sizeof held_sections / sizeof held_sections[0]; i++) {
        isocast_platform_check_section(reader, tree, held_sections[i]);
    }
    read_network(reader, held_network(&tree->root), platform);
}

isocast_status isocast_platform_read(isocast_source *source, isocast_diagnostics *diagnostics,
                                     isocast_platform **out) {
    isocast_platform *platform = calloc(1, sizeof *platform);
    isocast_machine *hardware = NULL;
    isocast_tree *tree = NULL;
    if (platform == NULL) {
        isocast_source_free(source);
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status = isocast_tree_parse(source, diagnostics, &tree);
    bool held = status == ISOCAST_OK && isocast_platform_is_held(tree);
    if (held) {
        status = isocast_machine_read_tree(tree, diagnostics, &hardware);
    } else if (status == ISOCAST_OK) {
        status = create_hardware(tree, &hardware);
    }
    platform->hardware = hardware;
    if (status == ISOCAST_OK) {
        isocast_reader reader = {hardware->tree->source, diagnostics, ISOCAST_OK};
        (held ? read_held : read_platform)(&reader, platform);
        status = reader.status;
    }
    if (status != ISOCAST_OK) {
        isocast_platform_free(platform);
        return status;
    }
    *out = platform;
    return ISOCAST_OK;
}

isocast_status isocast_platform_read_text(const char *name, const char *text, size_t length,
                                          isocast_diagnostics *diagnostics,
                                          isocast_platform **out) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_take(name, text, length, diagnostics, &source);
    return status == ISOCAST_OK ? isocast_platform_read(source, diagnostics, out) : status;
}

isocast_status isocast_platform_load(const char *path, isocast_diagnostics *diagnostics,
                                     isocast_platform **out) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_read(path, diagnostics, &source);
    return status == ISOCAST_OK ? isocast_platform_read(source, diagnostics, out) : status;
}
