/* what_if_points ALGORITHM MACHINE SYSTEM COUNT SEED: the movable program of a model as a page has
 * it, and what it comes to at random points: one line of JSON each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/output/json_text.h"
#include "cli/report/what_if.h"
#include "model/base/random_bits.h"
#include "model/formula/block.h"
#include "model/solve/model.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/machine_load.h"

static const double N_most =
    3000; /* sums of more terms may be estimates, of which nothing is asked */

static void put(json_t *value) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(17));
    puts(text);
    free(text);
    json_decref(value);
}

/* JSON has neither NaN nor infinities: as texts, which Number() reads. */
static json_t *number_of(double value) {
    return isfinite(value) ? json_real(value)
                           : json_string(isnan(value) ? "NaN"
                                         : value > 0  ? "Infinity"
                                                      : "-Infinity");
}

static json_t *numbers_of(const double *values, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(array, number_of(values[i]));
    }
    return array;
}

static double unit(uint64_t *state) {
    return isocast_random_unit(isocast_random_bits(*state += ISOCAST_RANDOM_STEP));
}

static void put_points(const isocast_program *program, const isocast_column *columns, size_t count,
                       size_t first_moved, const isocast_system *system, size_t points,
                       uint64_t seed) {
    const isocast_class_table *table = &system->table;
    double *in = calloc(count, sizeof *in);
    isocast_column *at = calloc(count, sizeof *at);
    double *out = calloc(program->output_count, sizeof *out);
    double **results = calloc(program->output_count, sizeof *results);
    for (size_t k = 0; k < points; k++) {
        for (size_t i = 0; i < count; i++) {
            double u = unit(&seed);
            in[i] = i == 0 ? exp(u * log(N_most)) : columns[i].values[0];
            in[i] = i == 0 && k % 2 == 0 ? floor(in[i]) : in[i];
            in[i] = i >= first_moved ? in[i] * pow(10, 2 * u - 1) : in[i];
            at[i] = (isocast_column){&in[i], 0};
        }
        for (size_t o = 0; o < program->output_count; o++) {
            results[o] = &out[o];
        }
        isocast_program_points wanted = {.count = 1, .inputs = at, .classes = &table};
        double error = 0;
        if (isocast_program_evaluate(program, &wanted, results, &error) != ISOCAST_OK) {
            exit(4);
        }
        json_t *line = json_object();
        json_object_set_new(line, "estimated", json_boolean(error != 0));
        json_object_set_new(line, "in", numbers_of(in, count));
        json_object_set_new(line, "out", numbers_of(out, program->output_count));
        put(line);
    }
    free(in);
    free(at);
    free(out);
    free(results);
}

/* The program with what it takes, and its results at so many random points. */
static void put_model(const isocast_model *model, const isocast_algorithm *algorithm,
                      const isocast_system *system, const isocast_program *program, char **argv) {
    static const double one = 1;
    static const double other_sizes[8] = {8, 8, 8, 8, 8, 8, 8, 8};
    size_t own = isocast_model_column_count(model);
    isocast_column *columns = calloc(own + ISOCAST_FACTORS, sizeof *columns);
    isocast_model_columns(model, system, other_sizes, NULL, columns);
    for (size_t i = 0; i < ISOCAST_FACTORS; i++) {
        columns[own + i] = (isocast_column){&one, 0};
    }
    json_t *head = json_object();
    json_t *rows = json_array();
    for (size_t i = 0; i < ISOCAST_CLASS_ROWS; i++) {
        json_array_append_new(rows, numbers_of(system->table.rows[i], system->count));
    }
    json_object_set_new(head, "program", cli_what_if_program(program));
    json_object_set_new(head, "table", rows);
    put(head);
    put_points(program, columns, own + ISOCAST_FACTORS,
               algorithm->size_count + ISOCAST_SYSTEM_COLUMNS, system, strtoul(argv[4], NULL, 10),
               strtoull(argv[5], NULL, 10));
    free(columns);
}

int main(int argc, char **argv) {
    if (argc != 6) {
        return 2;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_algorithm *algorithm = NULL;
    isocast_machine *machine = NULL;
    isocast_model *model = NULL;
    isocast_system *system = NULL;
    isocast_program *program = NULL;
    bool loaded = isocast_algorithm_load(argv[1], &diagnostics, &algorithm) == ISOCAST_OK &&
                  isocast_machine_load(argv[2], &diagnostics, &machine) == ISOCAST_OK &&
                  isocast_model_create(algorithm, machine, &diagnostics, &model) == ISOCAST_OK &&
                  isocast_system_named(machine, algorithm->kernel, "system", argv[3], &diagnostics,
                                       &system) == ISOCAST_OK &&
                  isocast_model_movable(model, &diagnostics, &program) == ISOCAST_OK;
    if (loaded) {
        put_model(model, algorithm, system, program, argv);
    }
    for (size_t i = 0; i < diagnostics.count && !loaded; i++) {
        fprintf(stderr, "%s\n", diagnostics.items[i].message);
    }
    isocast_program_free(program);
    isocast_system_free(system);
    isocast_model_free(model);
    isocast_machine_free(machine);
    isocast_algorithm_free(algorithm);
    isocast_diagnostics_clear(&diagnostics);
    return loaded ? 0 : 3;
}
