#include "node_settings.h"

#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "launcher.h"
#include "node.h"

enum { PATH_SIZE = 4096, WORD_SIZE = 64 };

/* The first line of a file; empty where there is none. */
static void read_line(const char *root, const char *name, char *text, size_t size) {
    char path[PATH_SIZE];
    text[0] = '\0';
    snprintf(path, sizeof path, "%s%s", root, name);
    FILE *file = fopen(path, "re");
    if (file != NULL) {
        if (fgets(text, (int)size, file) == NULL) {
            text[0] = '\0';
        }
        text[strcspn(text, "\n")] = '\0';
        fclose(file);
    }
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
    double busy = node_busy_seconds();
    double stolen = node_stolen_seconds();
    clock_gettime(CLOCK_MONOTONIC, &begin);
    nanosleep(&(struct timespec){(time_t)seconds, (long)(1e9 * fmod(seconds, 1))}, NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double room = (seconds_of(&end) - seconds_of(&begin)) * processors;
    *out = (node_load){.others = (node_busy_seconds() - busy) / room,
                       .stolen = (node_stolen_seconds() - stolen) / room};
}
