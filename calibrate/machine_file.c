#include "machine_file.h"

#include <math.h>
#include <string.h>

/* A YAML scalar in double quotes. */
static void put_text(isocast_buffer *out, const char *text) {
    isocast_buffer_puts(out, "\"");
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            isocast_buffer_printf(out, "\\%c", *text);
        } else if ((unsigned char)*text < 0x20) {
            isocast_buffer_printf(out, "\\x%02X", (unsigned)*text);
        } else {
            isocast_buffer_append(out, text, 1);
        }
    }
    isocast_buffer_puts(out, "\"");
}

static void put_entry(isocast_buffer *out, const char *indent, const char *key, const char *text) {
    isocast_buffer_printf(out, "%s%s: ", indent, key);
    put_text(out, text);
    isocast_buffer_puts(out, "\n");
}

static void put_head(const machine_file *file, isocast_buffer *out) {
    isocast_buffer_puts(out,
                        "# Written by isocast calibrate; every number can be changed by hand.\n");
    put_entry(out, "", "machine", file->name);
    isocast_buffer_printf(out, "source: \"calibrated %s with isocast %s\"\n", file->date,
                          file->version);
    put_entry(out, "", "benchmark", file->benchmark);
    isocast_buffer_printf(out,
                          "nodes:\n  node: {count: 1, processors: %ld, marked_speed: %.6g Mflop/s",
                          file->processors, file->marked_speed * 1e-6);
    if (file->memory > 0) {
        isocast_buffer_printf(out, ", memory: %.6g GB", file->memory * 1e-9);
    }
    isocast_buffer_puts(out, "}\n");
}

static void put_parameters(const machine_file *file, const fit *f, isocast_buffer *out) {
    isocast_buffer_puts(out, "parameters:\n");
    if (!isnan(file->t_c)) {
        isocast_buffer_printf(out, "  t_c: %.6g s/flop                 # at the benchmark\n",
                              file->t_c);
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
        put_text(out, o->form);
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

/* "# key: value" lines as a mapping. */
static void put_environment(const char *environment, isocast_buffer *out) {
    isocast_buffer_puts(out, "  environment:\n");
    for (const char *line = environment; line != NULL && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        size_t key = strspn(line, "# ");
        size_t colon = key + strcspn(line + key, ":\n");
        if (colon < length) {
            size_t value = colon + 1 + strspn(line + colon + 1, " ");
            char text[512];
            size_t kept = length > value ? length - value : 0;
            kept = kept < sizeof text - 1 ? kept : sizeof text - 1;
            memcpy(text, line + value, kept);
            text[kept] = '\0';
            isocast_buffer_puts(out, "    ");
            isocast_buffer_append(out, line + key, colon - key);
            isocast_buffer_puts(out, ": ");
            put_text(out, text);
            isocast_buffer_puts(out, "\n");
        }
        line += length + (line[length] == '\n');
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
    isocast_buffer_printf(out, "  seed: %lu\n  launches: %zu\n  simulated: false\n", file->seed,
                          f->launches);
    isocast_buffer_puts(out, "  clock: MPI_Wtime\n");
    if (file->oversubscribed) {
        isocast_buffer_puts(out, "  notes: [oversubscribed: more processes than processors]\n");
    }
    isocast_buffer_puts(out, "  samples: {file: ");
    put_text(out, file->samples_file);
    isocast_buffer_printf(out, ", sha256: %s}\n", file->samples_sha256);
    isocast_buffer_printf(out,
                          "  sigma: {launch: %.3g, within: %.3g}    # sd of ln T between launches, "
                          "within one\n",
                          f->sigma_launch, f->sigma_within);
    put_ranges(f, out);
    put_covariance(f, out);
    put_environment(file->environment, out);
}
