#include "algorithm_recorded.h"

#include <math.h>
#include <string.h>

static const char speed_key[] = "marked_speed";
static const char unknown[] = "unknown";

/* [1, 2, 4] */
static isocast_recorded_range read_range(isocast_reader *reader, const isocast_tree_entry *entry) {
    isocast_recorded_range range = {INFINITY, -INFINITY};
    if (!isocast_reader_expect(reader, &entry->value, ISOCAST_TREE_SEQUENCE, entry->key.text)) {
        return range;
    }
    for (size_t i = 0; i < entry->value.count; i++) {
        isocast_formula_place place = {.what = entry->key.text};
        double value = isocast_reader_number(reader, &entry->value.items[i], &place, NULL);
        range.least = fmin(range.least, value);
        range.most = fmax(range.most, value);
    }
    return range;
}

static void read_recorded(isocast_reader *reader, const isocast_tree_node *node,
                          isocast_algorithm *algorithm) {
    if (!isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, "recorded")) {
        return;
    }
    algorithm->recorded_speed = NAN;
    for (size_t i = 0; i < node->count; i++) {
        const isocast_tree_entry *entry = &node->entries[i];
        bool known = false;
        if (strcmp(entry->key.text, "p") == 0) {
            algorithm->recorded_p = read_range(reader, entry);
            known = true;
        } else if (strcmp(entry->key.text, speed_key) == 0) {
            isocast_formula_place place = {
                .what = speed_key,
                .dimension = isocast_dimension_divide(isocast_dimension_of(ISOCAST_BASE_FLOP),
                                                      isocast_dimension_of(ISOCAST_BASE_TIME))};
            bool reported =
                entry->value.kind != ISOCAST_TREE_SCALAR || strcmp(entry->value.text, unknown) != 0;
            algorithm->recorded_speed =
                reported ? isocast_reader_bounded(reader, &entry->value, &place,
                                                  (isocast_bounds){.least = 0, .above = true})
                         : NAN;
            known = true;
        }
        for (size_t s = 0; s < algorithm->size_count && !known; s++) {
            isocast_size *size = &algorithm->sizes[s];
            if (size->name != NULL && strcmp(size->name, entry->key.text) == 0) {
                size->recorded = read_range(reader, entry);
                known = true;
            }
        }
        if (!known) {
            isocast_reader_refuse(reader, entry->key.span,
                                  "write p, the name of a size, or marked_speed",
                                  "'%s' is nothing that was recorded", entry->key.text);
        }
    }
}

static const char *text_of(const isocast_tree_node *mapping, const char *key) {
    const isocast_tree_entry *entry = isocast_tree_find(mapping, key);
    bool scalar = entry != NULL && entry->value.kind == ISOCAST_TREE_SCALAR;
    return scalar ? entry->value.text : NULL;
}

/* {p: 16, N: 2000, error: -3.1 %}, or why there is none. */
static void read_part(isocast_reader *reader, const isocast_tree_entry *entry,
                      const isocast_algorithm *algorithm, isocast_buffer *out) {
    isocast_buffer_puts(out, out->length > 0 ? "; " : "");
    if (entry->value.kind == ISOCAST_TREE_SCALAR) {
        isocast_buffer_printf(out, "%s was not compared: %s", entry->key.text, entry->value.text);
        return;
    }
    if (!isocast_reader_expect(reader, &entry->value, ISOCAST_TREE_MAPPING, entry->key.text)) {
        return;
    }
    const char *error = text_of(&entry->value, "error");
    const char *p = text_of(&entry->value, "p");
    if (error == NULL || p == NULL) {
        isocast_reader_refuse(reader, entry->key.span, "write {p: 4, N: 1000, error: 3.1 %}",
                              "a point that was held out has p and an error");
        return;
    }
    isocast_buffer_printf(out, "%s was off by %s at p = %s", entry->key.text, error, p);
    for (size_t i = 0; i < algorithm->size_count; i++) {
        const char *name = algorithm->sizes[i].name;
        const char *size = name != NULL ? text_of(&entry->value, name) : NULL;
        if (size != NULL) {
            isocast_buffer_printf(out, ", %s = %s", name, size);
        }
    }
    const char *on = text_of(&entry->value, "on");
    const char *differs = text_of(&entry->value, "runs_differ_by");
    if (on != NULL) {
        isocast_buffer_printf(out, " on %s", on);
    }
    if (differs != NULL) {
        isocast_buffer_printf(out, ", where runs differ by %s", differs);
    }
}

static void read_held_out(isocast_reader *reader, const isocast_tree_node *node,
                          isocast_algorithm *algorithm) {
    static const char *const keys[] = {"T_c", "T"};
    if (!isocast_reader_mapping(reader, node, "held_out", keys, sizeof keys / sizeof *keys)) {
        return;
    }
    isocast_buffer text = {0};
    for (size_t i = 0; i < node->count; i++) {
        read_part(reader, &node->entries[i], algorithm, &text);
    }
    if (text.failed) {
        isocast_reader_fail(reader);
        isocast_buffer_free(&text);
        return;
    }
    algorithm->held_out = text.text;
}

void isocast_algorithm_read_recorded(isocast_reader *reader, const isocast_tree_node *root,
                                     isocast_algorithm *algorithm) {
    const isocast_tree_node *recorded = isocast_reader_find(reader, root, "recorded", false, "");
    const isocast_tree_node *held_out = isocast_reader_find(reader, root, "held_out", false, "");
    if (recorded != NULL) {
        read_recorded(reader, recorded, algorithm);
        algorithm->is_recorded = true;
    }
    if (held_out != NULL) {
        read_held_out(reader, held_out, algorithm);
    }
}

static void put_beyond(const char *name, double value, isocast_recorded_range range,
                       isocast_buffer *out) {
    bool known = range.least <= range.most && range.most > 0;
    const char *joint = out->length > 0 ? ", " : "";
    if (known && value > range.most) {
        isocast_buffer_printf(out, "%s%s = %.6g is %.3g times the largest one that was recorded",
                              joint, name, value, value / range.most);
    } else if (known && value < range.least) {
        isocast_buffer_printf(out, "%s%s = %.6g is below the smallest one that was recorded, %.6g",
                              joint, name, value, range.least);
    }
}

void isocast_recorded_put_beyond(const isocast_algorithm *algorithm, double p, double N,
                                 const double *other_sizes, isocast_buffer *out) {
    if (!algorithm->is_recorded) {
        return;
    }
    isocast_buffer beyond = {0};
    put_beyond("p", p, algorithm->recorded_p, &beyond);
    for (size_t i = 0; i < algorithm->size_count; i++) {
        bool known = i == 0 || other_sizes != NULL;
        double size = i == 0 ? N : known ? other_sizes[i - 1] : NAN;
        put_beyond(algorithm->sizes[i].name, size, algorithm->sizes[i].recorded, &beyond);
    }
    if (beyond.length > 0) {
        isocast_buffer_puts(out, beyond.text);
    }
    out->failed = out->failed || beyond.failed;
    isocast_buffer_free(&beyond);
}

bool isocast_recorded_speed_is_unknown(const isocast_algorithm *algorithm) {
    return algorithm->is_recorded && isnan(algorithm->recorded_speed);
}
