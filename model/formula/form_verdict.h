/* What the bounds of a form prove of its zeros in a piece of the range of N. Private to the
 * solver's proofs. */
#ifndef ISOCAST_FORM_VERDICT_H
#define ISOCAST_FORM_VERDICT_H

#include "form.h"
#include "model/base/effort.h"

/* Both are false where nothing is proved. */
typedef struct isocast_form_verdict {
    bool has_no_zero;          /* it is of one sign, or has no value, in the whole piece */
    int sign;                  /* 1 or -1 there; 0 where the form has no value */
    bool has_one_zero_at_most; /* it changes its sign once or never */
} isocast_form_verdict;

/* `effort` takes what the bounds cost. */
isocast_form_verdict isocast_form_judge(const isocast_form *form, const isocast_form_ranges *ranges,
                                        isocast_effort *effort);

#endif
