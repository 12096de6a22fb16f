#include "marked_speeds.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/fit/fit_summary.h"
#include "calibrate/samples/environment.h"
#include "calibrate/samples/median.h"

/* Standard error of a median over that of a mean, of normal variates: the root of pi/2. */
static const double median_error = 1.2533;

/* Which of the lines count. */
typedef struct selection {
    campaign_host_test *counts;
    const void *context;
    const fit_speed *pace; /* NULL: launches of any speed */
} selection;

static bool is_selected(const selection *s, const environment_speed *line) {
    bool paced = s->pace == NULL ||
                 (line->launch >= (long)s->pace->first && line->launch <= (long)s->pace->last);
    return paced && (s->counts == NULL || s->counts(line->host, s->context));
}

/* The speeds of a program; *last gets the last line. Gives their number. values: shape
 * [facts->speed_count], or NULL to count them. */
static size_t list_values(const environment_facts *facts, const selection *s, const char *program,
                          double *values, environment_speed *last) {
    size_t count = 0;
    for (size_t i = 0; i < facts->speed_count; i++) {
        const environment_speed *speed = &facts->speeds[i];
        if (strcmp(speed->program, program) == 0 && is_selected(s, speed)) {
            if (values != NULL) {
                values[count] = speed->value;
            }
            count++;
            *last = *speed;
        }
    }
    return count;
}

/* Adds up the squares of the deviations of ln of the values from their mean. */
static double squares_of(const double *values, size_t count) {
    double mean = 0;
    double squares = 0;
    for (size_t k = 0; k < count; k++) {
        mean += log(values[k]) / (double)count;
    }
    for (size_t k = 0; k < count; k++) {
        squares += pow(log(values[k]) - mean, 2);
    }
    return squares;
}

/* All speeds by the lines that a selection takes. */
static size_t find(const environment_facts *facts, const selection *s, double *values,
                   machine_file_speed *speeds) {
    speed_suite_member members[SPEED_SUITE_MAX];
    size_t member_count = speed_suite_list(members);
    size_t found = 0;
    double squares = 0;
    double freedom = 0;
    for (size_t i = 0; i < member_count; i++) {
        environment_speed last;
        size_t count = list_values(facts, s, members[i].name, values, &last);
        if (count == 0) {
            continue;
        }
        squares += squares_of(values, count);
        freedom += (double)count - 1;
        speeds[found++] = (machine_file_speed){.member = members[i],
                                               .value = isocast_median(values, count),
                                               .launches = count,
                                               .bytes = last.bytes};
    }
    double variance = freedom > 0 ? squares / freedom * fit_few_launches(freedom) : NAN;
    for (size_t i = 0; i < found; i++) {
        double n = (double)speeds[i].launches;
        speeds[i].error = speeds[i].value * (n > 2 ? median_error : 1) * sqrt(variance / n);
    }
    return found;
}

size_t campaign_marked_speeds_find(const environment_facts *facts, const fit_speed *pace,
                                   campaign_host_test *counts, const void *context,
                                   machine_file_speed *speeds) {
    double *values = malloc((facts->speed_count + 1) * sizeof *values);
    if (values == NULL) {
        return 0;
    }
    selection all = {.counts = counts, .context = context};
    size_t found = find(facts, &all, values, speeds);
    if (pace != NULL && pace->changed) {
        machine_file_speed steady[SPEED_SUITE_MAX];
        selection some = {.counts = counts, .context = context, .pace = pace};
        /* The programs that were measured only then have no other value. */
        if (find(facts, &some, values, steady) == found) {
            memcpy(speeds, steady, found * sizeof *speeds);
        }
    }
    free(values);
    return found;
}

static size_t count_launches(const environment_facts *facts, const char *program) {
    selection any = {0};
    environment_speed last;
    return list_values(facts, &any, program, NULL, &last);
}

/* A member, and what its place in the next launch goes by. */
typedef struct candidate {
    const char *name;
    size_t launches;
    bool preferred;
} candidate;

static bool comes_before(const candidate *a, const candidate *b) {
    return a->launches < b->launches ||
           (a->launches == b->launches && a->preferred && !b->preferred);
}

char *campaign_marked_speeds_next(const environment_facts *facts, const char *first, bool missing) {
    speed_suite_member members[SPEED_SUITE_MAX];
    candidate order[SPEED_SUITE_MAX];
    size_t count = speed_suite_list(members);
    for (size_t i = 0; i < count; i++) {
        const char *name = members[i].name;
        candidate new = {name, count_launches(facts, name),
                         first != NULL && strcmp(name, first) == 0};
        size_t at = i;
        for (; at > 0 && comes_before(&new, &order[at - 1]); at--) {
            order[at] = order[at - 1];
        }
        order[at] = new;
    }
    isocast_buffer text = {0};
    isocast_buffer_puts(&text, "");
    for (size_t i = 0; i < count; i++) {
        if (!missing || order[i].launches == 0) {
            isocast_buffer_printf(&text, "%s%s", text.length > 0 ? "," : "", order[i].name);
        }
    }
    return isocast_buffer_take(&text);
}

