#include "simgrid.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Of the overhead of a message: what sending alone takes, and what receiving alone. */
static const double overhead_alone = 0.25;

/* Nodes of the system's i-th entry. */
static double nodes_used(const isocast_system *system, size_t i) {
    return ceil(system->table.rows[ISOCAST_CLASS_PROCESSES][i] / system->each[i]);
}

/* Nodes of its class that entries before the i-th take: the first of its own has this number. */
static double first_node(const isocast_system *system, size_t i) {
    double nodes = 0;
    for (size_t k = 0; k < i; k++) {
        nodes += system->classes[k] == system->classes[i] ? nodes_used(system, k) : 0;
    }
    return nodes;
}

static bool is_of_one_class(const isocast_system *system) {
    for (size_t i = 1; i < system->count; i++) {
        if (system->classes[i] != system->classes[0]) {
            return false;
        }
    }
    return true;
}

static const isocast_node_class *class_of(const isocast_platform *platform,
                                          const isocast_system *system, size_t i) {
    return &platform->hardware->classes[system->classes[i]];
}

static bool is_power_of_two(double n) {
    double exponent = log2(n);
    return exponent == floor(exponent);
}

/* Programs that 'isocast cc' built, kernels and the probe have the messages of the library itself
 * (model/collective). Other programs, and calls that are not among those, have the simulator's
 * rendering: of the library that is named, or of the one that it comes from. */
static const char *const selectors[ISOCAST_COLLECTIVES] = {[ISOCAST_COLLECTIVES_MPICH] = "mpich",
                                                           [ISOCAST_COLLECTIVES_OPENMPI] = "ompi",
                                                           [ISOCAST_COLLECTIVES_INTEL] = "impi",
                                                           [ISOCAST_COLLECTIVES_MVAPICH2] =
                                                               "mvapich2",
                                                           [ISOCAST_COLLECTIVES_CRAY] = "mpich"};

/* Algorithms of SimGrid 3.32 that its rendering takes on numbers of processes on which they end a
 * program, or never end. MVAPICH2's are right there, and take their place. */
static const struct {
    const char *selector;
    bool of_node; /* on each node alike, which are no power of two; else all processes */
    const char *call;
} replaced[] = {
    /* A tree inside each node that also sends to the next node: MPI_ERR_TRUNCATE, or a deadlock. */
    {"mpich", true, "bcast"},
    /* For powers of two alone: rab1 and pair. */
    {"impi", false, "allreduce"},
    {"impi", false, "alltoall"},
    /* A gather and a broadcast that take each other's messages. */
    {"impi", false, "allgather"},
    {"ompi", false, "alltoall"}};

/* Whether SimGrid's MPICH broadcasts by trees inside nodes that are powers of two, or not inside
 * nodes at all: where these have different numbers of processes. All systems of a platform have one
 * broadcast, also those that leave processors free: else it would change with p. */
static bool has_power_on_nodes(const isocast_platform *platform, const isocast_system *system) {
    bool power = is_power_of_two(system->each[0]) &&
                 is_power_of_two(class_of(platform, system, 0)->processors);
    for (size_t i = 1; i < system->count; i++) {
        power = power || system->each[i] != system->each[0];
    }
    return power;
}

static void write_replaced(const isocast_platform *platform, const isocast_system *system,
                           isocast_buffer *out) {
    bool power_on_nodes = has_power_on_nodes(platform, system);
    for (size_t i = 0; i < sizeof replaced / sizeof replaced[0]; i++) {
        bool power = replaced[i].of_node ? power_on_nodes : is_power_of_two(system->p);
        const char *selector = selectors[platform->network.collectives];
        if (!power && strcmp(replaced[i].selector, selector) == 0) {
            isocast_buffer_printf(out, "    <prop id=\"smpi/%s\" value=\"mvapich2\"/>\n",
                                  replaced[i].call);
        }
    }
}

/* Reports programs that have collectives of their own (record/simulated/own_collectives.c) which
 * library is meant, and what it takes to copy. */
static void write_library(const isocast_platform *platform, isocast_buffer *out) {
    isocast_buffer_printf(out, "    <prop id=\"isocast-collectives\" value=\"%s\"/>\n",
                          isocast_collectives_name(platform->network.collectives));
    if (platform->network.copy_overhead > 0) {
        isocast_buffer_printf(out, "    <prop id=\"isocast-copies\" value=\"%.9g %.9g\"/>\n",
                              platform->network.copy_overhead, platform->network.node_bandwidth);
    }
}

