#include "network_kind.h"

/* Where the numbers come from. [IMB]: read off the Intel MPI Benchmarks of
 * github.com/hpc-uk/archer-benchmarks on one to eight full nodes (ARCHER and Isambard: aries;
 * Athena and Fulhame: infiniband; CSD3 Peta4: omni-path) by bench/real, which states the rules,
 * reads them again and shows what is left where a machine is left out; the mean over machines is a
 * geometric one. [as infiniband]: no measurement was read.
 *
 * aries        latency and its factors: osu_latency on Trinitite, Haswell (gist hppritcha/6a3acd0c,
 *              pml ob1: 1.2 us at 8 B, 2.4 at 4 KiB, 5.0 at 8 KiB, 11.6 at 32 KiB, less m/10 GB/s);
 *              1.15 to 1.6 us are the reference values of Piz Daint (reframe-hpc/reframe, pull
 *              request 1232). Eager limit: MPICH_GNI_MAX_EAGER_MSG_SIZE is 8192. The rest: [IMB].
 * infiniband   latency and its factors: osu_latency on EDR, Open MPI (gist jfgrimm/3af692a5: 0.90
 * us at 8 B, 1.5 at 256 B, 2.4 at 2 KiB, 4.8 at 8 KiB, 9.1 at 32 KiB, less m/11.9 GB/s). Eager
 * limit: Open MPI's for openib and UCX's thresholds are about 8 KiB. The rest: [IMB]. omni-path
 * latency: about 1 us between processes (product brief of the Omni-Path 100 series, recalled and
 * not read again). Eager limit: PSM2_MQ_RNDV_HFI_THRESH is 64000. The rest: [IMB], of one machine.
 * slingshot    latency: 1.6 us is what LUMI expects of osu_latency (Lumi-supercomputer/reframe,
 * issue 7). Eager limit: FI_CXI_RDZV_THRESHOLD is 16384. The rest: [as infiniband]. roce latency:
 * 0.3 us over InfiniBand for an Ethernet switch instead of its own (recalled). Share: frames of
 * 4096 B have 98 B of headers and gaps, beside what [as infiniband] has. The rest: [as infiniband].
 * ethernet-tcp latency: 15 us (nw-grid.ac.uk/LivMPI: Open-MX, below 9 us, is 6 us faster). Share:
 * of a frame of 1538 B on the wire 1448 are data. Gap: a frame of 84 B at 10 Gbit/s. Overhead: as
 * ethernet-1g. Eager limit: btl_tcp_eager_limit of Open MPI is 64 KiB. Within a node: [as
 * infiniband]. ethernet-1g  latency, factors and share: osu_latency and osu_bw of MPICH over
 * Gigabit Ethernet (gist jfgrimm/3af692a5: 24.6 us at 8 B, 49 at 1 KiB, 235 at 4 KiB, less m/117
 * MB/s; 116 MB/s of 125). Overhead: messages of 1 B at 0.23 MB/s. Gap: a frame of 84 B. The rest:
 * as ethernet-tcp. */
const isocast_network_kind isocast_network_kinds[ISOCAST_NETWORK_KINDS] = {
    {.name = "ethernet-tcp",
     .latency = 15e-6,
     .link_share = 0.94,
     .message_gap = 0.07e-6,
     .message_overhead = 4.3e-6,
     .eager_limit = 65536,
     .node_latency = 0.1e-6,
     .node_bandwidth = 8.9e9},
    {.name = "roce",
     .latency = 1.2e-6,
     .link_share = 0.56,
     .message_gap = 0.058e-6,
     .message_overhead = 0.43e-6,
     .eager_limit = 8192,
     .node_latency = 0.1e-6,
     .node_bandwidth = 8.9e9,
     .latency_factor = {{0, 256, 2048, 4096, 8192, 32768}, {1, 1.5, 2.2, 2.8, 4, 6}, 6}},
    {.name = "infiniband",
     .latency = 0.9e-6,
     .link_share = 0.57,
     .message_gap = 0.058e-6,
     .message_overhead = 0.43e-6,
     .eager_limit = 8192,
     .node_latency = 0.1e-6,
     .node_bandwidth = 8.9e9,
     .latency_factor = {{0, 256, 2048, 4096, 8192, 32768}, {1, 1.6, 2.5, 3.2, 4.6, 7.1}, 6}},
    {.name = "omni-path",
     .latency = 1e-6,
     .link_share = 0.87,
     .message_gap = 0.061e-6,
     .message_overhead = 0.22e-6,
     .eager_limit = 64000,
     .node_latency = 0.25e-6,
     .node_bandwidth = 7.8e9},
    {.name = "slingshot",
     .latency = 1.6e-6,
     .link_share = 0.57,
     .message_gap = 0.058e-6,
     .message_overhead = 0.43e-6,
     .eager_limit = 16384,
     .node_latency = 0.1e-6,
     .node_bandwidth = 8.9e9},
    {.name = "aries",
     .latency = 1.2e-6,
     .link_share = 0.43,
     .message_gap = 0.13e-6,
     .message_overhead = 1.06e-6,
     .eager_limit = 8192,
     .node_latency = 0.05e-6,
     .node_bandwidth = 12.1e9,
     .latency_factor = {{0, 1024, 4096, 8192, 32768}, {1, 1.2, 1.7, 3.4, 7}, 5}},
    {.name = "ethernet-1g",
     .latency = 24.6e-6,
     .link_share = 0.93,
     .message_gap = 0.67e-6,
     .message_overhead = 4.3e-6,
     .eager_limit = 65536,
     .node_latency = 0.1e-6,
     .node_bandwidth = 8.9e9,
     .latency_factor = {{0, 512, 1024, 2048, 4096}, {1, 1.2, 1.7, 2.2, 8}, 5}}};
