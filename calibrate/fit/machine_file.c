#include "machine_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/base/text.h"

/* A YAML scalar in double quotes, without the control characters that reading would refuse. */
static void put_text(isocast_buffer *out, const char *text, size_t length) {
    isocast_buffer clean = {0};
    isocast_text_clean(text, length, "", &clean);
    out->failed = out->failed || clean.failed;
    isocast_buffer_puts(out, "\"");
    for (size_t i = 0; i < clean.length; i++) {
        isocast_buffer_puts(out, clean.text[i] == '"' || clean.text[i] == '\\' ? "\\" : "");
        isocast_buffer_append(out, clean.text + i, 1);
    }
    isocast_buffer_puts(out, "\"");
    isocast_buffer_free(&clean);
}

/* The key of a name that somebody chose. */
static void put_key(isocast_buffer *out, const char *indent, const char *name) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    isocast_buffer_puts(out, indent);
    if (name[0] != '\0' && strspn(name, plain) == strlen(name)) {
        isocast_buffer_puts(out, name);
    } else {
        put_text(out, name, strlen(name));
    }
    isocast_buffer_puts(out, ": ");
}

static void put_entry(isocast_buffer *out, const char *indent, const char *key, const char *text) {
    put_key(out, indent, key);
    put_text(out, text, strlen(text));
    isocast_buffer_puts(out, "\n");
}

/* The nodes and systems of a platform: the speed that simulated processors have is their marked
 * speed. */
static void put_hardware(const isocast_machine *hardware, isocast_buffer *out) {
    isocast_buffer_puts(out, "nodes:\n");
    for (size_t i = 0; i < hardware->class_count; i++) {
        const isocast_node_class *class = &hardware->classes[i];
        put_key(out, "  ", class->name);
        isocast_buffer_printf(out, "{count: %.0f, processors: %.0f, marked_speed: %.9g Mflop/s",
                              class->count, class->processors, class->marked_speed * 1e-6);
        if (!isnan(class->memory)) {
            isocast_buffer_printf(out, ", memory: %.9g GB", class->memory * 1e-9);
        }
        if (!isnan(class->power)) {
            isocast_buffer_printf(out, ", power: %.9g W", class->power);
        }
        isocast_buffer_puts(out, "}\n");
    }
    for (size_t i = 0; i < hardware->system_count; i++) {
        isocast_buffer_puts(out, i == 0 ? "systems:\n" : "");
        put_entry(out, "  ", hardware->systems[i].name, hardware->systems[i].text);
    }
}

static void put_factors(const char *key, const isocast_factors *factors, isocast_buffer *out) {
    for (size_t i = 0; i < factors->count; i++) {
        if (i == 0) {
            isocast_buffer_printf(out, ", %s: {", key);
        }
        isocast_buffer_printf(out, "%s%.9g B: %.9g%s", i == 0 ? "" : ", ", factors->sizes[i],
                              factors->values[i], i + 1 == factors->count ? "}" : "");
    }
}

static void put_network(const isocast_network *network, isocast_buffer *out) {
    isocast_buffer_printf(out,
                          "  platform: {topology: %s, link_bandwidth: %.9g B/s, link_latency: %.9g "
                          "s, node_bandwidth: %.9g B/s, node_latency: %.9g s, eager_limit: %.9g "
                          "B",
                          isocast_topology_name(network->topology), network->link_bandwidth,
                          network->link_latency, network->node_bandwidth, network->node_latency,
                          network->eager_limit);
    put_factors("latency_factor", &network->latency_factor, out);
    put_factors("bandwidth_factor", &network->bandwidth_factor, out);
    isocast_buffer_puts(out, "}\n");
}

static void put_class(const machine_file *file, const machine_file_class *class,
                      isocast_buffer *out) {
    double speed = isnan(class->marked_speed) ? file->marked_speed : class->marked_speed;
    isocast_buffer_printf(out, "  %s: {count: %ld, processors: %ld, marked_speed: %.6g Mflop/s",
                          class->name, class->count, class->processors, speed * 1e-6);
    if (class->memory > 0) {
        isocast_buffer_printf(out, ", memory: %.6g GB", class->memory * 1e-9);
    }
    isocast_buffer_puts(out, "}\n");
}

