#include "machine_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "machine_origin.h"
#include "machine_text.h"
#include "model/base/quantity.h"
#include "platform_text.h"

/* A number, or one for each program. */
static void put_marked_speed(const isocast_node_class *class, isocast_buffer *out) {
    bool several = class->speed_count > 0;
    isocast_buffer_puts(out, several ? ", marked_speed: {" : ", marked_speed: ");
    if (!several || !class->is_mean) {
        isocast_buffer_printf(out, "%s%.9g Mflop/s", several ? "default: " : "",
                              class->marked_speed * 1e-6);
    }
    for (size_t i = 0; i < class->speed_count; i++) {
        isocast_buffer_puts(out, i > 0 || !class->is_mean ? ", " : "");
        machine_text_key(out, "", class->speeds[i].program);
        isocast_buffer_printf(out, "%.9g Mflop/s", class->speeds[i].value * 1e-6);
    }
    isocast_buffer_puts(out, several ? "}" : "");
}

void machine_file_put_hardware(const isocast_machine *hardware, isocast_buffer *out) {
    const char *currency = isocast_currency_name(hardware->purchase.currency);
    isocast_buffer_puts(out, "nodes:\n");
    for (size_t i = 0; i < hardware->class_count; i++) {
        const isocast_node_class *class = &hardware->classes[i];
        machine_text_key(out, "  ", class->name);
        isocast_buffer_printf(out, "{count: %.0f, processors: %.0f", class->count,
                              class->processors);
        put_marked_speed(class, out);
        const struct {
            const char *key;
            double value;
            const char *unit, *per;
        } numbers[] = {{"memory", class->memory * 1e-9, "GB", ""},
                       {"memory_bandwidth", class->memory_bandwidth * 1e-9, "GB/s", ""},
                       {"sockets", class->sockets > 1 ? class->sockets : NAN, "", ""},
                       {"cache", class->cache * 1e-6, "MB", ""},
                       {"frequency", class->frequency * 1e-9, "GHz", ""},
                       {"power", class->power, "W", ""},
                       {"price", class->price, currency, ""},
                       {"running_cost", class->running_cost, currency, "/s"}};
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
            if (!isnan(numbers[k].value)) {
                isocast_buffer_printf(out, ", %s: %.9g%s%s%s", numbers[k].key, numbers[k].value,
                                      numbers[k].unit[0] != '\0' ? " " : "", numbers[k].unit,
                                      numbers[k].per);
            }
        }
        isocast_buffer_puts(out, "}\n");
    }
    for (size_t i = 0; i < hardware->system_count; i++) {
        isocast_buffer_puts(out, i == 0 ? "systems:\n" : "");
        machine_text_entry(out, "  ", hardware->systems[i].name, hardware->systems[i].text);
    }
}

static bool counts_for_mean(const machine_file_class *class, size_t index) {
    bool any = false;
    for (size_t i = 0; i < class->speed_count; i++) {
        any = any || class->speeds[i].member.in_mean;
    }
    return !any || class->speeds[index].member.in_mean;
}

/* The mean, and its standard error where all errors are known. */
static double mean_speed(const machine_file_class *class, double *error) {
    double sum = 0;
    double variance = 0;
    double count = 0;
    for (size_t i = 0; i < class->speed_count; i++) {
        if (counts_for_mean(class, i)) {
            sum += class->speeds[i].value;
            variance += pow(class->speeds[i].error, 2);
            count++;
        }
    }
    *error = sqrt(variance) / count;
    return sum / count;
}

double machine_file_mean_speed(const machine_file_class *class) {
    double error;
    return mean_speed(class, &error);
}

/* "the mean of ge, mm and fft". */
static void put_mean(const machine_file_class *class, isocast_buffer *out) {
    size_t left = 0;
    for (size_t i = 0; i < class->speed_count; i++) {
        left += counts_for_mean(class, i);
    }
    const char *before = "the mean of ";
    for (size_t i = 0; i < class->speed_count; i++) {
        if (counts_for_mean(class, i)) {
            isocast_buffer_printf(out, "%s%s", before, class->speeds[i].member.name);
            left--;
            before = left == 1 ? " and " : ", ";
        }
    }
}

enum { SPEED_WIDTH = 13 };

static void put_speed_of(const char *program, double value, double error, isocast_buffer *out) {
    isocast_buffer key = {0};
    machine_text_key(&key, "", program);
    out->failed = out->failed || key.failed;
    isocast_buffer_printf(out, "      %-*s%.6g Mflop/s", SPEED_WIDTH,
                          key.text != NULL ? key.text : "", value * 1e-6);
    isocast_buffer_free(&key);
    if (isfinite(error)) {
        isocast_buffer_printf(out, " \xC2\xB1 %.3g %%", 100 * error / value);
    }
}