static double capacity_of(const isocast_platform *platform, const isocast_system *system,
                          size_t i) {
    return isocast_platform_node_capacity(&platform->network, class_of(platform, system, i));
}

/* B/s of all messages within a node while its caches hold their data: each is copied twice, and
 * each process copies at the rate that one message alone has. */
static double cached_rate(const isocast_platform *platform, const isocast_system *system,
                          size_t i) {
    double copies = system->each[i] * platform->network.node_bandwidth;
    return fmax(copies / 2, capacity_of(platform, system, i));
}

/* B that a process has of buffers through which the library copies messages within a node, taking
 * one after the other, so that they take room in the caches. MPICH 4.0.2: 64 cells of 69632 B, the
 * defaults of MPIR_CVAR_CH4_SHM_POSIX_IQUEUE_NUM_CELLS and _CELL_SIZE. Open MPI by UCX: 64 segments
 * of 8256 B (FIFO_SIZE and SEG_SIZE of src/uct/sm/mm/base/mm_iface.c, openucx/ucx). Cray MPICH and
 * Intel MPI copy once, by XPMEM and CMA; of MVAPICH2 nothing was read. */
static const double copied_through[ISOCAST_COLLECTIVES] = {
    [ISOCAST_COLLECTIVES_MPICH] = 64.0 * 69632, [ISOCAST_COLLECTIVES_OPENMPI] = 64.0 * 8256};

/* B of the caches of a node that are left for messages; 0 or less: none, or not known. */
static double cache_of(const isocast_platform *platform, const isocast_system *system, size_t i) {
    const isocast_node_class *class = class_of(platform, system, i);
    bool known = isnan(platform->network.node_capacity) && !isnan(class->memory_bandwidth) &&
                 !isnan(class->cache);
    return known ? class->cache * class->sockets -
                       system->each[i] * copied_through[platform->network.collectives]
                 : 0;
}

/* A host, with what record/simulated/own_memory.c reads. */
static void write_host(const isocast_platform *platform, const isocast_system *system, size_t i,
                       double number, isocast_buffer *out) {
    const isocast_node_class *class = class_of(platform, system, i);
    double cache = cache_of(platform, system, i);
    isocast_buffer_printf(out, "    <host id=\"%s-%.0f\" speed=\"%.9gf\" core=\"%.0f\"%s",
                          class->name, number, class->marked_speed, class->processors,
                          cache > 0 ? ">" : "/>\n");
    if (cache > 0) {
        isocast_buffer_printf(out, "<prop id=\"isocast-cache\" value=\"%.9g %.9g\"/></host>\n",
                              cache, cached_rate(platform, system, i));
    }
}

/* Whether messages within a node hinder each other. */
static bool shares_memory(const isocast_platform *platform, const isocast_system *system) {
    bool shared = false;
    for (size_t i = 0; i < system->count; i++) {
        shared = shared || !isnan(capacity_of(platform, system, i));
    }
    return shared;
}

/* Within the nodes of a tree, torus or dragonfly the simulator has a link that no message shares:
 * then each has the part of the memory that is left to it when all processes of its node copy. */
static double loopback_rate(const isocast_platform *platform, const isocast_system *system) {
    double part = capacity_of(platform, system, 0) / system->p_node_max;
    return fmin(platform->network.node_bandwidth, part);
}

/* Nodes of one class: SimGrid's own clusters, whose cost does not grow with the square of their
 * number. */
static void write_cluster(const isocast_platform *platform, const isocast_system *system,
                          isocast_buffer *out) {
    const isocast_network *network = &platform->network;
    const isocast_node_class *class = class_of(platform, system, 0);
    bool switched = network->topology == ISOCAST_TOPOLOGY_SWITCHED;
    double nodes = switched ? system->nodes : class->count;
    isocast_buffer_printf(out,
                          "  <cluster id=\"all\" prefix=\"%s-\" suffix=\"\" radical=\"0-%.0f\" "
                          "speed=\"%.9gf\" core=\"%.0f\"\n"
                          "           bw=\"%.9gBps\" lat=\"%.9gs\" "
                          "sharing_policy=\"SPLITDUPLEX\"\n"
                          "           loopback_bw=\"%.9gBps\" loopback_lat=\"%.9gs\"",
                          class->name, nodes - 1, class->marked_speed, class->processors,
                          isocast_network_link_rate(network), network->link_latency,
                          loopback_rate(platform, system), network->node_latency);
    static const char *const names[] = {[ISOCAST_TOPOLOGY_FAT_TREE] = "FAT_TREE",
                                        [ISOCAST_TOPOLOGY_TORUS] = "TORUS",
                                        [ISOCAST_TOPOLOGY_DRAGONFLY] = "DRAGONFLY"};
    if (!switched) {
        isocast_buffer_printf(out, "\n           topology=\"%s\" topo_parameters=\"%s\"",
                              names[network->topology], network->shape);
    } else if (!isnan(isocast_network_switch_rate(network, system->nodes))) {
        isocast_buffer_printf(out, "\n           bb_bw=\"%.9gBps\" bb_lat=\"0s\"",
                              isocast_network_switch_rate(network, system->nodes));
    }
    isocast_buffer_puts(out, ">\n");
    write_library(platform, out);
    isocast_buffer_puts(out, "  </cluster>\n");
}

