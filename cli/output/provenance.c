#include "provenance.h"

#include <errno.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "json_text.h"
#include "model/spec/marked_speed.h"
#include "output.h"

void cli_argument_put(const char *argument, isocast_buffer *out) {
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
        cli_argument_put(argv[i], &line);
    }
    json_t *string = line.failed ? NULL : cli_json_string(line.text);
    isocast_buffer_free(&line);
    return string;
}

/* A pipe is read once, and has no digest; nor has a file that is gone. */
static json_t *digest_of(const char *path, bool *lost) {
    struct stat file;
    char digest[SHA256_DIGEST_STRING_LENGTH];
    bool found = stat(path, &file) == 0;
    bool whole = found && S_ISREG(file.st_mode);
    *lost = (!found && errno != ENOENT) || (whole && SHA256File(path, digest) == NULL);
    if (*lost) {
        fprintf(stderr, "isocast: cannot read %s: %s\n", path, strerror(errno));
        return NULL;
    }
    return cli_json_string(whole ? digest : NULL);
}

/* Appends a file that is not there yet; nothing once one is lost. */
static void add_input(json_t **inputs, const char *path, bool *lost) {
    size_t i;
    if (*lost) {
        return;
    }
    const json_t *input;
    json_array_foreach(*inputs, i, input) {
        if (strcmp(json_string_value(json_object_get(input, "file")), path) == 0) {
            return;
        }
    }
    json_t *object = json_object();
    cli_json_set(&object, "file", cli_json_string(path));
    cli_json_set(&object, "sha256", digest_of(path, lost));
    cli_json_append(inputs, object);
}

json_t *cli_inputs(const cli_provenance *provenance) {
    const cli_call *call = provenance->call;
    json_t *inputs = json_array();
    bool lost = false;
    for (size_t i = 0; i < call->input_count && !lost; i++) {
        const cli_input *input = &call->inputs[i];
        bool is_platform = strcmp(input->what, "PLATFORM") == 0;
        char *path = NULL;
        int status = is_platform ? cli_locate_spec(CLI_SPEC_PLATFORM, input->text, &path)
                                 : cli_locate_any_spec(input->text, &path);
        lost = status != CLI_EXIT_OK;
        if (!lost && path != NULL) {
            add_input(&inputs, path, &lost);
        }
        free(path);
    }
    for (size_t i = 0; i < provenance->offers_count; i++) {
        const cli_offers *offers = &provenance->offers[i];
        for (size_t k = 0; k < offers->count; k++) {
            add_input(&inputs, offers->loaded[k].algorithm_path, &lost);
            add_input(&inputs, offers->loaded[k].machine_path, &lost);
        }
    }
    if (lost) {
        cli_output_lost();
        json_decref(inputs);
        inputs = NULL;
    }
    return inputs;
}

/* When the machine was measured: the machine file's calibration.date. */
static const char *calibration_date(const isocast_machine *machine) {
    const isocast_tree_entry *calibration = isocast_tree_find(&machine->tree->root, "calibration");
    const isocast_tree_entry *date =
        calibration == NULL ? NULL : isocast_tree_find(&calibration->value, "date");
    return date == NULL ? NULL : date->value.text;
}

ISOCAST_GIVES(const cli_provenance *, whole_of, at->result)
ISOCAST_GIVES(const cli_loaded *, loaded_of, whole_of(at)->loaded)
ISOCAST_GIVES(const isocast_machine *, machine_of, loaded_of(at)->machine)

/* The program that marked speeds are for. */
ISOCAST_GIVES(const char *, program_of, loaded_of(at)->algorithm->kernel)

static const char *version_of(const isocast_at *at) {
    (void)at;
    return ISOCAST_VERSION;
}

ISOCAST_GIVES(void *, command_of,
              cli_command_line(whole_of(at)->call->argc, whole_of(at)->call->argv))
ISOCAST_GIVES(void *, inputs_of, cli_inputs(whole_of(at)))
ISOCAST_GIVES(bool, has_held_out, loaded_of(at)->algorithm->held_out != NULL)
ISOCAST_GIVES(const void *, files_of, loaded_of(at))

#define FILE_OF(member)                                                                            \
    ISOCAST_FIELD("file", TEXT, cli_loaded, member, NULL, "the path it was read from",             \
                  .from = files_of, .known = true)
