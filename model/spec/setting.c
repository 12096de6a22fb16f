#include "setting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "class_property.h"
#include "definition.h"
#include "machine_scope.h"
#include "model/yaml/schema.h"
#include "requirement.h"
#include "rules.h"
#include "settable.h"

/* A setting on its way; spans are those of the source, whose text is "NAME=VALUE". */
typedef struct setter {
    isocast_reader reader;
    isocast_source *source;
    isocast_algorithm *algorithm;
    isocast_machine *machine;
    const char *name;
    size_t equals; /* where "=" stands */
    isocast_setting *out;
} setter;

static isocast_span name_span(const setter *s) {
    return (isocast_span){0, s->equals};
}

static isocast_span value_span(const setter *s) {
    return (isocast_span){s->equals + 1, s->source->length};
}

static isocast_tree_node value_node(const setter *s) {
    return (isocast_tree_node){.kind = ISOCAST_TREE_SCALAR,
                               .span = value_span(s),
                               .text = s->source->text + s->equals + 1,
                               .verbatim = true};
}

/* The value, of the dimension of its place; NAN with a diagnostic. */
static double read_value(setter *s, const isocast_formula_place *place) {
    isocast_tree_node node = value_node(s);
    isocast_dimension dimension = place->dimension;
    double value = isocast_reader_number(&s->reader, &node, place, &dimension);
    s->out->value = value;
    s->out->dimension = dimension;
    return value;
}

/* Gives a name of the algorithm a number: in place of the definition of that name, or as a new one.
 */
static void define(setter *s) {
    isocast_formula *formula = NULL;
    isocast_status status = isocast_definition_put(s->algorithm, s->name, s->source->name, "0",
                                                   s->reader.diagnostics, &formula);
    if (status != ISOCAST_OK) {
        isocast_reader_fail(&s->reader);
        return;
    }
    formula->root->value = s->out->value;
    formula->root->dimension = s->out->dimension;
    formula->root->has_unit = !isocast_dimension_is_count(s->out->dimension);
}

static void set_size(setter *s, size_t index) {
    isocast_algorithm *a = s->algorithm;
    isocast_size *size = &a->sizes[index];
    if (index == 0) {
        isocast_reader_refuse(&s->reader, name_span(s), "give the size with --at, or --sizes",
                              "'%s' is the size that is looked for", s->name);
        return;
    }
    isocast_formula_place place = {.what = s->name};
    double value = read_value(s, &place);
    if (value < size->min || value > size->max) {
        isocast_reader_refuse(&s->reader, value_span(s), NULL, "%s must be at %s %g, this is %g",
                              s->name, value < size->min ? "least" : "most",
                              value < size->min ? size->min : size->max, value);
    }
    if (s->reader.status != ISOCAST_OK) {
        return;
    }
    define(s);
    free(size->name);
    free(size->description);
    a->size_count--;
    memmove(size, size + 1, (a->size_count - index) * sizeof *size);
}

/* A parameter of the algorithm becomes a definition; false where there is none of that name. */
static bool set_requirement(setter *s) {
    isocast_algorithm *a = s->algorithm;
    size_t i = a != NULL ? isocast_requirement_find(a, s->name) : 0;
    if (a == NULL || i == a->requirement_count) {
        return false;
    }
    isocast_formula_place place = {.what = s->name, .dimension = a->requirements[i].dimension};
    read_value(s, &place);
    if (s->reader.status == ISOCAST_OK) {
        define(s);
        isocast_requirement_remove(a, i);
    }
    return true;
}

/* A value given by hand is exact. */
static void forget_error(isocast_machine *machine, size_t index) {
    size_t n = machine->parameter_count;
    machine->parameters[index].standard_error = NAN;
    bool any = false;
    for (size_t k = 0; machine->covariance != NULL && k < n; k++) {
        machine->covariance[index * n + k] = 0;
        machine->covariance[k * n + index] = 0;
    }
    for (size_t k = 0; machine->covariance != NULL && k < n * n; k++) {
        any = any || machine->covariance[k] != 0;
    }
    if (!any) {
        free(machine->covariance);
        machine->covariance = NULL;
    }
}

