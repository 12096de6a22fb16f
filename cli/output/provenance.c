#include "provenance.h"

#include <string.h>

#include "json_text.h"
#include "model/spec/marked_speed.h"

/* As a POSIX shell reads it back. */
static void append_argument(const char *argument, isocast_buffer *out) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+=./,:@%";
    if (argument[0] != '\0' && strspn(argument, plain) == strlen(argument)) {
        isocast_buffer_puts(out, argument);
        return;
    }
    isocast_buffer_puts(out, "'");
    for (const char *c = argument; *c != '\0'; c++) {
        if (*c == '\'') {
            isocast_buffer_puts(out, "'\\''");
        } else {
            isocast_buffer_append(out, c, 1);
        }
    }
    isocast_buffer_puts(out, "'");
}

json_t *cli_command_line(int argc, char *const *argv) {
    isocast_buffer line = {0};
    isocast_buffer_puts(&line, "isocast");
    for (int i = 0; i < argc; i++) {
        isocast_buffer_puts(&line, " ");
        append_argument(argv[i], &line);
    }
    json_t *string = line.failed ? NULL : cli_json_string(line.text);
    isocast_buffer_free(&line);
    return string;
}

/* When the machine was measured: the machine file's calibration.date. */
static const char *calibration_date(const isocast_machine *machine) {
    const isocast_tree_entry *calibration = isocast_tree_find(&machine->tree->root, "calibration");
    const isocast_tree_entry *date =
        calibration == NULL ? NULL : isocast_tree_find(&calibration->value, "date");
    return date == NULL ? NULL : date->value.text;
}

static json_t *algorithm_object(const cli_loaded *loaded) {
    json_t *object =
        json_pack("{s:o, s:o, s:o, s:o}", "name", cli_json_string(loaded->algorithm->name), "title",
                  cli_json_string(loaded->algorithm->title), "source",
                  cli_json_string(loaded->algorithm->source), "file",
                  cli_json_string(loaded->algorithm_path));
    if (loaded->algorithm->held_out != NULL) {
        cli_json_set(&object, "held_out", cli_json_string(loaded->algorithm->held_out));
    }
    return object;
}

/* What a peak was read from; null for other marked speeds. */
static json_t *best_rate_object(const isocast_machine *machine, const char *program) {
    if (machine->marked_speed_kind != ISOCAST_MARKED_SPEED_PEAK) {
        return json_null();
    }
    json_t *object = json_object();
    cli_json_set(&object, "kernel", cli_json_string(program));
    cli_json_set(&object, "value", cli_json_number(machine->best_rate.rate));
    cli_json_set(&object, "p", cli_json_number(machine->best_rate.p));
    cli_json_set(&object, "m", cli_json_number(machine->best_rate.m));
    return object;
}

/* Whose marked speeds C is made of, and what they are. */
static json_t *marked_speed_object(const isocast_machine *machine, const char *program) {
    static const char *const kinds[] = {[ISOCAST_MARKED_SPEED_SUSTAINED] = "sustained",
                                        [ISOCAST_MARKED_SPEED_PEAK] = "peak",
                                        [ISOCAST_MARKED_SPEED_GIVEN] = "given"};
    isocast_marked_speed_origin origin = isocast_marked_speed_origin_of(machine, program);
    bool own = origin == ISOCAST_MARKED_SPEED_OF_PROGRAM;
    json_t *classes = json_array();
    for (size_t i = 0; i < machine->class_count; i++) {
        const isocast_node_class *class = &machine->classes[i];
        json_t *object = json_object();
        cli_json_set(&object, "class", cli_json_string(class->name));
        cli_json_set(&object, "value", cli_json_number(isocast_marked_speed_of(class, program)));
        cli_json_set(&object, "standard_error",
                     cli_json_number(isocast_marked_speed_error(class, program)));
        cli_json_append(&classes, object);
    }
    json_t *object = json_object();
    cli_json_set(&object, "program", cli_json_string(own ? program : NULL));
    cli_json_set(&object, "mean", json_boolean(origin == ISOCAST_MARKED_SPEED_MEAN));
    cli_json_set(&object, "kind", cli_json_string(kinds[machine->marked_speed_kind]));
    cli_json_set(&object, "best_rate", best_rate_object(machine, program));
    cli_json_set(&object, "classes", classes);
    return object;
}

static json_t *machine_object(const cli_loaded *loaded) {
    const isocast_machine *machine = loaded->machine;
    if (machine == NULL) {
        return json_null();
    }
    const char *program = loaded->algorithm->kernel;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o}", "name",
                     cli_json_string(machine->name), "source", cli_json_string(machine->source),
                     "benchmark", cli_json_string(isocast_marked_speed_benchmark(machine, program)),
                     "marked_speed", marked_speed_object(machine, program), "file",
                     cli_json_string(loaded->machine_path), "calibrated", machine->calibrated,
                     "simulated", machine->simulated, "date",
                     cli_json_string(calibration_date(machine)));
}

/* Operations that the algorithm uses and that the machine file gives for other algorithms only. */
static json_t *restrictions_array(const cli_loaded *loaded) {
    json_t *array = json_array();
    size_t count = loaded->model != NULL ? loaded->machine->restriction_count : 0;
    for (size_t r = 0; r < count; r++) {
        const isocast_restriction *restriction = &loaded->machine->restrictions[r];
        for (size_t i = 0; i < restriction->operation_count; i++) {
            if (!isocast_model_misuses(loaded->model, r, i)) {
                continue;
            }
            const isocast_operation *operation =
                &loaded->machine->operations[restriction->operations[i]];
            json_t *algorithms = json_array();
            for (size_t k = 0; k < restriction->algorithm_count; k++) {
                cli_json_append(&algorithms, cli_json_string(restriction->algorithms[k]));
            }
            json_t *object = json_object();
            cli_json_set(&object, "operation", cli_json_string(operation->name));
            cli_json_set(&object, "holds_for", algorithms);
            cli_json_set(&object, "reason", cli_json_string(restriction->reason));
            cli_json_append(&array, object);
        }
    }
    return array;
}

/* Values given by hand, in SI units. */
static json_t *settings_object(const cli_loaded *loaded) {
    json_t *object = json_object();
    for (size_t i = 0; i < loaded->setting_count; i++) {
        cli_json_set(&object, loaded->settings[i].name, cli_json_number(loaded->settings[i].value));
    }
    return object;
}

json_t *cli_provenance(int argc, char *const *argv, const cli_loaded *loaded) {
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "isocast", ISOCAST_VERSION, "command",
                     cli_command_line(argc, argv), "algorithm", algorithm_object(loaded), "machine",
                     machine_object(loaded), "restrictions", restrictions_array(loaded), "set",
                     settings_object(loaded));
}