/* Kernels are measured on the node of process 0, which stands for the others where all are alike.
 */
static bool states_bandwidth(const machine_file *file) {
    return file->class_count <= 1 && file->node_bandwidth > 0;
}

/* A class whose speeds the suite states. */
static void put_suite_class(const machine_file *file, const machine_file_class *class,
                            isocast_buffer *out) {
    bool node = class->processors == 0;
    double memory = node ? file->memory : class->memory;
    double error;
    double mean = mean_speed(class, &error);
    isocast_buffer_printf(out, "  %s:\n    count: %ld\n    processors: %ld\n", class->name,
                          class->count, node ? file->processors : class->processors);
    if (memory > 0) {
        isocast_buffer_printf(out, "    memory: %.6g GB\n", memory * 1e-9);
    }
    if (states_bandwidth(file)) {
        isocast_buffer_printf(out, "    memory_bandwidth: %.6g GB/s    # triad on all processors\n",
                              file->node_bandwidth * 1e-9);
    }
    isocast_buffer_puts(out, "    marked_speed:    # of one processor; an algorithm takes that of "
                             "its kernel, else the default\n");
    put_speed_of("default", mean, error, out);
    isocast_buffer_puts(out, "    # ");
    put_mean(class, out);
    isocast_buffer_puts(out, "\n");
    for (size_t i = 0; i < class->speed_count; i++) {
        const machine_file_speed *speed = &class->speeds[i];
        put_speed_of(speed->member.name, speed->value, speed->error, out);
        isocast_buffer_puts(out, "\n");
    }
}

/* What each marked speed was measured with. */
static void put_benchmarks(const machine_file_class *class, isocast_buffer *out) {
    isocast_buffer mean = {0};
    put_mean(class, &mean);
    isocast_buffer_puts(out, "benchmark:    # of marked speeds: one process by itself on a node, "
                             "more data than its caches hold\n");
    machine_text_entry(out, "  ", "default", mean.text != NULL ? mean.text : "");
    out->failed = out->failed || mean.failed;
    isocast_buffer_free(&mean);
    for (size_t i = 0; i < class->speed_count; i++) {
        const machine_file_speed *speed = &class->speeds[i];
        char text[256];
        snprintf(text, sizeof text, "%s, %.3g MB, in %zu launch%s", speed->member.what,
                 speed->bytes * 1e-6, speed->launches, speed->launches == 1 ? "" : "es");
        machine_text_entry(out, "  ", speed->member.name, text);
    }
}

static void put_class(const machine_file *file, const machine_file_class *class,
                      isocast_buffer *out) {
    if (class->speed_count > 0) {
        put_suite_class(file, class, out);
        return;
    }
    double speed = isnan(class->marked_speed) ? file->marked_speed : class->marked_speed;
    isocast_buffer_printf(out, "  %s: {count: %ld, processors: %ld, marked_speed: %.6g Mflop/s",
                          class->name, class->count, class->processors, speed * 1e-6);
    if (class->memory > 0) {
        isocast_buffer_printf(out, ", memory: %.6g GB", class->memory * 1e-9);
    }
    if (states_bandwidth(file)) {
        isocast_buffer_printf(out, ", memory_bandwidth: %.6g GB/s", file->node_bandwidth * 1e-9);
    }
    isocast_buffer_puts(out, "}\n");
}