static bool set_parameter(setter *s) {
    isocast_machine *machine = s->machine;
    size_t i = 0;
    while (machine != NULL && i < machine->parameter_count &&
           strcmp(machine->parameters[i].name, s->name) != 0) {
        i++;
    }
    if (machine == NULL || i == machine->parameter_count) {
        return false;
    }
    isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
    isocast_formula_place place = {.what = s->name,
                                   .dimension = machine->parameters[i].dimension,
                                   .also = strcmp(s->name, "t_c") == 0 ? &time : NULL};
    double value = read_value(s, &place);
    if (s->reader.status == ISOCAST_OK) {
        machine->parameters[i].value = value;
        forget_error(machine, i);
        if (s->algorithm != NULL && strcmp(s->name, "t_c") == 0) {
            s->algorithm->time_per_flop_given = true;
        }
    }
    return true;
}

static bool set_definition(setter *s) {
    const isocast_algorithm *a = s->algorithm;
    if (a == NULL || isocast_definition_find(a, s->name) == a->definition_count) {
        return false;
    }
    isocast_formula_place place = {.what = s->name, .any_dimension = true};
    read_value(s, &place);
    if (s->reader.status == ISOCAST_OK) {
        define(s);
    }
    return true;
}

/* The time per flop where the machine file has no parameter for it, but a formula or none. */
static bool set_time_per_flop(setter *s) {
    if (s->algorithm == NULL || strcmp(s->name, "t_c") != 0) {
        return false;
    }
    isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
    isocast_formula_place place = {
        .what = "t_c", .dimension = isocast_time_per_flop(), .also = &time};
    read_value(s, &place);
    if (s->reader.status == ISOCAST_OK) {
        define(s);
    }
    return true;
}

static bool set_class(setter *s) {
    isocast_class_property property;
    if (s->machine == NULL || !isocast_class_property_find(s->machine, s->name, &property)) {
        return false;
    }
    isocast_formula_place place = {.what = s->name, .dimension = property.dimension};
    double value = read_value(s, &place);
    bool may_be_0 = property.kind == ISOCAST_CLASS_PROPERTY_PRICE ||
                    property.kind == ISOCAST_CLASS_PROPERTY_POWER;
    if (s->reader.status == ISOCAST_OK &&
        (value < 0 || (value == 0 && !may_be_0) || (property.whole && value != floor(value)))) {
        isocast_reader_refuse(&s->reader, value_span(s), NULL, "%s must be %s %s 0, this is %g",
                              s->name, property.whole ? "a whole number" : "a number",
                              may_be_0 ? "of at least" : "above", value);
    } else if (property.whole && value > ISOCAST_COUNT_MAX) {
        isocast_reader_refuse(&s->reader, value_span(s), NULL, "%s must be at most %g, this is %g",
                              s->name, ISOCAST_COUNT_MAX, value);
    }
    if (s->reader.status == ISOCAST_OK) {
        isocast_class_property_put(s->machine, &property, value);
    }
    return true;
}

/* What is paid besides the nodes. */
static bool set_purchase(setter *s) {
    bool known = false;
    if (s->machine != NULL) {
        const isocast_tree_node node = value_node(s);
        s->out->value =
            isocast_purchase_set(&s->reader, s->name, &node, &s->machine->purchase, &known);
    }
    return known;
}

static void apply(setter *s) {
    for (size_t i = 0; s->algorithm != NULL && i < s->algorithm->size_count; i++) {
        if (strcmp(s->algorithm->sizes[i].name, s->name) == 0) {
            set_size(s, i);
            return;
        }
    }
    /* A parameter of both is one value. */
    bool known = set_requirement(s);
    if (s->reader.status == ISOCAST_OK) {
        known |= set_parameter(s);
    }
    /* The time per flop first: where it was set before, it is a definition, and has its unit. */
    if (!known && !set_class(s) && !set_time_per_flop(s) && !set_definition(s) &&
        !set_purchase(s)) {
        isocast_settable_refuse(&s->reader, name_span(s), s->name, "set", s->algorithm, s->machine);
    }
}

