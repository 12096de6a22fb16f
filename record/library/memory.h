/* The memory that the program has allocated, as the C library states. Asking it takes some us, so
 * it is asked where a call site is seen for the first time: programs allocate what they work on
 * before they send it. */
#ifndef RECORD_MEMORY_H
#define RECORD_MEMORY_H

/* What there is after MPI_Init is not the program's. */
void record_memory_begin(void);

/* Keeps the most that was seen. */
void record_memory_look(void);

#endif
