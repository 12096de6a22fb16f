/* The network: what a message takes of the links on its way. Links of nodes, and memory, are
 * divided among messages (flows.h). Links between switches serve them one after the other, in the
 * order in which they begin, and so do all links of a torus: so each message costs a few steps. */
#ifndef QUICK_LINKS_H
#define QUICK_LINKS_H

#include <stdbool.h>
#include <stdio.h>

#include "flows.h"
#include "model/collective/library.h"
#include "model/collective/memory_rate.h"
#include "route.h"

enum { QUICK_LINE_MAX = 512 };

/* As the campaign writes it for a system (simgrid_write_quick()). */
typedef struct quick_network {
    isocast_collectives library;
    double memory_most;        /* B that this program may take; 0: any */
    double eager_limit;        /* B */
    double send_alone, send;   /* s of a process that only sends, or sends and receives at once */
    double send_byte;          /* s/B of an eager message, which its sender copies */
    double copy, copy_byte;    /* s of a copy in a collective operation, and s/B of its bytes */
    isocast_factors latency;   /* factors by size */
    isocast_factors bandwidth; /* likewise */
    isocast_factors receive;   /* s that an eager message takes of its receiver */
    isocast_factors receive_byte; /* s/B, likewise */
    double gap;                   /* B that each message counts more */
    double link_latency;          /* s */
    double link_byte;             /* s/B of a node's link */
    double backplane_byte;        /* s/B that all messages share; 0: none */
    double near_latency;          /* s, within a node */
    double near_byte;             /* s/B, likewise */
    /* Processes in the order of their ranks: [entry_count] rows. */
    struct quick_entry {
        double processes;   /* of this entry */
        double each;        /* on a node */
        double speed;       /* flop/s */
        double memory_byte; /* s/B that messages within a node share; 0: none hinders another */
        double cache;       /* B of its caches; 0: not known */
        double cached;      /* B/s of these messages while the caches hold their data */
    } * entries;
    size_t entry_count;
    /* Made of these: */
    int processes;
    int nodes;
    int *node;      /* [processes] */
    double *speeds; /* [nodes] */
    double *memory; /* [nodes], B/s that messages within it share; INFINITY: none hinders */
    isocast_memory_rate *rates; /* [nodes], by what their processes have in hand */
    double *in_hand;            /* [processes], B */
    quick_flows flows;          /* of a switch, and within nodes; other networks have ways: */
    bool routed;
    bool divided; /* links of nodes are those of the flows; else all are in the table */
    quick_routes routes;
    uint64_t *keys; /* [capacity], an open table of routed links; 0: free */
    double *free;   /* [capacity], when a link has served what came before, s */
    size_t capacity, links;
} quick_network;

/* Reads a network. False where the file is none, or memory is short. */
bool quick_network_read(const char *path, quick_network *out);
void quick_network_free(quick_network *network);

/* A process has so many B in hand from here on. */
void quick_network_take(quick_network *network, int process, double bytes);
/* When the first byte of a message that begins at `start` arrives, s. */
double quick_network_reach(quick_network *network, int from, int to, double bytes, double start);
/* Its bytes begin to move now. True: the flows show when they have arrived, and links between
 * switches not before *end, s; false: they have at *end. */
bool quick_network_pass(quick_network *network, int from, int to, double bytes, double now,
                        void *message, double *end);

#endif
