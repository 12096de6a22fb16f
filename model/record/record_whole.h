/* Whether a file has all of its record: one that was cut off looks like a shorter run. */
#ifndef ISOCAST_RECORD_WHOLE_H
#define ISOCAST_RECORD_WHOLE_H

#include "model/base/csv.h"
#include "record.h"

/* Row `row` of the file is "lines,N": N rows must follow it, and the last one must have its line
 * break. Errors: INVALID, with a diagnostic. */
isocast_status isocast_record_lines_are_there(const isocast_csv *csv, size_t row,
                                              const isocast_source *source,
                                              isocast_diagnostics *diagnostics);

/* Whether a record without other problems has all that each record has: its program, its processes,
 * how it ended, and the lines of all processes where it ended well. Errors: INVALID, with
 * diagnostics. */
isocast_status isocast_record_is_whole(const isocast_record *record, bool has_end,
                                       const isocast_source *source,
                                       isocast_diagnostics *diagnostics);

#endif
