/* Whether a machine states the time per flop of an algorithm's kernel, and what stands in for it
 * where it does not. Binds nothing (binding.h). */
#ifndef ISOCAST_KERNEL_TIME_H
#define ISOCAST_KERNEL_TIME_H

#include "algorithm.h"
#include "machine.h"

/* The entry of a kernel, which may be NULL, under the machine's `compute`; NULL where it has none.
 * Belongs to the machine. */
const isocast_operation *isocast_kernel_time_entry(const isocast_machine *machine,
                                                   const char *kernel);

/* The kernel's entry under the machine's `compute` that the algorithm's computation takes; NULL
 * where it names no kernel, the machine does not have it, or its time depends on the working set m,
 * for which the algorithm has no formula (`memory`). Belongs to the machine. */
const isocast_operation *isocast_kernel_time_find(const isocast_algorithm *algorithm,
                                                  const isocast_machine *machine);

/* Whether the machine's time per flop of the kernel has in it what its traffic takes on a full
 * node. Else the traffic of the algorithm counts. */
bool isocast_kernel_time_has_memory(const isocast_algorithm *algorithm,
                                    const isocast_machine *machine);

/* Whether nothing of a machine says what its nodes' memory does to a full node: several processors
 * share it, and neither a time per flop nor the marked speed of the kernel was measured on them. */
bool isocast_kernel_time_lacks_memory(const isocast_algorithm *algorithm,
                                      const isocast_machine *machine);

/* Warns, at the key `kernel`, that the machine has no time per flop for it, what is taken in its
 * place, and how to get it. Says nothing where the computation does not ask for one: no kernel is
 * named, the algorithm's own formula or a value by hand decides, the machine has a marked speed of
 * the kernel itself, or it is a simulated one, whose work takes the time of its flops. */
void isocast_kernel_time_report(const isocast_algorithm *algorithm, const isocast_machine *machine,
                                isocast_diagnostics *diagnostics);

#endif
