#include "network_kind.h"

/* Behind each number is where it comes from:
 * [IMB]: read off the Intel MPI Benchmarks of github.com/hpc-uk/archer-benchmarks on one to eight
 * full nodes (ARCHER and Isambard: aries; Athena and Fulhame: infiniband; CSD3 Peta4: omni-path) by
 * bench/real, which states the rules, reads them again and shows what is left where a machine is
 * left out; the mean over machines is a geometric one. What others measured stands behind it.
 * [as infiniband], [recalled]: no measurement was found.
 * [static]: effective bisection bandwidth where each pair of nodes has one way, whoever else sends:
 * 38 % of 512 nodes of a Clos network of Myrinet (P. Geoffray, T. Hoefler, "Adaptive routing
 * strategies for modern high performance networks", HOTI 2008, abstract) is 0.20; 55 to 60 % of
 * clusters (T. Hoefler, T. Schneider, A. Lumsdaine, "Multistage switches are not crossbars",
 * Cluster 2008, abstract; that they have some 1000 nodes is recalled), is 0.08. Their geometric
 * mean. [adaptive]: 77 % of 512 nodes with the best adaptive routing of HOTI 2008. [here]:
 * MPICH 4.0.2 on one process of a Xeon. MPI_Pack of 64 blocks of 8 B, 512 B apart, takes 25 to 28
 * ns for each (the least of three runs, 2026-11-26). [grimm]: gist jfgrimm/3af692a5, osu_latency
 * and osu_bw over EDR InfiniBand and Gigabit Ethernet.
 */
