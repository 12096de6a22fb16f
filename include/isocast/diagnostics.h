/* The problems that isocast finds in its input, as data: where each is, what it is, and how to
 * correct it.
 *
 * An isocast_diagnostics is a list of problems in the order they were found. A function that takes
 * one adds to it, whether it comes back with an error or not; NULL says that the caller does not
 * want to know. A list holds copies of all that it shows, so it may outlive everything else. Of
 * very many problems the first ones are kept and the others are counted. One thread at a time may
 * use a list. */
#ifndef ISOCAST_DIAGNOSTICS_H
#define ISOCAST_DIAGNOSTICS_H

#include <stddef.h>

#include <isocast/status.h>

ISOCAST_BEGIN_C

/* Makes an empty list; free it with isocast_diagnostics_free(). Errors: NO_MEMORY, ARGUMENT (out is
 * NULL). */
ISOCAST_PUBLIC isocast_status isocast_diagnostics_create(isocast_diagnostics **out);
/* Frees the list and every text that it gave; NULL is allowed. */
ISOCAST_PUBLIC void isocast_diagnostics_free(isocast_diagnostics *list);
/* Empties the list, so that it can be used for the next call. Frees every text that it gave. */
ISOCAST_PUBLIC void isocast_diagnostics_reset(isocast_diagnostics *list);

/* How many problems the list holds. */
ISOCAST_PUBLIC size_t isocast_diagnostics_count(const isocast_diagnostics *list);
/* How many errors and warnings were found, also those that were only counted. */
ISOCAST_PUBLIC size_t isocast_diagnostics_error_count(const isocast_diagnostics *list);
ISOCAST_PUBLIC size_t isocast_diagnostics_warning_count(const isocast_diagnostics *list);

/* The following speak of one problem: index from 0 to isocast_diagnostics_count() - 1. Texts belong
 * to the list. A problem that is not there gives ISOCAST_ERROR, NULL and 0. */

ISOCAST_PUBLIC isocast_severity isocast_diagnostics_severity(const isocast_diagnostics *list,
                                                             size_t index);
/* What is wrong: one sentence without a full stop. */
ISOCAST_PUBLIC const char *isocast_diagnostics_message(const isocast_diagnostics *list,
                                                       size_t index);
/* How to correct it; NULL where there is nothing to add. */
ISOCAST_PUBLIC const char *isocast_diagnostics_hint(const isocast_diagnostics *list, size_t index);
/* The path of the file, the name that the caller gave a text in memory, or the name of the argument
 * ("systems"). */
ISOCAST_PUBLIC const char *isocast_diagnostics_file(const isocast_diagnostics *list, size_t index);
/* Line and column, both counted from 1; a column is a byte of the line. 0: the problem has no place
 * in the file. */
ISOCAST_PUBLIC size_t isocast_diagnostics_line(const isocast_diagnostics *list, size_t index);
ISOCAST_PUBLIC size_t isocast_diagnostics_column(const isocast_diagnostics *list, size_t index);
/* The line of the file, shortened around the place where it is long; NULL where there is none. A
 * caret belongs under the character `caret_column` of it, counted from 1, and is `caret_length`
 * characters long. */
ISOCAST_PUBLIC const char *isocast_diagnostics_source_line(const isocast_diagnostics *list,
                                                           size_t index);
ISOCAST_PUBLIC size_t isocast_diagnostics_caret_column(const isocast_diagnostics *list,
                                                       size_t index);
ISOCAST_PUBLIC size_t isocast_diagnostics_caret_length(const isocast_diagnostics *list,
                                                       size_t index);

/* All problems as the command isocast prints them, with source lines and carets. *out is the
 * caller's: free it with free(). Errors: NO_MEMORY, ARGUMENT (a NULL). */
ISOCAST_PUBLIC isocast_status isocast_diagnostics_format(const isocast_diagnostics *list,
                                                         char **out);

ISOCAST_END_C

#endif
