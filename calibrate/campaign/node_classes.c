#include "node_classes.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/environment.h"
#include "calibrate/samples/median.h"
#include "marked_speeds.h"

/* Memory that the system reports differs a little between like nodes. */
static const double memory_alike = 0.05;

/* The lines of all hosts in all launches. */
typedef struct host_lines {
    const environment_node *items; /* [count] */
    size_t count;
} host_lines;

static bool is_known_host(const host_lines *lines, const char *host) {
    for (size_t i = 0; i < lines->count; i++) {
        if (strcmp(lines->items[i].host, host) == 0) {
            return true;
        }
    }
    return false;
}

static bool alike(const environment_node *a, const environment_node *b) {
    return strcmp(a->model, b->model) == 0 && a->cores == b->cores &&
           fabs(a->memory - b->memory) <= memory_alike * fmax(a->memory, b->memory);
}

/* The letters a host's name starts with, "cn" of "cn017.cluster"; numbered where another class has
 * them. */
static void name_class(const environment_node *host, machine_file_class *classes, size_t index) {
    char name[sizeof classes->name];
    size_t length = 0;
    while (isalpha((unsigned char)host->host[length]) && length < 20) {
        name[length] = host->host[length];
        length++;
    }
    name[length] = '\0';
    if (length == 0) {
        snprintf(name, sizeof name, "node");
    }
    size_t same = 1;
    for (size_t i = 0; i < index; i++) {
        size_t other = strcspn(classes[i].name, "_");
        same += other == strlen(name) && strncmp(classes[i].name, name, other) == 0;
    }
    snprintf(classes[index].name, sizeof classes[index].name, same > 1 ? "%.20s_%zu" : "%.20s",
             name, same);
}

static double median_speed(const host_lines *lines, const environment_node *first) {
    double *speeds = malloc((lines->count + 1) * sizeof *speeds);
    size_t count = 0;
    for (size_t i = 0; speeds != NULL && i < lines->count; i++) {
        if (alike(&lines->items[i], first) && lines->items[i].speed > 0) {
            speeds[count++] = lines->items[i].speed;
        }
    }
    double speed = count > 0 ? median_of(speeds, count) : NAN;
    free(speeds);
    return speed;
}

static long count_hosts(const host_lines *lines, const environment_node *first) {
    long count = 0;
    for (size_t i = 0; i < lines->count; i++) {
        host_lines before = {lines->items, i};
        count += alike(&lines->items[i], first) && !is_known_host(&before, lines->items[i].host);
    }
    return count;
}

/* The hosts that are like a given one. */
typedef struct kind {
    const host_lines *lines;
    const environment_node *first;
} kind;

static bool is_of_kind(const char *host, const void *context) {
    const kind *k = context;
    for (size_t i = 0; i < k->lines->count; i++) {
        const environment_node *node = &k->lines->items[i];
        if (strcmp(node->host, host) == 0) {
            return alike(node, k->first);
        }
    }
    return false;
}

static size_t group(const host_lines *lines, const environment_facts *facts, const fit_speed *pace,
                    machine_file_class *classes) {
    size_t count = 0;
    for (size_t i = 0; i < lines->count && count < MACHINE_FILE_CLASSES_MAX; i++) {
        const environment_node *first = &lines->items[i];
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++) {
            seen = alike(&lines->items[k], first);
        }
        if (!seen) {
            classes[count] = (machine_file_class){.marked_speed = NAN};
            name_class(first, classes, count);
            classes[count].count = count_hosts(lines, first);
            classes[count].processors = first->cores;
            classes[count].marked_speed = median_speed(lines, first);
            classes[count].memory = first->memory;
            kind same = {lines, first};
            classes[count].speed_count =
                campaign_marked_speeds_find(facts, pace, is_of_kind, &same, classes[count].speeds);
            count++;
        }
    }
    return count;
}

size_t campaign_node_classes_find(const environment_facts *facts, const fit_speed *pace,
                                  machine_file_class *classes) {
    host_lines lines = {facts->nodes, facts->node_count};
    bool several = false;
    for (size_t i = 1; i < lines.count; i++) {
        several = several || strcmp(lines.items[i].host, lines.items[0].host) != 0;
    }
    return several ? group(&lines, facts, pace, classes) : 0;
}
