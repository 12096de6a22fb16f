#include "probe_environment.h"

#ifndef PROBE_SIMULATED
#include <hwloc.h>
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "calibrate/samples/environment.h"

enum { TEXT_MAX = 256 };

#ifndef PROBE_SIMULATED
/* Of the library's hundreds of control variables those that say where it changes its algorithm or
 * protocol. */
static bool is_switch(const char *name) {
    static const char *const parts[] = {"MSG_SIZE", "MIN_PROCS", "EAGER"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strstr(name, parts[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static void print_variable(int index) {
    char name[TEXT_MAX];
    char description[1];
    int name_length = sizeof name;
    int description_length = 0;
    int verbosity;
    int binding;
    int scope;
    int count = 0;
    MPI_Datatype type;
    MPI_T_enum choices;
    MPI_T_cvar_handle handle;
    int value = 0;
    if (MPI_T_cvar_get_info(index, name, &name_length, &verbosity, &type, &choices, description,
                            &description_length, &binding, &scope) == MPI_SUCCESS &&
        type == MPI_INT && binding == MPI_T_BIND_NO_OBJECT && is_switch(name) &&
        MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS) {
        if (count == 1 && MPI_T_cvar_read(handle, &value) == MPI_SUCCESS) {
            printf("# %s: %d\n", name, value);
        }
        MPI_T_cvar_handle_free(&handle);
    }
}

static void print_variables(void) {
    int level;
    int count = 0;
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &level) != MPI_SUCCESS) {
        return;
    }
    if (MPI_T_cvar_get_num(&count) == MPI_SUCCESS) {
        for (int i = 0; i < count; i++) {
            print_variable(i);
        }
    }
    MPI_T_finalize();
}

/* The processors that this process may use: "0-1,4". */
static void describe_binding(char *text, size_t size) {
    hwloc_topology_t topology;
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    snprintf(text, size, "not known");
    if (set != NULL && hwloc_topology_init(&topology) == 0) {
        if (hwloc_topology_load(topology) == 0 &&
            hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_PROCESS) == 0) {
            hwloc_bitmap_list_snprintf(text, size, set);
        }
        hwloc_topology_destroy(topology);
    }
    hwloc_bitmap_free(set);
}

/* A line for each process: its host and the processors that it may use. */
static void print_processes(const probe_context *context) {
    char own[TEXT_MAX];
    char host[MPI_MAX_PROCESSOR_NAME];
    char bound[TEXT_MAX / 2];
    int length;
    MPI_Get_processor_name(host, &length);
    describe_binding(bound, sizeof bound);
    snprintf(own, sizeof own, "%.100s, bound to %.100s", host, bound);
    char *all = context->rank == 0 ? calloc((size_t)context->processes, TEXT_MAX) : NULL;
    if (context->rank == 0 && all == NULL) {
        MPI_Abort(context->communicator, 5);
    }
    MPI_Gather(own, TEXT_MAX, MPI_CHAR, all, TEXT_MAX, MPI_CHAR, 0, context->communicator);
    for (int q = 0; context->rank == 0 && q < context->processes; q++) {
        printf("# process %d of %d: %s\n", q, context->processes, all + (size_t)q * TEXT_MAX);
    }
    free(all);
}

static void print_clock_source(void) {
    char text[TEXT_MAX] = "";
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
    if (file != NULL) {
        if (fgets(text, sizeof text, file) != NULL) {
            text[strcspn(text, "\n")] = '\0';
            printf("# clock_source: %s\n", text);
        }
        fclose(file);
    }
}
#endif

/* "MPICH Device: ch3:nemesis" is one of the lines that MPICH's version has. */
static void print_device(const char *library) {
    static const char key[] = "Device:";
    const char *device = strstr(library, key);
    if (device != NULL) {
        device += strlen(key);
        device += strspn(device, " \t");
        printf("# mpi_device: %.*s\n", (int)strcspn(device, "\n"), device);
    }
}

static void print_library(const probe_context *context) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    char host[MPI_MAX_PROCESSOR_NAME];
    int length;
    MPI_Get_library_version(library, &length);
    MPI_Get_processor_name(host, &length);
    printf("# mpi: %.*s\n", (int)strcspn(library, "\n"), library);
    print_device(library);
    printf("# host: %s\n# clock_granule: %.3g s\n# compiler: %s\n", host, context->granule,
           __VERSION__);
}

void probe_environment_print(const probe_context *context) {
    if (context->rank == 0) {
        print_library(context);
    }
#ifndef PROBE_SIMULATED
    if (context->rank == 0) {
        print_clock_source();
        print_variables();
    }
    print_processes(context);
#endif
}

static struct {
    double processor; /* s */
    double steady;    /* s */
} begun;

static double processor_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static double steady_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void probe_environment_begin(void) {
    begun.processor = processor_seconds();
    begun.steady = steady_seconds();
}

void probe_environment_end(const probe_context *context) {
    double passed = steady_seconds() - begun.steady;
    double share = passed > 0 ? (processor_seconds() - begun.processor) / passed : 1;
    double least;
    MPI_Reduce(&share, &least, 1, MPI_DOUBLE, MPI_MIN, 0, context->communicator);
    if (context->rank == 0) {
        char line[ENVIRONMENT_LINE_MAX];
        environment_write_share(fmin(least, 1), line);
        puts(line);
    }
}
