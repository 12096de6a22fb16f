#include "node.h"

#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "kernels/node_memory.h"
#include "launcher.h"

enum { PATH_SIZE = 4096, WORD_SIZE = 64 };

/* The beginning of a file, without memory and without a stream; "" where it cannot be read. */
static void read_beginning(const char *path, char *text, size_t size) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = file >= 0 ? read(file, text, size - 1) : 0;
    text[count > 0 ? count : 0] = '\0';
    if (file >= 0) {
        close(file);
    }
}

/* The first line of a file; empty where there is none. */
static void read_line(const char *root, const char *name, char *text, size_t size) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s%s", root, name);
    read_beginning(path, text, size);
    text[strcspn(text, "\n")] = '\0';
}

/* Cores among the processors that this process may use, each known by the first of its processors;
 * 0 where the system does not say. (libhwloc would, but looks at none of its allocations: where
 * memory is short it crashes, or never ends.) */
static long count_cores(void) {
    cpu_set_t all;
    cpu_set_t firsts;
    CPU_ZERO(&firsts);
    if (sched_getaffinity(0, sizeof all, &all) != 0) {
        return 0;
    }
    for (size_t i = 0; i < CPU_SETSIZE; i++) {
        if (CPU_ISSET(i, &all)) {
            char path[128];
            char siblings[64];
            snprintf(path, sizeof path,
                     "/sys/devices/system/cpu/cpu%zu/topology/thread_siblings_list", i);
            read_beginning(path, siblings, sizeof siblings);
            char *end = siblings;
            unsigned long first = strtoul(siblings, &end, 10);
            if (end == siblings || first >= CPU_SETSIZE) {
                return 0;
            }
            CPU_SET(first, &firsts);
        }
    }
    return CPU_COUNT(&firsts);
}

/* What a line "NAME<tabs>: VALUE" of /proc/cpuinfo says; the names of several kinds of processors.
 */
static void read_model(char *out, size_t size) {
    static const char *const names[] = {"model name", "cpu model", "Processor", "cpu"};
    char text[4096];
    read_beginning("/proc/cpuinfo", text, sizeof text);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        size_t length = strlen(names[k]);
        for (const char *line = text; *line != '\0';) {
            size_t rest = strcspn(line, "\n");
            size_t blank = strncmp(line, names[k], length) == 0 ? strspn(line + length, " \t") : 0;
            const char *colon = line + length + blank;
            if (blank > 0 && *colon == ':') {
                colon += 1 + strspn(colon + 1, " \t");
                snprintf(out, size, "%.*s", (int)(line + rest - colon), colon);
                return;
            }
            line += rest + (line[rest] == '\n');
        }
    }
}

void node_describe(node_description *out) {
    memset(out, 0, sizeof *out);
    out->processors = launcher_processors();
    out->memory = node_memory_total();
    long cores = count_cores();
    out->processors = cores > 0 && cores < out->processors ? cores : out->processors;
    read_model(out->model, sizeof out->model);
    double quota = floor(node_processor_quota());
    if (quota < (double)out->processors) {
        out->processors = quota > 1 ? (long)quota : 1;
    }
    read_line("", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", out->governor,
              sizeof out->governor);
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
    enum { IDLE = 3, WAITING = 4, STOLEN = 7, COUNT = 8 };
    processor_ticks out = {0, 0};
    for (int i = 0; i < COUNT; i++) {
        char *end = NULL;
        unsigned long long ticks = strtoull(numbers, &end, 10);
        if (end == numbers) {
            return (processor_ticks){NAN, NAN};
        }
        numbers = end;
        out.busy += i == IDLE || i == WAITING ? 0 : (double)ticks;
        out.stolen = i == STOLEN ? (double)ticks : 0;
    }
    return out;
}

/* The ticks of all processors that this process may use, in seconds. */
static processor_ticks read_seconds(void) {
    cpu_set_t set;
    processor_ticks all = {0, 0};
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        CPU_ZERO(&set);
    }
    FILE *file = fopen("/proc/stat", "r");
    char line[512];
    int found = 0;
    while (file != NULL && fgets(line, (int)sizeof line, file) != NULL) {
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
    if (file != NULL) {
        fclose(file);
    }
    double second = found > 0 ? (double)sysconf(_SC_CLK_TCK) : NAN;
    return (processor_ticks){all.busy / second, all.stolen / second};
}

