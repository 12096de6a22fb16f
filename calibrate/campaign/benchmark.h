/* The benchmark of marked speeds, which every calibration measures: the kernel KERNEL_BENCHMARK
 * (kernel_table.h) on one process. */
#ifndef CAMPAIGN_BENCHMARK_H
#define CAMPAIGN_BENCHMARK_H

/* Its problem size, and the working set in B that it is. */
enum { CAMPAIGN_BENCHMARK_SIZE = 1024 };
#define CAMPAIGN_BENCHMARK_BYTES (8.0 * CAMPAIGN_BENCHMARK_SIZE * (CAMPAIGN_BENCHMARK_SIZE + 1))

#endif
