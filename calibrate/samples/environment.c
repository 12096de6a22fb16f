#include "environment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

void environment_write(const char *key, const char *value, char *line) {
    snprintf(line, ENVIRONMENT_LINE_MAX, "# %s: %s", key, value);
}

const char *environment_value(const char *line, const char *key, size_t *length) {
    size_t key_length = strlen(key);
    if (strncmp(line, "# ", 2) != 0 || strncmp(line + 2, key, key_length) != 0 ||
        line[2 + key_length] != ':') {
        return NULL;
    }
    const char *value = line + 2 + key_length + 1;
    value += *value == ' ';
    *length = strcspn(value, "\n");
    return value;
}

const char *environment_find(const char *text, const char *key, size_t *length) {
    const char *value = NULL;
    for (const char *line = text; line != NULL && *line != '\0' && value == NULL;) {
        value = environment_value(line, key, length);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return value;
}

void environment_write_share(double share, char *line) {
    snprintf(line, ENVIRONMENT_LINE_MAX, "# processor_share: %.3f", share);
}

bool environment_read_share(const char *line, double *share) {
    return sscanf(line, "# processor_share: %lf", share) == 1;
}

void environment_write_planned(double seconds, char *line) {
    snprintf(line, ENVIRONMENT_LINE_MAX, "# planned for %.3f s", seconds);
}

bool environment_read_planned(const char *line, double *seconds) {
    return sscanf(line, "# planned for %lf s", seconds) == 1;
}

void environment_write_end(const environment_end *end, char *line) {
    snprintf(line, ENVIRONMENT_LINE_MAX, "# end of launch %ld on %.0f processes after %.3f s",
             end->launch, end->processes, end->seconds);
}

static bool read_end(const char *line, environment_end *end) {
    return sscanf(line, "# end of launch %ld on %lf processes after %lf s", &end->launch,
                  &end->processes, &end->seconds) == 3;
}

void environment_write_node(const environment_node *node, char *line) {
    int used = snprintf(line, ENVIRONMENT_LINE_MAX, "# node %.120s: %s; %ld cores; %.0f B",
                        node->host, node->model, node->cores, node->memory);
    if (!isnan(node->speed)) {
        snprintf(line + used, ENVIRONMENT_LINE_MAX - (size_t)used, "; %.6g flop/s", node->speed);
    }
}

/* Copies one line, because sscanf() would look at all lines that follow it. False where the line
 * does not begin with this text, or is too long. */
static bool take_line(const char *line, const char *begin, char text[ENVIRONMENT_LINE_MAX]) {
    size_t length = strcspn(line, "\n");
    if (strncmp(line, begin, strlen(begin)) != 0 || length >= ENVIRONMENT_LINE_MAX) {
        return false;
    }
    memcpy(text, line, length);
    text[length] = '\0';
    return true;
}

static bool read_node(const char *line, environment_node *node) {
    char text[ENVIRONMENT_LINE_MAX];
    if (!take_line(line, "# node ", text)) {
        return false;
    }
    node->speed = NAN;
    int found = sscanf(text, "# node %127[^:]: %127[^;]; %ld cores; %lf B; %lf flop/s", node->host,
                       node->model, &node->cores, &node->memory, &node->speed);
    return found >= 4 && node->cores > 0;
}

void environment_write_speed(const environment_speed *speed, char *line) {
    snprintf(line, ENVIRONMENT_LINE_MAX,
             "# marked speed for %.31s on %.120s in launch %ld %.9g flop/s with %.0f B",
             speed->program, speed->host, speed->launch, speed->value, speed->bytes);
}

static bool read_speed(const char *line, environment_speed *speed) {
    char text[ENVIRONMENT_LINE_MAX];
    return take_line(line, "# marked speed for ", text) &&
           sscanf(text, "# marked speed for %31s on %127s in launch %ld %lf flop/s with %lf B",
                  speed->program, speed->host, &speed->launch, &speed->value, &speed->bytes) == 5 &&
           isfinite(speed->value) && speed->value > 0;
}

void environment_write_suite(double seconds, char *line) {
    snprintf(line, ENVIRONMENT_LINE_MAX, "# marked speeds took %.3f s", seconds);
}

bool environment_read_suite(const char *line, double *seconds) {
    return sscanf(line, "# marked speeds took %lf s", seconds) == 1;
}

static bool is_of_simgrid(const char *line) {
    static const char simgrid[] = "SMPI";
    size_t length = 0;
    const char *library = environment_value(line, ENVIRONMENT_MPI, &length);
    return library != NULL && strncmp(library, simgrid, strlen(simgrid)) == 0;
}

/* Appends an element to one of the facts' arrays. */
#define APPEND(facts, what, element)                                                               \
    ISOCAST_ARRAY_ADD((facts)->what##s, (facts)->what##_count, (facts)->what##_capacity, element)

bool environment_facts_take(environment_facts *facts, const char *line) {
    environment_node node;
    environment_speed speed;
    environment_end end;
    facts->is_simulated = facts->is_simulated || is_of_simgrid(line);
    return (!read_node(line, &node) || APPEND(facts, node, node)) &&
           (!read_speed(line, &speed) || APPEND(facts, speed, speed)) &&
           (!read_end(line, &end) || APPEND(facts, end, end));
}

void environment_facts_free(environment_facts *facts) {
    free(facts->nodes);
    free(facts->speeds);
    free(facts->ends);
    *facts = (environment_facts){0};
}
