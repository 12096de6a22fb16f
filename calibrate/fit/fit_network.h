/* Times of messages between two processes, to what a platform file says of its network. The
 * simulator's own model of a message is solved: a wire with a latency and a time per byte that have
 * a value in each range of sizes, and are so many times smaller or larger within a node than
 * between nodes; and, for messages that leave their sender at once, time that the receiver takes.
 * Least squares without a search over anything but the two ratios. docs/explanation/simulation.md
 * states the method.
 */
#ifndef FIT_NETWORK_H
#define FIT_NETWORK_H

#include "model/spec/platform.h"

/* SimGrid adds so many bytes to each message. */
#define FIT_NETWORK_ENVELOPE 16.0

/* One message of m bytes, from the call that sends it to the end of the call that receives it. */
typedef struct fit_message_point {
    double m;       /* B */
    double between; /* s, between two nodes; NAN where that was not measured */
    double within;  /* s, between two processes of a node; likewise */
} fit_message_point;

/* Sizes whose messages are alike. */
typedef struct fit_message_range {
    double from;              /* B of the message */
    double latency;           /* s of the wire between nodes */
    double per_byte;          /* s/B of it */
    double overhead;          /* s of the receiver, between and within nodes */
    double overhead_per_byte; /* s/B of it */
} fit_message_range;

typedef struct fit_network {
    fit_message_range ranges[ISOCAST_FACTORS_MAX]; /* [count], rising */
    size_t count;
    /* Of the wire within a node over that between nodes. Where one of them was not measured the
     * wire is the other's, and both are 1. */
    double latency_ratio, per_byte_ratio;
    double eager_limit; /* B: longer messages have no overhead */
    bool has_between, has_within;
    double error_between, error_within; /* mean relative error at the points; NAN where none */
} fit_network;

/* Points: shape [count], by rising m. `sigma`: sd of ln T of a point; what differs by less is taken
 * for one range. Errors: ARGUMENT where fewer than two sizes were measured, NO_MEMORY. */
isocast_status fit_network_make(const fit_message_point *points, size_t count, double sigma,
                                double eager_limit, fit_network *out);

/* The time of a message by it, s. */
double fit_network_between(const fit_network *network, double m);
double fit_network_within(const fit_network *network, double m);

/* Where senders begin to wait, as nobody has reported: the size at which the time within a range
 * that does not depend on m rises most from one range to the next; 65536 B where there is one
 * range. */
double fit_network_guess_limit(const fit_network *network);

/* What messages at the same time, which timings of one message do not say, change of a network. */
typedef struct fit_network_scales {
    /* Of a link, in messages of the fastest range that go as fast as one does; below 1 where the
     * wire between nodes was not measured and is slower than that of a node. */
    double capacity;
    double latency; /* factor of all that does not depend on m; of the wire between nodes alone
                       where that was not measured */
    double memory;  /* factor of the time per byte within a node */
    double node;    /* messages at once that a node carries as fast as one; INFINITY: any */
} fit_network_scales;

/* The network with the messages between two processes that it then has. */
fit_network fit_network_scaled(const fit_network *network, const fit_network_scales *scales);

/* The network of a platform file, on a switch. */
isocast_network fit_network_platform(const fit_network *network, const fit_network_scales *scales);

#endif