static void put_head(const machine_file *file, isocast_buffer *out) {
    isocast_buffer_puts(out,
                        "# Written by isocast calibrate; every number can be changed by hand.\n");
    put_entry(out, "", "machine", file->name);
    isocast_buffer_printf(out, "source: \"%s %s with isocast %s\"\n",
                          file->platform != NULL ? "calibrated in simulation" : "calibrated",
                          file->date, file->version);
    put_entry(out, "", "benchmark", file->benchmark);
    if (file->platform != NULL) {
        put_hardware(file->platform->hardware, out);
        return;
    }
    isocast_buffer_puts(out, "nodes:\n");
    for (size_t i = 0; i < file->class_count; i++) {
        put_class(file, &file->classes[i], out);
    }
    if (file->class_count == 0) {
        machine_file_class node = {.name = "node",
                                   .count = 1,
                                   .processors = file->processors,
                                   .marked_speed = NAN,
                                   .memory = file->memory};
        put_class(file, &node, out);
    }
}

static void put_parameters(const machine_file *file, const fit *f, isocast_buffer *out) {
    isocast_buffer_puts(out, "parameters:\n");
    if (!isnan(file->t_c)) {
        isocast_buffer_printf(out, "  t_c: %.6g s/flop                 # at the benchmark\n",
                              file->t_c);
    }
    if (!isnan(file->memory_bandwidth)) {
        isocast_buffer_printf(out,
                              "  memory_bandwidth: %.6g GB/s          # triad on one process\n",
                              file->memory_bandwidth * 1e-9);
    }
    for (size_t i = 0; i < f->parameter_count; i++) {
        isocast_buffer_printf(out, "  %s: %.9g %s\n", f->parameters[i].name, f->parameters[i].value,
                              f->parameters[i].unit);
    }
}

static void put_operations(const fit *f, bool kernels, isocast_buffer *out) {
    bool headed = false;
    for (size_t i = 0; i < f->operation_count; i++) {
        const fit_operation *operation = &f->operations[i];
        if (operation->is_kernel != kernels) {
            continue;
        }
        if (!headed) {
            isocast_buffer_puts(out, kernels
                                         ? "compute:       # time per flop in p and the working "
                                           "set m of one process\n"
                                         : "operations:    # times in p and the message size m\n");
            headed = true;
        }
        isocast_buffer_printf(out, "  %s: %s\n", operation->name, operation->formula.text);
    }
}

static void put_ranges(const fit *f, isocast_buffer *out) {
    isocast_buffer_puts(out, "  ranges:\n");
    for (size_t i = 0; i < f->operation_count; i++) {
        const fit_operation *o = &f->operations[i];
        isocast_buffer_printf(out, "    %s: {p: [%.0f, %.0f], m: [%.0f B, %.0f B]}\n", o->name,
                              o->p_min, o->p_max, o->m_min, o->m_max);
    }
    isocast_buffer_puts(out, "  fit:\n");
    for (size_t i = 0; i < f->operation_count; i++) {
        const fit_operation *o = &f->operations[i];
        isocast_buffer_printf(
            out, "    %s: {points: %zu, mean_error: %.3g, max_error: %.3g, form: ", o->name,
            o->points, o->mean_error, o->max_error);
        put_text(out, o->form, strlen(o->form));
        isocast_buffer_puts(out, "}\n");
    }
}

static void put_covariance(const fit *f, isocast_buffer *out) {
    size_t n = f->parameter_count;
    isocast_buffer_puts(out, "  standard_errors:\n");
    for (size_t i = 0; i < n; i++) {
        isocast_buffer_printf(out, "    %s: %.3g %s\n", f->parameters[i].name,
                              f->parameters[i].error, f->parameters[i].unit);
    }
    isocast_buffer_puts(out, "  covariance:    # SI\n    parameters: [");
    for (size_t i = 0; i < n; i++) {
        isocast_buffer_printf(out, "%s%s", i > 0 ? ", " : "", f->parameters[i].name);
    }
    isocast_buffer_puts(out, "]\n    matrix:\n");
    for (size_t i = 0; i < n; i++) {
        isocast_buffer_puts(out, "      - [");
        for (size_t k = 0; k < n; k++) {
            isocast_buffer_printf(out, "%s%.6g", k > 0 ? ", " : "", f->covariance[i * n + k]);
        }
        isocast_buffer_puts(out, "]\n");
    }
}

static bool is_first_of_key(const char *environment, const char *line, size_t key_length) {
    const char *at = environment;
    while (at < line && strncmp(at, line, key_length) != 0) {
        at += strcspn(at, "\n") + 1;
    }
    return at == line;
}

