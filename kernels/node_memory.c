#include "node_memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PATH_MOST_BYTES = 4096, LINE_MAX = 4200 };

/* Where control groups are: version 2 has one tree, version 1 one for each kind. */
typedef struct group_files {
    const char *kind; /* of version 1; NULL: version 2 */
    const char *root;
    const char *limit;
    const char *usage;
    const char *cache; /* key in memory.stat of pages that are given back when memory is short */
} group_files;

static const group_files trees[] = {
    {NULL, "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "},
    {"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file "}};

/* kB of /proc/meminfo as bytes; 0 where it is not there. */
static double from_meminfo(const char *key) {
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    double kilobytes = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, strlen(key)) == 0 &&
            sscanf(line + strlen(key), ": %lf", &kilobytes) == 1) {
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return kilobytes * 1024;
}

/* The first number of a file; NAN where there is none, as in "max". */
static double read_number(const char *folder, const char *name) {
    char path[PATH_MOST_BYTES + 64];
    double value = NAN;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%lf", &value) != 1) {
            value = NAN;
        }
        fclose(file);
    }
    return value;
}

static double read_statistic(const char *folder, const char *key) {
    char path[PATH_MOST_BYTES + 64];
    char line[256];
    double value = 0;
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, strlen(key)) == 0) {
            (void)sscanf(line + strlen(key), "%lf", &value);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return value;
}

/* Whether a line of /proc/self/cgroup, "number:kinds:path", is that of a kind (cgroups(7)). */
static const char *path_in_line(char *line, const char *kind) {
    char *kinds = strchr(line, ':');
    char *path = kinds != NULL ? strchr(kinds + 1, ':') : NULL;
    if (path == NULL) {
        return NULL;
    }
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    kinds++;
    bool found = kind == NULL ? kinds[0] == '\0' : false;
    char *rest = NULL;
    for (char *word = strtok_r(kinds, ",", &rest); word != NULL && kind != NULL;
         word = strtok_r(NULL, ",", &rest)) {
        found = found || strcmp(word, kind) == 0;
    }
    return found ? path : NULL;
}

/* The folder of this process's group. In a container the path may be that of the host; the root is
 * its own group then. */
static void find_folder(const char *kind, const char *root, char *folder, size_t size) {
    FILE *file = fopen("/proc/self/cgroup", "r");
    char line[LINE_MAX];
    snprintf(folder, size, "%s", root);
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *path = path_in_line(line, kind);
        if (path != NULL) {
            snprintf(folder, size, "%s%s", root, strcmp(path, "/") == 0 ? "" : path);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

/* Goes from the group to the root, as each may allow less than those in it. */
static bool go_up(char *folder, const char *root) {
    char *slash = strrchr(folder, '/');
    if (strlen(folder) <= strlen(root) || slash == NULL) {
        return false;
    }
    *slash = '\0';
    return true;
}

/* The least that any group from this process's to the root allows, and has left. */
static void group_memory(double *total, double *available) {
    for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++) {
        char folder[PATH_MOST_BYTES];
        find_folder(trees[i].kind, trees[i].root, folder, sizeof folder);
        do {
            double limit = read_number(folder, trees[i].limit);
            double usage = read_number(folder, trees[i].usage);
            double cache = read_statistic(folder, trees[i].cache);
            if (!isnan(limit)) {
                *total = fmin(*total, limit);
            }
            if (!isnan(limit) && !isnan(usage)) {
                *available = fmin(*available, fmax(limit - usage + cache, 0));
            }
        } while (go_up(folder, trees[i].root));
    }
}

double node_memory_total(void) {
    double total = from_meminfo("MemTotal");
    double available = INFINITY;
    group_memory(&total, &available);
    return total;
}

double node_memory_available(void) {
    double total = INFINITY;
    double available = from_meminfo("MemAvailable");
    group_memory(&total, &available);
    return available;
}

/* "200000 100000": quota and period; "max 100000" for none. */
static double read_quota(const char *folder) {
    char path[PATH_MOST_BYTES + 64];
    double quota = INFINITY;
    double period = 0;
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%lf %lf", &quota, &period) != 2) {
            quota = INFINITY;
        }
        fclose(file);
    }
    if (isfinite(quota) && period > 0) {
        return quota / period;
    }
    quota = read_number(folder, "cpu.cfs_quota_us");
    period = read_number(folder, "cpu.cfs_period_us");
    return quota > 0 && period > 0 ? quota / period : INFINITY;
}

double node_processor_quota(void) {
    static const char *const roots[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/cpu"};
    static const char *const kinds[] = {NULL, "cpu"};
    double quota = INFINITY;
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        char folder[PATH_MOST_BYTES];
        find_folder(kinds[i], roots[i], folder, sizeof folder);
        do {
            quota = fmin(quota, read_quota(folder));
        } while (go_up(folder, roots[i]));
    }
    return quota;
}