/* A host with its link, and what its memory carries. */
static void write_node(const isocast_platform *platform, const isocast_system *system, size_t i,
                       double number, isocast_buffer *out) {
    const char *class = class_of(platform, system, i)->name;
    write_host(platform, system, i, number, out);
    isocast_buffer_printf(out,
                          "    <link id=\"link-%s-%.0f\" bandwidth=\"%.9gBps\" "
                          "latency=\"%.9gs\" sharing_policy=\"SPLITDUPLEX\"/>\n",
                          class, number, isocast_network_link_rate(&platform->network),
                          platform->network.link_latency);
    if (!isnan(capacity_of(platform, system, i))) {
        isocast_buffer_printf(out,
                              "    <link id=\"memory-%s-%.0f\" bandwidth=\"%.9gBps\" "
                              "latency=\"0s\"/>\n",
                              class, number, capacity_of(platform, system, i));
    }
}

/* What joins a node to the switch. */
static void write_host_link(const isocast_platform *platform, const isocast_system *system,
                            size_t i, double number, isocast_buffer *out) {
    const char *class = class_of(platform, system, i)->name;
    isocast_buffer_printf(out,
                          "    <host_link id=\"%s-%.0f\" up=\"link-%s-%.0f_UP\" "
                          "down=\"link-%s-%.0f_DOWN\"/>\n",
                          class, number, class, number, class, number);
}

static void write_route_within(const isocast_platform *platform, const isocast_system *system,
                               size_t i, double number, isocast_buffer *out) {
    const char *class = class_of(platform, system, i)->name;
    isocast_buffer_printf(out,
                          "    <route src=\"%s-%.0f\" dst=\"%s-%.0f\" "
                          "symmetrical=\"NO\"><link_ctn id=\"memory\"/>",
                          class, number, class, number);
    if (!isnan(capacity_of(platform, system, i))) {
        isocast_buffer_printf(out, "<link_ctn id=\"memory-%s-%.0f\"/>", class, number);
    }
    isocast_buffer_puts(out, "</route>\n");
}

/* The same of each node that the system uses. */
static void write_each(void (*write)(const isocast_platform *, const isocast_system *, size_t,
                                     double, isocast_buffer *),
                       const isocast_platform *platform, const isocast_system *system,
                       isocast_buffer *out) {
    for (size_t i = 0; i < system->count; i++) {
        double first = first_node(system, i);
        for (double k = 0; k < nodes_used(system, i); k++) {
            write(platform, system, i, first + k, out);
        }
    }
}

/* Nodes of several classes on one switch, or whose messages share their memory: each with a link of
 * its own, which SimGrid joins with the backplane's to a route, so that the file grows as the
 * number of nodes. Messages within a node pass its memory. */
static void write_mix(const isocast_platform *platform, const isocast_system *system,
                      isocast_buffer *out) {
    const isocast_network *network = &platform->network;
    isocast_buffer_puts(out, "  <zone id=\"all\" routing=\"Cluster\">\n");
    write_library(platform, out);
    write_each(write_node, platform, system, out);
    write_each(write_host_link, platform, system, out);
    double together = isocast_network_switch_rate(network, system->nodes);
    if (!isnan(together)) {
        isocast_buffer_printf(
            out, "    <backbone id=\"backplane\" bandwidth=\"%.9gBps\" latency=\"0s\"/>\n",
            together);
    }
    isocast_buffer_printf(out,
                          "    <link id=\"memory\" bandwidth=\"%.9gBps\" latency=\"%.9gs\" "
                          "sharing_policy=\"FATPIPE\"/>\n",
                          network->node_bandwidth, network->node_latency);
    write_each(write_route_within, platform, system, out);
    isocast_buffer_puts(out, "  </zone>\n");
}