/* "# key: value" lines as a mapping. Launches may differ in a value, such as the clock's step; the
 * samples have all, the mapping the first. */
static void put_environment(const char *environment, isocast_buffer *out) {
    isocast_buffer_puts(out, "  environment:\n");
    for (const char *line = environment; line != NULL && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        size_t key = strspn(line, "# ");
        size_t colon = key + strcspn(line + key, ":\n");
        if (colon < length && is_first_of_key(environment, line, colon + 1)) {
            size_t value = colon + 1 + strspn(line + colon + 1, " ");
            isocast_buffer_puts(out, "    ");
            put_text(out, line + key, colon - key);
            isocast_buffer_puts(out, ": ");
            put_text(out, line + value, length > value ? length - value : 0);
            isocast_buffer_puts(out, "\n");
        }
        line += length + (line[length] == '\n');
    }
}

static void put_note(isocast_buffer *out, bool *headed, const char *text) {
    isocast_buffer_puts(out, *headed ? "" : "  notes:\n");
    isocast_buffer_puts(out, "    - ");
    put_text(out, text, strlen(text));
    isocast_buffer_puts(out, "\n");
    *headed = true;
}

void machine_file_speed_note(const fit_speed *speed, char *text, size_t size) {
    snprintf(text, size,
             "the speed of the processors changed meanwhile: it was %.0f %% at the start and %.0f "
             "%% at the end of what it was in launches %u to %u, which the times per flop hold for",
             100 * speed->at_start, 100 * speed->at_end, speed->first, speed->last);
}

static void put_speed(const fit_speed *speed, isocast_buffer *out) {
    if (speed->launches > 0) {
        isocast_buffer_printf(
            out,
            "  speed: {at_start: %.3g, at_end: %.3g, slowest: %.3g, spread: %.3g, "
            "launches: [%u, %u]}    # relative to that in these launches\n",
            speed->at_start, speed->at_end, speed->slowest, speed->spread, speed->first,
            speed->last);
    }
}

static void put_notes(const machine_file *file, const fit *f, isocast_buffer *out) {
    bool headed = false;
    if (file->oversubscribed) {
        put_note(out, &headed, "oversubscribed: more processes than processors");
    }
    if (file->others > MACHINE_FILE_QUIET) {
        char text[128];
        snprintf(text, sizeof text, "other programs used %.0f %% of the processors meanwhile",
                 100 * file->others);
        put_note(out, &headed, text);
    }
    if (f->speed.changed) {
        char text[256];
        machine_file_speed_note(&f->speed, text, sizeof text);
        put_note(out, &headed, text);
    }
    bool assumed = false;
    for (size_t i = 0; i < f->operation_count; i++) {
        assumed = assumed || f->operations[i].growth_assumed;
    }
    if (assumed) {
        put_note(out, &headed,
                 "too few counts of processes were measured to learn how operations grow with p; "
                 "where fit says so it is assumed: steps of a binomial tree, or a message to each "
                 "other process");
    }
}

void machine_file_write(const machine_file *file, const fit *f, isocast_buffer *out) {
    put_head(file, out);
    put_parameters(file, f, out);
    put_operations(f, false, out);
    put_operations(f, true, out);
    isocast_buffer_printf(out, "calibration:\n  date: %s\n  isocast: %s\n", file->date,
                          file->version);
    put_entry(out, "  ", "command", file->command);
    isocast_buffer_printf(out, "  seed: %lu\n  launches: %zu\n  simulated: %s\n", file->seed,
                          f->launches, file->platform != NULL ? "true" : "false");
    if (file->platform != NULL) {
        put_network(&file->platform->network, out);
    }
    isocast_buffer_puts(out, "  clock: MPI_Wtime\n");
    put_notes(file, f, out);
    isocast_buffer_puts(out, "  samples: {file: ");
    put_text(out, file->samples_file, strlen(file->samples_file));
    isocast_buffer_printf(out, ", sha256: %s}\n", file->samples_sha256);
    isocast_buffer_printf(out,
                          "  sigma: {launch: %.3g, within: %.3g}    # sd of ln T between launches, "
                          "within one\n",
                          f->sigma_launch, f->sigma_within);
    put_speed(&f->speed, out);
    put_ranges(f, out);
    put_covariance(f, out);
    put_environment(file->environment, out);
}
