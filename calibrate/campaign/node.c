#include "node.h"

#include <hwloc.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "kernels/node_memory.h"
#include "launcher.h"

static void read_governor(char *text, size_t size) {
    FILE *file = fopen("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "r");
    if (file != NULL) {
        if (fgets(text, (int)size, file) == NULL) {
            text[0] = '\0';
        }
        text[strcspn(text, "\n")] = '\0';
        fclose(file);
    }
}

static void read_topology(node_description *out) {
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0) {
        return;
    }
    if (hwloc_topology_load(topology) == 0) {
        int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
        if (cores > 0 && cores < out->processors) {
            out->processors = cores;
        }
        hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
        const char *model =
            package != NULL ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
        snprintf(out->model, sizeof out->model, "%s", model != NULL ? model : "");
    }
    hwloc_topology_destroy(topology);
}

void node_describe(node_description *out) {
    memset(out, 0, sizeof *out);
    out->processors = launcher_processors();
    out->memory = node_memory_total();
    read_topology(out);
    double quota = floor(node_processor_quota());
    if (quota < (double)out->processors) {
        out->processors = quota > 1 ? (long)quota : 1;
    }
    read_governor(out->governor, sizeof out->governor);
    struct utsname system;
    if (uname(&system) == 0) {
        snprintf(out->kernel, sizeof out->kernel, "%.60s %.60s", system.sysname, system.release);
    }
}

/* What is read of a "cpuN ..." line of /proc/stat (proc(5)), in ticks. */
typedef struct processor_ticks {
    double busy;   /* neither idle nor waiting */
    double stolen; /* the host gave them to others; they are busy, too */
} processor_ticks;

static processor_ticks read_ticks(const char *numbers) {
    unsigned long long user;
    unsigned long long nice;
    unsigned long long system;
    unsigned long long idle;
    unsigned long long waiting;
    unsigned long long interrupts;
    unsigned long long soft;
    unsigned long long steal;
    if (sscanf(numbers, "%llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle,
               &waiting, &interrupts, &soft, &steal) != 8) {
        return (processor_ticks){NAN, NAN};
    }
    return (processor_ticks){(double)(user + nice + system + interrupts + soft + steal),
                             (double)steal};
}

/* The ticks of all processors that this process may use, in seconds. */
static processor_ticks read_seconds(void) {
    cpu_set_t set;
    processor_ticks all = {0, 0};
    FILE *file = fopen("/proc/stat", "r");
    if (file == NULL || sched_getaffinity(0, sizeof set, &set) != 0) {
        if (file != NULL) {
            fclose(file);
        }
        return (processor_ticks){NAN, NAN};
    }
    char line[512];
    int found = 0;
    while (fgets(line, (int)sizeof line, file) != NULL) {
        char *rest = NULL;
        if (strncmp(line, "cpu", 3) == 0 && line[3] >= '0' && line[3] <= '9') {
            unsigned long number = strtoul(line + 3, &rest, 10);
            if (number < CPU_SETSIZE && CPU_ISSET(number, &set)) {
                processor_ticks one = read_ticks(rest);
                all.busy += one.busy;
                all.stolen += one.stolen;
                found++;
            }
        }
    }
    fclose(file);
    double second = found > 0 ? (double)sysconf(_SC_CLK_TCK) : NAN;
    return (processor_ticks){all.busy / second, all.stolen / second};
}

double node_busy_seconds(void) {
    return read_seconds().busy;
}

double node_stolen_seconds(void) {
    return read_seconds().stolen;
}
