#include "requirement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"
#include "class_property.h"
#include "definition.h"
#include "model/base/order.h"
#include "model/base/quantity.h"
#include "rules.h"
#include "settable.h"

void isocast_requirement_remove(isocast_algorithm *algorithm, size_t index) {
    isocast_requirement *requirement = &algorithm->requirements[index];
    free(requirement->name);
    algorithm->requirement_count--;
    memmove(requirement, requirement + 1,
            (algorithm->requirement_count - index) * sizeof *requirement);
    size_t kept = 0;
    for (size_t i = 0; i < algorithm->correlation_count; i++) {
        isocast_requirement_correlation c = algorithm->correlations[i];
        if (c.first != index && c.second != index) {
            c.first -= c.first > index;
            c.second -= c.second > index;
            algorithm->correlations[kept++] = c;
        }
    }
    algorithm->correlation_count = kept;
}

static isocast_status add(isocast_algorithm *algorithm, const char *name,
                          isocast_dimension dimension, double value) {
    isocast_requirement *all =
        realloc(algorithm->requirements, (algorithm->requirement_count + 1) * sizeof *all);
    algorithm->requirements = all != NULL ? all : algorithm->requirements;
    char *copy = strdup(name);
    if (all == NULL || copy == NULL) {
        free(copy);
        return ISOCAST_NO_MEMORY;
    }
    all[algorithm->requirement_count++] = (isocast_requirement){.name = copy,
                                                                .dimension = dimension,
                                                                .fallback = value,
                                                                .error = NAN,
                                                                .max = INFINITY,
                                                                .fitted = true,
                                                                .open = true};
    return ISOCAST_OK;
}

