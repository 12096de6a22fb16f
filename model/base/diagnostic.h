/* Problems found in input: where, what, and how to correct it. Owns copies of all it shows, so a
 * list outlives the sources. Draws carets into a buffer; printing is the caller's. */
#ifndef ISOCAST_DIAGNOSTIC_H
#define ISOCAST_DIAGNOSTIC_H

#include "buffer.h"
#include "source.h"

typedef struct isocast_diagnostic {
    isocast_severity severity;
    char *file;
    size_t line;         /* from one; 0 where the problem has no place (an empty file) */
    size_t column;       /* from one, in bytes */
    char *source_line;   /* at most ISOCAST_DIAGNOSTIC_LINE bytes of it, around the column */
    size_t caret_column; /* from one, in source_line as shortened */
    size_t caret_length; /* at least one */
    char *message;
    char *hint;  /* NULL where there is nothing to add */
    size_t kind; /* index among the kinds */
} isocast_diagnostic;

enum {
    ISOCAST_DIAGNOSTIC_LINE = 160,
    ISOCAST_DIAGNOSTIC_MAX = 50,     /* kept in all, and kinds that are distinguished */
    ISOCAST_DIAGNOSTIC_ALIKE = 10,   /* of one kind that are kept */
    ISOCAST_DIAGNOSTIC_EXAMPLES = 3, /* of one kind that are shown where there are more than that */
    ISOCAST_DIAGNOSTIC_HINTED =
        500 /* problems in all from which on looking for hints is too dear */
};

/* Problems of one file that say the same but for names and numbers. */
typedef struct isocast_diagnostic_kind {
    char *file;
    char *pattern; /* the message without what differs */
    isocast_severity severity;
    size_t found;
} isocast_diagnostic_kind;

/* Start from {0}. At most ISOCAST_DIAGNOSTIC_MAX are kept, and of one kind
 * ISOCAST_DIAGNOSTIC_ALIKE; the rest are only counted. */
typedef struct isocast_diagnostics {
    isocast_diagnostic *items; /* [count], in the order they were found */
    size_t count;
    isocast_diagnostic_kind *kinds; /* [kind_count], likewise */
    size_t kind_count;
    size_t errors;   /* all that were reported, kept or not */
    size_t warnings; /* likewise */
    bool failed;     /* memory was short: not all is noted, and what comes after it is not */
} isocast_diagnostics;

/* Whether looking for hints to further problems is idle, as they are only counted, or too dear. */
bool isocast_diagnostics_full(const isocast_diagnostics *list);

/* Notes a problem at a span of a source. `hint` may be NULL. The message is printf's. */
void isocast_diagnostics_add(isocast_diagnostics *list, isocast_severity severity,
                             const isocast_source *source, isocast_span span, const char *hint,
                             const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Notes an error at a span, whose message is a text as it stands. Gives INVALID. */
isocast_status isocast_diagnostics_refuse(isocast_diagnostics *list, const isocast_source *source,
                                          isocast_span span, const char *hint, const char *message);

/* Notes a problem of a file as a whole, without a line to show. */
void isocast_diagnostics_add_file(isocast_diagnostics *list, isocast_severity severity,
                                  const char *file, const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Says that memory was short while reading. What is found after that may be its consequence, so
 * that nothing more is noted. */
void isocast_diagnostics_fail(isocast_diagnostics *list);

/* The same where memory was too short for a text that was made for a message. */
void isocast_diagnostics_rely(isocast_diagnostics *list, const isocast_buffer *text);

/* Notes that a file cannot be "opened" or "read", by errno. Gives INVALID where the name is wrong
 * or the file may not be read, IO where the system failed, or NO_MEMORY, which is not noted. */
isocast_status isocast_diagnostics_add_failure(isocast_diagnostics *list, const char *file,
                                               const char *done, int cause);

/* Appends each diagnostic as
 *     file:line:column: error: message
 *         the source line
 *         ^~~~
 *     hint: how to correct it
 * Of more than ISOCAST_DIAGNOSTIC_ALIKE of one kind the first ISOCAST_DIAGNOSTIC_EXAMPLES are
 * shown, and a line counts the others; a last line counts what is of none of the kinds shown. */
void isocast_diagnostics_render(const isocast_diagnostics *list, isocast_buffer *out);

/* Frees all that a list holds, and leaves it empty. */
void isocast_diagnostics_clear(isocast_diagnostics *list);

#endif