static bool has(const machine_file_class *class, const char *program) {
    bool found = false;
    for (size_t i = 0; i < class->speed_count && !found; i++) {
        found = strcmp(class->speeds[i].member.name, program) == 0;
    }
    return found;
}

static void drop(machine_file_class *class, const char *program) {
    size_t kept = 0;
    for (size_t i = 0; i < class->speed_count; i++) {
        if (strcmp(class->speeds[i].member.name, program) != 0) {
            class->speeds[kept++] = class->speeds[i];
        }
    }
    class->speed_count = kept;
}

static bool was_asked_for(const fit *measured, const char *program) {
    bool found = false;
    for (size_t i = 0; i < measured->operation_count && !found; i++) {
        const fit_operation *operation = &measured->operations[i];
        found = operation->is_kernel && strcmp(operation->name, program) == 0;
    }
    return found;
}

void campaign_marked_speeds_settle(machine_file_class *classes, size_t count, const fit *measured,
                                   isocast_buffer *left_out) {
    speed_suite_member members[SPEED_SUITE_MAX];
    const char *missing[SPEED_SUITE_MAX];
    size_t member_count = speed_suite_list(members);
    size_t missing_count = 0;
    for (size_t i = 0; i < member_count; i++) {
        bool everywhere = count > 0;
        for (size_t k = 0; k < count; k++) {
            everywhere = everywhere && has(&classes[k], members[i].name);
        }
        for (size_t k = 0; k < count && !everywhere; k++) {
            drop(&classes[k], members[i].name);
        }
        if (!everywhere && was_asked_for(measured, members[i].name)) {
            missing[missing_count++] = members[i].name;
        }
    }
    for (size_t i = 0; i < missing_count; i++) {
        isocast_buffer_printf(left_out, "%s%s",
                              i == 0                  ? ""
                              : i + 1 < missing_count ? ", "
                                                      : " and ",
                              missing[i]);
    }
}

/* Memory that the system reports differs a little between like nodes. */
static const double memory_alike = 0.05;

/* The first of the lines of a host in all launches; node_count: there is none. */
static size_t line_of(const environment_facts *facts, const char *host) {
    size_t i = 0;
    while (i < facts->node_count && strcmp(facts->nodes[i].host, host) != 0) {
        i++;
    }
    return i;
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

static double median_speed(const environment_facts *facts, const environment_node *first) {
    double *speeds = malloc((facts->node_count + 1) * sizeof *speeds);
    size_t count = 0;
    for (size_t i = 0; speeds != NULL && i < facts->node_count; i++) {
        if (alike(&facts->nodes[i], first) && facts->nodes[i].speed > 0) {
            speeds[count++] = facts->nodes[i].speed;
        }
    }
    double speed = count > 0 ? isocast_median(speeds, count) : NAN;
    free(speeds);
    return speed;
}

static long count_hosts(const environment_facts *facts, const environment_node *first) {
    long count = 0;
    for (size_t i = 0; i < facts->node_count; i++) {
        const environment_node *node = &facts->nodes[i];
        count += alike(node, first) && line_of(facts, node->host) == i;
    }
    return count;
}

/* The hosts that are like a given one. */
typedef struct kind {
    const environment_facts *facts;
    const environment_node *first;
} kind;

static bool is_of_kind(const char *host, const void *context) {
    const kind *k = context;
    size_t line = line_of(k->facts, host);
    return line < k->facts->node_count && alike(&k->facts->nodes[line], k->first);
}

static size_t group(const environment_facts *facts, const fit_speed *pace,
                    machine_file_class *classes) {
    size_t count = 0;
    for (size_t i = 0; i < facts->node_count && count < MACHINE_FILE_CLASSES_MAX; i++) {
        const environment_node *first = &facts->nodes[i];
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++) {
            seen = alike(&facts->nodes[k], first);
        }
        if (!seen) {
            classes[count] = (machine_file_class){.marked_speed = NAN};
            name_class(first, classes, count);
            classes[count].count = count_hosts(facts, first);
            classes[count].processors = first->cores;
            classes[count].marked_speed = median_speed(facts, first);
            classes[count].memory = first->memory;
            kind same = {facts, first};
            classes[count].speed_count =
                campaign_marked_speeds_find(facts, pace, is_of_kind, &same, classes[count].speeds);
            count++;
        }
    }
    return count;
}

size_t campaign_node_classes_find(const environment_facts *facts, const fit_speed *pace,
                                  machine_file_class *classes) {
    bool several = false;
    for (size_t i = 1; i < facts->node_count; i++) {
        several = several || strcmp(facts->nodes[i].host, facts->nodes[0].host) != 0;
    }
    return several ? group(facts, pace, classes) : 0;
}
