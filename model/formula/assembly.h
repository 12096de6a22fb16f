/* A formula put together from words of isocast's own and from parts that stand in a file. Its nodes
 * have their places in that file, so that a problem is reported where its cause stands. Knows no
 * schema. */
#ifndef ISOCAST_ASSEMBLY_H
#define ISOCAST_ASSEMBLY_H

#include "formula.h"
#include "model/base/buffer.h"

/* One part of the text. */
typedef struct isocast_assembly_piece {
    size_t begin;      /* in the text; it ends where the next one begins */
    isocast_span span; /* in the file */
    bool quoted;       /* its bytes are those of the span; else all of it stands for the span */
} isocast_assembly_piece;

/* Start from {0}. */
typedef struct isocast_assembly {
    isocast_buffer text;
    isocast_assembly_piece *pieces; /* [count] */
    size_t count, room;
} isocast_assembly;

/* Appends words whose place in the file is `span`. */
void isocast_assembly_put(isocast_assembly *assembly, isocast_span span, const char *words);

/* Appends the bytes of a span of the file. */
void isocast_assembly_quote(isocast_assembly *assembly, const isocast_source *file,
                            isocast_span span);

/* Parses the text; the formula belongs to `file`, and its whole is at `span`. Errors: INVALID, with
 * a diagnostic at `span` (over a cap of formulas; what is quoted was parsed before), NO_MEMORY. */
isocast_status isocast_assembly_parse(const isocast_assembly *assembly, const isocast_source *file,
                                      isocast_span span, isocast_diagnostics *diagnostics,
                                      isocast_formula **out);
void isocast_assembly_free(isocast_assembly *assembly);

#endif
