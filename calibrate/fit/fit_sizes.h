/* The bytes by which the ranges of an operation go: what its longest messages have. */
#ifndef FIT_SIZES_H
#define FIT_SIZES_H

/* As formulas have it: "m/p". */
const char *fit_size_text(const char *operation);
/* B of m on p processes. */
double fit_size_bytes(const char *operation, double m, double p);

#endif
