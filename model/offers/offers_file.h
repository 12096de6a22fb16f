/* A file of offers: which machine file each is for, and what it changes there: counts, prices and
 * powers of node classes, and the purchase. YAML, or a table as CSV. Loads no machine file. */
#ifndef ISOCAST_OFFERS_FILE_H
#define ISOCAST_OFFERS_FILE_H

#include "delivery.h"
#include "model/base/csv.h"
#include "model/spec/machine.h"
#include "suite.h"

typedef struct isocast_offers_file {
    isocast_tree *tree;              /* NULL for a table */
    isocast_source *source;          /* of the table; NULL for YAML */
    isocast_csv table;               /* likewise */
    isocast_tree_node rows;          /* the table as a tree */
    const isocast_tree_node *common; /* what holds for all offers; NULL for a table */
    const isocast_tree_node *list;   /* mapping from names to offers */
    isocast_suite suite;             /* of no applications where the file has none */
} isocast_offers_file;

/* Loads a file; one whose name ends in ".csv" is a table. Errors, each with diagnostics: IO,
 * INVALID, NO_MEMORY. */
isocast_status isocast_offers_file_load(const char *path, isocast_diagnostics *diagnostics,
                                        isocast_offers_file **out);
/* The same for YAML from a source, which is taken over in every case. */
isocast_status isocast_offers_file_read(isocast_source *source, isocast_diagnostics *diagnostics,
                                        isocast_offers_file **out);
void isocast_offers_file_free(isocast_offers_file *file);

size_t isocast_offers_file_count(const isocast_offers_file *file);
const char *isocast_offers_file_name(const isocast_offers_file *file, size_t index);
const isocast_source *isocast_offers_file_source(const isocast_offers_file *file);
/* The machine as the file names it: a path beside the file, or the name of a specification. Its
 * span is one of the source's. */
const isocast_tree_node *isocast_offers_file_machine(const isocast_offers_file *file, size_t index);
/* Likewise the algorithm of an application of its suite. */
const isocast_tree_node *isocast_offers_file_algorithm(const isocast_offers_file *file,
                                                       size_t index);

/* When nodes of an offer come, into *out, which starts from {0}: its own phases, or those of the
 * whole file. Errors: NO_MEMORY. */
isocast_status isocast_offers_file_deliveries(const isocast_offers_file *file, size_t index,
                                              isocast_deliveries *out);

/* Makes of a machine what an offer says; what it does not say stays. Errors, with diagnostics in
 * the file of offers: INVALID (no such class, amounts in another currency), NO_MEMORY. */
isocast_status isocast_offers_file_apply(const isocast_offers_file *file, size_t index,
                                         isocast_machine *machine,
                                         isocast_diagnostics *diagnostics);

#endif