/* Its dimension is that of its formula. */
static isocast_status open_definition(isocast_reader *reader, isocast_span span, size_t index,
                                      isocast_algorithm *algorithm) {
    isocast_binding *names = NULL;
    const isocast_formula_place place = {.what = "a definition", .any_dimension = true};
    isocast_dimension dimension = isocast_dimension_count;
    isocast_status status = isocast_binding_create(algorithm, NULL, reader->diagnostics, &names);
    if (status == ISOCAST_OK) {
        status = isocast_formula_check(algorithm->definitions[index].formula,
                                       isocast_binding_scope(names), &place, reader->diagnostics,
                                       &dimension);
    }
    isocast_binding_free(names);
    if (status == ISOCAST_OK) {
        status = add(algorithm, algorithm->definitions[index].name, dimension, NAN);
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_definition_remove(algorithm, index);
    isocast_diagnostics of_rules = {0};
    status = isocast_rules_compile(algorithm, &of_rules);
    isocast_diagnostics_clear(&of_rules);
    if (status == ISOCAST_INVALID) {
        isocast_reader_refuse(reader, span, "fit another one",
                              "a rule of '%s' looks at this definition", algorithm->name);
    }
    return status;
}

static isocast_status open_name(isocast_reader *reader, isocast_span span, const char *name,
                                isocast_algorithm *algorithm, const isocast_machine *machine) {
    size_t requirement = isocast_requirement_find(algorithm, name);
    size_t parameter = isocast_machine_parameter(machine, name);
    bool has = parameter < machine->parameter_count;
    double value = has ? machine->parameters[parameter].value : NAN;
    if (requirement < algorithm->requirement_count) {
        isocast_requirement *r = &algorithm->requirements[requirement];
        r->fallback = has && !r->fitted ? value : r->fallback;
        r->fitted = r->open = true;
        return ISOCAST_OK;
    }
    size_t definition = isocast_definition_find(algorithm, name);
    if (definition < algorithm->definition_count) {
        return open_definition(reader, span, definition, algorithm);
    }
    bool time_per_flop = strcmp(name, "t_c") == 0;
    if (has || time_per_flop) {
        algorithm->time_per_flop_given |= time_per_flop;
        return add(algorithm, name,
                   has ? machine->parameters[parameter].dimension : isocast_time_per_flop(), value);
    }
    isocast_class_property property;
    bool is_property = isocast_class_property_find(machine, name, &property);
    bool is_size = false;
    for (size_t i = 0; i < algorithm->size_count; i++) {
        is_size = is_size || strcmp(algorithm->sizes[i].name, name) == 0;
    }
    if (is_property || is_size) {
        isocast_reader_refuse(reader, span,
                              is_size ? "runs have it as a column"
                                      : "fit the time per flop, t_c, or a parameter",
                              "'%s' is a %s, not a number that T is fitted by", name,
                              is_size ? "size" : "property of a node class");
    } else {
        isocast_settable_refuse(reader, span, name, "fit", algorithm, machine);
    }
    return ISOCAST_INVALID;
}

isocast_status isocast_requirement_open(isocast_reader *reader, isocast_span span,
                                        isocast_algorithm *algorithm,
                                        const isocast_machine *machine) {
    char *name = strndup(reader->source->text + span.begin, span.end - span.begin);
    isocast_status status =
        name == NULL ? ISOCAST_NO_MEMORY : open_name(reader, span, name, algorithm, machine);
    free(name);
    return status;
}

/* Whether formulas, rules and units of the algorithm are sound without a machine. */
static isocast_status check_alone(isocast_algorithm *algorithm) {
    isocast_diagnostics ignored = {0};
    isocast_binding *names = NULL;
    isocast_status status = isocast_rules_compile(algorithm, &ignored);
    if (status == ISOCAST_OK) {
        status = isocast_binding_create(algorithm, NULL, &ignored, &names);
    }
    if (status == ISOCAST_OK) {
        status = isocast_binding_check(names, &ignored);
    }
    isocast_binding_free(names);
    isocast_diagnostics_clear(&ignored);
    return status;
}

/* Makes a parameter of the definition of an index; *index is that of the next one. */
static isocast_status vary_definition(isocast_algorithm *algorithm, size_t *index) {
    isocast_term *definition = &algorithm->definitions[*index];
    isocast_term kept = *definition;
    const isocast_formula_node *number = kept.formula->root;
    size_t behind = algorithm->definition_count - *index - 1;
    isocast_status status = add(algorithm, kept.name, number->dimension, number->value);
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_requirement *added = &algorithm->requirements[algorithm->requirement_count - 1];
    added->fitted = added->open = false;
    added->varied = true;
    memmove(definition, definition + 1, behind * sizeof *definition);
    algorithm->definition_count--;
    status = check_alone(algorithm);
    if (status == ISOCAST_OK) {
        isocast_formula_free(kept.formula);
        free(kept.name);
        return ISOCAST_OK;
    }
    memmove(definition + 1, definition, behind * sizeof *definition);
    *definition = kept;
    algorithm->definition_count++;
    isocast_requirement_remove(algorithm, algorithm->requirement_count - 1);
    (*index)++;
    return status == ISOCAST_INVALID ? check_alone(algorithm) : status;
}

isocast_status isocast_requirements_vary(isocast_algorithm *algorithm) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < algorithm->requirement_count; i++) {
        isocast_requirement *r = &algorithm->requirements[i];
        r->varied = !isnan(r->fallback) && strcmp(r->name, "t_c") != 0;
    }
    for (size_t i = 0; i < algorithm->definition_count && status == ISOCAST_OK;) {
        const isocast_term *definition = &algorithm->definitions[i];
        if (definition->formula->root->kind == ISOCAST_FORMULA_NUMBER) {
            status = vary_definition(algorithm, &i);
        } else {
            i++;
        }
    }
    return status;
}

/* Whether the machine gets it. */
static bool is_put(const isocast_requirement *r, const isocast_machine *machine) {
    bool lacks = isocast_machine_parameter(machine, r->name) == machine->parameter_count;
    return !isnan(r->fallback) && (r->fitted || ((r->error > 0 || r->varied) && lacks));
}

static void put_correlations(const isocast_algorithm *algorithm, isocast_machine *completed) {
    size_t n = completed->parameter_count;
    for (size_t k = 0; k < algorithm->correlation_count; k++) {
        const isocast_requirement_correlation *c = &algorithm->correlations[k];
        const isocast_requirement *first = &algorithm->requirements[c->first];
        const isocast_requirement *second = &algorithm->requirements[c->second];
        if (first->error > 0 && second->error > 0 && first->fitted && second->fitted) {
            size_t i = isocast_machine_parameter(completed, first->name);
            size_t j = isocast_machine_parameter(completed, second->name);
            double value = c->value * first->error * second->error;
            completed->covariance[i * n + j] = completed->covariance[j * n + i] = value;
        }
    }
}