/* Where the platform file says nothing, latency and bandwidth count as they stand there: SimGrid's
 * own factors are those of TCP on Gigabit Ethernet. */
static void write_factors(const char *option, const isocast_factors *factors, isocast_buffer *out) {
    isocast_buffer_printf(out, "    <prop id=\"smpi/%s\" value=\"%s", option,
                          factors->count == 0 ? "0:1" : "");
    for (size_t i = 0; i < factors->count; i++) {
        isocast_buffer_printf(out, "%s%.0f:%.9g", i == 0 ? "" : ";", factors->sizes[i],
                              factors->values[i]);
    }
    isocast_buffer_puts(out, "\"/>\n");
}

/* What an interface takes for a message of any size, as bytes at the rate that it has where all
 * nodes send: an interface does not slow down with the switch. */
static double gap_bytes(const isocast_network *network, double nodes) {
    return network->message_gap * isocast_network_link_rate(network) /
           isocast_network_slowdown(network, nodes);
}

/* What an interface takes for a message of any size counts as more bytes, on the links that it
 * shares with others: the smaller a message, the smaller the share of the bandwidth. Each range of
 * sizes has the factor of its middle, a quarter of a doubling at a time. */
static void write_bandwidth_factors(const isocast_network *network, double nodes,
                                    isocast_buffer *out) {
    double gap = gap_bytes(network, nodes);
    if (!(gap > 0)) {
        write_factors("bw-factor", &network->bandwidth_factor, out);
        return;
    }
    enum { STEPS = 4 };
    static const double largest_share = 0.002; /* of the gap, where ranges end */
    isocast_buffer_puts(out, "    <prop id=\"smpi/bw-factor\" value=\"0:");
    size_t next = 0;
    double middle = 4; /* B, of the first range; below 8 B most of a message is its gap */
    while (true) {
        double given = isocast_factors_over(&network->bandwidth_factor, middle, 1);
        bool last = gap < largest_share * middle;
        isocast_buffer_printf(out, "%.6g", given * middle / (middle + (last ? 0 : gap)));
        while (next < network->bandwidth_factor.count &&
               network->bandwidth_factor.sizes[next] <= middle) {
            next++;
        }
        if (last && next == network->bandwidth_factor.count) {
            break;
        }
        middle = last ? network->bandwidth_factor.sizes[next] : middle * exp2(1.0 / STEPS);
        isocast_buffer_printf(out, ";%.0f:", last ? middle : ceil(middle * exp2(-0.5 / STEPS)));
    }
    isocast_buffer_puts(out, "\"/>\n");
}

/* "smpi/os", "smpi/ois": what a process takes for a message that it sends alone, and for one that
 * it sends while it receives another one, as in MPI_Sendrecv and in collectives. Up to the eager
 * limit it copies the message to where the receiver takes it from. */
static void write_sending(const isocast_network *network, isocast_buffer *out) {
    const double parts[] = {overhead_alone, 1 - overhead_alone};
    for (size_t i = 0; network->message_overhead > 0 && i < 2; i++) {
        double seconds = network->message_overhead * parts[i];
        isocast_buffer_printf(out, "    <prop id=\"smpi/%s\" value=\"0:%.9g:%.9g;%.0f:%.9g:0\"/>\n",
                              i == 0 ? "os" : "ois", seconds, 1 / network->node_bandwidth,
                              fmin(network->eager_limit, INT_MAX), seconds);
    }
}

/* What a message that left its sender at once takes of its receiver, which copies it to its place:
 * s by its size, and B/s. */
static isocast_factors receive_overhead_of(const isocast_network *network) {
    const isocast_factors alone = {.values = {network->message_overhead * overhead_alone},
                                   .count = network->message_overhead > 0 ? 1 : 0};
    return network->receive_overhead.count > 0 ? network->receive_overhead : alone;
}

static isocast_factors receive_bandwidth_of(const isocast_network *network) {
    const isocast_factors copied = {.values = {network->node_bandwidth},
                                    .count = network->message_overhead > 0 ? 1 : 0};
    return network->receive_bandwidth.count > 0 ? network->receive_bandwidth : copied;
}

