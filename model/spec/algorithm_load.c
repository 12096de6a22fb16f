#include "algorithm_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"
#include "algorithm_program.h"
#include "algorithm_recorded.h"
#include "binding.h"
#include "model/base/nearest.h"
#include "model/formula/function.h"
#include "model/yaml/schema.h"
#include "requirement.h"
#include "rules.h"
#include "uncertain.h"

static const char example[] = "such as T_distribute: [pack, distribute]";

/* Shares of one part must add up to 1 that well: 1/3 may be written as 0.333. */
static const double share_slack = 0.01;

/* A part by its name; overhead_count + 1 where there is none. */
static size_t find_part(const isocast_algorithm *algorithm, const char *name) {
    size_t part = 0;
    for (; part <= algorithm->overhead_count; part++) {
        const char *its_name = isocast_algorithm_part_name(algorithm, part);
        if (its_name != NULL && strcmp(its_name, name) == 0) {
            break;
        }
    }
    return part;
}

static void refuse_part(isocast_reader *reader, const isocast_algorithm *algorithm,
                        const isocast_tree_node *node) {
    isocast_buffer hint = {0};
    const char **names =
        isocast_reader_allocate(reader, algorithm->overhead_count + 1, sizeof(const char *));
    size_t count = 0;
    for (size_t part = 0; names != NULL && part <= algorithm->overhead_count; part++) {
        const char *name = isocast_algorithm_part_name(algorithm, part);
        if (name != NULL) {
            names[count++] = name;
        }
    }
    isocast_nearest_hint(&hint, node->text, names, count, "the terms are");
    isocast_diagnostics_rely(reader->diagnostics, &hint);
    isocast_reader_refuse(reader, node->span, hint.text, "there is no overhead term '%s'",
                          node->text);
    isocast_buffer_free(&hint);
    free(names);
}

static bool has_part(const isocast_phase *phase, size_t part) {
    for (size_t i = 0; i < phase->part_count; i++) {
        if (phase->parts[i].part == part) {
            return true;
        }
    }
    return false;
}

static void read_part(isocast_reader *reader, const isocast_algorithm *algorithm,
                      const isocast_tree_node *node, double share, isocast_phase *out) {
    if (!isocast_reader_expect(reader, node, ISOCAST_TREE_SCALAR, "a term of a phase")) {
        return;
    }
    size_t part = find_part(algorithm, node->text);
    if (part > algorithm->overhead_count) {
        refuse_part(reader, algorithm, node);
    } else if (has_part(out, part)) {
        isocast_reader_refuse(reader, node->span, "name it once", "'%s' is in this phase already",
                              node->text);
    } else {
        out->parts[out->part_count++] = (isocast_phase_part){part, share, node->span};
    }
}

/* "pack: 1/2". */
static void read_shares(isocast_reader *reader, const isocast_algorithm *algorithm,
                        const isocast_tree_node *terms, isocast_phase *out) {
    for (size_t i = 0; i < terms->count; i++) {
        isocast_formula_place place = {.what = "a share"};
        double share = isocast_reader_bounded(reader, &terms->entries[i].value, &place,
                                              (isocast_bounds){.least = 0, .above = true});
        if (!isnan(share)) {
            read_part(reader, algorithm, &terms->entries[i].key, share, out);
        }
    }
}

/* A list of terms, one alone, or terms with their shares. */
static void read_phase(isocast_reader *reader, const isocast_algorithm *algorithm,
                       const isocast_tree_entry *entry, isocast_phase *out) {
    out->column = isocast_reader_text(reader, &entry->key, "a phase");
    out->parts = isocast_reader_allocate(reader, algorithm->overhead_count + 1, sizeof *out->parts);
    const isocast_tree_node *terms = &entry->value;
    if (out->parts == NULL) {
        return;
    }
    if (terms->kind == ISOCAST_TREE_SCALAR && terms->text[0] != '\0') {
        read_part(reader, algorithm, terms, NAN, out);
    } else if (terms->count == 0) {
        isocast_reader_refuse(reader, entry->key.span, example,
                              "the phase '%s' needs a list of terms", entry->key.text);
    } else if (terms->kind == ISOCAST_TREE_MAPPING) {
        read_shares(reader, algorithm, terms, out);
    } else {
        for (size_t i = 0; i < terms->count; i++) {
            read_part(reader, algorithm, &terms->items[i], NAN, out);
        }
    }
}