#define OF_ALGORITHM(member, ...)                                                                  \
    ISOCAST_FIELD(#member, TEXT, isocast_algorithm, member, NULL, __VA_ARGS__)
static const isocast_field algorithm_fields[] = {
    OF_ALGORITHM(name, "its name", .known = true), OF_ALGORITHM(title, "its title"),
    OF_ALGORITHM(source, "where its formulas come from"), FILE_OF(algorithm_path),
    OF_ALGORITHM(held_out,
                 "of an algorithm that was derived from records: what its formulas were off by at "
                 "records that they were not made from, or why these were not compared",
                 .known = true, .shown = has_held_out)};
static const isocast_table algorithm_table = {ISOCAST_TABLE(algorithm_fields)};
ISOCAST_OWN_ITEMS(algorithm_item, 1, loaded_of(in)->algorithm)

/* What a peak was read from; null for other marked speeds. */
ISOCAST_OWN_ITEMS(best_item, machine_of(in)->marked_speed_kind == ISOCAST_MARKED_SPEED_PEAK,
                  &machine_of(in)->best_rate)
#define BEST(name, member, unit, ...)                                                              \
    ISOCAST_FIELD(name, NUMBER, isocast_best_rate, member, unit, __VA_ARGS__)
static const isocast_field best_fields[] = {
    ISOCAST_TEXT("kernel", program_of, "the kernel in the section compute of the machine file",
                 .known = true),
    BEST("value", rate, "flop/s", "one over its least time per flop", .known = true),
    BEST("p", p, NULL, "processes on the node there; null where the time does not depend on them"),
    BEST("m", m, "B", "working set of a process there; null where the time does not depend on it")};
static const isocast_table best_table = {ISOCAST_TABLE(best_fields)};

ISOCAST_GIVES(double, speed_of, isocast_marked_speed_of(at->row, program_of(at)))
ISOCAST_GIVES(double, speed_error, isocast_marked_speed_error(at->row, program_of(at)))

static const isocast_field class_fields[] = {
    ISOCAST_FIELD("class", TEXT, isocast_node_class, name, NULL, "the node class", .known = true),
    ISOCAST_NUMBER("value", speed_of, "flop/s", "marked speed of one processor", .known = true),
    ISOCAST_NUMBER("standard_error", speed_error, "flop/s",
                   "standard error of it; null where the machine file does not say")};
static const isocast_table class_table = {ISOCAST_TABLE(class_fields)};
ISOCAST_OWN_ITEMS(class_item, machine_of(in)->class_count, &machine_of(in)->classes[i])

ISOCAST_GIVES(isocast_marked_speed_origin, origin_of,
              isocast_marked_speed_origin_of(machine_of(at), program_of(at)))

/* The program that has marked speeds of its own. */
ISOCAST_GIVES(const char *, own_program,
              origin_of(at) == ISOCAST_MARKED_SPEED_OF_PROGRAM ? program_of(at) : NULL)
ISOCAST_GIVES(bool, is_mean, origin_of(at) == ISOCAST_MARKED_SPEED_MEAN)

static const char *const kind_words[] = {[ISOCAST_MARKED_SPEED_SUSTAINED] = "sustained",
                                         [ISOCAST_MARKED_SPEED_PEAK] = "peak",
                                         [ISOCAST_MARKED_SPEED_GIVEN] = "given",
                                         NULL};

ISOCAST_GIVES(const char *, kind_of, kind_words[machine_of(at)->marked_speed_kind])

static const isocast_field speed_fields[] = {
    ISOCAST_TEXT("program", own_program,
                 "the program, an algorithm's kernel, that they are for; null where they are for "
                 "all programs, or for those without their own"),
    ISOCAST_FLAG("mean", is_mean,
                 "they are the mean of the speeds that the machine file gives for programs"),
    ISOCAST_WORD("kind", kind_of, kind_words,
                 "what --marked-speed says: the speeds of the machine file, also with values by "
                 "--set; the best rate of the kernel; a speed for all node classes"),
    ISOCAST_OBJECT("best_rate", best_item, &best_table,
                   "where the kind is peak, what the marked speed of the slowest node class was "
                   "read from; else null"),
    ISOCAST_LIST("classes", class_item, &class_table, "one for each node class")};
static const isocast_table speed_table = {ISOCAST_TABLE(speed_fields)};

ISOCAST_GIVES(const char *, benchmark_of,
              isocast_marked_speed_benchmark(machine_of(at), program_of(at)))
ISOCAST_GIVES(const char *, date_of, calibration_date(machine_of(at)))

#define OF_MACHINE(member, kind, ...)                                                              \
    ISOCAST_FIELD(#member, kind, isocast_machine, member, NULL, __VA_ARGS__)
static const isocast_field machine_fields[] = {
    OF_MACHINE(name, TEXT, "its name", .known = true),
    OF_MACHINE(source, TEXT, "where its figures come from"),
    ISOCAST_TEXT("benchmark", benchmark_of,
                 "what the marked speeds of the rows were measured with"),
    ISOCAST_OBJECT("marked_speed", NULL, &speed_table,
                   "the marked speeds that C is made of, unless runs have a column C",
                   .known = true),
    FILE_OF(machine_path),
    OF_MACHINE(calibrated, FLAG, "it was measured by isocast, and has errors and ranges"),
    OF_MACHINE(simulated, FLAG, "it was measured on a simulated platform"),
    ISOCAST_TEXT("date", date_of, "when it was measured")};
static const isocast_table machine_table = {ISOCAST_TABLE(machine_fields)};
ISOCAST_OWN_ITEMS(machine_item, machine_of(in) != NULL, machine_of(in))

/* Operations that the algorithm uses and that the machine file gives for other algorithms only:
 * the i-th of them is one of a restriction. */
static bool restriction_item(const isocast_at *in, size_t i, isocast_at *out) {
    const cli_loaded *loaded = loaded_of(in);
    size_t count = loaded->model != NULL ? loaded->machine->restriction_count : 0;
    size_t seen = 0;
    for (size_t r = 0; r < count; r++) {
        const isocast_restriction *restriction = &loaded->machine->restrictions[r];
        for (size_t k = 0; k < restriction->operation_count; k++) {
            if (isocast_model_misuses(loaded->model, r, k) && seen++ == i) {
                out->row = restriction;
                out->index = k;
                return true;
            }
        }
    }
    return false;
}

static const char *operation_of(const isocast_at *at) {
    const isocast_restriction *restriction = at->row;
    return machine_of(at)->operations[restriction->operations[at->index]].name;
}

static void *algorithms_of(const isocast_at *at) {
    const isocast_restriction *restriction = at->row;
    json_t *algorithms = json_array();
    for (size_t k = 0; k < restriction->algorithm_count; k++) {
        cli_json_append(&algorithms, cli_json_string(restriction->algorithms[k]));
    }
    return algorithms;
}

static const isocast_field restriction_fields[] = {
    ISOCAST_TEXT("operation", operation_of, "its name", .known = true),
    ISOCAST_MADE("holds_for", FOREIGN, .foreign = algorithms_of, NULL,
                 "the algorithms that it holds for",
                 .schema = "{\"type\": \"array\", \"items\": {\"type\": \"string\", "
                           "\"description\": \"name of an algorithm\"}}"),
    ISOCAST_FIELD("reason", TEXT, isocast_restriction, reason, NULL, "why it holds for no others")};
static const isocast_table restriction_table = {.meaning = "one operation",
                                                ISOCAST_TABLE(restriction_fields)};

static const char *setting_of(const isocast_at *at, size_t i, double *value) {
    return cli_setting_of(loaded_of(at), i, value);
}

static const isocast_field fields[] = {
    ISOCAST_TEXT("isocast", version_of, "version of isocast", .known = true),
    ISOCAST_MADE("command", FOREIGN, .foreign = command_of, NULL,
                 "the command line, quoted for a POSIX shell", .schema = "{\"type\": \"string\"}"),
    CLI_INPUTS(inputs_of),
    ISOCAST_OBJECT("algorithm", algorithm_item, &algorithm_table, "the algorithm file",
                   .known = true),
    ISOCAST_OBJECT("machine", machine_item, &machine_table,
                   "the machine file; null where none was needed"),
    ISOCAST_LIST(
        "restrictions", restriction_item, &restriction_table,
        "operations that the algorithm uses although the machine file gives them for other "
        "algorithms only, so that the result does not hold; empty where there are none"),
    ISOCAST_MADE("set", NAMED, .named = setting_of, "SI units",
                 "values that --set gave in place of the files'; empty where there are none",
                 .known = true)};
const isocast_table cli_provenance_table = {"provenance", "where the result comes from",
                                            ISOCAST_TABLE(fields)};

const char *cli_setting_of(const cli_loaded *loaded, size_t i, double *value) {
    if (i >= loaded->setting_count) {
        return NULL;
    }
    *value = loaded->settings[i].value;
    return loaded->settings[i].name;
}