/* Rules are formulas of what was set. */
static isocast_status finish(setter *s) {
    isocast_status status = s->reader.status;
    if (status == ISOCAST_OK && s->algorithm != NULL) {
        status = isocast_rules_compile(s->algorithm, s->reader.diagnostics);
    }
    return status;
}

static bool has_parameter(const isocast_machine *machine, const char *name) {
    for (size_t i = 0; i < machine->parameter_count; i++) {
        if (strcmp(machine->parameters[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_of_algorithm(const isocast_algorithm *a, const char *name) {
    bool found = isocast_definition_find(a, name) < a->definition_count;
    for (size_t i = 0; i < a->size_count; i++) {
        found = found || strcmp(a->sizes[i].name, name) == 0;
    }
    for (size_t i = 0; i < a->requirement_count; i++) {
        found = found || strcmp(a->requirements[i].name, name) == 0;
    }
    return found;
}

isocast_setting_kind isocast_setting_kind_of(const char *name, const isocast_algorithm *algorithm,
                                             const isocast_machine *machine) {
    static const char *const amounts[] = {"base_price", "base_power", "running_cost"};
    isocast_class_property property;
    if (is_of_algorithm(algorithm, name)) {
        return ISOCAST_SETTING_ALGORITHM;
    }
    if (machine == NULL) {
        return ISOCAST_SETTING_OTHER;
    }
    if (has_parameter(machine, name)) {
        return ISOCAST_SETTING_PARAMETER;
    }
    if (isocast_class_property_find(machine, name, &property)) {
        return ISOCAST_SETTING_CLASS;
    }
    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++) {
        if (strcmp(amounts[i], name) == 0) {
            return ISOCAST_SETTING_AMOUNT;
        }
    }
    return ISOCAST_SETTING_OTHER;
}

isocast_status isocast_setting_apply(const char *label, const char *text,
                                     isocast_algorithm *algorithm, isocast_machine *machine,
                                     isocast_diagnostics *diagnostics, isocast_setting *out) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_create(label, text, strlen(text), &source);
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_setting set = {0};
    size_t equals = strcspn(text, "=");
    char *name = strndup(text, equals);
    setter s = {.reader = {source, diagnostics, ISOCAST_OK},
                .source = source,
                .algorithm = algorithm,
                .machine = machine,
                .name = name,
                .equals = equals,
                .out = &set};
    if (name == NULL) {
        status = ISOCAST_NO_MEMORY;
    } else if (equals == 0 || text[equals] == '\0' || text[equals + 1] == '\0') {
        isocast_reader_refuse(&s.reader, (isocast_span){0, source->length},
                              "write a name and a value, such as t_c=2 ns/flop",
                              "this does not set anything");
        status = finish(&s);
    } else {
        apply(&s);
        status = finish(&s);
    }
    isocast_source_free(source);
    if (status != ISOCAST_OK) {
        free(name);
    } else {
        set.name = name;
        *out = set;
    }
    return status;
}

isocast_status isocast_setting_defaults(isocast_algorithm *algorithm,
                                        bool (*keeps)(const char *name, const void *of),
                                        const void *of) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = algorithm->size_count; status == ISOCAST_OK && i-- > 1;) {
        const isocast_size *size = &algorithm->sizes[i];
        if (isnan(size->fallback) || (keeps != NULL && keeps(size->name, of))) {
            continue;
        }
        isocast_diagnostics diagnostics = {0};
        isocast_buffer text = {0};
        isocast_setting set = {0};
        isocast_buffer_printf(&text, "%s=%.17g", size->name, size->fallback);
        status = text.failed ? ISOCAST_NO_MEMORY
                             : isocast_setting_apply("default", text.text, algorithm, NULL,
                                                     &diagnostics, &set);
        isocast_diagnostics_clear(&diagnostics);
        isocast_buffer_free(&text);
        free(set.name);
    }
    return status;
}