/* Benchmarks, nodes and systems. */
static void put_nodes(const machine_file *file, isocast_buffer *out) {
    if (file->class_count > 0 && file->classes[0].speed_count > 0) {
        put_benchmarks(&file->classes[0], out);
    } else {
        machine_text_entry(out, "", "benchmark", file->benchmark);
    }
    if (file->platform != NULL) {
        machine_file_put_hardware(file->platform->hardware, out);
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

static void put_parameters(const machine_file *file, isocast_buffer *out) {
    if (!isnan(file->t_c) || !isnan(file->memory_bandwidth)) {
        isocast_buffer_puts(out, "parameters:\n");
    }
    if (!isnan(file->t_c)) {
        bool suite = file->class_count > 0 && file->classes[0].speed_count > 0;
        isocast_buffer_printf(out, "  t_c: %.6g s/flop                 # at the %s\n", file->t_c,
                              suite ? "default marked speed" : "benchmark");
    }
    if (!isnan(file->memory_bandwidth)) {
        isocast_buffer_printf(out,
                              "  memory_bandwidth: %.6g GB/s          # triad on one process\n",
                              file->memory_bandwidth * 1e-9);
    }
}

/* Whether an operation is a table of many lines, which those of few lines come before. */
static bool is_table(const fit_operation *operation) {
    return operation->body.text != NULL && strstr(operation->body.text, "  table: {") != NULL;
}

static void put_end(const fit_operation *o, const fit_end *end, isocast_buffer *out) {
    enum { DIGITS = 3 };
    if (o->is_kernel) {
        isocast_quantity_format(1 / end->seconds, "flop/s", DIGITS, out);
        isocast_buffer_puts(out, " at ");
    } else {
        machine_text_value(out, end->seconds, "s", DIGITS, machine_text_step(end->seconds, "s"));
        if (end->m == 0) {
            return;
        }
        isocast_buffer_puts(out, " for ");
    }
    isocast_quantity_format(end->m, "B", DIGITS, out);
}

/* "  T_send:    # 278 ns for 8 B, 8.77 ms for 33.6 MB (2 processes)": what was measured at the
 * smallest and at the largest size. */
static void put_head(const fit_operation *o, isocast_buffer *out) {
    isocast_buffer_printf(out, "  %s:", o->name);
    if (o->ends[0].seconds > 0 && o->ends[1].seconds > 0) {
        isocast_buffer_puts(out, "    # ");
        put_end(o, &o->ends[0], out);
        if (o->ends[1].m > o->ends[0].m) {
            isocast_buffer_puts(out, ", ");
            put_end(o, &o->ends[1], out);
        }
        isocast_buffer_printf(out, " (%s%.0f process%s)", o->is_kernel ? "each of " : "", o->p_max,
                              o->p_max == 1 ? "" : "es");
    }
    isocast_buffer_puts(out, "\n");
}

static void put_operation(const fit_operation *o, isocast_buffer *out) {
    put_head(o, out);
    machine_text_measured(out, (const double[]){o->p_min, o->p_max},
                          (const double[]){o->m_min, o->m_max});
    isocast_buffer_printf(out, "    fit: {points: %zu, mean_error: %.3g, max_error: %.3g, ",
                          o->points, o->mean_error, o->max_error);
    if (o->misfit > 0) {
        isocast_buffer_printf(out, "misfit: %.3g, ", o->misfit);
    }
    if (o->drift > 0) {
        isocast_buffer_printf(out, "drift: %.3g, ", o->drift);
    }
    isocast_buffer_puts(out, "form: ");
    machine_text_quote(out, o->form, strlen(o->form));
    isocast_buffer_puts(out, "}\n");
    isocast_buffer_append(out, o->body.text != NULL ? o->body.text : "", o->body.length);
}

static void put_operations(const fit *f, bool kernels, isocast_buffer *out) {
    const char *head = kernels ? "compute:       # time per flop in p and the working set m of one "
                                 "process\n"
                               : "operations:    # times in p and the message size m\n";
    for (int tables = 0; tables < 2; tables++) {
        for (size_t i = 0; i < f->operation_count; i++) {
            const fit_operation *operation = &f->operations[i];
            if (operation->is_kernel == kernels && is_table(operation) == tables) {
                isocast_buffer_puts(out, head);
                put_operation(operation, out);
                head = "";
            }
        }
    }
}

static bool is_first_of_key(const char *environment, const char *line, size_t key_length) {
    const char *at = environment;
    while (at < line && strncmp(at, line, key_length) != 0) {
        at += strcspn(at, "\n") + 1;
    }
    return at == line;
}

/* Of what there are many lines: control variables of the MPI library, and where each process of
 * each launch was. They stand together under what their keys begin with. */
static const char *const group_prefixes[] = {"process ", "MPIR_CVAR_"};
enum { GROUPS = sizeof group_prefixes / sizeof group_prefixes[0] };

/* One "# key: value" line; ends are offsets from its beginning. */
typedef struct environment_line {
    const char *text;
    size_t key, colon, value, end;
} environment_line;

/* The next line that has a key, which no line before it has; false at the end. Launches may differ
 * in a value, such as the clock's step; the samples have all, the machine file the first. */
static bool next_line(const char *environment, const char **at, environment_line *out) {
    while (*at != NULL && **at != '\0') {
        const char *line = *at;
        size_t length = strcspn(line, "\n");
        size_t key = strspn(line, "# ");
        size_t colon = key + strcspn(line + key, ":\n");
        *at = line + length + (line[length] == '\n');
        if (colon < length && is_first_of_key(environment, line, colon + 1)) {
            size_t value = colon + 1 + strspn(line + colon + 1, " ");
            *out = (environment_line){line, key, colon, value < length ? value : length, length};
            return true;
        }
    }
    return false;
}

/* The number of the group that a line is of; GROUPS where it is of none. */
static size_t group_of(const environment_line *line) {
    size_t group = 0;
    while (group < GROUPS && strncmp(line->text + line->key, group_prefixes[group],
                                     strlen(group_prefixes[group])) != 0) {
        group++;
    }
    return group;
}

/* Where the same stands elsewhere in the file. */
static bool is_reported(const environment_line *line) {
    static const char *const keys[] = {"isocast", "date", "command", "seed"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (line->colon - line->key == strlen(keys[i]) &&
            strncmp(line->text + line->key, keys[i], strlen(keys[i])) == 0) {
            return true;
        }
    }
    return false;
}

static void put_group(const char *environment, size_t group, isocast_buffer *out) {
    environment_line line;
    size_t prefix = strlen(group_prefixes[group]);
    isocast_buffer_printf(out, "    %s*: ", group_prefixes[group]);
    machine_flow flow = machine_flow_begin(out, '{', 6);
    for (const char *at = environment; next_line(environment, &at, &line);) {
        if (group_of(&line) == group) {
            size_t key = line.key + prefix;
            machine_text_quote(&flow.item, line.text + key, line.colon - key);
            isocast_buffer_puts(&flow.item, ": ");
            machine_text_quote(&flow.item, line.text + line.value, line.end - line.value);
            machine_flow_next(&flow);
        }
    }
    machine_flow_end(&flow);
    isocast_buffer_puts(out, "\n");
}

static void put_environment(const char *environment, isocast_buffer *out) {
    environment_line line;
    bool has_lines[GROUPS + 1] = {false};
    isocast_buffer_puts(out, "  environment:\n");
    for (const char *at = environment; next_line(environment, &at, &line);) {
        size_t group = group_of(&line);
        has_lines[group] = true;
        if (group == GROUPS && !is_reported(&line)) {
            isocast_buffer_puts(out, "    ");
            machine_text_quote(out, line.text + line.key, line.colon - line.key);
            isocast_buffer_puts(out, ": ");
            machine_text_quote(out, line.text + line.value, line.end - line.value);
            isocast_buffer_puts(out, "\n");
        }
    }
    for (size_t group = 0; group < GROUPS; group++) {
        if (has_lines[group]) {
            put_group(environment, group, out);
        }
    }
}

static void put_note(isocast_buffer *out, bool *headed, const char *text) {
    isocast_buffer_puts(out, *headed ? "" : "  notes:\n");
    isocast_buffer_puts(out, "    - ");
    machine_text_quote(out, text, strlen(text));
    isocast_buffer_puts(out, "\n");
    *headed = true;
}

void machine_file_speed_note(const fit_speed *speed, char *text, size_t size) {
    snprintf(text, size,
             "the speed of the processors changed meanwhile: it was %.0f %% at the start and %.0f "
             "%% at the end of what it was in launches %u to %u, which the times per flop hold for",
             100 * speed->at_start, 100 * speed->at_end, speed->first, speed->last);
}

void machine_file_states_note(const fit_states *states, char *text, size_t size) {
    snprintf(
        text, size,
        "in %zu of %zu launches short messages took %.1f times as long: the machine was in another "
        "state, such as a virtual one whose processors are moved. The file has the times of "
        "the other launches",
        states->slow, states->launches, states->ratio);
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
    if (file->states.slow > 0) {
        char text[256];
        machine_file_states_note(&file->states, text, sizeof text);
        put_note(out, &headed, text);
    }
    if (file->left_out != NULL) {
        isocast_buffer text = {0};
        isocast_buffer_printf(&text, "there was no time to measure the marked speed for %s",
                              file->left_out);
        put_note(out, &headed, text.text != NULL ? text.text : "");
        isocast_buffer_free(&text);
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
    machine_origin origin = {.subcommand = "calibrate",
                             .verb =
                                 file->platform != NULL ? "calibrated in simulation" : "calibrated",
                             .name = file->name,
                             .date = file->date,
                             .version = file->version,
                             .command = file->command,
                             .seed = file->seed,
                             .launches = f->launches};
    machine_origin_put_head(&origin, out);
    put_nodes(file, out);
    put_parameters(file, out);
    put_operations(f, false, out);
    put_operations(f, true, out);
    if (file->platform != NULL) {
        platform_text_put_section(file->platform, "compute", out);
    }
    machine_origin_put_calibration(&origin, out);
    isocast_buffer_printf(out, "  simulated: %s\n", file->platform != NULL ? "true" : "false");
    if (file->platform != NULL) {
        isocast_buffer_puts(out, "  platform: {");
        platform_text_put_network(&file->platform->network, ", ", out);
        isocast_buffer_puts(out, "}\n");
    }
    isocast_buffer_puts(out, "  clock: MPI_Wtime\n");
    put_notes(file, f, out);
    isocast_buffer_puts(out, "  samples: {file: ");
    machine_text_quote(out, file->samples_file, strlen(file->samples_file));
    isocast_buffer_printf(out, ", sha256: %s}\n", file->samples_sha256);
    machine_origin_put_sigma(f->sigma_launch, f->sigma_within, out);
    put_speed(&f->speed, out);
    put_environment(file->environment, out);
}
