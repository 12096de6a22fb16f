#include "algorithm_phases.h"
#include "model/base/nearest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

void isocast_algorithm_read_phases(isocast_reader *reader, const isocast_tree_node *root,
                                   isocast_algorithm *algorithm) {
    const isocast_tree_node *node = isocast_reader_find(reader, root, "phases", false, "");
    if (node == NULL || !isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, "phases")) {
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