/* "smpi/or": both for each size. */
static void write_receiving(const isocast_network *network, isocast_buffer *out) {
    const isocast_factors given[] = {receive_overhead_of(network), receive_bandwidth_of(network)};
    const isocast_factors *overhead = &given[0];
    const isocast_factors *bandwidth = &given[1];
    size_t i = 0;
    size_t k = 0;
    isocast_buffer_puts(
        out, overhead->count + bandwidth->count > 0 ? "    <prop id=\"smpi/or\" value=\"" : "");
    while (i < overhead->count || k < bandwidth->count) {
        double next = i < overhead->count ? overhead->sizes[i] : INFINITY;
        next = k < bandwidth->count ? fmin(next, bandwidth->sizes[k]) : next;
        isocast_buffer_printf(out, "%s%.0f:%.9g:%.9g", i + k > 0 ? ";" : "", next,
                              isocast_factors_over(overhead, next, 0),
                              1 / isocast_factors_over(bandwidth, next, INFINITY));
        i += i < overhead->count && overhead->sizes[i] <= next ? 1U : 0U;
        k += k < bandwidth->count && bandwidth->sizes[k] <= next ? 1U : 0U;
    }
    isocast_buffer_puts(out, i + k > 0 ? "\"/>\n" : "");
}

/* What of a network is no link: settings of SimGrid, which it reads from the platform too. */
static void write_settings(const isocast_platform *platform, const isocast_system *system,
                           isocast_buffer *out) {
    const isocast_network *network = &platform->network;
    isocast_buffer_printf(out,
                          "  <config>\n"
                          "    <prop id=\"smpi/coll-selector\" value=\"%s\"/>\n"
                          "    <prop id=\"smpi/send-is-detached-thresh\" value=\"%.0f\"/>\n",
                          selectors[network->collectives], fmin(network->eager_limit, INT_MAX));
    write_replaced(platform, system, out);
    /* No process leaves before all are at their end: their nodes are looked up. */
    isocast_buffer_puts(out, "    <prop id=\"smpi/finalization-barrier\" value=\"on\"/>\n");
    /* Where computing is timed, this machine counts as fast as a node; SimGrid's own 20 kflop/s
     * would make it next to nothing. */
    isocast_buffer_printf(out, "    <prop id=\"smpi/host-speed\" value=\"%.9gf\"/>\n",
                          platform->hardware->classes[0].marked_speed);
    write_factors("lat-factor", &network->latency_factor, out);
    write_bandwidth_factors(network, system->nodes, out);
    write_sending(network, out);
    write_receiving(network, out);
    isocast_buffer_puts(out, "  </config>\n");
}

/* Within a comment of XML two hyphens must not follow each other. */
static void write_comment_text(const char *text, isocast_buffer *out) {
    for (const char *at = text; *at != '\0'; at++) {
        isocast_buffer_puts(out, at > text && at[0] == '-' && at[-1] == '-' ? " " : "");
        isocast_buffer_append(out, at, 1);
    }
}

