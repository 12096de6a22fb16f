/* The begin and the end of recording: MPI_Init, MPI_Finalize, MPI_Abort, regions, and a program
 * that ends otherwise. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call.h"
#include "memory.h"
#include "quick.h"
#include "state.h"
#include "store.h"

static const uint64_t base_ns = 2000000; /* between the readings that state a tick, at least */
static uint64_t region_begin;            /* ticks; 0: outside */
static uint64_t early_ticks, early_clock;

typedef struct range_search {
    uintptr_t address;
    record_range range;
} range_search;

static int find_range(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    range_search *search = context;
    record_range range = {UINTPTR_MAX, 0};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_LOAD) {
            uintptr_t begin = info->dlpi_addr + header->p_vaddr;
            uintptr_t end = begin + header->p_memsz;
            range.begin = begin < range.begin ? begin : range.begin;
            range.end = end > range.end ? end : range.end;
        }
    }
    bool found = search->address >= range.begin && search->address < range.end;
    search->range = found ? range : search->range;
    return found;
}

/* Where the module stands that has the address; nowhere for 0. */
static record_range range_of(uintptr_t address) {
    range_search search = {address, {0, 0}};
    if (address != 0) {
        dl_iterate_phdr(find_range, &search);
    }
    return search.range;
}

__attribute__((constructor)) static void prepare(void) {
    if (dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != NULL) {
        fprintf(stderr,
                "isocast: this program uses Open MPI; isocast records programs of MPICH and "
                "of what is compatible with it\n");
        _exit(127);
    }
    const char *mode = getenv(RECORD_PART_MODE);
    record_now.records = mode == NULL || strcmp(mode, "time") != 0;
    early_ticks = record_ticks();
    early_clock = record_clock(CLOCK_MONOTONIC);
    record_real_find();
}

/* Reads ticks beside a clock for the second time. */
static void read_clocks(void) {
    record_part_head *head = &record_store->head;
    head->last_ticks = record_ticks();
    head->last_clock = record_clock(CLOCK_MONOTONIC);
}

static void find_tick(void) {
    record_part_head *head = &record_store->head;
    head->first_ticks = early_ticks;
    head->first_clock = early_clock;
    do {
        read_clocks();
    } while (head->last_clock - head->first_clock < base_ns);
    record_now.tick = (double)(head->last_clock - head->first_clock) /
                      (double)(head->last_ticks - head->first_ticks);
}

static bool open_store(const char *folder) {
    int rank = 0;
    int size = 1;
    record_real.Comm_rank(MPI_COMM_WORLD, &rank);
    record_real.Comm_size(MPI_COMM_WORLD, &size);
    if (record_store_open(folder, rank, size)) {
        return true;
    }
    /* Programs that are spawned have ranks of their own; the first ones are recorded. */
    if (errno != EEXIST) {
        fprintf(stderr, "isocast: process %d cannot be recorded in %s: %s\n", rank, folder,
                strerror(errno));
    }
    return false;
}

/* After MPI_Init, which began at these ticks and was called from that address. */
static void begin(uint64_t begun, const void *address, const void *stack,
                  isocast_record_operation operation, bool threads) {
    const char *folder = getenv(RECORD_PART_FOLDER);
    if (folder == NULL || record_store != NULL || !open_store(folder)) {
        return;
    }
    find_tick();
    record_part_head *head = &record_store->head;
    if (record_now.records) {
        record_now.on = true;
        record_now.locked = threads;
        record_now.mpi = range_of((uintptr_t)record_real.Init);
        record_now.fortran = range_of((uintptr_t)dlsym(RTLD_DEFAULT, "pmpi_init_"));
        record_now.c = range_of((uintptr_t)dlsym(RTLD_DEFAULT, "getenv"));
        record_call call;
        if (record_enter(&call, address, stack, false)) {
            record_return(&call);
            call.begin = begun;
            record_leave(&call, operation);
            record_thread_begin(call.key.site);
        }
    }
    record_memory_begin();
    head->begin = head->now = record_ticks();
}

