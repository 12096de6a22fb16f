/* What a call takes, as text: the operation with its size and processes, and how often it counts.
 */
#ifndef ISOCAST_CALL_TEXT_H
#define ISOCAST_CALL_TEXT_H

#include "call_form.h"
#include "derived.h"
#include "model/base/buffer.h"

/* What is behind the name of an operation whose root is not process 0 alone: of one call by itself,
 * of one before a call of the next root, and before one of the same root. */
enum { ISOCAST_ROOTED_ENDS = 3 };
extern const char *const isocast_rooted_ends[ISOCAST_ROOTED_ENDS];

/* The operation that a term's calls count as. */
const derive_call_form *isocast_term_form(const isocast_derived *derived,
                                          const isocast_derived_term *term);

/* "T_bcast(8 B * N, rows, min(rows, p_node))". names: of the sizes. */
void isocast_put_call(const isocast_derived *derived, const isocast_derived_term *term,
                      const char *const *names, isocast_buffer *out);

/* "T_bcast_next(8 B * N)": what one more call adds to one like it. */
void isocast_put_next(const isocast_derived *derived, const isocast_derived_term *term,
                      const char *const *names, isocast_buffer *out);

/* ", rows, min(rows, p_node)" of messages between processes that follow each other. */
void isocast_put_side(const isocast_derived_site *site, isocast_buffer *out);

/* "11*"; nothing for 1. */
void isocast_put_times(const isocast_law *count, const char *const *names, isocast_buffer *out);

/* "if(rows > 1, 2*N, 0)*"; nothing for once. */
void isocast_put_turns(const isocast_law *count, const char *const *names, isocast_buffer *out);

/* What all calls of a term take whose roots change. */
void isocast_put_roots(const isocast_derived *derived, const isocast_derived_term *term,
                       const char *const *names, isocast_buffer *out);

#endif