void simgrid_write_platform(const isocast_platform *platform, const isocast_system *system,
                            isocast_buffer *out) {
    isocast_buffer_puts(out, "<?xml version=\"1.0\"?>\n"
                             "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                             "<!-- ");
    write_comment_text(system->name, out);
    isocast_buffer_puts(out, " on ");
    write_comment_text(platform->hardware->name, out);
    isocast_buffer_puts(out,
                        ", written by isocast. The settings hold for MPI programs that smpirun "
                        "starts; an option of smpirun comes before them. -->\n"
                        "<platform version=\"4.1\">\n");
    write_settings(platform, system, out);
    bool switched = platform->network.topology == ISOCAST_TOPOLOGY_SWITCHED;
    if (is_of_one_class(system) && !(switched && shares_memory(platform, system))) {
        write_cluster(platform, system, out);
    } else {
        write_mix(platform, system, out);
    }
    isocast_buffer_puts(out, "</platform>\n");
}

void simgrid_write_hosts(const isocast_platform *platform, const isocast_system *system,
                         isocast_buffer *out) {
    for (size_t i = 0; i < system->count; i++) {
        double first = first_node(system, i);
        double processes = system->table.rows[ISOCAST_CLASS_PROCESSES][i];
        for (double k = 0; k < processes; k++) {
            isocast_buffer_printf(out, "%s-%.0f\n", class_of(platform, system, i)->name,
                                  first + floor(k / system->each[i]));
        }
    }
}

static void put_factors(const char *word, const isocast_factors *factors, isocast_buffer *out) {
    isocast_buffer_puts(out, word);
    for (size_t i = 0; i < factors->count; i++) {
        isocast_buffer_printf(out, " %.17g %.17g", factors->sizes[i], factors->values[i]);
    }
    isocast_buffer_puts(out, "\n");
}

/* What a message takes of processes, and of links beside its bytes. */
static void put_message(const isocast_network *network, double nodes, isocast_buffer *out) {
    const isocast_factors receive = receive_overhead_of(network);
    isocast_factors byte = receive_bandwidth_of(network);
    const double copied_byte = 1 / network->node_bandwidth;
    for (size_t i = 0; i < byte.count; i++) {
        byte.values[i] = 1 / byte.values[i];
    }
    isocast_buffer_printf(out,
                          "library %s\neager_limit %.17g\nsend_alone %.17g\nsend %.17g\n"
                          "gap %.17g\nsend_byte %.17g\ncopy %.17g\ncopy_byte %.17g\n",
                          isocast_collectives_name(network->collectives), network->eager_limit,
                          network->message_overhead * overhead_alone,
                          network->message_overhead * (1 - overhead_alone),
                          gap_bytes(network, nodes),
                          network->message_overhead > 0 ? copied_byte : 0, network->copy_overhead,
                          network->copy_overhead > 0 ? copied_byte : 0);
    put_factors("latency", &network->latency_factor, out);
    put_factors("bandwidth", &network->bandwidth_factor, out);
    put_factors("receive", &receive, out);
    put_factors("receive_byte", &byte, out);
}

void simgrid_write_quick(const isocast_platform *platform, const isocast_system *system,
                         isocast_buffer *out) {
    const isocast_network *network = &platform->network;
    bool switched = network->topology == ISOCAST_TOPOLOGY_SWITCHED;
    double together = isocast_network_switch_rate(network, system->nodes);
    put_message(network, system->nodes, out);
    isocast_buffer_printf(
        out,
        "link_latency %.17g\nlink_byte %.17g\nnear_latency %.17g\n"
        "near_byte %.17g\nbackplane_byte %.17g\n",
        network->link_latency, 1 / isocast_network_link_rate(network), network->node_latency,
        1 / (switched ? network->node_bandwidth : loopback_rate(platform, system)),
        switched && !isnan(together) ? 1 / together : 0);
    if (!switched) {
        isocast_buffer_printf(out, "route %d %s\n", (int)network->topology, network->shape);
    }
    for (size_t i = 0; i < system->count; i++) {
        double capacity = capacity_of(platform, system, i);
        double cache = switched ? fmax(cache_of(platform, system, i), 0) : 0;
        isocast_buffer_printf(out, "processes %.0f %.0f %.17g %.17g %.17g %.17g\n",
                              system->table.rows[ISOCAST_CLASS_PROCESSES][i], system->each[i],
                              class_of(platform, system, i)->marked_speed,
                              switched && !isnan(capacity) ? 1 / capacity : 0, cache,
                              cache > 0 ? cached_rate(platform, system, i) : 0);
    }
}

/* A page beyond the stack of each process speaks of a stack that is too small. It takes two
 * mappings, of which Linux gives 65530. */
static const double guarded_most = 16000;

const char simgrid_options[] = "--cfg=smpi/simulate-computation:no "
                               /* Else each look at the clock takes 10 ns, which are no part of what
                                * is timed: where messages meet on shared links, they have turned
                                * one order of all of them into another one, 8 % apart. */
                               "--cfg=smpi/wtime:0 "
                               "--cfg=smpi/shared-malloc:global "
                               /* Each mapping is one of a number that Linux limits. */
                               "--cfg=smpi/shared-malloc-blocksize:268435456 ";

void simgrid_write_command(const isocast_system *system, const char *platform_path,
                           const char *hosts_path, double own_speed, isocast_buffer *out) {
    isocast_buffer_printf(out, "smpirun -np %.0f -platform %s -hostfile %s ", system->p,
                          platform_path, hosts_path);
    if (own_speed > 0) {
        isocast_buffer_printf(out, "--cfg=smpi/host-speed:%.9gf ", own_speed);
    } else {
        isocast_buffer_puts(out, simgrid_options);
    }
    if (system->p > guarded_most) {
        isocast_buffer_puts(out, "--cfg=contexts/guard-size:0 ");
    }
    isocast_buffer_puts(out, "--cfg=smpi/tmpdir:/tmp --log=root.thresh:error");
}
