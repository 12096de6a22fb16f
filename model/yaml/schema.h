/* Reading typed values out of a marked tree: known keys, texts, numbers with units, formulas. Every
 * problem becomes a diagnostic and reading goes on, so that one run states all. Knows no key
 * itself.
 */
#ifndef ISOCAST_SCHEMA_H
#define ISOCAST_SCHEMA_H

#include "model/formula/check.h"
#include "tree.h"

/* What is being read. `status` stays OK, or becomes INVALID or NO_MEMORY. */
typedef struct isocast_reader {
    const isocast_source *source;
    isocast_diagnostics *diagnostics;
    isocast_status status;
} isocast_reader;

/* Notes a problem at a span, and that the input is invalid. */
void isocast_reader_refuse(isocast_reader *reader, isocast_span span, const char *hint,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));

/* A hint for what looks like a table in the place of a specification; NULL for all else. */
const char *isocast_table_hint(const isocast_tree_node *node);

/* Whether a node is of a kind; else a diagnostic "WHAT must be ..., this is ...". */
bool isocast_reader_expect(isocast_reader *reader, const isocast_tree_node *node,
                           isocast_tree_kind kind, const char *what);

/* Refuses keys of a mapping that are not in `keys` (shape [count]), naming the nearest known one.
 */
void isocast_reader_known_keys(isocast_reader *reader, const isocast_tree_node *mapping,
                               const char *what, const char *const *keys, size_t count);

/* Whether a node is a mapping, with these keys alone: another kind is refused, and so is each other
 * key. */
bool isocast_reader_mapping(isocast_reader *reader, const isocast_tree_node *node, const char *what,
                            const char *const *keys, size_t count);

/* Refuses a file of another kind as a whole, so that its keys are no problems of their own: a
 * result, or one that lacks `key`, which states its kind `what`, and has the key of another kind.
 * True where it did. */
bool isocast_reader_refuse_kind(isocast_reader *reader, const isocast_tree_node *root,
                                const char *key, const char *what);

/* The value under a key of a mapping; NULL where there is none, with a diagnostic at `mapping`
 * where `required`. */
const isocast_tree_node *isocast_reader_find(isocast_reader *reader,
                                             const isocast_tree_node *mapping, const char *key,
                                             bool required, const char *what);

/* The most that a count may be: whole numbers are exact in a double up to 2^53, and one more than
 * that many nodes or processors is a slip. */
#define ISOCAST_COUNT_MAX 1e15

/* What a number may be. */
typedef struct isocast_bounds {
    double least;
    bool above;
    bool whole;
    const char *hint; /* how to correct what is beyond them; NULL: none */
} isocast_bounds;

/* What stands under a key, where it is there: a value of that kind, or a line of text, else NULL. A
 * number is set to what is there, or to NAN, and else left. What is wrong gets a diagnostic that
 * names the key. */
const isocast_tree_node *isocast_reader_section(isocast_reader *reader,
                                                const isocast_tree_node *mapping, const char *key,
                                                isocast_tree_kind kind);
char *isocast_reader_text_at(isocast_reader *reader, const isocast_tree_node *mapping,
                             const char *key);
void isocast_reader_number_at(isocast_reader *reader, const isocast_tree_node *mapping,
                              const char *key, isocast_dimension dimension, isocast_bounds bounds,
                              double *number);

/* Whether a mapping has at most `most` entries; a diagnostic at the first one over it. */
bool isocast_reader_at_most(isocast_reader *reader, const isocast_tree_node *mapping, size_t most,
                            const char *what);

/* A copy of a scalar's text, which is one line; NULL (and a diagnostic) where the node is no
 * scalar, is empty or holds line breaks or tabs. */
char *isocast_reader_text(isocast_reader *reader, const isocast_tree_node *node, const char *what);

/* Whether formulas can use a key as a name, else a diagnostic. */
bool isocast_reader_expect_name(isocast_reader *reader, const isocast_tree_node *key);

/* The name of the operation that entry number i of a mapping of operations is about, which the
 * caller must free. NULL with a diagnostic where the key is no name of an operation. */
char *isocast_reader_operation_name(isocast_reader *reader, const isocast_tree_node *mapping,
                                    size_t i);

/* A constant: a number with or without a unit, or an expression of such. NAN, with a diagnostic,
 * where it is none or of another dimension than the place's. `dimension`, where not NULL, gets the
 * dimension (for places where any will do). */
double isocast_reader_number(isocast_reader *reader, const isocast_tree_node *node,
                             const isocast_formula_place *place, isocast_dimension *dimension);

/* A number at least `least` (above it, where `above`), else a diagnostic and NAN; `whole`: a whole
 * one, of ISOCAST_COUNT_MAX at most. */
double isocast_reader_bounded(isocast_reader *reader, const isocast_tree_node *node,
                              const isocast_formula_place *place, isocast_bounds bounds);

/* A parsed formula; NULL with a diagnostic where it is none. */
isocast_formula *isocast_reader_formula(isocast_reader *reader, const isocast_tree_node *node,
                                        isocast_names declared, const char *what);

/* Notes that memory was short. */
void isocast_reader_fail(isocast_reader *reader);

/* calloc that turns failure into the reader's status; never asked for nothing. */
void *isocast_reader_allocate(isocast_reader *reader, size_t count, size_t size);

#endif
