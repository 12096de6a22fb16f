/* psi between all pairs as reports and as JSON. */
#ifndef CLI_REPORT_MATRIX_H
#define CLI_REPORT_MATRIX_H

#include "cli/output/render.h"
#include "model/solve/psi_matrix.h"

/* Makes the reports, one or two; gives how many. For files: a
 * row for each ordered pair, from, to and psi (and what the theorems say, where they were looked
 * at). For readers: a grid, from by rows, to by columns; and the theorems' table, where any of them
 * applies. `title` and `psi` (its formula) are shown to readers; the
 * title is freed. */
size_t cli_reports_of_matrix(const isocast_psi_matrix *matrix, bool csv, isocast_buffer *title,
                             const char *psi, cli_report **reports);

/* The pairs; the whole is an isocast_psi_matrix. */
extern const isocast_table cli_pairs;
isocast_item cli_pair_item;

#endif