/* No more is counted. */
static void end(record_part_state state) {
    if (record_store == NULL || record_store->head.state != RECORD_PART_RUNNING) {
        return;
    }
    record_now.on = false;
    record_quick_forget(RECORD_PART_NONE);
    record_store->head.state = state;
    read_clocks();
}

static int start(const void *address, const void *stack, int *argc, char ***argv, int required,
                 int *provided, isocast_record_operation operation) {
    uint64_t begun = record_ticks();
    if (!record_real_find()) {
        fprintf(stderr, "isocast: the MPI library of this program is not found\n");
        _exit(127);
    }
    bool threaded = operation == ISOCAST_RECORD_OPERATION_Init_thread;
    int result = threaded ? record_real.Init_thread(argc, argv, required, provided)
                          : record_real.Init(argc, argv);
    if (result == MPI_SUCCESS) {
        begin(begun, address, stack, operation, threaded && *provided == MPI_THREAD_MULTIPLE);
    }
    return result;
}

int MPI_Init(int *argc, char ***argv) {
    return start(__builtin_return_address(0), __builtin_dwarf_cfa(), argc, argv, 0, NULL,
                 ISOCAST_RECORD_OPERATION_Init);
}

int PMPI_Init(int *argc, char ***argv) {
    return start(__builtin_return_address(0), __builtin_dwarf_cfa(), argc, argv, 0, NULL,
                 ISOCAST_RECORD_OPERATION_Init);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    return start(__builtin_return_address(0), __builtin_dwarf_cfa(), argc, argv, required, provided,
                 ISOCAST_RECORD_OPERATION_Init_thread);
}

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    return start(__builtin_return_address(0), __builtin_dwarf_cfa(), argc, argv, required, provided,
                 ISOCAST_RECORD_OPERATION_Init_thread);
}

static void close_region(uint64_t now) {
    if (record_store != NULL && region_begin != 0) {
        record_store->head.region += now - region_begin;
        record_store->head.regions++;
    }
    region_begin = 0;
}

/* The call counts before it is made, as there is no MPI afterwards. */
static int finalize(const void *address, const void *stack) {
    uint64_t now = record_ticks();
    record_call call;
    if (record_enter(&call, address, stack, false)) {
        record_return(&call);
        record_leave(&call, ISOCAST_RECORD_OPERATION_Finalize);
        record_thread_end();
    }
    if (record_store != NULL) {
        close_region(now);
        record_store->head.now = now;
        end(RECORD_PART_COMPLETE);
    }
    return record_real.Finalize();
}

int MPI_Finalize(void) {
    return finalize(__builtin_return_address(0), __builtin_dwarf_cfa());
}

int PMPI_Finalize(void) {
    return finalize(__builtin_return_address(0), __builtin_dwarf_cfa());
}

static int abort_all(const void *address, const void *stack, MPI_Comm comm, int code) {
    record_call call;
    if (record_enter(&call, address, stack, false)) {
        record_return(&call);
        record_leave(&call, ISOCAST_RECORD_OPERATION_Abort);
        record_thread_end();
    }
    end(RECORD_PART_ABORTED);
    return record_real.Abort(comm, code);
}

int MPI_Abort(MPI_Comm comm, int code) {
    return abort_all(__builtin_return_address(0), __builtin_dwarf_cfa(), comm, code);
}

int PMPI_Abort(MPI_Comm comm, int code) {
    return abort_all(__builtin_return_address(0), __builtin_dwarf_cfa(), comm, code);
}

int MPI_Pcontrol(const int level, ...) {
    uint64_t now = record_ticks();
    close_region(now);
    region_begin = level > 0 ? now : 0;
    return MPI_SUCCESS;
}

/* A program that ends without MPI_Finalize; a child that it forked says nothing about it. */
__attribute__((destructor)) static void leave(void) {
    if (record_store != NULL && record_store->head.process_id == getpid()) {
        if (record_now.on) {
            record_thread_end();
        }
        end(RECORD_PART_EXITED);
    }
}
