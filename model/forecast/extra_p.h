/* The two text formats of Extra-P 4 (its documentation, "input formats") as a table of runs: its
 * text format, and JSON Lines with an object for each value. */
#ifndef ISOCAST_EXTRA_P_H
#define ISOCAST_EXTRA_P_H

#include "model/base/csv.h"

/* Whether a source is in one of them, by its first line that is no comment: PARAMETER NAME, or an
 * object that has params. */
bool isocast_extra_p_recognise(const isocast_source *source);

/* Columns region (callpath), metric, those of the parameters, and T. Where no parameter is called
 * p, the first is; where none is called N, the next is. Each value is a row, whose fields have the
 * places of what they come from. Errors: INVALID, with diagnostics; NO_MEMORY. */
isocast_status isocast_extra_p_read(const isocast_source *source, isocast_diagnostics *diagnostics,
                                    isocast_csv *out);

#endif
