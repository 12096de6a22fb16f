/* What the library knows of this process while it records: clocks, where the modules stand, and the
 * thread's way from one call to the next. */
#ifndef RECORD_STATE_H
#define RECORD_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "real.h"

/* A counter that is cheap to read; how long a tick is, two readings beside a clock report. */
static inline uint64_t record_ticks(void) {
#if defined __x86_64__
    return __builtin_ia32_rdtsc();
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
#endif
}

/* ns of a clock. */
static inline uint64_t record_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

typedef struct record_range {
    uintptr_t begin, end;
} record_range;

typedef struct record_state {
    bool records;                 /* not the time alone */
    bool on;                      /* calls are recorded */
    bool locked;                  /* several threads may call at once */
    double tick;                  /* ns */
    uint64_t fresh;               /* ticks after which processor time is read again */
    uint64_t brief;               /* ticks that a call takes which is worth no reading of ticks */
    record_range mpi, fortran, c; /* addresses of the libraries' code */
} record_state;

extern record_state record_now;

static inline bool record_is_in(const record_range *range, const void *address) {
    return (uintptr_t)address - range->begin < range->end - range->begin;
}

/* The way of a thread since its last call. */
typedef struct record_thread {
    struct record_quick *last; /* the slot of the last call (quick.h) */
    uint32_t site;             /* of the last call, where that has no slot */
    /* Ticks that calls and the computing before them may take as usual until a time is read: what
     * is left, and what it was at the last reading. */
    uint32_t budget, granted;
    const void *address; /* the return address of a call that no slot has counted */
    const void *stack;   /* where the stack of its caller begins */
    bool profiled;       /* it came by the name PMPI_NAME */
    uint64_t left;       /* ticks at the last end that was read */
    uint64_t cpu;        /* ns of processor time at the last reading */
    uint64_t cpu_ticks;  /* ticks of that reading */
    double spent;        /* ns of short computing and of calls since then */
    uint32_t sampled;    /* calls of this sample that are still to be timed */
    uint32_t turn;
    bool begun;
    bool inside; /* a call is being recorded */
    bool main;   /* it called MPI_Init */
} record_thread;

extern __thread record_thread record_mine __attribute__((tls_model("initial-exec")));

/* What is known of a site's calls. */
typedef struct record_habit {
    uint32_t unfamiliar;     /* calls that are timed before it is sampled */
    uint64_t call, before;   /* ticks on average: inside of a call, and of computing before it */
    double computed, square; /* the latter in ns, and ns^2 */
} record_habit;

/* Looks up the functions of MPI. False where there is none. */
bool record_real_find(void);

/* For dlsym(): a module behind this library that has the name. NULL: none. */
void *record_module_of(const char *name);

/* Keeps other threads out while this one counts. */
extern atomic_flag record_busy;
static inline void record_lock(void) {
    while (record_now.locked &&
           atomic_flag_test_and_set_explicit(&record_busy, memory_order_acquire)) {
    }
}
static inline void record_unlock(void) {
    if (record_now.locked) {
        atomic_flag_clear_explicit(&record_busy, memory_order_release);
    }
}

/* The return address of the call of a Fortran function that this thread made last. */
extern __thread const void *record_fortran_address __attribute__((tls_model("initial-exec")));

/* The number of the communicator in the part; RECORD_PART_NONE: none, or no room. */
uint32_t record_communicator(MPI_Comm comm);

/* The partner as a record has it. */
int32_t record_partner(int rank);

/* Starts the time before the first call of this thread: after MPI_Init. */
void record_thread_begin(uint32_t site);

/* Reads the thread's processor time once more: before MPI_Finalize. */
void record_thread_end(void);

#endif