/* clang-format off */
const isocast_network_kind isocast_network_kinds[ISOCAST_NETWORK_KINDS] = {
    {.name = "ethernet-tcp",
     .latency = 15e-6,            /* nw-grid.ac.uk/LivMPI: Open-MX, below 9 us, is 6 us faster */
     .link_share = 0.94,          /* of a frame of 1538 B on the wire 1448 are data */
     .congestion = 0.13,          /* [static]: so are the ways of a flow by ECMP */
     .message_gap = 0.07e-6,      /* a frame of 84 B at 10 Gbit/s */
     .message_overhead = 4.3e-6,  /* as ethernet-1g */
     .copy_overhead = 25e-9,      /* [here] */
     .eager_limit = 65536,        /* btl_tcp_eager_limit of Open MPI is 64 KiB */
     .node_latency = 0.09e-6,     /* [as infiniband] */
     .node_bandwidth = 8.9e9},    /* [as infiniband] */
    {.name = "roce",
     .latency = 1e-6,             /* InfiniBand's and a tenth, as osu_latency of 8 B has it with a ConnectX-4 that does both
                                     (naddod.com/blog/edr-infiniband-vs-100gb-ethernet-performance-competition) */
     .link_share = 0.96,          /* as infiniband; frames of 4096 B have 98 B of headers and gaps */
     .congestion = 0.13,          /* [static], as ethernet-tcp */
     .message_gap = 0.057e-6,     /* [as infiniband] */
     .message_overhead = 0.43e-6, /* [as infiniband] */
     .copy_overhead = 25e-9,      /* [here] */
     .eager_limit = 8192,         /* [as infiniband] */
     .node_latency = 0.09e-6,     /* [as infiniband] */
     .node_bandwidth = 8.9e9,     /* [as infiniband] */
     /* InfiniBand's times and 0.1 us */
     .latency_factor = {{0, 256, 2048, 4096, 8192, 32768}, {1, 1.5, 2.4, 3, 4.2, 6.5}, 6}},
    {.name = "infiniband",
     .latency = 0.9e-6,           /* [grimm]: 0.90 us at 8 B */
     .link_share = 0.98,          /* osu_bibw: 24.6 GB/s both ways of 100 Gbit/s (open-mpi/ompi, issue 3216: EDR;
                                     openucx/ucx, issue 7245: HDR100). Of the machines of [IMB] Athena reaches 0.82
                                     in an all-to-all, Fulhame 0.41 */
     .congestion = 0.13,          /* [static]. [IMB]: 0.04; 0.26 of Athena on 32 nodes, none of Fulhame */
     .message_gap = 0.057e-6,     /* [IMB] */
     .message_overhead = 0.43e-6, /* [IMB]. 5.5 million messages a second of one process [grimm], 4.0 (open-mpi/ompi,
                                     issue 1831): 0.18 and 0.25 us for one that is sent, twice that for one received, too */
     .copy_overhead = 25e-9,      /* [here] */
     .eager_limit = 8192,         /* SEG_SIZE of UCX, up to which a message has one bounce buffer (src/uct/ib/base/ib_iface.c) */
     .node_latency = 0.09e-6,     /* [IMB], 0.31 us with the overhead. 0.24 and 0.36 us (ofiwg/libfabric, pull request
                                     8680), 0.26 us (8582) */
     .node_bandwidth = 8.9e9,     /* [IMB]. 5.9 GB/s at 8 KiB, 11.2 at 16 KiB (openucx/ucx, issue 1831), 15.7 at 128
                                     KiB (libfabric, 8582) */
     /* [grimm]: 1.5 us at 256 B, 2.4 at 2 KiB, 4.8 at 8 KiB, 9.1 at 32 KiB, less m/11.9 GB/s */
     .latency_factor = {{0, 256, 2048, 4096, 8192, 32768}, {1, 1.6, 2.5, 3.2, 4.6, 7.1}, 6}},
    {.name = "omni-path",
     .latency = 1e-6,             /* product brief of the Omni-Path 100 series [recalled] */
     .link_share = 0.99,          /* osu_mbw_mr of a pair: 12380 of 12500 MB/s (gist hppritcha/8da4436a). [IMB]: 0.87 */
     .congestion = 0.13,          /* [static]. [IMB]: 0.18, of one machine */
     .message_gap = 0.05e-6,      /* [IMB], of one machine */
     .message_overhead = 0.22e-6, /* [IMB]. The gist has 2.9 to 3.3 million messages a second: 0.3 us for one that is sent */
     .copy_overhead = 25e-9,      /* [here] */
     .eager_limit = 64000,        /* MQ_HFI_THRESH_RNDV_XEON (psm_config.h, cornelisnetworks/opa-psm2) */
     .node_latency = 0.18e-6,     /* [IMB], of one machine */
     .node_bandwidth = 7.8e9},    /* [IMB], of one machine */
    {.name = "slingshot",
     .latency = 1.6e-6,           /* what LUMI expects of osu_latency (Lumi-supercomputer/reframe, issue 7) */
     .link_share = 0.98,          /* [as infiniband] */
     .congestion = 0.04,          /* [adaptive] */
     .message_gap = 0.057e-6,     /* [as infiniband] */
     .message_overhead = 0.43e-6, /* [as infiniband] */
     .copy_overhead = 25e-9,      /* [here] */
     .eager_limit = 16384,        /* FI_CXI_RDZV_THRESHOLD */
     .node_latency = 0.09e-6,     /* [as infiniband] */
     .node_bandwidth = 8.9e9},    /* [as infiniband] */
    {.name = "aries",
     .latency = 1.2e-6,           /* osu_latency on Trinitite (gist hppritcha/6a3acd0c, pml ob1): 1.2 us at 8 B. 1.15 to
                                     1.61 us are reference values of Piz Daint (reframe-hpc/reframe, pull request 1232) */
     .link_share = 0.55,          /* [IMB], of all messages of a node. A pair alone has 9607 MB/s of 10 GB/s (Piz Daint,
                                     the same pull request) */
     .congestion = 0.25,          /* [IMB]. Its routing is adaptive: Isambard has 0.27, ARCHER 0.23 */
     .message_gap = 0.14e-6,      /* [IMB] */
     .message_overhead = 1.06e-6, /* [IMB]. 1.57 million messages of 8 B a second (openucx/ucx, issue 4673): 0.64 us for
                                     one that is sent */
     .copy_overhead = 25e-9,      /* [here] */
     .eager_limit = 8192,         /* MPICH_GNI_MAX_EAGER_MSG_SIZE */
     .node_latency = 0.05e-6,     /* [IMB] */
     .node_bandwidth = 12.1e9,    /* [IMB] */
     /* The gist: 2.4 us at 4 KiB, 5.0 at 8 KiB, 11.6 at 32 KiB, less m/10 GB/s */
     .latency_factor = {{0, 1024, 4096, 8192, 32768}, {1, 1.2, 1.7, 3.4, 7}, 5}},
    {.name = "ethernet-1g",
     .latency = 24.6e-6,          /* [grimm]: 24.6 us at 8 B */
     .link_share = 0.93,          /* [grimm]: 116 MB/s of 125 */
     .congestion = 0.13,          /* [static] */
     .message_gap = 0.67e-6,      /* a frame of 84 B */
     .message_overhead = 4.3e-6,  /* [grimm]: messages of 1 B at 0.23 MB/s */
     .copy_overhead = 25e-9,      /* [here] */
     .eager_limit = 65536,        /* as ethernet-tcp */
     .node_latency = 0.09e-6,     /* [as infiniband] */
     .node_bandwidth = 8.9e9,     /* [as infiniband] */
     /* [grimm]: 49 us at 1 KiB, 235 at 4 KiB, less m/117 MB/s */
     .latency_factor = {{0, 512, 1024, 2048, 4096}, {1, 1.2, 1.7, 2.2, 8}, 5}}};
/* clang-format on */