/* Where a part is shared out, all of its phases say so, and the shares are all of it. */
static void check_shares(isocast_reader *reader, const isocast_algorithm *algorithm, size_t part) {
    const char *name = isocast_algorithm_part_name(algorithm, part);
    double total = 0;
    const isocast_phase_part *whole = NULL;
    const isocast_phase_part *shared = NULL;
    for (size_t i = 0; algorithm->phases != NULL && i < algorithm->phase_count; i++) {
        const isocast_phase *phase = &algorithm->phases[i];
        for (size_t k = 0; k < phase->part_count; k++) {
            const isocast_phase_part *here = &phase->parts[k];
            if (here->part == part && isnan(here->share)) {
                whole = here;
            } else if (here->part == part) {
                shared = here;
                total += here->share;
            }
        }
    }
    if (whole != NULL && shared != NULL) {
        isocast_reader_refuse(reader, whole->span, "write its share here too, such as 1/2",
                              "'%s' has a share in another phase", name);
    } else if (shared != NULL && fabs(total - 1) > share_slack) {
        isocast_reader_refuse(reader, shared->span, "over all phases they must add up to 1",
                              "the shares of '%s' add up to %g", name, total);
    }
}

/* Reads the phases where the file has them; the overhead terms are read already. */
static void read_phases(isocast_reader *reader, const isocast_tree_node *root,
                        isocast_algorithm *algorithm) {
    const isocast_tree_node *node =
        isocast_reader_section(reader, root, "phases", ISOCAST_TREE_MAPPING);
    if (node == NULL) {
        return;
    }
    algorithm->phases = isocast_reader_allocate(reader, node->count, sizeof *algorithm->phases);
    for (size_t i = 0; algorithm->phases != NULL && i < node->count; i++) {
        read_phase(reader, algorithm, &node->entries[i], &algorithm->phases[i]);
        algorithm->phase_count++;
    }
    for (size_t part = 0; part <= algorithm->overhead_count; part++) {
        check_shares(reader, algorithm, part);
    }
}

static const char *const algorithm_keys[] = {
    "algorithm", "title",      "source",   "size",        "work",      "sequential", "compute",
    "overhead",  "operations", "memory",   "concurrency", "define",    "parameters", "kernel",
    "phases",    "valid",      "recorded", "held_out",    "uncertain", "traffic",    "program"};
enum { ALGORITHM_KEYS = sizeof algorithm_keys / sizeof algorithm_keys[0] };

