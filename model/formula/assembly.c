#include "assembly.h"

#include <stdlib.h>

static void add_piece(isocast_assembly *a, isocast_span span, bool quoted) {
    if (a->count == a->room) {
        size_t room = 2 * a->room + 16;
        isocast_assembly_piece *pieces = realloc(a->pieces, room * sizeof *pieces);
        if (pieces == NULL) {
            a->text.failed = true;
            return;
        }
        a->pieces = pieces;
        a->room = room;
    }
    a->pieces[a->count++] = (isocast_assembly_piece){a->text.length, span, quoted};
}

void isocast_assembly_put(isocast_assembly *assembly, isocast_span span, const char *words) {
    add_piece(assembly, span, false);
    isocast_buffer_puts(&assembly->text, words);
}

void isocast_assembly_quote(isocast_assembly *assembly, const isocast_source *file,
                            isocast_span span) {
    add_piece(assembly, span, true);
    isocast_buffer_append(&assembly->text, file->text + span.begin, span.end - span.begin);
}

/* The last piece that begins at an offset of the text or before it. */
static const isocast_assembly_piece *piece_at(const isocast_assembly *a, size_t offset) {
    size_t low = 0;
    size_t high = a->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (a->pieces[middle].begin <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &a->pieces[low];
}

/* The place in the file of a span of the text. What begins and ends in pieces that stand in another
 * order in the file is reported at its beginning. */
static isocast_span place_of(const isocast_assembly *a, isocast_span span) {
    size_t last = span.end > span.begin ? span.end - 1 : span.begin;
    const isocast_assembly_piece *begin = piece_at(a, span.begin);
    const isocast_assembly_piece *end = piece_at(a, last);
    isocast_span place = begin->span;
    if (begin->quoted) {
        place.begin += span.begin - begin->begin;
    }
    size_t place_end = end->quoted ? end->span.begin + (last - end->begin) + 1 : end->span.end;
    if (place_end > place.begin && (begin == end || end->span.begin >= begin->span.begin)) {
        place.end = place_end;
    }
    return place;
}

static void move_to_file(const isocast_assembly *a, isocast_formula_node *node) {
    node->span = place_of(a, node->span);
    node->name_span = place_of(a, node->name_span);
    for (size_t i = 0; i < node->count; i++) {
        move_to_file(a, node->arguments[i]);
    }
}

isocast_status isocast_assembly_parse(const isocast_assembly *assembly, const isocast_source *file,
                                      isocast_span span, isocast_diagnostics *diagnostics,
                                      isocast_formula **out) {
    static const char *const declared[] = {"p", "m"};
    isocast_source *text = NULL;
    if (assembly->text.failed || assembly->count == 0) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status =
        isocast_source_create(file->name, assembly->text.text, assembly->text.length, &text);
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_diagnostics own = {0};
    isocast_formula *formula = NULL;
    status = isocast_formula_parse(text, (isocast_span){0, text->length},
                                   (isocast_names){declared, 2}, &own, &formula);
    if (status == ISOCAST_INVALID) {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, file, span, NULL, "%s",
                                own.count > 0 ? own.items[0].message : "the formula is invalid");
    } else if (status == ISOCAST_OK) {
        move_to_file(assembly, formula->root);
        formula->source = file;
        formula->span = span;
        *out = formula;
    }
    isocast_diagnostics_clear(&own);
    isocast_source_free(text);
    return status;
}

void isocast_assembly_free(isocast_assembly *assembly) {
    isocast_buffer_free(&assembly->text);
    free(assembly->pieces);
    *assembly = (isocast_assembly){0};
}
