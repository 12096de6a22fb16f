#include "negatives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "model/base/buffer.h"
#include "model/formula/function.h"
#include "model/spec/machine_load.h"
#include "model/spec/rules.h"

static const char processes[] = "1..32+1, 36, 48, 49, 64, 96, 100, 125, 128, 216, 256, 512, 1000";
/* All sizes of the algorithm alike, which are no smaller than p. */
static const double sizes[] = {16, 64, 1000, 1e6};

/* Operations that a part of a formula calls, one line of a machine file each. */
static void put_operations(const isocast_formula_node *node, isocast_buffer *out) {
    if (node->kind == ISOCAST_FORMULA_CALL && isocast_function_find(node->name) == NULL) {
        isocast_buffer line = {0};
        isocast_buffer_printf(&line, "  %s: 1 us\n", node->name);
        bool known = line.failed || out->text == NULL || strstr(out->text, line.text) != NULL;
        isocast_buffer_puts(out, known ? "" : line.text);
        out->failed = out->failed || line.failed;
        isocast_buffer_free(&line);
    }
    for (size_t i = 0; i < node->count; i++) {
        put_operations(node->arguments[i], out);
    }
}

static void put_operations_of(const isocast_term *terms, size_t count, isocast_buffer *out) {
    for (size_t i = 0; i < count; i++) {
        put_operations(terms[i].formula->root, out);
    }
}

/* A machine that has all operations; NULL where the algorithm asks for more. */
static isocast_machine *make_machine(const isocast_algorithm *a) {
    isocast_buffer text = {0};
    isocast_buffer_puts(&text,
                        "machine: any\n"
                        "nodes: {node: {count: 1000, processors: 1, marked_speed: 1 Gflop/s}}\n"
                        "parameters: {t_c: 1 ns/flop}\n"
                        "operations:\n  T_send: 1 us\n");
    put_operations_of(a->overhead, a->overhead_count, &text);
    put_operations_of(a->definitions, a->definition_count, &text);
    put_operations_of(a->uncertain, a->uncertain_count, &text);
    put_operations_of(a->operations, a->operation_count, &text);
    if (a->compute != NULL) {
        put_operations(a->compute->root, &text);
    }
    isocast_diagnostics ignored = {0};
    isocast_machine *machine = NULL;
    if (!text.failed) {
        isocast_machine_read_text("any", text.text, text.length, &ignored, &machine);
    }
    isocast_diagnostics_clear(&ignored);
    isocast_buffer_free(&text);
    return machine;
}

static isocast_status look_at(const isocast_model *model, isocast_system *const *systems,
                              size_t count, isocast_diagnostics *diagnostics) {
    const isocast_algorithm *a = isocast_model_algorithm(model);
    double *others = malloc((a->size_count + 1) * sizeof *others);
    isocast_status status = others != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    bool found = false;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        double N = fmin(fmax(sizes[k], a->sizes[0].min), a->sizes[0].max);
        for (size_t i = 1; i < a->size_count && status == ISOCAST_OK; i++) {
            others[i - 1] = fmin(fmax(sizes[k], a->sizes[i].min), a->sizes[i].max);
        }
        for (size_t s = 0; s < count && !found && status == ISOCAST_OK; s++) {
            const isocast_rules_point point = {N, others, systems[s]->p};
            const char *broken = NULL;
            const char *of_system = NULL;
            isocast_negative negative = {.formula = NULL};
            status = isocast_rules_broken(a, true, &point, &broken);
            status =
                status == ISOCAST_OK ? isocast_rules_broken(a, false, &point, &of_system) : status;
            if (status == ISOCAST_OK && broken == NULL && of_system == NULL &&
                systems[s]->p <= sizes[k] && isocast_valid_holds(&a->sizes[0].valid, N)) {
                status = isocast_model_negative(model, systems[s], N, others, &negative);
            }
            found = negative.formula != NULL;
            if (found) {
                isocast_diagnostics_add(
                    diagnostics, ISOCAST_WARNING, negative.formula->source, negative.formula->span,
                    "predictions there do not hold; correct the formula",
                    "this is %.6g %s on %.0f process%s, at %s = %.6g", negative.value,
                    negative.is_count ? "calls" : "B", systems[s]->p, systems[s]->p > 1 ? "es" : "",
                    a->size_count > 1 ? "all sizes" : a->sizes[0].name, N);
            }
        }
    }
    free(others);
    return status;
}

isocast_status isocast_negatives_look(const isocast_algorithm *algorithm,
                                      isocast_diagnostics *diagnostics) {
    isocast_machine *machine = make_machine(algorithm);
    isocast_diagnostics ignored = {0};
    isocast_model *model = NULL;
    isocast_system **systems = NULL;
    size_t count = 0;
    isocast_status status = ISOCAST_OK;
    if (machine != NULL &&
        isocast_model_create(algorithm, machine, &ignored, &model) == ISOCAST_OK &&
        isocast_systems_parse(machine, algorithm->kernel, "p", processes, &ignored, &systems,
                              &count) == ISOCAST_OK) {
        status = look_at(model, systems, count, diagnostics);
    }
    for (size_t i = 0; i < count; i++) {
        isocast_system_free(systems[i]);
    }
    free(systems);
    isocast_model_free(model);
    isocast_machine_free(machine);
    isocast_diagnostics_clear(&ignored);
    return status;
}