static bool name_is_taken(const isocast_algorithm *algorithm, const char *name) {
    for (size_t i = 0; i < algorithm->size_count; i++) {
        if (algorithm->sizes[i].name != NULL && strcmp(algorithm->sizes[i].name, name) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < algorithm->requirement_count; i++) {
        if (algorithm->requirements[i].name != NULL &&
            strcmp(algorithm->requirements[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* The name that a key gives to a size, a definition or a parameter. */
static char *read_name(isocast_reader *reader, const isocast_algorithm *algorithm,
                       const isocast_tree_node *key) {
    if (!isocast_reader_expect_name(reader, key)) {
        return NULL;
    }
    const char *reserved = isocast_name_reserved_hint(key->text);
    if (reserved != NULL || isocast_function_find(key->text) != NULL) {
        isocast_reader_refuse(reader, key->span, reserved != NULL ? reserved : "take another name",
                              "'%s' is a reserved name in formulas", key->text);
        return NULL;
    }
    if (name_is_taken(algorithm, key->text)) {
        isocast_reader_refuse(reader, key->span, "take another name",
                              "'%s' is defined already in this file", key->text);
        return NULL;
    }
    return isocast_reader_text(reader, key, "a name");
}

static bool is_prime(double number) {
    for (double divisor = 2; divisor * divisor <= number; divisor++) {
        if (fmod(number, divisor) == 0) {
            return false;
        }
    }
    return true;
}

/* Puts a factor in its place. Primes only: by them a size is distinguished in one way. */
static void read_factor(isocast_reader *reader, const isocast_tree_node *node, isocast_valid *out) {
    static const double most = 1e6;
    isocast_formula_place place = {.what = "a factor"};
    double factor =
        isocast_reader_bounded(reader, node, &place, (isocast_bounds){.least = 2, .whole = true});
    if (isnan(factor)) {
        return;
    }
    if (factor > most || !is_prime(factor)) {
        isocast_reader_refuse(reader, node->span, "write primes, such as [2, 3, 5, 7]",
                              factor > most ? "a factor is at most 1e6, this is %g"
                                            : "a factor must be a prime, and %g is not",
                              factor);
        return;
    }
    size_t at = out->factor_count;
    for (; at > 0 && out->factors[at - 1] >= factor; at--) {
        if (out->factors[at - 1] == factor) {
            isocast_reader_refuse(reader, node->span, "leave it out",
                                  "the factor %g is there twice", factor);
            return;
        }
    }
    for (size_t i = out->factor_count++; i > at; i--) {
        out->factors[i] = out->factors[i - 1];
    }
    out->factors[at] = factor;
}

/* [2, 3, 5, 7] */
static void read_factors(isocast_reader *reader, const isocast_tree_node *factors,
                         isocast_valid *out) {
    if (!isocast_reader_expect(reader, factors, ISOCAST_TREE_SEQUENCE, "factors")) {
        return;
    }
    if (factors->count == 0 || factors->count > ISOCAST_VALID_FACTORS_MAX) {
        isocast_reader_refuse(reader, factors->span, "write primes, such as [2, 3, 5, 7]",
                              "factors must be 1 to %d primes, there are %zu",
                              ISOCAST_VALID_FACTORS_MAX, factors->count);
        return;
    }
    for (size_t i = 0; i < factors->count; i++) {
        read_factor(reader, &factors->items[i], out);
    }
}

/* {multiple_of: 4, factors: [2, 3, 5, 7]} */
static void read_valid(isocast_reader *reader, const isocast_tree_node *node, isocast_valid *out) {
    static const char *const keys[] = {"multiple_of", "factors"};
    if (!isocast_reader_mapping(reader, node, "valid", keys, 2)) {
        return;
    }
    const isocast_tree_node *multiple =
        isocast_reader_find(reader, node, "multiple_of", false, "valid");
    const isocast_tree_node *factors = isocast_reader_find(reader, node, "factors", false, "valid");
    if (multiple != NULL) {
        isocast_formula_place place = {.what = "multiple_of"};
        double number = isocast_reader_bounded(reader, multiple, &place,
                                               (isocast_bounds){.least = 1, .whole = true});
        out->multiple_of = number >= 1 ? number : 0;
    }
    if (factors != NULL) {
        read_factors(reader, factors, out);
    }
    if (node->count == 0) {
        isocast_reader_refuse(reader, node->span, "write {factors: [2, 3, 5, 7]}",
                              "valid says nothing");
    }
    isocast_valid allowed = *out;
    allowed.multiple_of = 0;
    if (multiple != NULL && !isocast_valid_holds(&allowed, out->multiple_of)) {
        isocast_buffer which = {0};
        isocast_valid_describe(&allowed, &which);
        if (which.failed) {
            isocast_reader_fail(reader);
        } else {
            isocast_reader_refuse(reader, multiple->span, "add its prime factors to factors",
                                  "no multiple of %g is among the %s", out->multiple_of,
                                  which.text);
        }
        isocast_buffer_free(&which);
        out->multiple_of = 0;
    }
}

/* Bounds between which no size is valid leave nothing to predict. */
static void check_valid(isocast_reader *reader, const isocast_tree_node *node,
                        const isocast_size *size) {
    isocast_valid_pair pair = isocast_valid_nearest(&size->valid, size->min, size->min, size->max);
    if (isocast_valid_excludes(&size->valid) && size->min <= size->max && isnan(pair.above)) {
        isocast_reader_refuse(reader, node->span, "widen min and max, or add a factor",
                              "no size from %g to %g is valid", size->min, size->max);
    }
}

/* What a further size is where none is given. */
static void read_size_default(isocast_reader *reader, const isocast_algorithm *algorithm,
                              const isocast_tree_entry *entry, isocast_size *out) {
    const isocast_tree_node *node =
        isocast_reader_find(reader, &entry->value, "default", false, "");
    if (node == NULL) {
        return;
    }
    isocast_bounds positive = {.above = true};
    isocast_reader_number_at(reader, &entry->value, "default", isocast_dimension_count, positive,
                             &out->fallback);
    if (out->fallback < out->min || out->fallback > out->max) {
        isocast_reader_refuse(reader, node->span, "widen min and max, or take another default",
                              "the default is not between min (%g) and max (%g)", out->min,
                              out->max);
    } else if (algorithm->size_count == 0) {
        isocast_reader_refuse(reader, node->span, "remove it, or put another size first",
                              "the first size is the one that is looked for, and has no default");
    } else if (out->fallback > 0 && !isocast_valid_holds(&out->valid, out->fallback)) {
        isocast_reader_refuse(reader, node->span, "take a size that keeps the rules of 'valid'",
                              "the default is not a valid size");
    }
}

static void read_size(isocast_reader *reader, const isocast_algorithm *algorithm,
                      const isocast_tree_entry *entry, isocast_size *out) {
    static const char *const keys[] = {"description", "min", "max", "valid", "default"};
    out->min = 1;
    out->max = INFINITY;
    out->fallback = NAN;
    out->name = read_name(reader, algorithm, &entry->key);
    if (!isocast_reader_mapping(reader, &entry->value, "a size parameter", keys,
                                sizeof keys / sizeof keys[0])) {
        return;
    }
    const isocast_tree_node *max = isocast_reader_find(reader, &entry->value, "max", false, "");
    const isocast_tree_node *valid = isocast_reader_find(reader, &entry->value, "valid", false, "");
    isocast_bounds positive = {.above = true};
    out->description = isocast_reader_text_at(reader, &entry->value, "description");
    isocast_reader_number_at(reader, &entry->value, "min", isocast_dimension_count, positive,
                             &out->min);
    isocast_reader_number_at(reader, &entry->value, "max", isocast_dimension_count, positive,
                             &out->max);
    if (max != NULL && out->max < out->min) {
        isocast_reader_refuse(reader, max->span, NULL, "max (%g) is below min (%g)", out->max,
                              out->min);
    }
    if (valid != NULL) {
        read_valid(reader, valid, &out->valid);
        check_valid(reader, valid, out);
    }
    read_size_default(reader, algorithm, entry, out);
}

static void read_sizes(isocast_reader *reader, const isocast_tree_node *root,
                       isocast_algorithm *algorithm) {
    const isocast_tree_node *node =
        isocast_reader_find(reader, root, "size", true, "an algorithm file");
    if (node == NULL || !isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, "size")) {
        return;
    }
    if (node->count == 0) {
        isocast_reader_refuse(reader, node->span, "write size: {N: {description: ..., min: 1}}",
                              "size has no parameter");
    }
    algorithm->sizes = isocast_reader_allocate(reader, node->count, sizeof *algorithm->sizes);
    for (size_t i = 0; algorithm->sizes != NULL && i < node->count; i++) {
        read_size(reader, algorithm, &node->entries[i], &algorithm->sizes[i]);
        algorithm->size_count++;
    }
}

static bool read_flag(isocast_reader *reader, const isocast_tree_node *mapping, const char *key) {
    const isocast_tree_node *node = isocast_reader_find(reader, mapping, key, false, "");
    if (node == NULL || !isocast_reader_expect(reader, node, ISOCAST_TREE_SCALAR, key)) {
        return false;
    }
    bool set = strcmp(node->text, "true") == 0;
    if (!set && strcmp(node->text, "false") != 0) {
        isocast_reader_refuse(reader, node->span, "write true or false",
                              "'%s' must be true or false, this is '%s'", key, node->text);
    }
    return set;
}

/* {launch: -0.4}: with parameters that stand before. */
static void read_correlation(isocast_reader *reader, const isocast_tree_node *node,
                             isocast_algorithm *algorithm) {
    isocast_requirement_correlation *all = realloc(
        algorithm->correlations, (algorithm->correlation_count + node->count + 1) * sizeof *all);
    if (all == NULL) {
        isocast_reader_fail(reader);
        return;
    }
    algorithm->correlations = all;
    for (size_t i = 0; i < node->count; i++) {
        const isocast_tree_node *key = &node->entries[i].key;
        const isocast_formula_place place = {.what = "a correlation"};
        double value = isocast_reader_number(reader, &node->entries[i].value, &place, NULL);
        size_t k = 0;
        while (k < algorithm->requirement_count &&
               (algorithm->requirements[k].name == NULL ||
                strcmp(algorithm->requirements[k].name, key->text) != 0)) {
            k++;
        }
        if (k == algorithm->requirement_count) {
            isocast_reader_refuse(reader, key->span, "name a parameter that stands before this one",
                                  "no parameter '%s' stands before this one", key->text);
        } else if (fabs(value) > 1) {
            isocast_reader_refuse(reader, node->entries[i].value.span, NULL,
                                  "a correlation is from -1 to 1, this is %g", value);
        } else {
            all[algorithm->correlation_count++] =
                (isocast_requirement_correlation){k, algorithm->requirement_count, value};
        }
    }
}

/* Its unit and its default, one of which must be there but where runs say it: a factor then. */
static void read_default(isocast_reader *reader, const isocast_tree_entry *entry,
                         const isocast_tree_node *unit, const isocast_tree_node *fallback,
                         isocast_requirement *out) {
    if (unit == NULL && fallback == NULL && !out->fitted) {
        isocast_reader_refuse(reader, entry->key.span, "write {unit: s/B} or {default: 1 ns/B}",
                              "the parameter '%s' needs a unit or a default", entry->key.text);
        return;
    }
    bool time_per_flop = strcmp(entry->key.text, "t_c") == 0;
    isocast_formula_place place = {.what = "default",
                                   .any_dimension = !time_per_flop,
                                   .dimension = time_per_flop ? isocast_time_per_flop()
                                                              : isocast_dimension_count};
    out->dimension = place.dimension;
    if (unit != NULL &&
        isocast_reader_expect(reader, unit, ISOCAST_TREE_SCALAR, "the unit of a parameter")) {
        if (!isocast_unit_dimension(unit->text, &out->dimension)) {
            isocast_reader_refuse(reader, unit->span, "write units such as s, B/s or s/flop",
                                  "'%s' is not a unit", unit->text);
        }
        place = (isocast_formula_place){.what = "default", .dimension = out->dimension};
    }
    isocast_uncertain number;
    if (fallback != NULL && isocast_reader_uncertain(reader, fallback, &place, &number)) {
        out->fallback = number.value;
        out->error = number.error;
        out->dimension = unit != NULL ? out->dimension : number.dimension;
    }
}

/* Between what a fit stays. */
static void read_range(isocast_reader *reader, const isocast_tree_node *node,
                       isocast_requirement *out) {
    const isocast_tree_node *min = isocast_reader_find(reader, node, "min", false, "");
    const isocast_tree_node *max = isocast_reader_find(reader, node, "max", false, "");
    const isocast_bounds not_negative = {0};
    const isocast_bounds positive = {.above = true};
    isocast_reader_number_at(reader, node, "min", out->dimension, not_negative, &out->min);
    isocast_reader_number_at(reader, node, "max", out->dimension, positive, &out->max);
    if (!out->fitted && (min != NULL || max != NULL)) {
        isocast_reader_refuse(reader, (min != NULL ? min : max)->span,
                              "add fit: true, or remove it: a fit to runs stays in this range",
                              "'%s' has a range, and is not fitted", out->name);
    } else if (max != NULL && out->max <= out->min) {
        isocast_reader_refuse(reader, max->span, "write a larger max, or a smaller min",
                              "max is not above min");
    } else if (out->fallback < out->min || out->fallback > out->max) {
        isocast_reader_refuse(reader, isocast_tree_find(node, "default")->value.span,
                              "widen min and max, or take a default between them",
                              "the default is not between min and max");
    }
}

static void read_requirement(isocast_reader *reader, isocast_algorithm *algorithm,
                             const isocast_tree_entry *entry, isocast_requirement *out) {
    static const char *const keys[] = {"unit", "default", "description", "fit",
                                       "min",  "max",     "correlation"};
    *out = (isocast_requirement){
        .fallback = NAN, .error = NAN, .max = INFINITY, .span = entry->key.span};
    const isocast_tree_node *unit = NULL;
    const isocast_tree_node *fallback = &entry->value; /* a number alone is the default */
    const isocast_tree_node *correlation = NULL;
    if (entry->value.kind != ISOCAST_TREE_SCALAR) {
        if (!isocast_reader_mapping(reader, &entry->value, "a parameter", keys,
                                    sizeof keys / sizeof keys[0])) {
            return;
        }
        unit = isocast_reader_find(reader, &entry->value, "unit", false, "");
        fallback = isocast_reader_find(reader, &entry->value, "default", false, "");
        correlation =
            isocast_reader_section(reader, &entry->value, "correlation", ISOCAST_TREE_MAPPING);
        out->fitted = read_flag(reader, &entry->value, "fit");
    }
    /* The machine's time per flop need not be declared; that it is fitted must be. */
    bool time_per_flop = strcmp(entry->key.text, "t_c") == 0 && out->fitted;
    out->name = time_per_flop ? isocast_reader_text(reader, &entry->key, "a name")
                              : read_name(reader, algorithm, &entry->key);
    algorithm->time_per_flop_given |= time_per_flop;
    read_default(reader, entry, unit, fallback, out);
    if (entry->value.kind != ISOCAST_TREE_SCALAR) {
        read_range(reader, &entry->value, out);
    }
    out->open = out->fitted && isnan(out->fallback);
    if (out->open && isfinite(out->max)) {
        isocast_requirement_assume(out);
    }
    if (correlation != NULL) {
        read_correlation(reader, correlation, algorithm);
    }
}

static void read_requirements(isocast_reader *reader, const isocast_tree_node *root,
                              isocast_algorithm *algorithm) {
    const isocast_tree_node *node =
        isocast_reader_section(reader, root, "parameters", ISOCAST_TREE_MAPPING);
    if (node == NULL) {
        return;
    }
    algorithm->requirements =
        isocast_reader_allocate(reader, node->count, sizeof *algorithm->requirements);
    for (size_t i = 0; algorithm->requirements != NULL && i < node->count; i++) {
        read_requirement(reader, algorithm, &node->entries[i], &algorithm->requirements[i]);
        algorithm->requirement_count++;
    }
}

/* Named formulas: definitions, whose names are used in formulas, or terms of T, whose are not. */
static isocast_term *read_terms(isocast_reader *reader, const isocast_tree_node *root,
                                const char *key, const isocast_algorithm *algorithm,
                                isocast_names declared, size_t *count) {
    const isocast_tree_node *node = isocast_reader_section(reader, root, key, ISOCAST_TREE_MAPPING);
    if (node == NULL) {
        return NULL;
    }
    bool definitions = strcmp(key, "define") == 0;
    if (!definitions &&
        !isocast_reader_at_most(reader, node, ISOCAST_TERMS_MAX,
                                strcmp(key, "overhead") == 0 ? "overhead terms" : "terms")) {
        return NULL;
    }
    isocast_term *terms = isocast_reader_allocate(reader, node->count, sizeof *terms);
    for (size_t i = 0; terms != NULL && i < node->count; i++) {
        const isocast_tree_entry *entry = &node->entries[i];
        terms[i].name = definitions ? read_name(reader, algorithm, &entry->key)
                                    : isocast_reader_text(reader, &entry->key, "a term's name");
        terms[i].formula = isocast_reader_formula(reader, &entry->value, declared, entry->key.text);
        (*count)++;
    }
    return terms;
}

/* Operations that a machine may lack, from those it has. */
static isocast_term *read_operations(isocast_reader *reader, const isocast_tree_node *root,
                                     size_t *count) {
    static const char *const declared[] = {"p", "m"};
    const isocast_tree_node *node =
        isocast_reader_section(reader, root, "operations", ISOCAST_TREE_MAPPING);
    if (node == NULL) {
        return NULL;
    }
    isocast_term *terms = isocast_reader_allocate(reader, node->count, sizeof *terms);
    for (size_t i = 0; terms != NULL && i < node->count; i++) {
        const isocast_tree_entry *entry = &node->entries[i];
        terms[i].name = isocast_reader_operation_name(reader, node, i);
        terms[i].formula = isocast_reader_formula(reader, &entry->value,
                                                  (isocast_names){declared, 2}, entry->key.text);
        (*count)++;
    }
    return terms;
}

/* Names that win over units in formulas: all that the algorithm defines, and the reserved letters.
 */
static const char **declared_names(isocast_reader *reader, const isocast_tree_node *root,
                                   size_t *count) {
    static const char *const fixed[] = {"p", "m", "C", "W"};
    static const char *const sections[] = {"size", "parameters", "define"};
    enum {
        FIXED = sizeof fixed / sizeof fixed[0],
        SECTIONS = sizeof sections / sizeof sections[0]
    };
    size_t most = FIXED;
    for (size_t i = 0; i < SECTIONS; i++) {
        const isocast_tree_entry *entry = isocast_tree_find(root, sections[i]);
        most += entry != NULL ? entry->value.count : 0;
    }
    const char **names = isocast_reader_allocate(reader, most, sizeof(const char *));
    if (names == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < FIXED; i++) {
        names[(*count)++] = fixed[i];
    }
    for (size_t i = 0; i < SECTIONS; i++) {
        const isocast_tree_entry *entry = isocast_tree_find(root, sections[i]);
        bool mapping = entry != NULL && entry->value.kind == ISOCAST_TREE_MAPPING;
        for (size_t k = 0; mapping && k < entry->value.count; k++) {
            names[(*count)++] = entry->value.entries[k].key.text;
        }
    }
    return names;
}

static isocast_formula *optional_formula(isocast_reader *reader, const isocast_tree_node *root,
                                         const char *key, isocast_names declared, bool required) {
    const isocast_tree_node *node =
        isocast_reader_find(reader, root, key, required, "an algorithm file");
    return node == NULL ? NULL : isocast_reader_formula(reader, node, declared, key);
}

/* A sequential fraction that is a plain number shows whether it is a share. */
static void check_share(isocast_reader *reader, const isocast_tree_node *root,
                        const isocast_formula *formula) {
    if (formula == NULL || formula->root->kind != ISOCAST_FORMULA_NUMBER) {
        return;
    }
    double value = formula->root->value;
    if (!(value >= 0 && value <= 1)) {
        isocast_reader_refuse(reader, isocast_tree_find(root, "sequential")->value.span, NULL,
                              "sequential is a share of the work, from 0 to 1; this is %g", value);
    }
}

/* 1 or -1 where an expression has that sign whatever the sizes are; 0: not known. Sizes and
 * processes are above 0. */
static int sign_of(const isocast_algorithm *algorithm, const isocast_formula_node *node) {
    int first = node->count > 0 ? sign_of(algorithm, node->arguments[0]) : 0;
    int second = node->count > 1 ? sign_of(algorithm, node->arguments[1]) : 0;
    bool is_size = node->kind == ISOCAST_FORMULA_NAME && strcmp(node->name, "p") == 0;
    for (size_t i = 0; node->kind == ISOCAST_FORMULA_NAME && i < algorithm->size_count; i++) {
        is_size |= strcmp(node->name, algorithm->sizes[i].name) == 0;
    }
    switch (node->kind) {
    case ISOCAST_FORMULA_NUMBER:
        return (node->value > 0) - (node->value < 0);
    case ISOCAST_FORMULA_NAME:
        return is_size;
    case ISOCAST_FORMULA_NEGATE:
        return -first;
    case ISOCAST_FORMULA_ADD:
        return first == second ? first : 0;
    case ISOCAST_FORMULA_SUBTRACT:
        return first == -second ? first : 0;
    case ISOCAST_FORMULA_MULTIPLY:
    case ISOCAST_FORMULA_DIVIDE:
        return first * second;
    case ISOCAST_FORMULA_POWER:
        return first > 0;
    default:
        return 0;
    }
}

/* Bytes that are below 0 at every size; others are reported where they are predicted. */
static void check_traffic(isocast_reader *reader, const isocast_tree_node *root,
                          const isocast_algorithm *algorithm) {
    if (algorithm->traffic != NULL && sign_of(algorithm, algorithm->traffic->root) < 0) {
        isocast_reader_refuse(reader, isocast_tree_find(root, "traffic")->value.span,
                              "traffic is the bytes that go to memory and those that come from it",
                              "traffic must not be below 0");
    }
}

static bool terms_are_complete(const isocast_term *terms, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (terms[i].name == NULL || terms[i].formula == NULL) {
            return false;
        }
    }
    return true;
}

/* Whether enough could be read to check the formulas' names and units as well. */
static bool can_be_checked(const isocast_tree_node *root, const isocast_algorithm *a) {
    bool names = a->size_count > 0;
    for (size_t i = 0; i < a->size_count; i++) {
        names = names && a->sizes[i].name != NULL;
    }
    for (size_t i = 0; i < a->requirement_count; i++) {
        names = names && a->requirements[i].name != NULL;
    }
    const struct {
        const char *key;
        const isocast_formula *formula;
    } optional[] = {{"sequential", a->sequential},
                    {"compute", a->compute},
                    {"memory", a->memory},
                    {"traffic", a->traffic},
                    {"concurrency", a->concurrency}};
    for (size_t i = 0; i < sizeof optional / sizeof optional[0]; i++) {
        names = names &&
                (optional[i].formula != NULL || isocast_tree_find(root, optional[i].key) == NULL);
    }
    return names && a->work != NULL && terms_are_complete(a->definitions, a->definition_count) &&
           terms_are_complete(a->overhead, a->overhead_count) &&
           terms_are_complete(a->uncertain, a->uncertain_count) &&
           terms_are_complete(a->operations, a->operation_count);
}

static void check_formulas(isocast_reader *reader, isocast_algorithm *algorithm) {
    isocast_binding *names = NULL;
    isocast_status status = isocast_binding_create(algorithm, NULL, reader->diagnostics, &names);
    if (status == ISOCAST_OK) {
        status = isocast_binding_check(names, reader->diagnostics);
    }
    isocast_binding_free(names);
    if (status == ISOCAST_OK && algorithm->rules_are_read) {
        status = isocast_rules_compile(algorithm, reader->diagnostics);
    }
    if (status != ISOCAST_OK) {
        reader->status = status;
    }
}

static void read_algorithm(isocast_reader *reader, isocast_algorithm *algorithm) {
    const isocast_tree_node *root = &algorithm->tree->root;
    if (!isocast_reader_expect(reader, root, ISOCAST_TREE_MAPPING, "an algorithm file")) {
        return;
    }
    if (isocast_reader_refuse_kind(reader, root, "algorithm", "an algorithm file")) {
        return;
    }
    isocast_reader_known_keys(reader, root, "an algorithm file", algorithm_keys, ALGORITHM_KEYS);
    const isocast_tree_node *name =
        isocast_reader_find(reader, root, "algorithm", true, "an algorithm file");
    algorithm->name = name != NULL ? isocast_reader_text(reader, name, "algorithm") : NULL;
    algorithm->title = isocast_reader_text_at(reader, root, "title");
    algorithm->source = isocast_reader_text_at(reader, root, "source");
    algorithm->kernel = isocast_reader_text_at(reader, root, "kernel");
    read_sizes(reader, root, algorithm);
    read_requirements(reader, root, algorithm);
    isocast_names declared = {0};
    const char **names = declared_names(reader, root, &declared.count);
    if (names == NULL) {
        return;
    }
    declared.items = names;
    algorithm->work = optional_formula(reader, root, "work", declared, true);
    algorithm->sequential = optional_formula(reader, root, "sequential", declared, false);
    check_share(reader, root, algorithm->sequential);
    algorithm->compute = optional_formula(reader, root, "compute", declared, false);
    algorithm->definitions =
        read_terms(reader, root, "define", algorithm, declared, &algorithm->definition_count);
    algorithm->overhead =
        read_terms(reader, root, "overhead", algorithm, declared, &algorithm->overhead_count);
    algorithm->uncertain =
        read_terms(reader, root, "uncertain", algorithm, declared, &algorithm->uncertain_count);
    isocast_algorithm_read_program(reader, root, declared, algorithm);
    if (algorithm->program == NULL || reader->status == ISOCAST_OK) {
        read_phases(reader, root, algorithm);
    }
    isocast_algorithm_read_recorded(reader, root, algorithm);
    algorithm->operations = read_operations(reader, root, &algorithm->operation_count);
    isocast_algorithm_add_stand_ins(reader, algorithm);
    algorithm->memory = optional_formula(reader, root, "memory", declared, false);
    algorithm->traffic = optional_formula(reader, root, "traffic", declared, false);

    algorithm->concurrency = optional_formula(reader, root, "concurrency", declared, false);
    isocast_rules_read(reader, root, declared, algorithm);
    free(names);
    if (can_be_checked(root, algorithm)) {
        check_traffic(reader, root, algorithm);
        check_formulas(reader, algorithm);
    }
}

isocast_status isocast_algorithm_read(isocast_source *source, isocast_diagnostics *diagnostics,
                                      isocast_algorithm **out) {
    isocast_algorithm *algorithm = calloc(1, sizeof *algorithm);
    if (algorithm == NULL) {
        isocast_source_free(source);
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status = isocast_tree_parse(source, diagnostics, &algorithm->tree);
    if (status == ISOCAST_OK) {
        isocast_reader reader = {algorithm->tree->source, diagnostics, ISOCAST_OK};
        read_algorithm(&reader, algorithm);
        status = reader.status;
    }
    if (status != ISOCAST_OK) {
        isocast_algorithm_free(algorithm);
        return status;
    }
    *out = algorithm;
    return ISOCAST_OK;
}

isocast_status isocast_algorithm_read_text(const char *name, const char *text, size_t length,
                                           isocast_diagnostics *diagnostics,
                                           isocast_algorithm **out) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_take(name, text, length, diagnostics, &source);
    return status == ISOCAST_OK ? isocast_algorithm_read(source, diagnostics, out) : status;
}

isocast_status isocast_algorithm_load(const char *path, isocast_diagnostics *diagnostics,
                                      isocast_algorithm **out) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_read(path, diagnostics, &source);
    return status == ISOCAST_OK ? isocast_algorithm_read(source, diagnostics, out) : status;
}
