/* The key 'valid' of an algorithm file: rules that its formulas take to be kept, such as "p must be
 * a square" or "N must be a multiple of sqrt(p)". Formulas of the sizes and p; needs no machine. */
#ifndef ISOCAST_RULES_H
#define ISOCAST_RULES_H

#include "algorithm.h"
#include "model/yaml/schema.h"

/* Reads the texts and formulas; sizes and definitions are read already. */
void isocast_rules_read(isocast_reader *reader, const isocast_tree_node *root,
                        isocast_names declared, isocast_algorithm *algorithm);

/* Checks and compiles them, once sizes and definitions stay as they are. What was compiled before
 * is replaced. Errors: INVALID with diagnostics, NO_MEMORY. */
isocast_status isocast_rules_compile(isocast_algorithm *algorithm,
                                     isocast_diagnostics *diagnostics);

/* Where the rules are looked at. */
typedef struct isocast_rules_point {
    double N;                  /* first size parameter; not looked at by rules of p alone */
    const double *other_sizes; /* [size_count - 1]; NULL where there are none */
    double p;                  /* processes */
} isocast_rules_point;

/* What the first broken rule says: of those that look at N (`of_N`), or of the others, which report
 * of systems. NULL where all hold, or there are none. Errors: NO_MEMORY. */
isocast_status isocast_rules_broken(const isocast_algorithm *algorithm, bool of_N,
                                    const isocast_rules_point *point, const char **out);

/* Clears kept[i] where p[i] processes break a rule of systems, so that several algorithms can be
 * asked in turn; shape of p and kept: [count]. Errors: NO_MEMORY. */
isocast_status isocast_rules_sift_p(const isocast_algorithm *algorithm, const double *other_sizes,
                                    const double *p, size_t count, bool *kept);

/* The numbers of processes next to the point's that keep the rules of systems; NAN where none was
 * found within a million. Errors: NO_MEMORY. */
isocast_status isocast_rules_nearest_p(const isocast_algorithm *algorithm,
                                       const isocast_rules_point *point, isocast_valid_pair *out);

/* The whole N next to the point's, between the size's bounds, that keep all rules and are among
 * `valid`. Likewise; both NAN, too, where no rule looks at N and `valid` excludes none. */
isocast_status isocast_rules_nearest_N(const isocast_algorithm *algorithm,
                                       const isocast_valid *valid, const isocast_rules_point *point,
                                       isocast_valid_pair *out);

/* Whether some rule looks at N. */
bool isocast_rules_look_at_N(const isocast_algorithm *algorithm);

#endif