/* The machine's own, and those of the errors that runs leave. */
static bool fill_covariance(const isocast_machine *machine, const isocast_algorithm *algorithm,
                            isocast_machine *completed) {
    size_t n = completed->parameter_count;
    completed->covariance = calloc(n * n, sizeof *completed->covariance);
    if (completed->covariance == NULL) {
        return false;
    }
    for (size_t i = 0; i < machine->parameter_count; i++) {
        for (size_t k = 0; k < machine->parameter_count; k++) {
            completed->covariance[i * n + k] = isocast_machine_covariance(machine, i, k);
        }
    }
    for (size_t k = 0; k < algorithm->requirement_count; k++) {
        const isocast_requirement *r = &algorithm->requirements[k];
        size_t at = isocast_machine_parameter(completed, r->name);
        for (size_t i = 0; i < n && is_put(r, machine); i++) {
            completed->covariance[i * n + at] = completed->covariance[at * n + i] = 0;
        }
        if (is_put(r, machine) && r->error > 0) {
            completed->covariance[at * n + at] = r->error * r->error;
        }
    }
    put_correlations(algorithm, completed);
    return true;
}

isocast_status isocast_machine_complete(const isocast_machine *machine,
                                        const isocast_algorithm *algorithm, isocast_machine **out) {
    size_t n = machine->parameter_count;
    size_t puts = 0;
    *out = NULL;
    for (size_t i = 0; i < algorithm->requirement_count; i++) {
        puts += is_put(&algorithm->requirements[i], machine);
    }
    if (puts == 0) {
        return ISOCAST_OK;
    }
    isocast_machine *completed = malloc(sizeof *completed);
    isocast_parameter *parameters = malloc((n + puts) * sizeof *parameters);
    if (completed == NULL || parameters == NULL) {
        free(completed);
        free(parameters);
        return ISOCAST_NO_MEMORY;
    }
    *completed = *machine;
    completed->parameters = parameters;
    completed->covariance = NULL;
    if (n > 0) {
        memcpy(parameters, machine->parameters, n * sizeof *parameters);
    }
    for (size_t i = 0; i < algorithm->requirement_count; i++) {
        const isocast_requirement *r = &algorithm->requirements[i];
        size_t at = isocast_machine_parameter(completed, r->name);
        if (is_put(r, machine) && at == completed->parameter_count) {
            parameters[completed->parameter_count++] =
                (isocast_parameter){r->name, r->fallback, r->error, r->dimension};
        } else if (is_put(r, machine)) {
            parameters[at].value = r->fallback;
            parameters[at].standard_error = r->error;
        }
    }
    bool correlated = machine->covariance != NULL || algorithm->correlation_count > 0;
    if (correlated && !fill_covariance(machine, algorithm, completed)) {
        isocast_machine_completed_free(completed);
        return ISOCAST_NO_MEMORY;
    }
    *out = completed;
    return ISOCAST_OK;
}

void isocast_machine_completed_free(isocast_machine *completed) {
    if (completed != NULL) {
        free(completed->parameters);
        free(completed->covariance);
        free(completed);
    }
}

void isocast_requirement_assume(isocast_requirement *requirement) {
    double min = requirement->min;
    double max = requirement->max;
    requirement->fallback = min > 0 ? sqrt(min) * sqrt(max) : max / 2;
    requirement->error = (max - min) / sqrt(12);
    requirement->assumed = true;
}

void isocast_requirements_report(const isocast_algorithm *algorithm,
                                 isocast_diagnostics *diagnostics) {
    isocast_buffer names = {0};
    isocast_buffer hint = {0};
    const isocast_requirement *first = NULL;
    for (size_t i = 0; i < algorithm->requirement_count; i++) {
        const isocast_requirement *r = &algorithm->requirements[i];
        if (r->assumed) {
            isocast_buffer_printf(&names, "%s%s", first == NULL ? "" : ", ", r->name);
            first = first == NULL ? r : first;
        }
    }
    if (first != NULL) {
        isocast_buffer_printf(&hint,
                              "fit them to runs: isocast forecast RUNS.csv --with %s MACHINE "
                              "--fitted FILE, and take FILE; or give one with --set %s=VALUE",
                              algorithm->name, first->name);
        isocast_diagnostics_rely(diagnostics, &names);
        isocast_diagnostics_rely(diagnostics, &hint);
        isocast_diagnostics_add(
            diagnostics, ISOCAST_WARNING, algorithm->tree->source, first->span, hint.text,
            "these numbers come from no run: each is the middle of its range, and "
            "intervals cover the ranges: %s",
            names.text);
    }
    isocast_buffer_free(&names);
    isocast_buffer_free(&hint);
}

