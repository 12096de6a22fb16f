/* The benchmark of marked speeds: what every calibration measures. */
#ifndef CAMPAIGN_BENCHMARK_H
#define CAMPAIGN_BENCHMARK_H

/* The kernel, its problem size, and the working set in B that it is on one process. */
#define CAMPAIGN_BENCHMARK_KERNEL "ge"
enum { CAMPAIGN_BENCHMARK_SIZE = 1024 };
#define CAMPAIGN_BENCHMARK_BYTES (8.0 * CAMPAIGN_BENCHMARK_SIZE * (CAMPAIGN_BENCHMARK_SIZE + 1))

#endif