double node_busy_seconds(void) {
    return read_seconds().busy;
}

/* A file that holds "0" or "1". */
static node_switch read_switch(const char *root, const char *name) {
    char text[WORD_SIZE];
    read_line(root, name, text, sizeof text);
    return strcmp(text, "1") == 0 ? NODE_ON : strcmp(text, "0") == 0 ? NODE_OFF : NODE_UNKNOWN;
}

/* intel_pstate says whether turbo is off, other drivers whether it is on. */
static node_switch read_turbo(const char *root) {
    node_switch off = read_switch(root, "/sys/devices/system/cpu/intel_pstate/no_turbo");
    if (off != NODE_UNKNOWN) {
        return off == NODE_ON ? NODE_OFF : NODE_ON;
    }
    return read_switch(root, "/sys/devices/system/cpu/cpufreq/boost");
}

/* Whether one of the words, which blanks or commas part, is `word`. */
static bool has_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; *at != '\0'; at += strcspn(at, ", \t\n")) {
        at += strspn(at, ", \t\n");
        if (strncmp(at, word, length) == 0 && strchr(", \t\n", at[length]) != NULL) {
            return true;
        }
    }
    return false;
}

/* Of all processors that this process may use. */
static void read_governors(const char *root, char *out, size_t size) {
    cpu_set_t set;
    out[0] = '\0';
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return;
    }
    for (int i = 0; i < CPU_SETSIZE; i++) {
        char name[WORD_SIZE * 2];
        char governor[WORD_SIZE];
        if (!CPU_ISSET((size_t)i, &set)) {
            continue;
        }
        snprintf(name, sizeof name, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", i);
        read_line(root, name, governor, sizeof governor);
        size_t used = strlen(out);
        if (governor[0] != '\0' && !has_word(out, governor)) {
            snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : "", governor);
        }
    }
}

/* A processor of x86 lists its features as flags, "hypervisor" among them where there is one. */
static node_switch read_virtual(const char *root) {
    char path[PATH_SIZE];
    char line[16384];
    node_switch result = NODE_UNKNOWN;
    snprintf(path, sizeof path, "%s/proc/cpuinfo", root);
    FILE *file = fopen(path, "re");
    while (file != NULL && result == NODE_UNKNOWN && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "flags", 5) == 0) {
            result = has_word(line, "hypervisor") ? NODE_ON : NODE_OFF;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return result;
}

void node_settings_read(const char *root, node_settings *out) {
    *out = (node_settings){.turbo = read_turbo(root),
                           .threads = read_switch(root, "/sys/devices/system/cpu/smt/active"),
                           .virtual = read_virtual(root)};
    read_governors(root, out->governors, sizeof out->governors);
    read_line(root, "/sys/devices/system/clocksource/clocksource0/current_clocksource",
              out->clock_source, sizeof out->clock_source);
}

static double seconds_of(const struct timespec *time) {
    return (double)time->tv_sec + 1e-9 * (double)time->tv_nsec;
}

void node_clock_read(double *resolution, double *cost) {
    enum { READINGS = 1000, TRIES = 20 };
    struct timespec first;
    struct timespec last;
    *resolution = clock_getres(CLOCK_MONOTONIC, &first) == 0 ? seconds_of(&first) : NAN;
    *cost = NAN;
    for (int i = 0; i < TRIES; i++) {
        if (clock_gettime(CLOCK_MONOTONIC, &first) != 0) {
            return;
        }
        for (int k = 0; k < READINGS; k++) {
            clock_gettime(CLOCK_MONOTONIC, &last);
        }
        *cost = fmin(*cost, (seconds_of(&last) - seconds_of(&first)) / READINGS);
    }
}

void node_load_watch(double seconds, node_load *out) {
    struct timespec begin;
    struct timespec end;
    double processors = (double)launcher_processors();
    const processor_ticks before = read_seconds();
    clock_gettime(CLOCK_MONOTONIC, &begin);
    nanosleep(&(struct timespec){(time_t)seconds, (long)(1e9 * fmod(seconds, 1))}, NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double room = (seconds_of(&end) - seconds_of(&begin)) * processors;
    const processor_ticks after = read_seconds();
    *out = (node_load){.others = (after.busy - before.busy) / room,
                       .stolen = (after.stolen - before.stolen) / room};
}