/* A piece of the file's text that gets another one. */
typedef struct edit {
    size_t begin, end;
    isocast_buffer text;
} edit;

typedef struct edits {
    edit *items; /* [count] */
    size_t count;
} edits;

ISOCAST_ORDER_BY(by_place, edit, (double)x->begin)

/* Where a node ends; those in block style end with what they have. */
static size_t end_of(const char *text, const isocast_tree_node *node) {
    if (node->kind == ISOCAST_TREE_MAPPING && node->count > 0 && text[node->span.begin] != '{') {
        return end_of(text, &node->entries[node->count - 1].value);
    }
    if (node->kind == ISOCAST_TREE_SEQUENCE && node->count > 0 && text[node->span.begin] != '[') {
        return end_of(text, &node->items[node->count - 1]);
    }
    char behind = text[node->span.end];
    bool quoted = node->kind == ISOCAST_TREE_SCALAR && (behind == '"' || behind == '\'');
    return node->span.end + quoted;
}

static size_t begin_of(const char *text, const isocast_tree_node *key) {
    bool quoted = key->span.begin > 0 && strchr("\"'", text[key->span.begin - 1]) != NULL;
    return key->span.begin - quoted;
}

static void put_quantity(const char *key, double value, isocast_dimension dimension,
                         isocast_buffer *out) {
    isocast_unit_text unit = isocast_dimension_text(dimension);
    isocast_buffer_printf(out, ", %s: ", key);
    isocast_quantity_format(value, isocast_dimension_is_count(dimension) ? "" : unit.text, 6, out);
}

static void put_value(const isocast_algorithm *algorithm, size_t index, isocast_buffer *out) {
    const isocast_requirement *r = &algorithm->requirements[index];
    isocast_buffer_printf(out, "%s: {fit: true", r->name);
    if (!isocast_dimension_is_count(r->dimension)) {
        isocast_buffer_printf(out, ", unit: %s", isocast_dimension_text(r->dimension).text);
    }
    if (r->min > 0) {
        put_quantity("min", r->min, r->dimension, out);
    }
    if (isfinite(r->max)) {
        put_quantity("max", r->max, r->dimension, out);
    }
    if (!r->open) {
        put_quantity("default", r->fallback, r->dimension, out);
        if (r->error > 0 && r->fallback > 0) {
            double share = r->error / r->fallback;
            isocast_buffer_printf(out, share < 1 ? " \xC2\xB1 %.2g %%" : " \xC2\xB1 %.0f %%",
                                  100 * share);
        }
    }
    bool any = false;
    for (size_t k = 0; !r->open && k < algorithm->correlation_count; k++) {
        const isocast_requirement_correlation *c = &algorithm->correlations[k];
        if (c->second == index) {
            isocast_buffer_printf(out, "%s%s: %.3f", any ? ", " : ", correlation: {",
                                  algorithm->requirements[c->first].name, c->value);
            any = true;
        }
    }
    isocast_buffer_puts(out, any ? "}" : "");
}

/* What it said before of what it is. */
static void put_description(const char *text, const isocast_tree_node *value, isocast_buffer *out) {
    const isocast_tree_entry *entry = isocast_tree_find(value, "description");
    if (entry != NULL) {
        size_t begin = begin_of(text, &entry->value);
        isocast_buffer_puts(out, ", description: ");
        isocast_buffer_append(out, text + begin, end_of(text, &entry->value) - begin);
    }
}

