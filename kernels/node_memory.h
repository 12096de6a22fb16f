/* Memory of the node that this process may use: what the hardware has, or less where a control
 * group (a container, a batch job) allows less. No MPI. */
#ifndef KERNEL_NODE_MEMORY_H
#define KERNEL_NODE_MEMORY_H

/* Bytes in all; 0 where the system does not say. */
double node_memory_total(void);

/* Bytes that are left; likewise. */
double node_memory_available(void);

/* Processors that the control group's quota is worth, 0.5 for half of one; infinite for none. */
double node_processor_quota(void);

#endif
