/* The words of machine files: numbers with their errors and units, sizes, texts, lists that are
 * broken into lines. Knows no fit. docs/reference/specifications.md states the form. */
#ifndef MACHINE_TEXT_H
#define MACHINE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/buffer.h"

/* A text as a YAML scalar in double quotes, without the control characters that reading would
 * refuse. */
void machine_text_quote(isocast_buffer *out, const char *text, size_t length);

/* "  KEY: " of a name that somebody chose. */
void machine_text_key(isocast_buffer *out, const char *indent, const char *key);

/* The same with a line's end: what it holds comes in the next lines. */
void machine_text_head(isocast_buffer *out, const char *indent, const char *key);

/* "  KEY: "TEXT"" with a line's end. */
void machine_text_entry(isocast_buffer *out, const char *indent, const char *key, const char *text);

/* A coefficient as a file has it. */
typedef struct machine_number {
    double value;     /* in the unit */
    double error;     /* standard error, in the unit; NAN for none */
    const char *unit; /* "s", "s/B", "s/flop"; "" for a ratio */
    bool alone;       /* no other error nearly cancels this one: digits below a hundredth of it */
                      /* say nothing, and are left out */
} machine_number;

/* The power of 1000 whose prefix leaves one to three digits before the point; 0 for 0 and for
 * ratios. */
int machine_text_step(double value, const char *unit);

/* "132.379314 ns", with so many digits, and the prefix of a power of 1000. */
void machine_text_value(isocast_buffer *out, double value, const char *unit, int digits, int step);

/* "132.379314 ns ± 81.6314221 %": a value has nine digits. Errors have as many as leave the
 * intervals of predictions what they are. "132.4 ns ± 81.6 %" where the number is `alone`. */
void machine_text_number(isocast_buffer *out, const machine_number *number, int step);

/* "8 KiB"; "8396800 B" where no larger unit has few digits. Exact. */
void machine_text_size(isocast_buffer *out, double m);

/* "    measured: {p: [2, 16], m: [8 B, 1 MiB]}" with a line's end: where an operation was measured.
 */
void machine_text_measured(isocast_buffer *out, const double p[2], const double m[2]);

/* A list or mapping in brackets, whose items go on in the next line where one is full. */
typedef struct machine_flow {
    isocast_buffer *out;
    isocast_buffer item; /* appended to by the caller */
    size_t indent;       /* blanks before further lines */
    size_t line_begin;   /* offset in out */
    bool begun;
    char close;
} machine_flow;

/* Begins with '{' or '[' where the buffer's last line is. */
machine_flow machine_flow_begin(isocast_buffer *out, char open, size_t indent);
/* Ends the item. */
void machine_flow_next(machine_flow *flow);
void machine_flow_end(machine_flow *flow);

/* What is known of the errors of some coefficients, in their units. */
typedef struct machine_errors {
    const double *values;     /* [count] */
    const double *covariance; /* [count][stride] */
    size_t count, stride;
} machine_errors;

/* Their correlations, row by row of the lower triangle: "[0.5]". */
void machine_text_correlation(isocast_buffer *out, const machine_errors *errors, size_t indent);

#endif