/* The values, in the place of what the file has of them, or before all. */
static void edit_parameters(const isocast_algorithm *algorithm, edits *list) {
    const isocast_source *source = algorithm->tree->source;
    const char *text = source->text;
    const isocast_tree_entry *section = isocast_tree_find(&algorithm->tree->root, "parameters");
    bool has = section != NULL && section->value.kind == ISOCAST_TREE_MAPPING;
    edit *added = &list->items[list->count++];
    bool flow = has && text[section->value.span.begin] == '{';
    const isocast_tree_entry *last =
        has && section->value.count > 0 ? &section->value.entries[section->value.count - 1] : NULL;
    size_t indent = 2;
    added->begin = flow ? section->value.span.begin + 1 : source->length;
    if (last != NULL) {
        added->begin = end_of(text, &last->value);
    }
    if (last != NULL && !flow) {
        size_t key = begin_of(text, &last->key);
        indent = 0;
        while (indent < key && text[key - 1 - indent] == ' ') {
            indent++;
        }
        added->begin += strcspn(text + added->begin, "\n");
        added->begin += text[added->begin] == '\n';
    }
    bool ended = flow || added->begin == 0 || text[added->begin - 1] == '\n';
    isocast_buffer_puts(&added->text, ended ? "" : "\n");
    added->end = added->begin;
    size_t new_ones = 0;
    for (size_t i = 0; i < algorithm->requirement_count; i++) {
        const isocast_requirement *r = &algorithm->requirements[i];
        const isocast_tree_entry *entry = has ? isocast_tree_find(&section->value, r->name) : NULL;
        if (!r->fitted) {
            continue;
        }
        if (entry != NULL) {
            edit *own = &list->items[list->count++];
            own->begin = begin_of(text, &entry->key);
            own->end = end_of(text, &entry->value);
            put_value(algorithm, i, &own->text);
            put_description(text, &entry->value, &own->text);
            isocast_buffer_puts(&own->text, "}");
            continue;
        }
        isocast_buffer_puts(&added->text, !has && new_ones == 0 ? "parameters:\n" : "");
        isocast_buffer_printf(&added->text, "%*s", flow ? 0 : (int)indent, "");
        isocast_buffer_puts(&added->text, flow && (last != NULL || new_ones > 0) ? ", " : "");
        put_value(algorithm, i, &added->text);
        isocast_buffer_puts(&added->text, flow ? "}" : "}\n");
        new_ones++;
    }
}

/* Definitions that became parameters go. */
static void edit_definitions(const isocast_algorithm *algorithm, edits *list) {
    const char *text = algorithm->tree->source->text;
    const isocast_tree_entry *section = isocast_tree_find(&algorithm->tree->root, "define");
    const isocast_tree_node *all = section != NULL ? &section->value : NULL;
    size_t gone = 0;
    for (size_t i = 0; all != NULL && i < all->count; i++) {
        gone += isocast_requirement_find(algorithm, all->entries[i].key.text) <
                algorithm->requirement_count;
    }
    for (size_t i = 0; gone > 0 && i < all->count; i++) {
        const isocast_tree_entry *entry = gone == all->count ? section : &all->entries[i];
        bool flow = entry != section && text[all->span.begin] == '{';
        if (isocast_requirement_find(algorithm, all->entries[i].key.text) ==
            algorithm->requirement_count) {
            continue;
        }
        edit *own = &list->items[list->count++];
        own->begin = begin_of(text, &entry->key);
        own->end = end_of(text, &entry->value);
        if (flow && i + 1 < all->count) {
            own->end = begin_of(text, &all->entries[i + 1].key);
        } else if (flow) {
            own->begin = end_of(text, &all->entries[i - 1].value);
        } else {
            own->end += strcspn(text + own->end, "\n");
            own->end += text[own->end] == '\n';
            while (own->begin > 0 && text[own->begin - 1] == ' ') {
                own->begin--;
            }
        }
        if (entry == section) {
            return;
        }
    }
}

isocast_status isocast_algorithm_fitted_text(const isocast_algorithm *algorithm,
                                             const char *comment, isocast_buffer *out) {
    const isocast_source *source = algorithm->tree->source;
    edits list = {.items = calloc(2 * algorithm->requirement_count + 2, sizeof *list.items)};
    if (list.items == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    edit_parameters(algorithm, &list);
    edit_definitions(algorithm, &list);
    qsort(list.items, list.count, sizeof *list.items, by_place);
    isocast_buffer_printf(out, "# %s\n", comment);
    size_t at = 0;
    for (size_t i = 0; i < list.count; i++) {
        edit *own = &list.items[i];
        own->begin = own->begin > at ? own->begin : at;
        isocast_buffer_append(out, source->text + at, own->begin - at);
        isocast_buffer_append(out, own->text.text != NULL ? own->text.text : "", own->text.length);
        at = own->end > at ? own->end : at;
        out->failed = out->failed || own->text.failed;
        isocast_buffer_free(&own->text);
    }
    isocast_buffer_append(out, source->text + at, source->length - at);
    free(list.items);
    return out->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}
