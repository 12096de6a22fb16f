/* How laws grow beyond the runs that they were made from. */
#ifndef ISOCAST_DERIVE_LAW_GROWTH_H
#define ISOCAST_DERIVE_LAW_GROWTH_H

#include "law.h"

/* By what a term of a law grows from a point on where all sizes double, or where p does. */
double isocast_monomial_growth(const isocast_monomial *monomial, const isocast_law_point *from,
                               bool sizes);

/* The largest growth of the terms of a law; 0 where it has none. */
double isocast_law_largest_growth(const isocast_law *law, const isocast_law_point *from,
                                  bool sizes);

/* Whether a law of several terms has the term, and no other one that grows faster with the sizes
 * or with p. */
bool isocast_law_only_adds(const isocast_law *law, const isocast_monomial *term,
                           const isocast_law_point *from);

/* Whether a law adds different functions of p. Of such sums there are so many that some go through
 * the records by chance. */
bool isocast_law_adds_functions(const isocast_law *law);

#endif
